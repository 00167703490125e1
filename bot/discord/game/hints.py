"""/my hint: what a strong player would consider in the asker's place, and why; for the asker alone."""
from __future__ import annotations

from discord import app_commands

from bot.discord.components import Style, button, pressed, view
from bot.discord.context import Interaction
from bot.discord.find_game import find_game, suggest_games
from bot.discord.game.action_commands import GAME_HELP
from bot.discord.game.answering import own_seat, press_your_move, seat_in
from bot.discord.game.buttons import HINT
from bot.discord.responses import capital, reply
from bot.store import GameRow
from engine.kernel import Seat
from engine.text import lines, say, sentences, text, verbatim


def add_hint(group: app_commands.Group) -> None:
    @group.command(name="hint", description="What a strong player would consider here, and why, if the game has hints")
    @app_commands.describe(game=GAME_HELP)
    @app_commands.autocomplete(game=suggest_games)
    async def hint(interaction: Interaction, game: str | None = None) -> None:
        row = await find_game(interaction, game)
        await show_hint(interaction, row, await seat_in(interaction, row))


async def show_hint(interaction: Interaction, game: GameRow, seat: Seat) -> None:
    services = interaction.client.services
    found, reader = await services.coaching.suggest(game.id, interaction.user.id), await services.queries.reader(game.id)
    told = [text("{place}. **{answer}**: {reasons}", place=place, answer=verbatim(capital(say(hint.action.label(), reader))),
                 reasons=verbatim(sentences(hint.reasons, reader))) for place, hint in enumerate(found, 1)]
    head = text("Worth considering for {seat}:", seat=seat)
    await reply(interaction, lines([head, *told, text("-# An estimate from what you can see. Only you see this.")]), view([
        button(text("Your move"), press_your_move, game.id, seat, style=Style.primary)]))


@pressed(HINT)
async def press_hint(interaction: Interaction, game: int, seat: str) -> None:
    row, _, own = await own_seat(interaction, game, seat)
    await show_hint(interaction, row, own)
