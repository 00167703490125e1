"""The one message that says how a game stands: posted, pinned, kept up to date, left behind; and what a lobby has besides."""
from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

import discord

from bot.discord.channels import PIN, may
from bot.discord.components import Persistent, view
from bot.discord.confided import Misdirected
from bot.discord.context import Context
from bot.discord.game.status import standing, ways
from bot.discord.lobby.buttons import GUESTS, START, seating, starting
from bot.discord.lobby.open_game import taken_seats
from bot.discord.lobby.opening import told_host
from bot.discord.lobby.options import edition_name
from bot.discord.outbox.arrivals import offers
from bot.discord.outbox.delivery import Delivery, sends
from bot.discord.refusals import OFTEN, lasting
from bot.discord.responses import MESSAGE, shortened, titled
from bot.domain import letters
from bot.domain.absence import STARTING
from bot.domain.announcements import member
from bot.store import GameRow, OutboxRow
from engine.text import English, Fact, count, say, text, verbatim

PINNING = 5                     # messages among which Discord's note about a pinned one is looked for

log = logging.getLogger(__name__)


class StatusMessage(Delivery):
    """The one message that says how a game stands."""

    def __init__(self, bot: Context) -> None:
        super().__init__(bot)
        self._shown: dict[int, tuple[int, tuple[str, ...]]] = {}        # game -> its status message, and what that says
        self._loose: dict[int, int] = {}                        # game -> its status message, if that cannot be pinned
        self._behind: set[int] = set()                          # games whose status message Discord would not change just now

    @sends(letters.Status, mark=lambda game, letter, message: f" · game {game} · " in message.content.partition("\n")[0])
    async def _status(self, game: GameRow, row: OutboxRow, letter: letters.Status) -> int | None:
        """Change the status message, if what it says has changed; post and pin another one if it is gone."""
        await self._of_the_lobby(game)
        known = await self._restated(game)
        if known is not None:
            return known
        words, items = await self._standing(game)
        number = await self._post(game, row, words, view(items))
        self._shown[game.id] = number, _look(words, items)
        await self._pin(game, number)
        return number

    async def _standing(self, game: GameRow) -> tuple[str, list[Persistent]]:
        now = await self.services.queries.game(game.id)
        words = say(await standing(self.services, now), await self.services.queries.reader(game.id))
        told = shortened(words, MESSAGE, text("`/game status game:{game}`", game=game.id))
        return await self.bot.icons.illustrated(told, now), await ways(self.services, now)

    async def _restated(self, game: GameRow) -> int | None:
        """Bring the status message up to date; its number, or None if there is none."""
        known = (await self.services.outbox.messages(game.id)).get("status")
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

    # -- what a game that is open has besides

    @sends(letters.LobbyFull, mark=lambda game, letter, message: (
        offers(message, START, game) and not offers(message, GUESTS, game)))
    async def _full(self, game: GameRow, row: OutboxRow, letter: letters.LobbyFull) -> int | None:
        """The host is called to start the game, once; as long as it has not begun the message stays, and stays true."""
        known = (await self.services.outbox.messages(game.id)).get(letter.key)
        holders = await self.services.queries.holders(game.id)
        if known is not None or game.status != "open" or len(holders) < game.seats:
            return known
        words, items = await self._calling(game)
        return await self._summon(game, row, words, items, [game.owner])

    @sends(letters.LateStart)
    async def _late(self, game: GameRow, row: OutboxRow, letter: letters.LateStart) -> int | None:
        """Those who have joined a full game are called, with its host: they can start it themselves by now."""
        users = [holder.user for holder in await self.services.queries.holders(game.id) if holder.user is not None]
        others = [user for user in users if user != game.owner]
        if game.status != "open" or not others or not await self.services.lobby.may_start(game.id, others[0]):
            return None
        words = text("{players}: all seats of {title} have been taken for {days}, and {host} hasn't started it. Any of you can "
                     "start it now.", players=tuple(map(member, others)), title=verbatim(titled(game)), host=member(game.owner),
                     days=count(STARTING.days, "{n} day", "{n} days"))
        return await self._summon(game, row, say(words, English()), [starting(game)], [*others, game.owner])

    async def _calling(self, game: GameRow) -> tuple[str, list[Persistent]]:
        holders = await self.services.queries.holders(game.id)
        if len(holders) < game.seats:
            return say(taken_seats(game, holders), English()), []
        words = text("{owner}, all seats are taken: you can start {title}.", owner=member(game.owner),
                     title=verbatim(titled(game)))
        return say(words, English()), [starting(game)]

    @sends(letters.Invitation, mark=lambda game, letter, message: f"(game {game})" in message.content)
    async def _invitation(self, game: GameRow, row: OutboxRow, letter: letters.Invitation) -> int | None:
        """In the channel beside a game's thread: that it can be joined, and from where; None where nothing can be posted."""
        words, items = await self._inviting(game)
        channel, shown = self.bot.get_partial_messageable(letter.channel), view(items)
        try:
            return await self.put(channel, words, row=row, view=shown, allowed_mentions=discord.AllowedMentions.none())
        except discord.HTTPException as refused:
            if not lasting(refused):
                raise
            log.info("game %s: nobody can be invited to it (%s)", game.id, refused.code)
            return None

    async def _inviting(self, game: GameRow) -> tuple[str, list[Persistent]]:
        spec, holders = self.services.session.spec(game.key), await self.services.queries.holders(game.id)
        facts: dict[str, Fact] = {"title": verbatim(titled(game)), "game": game.id, "channel": verbatim(f"<#{game.channel}>")}
        if game.status != "open":
            return say(text("**{title}** (game {game}) has started in {channel}.", **facts) if game.status != "closed" else
                       text("**{title}** (game {game}) is closed.", **facts), English()), []
        facts |= {"edition": verbatim(edition_name(spec, game.edition)), "taken": taken_seats(game, holders)}
        named = text("**{title}** (game {game}): a game of {spec}, {edition}, is open in {channel}. {taken}", **facts,
                     spec=verbatim(spec.name))
        told = named if game.title != spec.name else text("**{title}** (game {game}), {edition}, is open in {channel}. {taken}",
                                                          **facts)
        return say(told, English()), seating(game, spec, holders)[:1] if len(holders) < game.seats else []

    async def _of_the_lobby(self, game: GameRow) -> None:
        """Bring the invitation and what the host was told up to date; once the game has begun, they are done with."""
        if game.status == "open":
            holders = await self.services.queries.holders(game.id)
            free = any(holder.user is None for holder in holders) or len(holders) < game.seats
            await self.bot.hosts.update(game.id, say(told_host(game, free=free), English()), await ways(self.services, game))
        else:
            await self.bot.hosts.update(game.id, say(text("{title} has started.", title=verbatim(titled(game))), English()), [])
        for key, number in (await self.services.outbox.messages(game.id)).items():
            head, _, channel = key.partition(":")
            if head == "full" and game.status == "open":
                await self._changed(game, number, *await self._calling(game))
            elif head == "full":
                await self._deleted(game, number)
            elif head == "invitation":
                try:
                    await self._changed(game, number, *await self._inviting(game), channel=int(channel))
                except discord.HTTPException as refused:
                    if not lasting(refused):
                        raise
                    log.info("game %s: its invitation cannot be changed (%s)", game.id, refused.code)
                except Misdirected:                             # not everybody who reads there may read of it any more
                    log.info("game %s: its invitation stays as it is", game.id)
            if head in ("full", "invitation") and game.status != "open":
                await self.services.outbox.forget_message(game.id, key)

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
                    await old.get_partial_message(number).delete()
                elif key.startswith("invitation:"):             # whoever reads it may not see where the game has gone
                    async with self._lock(game.id):
                        await self.services.outbox.forget_message(game.id, key)
                        beside = self.bot.get_partial_messageable(int(key.partition(":")[2]))
                        await beside.get_partial_message(number).edit(content=words, view=None)
            except discord.HTTPException as gone:               # old buttons are harmless anyway
                log.info("game %s: what it left behind cannot be changed (%s)", game.id, gone.code)


def _look(words: str, items: Sequence[Persistent]) -> tuple[str, ...]:
    return words, *(item.custom_id for item in items)
