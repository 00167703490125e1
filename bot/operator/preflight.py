"""Before a start: whether the token, the files, the folders, the disk and the clock will do (`python -m bot check`)."""
from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from bot.domain.troubles import LEAST_FREE
from bot.operator.config import Settings, shown
from bot.store import backup_files
from bot.store.guard import OTHERS
from engine.refusals import Faulty
from engine.text import Text, count, text, verbatim
from engine.text.language import catalog_in, compiled
from engine.text.languages import ENGLISH, LANGUAGES

TOKEN = re.compile(r"[\w-]{18,}\.[\w-]{6,}\.[\w-]{27,}", re.ASCII)      # the form that all tokens have today
OLDEST_SQLITE = (3, 37, 0)          # the first with STRICT tables
COPIES_FREE = 3                     # databases that must fit beside it: one copy is made before an old one goes
EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)         # before this version was written
SILENCE = timedelta(minutes=5)      # the bot gives a sign of life every two
DRIFT = timedelta(minutes=5)        # a file that is newer than this was written while the clock was ahead

Weight = Literal["good", "warning", "fault"]


@dataclass(frozen=True)
class Result:
    """One thing that was looked at: whether the bot can start with it, and what is so in a sentence."""

    weight: Weight
    sentence: Text


def check(settings: Settings, *, now: Callable[[], datetime] = lambda: datetime.now(UTC), env_file: Path = Path(".env"),
          free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
          sqlite: tuple[int, int, int] = backup_files.SQLITE) -> list[Result]:
    """Look at everything that a start needs; nothing is changed, nothing is sent, and no value of a secret is in a sentence.

    A fault keeps the bot from starting or loses something; a warning does not.
    """
    return [*_token(settings, env_file), *_sqlite(sqlite), *_database(settings.database), *_room(settings, free),
            *_copies(settings), *_languages(), *_clock(settings.database, now())]


