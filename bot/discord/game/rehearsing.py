"""/my rehearse, and what can be pressed in a rehearsal: step back, deal again, let others answer, show the board, close."""
from __future__ import annotations

from collections.abc import Iterator

from discord import app_commands

from bot.core.visit import Visit
from bot.discord.components import Persistent, Style, button, in_game, view
from bot.discord.context import Interaction
from bot.discord.errors import explain
from bot.discord.find_game import about_a_game, visit_meant
from bot.discord.game.answering import on_your_move
from bot.discord.game.buttons import REHEARSE, REHEARSED, RehearsalChoice
from bot.discord.game.extras import extra
from bot.discord.game.position import position_put_to
from bot.discord.game.rehearsal_panel import HEAD, rehearsed_picture, show_rehearsal
from bot.discord.responses import reply, titled
from bot.domain.announcements import reader_of
from bot.service.rehearsals import STALE, Rehearsal
from bot.store import GameRow
from engine.kernel import Seat, Table
from engine.kernel.game_spec import pictures
from engine.refusals import Refusal, Stale
from engine.text import say, text, verbatim


def add_rehearse(group: app_commands.Group) -> None:
    @group.command(name="rehearse", description="What if? Try your move in private; what you can't see is guessed")
    @about_a_game()
    async def rehearse(interaction: Interaction, game: str | None = None) -> None:
        visit = await visit_meant(interaction, game)
        visit.own_seat()
        await _begin(interaction, visit)


async def _begin(interaction: Interaction, visit: Visit) -> None:
    await show_rehearsal(interaction, visit.game, await interaction.client.services.rehearsals.rehearse(visit.id, visit.user))


@extra(40)
def rehearsing(visit: Visit, table: Table, seat: Seat) -> Iterator[Persistent]:
    if table.asked(seat) is not None and visit.spec.automatic is not None:
        yield button(text("Rehearse"), REHEARSE, visit.id, seat)


@in_game(REHEARSE)
async def on_rehearse(interaction: Interaction, visit: Visit, seat: str) -> None:
    await position_put_to(interaction, visit, seat)
    await _begin(interaction, visit)


@in_game(REHEARSED)
async def on_rehearsed(interaction: Interaction, visit: Visit, stamp: int, choice: RehearsalChoice) -> None:
    """Something is done with the presser's rehearsal; an old button shows where it stands now."""
    services, user = interaction.client.services, interaction.user.id
    row = visit.game
    now = await services.rehearsals.rehearsal(visit.id, user)
    try:
        if stamp != now.table.asked_at:
            raise Stale(STALE)
        if choice == "close":
            await _close(interaction, row, now)
        elif choice == "board":
            await _board(interaction, visit, now)
        else:
            await show_rehearsal(interaction, row, await _changed(interaction, row, now, choice))
    except Refusal as why:
        now = await services.rehearsals.rehearsal(visit.id, user)
        await show_rehearsal(interaction, row, now, above=explain(why, reader_of(now.table)))


async def _changed(interaction: Interaction, game: GameRow, now: Rehearsal, choice: RehearsalChoice) -> Rehearsal:
    rehearsals, facts = interaction.client.services.rehearsals, (game.id, interaction.user.id, now.table.asked_at)
    match choice:
        case "back":
            return await rehearsals.take_rehearsed_back(*facts)
        case "deal":
            return await rehearsals.deal_again(*facts)
        case "one" | "on":
            return await rehearsals.let_answer(*facts, on=choice == "on")
    return now


async def _close(interaction: Interaction, game: GameRow, now: Rehearsal) -> None:
    await interaction.client.services.rehearsals.throw_away(game.id, interaction.user.id)
    await reply(interaction, text("The rehearsal is over, and nothing is left of it."),
                view([button(text("Your move"), on_your_move, game.id, now.seat, style=Style.primary)]))


async def _board(interaction: Interaction, visit: Visit, now: Rehearsal) -> None:
    """The member's own board as the rehearsal makes it, marked with what it has changed."""
    board = pictures(now.table.spec)[0]
    drawn = await rehearsed_picture(interaction, visit, now, board)
    head = say(text("{head}\n{game}: {board}", head=HEAD, game=verbatim(titled(visit.game)), board=text(board.title)))
    await reply(interaction, "\n".join(filter(None, (head, drawn.text()))),
                view([button(text("Back"), REHEARSED, visit.id, now.table.asked_at, "here")]), files=drawn.files())
