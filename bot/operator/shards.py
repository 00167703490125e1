"""Servers that lie in several files, one for each shard: which lies where, and how one moves to another file.

A move has four steps, each a transaction in one file: a mark in the file that the server leaves; all its rows and a mark in the
other one; the rows and the mark go from the first; the mark goes from the second. Whoever repeats a move that was broken off goes
on where it stopped, and a bot that opens a file with a mark finishes the move or takes it back (`bot/service/moves.py`).

Bots that run on the files are asked to lend them meanwhile, by the sockets on which they listen.
"""
from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

from bot.discord.file_loans import Kept, Lent, Loan, say_line
from bot.domain.letters import Letter, ReplacementVote, RequestMessage, StandInOffer
from bot.domain.shards import shard_of
from bot.domain.timestamps import timestamp
from bot.operator.config import shown
from bot.service import Services
from bot.service.moves import command, unfinished
from bot.service.session import wall_clock
from bot.store import Ledger, Store, backup_files
from bot.store.database import Held, hold
from bot.store.meeting import Present, present, socket_of
from bot.store.migrations import CHANGES
from bot.store.moves import Mark
from engine.refusals import Faulty
from engine.text import Text, count, text, verbatim

PATIENCE = 60.0         # seconds for a bot to lend its file, and to go on with it
BEAT = 5.0              # seconds between two signs of life to a bot that has lent its file
LOAN: TypeAdapter[Lent | Kept] = TypeAdapter(Lent | Kept)

ASKED_ANEW: Final[Mapping[str, Callable[[int], Letter]]] = {
    "requests": lambda number: RequestMessage(request=number), "replacements": lambda number: ReplacementVote(replacement=number),
    "stand_in_offers": lambda number: StandInOffer(offer=number)}


@dataclass(frozen=True)
class Overview:
    """What lies where, in sentences, and whether all of it is in its place."""

    sentences: tuple[Text, ...]
    settled: bool


# --- what lies where ------------------------------------------------------------------------------------------------------

def overview(files: Sequence[Path], shards: int, first: int = 0) -> Overview:
    """Tell the servers of each file; the files are those of the shards in order, from `first`, of so many.

    Raises Faulty: a file cannot be read.
    """
    told, settled, found = list[Text](), True, [backup_files.servers(file) for file in files]
    for shard, (file, (servers, marks)) in enumerate(zip(files, found), first):
        told.append(text("{file}, shard {shard} of {shards}:", file=shown(file), shard=shard, shards=shards) if shards > 1 else
                    text("{file}:", file=shown(file)))
        if not servers:
            told.append(text("  no servers"))
        for server, games in sorted(servers.items(), key=lambda one: one[0] or 0):
            home = 0 if server is None else shard_of(server, shards)
            twice = [other for other, (there, _) in zip(files, found) if other != file and server in there]
            told.append(_line(server, games))
            if home != shard:
                at = home - first
                way = text("`{command}`", command=command(server, file, files[at])) if server and 0 <= at < len(files) else None
                told.append(text("    ✘ This belongs to shard {shard}. Move it: {way}.", shard=home, way=way) if way else
                            text("    ✘ This belongs to shard {shard}.", shard=home))
            if twice and server is not None:
                told.append(text("    ✘ This server is also in {files}.", files=tuple(map(shown, twice))))
            settled &= home == shard and not (twice and server is not None)
        for mark in marks:
            told.append(unfinished(mark, file))
            settled = False
    told.append(text("Everything is in its place.") if settled else text("Not everything is in its place."))
    return Overview(tuple(told), settled)


def _line(server: int | None, games: Mapping[str, int]) -> Text:
    which = text("no server") if server is None else text("server {server}", server=verbatim(str(server)))
    if not games:
        return text("  {which}: no games, but settings", which=which)
    told = tuple([verbatim(f"{number} {status}") for status, number in sorted(games.items())])
    return text("  {which}: {games}", which=which, games=told)


# --- moving ---------------------------------------------------------------------------------------------------------------

