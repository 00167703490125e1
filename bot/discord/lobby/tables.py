"""/table: who sits where: free seats to take over."""
from __future__ import annotations

from discord import app_commands

from bot.discord.context import Interaction
from bot.discord.find_game import find_game, suggest_games
from bot.discord.game.action_commands import CONTEXTS, GAME_HELP
from bot.discord.lobby.free_seats import show_free_seats


class Tables(app_commands.Group):
    """Who sits where."""

    def __init__(self) -> None:
        super().__init__(name="table", description="Free seats, and who sits where", allowed_contexts=CONTEXTS)

    @app_commands.command(description="Free seats in running games: look at one, then take it over")
    @app_commands.describe(game=GAME_HELP)
    @app_commands.autocomplete(game=suggest_games)
    async def seats(self, interaction: Interaction, game: str | None = None) -> None:
        await show_free_seats(interaction, None if game is None else await find_game(interaction, game))
