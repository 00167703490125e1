"""Moves of servers that were broken off: what a bot does about them when it opens its file."""
from __future__ import annotations

from pathlib import Path

from bot.store import Store, backup_files
from bot.store.moves import Mark
from engine.refusals import Faulty
from engine.text import Text, text, verbatim


def unfinished(mark: Mark, file: Path) -> Text:
    """A move was broken off, and how it is finished."""
    ways = (file, Path(mark.file)) if mark.way == "out" else (Path(mark.file), file)
    source, target = (verbatim(str(path)) for path in ways)
    return text("The move of server {server} from {source} to {target} isn't finished. Finish it: `{command}`.",
                server=verbatim(str(mark.guild)), source=source, target=target, command=command(mark.guild, *ways))


def command(server: int, source: Path, target: Path) -> Text:
    """What moves a server."""
    return text("python -m bot move {server} {source} {target}", server=verbatim(str(server)), source=verbatim(str(source)),
                target=verbatim(str(target)))


async def settle(store: Store) -> bool:
    """Finish or take back each move that was broken off, as far as this file is concerned; whether none is left.

    A server belongs to the file into which its rows were copied, from the commit of that copy on; before, to the one that it was
    to leave. The copy's mark stays until the other file has let go, so whoever holds one of the two only has to read the other.
    Raises Faulty: the other file can't be read, so nobody can know whose the server is.
    """
    for mark in await store.read(lambda ledger: ledger.moves()):
        other, guild = Path(mark.file), mark.guild
        try:
            met = any((theirs.guild, theirs.token) == (guild, mark.token) for theirs in backup_files.servers(other)[1])
            above = backup_files.highest_game(other)
        except Faulty:
            if mark.way == "in":
                continue                        # it is here in any case
            raise Faulty("{sentence}", sentence=unfinished(mark, store.path)) from None
        if mark.way == "out" and met:
            await store.write(lambda ledger, guild=guild, above=above: ledger.let_go(guild, above))     # type: ignore[misc]
        elif mark.way == "out" or not met:
            await store.write(lambda ledger, guild=guild: ledger.end_move(guild))                       # type: ignore[misc]
    return not await store.read(lambda ledger: ledger.moves())
