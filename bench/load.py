"""How much the bot bears: hundreds of live games on a loopback Discord; many stored games; very long ones."""
from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import sqlite3
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

from tqdm import tqdm

from bench.abuser import STRETCHES, Abuser, disturbed
from bench.automatic_seats import MixedCrowd, fill
from bench.commands import run
from bench.crowd import ANSWERS, MAPS, PANELS, TYPING, Club, Crowd
from bench.loopback import TOKEN, Loopback, server
from bench.stored import opened, person, played, server_of, settled, stocked
from bench.yardstick import PlainStore, filesystem, loop_turns
from bot.discord.pictures import favour_the_loop
from bot.service import Services
from bot.store import Store
from engine import catalog
from engine.kernel import GameSpec
from engine.kernel.game_spec import pictures

LENGTHS = range(50, 400)                        # rows of the games of the loopback when the load begins
STORED = (1, 10, 100, 1_000, 10_000)            # games in a file
SHORT = range(20, 40)                           # rows of those games
LONG = (100, 1_000, 3_000)                      # rows of a game that is shown and undone
LOOKS, UNDOS = 200, 50                          # of it at each length
STRETCH = 10.0                                  # seconds, at most, of commands on a file of stored games, and of shards
WARM = 0.2                                      # of the time people act before anything is measured
PATIENCE = 60.0                                 # seconds for the bot to start, and to send what is left
ROOT = Path(__file__).parents[1]
MALLOC = {"MALLOC_ARENA_MAX": "2", "MALLOC_MMAP_THRESHOLD_": "131072", "MALLOC_TRIM_THRESHOLD_": "131072"}     # as it is deployed
PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
MEGABYTE, NANO = 1024 * 1024, 1_000_000_000


def quantile(times: Iterable[float], percent: int) -> float:
    """In milliseconds; 0 if there are none."""
    known = sorted(times)
    return known[min(len(known) - 1, len(known) * percent // 100)] * 1000 if known else 0.0


# --- the bot in its own process ---------------------------------------------------------------------------------

@dataclass
class Running:
    """The process of a bot."""

    process: asyncio.subprocess.Process

    def resident(self) -> float:
        """Its memory in megabytes."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE / MEGABYTE

    def busy(self) -> float:
        """Seconds of a core that it has used."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / TICKS

    def held_up(self) -> float:
        """Seconds that its threads, together, were ready and waited for a core that others had."""
        threads = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((thread / "schedstat").read_text(encoding="ascii").split()[1]) for thread in threads) / NANO


@asynccontextmanager
async def running(discord: Loopback, database: Path, *, program: Sequence[str] = ("bot",),
                  **settings: str) -> AsyncIterator[Running]:
    """`python -m bot`, or another program, on the loopback Discord; it is told to stop at the end, and must do so cleanly."""
    shards = discord.connected
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "DISCORD_TOKEN": TOKEN,
                   "CHANCERY_DISCORD_URL": discord.url, "CHANCERY_DATABASE": str(database), "CHANCERY_LOG_LEVEL": "ERROR",
                   "CHANCERY_BACKUP_HOURS": "0", **MALLOC, **settings}
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", *program, cwd=database.parent, env=environment)
    async with asyncio.timeout(PATIENCE):
        while discord.connected == shards or not discord.commands:          # noqa: ASYNC110
            await asyncio.sleep(0.1)
    try:
        yield Running(process)
    finally:
        process.send_signal(signal.SIGTERM)
        status = await process.wait()
    assert status == 0, f"the bot ended with {status}"


# --- many live games ----------------------------------------------------------------------------------------------

async def clubs_of(database: Path, games: int) -> list[Club]:
    """The games of a file, each with a table that will follow it."""
    store = Store(database)
    services, clubs = Services.on(store, tables=games), []
    for row in await services.queries.games(status=("running",)):
        users = {holder.seat: holder.user for holder in await services.queries.holders(row.id) if holder.user is not None}
        table = await services.session.table(row.id)
        clubs.append(Club(row.id, row.channel, users, table, table.last_no))
    store.close()
    return clubs


async def crowded(database: Path, seconds: float, rate: float, games: int, bar: tqdm) -> dict[str, float]:
    """Figures of many games at once: what people waited for, what the process used, and what became of each answer."""
    clubs = await clubs_of(database, games)
    servers = [server(number, [club.channel for club in clubs if server_of(club.game) == number])
               for number in range(1, server_of(games) + 1)]
    memory: list[float] = []
    async with Loopback(servers).open() as discord, running(discord, database) as bot:
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


async def abused(database: Path, seconds: float, rate: float, abuses: float, games: int, bar: tqdm) -> dict[str, float]:
    """What the people of many games notice of one member who presses everything, so many times a second."""
    clubs = await clubs_of(database, games)
    servers = [server(number, [club.channel for club in clubs if server_of(club.game) == number])
               for number in range(1, server_of(games) + 1)]
    first, *others = clubs
    async with Loopback(servers).open() as discord, running(discord, database) as bot:
        crowd = Crowd(discord, others)
        await crowd.act(rate, seconds * WARM)
        without, disturbed_by, figures = await disturbed(
            crowd, Abuser(discord, first), people=rate, abuses=abuses, seconds=seconds, busy=bot.busy,
            passed=lambda at: bar.update(round(at) - bar.n))      # type: ignore[no-untyped-call]
        await quiet(database)
    acks = {f"abuser_ack_p{percent}_{name}_ms": quantile(times, percent) for percent in (50, 95, 99)
            for name, times in (("without", without), ("with", disturbed_by))}
    ratio = acks["abuser_ack_p99_with_ms"] / max(acks["abuser_ack_p99_without_ms"], 1e-9)
    return {**acks, "abuser_ack_p99_ratio": ratio, **figures, **compared(database, others, discord)}


