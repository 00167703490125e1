"""What happens to non-player powers alone (chapter 19)."""
from __future__ import annotations

from engine.kernel import Event
from engine.struggle_of_empires.state import State
from engine.text import Text, text


class NonPlayerPlaced(Event):
    """A non-player power has its armies and control markers, one of each in an area at most [SOE-19.1.4 to 19.1.9]."""

    power: str
    armies: tuple[str, ...]         # areas
    markers: tuple[str, ...]        # areas
    gone: tuple[str, ...]           # the neutral markers that gave way to control markers; others are in the bag again

    def apply(self, s: State) -> None:
        s.npps.append(self.power)
        s.units[self.power] = {"army": dict.fromkeys(self.armies, 1), "navy": {}, "fort": {}}
        s.markers[self.power] = dict.fromkeys(self.markers, 1)
        for marker in self.gone:
            s.bag.remove(marker)
        s.discard(*self.gone)

    def line(self) -> Text:
        if self.armies == self.markers:
            return text("{power} is a non-player power, with an army and a control marker each in {areas}.", power=self.power,
                        areas=self.armies)
        held = [text("armies in {areas}", areas=self.armies)] if self.armies else []
        if self.markers:
            held.append(text("control markers in {areas}", areas=self.markers))
        return text("{power} is a non-player power, with {held}.", power=self.power, held=tuple(held) or text("nothing"))
