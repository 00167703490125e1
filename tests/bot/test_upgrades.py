"""Databases of every version that was released: they were written by those versions, and this one plays on in them.

Each fixture is what `sqlite3 chancery.db .dump` says of a database that the version before the next migration had made: a game
of Struggle of Empires that waits for players, one of 62 rows with an undo, a paused one and one that has just begun, with letters
on their way.
"""
from __future__ import annotations

import errno
import gzip
import os
import random
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from bot.operator import doctor
from bot.service import Services
from bot.service.backups import Backups
from bot.store import Store, backup_files
from bot.store.migrations import CHANGES, migrations
from engine.dice import SecretDice
from engine.options import BY_NUMBER, DICE
from engine.refusals import Faulty, Refusal
from engine.selfplay import random_answer
from engine.text import say
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, blank
from tests.often_said import NO_SEAT

FIXTURES = Path(__file__).parents[1] / "fixtures"
RELEASED = ("m0004", "m0005")
WAITING, BEGUN, PAUSED, SHORT = 1, 2, 3, 4
KEPT = {                # what no upgrade may change
    "log": "SELECT game, no, seat, by, verb, answer, events, at FROM log ORDER BY game, no",
    "checkpoints": "SELECT * FROM checkpoints ORDER BY game, no",
    "components": "SELECT * FROM components", "messages": "SELECT * FROM messages ORDER BY game, key",
    "audit": "SELECT * FROM audit ORDER BY id", "settings": "SELECT guild, gm_role FROM settings",
    "seats": "SELECT game, seat, user, private FROM seats ORDER BY rowid",
    "outbox": "SELECT id, game, kind, audience, key, payload, nonce, sent_at FROM outbox ORDER BY id",
    "games": "SELECT id, key, edition, json_remove(options, '$.\"dice.by\"'), title, guild, channel, owner, seats, status, "
             "commitment, secret FROM games"}