async def move(server: int, source: Path, target: Path, *, folder: Path | None = None,
               now: Callable[[], datetime] = wall_clock) -> Text:
    """Move all that a file has of a server to another file, or finish that; what was done, in a sentence. Bots that run on the
    files and meet in the folder go on when it is done.

    Raises Faulty: a bot that runs on one of the files doesn't lend it, one can't be used, the source has nothing of the server,
    both have games of the same number, or another move has to be finished first. Then nothing has changed.
    """
    new_file = _is_new(source, target)
    idle, there = _held(source) and not _held(target), _runs_on(target, folder)
    async with borrowed(source, folder), borrowed(target, folder):
        done = await _move(server, source, target, new_file, now)
    if idle:
        return text("{done} No bot is running on {target}: until one does, the server's games rest.", done=done,
                    target=shown(target))
    if there is None or (home := shard_of(server, there.shards)) == there.shard:
        return done
    return text("{done} Discord goes on to send what happens there to shard {home}, which hands it over. Noticeboard and weekly "
                "summary wait until you have moved all that is to move and restart the bots with the number of shards for "
                "which the server belongs to {target}.", done=done, home=home, target=shown(target))


@asynccontextmanager
async def borrowed(file: Path, folder: Path | None) -> AsyncIterator[None]:
    """Have the bot that runs on a file, if there is one, be without it while the block lasts. Raises Faulty: it can't be asked,
    or keeps it."""
    if not _held(file):
        yield
        return
    absolute = Path.cwd() / file
    met = _runs_on(file, folder)
    if met is None or folder is None:
        raise Faulty("A bot is running on {file}, and I can't ask it to wait: it has no socket in {folder}. Stop it, or set "
                     "CHANCERY_SOCKETS to the folder that is set there.", file=shown(file),
                     folder=text("CHANCERY_SOCKETS, which isn't set") if folder is None else shown(folder))
    writer: asyncio.StreamWriter | None = None
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_unix_connection(socket_of(folder, met.shard))
            await say_line(writer, Loan(file=str(absolute), tables=CHANGES[-1].__name__))
            answer = LOAN.validate_json(await reader.readline())
    except (OSError, ValueError):
        if writer is not None:
            writer.close()
        raise Faulty("The bot on {file}, process {process}, doesn't answer: it is of another version, or very busy. Nothing has "
                     "changed. Try again, or stop it first.", file=shown(file), process=verbatim(str(met.process))) from None
    beating = asyncio.create_task(_beat(writer))
    try:
        if isinstance(answer, Kept):
            raise Faulty("The bot on {file}, process {process}, doesn't lend its file: {why} Nothing has changed.",
                         file=shown(file), process=verbatim(str(met.process)), why=verbatim(answer.kept))
        yield
    finally:
        beating.cancel()
        with suppress(OSError):                     # it goes on now, or at its next start
            writer.write_eof()
            async with asyncio.timeout(PATIENCE):
                await reader.read()
        writer.close()


async def _beat(writer: asyncio.StreamWriter) -> None:
    """Tell a bot that has lent its file, again and again, that it is still needed; it ends a program that is silent for long."""
    while not writer.is_closing():
        writer.write(b"\n")
        await asyncio.sleep(BEAT)


def _runs_on(file: Path, folder: Path | None) -> Present | None:
    """The bot that runs on a file and meets others in the folder."""
    return None if folder is None else next((one for one in present(folder) if one.plays(file)), None)


def _held(file: Path) -> bool:
    """Whether a bot runs on a file."""
    if not file.exists():
        return False
    try:
        hold(file).close()
    except Held:
        return True
    return False


async def _move(server: int, source: Path, target: Path, new_file: bool, now: Callable[[], datetime]) -> Text:
    """The move itself, on files that nobody else holds."""
    with closing(await asyncio.to_thread(Store, source)) as old:
        left = await _mark(old, server)
        if new_file and left is None and not await _has(old, server):
            raise _nothing(server, source)
        with closing(await asyncio.to_thread(Store, target)) as new:
            return await _moved(server, old, new, left, now)


async def _moved(server: int, old: Store, new: Store, left: Mark | None, now: Callable[[], datetime]) -> Text:
    arrived = await _mark(new, server)
    copied = left is not None and left.way == "out" and arrived is not None and left.token == arrived.token
    for mark, store, fits in ((left, old, copied or (arrived is None and _names(left, "out", new))),
                              (arrived, new, copied or (left is None and _names(arrived, "in", old)))):
        if mark is not None and not fits:
            raise Faulty("{sentence}", sentence=unfinished(mark, store.path))
    facts = {"server": verbatim(str(server)), "source": shown(old.path), "target": shown(new.path)}
    if not copied and not await _has(old, server):
        if arrived is None and not await _has(new, server):
            raise _nothing(server, old.path)
        await new.write(lambda ledger: ledger.end_move(server))
        return text("Server {server} is in {target}; there is nothing of it left in {source}.", **facts)
    if not copied:
        await _copy(server, old, new, left, now)
    above = await new.read(lambda ledger: ledger.highest_game())
    await old.write(lambda ledger: ledger.let_go(server, above))
    await new.write(lambda ledger: ledger.end_move(server))
    games = sum((await new.read(lambda ledger: ledger.servers()))[server].values())
    return text("Server {server} is in {target} now, with {games}.", games=count(games, "{n} game", "{n} games"), **facts)


