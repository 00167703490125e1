"""A file that a bot lends to a program that moves servers: how it is asked for, and how it comes back whatever happens.

Only one of them ever has the file, by the lock beside it. The program has it until it ends the connection, however it ends.
"""
from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Literal

from pydantic import BaseModel, ConfigDict

from bot.discord.errors import record
from bot.store import Store
from engine.refusals import Faulty

SILENCE = 30.0          # seconds without a sign of life from the program that has the file; then it is ended
BEATS = 1 << 10         # signs of life that are read at a time
AGAIN = 1               # exit status: whoever looks after the process is to start it again, and the start says what is wrong

log = logging.getLogger(__name__)


class Line(BaseModel):
    """What goes over a socket; anything else is no line."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Loan(Line):
    """A program that moves a server asks for the file until it ends the connection, however it ends. While it has the file it
    says something every few seconds."""

    file: str
    tables: str             # the newest change of the tables that it knows


class Lent(Line):
    """The answer: it has the file."""

    lent: Literal[True] = True


class Kept(Line):
    """The answer: it doesn't get the file, and why."""

    kept: str


async def say_line(writer: asyncio.StreamWriter, line: Line) -> None:
    """Send a line."""
    writer.write(line.model_dump_json().encode() + b"\n")
    await writer.drain()


async def hand_out(store: Store, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Be without the file until the one who has asked for it ends the connection, and it is free. Raises what `Store.lent`
    does.

    One that is silent for long, as it may have been suspended, is ended: nothing else makes it let go of the file. What it had
    half done is settled, as after any kill.
    """
    async with store.lent():
        with suppress(OSError), _borrower(writer) as borrower:
            await say_line(writer, Lent())
            while await _says_something(reader, borrower):
                pass


async def _says_something(reader: asyncio.StreamReader, borrower: int | None) -> bool:
    """Whether the connection goes on; a program that was silent for too long is ended first."""
    try:
        async with asyncio.timeout(SILENCE):
            return bool(await reader.read(BEATS))
    except TimeoutError:
        log.error("the program that has the file has been silent for %.0f s: %s", SILENCE,
                  "it can't be ended from here; end it by hand" if borrower is None else "it is ended")
    if borrower is not None:
        signal.pidfd_send_signal(borrower, signal.SIGKILL)
    return bool(await reader.read(BEATS))


@contextmanager
def _borrower(writer: asyncio.StreamWriter) -> Iterator[int | None]:
    """The process at the other end of a connection, by a handle that can mean no other one; None: it can't be seen from here."""
    pid, _, _ = struct.unpack("3i", writer.get_extra_info("socket").getsockopt(
        socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    try:
        handle = os.pidfd_open(pid)
    except OSError:                                 # in another container, perhaps
        yield None
        return
    try:
        yield handle
    finally:
        os.close(handle)


def stop_at_once(why: Exception) -> None:
    """End the process: nobody can know what it may play."""
    if not isinstance(why, Faulty):
        record(why)
    log.error("the file that was lent can't be used: %s", why if isinstance(why, Faulty) else type(why).__name__)
    os._exit(AGAIN)
