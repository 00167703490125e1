"""The noticeboard of each server: one message that says which games there are, where each stands and who is awaited."""
from __future__ import annotations

from collections.abc import Sequence

from bot.core.incidents import operation
from bot.core.service import Service
from bot.store import GameRow
from bot.store.noticeboards import NoticeboardRow


class Noticeboards(Service):
    """The noticeboard of each server. Whatever changes a game's status message makes it stale, in the same transaction."""

    async def noticeboard(self, guild: int) -> NoticeboardRow | None:
        return await self.store.read(lambda ledger: ledger.noticeboards.noticeboard(guild))

    @operation
    async def hang_noticeboard(self, guild: int, channel: int, by: int) -> None:
        await self.store.write(lambda ledger: ledger.noticeboards.hang_noticeboard(guild, channel, by))

    @operation
    async def take_down_noticeboard(self, guild: int) -> None:
        await self.store.write(lambda ledger: ledger.noticeboards.take_down_noticeboard(guild))

    async def noticeboards(self) -> tuple[Sequence[tuple[int, int]], Sequence[NoticeboardRow]]:
        """The messages that are to be deleted, channel and message; and the noticeboards whose channel is there."""
        return await self.store.read(lambda ledger: (ledger.noticeboards.old_noticeboards(), ledger.noticeboards.noticeboards()))

    @operation
    async def noticeboard_deleted(self, message: int) -> None:
        await self.store.write(lambda ledger: ledger.noticeboards.noticeboard_deleted(message), delivers=True)

    @operation
    async def noticeboard_shows(self, board: NoticeboardRow, message: int) -> None:
        """This message says all that was new of a noticeboard when that was read."""
        await self.store.write(lambda ledger: ledger.noticeboards.noticeboard_shows(board, message), delivers=True)

    @operation
    async def noticeboard_gone(self, guild: int, message: int) -> None:
        await self.store.write(lambda ledger: ledger.noticeboards.noticeboard_gone(guild, message), delivers=True)

    @operation
    async def lose_noticeboard(self, guild: int) -> None:
        await self.store.write(lambda ledger: ledger.noticeboards.lose_noticeboard(guild), delivers=True)

    async def games_of_board(self, guild: int) -> list[GameRow]:
        """The games of a server that are open or under way, the newest first."""
        games = await self.store.read(lambda ledger: ledger.games.games(guild=guild, status=("open", "running", "paused")))
        return games[::-1]
