"""Sends the outbox to Discord: each letter once, in the order of its game, however often the bot is stopped in between.

Every attempt of a letter carries the same nonce, so Discord drops a repetition. It does so for some minutes only: after an
attempt of which nobody knows how it ended, the letter is looked for in its channel before it is sent again. A game whose channel
cannot be reached rests for a while and is tried again; its opener is told, and no other game waits for it.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
from discord.ext import tasks

from bot.outbox.news import News
from bot.outbox.pictures import Pictures, newest_pictures
from bot.outbox.private import Private
from bot.outbox.questions import Questions
from bot.outbox.status import StatusMessage
from bot.outbox.works import ASLEEP, BUSY, GONE
from bot.place import ground, losses
from bot.replies import FINISHED, lines, note, titled
from bot.store import GameRow, OutboxRow
from bot.talk import let_in_and_out
from engine.text import English, Fact, say, text, verbatim

if TYPE_CHECKING:
    from bot.client import Chancery

BATCH = 100                     # letters fetched at once
PULSE = 30                      # seconds between looks at the outbox that nothing has called for
PATIENCE = 15                   # seconds that a game rests after a first failure; twice as long after each further one
GRACE = 10                      # seconds for what is under way when the bot stops
LONGEST = 900                   # seconds: the longest rest
RECENT = 1000                   # letters back in which games are found whose buttons may be left over from a stop

log = logging.getLogger(__name__)


class Outbox(News, Pictures, Questions, StatusMessage, Private):
    """The sender: a task for each game that has something to say, so that no game waits for another.

    It looks when it is woken, and by itself now and then.
    """

    def __init__(self, bot: Chancery) -> None:
        super().__init__(bot)
        self._looking: asyncio.Task[None] | None = None         # has been woken, and has not looked
        self._busy: dict[int, asyncio.Task[None]] = {}          # game -> who sends its letters
        self._context = copy_context()                          # the bot's own: the store's thread, which wakes, has another
        self._rests: dict[int, tuple[float, float]] = {}        # game -> (until when, for how long)
        self._told: set[int] = set()                            # games whose opener knows that their channel is out of reach
        self._untidy: set[int] = set()                          # games where a question may have been answered
        self._begun = False                                     # has looked for what was left when the bot stopped

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
        await self._look(frozenset(self._behind))

    @pulse.before_loop
    async def _ready(self) -> None:
        await self.bot.wait_until_ready()

    async def _look(self, behind: frozenset[int] = frozenset()) -> None:
        """Have somebody at work for every game that has something to say and does not rest."""
        self._looking = None
        if not self.bot.is_ready():
            return
        now = asyncio.get_running_loop().time()
        try:
            if not self._begun:
                self._untidy |= await self.play.lately_told(RECENT)
                self._begun = True
            games = await self.play.addressed() | self._untidy | behind
        except Exception as error:                              # the database is unwell: the next pulse tries again
            await note(self.play, error, "outbox")
            return
        for game in games:
            if game not in self._busy and self._rests.get(game, (0.0, 0.0))[0] <= now:
                self._busy[game] = self._task(self._serve(game))

    async def _serve(self, number: int) -> None:
        """Send what one game has to say, until it has said all or something fails."""
        try:
            async with self._lock(number):
                await let_in_and_out(self.bot, number)
                behind = number in self._behind
                self._behind.discard(number)
                while letters := _in_turn(await self.play.pending_of(number, BATCH)):
                    self._untidy.add(number)
                    if not await self._send(await self.play.game(number), letters):
                        self._rest(number)
                        return
                self._rests.pop(number, None)
                game = await self.play.game(number)
                if behind:
                    await self._restated(game)
                if number in self._untidy:
                    await self._tidy(game)
                    self._untidy.discard(number)
                if game.status in FINISHED:
                    self._forget(number)
        except Exception as error:                              # the database is unwell, or a fault of ours
            await note(self.play, error, "outbox", number)
            self._rest(number)
        finally:
            del self._busy[number]
        self.wake()                                             # for a letter that came between the last look and here

    async def _send(self, game: GameRow, letters: Sequence[OutboxRow]) -> bool:
        """Send letters in their order; False if one of them must be tried again later."""
        drawn, overtaken = newest_pictures(letters)
        for letter in letters:
            try:
                message = None if letter.id in overtaken else await self._deliver(game, drawn.get(letter.id, letter))
                await self.play.sent(letter.id, message)
                self._clear.add(game.id)
                if message is not None:
                    self._told.discard(game.id)
            except Exception as error:
                self._note_end(game.id, error)
                if not await self._given_up(game, letter, error):
                    return False
        return True

    async def _deliver(self, game: GameRow, letter: OutboxRow) -> int | None:
        """Send one letter; the number of its message, if there is one."""
        sending = {"log": self._log, "picture": self._picture, "question": self._question, "packet": self._packet,
                   "private": self._private,
                   "final": self._final, "notice": self._notice, "status": self._status, "press": self._press,
                   "farewell": self._farewell, "reminder": self._reminder, "escalation": self._escalation,
                   "vote": self._vote, "upcoming": self._upcoming, "request": self._request, "strike": self._strike,
                   "lapse": self._lapse, "alone": self._alone, "proxy": self._proxy}[letter.kind]
        return await sending(game, letter)

    def _note_end(self, game: int, error: Exception) -> None:
        """Whether it is known that a message has not arrived: Discord has refused it."""
        self._newest.pop(game, None)
        if isinstance(error, discord.HTTPException) and error.status <= BUSY:
            self._clear.add(game)
        else:
            self._clear.discard(game)

    async def _given_up(self, game: GameRow, letter: OutboxRow, error: Exception) -> bool:
        """Whether a letter that could not be sent is not tried again; tells the opener what only people can mend."""
        why = f"{type(error).__name__} {getattr(error, 'code', '')}".strip()
        log.warning("game %s, letter %s (%s): %s", game.id, letter.id, letter.kind, why)
        if isinstance(error, discord.HTTPException) and error.code == ASLEEP:
            try:
                await self._rouse(game)
                return False
            except discord.HTTPException as locked:
                error = locked
        gone = isinstance(error, discord.NotFound) and error.code == GONE
        if gone or isinstance(error, discord.Forbidden):
            await self._tell_opener(game, gone=gone)
            return gone and await self.play.failed(letter.id, why, give_up=True)
        if isinstance(error, (aiohttp.ClientError, OSError)) or getattr(error, "status", 0) >= BUSY:
            return False                                        # Discord or the network is unwell; no letter is to blame
        if not isinstance(error, discord.HTTPException):
            await note(self.play, error, "letter", game.id, letter=letter.id, kind=letter.kind)
        return await self.play.failed(letter.id, why)

    def _rest(self, game: int) -> None:
        """Leave a game alone for a while, twice as long after each failure."""
        rest = min(2 * self._rests.get(game, (0.0, PATIENCE / 2))[1], LONGEST)
        self._rests[game] = asyncio.get_running_loop().time() + rest, rest

    def _forget(self, game: int) -> None:
        """A game that is over has hardly anything to say any more: keep nothing of it in memory."""
        for known in (self._rests, self._bare, self._newest, self._shown, self._loose):
            known.pop(game, None)
        for noted in (self._told, self._untidy, self._clear, self._behind):
            noted.discard(game)

    async def _tell_opener(self, game: GameRow, *, gone: bool) -> None:
        """Once until it is mended: why the channel is silent."""
        if game.id in self._told:
            return
        self._told.add(game.id)
        facts: dict[str, Fact] = {"title": verbatim(titled(game)), "game": game.id, "channel": verbatim(f"<#{game.channel}>")}
        found = None if gone else await ground(self.bot, game.channel)
        words = (text("The channel of {title} (game {game}) is gone. The game is kept, but its news cannot be posted. From any "
                      "other channel you can move it with `/gm move game:{game}`, or close it with `/gm close game:{game}`.",
                      **facts) if found is None else
                 lines([text("I cannot post the news of {title} (game {game}) in {channel}. Nothing is lost; I try again by "
                             "myself. You can also move the game with `/gm move game:{game}`.", **facts),
                        *losses(found.lacking())]))
        try:
            await (await self._direct(game.owner)).send(say(words, English()))
        except discord.HTTPException as deaf:
            log.warning("game %s: its opener cannot be told (%s)", game.id, deaf.code)

    async def look_after(self, game: GameRow) -> None:
        """Check the status message anew, whatever was found of it before: the bot may have been given permissions."""
        self._shown.pop(game.id, None)
        self._loose.pop(game.id, None)
        self.retry(game.id)
        await self.play.restate(game.id)

    def retry(self, game: int) -> None:
        """What kept a game's letters back may be mended: try them at once."""
        self._rests.pop(game, None)
        self._told.discard(game)
        self.wake()


def _in_turn(letters: Sequence[OutboxRow]) -> Sequence[OutboxRow]:
    """What is to be sent next. Messages of the past are changed one by one, once there is no news to wait for it."""
    return [letter for letter in letters if letter.kind != "strike"] or letters[:1]
