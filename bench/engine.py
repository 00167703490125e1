"""A game's engine and its storage: random play, replay, cold load, undo, views, moves stored, commands on a simulated Discord."""
from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

from tqdm import tqdm

from bench.commands import commands_per_second
from bench.yardstick import PlainStore, filesystem, loop_turns
from bot.domain.letters import Log, Private
from bot.store import Ledger, Store
from bot.store.database import _carry_out, _Job
from engine import catalog, components, undo
from engine.dice import SecretDice
from engine.kernel import Checkpoint, GameSpec, Row, Seat, Table
from engine.selfplay import beginning, new_table, play_on

GAME_ROWS = 1_000           # rows of the game that is loaded and undone
LONGEST = 3 * GAME_ROWS     # a game of more is not played on
SEEDS = 10                  # random games of each edition among which a long one is looked for
SECRET = "5e" * 32
TRIES = 5                   # of what takes less than a millisecond
NOW = "2026-01-01T00:00:00+00:00"
MILLION = 1_000_000


@dataclass(frozen=True)
class Kind:
    """The games that are measured: of one edition, with as many seats as there can be."""

    spec: GameSpec
    edition: str
    seats: int
    parts: Any

    def table(self, *, checkpoints: bool = True) -> Table:
        """A new game."""
        return new_table(self.spec, self.seats, self.edition, self.parts, SecretDice(SECRET), checkpoints=checkpoints)

    def of(self, start: Checkpoint, past: Iterable[Row], *, run_on: bool = True) -> Table:
        """A game as it is loaded."""
        return Table(self.spec, self.parts, start, past, dice=SecretDice(SECRET), checkpoints=False, run_on=run_on)


@dataclass(frozen=True)
class Played:
    """A random game: its rows, and the checkpoints that the bot would have stored with them, the beginning first."""

    rows: list[Row]
    checkpoints: list[Checkpoint]


def played(kind: Kind, seed: int) -> Played:
    """One random game, to its end if it has one soon."""
    table = kind.table()
    game = Played([], [beginning(kind.spec, kind.seats, kind.edition, kind.parts)])

    def collect() -> None:
        entries, checkpoint = table.take()
        game.rows.extend(entry.row() for entry in entries)
        if checkpoint is not None:
            game.checkpoints.append(checkpoint)

    for _ in play_on(table, random.Random(seed).randrange):
        collect()
        if len(game.rows) > LONGEST:
            break
    collect()
    return game


def long_game(key: str) -> tuple[Kind, Played]:
    """A game of many rows, of the first edition whose random games are so long; else the longest tried. Raises Faulty."""
    spec = catalog.find(key)
    kinds = [Kind(spec, edition.key, spec.seats[-1], components.components(spec, edition.key).parts)
             for edition in spec.editions if edition.available]
    longest: tuple[Kind, Played] | None = None
    for seed in range(SEEDS):
        for kind in kinds:
            game = played(kind, seed)
            if longest is None or len(game.rows) > len(longest[1].rows):
                longest = kind, game
            if len(game.rows) > GAME_ROWS:
                return longest
    assert longest is not None, f"{key} has no edition that can be played"
    return longest


def random_play(kind: Kind, seconds: float) -> tuple[float, float]:
    """Rows and options per second of random games, without checkpoints."""
    rows, options, seed, begin = 0, 0, 0, perf_counter()
    while (now := perf_counter()) - begin < seconds:
        table = kind.table(checkpoints=False)
        options += sum(play_on(table, random.Random(seed).randrange))
        rows += len(table.fresh)
        seed += 1
    return rows / (now - begin), options / (now - begin)


def replay(kind: Kind, seconds: float, game: Played) -> float:
    """Rows per second of a whole log replayed, its events compared with the stored ones."""
    done, begin = 0, perf_counter()
    while (now := perf_counter()) - begin < seconds:
        kind.of(game.checkpoints[0], game.rows)
        done += len(game.rows)
    return done / (now - begin)


def p99(times: Iterable[float]) -> float:
    return statistics.quantiles(times, n=100, method="inclusive")[98] * 1000


def loads(kind: Kind, seconds: float, game: Played) -> tuple[float, float]:
    """p99 in milliseconds of a cold load at random rows, and of an undo there: the line of the log, then the load."""
    rng = random.Random(1)
    rows = game.rows[:GAME_ROWS]
    cold: list[float] = []
    back: list[float] = []

    def load(at: int) -> None:
        start = next(checkpoint for checkpoint in reversed(game.checkpoints) if checkpoint.no <= at)
        kind.of(start, rows[start.no:at], run_on=False)

    end = perf_counter() + seconds
    while perf_counter() < end:
        at = rng.randrange(1, len(rows))
        begin = perf_counter()
        load(at)
        cold.append(perf_counter() - begin)
        begin = perf_counter()
        load(undo.undo_target(undo.line(rows[:at]).rows) or 0)
        back.append(perf_counter() - begin)
    return p99(cold), p99(back)


