"""Direct messages: opened once for each member, and never for many at once, which Discord takes for a flood."""
from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from weakref import WeakValueDictionary

import discord
from discord import ChannelType, PartialMessageable

from bot.service import Services

AT_ONCE = 5                     # that can be opened one right after the other
APART = timedelta(seconds=20)   # until one more can be
REMEMBERED = 10_000             # members of whom it is known without asking the store


class TooManyOpened(Exception):
    """So many direct messages have been opened lately that this one has to wait."""


class DirectMessages:
    """Where direct messages go. Each is opened once and kept in the store, so a restart or a restored copy opens none again."""

    def __init__(self, bot: discord.Client, services: Services) -> None:
        self._bot, self._services = bot, services
        self._known, self._readers = dict[int, int](), dict[int, int]()
        self._opening = WeakValueDictionary[int, asyncio.Lock]()        # by member: several games may write at once
        self._left = float(AT_ONCE)
        self._since: datetime | None = None             # when that was so

    async def to(self, user: int, *, asked: bool = False) -> PartialMessageable:
        """Where direct messages to a member go. What the member has `asked` for just now is opened in any case.

        Raises TooManyOpened: try again in a while; HTTPException: Discord does not open it.
        """
        me, outbox = self._own(), self._services.outbox
        async with self._opening.setdefault(user, asyncio.Lock()):
            channel = self._known.get(user) or await outbox.direct_channel(me, user)
            if channel is None:
                self._spend(asked=asked)
                channel = (await self._bot.create_dm(discord.Object(user))).id
                await outbox.direct_opened(me, user, channel)
        while len(self._known) >= REMEMBERED:
            del self._readers[self._known.pop(next(iter(self._known)))]
        self._known[user], self._readers[channel] = channel, user
        return self._bot.get_partial_messageable(channel, type=ChannelType.private)

    def reader(self, channel: int) -> int | None:
        """The member who reads direct messages that go there; None: it is no such place, as far as the bot has written there."""
        return self._readers.get(channel)

    def _own(self) -> int:
        assert self._bot.user is not None, "the bot is connected"
        return self._bot.user.id

    def _spend(self, *, asked: bool) -> None:
        """Take one from what can be opened now; it comes back with time."""
        now = self._services.session.now()
        passed = max(now - (self._since or now), timedelta())           # the clock may have been set back
        self._left, self._since = min(AT_ONCE, self._left + passed / APART), now
        if self._left < 1 and not asked:
            raise TooManyOpened
        self._left -= 1
