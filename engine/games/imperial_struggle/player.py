"""An automatic player of Imperial Struggle: what every answer would leave on the board, weighed in victory points.

A position is worth what the next scorings and the next war will probably bring: of each award, good and theater the chance to
win it, by the lead that there is now and the rounds that are left. A purchase is worth what it changes, for each point that it
costs. No answer of the other side is looked at; of secrets only the own ones are read.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache, partial
from math import exp
from typing import Any

from engine.components import once
from engine.games.imperial_struggle.actions.advantages import SendHome, UseAdvantage
from engine.games.imperial_struggle.actions.buying import Buying
from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.choices import NONE, Choose
from engine.games.imperial_struggle.actions.military import BuildSquadron, BuyTile, ClearConflict, Deploy, Exchange, Fortify
from engine.games.imperial_struggle.actions.ministries import RaiseUprising, Reveal, UseAbility
from engine.games.imperial_struggle.actions.rounds import EndRound, Pass, PayFirst, TakeTile
from engine.games.imperial_struggle.actions.shifts import DrawEvent, ShiftMarket, ShiftPolitical
from engine.games.imperial_struggle.actions.tiles import TakeTreatyPoint, Upgrade
from engine.games.imperial_struggle.actions.turns import Discard
from engine.games.imperial_struggle.actions.wars import CallLosses, Cede, Conquer, Forgo, Refuse, TakeOff, refusal_price
from engine.games.imperial_struggle.components import REGIONS, SIDES, Points, Side, foe
from engine.games.imperial_struggle.components.parts import Parts
from engine.games.imperial_struggle.components.wars import Theater
from engine.games.imperial_struggle.knowledge import SECRET, imagined, known
from engine.games.imperial_struggle.rules.arming import NAVY_BOX
from engine.games.imperial_struggle.rules.control import flag_count, goods_count, prestige_count
from engine.games.imperial_struggle.rules.ministries import uprising_vp
from engine.games.imperial_struggle.rules.shifting import connected, price_of_market, price_of_political
from engine.games.imperial_struggle.rules.theaters import bonus_strength
from engine.games.imperial_struggle.rules.track import ROUNDS
from engine.games.imperial_struggle.rules.victory import PRESTIGE_VP
from engine.games.imperial_struggle.state import State
from engine.kernel import Action, Players, Position, Rng, Search, Seat

# all in victory points
TREATY = 0.45               # a treaty point
DEBT, LAST_DEBT = 0.3, 0.9  # a point of debt, and one of the last two
CARD = 0.6                  # an event in hand
CONQUEST = 1.3              # a conquest point
FLAG_TAKEN = 0.9            # a flag that the spoils take off
DOMINANCE = 2.0             # Atlantic Dominance
ADVANTAGE = 0.5             # an advantage, for each turn to come at most twice
STANDING = 0.1              # any flag: it connects, protects, and counts in other turns
TERRITORY = 2.5             # a territory
SQUADRON = 0.7              # a squadron in the Navy Box
EVENT, WITH_BONUS = 1.3, 2.2        # to play an event
FIRST = 100.0               # more than any purchase is worth: an event is free, and can't be played after one [IS-5.5.1]
TURN_UP = 0.5               # to turn up a ministry
ABILITY = 0.8               # to use one
LATER = 0.55                # of a scoring in the next turn, and again of the one after
BASIC, BONUS = 0.5, 1.8     # the strength of a tile that nobody has seen
UPGRADE = 0.6
WAR_LATER = 0.85            # of a war, for each turn before it
SWING = 2.2                 # by how much the strength in a theater may still change
ENOUGH = 0.12               # of a victory point for an action point: what is less is not bought with debt
NOISE = 0.01
KINDS: tuple[Points, ...] = ("EP", "DP", "MP")


def solid(position: Position[State], rng: Rng) -> Action:
    options = position.options
    if len(options) == 1 or not position.state.own:
        return position.default
    worth = considered(position, rng)
    return max(worth, key=lambda option: worth[option]) if worth else position.default


def considered(position: Position[State], rng: Rng) -> dict[Action, float]:
    """Return what each option is worth; empty if the default will do."""
    mind = Mind(position.state, position.state.power(position.seat))
    found: dict[Action, float] = {}
    for option in position.options:
        worth = mind.worth(option)
        if worth is None:
            return {}
        found[option] = worth + NOISE * rng.random()
    return found


class Mind:
    """What one side thinks of a position."""

    def __init__(self, s: State, side: Side) -> None:
        self.s, self.side = s, side
        self.own = s.own[side]
        self.turns_left = sum(step.kind == "peace" for step in s.parts.turn_track[s.step + 1:])
        self.rounds_left = ROUNDS - s.ar if s.phase == "round" else 0 if s.phase == "scoring" else ROUNDS
        self._gains: dict[object, float] = {}
        self._bought: dict[tuple[Points, bool], list[tuple[float, int]]] = {}

    # -- what a position is worth

    @cached_property
    def now(self) -> float:
        return self.value(self.s)

    def value(self, s: State) -> float:
        """Return what the scorings and the war to come will probably bring to this side, less what they bring to the other."""
        this_turn = s.phase in ("peace", "round", "scoring")
        spread = 0.6 + 0.25 * self.rounds_left
        total = 0.0
        for region in REGIONS:
            lead = self.lead_in(s, flag_count, region)
            if this_turn and region in s.awards:
                tile = s.parts.award[s.awards[region]]
                total += (tile.vp + TREATY * tile.trp) * won(lead, tile.margin_needed, spread)
            total += 1.5 * self._later * won(lead, 1, 3.0)
        for good in s.parts.global_demand:
            lead = self.lead_in(s, goods_count, good.commodity)
            reward = good.rewards[s.era]
            prize = reward.vp + TREATY * reward.trp - DEBT * reward.debt
            if this_turn and good.commodity in s.demand:
                total += prize * won(lead, 1, spread)
            total += prize * self._later / 2 * won(lead, 1, 2.5)
        lead = self.lead_in(s, prestige_count)
        total += PRESTIGE_VP * ((won(lead, 1, spread) if this_turn else 0) + self._later * won(lead, 1, 2.5))
        flags = list(s.flags.items())
        for space, holder in flags:
            sign = 1 if holder == self.side else -1 if holder == foe(self.side) else 0
            if sign:
                total += sign * (TERRITORY if s.parts.space[space].type == "territory" else STANDING)
        held = list(s.holders.values())
        turns = min(2, self.turns_left + 1)
        total += ADVANTAGE * turns * (held.count(self.side) - held.count(foe(self.side)))
        return total + self._war(s)

    @property
    def _later(self) -> float:
        """How much the scorings of the turns after this one count together."""
        return sum(LATER ** number for number in range(1, min(3, self.turns_left) + 1))

    def lead_in(self, s: State, count: Callable[..., int], *of: str) -> int:
        return count(s, self.side, *of) - count(s, foe(self.side), *of)

    def _war(self, s: State) -> float:
        """Return what the theaters of the next war will probably bring."""
        war = s.next_war
        if war is None or s.phase == "war":
            return 0.0
        before = sum(step.kind == "peace" for step in s.parts.turn_track[s.step + 1:
                                                                        s.parts.turn_track.index(_step(s, war.id))])
        swing = SWING * (1 + 0.5 * before) * (0.5 + 0.5 * self.rounds_left / ROUNDS)
        return WAR_LATER ** before * sum(self._theater(s, theater, swing) for theater in war.theaters)

    def _theater(self, s: State, theater: Theater, swing: float) -> float:
        lead = self.strength(s, theater, self.side) - self.strength(s, theater, foe(self.side))
        return prospect(s.parts)(theater.id, self.side, round(2 * lead) / 2, round(4 * swing) / 4)

    def strength(self, s: State, theater: Theater, side: Side) -> float:
        """How strong a side is in a theater of the next war, with what its tiles are worth to whoever sees them or not."""
        total = float(sum(line.amount for line in bonus_strength(s, theater, side)))
        tiles = s.own[side].tiles
        if len(tiles) >= theater.number:
            for tile in tiles[theater.number - 1]:
                known = s.parts.war_tile.get(tile)
                if known is None:
                    total += BONUS
                elif side == self.side:
                    total += known.strength + (0.4 if known.icon else 0)
                else:
                    total += BASIC if known.basic else BONUS
        return total

    # -- what an answer is worth

    def worth(self, option: Action) -> float | None:
        """Return what an answer is worth, for purchases in points for each action point; None: the default is as good."""
        match option:
            case TakeTile():
                return self.tile(option.tile)
            case Buying():
                return self.purchase(option)
            case PlayEvent():
                return FIRST + (WITH_BONUS if option.reveal else EVENT)
            case Reveal():
                return TURN_UP
            case UseAbility():
                return ABILITY
            case UseAdvantage():
                return self.advantage(option)
            case Upgrade():
                return UPGRADE
            case TakeTreatyPoint():
                return TREATY
            case Pass():
                return 2 * self.debt_off(2) / 6
            case EndRound():
                return ENOUGH / 4
            case PayFirst():
                return -1.0
            case Discard():
                return -float(sum(self.s.parts.event[card].number > 20 for card in option.cards))
            case Conquer() | TakeOff():
                return self.gain(("take", option.space), lambda: flagged(self.s, option.space, self.side if isinstance(
                    option, Conquer) else ""))
            case CallLosses():
                return 0.01
            case Forgo():
                return 0.0
            case Cede():
                return 0.0
            case Refuse():
                return TERRITORY * 1.4 - refusal_price(self.s, self.side)
            case Choose():
                return self.chosen(option.target)
        return None

    def gain(self, key: object, after: Callable[[], State]) -> float:
        """By how much another position is better than this one; each is looked at once."""
        found = self._gains.get(key)
        if found is None:
            found = self._gains[key] = self.value(after()) - self.now
        return found

    def debt(self, points: int) -> float:
        left = self.own.available
        return sum(LAST_DEBT if left - taken <= 2 else DEBT for taken in range(points))

    def debt_off(self, points: int) -> float:
        return (LAST_DEBT if self.own.available < 2 else DEBT) * min(points, self.own.debt)

    def purchase(self, option: Buying) -> float:
        """Return what a purchase gains for each action point that it takes from the tile; what costs more than it brings is
        not made."""
        s, seat = self.s, self.s.seat(self.side)
        gained = self.bought(option)
        points = max(0.5, option.price(s, seat).total - option.debt - option.trp)
        net = gained - self.debt(option.debt) - TREATY * option.trp
        if (option.debt or option.trp) and gained < ENOUGH * 2:
            return -1.0
        return net / points if net > 0.03 else -1.0

    def bought(self, option: Buying) -> float:
        s, side = self.s, self.side
        match option:
            case ShiftMarket() | ShiftPolitical():
                advantage = 0.15 if option.advantage else 0.0
                return self.shift(option.space) - advantage
            case DrawEvent():
                return CARD * 1.4
            case BuyTile():
                return self.gain("tile", lambda: self.with_tile(s, self.best_theater()))
            case BuildSquadron():
                return SQUADRON + 0.3
            case Deploy():
                return self.gain(("deploy", option.origin, option.to), lambda: deployed(s, side, option.origin, option.to)) - (
                    SQUADRON if option.origin == NAVY_BOX else 0) + 0.2
            case Fortify():
                return self.gain(("fort", option.space), lambda: fortified(s, side, option.space)) + 0.15
            case ClearConflict():
                return self.gain(("clear", option.space), lambda: cleared(s, option.space))
            case SendHome():
                return self.gain(("home", option.space), lambda: flagged(s, option.space, ""))
            case RaiseUprising():
                return float(uprising_vp(s))
            case Exchange():
                return 0.05
        return 0.0

    def shift(self, space: str) -> float:
        """Return what it is worth to shift a space: an opposing flag is taken off, or an own one comes."""
        there = self.s.flags.get(space)
        return self.gain(("shift", space), lambda: flagged(self.s, space, "" if there else self.side))

    def advantage(self, option: UseAdvantage) -> float:
        """Return what an advantage without a price does: a conflict marker, or less debt."""
        if not option.target:
            return self.debt_off(2)
        if self.s.flags.get(option.target) == self.side:
            return -1.0
        return self.gain(("conflict", option.target), lambda: marked(self.s, option.target))

    def chosen(self, target: str) -> float | None:
        """Return what one of several ids is worth, where a rule asks for one."""
        s, side, choice = self.s, self.side, self.s.choice
        if target == NONE:
            return 0.0
        if choice is None:
            return None
        if choice.what.startswith("theater") or choice.what == "tile_to":
            number = next((theater.number for theater in self.theaters if theater.id == target), None)
            return None if number is None else self.gain(("theater", number), lambda: self.with_tile(s, number))
        if target not in s.parts.space:
            return None
        if choice.what == "squadron":
            return self.gain(("take", target), lambda: flagged(s, target, ""))
        there = s.flags.get(target)
        if choice.what == "conflict":
            return self.gain(("conflict", target), lambda: marked(s, target))
        if s.parts.space[target].type == "fort":
            return 0.3 if there == foe(side) else -0.3
        return self.gain(("shift", target), lambda: flagged(s, target, "" if there else side))

    # -- tiles

    @property
    def theaters(self) -> Iterable[Theater]:
        war = self.s.next_war
        return war.theaters if war is not None else ()

    def best_theater(self) -> int:
        """The theater where another bonus tile is worth most."""
        s = self.s
        able = [theater.number for theater in self.theaters if len(self.own.tiles) >= theater.number and len(
            s.bonus_tiles(self.side, theater.number)) < s.parts.war_limits.bonus_tiles_per_theater_per_side]
        return max(able, key=lambda number: self.gain(("theater", number), lambda: self.with_tile(s, number)), default=1)

    def with_tile(self, s: State, theater: int) -> State:
        """The position with one more bonus tile there, whatever it shows."""
        tiles = [[*there, "?"] if number == theater else there for number, there in enumerate(self.own.tiles, 1)]
        return s.model_copy(update={"own": {**s.own, self.side: self.own.model_copy(update={"tiles": tiles})}})

    def tile(self, id: str) -> float:
        """Return what an investment tile is worth: what its points can buy now, its event and its upgrade."""
        tile = self.s.parts.investment[id]
        total = self.filled(tile.major.ap, tile.major.points) + 0.75 * self.filled(tile.minor.ap, tile.minor.points, minor=True)
        if tile.event and self.own.hand:
            total += EVENT * 0.8
        return total + (UPGRADE if tile.military_upgrade else 0.0)

    def filled(self, kind: Points, points: int, *, minor: bool = False) -> float:
        left, total = points, 0.0
        for gained, price in self.known_wares(kind, minor):
            if price <= left and gained > 0:
                left, total = left - price, total + gained
        return total

    def known_wares(self, kind: Points, minor: bool) -> list[tuple[float, int]]:
        found = self._bought.get((kind, minor))
        if found is None:
            found = self._bought[kind, minor] = self._wares(kind, minor=minor)
        return found

    def _wares(self, kind: Points, *, minor: bool) -> list[tuple[float, int]]:
        """(gain, price) of what a kind of points can buy, the best first."""
        s, side, open = self.s, self.side, self.s.open_spaces
        found: list[tuple[float, int]] = []
        match kind:
            case "EP":
                reached = connected(s, side)
                found = [(self.shift(space), price_of_market(s, side, space).total) for space in s.parts.of_type["market"]
                         if space in open and s.flags.get(space) != side and space in reached
                         and (not minor or space not in s.flags or space in s.conflict)]
            case "DP":
                found = [(self.shift(space), price_of_political(s, side, space).total) for space in s.parts.of_type["political"]
                         if space in open and s.flags.get(space) != side
                         and (not minor or space not in s.flags or space in s.conflict)]
                found.append((CARD * 1.4, 3))
            case "MP":
                if self.theaters:
                    gained = self.gain("tile", lambda: self.with_tile(s, self.best_theater()))
                    found = [(gained, 2), (0.7 * gained, 2)]
                if self.own.navy_box:
                    seas = [to for to in s.parts.of_type["naval"] if to not in s.flags]
                    found += [(self.gain(("deploy", NAVY_BOX, to), partial(deployed, s, side, NAVY_BOX, to)) - SQUADRON + 0.2, 1)
                              for to in seas]
                found.append((SQUADRON + 0.3, 4))
        return sorted(found, key=lambda ware: -ware[0] / ware[1])


# --- the board as it would be -----------------------------------------------------------------------------------

def flagged(s: State, space: str, flag: str) -> State:
    """The board with this flag on a space, or with none, and the advantages as they would move."""
    flags = dict(s.flags)
    if flag:
        flags[space] = flag
    else:
        flags.pop(space, None)
    holders = dict(s.holders)
    for advantage in s.parts.space[space].advantages:
        found = {flags.get(linked, "") for linked in s.parts.advantage[advantage].connected_spaces}
        holder = next((side for side in SIDES if found == {side}), None)
        if holder is None:
            holders.pop(advantage, None)
        else:
            holders[advantage] = holder
    return s.model_copy(update={"flags": flags, "holders": holders})


def deployed(s: State, side: Side, origin: str, to: str) -> State:
    away = s if origin == NAVY_BOX else flagged(s, origin, "")
    return flagged(away, to, side)


def fortified(s: State, side: Side, space: str) -> State:
    fort = flagged(s, space, side)
    return fort.model_copy(update={"damaged": [other for other in s.damaged if other != space]})


def cleared(s: State, space: str) -> State:
    return s.model_copy(update={"conflict": {other: more for other, more in s.conflict.items() if other != space}})


def marked(s: State, space: str) -> State:
    return s.model_copy(update={"conflict": {**s.conflict, space: 0}})


def _step(s: State, id: str) -> Any:
    return next(step for step in s.parts.turn_track if step.id == id)


# --- chances ------------------------------------------------------------------------------------------------------

@lru_cache(maxsize=4096)
def won(lead: int, margin: int, spread: float) -> float:
    """The chance to win with this lead, less that of the other side."""
    return _logistic((lead - margin + 0.5) / spread) - _logistic((-lead - margin + 0.5) / spread)


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, 1.7 * x))))


MARGINS = tuple(number / 2 for number in range(-10, 11))


@once
def prospect(parts: Parts) -> Callable[[str, Side, float, float], float]:
    """Return what a theater of these components will probably bring to a side with this lead, by how far it may still change."""
    theaters = {theater.id: theater for war in parts.wars for theater in war.theaters}
    weights = [exp(-(off / 2) ** 2) for off in MARGINS]

    @lru_cache(maxsize=4096)
    def found(theater: str, side: Side, lead: float, swing: float) -> float:
        total = sum(weight * _spoils(theaters[theater], side, lead + off * swing / 2) for off, weight in zip(MARGINS, weights))
        return total / sum(weights)

    return found


def _spoils(theater: Theater, side: Side, lead: float) -> float:
    margin = int(abs(lead) + 0.5)
    if not margin:
        return 0.0
    winner = side if lead > 0 else foe(side)
    row = theater.row(winner, margin)
    gain = row.winner
    prize = (gain.vp + CONQUEST * gain.cp + (FLAG_TAKEN * gain.unflag.count if gain.unflag is not None else 0)
             + DOMINANCE * gain.atlantic_dominance + 0.5 * gain.loser_squadrons_to_unbuilt - TREATY * row.loser.trp
             + 0.3 * margin)
    return prize if winner == side else -prize


# --- looking further --------------------------------------------------------------------------------------

TRIED = 4               # answers that are played on from


def candidates(position: Position[State], rng: Rng) -> list[Action]:
    """The tiles that look best; elsewhere the best answer alone."""
    if position.question.point != "IS-18.6":
        return [solid(position, rng)]
    worth = considered(position, rng)
    return sorted(worth, key=worth.__getitem__, reverse=True)[:TRIED]


def prospects(s: State, seat: Seat) -> float:
    """The counter as a side sees it, and what its position will bring."""
    side = s.power(seat)
    if s.winner:
        return 100.0 if s.winner == side else -100.0
    mind = Mind(s, side)
    return mind.now + s.toward(side, s.vp) + sum(sign * (
        TREATY * s.own[who].trp - DEBT * s.own[who].debt + CARD * len(s.own[who].hand) + SQUADRON * s.own[who].navy_box)
        for who, sign in ((side, 1), (foe(side), -1)))


PLAYERS = Players[State](
    known=known, secret=SECRET, imagined=imagined, solid=solid,
    search=Search[State](candidates=candidates, worth=prospects, far=lambda s: (s.step, s.ar), steps=2, rows=90))
