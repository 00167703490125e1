"""The file, its thread and its transactions.

One thread owns the connection. All transactions that wait at a moment share one commit, each behind a savepoint of its own,
and each caller is answered when the disk has it.
"""
from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import sqlite3
from collections import deque
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import IO, Any, TypeVar

from sqlite_utils import Database

from bot.domain.languages import Languages
from bot.store.audit import Audit
from bot.store.backup_files import copy
from bot.store.bookmarks import Bookmarks
from bot.store.channels import ChannelStatements
from bot.store.claims import Claims
from bot.store.clocks import ClockStatements
from bot.store.forums import Forums
from bot.store.game_dump import Captures
from bot.store.games import Games
from bot.store.gone_players import GonePlayers
from bot.store.guard import OPEN, Guard, keep_private
from bot.store.idle_games import IdleGames
from bot.store.insights import Insights
from bot.store.interests import Interests
from bot.store.lessons import Lessons
from bot.store.log import Log
from bot.store.migrations import CHANGES, migrations
from bot.store.migrations_1_to_20 import APPLICATION
from bot.store.noticeboards import Noticeboards
from bot.store.numbers import Numbers
from bot.store.orders import OrderBook
from bot.store.outbox import OutboxStatements
from bot.store.personal_data import PersonalData
from bot.store.plans import Plans
from bot.store.presence import Presences
from bot.store.results import Results
from bot.store.retention import Retention
from bot.store.rows import NotStored
from bot.store.seats import Seats
from bot.store.settings import Settings
from bot.store.stand_ins import StandIns
from bot.store.statistics import Counting
from bot.store.talk import Talk
from bot.store.timers import Timers
from bot.store.troubles import TroubleStatements
from bot.store.undo import UndoStatements
from bot.store.versions import UNWELL, ailment, code_of, require_ours, require_sound
from engine.refusals import Faulty
from engine.text import template, text, verbatim

T = TypeVar("T")
log = logging.getLogger(__name__)

UNKEPT = template("Your move couldn't be saved: {reason}. Nothing has changed. Try again later.")
DIGITS = 20                             # of the number of a process


class Ledger:
    """All statements, by subject. Exists only in the store's thread; every method is a part of the transaction under way."""

    def __init__(self, db: Database) -> None:
        self.db, self.conn = db, db.conn
        self.audit = Audit(db)
        self.bookmarks = Bookmarks(db)
        self.channels = ChannelStatements(db)
        self.claims = Claims(db)
        self.clocks = ClockStatements(db)
        self.forums = Forums(db)
        self.games = Games(db)
        self.gone_players = GonePlayers(db)
        self.idle_games = IdleGames(db)
        self.insights = Insights(db)
        self.interests = Interests(db)
        self.lessons = Lessons(db)
        self.log = Log(db)
        self.noticeboards = Noticeboards(db)
        self.numbers = Numbers(db)
        self.orders = OrderBook(db)
        self.outbox = OutboxStatements(db)
        self.game_dump = Captures(db, self.outbox)
        self.personal_data = PersonalData(db)
        self.plans = Plans(db)
        self.presence = Presences(db)
        self.results = Results(db)
        self.retention = Retention(db)
        self.seats = Seats(db)
        self.settings = Settings(db)
        self.stand_ins = StandIns(db)
        self.statistics = Counting(db)
        self.talk = Talk(db)
        self.timers = Timers(db)
        self.troubles = TroubleStatements(db)
        self.undo = UndoStatements(db)


@dataclass(slots=True)
class _Job:
    """A transaction that waits for its turn, and then its outcome."""

    work: Callable[[Ledger], Any]
    writes: bool
    done: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None
    begun: float = field(default_factory=perf_counter)


