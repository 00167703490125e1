"""What can be pressed in a round that is planned in private: take back, start over, show the board, publish."""
from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.discord.admission import asker
from bot.discord.components import button, pressed, view
from bot.discord.context import Interaction
from bot.discord.game.action_menu import close_ups, numbered_parts
from bot.discord.game.answering import afresh, came_back, own_seat, panel, press_your_move
from bot.discord.game.buttons import PLAN_BOARD, PUBLISH, START_OVER, STEP_BACK
from bot.discord.responses import reader_of, reply, titled
from bot.service import GameRow, Planned
from engine.kernel import Preview, Seat
from engine.kernel.game_spec import pictures
from engine.refusals import Refusal, Stale
from engine.text import English, lines, say, text, verbatim


@pressed(STEP_BACK)
async def press_step_back(interaction: Interaction, game: int, seat: str, stamp: int) -> None:
    await _change(interaction, game, seat, stamp, interaction.client.services.plans.take_step_back)


@pressed(START_OVER)
async def press_start_over(interaction: Interaction, game: int, seat: str, stamp: int) -> None:
    await _change(interaction, game, seat, stamp, interaction.client.services.plans.start_over)


async def _change(interaction: Interaction, game: int, seat: str, stamp: int,
                  change: Callable[[int, int, int], Awaitable[Planned]]) -> None:
    row, _, own = await own_seat(interaction, game, seat)
    try:
        await change(game, interaction.user.id, stamp)
    except Stale as stale:
        await afresh(interaction, row, own, stale)
    else:
        await panel(interaction, row, own)


async def take_step_back(interaction: Interaction, game: GameRow, seat: Seat) -> bool:
    """Take the last step of the caller's plan back, and show the rest; False: nothing is planned."""
    plans = interaction.client.services.plans
    planned = await plans.standing(game.id, interaction.user.id)
    if planned is None or not planned.steps:
        return False
    await plans.take_step_back(game.id, interaction.user.id, planned.stamp)
    await panel(interaction, game, seat)
    return True


async def publish(interaction: Interaction, game: GameRow, seat: Seat, *, stamp: int | None = None) -> None:
    """Make the caller's plan public; `stamp`: as it stood when that was offered. Raises Refusal, and then nothing has changed."""
    bot = interaction.client
    if await came_back(interaction, game, seat):
        return
    done = await bot.services.plans.publish(game.id, interaction.user.id, stamp)
    reader = reader_of(await bot.services.session.table(game.id))
    await panel(interaction, game, seat, above=say(lines([text("Everybody can read it now."), *done.private]), reader))
    bot.outbox.answered(game.id)


@pressed(PUBLISH)
async def press_publish(interaction: Interaction, game: int, seat: str, stamp: int) -> None:
    row, _, own = await own_seat(interaction, game, seat)
    try:
        await publish(interaction, row, own, stamp=stamp)
    except Stale as stale:
        await afresh(interaction, row, own, stale)


@pressed(PLAN_BOARD)
async def press_plan_board(interaction: Interaction, game: int, seat: str) -> None:
    """The presser's own board as the plan makes it, marked with what it changes, and the way to its close-ups."""
    row, table, own = await own_seat(interaction, game, seat)
    services = interaction.client.services
    board = pictures(services.session.spec(row.key))[0]
    drawn = await interaction.client.gallery.picture(
        game, board, await services.settings.theme(row.guild, interaction.user.id), seat=own,
        since=await services.queries.newest(game), ahead=table if isinstance(table, Preview) else None, by=asker(interaction))
    if drawn is None:
        raise Refusal("This picture has nothing to show right now.")
    head = say(text("{game}: the board after your plan", game=verbatim(titled(row))), English())
    await reply(interaction, "\n".join(filter(None, (head, drawn.text()))),
                view([*close_ups(table, game, own, (), numbered_parts(table, own)),
                      button(text("Back"), press_your_move, row.id, own)]), files=drawn.files())
