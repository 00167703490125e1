"""Where a server wants its games, and how the games that are played in a post stand."""
from __future__ import annotations

from collections.abc import Sequence

from bot.core.incidents import operation
from bot.core.requirements import PLAYED
from bot.core.service import Service
from bot.store import GameRow, Ledger, Status

ALL: Sequence[Status] = ("open", "running", "paused", "over", "closed")


class Forums(Service):
    async def forum(self, guild: int) -> int | None:
        return await self.store.read(lambda ledger: ledger.forums.forum(guild))

    @operation
    async def set_forum(self, guild: int, forum: int | None) -> None:
        await self.store.write(lambda ledger: ledger.forums.set_forum(guild, forum))

    async def talk_channel(self, guild: int) -> int | None:
        """The text channel for private threads of games whose own place has none, if one was chosen."""
        return await self.store.read(lambda ledger: ledger.forums.talk_channel(guild))

    @operation
    async def set_talk_channel(self, guild: int, channel: int | None) -> None:
        await self.store.write(lambda ledger: ledger.forums.set_talk_channel(guild, channel))

    async def in_thread(self, thread: int) -> tuple[list[GameRow], set[int]]:
        """The games that are or were played in a thread, oldest first; and those of them with a seat that anybody may take."""
        def read(ledger: Ledger) -> tuple[list[GameRow], set[int]]:
            games = ledger.games.games(channel=thread, status=ALL)
            return games, {game.id for game in games if game.status in PLAYED and game.newcomers != "none"
                           and any(holder.free for holder in ledger.games.holders(game.id))}

        return await self.store.read(read)

    async def alive(self) -> list[GameRow]:
        """The games that are open or under way, whose threads are to be awake."""
        return await self.store.read(lambda ledger: ledger.games.games(status=("open", "running", "paused")))