class Store:
    """The file, behind one thread. Give it work that calls a `Ledger`; the work must not keep the ledger, nor wait.

    `on_news` is called, in the event loop, after each commit that added letters to the outbox, with the games that they are of.
    """

    def __init__(self, path: Path | str, *, patience: float = 5, spare: bool = False) -> None:
        """Open the file, or make it. `patience`: seconds to wait while another program holds it. A `spare` file is a copy
        itself: if it is of an earlier version, it is changed without being copied first.

        Raises Faulty: the file is in use by another bot, is no database of this program, or comes from a newer version.
        """
        self.path = Path(path)
        self.on_news: Callable[[Collection[int]], None] | None = None
        self.on_done: Callable[[float], None] | None = None     # called with the seconds that each piece of work has taken
        self.changes = 0        # transactions asked for since the start, but for those that only note what became of letters
        self._waiting: deque[_Job] = deque()
        self._busy = False
        self._lock = hold(self.path)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        try:
            self._ledger = self._thread.submit(_open, self.path, patience, spare).result()
            self.languages: Languages = self._thread.submit(self._ledger.settings.languages).result()
            self._guard = Guard(self.path)
        except BaseException:
            self._thread.shutdown()
            self._lock.close()
            raise

    @property
    def origin(self) -> str:
        """How the nonces of the letters begin that were written since the file was opened."""
        return self._ledger.outbox.origin

    def close(self) -> None:
        """Finish what waits, and let go of the file."""
        self._thread.submit(self._drain).result()
        self._thread.submit(self._ledger.conn.close).result()
        self._thread.shutdown()
        self._lock.close()

    def lost(self) -> Path | None:
        """A file of the database that was deleted or replaced since it was opened; as long as there is one, nothing is stored."""
        return self._guard.lost()

    async def write(self, work: Callable[[Ledger], T], *, delivers: bool = False) -> T:
        """One transaction, on the disk when this returns; `delivers`: it notes what became of a letter, and changes nothing else.

        Raises NotStored when the file cannot take it, or whatever the work raises; then nothing of it is kept.
        """
        self.changes += not delivers
        result: T = await self._enqueue(work, writes=True)
        return result

    async def read(self, work: Callable[[Ledger], T]) -> T:
        """Look at a moment at which all writes asked for before are done."""
        result: T = await self._enqueue(work, writes=False)
        return result

    def _enqueue(self, work: Callable[[Ledger], Any], *, writes: bool) -> asyncio.Future[Any]:
        job = _Job(work, writes, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        if not self._busy:
            self._thread.submit(self._drain)
            self._busy = True
        return job.done

    def _drain(self) -> None:
        """In the thread: do all jobs that wait, and have their callers told in the event loop."""
        jobs: list[_Job] = []
        while self._waiting:
            jobs.append(self._waiting.popleft())
        if jobs:
            _carry_out(self._ledger, jobs, self._guard)
            jobs[0].done.get_loop().call_soon_threadsafe(self._tell, jobs, self._ledger.outbox.take_news())

    def _tell(self, jobs: list[_Job], news: Collection[int]) -> None:
        self._busy = bool(self._waiting)
        if self._busy:
            self._thread.submit(self._drain)
        now = perf_counter()
        for job in jobs:
            if self.on_done is not None:
                self.on_done(now - job.begun)
            done, result, error = job.done, job.result, job.error
            del job.work, job.done, job.result, job.error       # the frames of an error know all jobs that were done with it
            if done.cancelled():
                continue
            if error is None:
                done.set_result(result)
            else:
                done.set_exception(error)
        if news and self.on_news is not None:
            self.on_news(news)


def hold(path: Path) -> IO[bytes]:
    """Hold the file next to the database, so that a second bot on it is refused. Raises Faulty."""
    if os.path.isdir(path):
        raise Faulty("Name a file for the database: {path} is a folder.", path=verbatim(str(path)))
    beside = path.with_name(f"{path.name}.lock")
    try:
        keep_private(beside)
        held = os.fdopen(os.open(beside, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0)
    except OSError as why:
        raise _unheld(path, beside, why) from None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = _holder(held)
        held.close()
        if holder is None:
            raise Faulty("Another program, perhaps an earlier version of the bot, holds {lock}. Find it with `fuser {lock}` and "
                       "stop it, or name another database.", lock=verbatim(str(beside))) from None
        raise Faulty("Another bot is running on {path}: process {holder}. Stop it first, or name another database.",
                   path=verbatim(str(path)), holder=verbatim(str(holder))) from None
    try:
        held.truncate(0)
        held.write(f"{os.getpid()}\n".encode())
    except OSError as why:
        held.close()
        raise _unheld(path, beside, why) from None
    return held


def _unheld(path: Path, lock: Path, why: OSError) -> Faulty:
    return Faulty("The database {path} can't be opened: {reason}. It needs the file {lock} beside it.", path=verbatim(str(path)),
                  lock=verbatim(lock.name), reason=verbatim((why.strerror or "unknown error").lower()))


def _holder(held: IO[bytes]) -> int | None:
    """The process of the bot that holds a lock, if it lives and is another's; its number is in the file."""
    words = held.read(DIGITS).strip()
    if not words.isdigit():
        return None
    try:
        os.kill(int(words), 0)
    except (ProcessLookupError, OverflowError):
        return None
    except PermissionError:
        pass                                    # somebody else's
    return int(words)


def _open(path: Path, patience: float, spare: bool = False) -> Ledger:
    """In the thread: open, check, migrate. A new file is its owner's alone: it holds the secrets of running games."""
    for part in OPEN:
        keep_private(path.with_name(f"{path.name}{part}"))
    with suppress(OSError):                 # SQLite says better what is wrong with the place
        path.touch(mode=0o600)
    conn = sqlite3.connect(os.fspath(path), isolation_level=None, check_same_thread=False, timeout=patience)
    try:
        db = Database(conn, execute_plugins=False)
        applied = require_ours(db, path)
        require_sound(db, path)
        db.enable_wal()
        for pragma in ("synchronous=FULL", "foreign_keys=ON", "recursive_triggers=ON",      # the last: REPLACE fires triggers
                       "secure_delete=ON"):             # what is erased is overwritten, whatever SQLite was built to do
            db.execute(f"PRAGMA {pragma}")
        if not db.table_names():            # known as ours before the first table, however soon the process ends
            db.execute(f"PRAGMA application_id={APPLICATION}")
        pending = [change.__name__ for change in CHANGES if change.__name__ not in applied]
        if pending and applied and not spare:
            _copy_before_upgrade(path, pending[0])
        if pending:
            with db.atomic():               # all or nothing, so that this version or the one before can open the file
                migrations.apply(db)
        return Ledger(db)
    except sqlite3.DatabaseError as why:
        conn.close()
        raise Faulty("The database {path} can't be used: {reason}.", path=verbatim(str(path)),
                     reason=verbatim(ailment(why))) from None
    except BaseException:
        conn.close()
        raise


def _copy_before_upgrade(path: Path, first: str) -> None:
    """Copy a file of an earlier version beside it, in place of a copy from an upgrade that broke off. Raises Faulty."""
    kept = path.with_name(f"{path.name}.before-{first[1:].partition('_')[0]}")
    copy(path, kept, as_it_is=True)
    log.warning("%s is of an earlier version, so I've copied it to %s before I change it. Delete the copy when all is well.",
                path, kept)


def _carry_out(ledger: Ledger, jobs: Sequence[_Job], guard: Guard) -> None:
    """In the thread: all jobs in one commit; a job that fails is undone alone, and a commit that fails undoes all.

    What is written to a file that is gone from the disk is not kept, so it is refused.
    """
    conn = ledger.conn
    writers = [job for job in jobs if job.writes]
    lost = guard.lost() if writers else None
    if lost is not None:
        _refuse(writers, lost)
        jobs, writers = [job for job in jobs if not job.writes], []
    try:
        if writers:
            conn.execute("BEGIN IMMEDIATE")
        for job in jobs:
            _attempt(ledger, job, alone=len(writers) == 1)
        if conn.in_transaction:
            conn.execute("COMMIT")
        if writers and (lost := guard.lost()) is not None:
            _refuse(writers, lost)
    except sqlite3.Error as why:
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        for job in writers:
            job.error = job.error or _explained(why)
        for job in jobs:
            if not job.writes:              # it has seen what is gone now, or nothing yet
                _attempt(ledger, job, alone=True)


def _refuse(jobs: Sequence[_Job], lost: Path) -> None:
    """Nothing of these jobs is kept: a file of the database is not on the disk any more."""
    for job in jobs:
        job.error = job.error or NotStored(UNKEPT, reason=text("{file} was deleted or replaced", file=verbatim(lost.name)))


def _attempt(ledger: Ledger, job: _Job, *, alone: bool) -> None:
    """Do one job; the only one that writes needs no savepoint."""
    try:
        if job.writes and not alone:
            with ledger.db.atomic():
                job.result = job.work(ledger)
        else:
            job.result = job.work(ledger)
    except BaseException as why:
        job.error = _explained(why)
        if job.writes and alone and ledger.conn.in_transaction:
            ledger.conn.execute("ROLLBACK")
        elif job.writes and not alone and not ledger.conn.in_transaction:
            raise sqlite3.OperationalError("SQLite gave up the whole commit, not only this job") from why


def _explained(why: BaseException) -> BaseException:
    """The sentence for a disk or a file that is unwell; any other error as it is."""
    cause: BaseException | None = why
    while cause is not None:                # a rollback that fails hides what made it necessary
        if isinstance(cause, sqlite3.Error) and (reason := UNWELL.get(code_of(cause))):
            return NotStored(UNKEPT, reason=verbatim(reason))
        cause = cause.__context__
    return why
