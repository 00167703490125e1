"""/my: what is a member's own."""
from __future__ import annotations

from typing import Any, TypeAlias

from discord import app_commands

from bot.discord.context import Interaction
from bot.discord.find_game import about_a_game, visit_meant
from bot.discord.game.absence import add_back
from bot.discord.game.action_commands import BY_ANYBODY, EVERYWHERE
from bot.discord.game.answering import show_mine
from bot.discord.game.digest import add_digest
from bot.discord.game.hints import add_hint
from bot.discord.game.notes import show_notes
from bot.discord.game.planning import undo_own
from bot.discord.game.rehearsing import add_rehearse
from bot.discord.own.away import add_away
from bot.discord.own.games import show_own_games
from bot.discord.own.personal_data import add_data
from bot.discord.own.stand_in import add_stand_in

AnyCommand: TypeAlias = "app_commands.Group | app_commands.Command[Any, ..., Any]"


class My(app_commands.Group):
    """What is a member's own."""

    def __init__(self) -> None:
        super().__init__(name="my", description="Your games, your secrets, your settings", allowed_contexts=EVERYWHERE,
                         allowed_installs=BY_ANYBODY)
        add_away(self)
        add_back(self)
        add_stand_in(self)
        add_digest(self)
        add_hint(self)
        add_rehearse(self)
        add_data(self)

    @app_commands.command(description="All your games on all servers, those waiting for you first")
    async def games(self, interaction: Interaction) -> None:
        await show_own_games(interaction)

    @app_commands.command(description="Your private notes and bookmarks on steps of games")
    async def notes(self, interaction: Interaction) -> None:
        await show_notes(interaction)

    @app_commands.command(description="Your move as buttons and lists, with your secrets")
    @about_a_game()
    async def move(self, interaction: Interaction, game: str | None = None) -> None:
        await show_mine(interaction, await visit_meant(interaction, game))

    @app_commands.command(description="Undo your last move, if it gave nothing away")
    @about_a_game()
    async def undo(self, interaction: Interaction, game: str | None = None) -> None:
        await undo_own(interaction, await visit_meant(interaction, game))
