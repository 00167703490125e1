"""Keeps everything in one SQLite file: the only module, with its migrations, that knows SQL.

One thread owns the connection. All transactions that wait at a moment share one commit, each behind a savepoint of its own,
and each caller is answered when the disk has it.
"""
from __future__ import annotations

import asyncio
import fcntl
import json
import os
import secrets
import sqlite3
import zlib
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal, TypeVar

from sqlite_utils import Database

from bot.migrations import APPLICATION, CHANGES, migrations
from bot.news import Letter, Told
from engine.kernel import Checkpoint, Row, Seat
from engine.refusals import Faulty, Refusal
from engine.text import verbatim
from engine.undo import RETURN

Status = Literal["open", "running", "paused", "over", "closed"]
Theme = Literal["dark", "light"]
T = TypeVar("T")

COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
FAST = 1            # zlib level: six times smaller at a fifth of the cost of the default
UNWELL = {          # what the file or the disk can have, by SQLite's primary result code
    sqlite3.SQLITE_FULL: "the disk is full", sqlite3.SQLITE_BUSY: "another program is using the database",
    sqlite3.SQLITE_LOCKED: "another program is using the database", sqlite3.SQLITE_IOERR: "the disk reports an error",
    sqlite3.SQLITE_READONLY: "the database cannot be written to", sqlite3.SQLITE_CANTOPEN: "a file cannot be opened"}


class NotStored(Refusal):
    """The file could not take a change; nothing has changed."""


# --- what is read from the tables -------------------------------------------------------------------

@dataclass(frozen=True, kw_only=True)
class GameRow:
    """A game as the lobby knows it."""

    id: int
    key: str                    # of its GameSpec
    edition: str
    options: Mapping[str, Any]  # changed options, as the opener gave them
    title: str                  # what people call it
    guild: int | None
    channel: int                # where it is played: a text channel or a thread
    owner: int                  # the member who opened it, a game master
    seats: int                  # how many
    status: Status
    pack_hash: str              # SHA-256 of its component data
    commitment: str             # SHA-256 of the secret of its dice; "" before the start
    created_at: str             # ISO 8601, UTC


@dataclass(frozen=True, kw_only=True)
class Holder:
    """Who holds a seat; `user` is None for a seat that nobody holds (its questions get their defaults at once)."""

    seat: Seat
    user: int | None
    private: bool               # wants the private direct message (opt-out: False)
    name: str = ""              # how people know its player: what pictures say; "" for a seat that nobody holds


@dataclass(frozen=True, kw_only=True)
class Stored:
    """A game with what only the bot may know of it."""

    row: GameRow
    secret: str                 # 64 hexadecimal digits; "" before the start
    started_at: str | None
    told: Told
    holders: tuple[Holder, ...]


@dataclass(frozen=True, kw_only=True)
class OutboxRow:
    """A letter on its way; see `bot.news` for payloads by kind."""

    id: int
    game: int
    no: int                     # the last row of the log when it was written
    kind: str
    audience: str               # "public", "gm", or a seat
    key: str | None
    payload: Mapping[str, Any]
    nonce: str                  # the same for every attempt, and unique: Discord drops a repetition
    attempts: int


GAME = ("id", "key", "edition", "options", "title", "guild", "channel", "owner", "seats", "status", "pack_hash", "commitment",
        "created_at")
LETTER = ("id", "game", "no", "kind", "audience", "key", "payload", "nonce", "attempts")
GAME_COLUMNS = ", ".join(f"games.{name}" for name in GAME)
ADD_ROW = "INSERT INTO log (game, no, seat, by, verb, answer, events, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
ADD_LETTER = "INSERT INTO outbox (id, game, no, kind, audience, key, payload, nonce) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
MISNAMED = "user = ? AND name <> ? AND game IN (SELECT id FROM games WHERE guild IS ?)"
SETTLE = "UPDATE outbox SET sent_at = ?, problem = 'superseded' WHERE game = ? AND key = ? AND sent_at IS NULL"


