"""Sends the outbox to Discord: each letter once, in the order of its game, however often the bot is stopped in between.

Every attempt of a letter carries the same nonce, so Discord drops a repetition. A game whose channel cannot be reached rests
for a while and is tried again; its opener is told, and no other game waits for it.
"""
from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Coroutine, Sequence
from contextvars import copy_context
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
from discord.ext import tasks

from bot.buttons import Persistent, Style, button, joining, view
from bot.menu import capital
from bot.news import GM
from bot.replies import MESSAGE, clip, pieces, reader_of, record, seat_name, titled
from bot.shows import looks
from bot.store import GameRow, Holder, OutboxRow
from engine.kernel import Seat, Table
from engine.refusals import Refusal
from engine.story import BOARD, pictures
from engine.text import say

if TYPE_CHECKING:
    from bot.client import Chancery

BATCH = 100                     # letters fetched at once
PULSE = 30                      # seconds between looks at the outbox that nothing has called for
PATIENCE = 15                   # seconds that a game rests after a first failure; twice as long after each further one
GRACE = 10                      # seconds for what is under way when the bot stops
LONGEST = 900                   # seconds: the longest rest
GONE = 10003                    # Discord: unknown channel
REMEMBERED = 100                # messages back to which a direct message is looked for
BUSY = 429                      # HTTP: too many requests; above it, the server's own faults
HASTY = 40003                   # Discord: direct messages are opened too fast
NAMED_VERBS = 3                 # commands that a question names; if there are more, it names the menu

log = logging.getLogger(__name__)


