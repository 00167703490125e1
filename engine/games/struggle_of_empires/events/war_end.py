"""What happens at the end of a war and of the game (chapters 17, 18)."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from engine.counters import add
from engine.games.struggle_of_empires.events.money import GoldPaid
from engine.games.struggle_of_empires.events.words import gold
from engine.games.struggle_of_empires.state import State
from engine.kernel import Event
from engine.kernel.model import later
from engine.text import Fact, Text, count, text


class IncomeTaken(Event):
    power: str
    population: int
    markers: int

    def apply(self, s: State) -> None:
        s.gold[self.power] += self.population + self.markers

    def line(self) -> Text:
        return text("{power:The} collects {gold} in income.", power=self.power, gold=gold(self.population + self.markers))

    def commentary(self, following: Sequence[Event]) -> tuple[Sequence[Text], int]:
        """The income of all in one line, and in a second one the upkeep that is paid right after it."""
        incomes = [self, *takewhile(lambda event: isinstance(event, IncomeTaken), following)]
        after = following[len(incomes) - 1:]
        upkeep = list(takewhile(lambda event: isinstance(event, GoldPaid) or _unseen(event), after))
        taken = [(one.power, one.population + one.markers) for one in incomes if isinstance(one, IncomeTaken)]
        told = [text("Income: {taken}.", taken=_each(taken))]
        if paid := [(one.power, one.gold) for one in upkeep if isinstance(one, GoldPaid)]:
            told.append(text("Upkeep: {paid}.", paid=_each(paid)))
        return told, len(incomes) - 1 + len(upkeep)


def _each(amounts: Iterable[tuple[str, int]]) -> tuple[Fact, ...]:
    return tuple([text("{power} {gold}", power=power, gold=gold(amount)) for power, amount in amounts])


def _unseen(event: Event) -> bool:
    """True if a fact of paying is nobody else's business: what the population does comes after it."""
    return event.line() is None and not isinstance(event, PopulationGrown)


class PopulationGrown(Event):
    power: str
    population: int         # afterwards

    def apply(self, s: State) -> None:
        s.population[self.power] = self.population


class AreaScored(Event):
    area: str
    points: dict[str, int]
    npp_points: dict[str, int] = later(default={})       # of non-player powers, for information (SOE-19.3.4)

    def apply(self, s: State) -> None:
        for power, points in self.points.items():
            s.points[power] += points
        for power, points in self.npp_points.items():
            add(s.npp_points, power, points)

    def line(self) -> Text | None:
        gains, theirs = (tuple(text("{power} {points}", power=power, points=number) for power, number in points.items())
                         for points in (self.points, self.npp_points))
        if not theirs:
            return text("Points in {area:the}: {gains}.", area=self.area, gains=gains) if gains else None
        if not gains:
            return text("Points in {area:the}: none for players. Non-player powers: {theirs}.", area=self.area, theirs=theirs)
        return text("Points in {area:the}: {gains}; non-player powers: {theirs}.", area=self.area, gains=gains, theirs=theirs)

    def commentary(self, following: Sequence[Event]) -> tuple[Sequence[Text], int]:
        """The points of all areas together, a line for each player; those of non-player powers in one line more."""
        areas = [self, *(event for event in takewhile(lambda event: isinstance(event, AreaScored), following)
                         if isinstance(event, AreaScored))]
        gains, theirs = dict[str, list[Text]](), dict[str, int]()
        for one in areas:
            for power, points in one.points.items():
                gains.setdefault(power, []).append(text("{points} in {area:the}", points=points, area=one.area))
            for power, points in one.npp_points.items():
                add(theirs, power, points)
        told = [text("{power:The} scores {points}: {areas}.", power=power, areas=tuple(parts),
                     points=count(sum(one.points.get(power, 0) for one in areas), "{n} point", "{n} points"))
                for power, parts in gains.items()]
        if theirs:
            told.append(text("Non-player powers score {theirs}.", theirs=tuple(
                text("{power} {points}", power=power, points=points) for power, points in theirs.items())))
        return told, len(areas) - 1


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
        return text("{power:The} collapses and drops to 0 victory points.", power=self.power)


class Penalised(Event):
    power: str
    points: int

    def apply(self, s: State) -> None:
        s.points[self.power] -= self.points
        s.penalties[self.power] = self.points

    def line(self) -> Text:
        return count(self.points, "{power:The} loses {n} victory point for unrest.",
                     "{power:The} loses {n} victory points for unrest.",
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
            return text("{winner:The} wins the game.", winner=self.winners[0])
        return text("{winners:The} share the victory.", winners=self.winners)