class Ledger:
    """All statements, by name. Exists only in the store's thread; every method is a part of the transaction under way."""

    def __init__(self, db: Database) -> None:
        self.db, self.conn = db, db.conn
        self.next_letter: int = self._one("SELECT coalesce(max(id), 0) + 1 FROM outbox")
        self._origin = secrets.token_hex(4)         # so that the nonces of two files, or of a restored copy, never meet

    def _one(self, sql: str, *values: object) -> Any:
        """The first value of the first row, or None."""
        row = self.conn.execute(sql, values).fetchone()
        return None if row is None else row[0]

    # -- games

    def add_game(self, values: Mapping[str, Any], components: Mapping[str, Any]) -> int:
        """A new open game with its component data; its number."""
        self.conn.execute("INSERT OR IGNORE INTO components VALUES (?, ?)",
                          (values["pack_hash"], zlib.compress(json.dumps(components).encode())))
        game = {**values, "options": json.dumps(values["options"]), "told": Told().model_dump_json(), "secret": "",
                "commitment": "", "status": "open"}
        key = self.db.table("games").insert(game, pk="id").last_pk
        assert isinstance(key, int), "games are numbered"
        return key

    def games(self, *, channel: int | None = None, user: int | None = None, guild: int | None = None,
              status: Sequence[Status] = ()) -> list[GameRow]:
        """The games that fit all that is given, newest last."""
        wanted: dict[str, object] = {"games.channel": channel, "games.guild": guild, "seats.user": user}
        given = {column: value for column, value in wanted.items() if value is not None}
        where = [*(f"{column} = ?" for column in given), f"games.status IN ({', '.join('?' * len(status))})"]
        join = "JOIN seats ON seats.game = games.id" if user is not None else ""
        sql = f"SELECT {GAME_COLUMNS} FROM games {join} WHERE {' AND '.join(where)} ORDER BY games.id"
        return [_game(row) for row in self.conn.execute(sql, (*given.values(), *status))]

    def game(self, game: int) -> Stored:
        """One game. Raises Refusal: there is none with this number."""
        sql = f"SELECT secret, started_at, told, {GAME_COLUMNS} FROM games WHERE id = ?"
        found = self.conn.execute(sql, (game,)).fetchone()
        if found is None:
            raise Refusal("There is no game number {game}.", game=game)
        secret, started_at, told, *row = found
        return Stored(row=_game(row), secret=secret, started_at=started_at, told=Told.model_validate_json(told),
                      holders=self.holders(game))

    def components(self, pack_hash: str) -> Any:
        """Component data by its hash."""
        return json.loads(zlib.decompress(self._one("SELECT data FROM components WHERE hash = ?", pack_hash)))

    def progress(self, game: int, status: Status, told: Told) -> None:
        """How a game stands, and what has been told of it."""
        self.conn.execute("UPDATE games SET status = ?, told = ? WHERE id = ?", (status, told.model_dump_json(), game))

    def begin(self, game: int, *, seats: int, secret: str, commitment: str, at: str) -> None:
        """The game starts with so many seats and this secret."""
        sql = "UPDATE games SET status = 'running', seats = ?, secret = ?, commitment = ?, started_at = ? WHERE id = ?"
        self.conn.execute(sql, (seats, secret, commitment, at, game))

    # -- seats

    def holders(self, game: int) -> tuple[Holder, ...]:
        """The seats of a game, in the order in which they were taken."""
        rows = self.conn.execute("SELECT seat, user, private, name FROM seats WHERE game = ? ORDER BY rowid", (game,))
        return tuple([Holder(seat=Seat(seat), user=user, private=bool(private), name=name) for seat, user, private, name in rows])

    def seat_all(self, game: int, holders: Iterable[Holder]) -> None:
        """These seats, in this order, and no others. Who sat there before keeps the name that the file has."""
        names = dict(self.conn.execute("SELECT user, name FROM seats WHERE game = ? AND user NOT NULL", (game,)).fetchall())
        self.conn.execute("DELETE FROM seats WHERE game = ?", (game,))
        self.conn.executemany("INSERT INTO seats (game, seat, user, private, name) VALUES (?, ?, ?, ?, ?)", [
            (game, holder.seat, holder.user, holder.private, names.get(holder.user, holder.name) if holder.user else "")
            for holder in holders])

    def misnamed(self, user: int, name: str, guild: int | None) -> bool:
        """Whether a seat of this member on this server stands under another name."""
        sql = f"SELECT 1 FROM seats WHERE {MISNAMED} LIMIT 1"
        return self._one(sql, user, name, guild) is not None

    def rename(self, user: int, name: str, guild: int | None) -> None:
        """A member is called so on this server from now on."""
        self.conn.execute(f"UPDATE seats SET name = ? WHERE {MISNAMED}", (name, user, name, guild))

    # -- the log

    def add_rows(self, game: int, rows: Iterable[Row], at: str) -> None:
        """New rows; a number that is taken already is refused by the primary key."""
        self.conn.executemany(ADD_ROW, [(game, row.no, row.seat, row.by, row.verb, row.answer, row.events, at) for row in rows])

    def add_checkpoint(self, game: int, checkpoint: Checkpoint) -> None:
        """The state when a phase began."""
        self.conn.execute("INSERT INTO checkpoints VALUES (?, ?, ?, ?)", (
            game, checkpoint.no, checkpoint.throws, zlib.compress(checkpoint.state.encode(), FAST)))

    def outline(self, game: int) -> list[Row]:
        """The whole log without what was answered and what followed; only a row that returns keeps its answer."""
        sql = "SELECT no, seat, by, verb, CASE verb WHEN ? THEN answer ELSE '' END, '' FROM log WHERE game = ? ORDER BY no"
        return [Row(*row) for row in self.conn.execute(sql, (RETURN, game))]

    def rows(self, game: int, *, since: int = 0) -> list[Row]:
        """The whole rows with numbers above `since`."""
        sql = "SELECT no, seat, by, verb, answer, events FROM log WHERE game = ? AND no > ? ORDER BY no"
        return [Row(*row) for row in self.conn.execute(sql, (game, since))]

    def newest(self, game: int) -> int:
        """The number of the last row of any kind; 0 before the first."""
        no: int = self._one("SELECT coalesce(max(no), 0) FROM log WHERE game = ?", game)
        return no

    def time(self, game: int, no: int) -> str | None:
        """When a row was stored."""
        at: str | None = self._one("SELECT at FROM log WHERE game = ? AND no = ?", game, no)
        return at

    def checkpoint(self, game: int, among: Collection[int]) -> Checkpoint | None:
        """The last checkpoint that was made at one of these rows, or at the beginning; None before the game starts."""
        made = self.conn.execute("SELECT no FROM checkpoints WHERE game = ? ORDER BY no DESC", (game,))
        for (no,) in made:
            if no == 0 or no in among:
                throws, state = self.conn.execute("SELECT throws, state FROM checkpoints WHERE game = ? AND no = ?",
                                                  (game, no)).fetchone()
                return Checkpoint(no, throws, zlib.decompress(state).decode())
        return None

    # -- the outbox

    def add_letters(self, game: int, no: int, letters: Iterable[Letter], at: str) -> None:
        """Letters for the sender; an older unsent one with the same key is passed over."""
        for letter in letters:
            if letter.key is not None:
                self.conn.execute(SETTLE, (at, game, letter.key))
            body = COMPACT.encode(letter.payload)
            nonce = f"{self._origin}-{self.next_letter:x}"
            self.conn.execute(ADD_LETTER, (self.next_letter, game, no, letter.kind, letter.audience, letter.key, body, nonce))
            self.next_letter += 1

    def settle(self, game: int, keys: Iterable[str], at: str) -> None:
        """Unsent letters with these keys have no sense any more."""
        self.conn.executemany(SETTLE, [(at, game, key) for key in keys])

    def pending(self, limit: int) -> list[OutboxRow]:
        """Unsent letters: the oldest of each game first, so that a game that cannot be reached holds up no other."""
        columns = ", ".join(LETTER)
        found = self.conn.execute(f"""
            SELECT {columns} FROM (SELECT {columns}, row_number() OVER (PARTITION BY game ORDER BY id) AS place
                                   FROM outbox WHERE sent_at IS NULL)
            ORDER BY place, id LIMIT ?""", (limit,))
        return [_letter(row) for row in found]

    def letter(self, id: int) -> OutboxRow:
        """One letter, sent or not."""
        return _letter(self.conn.execute(f"SELECT {', '.join(LETTER)} FROM outbox WHERE id = ?", (id,)).fetchone())

    def mark_sent(self, id: int, message: int | None, at: str) -> None:
        """A letter has been sent; the message of a letter with a key can be found again by it."""
        self.conn.execute("UPDATE outbox SET sent_at = ?, message = ? WHERE id = ?", (at, message, id))
        if message is not None:
            sql = "INSERT OR REPLACE INTO messages SELECT game, key, message FROM outbox WHERE id = ? AND key NOT NULL"
            self.conn.execute(sql, (id,))

    def mark_failed(self, id: int, why: str, given_up_at: str | None) -> None:
        """A letter could not be sent; with a time it is not tried again."""
        self.conn.execute("UPDATE outbox SET attempts = attempts + 1, problem = ?, sent_at = coalesce(sent_at, ?) WHERE id = ?",
                          (why, given_up_at, id))

    def messages(self, game: int) -> dict[str, int]:
        """The Discord messages that stand for a key, such as "private:seat_1"."""
        return dict(self.conn.execute("SELECT key, message FROM messages WHERE game = ?", (game,)).fetchall())

    def forget_message(self, game: int, key: str) -> None:
        """The message of a key is nobody's any more; the next letter with the key becomes a new one."""
        self.conn.execute("DELETE FROM messages WHERE game = ? AND key = ?", (game, key))

    # -- game masters

    def note(self, game: int, user: int | None, deed: str, at: str) -> None:
        """A line of the audit: who did what, never with a secret."""
        self.conn.execute("INSERT INTO audit (game, at, user, deed) VALUES (?, ?, ?, ?)", (game, at, user, deed))

    def notes(self, game: int) -> list[tuple[str, int | None, str]]:
        """The audit of a game, oldest first: when, who, what."""
        return self.conn.execute("SELECT at, user, deed FROM audit WHERE game = ? ORDER BY id", (game,)).fetchall()

    def gm_role(self, guild: int) -> int | None:
        """The role whose members are game masters on a server, if one was chosen."""
        role: int | None = self._one("SELECT gm_role FROM settings WHERE guild = ?", guild)
        return role

    def set_gm_role(self, guild: int, role: int | None) -> None:
        """Choose that role, or none."""
        sql = "INSERT INTO settings (guild, gm_role) VALUES (?, ?) ON CONFLICT DO UPDATE SET gm_role = excluded.gm_role"
        self.conn.execute(sql, (guild, role))

    # -- pictures

    def pictured_before(self, game: int, no: int) -> int:
        """The last row before this one after which pictures were to be posted; 0 if there is none."""
        sql = "SELECT coalesce(max(no), 0) FROM outbox WHERE game = ? AND no < ? AND kind = 'picture'"
        row: int = self._one(sql, game, no)
        return row

    def look(self, game: int, user: int) -> int | None:
        """The row after which a member last looked at the board."""
        row: int | None = self._one("SELECT row FROM looks WHERE game = ? AND user = ?", game, user)
        return row

    def looked(self, game: int, user: int, row: int) -> None:
        """A member has seen the board as it was after this row."""
        self.conn.execute("INSERT OR REPLACE INTO looks (game, user, row) VALUES (?, ?, ?)", (game, user, row))

    def theme(self, guild: int | None, user: int | None) -> Theme | None:
        """The theme that a member chose, else the one of the server; None if neither did."""
        theme: Theme | None = self._one("SELECT coalesce((SELECT theme FROM members WHERE user = ?),"
                                        " (SELECT theme FROM settings WHERE guild = ?))", user, guild)
        return theme

    def set_server_theme(self, guild: int, theme: Theme) -> None:
        """What is posted on this server is drawn so."""
        sql = "INSERT INTO settings (guild, theme) VALUES (?, ?) ON CONFLICT DO UPDATE SET theme = excluded.theme"
        self.conn.execute(sql, (guild, theme))

    def set_member_theme(self, user: int, theme: Theme) -> None:
        """What this member alone is shown is drawn so."""
        self.conn.execute("INSERT OR REPLACE INTO members (user, theme) VALUES (?, ?)", (user, theme))


