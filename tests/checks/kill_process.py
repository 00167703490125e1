"""Kills the whole process: `python -m bot` on a loopback Discord gets SIGKILL at a request that an answer causes.

Before that request arrives, after it, or some time after the press: wherever the process is then. A new one begins on the same
file, and the person presses the same button again. The answer must be there once, whatever was told must be true, and every
message that was posted must be the one of its letter. In a round that is planned in private a press adds a step to the plan, and
one makes all of them public.
"""
from __future__ import annotations

import asyncio
import json
import os
import random
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from aiohttp import web

from bot.discord.game.buttons import PUBLISH
from bot.domain.announcements import choice_id
from bot.service import Services
from bot.store import Store
from engine.kernel import GameSpec
from engine.selfplay import random_answer
from tests.checks.loopback import TOKEN, Loopback, SentInteraction, server
from tests.checks.mixtures import first_edition

ROOT = Path(__file__).parents[2]
MASTER, PLAYERS, CHANNEL = 10, (11, 12), 5001
BEFORE = 30                 # rows of the game before the first death
REQUESTS = 12               # that an answer causes, more or less
QUIET, LONGEST_QUIET = 0.4, 30.0             # seconds: without a request, the bot has done all; it must have by then
START = 180.0                           # seconds that a process has to start in, on a machine that does much else
LATEST = 0.12               # seconds after a press at which a process is killed that waits for no request


@dataclass
class Wreckage:
    """What was found after so many deaths."""

    points: int = 0
    lost: int = 0
    doubled: int = 0
    missing: int = 0
    silent: int = 0


class Deadly(Loopback):
    """A Discord on the loopback address that ends the bot at one of its requests."""

    def __init__(self) -> None:
        super().__init__([server(1, (CHANNEL,))])
        self.kill: Callable[[], None] = lambda: None
        self.left = 0                                       # requests until then; 0: never
        self.arrives = False                                # whether the last one is still carried out
        self.last = perf_counter()                          # when the last request came

    async def _api(self, request: web.Request) -> web.Response:
        self.last = perf_counter()
        self.left -= self.left > 0 and request.method != "GET"
        doomed, self.left = self.left == 1 and request.method != "GET", self.left
        if doomed:
            self.left = 0
            if not self.arrives:
                self.kill()
                return web.Response(status=500)
        answer = await super()._api(request)
        if doomed:
            self.kill()
        return answer

    async def quiet(self, path: Path) -> None:
        """Wait until the bot has nothing to say any more, or does not say it."""
        begun = self.last = perf_counter()
        while perf_counter() - self.last < QUIET or (_unsent(path) and perf_counter() - begun < LONGEST_QUIET):      # noqa: ASYNC110
            await asyncio.sleep(QUIET / 4)


async def kill(spec: GameSpec, folder: Path, points: int, seed: int, progress: Callable[[], object]) -> Wreckage:
    """So many deaths in one game."""
    path, rng, wreckage = folder / "games.db", random.Random(seed), Wreckage()
    await _prepare(spec, path, rng)
    async with Deadly().open() as discord:
        assert isinstance(discord, Deadly)
        for point in range(seed, seed + points):
            press = await _next_press(path, rng)
            user, custom_id = press.user, press.custom_id
            async with _bot(discord, path):
                await discord.quiet(path)
                discord.left, discord.arrives = (2 + rng.randrange(REQUESTS), bool(point % 2)) if point % 3 else (0, False)
                first = await discord.press(user, CHANNEL, custom_id)
                await asyncio.sleep(rng.random() * LATEST if not discord.left else 3 * QUIET)
                discord.kill()
            discord.left = 0
            told = first.answered.done()
            if told and _given(path, press) == press.before:
                wreckage.lost += 1
            async with _bot(discord, path):
                await discord.quiet(path)
                stored = _given(path, press)
                heard = await _answers(await discord.press(user, CHANNEL, custom_id))
                await discord.quiet(path)
                discord.kill()
            wreckage.points += 1
            progress()
            given = _given(path, press)
            wreckage.silent += not heard and given == stored        # else the channel says what has come of it
            wreckage.lost += given == press.before
            wreckage.doubled += max(sum(given) - sum(press.after), 0)
            _compare_messages(path, discord, wreckage)
    return wreckage


