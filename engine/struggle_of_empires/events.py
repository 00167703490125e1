"""Every fact of the game: its effect and its sentence."""
from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from engine.kernel import Event, Seat
from engine.struggle_of_empires import far_lands_events, minor_events, npp_events, redraw_events, unrest_bag
from engine.struggle_of_empires.parts import PIRATES
from engine.struggle_of_empires.special import spend_special
from engine.struggle_of_empires.state import TOKENS, Battle, Captive, Due, Sent, Standing, State, TurnState, unused
from engine.struggle_of_empires.unrest_bag import CAUSES
from engine.struggle_of_empires.wording import COMMERCE, the
from engine.text import Text, count, text

NOUNS = {"army": ("{n} army", "{n} armies"), "navy": ("{n} navy", "{n} navies"), "fort": ("{n} fort", "{n} forts")}


def units(n: int, kind: str) -> Text:
    """"2 armies"."""
    return count(n, *NOUNS[kind])


def gold(n: int) -> Text:
    return count(n, "{n} gold", "{n} gold")


def a_unit(kind: str) -> Text:
    """"an army"."""
    return text({"army": "an army", "navy": "a navy", "fort": "a fort"}[kind])


def add(counts: dict[str, int], key: str, n: int) -> None:
    """Change a count; a count of 0 is not kept."""
    left = counts.get(key, 0) + n
    assert left >= 0, f"{key} would fall to {left}"
    if left:
        counts[key] = left
    else:
        counts.pop(key, None)


# --- setup (chapter 2) and neutral markers (4.2) --------------------------------------------------

class NeutralsPlaced(Event):
    """Markers drawn from the bag lie in their areas [SOE-2.1.2, 4.2.2]."""

    markers: tuple[str, ...]

    def apply(self, s: State) -> None:
        for marker in self.markers:
            s.bag.remove(marker)
            s.neutrals[s.parts.neutral[marker].area].append(marker)

    def line(self) -> Text:
        return count(len(self.markers), "{n} neutral marker is placed.", "{n} neutral markers are placed.")


class FirstPlayerFound(Event):
    seat: str
    index: int

    def apply(self, s: State) -> None:
        s.first = s.opener = self.index
        s.phase = "powers"

    def line(self) -> Text:
        return text("Seat {n} is the first player.", n=self.index + 1)


class PowerChosen(Event):
    seat: str
    power: str
    index: int

    def apply(self, s: State) -> None:
        if not s.powers:
            s.powers = [""] * len(s.seats)
        s.powers[self.index] = self.power
        start = s.parts.set_up(len(s.seats))
        s.markers[self.power] = {}
        s.units[self.power] = {"army": {}, "navy": {}, "fort": {}}
        s.tiles[self.power], s.used[self.power] = {}, {}
        s.gold[self.power], s.population[self.power] = start.start_gold, start.start_population
        s.points[self.power], s.unrest[self.power] = start.start_vp, 0

    def line(self) -> Text:
        return text("Seat {n} plays {power}.", n=self.index + 1, power=self.power)


class StartDrawn(Event):
    """A player's first control markers, one in the area of each marker drawn [SOE-2.1.6]."""

    power: str
    markers: tuple[str, ...]
    areas: tuple[str, ...]

    def apply(self, s: State) -> None:
        for marker, area in zip(self.markers, self.areas):
            s.bag.remove(marker)
            add(s.markers[self.power], area, 1)
        s.discard(*self.markers)
        if s.options.setup.redraw:
            s.first_draw.setdefault(self.power, []).extend(self.markers)

    def line(self) -> Text:
        return text("{power} has control markers in {areas}.", power=self.power, areas=self.areas)


class PlacingBegun(Event):
    def apply(self, s: State) -> None:
        s.phase, s.first_draw = "placing", {}


