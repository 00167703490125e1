"""The public history of a game, and how the pages of any record are turned."""
from __future__ import annotations

import re
from collections.abc import Sequence

from discord import SelectOption

from bot.core.visit import Visit
from bot.discord.components import Persistent, Route, button, in_game, select, view
from bot.discord.context import Interaction
from bot.discord.game.buttons import BACK_TO, HOME
from bot.discord.game.picture_commands import on_look_row
from bot.discord.lengths import CHOICES, NAME, clip
from bot.discord.responses import reply, titled
from bot.discord.visibility import masters
from bot.store import GameRow
from engine.text import Reader, Text, lines, say, text, verbatim

MENTION = re.compile(r",? <@[0-9]+>,?")         # which a list would show as a number
PAGE = 15                   # rows of a page of the history
NEWEST = 1_000_000          # as a page: the last one, since the nearest that exists is given
RECORDS = {"history": text("history"), "audit": text("audit"),
           "orderlog": text("moves played by your orders")}          # by the buttons that turn their pages


async def show_history(interaction: Interaction, visit: Visit, page: int | None) -> None:
    game, reader = visit.game, visit.reader
    rows, pages = await interaction.client.services.queries.history(game.id, page=NEWEST if page is None else page, size=PAGE)
    listed = [SelectOption(label=label_of(no, line, reader), value=str(no)) for no, mark, line in rows if not mark]
    listed = list({option.value: option for option in listed}.values())[-CHOICES:]
    more = [select(listed, on_look_row, game.id, hint=text("Show the board after …"))] if listed else []
    followed = listed[:-1] if page is None or page >= pages else listed             # nothing comes after the newest
    if followed and await masters(interaction, game):
        more.append(select(followed, BACK_TO, game.id, hint=text("Undo everything after …")))
    await turn(interaction, on_history, game, page, pages, history_lines(rows, reader), more)


def label_of(no: int, line: Text, reader: Reader) -> str:
    """A row of the history in a list, where nobody can be mentioned."""
    return clip(f"{no}. {MENTION.sub('', say(line, reader))}", NAME)


def history_lines(rows: Sequence[tuple[int, str, Text]], reader: Reader) -> list[str]:
    """Rows of a record with their numbers; what has been undone is struck out."""
    return [say(text("`{row}` ~~{line}~~ (undone)", row=no, line=line) if mark else text("`{row}` {line}", row=no, line=line),
                reader) for no, mark, line in rows]


async def turn(interaction: Interaction, route: Route[int, int], game: GameRow, wanted: int | None, pages: int,
               told: Sequence[str], more: Sequence[Persistent] = ()) -> None:
    page = max(1, pages if wanted is None else min(wanted, pages))
    head = text("**{title}**, {record}, page {page} of {pages}" if pages > 1 else "**{title}**, {record}",
                title=verbatim(titled(game)), record=RECORDS[route.name], page=page, pages=pages)
    ways = (text("Older"), page - 1), (text("Newer"), page + 1)
    turned = [button(label, route, game.id, to) for label, to in ways if 1 <= to <= pages]
    await reply(interaction, lines([head, *map(verbatim, told)]), view([
        *more, *turned, button(text("Back to the game"), HOME, game.id)]))


@in_game("history")
async def on_history(interaction: Interaction, visit: Visit, page: int) -> None:
    await show_history(interaction, visit, page)
