"""The odds of naval battles: both sides lay their usual line (ATK-21.5) and withdraw when outnumbered two to one (D-16)."""
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import sqrt
from operator import sub
from typing import NamedTuple, TypeAlias

from engine.games.attack.components import SHIPS, Modifier, Parts
from engine.games.attack.odds_on_land import COURSES, GOLDEN, LONG, SHARE, WORK
from engine.games.attack.rules.naval_lines import bonus, choice_among, in_usual_order, outnumbered, target

SMALL_FLEET = 6             # ships of a side, of naval battles that may be so followed


class SeaRules(NamedTuple):
    """What a naval battle hangs on."""

    modifiers: tuple[Modifier, ...]
    hits_to_sink: tuple[tuple[str, int], ...]
    most: int               # ships in a line


Fleet: TypeAlias = tuple[int, ...]              # fit ships in the order of `SHIPS`


def sea_rules_of(parts: Parts) -> SeaRules:
    """The numbers of the component data."""
    return SeaRules(parts.modifiers, tuple((ship.id, ship.hits_to_sink) for ship in parts.ships), parts.numbers.max_ships_in_line)


def fleet_of(ships: Mapping[str, int]) -> Fleet:
    return tuple(ships.get(ship, 0) for ship in SHIPS)


@lru_cache(1_000)
def lead(ahead: int) -> tuple[float, float]:
    """The chances of the higher total and of the lower one, of two dice each with so much more in modifiers [ATK-13.3.2]."""
    rolls = list(product(range(1, 7), repeat=4))
    higher = sum(a + b + ahead > c + d for a, b, c, d in rolls)
    lower = sum(a + b + ahead < c + d for a, b, c, d in rolls)
    return higher / len(rolls), lower / len(rolls)


