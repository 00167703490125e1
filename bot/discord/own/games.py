"""My games: one private screen with all games of a member on all servers, those that await the member first."""
from __future__ import annotations

from collections.abc import Sequence

from discord.utils import format_dt

from bot.discord.components import Persistent, Style, button, in_rows, pressed, view
from bot.discord.context import Context, Interaction
from bot.discord.game.answering import on_your_move
from bot.discord.game.buttons import HOME, MY_GAMES
from bot.discord.game.status import since
from bot.discord.lengths import clip
from bot.discord.lobby.open_game import taken_seats
from bot.discord.responses import reply, titled, where_played
from bot.discord.sanitize import tame
from bot.domain.announcements import member, reader_of
from bot.domain.pages import paged
from bot.service.own_games import OwnGame, Standing
from bot.store import Holder
from engine.kernel import Seat, Table
from engine.text import Fact, Text, count, lines, say, text, verbatim

SHOWN = 7                   # games of a page: as many as fit into one message, whatever their titles and questions
SHORT = 80                  # characters of a question in the list
ROW = 5                     # buttons in a row
HEADS: dict[Standing, Text] = {"asked": text("### Your move"), "next": text("### You're next"),
                               "other": text("### Your other games")}


async def show_own_games(interaction: Interaction, page: int = 1) -> None:
    bot, here = interaction.client, interaction.guild_id
    games = await bot.services.own_games.own_games(interaction.user.id)
    if not games:
        await reply(interaction, text("You're in no game right now. `/game list` shows the open ones, `/game open` starts one."))
        return
    shown, pages = paged(games, page, SHOWN)
    page = min(max(page, 1), pages)
    yours = sum(game.standing == "asked" for game in games)
    total = count(len(games), "You're in {n} game", "You're in {n} games")
    told = [text("{games}. It's your move in {yours}.", games=total, yours=yours) if yours else
            text("{games}. It isn't your move anywhere right now.", games=total)]
    for place, game in enumerate(shown):
        if not place or game.standing != shown[place - 1].standing:
            told.append(HEADS[game.standing])
        told.append(await _line(bot, here, game))
    turning = [(text("Previous"), page - 1), (text("Next"), page + 1)]
    turns = [button(label, MY_GAMES, to) for label, to in turning if 1 <= to <= pages]
    if turns:
        told.append(text("-# Page {page} of {pages}", page=page, pages=pages))
    ways = [_way(game) for game in shown]
    await reply(interaction, lines(told), view(in_rows([ways[:ROW], ways[ROW:], turns])))


async def _line(bot: Context, here: int | None, game: OwnGame) -> Text:
    """A game in one paragraph: where it is played, unless on this server, and what it waits for."""
    row, details = game.row, await bot.services.own_games.own_game_details(game.row.id)
    place = where_played(row)
    guild = None if row.guild in (None, here) else bot.get_guild(row.guild or 0)
    where = place if guild is None else text("{place}, {server}", place=place, server=verbatim(tame(guild.name)))
    head = text("**{title}** · game {game} · {where}", title=verbatim(titled(row)), game=row.id, where=where)
    return text("{head}\n{stands}", head=head, stands=details.broken or _stands(game, details.holders, details.table,
                                                                                     details.since))


def _stands(game: OwnGame, holders: Sequence[Holder], table: Table | None, asked_since: str | None) -> Text:
    """Return what a game waits for: the question to the member and the time left, or whose move it is and since when."""
    if game.row.status == "paused":
        return text("Paused.")
    if table is None or asked_since is None:
        return taken_seats(game.row, holders)
    question = None if game.seat is None else table.asked(game.seat)
    if game.seat is not None and question is not None:
        due = None if game.deadline is None else game.deadline.due_at
        left = text("asked {moment}", moment=since(asked_since)) if due is None else text(
            "deadline {moment}", moment=verbatim(format_dt(due, "R")))
        return text("{question} ({left})", question=verbatim(_short(question.text(), table)), left=left)
    users = {holder.seat: holder.user for holder in holders}
    awaited = tuple([text("{seat} ({member})", seat=verbatim(_short(asked.seat, table)), member=member(user))
                     for asked in table.asks if (user := users.get(asked.seat)) is not None])
    return text("Waiting for {awaited}, asked {moment}.", awaited=awaited, moment=since(asked_since))


def _short(words: Text | Seat, table: Table) -> str:
    """Return what is said in a game's own words, on one short line."""
    return clip(" ".join(say(words, reader_of(table)).split()), SHORT)


def _way(game: OwnGame) -> Persistent:
    row = game.row
    facts: dict[str, Fact] = {"game": row.id, "title": verbatim(row.title)}
    if game.standing == "asked" and game.seat is not None:
        return button(text("Your move: {title} · game {game}", **facts), on_your_move, row.id, game.seat, style=Style.primary)
    return button(text("{title} · game {game}", **facts), HOME, row.id)


@pressed(MY_GAMES)
async def on_own_games(interaction: Interaction, page: int) -> None:
    await show_own_games(interaction, page)
