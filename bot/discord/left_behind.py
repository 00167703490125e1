"""Places that were opened just before the bot stopped, so that no game knows them: whoever asks for such a place next gets it."""
from __future__ import annotations

import logging
from collections.abc import Iterable

import discord

from bot.discord.context import Context
from bot.discord.lengths import NAME, clip

log = logging.getLogger(__name__)


async def left_thread(bot: Context, threads: Iterable[discord.Thread], name: str, *, opened: int = 0
                      ) -> tuple[discord.Thread, list[discord.Message]] | None:
    """A thread or post of this name that the bot opened before it was started, that has no game, and where nobody else is or has
    said anything; with at least as many messages of the bot's as it is `opened` with. Its messages are one at most."""
    for thread in threads:
        if thread.owner_id != getattr(bot.user, "id", None) or thread.name != clip(name, NAME):
            continue
        if (thread.is_private() and thread.member_count > 1) or not await _unknown(bot, thread.id):
            continue
        said = await _said(thread)
        if said is not None and opened <= len(said) <= 1 and all(message.author == bot.user for message in said):
            bot.places.add(thread.id)
            return thread, said
    return None


async def left_channel(bot: Context, channels: Iterable[discord.TextChannel], topic: str) -> discord.TextChannel | None:
    """An empty channel with the topic that the bot gives to the one for such a game, made before it was started."""
    for channel in channels:
        if channel.topic == topic and await _unknown(bot, channel.id) and await _said(channel) == []:
            bot.places.add(channel.id)
            return channel
    return None


async def _unknown(bot: Context, place: int) -> bool:
    """True if no game is played or talked about in a place, and this process hasn't opened it just now."""
    games, _ = await bot.services.forums.in_thread(place)
    return place not in bot.places and not games and await bot.services.channels.talked_in(place) is None


async def _said(place: discord.Thread | discord.TextChannel) -> list[discord.Message] | None:
    """The first messages there, two at most; None: they cannot be read."""
    try:
        return [message async for message in place.history(limit=2)]
    except discord.HTTPException as refused:
        log.info("place %s: what was said there cannot be seen (%s)", place.id, refused.code)
        return None
