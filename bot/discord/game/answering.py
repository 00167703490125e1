"""The presses by which a seat moves: a button, a step of a menu, a number or a form; and what a seat knows alone."""
from __future__ import annotations

from bot.core.visit import Visit
from bot.discord import components as ui
from bot.discord.context import Interaction
from bot.discord.errors import explain
from bot.discord.game import buttons as bt, menu_path as mp
from bot.discord.game.answer_forms import MOST_DIGITS, filled_in, sheet_form, sheet_lines
from bot.discord.game.extras import extras
from bot.discord.game.menu_words import called
from bot.discord.game.position import position_of, position_put_to
from bot.discord.responses import acknowledge, reply, titled
from bot.discord.visits import BACK, again
from bot.domain.announcements import choice_id, reader_of
from engine.kernel import Seat, Table
from engine.refusals import Illegal, NotAsked, Stale
from engine.text import say, text, verbatim


async def press(interaction: Interaction, visit: Visit, seat: str, asked_at: int, what: str, *, confirmed: bool) -> None:
    """An answer as a button; a stale one does nothing and shows the present question instead."""
    position = await position_put_to(interaction, visit, seat, asked_at)
    if position.counts and await came_back(interaction, visit):
        return
    table = position.table
    try:
        if table.over:
            raise NotAsked("The game is over.")
        if asked_at not in (table.asked_at, table.public_no):
            raise Stale(mp.STALE)
        await position.take(position.meant(what), asked_at=asked_at, confirmed=confirmed)
    except Stale as stale:
        await position.afresh(stale, _aside_meant(table, position.seat, what))


async def came_back(interaction: Interaction, visit: Visit) -> bool:
    """End the absence of a caller who acts; if there was one, show how the seat stands in place of what was wanted."""
    noticed = interaction.extras.pop(BACK, None) == visit.id
    if not (noticed or (visit.away and await interaction.client.services.seats.acts_again(visit.id, visit.user))):
        return False
    back = text("Welcome back: you're no longer away. Nothing else has been done. Here is where you are.")
    await (await position_of(interaction, await again(interaction, visit.id))).show(above=say(back))
    return True


def _aside_meant(table: Table, seat: Seat, what: str) -> mp.Path:
    """The first step to the aside that a button names; none if it names an answer to a question, or nothing that is legal now."""
    written = what.split(" ", maxsplit=1)[0] if "=" in what else ""
    return next(((kind.verb,) for kind in table.asides if kind.verb == written or any(
        choice_id(option) == what for option in kind.options(table.state, seat))), ())


@ui.in_game(bt.ANSWER)
async def on_answer(interaction: Interaction, visit: Visit, seat: str, asked_at: int, what: str) -> None:
    await press(interaction, visit, seat, asked_at, what, confirmed=False)


@ui.in_game(bt.VOTE_IN)
async def on_vote_in(interaction: Interaction, visit: Visit, asked_at: int, what: str) -> None:
    """The presser's answer to a vote of several, whose message is the same for all."""
    await press(interaction, visit, visit.own_seat(), asked_at, what, confirmed=False)


@ui.in_game(bt.CONFIRM)
async def on_confirm(interaction: Interaction, visit: Visit, seat: str, asked_at: int, what: str) -> None:
    await press(interaction, visit, seat, asked_at, what, confirmed=True)


@ui.in_game("move")
async def on_your_move(interaction: Interaction, visit: Visit, seat: str) -> None:
    await (await position_put_to(interaction, visit, seat)).show()


@ui.in_game(bt.MENU)
async def on_menu(interaction: Interaction, visit: Visit, seat: str, asked_at: int, path: str, page: int) -> None:
    position = await position_put_to(interaction, visit, seat, asked_at)
    table, own = position.table, position.seat
    steps: mp.Path = tuple(filter(None, path.split(".")))
    begun = len(steps) == 1 and mp.possible_aside(table, own, steps)      # nothing has been chosen yet that could be out of date
    try:
        if steps and not begun and asked_at != mp.stamp(table, steps):
            raise Stale(mp.STALE)
        await position.show_step(steps, page)
    except Stale as stale:
        await position.afresh(stale, steps)


@ui.in_game(bt.MORE)
async def on_more(interaction: Interaction, visit: Visit, seat: str) -> None:
    """All that can be done besides the move."""
    position = await position_put_to(interaction, visit, seat)
    found = extras(visit, position.table, position.seat)
    await reply(interaction, text("What would you like to do?"), ui.view([
        *found, ui.button(text("Back"), on_your_move, visit.id, position.seat)]))


@ui.opening_in_game(bt.AMOUNT)
async def on_amount(interaction: Interaction, visit: Visit, seat: str, asked_at: int, path: str) -> ui.Form:
    """A window for a number that the menu does not list."""
    position = await position_put_to(interaction, visit, seat, asked_at)
    table, own = position.table, position.seat
    steps: mp.Path = tuple(filter(None, path.split(".")))
    if asked_at != mp.stamp(table, steps):
        raise Stale(mp.STALE)
    kind, way = table.spec.verb(steps[0]) if steps else None, mp.step_at(table, own, steps)
    name = mp.amount_field(way, kind) if kind is not None and isinstance(way, mp.Step) else None
    if kind is None or name is None:
        raise Stale(mp.STALE)
    asked = say(text(kind.model_fields[name].description or name.replace("_", " ")))
    return ui.Form(called(table.spec.words.menus, kind, visit.reader), on_typed, visit.id, seat, asked_at, path, fields=(
        ui.field(asked, most=MOST_DIGITS),))


