"""What every part of the outbox stands on: messages in a channel, each posted once, changed, and looked up again."""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias, TypeVar
from weakref import WeakValueDictionary

import discord
from discord import ui

from bot.core.visit import Onlooker
from bot.discord.components import Persistent, view
from bot.discord.confided import for_all, for_member
from bot.discord.context import Context
from bot.discord.languages import of_member
from bot.discord.lengths import pieces
from bot.discord.outbox.arrivals import Arrivals, Mark
from bot.discord.outbox.blocks import changed_to, ids_in, ids_of, words_in, words_of
from bot.discord.refusals import ASLEEP, NO_CHANNEL, meaning, unreachable
from bot.discord.responses import titled, where_played
from bot.domain.letters import Letter
from bot.store import MemberRow, OutboxRow, Pings
from engine.text import Text, say, text, verbatim
from engine.text.languages import speaking

FOR_MOVES: Sequence[Pings] = ("all",)                 # whom a message pings that tells of a move
IN_NEED: Sequence[Pings] = ("all", "reminders")       # and one without which a game may stand still

log = logging.getLogger(__name__)

Part = TypeVar("Part", bound="Delivery")
Kind = TypeVar("Kind", bound=Letter)
Sender: TypeAlias = Callable[[Part, Onlooker, OutboxRow, Kind], Awaitable[int | None]]

SENDERS: dict[type[Letter], Sender[Any, Any]] = {}
MARKS: dict[type[Letter], Mark] = {}


def sends(kind: type[Kind], mark: Mark | None = None) -> Callable[[Sender[Part, Kind]], Sender[Part, Kind]]:
    """Register what sends letters of this class: `sender(outbox, visit, row, letter)` returns the number of the message, or None
    if there is none.

    By a `mark`, `mark(game, letter, message)`, its message in the game's channel is known where what is told changes with the
    game, or is not told any more.
    """
    def register(sender: Sender[Part, Kind]) -> Sender[Part, Kind]:
        assert kind not in SENDERS, f"letters of the class {kind.__name__} have a sender already"
        SENDERS[kind] = sender
        if mark is not None:
            MARKS[kind] = mark
        return sender
    return register


