"""What a seat does, however it is done: by command, button or menu; and what the presser sees next."""
from __future__ import annotations

from collections.abc import Iterable

from bot.core.requirements import BLIND
from bot.discord import components as ui
from bot.discord.admission import charge
from bot.discord.context import Interaction
from bot.discord.errors import explain
from bot.discord.find_game import BACK, game_of_button
from bot.discord.game import buttons as bt, menu_path as mp
from bot.discord.game.action_menu import Screen, named, screen, weighed_here
from bot.discord.game.answer_forms import MOST_DIGITS, filled_in, sheet_form, sheet_lines
from bot.discord.game.briefing import briefing
from bot.discord.game.last_player import winning_for
from bot.discord.game.lessons import advised
from bot.discord.game.menu_words import cost_of
from bot.discord.game.plan_panel import closed_screen, fallen_steps, plan_buttons, so_far
from bot.discord.game.rehearsal_panel import IN_REHEARSAL, rehearse_answers, show_rehearsal
from bot.discord.orders.buttons import always, orders
from bot.discord.responses import acknowledge, capital, reader_of, reply, titled
from bot.domain.announcements import choice_id
from bot.service import Done
from bot.service.odds import odds
from bot.service.rehearsals import Rehearsal, is_rehearsed
from bot.store import GameRow
from engine import notation
from engine.kernel import Action, Aside, Seat, Table
from engine.options import hints
from engine.players import NAMES, level_of
from engine.refusals import Illegal, NotAsked, Refusal, Stale
from engine.text import English, Text, say, template, text, verbatim

PLAYED_FOR = template("Somebody stands in for you. `/my back` takes your seat back.")
NOTED = text("Saved.")
CHANGED = text("Something has happened since. Choose again.")


async def take(interaction: Interaction, game: GameRow, seat: Seat, action: Action, *, asked_at: int | None = None,
               confirmed: bool = False) -> None:
    """Take one answer of the caller's seat: first let it be confirmed if need be, then show what follows.

    Confirmed is what has a consequence; and a tap on what may turn out in several ways, with its odds. Who types a whole
    command has weighed that. `asked_at` is the stamp of the button or menu; a typed command has none. Raises Refusal, and then
    nothing has changed. In a round that is planned in private the answer becomes a step of the plan.
    """
    bot, rehearsed = interaction.client, in_rehearsal(interaction)
    if rehearsed is not None:
        await rehearse_answers(interaction, game, rehearsed, [action])
        return
    planned = None if action.unasked else await bot.services.plans.standing(game.id, interaction.user.id)
    if planned is not None and planned.open:
        await bot.services.plans.plan_steps(game.id, interaction.user.id, [action], asked_at=asked_at)
        await panel(interaction, game, seat)
        return
    table = await bot.services.session.table(game.id)
    table.examine(seat, action, asked_at=asked_at)
    shortcut = list(always(game.id, table, seat, action))
    tapped = asked_at is not None
    if tapped and not confirmed:
        charge(interaction, "previews")
    weighed = None if confirmed else await to_weigh(table, game.id, seat, action, tapped=tapped)
    if weighed is not None:
        await show(interaction, weighed)
        return
    done = await bot.services.answers.answer(game.id, interaction.user.id, action, asked_at=asked_at)
    table = await bot.services.session.table(game.id)
    await panel(interaction, game, seat, above=_news(done, table, seat, action),
                more=shortcut if table.asked(seat) is None else ())     # beside another question it would seem to mean that one
    bot.outbox.answered(game.id)