class UnitPlaced(Event):
    power: str
    unit: str
    area: str

    def apply(self, s: State) -> None:
        add(s.units[self.power][self.unit], self.area, 1)

    def line(self) -> Text:
        return text("{power} places {unit} in {area}.", power=self.power, unit=a_unit(self.unit), area=self.area)


# --- money and unrest (chapter 3) -----------------------------------------------------------------

class GoldPaid(Event):
    """A debt was paid, first from the gold in hand [SOE-3.1.3]; how much was taxed is not told [section S]."""

    power: str
    gold: int
    taxed: int              # gold that taxation brought

    def apply(self, s: State) -> None:
        s.gold[self.power] += self.taxed - self.gold

    def line(self) -> Text | None:
        return text("{power} pays {gold}.", power=self.power, gold=gold(self.gold)) if self.gold else None


class GoldTaken(Event):
    power: str
    gold: int
    tile: str = ""

    def apply(self, s: State) -> None:
        s.gold[self.power] += self.gold

    def line(self) -> Text:
        if self.tile:
            return text("{power} takes {gold} with {tile}.", power=self.power, gold=gold(self.gold), tile=self.tile)
        return text("{power} takes {gold}.", power=self.power, gold=gold(self.gold))


class UnrestChanged(Event):
    """Secret: no line for everybody [SOE-3.3.5, 21.1.1]."""

    power: str
    by: int
    total: int              # afterwards
    cause: str

    def apply(self, s: State) -> None:
        s.unrest[self.power] = self.total

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        change = text("+{n}", n=self.by) if self.by >= 0 else text("{n}", n=self.by)
        return {s.seat(self.power): text("{cause}: unrest {change}, now {total}.", cause=text(CAUSES[self.cause]),
                                         change=change, total=self.total)}


class PopulationPaid(Event):
    power: str
    population: int

    def apply(self, s: State) -> None:
        s.population[self.power] -= self.population


class PointsGained(Event):
    power: str
    points: int
    tile: str = ""

    def apply(self, s: State) -> None:
        s.points[self.power] += self.points

    def line(self) -> Text:
        points = count(self.points, "{n} victory point", "{n} victory points")
        if self.tile:
            return text("{power} gains {points} by {tile}.", power=self.power, points=points, tile=self.tile)
        return text("{power} gains {points}.", power=self.power, points=points)


class GoldGiven(Event):
    giver: str
    receiver: str
    gold: int
    secret: bool = Field(False, exclude_if=unused)          # only the two of them are told [AMB-65]

    def apply(self, s: State) -> None:
        s.gold[self.giver] -= self.gold
        s.gold[self.receiver] += self.gold

    def line(self) -> Text | None:
        return None if self.secret else self._told()

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(power): self._told() for power in (self.giver, self.receiver)} if self.secret else {}

    def _told(self) -> Text:
        return text("{giver} gives {receiver} {gold}.", giver=self.giver, receiver=self.receiver, gold=gold(self.gold))


# --- alliances (chapter 5) ------------------------------------------------------------------------

class AuctionBegun(Event):
    opener: int

    def apply(self, s: State) -> None:
        s.phase, s.opener, s.standing, s.accepted = "auction", self.opener, None, {}


class BidPlaced(Event):
    bidder: str
    gold: int
    a: str
    b: str

    def apply(self, s: State) -> None:
        s.standing = Standing(bidder=self.bidder, gold=self.gold, a=self.a, b=self.b)

    def line(self) -> Text:
        return text("{bidder} bids {gold}: {proposal}.", bidder=self.bidder, gold=gold(self.gold),
                    proposal=proposal(self.a, self.b))


def proposal(a: str, b: str) -> Text:
    """Whom a bid puts where."""
    if a and b:
        return text("{a} in {row_a}, {b} in {row_b}", a=a, b=b, row_a="row_a", row_b="row_b")
    return text("{a} in {row_a}", a=a, row_a="row_a") if a else text("{b} in {row_b}", b=b, row_b="row_b")


