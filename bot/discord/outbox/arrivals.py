"""Letters that may have been posted although nobody knows it: by a process that was killed, or if Discord's answer was lost.

Such a letter is looked for among the bot's own messages that no letter is known to have become. It says the same, or has the mark
of its kind where what is told changes with the game.
"""
from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeAlias

import discord
from discord.utils import time_snowflake, utcnow

from bot.discord.components import AnyRoute
from bot.discord.context import Context
from bot.discord.outbox.blocks import ids_of, words_of
from bot.discord.refusals import meaning
from bot.domain.letters import Letter, read
from bot.store import OutboxRow

SEARCHED = 500                  # the newest messages of a channel, which are looked through
SLACK = timedelta(minutes=2)    # by which the clocks of Discord and of this machine differ at most
LONG_AGO = timedelta(days=1)    # when a letter was written of which nobody knows that

Mark: TypeAlias = Callable[[int, Any, discord.Message], bool]           # game, letter, one of those messages

log = logging.getLogger(__name__)


class Arrivals:
    """Which letters may have been posted, and as which messages."""

    def __init__(self, bot: Context, marks: Mapping[type[Letter], Mark]) -> None:
        self.bot, self.services, self.marks = bot, bot.services, marks
        self._doubts: set[int] = set()                          # letters of which an attempt has an unknown end
        self._unknown: dict[int, tuple[int, list[discord.Message]]] = {}        # channel -> since when, and such messages
        self._taken: dict[int, int] = {}                        # of these, those that were found: message -> letter

    def doubtful(self, row: OutboxRow) -> bool:
        return row.id in self._doubts or not self.services.outbox.fresh(row)

    def doubt(self, ids: Collection[int]) -> None:
        """Nobody knows how an attempt of these letters has ended."""
        self._doubts.update(ids)
        self._taken = {message: letter for message, letter in self._taken.items() if letter not in ids}
        self._unknown.clear()

    def take(self, message: int, letter: int) -> None:
        """A letter has become this message, which the file doesn't know yet."""
        self._taken[message] = letter

    def settle(self, ids: Collection[int]) -> None:
        """The file knows what has become of these letters."""
        self._doubts.difference_update(ids)
        self._taken = {message: letter for message, letter in self._taken.items() if letter not in ids}

    async def found(self, channel: discord.PartialMessageable, row: OutboxRow, words: str, *, items: Sequence[str], files: bool,
                    whole: bool) -> discord.Message | None:
        """The message that an attempt of a letter has posted, as a `whole` or a part of it, by its `words` without signs and by
        what can be pressed below it; None if there is none."""
        if not self.doubtful(row):
            return None
        unknown = await self._look(channel, row)
        alike = sorted([message for message in unknown if words_of(message) == words], key=lambda message: (
            bool(message.attachments) != files, ids_of(message) != items))      # pictures may have been added to what happened
        return self._take(row, unknown, alike or (self._marked(unknown, row) if whole else []))

    async def passed_over(self, channel: discord.PartialMessageable, row: OutboxRow) -> int | None:
        """The message of a letter that is not posted any more, if an attempt has done that and it is known by its mark."""
        if not self.doubtful(row) or type(read(row.kind, row.audience, row.payload)) not in self.marks:
            return None
        unknown = await self._look(channel, row)
        message = self._take(row, unknown, self._marked(unknown, row))
        return None if message is None else message.id

    def _marked(self, unknown: Sequence[discord.Message], row: OutboxRow) -> list[discord.Message]:
        letter = read(row.kind, row.audience, row.payload)
        mark = self.marks.get(type(letter))
        return [message for message in unknown if mark is not None and mark(row.game, letter, message)]

    def _take(self, row: OutboxRow, unknown: list[discord.Message], fits: Sequence[discord.Message]) -> discord.Message | None:
        """The first that fits: no other letter can be that one."""
        if not fits:
            return None
        unknown.remove(fits[0])
        self._taken[fits[0].id] = row.id
        return fits[0]

    async def _look(self, channel: discord.PartialMessageable, row: OutboxRow) -> list[discord.Message]:
        """The bot's own messages in a channel that no letter is known to have become, since the oldest letter of a game waits;
        oldest first."""
        at = await self.services.outbox.waiting_since(row.game)
        since = time_snowflake((utcnow() - LONG_AGO if at is None else datetime.fromisoformat(at)) - SLACK)
        if channel.id in self._unknown and self._unknown[channel.id][0] <= since:
            return self._unknown[channel.id][1]
        own = list[discord.Message]()
        try:
            async for message in channel.history(limit=SEARCHED):
                if message.id < since:
                    break
                if message.author == self.bot.user and message.type is discord.MessageType.default:
                    own.append(message)
        except discord.HTTPException as refused:
            if meaning(refused) == "later":
                raise                                           # it will be seen later
            log.info("game %s: what has arrived cannot be seen (%s)", row.game, refused.code)
        known = self._taken.keys() | await self.services.outbox.known_messages([message.id for message in own])
        self._unknown[channel.id] = since, [message for message in reversed(own) if message.id not in known]
        return self._unknown[channel.id][1]


def offers(message: discord.Message, route: AnyRoute, *facts: object) -> bool:
    """True if a button below a message leads there, with these facts and perhaps more."""
    begins = route.custom_id(*facts)
    return any(f"{item}:".startswith(f"{begins}:") for item in ids_of(message))
