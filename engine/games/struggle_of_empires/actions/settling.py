"""Settling: colonists, and the markers of the Africa trade (chapter 10)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from engine.games.struggle_of_empires.actions.shared import price, require_action
from engine.games.struggle_of_empires.rules.special_actions import require_special, special_left
from engine.games.struggle_of_empires.state import State
from engine.games.struggle_of_empires.words.names import COMMERCE, COMMERCE_LABEL
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text


class Colonise(Action):
    """Colonise: replace a colonist marker with your control marker."""

    verb: ClassVar[str] = "colonise"
    area: str = Field(description="Which area do you colonise?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Colonise]:
        power = s.power(seat)
        if s.turn.actions > 0 and special_left(s, "settling") and s.population[power] > 0 and s.marker_supply(power) > 0:
            for area in areas_with(s, "pop"):
                yield cls.of(area)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_settling(s, power, self.area, "pop")
        if s.population[power] < 1:
            raise Illegal("You have no population left to colonise with; it takes 1.", rule="SOE-10.1.1")

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        require_settler(s, s.power(seat))
        require_place(s, "pop")
        raise Illegal("You have no population left to colonise with; it takes 1.", rule="SOE-10.1.1")

    def label(self) -> Text:
        return text("Colonise {area:the}", area=self.area)

    def cost(self, s: State, seat: Seat) -> Text | None:
        return price(s, s.power(seat), population=1)


class Enslave(Action):
    """Replace an Africa trade marker with your control marker; you need a navy in Africa."""

    verb: ClassVar[str] = "enslave"
    area: str = Field(description="In which area?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Enslave]:
        power = s.power(seat)
        if (s.turn.actions > 0 and special_left(s, "settling") and s.marker_supply(power) > 0
                and s.navies(power, s.parts.numbers.slaves_need_ship_in)):
            for area in areas_with(s, "slaves"):
                yield cls.of(area)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_settling(s, power, self.area, "slaves")
        require_slaver(s, power)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_settler(s, power)
        require_place(s, "slaves")
        require_slaver(s, power)

    def label(self) -> Text:
        return text("{commerce} in {area:the}", commerce=COMMERCE_LABEL, area=self.area)


def areas_with(s: State, face: str) -> list[str]:
    return [area for area, markers in s.neutrals.items() if any(s.parts.neutral[marker].kind == face for marker in markers)]


def require_slaver(s: State, power: str) -> None:
    needed = s.parts.numbers.slaves_need_ship_in
    if not s.navies(power, needed):
        raise Illegal("You have no navy in {area:the}. You need one there for {commerce}.", rule="SOE-10.1.2", area=needed,
                      commerce=COMMERCE)


def require_settler(s: State, power: str) -> None:
    """Whoever colonises or enslaves has an action and a control marker for it."""
    require_action(s)
    require_special(s, "settling")
    if s.marker_supply(power) < 1:
        raise Illegal("You have no control marker left to place.", rule="SOE-1.1.11")


def require_place(s: State, face: str) -> None:
    if not areas_with(s, face):
        raise Illegal("No area has any {marker} now.", rule="SOE-10.1.1" if face == "pop" else "SOE-10.1.2", marker=face)


def require_settling(s: State, power: str, area: str, face: str) -> None:
    require_settler(s, power)
    if area not in areas_with(s, face):
        raise Illegal("{area:The} has no {marker}.", rule="SOE-10.1.1" if face == "pop" else "SOE-10.1.2", area=area, marker=face)
