"""The files of an open database: are they still the ones on the disk, and may nobody but their owner read them."""
from __future__ import annotations

import os
import stat
from pathlib import Path

from engine.refusals import Faulty
from engine.text import verbatim

OPEN = ("", "-wal", "-shm")     # what SQLite keeps open, behind the name of the file
OTHERS = stat.S_IRWXG | stat.S_IRWXO


class Guard:
    """Knows the files of an open database by their numbers on the disk, which a file of the same name does not share."""

    def __init__(self, path: Path) -> None:
        self._paths = [f"{path}{part}" for part in OPEN]        # words, of which the system is asked at every commit
        self._known = {path: found for path in self._paths if (found := _identity(path)) is not None}

    def lost(self) -> Path | None:
        """A file that was deleted or replaced since it was opened: what is written goes nowhere. None: all are there."""
        for path in self._paths:
            found = _identity(path)
            if found is not None:
                self._known.setdefault(path, found)
            if found != self._known.get(path):
                return Path(path)
        return None


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def keep_private(path: Path) -> None:
    """Take the permissions of all but its owner from a file or folder with secrets, if it is there.

    Raises Faulty: others may read it, and that cannot be changed.
    """
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return                          # it isn't there, or we may not look; whoever opens it says so
    try:
        if mode & OTHERS:
            path.chmod(mode & ~OTHERS)
    except OSError as why:
        raise Faulty("{path} holds secrets of games, others may read it, and that can't be changed ({reason}). Make it its "
                     "owner's alone, or start the bot as its owner.", path=verbatim(str(path)),
                     reason=verbatim((why.strerror or type(why).__name__).lower())) from None