async def to_weigh(table: Table, game: int, seat: Seat, action: Action, *, tapped: bool) -> Screen | None:
    """Return what is shown before an answer counts: its cost, its odds, its consequence; None if it counts at once."""
    warning = action.consequence(table.state, seat)
    if warning is None and not tapped:
        return None
    reader = reader_of(table)
    cost = "" if warning is not None else cost_of([action], table.state, seat, reader)
    label = capital(say(action.label(), reader))
    stands = table.public_no if isinstance(action, Aside) else table.asked_at
    style = ui.Style.primary if warning is None else ui.Style.danger
    listed = action in set(_listed(table, seat))
    below = [ui.button(text("Confirm"), bt.CONFIRM, game, seat, stands, named(action, listed=listed), style=style),
             ui.button(text("Cancel"), bt.MENU, game, seat, stands, "", 0)]
    (outlook,) = await odds(table, seat, [action])      # from here on the table may be in another position
    if warning is None and outlook is None:
        return None
    return Screen("\n".join([f"**{label}** ({cost})" if cost else f"**{label}**",
                             *(say(told, reader) for told in (outlook, warning) if told is not None)]), ui.view(below))


async def panel(interaction: Interaction, game: GameRow, seat: Seat, *, above: str = "", head: bool = True,
                more: Iterable[ui.Persistent] = ()) -> None:
    """Reply with the first screen of the caller's seat: where it stands, and all that it can do; `more` can be pressed below.

    In a round that is planned in private it stands where the plan leads.
    """
    if (rehearsed := in_rehearsal(interaction)) is not None:
        await show_rehearsal(interaction, game, rehearsed, above=above)
        return
    services = interaction.client.services
    planned, live = await services.plans.reviewed(game.id, interaction.user.id), await services.session.table(game.id)
    table, fallen = (live, "") if planned is None else (planned.table, fallen_steps(planned))
    above = "\n".join(filter(None, (above, fallen)))
    if planned is not None and planned.closed is not None:
        (outlook,) = await odds(table, seat, [planned.steps[-1].action])
        await show(interaction, closed_screen(planned, game.id, above=above, outlook=outlook))
        return
    plan = planned if planned is not None and planned.open else None
    newest = None if plan is not None and plan.steps else await services.undo.takes_back(game.id, seat)
    own = list(plan_buttons(plan, game.id)) if plan is not None else []
    further = newest is None and planned is None and not live.over
    if further and await services.undo_requests.can_ask(game.id, interaction.user.id):
        own.append(ui.button(text("Ask to undo"), bt.FURTHER, game.id, seat))
    if table.question(seat) is not None and table.spec.views.cards(table.state, seat):
        own.append(ui.button(text("Look up"), bt.READ_UP, game.id, seat))
    if table.asked(seat) is not None:
        own += [ui.button(text("Hint"), bt.HINT, game.id, seat)] if hints(game.options) else []
        own += [ui.button(text("Rehearse"), bt.REHEARSE, game.id, seat)] if table.spec.automatic is not None else []
    elsewhere = [] if table.asked(seat) is not None else [ui.button(text("My games"), bt.MY_GAMES, 1)]
    more = [*own, *more, *elsewhere, *await winning_for(services, game, interaction.user.id), *orders(game.id, live, seat)]
    held = next(holder for holder in await services.queries.holders(game.id) if holder.seat == seat)
    if held.level:
        away = text("You're away: an automatic player ({level}) plays for you.", level=NAMES[level_of(held.level)])
        above = "\n".join(filter(None, (above, say(away, English()))))
        more = [*more, ui.button(text("I'm back"), bt.HERE, game.id)]
    outlooks = await outlooks_of(table, seat)
    told = [*(await briefing(interaction, game, live, table, seat) if planned is None or not planned.steps else ()),
            *(so_far(plan) if plan is not None else ())]
    shown = screen(table, game.id, seat, above=above, head=head, newest=newest, more=more, outlooks=outlooks, planned=told,
                   board=plan is None or not plan.steps)
    await show(interaction, await advised(interaction, table, seat, shown))