class AuctionPassed(Event):
    power: str

    def apply(self, s: State) -> None:
        assert s.standing is not None, "an auction has a bid"
        s.accepted[self.power] = s.standing.proposal

    def line(self) -> Text:
        return text("{power} passes.", power=self.power)


class AuctionWon(Event):
    power: str
    a: str
    b: str

    def apply(self, s: State) -> None:
        if self.a:
            s.row_a.append(self.a)
        if self.b:
            s.row_b.append(self.b)
        s.standing = None

    def line(self) -> Text:
        return text("{power} wins the auction: {proposal}.", power=self.power, proposal=proposal(self.a, self.b))


class OrderFixed(Event):
    order: tuple[str, ...]

    def apply(self, s: State) -> None:
        s.order, s.round, s.place, s.phase = list(self.order), 1, 0, "turn"

    def line(self) -> Text:
        return text("The alliances are settled. Turn order: {order}.", order=self.order)


# --- turns (chapters 6, 10, 15) -------------------------------------------------------------------

class TurnBegun(Event):
    power: str

    def apply(self, s: State) -> None:
        s.turn = TurnState()


class ActionSpent(Event):
    def apply(self, s: State) -> None:
        s.turn.actions -= 1


class Passed(Event):
    power: str
    actions: int

    def apply(self, s: State) -> None:
        s.turn.actions -= self.actions

    def line(self) -> Text:
        return count(self.actions, "{power} passes.", "{power} passes {n} actions.", power=self.power)


class TurnEnded(Event):
    power: str
    place: int              # of the next player
    round: int
    phase: str

    def apply(self, s: State) -> None:
        s.place, s.round, s.phase, s.turn = self.place, self.round, self.phase, TurnState()
        if self.place == 0:                 # a new round
            s.tried = {}

    def line(self) -> Text:
        return text("{power} ends the turn.", power=self.power)


class Settled(Event):
    """A colonist or slave marker gives way to a control marker [SOE-10.1.1, 10.1.2]."""

    power: str
    area: str
    marker: str
    enslaved: bool

    def apply(self, s: State) -> None:
        s.neutrals[self.area].remove(self.marker)
        s.discard(self.marker)
        add(s.markers[self.power], self.area, 1)
        spend_special(s, "settling")

    def line(self) -> Text:
        if self.enslaved:
            return text("{power} takes a place in {area} by {commerce}.", power=self.power, area=self.area, commerce=COMMERCE)
        return text("{power} colonises {area}.", power=self.power, area=self.area)


# --- building and moving (chapters 7, 8) -----------------------------------------------------------

class BuildBegun(Event):
    extra: int

    def apply(self, s: State) -> None:
        s.turn.extra = self.extra


class UnitBuilt(Event):
    power: str
    unit: str
    tile: str = ""
    place: str = ""         # "" is the home

    def apply(self, s: State) -> None:
        place = self.place or self.power
        add(s.units[self.power][self.unit], place, 1)
        s.turn.sending, s.turn.sending_from, s.turn.natives = self.unit, place, False

    def line(self) -> Text:
        with_tile = text(" with {tile}", tile=self.tile) if self.tile else text("")
        where = text(" in {place}", place=self.place) if self.place else text("")
        return text("{power} builds {unit}{where}{tile}.", power=self.power, unit=a_unit(self.unit), where=where, tile=with_tile)


class UnitRazed(Event):
    """A unit is destroyed by its owner, to be built anew [SOE-7.3.1]."""

    power: str
    unit: str
    place: str

    def apply(self, s: State) -> None:
        add(s.units[self.power][self.unit], self.place, -1)

    def line(self) -> Text:
        return text("{power} destroys {unit} in {place} to rebuild it.", power=self.power, unit=a_unit(self.unit),
                    place=self.place)


class ColonyDue(Event):
    """A rebuilt army waits for the colony into which Trained Natives puts it [SOE-12.7.6]."""

    def apply(self, s: State) -> None:
        s.turn.natives = True


