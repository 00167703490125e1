"""The noticeboard of each server: one message, posted, pinned, kept up to date, and posted again if somebody deletes it.

What is new is noted in the store with the rows that it comes from, so nothing is missed if the bot is stopped; all that comes
within a few seconds changes the message once.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextvars import copy_context
from dataclasses import dataclass

import aiohttp
import discord
from discord import ui

from bot.discord.channels import HISTORY, PIN, may
from bot.discord.components import Persistent, Style, button, in_rows
from bot.discord.confided import for_all, for_member
from bot.discord.context import Context
from bot.discord.direct_messages import TooManyOpened
from bot.discord.errors import note
from bot.discord.game.buttons import MY_GAMES
from bot.discord.game.status import since
from bot.discord.heard import listening
from bot.discord.languages import in_all, of_member, of_server
from bot.discord.lengths import LABEL, clip
from bot.discord.lobby.buttons import GAMES, JOIN, OPEN, SEAT
from bot.discord.outbox.blocks import Block, blocks_view, changed_to, words_of
from bot.discord.refusals import NO_CHANNEL, meaning, unwell
from bot.discord.responses import titled
from bot.discord.sanitize import tame
from bot.discord.visibility import readable_in
from bot.domain.announcements import member, reader_of
from bot.domain.turns import BLOCKS
from bot.store import GameRow
from bot.store.noticeboards import NoticeboardRow
from engine.text import Fact, Text, count, printed, say, text, verbatim
from engine.text.hebrew import unmarked
from engine.text.languages import speaking

APART = 5.0                 # seconds between two rounds: what comes meanwhile changes each message once
LOOK = 3600.0               # seconds after which a message is looked for that nothing has changed
RETRY_AFTER = 60.0             # seconds until a refused message is tried again; twice as long after each further time
LONGEST = 3600.0            # the longest of them
TIDY = 300.0                # seconds between two looks whether it is still the newest pin
FOUND = 50                  # pinned messages, or newest ones, among which one is looked for that was never written down
ROOM = BLOCKS - 120         # characters for games: below them stands how many more there are
LISTED = 12                 # games of a kind at most
OFFERED = 10                # buttons of a kind: two rows
ROW = 5                     # buttons of a row
WIDTH = 60                  # characters of a title or of a seat's name
HEAD = text("# Noticeboard")
TITLES = {"open": text("### Open games"), "free": text("### Free seats"), "running": text("### Running games")}

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Posting:
    """What a noticeboard says and offers."""

    parts: Sequence[str]
    items: Sequence[Persistent]

    def look(self) -> tuple[str, ...]:
        return *self.parts, *(item.custom_id for item in self.items)

    def shown(self) -> ui.LayoutView:
        head, *below = self.parts
        return blocks_view([Block(head, below=below)], self.items)


class Noticeboards:
    """Keeps the noticeboards of all servers true."""

    def __init__(self, bot: Context) -> None:
        self.bot, self.services = bot, bot.services
        self._waiting: asyncio.Task[None] | None = None         # has been woken, and has not looked
        self._working = asyncio.Lock()
        self._next = 0.0                                        # when the next round can be
        self._none = False                                      # no server has one: nothing can be new
        self._context = copy_context()
        self._shown: dict[int, tuple[int, tuple[str, ...]]] = {}        # server -> its message, and what that says
        self._seen: dict[int, float] = {}                       # server -> when its message was last there
        self._tidied: dict[int, float] = {}                     # server -> when it was last looked at what is pinned
        self._rests: dict[int, tuple[float, float]] = {}        # server -> (until when, for how long)

    def start(self) -> None:
        self._context, self._none = copy_context(), False

    async def stop(self) -> None:
        """Stop; what was not shown is shown after the next start."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        async with self._working:
            pass

    def wake(self) -> None:
        if self._waiting is None and not self._none and not self.bot.is_closed():
            self._waiting = self._context.run(asyncio.create_task, self._round())

    async def _round(self) -> None:
        """Show what is new, not before some seconds have gone by since the last time."""
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, self._next - loop.time()))
        self._waiting = None
        async with self._working:
            self._next = loop.time() + APART
            try:
                await self._show_all(loop.time())
            except Exception as error:
                if unwell(error):
                    log.warning("the noticeboards: %s", type(error).__name__)
                else:                                           # the database is unwell, or a fault of ours
                    await note(self.services, error, "noticeboard")

    async def _show_all(self, now: float) -> None:
        old, boards = await self.services.noticeboards.noticeboards()
        self._none = not old and not boards
        for channel, message in old:
            await self._take_down(channel, message)
        for board in boards:
            stale = board.changed != board.shown
            if self._rests.get(board.guild, (0.0, 0.0))[0] > now:
                continue
            if stale or now - self._seen.get(board.guild, -LOOK) >= LOOK:
                try:
                    await self._show(board, now, look=not stale)
                    self._rests.pop(board.guild, None)
                except (discord.HTTPException, aiohttp.ClientError, OSError) as refused:
                    await self._refused(board, refused, now)

    async def _show(self, board: NoticeboardRow, now: float, *, look: bool) -> None:
        """Bring a noticeboard up to date, or see whether it is still there."""
        guild, service = self.bot.get_guild(board.guild), self.services.noticeboards
        if guild is None or guild.unavailable:
            return                                              # it is shown as soon as the server is back
        channel = self.bot.get_partial_messageable(board.channel)
        with listening(), speaking(of_server(self.bot, guild.id)):
            posting = await compose(self.bot, guild, board)
            await for_all(self.bot, board.channel)
        known = (board.message, posting.look())
        hidden = guild.get_channel_or_thread(board.channel) is None             # or gone, which Discord is asked
        if board.message is not None and (look or hidden or self._shown.get(board.guild) != known):
            try:
                await channel.get_partial_message(board.message).edit(**changed_to(posting.shown()),
                                                                      allowed_mentions=discord.AllowedMentions.none())
            except discord.HTTPException as gone:
                if meaning(gone) != "gone" or gone.code == NO_CHANNEL:
                    raise
                await service.noticeboard_gone(board.guild, board.message)
                self.wake()
                return
        number = board.message
        if number is None:
            number = await self._left(channel, board, posting) or await self._post(channel, board, posting)
        self._shown[board.guild], self._seen[board.guild] = (number, posting.look()), now
        await service.noticeboard_shows(board, number)
        if board.message is None or now - self._tidied.get(board.guild, -TIDY) >= TIDY:
            self._tidied[board.guild] = now
            await self._pin(channel, board, number)

    async def _post(self, channel: discord.PartialMessageable, board: NoticeboardRow, posting: Posting) -> int:
        return (await channel.send(view=posting.shown(), nonce=board.nonce, allowed_mentions=discord.AllowedMentions.none())).id

    async def _left(self, channel: discord.PartialMessageable, board: NoticeboardRow, posting: Posting) -> int | None:
        """A message that was posted just before the bot stopped, and never written down: it is used again."""
        if not may(self.bot, board.channel, HISTORY):
            return None
        heads = in_all(HEAD)
        async for message in channel.history(limit=FOUND):
            if message.author == self.bot.user and unmarked(words_of(message)).partition("\n")[0] in heads:
                await message.edit(**changed_to(posting.shown()))
                return message.id
        return None

    async def _pin(self, channel: discord.PartialMessageable, board: NoticeboardRow, number: int) -> None:
        """Have it as the newest pin, if that is allowed, and take away the note that Discord posts about it."""
        if not (may(self.bot, board.channel, PIN) and may(self.bot, board.channel, HISTORY)):
            return
        try:
            pins = [message.id async for message in channel.pins(limit=FOUND)]
            if pins[:1] == [number]:
                return
            message = channel.get_partial_message(number)
            if number in pins:
                await message.unpin()
            await message.pin()
            async for told in channel.history(limit=ROW, after=discord.Object(number)):
                if told.type is discord.MessageType.pins_add and told.author == self.bot.user:
                    await told.delete()
        except discord.HTTPException as refused:
            log.info("server %s: its noticeboard cannot be pinned neatly (%s)", board.guild, refused.code)

    async def _refused(self, board: NoticeboardRow, why: Exception, now: float) -> None:
        """It is tried again after a while; whoever has put it up is told once if its channel is gone for good."""
        log.warning("server %s: its noticeboard cannot be shown (%s)", board.guild, type(why).__name__)
        self._shown.pop(board.guild, None)
        guild = self.bot.get_guild(board.guild)
        if (getattr(why, "code", 0) == NO_CHANNEL and guild is not None and not guild.unavailable
                and guild.get_channel_or_thread(board.channel) is None and guild.channels):
            await self.services.noticeboards.lose_noticeboard(board.guild)
            await self._tell(board, guild)
            return
        rest = min(2 * self._rests.get(board.guild, (0.0, RETRY_AFTER / 2))[1], LONGEST)
        self._rests[board.guild] = now + rest, rest

    async def _tell(self, board: NoticeboardRow, guild: discord.Guild) -> None:
        words = text("The channel of the noticeboard of {server} is gone. `/settings` hangs it up in another one.",
                     server=verbatim(tame(guild.name)))
        try:
            channel = await self.bot.directs.to(board.user)
            with listening(), speaking(of_member(self.bot, board.user)):
                told = say(words)
                await for_member(self.bot, board.user)
            await channel.send(told)
        except (discord.HTTPException, TooManyOpened) as deaf:
            log.warning("server %s: nobody can be told that its noticeboard is lost (%s)", board.guild, type(deaf).__name__)

    async def _take_down(self, channel: int, message: int) -> None:
        """Delete a message that is a noticeboard no more; what cannot be deleted stays as it is."""
        try:
            await self.bot.get_partial_messageable(channel).get_partial_message(message).delete()
        except (aiohttp.ClientError, OSError):
            return                                              # the next round tries again
        except discord.HTTPException as gone:
            if meaning(gone) == "later":
                return
            log.info("an old noticeboard cannot be taken away (%s)", gone.code)
        await self.services.noticeboards.noticeboard_deleted(message)

    def retry(self, guild: int) -> None:
        """A noticeboard was hung up, or what kept it from being shown may be mended: try at once."""
        self._rests.pop(guild, None)
        self._tidied.pop(guild, None)
        self._next, self._none = 0.0, False
        self.wake()


