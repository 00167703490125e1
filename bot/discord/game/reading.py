"""Reading up, by taps and by `/lookup`: what each thing does, and what it would do now, where the seat's plan leads."""
from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from discord import SelectOption, app_commands
from discord.app_commands import Choice

from bot.core.visit import Visit
from bot.discord.components import Persistent, button, in_game, select, view
from bot.discord.context import Interaction
from bot.discord.errors import helping
from bot.discord.find_game import about_a_game, visit_meant
from bot.discord.game.answering import on_your_move
from bot.discord.game.buttons import READ_ONE, READ_UP
from bot.discord.game.extras import extra
from bot.discord.game.position import position_of, position_put_to
from bot.discord.languages import as_typed, called
from bot.discord.lengths import CHOICES, MESSAGE, NAME, capital, clip
from bot.discord.responses import reply, suggestions
from bot.domain.announcements import reader_of
from engine.kernel import Seat, Table
from engine.refusals import Refusal
from engine.text import Reader, Text, printed, say, text, verbatim

LISTS = 4                   # of cards, below a message


@helping
async def _suggest(interaction: Interaction, typed: str) -> list[Choice[str]]:
    table = (await visit_meant(interaction, getattr(interaction.namespace, "game", None))).table
    reader, wanted = reader_of(table), as_typed(typed)
    named = sorted((capital(reader.name(id)), id) for id in table.spec.views.printed(table.state))
    found = [(name, id) for name, id in named if any(wanted in one for one in called(id, reader))]
    found.sort(key=lambda one: not one[0].casefold().startswith(wanted))
    return suggestions([Choice(name=clip(name, NAME), value=id) for name, id in found])


@app_commands.command(name="lookup",
                      description="All about one thing of the game, by its name: what it does, and what it would do for you now")
@about_a_game(name="Its name")
@app_commands.autocomplete(name=_suggest)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
async def look_up(interaction: Interaction, name: str, game: str | None = None) -> None:
    """All that is printed about something; to whoever can use it, also what it would do now."""
    visit = await visit_meant(interaction, game)
    seat = visit.seat               # where the caller's plan leads, or as it is for everybody
    table = visit.table if seat is None else (await position_of(interaction, visit)).table
    known, reader = table.spec.views.printed(table.state), reader_of(table)
    if not known:
        raise Refusal("{game} has nothing to look up by name. Ask `/game rules`.", game=printed(table.spec.name))
    id = _named(name, known, reader)
    if seat is not None and id in table.spec.views.cards(table.state, seat):
        await _show(interaction, table, table.spec.views.card(table.state, seat, id), _choices(table, visit.id, seat))
    else:
        await _show(interaction, table, known[id], [])


def _named(name: str, printed: Collection[str], reader: Reader) -> str:
    """Return what is called so, or whose name alone has these words. Raises Refusal."""
    wanted, known = as_typed(name), {id: called(id, reader) for id in printed}
    found = [id for id, names in known.items() if wanted in names] or [
        id for id, names in known.items() if any(wanted in one for one in names[:-1])]
    if not found:
        raise Refusal("Nothing here is called {name}. Choose from the list.", name=verbatim(clip(name, NAME)))
    if len(found) > 1:
        raise Refusal("Several names have the words {name}. Choose from the list.", name=verbatim(clip(name, NAME)))
    return found[0]


async def _show(interaction: Interaction, table: Table, lines: Sequence[Text], controls: Sequence[Persistent]) -> None:
    reader = reader_of(table)
    first, *others = (say(line, reader) for line in lines)
    await reply(interaction, clip("\n".join([f"**{capital(first)}**", *others]), MESSAGE), view(controls))


@extra(20)
def looking_up(visit: Visit, table: Table, seat: Seat) -> Iterator[Persistent]:
    if table.question(seat) is not None and table.spec.views.cards(table.state, seat):
        yield button(text("Look up"), READ_UP, visit.id, seat)


@in_game(READ_UP)
async def on_read_up(interaction: Interaction, visit: Visit, seat: str) -> None:
    position = await position_put_to(interaction, visit, seat)
    table, own = position.table, position.seat
    await reply(interaction, text("What do you want to read about?"), view(_choices(table, visit.id, own)))


@in_game(READ_ONE)
async def on_read_one(interaction: Interaction, visit: Visit, seat: str, part: int, id: str) -> None:
    position = await position_put_to(interaction, visit, seat)
    table, own = position.table, position.seat
    if id not in table.spec.views.cards(table.state, own):
        raise Refusal("You can't read about that now. Press **Look up** again.")
    await _show(interaction, table, table.spec.views.card(table.state, own, id), _choices(table, visit.id, own))


def _choices(table: Table, game: int, seat: Seat) -> list[Persistent]:
    """Lists of the cards, and the way back to the move."""
    reader = reader_of(table)
    found = [_choice(table, seat, id, reader) for id in table.spec.views.cards(table.state, seat)]
    lists = [found[at:at + CHOICES] for at in range(0, len(found), CHOICES)][:LISTS]
    hints = [text("Look up …") if len(lists) == 1 else f"{part[0].label} – {part[-1].label}" for part in lists]
    return [*(select(part, READ_ONE, game, seat, number, hint=hint) for number, (part, hint) in enumerate(zip(lists, hints))),
            button(text("Back to your move"), on_your_move, game, seat)]


def _choice(table: Table, seat: Seat, id: str, reader: Reader) -> SelectOption:
    summary = table.spec.words.summary(table.state, seat, id)
    return SelectOption(label=clip(capital(reader.name(id)), NAME), value=id,
                        description=clip(say(summary, reader), NAME) if summary is not None else None)
