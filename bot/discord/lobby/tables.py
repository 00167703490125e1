"""/table: finding a game and a seat, the noticeboard of a server, and how its games have ended."""
from __future__ import annotations

import discord
from discord import app_commands

from bot.discord.context import Interaction
from bot.discord.find_game import about_a_game, visit_meant
from bot.discord.game.action_commands import CONTEXTS
from bot.discord.game.replacement import show_silent_players
from bot.discord.lobby.free_seats import show_free_seats
from bot.discord.results.chronicle import show_chronicle
from bot.discord.results.ranking import show_ranking
from bot.discord.results.routes import EVERYBODY
from bot.discord.results.tables import show_tables


class Tables(app_commands.Group):
    """Finding a game and a seat."""

    def __init__(self) -> None:
        super().__init__(name="table", description="Find a game or a free seat", allowed_contexts=CONTEXTS)

    @app_commands.command(description="Free seats in running games: look at one, then take it over")
    @about_a_game()
    async def seats(self, interaction: Interaction, game: str | None = None) -> None:
        await show_free_seats(interaction, None if game is None else await visit_meant(interaction, game))

    @app_commands.command(description="Vote to replace a player who hasn't moved for a long time")
    @about_a_game()
    async def replace(self, interaction: Interaction, game: str | None = None) -> None:
        await show_silent_players(interaction, await visit_meant(interaction, game))

    @app_commands.command(description="The story of a finished game: turning points, fights, dice luck")
    @about_a_game()
    async def chronicle(self, interaction: Interaction, game: str | None = None) -> None:
        await show_chronicle(interaction, (await visit_meant(interaction, game, over=True)).id)

    @app_commands.command(description="Who plays best on this server: a ranking from its finished games")
    async def ranking(self, interaction: Interaction) -> None:
        await show_ranking(interaction)

    @app_commands.command(description="Results of this server or of a member, by game, edition, side and seat")
    @app_commands.describe(member="Whose? Blank: the whole server's")
    async def results(self, interaction: Interaction, member: discord.User | None = None) -> None:
        await show_tables(interaction, EVERYBODY if member is None else member.id)