async def _copy(server: int, old: Store, new: Store, left: Mark | None, now: Callable[[], datetime]) -> None:
    """The first two steps."""
    for store in (old, new):
        await Services.on(store, now=now).clocks.beat()         # what nobody's time has run for so far, in each file by itself
    if await old.read(lambda ledger: ledger.is_entangled(server)):
        raise Faulty("Server {server} can't be moved: its games in {source} share a past with games of another server.",
                     server=verbatim(str(server)), source=shown(old.path))
    await new.read(lambda ledger: ledger.attach(old.path))
    try:
        shared = await new.read(lambda ledger: ledger.numbers_in_both(server))
        if shared:
            raise Faulty("Server {server} can't be moved: {target} has games of the same numbers ({games}). Nothing has changed.",
                         server=verbatim(str(server)), target=shown(new.path), games=tuple(shared))
        mark = left or Mark(server, "out", str(new.path.absolute()), secrets.token_hex(8))
        if left is None:
            await old.write(lambda ledger: ledger.begin_move(mark))
        above, at = await old.read(lambda ledger: ledger.highest_game()), timestamp(now())

        def take_in(ledger: Ledger) -> None:
            asking = ledger.take_in(server)
            for table, open_ones in asking.items():
                for game, number in open_ones:
                    ledger.add_letters(game, ledger.newest(game), [ASKED_ANEW[table](number)], at)
            ledger.number_above(above)
            ledger.begin_move(Mark(server, "in", str(old.path.absolute()), mark.token))

        await new.write(take_in)
    finally:
        await new.read(lambda ledger: ledger.detach())


async def reshard(files: Sequence[Path], retired: Sequence[Path] = (), *,
                  now: Callable[[], datetime] = wall_clock) -> list[Text]:
    """Move every server to the file of its shard: the files are those of all shards, in order. Of `retired` files every server
    moves. From then on no two of them give a game the same number. What was done, in sentences. Raises Faulty, as `move`."""
    told, every = list[Text](), (*files, *retired)
    for file in every:
        for mark in _servers(file)[1]:
            other = Path(mark.file)
            told.append(await move(mark.guild, *((file, other) if mark.way == "out" else (other, file)), now=now))
    for number, file in enumerate(every):
        for server in sorted(server for server in _servers(file)[0] if server is not None):
            home = shard_of(server, len(files))
            if home != number:
                told.append(await move(server, file, files[home], now=now))
    highest = 0
    for file in every:
        with closing(Store(file)) as store:
            highest = max(highest, await store.read(lambda ledger: ledger.highest_game()))
    for file in files:
        with closing(Store(file)) as store:
            await store.write(lambda ledger: ledger.number_above(highest))
    return told


def _is_new(source: Path, target: Path) -> bool:
    """Whether the second file is still to be made. Raises Faulty: the first is not there, or they are the same."""
    if not source.exists():
        raise Faulty("There is no database {file}.", file=shown(source))
    if not target.exists():
        return True
    if target.samefile(source):
        raise Faulty("{file} can't be moved to itself. Name two files.", file=shown(source))
    return False


def _servers(file: Path) -> tuple[Mapping[int | None, Mapping[str, int]], Sequence[Mark]]:
    """What `backup_files.servers` says, nothing of a file that is still to be made."""
    return backup_files.servers(file) if file.exists() else ({}, ())


async def _mark(store: Store, server: int) -> Mark | None:
    marks = await store.read(lambda ledger: ledger.moves())
    return next((mark for mark in marks if mark.guild == server), None)


async def _has(store: Store, server: int) -> bool:
    """Whether there is more of a server in a file than a mark."""
    return await store.read(lambda ledger: ledger.knows_server(server))


def _names(mark: Mark | None, way: str, store: Store) -> bool:
    return mark is not None and mark.way == way and Path(mark.file) == store.path.absolute()


def _nothing(server: int, file: Path) -> Faulty:
    return Faulty("{file} has nothing of server {server}. `python -m bot servers` tells what lies where.", file=shown(file),
                  server=verbatim(str(server)))
