"""The file: what is told as saved is on the disk, alone or together; the log never changes; strangers are refused."""
from __future__ import annotations

import asyncio
import gc
import hashlib
import inspect
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pydantic import Field
from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from bot.domain.letters import Letter, Notice
from bot.store import Holder, Ledger, NotStored, Store, database
from bot.store.migrations import CHANGES, migrations
from engine.kernel import Checkpoint, Row, Seat
from engine.refusals import Faulty, Refusal

ROW = Row(1, "seat_1", "player", "take", '{"pebbles":1}', "[]")


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = Store(path, patience=0.02)
    yield store
    store.close()


def new_game(ledger: Ledger) -> int:
    return ledger.games.add_game({"key": "pebbles", "edition": "plain", "options": {}, "title": "Friday", "guild": None,
                                  "channel": 1,
                                  "owner": 2, "seats": 2, "pack_hash": "abc", "created_at": "2026-04-01T12:00:00+00:00"}, {})


class Keyed(Notice):
    """A notice that can be found again, by any key."""

    found_by: str | None = Field(exclude=True)

    @property
    def key(self) -> str | None:
        return self.found_by


def letter(words: str, key: str | None = None) -> Letter:
    return Keyed(text=words, found_by=key)


def outside(path: Path, sql: str) -> list[Any]:
    """What another program reads from the file: only what has been committed."""
    with sqlite3.connect(path) as conn:
        found = conn.execute(sql).fetchall()
    conn.close()
    return found


async def test_what_is_told_as_written_is_in_the_file(store: Store, path: Path) -> None:
    game = await store.write(new_game)
    await store.write(lambda ledger: ledger.log.add_rows(game, [ROW], "now"))
    assert outside(path, "SELECT game, no, answer FROM log") == [(game, 1, '{"pebbles":1}')]


async def test_a_new_file_is_its_owners_alone(store: Store, path: Path) -> None:
    await store.write(new_game)
    assert {file.name: file.stat().st_mode & 0o077 for file in path.parent.glob("chancery.db*") if file.suffix != ".lock"} == {
        "chancery.db": 0, "chancery.db-wal": 0, "chancery.db-shm": 0}


