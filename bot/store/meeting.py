"""The folder in which the shards of a machine meet: each process holds the place of its shard there, by a lock on a file.

What is left of a process that was killed holds nothing.
"""
from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from bot.store import backup_files
from bot.store.guard import keep_private
from engine.refusals import Faulty
from engine.text import Text, text, verbatim

TRIES: Final = 5            # to hold a place: somebody may be looking whether it is held
APART: Final = 0.05         # seconds between them
NAMED: Final = 5            # games that are named


@dataclass(frozen=True)
class Present:
    """A process that runs a shard."""

    process: int
    shard: int
    shards: int
    file: Path

    def plays(self, file: Path) -> bool:
        """Whether it plays from this file."""
        return self.file.exists() and file.exists() and self.file.samefile(file)


def socket_of(folder: Path, shard: int) -> Path:
    """Where a shard listens."""
    return folder / f"{shard}.sock"


def present(folder: Path) -> Sequence[Present]:
    """The processes that hold a place in a folder."""
    return [found for path in sorted(folder.glob("*.lock")) if (found := _holder(path)) is not None]


def conflicts(folder: Path, part: tuple[int, int], database: Path) -> Iterator[Text]:
    """Why a shard with this file can't run beside those that run."""
    shard, shards = part
    for other in present(folder):
        facts = {"process": verbatim(str(other.process)), "other": verbatim(f"{other.shard}/{other.shards}"),
                 "own": verbatim(f"{shard}/{shards}"), "file": verbatim(str(other.file)), "folder": verbatim(str(folder))}
        if other.plays(database):
            continue                                    # it is this one; else it can't have its file
        if other.shards != shards:
            yield text("CHANCERY_SHARD is {own} here, but process {process} runs as {other} on {file}, and the two meet in "
                       "{folder}. Set the same number of shards for all.", **facts)
        elif other.shard == shard:
            yield text("CHANCERY_SHARD is {own}, but process {process} runs as that already, on {file}. Set another shard here, "
                       "or stop that process.", **facts)
        same = sorted(_games(other.file) & _games(database))
        if same:
            yield text("{database} and {file}, on which process {process} runs, have games of the same numbers ({games}). Each "
                       "would be played twice: one is a copy of the other. Name another file in CHANCERY_DATABASE, or restore "
                       "the right one.", database=verbatim(str(database)), games=tuple(same[:NAMED]), **facts)


def take_place(folder: Path, part: tuple[int, int], database: Path) -> IO[bytes]:
    """Hold the place of a shard until what is returned is closed. Raises Faulty: it can't run beside those that run; OSError."""
    shard, shards = part
    path = folder / f"{shard}.lock"
    for why in conflicts(folder, part, database):
        raise Faulty("{why}", why=why)
    keep_private(path)
    held = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0)
    if not _locked(held):
        held.close()
        raise Faulty("Another process holds {file}. Find it with `fuser {file}`, and stop it.", file=verbatim(str(path)))
    held.truncate(0)
    held.write(f"{os.getpid()}\n{shard}/{shards}\n{database.absolute()}\n".encode())
    for why in conflicts(folder, part, database):       # of two that start at the same moment
        held.close()
        raise Faulty("{why}", why=why)
    return held


def _locked(held: IO[bytes]) -> bool:
    for _ in range(TRIES):
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            time.sleep(APART)
        else:
            return True
    return False


def _holder(path: Path) -> Present | None:
    """Who holds a place; None: nobody, or somebody who doesn't say."""
    try:
        with path.open("rb") as looked:
            try:
                fcntl.flock(looked, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                process, part, file = looked.read().decode().splitlines()
                shard, _, shards = part.partition("/")
                return Present(int(process), int(shard), int(shards), Path(file))
    except (OSError, ValueError):
        pass
    return None


def _games(file: Path) -> set[int]:
    """The games of a file, none of one that can't be read now."""
    try:
        return backup_files.games(file) if file.exists() else set()
    except Faulty:
        return set()
