"""The weekly summary of a server: one message in its noticeboard's channel, for the games that all see who read it there. That of
a member: one direct message with all own games."""
from __future__ import annotations

import logging
from collections.abc import Sequence

import discord

from bot.discord.components import button
from bot.discord.context import Context
from bot.discord.game.buttons import MY_GAMES, SETTINGS
from bot.discord.game.clock import direct
from bot.discord.languages import of_server
from bot.discord.lengths import MESSAGE, clip
from bot.discord.refusals import meaning
from bot.discord.responses import titled
from bot.discord.visibility import readable_in
from bot.domain import letters
from bot.domain.week import gain_text
from bot.store import GameRow, OutboxRow
from engine.text import Fact, Text, count, say, text, verbatim
from engine.text.languages import speaking

ROOM = MESSAGE - 80         # characters for games: below them stands how many more there are
LINE = 400                  # characters of a game

log = logging.getLogger(__name__)


async def tell_server(bot: Context, row: OutboxRow, letter: letters.ServerWeek) -> int | None:
    """Post the summary in the channel of the noticeboard, as it hangs now; None where none is wanted any more, or nothing can be
    told. Raises OSError: the server can't be reached just now."""
    board, guild = await bot.services.noticeboards.noticeboard(letter.guild), bot.get_guild(letter.guild)
    if board is None or board.weekly is None:
        return None
    if guild is None or guild.unavailable:
        raise OSError
    games = [game for game in await bot.services.noticeboards.games_of_board(guild.id) if game.status != "open"]
    with speaking(of_server(bot, guild.id)):
        lines = [await _line(bot, game, letter.since) for game in await readable_in(bot, guild, board.channel, games)]
        said = _fitted(text("# The week"), lines)
    if not lines:
        return None
    try:
        return await bot.outbox.put(
            bot.get_partial_messageable(board.channel), said, row=row,
            allowed_mentions=discord.AllowedMentions.none())
    except discord.HTTPException as gone:
        if meaning(gone) != "gone":
            raise
        log.warning("server %s: the channel of its noticeboard is gone (%s)", letter.guild, gone.code)
        return None


async def tell_member(bot: Context, row: OutboxRow, letter: letters.MemberWeek) -> int | None:
    """Tell a member of the week of all own games; nothing if none is left, or the member takes no direct messages."""
    if not await bot.services.weekly.own_weekly(letter.user):
        return None
    lines = [await _line(bot, game, letter.since) for game in await bot.services.weekly.games_of_week(letter.user)]
    if not lines:
        return None
    return await direct(bot, letter.user, verbatim(_fitted(text("# Your week"), lines)), [
        button(text("My games"), MY_GAMES, 1), button(text("Settings"), SETTINGS, "me", 0)], row=row)


def _fitted(title: Text, lines: Sequence[str]) -> str:
    """As many lines as one message holds, and below them how many more there are."""
    shown = [say(title)]
    for line in lines:
        if len("\n".join([*shown, line])) > ROOM:
            break
        shown.append(line)
    if left := len(lines) + 1 - len(shown):
        shown.append(say(text("-# … and {games}: `/game list`", games=count(left, "{n} more game", "{n} more games"))))
    return "\n".join(shown)


async def _line(bot: Context, game: GameRow, since: str) -> str:
    """A game with its points, and in brackets what has changed in the week."""
    facts: dict[str, Fact] = {"title": verbatim(titled(game)), "game": game.id, "channel": verbatim(f"<#{game.channel}>")}
    week = await bot.services.weekly.week_of_game(game.id, since)
    reader = await bot.services.queries.reader(game.id)
    if week is None or not week[1]:
        return clip(say(text("- **{title}** · game {game} · {channel}", **facts), reader), LINE)
    moment, gains = week
    return clip(say(text("- **{title}** · game {game} · {channel} · {moment}: {points}", **facts, moment=moment,
                         points=tuple([gain_text(gain) for gain in gains])), reader), LINE)
