"""The files on the disk: deleted, replaced, damaged, open to others, held by others. Nothing is acknowledged that is not kept."""
from __future__ import annotations

import asyncio
import fcntl
import os
import re
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bench.__main__ import main as bench
from bot import __main__ as program
from bot.core.incidents import Incidents
from bot.operator import cli
from bot.operator.config import Settings
from bot.service import Services
from bot.service.backups import Backups
from bot.store import NotStored, Store
from engine.__main__ import main as engine
from engine.refusals import Faulty
from tests.bot.desk import ANNA, Clock, guessed, play_on
from tests.toy import Take


def replaced(path: Path) -> None:
    """The same content under the same name, in another file."""
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content)


LOSSES: dict[str, tuple[str, Callable[[Path], None]]] = {
    f"{part or 'file'} {how.__name__}": (part, how) for part in ("", "-wal", "-shm") for how in (Path.unlink, replaced)}


@pytest.mark.parametrize("part, lose", LOSSES.values(), ids=LOSSES)
async def test_nothing_is_acknowledged_that_is_not_kept(
        services: Services, store: Store, path: Path, part: str, lose: Callable[[Path], None]) -> None:
    game = await guessed(services)
    assert store.lost() is None
    gone = path.with_name(f"{path.name}{part}")
    lose(gone)
    assert store.lost() == gone
    with pytest.raises(NotStored, match=f"{gone.name} was deleted or replaced. Nothing has changed"):
        await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert await services.queries.newest(game) == 2 and (await services.session.table(game)).state.heap == 12


async def test_what_vanishes_during_a_commit_is_not_acknowledged(store: Store, path: Path) -> None:
    async def write() -> None:
        await store.write(lambda ledger: (ledger.claims.claim(""), path.with_name(f"{path.name}-wal").unlink()))

    with pytest.raises(NotStored, match="-wal was deleted or replaced"):
        await write()


async def test_a_file_that_is_put_back_is_used_again_and_a_stop_keeps_what_was_acknowledged(
        path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "WATCH", 0.01)
    aside = path.with_name("aside")
    with closing(Store(path)) as store:
        services = play_on(store)
        game = await guessed(services)
        watching = asyncio.create_task(program.watch(store))
        shutil.move(path, aside)
        await asyncio.sleep(0.05)
        shutil.move(aside, path)
        await asyncio.sleep(0.05)
        assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"], "each is said once"
        assert "was deleted or replaced: nothing is saved now" in caplog.text
        await services.answers.answer(game, ANNA, Take.of(1, "left"))
        path.with_name(f"{path.name}-wal").unlink()
        watching.cancel()
    with closing(Store(path)) as again:
        assert await play_on(again).queries.newest(game) == 3


async def test_a_damaged_page_is_a_sentence(services: Services, store: Store, path: Path) -> None:
    game = await guessed(services)
    await store.read(lambda ledger: ledger.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())
    root, size = await store.read(lambda ledger: (
        ledger.conn.execute("SELECT rootpage FROM sqlite_master WHERE name = 'deadlines'").fetchone()[0],
        ledger.conn.execute("PRAGMA page_size").fetchone()[0]))
    await store.read(lambda ledger: ledger.conn.execute("PRAGMA cache_size=0").fetchall())
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)
    with pytest.raises(NotStored, match="Your move couldn't be saved: the database is damaged"):
        await play_on(store).answers.answer(game, ANNA, Take.of(1, "left"))
    assert not (path.parent / "incidents").exists()
    shutil.copy(path, copy := path.with_name("copy.db"))
    with pytest.raises(Faulty, match=r"copy\.db is damaged, so I won't open it\. Put a copy in its place"):
        Store(copy)


# --- who may read them ------------------------------------------------------------------------------------------

def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_others_may_read_becomes_its_owners_alone(path: Path) -> None:
    Store(path).close()
    backups = Backups(path, path.parent / "copies", now=Clock())
    copy, folder = backups.write(), path.parent / "incidents"
    folder.mkdir()
    (capsule := folder / "incident-1.json.gz").touch()
    with closing(sqlite3.connect(path)) as other:               # holds what stands beside the file open
        other.execute("SELECT 1 FROM games").fetchall()
        beside = [path, *path.parent.glob(f"{path.name}-*"), path.with_name(f"{path.name}.lock"), copy, capsule]
        assert len(beside) == 6
        for one in (*beside, folder):
            one.chmod(0o777)
        Store(path).close()
        backups.require_usable()
        Incidents(folder)
        assert {mode(one) & 0o077 for one in (*beside, folder) if one.exists()} == {0}