ROUNDS = 16                 # of plain sqlite3 and the bot in turn, so that a slow moment of the disk hits both


def stored(kind: Kind, seconds: float, folder: Path) -> dict[str, float]:
    """Moves stored over plain sqlite3 with the same durability, one transaction each.

    `store_ratio`: as the store's thread does them, one after the other. `_awaited`: with the way to the thread and back for
    each, as a single player waits. `_of_ten`: ten waiting at a time. A rate is one over the median time of a move: the disk's
    rare long pauses would hide the rest.
    """
    plain, store = PlainStore(folder / "plain.db"), Store(folder / "ours.db")
    times: dict[str, list[float]] = {"plain": [], "thread": [], "awaited": [], "ten": []}
    letters = [Log(lines=["x" * 980]), Private(audience="seat_1", seat=Seat("seat_1"), text="x" * 980, last=[])]
    values: dict[str, Any] = {
        "key": kind.spec.key, "edition": kind.edition, "options": {}, "title": "bench", "guild": None, "channel": 1, "owner": 1,
        "seats": kind.seats, "pack_hash": "0", "created_at": NOW}
    numbers = count(1)

    def move(game: int) -> Callable[[Ledger], None]:
        row = Row(next(numbers), "seat_1", "player", "move", "a" * 60, "e" * 240)

        def work(ledger: Ledger) -> None:
            ledger.log.add_rows(game, [row], NOW)
            ledger.outbox.add_letters(game, row.no, letters, NOW)

        return work

    async def run() -> None:
        game = await store.write(lambda ledger: ledger.games.add_game(values, {}))
        nobody = asyncio.get_running_loop().create_future()
        for _ in range(ROUNDS):
            for name, taken in times.items():
                end = perf_counter() + seconds / ROUNDS / len(times)
                while (begin := perf_counter()) < end:
                    if name == "plain":
                        plain.store()
                    elif name == "thread":
                        _carry_out(store._ledger, [_Job(move(game), True, nobody)], store._guard)      # its thread is idle now
                    elif name == "awaited":
                        await store.write(move(game))
                    else:
                        await asyncio.gather(*[store.write(move(game)) for _ in range(10)])
                    taken.append((perf_counter() - begin) / (10 if name == "ten" else 1))

    asyncio.run(run())
    store.close()
    middle = {name: statistics.median(values) for name, values in times.items()}
    return {"store_ratio": middle["plain"] / middle["thread"], "store_ratio_awaited": middle["plain"] / middle["awaited"],
            "store_ratio_of_ten": middle["plain"] / middle["ten"]}


def views(kind: Kind, game: Played) -> float:
    """The time of one seat's view over that of a dump of the state: the median over positions all along a game."""
    ratios = []
    for checkpoint in game.checkpoints[1:]:
        state = kind.of(checkpoint, (), run_on=False).state
        ratios.append(best(partial(kind.spec.views.view, state, state.seats[0])) / best(state.model_dump))
    return statistics.median(ratios)


def best(work: Callable[[], object]) -> float:
    """The shortest of some tries, in seconds: what else the machine does only adds."""
    def once() -> float:
        begin = perf_counter()
        work()
        return perf_counter() - begin

    return min(once() for _ in range(TRIES))


def measure(game: str = catalog.GAMES[0].key, seconds: float = 3.0) -> dict[str, float | str]:
    """How fast games are played, replayed and shown; `per_million`: rows per million turns of the machine's loop."""
    figures: dict[str, float | str] = {}
    measured, long = long_game(game)
    figures["edition"] = measured.edition

    def speed() -> None:
        turns = [loop_turns(seconds / 6)]
        figures["random_rows_per_second"], figures["options_per_second"] = random_play(measured, seconds)
        turns.append(loop_turns(seconds / 6))
        figures["replay_rows_per_second"] = replay(measured, seconds, long)
        turns.append(loop_turns(seconds / 6))
        figures["loop_turns_per_second"] = loop = statistics.median(turns)
        for name in ("random", "replay"):
            figures[f"{name}_per_million"] = float(figures[f"{name}_rows_per_second"]) / loop * MILLION

    def memory() -> None:
        figures["cold_load_ms"], figures["undo_ms"] = loads(measured, seconds, long)
        figures["view_over_dump"] = views(measured, long)

    def disk() -> None:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            figures["filesystem"] = filesystem(Path(folder))
            figures.update(stored(measured, seconds * 2, Path(folder)))

    def discord() -> None:
        figures["commands_per_second"] = commands_per_second(seconds, measured.spec)

    bar = tqdm((("play and replay", speed), ("load and undo", memory), ("storage", disk), ("commands", discord)), unit="step")
    for name, step in bar:
        bar.set_description(name)
        step()
    return figures