async def outlooks_of(table: Table, seat: Seat) -> dict[Action, Text]:
    """How the answers may turn out whose odds the first screen tells; nothing if the position is another one by then."""
    position, answers = table.last_no, weighed_here(table, seat)
    told = await odds(table, seat, answers)
    return {} if table.last_no != position else {answer: words for answer, words in zip(answers, told) if words is not None}


async def show(interaction: Interaction, what: Screen) -> None:
    await reply(interaction, what.words, what.view)


async def show_step(interaction: Interaction, game: GameRow, table: Table, seat: Seat, path: mp.Path, page: int = 0) -> None:
    """Reply with a step of a menu. Raises Stale for a dead path."""
    if (rehearsed := in_rehearsal(interaction)) is not None:
        await show_rehearsal(interaction, game, rehearsed, path, page)
    elif not path and not page:
        await panel(interaction, game, seat)
    else:
        await show(interaction, screen(table, game.id, seat, path, page))


def _news(done: Done, table: Table, seat: Seat, chosen: Action | None = None) -> str:
    """Return what everybody may read of the new rows, and what the caller learns besides; without any, what was chosen.

    Nothing while the seat puts together moves that the panel numbers: it shows them; nor what the next question says itself.
    """
    if table.spec.views.ordered(table.state, seat) and not isinstance(chosen, Aside):
        return ""
    reader, question = reader_of(table), table.question(seat)
    if told := [say(line, reader) for line in (*done.lines, *done.private)]:
        return "\n".join(told)
    if chosen is None:
        return say(NOTED, reader)
    choice = say(chosen.label(), reader)
    repeated = question is not None and say(question.text(), reader).casefold().startswith(choice.casefold())
    return "" if repeated else say(text("Chosen: {choice}.", choice=verbatim(choice)), reader)


def _listed(table: Table, seat: Seat) -> Iterable[Action]:
    yield from table.options(seat)
    for kind in table.asides:
        yield from kind.options(table.state, seat)


def _meant(table: Table, seat: Seat, what: str) -> Action:
    """The answer that a button names, found among what is legal now. Raises Stale."""
    for option in _listed(table, seat):
        if choice_id(option) == what:
            return option
    if "=" in what:
        return notation.read(table.spec, what)
    for kind in table.asides:
        if not kind.model_fields and choice_id(kind.of()) == what and (why := kind.obstacle(table.state, seat)) is not None:
            raise Stale(why.text.template, rule=why.rule, **why.text.facts)
    raise Stale("That's no longer possible. Here is what you can do now.")


def _possible_aside(table: Table, seat: Seat, path: mp.Path) -> bool:
    """True if a path begins with an aside that the seat can choose now."""
    return not table.over and mp.aside(table.spec, path) is not None and any(True for _ in mp.open_to(table, seat, path))


def _aside_meant(table: Table, seat: Seat, what: str) -> mp.Path:
    """The first step to the aside that a button names; none if it names an answer to a question, or nothing that is legal now."""
    written = what.split(" ", maxsplit=1)[0] if "=" in what else ""
    return next(((kind.verb,) for kind in table.asides if kind.verb == written or any(
        choice_id(option) == what for option in kind.options(table.state, seat))), ())


# --- presses ----------------------------------------------------------------------------------------

def in_rehearsal(interaction: Interaction) -> Rehearsal | None:
    """The rehearsal to which what was pressed belongs; None: it belongs to the game."""
    found: Rehearsal | None = interaction.extras.get(IN_REHEARSAL)
    return found


async def own_seat(interaction: Interaction, game: int, put_to: str, stands: int = 0) -> tuple[GameRow, Table, Seat]:
    """The game, the table at which the presser chooses, and the presser's seat. Raises NotAsked if the question is put to another
    seat. With the stamp of a rehearsal it is the presser's own one, and whoever is asked there. Raises Refusal: it is over."""
    services = interaction.client.services
    row = await game_of_button(interaction, game)
    if is_rehearsed(stands):
        rehearsed = interaction.extras[IN_REHEARSAL] = await services.rehearsals.rehearsal(game, interaction.user.id)
        return row, rehearsed.table, rehearsed.asked
    table = await services.plans.position(game, interaction.user.id)
    if await services.queries.seat_of(game, interaction.user.id) != put_to:
        if await services.queries.sight_of(game, interaction.user.id) == put_to:
            raise NotAsked(PLAYED_FOR)
        raise NotAsked("It's {seat}'s move.", seat=Seat(put_to))
    return row, table, Seat(put_to)