class SendingDone(Event):
    def apply(self, s: State) -> None:
        s.turn.sending = s.turn.sending_from = ""


class MoveBegun(Event):
    moves: int

    def apply(self, s: State) -> None:
        s.turn.moves = self.moves


class UnitMoved(Event):
    power: str
    unit: str
    origin: str
    to: str

    def apply(self, s: State) -> None:
        kind = s.units[self.power][self.unit]
        add(kind, self.origin, -1)
        add(kind, self.to, 1)
        leave_home(s, self.power, self.unit)
        mark_moved(s, self.unit, self.to)

    def line(self) -> Text:
        return text("{power} moves {unit} from {origin} to {to}.", power=self.power, unit=a_unit(self.unit),
                    origin=self.origin, to=self.to)


def leave_home(s: State, power: str, unit: str) -> None:
    """A fort that a crossing once turned back has set out again, by a move action [SOE-7.2.3]."""
    if unit == "fort" and s.turn.moves and s.forts_back.get(power):
        add(s.forts_back, power, -1)


def mark_moved(s: State, unit: str, place: str, *, again: bool = False) -> None:
    """A unit that has used its move in the action under way; perhaps it may be named again [SOE-8.1.5, 8.1.6]."""
    if s.turn.moves:
        s.turn.moves -= 1
        if not again:
            add(s.turn.moved, f"{unit} {place}", 1)


class CrossingThrown(Event):
    power: str
    dice: tuple[int, ...]

    def line(self) -> Text:
        return text("{power} throws {dice} for the crossing.", power=self.power, dice=self.dice)


class UnitTurnedBack(Event):
    power: str
    unit: str
    origin: str
    to: str

    def apply(self, s: State) -> None:
        if self.unit == "fort" and not s.turn.moves and not s.options.build.home_fort_may_move:
            add(s.forts_back, self.power, 1)
        mark_moved(s, self.unit, self.origin, again=s.options.move.failed_unit_again)

    def line(self) -> Text:
        return text("{unit} of {power} is turned back on the way to {to} and stays in {origin}.", unit=capital_unit(self.unit),
                    power=self.power, to=self.to, origin=self.origin)


def capital_unit(kind: str) -> Text:
    return text({"army": "An army", "navy": "A navy", "fort": "A fort"}[kind])


class UnitSunk(Event):
    power: str
    unit: str
    origin: str
    to: str

    def apply(self, s: State) -> None:
        add(s.units[self.power][self.unit], self.origin, -1)
        leave_home(s, self.power, self.unit)
        s.turn.moves = max(0, s.turn.moves - 1)

    def line(self) -> Text:
        return text("{unit} of {power} is lost on the way to {to}.", unit=capital_unit(self.unit), power=self.power, to=self.to)


class MovesDone(Event):
    def apply(self, s: State) -> None:
        s.turn.moves, s.turn.extra = 0, 0
        if s.options.move.same_unit_next_action:
            s.turn.moved = {}


# --- tiles (chapters 11 to 13) ---------------------------------------------------------------------

class TileTaken(Event):
    power: str
    tile: str
    as_action: bool = True

    def apply(self, s: State) -> None:
        add(s.stock, self.tile, -1)
        add(s.tiles[self.power], self.tile, 1)
        if self.as_action:
            spend_special(s, "tile")

    def line(self) -> Text:
        return text("{power} takes {tile}.", power=self.power, tile=self.tile)


class TileUsed(Event):
    """A once-a-war tile rests until the war ends [SOE-11.2.1]."""

    power: str
    tile: str

    def apply(self, s: State) -> None:
        add(s.used[self.power], self.tile, 1)

    def line(self) -> Text:
        return text("{power} uses {tile}.", power=self.power, tile=self.tile)


