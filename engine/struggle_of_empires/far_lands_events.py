"""What happens on a crossing that gold may mend (8.4)."""
from __future__ import annotations

from engine.kernel import Event
from engine.struggle_of_empires.state import State
from engine.text import Text, text


class FarLandsThrown(Event):
    """The Far Lands die was thrown [SOE-8.4.1]."""

    power: str
    face: str

    def line(self) -> Text:
        return text("{power} throws {face} with the Far Lands die.", power=self.power, face=self.face)


class MendingDue(Event):
    """The owner of the unit may pay for a better result [SOE-8.4.3, 8.4.4]."""

    face: str

    def apply(self, s: State) -> None:
        s.turn.failed = self.face


class MendingDone(Event):
    """The result of the crossing stands [SOE-8.4.5]."""

    power: str
    before: str
    result: str

    def apply(self, s: State) -> None:
        s.turn.failed = ""

    def line(self) -> Text | None:
        if self.result == self.before:
            return None
        if self.result == "ok":
            return text("{power} mends the crossing, so the unit arrives.", power=self.power)
        return text("{power} mends the crossing, so the unit is not lost.", power=self.power)
