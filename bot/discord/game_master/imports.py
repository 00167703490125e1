"""/gm import: a finished game from its record, to look at, to replay, to draw."""
from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.discord.admission import charge
from bot.discord.context import Interaction
from bot.discord.find_game import manages
from bot.discord.lobby.commands import Title
from bot.discord.lobby.opening import text_of
from bot.discord.responses import reply, titled
from bot.discord.visits import again
from engine.refusals import Refusal
from engine.text import lines, text, verbatim

if TYPE_CHECKING:
    from bot.discord.game_master.commands import Moderator

MOST = 4 * 1024 * 1024          # bytes of a record: ten times those of a long game


def add_import(group: Moderator) -> None:
    @group.command(name="import", description="Import a finished game from its record, to look at it here")
    @app_commands.describe(record="The file from /game export", title="What is it called here? Blank: what it was called")
    async def take_in(interaction: Interaction, record: discord.Attachment, title: Title = "") -> None:
        if interaction.guild_id is None or not await manages(interaction):
            raise Refusal("Only members who can manage this server or have its game master role can import a game.")
        charge(interaction, "files")
        row = await interaction.client.services.records.take_in(
            await text_of(record, MOST), by=interaction.user.id, guild=interaction.guild_id, channel=interaction.channel_id or 0,
            title=title)
        await again(interaction, row.id)
        await reply(interaction, lines([
            text("{title} is now game {game} here. Every move was legal, and every roll is what its secret gives.",
                 title=verbatim(titled(row)), game=row.id),
            text("Look at it with `/game show game:{game}` or `/game history game:{game}`.", game=row.id)]))