def _game(values: Sequence[Any]) -> GameRow:
    found = dict(zip(GAME, values, strict=True))
    return GameRow(**{**found, "options": json.loads(found["options"])})


def _letter(values: Sequence[Any]) -> OutboxRow:
    found = dict(zip(LETTER, values, strict=True))
    return OutboxRow(**{**found, "payload": json.loads(found["payload"])})


# --- the file and its thread --------------------------------------------------------------------------

@dataclass(slots=True)
class _Job:
    """A transaction that waits for its turn, and then its outcome."""

    work: Callable[[Ledger], Any]
    writes: bool
    done: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class Store:
    """The file, behind one thread. Give it work that calls a `Ledger`; the work must not keep the ledger, nor wait.

    `on_news` is called, in the event loop, after each commit that added letters to the outbox.
    """

    def __init__(self, path: Path | str, *, patience: float = 5) -> None:
        """Open the file, or make it. `patience`: seconds to wait while another program holds it.

        Raises Faulty: the file is in use by another bot, is no database of this program, or comes from a newer version.
        """
        self.path = Path(path)
        self.on_news: Callable[[], None] | None = None
        self._waiting: deque[_Job] = deque()
        self._busy = False
        self._lock = _lock(self.path)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        try:
            self._ledger = self._thread.submit(_open, self.path, patience).result()
        except BaseException:
            self._thread.shutdown()
            self._lock.close()
            raise

    def close(self) -> None:
        """Finish what waits, and let go of the file."""
        self._thread.submit(self._drain).result()
        self._thread.submit(self._ledger.conn.close).result()
        self._thread.shutdown()
        self._lock.close()

    async def write(self, work: Callable[[Ledger], T]) -> T:
        """One transaction, on the disk when this returns.

        Raises NotStored when the file cannot take it, or whatever the work raises; then nothing of it is kept.
        """
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
            self._busy = True
            self._thread.submit(self._drain)
        return job.done

    def _drain(self) -> None:
        """In the thread: do all jobs that wait, and have their callers told in the event loop."""
        jobs: list[_Job] = []
        while self._waiting:
            jobs.append(self._waiting.popleft())
        if jobs:
            first = self._ledger.next_letter
            _carry_out(self._ledger, jobs)
            jobs[0].done.get_loop().call_soon_threadsafe(self._tell, jobs, self._ledger.next_letter > first)

    def _tell(self, jobs: list[_Job], news: bool) -> None:
        self._busy = bool(self._waiting)
        if self._busy:
            self._thread.submit(self._drain)
        for job in jobs:
            if job.done.cancelled():
                continue
            if job.error is None:
                job.done.set_result(job.result)
            else:
                job.done.set_exception(job.error)
        if news and self.on_news is not None:
            self.on_news()