@lru_cache(1_000)
def at_sea(rules: SeaRules, attackers: Fleet, defenders: Fleet, work: int = WORK) -> tuple[float, bool]:
    """The chance that the attacker wins a naval battle whose next round begins now; whether it is exact [ATK-13.2 to 13.5]."""
    small = max(sum(attackers), sum(defenders)) <= SMALL_FLEET
    chance = all_battles(rules, attackers, defenders, work) if small else None
    if chance is not None:
        return chance, True
    one, other = (some_battles(rules, *fleets, work // 4) for fleets in ((attackers, defenders), (defenders, attackers)))
    return (one + 1 - other) / 2, False         # from both sides, so that equal fleets have equal chances


def all_battles(rules: SeaRules, attackers: Fleet, defenders: Fleet, work: int) -> float | None:
    """The exact chance, if so many dice are enough for it."""
    positions: dict[tuple[Fleet, Fleet], float] = {(attackers, defenders): 1.0}
    won = lost = 0.0
    known = set[tuple[Fleet, Fleet]]()
    while positions:
        after: dict[tuple[Fleet, Fleet], float] = defaultdict(float)
        for before, chance in positions.items():
            if before not in known:
                known.add(before)
                work -= 3 ** min(*map(sum, before), rules.most)
                if work < 0:
                    return None
            outcomes = dict(after_round(rules, *before))
            decided = chance / (1 - outcomes.pop(before, 0.0))          # a round without a hit is fought once more
            for fleets, likely in outcomes.items():
                if (winner := given_way(fleets)) is None:
                    after[fleets] += decided * likely
                elif winner:
                    won += decided * likely
                else:
                    lost += decided * likely
        positions = after
    return won / (won + lost)


def given_way(fleets: tuple[Fleet, Fleet]) -> bool | None:
    """True if the attacker has won, as the other one withdraws or has no ship left; None if both fight on."""
    mine, theirs = map(sum, fleets)
    if not mine or (theirs and outnumbered(mine, theirs)):              # the attacker is asked first
        return False
    return True if outnumbered(theirs, mine) else None


def some_battles(rules: SeaRules, attackers: Fleet, defenders: Fleet, work: int) -> float:
    """The chance by equally likely battles, as many as this work allows."""
    most = min(rules.most, max(sum(attackers), sum(defenders)))
    rounds = min(LONG // 2, 3 + max(sum(attackers), sum(defenders)) // most)
    number = min(max(work // (most * rounds), COURSES[0]), COURSES[1])
    positions = [(attackers, defenders)] * number
    won = fought = dice = 0
    while positions and dice < 5 * work // 4:
        after: list[tuple[Fleet, Fleet]] = []
        together = max(1, min(map(sum, positions[len(positions) // 2])) // (2 * SHARE * most))     # rounds with the same dice
        for course, fleets in enumerate(positions):
            lost = lost_at(rules, *fleets, [(course * step + fought * GOLDEN + 0.5 / number) % 1 for step in steps(most)])
            left = tuple(tuple(max(0, n - together * gone) for n, gone in zip(fleet, side)) for fleet, side in zip(fleets, lost))
            if (winner := given_way((left[0], left[1]))) is None:
                after.append((left[0], left[1]))
            else:
                won += winner
        dice, fought = dice + most * len(positions), fought + 1
        positions = sorted(after, key=lambda fleets: (ahead_at_sea(fleets), fleets))
    return (won + sum(ahead_at_sea(fleets) > 0 for fleets in positions)) / number


def ahead_at_sea(fleets: tuple[Fleet, Fleet]) -> int:
    return sum(fleets[0]) - sum(fleets[1])


@lru_cache(1_000)
def steps(number: int) -> tuple[float, ...]:
    """So many numbers whose multiples leave even gaps, each its own."""
    return tuple(sqrt(place * place + place + 1) % 1 for place in range(1, number + 1))


Lines: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
Taken: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]      # hits by each ship in the lines


@lru_cache(5_000)
def usual_lines(rules: SeaRules, attackers: Fleet, defenders: Fleet) -> Lines:
    mine, theirs = (in_usual_order(choice_among({ship: n for ship, n in zip(SHIPS, fleet) if n}, min(sum(fleet), rules.most)))
                    for fleet in (attackers, defenders))
    return mine, theirs


@lru_cache(20_000)
def pair(rules: SeaRules, lines: Lines, taken: Taken, place: int) -> tuple[float, float, Taken, Taken]:
    """The chances that the attacker's total is higher in a pair, and lower; with the hits taken then."""
    sinks = dict(rules.hits_to_sink)
    sunk = [[number >= sinks[ship] for ship, number in zip(*side)] for side in zip(lines, taken)]
    bonuses = [bonus(rules.modifiers, lines[side], sunk[side], lines[1 - side][place], place) for side in (0, 1)]
    struck = [list(side) for side in taken]
    for side in (0, 1):
        struck[side][target(lines[side], sunk[side], lines[1 - side][place], place)] += 1
    return *lead(bonuses[0] - bonuses[1]), (taken[0], tuple(struck[1])), (tuple(struck[0]), taken[1])


def lost_at(rules: SeaRules, attackers: Fleet, defenders: Fleet, falls: Sequence[float]) -> tuple[Fleet, Fleet]:
    """The fit ships that both sides lose in a round; its pairs fall at these places, from the attacker's best to its worst."""
    lines = usual_lines(rules, attackers, defenders)
    taken: Taken = ((0,) * len(lines[0]), (0,) * len(lines[1]))
    for place, fall in zip(range(min(map(len, lines))), falls):
        higher, lower, hit, struck = pair(rules, lines, taken, place)
        taken = hit if fall < higher else struck if fall > 1 - lower else taken
    return gone(lines, taken)


def gone(lines: Lines, taken: Taken) -> tuple[Fleet, Fleet]:
    """The ships that were hit, which are fit no more."""
    mine, theirs = (fleet_of(Counter(ship for ship, number in zip(*side) if number)) for side in zip(lines, taken))
    return mine, theirs


@lru_cache(1_000)
def after_round(rules: SeaRules, attackers: Fleet, defenders: Fleet) -> dict[tuple[Fleet, Fleet], float]:
    """The fit ships of both sides after one round of their usual lines, with the chances."""
    lines = usual_lines(rules, attackers, defenders)
    positions: dict[Taken, float] = {((0,) * len(lines[0]), (0,) * len(lines[1])): 1.0}
    for place in range(min(map(len, lines))):
        after: dict[Taken, float] = defaultdict(float)
        for taken, chance in positions.items():
            higher, lower, hit, struck = pair(rules, lines, taken, place)
            after[hit] += chance * higher
            after[struck] += chance * lower
            after[taken] += chance * (1 - higher - lower)
        positions = after
    found: dict[tuple[Fleet, Fleet], float] = defaultdict(float)
    for taken, chance in positions.items():
        mine, theirs = (tuple(map(sub, fleet, lost)) for fleet, lost in zip((attackers, defenders), gone(lines, taken)))
        found[mine, theirs] += chance
    return found
