"""Copies of the database: made while the bot plays, by the clock or on request; and how one of them takes its place again."""
from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.core.incidents import tell_log
from bot.core.session import wall_clock
from bot.service import Services
from bot.store import Store, backup_files
from bot.store.database import hold
from bot.store.guard import keep_private
from engine.catalog import GAMES
from engine.kernel import GameSpec
from engine.refusals import Faulty, Refusal
from engine.text import Text, verbatim

COPIES_KEPT = 14                       # copies; the oldest go first
OLDEST = timedelta(days=30)     # of a copy, as long as there is a younger one
ABANDONED = 24                  # hours after which a copy that was never finished is nobody's any more
STAMP = "%Y%m%d-%H%M%S"         # of the moment, in the name of a copy

log = logging.getLogger(__name__)


class Backups:
    """The copies of one database in one folder: `chancery-20260401-120000.db`."""

    def __init__(self, database: Path, folder: Path, hours: int = 0, *, now: Callable[[], datetime] = wall_clock) -> None:
        """`hours`: how old the newest copy may become before there is another; 0: copies are made on request only."""
        self.database, self.folder, self.hours = database, folder, hours
        self._now = now
        self.failed: Text | None = None         # why the last copy that was due could not be made

    def require_usable(self) -> None:
        """Keep what copies there are private. Raises Faulty: the folder is a file, or others may read a copy."""
        if self.folder.exists() and not self.folder.is_dir():
            raise Faulty("Name a folder for copies in CHANCERY_BACKUPS: {folder} is a file.",
                         folder=verbatim(str(self.folder)))
        for path in self.copies():
            keep_private(path)

    async def make_if_due(self) -> None:
        """Make a copy if one is due; what keeps it from being made is in the log, and it is tried again."""
        try:
            if self.due():
                await self.make()
        except Faulty as why:
            self.failed = why.text
            log.error("no copy of the database: %s", why)
        except Exception as why:
            self.failed = verbatim(type(why).__name__)
            tell_log("no copy of the database", why)

    def due(self) -> bool:
        """True if the newest copy is too old, or there is none; one of a day to come was made while the clock was wrong."""
        newest = self.newest()
        return newest is None or abs(self._now() - newest) >= timedelta(hours=self.hours)

    def newest(self) -> datetime | None:
        made = self.copies()
        return _moment(made[-1], self.database.stem) if made else None

    def copies(self) -> list[Path]:
        """All copies, the oldest first; before them those of days to come."""
        now = self._now()
        made = {path: _moment(path, self.database.stem) for path in self.folder.glob(f"{self.database.stem}-*.db")}
        return [path for _, _, path in sorted((at <= now, at, path) for path, at in made.items() if at is not None)]

    def put_aside(self) -> list[Path]:
        """Return what was in place of the database before copies were put back, the oldest first; then what it was before
        upgrades."""
        beside = self.database.parent.glob(f"{self.database.name}.*")
        return sorted(path for path in beside if _when(path.suffix[1:]) is not None or path.suffix.startswith(".before-"))

    async def make(self) -> Path:
        """Make a copy beside the game; the oldest ones are thrown away. Raises Faulty: there is none."""
        path = await asyncio.to_thread(self.write)
        self.failed = None
        log.info("copied the database to %s", path.name)
        return path

    def write(self, path: Path | None = None) -> Path:
        """Make a copy now, of this name or of the next one in the folder. Raises Faulty: there is none."""
        if path is not None and os.path.isdir(path):
            raise Faulty("Name a file for the copy: {path} is a folder.", path=verbatim(str(path)))
        if path is not None and os.path.exists(path):
            raise Faulty("There is already a file {path}. Name another one.", path=verbatim(str(path)))
        path = path or self.folder / f"{self.database.stem}-{self._now().astimezone(UTC).strftime(STAMP)}.db"
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as why:
            raise Faulty("I can't make the folder {folder} for copies: {reason}.", folder=verbatim(str(path.parent)),
                         reason=verbatim((why.strerror or type(why).__name__).lower())) from None
        backup_files.copy(self.database, path)
        made, before = self.copies(), self._now() - OLDEST
        aged = [old for old in made[:-1] if (at := _moment(old, self.database.stem)) is not None and at < before]
        for old in [*made[:-COPIES_KEPT], *aged, *self._abandoned()]:
            old.unlink(missing_ok=True)
        return path

    def _abandoned(self) -> list[Path]:
        """Return what is left of copies during which the process was killed."""
        long_ago = (self._now() - timedelta(hours=ABANDONED)).timestamp()
        return [path for path in self.folder.glob(f"{self.database.stem}-*{backup_files.PARTIAL}*")
                if path.stat().st_mtime < long_ago]


def restore(source: Path, database: Path, games: Sequence[GameSpec] = GAMES, *, now: Callable[[], datetime] = wall_clock) -> Path:
    """Put a copy in the place of a database; gives the name under which the database before it is kept, if there was one.

    The games of the copy are told that they come back, before it takes its place: either all of this happens, or nothing.
    Raises Faulty: the copy cannot be used, or a bot is running.
    """
    fresh = database.with_name(f"{database.name}.restored")
    aside = database.with_name(f"{database.name}.{now().astimezone(UTC).strftime(STAMP)}")
    with closing(hold(database)):
        try:
            _forget(fresh)                                      # one of an earlier try that was killed
            backup_files.copy(source, fresh)
            asyncio.run(_recover(fresh, games, now))
            backup_files.put_in_place(fresh, database, aside)
        finally:
            _forget(fresh)
    return aside


def _forget(fresh: Path) -> None:
    for left in ("", *backup_files.BESIDE, ".lock"):
        fresh.with_name(f"{fresh.name}{left}").unlink(missing_ok=True)


async def _recover(path: Path, games: Sequence[GameSpec], now: Callable[[], datetime]) -> None:
    with closing(Store(path, spare=True)) as store:
        services = Services(store, games, now=now)
        await services.recovery.pass_over()
        for row in await services.queries.games(status=("running", "paused")):
            try:
                await services.recovery.restored(row.id)
            except Refusal as why:                              # it waits for its game master, and holds up no other
                log.warning("game %s: %s", row.id, why)


def _moment(path: Path, stem: str) -> datetime | None:
    """When a copy was made, by its name."""
    return _when(path.stem.removeprefix(f"{stem}-"))


def _when(written: str) -> datetime | None:
    try:
        return datetime.strptime(written, STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None
