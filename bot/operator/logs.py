"""How the log is written: lines for people, or JSON for programs; never the words of an exception, which may quote a secret."""
from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Literal, TypeAlias

import discord

from bot.discord.refusals import too_late, unwell
from bot.domain.interaction_id import CURRENT

Thrown: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
PEOPLE = "%(asctime)s %(levelname)s %(name)s:%(interaction)s %(message)s"

log = logging.getLogger(__name__)


class PlainFormatter(logging.Formatter):
    """A line for people. Of an exception it tells what kind it is and where it came from. `%(interaction)s` becomes the
    number of the interaction that is being dealt with, " #17", or nothing."""

    def format(self, record: logging.LogRecord) -> str:
        number = CURRENT.get()
        record.interaction = f" #{number}" if number else ""
        return super().format(record)

    def formatException(self, ei: Thrown) -> str:
        kind, _, where = ei
        return f"{kind.__name__ if kind else 'nothing'}\n{''.join(traceback.format_tb(where))}".rstrip()


class Lines(PlainFormatter):
    """One JSON object a line: when, how grave, from where, what, and of an exception its kind and its places."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {"at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
                                "level": record.levelname, "from": record.name, "message": record.getMessage()}
        if number := CURRENT.get():
            said["interaction"] = number
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


class RedactingFilter(logging.Filter):
    """Keeps of asyncio's records what happened: they go on with the repr of a task, which quotes its exception's words."""

    def filter(self, record: logging.LogRecord) -> bool:
        """True; the record says less."""
        record.msg, record.args = record.getMessage().partition("\n")[0].partition("<")[0].rstrip(), ()
        return True


class SuggestionsFilter(logging.Filter):
    """Keeps of the library's records of suggestions what is the bot's own fault, and never who typed and where.

    Whoever types on has new suggestions asked for, so old ones often come too late, which Discord refuses.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """True if the record is told; it says less."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and (too_late(error) or unwell(error)):
            log.info("suggestions did not arrive (%s)", type(error).__name__)
            return False
        record.msg, record.args = record.getMessage().partition("(")[0].rstrip(), ()
        return True


def begin(level: int, form: Literal["text", "json"]) -> None:
    """Write the log of this process to the standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(Lines() if form == "json" else PlainFormatter(PEOPLE))
    logging.basicConfig(level=level, handlers=[handler])
    logging.getLogger("discord").setLevel(max(level, logging.INFO))     # its debug lines quote whole messages
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False       # of libraries for voice, which nobody misses
    logging.getLogger("asyncio").addFilter(RedactingFilter())
    logging.getLogger("discord.app_commands.tree").addFilter(SuggestionsFilter())
    sys.excepthook = _ended


def _ended(kind: type[BaseException], why: BaseException, where: TracebackType | None) -> None:
    """What ends the process is logged like all else."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, why, where)
    else:
        log.error("the bot has ended", exc_info=(kind, why, where))
