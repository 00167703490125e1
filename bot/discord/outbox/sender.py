"""Sends the outbox to Discord: each letter once, in the order of its game, however often the bot is stopped in between.

Every attempt of a letter carries the same nonce, so Discord drops a repetition. It does so for some minutes only: after an
attempt of which nobody knows how it ended, the letter is looked for in its channel before it is sent again. What cannot be sent
rests for a while and is tried again: a letter that Discord refuses, with what must come after it; a channel that cannot be
reached, with all that goes there, and its game master is told. Nothing else waits for either.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from contextvars import copy_context

import discord

from bot.core.mailbox import LETTERS, in_channel
from bot.core.visit import Onlooker
from bot.discord.channels import ground, losses
from bot.discord.confided import Misdirected, for_member
from bot.discord.context import Context
from bot.discord.direct_messages import TooManyOpened
from bot.discord.errors import note
from bot.discord.find_game import FINISHED
from bot.discord.game_master.succession import master_of
from bot.discord.heard import listen, listening
from bot.discord.languages import of_member
from bot.discord.outbox.announcements import ChannelMessages
from bot.discord.outbox.delivery import SENDERS
from bot.discord.outbox.game_threads import GameThreads
from bot.discord.outbox.noticeboard import Noticeboards
from bot.discord.outbox.pictures import Pictures, newest_pictures, of_one_moment
from bot.discord.outbox.private_messages import Private
from bot.discord.outbox.questions import Questions
from bot.discord.outbox.status_message import StatusMessage
from bot.discord.outbox.threads import ALL, CHANNEL, thread, threads
from bot.discord.periodic import Periodic
from bot.discord.refusals import ASLEEP, NO_CHANNEL, meaning, undone, unwell
from bot.discord.responses import titled
from bot.discord.talk.commands import let_in_and_out
from bot.domain import letters
from bot.store import GameRow, OutboxRow
from engine.text import LANGUAGE, Fact, lines, say, text, verbatim
from engine.text.languages import speaking

PULSE = 30                      # seconds between looks at the outbox that nothing has called for
RETRY_AFTER = 15                   # seconds that a game rests after a first failure; twice as long after each further one
GRACE = 10                      # seconds for what is under way when the bot stops
LONGEST_REST = 900                   # seconds: the longest rest
RECENT = 1000                   # letters back in which games are found whose buttons may be left over from a stop

log = logging.getLogger(__name__)


class Outbox(ChannelMessages, Pictures, Questions, StatusMessage, GameThreads, Private):
    """The sender: a task for each game that has something to say, so that no game waits for another.

    It looks when it is woken, and by itself now and then.
    """

    def __init__(self, bot: Context) -> None:
        super().__init__(bot)
        self._busy: dict[int, asyncio.Task[None]] = {}          # game -> who sends its letters
        self._context = copy_context()                          # the bot's own: the store's thread, which wakes, has another
        self._rests: dict[int, dict[str, tuple[float, float]]] = {}     # game -> thread -> (until when, for how long)
        self._seen: dict[int, int] = {}                         # games that rest -> their newest letter that was looked at
        self._lost: set[int] = set()                            # channels that Discord did not know, since the last post
        self._told: set[int] = set()                            # games whose master knows that their channel is out of reach
        self._untidy: set[int] = set()                          # games where a question may have been answered
        self._news: set[int] = set()                          # busy games that have something to say since
        self._halted = False
        self._begun = False                                     # has looked for what was left when the bot stopped
        self.boards = Noticeboards(bot)
        self.pulse = Periodic(self._pulse, seconds=PULSE)

    def start(self) -> None:
        """Begin; what waits from before is sent first."""
        self._context = copy_context()
        self.services.session.store.on_news = self.wake
        self.boards.start()
        self.pulse.before_loop(self.bot.begun.wait)
        self.pulse.start()

    async def stop(self) -> None:
        """Finish the letters under way, unless Discord takes too long."""
        self.services.session.store.on_news = None
        self.pulse.cancel()
        await self.boards.stop()
        self._halted = True
        if self._busy:
            _, late = await asyncio.wait(self._busy.values(), timeout=GRACE)
            for task in late:
                task.cancel()

    def wake(self, games: Collection[int]) -> None:
        """These games have something to say, unless all that they say rests."""
        if not self.bot.begun.is_set() or self._halted or self.bot.is_closed():
            return
        self.boards.wake()
        now = asyncio.get_running_loop().time()
        for game in games:
            if game in self._busy:
                self._news.add(game)
            elif self._rests.get(game, {}).get(ALL, (0.0, 0.0))[0] <= now:
                self._busy[game] = self._context.run(asyncio.create_task, self._serve(game))

    def answered(self, game: int) -> None:
        """A question of this game may have been answered: take its message away."""
        self._untidy.add(game)
        if game not in self._busy:                              # else whoever is at it finds the game among the untidy ones
            self.wake([game])

    async def _pulse(self) -> None:
        """Look for what was left when the bot stopped, and for games that have rested."""
        try:
            if not self._begun:
                self._untidy |= await self.services.outbox.lately_told(RECENT)
                self._begun = True
            newest = await self.services.outbox.addressed()
        except Exception as error:                              # the database is unwell: the next pulse tries again
            await note(self.services, error, "outbox")
            return
        now = asyncio.get_running_loop().time()
        self.wake([game for game in newest.keys() | self._untidy | self._behind
                   if game not in self._busy and not self._idle(game, newest.get(game, 0), now)])

    def _idle(self, game: int, newest: int, now: float) -> bool:
        """True if nothing of a game can be done now: all that it has to say rests, and nothing has come since."""
        rests = self._rests.get(game, {})
        return newest <= self._seen.get(game, -1) and all(until > now for until, _ in rests.values())

    async def _serve(self, number: int) -> None:
        """Send what one game has to say, until it has said all or something fails."""
        try:
            async with self._lock(number):
                listen()
                if not self.bot.is_ready() and await self._out_of_sight(number):
                    self._rest(number, ALL)
                    return
                visit = await self.services.visits.onlooker(number)
                LANGUAGE.set(visit.game.spoken)
                await let_in_and_out(self.bot, visit)
                behind = number in self._behind
                self._behind.discard(number)
                try:
                    while not self._halted and (waiting := await self._sendable(visit)):
                        self._untidy.add(number)
                        visit = await self._send(visit, waiting)
                    rests = self._rests.get(number, {})
                    if ALL in rests or CHANNEL in rests:
                        return
                    visit = await self._still(visit)
                    if behind:
                        await self._restated(visit)
                    if number in self._untidy:
                        await self._tidy(visit)
                        if not await self._keep_place(visit):
                            self._behind.add(number)
                        self._untidy.discard(number)
                finally:
                    await self._write_down(visit)
                if visit.game.status in FINISHED and not rests:
                    self._forget(number)
        except Exception as error:
            if unwell(error):
                log.warning("game %s: %s", number, type(error).__name__)
            else:                                               # the database is unwell, or a fault of ours
                await note(self.services, error, "outbox", number)
            self._rest(number, ALL)
        finally:
            del self._busy[number]
        if number in self._news or number in self._untidy:    # a letter may have come since it was looked what waits
            self._news.discard(number)
            self.wake([number])

    async def _write_down(self, visit: Onlooker) -> None:
        """Store what has become of letters, several at once."""
        notes = [*visit.mail.notes]
        visit.mail.notes.clear()
        ids = [letter for letter, _ in notes if isinstance(letter, int)]
        try:
            if notes:
                await self.services.outbox.note(visit.id, notes)
        except BaseException:
            self.arrivals.doubt(ids)
            raise
        self.arrivals.settle(ids)

    async def _still(self, visit: Onlooker) -> Onlooker:
        """The same visit, made anew if anything may have changed since."""
        if visit.changes == self.services.session.store.changes:
            return visit
        await self._write_down(visit)
        now = await self.services.visits.onlooker(visit.id)
        LANGUAGE.set(now.game.spoken)
        now.mail.notes = visit.mail.notes                       # whoever holds the earlier visit writes down what comes yet
        return now

    async def _out_of_sight(self, number: int) -> bool:
        """True if a game's server belongs to a connection that isn't there yet: nothing is known of who reads what there."""
        guild = (await self.services.queries.game(number)).guild
        return guild is not None and self.bot.get_guild(guild) is None

    async def _sendable(self, visit: Onlooker) -> Sequence[OutboxRow]:
        """The next letters of a game that nothing holds up. Messages of the past are changed one by one, once no news wait."""
        now, after, strikes, game = asyncio.get_running_loop().time(), 0, list[OutboxRow](), visit.id
        rests, page, whole = self._rests.get(game, {}), visit.mail.pending, visit.mail.whole
        while True:
            idle = [letter for letter in page if letter.superseded and not self.arrivals.doubtful(letter)]
            for letter in idle:
                visit.mail.became(letter, None)                 # nobody needs it, and it has surely not been posted
            if whole or not idle:                               # else there is room for others in the page
                free = [letter for letter in page if letter not in idle
                        and all(rests.get(one, (0.0, 0.0))[0] <= now for one in threads(letter))]
                if news := [letter for letter in free if letter.kind != letters.Strike.kind]:
                    return news
                strikes, after = strikes or free[:1], page[-1].id if page else after
                if whole:
                    break
            await self._write_down(visit)
            page = await self.services.outbox.pending_of(game, after=after)
            whole = len(page) < LETTERS
        if not strikes:
            self._rests[game] = rests = {one: rest for one, rest in rests.items() if after and rest[0] > now}
            self._seen[game] = after
            if not rests:
                del self._rests[game], self._seen[game]
        return strikes

    async def _send(self, visit: Onlooker, waiting: Sequence[OutboxRow]) -> Onlooker:
        """Send letters in their order; one that must be tried again later holds up those of its thread."""
        drawn, overtaken = newest_pictures(waiting)
        held, done, no = set[str](), set[int](), waiting[0].no
        for letter in waiting:
            if self._halted:
                return visit
            if letter.id in done or held.intersection(threads(letter)):
                continue
            if letter.no != no:                                 # what one move has set off is stored together
                await self._write_down(visit)
                no = letter.no
            visit = await self._still(visit)
            together = [letter] if letter.id in overtaken else of_one_moment(
                letter, [other for other in waiting if other.id not in overtaken])
            try:
                message = None if letter.superseded or letter.id in overtaken else await self._deliver(
                    visit, *[drawn.get(one.id, one) for one in together])
                if message is None:
                    message = await self.arrivals.passed_over(self._place(visit, letter), letter)
            except Exception as error:
                if not undone(error):                           # it may have arrived
                    self.arrivals.doubt([one.id for one in together])
                rests = await self._failed(visit, letter, error)
                if rests is not None:
                    self._rest(visit.id, rests)
                    held.add(rests)
            else:
                for one in together:
                    visit.mail.became(one, message)
                done |= {one.id for one in together}
                self._eased(letter, posted=message is not None and message == self._put.pop(visit.id, None))
        return await self._still(visit)

    async def _deliver(self, visit: Onlooker, letter: OutboxRow, *others: OutboxRow) -> int | None:
        """Send one letter, or the pictures of one moment; the number of the message, if there is one."""
        if others:
            with listening():
                return await self.album(visit, [letter, *others])
        told = letters.read(letter.kind, letter.audience, letter.payload)
        user: int | None = getattr(told, "user", None) if told.alone else None
        readers = [user or (visit.id, told.audience)] if told.alone else []
        with listening(*readers), speaking(visit.game.spoken if user is None else of_member(self.bot, user)):
            return await SENDERS[type(told)](self, visit, letter, told)

    def _place(self, visit: Onlooker, letter: OutboxRow) -> discord.PartialMessageable:
        return self.bot.get_partial_messageable(letter.payload.get("channel", visit.game.channel))

    async def _failed(self, visit: Onlooker, letter: OutboxRow, error: Exception) -> str | None:
        """Return what has to rest since a letter could not be sent; None if the letter is not tried again.

        Tells the game master what only people can mend. A letter that Discord or the bot itself refuses is given up after many
        attempts, with an incident.
        """
        why = f"{type(error).__name__} {getattr(error, 'code', '')}".strip()
        log.warning("game %s, letter %s (%s): %s", visit.id, letter.id, letter.kind, why)
        if isinstance(error, discord.HTTPException) and error.code == ASLEEP:
            try:
                await self._rouse(visit)
                return CHANNEL
            except discord.HTTPException as locked:
                error = locked
        if isinstance(error, Misdirected) and (await self.services.queries.game(visit.id)).channel != visit.game.channel:
            return CHANNEL                                      # the game has just moved, and the letter goes there
        means, gone = meaning(error), getattr(error, "code", 0) == NO_CHANNEL
        if in_channel(letter) and (gone or means == "forbidden"):
            lost = gone and self._is_gone(visit)
            if lost or not gone:
                await self._tell_master(visit, gone=gone)
            given_up = lost and await self.services.outbox.failed(letter.id, why, give_up=True)
            return None if given_up else CHANNEL
        if means == "forbidden" or isinstance(error, TooManyOpened):        # the letter is not to blame, and waits for its turn
            return thread(letter)
        if unwell(error) or isinstance(error, OSError):         # no letter is to blame
            return ALL
        if means == "later":
            return CHANNEL if in_channel(letter) else thread(letter)
        given_up = await self.services.outbox.failed(letter.id, why, give_up=isinstance(error, Misdirected))
        if means == "fault" and (given_up or not isinstance(error, discord.HTTPException)):
            await note(self.services, error, "letter", visit.id, letter=letter.id, kind=letter.kind)
        return None if given_up else thread(letter)

    def _is_gone(self, visit: Onlooker) -> bool:
        """True if the channel of a game is gone for good: its server has no such channel, and other games' channels are known.

        A bot that was given the file or the token of another one does not know any of them.
        """
        self._lost.add(visit.game.channel)
        guild = self.bot.get_guild(visit.game.guild or 0)
        known = guild is None or guild.unavailable or guild.get_channel_or_thread(visit.game.channel) is not None
        if known or len(self._lost) > 1:
            log.error("game %s: Discord does not know its channel; if that is so for all games, this bot has the database or the "
                      "token of another one. Its letters are kept.", visit.id)
            return False
        return True

    def _rest(self, game: int, thread: str) -> None:
        """Leave a thread of a game alone for a while, twice as long after each failure."""
        rests = self._rests.setdefault(game, {})
        rest = min(2 * rests.get(thread, (0.0, RETRY_AFTER / 2))[1], LONGEST_REST)
        rests[thread] = asyncio.get_running_loop().time() + rest, rest

    def _eased(self, letter: OutboxRow, *, posted: bool) -> None:
        """A letter was sent, so nothing that it belongs to has to rest any more."""
        rests = self._rests.get(letter.game, {})
        for one in threads(letter):
            rests.pop(one, None)
        if not rests:
            self._rests.pop(letter.game, None)
            self._seen.pop(letter.game, None)
        if posted and letter.game not in self._fixed:
            self._told.discard(letter.game)
        if posted and in_channel(letter):
            self._lost.clear()

    def _forget(self, game: int) -> None:
        """A game that is over has hardly anything to say any more: keep nothing of it in memory."""
        for known in (self._rests, self._seen, self._shown, self._loose):
            known.pop(game, None)
        for noted in (self._told, self._fixed, self._untidy, self._behind, self._news):
            noted.discard(game)

    async def _tell_master(self, visit: Onlooker, *, gone: bool) -> None:
        """Once until it is mended: why the channel is silent."""
        if visit.id in self._told:
            return
        self._told.add(visit.id)
        facts: dict[str, Fact] = {"title": verbatim(titled(visit.game)), "game": visit.id,
                                  "channel": verbatim(f"<#{visit.game.channel}>")}
        found = None if gone else await ground(self.bot, visit.game.channel)
        words = (text("The channel of {title} (game {game}) is gone. The game is safe, but I can't post its news. From any other "
                      "channel, move it with `/gm move game:{game}` or close it with `/gm close game:{game}`.",
                      **facts) if found is None else
                 lines([text("I can't post the news of {title} (game {game}) in {channel}. Nothing is lost, and I'll keep "
                             "trying. You can also move the game with `/gm move game:{game}`.", **facts),
                        *losses(found.lacking())]))
        master = await master_of(self.bot, visit.game)
        try:
            channel = await self._direct(master)
            with listening(), speaking(of_member(self.bot, master)):
                told = say(words)
                await for_member(self.bot, master, visit.id)
            await channel.send(told)
        except (discord.HTTPException, TooManyOpened) as deaf:
            log.warning("game %s: its game master cannot be told (%s)", visit.id, type(deaf).__name__)

    async def look_after(self, game: GameRow) -> None:
        """Check the status message anew, whatever was found of it before: the bot may have been given permissions."""
        self._shown.pop(game.id, None)
        self._loose.pop(game.id, None)
        self.retry(game.id)
        await self.services.channels.restate(game.id)

    def retry(self, game: int) -> None:
        """What kept a game's letters back may be mended: try them at once."""
        self._rests.pop(game, None)
        self._seen.pop(game, None)
        self._told.discard(game)
        self._fixed.discard(game)
        self.wake([game])
