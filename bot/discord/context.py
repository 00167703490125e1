"""What commands, buttons and the outbox may use of the client: services, outbox, pictures, response times."""
from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import discord
from discord import app_commands

from bot.discord.archived_threads import Threads
from bot.discord.direct_messages import DirectMessages
from bot.discord.host_replies import HostReplies
from bot.discord.icons import Icons
from bot.discord.mentions import CommandMentions
from bot.discord.pictures import Gallery
from bot.discord.renewal import Renewals
from bot.domain.recent import Recent
from bot.service import Services
from bot.service.backups import Backups
from bot.service.response_times import ResponseTimes
from bot.store import GameRow, OutboxRow
from engine.kernel import GameSpec, Seat


class Noticeboards(Protocol):
    """Keeps the noticeboards of all servers true (`outbox.noticeboard.Noticeboards`)."""

    def retry(self, guild: int) -> None: ...


class Outbox(Protocol):
    """Sends what the transactions have left to be sent (`outbox.Outbox`)."""

    @property
    def boards(self) -> Noticeboards: ...

    def start(self) -> None: ...
    async def stop(self) -> None: ...
    def answered(self, game: int) -> None: ...
    def retry(self, game: int) -> None: ...
    async def rouse_sleepers(self) -> None: ...
    async def put(self, channel: discord.PartialMessageable, words: str, *, row: OutboxRow, part: str = "",
                  **extra: Any) -> int: ...
    async def look_after(self, game: GameRow) -> None: ...
    async def open_private(self, game: int, seat: Seat) -> bool: ...
    async def leave(self, game: GameRow, messages: Mapping[str, int], to: int) -> None: ...


class Context(discord.AutoShardedClient):
    """The client as everything below it knows it, so that nothing has to import the client itself."""

    services: Services
    games: Sequence[GameSpec]
    backups: Backups | None
    health: ResponseTimes
    outbox: Outbox
    directs: DirectMessages
    gallery: Gallery
    threads: Threads
    tree: app_commands.CommandTree[Any]
    doubtful: Recent
    chosen: Recent              # messages that asked which game is meant, and of which one button has done it
    hosts: HostReplies
    renewals: Renewals
    mentions: CommandMentions
    icons: Icons
    begun: asyncio.Event        # set once there has been time for all connections to Discord
    places: set[int]            # threads, posts and channels that this process has opened

    @property
    def cut_off(self) -> bool:
        """True if a connection to Discord is lost, so that those on its servers can't reach the bot."""
        return any(shard.is_closed() for shard in self.shards.values())

    def opening(self, game: int) -> asyncio.Lock:
        """Held while a thread or a channel is opened for a game, so that two presses open one; never while a rule is asked."""
        raise NotImplementedError

    async def nobody_served(self, seconds: float = 0.0) -> None:
        """Wait until nothing is being done for a person who has pressed, chosen or typed, and hasn't been for so long."""
        raise NotImplementedError

    async def admits(self, interaction: Interaction) -> bool:
        """True if what an interaction asks is to be done: it has not come before, and not too many come from its member."""
        raise NotImplementedError

    def way_back(self, game: int) -> discord.ui.View:
        """A button that leads to the game, for a reply to a press that has no other."""
        raise NotImplementedError

    async def attended(self, interaction: Interaction) -> None:
        raise NotImplementedError


Interaction: TypeAlias = discord.Interaction[Context]
