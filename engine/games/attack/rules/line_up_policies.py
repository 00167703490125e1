"""Section 21.3: which units a side brings into a land battle by a policy, without a question."""
from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from engine.counters import add
from engine.games.attack.components import BY_VALUE, UNITS
from engine.games.attack.state import Force, State, size
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text

Wanted = Literal["infantry", "tank", "artillery", "plane", "rest"]
REST: Wanted = "rest"                                                   # in a policy: what is not named, by Mixed
BY_NUMBER = ("infantry", "plane", "tank", "artillery")          # of types with equal numbers; infantry shield the rest


def bring_mixed(reserve: Mapping[str, int], fighting: Mapping[str, int], room: int, *, line_up: bool) -> Force:
    """Mixed: a type that is not in battle, then in a line-up what is most in reserve, else infantry [ATK-21.3.1]."""
    left, brought, room = dict(reserve), Force(), min(room, size(reserve))

    def bring(unit: str, number: int) -> None:
        add(left, unit, -number)
        add(brought, unit, number)

    for new in [unit for unit in BY_VALUE if left.get(unit) and not fighting.get(unit)][:max(room, 0)]:
        bring(new, 1)
    while line_up and size(brought) < room:
        bring(max(BY_NUMBER, key=lambda kind: left.get(kind, 0)), 1)
    for unit in BY_NUMBER:
        if number := min(left.get(unit, 0), max(room, 0) - size(brought)):
            bring(unit, number)
    return brought


def bring_first(first: Sequence[str], reserve: Mapping[str, int], fighting: Mapping[str, int], room: int, *,
                line_up: bool) -> Force:
    """As many as fit of these types, one type after the other; Mixed fills what is left [ATK-21.3.2, 21.3.3]."""
    left, there, brought = dict(reserve), dict(fighting), Force()
    for unit in first:
        if number := min(left.get(unit, 0), room - size(brought)):
            for numbers, n in ((left, -number), (there, number), (brought, number)):
                add(numbers, unit, n)
    for unit, number in bring_mixed(left, there, room - size(brought), line_up=line_up).items():
        add(brought, unit, number)
    return brought


def bring_without(kept: Collection[str], first: Sequence[str], reserve: Mapping[str, int], fighting: Mapping[str, int],
                  room: int) -> Force:
    """Reinforcement that keeps types back while the side has a unit in battle, of whatever type, or another in reserve.

    Rule: ATK-21.3.4
    """
    others = {unit: number for unit, number in reserve.items() if unit not in kept}
    if not others and not fighting:
        others = dict(reserve)
    return bring_first(first, others, fighting, room, line_up=False)


class Ranked(Action):
    """Types in an order of one's own, then the rest; a type that is named twice counts once, where it is named first."""

    ranked: ClassVar[tuple[str, ...]]       # the types that there are
    rule: ClassVar[str]                     # that gives such orders
    first: str = REST
    second: str = REST
    third: str = REST

    @model_validator(mode="before")
    @classmethod
    def _named_once(cls, values: Any) -> Any:
        fields = ("first", "second", "third")
        named = [values.get(field, REST) for field in fields]
        if all(isinstance(kind, str) for kind in named) and any(
                kind != REST and kind in named[:place] for place, kind in enumerate(named)):
            return {**values, **dict(zip(fields, [*dict.fromkeys(named), REST, REST]))}
        return values

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(kind for kind in (self.first, self.second, self.third) if kind != REST)

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Self]:
        """No type first, then every order of one, two or three types."""
        yield cls.of(REST, REST, REST)
        for number in (1, 2, 3):
            for types in permutations(cls.ranked, number):
                yield cls.of(*types, *[REST] * (3 - number))

    def check(self, s: State, seat: Seat) -> None:
        if self.first == REST != self.second or self.second == REST != self.third:
            raise Illegal("Choose which types come first. The rest follow.", rule=self.rule)


class Policy(Ranked):
    """Line up by a plan, for reinforcements too: types you choose first, then mixed."""

    verb: ClassVar[str] = "policy"
    ranked: ClassVar[tuple[str, ...]] = UNITS
    rule: ClassVar[str] = "ATK-21.3.3"
    first: Wanted = Field(default="rest", description="What comes first?")
    second: Wanted = Field(default="rest", description="What comes next?")
    third: Wanted = Field(default="rest", description="What comes after that?")

    def label(self) -> Text:
        return text("{types}, then the rest", types=self.types) if self.types else text("Mixed")


class Keep(Action):
    """Keep some types in reserve while others can fight, and bring up the rest."""

    verb: ClassVar[str] = "keep"
    kept: tuple[str, ...] = Field(default=(), description="Which types stay in reserve?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Keep]:
        types = _in_reserve(s)
        return (cls.of(kept) for number in range(len(types) + 1) for kept in combinations(types, number))

    def check(self, s: State, seat: Seat) -> None:
        if self.kept != tuple(unit for unit in _in_reserve(s) if unit in self.kept):
            raise Illegal("Choose types from your reserve, each once, in this order: {units}.",
                          rule="ATK-21.3.4", units=tuple(_in_reserve(s)))

    def label(self) -> Text:
        return text("Keep {types} in reserve", types=self.kept) if self.kept else text("Bring up all that fit")


def _in_reserve(s: State) -> list[str]:
    assert s.battle is not None, "no battle is fought"
    reserve = s.battle.acting.reserve
    return [unit for unit in UNITS if reserve.get(unit)]
