"""Servers that move between the files of two running shards while people play, and what ends or is suspended meanwhile."""
from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing, suppress
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from time import perf_counter
from typing import Any

from tqdm import tqdm

from bench.crowd import Club, Crowd
from bench.load import SHARDED, SHARDS, clubs_of_shard, quantile, quiet
from bench.loopback import TOKEN, Asked, server
from bench.replication import Remembering, started
from bench.stored import channel_of
from bot.discord.other_shards import AWAY, MOVING
from bot.store import backup_files
from engine import catalog
from engine.refusals import Faulty
from engine.text import English, say

RATE = 4.0              # deeds of people a second
ENDINGS = {"a bot": signal.SIGKILL, "a bot, told to": signal.SIGTERM}
VICTIMS = ("nobody", "the program", "the program, suspended", *ENDINGS)     # who ends in the middle of a move
TRIES, APART = 60, 0.5  # how often people press again, and seconds between
TOLERANCE = 5.0         # seconds that people wait for an answer
PATIENCE = 120.0        # seconds for a bot to be there, and for a move to be settled
NOT_NOW = {say(words, English()) for words in (AWAY, MOVING)}


class Patient(Crowd):
    """People who press again when they read that games are moving; `silent` has what they waited for in vain."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.silent = list[Asked]()

    async def _wait(self, kind: str, asked: Asked) -> bool:
        answered = await super()._wait(kind, asked)
        if not answered:
            self.silent.append(asked)
        return answered

    async def _heard(self, asked: object) -> bool:
        heard = await super()._heard(asked)         # type: ignore[arg-type]
        if heard and asked.said.get("content") not in NOT_NOW:      # type: ignore[attr-defined]
            return True
        await asyncio.sleep(APART)
        return False


class Shards:
    """Two bots, each with its file, and the program that moves servers."""

    def __init__(self, folder: Path, discord: Remembering) -> None:
        self.discord, self.folder = discord, folder
        self.files = [folder / f"shard{number}.db" for number in range(SHARDS)]
        self.bots = dict[int, ForkServerProcess]()
        self.away = list[tuple[float, float]]()         # from when until when a bot was not there
        self.environment = {"CHANCERY_DISCORD_URL": discord.url, "CHANCERY_SOCKETS": str(folder / "sockets"),
                            "CHANCERY_LOG_LEVEL": "ERROR", "CHANCERY_BACKUP_HOURS": "0"}

    async def start(self, shard: int) -> None:
        """Start a bot, and wait until it is there."""
        self.bots[shard] = started((), {**self.environment, "DISCORD_TOKEN": TOKEN, "CHANCERY_SHARD": f"{shard}/{SHARDS}",
                                        "CHANCERY_DATABASE": str(self.files[shard])}, self.folder)
        async with asyncio.timeout(PATIENCE):
            while self.discord.connected < len(self.bots):
                assert self.bots[shard].is_alive(), "the bot does not start"
                await asyncio.sleep(0.05)

    async def end(self, shard: int, how: signal.Signals) -> None:
        """A bot is killed, or told to end."""
        bot = self.bots.pop(shard)
        assert bot.pid is not None, "it has been started"
        os.kill(bot.pid, how)
        await asyncio.to_thread(bot.join)
        async with asyncio.timeout(PATIENCE):
            while self.discord.connected > len(self.bots):      # noqa: ASYNC110
                await asyncio.sleep(0.05)

    async def restart(self, shard: int, how: signal.Signals) -> None:
        """A bot ends and another one takes its place."""
        begin = perf_counter()
        await self.end(shard, how)
        await self.start(shard)
        self.away.append((begin, perf_counter()))

    def was_away(self, pressed: float) -> bool:
        """Whether a bot was not there when something was pressed, or soon after."""
        return any(begin - TOLERANCE < pressed < end for begin, end in self.away)

    def move(self, number: int, source: int) -> ForkServerProcess:
        """Begin to move a server."""
        words = ("move", str(server(number).id), str(self.files[source]), str(self.files[1 - source]))
        return started(words, self.environment, self.folder)

    def homes(self, number: int) -> list[int]:
        """The files that have a server's games; none while a move isn't settled."""
        with suppress(Faulty):
            found = [backup_files.servers(file) for file in self.files]
            if not any(marks for _, marks in found):
                return [shard for shard, (servers, _) in enumerate(found) if server(number).id in servers]
        return []

    async def settled(self, number: int) -> int:
        """The one file that has a server, once no move is half done."""
        async with asyncio.timeout(PATIENCE):
            while not (homes := self.homes(number)):        # noqa: ASYNC110
                await asyncio.sleep(0.2)
        assert len(homes) == 1, f"server {number} is in {len(homes)} files"
        return homes[0]


def measure(points: int = 30, seed: int = 0) -> dict[str, float]:
    """Move servers between running shards under load; one of the three processes ends at a random moment of most moves."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, tqdm(total=points, unit="move") as bar:
        return asyncio.run(_moves(Path(folder), points, random.Random(seed), bar))


