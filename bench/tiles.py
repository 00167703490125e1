"""What buying a tile of Struggle of Empires brings in points, price and action counted: chance gives players tastes for tiles.

What players buy tells little of its worth, since whoever does well can also afford more, and what a player makes of it is what is
to be judged. A taste that chance gives has no such reason. The points that come of the taste, divided by the purchases that come
of it, are what a purchase brings: the taste is an instrumental variable. To keen players the tile seems worth more until they
have it; averse ones never buy it; all others as they see fit. If the interval is above 0, the tile is always worth its price, if
it is below 0, never.
"""
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, TypeAlias

from bench.policy import Choice, seated
from engine.games.struggle_of_empires.actions import Take
from engine.games.struggle_of_empires.components import Parts
from engine.games.struggle_of_empires.events import TileTaken
from engine.games.struggle_of_empires.judgement import RUIN, Mind
from engine.games.struggle_of_empires.player import best
from engine.games.struggle_of_empires.state import State
from engine.games.struggle_of_empires.strong_player import Strategist
from engine.kernel import Action, Position, Rng, Seat, Table

NORMAL = 1.96               # standard errors on either side of a mean, for 95 %
KEENNESS = 1.5              # points that a tile seems to be worth more to whoever is keen on it
KEEN = AVERSE = 0.15        # of the players, each tile by itself

Taste: TypeAlias = Mapping[str, int]
"""Tile, by its name, to 1 if a player is keen on it, -1 if it will never buy it; all others as it sees fit."""


@dataclass(frozen=True)
class Mean:
    """The mean of a figure over so many games, and how far its 95 % interval reaches on either side."""

    mean: float
    off: float
    games: int


@dataclass(frozen=True)
class Outcome:
    """The tastes in a game, what was bought, and the points; all by seat."""

    tastes: Mapping[Seat, Taste]
    bought: Mapping[Seat, Mapping[str, int]]
    points: Mapping[Seat, float]


class Inclined(Strategist):
    """A strong player with tastes."""

    def __init__(self, s: State, power: str, taste: Taste) -> None:
        super().__init__(s, power)
        self.taste = taste

    def tile(self, id: str, area: str = "", target: str = "") -> float:
        """What a tile of the stock is worth, its price paid."""
        match self.taste.get(self.s.parts.tile[id].name, 0):
            case -1:
                return -RUIN
            case 1:
                return KEENNESS + max(0.0, super().tile(id, area, target))
        return super().tile(id, area, target)


def choice(tastes: Mapping[Seat, Taste]) -> Choice:
    """Strong players with these tastes, for one game."""
    wanted = {seat: dict(taste) for seat, taste in tastes.items()}

    def play(position: Position[State], rng: Rng) -> Action:
        taste = wanted[position.seat]

        def judged(s: State, power: str) -> Mind:
            return Inclined(s, power, taste)

        answer = best(position, rng, judged)
        if isinstance(answer, Take) and taste.get(name := position.state.parts.tile[answer.tile].name) == 1:
            del taste[name]
        return answer

    return seated(play)


def offered(parts: Parts) -> list[str]:
    """The tiles of the stock, by their names; alliances are none."""
    return [tile.name for tile in parts.tiles if tile.count and tile.kind != "alliance"]


def tastes(parts: Parts, seats: int, pick: random.Random) -> dict[Seat, Taste]:
    """The tastes of each player of a game."""
    def taste() -> Taste:
        drawn = {tile: pick.random() for tile in offered(parts)}
        return {tile: 1 if chance < KEEN else -1 for tile, chance in drawn.items() if chance < KEEN + AVERSE}

    return {Seat(f"seat_{place}"): taste() for place in range(1, seats + 1)}


def outcome(table: Table, tastes: Mapping[Seat, Taste]) -> Outcome:
    """What came of a finished game of players with these tastes."""
    s: State = table.state
    bought = {seat: Counter[str]() for seat in map(Seat, s.seats)}
    for entry in table.fresh:
        for fact in entry.events:
            if isinstance(fact, TileTaken):
                bought[s.seat(fact.power)][s.parts.tile[fact.tile].name] += 1
    return Outcome(tastes, bought, {seat: float(s.points[s.power(seat)]) for seat in bought})


def from_mean(values: Sequence[float]) -> list[float]:
    """Each value, counted from their mean."""
    middle = fmean(values)
    return [value - middle for value in values]


def worth(outcomes: Sequence[Outcome], tile: str) -> Mean | None:
    """The points that a purchase brings, and how far that may be off; None if tastes make nobody buy more or less of it."""
    keen, bought, points = list[float](), list[float](), list[float]()
    for one in outcomes:
        keen += from_mean([one.tastes[seat].get(tile, 0) for seat in one.points])
        bought += from_mean([one.bought[seat].get(tile, 0) for seat in one.points])
        points += from_mean([*one.points.values()])
    more = sum(wish * number for wish, number in zip(keen, bought))
    if not more:
        return None
    slope = sum(wish * gained for wish, gained in zip(keen, points)) / more
    left = sum((gained - slope * number) ** 2 for number, gained in zip(bought, points))
    free = max(1, len(points) - len(outcomes) - 1)      # the mean of each game is known, and the slope
    return Mean(slope, NORMAL * (left / free * sum(wish * wish for wish in keen)) ** 0.5 / abs(more), len(outcomes))


def share(outcomes: Sequence[Outcome], tile: str, taste: int) -> float:
    """The share of the players with this taste who buy a tile."""
    those = [one.bought[seat].get(tile, 0) for one in outcomes for seat in one.points if one.tastes[seat].get(tile, 0) == taste]
    return sum(number > 0 for number in those) / max(1, len(those))


def report(parts: Parts, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """What buying each tile brings, how many of the keen and of the others buy it, and its price."""
    known = [(tile, mean) for tile in offered(parts) if (mean := worth(outcomes, tile)) is not None]
    ranked = sorted(known, key=lambda item: -item[1].mean)
    prices = {tile.name: " and ".join(f"{number} {kind}" for kind, number in tile.cost.model_dump().items() if number)
              for tile in parts.tiles}
    return {"worth": {tile: [mean.mean, mean.off] for tile, mean in ranked},
            "bought": {tile: [share(outcomes, tile, taste) for taste in (1, 0)] for tile, _ in ranked}, "prices": prices}


def told(report: Mapping[str, Any]) -> Iterator[str]:
    """That as a table of Markdown, the most valuable first."""
    yield "| | brings | bought by | price |\n|---|---|---|---|"
    for tile, (mean, off) in report["worth"].items():
        yield (f"| {tile} | {mean:+.1f} ± {off:.1f} | {100 * report['bought'][tile][1]:.0f} % | "
               f"{report['prices'][tile] or 'free'} |")
    yield ""