# --- what it says ----------------------------------------------------------------------------------------------

async def compose(bot: Context, guild: discord.Guild, board: NoticeboardRow) -> Posting:
    """Return what the noticeboard of a server says now: only games whose channel is seen by all who read it."""
    shown = await readable_in(bot, guild, board.channel, await bot.services.noticeboards.games_of_board(guild.id))
    lines: dict[str, list[str]] = {"open": [], "free": [], "running": []}
    ways: dict[str, list[Persistent]] = {"open": [], "free": []}
    for game in [game for game in shown if game.status == "open"][:LISTED]:
        words, way = await _open(bot, game)
        lines["open"].append(words)
        ways["open"] += way
    under_way = [game for game in shown if game.status != "open"]
    for game in under_way:
        if len(lines["free"]) < LISTED:
            words_of, ways_of = await _free(bot, game)
            lines["free"] += words_of
            ways["free"] += ways_of
    for game in under_way[:LISTED]:
        lines["running"].append(await _running(bot, game))
    further = [button(text("Open a game"), OPEN), button(text("All games"), GAMES, 0, 1), button(text("My games"), MY_GAMES, 1)]
    return Posting(_fitted(lines, games=len(shown)), in_rows([*_rows(ways["open"]), *_rows(ways["free"]), further]))


