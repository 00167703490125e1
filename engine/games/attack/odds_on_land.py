"""The odds of land battles.

Every course of the battle is followed round by round, with its chance, both sides bringing units by Mixed up to the cap
(ATK-21.3.1), until what is undecided is next to nothing. Against neutrals each card counts alike that the attacker does not hold.
"""
from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from math import ceil, comb, sqrt
from operator import add, mul, sub
from statistics import NormalDist
from typing import NamedTuple, TypeAlias

from engine.games.attack.components import BY_VALUE, UNITS, Parts
from engine.games.attack.rules.line_up_policies import BY_NUMBER, bring_mixed
from engine.games.attack.state import Force, State

UNSETTLED = 10              # where more than one course in so many is left undecided, no odds are told
WORK = 6_000                # rolls that one question follows where some courses stand for all: some 50 ms
EXACTLY = 3                 # so many times as many, which take less each, are followed to find exact odds first
FEW_DICE = 12               # all falls of so many dice are counted; of more, the normal distribution stands for them
MANY_DICE = 50              # and for the dice of one type, from so many
SMALL = 100                 # units of one side times units of the other, of battles that may be so followed
SHARE = 8                   # the part of a side that may fall in rounds that are rolled at once is one of so many
LONG = 65                   # rounds that are rolled, if so many or more are fought
COURSES = (8, 250)          # that stand for all, at least and at most
UNDECIDED = 1e-6            # what chance is left out at the end
NOTHING = 1e-10             # what a fall of the dice is not counted below
GOLDEN, SILVER = (sqrt(5) - 1) / 2, sqrt(2) - 1         # their multiples leave even gaps
NORMAL = NormalDist()
NEW_FIRST, FILLING = ([UNITS.index(unit) for unit in order] for order in (BY_VALUE, BY_NUMBER))     # places in `UNITS`

Units: TypeAlias = tuple[int, ...]              # numbers in the order of `UNITS`
Position: TypeAlias = tuple[Units, Units, Units, Units]         # own reserve and units in battle, then the enemy's


class Rules(NamedTuple):
    """What a land battle hangs on."""

    faces: Units            # of the battle die, for each type of unit
    sides: int
    dice: Units             # that a unit of each type rolls
    fewest: int             # dice in a roll
    cap: int                # in round 1
    step: int
    casualties: Units       # places in `UNITS`, in the order in which they fall


class Odds(NamedTuple):
    """How a land battle may end for its attacker."""

    win: float
    lost: float             # units that it loses on average
    exact: bool             # nothing probable was left out
    settled: bool = True    # False: too much was left undecided, so that `win` says little


def rules_of(parts: Parts) -> Rules:
    """The numbers of the component data."""
    numbers = parts.numbers
    return Rules(tuple(parts.faces.count(unit) for unit in UNITS), len(parts.faces), tuple(parts.unit[unit].battle_dice
                 for unit in UNITS), numbers.min_battle_dice, numbers.first_round_cap, numbers.cap_step_per_round,
                 tuple(UNITS.index(unit) for unit in numbers.casualty_order))


def counted(force: Mapping[str, int]) -> Units:
    return tuple(force.get(unit, 0) for unit in UNITS)


def dice_of(rules: Rules, fighting: Units) -> int:
    """How many dice these units roll [ATK-7.4]."""
    rolled: int = sum(map(mul, fighting, rules.dice))
    return max(rules.fewest, rolled)


@lru_cache(20_000)
def hits(rules: Rules, fighting: Units) -> tuple[float, ...]:
    """The chance of 0, 1, 2... hits: all falls of the dice are counted, type by type [ATK-7.4, 7.5]."""
    dice = dice_of(rules, fighting)
    chances: dict[tuple[int, int], float] = {(dice, 0): 1.0}    # (dice that may show something else, hits) -> chance
    sides = rules.sides
    for faces, number in zip(rules.faces, fighting):
        after: dict[tuple[int, int], float] = defaultdict(float)
        for (left, scored), chance in chances.items():
            for shown, likely in enumerate(falls(left, faces, sides)):
                if chance * likely > NOTHING:
                    after[left - shown, scored + min(shown, number)] += chance * likely
        chances, sides = after, sides - faces
    found = [0.0] * (sum(fighting) + 1)
    for (_, scored), chance in chances.items():
        found[scored] += chance
    return tuple(found)