def alive(database: Path, now: datetime) -> Result:
    """Whether a bot plays from this file: connected, and able to write, within the last five minutes."""
    try:
        seen = backup_files.last_sign_of_life(database)
    except Faulty as why:
        return _fault(why.text)
    if seen is None:
        return _fault(text("No bot of this version has played from {file} yet.", file=shown(database)))
    told = verbatim(seen.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC"))
    if now - seen > SILENCE:
        return _fault(text("The bot gave its last sign of life at {at}.", at=told))
    return _good(text("The bot gave a sign of life at {at}.", at=told))


def _good(sentence: Text) -> Result:
    return Result("good", sentence)


def _warning(sentence: Text) -> Result:
    return Result("warning", sentence)


def _fault(sentence: Text) -> Result:
    return Result("fault", sentence)


def _token(settings: Settings, env_file: Path) -> Iterator[Result]:
    if settings.token is None:
        yield _fault(text("There is no token: set DISCORD_TOKEN. Without one nothing starts but the sandbox, if it is "
                          "installed."))
    elif not TOKEN.fullmatch(settings.token.get_secret_value()):
        yield _fault(text("DISCORD_TOKEN holds no token: one has three parts with dots between them. Copy it again from the "
                          "developer portal, under Bot."))
    else:
        yield _good(text("There is a token; whether Discord accepts it shows at the start."))
    if os.path.exists(env_file) and stat.S_IMODE(env_file.stat().st_mode) & OTHERS:
        yield _warning(text("Other users of this machine can read {file}; `chmod 600 {file}` keeps the token yours.",
                            file=shown(env_file)))


def _sqlite(version: tuple[int, int, int]) -> Iterator[Result]:
    told = verbatim(".".join(map(str, version)))
    if version < OLDEST_SQLITE:
        yield _fault(text("SQLite is {version}; the bot needs 3.37 or newer. It comes with Python, or with the system: "
                          "use a newer one.", version=told))
    else:
        yield _good(text("SQLite is {version}.", version=told))


def _database(path: Path) -> Iterator[Result]:
    folder = path.absolute().parent
    if not os.path.lexists(folder) and os.access(_standing(folder), os.X_OK):
        yield _fault(text("The database belongs in {folder}, which isn't there. Make that folder, or name another file in "
                          "CHANCERY_DATABASE.", folder=shown(folder)))
        return
    if not _writable(folder):
        yield _fault(text("The database belongs in {folder}, but the bot can't write there. Give it that right, or name another "
                          "file in CHANCERY_DATABASE.", folder=shown(folder)))
        return
    if not path.exists():
        yield _good(text("There is no database yet; the first start makes {file}.", file=shown(path)))
        return
    if not os.access(path, os.R_OK | os.W_OK):
        yield _fault(text("The bot can't read and write {file}. Make the user that the bot runs as the file's owner.",
                          file=shown(path)))
        return
    try:
        condition = backup_files.examine(path)
    except Faulty as why:
        yield _fault(why.text)
        return
    yield from map(_fault, condition.faults)
    if stat.S_IMODE(path.stat().st_mode) & OTHERS:
        yield _warning(text("Other users of this machine can read {file}, which holds secrets of games; the bot takes that right "
                            "away when it starts.", file=shown(path)))
    if condition.pending:
        yield _warning(text("The start will change the tables ({changes}). Run `python -m bot doctor` first, and keep a copy.",
                            changes=tuple(map(verbatim, condition.pending))))
    elif not condition.faults:
        yield _good(text("The database {file} is well, and its tables are those of this version.", file=shown(path)))


def _room(settings: Settings, free: Callable[[Path], int]) -> Iterator[Result]:
    """On the disk of the database, and on that of the copies, if it is another."""
    folder, copies = (_standing(place.absolute()) for place in (settings.database.absolute().parent, settings.backup_folder))
    wanted = max(LEAST_FREE, COPIES_FREE * _size(settings.database))
    for place in (folder, copies) if copies.stat().st_dev != folder.stat().st_dev else (folder,):
        here = free(place)
        size = count(here >> 20, "{n} MB is", "{n} MB are")
        if here < wanted:
            yield _fault(text("Only {size} free in {folder}; the bot wants {wanted} MB, for the copies it makes.", size=size,
                              folder=shown(place), wanted=wanted >> 20))
        else:
            yield _good(text("{size} free in {folder}.", size=size, folder=shown(place)))


def _copies(settings: Settings) -> Iterator[Result]:
    folder = settings.backup_folder.absolute()
    if os.path.lexists(folder) and not os.path.isdir(folder):
        yield _fault(text("CHANCERY_BACKUPS must name a folder; {folder} is a file.", folder=shown(folder)))
    elif not _writable(_standing(folder)):
        yield _fault(text("Copies belong in {folder}, but the bot can't write there. Give it that right, or name another "
                          "folder in CHANCERY_BACKUPS.", folder=shown(folder)))
    elif settings.backup_hours == 0:
        yield _warning(text("Copies are made only when you ask for one (CHANCERY_BACKUP_HOURS is 0)."))
    else:
        yield _good(text("Copies go to {folder}, every {hours}.", folder=shown(folder),
                         hours=count(settings.backup_hours, "hour", "{n} hours")))


def _languages() -> Iterator[Result]:
    lacking = tuple(verbatim(language.own_name) for language in LANGUAGES.values()
                    if language is not ENGLISH and catalog_in(compiled(language.code)) is None)
    if lacking:
        yield _warning(text("Read in English, since nothing is compiled: {languages}. Run `python -m tools.texts compile` where "
                            "the bot's source is, and install it again.", languages=lacking))


def _clock(path: Path, now: datetime) -> Iterator[Result]:
    told = verbatim(now.strftime("%Y-%m-%d %H:%M UTC"))
    written = [os.path.getmtime(file) for file in (path, path.with_name(f"{path.name}-wal")) if os.path.exists(file)]
    if now < EARLIEST:
        yield _fault(text("The system's clock says {now}, which is long past. Set it first: deadlines go by it.", now=told))
    elif written and now + DRIFT < datetime.fromtimestamp(max(written), UTC):
        yield _fault(text("The system's clock says {now}, which is earlier than the last time the database was written. Set it "
                          "first: deadlines go by it.", now=told))
    else:
        yield _good(text("The system's clock says {now}.", now=told))


def _standing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there, as far as the bot may look."""
    return folder if os.path.exists(folder) or folder == folder.parent else _standing(folder.parent)


def _writable(folder: Path) -> bool:
    return os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK)


def _size(path: Path) -> int:
    """In bytes; 0 if the file isn't there, or the bot may not see it."""
    return os.path.getsize(path) if os.path.exists(path) else 0


def will_start(results: Sequence[Result]) -> bool:
    """True if nothing that was found keeps the bot from starting."""
    return all(result.weight != "fault" for result in results)
