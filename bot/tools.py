"""What the operator does beside the bot: `python -m bot doctor | backup | restore`."""
from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

from bot.backup import Backups, restore
from bot.config import Settings
from bot.doctor import examine
from engine.text import English, Text, say, text, verbatim


def run(words: Sequence[str], settings: Settings) -> int:
    """Do what the words say; the exit status, 0 for good. Raises Faulty: something cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m bot", description="The bot, without words; with them, its tools.")
    parser.add_argument("--database", type=Path, default=settings.database, help="the file (default: the bot's own)")
    tools = parser.add_subparsers(dest="tool", required=True)

    doctor = tools.add_parser("doctor", help="before a new version takes over: whether all games go on as they stand")
    doctor.set_defaults(run=_doctor)

    backup = tools.add_parser("backup", help="copy the database, even while the bot runs")
    backup.add_argument("file", type=Path, nargs="?", help="the copy (default: a new one in the folder for copies)")
    backup.set_defaults(run=_backup)

    restored = tools.add_parser("restore", help="put a copy in the place of the database, while the bot is stopped")
    restored.add_argument("file", type=Path)
    restored.set_defaults(run=_restore)

    args = parser.parse_args(words)
    code: int = args.run(args, settings)
    return code


def _doctor(args: argparse.Namespace, settings: Settings) -> int:
    diagnosis = asyncio.run(examine(args.database))
    for sentence in diagnosis.sentences:
        _tell(sentence)
    return 0 if diagnosis.well else 1


def _backup(args: argparse.Namespace, settings: Settings) -> int:
    made = Backups(args.database, settings.backup_folder).write(args.file)
    _tell(text("The database is copied to {path}.", path=_path(made)))
    return 0


def _restore(args: argparse.Namespace, settings: Settings) -> int:
    aside = restore(args.file, args.database)
    _tell(text("{file} has taken the place of {database}.", file=_path(args.file), database=_path(args.database)))
    if aside.exists():
        _tell(text("What was there before is kept as {path}.", path=_path(aside)))
    _tell(text("Each game tells its players so as soon as the bot runs."))
    return 0


def _path(path: Path) -> Text:
    return verbatim(str(path))


def _tell(sentence: Text) -> None:
    print(say(sentence, English()))             # noqa: T201