@lru_cache(5_000)
def falls(dice: int, faces: int, sides: int) -> tuple[float, ...]:
    """The chance that none, one, two... of these dice show one of so many faces, out of so many that each may show."""
    share = faces / sides
    return tuple(comb(dice, shown) * share ** shown * (1 - share) ** (dice - shown) for shown in range(dice + 1))


def reinforced(reserve: Units, fighting: Units, room: int) -> tuple[Units, Units]:
    """Reserve and units in battle after a side has brought units by Mixed, in a later round [ATK-21.3.1]."""
    if room <= 0 or not any(reserve):
        return reserve, fighting
    kept, there = list(reserve), list(fighting)
    for at in NEW_FIRST:
        if room and kept[at] and not there[at]:
            kept[at], there[at], room = kept[at] - 1, 1, room - 1
    for at in FILLING:
        number = min(kept[at], room)
        kept[at], there[at], room = kept[at] - number, there[at] + number, room - number
    return tuple(kept), tuple(there)


@lru_cache(1_000)
def lined_up(rules: Rules, units: Units) -> tuple[Units, Units]:
    """Reserve and units in battle when a side has lined up by Mixed [ATK-21.3.1]."""
    line = counted(bring_mixed(named(units), {}, rules.cap, line_up=True))
    return tuple(number - there for number, there in zip(units, line)), line


def named(units: Units) -> Force:
    return {unit: number for unit, number in zip(UNITS, units) if number}


@lru_cache(50_000)
def fallen(rules: Rules, fighting: Units, struck: int) -> Units:
    """The units in battle after so many hits [ATK-7.6]."""
    left = list(fighting)
    for at in rules.casualties:
        lost = min(struck, left[at])
        left[at] -= lost
        struck -= lost
    return tuple(left)


Forces: TypeAlias = tuple[tuple[Units, float], ...]         # that may defend, with the chance of each


@lru_cache(5_000)
def on_land(rules: Rules, attackers: Units, forces: Forces, work: int = WORK) -> Odds:
    """The odds of one battle for its attacker, within this much work [ATK-7]."""
    small = sum(attackers) * max(sum(defenders) for defenders, _ in forces) <= SMALL
    exact = all_courses(rules, attackers, forces, EXACTLY * work) if small else None
    return exact or some_courses(rules, attackers, forces, work)


