"""What happens to gold, population, points and unrest (chapter 3), and gifts (16)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.games.struggle_of_empires.events.minor import AllianceFormed
from engine.games.struggle_of_empires.events.tiles import TileTaken
from engine.games.struggle_of_empires.events.words import gold
from engine.games.struggle_of_empires.rules.unrest_bag import CAUSES
from engine.games.struggle_of_empires.state import State
from engine.kernel import Event, Seat
from engine.kernel.events import silent
from engine.kernel.model import later
from engine.text import Text, count, text


class GoldPaid(Event):
    """A debt was paid, first from the gold in hand [SOE-3.1.3]; how much was taxed is not told [section S]."""

    power: str
    gold: int
    taxed: int              # gold that taxation brought

    def apply(self, s: State) -> None:
        s.gold[self.power] += self.taxed - self.gold

    def line(self) -> Text | None:
        return text("{power:The} pays {gold}.", power=self.power, gold=gold(self.gold)) if self.gold else None

    def commentary(self, following: Sequence[Event]) -> tuple[Sequence[Text], int]:
        """"Prussia buys Banking (4 gold)."."""
        quiet = silent(following)
        bought = following[quiet] if quiet < len(following) else None
        if not isinstance(bought, TileTaken | AllianceFormed) or not self.gold:
            return super().commentary(following)
        return (bought.bought_for(self.gold),), quiet + 1


class GoldTaken(Event):
    power: str
    gold: int
    tile: str = ""

    def apply(self, s: State) -> None:
        s.gold[self.power] += self.gold

    def line(self) -> Text:
        if self.tile:
            return text("{power:The} collects {gold} with {tile:the}.", power=self.power, gold=gold(self.gold), tile=self.tile)
        return text("{power:The} collects {gold}.", power=self.power, gold=gold(self.gold))


class UnrestChanged(Event):
    """Secret: no line for everybody [SOE-3.3.5, 21.1.1]."""

    power: str
    by: int
    total: int              # afterwards
    cause: str

    def apply(self, s: State) -> None:
        s.unrest[self.power] = self.total

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        change = text("+{n}", n=self.by) if self.by >= 0 else text("{n}", n=self.by)
        return {s.seat(self.power): text("{cause}: unrest {change}, now {total}.", cause=CAUSES[self.cause],
                                         change=change, total=self.total)}


class PopulationPaid(Event):
    power: str
    population: int

    def apply(self, s: State) -> None:
        s.population[self.power] -= self.population


class PointsGained(Event):
    power: str
    points: int
    tile: str = ""

    def apply(self, s: State) -> None:
        s.points[self.power] += self.points

    def line(self) -> Text:
        points = count(self.points, "{n} victory point", "{n} victory points")
        if self.tile:
            return text("{power:The} gains {points} with {tile:the}.", power=self.power, points=points, tile=self.tile)
        return text("{power} gains {points}.", power=self.power, points=points)


class GoldGiven(Event):
    giver: str
    receiver: str
    gold: int
    secret: bool = later(default=False)          # only the two of them are told [AMB-65]

    def apply(self, s: State) -> None:
        s.gold[self.giver] -= self.gold
        s.gold[self.receiver] += self.gold

    def line(self) -> Text | None:
        return None if self.secret else self._told()

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(power): self._told() for power in (self.giver, self.receiver)} if self.secret else {}

    def _told(self) -> Text:
        return text("{giver:The} gives {receiver:the} {gold}.", giver=self.giver, receiver=self.receiver, gold=gold(self.gold))
