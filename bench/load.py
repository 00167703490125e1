"""How much the bot bears: hundreds of live games on a loopback Discord; many stored games; very long ones."""
from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import statistics
import tempfile
from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from tqdm import tqdm

from bench.abuser import abused
from bench.automatic_seats import accompanied
from bench.commands import run
from bench.crowd import ANSWERS, MAPS, PANELS, TYPING, WARM, Club, Crowd
from bench.running import clubs_of, compared, quantile, quiet, running, servers_of
from bench.soak import ALL_AGES, soaked
from bench.stored import opened, person, played, settled, stocked
from bench.yardstick import PlainStore, filesystem, loop_turns
from bot.discord.pictures import favour_the_loop
from bot.service import Services
from bot.store import Store
from engine import catalog
from engine.kernel import GameSpec
from engine.kernel.game_spec import pictures
from tests.checks.loopback import Loopback

LENGTHS = range(50, 400)                        # rows of the games of the loopback when the load begins
STORED = (1, 10, 100, 1_000, 10_000)            # games in a file
SHORT = range(20, 40)                           # rows of those games
LONG = (100, 1_000, 3_000)                      # rows of a game that is shown and undone
LOOKS, UNDOS = 200, 50                          # of it at each length
STRETCH = 10.0                                  # seconds, at most, of commands on a file of stored games


# --- many live games ----------------------------------------------------------------------------------------------