class Outbox:
    """The sender: a task for each game that has something to say, so that no game waits for another.

    It looks when it is woken, and by itself now and then.
    """

    def __init__(self, bot: Chancery) -> None:
        self.bot, self.play = bot, bot.play
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)    # held while a game's messages change
        self._looking: asyncio.Task[None] | None = None         # has been woken, and has not looked
        self._busy: dict[int, asyncio.Task[None]] = {}          # game -> who sends its letters
        self._context = copy_context()                          # the bot's own: the store's thread, which wakes, has another
        self._rests: dict[int, tuple[float, float]] = {}        # game -> (until when, for how long)
        self._told: set[int] = set()                            # games whose opener knows that their channel is out of reach
        self._untidy: set[int] = set()                          # games where a question may have been answered
        self._bare: set[int] = set()                            # questions whose buttons are off

    def start(self) -> None:
        """Begin; what waits from before is sent first."""
        self._context = copy_context()
        self.play.wake = self.wake
        self.pulse.start()

    async def stop(self) -> None:
        """Finish the letters under way, unless Discord takes too long."""
        self.play.wake = None
        self.pulse.cancel()
        under_way = [task for task in (self._looking, *self._busy.values()) if task is not None]
        if under_way:
            _, late = await asyncio.wait(under_way, timeout=GRACE)
            for task in late:
                task.cancel()

    def wake(self) -> None:
        """Something new is waiting."""
        if self._looking is None and not self.bot.is_closed():      # one that has not looked will see the newest letters too
            self._looking = self._task(self._look())

    def answered(self, game: int) -> None:
        """A question of this game may have been answered: take the buttons off its message."""
        self._untidy.add(game)
        self.wake()

    def _task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        return self._context.run(asyncio.create_task, work)

    @tasks.loop(seconds=PULSE)
    async def pulse(self) -> None:
        """Look by itself: for what was left when the bot stopped, and for games that have rested."""
        await self._look()

    @pulse.before_loop
    async def _ready(self) -> None:
        await self.bot.wait_until_ready()

    async def _look(self) -> None:
        """Have somebody at work for every game that has something to say and does not rest."""
        self._looking = None
        if not self.bot.is_ready():
            return
        now = asyncio.get_running_loop().time()
        try:
            games = {letter.game for letter in await self.play.pending(BATCH)} | self._untidy
        except Exception as error:                              # the database is unwell: the next pulse tries again
            record(error)
            return
        for game in games:
            if game not in self._busy and self._rests.get(game, (0.0, 0.0))[0] <= now:
                self._busy[game] = self._task(self._serve(game))

    # -- letters

    async def _serve(self, number: int) -> None:
        """Send what one game has to say, until it has said all or something fails."""
        try:
            async with self._locks[number]:
                game = await self.play.game(number)
                while letters := [letter for letter in await self.play.pending(BATCH) if letter.game == number]:
                    self._untidy.add(number)
                    if not await self._send(game, letters):
                        self._rest(number)
                        return
                self._rests.pop(number, None)
                if number in self._untidy:
                    self._untidy.discard(number)
                    await self._tidy(game)
        except Exception as error:                              # the database is unwell, or a fault of ours
            record(error)
            self._rest(number)
        finally:
            del self._busy[number]
        self.wake()                                             # for a letter that came between the last look and here

    async def _send(self, game: GameRow, letters: Sequence[OutboxRow]) -> bool:
        """Send letters in their order; False if one of them must be tried again later."""
        drawn, overtaken = _newest_pictures(letters)
        for letter in letters:
            try:
                message = None if letter.id in overtaken else await self._deliver(game, drawn.get(letter.id, letter))
                await self.play.sent(letter.id, message)
                if message is not None:
                    self._told.discard(game.id)
            except Exception as error:
                if not await self._given_up(game, letter, error):
                    return False
        return True

    async def _deliver(self, game: GameRow, letter: OutboxRow) -> int | None:
        """Send one letter; the number of its message, if there is one."""
        sending = {"log": self._log, "picture": self._picture, "question": self._question, "private": self._private,
                   "final": self._final, "notice": self._notice, "farewell": self._farewell}[letter.kind]
        return await sending(game, letter)

    async def _given_up(self, game: GameRow, letter: OutboxRow, error: Exception) -> bool:
        """Whether a letter that could not be sent is not tried again; tells the opener what only people can mend."""
        why = f"{type(error).__name__} {getattr(error, 'code', '')}".strip()
        log.warning("game %s, letter %s (%s): %s", game.id, letter.id, letter.kind, why)
        gone = isinstance(error, discord.NotFound) and error.code == GONE
        if gone or isinstance(error, discord.Forbidden):
            await self._tell_opener(game, gone=gone)
            return gone and await self.play.failed(letter.id, why, give_up=True)
        if isinstance(error, (aiohttp.ClientError, OSError)) or getattr(error, "status", 0) >= BUSY:
            return False                                        # Discord or the network is unwell; no letter is to blame
        if not isinstance(error, discord.HTTPException):
            record(error)
        return await self.play.failed(letter.id, why)

    def _rest(self, game: int) -> None:
        """Leave a game alone for a while, twice as long after each failure."""
        rest = min(2 * self._rests.get(game, (0.0, PATIENCE / 2))[1], LONGEST)
        self._rests[game] = asyncio.get_running_loop().time() + rest, rest

    async def _tell_opener(self, game: GameRow, *, gone: bool) -> None:
        """Once until it is mended: why the channel is silent."""
        if game.id in self._told:
            return
        self._told.add(game.id)
        words = (f"The channel of {titled(game)} (game {game.id}) is gone. The game is kept, but its news cannot be posted. "
                 f"You can close it from any other channel with `/gm close game:{game.id}`." if gone else
                 f"I cannot post the news of {titled(game)} (game {game.id}) in <#{game.channel}>: there I need to view the "
                 "channel, to send messages and to attach files. Nothing is lost; I try again by myself.")
        try:
            await (await self._direct(game.owner)).send(words)
        except discord.HTTPException as deaf:
            log.warning("game %s: its opener cannot be told (%s)", game.id, deaf.code)

    # -- one kind each

    async def _post(self, game: GameRow, letter: OutboxRow, words: str, items: discord.ui.View | None = None,
                    files: Sequence[discord.File] = (), ping: int | None = None) -> int:
        """A message in the game's channel, in pieces if it is long; the number of the last one."""
        channel = self.bot.get_partial_messageable(game.channel)
        *earlier, last = pieces(words) or [""]
        for place, piece in enumerate(earlier):
            await channel.send(piece, nonce=f"{letter.nonce}.{place}")
        pinged = discord.AllowedMentions(users=[discord.Object(ping)] if ping else False)
        extra: dict[str, Any] = {"view": items} if items else {}
        message = await channel.send(last, files=list(files), nonce=letter.nonce, allowed_mentions=pinged, **extra)
        return message.id

    async def _log(self, game: GameRow, letter: OutboxRow) -> int:
        return await self._post(game, letter, "\n".join(letter.payload["lines"]))

    async def _notice(self, game: GameRow, letter: OutboxRow) -> int:
        addressed = game.owner if letter.audience == GM else None
        words = f"<@{addressed}> {letter.payload['text']}" if addressed else letter.payload["text"]
        return await self._post(game, letter, words, view(joining(game)) if game.status == "open" else None,
                                ping=addressed or letter.payload.get("ping"))

    async def _final(self, game: GameRow, letter: OutboxRow) -> int:
        told = letter.payload
        places = [f"{place}. {name}: {points}" for _, name, place, points in told["standings"]]
        dice = (f"-# The secret of the dice was `{told['secret']}`; its SHA-256, told at the start, is `{told['commitment']}`. "
                "`/game export` has the whole record.")
        return await self._post(game, letter, "\n".join([f"**{told['result']}**", *places, dice]))

    async def _picture(self, game: GameRow, letter: OutboxRow) -> int | None:
        told, spec = letter.payload, self.play.spec(game.key)
        key, row = told.get("picture", BOARD.key), told["row"]
        picture = next((picture for picture in pictures(spec) if picture.key == key), None)
        if picture is None:
            return None                                         # another version of the game had it
        theme = await self.play.theme(game.guild)
        try:
            drawn = await self.bot.gallery.picture(game.id, picture, theme, row=row, since=told.get("since"))
        except Refusal:                                         # there is no such picture of this position
            return None
        if drawn is None:
            return None
        items = looks(game, spec) if picture is pictures(spec)[0] else []
        return await self._post(game, letter, drawn.text(), view(items), files=drawn.files())

    async def _question(self, game: GameRow, letter: OutboxRow) -> int | None:
        """The question for its seat, with its answers as buttons, or with one that opens the menu.

        Whoever answers one question after the other, in a turn of many steps, has one message that keeps up.
        """
        told, seat = letter.payload, Seat(letter.payload["seat"])
        table = await self._table(game.id)
        asked = table.asked(seat) if table else None
        if table is None or asked is None or table.asked_at != told["asked_at"]:
            return None                                         # answered before it could be put
        holder = await self.holder(game.id, seat)
        command = table.spec.command
        items = [button(capital(label), "do", game.id, seat, told["asked_at"], choice, style=Style.primary)
                 for label, choice in told["buttons"] if not told["secret"]]
        items = items or [button("Your move", "move", game.id, seat, style=Style.primary)]
        items.append(button("My private view", "mine", game.id))        # the same for all: it tells nothing of anybody
        verbs = " or ".join(f"`/{command} {kind.verb}`" for kind in asked.accepts[:NAMED_VERBS])
        user = holder.user if holder else None
        words = (f"{f'<@{user}> ' if user else ''}**{seat_name(table, seat, reader_of(table))}**: {told['text']}\n"
                 f"-# Press a button, or type {verbs if len(asked.accepts) <= NAMED_VERBS else f'`/{command} menu`'}.")
        last = (await self.play.messages(game.id)).get(f"question:{seat}") if told["follows"] else None
        if last is not None:
            try:
                await self.bot.get_partial_messageable(game.channel).get_partial_message(last).edit(
                    content=words, view=view(items), allowed_mentions=discord.AllowedMentions.none())
                self._bare.discard(last)
                return last
            except discord.NotFound:
                log.info("game %s: a question is gone", game.id)
        await self._unbutton(game, seat)
        return await self._post(game, letter, words, view(items), ping=user)

    # -- without the outbox

    async def announce(self, game: GameRow, words: str, items: Sequence[Persistent]) -> bool:
        """Say something in the game's channel now, without the outbox; whether that was possible."""
        try:
            extra: dict[str, Any] = {"view": view(items)}
            await self.bot.get_partial_messageable(game.channel).send(words, **extra)
        except discord.HTTPException as refused:
            log.warning("game %s: its channel cannot be written to (%s)", game.id, refused.code)
            return False
        return True

    # -- direct messages: one for each game and player, kept up to date

    async def open_private(self, game: GameRow, seat: Seat) -> bool:
        """Write the standing private message of a seat to its holder now; whether it could be written."""
        async with self._locks[game.id]:
            holder = await self.holder(game.id, seat)
            table = await self._table(game.id)
            standing = table.spec.private(table.state, seat) if table else None
            words = say(standing, reader_of(table)) if table and standing else "What only you may see will stand here."
            return holder is not None and await self._write(game, holder, words, table) is not None

    async def _private(self, game: GameRow, letter: OutboxRow) -> int | None:
        holder = await self.holder(game.id, Seat(letter.audience))
        words = "\n".join([letter.payload["text"], *(f"> {line}" for line in letter.payload["last"])])
        return await self._write(game, holder, words, await self._table(game.id), nonce=letter.nonce) if holder else None

    async def _write(self, game: GameRow, holder: Holder, words: str, table: Table | None, *,
                     nonce: str | None = None) -> int | None:
        """Edit the one direct message for this seat, or send it; None if its holder does not want it or cannot be reached."""
        if holder.user is None or not holder.private:
            return None
        called = f"{seat_name(table, holder.seat, reader_of(table))}, " if table else ""
        body = clip(f"{_head(game)}: {called}for you alone\n{words}", MESSAGE)
        known = (await self.play.messages(game.id)).get(f"private:{holder.seat}")
        extra: dict[str, Any] = {"nonce": nonce} if nonce else {}
        try:
            channel = await self._direct(holder.user)
            if known is not None:
                try:
                    return (await channel.get_partial_message(known).edit(content=body)).id
                except discord.NotFound:
                    log.info("game %s: a private message is gone", game.id)
            old = await self._found(game, channel)
            return (await (old.edit(content=body) if old else channel.send(body, **extra))).id
        except discord.HTTPException as shut:
            if isinstance(shut, discord.Forbidden) or shut.code == HASTY:
                log.info("game %s: a player cannot be written to directly (%s)", game.id, shut.code)
                return None                                     # the channel's button and the command show the same
            raise

    async def retire(self, game: GameRow, user: int | None, why: str) -> None:
        """Take the secrets out of a member's direct message, and say why it stands still."""
        if user is None:
            return
        async with self._locks[game.id]:
            try:
                await self._emptied(game, user, why)
            except discord.HTTPException as gone:
                log.info("game %s: a private message cannot be changed (%s)", game.id, gone.code)

    async def _farewell(self, game: GameRow, letter: OutboxRow) -> None:
        """The same for somebody who has a seat no more; it is tried until it is done, or cannot be done at all."""
        try:
            await self._emptied(game, letter.payload["user"], letter.payload["text"])
        except (discord.Forbidden, discord.NotFound) as gone:
            log.info("game %s: a private message cannot be changed (%s)", game.id, gone.code)

    async def _emptied(self, game: GameRow, user: int, why: str) -> None:
        message = await self._found(game, await self._direct(user))
        if message is not None:
            await message.edit(content=f"{_head(game)}: {why}")

    async def _found(self, game: GameRow, channel: discord.DMChannel) -> discord.Message | None:
        """The direct message about a game, by how it begins."""
        async for message in channel.history(limit=REMEMBERED):
            if message.author == self.bot.user and message.content.startswith(_head(game)):
                return message
        return None

    async def _direct(self, user: int) -> discord.DMChannel:
        return await self.bot.create_dm(discord.Object(user))

    # -- what it looks up

    async def holder(self, game: int, seat: Seat) -> Holder | None:
        """Who holds a seat."""
        return next((holder for holder in await self.play.holders(game) if holder.seat == seat), None)

    async def _table(self, game: int) -> Table | None:
        """The running table; None before the start, and for a game that cannot be played."""
        try:
            return await self.play.table(game)
        except Refusal:
            return None

    # -- buttons that have done their work

    async def _tidy(self, game: GameRow) -> None:
        """Take the buttons off questions that are over.

        Of sealed answers, those that are in keep their buttons until all are: who has answered is nobody's business.
        """
        table = await self._table(game.id)
        asked = {question.seat for question in table.asks} if table and game.status == "running" else set()
        for holder in await self.play.holders(game.id):
            if holder.seat not in asked:
                await self._unbutton(game, holder.seat)

    async def _unbutton(self, game: GameRow, seat: Seat) -> None:
        message = (await self.play.messages(game.id)).get(f"question:{seat}")
        if message is None or message in self._bare:
            return
        self._bare.add(message)
        try:
            await self.bot.get_partial_messageable(game.channel).get_partial_message(message).edit(view=None)
        except discord.HTTPException as gone:                   # old buttons are harmless anyway
            log.info("game %s: a question cannot be changed (%s)", game.id, gone.code)


def _newest_pictures(letters: Sequence[OutboxRow]) -> tuple[dict[int, OutboxRow], set[int]]:
    """Of the pictures that wait, by number, the newest of each kind, marked with all that is new; and those it overtakes."""
    newest: dict[str, OutboxRow] = {}
    overtaken: set[int] = set()
    for letter in letters:
        if letter.kind != "picture":
            continue
        key = letter.payload.get("picture", BOARD.key)
        since = letter.payload.get("since", letter.payload["row"])
        if key in newest:
            overtaken.add(newest[key].id)
            since = min(since, newest[key].payload["since"])
        newest[key] = replace(letter, payload={**letter.payload, "since": since})
    return {letter.id: letter for letter in newest.values()}, overtaken


def _head(game: GameRow) -> str:
    """How a direct message about a game begins: by this it is found again."""
    return f"**{titled(game)}** (game {game.id})"