@ui.in_game("typed")
async def on_typed(interaction: Interaction, visit: Visit, seat: str, asked_at: int, path: str, amount: str) -> None:
    position = await position_put_to(interaction, visit, seat, asked_at)
    table, own = position.table, position.seat
    steps: mp.Path = tuple(filter(None, path.split(".")))
    try:
        if asked_at != mp.stamp(table, steps):
            raise Stale(mp.STALE)
        if not amount.strip().isdecimal() or len(amount) > MOST_DIGITS:
            raise Illegal("Type a whole number, such as 7.")
        steps = (*steps, f"{mp.TYPED}{int(amount)}")
        way = mp.step_at(table, own, steps)
        (way.options[0] if isinstance(way, mp.Step) else way).check(table.state, own)
        if isinstance(way, mp.Step):
            await position.show_step(steps)
        else:
            await position.take(way, asked_at=asked_at)
    except Illegal as why:
        await position.show(above=explain(why, reader_of(table)))
    except Stale as stale:
        await position.afresh(stale, steps)


@ui.in_game(bt.PICK)
async def on_pick(interaction: Interaction, visit: Visit, seat: str, asked_at: int, path: str, value: str) -> None:
    position = await position_put_to(interaction, visit, seat, asked_at)
    table, own = position.table, position.seat
    steps: mp.Path = (*filter(None, path.split(".")), value)
    try:
        if asked_at != mp.stamp(table, steps):
            raise Stale(mp.STALE)
        way = mp.step_at(table, own, steps)
        if isinstance(way, mp.Step):
            await position.show_step(steps)
        else:
            await position.take(way, asked_at=asked_at)
    except Stale as stale:
        await position.afresh(stale, steps)


@ui.opening_in_game(bt.CHOOSE)
async def on_choose(interaction: Interaction, visit: Visit, seat: str, asked_at: int, path: str, part: int,
                    value: str) -> ui.Form | None:
    """A value of one of the lists of a menu: a form for several answers, the next step, or the whole answer."""
    position = await position_put_to(interaction, visit, seat, asked_at)
    table, own = position.table, position.seat
    steps: mp.Path = (*filter(None, path.split(".")), value)
    if asked_at == mp.stamp(table, steps):
        try:
            way = mp.step_at(table, own, steps)
        except Stale:
            way = None
        if isinstance(way, mp.Step) and len(sheet_lines(way)) in range(1, ui.FIELDS + 1):
            return sheet_form(table, visit.id, own, way, 0)
    await acknowledge(interaction)
    await on_pick(interaction, visit.id, seat, asked_at, path, value)
    return None


@ui.opening_in_game(bt.SHEET)
async def on_sheet(interaction: Interaction, visit: Visit, seat: str, asked_at: int, path: str, part: int) -> ui.Form:
    position = await position_put_to(interaction, visit, seat, asked_at)
    table, own = position.table, position.seat
    return sheet_form(table, visit.id, own, _sheet_step(table, own, asked_at, path), part)


@ui.opening_in_game(bt.SHEET_AGAIN)
async def on_sheet_again(interaction: Interaction, visit: Visit, seat: str, asked_at: int, path: str, part: int,
                         *amounts: str) -> ui.Form:
    """The same form, as it was filled in when it was refused."""
    position = await position_put_to(interaction, visit, seat, asked_at)
    table, own = position.table, position.seat
    return sheet_form(table, visit.id, own, _sheet_step(table, own, asked_at, path), part, amounts)


def _sheet_step(table: Table, seat: Seat, asked_at: int, path: str) -> mp.Step:
    """The step at which a form is filled in. Raises Stale."""
    steps: mp.Path = tuple(filter(None, path.split(".")))
    if not steps or asked_at != mp.stamp(table, steps):
        raise Stale(mp.STALE)
    way = mp.step_at(table, seat, steps)
    if not isinstance(way, mp.Step) or not sheet_lines(way):
        raise Stale(mp.STALE)
    return way


@ui.in_game(bt.SHEET_SENT)
async def on_sheet_sent(interaction: Interaction, visit: Visit, seat: str, asked_at: int, path: str, part: int,
                        *amounts: str) -> None:
    """A form that was filled in: all its answers, one after the other, or none of them."""
    position = await position_put_to(interaction, visit, seat, asked_at)
    table, own = position.table, position.seat
    if position.counts and await came_back(interaction, visit):
        return
    try:
        wanted = filled_in(_sheet_step(table, own, asked_at, path), part, amounts)
        if not wanted:
            raise Illegal("Nothing was filled in, so nothing has changed.")
        await position.give(wanted, asked_at=asked_at)
    except Illegal as why:
        kept = [words if words.isdecimal() else "" for words in amounts]
        more = ([ui.button(text("Fill it in again"), bt.SHEET_AGAIN, visit.id, own, asked_at, path, part, *kept,
                           style=ui.Style.primary)]
                if any(kept) and bt.SHEET_AGAIN.fits(visit.id, own, asked_at, path, part, *kept) else [])
        await position.show(above=explain(why, reader_of(table)), more=more)
    except Stale as stale:
        await position.afresh(stale)


@ui.in_game("mine")
async def on_mine(interaction: Interaction, visit: Visit) -> None:
    await show_mine(interaction, visit)


async def show_mine(interaction: Interaction, visit: Visit) -> None:
    seat = visit.sight or visit.own_seat()
    private = visit.spec.views.private(visit.table.state, seat)
    head = say(text("{title}: you are {seat:the}.", title=verbatim(titled(visit.game)), seat=seat), visit.reader)
    above = f"{head} {say(private, visit.reader)}" if private is not None else head
    await (await position_of(interaction, visit, seat)).show(above=above, head=False, more=[
        ui.button(text("What happened?"), bt.HAPPENED, visit.id)])
