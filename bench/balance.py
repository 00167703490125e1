"""How fair a game is, by many games of its automatic players: who wins, by seat and by power; and what buying each tile brings.

Of each figure the report tells the mean, and how far it may be off: the bounds of its 95 % interval lie that far above and below.
"""
from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from statistics import fmean, stdev
from typing import Any, TypeVar

from tqdm import tqdm

from bench import tiles
from bench.policy import Choice, solid, strong
from bench.tiles import NORMAL, Mean
from engine import catalog, components
from engine.dice import SecretDice
from engine.games.struggle_of_empires import GAME as STRUGGLE_OF_EMPIRES
from engine.kernel import Seat, Table
from engine.refusals import Faulty
from engine.selfplay import new_table, weary

T = TypeVar("T")
MOST_ROWS = 30_000          # no game of any length comes near
CHUNK = 4                   # games that a process plays at a time


@dataclass(frozen=True)
class Setting:
    """What kind of games is played."""

    game: str
    edition: str
    seats: int


def player(game: str) -> Choice:
    """Who plays: the solid player; in Struggle of Empires, whose tiles it is too careful to use, the strong one."""
    return (strong if game == STRUGGLE_OF_EMPIRES.key else solid)(catalog.find(game))


@cache
def parts_of(setting: Setting) -> Any:
    """The components of such games."""
    return components.components(catalog.find(setting.game), setting.edition).parts


def played(setting: Setting, seed: int, number: int, choice: Choice | None = None) -> Table:
    """One game to its end; the same seed and number give the same game, whoever plays it. `choice`: who answers."""
    spec, choice = catalog.find(setting.game), choice or player(setting.game)
    pick = random.Random(f"balance {seed} {number}")
    table = new_table(spec, setting.seats, setting.edition, parts_of(setting), SecretDice(pick.randbytes(32).hex()),
                      checkpoints=False)
    while not table.over:
        if (agreed := weary(table)) is not None:
            table.answer(*agreed)
            continue
        question = table.waiting()[0]
        table.answer(question.seat, choice(table.state, question, table.options(question.seat), pick))
        assert len(table.fresh) < MOST_ROWS, f"no end after {MOST_ROWS} rows"
    return table


def wins(table: Table) -> dict[str, float]:
    """Who won a finished game, by seat and by power; equals share a win."""
    places = {seat: place for seat, place, _ in table.spec.rules.standings(table.state)}
    share = 1 / max(1, [*places.values()].count(1))
    found: dict[str, float] = {}
    for seat in map(Seat, table.state.seats):
        won = share if places.get(seat) == 1 else 0.0
        found |= {f"wins at: {seat.replace('_', ' ')}": won, f"wins as: {table.state.power(seat)}": won}
    return found


def won(setting: Setting, seed: int, number: int) -> dict[str, float]:
    """Who won one game."""
    return wins(played(setting, seed, number))


def tasted(setting: Setting, seed: int, number: int) -> tiles.Outcome:
    """What was bought in a game of players with tastes, and what came of it; the same seed and number give the same game."""
    tastes = tiles.tastes(parts_of(setting), setting.seats, random.Random(f"tastes {seed} {number}"))
    return tiles.outcome(played(setting, seed, number, tiles.choice(tastes)), tastes)


def run(one: Callable[[int], T], games: int, jobs: int) -> list[T]:
    """What so many games showed, in their order, played by so many processes."""
    with tqdm(total=games, unit="game", leave=False) as bar, ProcessPoolExecutor(jobs) as pool:
        found = []
        for showed in pool.map(one, range(games), chunksize=CHUNK):
            found.append(showed)
            bar.update()
        return found


def mean_of(values: Sequence[float]) -> Mean:
    """The mean of at least one value; of a single one, nobody knows how far it is off."""
    off = NORMAL * stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return Mean(fmean(values), off, len(values))


def summary(games: Iterable[Mapping[str, float]]) -> dict[str, Mean]:
    """The mean of each figure over the games in which it was there."""
    values = defaultdict[str, list[float]](list)
    for game in games:
        for name, value in game.items():
            values[name].append(value)
    return {name: mean_of(values[name]) for name in sorted(values)}


def measure(game: str, edition: str = "", seats: int = 0, games: int = 1000, seed: int = 0, jobs: int = 1, buying: bool = False
            ) -> dict[str, Any]:
    """Who wins, by seat and by power, in games of automatic players; or what buying each tile of Struggle of Empires brings."""
    spec = catalog.find(game)
    edition = edition or spec.editions[0].key
    components.edition_of(spec, edition)
    if seats and seats not in spec.seats:
        raise Faulty("{game} is for {least} to {most} players.", game=spec.name, least=spec.seats[0], most=spec.seats[-1])
    if buying and spec is not STRUGGLE_OF_EMPIRES:
        raise Faulty("Nothing is bought in {game} that stays with whoever has it.", game=spec.name)
    reports: dict[str, Any] = {}
    for number in [seats] if seats else [*spec.seats]:
        setting = Setting(game, edition, number)
        if buying:
            reports[str(number)] = tiles.report(parts_of(setting), run(partial(tasted, setting, seed), games, jobs))
        else:
            found = summary(run(partial(won, setting, seed), games, jobs))
            reports[str(number)] = {"figures": {name: [mean.mean, mean.off, mean.games] for name, mean in found.items()}}
    return {"game": game, "edition": edition, "games": games, "seed": seed, "seats": reports}


def told(figures: Mapping[str, Any]) -> Iterator[str]:
    """The report in words, as tables of Markdown."""
    for seats, report in figures["seats"].items():
        yield f"## {figures['edition']}, {seats} players, {figures['games']} games\n"
        if "worth" in report:
            yield from tiles.told(report)
            continue
        yield f"| | wins | of {100 / int(seats):.0f} % |\n|---|---|---|"
        for name, (mean, off, games) in report["figures"].items():
            yield f"| {name.removeprefix('wins ').replace(':', '')} | {100 * mean:.0f} ± {100 * off:.0f} % | {games} games |"
        yield ""
