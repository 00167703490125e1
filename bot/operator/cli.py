"""What an operator does beside the bot, such as `python -m bot check`, `alive`, `doctor`, `backup`, `restore`, `forget`."""
from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from bot.domain.versions import version
from bot.operator.config import Settings, shown
from bot.operator.doctor import examine, printable
from bot.operator.incident_replay import opened, rehearse
from bot.operator.preflight import Weight, alive, check, will_start
from bot.service import Services
from bot.service.backups import OLDEST, Backups, restore
from bot.service.personal_data import Kept
from bot.store import GameRow, Store
from engine.refusals import Faulty
from engine.text import Text, count, say, text, verbatim

SIGNS: Mapping[Weight, str] = {"good": "✔", "warning": "!", "fault": "✘"}
LARGEST = 2 ** 63 - 1       # number that the file can hold

log = logging.getLogger(__name__)


def run(words: Sequence[str], settings: Settings) -> int:
    """Do what the words say; the exit status, 0 for good. Raises Faulty: something cannot be used."""
    parser = argparse.ArgumentParser(prog="chancery", description="`run`, or nothing: the bot. Any other command: a tool.")
    parser.add_argument("--version", action="version", version=f"Chancery {version('chancery-moderator')}")
    parser.add_argument("--database", type=Path, default=settings.database, help="the file (default: the bot's own)")
    tools = parser.add_subparsers(dest="tool", required=True)

    preflight = tools.add_parser("check", help="before a start: check the token, files, folders, disk and clock")
    preflight.set_defaults(run=_check)

    living = tools.add_parser("alive", help="for a health check: whether a bot is running on the file")
    living.set_defaults(run=_alive)

    doctor = tools.add_parser("doctor", help="before an update: check that every game goes on as it is")
    doctor.set_defaults(run=_doctor)

    backup = tools.add_parser("backup", help="copy the database, even while the bot runs")
    backup.add_argument("file", type=Path, nargs="?", help="the copy (default: a new one in the folder for copies)")
    backup.set_defaults(run=_backup)

    restored = tools.add_parser("restore", help="put a copy in place of the database, while the bot is stopped")
    restored.add_argument("file", type=Path)
    restored.set_defaults(run=_restore)

    taken = tools.add_parser("import", help="import a finished game from its record, while the bot is stopped")
    taken.add_argument("file", type=Path)
    taken.add_argument("--guild", type=_id, required=True, help="the server that can look at it, by its ID")
    taken.add_argument("--channel", type=_id, required=True, help="the channel")
    taken.add_argument("--owner", type=_id, required=True, help="the member who becomes its game master")
    taken.add_argument("--title", default="")
    taken.set_defaults(run=_import)

    forgotten = tools.add_parser("forget", help="erase a member for good, while the bot is stopped")
    forgotten.add_argument("user", type=_id, help="the member, by the Discord ID")
    forgotten.set_defaults(run=_forget)

    incident = tools.add_parser("capsule", help="repeat what went wrong; the output may contain a game's secrets")
    incident.add_argument("file", type=Path)
    incident.set_defaults(run=_capsule)

    args = parser.parse_args(words)
    act_as_owner(args.database)
    code: int = args.run(args, settings)
    return code


def act_as_owner(database: Path) -> None:
    """As root, go on as the owner of the database, or of its folder: the bot has to open whatever a tool leaves there."""
    there = database if os.path.exists(database) else database.absolute().parent
    if os.geteuid() == 0 and os.path.exists(there) and (owner := there.stat()).st_uid:
        log.info("the database belongs to user %d, so I go on as that user, not as root", owner.st_uid)
        os.setgroups([])
        os.setgid(owner.st_gid)
        os.setuid(owner.st_uid)


def _opened(database: Path) -> Store:
    """The file of a tool that makes none. Raises Faulty: there is no such file, and whatever `Store` raises."""
    try:
        database.stat()
    except FileNotFoundError:
        raise Faulty("There is no database {path}. Name the bot's with --database or in CHANCERY_DATABASE.",
                     path=shown(database)) from None
    except OSError:
        pass                                    # the store says better what is wrong with the place
    return Store(database)


def _id(written: str) -> int:
    """A number that Discord has given. Raises ValueError, in the words of argparse."""
    if not (written.isascii() and written.isdecimal() and 0 < int(written) <= LARGEST):
        raise argparse.ArgumentTypeError("this must be a Discord ID, such as 1456074443980800016")
    return int(written)