def test_what_cannot_be_made_private_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(path).close()
    path.chmod(0o644)

    def refused(self: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refused)
    with pytest.raises(Faulty, match=r"holds secrets of games, others may read it, and that can't be changed \(operation not"):
        Store(path)


# --- who holds them -----------------------------------------------------------------------------------------------

def test_a_lock_of_somebody_else_is_told_from_another_bot(path: Path) -> None:
    with closing(Store(path)), pytest.raises(Faulty, match=f"Another bot is running on .*: process {os.getpid()}"):
        Store(path)
    lock = path.with_name(f"{path.name}.lock")
    for number in ("", "no number", "99999999999999999999"):
        with lock.open("w") as held:
            held.write(number)
            held.flush()
            fcntl.flock(held, fcntl.LOCK_SH)
            with pytest.raises(Faulty, match=r"Another program, .* holds .*\.lock\. Find it with `fuser"):
                Store(path)
    Store(path).close()


def test_folders_where_files_belong(tmp_path: Path) -> None:
    (tmp_path / "games.db.lock").mkdir()
    (tmp_path / "copies").touch()
    with pytest.raises(Faulty, match=r"^Name a file for the database: .* is a folder"):
        Store(tmp_path)
    with pytest.raises(Faulty, match=r"can't be opened: is a directory\. It needs the file games\.db\.lock beside it"):
        Store(tmp_path / "games.db")
    with pytest.raises(Faulty, match=r"^Name a folder for copies in CHANCERY_BACKUPS: .* is a file"):
        Backups(tmp_path / "games.db", tmp_path / "copies").require_usable()
    with pytest.raises(Faulty, match=r"^Name a file for the copy: .* is a folder"):
        Backups(tmp_path / "games.db", tmp_path / "more").write(tmp_path)


# --- words of the command lines -----------------------------------------------------------------------------------

IMPORT = ("import", "record", "--channel", "1", "--owner", "1", "--guild")


@pytest.mark.parametrize("program, words, sentence", [
    *[("bot", (*IMPORT, number), "this must be a Discord ID") for number in ("0", "-1", "\u0663", "9" * 30, "one")],
    ("bot", ("--database", "folder", "backup"), "Name a database file: folder is a folder"),
    ("bot", ("--database", "folder", "doctor"), "Name a database file: folder is a folder"),
    ("bot", ("backup", "folder"), "Name a file for the copy: folder is a folder"),
    ("bot", ("restore", "folder"), "Name a database file: folder is a folder"),
    ("bot", ("capsule", "folder"), "isn't a capsule"),
    ("engine", ("replay", "folder"), "I can't read the file folder"),
    ("engine", ("selfplay", "attack", "--games", "1", "--keep", "file"), "Name a folder for the games: file is a file"),
    ("engine", ("selfplay", "attack", "--games", "1", "--out", "file"), "Name a folder for the games: file is a file"),
    *[("bench", ("engine", "--seconds", amount), f"{amount} cannot be used; give a number above 0")
      for amount in ("-1", "0", "nan", "inf", "1e300", "\u0663")],
    *[("bench", ("crash", "--points", amount), f"{amount} cannot be used; give a whole number above 0")
      for amount in ("-1", "0", "2.5")],
    ("bench", ("fuzz", "attack", "--games", "-1"), "give a whole number from 0"),
    ("bench", ("load", "--rate", "0"), "give a whole number above 0")])
def test_words_that_cannot_be_used_are_a_sentence(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], program: str,
        words: tuple[str, ...], sentence: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    run = {"bot": lambda: cli.run(words, Settings()), "engine": lambda: engine(words), "bench": lambda: bench(words)}[program]
    try:
        code: object = run()
    except SystemExit as left:
        code = left.code
    except Faulty as why:                               # `python -m bot` says it and leaves with this status
        code, told = 2, str(why)
        assert re.search(sentence, told)
        return
    assert code == 2 and re.search(sentence, capsys.readouterr().err)
