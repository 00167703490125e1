"""What a position of Imperial Struggle is worth to a side, in victory points, by what that side may know.

A position is worth what the scorings and the war to come will probably bring: of each award, good and theater the chance to win
it, by the lead that there is now and the rounds that are left. Beside the board stands the purse: debt is a budget until the
limit rises, and treaty points, cards and squadrons are worth what they will do.
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from math import exp
from typing import NamedTuple, TypeAlias

from engine.components import once
from engine.games.imperial_struggle.components import REGIONS, SIDES, Side, foe
from engine.games.imperial_struggle.components.parts import Parts
from engine.games.imperial_struggle.components.wars import Theater, War
from engine.games.imperial_struggle.rules.arming import NAVY_BOX
from engine.games.imperial_struggle.rules.ministry_effects import award_change
from engine.games.imperial_struggle.rules.scoring import MOST_TRP
from engine.games.imperial_struggle.rules.theaters import special
from engine.games.imperial_struggle.rules.track import ROUNDS
from engine.games.imperial_struggle.rules.victory import PRESTIGE_VP
from engine.games.imperial_struggle.state import State

# all in victory points
POINT = 0.4                 # an action point, whatever it buys
TREATY = 0.45               # a treaty point
DEBT = 0.7                  # a point of debt
SCARCE = 1.3                # one that a later round needs
PER_TURN = 2                # points of debt that a later turn needs
LAST_DEBT = (1.6, 1.3)      # the last one before the limit, and the one before
EARLY = 3                   # peace turns to come from which more debt is kept back
CARD = 0.6                  # an event in hand
CONQUEST = 1.3              # a conquest point
FLAG_TAKEN = 0.9            # a flag that the spoils take off
DOMINANCE = 2.0             # Atlantic Dominance
INDEPENDENCE = 3.0          # to France, what United States flags take and score in the end
ADVANTAGE = 1.2             # an advantage, for each turn to come at most twice
STANDING = 0.1              # any flag: it connects, protects, and counts in other turns
TERRITORY = 2.5             # a territory
SQUADRON = 0.7              # a squadron in the Navy Box
FINAL = (1.0, 0.4, 0.2)     # of the final scoring, by the turns before the last one
BASIC, BONUS = 0.5, 1.8     # the strength of a tile that nobody has seen
ICON = 0.4                  # the strength for which an icon stands
WAR_LATER = 0.85            # of a war, for each turn before it
SWING = 2.2                 # by how much the strength in a theater may still change


class Weights(NamedTuple):
    """What players of different strength hold worth differently."""

    war: float = 1.0            # of what the spoils of the next war say
    later: float = 0.55         # of a scoring in the next turn, and again of the one after
    debt: float = 1.0           # of what debt costs
    reserve: int = 3            # of debt, kept back until turn 3


SOLID = Weights()
STRONG = Weights(war=0.65, later=0.45, debt=1.5, reserve=4)


class Counted(NamedTuple):
    """In which counts a flag on a space is one more, by their places in `Judgement.leads`; what it is worth beside these."""

    board: tuple[int, ...]              # awards, goods, prestige
    war: tuple[int, ...]                # theaters of the next war to which a flag that works lends strength
    marked: tuple[int, ...]             # theaters in which a marker on it lends strength to the other side
    worth: float


GOODS = len(REGIONS)
Change: TypeAlias = tuple[str, str, bool]       # a space, the flag that will be there, whether a conflict marker will


class Judgement:
    """What one side thinks of a position, and of others that differ from it on the board."""

    def __init__(self, s: State, side: Side, weights: Weights = STRONG) -> None:
        self.s, self.side, self.other, self.weights = s, side, foe(side), weights
        self.own = s.own[side]
        self.turns_left = sum(step.kind == "peace" for step in s.parts.turn_track[s.step + 1:])
        self.rounds_left = ROUNDS - s.ar if s.phase == "round" else 0 if s.phase == "scoring" else ROUNDS
        self.this_turn = s.phase in ("peace", "round", "scoring")
        war = s.next_war if s.phase != "war" else None
        self.war, self.counted = war, counted(s.parts)[war.id if war is not None else ""]
        self.prestige = GOODS + len(s.parts.global_demand)
        self.places = self.prestige + 1 + (len(war.theaters) if war is not None else 0)
        self._terms: dict[tuple[int, int], float] = {}

    @cached_property
    def now(self) -> float:
        return self.value(self.s)

    def leads(self, s: State) -> tuple[Sequence[int], float]:
        """By how much this side leads in each count, and what its flags are worth beside these, less those of the other."""
        here = self.s
        if s is not here and s.flags is here.flags and s.conflict is here.conflict and s.damaged is here.damaged:
            return self._leads_now
        leads, worth = [0] * self.places, 0.0
        for space, holder in s.flags.items():
            worth += self._count(leads, space, holder, space in s.conflict, space in s.damaged)
        return leads, worth

    def _count(self, leads: list[int] | dict[int, int], space: str, holder: str, marked: bool, damaged: bool, times: int = 1
               ) -> float:
        """Count a flag, with a conflict marker or not; return what it is worth beside that."""
        sign = times if holder == self.side else -times if holder == self.other else 0
        if not sign:
            return 0.0
        board, war, conflict, worth = self.counted[space]
        if marked:
            for place in conflict:
                leads[place] -= sign
            return sign * worth
        for place in board:
            leads[place] += sign
        if not damaged:
            for place in war:
                leads[place] += sign
        return sign * worth

    def value(self, s: State) -> float:
        """Return what the scorings and the war to come will probably bring to this side, less what they bring to the other."""
        held = [*s.holders.values()]
        leads, total = self.leads(s)
        return (total + self._advantages * (held.count(self.side) - held.count(self.other))
                + sum(map(self._term, range(self.prestige + 1), leads))
                + sum(map(self._war, range(len(leads)), leads[self.prestige + 1:], self._armies_of(s))))

    def gained(self, *changes: Change) -> float:
        """By how much the position is better once these spaces have changed, as `value` would say of it."""
        s, flags, leads, total = self.s, {space: flag for space, flag, _ in changes}, defaultdict[int, int](int), 0.0
        for space, flag, marker in changes:
            before = s.flags.get(space, "")
            total += self._count(leads, space, before, space in s.conflict, space in s.damaged, -1)
            total += self._count(leads, space, flag, marker, damaged=False)
            for advantage in s.parts.space[space].advantages if before != flag else ():
                now = {flags.get(linked, s.flags.get(linked, "")) for linked in s.parts.advantage[advantage].connected_spaces}
                for side, sign in ((self.side, self._advantages), (self.other, -self._advantages)):
                    total += sign * ((now == {side}) - (s.holders.get(advantage) == side))
        standing = self._leads_now[0]
        for place, by in leads.items():
            lead = standing[place]
            if not by:
                continue
            if place <= self.prestige:
                total += self._term(place, lead + by) - self._term(place, lead)
            else:
                number = place - self.prestige - 1
                army = self._armies[number]
                total += self._war(number, lead + by, army) - self._war(number, lead, army)
        return total

    def bonus_tile(self, theater: int) -> float:
        """By how much the position is better with one more bonus tile there, whatever it shows."""
        lead, army = self._leads_now[0][self.prestige + theater], self._armies[theater - 1]
        return self._war(theater - 1, lead, army + BONUS) - self._war(theater - 1, lead, army)

    @cached_property
    def _advantages(self) -> float:
        return ADVANTAGE * min(2, self.turns_left + 1)

    @cached_property
    def _leads_now(self) -> tuple[Sequence[int], float]:
        return self.leads(self.s)

    @cached_property
    def _armies(self) -> list[float]:
        return self._armies_of(self.s)

    def _armies_of(self, s: State) -> list[float]:
        """By how much the tiles and ministries of this side are stronger in each theater of the next war."""
        theaters = self.war.theaters if self.war is not None else ()
        return [self.army(s, theater, self.side) - self.army(s, theater, self.other) for theater in theaters]

    def _war(self, number: int, lead: int, army: float) -> float:
        """Return what a theater of the next war will probably bring with this lead on the board, and with this army."""
        assert self.war is not None, "there is a war to come"
        weight, swing = self._weight
        return weight * prospect(self.s.parts)(self.war.theaters[number].id, self.side, round(2 * (lead + army)) / 2, swing)

    def _term(self, place: int, lead: int) -> float:
        """Return what an award, a good or prestige will probably bring with this lead."""
        found = self._terms.get((place, lead))
        if found is None:
            found = self._terms[place, lead] = self._scored(place, lead)
        return found

    def _scored(self, place: int, lead: int) -> float:
        s, spread, final = self.s, 0.6 + 0.25 * self.rounds_left, self._final
        if place == self.prestige:
            return PRESTIGE_VP * ((won(lead, 1, spread) if self.this_turn else 0) + self._later * won(lead, 1, 2.5)
                                  + final * won(lead, 1, spread if final == 1 else 2.5))
        if place < GOODS:
            region, total = REGIONS[place], 1.5 * self._later * won(lead, 1, 3.0)
            if self.this_turn and region in s.awards:
                tile = s.parts.award[s.awards[region]]
                for side, sign in ((self.side, 1), (foe(self.side), -1)):
                    vp, trp = award_change(s, region, side)
                    total += sign * (max(0, tile.vp + vp) + TREATY * (tile.trp + trp)) * chance(
                        sign * lead - tile.margin_needed, spread)
            return total
        good = s.parts.global_demand[place - GOODS]
        reward = good.rewards[s.era]
        prize = reward.vp + TREATY * reward.trp - DEBT * reward.debt
        total = prize * self._later / 2 * won(lead, 1, 2.5) + final * won(lead, 1, spread if final == 1 else 2.5)
        return total + (prize * won(lead, 1, spread) if self.this_turn and good.commodity in s.demand else 0)

    @cached_property
    def _later(self) -> float:
        """How much the scorings of the turns after this one count together."""
        return sum(self.weights.later ** number for number in range(1, min(3, self.turns_left) + 1))

    @property
    def _final(self) -> float:
        return FINAL[self.turns_left] if self.turns_left < len(FINAL) else 0.0

    @cached_property
    def _weight(self) -> tuple[float, float]:
        """How much the next war counts, and by how much the strength in a theater may still change."""
        assert self.war is not None, "there is a war to come"
        before = peace_before(self.s, self.war)
        swing = SWING * (1 + 0.5 * before) * (0.5 + 0.5 * self.rounds_left / ROUNDS)
        return self.weights.war * WAR_LATER ** before, round(4 * swing) / 4

    def army(self, s: State, theater: Theater, side: Side) -> float:
        """Return what tiles and ministries lend a side in a theater, tiles by what they are worth to whoever sees them or not."""
        total = float(sum(line.amount for line in special(s, theater, side)))
        for listed in theater.bonus_strength:
            if listed.kind == "keyword":
                total += s.shows(side, listed.keyword)
        tiles = s.own[side].tiles
        for tile in tiles[theater.number - 1] if len(tiles) >= theater.number else ():
            known = s.parts.war_tile.get(tile)
            if known is None:
                total += BONUS
            elif side == self.side:
                total += known.strength + (ICON if known.icon else 0)
            else:
                total += BASIC if known.basic else BONUS
        return total

    def ahead(self, s: State) -> Mapping[str, float]:
        """By how much this side is stronger in each theater of the next war."""
        if self.war is None:
            return {}
        return {theater.id: lead + army for theater, lead, army in zip(
            self.war.theaters, self.leads(s)[0][self.prestige + 1:], self._armies_of(s))}

    # -- the purse

    @property
    def spendable(self) -> int:
        """Return how much debt may be taken for purchases: the rest is kept for what war tiles, events and demand may force."""
        kept = self.weights.reserve if self.turns_left >= EARLY else 1 if self.turns_left else 0
        return max(0, self.own.available - kept)

    def debt(self, points: int) -> float:
        """Return what it costs to take so much debt now."""
        return self.weights.debt * (_credit(self.s, self.own.available) - _credit(self.s, self.own.available - points))

    def debt_off(self, points: int) -> float:
        return -self.debt(-min(points, self.own.debt))

    def purse(self) -> float:
        """Return what this side has beside the board, less what the other has."""
        s, left = self.s, self.turns_left or self.rounds_left
        total = 0.0
        for side, sign in ((self.side, 1), (foe(self.side), -1)):
            own = s.own[side]
            total += sign * self.weights.debt * _credit(s, own.available)
            if left:
                total += sign * (TREATY * min(own.trp, MOST_TRP) + CARD * len(own.hand) + SQUADRON * own.navy_box)
        return total


def _credit(s: State, available: int) -> float:
    """Return what so much available debt is worth: the last of it keeps off what is forced, some of it later rounds need."""
    kept = LAST_DEBT[:available]
    scarce = max(0, min(available - len(LAST_DEBT), PER_TURN * to_the_rise(s) + (ROUNDS - s.ar) // 4))
    return sum(kept) + SCARCE * scarce + DEBT * max(0, available - len(LAST_DEBT) - scarce)


def to_the_rise(s: State) -> int:
    """How many peace turns come after this one before the debt limit rises, or the game ends."""
    rises = {raise_.on for raise_ in s.parts.debt_limit_raise}
    number = 0
    for step in s.parts.turn_track[s.step + 1:]:
        if step.id in rises:
            break
        number += step.kind == "peace"
    return number


def peace_before(s: State, war: War) -> int:
    """How many peace turns come after this one before a war."""
    at = next(number for number, step in enumerate(s.parts.turn_track) if step.id == war.id)
    return sum(step.kind == "peace" for step in s.parts.turn_track[s.step + 1:at])


@once
def counted(parts: Parts) -> dict[str, dict[str, Counted]]:
    """Each space by the counts to which a flag on it adds, for each war to come; "" when there is none."""
    goods = {market: number for number, good in enumerate(parts.global_demand, GOODS) for market in good.markets}
    prestige = GOODS + len(parts.global_demand)
    found: dict[str, dict[str, Counted]] = {}
    for war in (None, *parts.wars):
        here = found[war.id if war is not None else ""] = {}
        for space in parts.spaces:
            board = [REGIONS.index(space.region)]
            board += [goods[space.id]] if space.id in goods else []
            board += [prestige] if space.id in parts.prestige else []
            lent, marked = list[int](), list[int]()
            for place, theater in enumerate(war.theaters if war is not None else (), prestige + 1):
                for listed in theater.bonus_strength:
                    match listed.kind:
                        case "country" if space.alliance and space.country == listed.country:
                            lent.append(place)
                        case "space" if space.id == listed.space:
                            lent.append(place)
                        case "squadrons" if space.type == "naval" and space.region in listed.regions:
                            lent.append(place)
                        case "forts" if space.type == "fort" and space.region in listed.regions:
                            lent.append(place)
                        case "conflict_markers" if space.region in listed.regions:
                            marked.append(place)
            here[space.id] = Counted(tuple(board), tuple(lent), tuple(marked),
                                     TERRITORY if space.type == "territory" else STANDING)
    return found


# --- the board as it would be -----------------------------------------------------------------------------------

def flagged(s: State, space: str, flag: str) -> State:
    """The board with this flag on a space, or with none, and the advantages as they would move."""
    flags = dict(s.flags)
    if flag:
        flags[space] = flag
    else:
        flags.pop(space, None)
    holders = s.holders
    for advantage in s.parts.space[space].advantages:
        found = {flags.get(linked, "") for linked in s.parts.advantage[advantage].connected_spaces}
        holder = next((side for side in SIDES if found == {side}), None)
        holders = {other: who for other, who in holders.items() if other != advantage}
        if holder is not None:
            holders[advantage] = holder
    conflict = {other: more for other, more in s.conflict.items() if other != space} if space in s.conflict else s.conflict
    return s.model_copy(update={"flags": flags, "holders": holders, "conflict": conflict})


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


# --- chances ------------------------------------------------------------------------------------------------------

@lru_cache(maxsize=4096)
def chance(ahead: int, spread: float) -> float:
    """The chance to win what is ahead of the margin that it needs by so much."""
    return _logistic((ahead + 0.5) / spread)


def won(lead: int, margin: int, spread: float) -> float:
    """The chance to win with this lead, less that of the other side."""
    return chance(lead - margin, spread) - chance(-lead - margin, spread)


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, 1.7 * x))))


MARGINS = tuple(number / 2 for number in range(-10, 11))


@once
def prospect(parts: Parts) -> Callable[[str, Side, float, float], float]:
    """Return what a theater of these components will probably bring to a side with this lead, by how far it may still change."""
    theaters = {theater.id: theater for war in parts.wars for theater in war.theaters}
    weights = [exp(-(off / 2) ** 2) for off in MARGINS]

    @lru_cache(maxsize=8192)
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
    unflagged = gain.unflag.count if gain.unflag is not None else 0
    prize = (gain.vp + CONQUEST * gain.cp + FLAG_TAKEN * unflagged + DOMINANCE * gain.atlantic_dominance
             + INDEPENDENCE * gain.usa + 0.5 * gain.loser_squadrons_to_unbuilt - TREATY * row.loser.trp + 0.3 * margin)
    return prize if winner == side else -prize