def _check(args: argparse.Namespace, settings: Settings) -> int:
    results = check(settings.model_copy(update={"database": args.database}))
    for result in results:
        _tell(text("{sign} {sentence}", sign=verbatim(SIGNS[result.weight]), sentence=result.sentence))
    ready = will_start(results)
    _tell(text("The bot can start.") if ready else text("Mend what is marked ✘ first."))
    return 0 if ready else 1


def _alive(args: argparse.Namespace, settings: Settings) -> int:
    result = alive(args.database, datetime.now(UTC))
    _tell(result.sentence)
    return 0 if result.weight == "good" else 1


def _doctor(args: argparse.Namespace, settings: Settings) -> int:
    diagnosis = asyncio.run(examine(args.database))
    for sentence in diagnosis.sentences:
        _tell(sentence)
    return 0 if diagnosis.well else 1


def _backup(args: argparse.Namespace, settings: Settings) -> int:
    made = Backups(args.database, settings.backup_folder).write(args.file)
    _tell(text("I copied the database to {path}.", path=shown(made)))
    return 0


def _restore(args: argparse.Namespace, settings: Settings) -> int:
    aside = restore(args.file, args.database)
    _tell(text("I've put {file} in place of {database}.", file=shown(args.file), database=shown(args.database)))
    if aside.exists():
        _tell(text("The earlier file is kept as {path}.", path=shown(aside)))
    _tell(text("Each game tells its players when the bot runs again."))
    return 0


def _import(args: argparse.Namespace, settings: Settings) -> int:
    try:
        record = args.file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        raise Faulty("The file {path} can't be read, or isn't text.", path=shown(args.file)) from None
    row = asyncio.run(_taken_in(args, record))
    _tell(text("{title} is now game {game}.", title=verbatim(printable(row.title)), game=row.id))
    return 0


async def _taken_in(args: argparse.Namespace, record: str) -> GameRow:
    with closing(_opened(args.database)) as store:
        return await Services(store).records.take_in(record, by=args.owner, guild=args.guild, channel=args.channel,
                                                        title=args.title,
                                         trusted=True)


def _forget(args: argparse.Namespace, settings: Settings) -> int:
    kept = asyncio.run(_forgotten(args.database, args.user))
    if not kept.rows:
        _tell(text("I knew nothing of a member {user}, so there was nothing to erase.", user=verbatim(str(args.user))))
        return 1
    _tell(text("I've erased the member: {rows}, with {messages} to other players and {orders}, and the seats in {games}.",
               rows=count(kept.rows, "{n} row", "{n} rows"), games=count(kept.games, "{n} game", "{n} games"),
               messages=count(kept.messages, "{n} message", "{n} messages"),
               orders=count(kept.orders, "{n} standing order", "{n} standing orders")))
    backups = Backups(args.database, settings.backup_folder)
    copies, aside = backups.copies(), backups.put_aside()
    if copies:
        _tell(text("{copies} of the database still know the member: {files}. They go after {days} days, or when you delete them.",
                   copies=count(len(copies), "{n} copy", "{n} copies"), days=OLDEST.days,
                   files=tuple([shown(copy) for copy in copies])))
    if aside:
        _tell(text("What a restore or an update has put aside still knows the member, until you delete it: {files}.",
                   files=tuple([shown(path) for path in aside])))
    return 0


async def _forgotten(database: Path, user: int) -> Kept:
    with closing(_opened(database)) as store:
        data = Services(store).personal_data
        kept = await data.kept_about(user)
        await data.forget_member(user)
        return kept


def _capsule(args: argparse.Namespace, settings: Settings) -> int:
    found = opened(args.file)
    _tell(text("Incident {number} of {at}, {error}, game {game} after {rows}, components {components}.", number=found.number,
               at=verbatim(found.at.isoformat(" ", "seconds")), error=verbatim(found.error), game=found.game or 0,
               rows=count(found.rows, "{n} step", "{n} steps"), components=verbatim(found.components[:12])))
    for place in found.trace:
        _tell(text("  {place}", place=verbatim(place)))
    _tell(text("Versions: Python {python}, {packages}.", python=verbatim(found.python),
               packages=tuple([verbatim(f"{name} {version}") for name, version in found.packages.items()])))
    rehearsal = asyncio.run(rehearse(found))
    if rehearsal.board:
        _tell(text("{board}", board=verbatim(rehearsal.board)))
    if rehearsal.error is None:
        _tell(text("Repeated: nothing goes wrong in this version."))
        return 0
    traceback.print_exception(rehearsal.error, file=sys.stdout)
    _tell(text("Repeated: the same error.") if rehearsal.same else text("Repeated: a different error than in the incident."))
    return 1


def _tell(sentence: Text) -> None:
    print(say(sentence))             # noqa: T201
