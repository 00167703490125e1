"""The odds of battles before they are declared, on what everybody sees.

On land every course of the battle is followed round by round, with its chance, both sides bringing units by Mixed up to the cap
(ATK-21.3.1), until what is undecided is next to nothing. Against neutrals each card counts alike that the attacker does not
hold. At sea both sides lay their usual line (ATK-21.5) and withdraw when outnumbered two to one (D-16).

Where too many positions are possible at a time, some stand for all, and the words say "about".
"""
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from itertools import product
from math import comb
from typing import NamedTuple, TypeAlias, TypeVar

from engine.games.attack.components import SHIPS, UNITS, Modifier, Parts
from engine.games.attack.rules.line_up_policies import bring_first
from engine.games.attack.rules.naval_lines import bonus, choice_among, in_usual_order, outnumbered, target
from engine.games.attack.state import NEUTRAL, Force, State, join, size
from engine.text import Text, count, text

FOLLOWED = 500              # positions of a land battle that are followed at a time, as long as the forces are no larger than
LARGE = 60                  # so many units; of larger ones fewer are, as each costs more time
AT_SEA = 60                 # and of a naval battle
UNDECIDED = 1e-6            # what chance is left out at the end
NOTHING = 1e-10             # what a fall of the dice is not counted below
HALF_PERCENT = 0.005        # nearer than this to 0 or 100, a whole percent would say "never" or "always"

T = TypeVar("T")
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


def rules_of(parts: Parts) -> Rules:
    """The numbers of the component data."""
    numbers = parts.numbers
    return Rules(tuple(parts.faces.count(unit) for unit in UNITS), len(parts.faces), tuple(parts.unit[unit].battle_dice
                 for unit in UNITS), numbers.min_battle_dice, numbers.first_round_cap, numbers.cap_step_per_round,
                 tuple(UNITS.index(unit) for unit in numbers.casualty_order))


def counted(force: Mapping[str, int]) -> Units:
    return tuple(force.get(unit, 0) for unit in UNITS)


# --- on land ------------------------------------------------------------------------------------------------

@lru_cache(20_000)
def hits(rules: Rules, fighting: Units) -> tuple[float, ...]:
    """The chance of 0, 1, 2... hits: all falls of the dice are counted, type by type [ATK-7.4, 7.5]."""
    dice = max(rules.fewest, sum(number * each for number, each in zip(fighting, rules.dice)))
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


@lru_cache(20_000)
def reinforced(reserve: Units, fighting: Units, room: int, line_up: bool) -> tuple[Units, Units]:
    """Reserve and units in battle after a side has brought units by Mixed."""
    brought = counted(bring_first((), named(reserve), named(fighting), room, line_up=line_up))
    return tuple(n - new for n, new in zip(reserve, brought)), tuple(n + new for n, new in zip(fighting, brought))


def named(units: Units) -> Force:
    return {unit: number for unit, number in zip(UNITS, units) if number}


@lru_cache(50_000)
def fallen(rules: Rules, fighting: Units, struck: int) -> Units:
    """The units in battle after so many hits [ATK-7.6]."""
    left = list(fighting)
    for place in rules.casualties:
        lost = min(struck, left[place])
        left[place] -= lost
        struck -= lost
    return tuple(left)


