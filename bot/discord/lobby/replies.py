"""What a host was told in private when a game was opened: true for as long as Discord lets a reply be changed."""
from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import aiohttp
import discord

from bot.discord.components import view
from bot.discord.confided import for_member

log = logging.getLogger(__name__)


class HostReplies:
    """The replies to hosts that still say what they said, by message."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, discord.Interaction[Any], str]] = {}     # message -> game, what made it, what it says

    def note(self, message: int, game: int, interaction: discord.Interaction[Any], words: str) -> None:
        """Keep the reply up to date from here on; those that are too old to be changed are forgotten."""
        self._known = {known: kept for known, kept in self._known.items() if not kept[1].is_expired()}
        self._known[message] = game, interaction, words

    def forget(self, message: int) -> None:
        """Something in the reply was pressed, so it says something else now."""
        self._known.pop(message, None)

    async def update(self, game: int, words: str, items: Sequence[discord.ui.Item[Any]]) -> None:
        """Make the reply about a game say and offer this."""
        for message, (meant, interaction, said) in [*self._known.items()]:
            if meant != game or said == words or interaction.is_expired():
                continue
            self._known[message] = game, interaction, words
            await for_member(interaction.client, interaction.user.id, game)
            try:
                await interaction.edit_original_response(content=words, view=view(items),
                                                         allowed_mentions=discord.AllowedMentions.none())
            except (discord.HTTPException, aiohttp.ClientError, OSError) as refused:
                log.info("game %s: what its host was told cannot be changed (%s)", game, type(refused).__name__)
                self.forget(message)
