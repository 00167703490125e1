"""The answers of the setup: a power, the starting units, first markers put back to be drawn anew (chapter 2)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from engine.games.struggle_of_empires.actions.shared import require_supply
from engine.games.struggle_of_empires.components import Unit
from engine.games.struggle_of_empires.events import a_unit
from engine.games.struggle_of_empires.state import State
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text

RANDOM = "random"


class Choose(Action):
    """Choose the power you'll play."""

    verb: ClassVar[str] = "choose"
    power: str = Field(description="Which power? (or random)")

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Choose]:
        free = [power for power in s.parts.powers if power not in s.powers]
        return [cls.of(power) for power in (free if len(free) == 1 else [*free, RANDOM])]

    def check(self, s: State, seat: Seat) -> None:
        if self.power not in s.parts.powers and (self.power != RANDOM or sum(map(bool, s.powers)) == len(s.parts.powers) - 1):
            raise Illegal("There is no power {power}.", rule="SOE-1.1.1", power=self.power)
        if self.power in s.powers:
            raise Illegal("{power:The} is taken. Choose another power.", rule="SOE-2.1.5", power=self.power)

    def label(self) -> Text:
        return text("{power}", power=self.power)


class Place(Action):
    """Place one of your five starting units."""

    verb: ClassVar[str] = "place"
    unit: Unit = Field(description="Which unit?")
    area: str = Field(description="In which area? (a navy needs a sea)")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Place]:
        power = s.power(seat)
        for unit in ("army", "navy", "fort"):
            if s.supply(power, unit) > 0:
                for area in (s.parts.seas if unit == "navy" else s.parts.area):
                    yield cls.of(unit, area)

    def check(self, s: State, seat: Seat) -> None:
        if self.area not in s.parts.area:
            raise Illegal("You can't start in {area:the}. Starting units go to the eleven areas.", rule="SOE-2.2.7",
                          area=self.area)
        if self.unit == "navy" and self.area not in s.parts.seas:
            raise Illegal("Navies can't enter {area:the}.", rule="SOE-2.2.5", area=self.area)
        require_supply(s, s.power(seat), self.unit)

    def label(self) -> Text:
        return text("Place {unit} in {area:the}", unit=a_unit(self.unit), area=self.area)


class Redraw(Action):
    """Put back one of your first markers. You draw as many again."""

    verb: ClassVar[str] = "redraw"
    area: str = Field(description="In which area?")
    marker: str = Field(description="Which marker?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Redraw]:
        drawn = [s.parts.neutral[marker] for marker in s.first_draw[s.power(seat)]]
        for area, face in dict.fromkeys((marker.area, marker.face) for marker in drawn):
            yield cls.of(area, face)

    def check(self, s: State, seat: Seat) -> None:
        if not self.put_back(s, s.power(seat)):
            raise Illegal("You have no {marker} of {area:the} to put back.", rule="SOE-2.1.9",
                          marker=self.marker, area=self.area)

    def put_back(self, s: State, power: str) -> str:
        """The marker that is meant, or ""; equal ones are interchangeable."""
        return next((marker for marker in s.first_draw[power] if s.parts.neutral[marker].area == self.area
                     and s.parts.neutral[marker].face == self.marker), "")

    def label(self) -> Text:
        return text("Put back {area:the}: {marker}", area=self.area, marker=self.marker)
