"""The one player who is left when all others have given up their seats, and can end the game."""
from __future__ import annotations

from bot.discord.components import Persistent, Style, button, press_cancel, pressed, view
from bot.discord.context import Interaction
from bot.discord.find_game import game_of_button
from bot.discord.responses import reply, titled
from bot.service import Services
from bot.store import GameRow
from engine.text import text, verbatim


def winning(game: GameRow) -> Persistent:
    return button(text("End the game as its winner"), press_alone, game.id, style=Style.primary)


async def winning_for(services: Services, game: GameRow, user: int) -> list[Persistent]:
    """Return that button, if a member is that player."""
    return [winning(game)] if game.status == "running" and await services.alarms.left_alone(game.id, user) else []


@pressed("alone")
async def press_alone(interaction: Interaction, game: int) -> None:
    row = await game_of_button(interaction, game)
    await interaction.client.services.alarms.require_alone(row.id, interaction.user.id)
    await reply(interaction, text("Everybody else has given up their seat in {title}. You can end it now as its winner, or play "
                                  "on until somebody takes a seat. Once it's over, nothing can change.",
                                  title=verbatim(titled(row))),
                view([button(text("End the game"), press_end, row.id, style=Style.danger),
                      button(text("Play on"), press_cancel)]))


@pressed("endalone")
async def press_end(interaction: Interaction, game: int) -> None:
    row = await game_of_button(interaction, game)
    await interaction.client.services.alarms.end_alone(row.id, interaction.user.id)
    await reply(interaction, text("You won {title}.", title=verbatim(titled(row))))
    interaction.client.outbox.answered(row.id)
