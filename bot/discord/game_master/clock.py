"""What game masters do about time: the clock of a game, more time for a seat, and the note about a seat that nobody plays."""
from __future__ import annotations

from discord import app_commands
from discord.app_commands import Choice

from bot.core.visit import Visit
from bot.discord.components import Persistent, Style, button, in_game
from bot.discord.context import Context, Interaction
from bot.discord.errors import helping
from bot.discord.find_game import about_a_game, named_seat
from bot.discord.game.clock import call, direct, latest_of, suggested
from bot.discord.game_master.commands import Moderator, answered_for, gm_game, require_gm
from bot.discord.game_master.seat_order import on_care
from bot.discord.game_master.succession import master_of
from bot.discord.languages import of_member
from bot.discord.lengths import NAME, clip
from bot.discord.responses import reply, seat_name, suggestions, titled, where_played
from bot.discord.visits import again
from bot.domain import deadlines, letters
from bot.domain.announcements import member
from bot.domain.deadlines import Deadline
from bot.service.clocks import LONGEST_EXTENSION
from bot.store import OutboxRow
from engine.kernel import Seat
from engine.refusals import Stale
from engine.text import Text, count, lines, text, verbatim
from engine.text.languages import speaking

SEATS = 4                       # of a note that have buttons
MORE = 24                       # hours that a button gives


def add_clock(group: Moderator) -> None:
    @group.command(name="clock", description="Set how long the game waits for each move. No options: see the clock")
    @about_a_game(limit="Such as none, 24h for each move, or bank 72h+6h", vacation="Days of vacation for each player",
                  extensions="How often each player can take more time")
    @app_commands.autocomplete(limit=_suggest_clocks)
    async def clock(interaction: Interaction, limit: str | None = None, vacation: int | None = None,
                    extensions: int | None = None, game: str | None = None) -> None:
        visit = await gm_game(interaction, game)
        rules, wanted = visit.snapshot.clock, None if limit is None else deadlines.read(limit)
        if (limit, vacation, extensions) != (None, None, None):
            rules = await interaction.client.services.clocks.set_clock(visit.id, visit.user, clock=wanted, vacation=vacation,
                                                                       extensions=extensions)
        await reply(interaction, text(
            "{title}: {clock}. Each player can take {vacation} off and {extensions}.", title=verbatim(titled(visit.game)),
            clock=rules.clock.text(visit.spec.orders), vacation=count(rules.vacation, "{n} day", "{n} days"),
            extensions=count(rules.extensions, "{n} extension", "{n} extensions")))

    @group.command(name="extend", description="Give a seat more time for its current move")
    @about_a_game(seat="Which seat?", hours="How many more hours?")
    @app_commands.autocomplete(seat=_suggest_seats)
    async def extend(interaction: Interaction, seat: str, hours: app_commands.Range[int, 1, LONGEST_EXTENSION],
                     game: str | None = None) -> None:
        visit = await gm_game(interaction, game)
        await _extend(interaction, visit, named_seat(visit, seat), hours)


