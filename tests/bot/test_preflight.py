"""`python -m bot check`: what keeps a bot from starting is said before it starts, without a word of a secret."""
from __future__ import annotations

import errno
import importlib.metadata
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from pydantic import SecretStr

from bot.operator import cli, preflight
from bot.operator.config import Settings
from bot.operator.preflight import Result, alive, check, will_start
from bot.store import Store
from bot.store.migrations import CHANGES
from engine.refusals import Faulty
from engine.text import say
from engine.text.language import compiled
from engine.text.languages import PREPARED
from tests.bot.desk import blank

TOKEN = f"{'M' * 24}.Gabcde.{'z' * 38}"
NOW = datetime.now(UTC)
PLENTY = 1 << 40


def found(folder: Path, token: str = TOKEN, *, free: int = PLENTY, now: datetime | None = None,
          sqlite: tuple[int, int, int] = (3, 40, 1), copies: Path | None = None) -> list[Result]:
    settings = Settings(_env_file=None).model_copy(update={
        "token": SecretStr(token) if token else None, "database": folder / "chancery.db", "backups": copies})
    return check(settings, now=lambda: now or datetime.now(UTC), env_file=folder / ".env", free=lambda _: free, sqlite=sqlite)


def told(results: list[Result], weight: str) -> list[str]:
    return [say(result.sentence) for result in results if result.weight == weight]


def test_a_new_machine_with_a_token_can_start(tmp_path: Path) -> None:
    results = found(tmp_path)
    assert will_start(results) and not told(results, "warning")
    assert f"There is no database yet; the first start makes {tmp_path / 'chancery.db'}." in told(results, "good")


def test_a_database_of_this_version_is_well(tmp_path: Path) -> None:
    with closing(Store(blank(tmp_path / "chancery.db"))):
        pass
    results = found(tmp_path)
    assert will_start(results)
    assert any("its tables are those of this version" in line for line in told(results, "good"))


def test_languages_that_nobody_has_compiled_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "LANGUAGES", PREPARED)
    monkeypatch.setattr(preflight, "compiled", lambda code: tmp_path / code)
    (tmp_path / "he").write_bytes(b"damaged")
    (tmp_path / "ru").write_bytes(compiled("ru").read_bytes())
    (line,) = told(found(tmp_path), "warning")
    assert "Deutsch and עברית" in line and "Русский" not in line and "tools.texts compile" in line


@pytest.mark.parametrize("token", ["", "abc", "no dots at all", f"{TOKEN}x.y"])
def test_what_is_no_token_is_said_without_saying_it(tmp_path: Path, token: str) -> None:
    results = found(tmp_path, token)
    (line,) = told(results, "fault")
    assert "token" in line and (not token or token not in line) and not will_start(results)


def test_a_file_with_the_token_that_others_can_read_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=\n")
    (tmp_path / ".env").chmod(0o644)
    assert any("chmod 600" in line for line in told(found(tmp_path), "warning"))
    (tmp_path / ".env").chmod(0o600)
    assert not told(found(tmp_path), "warning")


def test_a_machine_that_will_not_do_is_named(tmp_path: Path) -> None:
    for results, word in ((found(tmp_path, free=100 << 20), "100 MB are free"), (found(tmp_path, sqlite=(3, 31, 0)), "3.37"),
                          (found(tmp_path, now=datetime(2020, 1, 1, tzinfo=UTC)), "clock")):
        assert any(word in line for line in told(results, "fault")) and not will_start(results)


def test_a_clock_that_was_set_back_is_noticed_by_the_database(tmp_path: Path) -> None:
    with closing(Store(blank(tmp_path / "chancery.db"))):
        pass
    results = found(tmp_path, now=datetime.now(UTC) - timedelta(hours=1))
    assert any("earlier than the last time" in line for line in told(results, "fault"))


def test_folders_that_are_none_and_files_that_are_no_database(tmp_path: Path) -> None:
    assert any("isn't there. Make that folder" in line for line in told(found(tmp_path / "nowhere"), "fault"))
    (tmp_path / "chancery.db").write_text("Once upon a time there was a text.")
    (tmp_path / "copies").write_text("")
    faults = told(found(tmp_path, copies=tmp_path / "copies"), "fault")
    assert any("chancery.db" in line for line in faults) and any("is a file" in line for line in faults)


