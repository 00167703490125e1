"""The bot in a process of its own on a loopback Discord, and what its people got against what its file holds."""
from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from bench.crowd import Club
from bench.stored import server_of
from bot.service import Services
from bot.store import Store
from tests.checks.loopback import TOKEN, Loopback, Server, server

START_TIMEOUT = 60.0                                 # seconds for the bot to start, and to send what is left
ROOT = Path(__file__).parents[1]
MALLOC = {"MALLOC_ARENA_MAX": "2", "MALLOC_MMAP_THRESHOLD_": "131072", "MALLOC_TRIM_THRESHOLD_": "131072"}     # as it is deployed
PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
MEGABYTE, NANO = 1024 * 1024, 1_000_000_000


def quantile(times: Iterable[float], percent: int) -> float:
    """In milliseconds; 0 if there are none."""
    known = sorted(times)
    return known[min(len(known) - 1, len(known) * percent // 100)] * 1000 if known else 0.0


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
async def running(discord: Loopback, database: Path, **settings: str) -> AsyncIterator[Running]:
    """`python -m bot` on the loopback Discord; it is told to stop at the end, and must do so cleanly."""
    shards = discord.connected
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "DISCORD_TOKEN": TOKEN,
                   "CHANCERY_DISCORD_URL": discord.url, "CHANCERY_DATABASE": str(database), "CHANCERY_LOG_LEVEL": "ERROR",
                   "CHANCERY_BACKUP_HOURS": "0", **MALLOC, **settings}
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", cwd=database.parent, env=environment)
    async with asyncio.timeout(START_TIMEOUT):
        while discord.connected == shards or not discord.commands:          # noqa: ASYNC110
            await asyncio.sleep(0.1)
    try:
        yield Running(process)
    finally:
        process.send_signal(signal.SIGTERM)
        status = await process.wait()
    assert status == 0, f"the bot ended with {status}"


async def clubs_of(database: Path, games: int) -> list[Club]:
    """The games of a file, each with a table that will follow it."""
    store = Store(database)
    services, clubs = Services(store, tables=games), []
    for row in await services.queries.games(status=("running",)):
        users = {holder.seat: holder.user for holder in await services.queries.holders(row.id) if holder.user is not None}
        table = await services.session.table(row.id)
        clubs.append(Club(row.id, row.channel, users, table, table.last_no))
    store.close()
    return clubs


def servers_of(clubs: Sequence[Club]) -> list[Server]:
    """The servers on which these games are played."""
    return [server(number, [club.channel for club in clubs if server_of(club.game) == number])
            for number in sorted({server_of(club.game) for club in clubs})]


async def quiet(database: Path) -> None:
    """Wait until all letters are sent, or for as long as anybody would."""
    with closing(sqlite3.connect(database)) as db:
        for _ in range(int(START_TIMEOUT)):
            (left,) = db.execute("SELECT count(*) FROM outbox WHERE sent_at IS NULL").fetchone()
            if not left:
                return
            await asyncio.sleep(1)


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