async def accompanied(database: Path, seconds: float, rate: float, percent: int, games: int, bar: tqdm) -> dict[str, float]:
    """What people notice of automatic players in so many of a hundred seats: in turn without and with them, each time by a
    new process on a copy of the same games."""
    acknowledged: tuple[list[float], list[float]] = [], []
    answered: tuple[list[float], list[float]] = [], []
    figures: Counter[str] = Counter()
    for number in range(2 * STRETCHES):
        mixed, path = number % 2, database.with_name(f"stretch{number}.db")
        shutil.copyfile(database, path)
        figures["automatic_seats"] = await fill(path, percent * mixed, random.Random(0))
        clubs = await clubs_of(path, games)
        servers = [server(number, [club.channel for club in clubs if server_of(club.game) == number])
                   for number in range(1, server_of(games) + 1)]
        async with Loopback(servers).open() as discord:
            crowd = MixedCrowd(discord, clubs, path)
            async with running(discord, path):
                await crowd.act(rate, seconds * WARM)
                await crowd.act(rate, seconds)
                await quiet(path)
            crowd.end()
        acknowledged[mixed].extend(crowd.seen.acknowledged)
        answered[mixed].extend(crowd.seen.answered[ANSWERS])
        figures.update(compared(path, [club for club in clubs if not club.doubtful], discord))
        figures.update(unanswered=crowd.seen.unanswered, automatic_answers=crowd.automatic_answers)
        bar.update(round(seconds))       # type: ignore[no-untyped-call]
    measured = (("ack", 50, acknowledged), ("ack", 99, acknowledged), ("answer", 50, answered), ("answer", 95, answered))
    waits = {f"{kind}_p{part}_{name}_ms": quantile(times[mixed], part)
             for kind, part, times in measured for mixed, name in enumerate(("without", "with"))}
    return {**waits, "ack_p99_ratio": waits["ack_p99_with_ms"] / max(waits["ack_p99_without_ms"], 1e-9), **figures}


async def quiet(database: Path) -> None:
    """Wait until all letters are sent, or for as long as anybody would."""
    with closing(sqlite3.connect(database)) as db:
        for _ in range(int(PATIENCE)):
            (left,) = db.execute("SELECT count(*) FROM outbox WHERE sent_at IS NULL").fetchone()
            if not left:
                return
            await asyncio.sleep(1)


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


def compared(database: Path, clubs: Sequence[Club], discord: Loopback) -> dict[str, int]:
    """Rows and letters against what people were told: lost, doubled, missing. What got no reply may be there or not."""
    lost = doubled = missing = 0
    there = {*discord.posted.values()}
    with closing(sqlite3.connect(database)) as db:
        for club in clubs:
            since = club.game, club.since
            wanted = [(row.no, row.seat, row.by, row.verb, row.answer, row.events) for row in club.rows]
            stored = db.execute("SELECT no, seat, by, verb, answer, events FROM log WHERE game = ? AND no > ? ORDER BY no",
                                since).fetchall()
            lost += sum(row not in stored for row in wanted if row[0] <= club.certain())
            doubled += sum(row not in wanted for row in stored)
            letters = db.execute("SELECT kind, message FROM outbox WHERE game = ? AND no > ? AND message NOT NULL AND kind IN "
                                 "('log', 'picture', 'final')", since)
            missing += sum(message not in (discord.pictured if kind == "picture" else there) for kind, message in letters)
        (unsent,) = db.execute("SELECT count(*) FROM outbox WHERE sent_at IS NULL").fetchone()
    return {"rows": sum(len(club.rows) for club in clubs), "lost": lost, "doubled": doubled, "messages_missing": missing + unsent,
            "messages_repeated": discord.repeated}


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
    services, rng, figures = Services.on(store), random.Random(1), dict[str, float]()
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


def measure(game: str = "", seconds: float = 30.0, rate: int = 50, games: int = 500, abuser: int = 0,
            automatic: int = 0) -> dict[str, float | str]:
    """Many live games of one title or of all on a loopback Discord, many stored games, very long games.

    With an abuser: the live games alone, in turn without and with somebody who does so many things a second. With automatic
    players in so many of a hundred seats: the live games alone, in turn without and with them.
    """
    specs = [catalog.find(game)] if game else catalog.GAMES
    figures: dict[str, float | str] = {}
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        figures |= yardstick(folder)
        with tqdm(total=round(seconds), unit="s", desc="live games") as bar:
            stocked(folder / "live.db", games, LENGTHS, specs)
            if abuser:
                return figures | asyncio.run(abused(folder / "live.db", seconds, rate, abuser, games, bar))
            if automatic:
                stretch = seconds / (2 * STRETCHES)
                return figures | asyncio.run(accompanied(folder / "live.db", stretch, rate, automatic, games, bar))
            figures |= asyncio.run(crowded(folder / "live.db", seconds, rate, games, bar))
        with tqdm(total=len(LONG) * len(specs), unit="game", desc="long games") as bar:
            for spec in specs:
                figures |= asyncio.run(long_game(spec, folder / f"{spec.key}.db", bar))
        with tqdm(total=len(STORED), unit="file", desc="stored games") as bar:
            figures |= many_stored(specs, min(seconds, STRETCH), folder, bar)
        figures |= {f"{key}_after": value for key, value in yardstick(folder).items() if not isinstance(value, str)}
    return figures
