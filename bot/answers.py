"""What a seat does, however it is done: by command, button or menu; and what the presser sees next."""
from __future__ import annotations

from collections.abc import Iterable

from bot.buttons import Style, button, pressed, view
from bot.menu import STALE, Path, Screen, Step, open_to, screen, stamp, walk
from bot.news import choice_id
from bot.play import Done
from bot.replies import Interaction, explain, reader_of, reply, seat_name, titled
from bot.store import GameRow
from engine import notation
from engine.kernel import Action, Aside, Seat, Table
from engine.refusals import NotAsked, Refusal, Stale
from engine.text import Reader, say

NOTED = "Your answer is noted."


async def take(interaction: Interaction, game: GameRow, seat: Seat, action: Action, *, asked_at: int | None = None,
               confirmed: bool = False) -> None:
    """Take one answer of the caller's seat: confirm it first if it has a consequence, then show what follows.

    `asked_at` is the stamp of the button or menu; a typed command has none. Raises Refusal, and then nothing has changed.
    """
    bot = interaction.client
    async with bot.turn(game.id):                       # what is checked here still holds when Play takes the answer
        table = await bot.play.table(game.id)
        if isinstance(action, Aside) and asked_at not in (None, table.last_no):
            raise Stale("Something has happened since this menu was opened. Here is the present one.")
        table.examine(seat, action, asked_at=asked_at)
        warning = None if confirmed else action.consequence(table.state, seat)
        if warning is None:
            done = await bot.play.answer(game.id, interaction.user.id, action, asked_at=asked_at)
        else:
            words = say(warning, reader_of(table))
            facts = game.id, seat, table.last_no if isinstance(action, Aside) else table.asked_at, _what(table, seat, action)
    if warning is not None:
        await reply(interaction, words, view([button("Confirm", "yes", *facts, style=Style.danger),
                                              button("Cancel", "menu", game.id, seat, facts[2], "", 0)]))
        return
    table = await bot.play.table(game.id)
    await show(interaction, screen(table, game.id, seat, above=_news(done, reader_of(table))))
    bot.outbox.answered(game.id)


async def show(interaction: Interaction, what: Screen) -> None:
    """Reply with a screen."""
    await reply(interaction, what.words, what.view)


def _news(done: Done, reader: Reader) -> str:
    """What everybody may read of the new rows, and what the caller learns besides."""
    return "\n".join(say(line, reader) for line in (*done.lines, *done.private)) or NOTED


def _listed(table: Table, seat: Seat) -> Iterable[Action]:
    yield from table.options(seat)
    for kind in table.spec.asides:
        yield from kind.options(table.state, seat)


def _what(table: Table, seat: Seat, action: Action) -> str:
    """How a button names an answer: shortly if it is listed, else in full."""
    return choice_id(action) if action in _listed(table, seat) else notation.write(action)


def _meant(table: Table, seat: Seat, what: str) -> Action:
    """The answer that a button names, found among what is legal now. Raises Stale."""
    for option in _listed(table, seat):
        if choice_id(option) == what:
            return option
    if "=" in what:
        return notation.read(table.spec, what)
    raise Stale("That answer is not possible any more. Here is the present question.")


# --- presses ----------------------------------------------------------------------------------------

async def own_seat(interaction: Interaction, game: int, put_to: str) -> tuple[GameRow, Table, Seat]:
    """The game, its table and the presser's seat. Raises NotAsked if the question is put to another seat."""
    play = interaction.client.play
    row = interaction.extras["game"] = await play.game(game)
    table = await play.table(game)
    if await play.seat_of(game, interaction.user.id) != put_to:
        raise NotAsked("This question is put to {seat}.", seat=Seat(put_to))
    return row, table, Seat(put_to)


