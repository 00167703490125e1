"""/gm answer: moving for a seat, by a typed command or by taps, with a look at the move before everybody is told."""
from __future__ import annotations

from collections.abc import Sequence

from discord import SelectOption
from discord.app_commands import Choice

from bot.core.visit import Visit
from bot.discord import lengths as ls, responses as rs
from bot.discord.components import Route, Style, button, in_game, select, view
from bot.discord.context import Interaction
from bot.discord.errors import helping
from bot.discord.find_game import about_a_game, named_seat
from bot.discord.game.buttons import HOME
from bot.discord.game.menu_words import called
from bot.discord.game_master.commands import Moderator, answered_for, gm_game, require_gm, suggest_seats
from bot.discord.languages import means
from bot.discord.visits import again
from bot.domain.announcements import choice_id
from bot.service.answers import LATE
from engine import notation
from engine.kernel import Action, Aside, Ask, Menus, Seat, Table
from engine.refusals import Illegal, NotAsked, Stale
from engine.text import Reader, Text, lines, say, text, verbatim

LISTS = 4                   # lists of moves on a page: one row of buttons is below them
DEFAULT = "default"         # as a move: the default one
DEFAULT_MOVE = text("The default move")


def add_moving(group: Moderator) -> None:
    @group.command(name="answer", description="Move for a seat: its default move, or one you choose")
    @about_a_game(seat="For which seat? Blank: choose seat and move by taps",
                  answer="Which move? Blank: the default move")
    async def answer(interaction: Interaction, seat: str | None = None, answer: str | None = None,
                     game: str | None = None) -> None:
        visit = await gm_game(interaction, game)
        table = visit.table
        if seat is None:
            await ask_whom(interaction, visit)
            return
        who = named_seat(visit, seat)
        if table.put_to(who) is None and not table.over:
            now, rule = table.going_on()
            raise NotAsked("{seat} has nothing to do right now. {now}.", rule=rule, seat=who, now=now)
        default = answer is None or answer.strip().casefold() == DEFAULT or means(answer, DEFAULT_MOVE)
        await move(interaction, visit, who, None if default else open_answer(table, who, answer or ""))

    @answer.autocomplete("seat")
    @helping
    async def _seats(interaction: Interaction, typed: str) -> list[Choice[str]]:
        return await suggest_seats(interaction, typed)

    @answer.autocomplete("answer")
    @helping
    async def _answers(interaction: Interaction, typed: str) -> list[Choice[str]]:
        space = interaction.namespace
        visit = await gm_game(interaction, getattr(space, "game", None))
        table, reader, seat = visit.table, visit.reader, named_seat(visit, getattr(space, "seat", None) or "")
        question = table.put_to(seat)
        if question is None:
            return []
        known = [(say(DEFAULT_MOVE, reader), DEFAULT),
                 *((say(option.label(), reader), notation.write(option)) for option in _open_moves(table, seat, question))]
        return rs.suggestions([Choice(name=ls.clip(label, ls.NAME), value=line) for label, line in known
                               if typed.casefold() in f"{label} {line}".casefold() and len(line) <= ls.NAME])


def open_answer(table: Table, seat: Seat, line: str) -> Action:
    """The answer that a game master names for a seat.

    Raises Illegal if the seat's options tell what only the seat may know: even a refusal would tell something then.
    """
    if _secret(table.put_to(seat)):
        raise Illegal("What {seat} can do is secret, so you can only play its default move. Leave the move out.", seat=seat)
    action, question = notation.read(table.spec, line), table.put_to(seat)
    if question is not None and not isinstance(action, (*question.accepts, Aside)):
        raise type(action).misplaced(table.state, seat) or Illegal(
            "{seat} has something else to decide first: {question}", seat=seat, question=question.told())
    return action


def _secret(question: Ask[Action] | None) -> bool:
    return question is not None and any(kind.secret for kind in question.accepts)


def _open_moves(table: Table, seat: Seat, question: Ask[Action]) -> list[Action]:
    """Return what a game master may choose for a seat, the same whether its sealed move is in or not; nothing if that is
    secret."""
    return [] if _secret(question) else [*table.options(seat, anew=True)]