@lru_cache(5_000)
def on_land(rules: Rules, attackers: Units, defenders: Units) -> Odds:
    """The odds of one battle for its attacker [ATK-7]."""
    (a, b), (c, d) = (reinforced(units, (0,) * len(UNITS), rules.cap, True) for units in (defenders, attackers))
    positions: dict[Position, float] = {(a, b, c, d): 1.0}      # whose half it is, first
    won = lost_battles = losses = 0.0
    exact, half = True, 0
    most = 1 + FOLLOWED * LARGE // max(LARGE, sum(attackers) + sum(defenders))
    while sum(positions.values()) > UNDECIDED:
        cap = rules.cap + rules.step * (half // 2)
        after: dict[Position, float] = defaultdict(float)
        for (kept, there, foes_reserve, foes), chance in positions.items():
            reserve, fighting = reinforced(kept, there, cap - sum(there), False)
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
        if len(after) > most:
            after, exact = sampled(after, ahead_on_land, most), False
        positions, half = after, half + 1
    decided = won + lost_battles
    win = min(max(won / decided, UNDECIDED), 1 - UNDECIDED)         # no battle is won or lost before it is fought
    return Odds(win, losses / decided, exact)


def sampled(positions: Mapping[T, float], ahead: Callable[[T], int], most: int) -> dict[T, float]:
    """So many positions that stand for all: taken at even distances of chance, on the way from the worst to the best.

    What is likely is taken often and what is not now and then, so that neither the mean nor the spread changes by much.
    """
    step = sum(positions.values()) / most
    found: dict[T, float] = defaultdict(float)
    passed, next_at = 0.0, step / 2
    for position in sorted(positions, key=lambda position: (ahead(position), position)):
        passed += positions[position]
        while next_at < passed:
            found[position] += step
            next_at += step
    return found


def ahead_on_land(position: Position) -> int:
    """How many units more the side has whose half it is."""
    reserve, fighting, foes_reserve, foes = map(sum, position)
    return reserve + fighting - foes_reserve - foes


def against_neutrals(s: State, power: str, attackers: Units) -> Odds:
    """Over the cards that may defend a neutral territory, as far as this player knows [ATK-8.2.1, 15.4.2]."""
    rules = rules_of(s.parts)
    unknown = [card for card in s.parts.cards if card.id not in s.hands[power]] if s.deck else []
    forces = Counter(counted(card.neutral_defenders.units) for card in unknown)
    if not forces:
        forces = Counter([counted(s.parts.numbers.empty_deck_defenders.units)])
    each = [(on_land(rules, attackers, defenders), number / forces.total()) for defenders, number in forces.items()]
    return Odds(sum(odds.win * share for odds, share in each), sum(odds.lost * share for odds, share in each),
                all(odds.exact for odds, _ in each))


# --- at sea -------------------------------------------------------------------------------------------------

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


@cache
def lead(ahead: int) -> tuple[float, float]:
    """The chances of the higher total and of the lower one, of two dice each with so much more in modifiers [ATK-13.3.2]."""
    throws = list(product(range(1, 7), repeat=4))
    higher = sum(a + b + ahead > c + d for a, b, c, d in throws)
    lower = sum(a + b + ahead < c + d for a, b, c, d in throws)
    return higher / len(throws), lower / len(throws)


@lru_cache(1_000)
def at_sea(rules: SeaRules, attackers: Fleet, defenders: Fleet) -> tuple[float, bool]:
    """The chance that the attacker wins a naval battle whose next round begins now; whether it is exact [ATK-13.2 to 13.5]."""
    positions: dict[tuple[Fleet, Fleet], float] = {(attackers, defenders): 1.0}
    won = lost = 0.0
    exact = True
    while positions:
        after: dict[tuple[Fleet, Fleet], float] = defaultdict(float)
        for before, chance in positions.items():
            outcomes = dict(after_round(rules, *before))
            decided = chance / (1 - outcomes.pop(before, 0.0))          # a round without a hit is fought once more
            for fleets, likely in outcomes.items():
                mine, theirs = map(sum, fleets)
                if not mine or (theirs and outnumbered(mine, theirs)):          # the attacker is asked first
                    lost += decided * likely
                elif outnumbered(theirs, mine):
                    won += decided * likely
                else:
                    after[fleets] += decided * likely
        if len(after) > AT_SEA:
            after, exact = sampled(after, ahead_at_sea, AT_SEA), False
        positions = after
    return won / (won + lost), exact


def ahead_at_sea(fleets: tuple[Fleet, Fleet]) -> int:
    """How many fit ships more the attacker has."""
    return sum(fleets[0]) - sum(fleets[1])


@lru_cache(5_000)
def after_round(rules: SeaRules, attackers: Fleet, defenders: Fleet) -> dict[tuple[Fleet, Fleet], float]:
    """The fit ships of both sides after one round of their usual lines, with the chances."""
    fleets = (attackers, defenders)
    lines = [in_usual_order(choice_among({ship: n for ship, n in zip(SHIPS, fleet) if n}, min(sum(fleet), rules.most)))
             for fleet in fleets]
    sinks = dict(rules.hits_to_sink)
    positions = {(tuple(0 for _ in lines[0]), tuple(0 for _ in lines[1])): 1.0}         # hits taken by each ship
    for place in range(min(map(len, lines))):
        after: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = defaultdict(float)
        for hits_taken, chance in positions.items():
            sunk = [[number >= sinks[ship] for ship, number in zip(*side)] for side in zip(lines, hits_taken)]
            bonuses = [bonus(rules.modifiers, lines[side], sunk[side], lines[1 - side][place], place) for side in (0, 1)]
            higher, lower = lead(bonuses[0] - bonuses[1])
            for loser, likely in ((1, higher), (0, lower)):
                struck = [list(side) for side in hits_taken]
                struck[loser][target(lines[loser], sunk[loser], lines[1 - loser][place], place)] += 1
                after[tuple(struck[0]), tuple(struck[1])] += chance * likely
            after[hits_taken] += chance * (1 - higher - lower)
        positions = after
    found: dict[tuple[Fleet, Fleet], float] = defaultdict(float)
    for hits_taken, chance in positions.items():
        gone = [Counter(ship for ship, number in zip(*side) if number) for side in zip(lines, hits_taken)]
        mine, theirs = (tuple(n - gone[side][ship] for ship, n in zip(SHIPS, fleets[side])) for side in (0, 1))
        found[mine, theirs] += chance
    return found


# --- in words -----------------------------------------------------------------------------------------------

def percent(chance: float) -> Text:
    """A chance in whole percents; what is merely improbable is never called impossible."""
    if 0 < chance < HALF_PERCENT:
        return text("under 1 %")
    if 1 - HALF_PERCENT < chance < 1:
        return text("over 99 %")
    return text("{n} %", n=int(100 * chance + 0.5))


def outlook_on_land(s: State, power: str) -> Text | None:
    """What a player may weigh before its orders count: the odds of each battle that they lead to; None if they lead to none."""
    forces = {goal: dict(force) for goal, force in s.turn.entering.items()}
    asked: list[str] = []
    for crossing in s.turn.crossings:
        if crossing.to in forces:
            join(forces[crossing.to], crossing.units)
            if crossing.blockable and s.controller not in ("", power):
                asked.append(crossing.to)
    if not forces:
        return None
    lines = [_battle(s, power, goal, force) for goal, force in forces.items()]
    lines.append(text("Counted: both sides line up mixed and bring up all they can."))
    if s.deck and (neutral := [goal for goal in forces if goal not in s.owner]):
        lines.append(text("In {neutral} any card may come that you do not hold.", neutral=tuple(neutral)))
    if asked:
        lines.append(text("Not counted: {controller} may refuse what crosses to {goals}.", controller=s.controller,
                          goals=tuple(dict.fromkeys(asked))))
    return _joined(lines)


def _battle(s: State, power: str, goal: str, force: Force) -> Text:
    attackers = counted(force)
    owner = s.owner.get(goal, NEUTRAL)
    if owner == NEUTRAL:
        odds = against_neutrals(s, power, attackers)
    else:
        odds = on_land(rules_of(s.parts), attackers, counted(s.units[goal]))
    units = count(size(force), "{n} unit", "{n} units")
    if odds.exact:
        return text("{goal} against {owner}: win {win}; of {units} you lose {lost} on average.", goal=goal, owner=owner,
                    win=percent(odds.win), units=units, lost=tenths(odds.lost))
    return text("{goal} against {owner}: win about {win}; of {units} you lose about {lost} on average.", goal=goal, owner=owner,
                win=percent(odds.win), units=units, lost=tenths(odds.lost))


def tenths(number: float) -> Text:
    """A number with one decimal."""
    whole, tenth = divmod(int(10 * number + 0.5), 10)
    return text("{whole}.{tenth}", whole=whole, tenth=tenth) if tenth else text("{whole}", whole=whole)


def outlook_at_sea(s: State, power: str) -> Text | None:
    """The odds of a naval battle that is about to begin or to go on; None if control needs no fight."""
    rules = sea_rules_of(s.parts)
    if s.naval is not None:
        attacker, defender = s.naval.attacker, s.naval.defender
        fleets = fleet_of(s.fit(attacker)), fleet_of(s.fit(defender))
        gives_way = power == attacker and outnumbered(sum(fleets[1]), sum(fleets[0]))
        chance, exact = (1.0, True) if gives_way else at_sea(rules, *fleets)
    else:
        attacker, defender = s.active, s.controller
        if not defender or not s.ships(defender):
            return None
        chance, exact = at_sea(rules, fleet_of(s.fleets[attacker]), fleet_of(s.fleets[defender]))
    win = percent(chance if power == attacker else 1 - chance)
    lines = [text("In the fight: win {win}.", win=win) if exact else text("In the fight: win about {win}.", win=win),
             text("Counted: both sides lay their usual line and withdraw when outnumbered two to one.")]
    if s.naval is None and power == attacker:
        lines.append(text("{foe} may also withdraw at once; then the sea lanes are yours.", foe=defender))
    return _joined(lines)


def _joined(lines: list[Text]) -> Text:
    return Text("\n".join(f"{{line_{number}}}" for number in range(len(lines))),
                {f"line_{number}": line for number, line in enumerate(lines)})