async def press(interaction: Interaction, game: str, seat: str, asked_at: str, what: str, *, confirmed: bool) -> None:
    """An answer as a button; a stale one does nothing and shows the present question instead."""
    row, table, own = await own_seat(interaction, int(game), seat)
    try:
        if table.over:
            raise NotAsked("The game is over.")
        if int(asked_at) not in (table.asked_at, table.last_no):
            raise Stale(STALE)
        await take(interaction, row, own, _meant(table, own, what), asked_at=int(asked_at), confirmed=confirmed)
    except Stale as stale:
        await afresh(interaction, row, own, stale)


async def afresh(interaction: Interaction, game: GameRow, seat: Seat, stale: Refusal) -> None:
    """Say why a press did nothing, and show the present question if there is one."""
    table = await interaction.client.play.table(game.id)
    why = explain(stale, reader_of(table))
    if table.asked(seat) is None:
        why = f"{why.split('. ')[0]}."                  # without the sentence that announces the present question
    await show(interaction, screen(table, game.id, seat, above=why))


@pressed("do")
async def press_answer(interaction: Interaction, game: str, seat: str, asked_at: str, what: str) -> None:
    """A legal answer."""
    await press(interaction, game, seat, asked_at, what, confirmed=False)


@pressed("yes")
async def press_confirm(interaction: Interaction, game: str, seat: str, asked_at: str, what: str) -> None:
    """An answer whose consequence has been read."""
    await press(interaction, game, seat, asked_at, what, confirmed=True)


@pressed("move")
async def press_your_move(interaction: Interaction, game: str, seat: str) -> None:
    """The present question of the seat, in private."""
    row, table, own = await own_seat(interaction, int(game), seat)
    await show(interaction, screen(table, row.id, own))


@pressed("menu")
async def press_menu(interaction: Interaction, game: str, seat: str, asked_at: str, path: str, page: str) -> None:
    """A step of a menu, forward or back."""
    row, table, own = await own_seat(interaction, int(game), seat)
    steps: Path = tuple(filter(None, path.split(".")))
    try:
        if steps and int(asked_at) != stamp(table, steps):
            raise Stale(STALE)
        await show(interaction, screen(table, row.id, own, steps, int(page)))
    except Stale as stale:
        await afresh(interaction, row, own, stale)


@pressed("pick")
async def press_pick(interaction: Interaction, game: str, seat: str, asked_at: str, path: str, value: str) -> None:
    """A value chosen in a menu: the next step, or the whole answer."""
    row, table, own = await own_seat(interaction, int(game), seat)
    steps: Path = (*filter(None, path.split(".")), value)
    try:
        if int(asked_at) != stamp(table, steps):
            raise Stale(STALE)
        way = walk(open_to(table, own, steps), steps)
        if isinstance(way, Step):
            await show(interaction, screen(table, row.id, own, steps))
        else:
            await take(interaction, row, own, way, asked_at=int(asked_at))
    except Stale as stale:
        await afresh(interaction, row, own, stale)


@pressed("mine")
async def press_mine(interaction: Interaction, game: str) -> None:
    """What only the presser may see of a game."""
    interaction.extras["game"] = row = await interaction.client.play.game(int(game))
    await show_mine(interaction, row)


async def show_mine(interaction: Interaction, game: GameRow) -> None:
    """The caller's private message of the game, and what is asked of the caller."""
    seat = await seat_in(interaction, game)
    table = await interaction.client.play.table(game.id)
    reader = reader_of(table)
    private = table.spec.private(table.state, seat)
    head = f"{titled(game)}: you are {seat_name(table, seat, reader)}."
    above = f"{head} {say(private, reader)}" if private is not None else head
    await show(interaction, screen(table, game.id, seat, above=above))


async def seat_in(interaction: Interaction, game: GameRow) -> Seat:
    """The caller's seat. Raises NotAsked."""
    seat = await interaction.client.play.seat_of(game.id, interaction.user.id)
    if seat is None:
        raise NotAsked("You have no seat in this game; its game master can give you one that is free.")
    return seat
