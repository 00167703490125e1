"""Who may join an open game: its game master invites and removes members, and opens it to all or to invited ones only."""
from __future__ import annotations

from discord import SelectOption, app_commands

from bot.discord.components import Persistent, button, in_rows, pressed, select, user_select, view
from bot.discord.context import Interaction
from bot.discord.find_game import suggest_games
from bot.discord.game.action_commands import GAME_HELP
from bot.discord.game_master.commands import Moderator, gm_game, pressed_by_gm
from bot.discord.lobby.buttons import GUESTS
from bot.discord.responses import NAME, clip, lines, reply, titled
from bot.domain.announcements import member
from bot.store import GameRow
from engine.refusals import Refusal
from engine.text import Text, text, verbatim


def add_guests(group: Moderator) -> None:
    """Give the game master's group the command."""

    @group.command(name="guests", description="Before the start: who can join; invite and remove players")
    @app_commands.describe(game=GAME_HELP)
    @app_commands.autocomplete(game=suggest_games)
    async def guests(interaction: Interaction, game: str | None = None) -> None:
        await show_guests(interaction, await gm_game(interaction, game))


async def show_guests(interaction: Interaction, game: GameRow, note: Text | None = None) -> None:
    """Who has joined, and what can be changed. Raises Refusal: the game has started."""
    if game.status != "open":
        raise Refusal("The game has already started. `/gm hand` gives a seat to another member.")
    lobby, holders = interaction.client.services.lobby, await interaction.client.services.queries.holders(game.id)
    only = await lobby.invite_only(game.id)
    joined = {holder.user: holder.name for holder in holders if holder.user is not None}
    title = verbatim(titled(game))
    head = text("Nobody has joined {title} yet.", title=title) if not joined else text(
        "Joined in {title}: {members}.", title=title, members=tuple(map(member, joined)))
    who = text("Only invited members can join.") if only else text("Everybody who sees the game can join.")
    listed = [SelectOption(label=clip(name or str(user), NAME), value=str(user)) for user, name in joined.items()]
    leaving: list[Persistent] = [select(listed, press_remove, game.id, hint=text("Remove a player"))] if listed else []
    rows = [[user_select(press_invite, game.id, hint=text("Invite a member"))], leaving,
            [button(text("Open it to everybody") if only else text("By invitation only"), press_only, game.id, int(not only))]]
    await reply(interaction, lines([*([note] if note is not None else []), head, who]), view(in_rows(rows)))


@pressed(GUESTS)
async def press_guests(interaction: Interaction, game: int) -> None:
    """Who may join."""
    await show_guests(interaction, await pressed_by_gm(interaction, game))


@pressed("guestinvite")
async def press_invite(interaction: Interaction, game: int, user: int) -> None:
    """Invite a member."""
    row = await pressed_by_gm(interaction, game)
    await interaction.client.services.lobby.invite(game, user, interaction.user.id)
    await show_guests(interaction, row, text("{member} is invited.", member=member(user)))


@pressed("guestremove")
async def press_remove(interaction: Interaction, game: int, user: int) -> None:
    """Remove a player."""
    row = await pressed_by_gm(interaction, game)
    await interaction.client.services.lobby.remove(game, user, interaction.user.id)
    await interaction.client.outbox.retire(row, user, text("The game master removed you from this game."))
    await show_guests(interaction, row, text("{member} is out of the game.", member=member(user)))


@pressed("guestonly")
async def press_only(interaction: Interaction, game: int, on: int) -> None:
    """By invitation only, or open to everybody."""
    row = await pressed_by_gm(interaction, game)
    await interaction.client.services.lobby.set_invite_only(game, interaction.user.id, only=on == 1)
    await show_guests(interaction, row)
