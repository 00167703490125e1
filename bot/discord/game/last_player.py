"""The one player who is left when all others have given up their seats, and can end the game."""
from __future__ import annotations

from collections.abc import Iterable

from bot.core.visit import Visit
from bot.discord.components import Persistent, Style, button, in_game, on_cancel, view
from bot.discord.context import Interaction
from bot.discord.game.extras import extra
from bot.discord.responses import reply, titled
from bot.service.alarms import alone
from bot.store import GameRow
from engine.kernel import Seat, Table
from engine.text import text, verbatim


def winning(game: GameRow) -> Persistent:
    return button(text("End the game as its winner"), on_alone, game.id, style=Style.primary)


def winning_for(visit: Visit) -> list[Persistent]:
    """Return that button, if the member is that player."""
    found = alone(visit.live) if visit.live is not None and visit.game.status == "running" else None
    return [winning(visit.game)] if found is not None and found[0] == visit.seat else []


@extra(2)
def winning_alone(visit: Visit, table: Table, seat: Seat) -> Iterable[Persistent]:
    return winning_for(visit)


@in_game("alone")
async def on_alone(interaction: Interaction, visit: Visit) -> None:
    row = visit.game
    await interaction.client.services.alarms.require_alone(row.id, interaction.user.id)
    await reply(interaction, text("Everybody else has given up their seat in {title:.} You can end it now as its winner, or play "
                                  "on until somebody takes a seat. Once it's over, nothing can change.",
                                  title=verbatim(titled(row))),
                view([button(text("End the game"), on_end, row.id, style=Style.danger),
                      button(text("Play on"), on_cancel)]))


@in_game("endalone")
async def on_end(interaction: Interaction, visit: Visit) -> None:
    row = visit.game
    await interaction.client.services.alarms.end_alone(row.id, interaction.user.id)
    await reply(interaction, text("You won {title:.}", title=verbatim(titled(row))))
    interaction.client.outbox.answered(row.id)