def _rows(items: Sequence[Persistent]) -> list[Sequence[Persistent]]:
    return [items[:OFFERED][at:at + ROW] for at in range(0, min(len(items), OFFERED), ROW)]


def _fitted(lines: dict[str, list[str]], *, games: int) -> list[str]:
    """As much as one message holds, part by part, and below it how many games there are in all if not all are told. Open games
    and free seats take turns until all are there: neither leaves the other no room."""
    room, shown = ROOM - len(say(HEAD)), {kind: list[str]() for kind in TITLES}
    offers = [(kind, lines[kind][place]) for place in range(LISTED) for kind in ("open", "free") if place < len(lines[kind])]
    for kind, line in [*offers, *(("running", line) for line in lines["running"])]:
        cost = len(line) + 1 + (len(say(TITLES[kind])) + 1 if not shown[kind] else 0)
        if cost > room:
            break
        shown[kind].append(line)
        room -= cost
    told = [say(HEAD), *("\n".join([say(title), *shown[kind]])
                                    for kind, title in TITLES.items() if shown[kind])]
    told_of = len(shown["open"]) + len(shown["running"])
    if not games:
        told.append(say(text("No game is being played here.")))
    if told_of < games:
        told.append(say(text("-# … and {games}: `/game list`",
                             games=count(games - told_of, "{n} more game", "{n} more games"))))
    return told