@pytest.fixture
def weak(monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that the user of the bot may not look into, whoever runs the tests."""
    closed, real, may = Path("/closed/to/the/bot"), os.stat, os.access

    def stat(path: Any, **options: Any) -> os.stat_result:
        if isinstance(path, str | Path) and str(path).startswith(f"{closed}/"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return real("/" if str(path) == str(closed) else path, **options)

    for name, own in (("stat", stat), ("lstat", stat)):
        monkeypatch.setattr(os, name, own)
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).startswith(str(closed)) and may(path, mode))
    return closed


def test_folders_that_the_bot_may_not_look_into_are_a_sentence(weak: Path, tmp_path: Path) -> None:
    for database in (weak, weak / "deeper"):
        faults = told(found(database), "fault")
        assert any("The database belongs in" in line and "can't write there" in line for line in faults)
        assert any("Copies belong in" in line for line in faults) and len(faults) == 2
        assert alive(database / "chancery.db", NOW).weight == "fault"
        with pytest.raises(Faulty, match=r"can't be opened: .*\.lock beside it"):
            Store(database / "chancery.db")
    assert any("Copies belong in" in line for line in told(found(tmp_path, copies=weak / "copies"), "fault"))


def test_a_database_of_somebody_else_is_named_and_not_called_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = blank(tmp_path / "chancery.db")
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != database and may(path, mode))
    results = found(tmp_path)
    assert told(results, "fault") == [
        f"The bot can't read and write {database}. Make the user that the bot runs as the file's owner."]
    assert not any("is well" in line for line in told(results, "good"))


def test_the_disk_of_the_copies_counts_if_it_is_another(tmp_path: Path) -> None:
    def little(copies: Path) -> list[str]:
        return [line for line in told(found(tmp_path, free=100 << 20, copies=copies), "fault") if "100 MB are free in" in line]

    assert [f"free in {folder};" in line for folder, line in zip((tmp_path, "/proc"), little(Path("/proc/copies")), strict=True)]
    assert len(little(tmp_path / "copies")) == 1


def test_what_was_written_last_tells_of_a_clock_that_was_set_back(tmp_path: Path) -> None:
    """A bot that was killed has left its newest rows beside the file."""
    wal = blank(tmp_path / "chancery.db").with_name("chancery.db-wal")
    os.utime(tmp_path / "chancery.db", (NOW.timestamp() - 7200,) * 2)
    wal.touch()
    hour_ago = datetime.now(UTC) - timedelta(hours=1)
    assert any("earlier than the last time" in line for line in told(found(tmp_path, now=hour_ago), "fault"))
    (line,) = told(found(tmp_path, now=datetime(2020, 1, 1, tzinfo=UTC)), "fault")
    assert "long past" in line


def test_changes_of_the_tables_are_announced(tmp_path: Path) -> None:
    with closing(Store(blank(tmp_path / "chancery.db"))):
        pass
    with closing(sqlite3.connect(tmp_path / "chancery.db")) as conn:
        conn.execute("DELETE FROM _sqlite_migrations WHERE name = ?", (CHANGES[-1].__name__,))
        conn.commit()
    results = found(tmp_path)
    assert any(CHANGES[-1].__name__ in line for line in told(results, "warning")) and will_start(results)


def test_the_command_says_it_and_its_status_is_for_scripts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = Settings(_env_file=None).model_copy(update={"token": None, "database": tmp_path / "chancery.db"})
    assert cli.run(["check"], settings) == 1
    assert "✘ There is no token" in capsys.readouterr().out
    assert cli.run(["check"], settings.model_copy(update={"token": SecretStr(TOKEN)})) == 0
    assert capsys.readouterr().out.endswith("The bot can start.\n")


async def test_a_bot_is_alive_as_long_as_it_gives_signs_of_life(tmp_path: Path) -> None:
    database = tmp_path / "chancery.db"
    with closing(Store(blank(database))) as store:
        assert alive(database, NOW).weight == "fault"
        await store.write(lambda ledger: ledger.presence.beat(NOW.isoformat(timespec="seconds")))
    assert alive(database, NOW + timedelta(minutes=4)).weight == "good"
    assert alive(database, NOW + timedelta(minutes=6)).weight == "fault"
    assert alive(tmp_path / "other.db", NOW).weight == "fault"
    with closing(sqlite3.connect(database)) as earlier:
        earlier.execute("DROP TABLE heartbeat")
    assert say(alive(database, NOW).sentence).startswith("No bot of this version has played from ")


def test_what_runs_from_a_folder_and_is_not_installed_has_an_unknown_version(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(importlib.metadata, "version", Mock(side_effect=importlib.metadata.PackageNotFoundError))
    with pytest.raises(SystemExit, match="0"):
        cli.run(["--version"], Settings(_env_file=None))
    assert capsys.readouterr().out == "Chancery unknown\n"
