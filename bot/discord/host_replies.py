"""What a host was told in private when a game was opened: true for as long as Discord lets a reply be changed."""
from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import discord

log = logging.getLogger(__name__)


class HostReplies:
    """The replies to hosts that still say what they said, by message."""

    def __init__(self, for_member: Callable[[int, int], Awaitable[None]]) -> None:
        """`for_member` compares what has been said with what a member may read who has asked about a game."""
        self.for_member = for_member
        self._known: dict[int, tuple[int, discord.Interaction[Any], str]] = {}     # message -> game, what made it, what it says

    def note(self, message: int, game: int, interaction: discord.Interaction[Any], words: str) -> None:
        """Keep the reply up to date from here on; those that are too old to be changed are forgotten."""
        self._known = {known: kept for known, kept in self._known.items() if not kept[1].is_expired()}
        self._known[message] = game, interaction, words

    def forget(self, message: int) -> None:
        """Something in the reply was pressed, so it says something else now."""
        self._known.pop(message, None)

    async def update(self, game: int, shown: Callable[[int], tuple[str, discord.ui.View | None]]) -> None:
        """Make the reply about a game say and offer what is `shown` to a member, who reads it alone."""
        for message, (meant, interaction, said) in [*self._known.items()]:
            if meant != game or interaction.is_expired():
                continue
            words, view = shown(interaction.user.id)
            if said == words:
                continue
            self._known[message] = game, interaction, words
            await self.for_member(interaction.user.id, game)
            try:
                await interaction.edit_original_response(content=words, view=view,
                                                         allowed_mentions=discord.AllowedMentions.none())
            except (discord.HTTPException, aiohttp.ClientError, OSError) as refused:
                log.info("game %s: what its host was told cannot be changed (%s)", game, type(refused).__name__)
                self.forget(message)
