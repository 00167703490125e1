"""The one message that says how a game stands: posted, pinned, kept up to date, left behind; and what a lobby has besides."""
from __future__ import annotations

import logging
import re
from collections.abc import Mapping

import discord
from discord import ui

from bot.core.visit import Onlooker
from bot.discord.channels import PIN, may
from bot.discord.components import Persistent, view
from bot.discord.confided import Misdirected
from bot.discord.context import Context
from bot.discord.game.status import standing, ways
from bot.discord.languages import of_member
from bot.discord.lengths import shortened
from bot.discord.lobby.buttons import GUESTS, START, seating, starting
from bot.discord.lobby.open_game import taken_seats
from bot.discord.lobby.opening import told_host
from bot.discord.lobby.options import edition_name
from bot.discord.outbox.arrivals import offers
from bot.discord.outbox.blocks import Block, blocks_view, changed_to, ids_in, words_in, words_of
from bot.discord.outbox.delivery import Delivery, sends
from bot.discord.refusals import OFTEN, lasting
from bot.discord.responses import titled
from bot.domain import letters
from bot.domain.absence import STARTING
from bot.domain.announcements import member
from bot.domain.turns import BLOCKS
from bot.store import GameRow, OutboxRow
from engine.text import Fact, Text, count, printed, say, text, verbatim
from engine.text.hebrew import unmarked
from engine.text.languages import speaking

PINNING = 5                     # messages among which Discord's note about a pinned one is looked for

log = logging.getLogger(__name__)


