"""Chapter 7: a land battle, from the line-ups to the last unit of one side.

`land_battle(g)` fights the battle that `BattleBegun` has put into `state.battle`: all units of both sides are in the reserves,
and `defender.commander` is who answers for the defenders, "" for the engine (ATK-21.4). It returns whether the attacker won and
leaves the survivors in `state.battle`; capture and spoils are those of `combat.conquest`.
"""
from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import ClassVar, Literal

from pydantic import Field

from engine.counters import FEWEST, spread
from engine.games.attack.components import UNITS
from engine.games.attack.rules.line_up_policies import Keep, Policy, bring_first, bring_without
from engine.games.attack.state import Battle, Force, Side, State, join, size
from engine.games.attack.words.nouns import force
from engine.kernel import Action, Event, Game, Script, Seat, ask, roll
from engine.refusals import Illegal
from engine.text import Text, count, template, text

LINING_UP = template("How do you line up in {territory:the}? You have {reserve}, the enemy {behind}.")
FACING = template("How do you line up in {territory:the}? You have {reserve}. The enemy lines up {theirs}, with "
                  "{behind} in reserve.")
REINFORCING = template("{territory}, round {n}: what do you bring up? Your reserve: {reserve}. In battle: {mine} against "
                       "{theirs}.")

LISTED = 1_000              # ways to bring units that a question lists; where there are more, it has only so many
USUAL_NUMBER = 12           # of one type at a time; only such answers are kept for good
FEW = 5                     # numbers of each type

# --- events -----------------------------------------------------------------------------------------------

class UnitsBrought(Event):
    """A side moves units from its reserve into battle, as its line-up or as reinforcement, for all to see.

    Rule: ATK-7.1.3, 7.1.4, 7.3.1
    """

    power: str
    units: dict[str, int]
    line_up: bool = False
    first: tuple[str, ...] = ()             # of a line-up by policy: the types that it brings first, later too

    def apply(self, s: State) -> None:
        side = battle_of(s).side(self.power)
        join(side.reserve, self.units, -1)
        join(side.fighting, self.units)
        if self.line_up:
            side.first = list(self.first)

    def line(self) -> Text | None:
        if not self.units:
            return None
        if self.line_up:
            return text("{power:Begin} lines up {units}.", power=self.power, units=force(self.units))
        return text("{power} brings up {units}.", power=self.power, units=force(self.units))


class HalfBegun(Event):
    """The phases of one side in a round; the defender's come first [ATK-7.2.1]."""

    round: int
    half: Literal["defender", "attacker"]

    def apply(self, s: State) -> None:
        battle = battle_of(s)
        battle.round, battle.half = self.round, self.half


class BattleRolled(Event):
    """A side has rolled; each hit destroys an enemy unit in battle, at once [ATK-7.2.2, 7.6.1, 7.7.4]."""

    power: str
    dice: tuple[str, ...]
    hits: int
    foe: str
    losses: dict[str, int]

    def apply(self, s: State) -> None:
        battle = battle_of(s)
        battle.dice, battle.hits = list(self.dice), self.hits
        foe = battle.side(self.foe)
        join(foe.fighting, self.losses, -1)
        join(foe.lost, self.losses)

    def line(self) -> Text:
        if not self.hits:
            return text("{power:Begin} rolls {dice}: no hit.", power=self.power, dice=self.dice)
        return text("{power:Begin} rolls {dice}: {hits}. {foe:Begin} loses {losses}.", power=self.power, dice=self.dice,
                    foe=self.foe,
                    hits=count(self.hits, "{n} hit", "{n} hits"), losses=force(self.losses))


# --- what is possible -----------------------------------------------------------------------------------------

def battle_of(s: State) -> Battle:
    assert s.battle is not None, "no battle is fought"
    return s.battle


def cap(s: State) -> int:
    """The most units that a side may have in battle after reinforcement in this round [ATK-7.1.3, 7.3.1]."""
    numbers = s.parts.numbers
    return numbers.first_round_cap + numbers.cap_step_per_round * max(0, battle_of(s).round - 1)


def must_bring(s: State, side: Side) -> tuple[int, int]:
    """The least and the most units that a side brings now: line-ups are full, and somebody is in battle.

    Rule: ATK-7.1.3, 7.3.2 to 7.3.4
    """
    most = min(cap(s) - size(side.fighting), size(side.reserve))
    if not battle_of(s).half:
        return most, most
    return min(most, int(not side.fighting)), most


def selections(s: State, side: Side) -> list[tuple[int, ...]]:
    """Return what a side could bring now, in the order of `UNITS`: all, or if that is too much, with few numbers of each type."""
    have, (least, most) = tuple(side.reserve.get(unit, 0) for unit in UNITS), must_bring(s, side)
    listed = list(islice(_parted(have, least, most, LISTED), LISTED + 1))
    return listed if len(listed) <= LISTED else list(_parted(have, least, most, FEW))


def _parted(have: tuple[int, ...], least: int, most: int, room: int) -> Iterator[tuple[int, ...]]:
    """So many units, at least and at most, of those that there are of each type, with so many numbers of each at most."""
    if not have:
        yield ()
        return
    mine, *others = have
    for n in spread(max(0, least - sum(others)), min(mine, most), room):
        for rest in _parted(tuple(others), max(0, least - n), most - n, room):
            yield n, *rest