def _lock(path: Path) -> IO[bytes]:
    """Hold the file next to the database, so that a second bot on it is refused. Raises Faulty."""
    beside = path.with_name(f"{path.name}.lock")
    try:
        held = beside.open("ab")
    except OSError as why:
        raise Faulty("The database {path} cannot be opened: {reason}.", path=verbatim(str(path)),
                     reason=verbatim((why.strerror or "unknown error").lower())) from None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        held.close()
        raise Faulty("Another bot is running on {path}; stop it first, or name another database.",
                     path=verbatim(str(path))) from None
    return held


def _open(path: Path, patience: float) -> Ledger:
    """In the thread: open, check, migrate."""
    conn = sqlite3.connect(os.fspath(path), isolation_level=None, check_same_thread=False, timeout=patience)
    try:
        db = Database(conn, execute_plugins=False)
        _check(db, path)
        db.enable_wal()
        for pragma in ("synchronous=FULL", "foreign_keys=ON", "recursive_triggers=ON"):     # the last: REPLACE fires triggers
            db.execute(f"PRAGMA {pragma}")
        migrations.apply(db)
        return Ledger(db)
    except sqlite3.DatabaseError as why:
        conn.close()
        raise Faulty("The database {path} cannot be used: {reason}.", path=verbatim(str(path)),
                     reason=verbatim(UNWELL.get(_code(why), str(why)))) from None
    except BaseException:
        conn.close()
        raise