class StatusMessage(Delivery):
    """The one message that says how a game stands."""

    def __init__(self, bot: Context) -> None:
        super().__init__(bot)
        self._shown: dict[int, tuple[int, tuple[str, ...]]] = {}        # game -> its status message, and what that says
        self._loose: dict[int, int] = {}                        # game -> its status message, if that cannot be pinned
        self._behind: set[int] = set()                          # games whose status message Discord would not change just now

    @sends(letters.Status, mark=lambda game, letter, message: re.search(
        rf"(?:^| · )\D+ {game} · ", unmarked(words_of(message)).partition("\n")[0]) is not None)
    async def _status(self, visit: Onlooker, row: OutboxRow, letter: letters.Status) -> int | None:
        """Change the status message, if what it says has changed; post and pin another one if it is gone."""
        await self._of_the_lobby(visit)
        known = await self._restated(visit)
        if known is not None:
            return known
        shown = await self._standing(visit)
        number = await self._show(visit, row, shown)
        self._shown[visit.id] = number, _look(shown)
        await self._pin(visit, number)
        return number

    async def _standing(self, visit: Onlooker) -> ui.LayoutView:
        words = say(standing(visit, self.services.session.now()), visit.reader)
        told = shortened(words, BLOCKS, text("`/game status game:{game}`", game=visit.id))
        head, _, rest = self.bot.icons.illustrated(told, visit, BLOCKS).partition("\n")
        return blocks_view([Block(head, below=[rest])], ways(visit))

    async def _restated(self, visit: Onlooker) -> int | None:
        """Bring the status message up to date; its number, or None if there is none."""
        known = visit.mail.messages.get("status")
        if known is None:
            return None
        shown = await self._standing(visit)
        if self._shown.get(visit.id) == (known, _look(shown)):
            return known
        try:
            message = await self._changed(visit, known, shown)
        except discord.HTTPException as refused:
            if refused.code != OFTEN:
                raise
            self._behind.add(visit.id)                           # true again as soon as Discord lets it be
            return known
        if message is None:
            return None
        self._shown[visit.id] = known, _look(shown)
        if not message.pinned:
            await self._pin(visit, known)
        return known

    # -- what a game that is open has besides

    @sends(letters.LobbyFull, mark=lambda game, letter, message: (
        offers(message, START, game) and not offers(message, GUESTS, game)))
    async def _full(self, visit: Onlooker, row: OutboxRow, letter: letters.LobbyFull) -> int | None:
        """The host is called to start the game, once; as long as it has not begun the message stays, and stays true."""
        known = visit.mail.messages.get(letter.key)
        holders = visit.holders
        if known is not None or visit.game.status != "open" or len(holders) < visit.game.seats:
            return known
        words, items = self._calling(visit)
        return await self._summon(visit, row, words, items, [visit.game.owner])

    @sends(letters.LateStart)
    async def _late(self, visit: Onlooker, row: OutboxRow, letter: letters.LateStart) -> int | None:
        """Those who have joined a full game are called, with its host: they can start it themselves by now."""
        users = [holder.user for holder in visit.holders if holder.user is not None]
        others = [user for user in users if user != visit.game.owner]
        if visit.game.status != "open" or not others or not await self.services.lobby.may_start(visit.id, others[0]):
            return None
        words = text("{players}: all seats of {title} have been taken for {days}, and {host} hasn't started it. Any of you can "
                     "start it now.", players=tuple(map(member, others)), title=verbatim(titled(visit.game)),
                     host=member(visit.game.owner), days=count(STARTING.days, "{n} day", "{n} days"))
        return await self._summon(visit, row, words, [starting(visit.game)], [*others, visit.game.owner])

    def _calling(self, visit: Onlooker) -> tuple[Text, list[Persistent]]:
        holders = visit.holders
        if len(holders) < visit.game.seats:
            return taken_seats(visit.game, holders), []
        words = text("{owner}, all seats are taken: you can start {title:.}", owner=member(visit.game.owner),
                     title=verbatim(titled(visit.game)))
        return words, [starting(visit.game)]

    @sends(letters.Invitation, mark=lambda game, letter, message: re.search(rf"\(\D+ {game}\)", words_of(message)) is not None)
    async def _invitation(self, visit: Onlooker, row: OutboxRow, letter: letters.Invitation) -> int | None:
        """In the channel beside a game's thread: that it can be joined, and from where; None where nothing can be posted."""
        words, items = await self._inviting(visit)
        channel, shown = self.bot.get_partial_messageable(letter.channel), view(items)
        try:
            return await self.put(channel, words, row=row, view=shown, allowed_mentions=discord.AllowedMentions.none())
        except discord.HTTPException as refused:
            if not lasting(refused):
                raise
            log.info("game %s: nobody can be invited to it (%s)", visit.id, refused.code)
            return None

    async def _inviting(self, visit: Onlooker) -> tuple[str, list[Persistent]]:
        spec, holders = visit.spec, visit.holders
        facts: dict[str, Fact] = {"title": verbatim(titled(visit.game)), "game": visit.id,
                                  "channel": verbatim(f"<#{visit.game.channel}>")}
        if visit.game.status != "open":
            return say(text("**{title}** (game {game}) has started in {channel}.", **facts) if visit.game.status != "closed" else
                       text("**{title}** (game {game}) is closed.", **facts)), []
        facts |= {"edition": edition_name(spec, visit.game.edition), "taken": taken_seats(visit.game, holders)}
        named = text("**{title}** (game {game}): a game of {spec}, {edition}, is open in {channel}. {taken}", **facts,
                     spec=printed(spec.name))
        told = named if not titled(visit.game).startswith(spec.name) else text(
            "**{title}** (game {game}), {edition}, is open in {channel}. {taken}", **facts)
        return say(told), seating(visit.game, spec, holders)[:1] if len(holders) < visit.game.seats else []

    async def _of_the_lobby(self, visit: Onlooker) -> None:
        """Bring the invitation and what the host was told up to date; once the game has begun, they are done with."""
        game, title = visit.game, verbatim(titled(visit.game))
        if game.status == "open":
            free = any(holder.user is None for holder in visit.holders) or len(visit.holders) < game.seats
            told, offered = told_host(game, free=free), ways(visit)
        else:
            told, offered = text("{title} has started.", title=title), []

        def shown(user: int) -> tuple[str, ui.View | None]:
            with speaking(of_member(self.bot, user)):
                return say(told), view(offered)

        await self.bot.hosts.update(game.id, shown)
        for key, number in [*visit.mail.messages.items()]:
            head, _, channel = key.partition(":")
            if head == "full" and visit.game.status == "open":
                words, items = self._calling(visit)
                await self._changed(visit, number, say(words), items)
            elif head == "full":
                await self._deleted(visit, number)
            elif head == "invitation":
                try:
                    await self._changed(visit, number, *await self._inviting(visit), channel=int(channel))
                except discord.HTTPException as refused:
                    if not lasting(refused):
                        raise
                    log.info("game %s: its invitation cannot be changed (%s)", visit.id, refused.code)
                except Misdirected:                             # not everybody who reads there may read of it any more
                    log.info("game %s: its invitation stays as it is", visit.id)
            if head in ("full", "invitation") and visit.game.status != "open":
                visit.mail.forget(key)

    async def _pin(self, visit: Onlooker, number: int) -> None:
        """Pin a message if that is allowed, and take away the note that Discord posts about it."""
        if number == self._loose.get(visit.id) or not may(self.bot, visit.game.channel, PIN):
            return
        channel = self.bot.get_partial_messageable(visit.game.channel)
        try:
            await channel.get_partial_message(number).pin()
            async for note in channel.history(limit=PINNING, after=discord.Object(number)):
                if note.type is discord.MessageType.pins_add and note.author == self.bot.user:
                    await note.delete()
        except discord.HTTPException as refused:
            self._loose[visit.id] = number
            log.info("game %s: its status cannot be pinned neatly (%s)", visit.id, refused.code)

    async def leave(self, game: GameRow, messages: Mapping[str, int], to: int) -> None:
        """Make the messages that a game leaves behind in its old channel say where it has gone."""
        old = self.bot.get_partial_messageable(game.channel)
        with speaking(game.spoken):
            words = say(text("{title} (game {game}) is now played in {channel}.", title=verbatim(titled(game)), game=game.id,
                             channel=verbatim(f"<#{to}>")))
        for key, number in messages.items():
            try:
                if key == "status":
                    await old.get_partial_message(number).edit(**changed_to(blocks_view([Block(words)])))
                    await old.get_partial_message(number).unpin()
                elif key.startswith("question:"):
                    await old.get_partial_message(number).delete()
                elif key.startswith("invitation:"):             # whoever reads it may not see where the game has gone
                    async with self._lock(game.id):
                        await self.services.outbox.note(game.id, [(key, None)])
                        beside = self.bot.get_partial_messageable(int(key.partition(":")[2]))
                        await beside.get_partial_message(number).edit(content=words, view=None)
            except discord.HTTPException as gone:               # old buttons are harmless anyway
                log.info("game %s: what it left behind cannot be changed (%s)", game.id, gone.code)


def _look(shown: ui.LayoutView) -> tuple[str, ...]:
    return words_in(shown), *ids_in(shown)