async def crowded(database: Path, seconds: float, rate: float, games: int, bar: tqdm) -> dict[str, float]:
    """Figures of many games at once: what people waited for, what the process used, and what became of each answer."""
    clubs = await clubs_of(database, games)
    memory: list[float] = []
    async with Loopback(servers_of(clubs)).open() as discord, running(discord, database) as bot:
        crowd = Crowd(discord, clubs)
        await crowd.act(rate, seconds * WARM)
        before, held, begin, asked = bot.busy(), bot.held_up(), perf_counter(), discord.requests.copy()

        def passed(at: float) -> None:
            if len(memory) <= at:
                memory.append(bot.resident())
                bar.update(round(at) - bar.n)      # type: ignore[no-untyped-call]

        await crowd.act(rate, seconds, passed)
        took, used, held = perf_counter() - begin, bot.busy() - before, bot.held_up() - held
        seen = crowd.seen
        await quiet(database)
        took_all, used_all = perf_counter() - begin, bot.busy() - before
        limited = sum((discord.requests - asked)[route] for route in discord.requests
                      if not route.split()[1].startswith(("interactions", "webhooks")))
    quarter = max(1, len(memory) // 4)
    waits = {f"{kind}_p{percent}_ms": quantile(seen.answered[kind], percent)
             for kind in (ANSWERS, PANELS, TYPING, MAPS) for percent in (50, 95)}
    return {
        "games": len(clubs), "deeds": seen.acted, "deeds_per_second": seen.acted / took, "unanswered": seen.unanswered,
        "ack_p50_ms": quantile(seen.acknowledged, 50), "ack_p99_ms": quantile(seen.acknowledged, 99), **waits,
        **after_turns(database, clubs, discord), "bot_cores": used / took, "bot_waits_for_cores": held / took,
        "bot_cpu_ms_per_deed": used_all / seen.acted * 1000,
        "behind_seconds": took_all - took, "limited_requests_per_answer": limited / max(1, len(seen.answered[ANSWERS])),
        "memory_mb_first_quarter": statistics.mean(memory[:quarter]),
        "memory_mb_last_quarter": statistics.mean(memory[-quarter:]), "memory_mb_most": max(memory),
        **compared(database, clubs, discord)}


def after_turns(database: Path, clubs: Sequence[Club], discord: Loopback) -> dict[str, float]:
    """How long after the answer that ended a turn its pictures were there; one that a newer one overtakes is never posted."""
    waited: list[float] = []
    overtaken = 0
    with closing(sqlite3.connect(database)) as db:
        for club in clubs:
            sent = dict(club.given)
            sql = "SELECT no, message FROM outbox WHERE game = ? AND no > ? AND kind = 'picture'"
            for no, message in db.execute(sql, (club.game, club.since)):
                overtaken += message is None
                if no in sent:
                    waited += [at - sent[no] for at in discord.pictured.get(message, ()) if at >= sent[no]][:1]
    return {"pictures": len(waited), "pictures_overtaken": overtaken, "picture_p50_ms": quantile(waited, 50),
            "picture_p95_ms": quantile(waited, 95)}


# --- many stored games, and long ones ------------------------------------------------------------------------------

class Stopwatch:
    """Takes the time of what is done within it, again and again: by the wall, and on the cores."""

    def __init__(self) -> None:
        self.wall: list[float] = []
        self.cores: list[float] = []

    def __enter__(self) -> None:
        self._begin = perf_counter(), process_time()

    def __exit__(self, *_: object) -> None:
        wall, cores = self._begin
        self.wall.append(perf_counter() - wall)
        self.cores.append(process_time() - cores)

    def figures(self, name: str) -> dict[str, float]:
        """Its quantiles in milliseconds."""
        return {f"{name}_p50_ms": quantile(self.wall, 50), f"{name}_p99_ms": quantile(self.wall, 99),
                f"{name}_cpu_p50_ms": quantile(self.cores, 50), f"{name}_cpu_p99_ms": quantile(self.cores, 99)}


async def long_game(spec: GameSpec, path: Path, bar: tqdm) -> dict[str, float]:
    """How long it takes to show any row of a game, without drawing, and to undo, as the game grows; and how much of a core."""
    favour_the_loop()                               # as the bot does when it starts
    store = Store(path)
    services, rng, figures = Services(store), random.Random(1), dict[str, float]()
    game = await opened(services, spec, spec.seats[-1])
    board = pictures(spec)[0]
    for length in LONG:
        await played(services, game, length, rng)
        await settled(services)
        shown, undone = Stopwatch(), Stopwatch()
        for look in range(LOOKS):
            with shown if look else nullcontext():          # the first one loads what all others find
                spec.views.board(board.scene(await services.queries.story(game, board, row=rng.randrange(1, length))))
        for _ in range(UNDOS):
            with undone:
                await services.undo.undo(game, person(game, 1))
            await services.undo.redo(game, person(game, 1))
        figures |= shown.figures(f"{spec.key}_shown_{length}_rows") | undone.figures(f"{spec.key}_undo_{length}_rows")
        bar.update()       # type: ignore[no-untyped-call]
    store.close()
    return figures


def many_stored(specs: Sequence[GameSpec], seconds: float, folder: Path, bar: tqdm) -> dict[str, float]:
    """Commands a second in a game of each title, one after the other on a simulated Discord, with so many games in the file."""
    figures: dict[str, float] = {}
    for games in STORED:
        path = folder / f"{games}.db"
        stocked(path, games, SHORT, specs)
        for spec in specs:
            rate, cores = asyncio.run(run(seconds / len(specs), path, spec))
            figures |= {f"{spec.key}_commands_per_second_{games}_stored": rate,
                        f"{spec.key}_command_cpu_ms_{games}_stored": cores}
        path.unlink()
        bar.update()       # type: ignore[no-untyped-call]
    return figures


def yardstick(folder: Path) -> dict[str, float | str]:
    """What the machine gives at this moment."""
    path = folder / "plain.db"
    plain, done, begin = PlainStore(path), 0, perf_counter()
    while perf_counter() < begin + 1:
        plain.store()
        done += 1
    plain.db.close()
    path.unlink()
    return {"loop_turns_per_second": loop_turns(1), "plain_transactions_per_second": done, "load_average": os.getloadavg()[0],
            "cores": os.cpu_count() or 0, "filesystem": filesystem(folder)}


def measure(game: str = "", seconds: float = 30.0, rate: int = 50, games: int = 500, abuser: int = 0, automatic: int = 0,
            soak: int = 0, seed: int = 0) -> dict[str, Any]:
    """Many live games of one title or of all on a loopback Discord, many stored games, very long games.

    With an abuser: the live games alone, in turn without and with somebody who does so many things a second. With automatic
    players in so many of a hundred seats: the live games alone, in turn without and with them. With a soak: so many minutes of
    live games on a Discord with faults, among which those of private rounds are left out.
    """
    specs, figures = [catalog.find(game)] if game else catalog.GAMES, dict[str, Any]()
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        figures |= yardstick(folder)
        if soak:
            stocked(folder / "live.db", 2 * games, ALL_AGES, [spec for spec in specs if spec.planning is None])
            with tqdm(total=soak, unit="min") as bar:
                return figures | asyncio.run(soaked(folder / "live.db", soak, rate, games, seed, bar))
        with tqdm(total=round(seconds), unit="s", desc="live games") as bar:
            stocked(folder / "live.db", games, LENGTHS, specs)
            if abuser:
                return figures | asyncio.run(abused(folder / "live.db", seconds, rate, abuser, games, bar))
            if automatic:
                return figures | asyncio.run(accompanied(folder / "live.db", seconds, rate, automatic, games, bar))
            figures |= asyncio.run(crowded(folder / "live.db", seconds, rate, games, bar))
        with tqdm(total=len(LONG) * len(specs), unit="game", desc="long games") as bar:
            for spec in specs:
                figures |= asyncio.run(long_game(spec, folder / f"{spec.key}.db", bar))
        with tqdm(total=len(STORED), unit="file", desc="stored games") as bar:
            figures |= many_stored(specs, min(seconds, STRETCH), folder, bar)
        figures |= {f"{key}_after": value for key, value in yardstick(folder).items() if not isinstance(value, str)}
    return figures
