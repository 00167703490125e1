"""What happens at the end of a war and of the game (chapters 17, 18)."""
from __future__ import annotations

from pydantic import Field

from engine.counters import add
from engine.games.struggle_of_empires.events.words import gold
from engine.games.struggle_of_empires.state import State, unused
from engine.kernel import Event
from engine.text import Text, count, text


class IncomeTaken(Event):
    power: str
    population: int
    markers: int

    def apply(self, s: State) -> None:
        s.gold[self.power] += self.population + self.markers

    def line(self) -> Text:
        return text("{power} collects {gold} in income.", power=self.power, gold=gold(self.population + self.markers))


class PopulationGrown(Event):
    power: str
    population: int         # afterwards

    def apply(self, s: State) -> None:
        s.population[self.power] = self.population


class AreaScored(Event):
    area: str
    points: dict[str, int]
    npp_points: dict[str, int] = Field({}, exclude_if=unused)       # of non-player powers, for information (SOE-19.3.4)

    def apply(self, s: State) -> None:
        for power, points in self.points.items():
            s.points[power] += points
        for power, points in self.npp_points.items():
            add(s.npp_points, power, points)

    def line(self) -> Text | None:
        gains, theirs = (tuple(text("{power} {points}", power=power, points=number) for power, number in points.items())
                         for points in (self.points, self.npp_points))
        if not theirs:
            return text("{area}: {gains}.", area=self.area, gains=gains) if gains else None
        if not gains:
            return text("{area}: only non-player powers score, {theirs}.", area=self.area, theirs=theirs)
        return text("{area}: {gains}; non-player powers: {theirs}.", area=self.area, gains=gains, theirs=theirs)


class WarEnded(Event):
    war: int
    last: str               # last player of the turn order, who opens the next war's first auction
    opener: int
    over: bool

    def apply(self, s: State) -> None:
        s.used = {power: {} for power in s.used}
        for tiles in s.tiles.values():
            for tile in s.parts.alliances:
                if held := tiles.pop(tile.id, 0):
                    add(s.stock, tile.id, held)
        for owners in s.blockades.values():
            add(s.stock, s.parts.by_effect["blockade"], len(owners))
        s.blockades, s.local_alliances = {}, {}
        s.opener, s.place, s.round = self.opener, 0, 0
        if self.over:
            s.phase = "reckoning"
            return
        s.row_a, s.row_b, s.order = [], [], []
        s.war, s.phase = self.war + 1, "neutrals"

    def line(self) -> Text:
        return text("War {war} is over.", war=self.war)


class UnrestRevealed(Event):
    """The end: all unrest is revealed [SOE-18.1.1]."""

    unrest: dict[str, int]

    def line(self) -> Text:
        return text("Unrest is revealed: {unrest}.", unrest=tuple(
            text("{power} {n}", power=power, n=n) for power, n in self.unrest.items()))


class Collapsed(Event):
    power: str

    def apply(self, s: State) -> None:
        s.points[self.power] = 0
        s.collapsed.append(self.power)

    def line(self) -> Text:
        return text("{power} collapses and drops to 0 victory points.", power=self.power)


class Penalised(Event):
    power: str
    points: int

    def apply(self, s: State) -> None:
        s.points[self.power] -= self.points
        s.penalties[self.power] = self.points

    def line(self) -> Text:
        return count(self.points, "{power} loses {n} victory point for unrest.", "{power} loses {n} victory points for unrest.",
                     power=self.power)


class GameEnded(Event):
    ranking: tuple[str, ...]
    winners: tuple[str, ...]

    def apply(self, s: State) -> None:
        s.ranking, s.winners, s.phase = list(self.ranking), list(self.winners), "over"

    def line(self) -> Text:
        if not self.winners:
            return text("Every power has collapsed: nobody wins.")
        if len(self.winners) == 1:
            return text("{winner} wins the game.", winner=self.winners[0])
        return text("{winners} share the victory.", winners=self.winners)