class TileReturned(Event):
    """A tile goes back to the stock [SOE-11.2.4, 14.2.10]; `used` if its owner used it in this turn [SOE-11.2.5]."""

    power: str
    tile: str
    used: bool = True

    def apply(self, s: State) -> None:
        add(s.tiles[self.power], self.tile, -1)
        add(s.stock, self.tile, 1)
        if self.used and self.power == s.active:
            s.turn.given_back.append(self.tile)

    def line(self) -> Text:
        if self.used:
            return text("{power} uses {tile}.", power=self.power, tile=self.tile)
        return text("{tile} of {power} goes back to the stock.", power=self.power, tile=self.tile)


class TileRemoved(Event):
    """A tile with a square leaves the game [SOE-11.2.2]."""

    power: str
    tile: str

    def apply(self, s: State) -> None:
        add(s.tiles[self.power], self.tile, -1)


class BlockadeLaid(Event):
    power: str
    tile: str
    area: str

    def apply(self, s: State) -> None:
        add(s.tiles[self.power], self.tile, -1)
        s.blockades.setdefault(self.area, []).append(self.power)
        s.turn.given_back.append(self.tile)

    def line(self) -> Text:
        return text("{power} blockades {area}.", power=self.power, area=self.area)


class BlockadeLifted(Event):
    power: str
    tile: str
    area: str

    def apply(self, s: State) -> None:
        s.blockades[self.area].remove(self.power)
        if not s.blockades[self.area]:
            del s.blockades[self.area]
        add(s.stock, self.tile, 1)

    def line(self) -> Text:
        return text("The blockade of {power} in {area} is lifted.", power=self.power, area=self.area)


# --- attacks (chapter 9) and raids (chapter 14) ------------------------------------------------------

class AttackDeclared(Event):
    attacker: str
    defender: str
    area: str
    sea: str = ""
    strength: int = 0
    naval_only: bool = False
    surprise: bool = False
    war_office: bool = False

    def apply(self, s: State) -> None:
        s.battles += 1
        s.battle = Battle(area=self.area, attacker=self.attacker, defender=self.defender, mover=self.attacker, sea=self.sea,
                          strength=self.strength, naval_only=self.naval_only, surprise=self.surprise)

    def line(self) -> Text:
        return text("{attacker} attacks {defender} in {area}.", attacker=self.attacker, defender=the(self.defender),
                    area=self.area)


class RaidBegun(Event):
    """Pirates or a Slave Revolt fight for a control marker [SOE-14.2.2, 14.2.4, 14.3.2]."""

    sender: str
    token: str
    target: str
    area: str
    strength: int

    def apply(self, s: State) -> None:
        s.battles += 1
        s.battle = Battle(area=self.area, attacker=self.token, defender=self.target, mover=self.sender, raid=True,
                          sea=self.area, strength=self.strength, stage="sea" if self.token == PIRATES else "land")

    def line(self) -> Text:
        return text("{sender} plays {token} against {target} in {area}.", sender=self.sender, token=the(self.token),
                    target=self.target, area=self.area)


class HelpSent(Event):
    ally: str
    principal: str
    armies: int
    navies: int

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        if self.ally not in s.npps:         # they are not asked
            s.battle.heard.append(self.ally)
        if self.armies or self.navies:
            s.battle.sent[self.ally] = Sent(principal=self.principal, army=self.armies, navy=self.navies)

    def line(self) -> Text:
        sent = tuple(units(n, kind) for n, kind in ((self.armies, "army"), (self.navies, "navy")) if n)
        return text("{ally} sends {principal} {sent}.", ally=self.ally, principal=self.principal, sent=sent)


class SeaDeclined(Event):
    side: str

    def line(self) -> Text:
        return text("{side} declines to fight at sea.", side=self.side)


class SupportGained(Event):
    side: str

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        s.battle.support = self.side

    def line(self) -> Text:
        return text("{side} has naval support.", side=self.side)


