"""Which version a file of the database is of, whether it is sound, and what is the matter where it isn't."""
from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlite_utils import Database

from bot.store.migrations import CHANGES, migrations
from bot.store.migrations_1_to_20 import APPLICATION
from engine.refusals import Faulty
from engine.text import verbatim

UNWELL = {          # what the file or the disk can have, by SQLite's primary result code
    sqlite3.SQLITE_FULL: "the disk is full", sqlite3.SQLITE_BUSY: "another program is using the database",
    sqlite3.SQLITE_LOCKED: "another program is using the database", sqlite3.SQLITE_IOERR: "the disk reports an error",
    sqlite3.SQLITE_CORRUPT: "the database is damaged",
    sqlite3.SQLITE_READONLY: "the database can't be written to", sqlite3.SQLITE_CANTOPEN: "it isn't there or can't be opened"}


def require_sound(db: Database, path: Path) -> None:
    """Raise Faulty if the pages of the file do not fit together; only the first fault is looked for."""
    (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise Faulty("The database {path} is damaged, so I won't open it. Put a copy in its place with `python -m bot restore`.",
                     path=verbatim(str(path)))


def require_ours(db: Database, path: Path) -> set[str]:
    """The names of the changes that the file has had. Raises Faulty: it is another program's, or comes from a newer version."""
    (mark,) = db.execute("PRAGMA application_id").fetchone()
    if mark != APPLICATION and db.table_names():
        raise Faulty("Name another file: {path} is another program's database.", path=verbatim(str(path)))
    applied = {migration.name for migration in migrations.applied(db)}
    if applied - {change.__name__ for change in CHANGES}:
        raise Faulty("{path} was written by a newer version of the bot. Install that version, or name another file.",
                     path=verbatim(str(path)))
    return applied


def ailment(why: sqlite3.Error) -> str:
    return UNWELL.get(code_of(why), str(why))


def code_of(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