async def _moves(folder: Path, points: int, rng: random.Random, bar: tqdm) -> dict[str, float]:
    specs = [spec for spec in catalog.GAMES if spec.planning is None]
    clubs = [club for shard in range(SHARDS) for club in await clubs_of_shard(specs, folder / f"shard{shard}.db", shard)]
    discord = Remembering([server(number, [club.channel for club in clubs if club.channel == channel_of(number)])
                           for number in range(1, SHARDED + 1)])
    killed, took = dict.fromkeys(VICTIMS, 0), list[float]()
    async with discord.open():
        shards = Shards(folder, discord)
        for shard in range(SHARDS):
            await shards.start(shard)
        people = Patient(discord, clubs, rng.randrange(1 << 30), tries=TRIES, patience=TOLERANCE)
        playing = asyncio.create_task(people.act(RATE, 1e9))
        for _ in range(points):
            number = rng.randint(1, SHARDED)
            source = await shards.settled(number)
            begin, mover = perf_counter(), shards.move(number, source)
            victim = rng.choice(VICTIMS) if took else "nobody"
            if victim != "nobody":
                await asyncio.sleep(rng.uniform(0, 1.1) * max(took))
            if victim in ("the program", "the program, suspended") and mover.pid is not None and mover.is_alive():
                os.kill(mover.pid, signal.SIGKILL if victim == "the program" else signal.SIGSTOP)
            elif victim in ENDINGS:
                await shards.restart(rng.randrange(SHARDS), ENDINGS[victim])
            await asyncio.to_thread(mover.join, PATIENCE / 2)
            if mover.is_alive() and mover.pid is not None:      # it had no file yet, so nobody minded
                os.kill(mover.pid, signal.SIGCONT)
                await asyncio.to_thread(mover.join)
            killed[victim] += 1
            async with asyncio.timeout(PATIENCE):
                while mover.exitcode and not victim.startswith("the program"):      # a bot was not ready: once more
                    await asyncio.sleep(1)
                    begin, mover = perf_counter(), shards.move(number, source)
                    await asyncio.to_thread(mover.join)
            if victim == "nobody":
                took.append(perf_counter() - begin)
            await shards.settled(number)
            discord.forget_nonces()
            bar.update()        # type: ignore[no-untyped-call]
        people.clubs = []
        playing.cancel()
        await asyncio.sleep(5)
        for file in shards.files:
            await quiet(file)
        found = _compared(shards.files, clubs, discord)
        for shard in list(shards.bots):
            await shards.end(shard, signal.SIGKILL)
    late = sum(asked.answered.done() for asked in people.silent)
    silent = [shards.was_away(asked.sent) for asked in people.silent if not asked.answered.done()]
    return {"moves": points, **{f"ended_{who.replace(' ', '_').replace(',', '')}": times for who, times in killed.items()},
            "move_p50_ms": quantile(took, 50), "move_most_ms": quantile(took, 100), "deeds": people.seen.acted,
            "answered_late": late, "unanswered_as_a_bot_was_gone": sum(silent), "unanswered": len(silent) - sum(silent), **found}


def _compared(files: Sequence[Path], clubs: Sequence[Club], discord: Remembering) -> dict[str, float]:
    """Rows and messages in both files against what people were told."""
    lost = doubled = missing = unsent = twice = rows = 0
    stands = {int(message["id"]) for messages in discord.stands.values() for message in messages}
    for club in clubs:
        wanted = [(row.no, row.seat, row.by, row.verb, row.answer, row.events) for row in club.rows]
        there = 0
        for file in files:
            with closing(sqlite3.connect(file)) as db:
                if db.execute("SELECT 1 FROM games WHERE id = ?", (club.game,)).fetchone() is None:
                    continue
                there += 1
                stored = db.execute("SELECT no, seat, by, verb, answer, events FROM log WHERE game = ? AND no > ?",
                                    (club.game, club.since)).fetchall()
                lost += sum(row not in stored for row in wanted if row[0] <= club.certain())
                doubled += sum(row not in wanted for row in stored)
                rows += len(stored)
                missing += sum(message not in stands for (message,) in db.execute(
                    "SELECT message FROM outbox WHERE game = ? AND no > ? AND message NOT NULL AND kind IN ('log', 'final')",
                    (club.game, club.since)))
        twice += there != 1
    for file in files:
        with closing(sqlite3.connect(file)) as db:
            unsent += db.execute("SELECT count(*) FROM outbox WHERE sent_at IS NULL").fetchone()[0]
    return {"rows": rows, "lost": lost, "doubled": doubled, "games_not_in_one_file": twice, "messages_missing": missing + unsent,
            "messages_doubled": discord.doubled, "messages": len(stands)}