class SupportDoubled(Event):
    side: str

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        s.battle.blockading = True

    def line(self) -> Text:
        return text("The naval support of {side} counts 2.", side=self.side)


class AllianceUsedAtSea(Event):
    side: str
    tile: str

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        s.battle.at_sea.setdefault(self.side, []).append(self.tile)

    def line(self) -> Text:
        return text("The {tile} helps {side} at sea.", tile=self.tile, side=self.side)


class StageBegun(Event):
    stage: str

    def apply(self, s: State) -> None:
        battle = s.battle
        assert battle is not None, "no battle is fought"
        battle.stage, battle.dice, battle.decided, battle.winner = self.stage, {}, False, ""


class Thrown(Event):
    """Both sides threw; the parts of each strength are kept for the record [SOE-9.6, 9.7.1]."""

    stage: str
    attacker: str
    defender: str
    dice: tuple[int, int, int, int]
    parts: tuple[tuple[int, int, int, int, int], tuple[int, int, int, int, int]]
    # units, training, alliances, naval support, dice; of the attacker and of the defender

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        one, two, three, four = self.dice
        s.battle.dice = {self.attacker: (one, two), self.defender: (three, four)}

    def line(self) -> Text:
        where = text("At sea") if self.stage == "sea" else text("On land")
        return text("{where}: {mine}; {theirs}.", where=where, mine=throw(self.attacker, self.dice[:2], self.parts[0]),
                    theirs=throw(self.defender, self.dice[2:], self.parts[1]))


PARTS = ("units", "training", "alliance", "naval support", "dice")


def throw(side: str, dice: tuple[int, ...], parts: tuple[int, ...]) -> Text:
    """"France throws 2 and 5, 1 (units) + 3 (dice) = 4"."""
    return text("the dice of {side} show {a} and {b}, {sum}" if side in TOKENS else "{side} throws {a} and {b}, {sum}",
                side=the(side), a=dice[0], b=dice[1], sum=total(parts))


def total(parts: tuple[int, ...]) -> Text:
    """"2 (units) + 1 (training) + 3 (dice) = 6"."""
    shown = [text("{n} ({part})", n=n, part=text(part)) for n, part in zip(parts, PARTS) if n]
    if len(shown) < 2:
        return text("{part}", part=shown[0]) if shown else text("0")
    template = " + ".join(f"{{p{number}}}" for number in range(len(shown)))
    return text(template + " = {sum}", sum=sum(parts), **{f"p{number}": part for number, part in enumerate(shown)})


class ReservesUsed(Event):
    side: str
    tile: str

    def apply(self, s: State) -> None:
        add(s.used[self.side], self.tile, 1)

    def line(self) -> Text:
        return text("{side} uses {tile}: all dice are thrown again.", side=self.side, tile=self.tile)


class FightDecided(Event):
    stage: str
    winner: str             # "" in a tie

    def apply(self, s: State) -> None:
        battle = s.battle
        assert battle is not None, "no battle is fought"
        battle.decided, battle.winner = True, self.winner

    def line(self) -> Text:
        where = text("At sea") if self.stage == "sea" else text("On land")
        if not self.winner:
            return text("{where}: a tie.", where=where)
        if self.winner in TOKENS:
            return text("{where}: victory for {winner}.", where=where, winner=the(self.winner))
        return text("{where}: {winner} wins.", where=where, winner=self.winner)


class MarkerTaken(Event):
    """A control marker of the loser is replaced by one of the winner [SOE-9.9.1]."""

    winner: str
    loser: str
    area: str

    def apply(self, s: State) -> None:
        add(s.markers[self.loser], self.area, -1)
        add(s.markers[self.winner], self.area, 1)

    def line(self) -> Text:
        return text("{winner} takes a control marker of {loser} in {area}.", winner=self.winner, loser=self.loser, area=self.area)