async def move(interaction: Interaction, visit: Visit, seat: Seat, action: Action | None) -> None:
    several, answers = len(visit.table.asks) > 1, interaction.client.services.answers
    done = await answers.answer_for(visit.id, seat, action, visit.user, asked_at=visit.table.asked_at)
    told = done.lines                               # what the seat learns besides is not the game master's
    await rs.reply(interaction, lines([answered_for(seat, several=several), *told]))
    interaction.client.outbox.answered(visit.id)


async def ask_whom(interaction: Interaction, visit: Visit, *, above: Sequence[Text] = ()) -> None:
    """For which of the seats that are to move; of a single one, the moves at once. Raises NotAsked if nobody is to move."""
    table, reader = visit.table, visit.reader
    seats = [question.seat for question in table.asks]
    if not seats:
        raise NotAsked("The game is over." if table.over else "Nobody has anything to do right now.")
    if len(seats) == 1:
        await show_moves(interaction, visit, seats[0], above=above)
        return
    await rs.reply(interaction, lines([*above, text("Move for whom?")]), view([
        *(button(rs.seat_name(table, seat, reader), on_seat, visit.id, seat, table.asked_at, 0) for seat in seats),
        button(text("Cancel"), HOME, visit.id)]))


async def _ask_again(interaction: Interaction, visit: Visit, late: Stale) -> None:
    """Somebody has moved meanwhile: say so, and offer what can be moved now."""
    await ask_whom(interaction, await again(interaction, visit.id), above=[late.text])


@in_game("gmmoves")
async def on_seat(interaction: Interaction, visit: Visit, seat: str, asked_at: int, page: int) -> None:
    await require_gm(interaction, visit)
    try:
        _require_question(visit, asked_at)
        await show_moves(interaction, visit, Seat(seat), page)
    except Stale as late:
        await _ask_again(interaction, visit, late)


@in_game("gmdefault")
async def on_default(interaction: Interaction, visit: Visit, seat: str, asked_at: int) -> None:
    await on_choice(interaction, visit.id, seat, asked_at, 0, DEFAULT)


@in_game("gmmove")
async def on_choice(interaction: Interaction, visit: Visit, seat: str, asked_at: int, number: int, what: str) -> None:
    """A move was chosen, to be confirmed. `number` tells the lists of a page apart."""
    await require_gm(interaction, visit)
    try:
        _require_question(visit, asked_at)
        await ask_to_confirm(interaction, visit, Seat(seat), _meant(visit.table, Seat(seat), what), back=on_seat)
    except Stale as late:
        await _ask_again(interaction, visit, late)


async def ask_to_confirm(interaction: Interaction, visit: Visit, seat: Seat, action: Action | None, *,
                         above: Sequence[Text] = (), back: Route[int, str, int, int] | None = None) -> None:
    """A move for a seat, None for the default one, as it is to be confirmed; `back` leads to the others, if there are any."""
    words = text("Play the default move for {seat}?", seat=seat) if action is None else text(
        "Move for {seat}: **{move}**?", seat=seat, move=action.label())
    what, facts = DEFAULT if action is None else choice_id(action), (visit.id, seat, visit.table.asked_at)
    leave = button(text("Cancel"), HOME, visit.id) if back is None else button(text("Back"), back, *facts, 0)
    await rs.reply(interaction, lines([*above, words, text("Everybody is told that you moved for {seat}.", seat=seat)]), view([
        button(text("Confirm"), on_confirm_choice, *facts, what, style=Style.danger), leave]))


@in_game("gmmoved")
async def on_confirm_choice(interaction: Interaction, visit: Visit, seat: str, asked_at: int, what: str) -> None:
    await require_gm(interaction, visit)
    try:
        _require_question(visit, asked_at)
        await move(interaction, visit, Seat(seat), _meant(visit.table, Seat(seat), what))
    except Stale as late:
        await _ask_again(interaction, visit, late)