def all_courses(rules: Rules, attackers: Units, forces: Forces, work: int) -> Odds | None:
    """The exact odds, if so many rolls are enough for them."""
    line = lined_up(rules, attackers)
    positions: dict[Position, float] = defaultdict(float)
    for defenders, chance in forces:
        positions[*lined_up(rules, defenders), *line] += chance
    won = lost_battles = losses = 0.0
    half, known = 0, set[Units]()
    while sum(positions.values()) > UNDECIDED:
        cap = rules.cap + rules.step * (half // 2)
        after: dict[Position, float] = defaultdict(float)
        for (kept, there, foes_reserve, foes), chance in positions.items():
            reserve, fighting = reinforced(kept, there, cap - sum(there))
            dice = dice_of(rules, fighting)
            if fighting not in known:
                known.add(fighting)
                work -= dice * dice
            work -= 1 + sum(fighting)
            if dice >= MANY_DICE or work < 0:
                return None
            for struck, likely in enumerate(hits(rules, fighting)):
                left = fallen(rules, foes, struck)
                if any(left) or any(foes_reserve):
                    after[foes_reserve, left, reserve, fighting] += chance * likely
                elif half % 2:
                    won += chance * likely
                    losses += chance * likely * (sum(attackers) - sum(reserve) - sum(fighting))
                else:
                    lost_battles += chance * likely
                    losses += chance * likely * sum(attackers)
        positions, half = after, half + 1
    decided = won + lost_battles
    return Odds(uncertain(won / decided), losses / decided, True)


def uncertain(chance: float) -> float:
    """No battle is won or lost before it is fought."""
    return min(max(chance, UNDECIDED), 1 - UNDECIDED)


def some_courses(rules: Rules, attackers: Units, forces: Forces, work: int) -> Odds:
    """The odds by equally likely courses, as many as this work allows."""
    number = min(max(work // halves(rules, attackers, forces), COURSES[0]), COURSES[1])
    line = lined_up(rules, attackers)
    positions = [(*lined_up(rules, defenders), *line) for defenders in dealt(forces, number)]
    won = losses = half = rolls = fought = 0
    before = together = 1                       # rounds that are rolled at once
    while positions and rolls < 5 * work // 4:
        if half % 2:
            at_once, middle = float(together), fought + (together - 1) // 2
        else:                                   # who rolls first stays ahead by one roll, not by all that are at once
            before, together = together, pace(rules, fought, positions[len(positions) // 2])
            at_once, middle = (before + together) / 2, fought + (together - before) // 4
        cap = rules.cap + rules.step * middle
        after: list[Position] = []
        for course, (kept, there, foes_reserve, foes) in enumerate(positions):
            reserve, fighting = reinforced(kept, there, cap - sum(there))
            struck = scored_at(rules, fighting, at_once, (course * GOLDEN + half * SILVER + 0.5 / number) % 1)
            behind, left = struck_down(rules, foes_reserve, foes, struck, together)
            if any(left) or any(behind):
                after.append((behind, left, reserve, fighting))
            elif half % 2:
                won, losses = won + 1, losses + sum(attackers) - sum(reserve) - sum(fighting)
            else:
                losses += sum(attackers)
        rolls, fought = rolls + len(positions), fought + together * (half % 2)
        positions, half = sorted(after, key=lambda position: (ahead(position), position)), half + 1
    for position in positions:                  # dice that hardly ever hit leave some undecided: whoever has more units wins
        numbers = list(map(sum, position))
        mine, theirs = sum(numbers[half % 2 * 2 - 2:][:2]), sum(numbers[half % 2 * 2:][:2])
        won += mine > theirs
        losses += sum(attackers) - mine
    return Odds(uncertain(won / number), losses / number, False, UNSETTLED * len(positions) <= number)


def pace(rules: Rules, fought: int, position: Position) -> int:
    """How many rounds may be rolled at once: so many that neither side can lose more than a small share of its units in them."""
    reserve, fighting, foes_reserve, foes = map(sum, position)
    cap = rules.cap + rules.step * fought
    fewest = min(reserve + fighting, foes_reserve + foes) // SHARE
    if not rules.step:
        return max(1, fewest // cap)
    return max(1, int((sqrt(cap ** 2 + 2 * rules.step * fewest) - cap) / rules.step))


def struck_down(rules: Rules, reserve: Units, fighting: Units, struck: int, together: int) -> tuple[Units, Units]:
    """Reserve and units in battle after so many hits; between rounds that are rolled at once, units come up to take them."""
    if together == 1:
        return reserve, fallen(rules, fighting, struck)
    left = fallen(rules, tuple(map(add, reserve, fighting)), struck)
    line = tuple(map(min, left, fighting))
    return tuple(map(sub, left, line)), line


def halves(rules: Rules, attackers: Units, forces: Forces) -> int:
    """About how many rolls it takes until one side has fallen."""
    return 8 + 2 * min(max(length(rules, attackers, defenders) for defenders, _ in forces), LONG)


def length(rules: Rules, attackers: Units, defenders: Units) -> int:
    """About how many rounds it takes until one side has fallen."""
    (_, theirs), (_, mine) = lined_up(rules, defenders), lined_up(rules, attackers)
    needed = min(sum(struck) * sum(line) / max(hits_of_many(rules, line)[0], UNDECIDED)
                 for struck, line in ((attackers, theirs), (defenders, mine)))          # units that have to roll
    if not rules.step:
        return ceil(needed / rules.cap)
    return ceil((sqrt(rules.cap ** 2 + 2 * rules.step * needed) - rules.cap) / rules.step)


def dealt(forces: Forces, number: int) -> Iterator[Units]:
    """So many forces, each as often as it is likely, the strongest first."""
    ordered = sorted(forces, key=lambda force: (-sum(force[0]), force))
    upto = list(accumulate(chance for _, chance in ordered))
    for place in range(number):
        yield ordered[min(bisect_left(upto, (place + 0.5) / number * upto[-1]), len(ordered) - 1)][0]


def scored_at(rules: Rules, fighting: Units, rounds: float, place: float) -> int:
    """The hits in so many rounds that have this place, from 0 to 1, among all from the fewest to the most."""
    if rounds == 1 and dice_of(rules, fighting) <= FEW_DICE:
        return min(bisect_left(summed(rules, fighting), place), sum(fighting))
    mean, deviation = hits_of_many(rules, fighting)
    scored = rounds * mean + sqrt(rounds) * deviation * NORMAL.inv_cdf(place)
    return min(max(int(scored + 0.5), 0), int(rounds * sum(fighting)))


@lru_cache(5_000)
def summed(rules: Rules, fighting: Units) -> tuple[float, ...]:
    """The chance of no more than 0, 1, 2... hits."""
    return tuple(accumulate(hits(rules, fighting)))


@lru_cache(20_000)
def hits_of_many(rules: Rules, fighting: Units) -> tuple[float, float]:
    """The mean of the hits and their standard deviation, without counting all falls of the dice."""
    dice = dice_of(rules, fighting)
    each = [(faces / rules.sides, useful(dice, faces, rules.sides, number))
            for faces, number in zip(rules.faces, fighting) if number]
    slopes = [share * below for share, (_, _, below) in each]
    together = dice * (sum(slopes) ** 2 - sum(slope ** 2 for slope in slopes))      # a die shows one face only
    spread = sum(variance for _, (_, variance, _) in each) - together
    return sum(mean for _, (mean, _, _) in each), sqrt(max(spread, 0))


@lru_cache(5_000)
def useful(dice: int, faces: int, sides: int, number: int) -> tuple[float, float, float]:
    """The mean and the variance of the hits by one type, and the chance that more units of it would hit no more [ATK-7.5]."""
    if dice < MANY_DICE:
        chances = falls(dice, faces, sides)
        mean = sum(min(shown, number) * chance for shown, chance in enumerate(chances))
        square = sum(min(shown, number) ** 2 * chance for shown, chance in enumerate(chances))
        return mean, square - mean ** 2, sum(chances[:number])
    middle = dice * faces / sides
    deviation = sqrt(middle * (1 - faces / sides)) or UNDECIDED
    at = (number - middle) / deviation
    below, density = NORMAL.cdf(at), NORMAL.pdf(at)
    mean = middle * below - deviation * density + number * (1 - below)
    square = (middle ** 2 + deviation ** 2) * below - deviation * (middle + number) * density + number ** 2 * (1 - below)
    return mean, max(square - mean ** 2, 0), below


def ahead(position: Position) -> int:
    """How many units more the side has whose half it is."""
    reserve, fighting, foes_reserve, foes = map(sum, position)
    return reserve + fighting - foes_reserve - foes


def neutrals(s: State, power: str) -> Forces:
    """The forces on the cards that may defend a neutral territory, as far as this player knows [ATK-8.2.1, 15.4.2]."""
    unknown = [card for card in s.parts.cards if card.id not in s.hands[power]] if s.deck else []
    forces = Counter(counted(card.neutral_defenders.units) for card in unknown)
    if not forces:
        forces = Counter([counted(s.parts.numbers.empty_deck_defenders.units)])
    return tuple((force, number / forces.total()) for force, number in forces.items())
