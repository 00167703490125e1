"""What happens when a first marker is put back (SOE-2.1.9)."""
from __future__ import annotations

from engine.kernel import Event
from engine.struggle_of_empires.state import State
from engine.text import Text, text


class MarkerPutBack(Event):
    """A marker of a player's first draw is in the bag again, and the control marker that it brought is off the map."""

    power: str
    marker: str
    area: str
    face: str

    def apply(self, s: State) -> None:
        held = s.markers[self.power]
        held[self.area] -= 1
        if not held[self.area]:
            del held[self.area]
        s.first_draw[self.power].remove(self.marker)
        if self.marker in s.display:
            s.display.remove(self.marker)
        inside = {*s.bag, self.marker}
        s.bag = [marker for marker in s.parts.neutral if marker in inside]

    def line(self) -> Text:
        return text("{power} puts back a marker of {area}: {face}.", power=self.power, area=self.area, face=self.face)
