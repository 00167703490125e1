"""/my undo, and what can be pressed in a round that is planned in private: take back, start over, show the board, publish."""
from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.core.visit import Visit
from bot.discord.components import button, in_game, view
from bot.discord.context import Interaction
from bot.discord.game.action_menu import close_ups, numbered_parts
from bot.discord.game.answering import came_back, on_your_move
from bot.discord.game.buttons import PLAN_BOARD, PUBLISH, START_OVER, STEP_BACK
from bot.discord.game.position import position_of, position_put_to
from bot.discord.game.undo import undo_own_move
from bot.discord.responses import reply, titled
from bot.discord.visits import again
from bot.service.plans import Planned
from engine.kernel.game_spec import pictures
from engine.refusals import Stale
from engine.text import lines, say, text, verbatim


async def undo_own(interaction: Interaction, visit: Visit) -> None:
    """Undo the caller's last move, or the last step of the caller's plan."""
    position = await position_of(interaction, visit)
    try:
        if not await position.take_step_back():
            await undo_own_move(interaction, visit)
    except Stale as stale:                  # part of the caller's plan is not possible any more: what is left of it is shown
        await position.afresh(stale)


@in_game(STEP_BACK)
async def on_step_back(interaction: Interaction, visit: Visit, seat: str, stamp: int) -> None:
    await _change(interaction, visit, seat, stamp, interaction.client.services.plans.take_step_back)


@in_game(START_OVER)
async def on_start_over(interaction: Interaction, visit: Visit, seat: str, stamp: int) -> None:
    await _change(interaction, visit, seat, stamp, interaction.client.services.plans.start_over)


async def _change(interaction: Interaction, visit: Visit, seat: str, stamp: int,
                  change: Callable[[int, int, int], Awaitable[Planned]]) -> None:
    position = await position_put_to(interaction, visit, seat)
    try:
        await change(visit.id, visit.user, stamp)
    except Stale as stale:
        await position.afresh(stale)
    else:
        await (await position_of(interaction, await again(interaction, visit.id))).show()


@in_game(PUBLISH)
async def on_publish(interaction: Interaction, visit: Visit, seat: str, stamp: int) -> None:
    """Make the presser's plan public, as it stood when that was offered."""
    position = await position_put_to(interaction, visit, seat)
    if await came_back(interaction, visit):
        return
    bot = interaction.client
    try:
        done = await bot.services.plans.publish(visit.id, visit.user, stamp)
    except Stale as stale:
        await position.afresh(stale)
        return
    now = await again(interaction, visit.id)
    await (await position_of(interaction, now)).show(
        above=say(lines([text("Published."), *done.private]), now.reader))
    bot.outbox.answered(visit.id)


@in_game(PLAN_BOARD)
async def on_plan_board(interaction: Interaction, visit: Visit, seat: str) -> None:
    """The presser's own board as the plan makes it, marked with what it changes, and the way to its close-ups."""
    position = await position_put_to(interaction, visit, seat)
    drawn = await position.drawn(pictures(visit.spec)[0])
    head = say(text("{game}: the board after your plan", game=verbatim(titled(visit.game))))
    await reply(interaction, "\n".join(filter(None, (head, drawn.text()))),
                view([*close_ups(position.table, visit.id, position.seat, (), numbered_parts(position.table, position.seat)),
                      button(text("Back"), on_your_move, visit.id, position.seat)]), files=drawn.files())
