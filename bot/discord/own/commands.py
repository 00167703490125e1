"""/my: what is a member's own; and the commands of other groups that have moved here."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from discord import app_commands
from discord.app_commands import Choice

from bot.discord.context import Interaction
from bot.discord.errors import helping
from bot.discord.find_game import find_game, suggest_games
from bot.discord.game.absence import add_absence
from bot.discord.game.action_commands import CONTEXTS, GAME_HELP, undo_own
from bot.discord.game.answering import show_mine
from bot.discord.game.digest import add_digest
from bot.discord.game.hints import add_hint
from bot.discord.game.notes import show_notes
from bot.discord.game.rehearsing import add_rehearse
from bot.discord.lobby.commands import switch_secrets
from bot.discord.own.games import show_own_games
from bot.discord.own.interests import show_interests
from bot.discord.own.personal_data import add_data
from bot.discord.own.stand_in import add_stand_in
from bot.discord.responses import NAME, add, clip
from bot.discord.results.tables import show_tables
from bot.discord.settings import show_own_settings
from bot.discord.time_zones import suggest_zones
from engine.kernel import GameSpec
from engine.text import English, say, text, verbatim

AnyCommand: TypeAlias = "app_commands.Group | app_commands.Command[Any, ..., Any]"

MOVED: Mapping[str, str] = {"away": "my/away", "back": "my/back", "since": "my/since", "private": "my/dm", "theme": "settings"}
MOVED_OF_GAMES: Mapping[str, str] = {"mine": "my/secrets", "takeback": "my/undo"}       # below the command of each game


class My(app_commands.Group):
    """What is a member's own."""

    def __init__(self) -> None:
        super().__init__(name="my", description="Your games, your secrets, your settings", allowed_contexts=CONTEXTS)
        add_absence(self)
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

    @app_commands.command(description="Be told when somebody opens a game that you'd like")
    async def interests(self, interaction: Interaction) -> None:
        await show_interests(interaction)

    @app_commands.command(description="Your results on this server: wins, rating, pace, and against whom")
    async def results(self, interaction: Interaction) -> None:
        await show_tables(interaction, interaction.user.id)

    @app_commands.command(description="Your secrets, and what you can do now")
    @app_commands.describe(game=GAME_HELP)
    @app_commands.autocomplete(game=suggest_games)
    async def secrets(self, interaction: Interaction, game: str | None = None) -> None:
        await show_mine(interaction, await find_game(interaction, game))

    @app_commands.command(description="Undo your last move, unless somebody may have learnt something from it")
    @app_commands.describe(game=GAME_HELP)
    @app_commands.autocomplete(game=suggest_games)
    async def undo(self, interaction: Interaction, game: str | None = None) -> None:
        await undo_own(interaction, await find_game(interaction, game))

    @app_commands.command(description="Your secrets by DM: on or off")
    @app_commands.describe(wanted="On: one DM, kept up to date. Off: only when you ask", game=GAME_HELP)
    @app_commands.autocomplete(game=suggest_games)
    async def dm(self, interaction: Interaction, wanted: Literal["on", "off"], game: str | None = None) -> None:
        await switch_secrets(interaction, await find_game(interaction, game), on=wanted == "on")

    @app_commands.command(description="Your settings: pings, reminders, waking hours, pictures")
    @app_commands.describe(zone="Your time zone, by its city")
    @app_commands.rename(zone="time_zone")
    async def settings(self, interaction: Interaction, zone: str | None = None) -> None:
        await show_own_settings(interaction, zone)

    @settings.autocomplete("zone")
    @helping
    async def _zones(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        return suggest_zones(typed)


def moved(games: Iterable[GameSpec]) -> dict[str, str]:
    """The commands that have another name now, with that: the old ones work for one version more."""
    groups = {"game": MOVED, **{spec.command: MOVED_OF_GAMES for spec in games}}
    return {f"{group} {verb}": new.replace("/", " ") for group, names in groups.items() for verb, new in names.items()}


def mark_moved(found: Iterable[AnyCommand], games: Iterable[GameSpec]) -> None:
    """Make the help of each command that has moved begin with its new name."""
    for command in found:
        for below in command.walk_commands() if isinstance(command, app_commands.Group) else ():
            if (new := moved(games).get(below.qualified_name)) is not None:
                below.description = clip(say(text("Now /{new}. {was}", new=verbatim(new), was=verbatim(below.description)),
                                             English()), NAME)


async def tell_moved(interaction: Interaction) -> None:
    """Tell whoever has typed a command by its old name what it is called now."""
    command = interaction.command
    new = None if command is None else moved(interaction.client.games).get(command.qualified_name)
    if new is not None:
        await add(interaction, say(text("-# This command is now `/{new}`. The old name goes away with the next version.",
                                        new=verbatim(new)), English()))
