"""/my hint: what a strong player would consider in the asker's place, and why; for the asker alone."""
from __future__ import annotations

from collections.abc import Iterator

from discord import app_commands

from bot.core.visit import Visit
from bot.discord.components import Persistent, Style, button, in_game, view
from bot.discord.context import Interaction
from bot.discord.find_game import suggest_games, visit_meant
from bot.discord.game.action_commands import GAME_HELP
from bot.discord.game.answering import press_your_move
from bot.discord.game.buttons import HINT
from bot.discord.game.extras import extra
from bot.discord.game.position import position_put_to
from bot.discord.lengths import capital
from bot.discord.responses import reply
from engine.kernel import Seat, Table
from engine.options import hints
from engine.text import lines, say, sentences, text, verbatim


def add_hint(group: app_commands.Group) -> None:
    @group.command(name="hint", description="What a strong player would consider here, and why, if the game has hints")
    @app_commands.describe(game=GAME_HELP)
    @app_commands.autocomplete(game=suggest_games)
    async def hint(interaction: Interaction, game: str | None = None) -> None:
        visit = await visit_meant(interaction, game)
        await show_hint(interaction, visit, visit.own_seat())


async def show_hint(interaction: Interaction, visit: Visit, seat: Seat) -> None:
    found, reader = await interaction.client.services.coaching.suggest(visit.id, visit.user), visit.reader
    told = [text("{place}. **{answer}**: {reasons}", place=place, answer=verbatim(capital(say(hint.action.label(), reader))),
                 reasons=verbatim(sentences(hint.reasons, reader))) for place, hint in enumerate(found, 1)]
    head = text("Worth considering for {seat}:", seat=seat)
    await reply(interaction, lines([head, *told, text("-# An estimate from what you can see. Only you see this.")]), view([
        button(text("Your move"), press_your_move, visit.id, seat, style=Style.primary)]))


@in_game(HINT)
async def press_hint(interaction: Interaction, visit: Visit, seat: str) -> None:
    await show_hint(interaction, visit, (await position_put_to(interaction, visit, seat)).seat)


@extra(15)
def hinting(visit: Visit, table: Table, seat: Seat) -> Iterator[Persistent]:
    if table.asked(seat) is not None and hints(visit.game.options):
        yield button(text("Hint"), HINT, visit.id, seat)