async def _prepare(spec: GameSpec, path: Path, rng: random.Random) -> None:
    """A game that has been going on for some rows."""
    with closing(Store(path)) as store:
        services = Services(store)
        game = await services.lobby.open(key=spec.key, edition=first_edition(spec), seats=len(PLAYERS), options={}, pack=None,
                               title="Friday", guild=server(1).id, channel=CHANNEL, owner=MASTER)
        for player in PLAYERS:
            await services.lobby.join(game.id, player)
        await services.lobby.start(game.id, MASTER)
        while await services.queries.newest(game.id) < BEFORE:
            (waiting, *_), table = await services.queries.waiting(game.id), await services.session.table(game.id)
            assert waiting.user is not None, "both seats are held"
            await services.answers.answer(game.id, waiting.user, random_answer(table.options(waiting.seat), rng.randrange))


@dataclass(frozen=True)
class Press:
    """A press of somebody who is awaited, and (rows of the seat since `newest`, steps planned) before it and after it."""

    seat: str
    user: int
    custom_id: str
    newest: int
    before: tuple[int, int]
    after: tuple[int, int]


async def _next_press(path: Path, rng: random.Random) -> Press:
    """The button for one of the answers of whoever is awaited, or that which publishes a plan to which no more can be added."""
    with closing(Store(path)) as store:
        services = Services(store)
        waiting, newest = (await services.queries.waiting(1))[0], await services.queries.newest(1)
        seat, user = waiting.seat, waiting.user
        assert user is not None, "both seats are held"
        plan = await services.plans.standing(1, user)
        steps = len(plan.steps) if plan is not None else 0
        if plan is not None and plan.closed is not None:
            return Press(seat, user, PUBLISH.custom_id(1, seat, plan.stamp), newest, (0, steps), (steps, 0))
        table, stamp = (await services.session.table(1), waiting.asked_at) if plan is None else (plan.table, plan.stamp)
        action = random_answer(table.options(seat), rng.randrange)
        after = (1, 0) if plan is None else (0, steps + 1)
        return Press(seat, user, f"yes:1:{seat}:{stamp}:{choice_id(action)}", newest, (0, steps), after)


@asynccontextmanager
async def _bot(discord: Deadly, path: Path) -> AsyncIterator[None]:
    """A process on this file, connected; it has been killed when the block ends."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DISCORD_TOKEN": TOKEN, "CHANCERY_DISCORD_URL": discord.url,
                   "CHANCERY_DATABASE": str(path), "CHANCERY_LOG_LEVEL": "ERROR"}
    discord.commands = 0
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", cwd=path.parent, env=environment,
                                                   stderr=asyncio.subprocess.DEVNULL)

    def end() -> None:
        if process.returncode is None:
            process.kill()

    discord.kill = end
    try:
        async with asyncio.timeout(START):
            while not (discord.connected and discord.commands):
                assert process.returncode is None, "the bot does not start"
                await asyncio.sleep(QUIET / 8)
        yield
    finally:
        end()
        await process.wait()
        async with asyncio.timeout(LONGEST_QUIET):
            while discord.connected:            # noqa: ASYNC110
                await asyncio.sleep(QUIET / 8)


async def _answers(asked: SentInteraction) -> bool:
    """Whether a press is answered by words."""
    try:
        async with asyncio.timeout(LONGEST_QUIET):
            await asked.answered
    except TimeoutError:
        return False
    return bool(asked.said.get("content"))


def _given(path: Path, press: Press) -> tuple[int, int]:
    """How many answers a seat has given by itself since a press, and how many it has planned."""
    with closing(sqlite3.connect(path)) as file:
        (rows,) = file.execute("SELECT count(*) FROM log WHERE game = 1 AND no > ? AND seat = ? AND by = 'player'",
                               (press.newest, press.seat)).fetchone()
        plans = file.execute("SELECT steps FROM plans WHERE game = 1 AND seat = ?", (press.seat,)).fetchall()
        return int(rows), sum(len(json.loads(steps)) for (steps,) in plans)


def _compare_messages(path: Path, discord: Deadly, wreckage: Wreckage) -> None:
    """Every letter has been sent, its message is there, and no other."""
    with closing(sqlite3.connect(path)) as file:
        known = {message for (message,) in file.execute("SELECT message FROM outbox WHERE message NOT NULL")}
    there = {*discord.posted.values()}
    wreckage.missing = max(wreckage.missing, _unsent(path) + len(known - there))
    wreckage.doubled = max(wreckage.doubled, len(there - known))


def _unsent(path: Path) -> int:
    """How many letters have not been sent."""
    with closing(sqlite3.connect(path)) as file:
        return int(file.execute("SELECT count(*) FROM outbox WHERE sent_at IS NULL").fetchone()[0])
