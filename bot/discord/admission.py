"""What is let in: each interaction once, and of a member or a server no more than they can have at a time."""
from __future__ import annotations

import logging
from typing import Any

import aiohttp
import discord

from bot.discord.context import Interaction
from bot.discord.errors import explain
from bot.discord.heard import listen
from bot.discord.languages import of_presser
from bot.domain import interaction_id
from bot.domain.limits import Asker, Kind, Rate
from bot.domain.recent import Recent
from bot.service import Services
from engine.refusals import Refusal
from engine.text import LANGUAGE

TOLD = 5.0              # seconds in which somebody who is too fast is told so once

log = logging.getLogger(__name__)


def asker(interaction: discord.Interaction[Any]) -> Asker:
    return Asker(interaction.user.id, interaction.guild_id)


def charge(interaction: Interaction, kind: Kind) -> None:
    """Somebody gets one of what costs. Raises Refusal: the member or the server has had as many as they can have."""
    interaction.client.services.session.quotas.take(kind, asker(interaction))


class Admission:
    """Lets interactions in. One that comes again is being done, or has been; one too many is not done, and costs nothing more."""

    def __init__(self, services: Services) -> None:
        self._services, self._met, self._told = services, Recent(), Rate(1, TOLD)

    async def admits(self, interaction: discord.Interaction[Any]) -> bool:
        """True if what an interaction asks is to be done. Whoever is too fast is told so, but not each time.

        From here on the presser's language is spoken, for as long as this interaction lasts.
        """
        interaction_id.begin()
        listen()
        LANGUAGE.set(of_presser(interaction))
        if not self._met.note(interaction.id):
            return False
        try:
            self._services.session.quotas.take("presses", asker(interaction))
        except Refusal as why:
            await self._tell(interaction, why)
            return False
        return True

    async def _tell(self, interaction: discord.Interaction[Any], why: Refusal) -> None:
        """A message of its own: what was pressed stays as it is, and can be pressed again."""
        now = self._services.session.quotas.now()
        if interaction.type is discord.InteractionType.autocomplete or self._told.wait(interaction.user.id, now):
            return
        self._told.take(interaction.user.id, now)
        try:
            await interaction.response.send_message(explain(why), ephemeral=True)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as late:
            log.info("a reply did not arrive (%s)", type(late).__name__)