async def test_settings_of_the_connection(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_open", inspect.unwrap(database._open))      # the tests' own doesn't wait for the disk

    def pragma(ledger: Ledger) -> list[Any]:
        return [ledger.conn.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("journal_mode", "synchronous", "foreign_keys", "recursive_triggers")]

    with closing(Store(path)) as store:
        assert await store.read(pragma) == ["wal", 2, 1, 1]


async def test_all_that_waits_shares_one_commit_and_a_failure_stays_alone(store: Store, path: Path) -> None:
    game = await store.write(new_game)
    statements: list[str] = []
    await store.read(lambda ledger: ledger.conn.set_trace_callback(statements.append))
    statements.clear()

    def add(no: int) -> Any:
        def work(ledger: Ledger) -> None:
            ledger.log.add_rows(game, [Row(no, "seat_1", "player", "take", "{}")], "now")
            if no == 3:
                raise Refusal("Not this one.")
        return store.write(work)

    outcomes = await asyncio.gather(*(add(no) for no in range(1, 9)), return_exceptions=True)
    assert [str(outcome) for outcome in outcomes if outcome] == ["Not this one."]
    assert [no for (no,) in outside(path, "SELECT no FROM log")] == [1, 2, 4, 5, 6, 7, 8]
    assert statements.count("COMMIT") < 8                               # the first may go alone; the others go together


async def test_if_SQLite_gives_up_the_commit_nobody_is_told_that_it_was_kept(store: Store, path: Path) -> None:
    game = await store.write(new_game)
    together = threading.Event()

    def given_up(ledger: Ledger) -> None:
        ledger.conn.execute("ROLLBACK")                                 # as SQLite does of its own accord when the disk is full
        raise sqlite3.OperationalError("database or disk is full")

    waiting = [store._enqueue(lambda ledger: together.wait(), writes=False),
               store._enqueue(lambda ledger: ledger.log.add_rows(game, [ROW], "now"), writes=True),
               store._enqueue(given_up, writes=True)]
    together.set()
    _, *outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [sqlite3.OperationalError] * 2
    assert outside(path, "SELECT no FROM log") == []


class Found:
    """What a read has found."""


async def test_a_refusal_keeps_nothing_alive_that_was_read_beside_it(store: Store) -> None:
    def refused(ledger: Ledger) -> None:
        raise Refusal("There is nothing to take back.")

    async def reading() -> list[weakref.ref[Any]]:
        together = threading.Event()
        works: list[Any] = [lambda ledger: together.wait(), lambda ledger: Found(), refused]
        waiting = [store._enqueue(work, writes=False) for work in works]
        together.set()
        await waiting.pop(0)
        kept: list[weakref.ref[Any]] = [weakref.ref(await waiting.pop(0))]
        try:
            await waiting.pop(0)
        except Refusal as why:
            kept.append(weakref.ref(why))
        await store.read(lambda ledger: None)                           # its thread has let go of what it did before
        return kept

    gc.disable()                        # what goes now goes at once, not when garbage is looked for
    try:
        assert [kept() for kept in await reading()] == [None, None]
    finally:
        gc.enable()


async def test_a_job_that_fails_alone_leaves_nothing(store: Store, path: Path) -> None:
    game = await store.write(new_game)

    def work(ledger: Ledger) -> None:
        ledger.log.add_rows(game, [ROW], "now")
        raise Refusal("Not now.")

    with pytest.raises(Refusal, match="Not now"):
        await store.write(work)
    assert outside(path, "SELECT * FROM log") == []


async def test_a_second_writer_of_a_row_is_refused(store: Store) -> None:
    game = await store.write(new_game)
    await store.write(lambda ledger: ledger.log.add_rows(game, [ROW], "now"))
    with pytest.raises(sqlite3.IntegrityError):
        await store.write(lambda ledger: ledger.log.add_rows(game, [ROW], "now"))


@pytest.mark.parametrize("sql", [
    "UPDATE log SET answer = ''", "DELETE FROM log",
    "INSERT OR REPLACE INTO log SELECT game, no, seat, by, verb, 'other', events, at, proxy FROM log"])
async def test_rows_of_the_log_never_change(store: Store, path: Path, sql: str) -> None:
    game = await store.write(new_game)
    await store.write(lambda ledger: ledger.log.add_rows(game, [ROW], "now"))
    with pytest.raises(sqlite3.IntegrityError, match="rows of the log never change"):
        await store.write(lambda ledger: ledger.conn.execute(sql).fetchall())
    assert outside(path, "SELECT answer FROM log") == [(ROW.answer,)]


async def test_a_full_disk_is_a_sentence_and_changes_nothing(store: Store, path: Path) -> None:
    game = await store.write(new_game)
    def fill(ledger: Ledger) -> None:
        (pages,) = ledger.conn.execute("PRAGMA page_count").fetchone()
        ledger.conn.execute(f"PRAGMA max_page_count={pages}").fetchone()

    await store.read(fill)
    big = Row(1, "seat_1", "player", "take", "x" * 100_000)
    with pytest.raises(NotStored) as refused:
        await store.write(lambda ledger: ledger.log.add_rows(game, [big], "now"))
    assert str(refused.value) == "Your move couldn't be saved: the disk is full. Nothing has changed. Try again later."
    assert outside(path, "SELECT * FROM log") == []


async def test_a_disk_that_fills_up_under_many_keeps_the_others(store: Store, path: Path) -> None:
    game = await store.write(new_game)
    def fill(ledger: Ledger) -> None:
        (pages,) = ledger.conn.execute("PRAGMA page_count").fetchone()
        ledger.conn.execute(f"PRAGMA max_page_count={pages + 1}").fetchone()

    await store.read(fill)
    rows = [Row(no, "seat_1", "player", "take", "x" * (100_000 if no == 3 else 10)) for no in range(1, 5)]
    outcomes = await asyncio.gather(*(
        store.write(lambda ledger, row=row: ledger.log.add_rows(game, [row], "now")) for row in rows), return_exceptions=True)
    told_as_stored = [row.no for row, outcome in zip(rows, outcomes) if outcome is None]
    assert isinstance(outcomes[2], NotStored)
    assert [no for (no,) in outside(path, "SELECT no FROM log")] == told_as_stored


async def test_a_locked_file_is_a_sentence_and_reading_goes_on(store: Store, path: Path) -> None:
    game = await store.write(new_game)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    writing = store.write(lambda ledger: ledger.log.add_rows(game, [ROW], "now"))
    reading = store.read(lambda ledger: ledger.games.game(game).row.title)
    written, title = await asyncio.gather(writing, reading, return_exceptions=True)
    other.execute("ROLLBACK")
    other.close()
    assert isinstance(written, NotStored) and "another program is using the database" in str(written)
    assert title == "Friday"
    await store.write(lambda ledger: ledger.log.add_rows(game, [ROW], "now"))


async def test_nobody_else_writes_between_looking_and_writing(store: Store, path: Path) -> None:
    game = await store.write(new_game)
    other = sqlite3.connect(path, isolation_level=None, timeout=0, check_same_thread=False)

    def work(ledger: Ledger) -> None:
        assert ledger.log.newest(game) == 0
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("UPDATE games SET title = 'Mine'")
        ledger.log.add_rows(game, [ROW], "now")

    await store.write(work)
    other.close()


async def test_reading_sees_what_was_written_before(store: Store) -> None:
    game = await store.write(new_game)
    _, newest = await asyncio.gather(store.write(lambda ledger: ledger.log.add_rows(game, [ROW], "now")),
                                     store.read(lambda ledger: ledger.log.newest(game)))
    assert newest == 1


async def test_closing_finishes_what_waits(path: Path) -> None:
    store = Store(path)
    game = await store.write(new_game)
    waiting = [asyncio.ensure_future(store.write(lambda ledger, no=no: ledger.log.add_rows(
        game, [Row(no, "seat_1", "player", "take", "{}")], "now"))) for no in range(1, 4)]
    await asyncio.sleep(0)
    store.close()
    assert outside(path, "SELECT count(*) FROM log") == [(3,)]
    await asyncio.gather(*waiting)


async def test_a_letter_gives_way_to_a_newer_one_with_its_key(store: Store) -> None:
    game, other = await store.write(new_game), await store.write(new_game)
    await store.write(lambda ledger: ledger.outbox.add_letters(game, 1, [letter("old", "private:a"), letter("kept")], "now"))
    await store.write(lambda ledger: ledger.outbox.add_letters(other, 1, [letter("another game", "private:a")], "now"))
    await store.write(lambda ledger: ledger.outbox.add_letters(game, 2, [letter("new", "private:a")], "now"))
    pending = await store.read(lambda ledger: ledger.outbox.pending(10))
    assert [row.payload["text"] for row in pending] == ["kept", "another game", "new"]


async def test_the_oldest_letter_of_each_game_comes_first(store: Store) -> None:
    busy, quiet = await store.write(new_game), await store.write(new_game)
    await store.write(lambda ledger: ledger.outbox.add_letters(busy, 1, [letter(str(number)) for number in range(5)], "now"))
    await store.write(lambda ledger: ledger.outbox.add_letters(quiet, 1, [letter("quiet")], "now"))
    assert [row.payload["text"] for row in await store.read(lambda ledger: ledger.outbox.pending(3))] == ["0", "quiet", "1"]


async def test_a_sent_letter_is_found_by_its_key_and_sent_no_more(store: Store) -> None:
    game = await store.write(new_game)
    await store.write(lambda ledger: ledger.outbox.add_letters(game, 1, [letter("a", "question:seat_1"), letter("b")], "now"))
    asked, told = await store.read(lambda ledger: ledger.outbox.pending(10))
    await store.write(lambda ledger: ledger.outbox.mark_sent(asked.id, 55, "now"))
    assert await store.read(lambda ledger: ledger.outbox.messages(game)) == {"question:seat_1": 55}
    await store.write(lambda ledger: ledger.outbox.mark_sent(told.id, 55, "now"))
    assert await store.read(lambda ledger: ledger.outbox.pending(10)) == []
    assert await store.read(lambda ledger: ledger.outbox.messages(game)) == {}, "something else is told in its place"


async def test_nonces_are_short_and_never_come_again(path: Path) -> None:
    nonces: list[str] = []
    for _ in range(3):
        store = Store(path)
        game = await store.write(new_game)
        await store.write(lambda ledger, game=game: ledger.outbox.add_letters(game, 1, [letter("a"), letter("b")], "now"))
        nonces += [row.nonce for row in await store.read(lambda ledger: ledger.outbox.pending(99)) if row.game == game]
        store.close()
    assert len(set(nonces)) == 6 and all(len(nonce) <= 25 for nonce in nonces)


async def test_news_are_announced_after_the_commit(store: Store, path: Path) -> None:
    game = await store.write(new_game)
    seen: list[list[Any]] = []
    store.on_news = lambda _: seen.append(outside(path, "SELECT count(*) FROM outbox"))
    await store.write(lambda ledger: ledger.outbox.add_letters(game, 1, [letter("a")], "now"))
    await store.write(lambda ledger: ledger.audit.note(game, 1, "looked", "now"))
    assert seen == [[(1,)]]


async def test_the_checkpoint_is_the_last_one_in_force(store: Store) -> None:
    game = await store.write(new_game)
    for no in (0, 4, 9):
        await store.write(lambda ledger, no=no: ledger.log.add_checkpoint(game, Checkpoint(no, no * 2, f"state {no}")))
    assert await store.read(lambda ledger: ledger.log.checkpoint(game, {1, 2, 3, 4, 5})) == Checkpoint(4, 8, "state 4")
    assert await store.read(lambda ledger: ledger.log.checkpoint(game, {1, 2})) == Checkpoint(0, 0, "state 0")
    assert await store.read(lambda ledger: ledger.log.checkpoint(game + 1, {1})) is None


# --- opening ------------------------------------------------------------------------------------------

def test_a_second_bot_on_the_same_file_is_refused(store: Store, path: Path) -> None:
    running = r"Another bot is running on .*chancery\.db: process \d+\. Stop it first, or name another database\."
    with pytest.raises(Faulty, match=running):
        Store(path)


def test_a_file_that_was_let_go_can_be_opened_again(path: Path) -> None:
    Store(path).close()
    Store(path).close()


def test_a_file_that_is_no_database(path: Path) -> None:
    path.write_text("Dear diary, today I learned to write without a database. " * 40)
    with pytest.raises(Faulty, match=r"can't be used: file is not a database\."):
        Store(path)
    path.unlink()
    Store(path).close()                     # the refusal has let go of the lock


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(Faulty, match=r"can't be opened: no such file or directory\."):
        Store(tmp_path / "nowhere" / "chancery.db")


def test_the_database_of_another_program(path: Path) -> None:
    with sqlite3.connect(path) as conn:
        conn.execute("CREATE TABLE recipes (name TEXT)")
    conn.close()
    with pytest.raises(Faulty, match=r"^Name another file: .* is another program's database"):
        Store(path)
    assert outside(path, "PRAGMA journal_mode") == [("delete",)]        # untouched


def test_a_file_of_a_newer_version(path: Path) -> None:
    Store(path).close()
    with sqlite3.connect(path) as conn:
        conn.execute("INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('chancery', 'm9999_later', 'now')")
    conn.close()
    with pytest.raises(Faulty, match="written by a newer version of the bot"):
        Store(path)


def test_migrations_only_ever_grow() -> None:
    names = [change.__name__ for change in CHANGES]
    assert names == sorted(names)
    assert names[:5] == ["m0001_games", "m0002_log", "m0003_outbox", "m0004_masters", "m0005_pictures"]


def test_a_migration_that_has_been_released_still_makes_the_same_tables(tmp_path: Path) -> None:
    """A name that is changed everywhere, here too, is missing in each file that there is."""
    released = Migrations("chancery")
    for change in CHANGES[:50]:
        released()(change)
    with closing(Database(sqlite3.connect(tmp_path / "a.db", isolation_level=None), execute_plugins=False)) as db:
        released.apply(db)
        made = sorted((table.name, sorted(column.name for column in table.columns)) for table in db.tables)
        assert hashlib.sha256(str(made).encode()).hexdigest()[:16] == "cfd0e05eac321d33"


async def test_a_file_from_before_the_pictures_goes_on(path: Path) -> None:
    earlier = Migrations("chancery")
    for change in CHANGES[:4]:
        earlier()(change)
    db = Database(sqlite3.connect(path, isolation_level=None), execute_plugins=False)
    earlier.apply(db)
    db.execute("INSERT INTO components VALUES ('abc', x'')")
    db.execute("""INSERT INTO games VALUES (1, 'pebbles', 'plain', '{}', 'Friday', 8, 7, 900, 2, 'running', 'abc', '', '', 'now',
                  'now', '{"row":12,"asked":{"seat_1":12},"private":{},"last":{}}')""")
    db.execute("INSERT INTO seats VALUES (1, 'seat_1', 101, 1)")
    db.execute("INSERT INTO settings VALUES (8, 42)")
    db.close()
    store = Store(path)
    stored = await store.read(lambda ledger: ledger.games.game(1))
    assert (stored.told.pictured, stored.told.marked, stored.told.asked) == (12, 12, {"seat_1": 12})
    assert stored.holders == (Holder(seat=Seat("seat_1"), user=101, private=True),)
    assert await store.read(lambda ledger: (
        ledger.settings.gm_role(8), ledger.settings.theme(8, 101), ledger.seats.look(1, 101))) == (42, None, None)
    store.close()


async def test_a_name_is_kept_by_server_and_a_seat_keeps_it(store: Store) -> None:
    def seats(ledger: Ledger) -> list[str]:
        return [holder.name for game in games for holder in ledger.games.holders(game)]

    games = [await store.write(new_game), await store.write(new_game)]
    await store.write(lambda ledger: ledger.conn.execute("UPDATE games SET guild = 8 WHERE id = ?", (games[1],)).fetchall())
    anna = Holder(seat=Seat("seat_1"), user=101, private=True, name="Anna")
    for game in games:
        await store.write(lambda ledger, game=game: ledger.games.seat_all(game, [anna]))
    await store.write(lambda ledger: ledger.games.rename(101, "Ann", 8))
    assert await store.read(seats) == ["Anna", "Ann"]
    await store.write(lambda ledger: ledger.games.seat_all(games[1], [anna]))        # from a memory that is behind
    assert await store.read(seats) == ["Anna", "Ann"]


def test_migrations_apply_once(tmp_path: Path) -> None:
    db = Database(sqlite3.connect(tmp_path / "a.db", isolation_level=None), execute_plugins=False)
    migrations.apply(db)
    before = db.schema
    migrations.apply(db)
    assert db.schema == before and not migrations.pending(db)
    assert {trigger.name for trigger in db.triggers} == {"log_refuses_update", "log_refuses_delete",
                                                         "results_are_of_games_that_are_over"}
    db.close()


def test_a_first_start_that_breaks_off_leaves_no_table(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All tables of a new file come with one commit, which is quicker than one for each change, and safer."""
    def full(_: Database) -> None:
        raise sqlite3.OperationalError("disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(migrations._migrations[-1], "fn", full)
        with pytest.raises(Faulty, match="full"):
            Store(path)
    left = sqlite3.connect(path)
    assert left.execute("SELECT name FROM sqlite_master").fetchall() == []
    left.close()
    Store(path).close()
