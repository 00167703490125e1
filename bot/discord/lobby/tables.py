"""/table: finding a game and a seat, the noticeboard of a server, and how its games have ended."""
from __future__ import annotations

import discord
from discord import app_commands

from bot.discord.channels import SomeForum, SomeText, Somewhere
from bot.discord.context import Interaction
from bot.discord.find_game import find_game, suggest_games
from bot.discord.game.action_commands import CONTEXTS, GAME_HELP
from bot.discord.game.replacement import show_silent_players
from bot.discord.lobby.forum import choose_places, show_forum
from bot.discord.lobby.free_seats import show_free_seats
from bot.discord.lobby.noticeboard import choose_call_role, hang, show_noticeboard
from bot.discord.results.chronicle import show_chronicle
from bot.discord.results.ranking import show_ranking
from bot.discord.results.routes import EVERYBODY
from bot.discord.results.tables import show_tables


class Tables(app_commands.Group):
    """Finding a game and a seat."""

    def __init__(self) -> None:
        super().__init__(name="table", description="Find a game or a free seat", allowed_contexts=CONTEXTS)

    @app_commands.command(description="Free seats in running games: look at one, then take it over")
    @app_commands.describe(game=GAME_HELP)
    @app_commands.autocomplete(game=suggest_games)
    async def seats(self, interaction: Interaction, game: str | None = None) -> None:
        await show_free_seats(interaction, None if game is None else await find_game(interaction, game))

    @app_commands.command(description="Vote to replace a player who hasn't moved for a long time")
    @app_commands.describe(game=GAME_HELP)
    @app_commands.autocomplete(game=suggest_games)
    async def replace(self, interaction: Interaction, game: str | None = None) -> None:
        await show_silent_players(interaction, await find_game(interaction, game))

    @app_commands.command(description="This server's noticeboard: all games, free seats and who is to move, in one message")
    @app_commands.describe(channel="Hang it up in which channel? Blank: see where it hangs")
    async def noticeboard(self, interaction: Interaction, channel: Somewhere | None = None) -> None:
        if channel is None:
            await show_noticeboard(interaction)
        else:
            await hang(interaction, channel)

    @app_commands.command(description="A finished game from first to last: turning points, who fought whom, luck with the dice")
    @app_commands.describe(game=GAME_HELP)
    @app_commands.autocomplete(game=suggest_games)
    async def chronicle(self, interaction: Interaction, game: str | None = None) -> None:
        await show_chronicle(interaction, await find_game(interaction, game, over=True))

    @app_commands.command(description="Who plays best on this server: a ranking from its finished games")
    async def ranking(self, interaction: Interaction) -> None:
        await show_ranking(interaction)

    @app_commands.command(description="Results of this server or of a member, by game, edition, side and seat")
    @app_commands.describe(member="Whose? Blank: the whole server's")
    async def results(self, interaction: Interaction, member: discord.User | None = None) -> None:
        await show_tables(interaction, EVERYBODY if member is None else member.id)

    @app_commands.command(description="The forum in which each game gets a post, and the channel for private talk")
    @app_commands.describe(channel="Which forum? Blank: see which it is", talk="Which text channel is for private threads?")
    async def forum(self, interaction: Interaction, channel: SomeForum | None = None, talk: SomeText | None = None) -> None:
        if channel is None and talk is None:
            await show_forum(interaction)
        else:
            await choose_places(interaction, channel, talk)

    @app_commands.command(description="The role that is pinged once when somebody opens a game here")
    @app_commands.describe(role="Which role? Blank: none")
    async def callrole(self, interaction: Interaction, role: discord.Role | None = None) -> None:
        await choose_call_role(interaction, role)