async def press(interaction: Interaction, game: int, seat: str, asked_at: int, what: str, *, confirmed: bool) -> None:
    """An answer as a button; a stale one does nothing and shows the present question instead."""
    row, table, own = await own_seat(interaction, game, seat, asked_at)
    if await came_back(interaction, row, own):
        return
    try:
        if table.over:
            raise NotAsked("The game is over.")
        if asked_at not in (table.asked_at, table.public_no):
            raise Stale(mp.STALE)
        await take(interaction, row, own, _meant(table, own, what), asked_at=asked_at, confirmed=confirmed)
    except Stale as stale:
        await afresh(interaction, row, own, stale, _aside_meant(table, own, what))


async def came_back(interaction: Interaction, game: GameRow, seat: Seat) -> bool:
    """End the absence of a caller who acts; if there was one, show how the seat stands in place of what was wanted."""
    if in_rehearsal(interaction) is not None:
        return False
    noticed = interaction.extras.pop(BACK, None) == game.id
    if not (noticed or await interaction.client.services.seats.acts_again(game.id, interaction.user.id)):
        return False
    back = text("Welcome back: you're no longer away. Nothing else has been done. Here is where you are.")
    await panel(interaction, game, seat, above=say(back, English()))
    return True


async def afresh(interaction: Interaction, game: GameRow, seat: Seat, stale: Refusal, path: mp.Path = ()) -> None:
    """Say why a press did nothing, and show the present question if there is one; of an aside, with which the path that led there
    begins, its first step as long as it is possible."""
    if (rehearsed := in_rehearsal(interaction)) is not None:
        await show_rehearsal(interaction, game, rehearsed, above=explain(stale, reader_of(rehearsed.table)))
        return
    table = await interaction.client.services.plans.position(game.id, interaction.user.id)
    if _possible_aside(table, seat, path):
        await show(interaction, screen(table, game.id, seat, path[:1], above=say(CHANGED, reader_of(table))))
        return
    why = say(stale.text, reader_of(table))
    if table.question(seat) is None:
        why = f"{why.split('. ')[0].removesuffix('.')}."    # without the sentence that announces the present question
    rule = stale.rule or table.spec.rules.refusal_rule
    await panel(interaction, game, seat, above=f"{why} ({rule})" if rule else why)


@ui.pressed(bt.ANSWER)
async def press_answer(interaction: Interaction, game: int, seat: str, asked_at: int, what: str) -> None:
    await press(interaction, game, seat, asked_at, what, confirmed=False)


@ui.pressed(bt.CONFIRM)
async def press_confirm(interaction: Interaction, game: int, seat: str, asked_at: int, what: str) -> None:
    await press(interaction, game, seat, asked_at, what, confirmed=True)


@ui.pressed("move")
async def press_your_move(interaction: Interaction, game: int, seat: str) -> None:
    row, _, own = await own_seat(interaction, game, seat)
    await panel(interaction, row, own)


@ui.pressed(bt.MENU)
async def press_menu(interaction: Interaction, game: int, seat: str, asked_at: int, path: str, page: int) -> None:
    row, table, own = await own_seat(interaction, game, seat, asked_at)
    steps: mp.Path = tuple(filter(None, path.split(".")))
    begun = len(steps) == 1 and _possible_aside(table, own, steps)      # nothing has been chosen yet that could be out of date
    try:
        if steps and not begun and asked_at != mp.stamp(table, steps):
            raise Stale(mp.STALE)
        if steps or page:
            await show_step(interaction, row, table, own, steps, page)
        else:
            await panel(interaction, row, own)
    except Stale as stale:
        await afresh(interaction, row, own, stale, steps)


