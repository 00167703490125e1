"""The variant of the setup in which players may draw some of their first markers anew (SOE-2.1.9)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.struggle_of_empires.state import State
from engine.text import Text, text


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


ALL: tuple[type[Action], ...] = (Redraw,)
