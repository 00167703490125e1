"""/gm answer: moving for a seat, by a typed command or by taps, with a look at the move before everybody is told."""
from __future__ import annotations

from collections.abc import Sequence

from discord import SelectOption, app_commands
from discord.app_commands import Choice

from bot.discord.components import Persistent, Style, button, pressed, select, view
from bot.discord.context import Interaction
from bot.discord.errors import helping
from bot.discord.find_game import named_seat, suggest_games
from bot.discord.game.action_commands import GAME_HELP
from bot.discord.game.buttons import HOME
from bot.discord.game.menu_words import called
from bot.discord.game_master.commands import Moderator, answered_for, gm_game, mastered, suggest_seats
from bot.discord.responses import CHOICES, NAME, capital, clip, lines, reader_of, reply, seat_name, suggestions
from bot.domain.announcements import choice_id
from bot.store import GameRow
from engine import notation
from engine.kernel import Action, Ask, Seat, Table
from engine.refusals import Illegal, NotAsked, Stale
from engine.text import Reader, say, template, text, verbatim

LISTS = 4                   # lists of moves on a page: one row of buttons is below them
DEFAULT = "default"         # as a move: the default one
LATE = template("Somebody has moved since. Type /gm answer again.")


def add_moving(group: Moderator) -> None:
    """Give the game master's group the command."""

    @group.command(name="answer", description="Move for a seat: its default move, or one you choose")
    @app_commands.describe(seat="For which seat? Blank: choose seat and move by taps",
                           answer="Which move? Blank: the default move", game=GAME_HELP)
    @app_commands.autocomplete(game=suggest_games)
    async def answer(interaction: Interaction, seat: str | None = None, answer: str | None = None,
                     game: str | None = None) -> None:
        row = await gm_game(interaction, game)
        table = await interaction.client.services.session.table(row.id)
        if seat is None:
            await ask_whom(interaction, row, table)
            return
        who = await named_seat(interaction, row, seat)
        if table.put_to(who) is None and not table.over:
            now, rule = table.going_on()
            raise NotAsked("{seat} has nothing to do right now. {now}.", rule=rule, seat=who, now=now)
        default = answer is None or answer.strip().casefold() == DEFAULT
        await move(interaction, row, table, who, None if default else open_answer(table, who, answer or ""))

    @answer.autocomplete("seat")
    @helping
    async def _seats(interaction: Interaction, typed: str) -> list[Choice[str]]:
        return await suggest_seats(interaction, typed)

    @answer.autocomplete("answer")
    @helping
    async def _answers(interaction: Interaction, typed: str) -> list[Choice[str]]:
        space = interaction.namespace
        row = await gm_game(interaction, getattr(space, "game", None))
        table = await interaction.client.services.session.table(row.id)
        seat = await named_seat(interaction, row, getattr(space, "seat", None) or "")
        question = table.put_to(seat)
        if question is None:
            return []
        reader = reader_of(table)
        known = [(say(text("The default move"), reader), DEFAULT),
                 *((say(option.label(), reader), notation.write(option)) for option in _open_moves(table, seat, question))]
        return suggestions([Choice(name=clip(label, NAME), value=line) for label, line in known
                            if typed.casefold() in f"{label} {line}".casefold() and len(line) <= NAME])


def open_answer(table: Table, seat: Seat, line: str) -> Action:
    """The answer that a game master names for a seat.

    Raises Illegal if the seat's options tell what only the seat may know: even a refusal would tell something then.
    """
    if _secret(table.put_to(seat)):
        raise Illegal("What {seat} can do is secret, so you can only play its default move. Leave the move out.", seat=seat)
    return notation.read(table.spec, line)


def _secret(question: Ask[Action] | None) -> bool:
    return question is not None and any(kind.secret for kind in question.accepts)


def _open_moves(table: Table, seat: Seat, question: Ask[Action]) -> list[Action]:
    """What a game master may choose for a seat, the same whether its sealed move is in or not; nothing if that is secret."""
    return [] if _secret(question) else [*table.options(seat, anew=True)]


async def move(interaction: Interaction, game: GameRow, table: Table, seat: Seat, action: Action | None) -> None:
    """Make a move for a seat, or its default one, and say so."""
    several = len(table.asks) > 1
    done = await interaction.client.services.answers.answer_for(game.id, seat, action, interaction.user.id)
    told = done.lines                               # what the seat learns besides is not the game master's
    await reply(interaction, lines([answered_for(seat, several=several), *told]))
    interaction.client.outbox.answered(game.id)