def _facts(game: GameRow) -> dict[str, Fact]:
    return {"title": verbatim(clip(titled(game), WIDTH)), "game": game.id, "channel": verbatim(f"<#{game.channel}>")}


async def _open(bot: Context, game: GameRow) -> tuple[str, list[Persistent]]:
    """An open game: what is played, how many seats are taken, and the button to join."""
    services, spec = bot.services, bot.services.session.spec(game.key)
    taken = sum(holder.user is not None for holder in await services.queries.holders(game.id))
    invited, facts = game.invite_only, _facts(game)
    seats: dict[str, Fact] = {"taken": taken, "seats": game.seats}
    told = [text("**{title}**", **facts), *([] if titled(game).startswith(spec.name) else [printed(spec.name)]),
            text("game {game}", **facts), text("{channel}", **facts),
            text("{taken} of {seats} seats taken, by invitation", **seats) if invited else
            text("{taken} of {seats} seats taken", **seats)]
    joining = [] if invited or taken >= game.seats else [
        button(_label(text("Join: {title} · game {game}", **facts)), JOIN, game.id, style=Style.success)]
    return " · ".join([say(part) for part in told]), joining


async def _free(bot: Context, game: GameRow) -> tuple[list[str], list[Persistent]]:
    """The free seats of a game, with a button to look at each; those that nobody can take over are not told."""
    services = bot.services
    free = await services.free_seats.free_seats(game.id)
    if not free or game.newcomers == "none":
        return [], []
    reader, words, ways = await services.queries.reader(game.id), list[str](), list[Persistent]()
    for seat in free:
        facts: dict[str, Fact] = {**_facts(game), "seat": verbatim(clip(say(seat.seat, reader), WIDTH))}
        words.append(say(text("**{seat}** in **{title}** · game {game} · {channel}", **facts) if seat.since is None else
                         text("**{seat}** in **{title}** · game {game} · {channel} · became free {moment}", **facts,
                              moment=since(seat.since))))
        ways.append(button(_label(text("Take over: {seat} ({game})", **facts)), SEAT, game.id, seat.seat, style=Style.primary))
    return words, ways


async def _running(bot: Context, game: GameRow) -> str:
    """A game under way: for whom it waits and since when, as everybody may know it [P-28]."""
    facts = _facts(game)
    if game.status == "paused":
        return say(text("**{title}** · game {game} · {channel} · paused", **facts))
    details = await bot.services.own_games.own_game_details(game.id)
    if details.table is None or details.since is None:
        return say(text("**{title}** · game {game} · {channel}", **facts))
    reader, users = reader_of(details.table), {holder.seat: holder.user for holder in details.holders}
    awaited = tuple([text("{seat} ({member})", seat=verbatim(clip(say(asked.seat, reader), WIDTH)), member=member(user))
                     for asked in details.table.asks if (user := users.get(asked.seat)) is not None])
    if not awaited:
        return say(text("**{title}** · game {game} · {channel}", **facts))
    return say(text("**{title}** · game {game} · {channel} · waiting for {awaited}, asked {moment}", **facts, awaited=awaited,
                    moment=since(details.since)))


def _label(words: Text) -> str:
    return clip(say(words), LABEL)
