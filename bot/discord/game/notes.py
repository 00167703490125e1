"""Private notes: written below one's own board, listed by /my notes with the way back to each step."""
from __future__ import annotations

from discord import SelectOption

from bot.core.visit import Visit
from bot.discord.components import Form, button, field, in_game, in_rows, opening_in_game, pressed, select, view
from bot.discord.context import Interaction
from bot.discord.game.buttons import NOTE, NOTED, NOTES
from bot.discord.game.picture_commands import show
from bot.discord.lengths import NAME, clip
from bot.discord.responses import reply
from bot.discord.sanitize import tame
from bot.discord.visits import enter
from bot.domain.pages import paged
from bot.service.bookmarks import LONGEST
from bot.store.bookmarks import Bookmark
from engine.kernel.game_spec import pictures
from engine.refusals import Refusal
from engine.text import Text, lines, say, text, verbatim

PAGE = 7                # notes of a page: as many as fit into a message, whatever they say
SHORT = 120             # characters of a note in the list
PLACE = 2               # numbers of a note: game and step


@opening_in_game(NOTE)
async def on_note(interaction: Interaction, visit: Visit, row: int) -> Form:
    words = await interaction.client.services.bookmarks.bookmark(visit.id, interaction.user.id, row)
    return Form(text("Your note at step {row}", row=row), NOTED, visit.id, row, fields=(
        field(text("Only you see it; blank: just a bookmark"), value=words or "", most=LONGEST, long=True, needed=False),))


@in_game(NOTED)
async def on_noted(interaction: Interaction, visit: Visit, row: int, words: str) -> None:
    services = interaction.client.services
    await services.bookmarks.set_bookmark(visit.id, visit.user, row, words)
    newest = (await services.look_back.stop(visit.id)).row
    await show(interaction, visit, pictures(visit.spec)[0], row=None if row == newest else row)


async def show_notes(interaction: Interaction, page: int = 1, note: Text | None = None) -> None:
    found = await interaction.client.services.bookmarks.bookmarks(interaction.user.id)
    told = [note] if note is not None else []
    if not found:
        await reply(interaction, lines([*told, text("You have no notes. To write one, type `/game map`, step back with ◀, and "
                                                    "press **Note**.")]))
        return
    shown, pages = paged(found, page, PAGE)
    page = min(max(page, 1), pages)
    told.append(text("**Your notes**") if pages == 1 else text("**Your notes**, page {page} of {pages}", page=page, pages=pages))
    told += [_line(one) for one in shown]
    listed = [SelectOption(label=clip(say(text("{title}, step {row}", title=verbatim(one.title), row=one.row)), NAME),
                           value=f"{one.game} {one.row}",
                           description=clip(one.words, NAME) or None) for one in shown]
    turning = (text("Previous"), page - 1), (text("Next"), page + 1)
    turns = [button(label, NOTES, to) for label, to in turning if 1 <= to <= pages]
    await reply(interaction, lines(told), view(in_rows([
        [select(listed, on_note_place, hint=text("Show the board at …"))],
        [select(listed, on_note_drop, hint=text("Remove …"))], turns])))


def _line(one: Bookmark) -> Text:
    head = text("- {title} (game {game}), step {row}", title=verbatim(tame(one.title)), game=one.game, row=one.row)
    return text("{head}: {words}", head=head, words=verbatim(clip(tame(one.words), SHORT))) if one.words else head


@pressed(NOTES)
async def on_notes(interaction: Interaction, page: int) -> None:
    await show_notes(interaction, page)


@pressed("noteplace")
async def on_note_place(interaction: Interaction, place: str) -> None:
    game, row = _place(place)
    visit = await enter(interaction, game)
    await show(interaction, visit, pictures(visit.spec)[0], row=row)


@pressed("notedrop")
async def on_note_drop(interaction: Interaction, place: str) -> None:
    game, row = _place(place)
    await interaction.client.services.bookmarks.drop_bookmark(game, interaction.user.id, row)
    await show_notes(interaction, note=text("Removed."))


def _place(place: str) -> tuple[int, int]:
    """The game and the step of a note, from a list. Raises Refusal."""
    numbers = place.split(" ")
    if len(numbers) != PLACE or not all(number.isdecimal() and len(number) < len("1000000000") for number in numbers):
        raise Refusal("You have no such note.")
    return int(numbers[0]), int(numbers[1])