@helping
async def _suggest_clocks(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Autocomplete: the clocks that suit the game."""
    return suggested(typed, (await gm_game(interaction, getattr(interaction.namespace, "game", None))).spec.orders)


@helping
async def _suggest_seats(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Autocomplete: the seats that are asked something now, answered or not."""
    visit = await gm_game(interaction, getattr(interaction.namespace, "game", None))
    names = [(seat_name(visit.table, question.seat, visit.reader), question.seat) for question in visit.table.asks]
    return suggestions([Choice(name=clip(name, NAME), value=seat) for name, seat in names if typed.casefold() in name.casefold()])


async def _extend(interaction: Interaction, visit: Visit, seat: Seat, hours: int) -> None:
    await interaction.client.services.clocks.extend_for(visit.id, seat, hours, visit.user)
    due = latest_of((await again(interaction, visit.id)).snapshot.deadlines)
    await reply(interaction, lines([text("{seat} gets {hours} more.", seat=seat, hours=count(hours, "{n} hour", "{n} hours")),
                                    *([due] if due is not None else [])]))


# --- the note ---------------------------------------------------------------------------------------------------

async def escalate(bot: Context, visit: Visit, row: OutboxRow, letter: letters.Escalation) -> int | None:
    """Tell the game master of seats that do not answer, directly or else in the game's channel; nothing if they have answered."""
    game = visit.game
    if _escalated(visit, letter) is None:
        return None
    master = await master_of(bot, game)
    with speaking(of_member(bot, master)):
        found = _escalated(visit, letter)
    sent = await direct(bot, master, *found, row=row) if found is not None else None
    if sent is not None or (found := _escalated(visit, letter)) is None:
        return sent
    words, items = found
    return await call(bot, game, master, text("{member} {words}", member=member(master), words=words), items, row=row)


def _escalated(visit: Visit, letter: letters.Escalation) -> tuple[Text, list[Persistent]] | None:
    """Return what the game master reads, and the buttons below it; None if the seats have answered."""
    game, table, deadlines = visit.game, visit.table, visit.snapshot.deadlines
    asked = {question.seat for question in table.asks}
    missed = letter.why == "missed"
    seats = [seat for seat in letter.seats if missed or seat in asked]
    if game.status != "running" or not seats:
        return None
    reader, users = visit.reader, {holder.seat: holder.user for holder in visit.holders}
    named = tuple(text("{seat} ({member})", seat=verbatim(seat_name(table, seat, reader)), member=member(user))
                  for seat in seats if (user := users.get(seat)) is not None)
    if not named:
        return None
    what = text("{seats} ran out of time twice in a row." if missed else
                "no move for three days from {seats}.", seats=named)
    words = text("{title} (game {game}) in {channel}: {what}\n-# `/gm hand` gives a seat to another member, `/gm standin` lends "
                 "it for a while, and `/gm pause` pauses the game.", title=verbatim(titled(game)), game=game.id,
                 channel=where_played(game), what=what)
    if not missed and len(table.asks) == 1:             # of several, it would tell who has answered already
        words = lines([words, *(reminded(one) for one in deadlines)])
    if not missed and (due := latest_of(deadlines)) is not None:
        words = lines([words, due])
    items: list[Persistent] = []
    for seat, user in [(seat, user) for seat in seats if (user := users.get(seat)) is not None][:SEATS]:
        name = verbatim(seat_name(table, seat, reader))
        if seat in asked:
            items.append(button(text("Default for {seat}", seat=name), on_default, game.id, seat, table.asked_at))
            if missed:
                items.append(button(text("{hours} more hours for {seat}", hours=MORE, seat=name), on_more, game.id, seat,
                                    table.asked_at))
        if table.spec.rules.caretaker is not None:
            items.append(button(text("Caretaker for {seat}", seat=name), on_care, game.id, seat, user, style=Style.danger))
    if len(named) > SEATS:
        words = lines([words, text("-# Only the first {seats} have buttons below. `/gm answer` does the same for the others.",
                                   seats=SEATS)])
    return words, items


def reminded(deadline: Deadline) -> Text:
    """How often somebody has been reminded, and whether it goes on."""
    times = count(max(deadline.reminded, 0), "{n} reminder", "{n} reminders")
    if deadline.remind_at is None:
        return text("-# I sent {times}, and that was the last.", times=times)
    return text("-# I've sent {times} so far.", times=times)


async def _require_question(interaction: Interaction, visit: Visit, asked_at: int) -> None:
    """Raise Refusal unless the game master presses and the question is the same."""
    await require_gm(interaction, visit)
    if visit.table.asked_at != asked_at:
        raise Stale("That move has been made already.")


@in_game("stopgap")
async def on_default(interaction: Interaction, visit: Visit, seat: str, asked_at: int) -> None:
    await _require_question(interaction, visit, asked_at)
    several = len(visit.table.asks) > 1
    await interaction.client.services.answers.answer_for(visit.id, Seat(seat), None, visit.user, asked_at=asked_at)
    await reply(interaction, answered_for(Seat(seat), several=several))
    interaction.client.outbox.answered(visit.id)


@in_game("more")
async def on_more(interaction: Interaction, visit: Visit, seat: str, asked_at: int) -> None:
    """More time for a seat that does not answer."""
    await _require_question(interaction, visit, asked_at)
    await _extend(interaction, visit, Seat(seat), MORE)
