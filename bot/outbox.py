"""Sends the outbox to Discord: each letter once, in the order of its game, however often the bot is stopped in between.

Every attempt of a letter carries the same nonce, so Discord drops a repetition. It does so for some minutes only: after an
attempt of which nobody knows how it ended, the letter is looked for in its channel before it is sent again. A game whose channel
cannot be reached rests for a while and is tried again; its opener is told, and no other game waits for it.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping, Sequence
from contextvars import copy_context
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import aiohttp
import discord
from discord.abc import Messageable
from discord.ext import tasks

from bot.buttons import Persistent, Style, button, joining, view
from bot.clock import poll, remind, tell_next
from bot.escalation import escalate
from bot.gallery import fenced
from bot.menu import capital
from bot.news import GM, PUBLIC, member
from bot.place import ATTACH, PIN, ground, losses, may
from bot.play.orders import occasion
from bot.replies import FINISHED, MESSAGE, clip, lines, note, pieces, reader_of, titled
from bot.returns import posted
from bot.shows import FENCES, looks
from bot.status import standing, ways
from bot.store import GameRow, Holder, OutboxRow
from bot.talk import answering, let_in_and_out, told, waits
from engine.kernel import Seat, Table
from engine.orders import OCCASION
from engine.record import seal
from engine.refusals import Refusal
from engine.story import BOARD, pictures
from engine.text import English, Fact, Text, say, text, verbatim

if TYPE_CHECKING:
    from bot.client import Chancery

BATCH = 100                     # letters fetched at once
PULSE = 30                      # seconds between looks at the outbox that nothing has called for
PATIENCE = 15                   # seconds that a game rests after a first failure; twice as long after each further one
GRACE = 10                      # seconds for what is under way when the bot stops
LONGEST = 900                   # seconds: the longest rest
GONE = 10003                    # Discord: unknown channel
ASLEEP = 50083                  # Discord: the thread has been put away
OFTEN = 30046                   # Discord: a message older than an hour was changed too often
REMEMBERED = 100                # messages back to which a direct message is looked for
BUSY = 429                      # HTTP: too many requests; above it, the server's own faults
RECENT = 1000                   # letters back in which games are found whose buttons may be left over from a stop
SEARCHED = 50                   # messages among which a letter is looked for that may have arrived
PINS = 50                       # pinned messages among which a status message is looked for
PINNING = 5                     # messages among which Discord's note about a pinned one is looked for
HASTY = 40003                   # Discord: direct messages are opened too fast
NAMED_VERBS = 3                 # commands that a question names; if there are more, it names the menu

log = logging.getLogger(__name__)


class Outbox:
    """The sender: a task for each game that has something to say, so that no game waits for another.

    It looks when it is woken, and by itself now and then.
    """

    def __init__(self, bot: Chancery) -> None:
        self.bot, self.play = bot, bot.play
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()     # held while a game's messages change
        self._looking: asyncio.Task[None] | None = None         # has been woken, and has not looked
        self._busy: dict[int, asyncio.Task[None]] = {}          # game -> who sends its letters
        self._context = copy_context()                          # the bot's own: the store's thread, which wakes, has another
        self._rests: dict[int, tuple[float, float]] = {}        # game -> (until when, for how long)
        self._told: set[int] = set()                            # games whose opener knows that their channel is out of reach
        self._untidy: set[int] = set()                          # games where a question may have been answered
        self._bare: dict[int, dict[Seat, int]] = {}             # game -> seat -> its last question, once its buttons are off
        self._clear: set[int] = set()                           # games of which no attempt has an unknown end
        self._newest: dict[int, int] = {}                       # other games -> their newest message that is known
        self._begun = False                                     # has looked for what was left when the bot stopped
        self._shown: dict[int, tuple[int, tuple[str, ...]]] = {}        # game -> its status message, and what that says
        self._loose: dict[int, int] = {}                        # game -> its status message, if that cannot be pinned
        self._behind: set[int] = set()                          # games whose status message Discord would not change just now

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

    # -- letters

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
        drawn, overtaken = _newest_pictures(letters)
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
                   "vote": self._vote, "upcoming": self._upcoming, "request": self._request, "strike": self._strike}[letter.kind]
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

    def _lock(self, game: int) -> asyncio.Lock:
        return self._locks.setdefault(game, asyncio.Lock())

    def _forget(self, game: int) -> None:
        """A game that is over has hardly anything to say any more: keep nothing of it in memory."""
        for known in (self._rests, self._bare, self._newest, self._shown, self._loose):
            known.pop(game, None)
        for noted in (self._told, self._untidy, self._clear, self._behind):
            noted.discard(game)

    def _rest(self, game: int) -> None:
        """Leave a game alone for a while, twice as long after each failure."""
        rest = min(2 * self._rests.get(game, (0.0, PATIENCE / 2))[1], LONGEST)
        self._rests[game] = asyncio.get_running_loop().time() + rest, rest

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

    # -- one kind each

    async def _post(self, game: GameRow, letter: OutboxRow, words: str, items: discord.ui.View | None = None,
                    files: Sequence[discord.File] = (), ping: int | Sequence[int] | None = None, previews: bool = True) -> int:
        """A message in the game's channel, in pieces if it is long; the number of the last one."""
        channel = self.bot.get_partial_messageable(game.channel)
        *earlier, last = pieces(words) or [""]
        for place, piece in enumerate(earlier):
            await self.put(channel, piece, game=game.id, nonce=f"{letter.nonce}.{place}")
        users = [user for user in ([ping] if isinstance(ping, int) else ping or ())
                 if (await self.play.member(user)).pings == "all"]
        pinged = discord.AllowedMentions(users=[discord.Object(user) for user in users] or False)
        extra: dict[str, Any] = {"view": items} if items else {}
        return await self.put(channel, last, game=game.id, files=list(files), nonce=letter.nonce, allowed_mentions=pinged,
                              suppress_embeds=not previews, **extra)

    async def put(self, channel: Messageable, words: str, *, game: int, nonce: str, **extra: Any) -> int:
        """One message of a letter, unless an attempt that was cut off has posted it; its number."""
        arrived = None if game in self._clear else await self._arrived(channel, words, game, files=bool(extra.get("files")))
        return (await channel.send(words, nonce=nonce, **extra)).id if arrived is None else arrived

    async def _arrived(self, channel: Messageable, words: str, game: int, *, files: bool) -> int | None:
        """The message with these words that is newer than all that are known to be sent; None if there is none."""
        since = self._newest.get(game) or await self.play.newest_message(game)
        try:
            async for message in channel.history(limit=SEARCHED, after=None if since is None else discord.Object(since)):
                if message.author == self.bot.user and message.content == words and bool(message.attachments) == files:
                    self._newest[game] = message.id
                    return message.id
        except discord.HTTPException as refused:
            if refused.status >= BUSY:
                raise                                           # it will be seen later
            log.info("game %s: what has arrived cannot be seen (%s)", game, refused.code)
        return None

    async def _log(self, game: GameRow, letter: OutboxRow) -> int:
        return await self._post(game, letter, "\n".join(letter.payload["lines"]))

    async def _notice(self, game: GameRow, letter: OutboxRow) -> int:
        addressed = game.owner if letter.audience == GM else None
        words = f"<@{addressed}> {letter.payload['text']}" if addressed else letter.payload["text"]
        return await self._post(game, letter, words, view(joining(game)) if game.status == "open" else None,
                                ping=addressed)

    async def _reminder(self, game: GameRow, letter: OutboxRow) -> int | None:
        return await remind(self.bot, letter)

    async def _escalation(self, game: GameRow, letter: OutboxRow) -> int | None:
        return await escalate(self.bot, game, letter)

    async def _upcoming(self, game: GameRow, letter: OutboxRow) -> int | None:
        return await tell_next(self.bot, game, letter)

    async def _vote(self, game: GameRow, letter: OutboxRow) -> int:
        return await poll(self.bot, game, letter)

    async def _request(self, game: GameRow, letter: OutboxRow) -> int:
        """The one message of a request to take something back: posted once, and kept up to date."""
        asked, reader = await self.play.asked(letter.payload["request"]), await self.play.reader(game.id)
        words, items, waiting = await posted(self.bot, asked, reader)
        known = (await self.play.messages(game.id)).get(letter.key or "")
        if known is not None and await self._changed(game, known, clip(words, MESSAGE), items) is not None:
            return known
        return await self._post(game, letter, clip(words, MESSAGE), view(items), ping=waiting)

    async def _strike(self, game: GameRow, letter: OutboxRow) -> None:
        """Strike out the lines of a message whose rows have been taken back, and no others."""
        found = await self.play.struck(game.id, letter.payload["letter"])
        if found is None or len(found[1][0][0]) > MESSAGE:      # a sentence so long was posted in pieces
            return
        number, told = found
        words = "\n".join(f"~~{line}~~" if taken else line for line, taken in told)
        try:
            await self._changed(game, number, clip(words, MESSAGE), [])
        except discord.HTTPException as refused:
            if refused.code != OFTEN:                           # the notice of the return says the same
                raise

    async def _final(self, game: GameRow, letter: OutboxRow) -> int:
        told = letter.payload
        words = lines([
            text("**{result}**", result=verbatim(told["result"])),
            *(text("{place}. {name}: {points}", place=place, name=verbatim(name), points=points)
              for _, name, place, points in told["standings"]),
            text("-# The secret of the dice was `{secret}`; its SHA-256, told at the start, is `{commitment}`. `/game export` "
                 "has the whole record{sealed}.", secret=verbatim(told["secret"]), commitment=verbatim(told["commitment"]),
                 sealed=await self._seal(game))])
        return await self._post(game, letter, say(words, English()))

    async def _seal(self, game: GameRow) -> Text:
        """How a later copy of the record is compared with what it is now; nothing, if it cannot be read."""
        try:
            last = seal(await self.play.export(game.id))
        except Refusal:
            return text("")
        return text(", whose last hash is `{hash}`", hash=verbatim(last))

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
        board = picture is pictures(spec)[0]
        items = view(looks(game, spec) if board else [])
        if not drawn.image or may(self.bot, game.channel, ATTACH):
            try:
                return await self._post(game, letter, drawn.text(), items, files=drawn.files())
            except discord.Forbidden:                           # perhaps for the file alone: then words arrive
                log.info("game %s: a picture was refused", game.id)
        words = await self.bot.gallery.text(game.id, seat=None, row=row) if board else drawn.words
        *earlier, last = pieces(words, MESSAGE - FENCES) or [""]
        for place, piece in enumerate(earlier):
            await self._post(game, replace(letter, nonce=f"{letter.nonce}.{place}"), fenced(piece))
        return await self._post(game, letter, fenced(last), items)

    async def _question(self, game: GameRow, letter: OutboxRow) -> int | None:
        """The question for its seat, with its answers as buttons, or with one that opens the menu.

        Whoever answers one question after the other, in a turn of many steps, has one message that keeps up.
        """
        told, seat = letter.payload, Seat(letter.payload["seat"])
        table = await self._table(game.id)
        asked = next((question for question in table.asks if question.seat == seat), None) if table else None
        if table is None or asked is None or table.asked_at != told["asked_at"]:
            return None                     # answered before it could be put; of sealed answers nobody sees which are in
        holder = await self.holder(game.id, seat)
        command = table.spec.command
        items = [button(capital(label), "do", game.id, seat, told["asked_at"], choice, style=Style.primary)
                 for label, choice in told["buttons"] if not told["secret"]]
        if not items or any(kind.open_ended for kind in asked.accepts):                 # what no button says is a tap away too
            items.append(button(text("Your move"), "move", game.id, seat, style=Style.primary))
        items.append(button(text("My private view"), "mine", game.id))  # the same for all: it tells nothing of anybody
        verbs = [kind.verb for kind in asked.accepts] if len(asked.accepts) <= NAMED_VERBS else ["menu"]
        user = holder.user if holder else None
        put = text("**{seat}**: {question}\n-# Press a button, or type {commands}.", seat=seat, question=verbatim(told["text"]),
                   commands=_either([verbatim(f"`/{command} {verb}`") for verb in verbs]))
        words = say(text("{member} {put}", member=member(user), put=put) if user else put, reader_of(table))
        last = (await self.play.messages(game.id)).get(f"question:{seat}") if told["follows"] else None
        if last is not None and await self._changed(game, last, words, items) is not None:
            self._bare.get(game.id, {}).pop(seat, None)
            return last
        await self._unbutton(game, seat)
        return await self._post(game, letter, words, view(items), ping=user)

    async def _packet(self, game: GameRow, letter: OutboxRow) -> int | None:
        """The invitation to answer in advance: it names everybody who may be asked, and notifies who is not asked just now."""
        told, table = letter.payload, await self._table(game.id)
        if table is None or all(occasion(table, Seat(seat)).get(OCCASION) != told["span"] for seat in told["seats"]):
            return None                                         # what it was about is over
        users = {holder.seat: holder.user for holder in await self.play.holders(game.id) if holder.user is not None}
        named = " ".join(f"<@{users[seat]}>" for seat in told["seats"] if seat in users)
        return await self._post(game, letter, f"{named} {told['text']}", view([
            button(text("Answer in advance"), "packet", game.id, style=Style.primary)]),
            ping=[users[seat] for seat in told["seats"] if seat in users and seat not in told.get("asked", ())])

    async def _changed(self, game: GameRow, number: int, words: str, items: Sequence[Persistent]) -> discord.Message | None:
        """Change a message of the game's channel; None if it is gone. A thread that was put away is fetched back for it."""
        message = self.bot.get_partial_messageable(game.channel).get_partial_message(number)
        change: dict[str, Any] = {"content": words, "view": view(items), "allowed_mentions": discord.AllowedMentions.none()}
        try:
            try:
                return await message.edit(**change)
            except discord.HTTPException as refused:
                if refused.code != ASLEEP:
                    raise
                await self._rouse(game)
                return await message.edit(**change)
        except discord.NotFound as gone:
            if gone.code == GONE:
                raise
            log.info("game %s: a message is gone", game.id)
            return None

    async def _rouse(self, game: GameRow) -> None:
        """Fetch back a thread that was put away."""
        thread = await self.bot.fetch_channel(game.channel)
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False)

    # -- the one message that says how the game stands

    async def _status(self, game: GameRow, letter: OutboxRow) -> int | None:
        """Change the status message, if what it says has changed; post and pin another one if it is gone."""
        known = await self._restated(game)
        if known is not None:
            return known
        words, items = await self._standing(game)
        number = await self._left(game, words) or await self._post(game, letter, words, view(items))
        self._shown[game.id] = number, _look(words, items)
        await self._pin(game, number)
        return number

    async def _left(self, game: GameRow, words: str) -> int | None:
        """A status message that was pinned just before the bot stopped, and never written down: it is used again."""
        head, channel = words.partition("\n")[0], self.bot.get_partial_messageable(game.channel)
        try:
            async for message in channel.pins(limit=PINS):
                if message.author == self.bot.user and message.content.partition("\n")[0] == head:
                    return message.id if await self._changed(game, message.id, *await self._standing(game)) else None
        except discord.HTTPException as refused:
            log.info("game %s: what is pinned cannot be seen (%s)", game.id, refused.code)
        return None

    async def _standing(self, game: GameRow) -> tuple[str, list[Persistent]]:
        """What it says and offers now."""
        now = await self.play.game(game.id)
        words = say(await standing(self.play, now), await self.play.reader(game.id))
        return clip(words, MESSAGE), ways(self.play, now)

    async def _restated(self, game: GameRow) -> int | None:
        """Bring the status message up to date; its number, or None if there is none."""
        known = (await self.play.messages(game.id)).get("status")
        if known is None:
            return None
        words, items = await self._standing(game)
        if self._shown.get(game.id) == (known, _look(words, items)):
            return known
        try:
            message = await self._changed(game, known, words, items)
        except discord.HTTPException as refused:
            if refused.code != OFTEN:
                raise
            self._behind.add(game.id)                           # true again as soon as Discord lets it be
            return known
        if message is None:
            return None
        self._shown[game.id] = known, _look(words, items)
        if not message.pinned:
            await self._pin(game, known)
        return known

    async def _pin(self, game: GameRow, number: int) -> None:
        """Pin a message if that is allowed, and take away the note that Discord posts about it."""
        if number == self._loose.get(game.id) or not may(self.bot, game.channel, PIN):
            return
        channel = self.bot.get_partial_messageable(game.channel)
        try:
            await channel.get_partial_message(number).pin()
            async for note in channel.history(limit=PINNING, after=discord.Object(number)):
                if note.type is discord.MessageType.pins_add and note.author == self.bot.user:
                    await note.delete()
        except discord.HTTPException as refused:
            self._loose[game.id] = number
            log.info("game %s: its status cannot be pinned neatly (%s)", game.id, refused.code)

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

    async def leave(self, game: GameRow, messages: Mapping[str, int], to: int) -> None:
        """Make the messages that a game leaves behind in its old channel say where it has gone."""
        old = self.bot.get_partial_messageable(game.channel)
        words = say(text("{title} (game {game}) is now played in {channel}.", title=verbatim(titled(game)), game=game.id,
                         channel=verbatim(f"<#{to}>")), English())
        for key, number in messages.items():
            try:
                if key == "status":
                    await old.get_partial_message(number).edit(content=words, view=None)
                    await old.get_partial_message(number).unpin()
                elif key.startswith("question:"):
                    await old.get_partial_message(number).edit(view=None)
            except discord.HTTPException as gone:               # old buttons are harmless anyway
                log.info("game %s: what it left behind cannot be changed (%s)", game.id, gone.code)

    # -- press

    async def _press(self, game: GameRow, letter: OutboxRow) -> int | None:
        """A message of a seat: for all in the channel; else for the holder of a seat alone, in the channel only that it waits."""
        seat = None if letter.audience == PUBLIC else Seat(letter.audience)
        found = [press for press in await self.play.correspondence(game.id, seat) if press.id == letter.payload["press"]]
        if not found:
            return None
        reader = await self.play.reader(game.id)
        words = say(told(game, found[0]), reader)
        if seat is None:
            return await self._post(game, letter, words, previews=False)
        holder = await self.holder(game.id, seat)
        if holder is None or holder.user is None:
            return None                                         # whoever sits there next finds it with /talk read
        extra: dict[str, Any] = {"view": view([answering(game, found[0])])}
        if holder.private:
            try:
                return await self.put(await self._direct(holder.user), words, game=game.id, nonce=letter.nonce,
                                      suppress_embeds=True, **extra)
            except discord.HTTPException as shut:
                if not (isinstance(shut, discord.Forbidden) or shut.code == HASTY):
                    raise
        reading = button(text("Read it"), "letter", game.id, found[0].id)
        return await self._post(game, letter, say(waits(seat, holder.user), reader), view([reading]), ping=holder.user)

    # -- direct messages: one for each game and player, kept up to date

    async def open_private(self, game: GameRow, seat: Seat) -> bool:
        """Write the standing private message of a seat to its holder now; whether it could be written."""
        async with self._lock(game.id):
            holder = await self.holder(game.id, seat)
            table = await self._table(game.id)
            standing = table.spec.private(table.state, seat) if table else None
            words = say(standing or text("What only you may see will stand here."), reader_of(table) if table else English())
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
        facts = {"head": verbatim(_head(game)), "words": verbatim(words)}
        body = clip(say(text("{head}: {seat}, for you alone\n{words}", seat=holder.seat, **facts), reader_of(table)) if table else
                    say(text("{head}: for you alone\n{words}", **facts), English()), MESSAGE)
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

    async def retire(self, game: GameRow, user: int | None, why: Text) -> None:
        """Take the secrets out of a member's direct message, and say why it stands still."""
        if user is None:
            return
        async with self._lock(game.id):
            try:
                await self._emptied(game, user, say(why, English()))
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
        if message is None or message == self._bare.get(game.id, {}).get(seat):
            return
        try:
            await self.bot.get_partial_messageable(game.channel).get_partial_message(message).edit(view=None)
        except discord.HTTPException as gone:
            if gone.status >= BUSY:
                raise
            log.info("game %s: a question cannot be changed (%s)", game.id, gone.code)      # its old buttons are harmless
        self._bare.setdefault(game.id, {})[seat] = message


def _in_turn(letters: Sequence[OutboxRow]) -> Sequence[OutboxRow]:
    """What is to be sent next. Messages of the past are changed one by one, once there is no news to wait for it."""
    return [letter for letter in letters if letter.kind != "strike"] or letters[:1]


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


def _look(words: str, items: Sequence[Persistent]) -> tuple[str, ...]:
    """What can be seen of a message, to be compared."""
    return words, *(item.custom_id for item in items)


def _either(choices: Sequence[Text]) -> Text:
    """Commands of which one will do: "this or that"."""
    first, *others = choices
    for other in others:
        first = text("{one} or {other}", one=first, other=other)
    return first


def _head(game: GameRow) -> str:
    """How a direct message about a game begins: by this it is found again."""
    return f"**{titled(game)}** (game {game.id})"