async def ask_whom(interaction: Interaction, game: GameRow, table: Table) -> None:
    """For which of the seats that are to move; of a single one, the moves at once. Raises NotAsked if nobody is to move."""
    seats = [question.seat for question in table.asks]
    if not seats:
        raise NotAsked("The game is over." if table.over else "Nobody has anything to do right now.")
    if len(seats) == 1:
        await show_moves(interaction, game, table, seats[0])
        return
    reader = reader_of(table)
    await reply(interaction, text("Move for whom?"), view([
        *(button(seat_name(table, seat, reader), press_seat, game.id, seat, table.asked_at, 0) for seat in seats),
        button(text("Cancel"), HOME, game.id)]))


@pressed("gmmoves")
async def press_seat(interaction: Interaction, game: int, seat: str, asked_at: int, page: int) -> None:
    """A page of the moves of a seat."""
    row = await mastered(interaction, game)
    await show_moves(interaction, row, await _current(interaction, game, asked_at), Seat(seat), page)


@pressed("gmdefault")
async def press_default(interaction: Interaction, game: int, seat: str, asked_at: int) -> None:
    """The default move, to be confirmed."""
    await press_choice(interaction, game, seat, asked_at, 0, DEFAULT)


@pressed("gmmove")
async def press_choice(interaction: Interaction, game: int, seat: str, asked_at: int, number: int, what: str) -> None:
    """A move was chosen, to be confirmed. `number` tells the lists of a page apart."""
    await mastered(interaction, game)
    table, own = await _current(interaction, game, asked_at), Seat(seat)
    action = _meant(table, own, what)
    words = text("Play the default move for {seat}?", seat=own) if action is None else text(
        "Move for {seat}: **{move}**?", seat=own, move=action.label())
    await reply(interaction, lines([words, text("Everybody is told that you moved for {seat}.", seat=own)]), view([
        button(text("Confirm"), press_confirm_choice, game, seat, asked_at, what, style=Style.danger),
        button(text("Back"), press_seat, game, seat, asked_at, 0)]))


@pressed("gmmoved")
async def press_confirm_choice(interaction: Interaction, game: int, seat: str, asked_at: int, what: str) -> None:
    """Make the move that was confirmed."""
    row = await mastered(interaction, game)
    async with interaction.client.services.session.locked(game):
        table = await _current(interaction, game, asked_at)
        await move(interaction, row, table, Seat(seat), _meant(table, Seat(seat), what))


async def show_moves(interaction: Interaction, game: GameRow, table: Table, seat: Seat, page: int = 0) -> None:
    """The moves of a seat, as many as a page holds; if its choices are secret, only the default move."""
    question, facts = table.put_to(seat), (game.id, seat, table.asked_at)
    if question is None:
        raise Stale(LATE)
    moves, reader = _open_moves(table, seat, question), reader_of(table)
    lists = list[tuple[str, Sequence[Action]]]()
    for verb in dict.fromkeys(move.verb for move in moves):
        alike = [move for move in moves if move.verb == verb]
        parts = [alike[first:first + CHOICES] for first in range(0, len(alike), CHOICES)]
        name = verbatim(called(type(alike[0]), reader))
        lists += [(say(text("{verb} ({number} of {parts})", verb=name, number=number, parts=len(parts)) if parts[1:] else name,
                       reader), part) for number, part in enumerate(parts, 1)]
    pages = max(1, -(-len(lists) // LISTS))
    page = min(max(page, 0), pages - 1)
    shown = [_list(kind, alike, facts, number, reader)
             for number, (kind, alike) in enumerate(lists[page * LISTS:(page + 1) * LISTS])]
    ways = (text("Earlier moves"), page - 1), (text("More moves"), page + 1)
    turned = [button(label, press_seat, *facts, to) for label, to in ways if 0 <= to < pages]
    told = [text("Move for **{seat}**: {question}", seat=seat, question=question.told())]
    if _secret(question):
        told.append(text("What {seat} can do is secret, so you can only play its default move.", seat=seat))
    elif pages > 1:
        told.append(text("-# Moves, page {page} of {pages}.", page=page + 1, pages=pages))
    await reply(interaction, lines(told), view([
        *shown, button(text("The default move"), press_default, *facts), *turned, button(text("Cancel"), HOME, game.id)]))


def _list(kind: str, moves: Sequence[Action], facts: tuple[int, Seat, int], number: int, reader: Reader) -> Persistent:
    """A list of moves of one kind; its number tells it apart from the others of a page."""
    options = [SelectOption(label=clip(capital(say(move.label(), reader)), NAME), value=choice_id(move)) for move in moves]
    hint = say(text("{kind}: choose among {n}", kind=verbatim(kind), n=len(options)), reader) if options[1:] else options[0].label
    return select(options, press_choice, *facts, number, hint=hint)


async def _current(interaction: Interaction, game: int, asked_at: int) -> Table:
    """The table, if it still asks what it asked then. Raises Stale."""
    table = await interaction.client.services.session.table(game)
    if table.asked_at != asked_at:
        raise Stale(LATE)
    return table


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
