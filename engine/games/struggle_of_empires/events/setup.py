"""What happens in the setup (chapter 2), to neutral markers (4.2), and when non-player powers are placed (19)."""
from __future__ import annotations

from collections import Counter

from engine.counters import add
from engine.games.struggle_of_empires.events.words import a_unit
from engine.games.struggle_of_empires.state import State
from engine.kernel import Event
from engine.text import Text, count, text


class NeutralsPlaced(Event):
    """Markers drawn from the bag lie in their areas [SOE-2.1.2, 4.2.2]."""

    markers: tuple[str, ...]

    def apply(self, s: State) -> None:
        for marker in self.markers:
            s.bag.remove(marker)
            s.neutrals[s.parts.neutral[marker].area].append(marker)

    def line(self) -> Text:
        return count(len(self.markers), "{n} neutral marker is placed on the map.", "{n} neutral markers are placed on the map.")


class FirstPlayerFound(Event):
    seat: str
    index: int

    def apply(self, s: State) -> None:
        s.first = s.opener = self.index
        s.phase = "powers"

    def line(self) -> Text:
        return text("Seat {n} is the first player.", n=self.index + 1)


class PowerChosen(Event):
    seat: str
    power: str
    index: int

    def apply(self, s: State) -> None:
        if not s.powers:
            s.powers = [""] * len(s.seats)
        s.powers[self.index] = self.power
        start = s.parts.set_up(len(s.seats))
        s.markers[self.power] = {}
        s.units[self.power] = {"army": {}, "navy": {}, "fort": {}}
        s.tiles[self.power], s.used[self.power] = {}, {}
        s.gold[self.power], s.population[self.power] = start.start_gold, start.start_population
        s.points[self.power], s.unrest[self.power] = start.start_vp, 0

    def line(self) -> Text:
        return text("Seat {n} plays {power:the}.", n=self.index + 1, power=self.power)


class StartDrawn(Event):
    """A player's first control markers, one in the area of each marker drawn [SOE-2.1.6]."""

    power: str
    markers: tuple[str, ...]
    areas: tuple[str, ...]

    def apply(self, s: State) -> None:
        for marker, area in zip(self.markers, self.areas):
            s.bag.remove(marker)
            add(s.markers[self.power], area, 1)
        s.discard(*self.markers)
        if s.options.setup.redraw:
            s.first_draw.setdefault(self.power, []).extend(self.markers)

    def line(self) -> Text:
        return text("{power:The} has {markers}.", power=self.power, markers=_markers(self.areas))


def _markers(areas: tuple[str, ...]) -> Text:
    """Control markers with their areas: "control markers in India and Baltic", "2 control markers in India and 1 in Baltic"."""
    held = Counter(areas)
    if len(held) == len(areas) > 1:
        return text("control markers in {areas:the}", areas=areas)
    (area, number), *others = held.items()
    first = count(number, "{n} control marker in {area:the}", "{n} control markers in {area:the}", area=area)
    more = tuple(text("{n} in {area:the}", n=n, area=where) for where, n in others)
    return text("{markers}", markers=(first, *more))


class PlacingBegun(Event):
    def apply(self, s: State) -> None:
        s.phase, s.first_draw = "placing", {}


class UnitPlaced(Event):
    power: str
    unit: str
    area: str

    def apply(self, s: State) -> None:
        add(s.units[self.power][self.unit], self.area, 1)

    def line(self) -> Text:
        return text("{power:The} places {unit} in {area:the}.", power=self.power, unit=a_unit(self.unit), area=self.area)


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
        return text("{power:The} puts back {face} from {area:the}.", power=self.power, area=self.area, face=self.face)


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
            return text("{power:The} is a non-player power, with an army and a control marker each in {areas:the}.",
                        power=self.power,
                        areas=self.armies)
        held = [text("armies in {areas:the}", areas=self.armies)] if self.armies else []
        if self.markers:
            held.append(text("control markers in {areas:the}", areas=self.markers))
        return text("{power:The} is a non-player power, with {held}.", power=self.power, held=tuple(held) or text("nothing"))