class NeutralBeaten(Event):
    winner: str
    area: str
    marker: str
    face: str

    def apply(self, s: State) -> None:
        s.neutrals[self.area].remove(self.marker)
        s.discard(self.marker)
        add(s.markers[self.winner], self.area, 1)

    def line(self) -> Text:
        return text("{winner} beats {face} and has a control marker more in {area}.", winner=self.winner, face=self.face,
                    area=self.area)


class Captured(Event):
    """The named control marker becomes a captive [SOE-14.2.11]."""

    token: str
    power: str
    area: str
    sender: str

    def apply(self, s: State) -> None:
        add(s.markers[self.power], self.area, -1)
        s.captives[self.token] = Captive(area=self.area, power=self.power)
        if s.options.covert.mode == "tiles":
            add(s.tiles[self.sender], self.token, -1)

    def line(self) -> Text:
        return text("A control marker of {power} in {area} is a captive of {token}.", power=self.power, area=self.area,
                    token=the(self.token))


class CaptiveFreed(Event):
    """The winner's control marker takes the captive's place; the token can be used again [SOE-14.4.6 to 14.4.8]."""

    token: str
    winner: str
    owner: str
    area: str

    def apply(self, s: State) -> None:
        del s.captives[self.token]
        add(s.markers[self.winner], self.area, 1)
        if s.options.covert.mode == "tiles":
            add(s.stock, self.token, 1)

    def line(self) -> Text:
        if self.winner == self.owner:
            return text("{winner} frees its control marker in {area} from {token}.", winner=self.winner, area=self.area,
                        token=the(self.token))
        return text("{winner} beats {token} in {area}: its control marker takes the place of the captive of {owner}.",
                    winner=self.winner, token=the(self.token), area=self.area, owner=self.owner)


class LossDue(Event):
    side: str
    own_first: bool
    fort_too: bool = Field(False, exclude_if=unused)

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        s.battle.due = Due(side=self.side, own_first=self.own_first, fort_too=self.fort_too)


class UnitLost(Event):
    owner: str
    unit: str
    area: str

    def apply(self, s: State) -> None:
        add(s.units[self.owner][self.unit], self.area, -1)
        leave_battle(s, self.owner, self.unit)

    def line(self) -> Text:
        return text("{owner} loses {unit} in {area}.", owner=self.owner, unit=a_unit(self.unit), area=self.area)


def leave_battle(s: State, owner: str, unit: str) -> None:
    """A committed unit that is gone no longer counts."""
    battle = s.battle
    assert battle is not None, "no battle is fought"
    battle.due = None
    sent = battle.sent.get(owner)
    if sent is not None and unit != "fort":
        setattr(sent, unit, getattr(sent, unit) - 1)


class UnitWithdrawn(Event):
    """A unit that would have been lost goes home, or stays if it is a fort [SOE-12.18.5]."""

    owner: str
    unit: str
    area: str
    goes_home: bool

    def apply(self, s: State) -> None:
        if self.goes_home:
            add(s.units[self.owner][self.unit], self.area, -1)
            add(s.units[self.owner][self.unit], self.owner, 1)
        leave_battle(s, self.owner, self.unit)

    def line(self) -> Text:
        if self.goes_home:
            return text("{unit} of {owner} withdraws from {area} to its home.", unit=capital_unit(self.unit), owner=self.owner,
                        area=self.area)
        return text("{unit} of {owner} in {area} is not lost.", unit=capital_unit(self.unit), owner=self.owner, area=self.area)


class NothingToLose(Event):
    side: str

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        s.battle.due = None


class Withdrawn(Event):
    """Fighting Withdrawal covers the rest of the attack [SOE-12.18.1, 12.18.2]."""

    side: str

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        s.battle.withdrawn = True


class AttackEnded(Event):
    area: str

    def apply(self, s: State) -> None:
        s.battle = None


# --- end of a war (chapters 17, 18) ------------------------------------------------------------------

