"""What the Apps menu of a message offers: the board at its step, for everybody who sees the game, and the way back there."""
from __future__ import annotations

import discord
from discord import app_commands

from bot.core.visit import Visit
from bot.discord.context import Interaction
from bot.discord.game.action_commands import CONTEXTS
from bot.discord.game.picture_commands import show
from bot.discord.game_master.commands import show_rollback
from bot.discord.visits import enter
from engine.kernel.game_spec import pictures
from engine.refusals import Refusal


def message_menus() -> list[app_commands.ContextMenu]:
    return [app_commands.ContextMenu(name="Board at this moment", callback=_board, allowed_contexts=CONTEXTS),
            app_commands.ContextMenu(name="Undo to here", callback=_undo, allowed_contexts=CONTEXTS)]


async def _board(interaction: Interaction, message: discord.Message) -> None:
    visit, row = await _step(interaction, message.id)
    await show(interaction, visit, pictures(visit.spec)[0], row=row)


async def _undo(interaction: Interaction, message: discord.Message) -> None:
    await show_rollback(interaction, *await _step(interaction, message.id))


async def _step(interaction: Interaction, message: int) -> tuple[Visit, int]:
    """The game of which a message tells, and the last row that it knows of. Raises Refusal, the same for a message of no game
    and for one of a game that the caller does not see."""
    found = await interaction.client.services.look_back.told_by(message)
    try:
        visit = None if found is None else await enter(interaction, found[0])
    except Refusal:
        visit = None
    if found is None or visit is None:
        raise Refusal("That message isn't about a step of a game. Choose one that I posted while you played: what happened, "
                      "whose move it is, or a picture.")
    return visit, found[1]
