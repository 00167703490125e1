"""Copies of the file: whole, checked and private, or none at all; and what is wrong with a file."""
from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, TypeVar

from sqlite_utils import Database

from bot.store.migrations import CHANGES
from bot.store.versions import ailment, require_ours
from engine.refusals import Faulty
from engine.text import Text, text, verbatim

PRIVATE = 0o600         # a copy holds the secrets of running games
PARTIAL = ".partial"    # behind the name of a copy that is not finished
SQLITE: Final = sqlite3.sqlite_version_info     # the version that runs here
BESIDE = ("-wal", "-shm", "-journal")       # what SQLite keeps beside a file


T = TypeVar("T")


@dataclass(frozen=True)
class Condition:
    """What is wrong with a file, and which changes of the tables it has not had yet."""

    faults: tuple[Text, ...]
    pending: tuple[str, ...]


def copy(source: Path, target: Path, *, as_it_is: bool = False) -> None:
    """Copy a database as it is at this moment, even while a bot writes to it; the copy is checked before it gets its name,
    unless it is wanted `as_it_is`.

    Raises Faulty: it cannot be read or written, or is unwell; then there is no copy, and nothing half written is left.
    """
    partial = target.with_name(f"{target.name}{PARTIAL}")
    try:
        partial.unlink(missing_ok=True)
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
        with closing(_reading(source)) as old, closing(sqlite3.connect(partial)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")           # one file, with nothing beside it
        for fault in () if as_it_is else examine(partial).faults:
            raise Faulty("I didn't copy {path}, since it is damaged: {fault}", path=verbatim(str(source)), fault=fault)
        _write_through(partial)
        partial.replace(target)
        _write_through(target.parent)
    except sqlite3.Error as why:
        raise _uncopied(source, target, ailment(why)) from None
    except OSError as why:
        raise _uncopied(source, target, (why.strerror or "unknown error").lower()) from None
    finally:
        for left in ("", *BESIDE):
            with suppress(OSError):
                partial.with_name(f"{partial.name}{left}").unlink()


def examine(path: Path) -> Condition:
    """Look a file over without changing it. Raises Faulty: it is no database of ours, or comes from a newer version."""
    try:
        with closing(_reading(path)) as conn:
            db = Database(conn, execute_plugins=False)
            applied = require_ours(db, path)
            if not applied:
                raise Faulty("{path} has no games in it. Name another file.", path=verbatim(str(path)))
            pending = [change.__name__ for change in CHANGES if change.__name__ not in applied]
            return Condition(tuple(_faults(conn)), tuple(pending))
    except sqlite3.DatabaseError as why:
        raise Faulty("The database {path} can't be used: {reason}.", path=verbatim(str(path)),
                     reason=verbatim(ailment(why))) from None


def last_sign_of_life(path: Path) -> datetime | None:
    """When the bot that plays from a file was last seen alive; None: never. Raises Faulty: it is no database of ours."""
    try:
        with closing(_reading(path)) as conn:
            require_ours(Database(conn, execute_plugins=False), path)
            known = conn.execute("SELECT 1 FROM sqlite_master WHERE name = 'heartbeat'").fetchone()      # not to an early version
            row = conn.execute("SELECT at FROM heartbeat").fetchone() if known else None
    except sqlite3.DatabaseError as why:
        raise Faulty("The database {path} can't be used: {reason}.", path=verbatim(str(path)),
                     reason=verbatim(ailment(why))) from None
    return datetime.fromisoformat(row[0]) if row else None


def put_in_place(fresh: Path, path: Path, aside: Path) -> None:
    """Let a finished database take the place of another one, which is put aside with all that belongs to it."""
    if path.exists():
        _settle(path)
        for part in ("", *BESIDE):
            beside = path.with_name(f"{path.name}{part}")
            if beside.exists():
                beside.replace(aside.with_name(f"{aside.name}{part}"))
    fresh.replace(path)
    _write_through(path.parent)


def _settle(path: Path) -> None:
    """Bring what stands beside a file into it, if it is well enough for that."""
    try:
        with closing(sqlite3.connect(path)) as conn:
            conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.DatabaseError:
        pass                                                    # it is put aside as it is


def _reading(path: Path) -> sqlite3.Connection:
    """Open a file to read it. Raises Faulty: it is a folder."""
    if os.path.isdir(path):
        raise Faulty("Name a database file: {path} is a folder.", path=verbatim(str(path)))
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _faults(conn: sqlite3.Connection) -> Iterator[Text]:
    """Yield what SQLite finds; never a value of a row."""
    for (line,) in conn.execute("PRAGMA integrity_check"):
        if line != "ok":
            yield text("{fault}.", fault=verbatim(line))
    orphans = [(child, parent) for child, _, parent, _ in conn.execute("PRAGMA foreign_key_check")]
    for child, parent in dict.fromkeys(orphans):
        yield text("{n} of the rows of the table {child} belong to a row of {parent} that is not there.",
                   n=orphans.count((child, parent)), child=verbatim(child), parent=verbatim(parent))


def _write_through(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _uncopied(source: Path, target: Path, why: str) -> Faulty:
    return Faulty("I couldn't copy {source} to {target}: {reason}. No half-written file was left behind.",
                  source=verbatim(str(source)), target=verbatim(str(target)), reason=verbatim(why))
