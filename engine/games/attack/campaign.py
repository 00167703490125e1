"""What a movement or a blitz of Attack! could bring: attacks planned together, by the odds of their battles.

A plan gives each target the force that is worth most there: the chance to win times what the territory, its card and its capital
are still worth, less the units that will fall, less what its enemies can then attack. All of it is read from what a seat knows.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from operator import mul
from typing import TypeAlias

from engine.games.attack.components import UNITS
from engine.games.attack.odds_on_land import Forces, Units, counted, neutrals, on_land, rules_of
from engine.games.attack.player import worth as price
from engine.games.attack.rules.movement import goals
from engine.games.attack.rules.production import cost
from engine.games.attack.state import BLITZ, Force, State, TurnState, Way, join, size

# all in production points
LAND = 22.0             # a territory at the end of the game
CARD = 2.1              # what a card brings in each production to come
MOST_TURNS = 6          # productions to come that count, where the end is far
LOST = 0.75             # of the price of a unit that falls, while it could still fight
DUE = 0.12              # of the price of each unit that an attack takes along: it could do something else
STILL, USED = 0.15, 0.3     # of a price that a unit keeps if somebody moves after this turn, and for each turn of its own
EXPOSED = 0.45          # how probable it is that somebody attacks who can
HELD, OVERRUN = 0.8, 1.8    # times the price of what defends: a force worth less never wins, one worth more always
FAINT = 0.95            # times the price of what defends: less is no attack
BOLD = 0.25             # the chance to win from which an attack is weighed
KILLED = 0.4            # of the defenders' price that falls in an attack that fails
LEAST = 1.0             # that an attack must be worth
FELL = 12.0             # by so much the worth of greater forces may fall behind before no more are weighed
DECISIVE = 500.0        # a capture that ends the game
WORK = 250              # rolls that are followed for the odds of one battle
SIZES = frozenset({2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 27, 33, 40})        # of forces that are weighed
SHARES: Mapping[str, float] = {"infantry": 0.45, "tank": 1.0, "artillery": 1.25, "plane": 1.5}
"""How seldom a type joins a force: so that it is mixed at every size."""

Start: TypeAlias = tuple[str, str, str]         # origin, type of unit, and way


@dataclass
class Attack:
    """What a plan sends to one target."""

    goal: str
    force: dict[Start, int]
    worth: float


class Campaign:
    """What a power could do in a movement or a blitz from a position, as if no order had been given yet."""

    def __init__(self, s: State, power: str, action: str) -> None:
        before = s.turn.before if s.turn.action == action else {}
        self.s = s.model_copy(update={"units": s.units | before, "turn": TurnState(taken=s.turn.taken, action=action)})
        self.power, self.action, self.rules = power, action, rules_of(s.parts)
        self.costs = tuple(cost(s.parts, unit) for unit in UNITS)
        self.rivals = len(s.playing) - 1
        self.share = 1 / max(1, self.rivals)            # of what a rival loses that is as good as an own gain
        self._alone: dict[str, Attack | None] = {}      # goal -> the best attack if there were no other

    def reinforced(self, land: str, force: Mapping[str, int]) -> Campaign:
        """Return this campaign with more units in a territory; what does not concern it is known already."""
        other = copy(self)
        units = {**self.s.units, land: dict(self.s.units[land])}
        join(units[land], force)
        other.s = self.s.model_copy(update={"units": units})
        reach = other.reach()
        other._alone = {goal: attack for goal, attack in self._alone.items()
                        if all(origin != land for origin, _, _ in reach.get(goal, ()))}
        return other

    # -- what things are worth

    @cached_property
    def turns(self) -> int:
        s = self.s
        if s.closing or s.time == "up":
            return 0
        return min(MOST_TURNS, max(0, s.options.rounds - s.round)) if s.options.end_mode == "round_limit" else MOST_TURNS

    @cached_property
    def later(self) -> bool:
        return self.turns > 0 or self.power != [power for power in self.s.in_turn_order() if power not in self.s.out][-1]

    @cached_property
    def alive(self) -> float:
        """The part of its price that a unit is still worth: the last turn has no use for it."""
        return min(1.0, STILL * self.later + USED * self.turns)

    def held(self, land: str) -> float:
        capital = self.s.parts.numbers.capital_bonus_pp if land in self.s.capitals else 0
        return LAND + (CARD + capital) * self.turns

    def prize(self, land: str) -> float:
        """Return what it is worth to take a territory from another, or to be its first owner."""
        owner = self.s.owner.get(land)
        if owner is None:
            return self.held(land)
        return self.held(land) * (1 + self.share) + self._last(land, owner)

    def _last(self, land: str, owner: str) -> float:
        """Return what is added if its owner has nothing else: in most games the end, good for the one who owns most then
        [ATK-19.2]."""
        s = self.s
        if len(s.territories(owner)) > 1:
            return 0.0
        if s.options.end_mode == "last_standing":
            return LAND
        most = max((len(s.territories(other)) for other in s.playing if other not in (self.power, owner)), default=0)
        return DECISIVE if len(s.territories(self.power)) + 1 > most else -DECISIVE

    # -- what others can do

    @cached_property
    def threats(self) -> Mapping[str, float]:
        """Territory to the price of the strongest force that one rival can send there from beside it."""
        s, found = self.s, dict[str, dict[str, float]]()
        for land, owner in s.owner.items():
            if owner == self.power or size(s.units[land]) < 2:
                continue
            able = price(s, s.units[land]) - self.costs[0]
            for near in s.parts.territory[land].adjacent:
                if s.owner.get(near) != owner:
                    there = found.setdefault(near, {})
                    there[owner] = there.get(owner, 0.0) + able
        return {land: max(there.values()) for land, there in found.items()}

    def risk(self, land: str, left: float) -> float:
        """Return what is probably lost of a territory in which units of this price are left."""
        threat = self.threats.get(land, 0.0) if self.later else 0.0
        if not threat:
            return 0.0
        falls = (threat / max(left, 1.0) - HELD) / (OVERRUN - HELD)
        return EXPOSED * self.held(land) * (1 + self.share) * min(1.0, max(0.0, falls))

    # -- attacks

    def reach(self) -> dict[str, list[Start]]:
        """Goal to where it can be attacked from, by land if possible; by sea only if nobody else can refuse it."""
        s, found = self.s, dict[str, list[Start]]()
        for origin in s.territories(self.power):
            if size(s.units[origin]) < 2:               # one must stay [ATK-4.1.7]
                continue
            for unit in s.units[origin]:
                if self.action == BLITZ and not s.parts.unit[unit].may_blitz:
                    continue
                free = not s.parts.unit[unit].sea_blockable or s.controller in ("", self.power)
                ways = dict[str, Way]()
                for goal, way in goals(s, self.power, unit, origin):
                    if s.owner.get(goal) != self.power and (way == "land" or free):
                        ways.setdefault(goal, way)
                        if way == "land":
                            ways[goal] = way
                for goal, way in ways.items():
                    found.setdefault(goal, []).append((origin, unit, way))
        return found

    @cached_property
    def neutral(self) -> tuple[Forces, float]:
        """The forces that may defend a neutral territory, and what they cost on average."""
        forces = neutrals(self.s, self.power)
        return forces, sum(chance * sum(map(mul, force, self.costs)) for force, chance in forces)

    def plan(self) -> list[Attack]:
        """The attacks that are worth most, one after the other, each with what the earlier ones leave."""
        free = {land: dict(self.s.units[land]) for land in self.s.territories(self.power)}
        reach, found = self.reach(), list[Attack]()
        for goal, starts in reach.items():
            if goal not in self._alone:
                self._alone[goal] = self._best(goal, starts, free)
        known = {goal: self._alone[goal] for goal in reach}
        while attacks := [attack for attack in known.values() if attack is not None]:
            best = max(attacks, key=lambda attack: attack.worth)
            found.append(best)
            for (origin, unit, _), number in best.force.items():
                join(free[origin], {unit: number}, -1)
            used = {origin for origin, _, _ in best.force}
            del known[best.goal]
            for goal in known:
                if any(origin in used for origin, _, _ in reach[goal]):
                    known[goal] = self._best(goal, reach[goal], free)
        return found

    def _best(self, goal: str, starts: Sequence[Start], free: Mapping[str, Force]) -> Attack | None:
        s = self.s
        forces, theirs = self.neutral if goal not in s.owner else (((counted(s.units[goal]), 1.0),), price(s, s.units[goal]))
        prize = self.prize(goal)
        best: Attack | None = None
        picked = dict[Start, int]()
        have: dict[str, int] = dict.fromkeys(UNITS, 0)
        for number, start in enumerate(self._drawn(starts, free), 1):
            picked[start] = picked.get(start, 0) + 1
            have[start[1]] += 1
            if number not in SIZES:
                continue
            worth = self._stake(goal, prize, tuple(have.values()), forces, theirs, picked, free)
            if worth is None:
                continue
            if worth > max(LEAST, best.worth if best is not None else 0.0):
                best = Attack(goal, dict(picked), worth)
            elif best is not None and worth < best.worth - FELL:
                break
        return best

    def _drawn(self, starts: Sequence[Start], free: Mapping[str, Force]) -> Iterator[Start]:
        """The units that can attack, from where they are needed least, in an order that mixes them at every size."""
        left = {origin: size(free[origin]) - 1 for origin, _, _ in starts}
        stock: dict[str, list[Start]] = {unit: [] for unit in UNITS}
        for start in sorted(starts, key=lambda start: (start[2] == "water", self.threats.get(start[0], 0.0))):
            stock[start[1]] += [start] * min(max(SIZES), free[start[0]].get(start[1], 0))
        taken = dict.fromkeys(UNITS, 0)
        while True:
            for waiting in stock.values():
                while waiting and left[waiting[0][0]] < 1:
                    waiting.pop(0)
            able = [unit for unit in UNITS if stock[unit]]
            if not able:
                return
            unit = min(able, key=lambda unit: (taken[unit] + 1) * SHARES[unit])
            start = stock[unit].pop(0)
            left[start[0]] -= 1
            taken[unit] += 1
            yield start

    def _stake(self, goal: str, prize: float, have: Units, forces: Forces, theirs: float, picked: Mapping[Start, int],
               free: Mapping[str, Force]) -> float | None:
        """Return what an attack is worth, all costs counted; None if it is not to be thought of."""
        mine = sum(map(mul, have, self.costs))
        if mine < FAINT * theirs:
            return None
        odds = on_land(self.rules, have, forces, WORK)
        if odds.win < BOLD or not odds.settled:
            return None
        fallen = self._fallen(have, odds.lost)
        worth: float = odds.win * (prize - self.risk(goal, mine - fallen)) - self.alive * (LOST * fallen + DUE * mine)
        if goal in self.s.owner:
            worth += self.alive * LOST * self.share * theirs * (odds.win + KILLED * (1 - odds.win))
        leaving = dict[str, int]()
        for (origin, unit, _), number in picked.items():
            leaving[origin] = leaving.get(origin, 0) + number * cost(self.s.parts, unit)
        for origin, going in leaving.items():
            there = price(self.s, free[origin])
            worth -= self.risk(origin, there - going) - self.risk(origin, there)
        return worth

    def _fallen(self, have: Units, lost: float) -> float:
        """The price of so many units of a force, in the order in which they fall [ATK-7.6.1]."""
        total = 0.0
        for at in self.rules.casualties:
            gone = min(lost, have[at])
            total, lost = total + gone * self.costs[at], lost - gone
        return total


def worth_of(plan: Sequence[Attack]) -> float:
    return sum(attack.worth for attack in plan)
