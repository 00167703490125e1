"""What happens in attacks and raids until the dice decide them (chapters 9, 14)."""
from __future__ import annotations

from engine.counters import add
from engine.games.struggle_of_empires.components import NEUTRAL, PIRATES
from engine.games.struggle_of_empires.events.words import units
from engine.games.struggle_of_empires.state import TOKENS, Battle, Sent, State
from engine.games.struggle_of_empires.words.names import the
from engine.kernel import Event
from engine.text import Text, text


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
        s.turn.attacked = True
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
        s.turn.attacked = True
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


class CallClosed(Event):
    """A principal has called for help and heard all answers; it calls no more in this attack [SOE-9.4.16]."""

    side: str

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        s.battle.closed.append(self.side)


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
        battle.stage, battle.dice, battle.decided, battle.winner, battle.spared = self.stage, {}, False, "", {}


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
WITHOUT_UNITS = ("strength", *PARTS[1:])            # of tokens and neutral markers


def throw(side: str, dice: tuple[int, ...], parts: tuple[int, ...]) -> Text:
    """"France throws 2 and 5, 1 (units) + 3 (dice) = 4"."""
    return text("the dice of {side} show {a} and {b}, {sum}" if side in TOKENS else "{side} throws {a} and {b}, {sum}",
                side=the(side), a=dice[0], b=dice[1],
                sum=total(parts, WITHOUT_UNITS if side in TOKENS or side.startswith(NEUTRAL) else PARTS))


def total(parts: tuple[int, ...], named: tuple[str, ...] = PARTS) -> Text:
    """"2 (units) + 1 (training) + 3 (dice) = 6"."""
    shown = [text("{n} ({part})", n=n, part=text(part)) for n, part in zip(parts, named) if n]
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
