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
    """Choose the power that you will play."""

    verb: ClassVar[str] = "choose"
    power: str = Field(description="A power that nobody has chosen, or random")

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Choose]:
        free = [power for power in s.parts.powers if power not in s.powers]
        return [cls.of(power) for power in (free if len(free) == 1 else [*free, RANDOM])]

    def check(self, s: State, seat: Seat) -> None:
        if self.power not in s.parts.powers and (self.power != RANDOM or sum(map(bool, s.powers)) == len(s.parts.powers) - 1):
            raise Illegal("There is no power {power}.", rule="SOE-1.1.1", power=self.power)
        if self.power in s.powers:
            raise Illegal("{power} is taken; choose another power.", rule="SOE-2.1.5", power=self.power)

    def label(self) -> Text:
        return text("{power}", power=self.power)


class Place(Action):
    """Place one of your five starting units."""

    verb: ClassVar[str] = "place"
    unit: Unit = Field(description="Army, navy or fort")
    area: str = Field(description="Any area; a navy needs a sea area")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Place]:
        power = s.power(seat)
        for unit in ("army", "navy", "fort"):
            if s.supply(power, unit) > 0:
                for area in (s.parts.seas if unit == "navy" else s.parts.area):
                    yield cls.of(unit, area)

    def check(self, s: State, seat: Seat) -> None:
        if self.area not in s.parts.area:
            raise Illegal("Starting units go to one of the eleven areas, and {area} is none.", rule="SOE-2.2.7", area=self.area)
        if self.unit == "navy" and self.area not in s.parts.seas:
            raise Illegal("{area} never holds navies.", rule="SOE-2.2.5", area=self.area)
        require_supply(s, s.power(seat), self.unit)

    def label(self) -> Text:
        return text("{unit} in {area}", unit=a_unit(self.unit), area=self.area)


class Redraw(Action):
    """Put back one of your first markers; as many as you put back are drawn again."""

    verb: ClassVar[str] = "redraw"
    typed: ClassVar[bool] = False
    area: str = Field(description="Where it put a control marker")
    marker: str = Field(description="What it shows")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Redraw]:
        drawn = [s.parts.neutral[marker] for marker in s.first_draw[s.power(seat)]]
        for area, face in dict.fromkeys((marker.area, marker.face) for marker in drawn):
            yield cls.of(area, face)

    def check(self, s: State, seat: Seat) -> None:
        if not self.put_back(s, s.power(seat)):
            raise Illegal("You have drawn no {marker} of {area}, or have put it back already.", rule="SOE-2.1.9",
                          marker=self.marker, area=self.area)

    def put_back(self, s: State, power: str) -> str:
        """The marker that is meant, or ""; equal ones are interchangeable."""
        return next((marker for marker in s.first_draw[power] if s.parts.neutral[marker].area == self.area
                     and s.parts.neutral[marker].face == self.marker), "")

    def label(self) -> Text:
        return text("Put back {area}: {marker}", area=self.area, marker=self.marker)