async def show_moves(interaction: Interaction, visit: Visit, seat: Seat, page: int = 0, *, above: Sequence[Text] = ()) -> None:
    """The moves of a seat, as many as a page holds; a single one is to be confirmed at once, and so is the default move if what
    the seat can do is secret."""
    table, reader, menus = visit.table, visit.reader, visit.spec.words.menus
    question, facts = table.put_to(seat), (visit.id, seat, table.asked_at)
    if question is None:
        raise Stale(LATE)
    moves = _open_moves(table, seat, question)
    told = [*above, text("Move for **{seat}**: {question}", seat=seat, question=question.told())]
    if len(moves) < 2:
        if not moves:
            told.append(text("What {seat} can do is secret, so you can only play its default move.", seat=seat))
        await ask_to_confirm(interaction, visit, seat, moves[0] if moves else None, above=told)
        return
    lists = _lists(menus, moves, reader)
    pages = max(1, -(-len(lists) // LISTS))
    page = min(max(page, 0), pages - 1)
    shown = [button(ls.clip(ls.capital(say(part[0].label(), reader)), ls.LABEL), on_choice, *facts, number, choice_id(part[0]))
             if len(part) == 1 else
             select([_option(menus, move, reader, named=len({type(one) for one in part}) > 1) for move in part], on_choice,
                    *facts, number, hint=hint) for number, (hint, part) in enumerate(lists[page * LISTS:(page + 1) * LISTS])]
    ways = (text("Earlier moves"), page - 1), (text("More moves"), page + 1)
    turned = [button(label, on_seat, *facts, to) for label, to in ways if 0 <= to < pages]
    if pages > 1:
        told.append(text("-# Moves, page {page} of {pages}.", page=page + 1, pages=pages))
    await rs.reply(interaction, lines(told), view([
        *shown, button(DEFAULT_MOVE, on_default, *facts), *turned, button(text("Cancel"), HOME, visit.id)]))


def _lists(menus: Menus, moves: Sequence[Action], reader: Reader) -> list[tuple[str, Sequence[Action]]]:
    """Moves as lists, each with what it asks: all in one if they find room there, else by kind; those that are the only ones of
    their kind share one, which may have a single move."""
    if len(moves) <= ls.CHOICES:
        return [(say(text("Which move?"), reader), moves)]
    kinds = {kind: [move for move in moves if type(move) is kind] for kind in dict.fromkeys(map(type, moves))}
    lists = list[tuple[str, Sequence[Action]]]()
    for kind, alike in kinds.items():
        parts, name = -(-len(alike) // ls.CHOICES), verbatim(called(menus, kind, reader))
        size = -(-len(alike) // parts)                      # parts of about the same size: none is left with a single move
        if len(alike) > 1:
            lists += [(say(text("{verb} ({number} of {parts})", verb=name, number=number + 1, parts=parts) if parts > 1 else name,
                           reader), alike[number * size:(number + 1) * size]) for number in range(parts)]
    single = [alike[0] for alike in kinds.values() if len(alike) == 1]
    return [*lists, *([(say(text("Other moves"), reader), single)] if single else [])]


def _option(menus: Menus, move: Action, reader: Reader, *, named: bool) -> SelectOption:
    """A move in a list; `named` with its kind, where a list has several."""
    return SelectOption(label=ls.clip(ls.capital(say(move.label(), reader)), ls.NAME), value=choice_id(move),
                        description=ls.clip(called(menus, type(move), reader), ls.NAME) if named else None)


def _require_question(visit: Visit, asked_at: int) -> None:
    """Raise Stale unless the table still asks what it asked then."""
    if visit.table.asked_at != asked_at:
        raise Stale(LATE)


def _meant(table: Table, seat: Seat, what: str) -> Action | None:
    """The move that was chosen, None for the default one. Raises Stale if it is no longer possible."""
    question = table.put_to(seat)
    if question is None:
        raise Stale(LATE)
    if what == DEFAULT:
        return None
    found = next((option for option in _open_moves(table, seat, question) if choice_id(option) == what), None)
    if found is None:
        raise Stale(LATE)
    return found