def has_choice(s: State, side: Side) -> bool:
    have, (least, most) = tuple(side.reserve.get(unit, 0) for unit in UNITS), must_bring(s, side)
    return len(list(islice(_parted(have, least, most, FEWEST), 2))) > 1


class Bring(Action):
    """Bring up units from your reserve."""

    verb: ClassVar[str] = "bring"
    open_ended: ClassVar[bool] = True
    bounded: ClassVar[bool] = True
    infantry: int = Field(default=0, ge=0, description="How many infantry?")
    tank: int = Field(default=0, ge=0, description="How many tanks?")
    artillery: int = Field(default=0, ge=0, description="How many artillery?")
    plane: int = Field(default=0, ge=0, description="How many planes?")

    @property
    def units(self) -> Force:
        return {unit: number for unit in UNITS if (number := getattr(self, unit))}

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Bring]:
        for numbers in selections(s, battle_of(s).acting):
            yield cls.of(*numbers) if max(numbers) <= USUAL_NUMBER else cls(**dict(zip(UNITS, numbers)))

    def check(self, s: State, seat: Seat) -> None:
        side = battle_of(s).acting
        least, most = must_bring(s, side)
        for unit, number in self.units.items():
            if number > side.reserve.get(unit, 0):
                raise Illegal("In reserve: {units}.", rule="ATK-7.3.1", units=force(side.reserve))
        if size(self.units) > most:
            raise Illegal("There is room for only {units} more this round.", rule="ATK-7.3.2",
                          units=count(most, "{n} unit", "{n} units"))
        if size(self.units) < least and battle_of(s).half:
            raise Illegal("You have no unit in battle. Bring up at least one.", rule="ATK-7.3.3")
        if size(self.units) < least:
            raise Illegal("You line up {units}.", rule="ATK-7.1.3", units=count(least, "{n} unit", "{n} units"))

    def label(self) -> Text:
        return force(self.units)


def usual_bring(s: State, seat: Seat) -> Bring:
    """The default of D-09 to D-11 and D-13: up to the cap, by the policy of the line-up or by Mixed [ATK-21.3.1]."""
    battle = battle_of(s)
    side = battle.acting
    brought = bring_first(side.first, side.reserve, side.fighting, must_bring(s, side)[1], line_up=not battle.half)
    return Bring.of(*(brought.get(unit, 0) for unit in UNITS))


# --- the script -----------------------------------------------------------------------------------------------

def land_battle(g: Game[State]) -> Script[bool]:
    """Line-ups, then rounds until one side has no unit left; whether the attacker won [ATK-7.1.3, 7.2.1, 7.7.1 to 7.7.6]."""
    s, battle = g.state, battle_of(g.state)
    for side, point in ((battle.attacker, "D-09"), (battle.defender, "D-10")):
        yield from bring(g, side, point, line_up=True)
    number = 0
    while True:
        number += 1
        for half in ("defender", "attacker"):
            g.emit(HalfBegun(round=number, half=half))
            side = battle_of(s).acting
            foe = battle_of(s).foe(side)
            if must_bring(s, side)[1]:
                yield from bring(g, side, "D-11", line_up=False)
            yield from shoot(g, side, foe)
            if not foe.left:
                return half == "attacker"


def bring(g: Game[State], side: Side, point: str, *, line_up: bool) -> Script[None]:
    """The units that a side brings: by its commander's word or policy, or by the engine's [ATK-8.3.5, 21.3, 21.4.1]."""
    s = g.state
    battle = battle_of(s)
    foe, room, first = battle.foe(side), must_bring(s, side)[1], tuple(side.first)
    units = bring_first(first, side.reserve, side.fighting, room, line_up=line_up)
    if side.commander and has_choice(s, side):
        prompt = REINFORCING if not line_up else FACING if foe.fighting else LINING_UP
        answer = yield from ask(
            s.seat(side.commander), Bring, Policy if line_up else Keep, point=point if side.power == side.commander else "D-13",
            default=usual_bring, prompt=prompt, territory=battle.territory, n=battle.round, reserve=force(side.reserve),
            mine=force(side.fighting), theirs=force(foe.fighting), behind=force(foe.reserve))
        match answer:
            case Policy():
                first = answer.types
                units = bring_first(first, side.reserve, side.fighting, room, line_up=True)
            case Keep():
                units = bring_without(answer.kept, first, side.reserve, side.fighting, room)
            case Bring():
                units = answer.units
    g.emit(UnitsBrought(power=side.power, units=units, line_up=line_up, first=first if line_up else ()))


def shoot(g: Game[State], side: Side, foe: Side) -> Script[None]:
    """The roll, its hits and the losses of one half of a round [ATK-7.4.1 to 7.6.2]."""
    parts = g.state.parts
    number = max(parts.numbers.min_battle_dice, sum(parts.unit[unit].battle_dice * n for unit, n in side.fighting.items()))
    values = yield from roll(*[len(parts.faces)] * number, why="battle", territory=battle_of(g.state).territory,
                               round=battle_of(g.state).round, power=side.power, units=side.fighting, foe=foe.power,
                               against=foe.fighting)
    dice = tuple(parts.faces[value - 1] for value in values)
    hits = sum(min(dice.count(unit), n) for unit, n in side.fighting.items())
    left, losses = hits, Force()
    for unit in parts.numbers.casualty_order:
        if lost := min(left, foe.fighting.get(unit, 0)):
            losses[unit] = lost
            left -= lost
    g.emit(BattleRolled(power=side.power, dice=dice, hits=hits, foe=foe.power, losses=losses))