class IncomeTaken(Event):
    power: str
    population: int
    markers: int

    def apply(self, s: State) -> None:
        s.gold[self.power] += self.population + self.markers

    def line(self) -> Text:
        return text("{power} takes {gold} of income.", power=self.power, gold=gold(self.population + self.markers))


class PopulationGrown(Event):
    power: str
    population: int         # afterwards

    def apply(self, s: State) -> None:
        s.population[self.power] = self.population


class AreaScored(Event):
    area: str
    points: dict[str, int]
    npp_points: dict[str, int] = Field({}, exclude_if=unused)       # of non-player powers, for information (SOE-19.3.4)

    def apply(self, s: State) -> None:
        for power, points in self.points.items():
            s.points[power] += points
        for power, points in self.npp_points.items():
            add(s.npp_points, power, points)

    def line(self) -> Text | None:
        gains, theirs = (tuple(text("{power} {points}", power=power, points=number) for power, number in points.items())
                         for points in (self.points, self.npp_points))
        if not theirs:
            return text("{area}: {gains}.", area=self.area, gains=gains) if gains else None
        if not gains:
            return text("{area}: only non-player powers, {theirs}.", area=self.area, theirs=theirs)
        return text("{area}: {gains}; of the non-player powers, {theirs}.", area=self.area, gains=gains, theirs=theirs)


class WarEnded(Event):
    war: int
    last: str               # last player of the turn order, who opens the next war's first auction
    opener: int
    over: bool

    def apply(self, s: State) -> None:
        s.used = {power: {} for power in s.used}
        for tiles in s.tiles.values():
            for tile in s.parts.alliances:
                if held := tiles.pop(tile.id, 0):
                    add(s.stock, tile.id, held)
        for owners in s.blockades.values():
            add(s.stock, s.parts.by_effect["blockade"], len(owners))
        s.blockades, s.local_alliances = {}, {}
        s.opener, s.place, s.round = self.opener, 0, 0
        if self.over:
            s.phase = "reckoning"
            return
        s.row_a, s.row_b, s.order = [], [], []
        s.war, s.phase = self.war + 1, "neutrals"

    def line(self) -> Text:
        return text("War {war} is over.", war=self.war)


class UnrestRevealed(Event):
    """The end: all unrest is revealed [SOE-18.1.1]."""

    unrest: dict[str, int]

    def line(self) -> Text:
        return text("Unrest is revealed: {unrest}.", unrest=tuple(
            text("{power} {n}", power=power, n=n) for power, n in self.unrest.items()))


class Collapsed(Event):
    power: str

    def apply(self, s: State) -> None:
        s.points[self.power] = 0
        s.collapsed.append(self.power)

    def line(self) -> Text:
        return text("{power} collapses and falls to 0 victory points.", power=self.power)


class Penalised(Event):
    power: str
    points: int

    def apply(self, s: State) -> None:
        s.points[self.power] -= self.points
        s.penalties[self.power] = self.points

    def line(self) -> Text:
        return count(self.points, "{power} loses {n} victory point for unrest.", "{power} loses {n} victory points for unrest.",
                     power=self.power)


class GameEnded(Event):
    ranking: tuple[str, ...]
    winners: tuple[str, ...]

    def apply(self, s: State) -> None:
        s.ranking, s.winners, s.phase = list(self.ranking), list(self.winners), "over"

    def line(self) -> Text:
        if not self.winners:
            return text("Every power has collapsed: nobody wins.")
        if len(self.winners) == 1:
            return text("{winner} wins the game.", winner=self.winners[0])
        return text("{winners} share the victory.", winners=self.winners)


OTHER_CHAPTERS = (far_lands_events, minor_events, npp_events, redraw_events, unrest_bag)          # with files of their own
ALL: tuple[type[Event], ...] = tuple(dict.fromkeys(
    kind for names in (globals(), *map(vars, OTHER_CHAPTERS)) for kind in list(names.values())
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event))
