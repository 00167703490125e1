"""/gm seats: in which order those who have joined will sit."""
from __future__ import annotations

from collections.abc import Mapping

from discord import SelectOption, app_commands

from bot.discord.components import Persistent, button, pressed, select, view
from bot.discord.context import Interaction
from bot.discord.find_game import suggest_games
from bot.discord.game.action_commands import GAME_HELP
from bot.discord.game_master.commands import Moderator, gm_game, pressed_by_gm
from bot.discord.responses import NAME, clip, lines, reply, titled
from bot.domain.announcements import member
from bot.store import GameRow, Holder
from engine.text import text, verbatim


def add_seating(group: Moderator) -> None:
    """Give the game master's group the command."""

    @group.command(name="seats", description="Before the start: who sits first, or a random order")
    @app_commands.describe(game=GAME_HELP)
    @app_commands.autocomplete(game=suggest_games)
    async def seats(interaction: Interaction, game: str | None = None) -> None:
        await show(interaction, await gm_game(interaction, game))


async def show(interaction: Interaction, game: GameRow) -> None:
    """The order as it is, and how to change it while that can be done."""
    holders = {holder.user: holder for holder in await interaction.client.services.queries.holders(game.id)
               if holder.user is not None}
    order = [text("{place}. {member}", place=place, member=member(user)) for place, user in enumerate(holders, 1)]
    fixed = game.status != "open"
    head = text("The seats of {title}:", title=verbatim(titled(game))) if holders else text("Nobody has joined yet.")
    last = [text("They stay like this: the game has started.")] if fixed and holders else []
    await reply(interaction, lines([head, *order, *last]), view([] if fixed or len(holders) < 2 else _changes(game, holders)))


def _changes(game: GameRow, holders: Mapping[int, Holder]) -> list[Persistent]:
    """Whoever is moved to the front in turn: so any order comes about."""
    behind = [*holders.items()][1:]
    return [select([SelectOption(label=clip(holder.name or str(user), NAME), value=str(user)) for user, holder in behind],
                   press_first, game.id, hint=text("Who sits first?")),
            button(text("Random order"), press_lot, game.id)]


@pressed("seatfirst")
async def press_first(interaction: Interaction, game: int, user: int) -> None:
    """Put a member before all others."""
    await _ordered(interaction, game, user)


@pressed("seatlot")
async def press_lot(interaction: Interaction, game: int) -> None:
    """Let the lot decide."""
    await _ordered(interaction, game, None)


async def _ordered(interaction: Interaction, game: int, first: int | None) -> None:
    row = await pressed_by_gm(interaction, game)
    await interaction.client.services.lobby.order(game, interaction.user.id, first)
    await show(interaction, row)