def _check(db: Database, path: Path) -> None:
    """Raise Faulty if the file belongs to another program, or to a newer version of this one."""
    (mark,) = db.execute("PRAGMA application_id").fetchone()
    if mark != APPLICATION and db.table_names():
        raise Faulty("{path} is the database of another program; name another file.", path=verbatim(str(path)))
    if {migration.name for migration in migrations.applied(db)} - {change.__name__ for change in CHANGES}:
        raise Faulty("{path} was written by a newer version of the bot; install that version, or name another file.",
                     path=verbatim(str(path)))


def _carry_out(ledger: Ledger, jobs: Sequence[_Job]) -> None:
    """In the thread: all jobs in one commit; a job that fails is undone alone, and a commit that fails undoes all."""
    conn = ledger.conn
    writers = [job for job in jobs if job.writes]
    try:
        if writers:
            conn.execute("BEGIN IMMEDIATE")
        for job in jobs:
            _attempt(ledger, job, alone=len(writers) == 1)
        if conn.in_transaction:
            conn.execute("COMMIT")
    except sqlite3.Error as why:
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        for job in writers:
            job.error = job.error or _explained(why)
        for job in jobs:
            if not job.writes:              # it has seen what is gone now, or nothing yet
                _attempt(ledger, job, alone=True)


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
        if isinstance(cause, sqlite3.Error) and (reason := UNWELL.get(_code(cause))):
            return NotStored("The move could not be stored: {reason}. Nothing has changed; try again later.",
                             reason=verbatim(reason))
        cause = cause.__context__
    return why


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
