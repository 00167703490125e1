"""What lasting things are worth in points, whoever would buy them: chance gives each player some before the game is under way.

A player's judgement decides what it buys, so those who bought a thing tell little of its worth. A gift has no such reason: of
each, the report tells how many points one more of it brings a player ahead of the others, the line of least squares through all
players of all games, both counted from the mean of their game. Gifts of different kinds are independent of each other.
"""
from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from statistics import fmean, linear_regression
from typing import Any, TypeVar

from tqdm import tqdm

from bench.balance import CHUNK, NORMAL, Mean, Setting, parts_of, played, study_of
from bench.study import Gifts, Given
from engine import catalog, components
from engine.refusals import Faulty
from engine.text import verbatim

T = TypeVar("T")
Pairs = list[tuple[float, float]]
"""For each player: how much more of a gift it got than the mean of its game, and how many points more it has."""


@dataclass(frozen=True)
class Outcome:
    """What was given in a game, and the points that came of it; each in the order of the players."""

    given: Given
    points: Sequence[float]


def gifts_of(game: str) -> Gifts:
    """What can be given in a game. Raises Faulty."""
    found = study_of(game).gifts
    if found is None:
        raise Faulty("Nobody has told yet what could be given to the players of {game}.", game=verbatim(game))
    return found


def outcome(setting: Setting, seed: int, number: int) -> Outcome:
    """One game with gifts; the same seed and number give the same gifts and the same game."""
    gifts, given = gifts_of(setting.game), dict[str, Sequence[float]]()
    pick = random.Random(f"gifts {seed} {number}")

    def before(state: Any) -> None:
        if not given and gifts.due(state):
            given.update(gifts.give(state, pick))

    table = played(setting, seed, number, before)
    return Outcome(given, gifts.points(table.state))


def worth(pairs: Pairs, games: int) -> Mean:
    """The points that one more brings, and how far that may be off."""
    more, points = zip(*pairs)
    slope = linear_regression(more, points, proportional=True).slope
    left = sum((gained - slope * got) ** 2 for got, gained in pairs)
    free = len(pairs) - games - 1                   # the mean of each game is known, and the slope
    return Mean(slope, NORMAL * (left / free / sum(got * got for got in more)) ** 0.5, games)


def setting_of(game: str, edition: str, seats: int, games: int, jobs: int) -> Setting:
    """What kind of games is played, the first edition and the most players where nothing is said. Raises Faulty."""
    spec = catalog.find(game)
    found = Setting(game, edition or spec.editions[0].key, seats or spec.seats[-1])
    components.edition_of(spec, found.edition)
    if found.seats not in spec.seats:
        raise Faulty("{game} is for {least} to {most} players.", game=spec.name, least=spec.seats[0], most=spec.seats[-1])
    if games < 2 or jobs < 1:
        raise Faulty("Play at least two games, with at least one process.")
    return found


def run_all(one: Callable[[int], T], games: int, jobs: int) -> list[T]:
    """What so many games showed, in their order, played by so many processes."""
    with tqdm(total=games, unit="game", leave=False) as bar, ProcessPoolExecutor(jobs) as pool:
        found = []
        for outcome in pool.map(one, range(games), chunksize=CHUNK):
            found.append(outcome)
            bar.update()
        return found


def from_mean(values: Sequence[float]) -> list[float]:
    """Each value, counted from their mean."""
    middle = fmean(values)
    return [value - middle for value in values]


def worths(outcomes: Sequence[Outcome]) -> dict[str, Mean]:
    """What each gift is worth, the most valuable first; those that nobody or everybody got are left out."""
    pairs = defaultdict[str, Pairs](list)
    for one in outcomes:
        points = from_mean(one.points)
        for gift, numbers in one.given.items():
            pairs[gift] += zip(from_mean(numbers), points)
    found = {gift: worth(known, len(outcomes)) for gift, known in pairs.items() if any(got for got, _ in known)}
    return dict(sorted(found.items(), key=lambda item: -item[1].mean))


def measure(game: str, edition: str = "", seats: int = 0, games: int = 500, seed: int = 0, jobs: int = 1) -> dict[str, Any]:
    """What tiles, gold and unrest are worth in points, by games of a sensible player in which chance gives them away."""
    study, setting = gifts_of(game), setting_of(game, edition, seats, games, jobs)
    outcomes = run_all(partial(outcome, setting, seed), games, jobs)
    prices = study.prices(parts_of(setting))
    return {"game": game, "edition": setting.edition, "seats": setting.seats, "games": games, "seed": seed,
            "worth": {gift: [mean.mean, mean.off] for gift, mean in worths(outcomes).items()},
            "prices": dict(prices)}


def told(figures: Mapping[str, Any]) -> Iterator[str]:
    """The worth of each gift as a table of Markdown, the most valuable first."""
    yield f"| {figures['edition']}, {figures['seats']} players, {figures['games']} games | worth in points | price |"
    yield "|---|---|---|"
    for gift, (mean, off) in figures["worth"].items():
        yield f"| {gift} | {mean:.1f} ± {off:.1f} | {figures['prices'].get(gift, '')} |"