@ui.opening(bt.AMOUNT)
async def press_amount(interaction: Interaction, game: int, seat: str, asked_at: int, path: str) -> ui.Form:
    """A window for a number that the menu does not list."""
    _, table, own = await own_seat(interaction, game, seat, asked_at)
    steps: mp.Path = tuple(filter(None, path.split(".")))
    if asked_at != mp.stamp(table, steps):
        raise Stale(mp.STALE)
    kind, way = table.spec.verb(steps[0]) if steps else None, mp.step_at(table, own, steps)
    name = mp.amount_field(way, kind) if kind is not None and isinstance(way, mp.Step) else None
    if kind is None or name is None:
        raise Stale(mp.STALE)
    asked = kind.model_fields[name].description or name.replace("_", " ")
    return ui.Form(capital(kind.verb), press_typed, game, seat, asked_at, path, fields=(ui.field(asked, most=MOST_DIGITS),))


@ui.pressed("typed")
async def press_typed(interaction: Interaction, game: int, seat: str, asked_at: int, path: str, amount: str) -> None:
    row, table, own = await own_seat(interaction, game, seat, asked_at)
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
            await show_step(interaction, row, table, own, steps)
        else:
            await take(interaction, row, own, way, asked_at=asked_at)
    except Illegal as why:
        await panel(interaction, row, own, above=explain(why, reader_of(table)))
    except Stale as stale:
        await afresh(interaction, row, own, stale, steps)


@ui.pressed(bt.PICK)
async def press_pick(interaction: Interaction, game: int, seat: str, asked_at: int, path: str, value: str) -> None:
    row, table, own = await own_seat(interaction, game, seat, asked_at)
    steps: mp.Path = (*filter(None, path.split(".")), value)
    try:
        if asked_at != mp.stamp(table, steps):
            raise Stale(mp.STALE)
        way = mp.step_at(table, own, steps)
        if isinstance(way, mp.Step):
            await show_step(interaction, row, table, own, steps)
        else:
            await take(interaction, row, own, way, asked_at=asked_at)
    except Stale as stale:
        await afresh(interaction, row, own, stale, steps)


@ui.opening(bt.CHOOSE)
async def press_choose(interaction: Interaction, game: int, seat: str, asked_at: int, path: str, part: int,
                       value: str) -> ui.Form | None:
    """A value of one of the lists of a menu: a form for several answers, the next step, or the whole answer."""
    _, table, own = await own_seat(interaction, game, seat, asked_at)
    steps: mp.Path = (*filter(None, path.split(".")), value)
    if asked_at == mp.stamp(table, steps):
        try:
            way = mp.step_at(table, own, steps)
        except Stale:
            way = None
        if isinstance(way, mp.Step) and len(sheet_lines(way)) in range(1, ui.FIELDS + 1):
            return sheet_form(table, game, own, way, 0)
    await acknowledge(interaction)
    await press_pick(interaction, game, seat, asked_at, path, value)
    return None


@ui.opening(bt.SHEET)
async def press_sheet(interaction: Interaction, game: int, seat: str, asked_at: int, path: str, part: int) -> ui.Form:
    _, table, own = await own_seat(interaction, game, seat, asked_at)
    return sheet_form(table, game, own, _sheet_step(table, own, asked_at, path), part)


@ui.opening(bt.SHEET_AGAIN)
async def press_sheet_again(interaction: Interaction, game: int, seat: str, asked_at: int, path: str, part: int,
                            *amounts: str) -> ui.Form:
    """The same form, as it was filled in when it was refused."""
    _, table, own = await own_seat(interaction, game, seat, asked_at)
    return sheet_form(table, game, own, _sheet_step(table, own, asked_at, path), part, amounts)


