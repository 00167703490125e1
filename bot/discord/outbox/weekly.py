"""The weekly summary of a server: one message in its noticeboard's channel, for the games that all see who read it there."""
from __future__ import annotations

import logging

import discord

from bot.discord.context import Context
from bot.discord.responses import MESSAGE, clip, titled
from bot.discord.visibility import may_be_read
from bot.domain.week import told
from bot.store import GameRow
from bot.store.noticeboards import NoticeboardRow
from engine.text import English, Fact, count, say, text, verbatim

ROOM = MESSAGE - 80         # characters for games: below them stands how many more there are
LINE = 400                  # characters of a game

log = logging.getLogger(__name__)


async def post_weeklies(bot: Context) -> None:
    """Post the summaries that are due, each once; one that can't be posted is tried again at the next look."""
    weekly = bot.services.weekly
    for board in await weekly.due_weeklies():
        guild = bot.get_guild(board.guild)
        if guild is None or guild.unavailable:
            continue
        words = await _summary(bot, guild, board)
        if not await weekly.begin_week(board) or not words:
            continue
        try:
            await bot.get_partial_messageable(board.channel).send(words, allowed_mentions=discord.AllowedMentions.none())
        except (discord.HTTPException, OSError) as refused:
            log.warning("server %s: its weekly summary can't be posted (%s)", board.guild, type(refused).__name__)
            await weekly.week_not_told(board)


async def _summary(bot: Context, guild: discord.Guild, board: NoticeboardRow) -> str:
    """What it says; "" if no game is under way."""
    here, lines = guild.get_channel_or_thread(board.channel), list[str]()
    for game in await bot.services.noticeboards.games_of_board(guild.id):
        if game.status == "open":
            continue
        if guild.get_channel_or_thread(game.channel) is None:
            await bot.threads.found(game.channel)
        if may_be_read(bot, guild, here, game):
            lines.append(await _line(bot, game, board.weekly or ""))
    head = say(text("# The week"), English())
    shown = [head]
    for line in lines:
        if len("\n".join([*shown, line])) > ROOM:
            break
        shown.append(line)
    if left := len(lines) + 1 - len(shown):
        shown.append(say(text("-# … and {games}: `/game list`", games=count(left, "{n} more game", "{n} more games")), English()))
    return "\n".join(shown) if lines else ""


async def _line(bot: Context, game: GameRow, since: str) -> str:
    """A game with its points, and in brackets what has changed in the week."""
    facts: dict[str, Fact] = {"title": verbatim(titled(game)), "game": game.id, "channel": verbatim(f"<#{game.channel}>")}
    week = await bot.services.weekly.week_of_game(game.id, since)
    reader = await bot.services.queries.reader(game.id)
    if week is None or not week[1]:
        return clip(say(text("- **{title}** · game {game} · {channel}", **facts), reader), LINE)
    moment, gains = week
    return clip(say(text("- **{title}** · game {game} · {channel} · {moment}: {points}", **facts, moment=moment,
                         points=tuple([told(gain) for gain in gains])), reader), LINE)