@pytest.fixture(params=RELEASED)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database as a released version left it."""
    path = tmp_path / "games.db"
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript(gzip.decompress((FIXTURES / f"version-{request.param}.sql.gz").read_bytes()).decode())
    return path


def contents(path: Path) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(path)) as conn:
        return {table: conn.execute(sql).fetchall() for table, sql in KEPT.items()}


def schema(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as conn:
        return dict(conn.execute("SELECT name, sql FROM sqlite_master WHERE sql NOT NULL AND name NOT LIKE '%migrations%'"))


def test_there_is_a_fixture_of_every_version_that_was_released() -> None:
    assert sorted(file.name for file in FIXTURES.glob("version-*")) == [f"version-{version}.sql.gz" for version in RELEASED]


def test_an_upgrade_changes_nothing_that_was_stored_and_ends_in_the_tables_of_a_new_file(path: Path, tmp_path: Path) -> None:
    before = contents(path)
    Store(path).close()
    Store(tmp_path / "new.db").close()
    assert contents(path) == before and before["log"] and before["outbox"]
    assert schema(path) == schema(tmp_path / "new.db")
    assert backup_files.examine(path) == backup_files.Condition((), ())


@pytest.mark.parametrize("step", [0, 7, 20, -1])
def test_an_upgrade_that_is_killed_leaves_the_file_as_it_was_and_a_copy(path: Path, step: int) -> None:
    before, tables, pending = contents(path), schema(path), backup_files.examine(path).pending
    if not (child := os.fork()):
        fatal: Any = next(one for one in migrations._migrations if one.name == pending[step])
        work = fatal.fn
        fatal.fn = lambda db: (work(db), os.kill(os.getpid(), signal.SIGKILL))
        Store(path)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert (contents(path), schema(path), backup_files.examine(path).pending) == (before, tables, pending)
    (copy,) = path.parent.glob("games.db.before-*")
    assert copy.suffix == f".before-{pending[0][1:5]}" and contents(copy) == before
    Store(path).close()
    assert not backup_files.examine(path).pending and contents(path) == before
    assert [*path.parent.glob("games.db.before-*")] == [copy] == Backups(path, path.parent).put_aside()


def test_an_upgrade_for_which_there_is_no_room_does_not_begin(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = schema(path)
    monkeypatch.setattr(backup_files, "_write_through", lambda path: raises(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    with pytest.raises(Faulty, match=r"couldn't copy .*: no space left on device\."):
        Store(path)
    assert schema(path) == tables and not [*path.parent.glob("*before*")]


def raises(why: Exception) -> None:
    raise why


@pytest.mark.parametrize("changes", range(1, len(CHANGES)))
def test_a_file_that_stopped_half_way_goes_on_from_there(tmp_path: Path, changes: int) -> None:
    half = Migrations("chancery")
    for change in CHANGES[:changes]:
        half()(change)
    with closing(sqlite3.connect(tmp_path / "old.db")) as conn:
        conn.execute("PRAGMA synchronous=OFF")
        half.apply(Database(conn, execute_plugins=False))
        conn.commit()
    assert backup_files.examine(tmp_path / "old.db").pending == tuple([change.__name__ for change in CHANGES[changes:]])
    Store(tmp_path / "old.db").close()
    assert schema(tmp_path / "old.db") == schema(blank(tmp_path / "new.db"))


async def test_messages_of_an_earlier_version_tell_of_their_step_as_far_as_their_letters_are_kept(path: Path) -> None:
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("UPDATE outbox SET message = 77 WHERE game = ? AND kind IN ('log', 'strike')", (SHORT,))
        conn.execute("UPDATE outbox SET message = 78 WHERE game = ? AND kind = 'private'", (SHORT,))
        (newest,) = conn.execute("SELECT max(no) FROM outbox WHERE game = ? AND kind = 'log'", (SHORT,)).fetchone()
        conn.commit()
    with closing(Store(path)) as store:
        services = Services(store, now=Clock())
        assert (await services.look_back.told_by(77), await services.look_back.told_by(78)) == ((SHORT, newest), None)


async def test_the_doctor_lets_every_game_of_an_earlier_version_play_on(path: Path) -> None:
    sentences = [say(sentence) for sentence in (await doctor.examine(path)).sentences]
    assert sentences[0].startswith("This version changes the tables") and sentences[1].startswith("3 running games")
    assert all("it goes on from the last saved state" in sentence for sentence in sentences[2:])


async def test_games_of_an_earlier_version_play_on(path: Path) -> None:
    rng = random.Random(5)
    users = {"seat_1": ANNA, "seat_2": BERT}
    with closing(Store(path)) as store:
        services = Services(store, now=Clock())
        await services.seats.go_on(PAUSED, MASTER)
        for game in (BEGUN, PAUSED, SHORT):
            rows = await services.queries.newest(game)
            for _ in range(15):
                asked = rng.choice((await services.session.table(game)).waiting())
                options = (await services.session.table(game)).options(asked.seat)
                await services.answers.answer(game, users[asked.seat], random_answer(options, rng.randrange))
            assert await services.queries.newest(game) >= rows + 15
            after = await services.queries.newest(game)
            await services.undo.rollback(game, rows, MASTER)
            await services.undo.rollback(game, after, MASTER)
            lines, pages = await services.queries.history(game, page=1)
            assert lines and pages
        await services.lobby.join(WAITING, CARA)
        await services.lobby.start(WAITING, MASTER)
        assert (await services.queries.game(WAITING)).status == "running"


async def test_the_dice_of_earlier_games_go_by_number_as_they_did(path: Path) -> None:
    with closing(Store(path)) as store:
        services = Services(store, now=Clock())
        for game in (BEGUN, PAUSED, SHORT, WAITING):
            assert (await services.queries.game(game)).options[DICE] == BY_NUMBER
        await services.seats.go_on(PAUSED, MASTER)
        table, secret = await services.session.table(BEGUN), (await store.read(lambda ledger: ledger.games.game(BEGUN))).secret
        assert table.dice(0, 7, (6,) * 9, "fight") == SecretDice(secret)(0, 7, (6,) * 9)
        assert '"dice.by"' not in await services.records.export(BEGUN), "its record stays as earlier versions wrote it"


async def test_what_was_on_its_way_is_sent_once_and_under_its_old_nonce(path: Path) -> None:
    before = {row[0]: row for row in contents(path)["outbox"] if row[-1] is None}
    with closing(Store(path)) as store:
        services = Services(store, now=Clock())
        letters = await services.outbox.pending(1000)
        assert {letter.id: letter.nonce for letter in letters} == {id: row[6] for id, row in before.items()}
        for letter in letters:
            await services.outbox.note(letter.game, [(letter.id, 1)])
        assert await services.outbox.pending() == []


async def test_who_plays_and_who_is_master_stays(path: Path) -> None:
    with closing(Store(path)) as store:
        services = Services(store, now=Clock())
        assert await services.settings.gm_role(8) == 555
        assert await services.queries.seat_of(BEGUN, BERT) == "seat_2"
        with pytest.raises(Refusal, match=NO_SEAT):
            table = await services.session.table(BEGUN)
            await services.answers.answer(BEGUN, CARA, table.default(table.waiting()[0].seat))
