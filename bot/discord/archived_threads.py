"""Threads that have been put away, which Discord does not tell a bot of by itself."""
from __future__ import annotations

import discord

from bot.discord.refusals import lasting, meaning

ARCHIVED = 1000             # of which is kept where they are


class Threads:
    def __init__(self, bot: discord.Client) -> None:
        self._bot = bot
        self._known: dict[int, discord.Thread | None] = {}

    def known(self, number: int) -> discord.Thread | None:
        return self._known.get(number)

    async def found(self, number: int) -> discord.Thread | None:
        """A thread, looked up once; None: there is none, or the bot cannot see it."""
        if number not in self._known:
            while len(self._known) >= ARCHIVED:
                del self._known[next(iter(self._known))]
            try:
                channel = await self._bot.fetch_channel(number)
            except discord.HTTPException as refused:
                if not lasting(refused):
                    raise
                if meaning(refused) == "gone":
                    self._known[number] = None
                return None
            else:
                self._known[number] = channel if isinstance(channel, discord.Thread) else None
        return self._known[number]