class Delivery:
    def __init__(self, bot: Context) -> None:
        self.bot, self.services = bot, bot.services
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()     # held while a game's messages change
        self.arrivals = Arrivals(bot, MARKS)
        self._fixed: set[int] = set()                           # games of whose messages none can be changed
        self._put: dict[int, int] = {}                          # game -> the message that was posted last, and not changed

    async def _post(self, visit: Onlooker, letter: OutboxRow, words: str, items: ui.View | None = None,
                    ping: int | Sequence[int] | None = None, previews: bool = True,
                    wanted: Sequence[Pings] = FOR_MOVES) -> int:
        """A message in the game's channel, in pieces if it is long; the number of the last one. `ping`: whom it notifies, if that
        is what the member has `wanted`."""
        channel = self.bot.get_partial_messageable(visit.game.channel)
        *earlier, last = pieces(words) or [""]
        for place, piece in enumerate(earlier):
            await self.put(channel, piece, row=letter, part=str(place))
        pinged = await self._pinged(visit, [ping] if isinstance(ping, int) else ping or (), wanted)
        return await self.put(channel, last, row=letter, view=items, allowed_mentions=pinged, suppress_embeds=not previews)

    async def _pinged(self, visit: Onlooker, users: Sequence[int], wanted: Sequence[Pings]) -> discord.AllowedMentions:
        """Of these members those who want to be notified so."""
        those = [user for user in users if (await self._chosen(visit, user)).pings in wanted]
        return discord.AllowedMentions(users=[discord.Object(user) for user in those] or False)

    async def _summon(self, visit: Onlooker, letter: OutboxRow, words: Text, items: Sequence[Persistent],
                      users: Sequence[int]) -> int:
        """A message in the game's channel that calls members who can help a game on that stands still. To whoever wants no pings
        it goes directly, too, and first: then a direct message that has to wait leaves nothing half done."""
        told = text("In **{title}**, {channel}:\n{words}", title=verbatim(titled(visit.game)), channel=where_played(visit.game),
                    words=words)
        for place, user in enumerate(dict.fromkeys(users)):
            chosen = await self._chosen(visit, user)
            if chosen.pings == "none" and chosen.direct:
                await self._called_directly(visit, user, told, items, row=letter, part=f"u{place}")
        return await self._post(visit, letter, say(words, visit.reader), view(items), ping=users, wanted=IN_NEED)

    async def _chosen(self, visit: Onlooker, user: int) -> MemberRow:
        return visit.snapshot.members.get(user) or await self.services.settings.member(user)

    async def _called_directly(self, visit: Onlooker, user: int, words: Text, items: Sequence[Persistent], *, row: OutboxRow,
                               part: str) -> None:
        """A direct message to a member, who may take none."""
        with speaking(of_member(self.bot, user)):
            told, shown = say(words, visit.reader), view(items)
        try:
            await self.put(await self._direct(user), told, row=row, part=part, **({} if shown is None else {"view": shown}))
        except discord.HTTPException as shut:
            if not unreachable(shut):
                raise

    async def _show(self, visit: Onlooker, letter: OutboxRow, shown: ui.LayoutView, *, files: Sequence[discord.File] = (),
                    ping: Sequence[int] = ()) -> int:
        """A message of blocks in the game's channel; its number."""
        return await self.put(self.bot.get_partial_messageable(visit.game.channel), shown, row=letter, files=list(files),
                              allowed_mentions=await self._pinged(visit, ping, FOR_MOVES))

    async def put(self, channel: discord.PartialMessageable, words: str | ui.LayoutView, *, row: OutboxRow, part: str = "",
                  view: ui.View | None = None, **extra: Any) -> int:
        """One message of a letter, or a part of it; its number. What an attempt that was cut off has posted is brought up to
        date."""
        said, items = words_in(words), ids_in(words if isinstance(words, ui.LayoutView) else view)
        several = len({game for game, *_ in row.payload.get("duties", ())}) > 1      # a reminder tells of all games of a member
        await self._guard(channel.id, None if several else row.game)
        message = await self.arrivals.found(channel, row, said, items=items, files=bool(extra.get("files")), whole=not part)
        if message is None:                                     # of a nonce that Discord knows, it gives the message
            shown: dict[str, Any] = {"view": words} if isinstance(words, ui.LayoutView) else {
                "content": words, **({} if view is None else {"view": view})}
            message = await channel.send(nonce=f"{row.nonce}.{part}" if part else row.nonce, **shown, **extra)
        if self.arrivals.doubtful(row) and (words_of(message), ids_of(message)) != (said, items):
            await message.edit(**changed_to(words, view), allowed_mentions=discord.AllowedMentions.none())
        self.arrivals.take(message.id, row.id)
        self._put[row.game] = message.id
        return message.id

    async def _guard(self, channel: int, game: int | None) -> None:
        """See that what has been said may be read there. Raises Misdirected."""
        user = self.bot.directs.reader(channel)
        if user is None:
            await for_all(self.bot, channel)
        else:
            await for_member(self.bot, user, game)

    async def _changed(self, visit: Onlooker, number: int, words: str | ui.LayoutView, items: Sequence[Persistent] = (), *,
                       channel: int | None = None) -> discord.Message | None:
        """Change a message of the game's channel, or of another one; None if it is gone."""
        return await self._edited(visit, channel or visit.game.channel, number, lambda: {
            **changed_to(words, view(items)), "allowed_mentions": discord.AllowedMentions.none()})

    async def _edited(self, visit: Onlooker, channel: int, number: int, change: Callable[[], dict[str, Any]]
                      ) -> discord.Message | None:
        """Edit a message; None if it is gone. A thread of the game that was put away is fetched back for it. Each attempt asks
        anew for the `change`, since a file can be sent once."""
        await self._guard(channel, visit.id)
        self._fixed.discard(visit.id)
        message = self.bot.get_partial_messageable(channel).get_partial_message(number)
        try:
            try:
                return await message.edit(**change())
            except discord.HTTPException as refused:
                if refused.code != ASLEEP:
                    raise
                await self._rouse(visit)
                return await message.edit(**change())
        except discord.HTTPException as gone:
            if meaning(gone) == "forbidden":
                self._fixed.add(visit.id)
            if meaning(gone) != "gone" or gone.code == NO_CHANNEL:
                raise
            log.info("game %s: a message is gone", visit.id)
            return None

    async def _deleted(self, visit: Onlooker, number: int) -> None:
        """Delete a message of the game's channel, if that can be done: whatever its buttons say is harmless."""
        try:
            await self.bot.get_partial_messageable(visit.game.channel).get_partial_message(number).delete()
        except discord.HTTPException as gone:
            if meaning(gone) == "later":
                raise
            log.info("game %s: a message cannot be taken away (%s)", visit.id, gone.code)

    async def _rouse(self, visit: Onlooker) -> None:
        thread = await self.bot.fetch_channel(visit.game.channel)
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False)

    async def _direct(self, user: int, *, asked: bool = False) -> discord.PartialMessageable:
        return await self.bot.directs.to(user, asked=asked)

    def _lock(self, game: int) -> asyncio.Lock:
        return self._locks.setdefault(game, asyncio.Lock())