def _sheet_step(table: Table, seat: Seat, asked_at: int, path: str) -> mp.Step:
    """The step at which a form is filled in. Raises Stale."""
    steps: mp.Path = tuple(filter(None, path.split(".")))
    if not steps or asked_at != mp.stamp(table, steps):
        raise Stale(mp.STALE)
    way = mp.step_at(table, seat, steps)
    if not isinstance(way, mp.Step) or not sheet_lines(way):
        raise Stale(mp.STALE)
    return way


@ui.pressed(bt.SHEET_SENT)
async def press_sheet_sent(interaction: Interaction, game: int, seat: str, asked_at: int, path: str, part: int,
                           *amounts: str) -> None:
    """A form that was filled in: all its answers, one after the other, or none of them."""
    row, table, own = await own_seat(interaction, game, seat, asked_at)
    if await came_back(interaction, row, own):
        return
    bot = interaction.client
    try:
        wanted = filled_in(_sheet_step(table, own, asked_at, path), part, amounts)
        if not wanted:
            raise Illegal("Nothing was filled in, so nothing has changed.")
        if (rehearsed := in_rehearsal(interaction)) is not None:
            await rehearse_answers(interaction, row, rehearsed, wanted)
            return
        planned = await bot.services.plans.standing(game, interaction.user.id)
        if planned is not None and planned.open:
            await bot.services.plans.plan_steps(game, interaction.user.id, wanted, asked_at=asked_at)
            await panel(interaction, row, own)
            return
        done = await bot.services.answers.answer_in_turn(game, interaction.user.id, wanted, asked_at=asked_at)
        await panel(interaction, row, own, above=_news(done, await bot.services.session.table(game), own))
        bot.outbox.answered(game)
    except Illegal as why:
        kept = [words if words.isdecimal() else "" for words in amounts]
        more = ([ui.button(text("Fill it in again"), bt.SHEET_AGAIN, game, own, asked_at, path, part, *kept,
                           style=ui.Style.primary)]
                if any(kept) and bt.SHEET_AGAIN.fits(game, own, asked_at, path, part, *kept) else [])
        await panel(interaction, row, own, above=explain(why, reader_of(table)), more=more)
    except Stale as stale:
        await afresh(interaction, row, own, stale)


@ui.pressed("mine")
async def press_mine(interaction: Interaction, game: int) -> None:
    row = await game_of_button(interaction, game)
    await show_mine(interaction, row)


async def show_mine(interaction: Interaction, game: GameRow) -> None:
    seat = await interaction.client.services.queries.sight_of(game.id, interaction.user.id) or await seat_in(interaction, game)
    table = await interaction.client.services.session.table(game.id)
    reader = reader_of(table)
    private = table.spec.views.private(table.state, seat)
    head = say(text("{title}: you are {seat}.", title=verbatim(titled(game)), seat=seat), reader)
    above = f"{head} {say(private, reader)}" if private is not None else head
    await panel(interaction, game, seat, above=above, head=False,
                more=[ui.button(text("What happened?"), bt.HAPPENED, game.id)])


async def seat_in(interaction: Interaction, game: GameRow) -> Seat:
    """The caller's seat. Raises NotAsked."""
    seat = await interaction.client.services.queries.seat_of(game.id, interaction.user.id)
    for holder in await interaction.client.services.queries.holders(game.id) if seat is None else ():
        if interaction.user.id in holder.blind:
            raise NotAsked(BLIND, seat=holder.seat)
    if seat is None and await interaction.client.services.queries.sight_of(game.id, interaction.user.id) is not None:
        raise NotAsked(PLAYED_FOR)
    if seat is None:
        raise NotAsked("You have no seat in this game, but one is free. See it with /table seats."
                       if await interaction.client.services.free_seats.free_seats(game.id) else "You have no seat in this game.")
    return seat
