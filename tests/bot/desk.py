"""A place to play pebbles through the bot's core: a file, a clock that stands where it is put, dice that everybody knows."""
from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextvars import Context
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar
from unittest.mock import patch

from bot.service import Services
from bot.store import GameRow, OutboxRow, Store, database
from bot.store.guard import Guard
from engine.kernel import GameSpec, Row
from tests.toy import PEBBLES, SECRET, Guess

S = TypeVar("S", bound=Store)
T = TypeVar("T")

ANNA, BERT, CARA, MASTER = 101, 102, 103, 900
CHANNEL, GUILD = 7, 8
BLANK = "blank.db"      # the file that copies are made of
SELDOM = 16             # rounds of a busy loop between two looks outside


@cache
def _blank() -> bytes:
    """A database in which there is nothing yet. To make one costs ten times as much as to copy it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / BLANK
        Store(path).close()
        return path.read_bytes()


def blank(path: Path) -> Path:
    """Put a database without games there, if there is none."""
    if not path.exists():
        path.touch(mode=0o600)
        path.write_bytes(_blank())
    return path


class AtOnce(Executor):
    """Does work where it is given, in no thread of its own: to change threads takes longer than most of it."""

    def submit(self, work: Callable[..., T], /, *given: Any, **named: Any) -> Future[T]:
        """What became of it."""
        done = Future[T]()
        try:
            done.set_result(work(*given, **named))
        except BaseException as why:
            done.set_exception(why)
        return done


def undivided(loop: asyncio.AbstractEventLoop) -> None:
    """Have a loop do itself what it would give to another thread, and hear of it without a system call that wakes it.

    As long as there is something to do at once, it asks the system only now and then what has come from outside.
    """
    mine, soon, from_elsewhere = threading.get_ident(), loop.call_soon, loop.call_soon_threadsafe
    outside, rounds = vars(loop)["_selector"], itertools.count(1)
    select = outside.select

    def looked(timeout: float | None = None) -> Any:
        return [] if timeout == 0 and next(rounds) % SELDOM else select(timeout)

    def heard(callback: Callable[..., object], *given: Any, context: Context | None = None) -> asyncio.Handle:
        return (soon if threading.get_ident() == mine else from_elsewhere)(callback, *given, context=context)

    vars(outside).update(select=looked)
    vars(loop).update(call_soon_threadsafe=heard, _default_executor=AtOnce(),
                      shutdown_default_executor=functools.partial(asyncio.sleep, 0))


def attentive(loop: asyncio.AbstractEventLoop) -> None:
    """Have such a loop look outside at every round again: another process, or what stands for one, answers there."""
    vars(vars(loop)["_selector"]).pop("select", None)


class Worker:
    """In the place of a store's thread: does what it is given there and then."""

    def submit(self, work: Callable[..., Any], *given: Any) -> SimpleNamespace:
        """What came of it, as a future that is done says it."""
        told = work(*given)
        return SimpleNamespace(result=lambda: told)

    def shutdown(self) -> None:
        """There is nothing to wait for."""


def at_once(opened: Callable[[], S]) -> S:
    """The store that is opened so, without a thread."""
    with patch.object(database, "ThreadPoolExecutor", lambda *_, **__: Worker()):
        return opened()


@contextlib.contextmanager
def lent(store: Store) -> Iterator[None]:
    """The file of a store that works where it is asked (`at_once`) is let go of while the block lasts; another may come back."""
    store._ledger.conn.close()
    store._lock.close()
    yield
    store._lock, store._ledger, store._guard = database.hold(store.path), database._open(store.path, 0), Guard(store.path)
    store.changes += 1           # whatever was read before may have changed


class Clock:
    """Noon of a day in spring, until it is put on."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 4, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def put_on(self, **by: float) -> None:
        self.moment += timedelta(**by)


def play_on(store: Store, *, spec: GameSpec = PEBBLES, clock: Clock | None = None, tables: int = 64) -> Services:
    """The bot's core on a file, with nothing in memory."""
    return Services(store, (spec,), now=clock or Clock(), secret=lambda: SECRET, tables=tables)


async def opened(services: Services, *, seats: int = 2, key: str = "pebbles", title: str = "Friday", options: Any = None) -> int:
    """A game that waits for members."""
    row = await services.lobby.open(key=key, edition="plain", seats=seats, options=options or {}, pack=None, title=title,
                                    guild=GUILD,
                          channel=CHANNEL, owner=MASTER)
    return row.id


async def started(services: Services, members: Sequence[int] = (ANNA, BERT), *, key: str = "pebbles") -> int:
    """A game in which these members are asked for their guesses."""
    game = await opened(services, seats=len(members), key=key)
    for member in members:
        await services.lobby.join(game, member)
    await services.lobby.start(game, MASTER)
    return game


async def guessed(services: Services, members: Sequence[int] = (ANNA, BERT)) -> int:
    """A game in which the first member is to take pebbles; guess number n is n."""
    game = await started(services, members)
    for number, member in enumerate(members, 1):
        await services.answers.answer(game, member, Guess.of(number))
    await delivered(services)
    return game


async def branched(services: Services, game: int, row: int, *, channel: int, title: str = "") -> GameRow:
    """A new game that goes on from a row, once all have agreed who have to."""
    if (await services.branching.prospect(game, row)).consent:
        request = await services.consent.ask_to_branch(game, row, MASTER)
        for holder in await services.queries.holders(game):
            if holder.seat in request.agreed and holder.user is not None:
                await services.undo_requests.agree(request.id, holder.user)
        await delivered(services)
    return await services.branching.branch(game, row, MASTER, channel=channel, title=title)


async def delivered(services: Services) -> list[OutboxRow]:
    """Everything that was to be sent, and is now; without the status message, which goes along with all that is public, and
    without what strikes out older messages."""
    letters = await services.outbox.pending(200)
    for letter in letters:
        await services.outbox.note(letter.game, [(letter.id, 10_000 + letter.id)])
    return [letter for letter in letters if letter.kind not in ("status", "strike")]


def kinds(letters: Sequence[OutboxRow]) -> list[tuple[str, str]]:
    """Kind and audience of each letter, without the status message."""
    return [(letter.kind, letter.audience) for letter in letters if letter.kind != "status"]


def crashed(path: Path, into: Path) -> Path:
    """The file as a killed process leaves it, in another folder."""
    into.mkdir()
    for part in path.parent.glob(f"{path.name}*"):
        if not part.name.endswith(".lock"):
            shutil.copy(part, into / part.name)
    return into / path.name


async def notices(services: Services) -> list[str]:
    """The sentences that everybody is told, as they are sent."""
    return [letter.payload["text"] for letter in await delivered(services) if letter.kind == "notice"]


async def heap(services: Services, game: int) -> int:
    """The pebbles that are left."""
    found: int = (await services.session.table(game)).state.heap
    return found


async def rows_of(store: Store, game: int) -> list[Row]:
    """All rows of a game, those that were taken back included."""
    return await store.read(lambda ledger: ledger.log.rows(game))


async def users(services: Services, game: int) -> list[int | None]:
    """Who plays each seat, in the order of the seats."""
    return [holder.user for holder in await services.queries.holders(game)]
