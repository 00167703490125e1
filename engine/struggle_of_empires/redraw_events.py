"""What happens when a first marker is put back (SOE-2.1.9)."""
from __future__ import annotations

from engine.kernel import Event
from engine.struggle_of_empires.state import State
from engine.text import Text, text


class MarkerPutBack(Event):
    """A marker of a player's first draw is in the bag again, and the control marker that it brought is off the map."""

    power: str
    marker: str

    def apply(self, s: State) -> None:
        held, area = s.markers[self.power], s.parts.neutral[self.marker].area
        held[area] -= 1
        if not held[area]:
            del held[area]
        s.first_draw[self.power].remove(self.marker)
        if self.marker in s.display:
            s.display.remove(self.marker)
        inside = {*s.bag, self.marker}
        s.bag = [marker for marker in s.parts.neutral if marker in inside]

    def line(self) -> Text:
        return text("{power} puts back a marker.", power=self.power)
