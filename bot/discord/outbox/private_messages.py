"""What is for one person alone: direct messages, one for each game and player, kept up to date; and press."""
from __future__ import annotations

import logging
from typing import Any

import discord

from bot.core.visit import Onlooker
from bot.discord.components import button, view
from bot.discord.confided import for_member
from bot.discord.game.answering import on_mine, on_your_move
from bot.discord.game.buttons import MY_GAMES
from bot.discord.heard import unsaid
from bot.discord.languages import in_all, of_member
from bot.discord.lengths import MESSAGE, shortened
from bot.discord.outbox.delivery import Delivery, sends
from bot.discord.refusals import lasting, meaning, unreachable
from bot.discord.responses import titled
from bot.discord.talk.commands import answering, message_text, on_letter, waits
from bot.domain import letters
from bot.domain.announcements import reader_of
from bot.domain.letters import PUBLIC
from bot.store import Holder, OutboxRow
from engine.kernel import Seat, Table
from engine.text import Text, say, text, verbatim
from engine.text.hebrew import unmarked
from engine.text.languages import speaking

REMEMBERED = 100                # messages back to which a direct message is looked for

log = logging.getLogger(__name__)


class Private(Delivery):
    """The letters for one person alone."""

    @sends(letters.TalkMessage)
    async def _press(self, visit: Onlooker, row: OutboxRow, letter: letters.TalkMessage) -> int | None:
        """A message of a seat: for all in the channel; else for the holder of a seat alone, in the channel only that it waits."""
        seat = None if letter.audience == PUBLIC else Seat(letter.audience)
        found = [press for press in await self.services.talk.correspondence(visit.id, seat) if press.id == letter.press]
        if not found:
            return None
        reader = visit.reader
        if seat is None:
            return await self._post(visit, row, say(message_text(visit.game, found[0]), reader), previews=False)
        holder = visit.held(seat)
        if holder is None or (user := holder.reader) is None:
            return None                                         # whoever sits there next finds it with /talk read
        if holder.private:
            try:
                with speaking(of_member(self.bot, user)):
                    words = say(message_text(visit.game, found[0]), visit.reader)
                    extra: dict[str, Any] = {"view": view([answering(visit.game, found[0])])}
                return await self.put(await self._direct(user), words, row=row, suppress_embeds=True, **extra)
            except discord.HTTPException as shut:
                if not unreachable(shut):
                    raise
                unsaid()
        reading = button(text("Read it"), on_letter, visit.id, found[0].id)
        return await self._post(visit, row, say(waits(seat, user), reader), view([reading]), ping=user)

    async def open_private(self, game: int, seat: Seat) -> bool:
        """Write the standing private message of a seat to its holder now; whether it could be written."""
        async with self._lock(game):
            visit = await self.services.visits.onlooker(game)
            holder = visit.held(seat)
            table = visit.position
            standing = table.spec.views.private(table.state, seat) if table else None
            words = standing or text("Your secrets will appear here.")
            return holder is not None and await self._write(visit, holder, words, table, asked=True) is not None

    @sends(letters.Private)
    async def _private(self, visit: Onlooker, row: OutboxRow, letter: letters.Private) -> int | None:
        holder = visit.held(Seat(letter.audience))
        words = "\n".join([letter.text, *(f"> {line}" for line in letter.last)])
        return await self._write(visit, holder, verbatim(words), visit.position, nonce=row.nonce) if holder else None

    async def _write(self, visit: Onlooker, holder: Holder, words: Text, table: Table | None, *,
                     nonce: str | None = None, asked: bool = False) -> int | None:
        """Edit the one direct message for this seat, or send it; None if its holder does not want it or cannot be reached."""
        if (user := holder.reader) is None or not holder.private:
            return None
        with speaking(of_member(self.bot, user)):
            facts = {"head": verbatim(_head(visit)), "words": words}
            whole = (say(text("{head}: {seat} (private)\n{words}", seat=holder.seat, **facts), reader_of(table)) if table else
                     say(text("{head} (private)\n{words}", **facts)))
            body = shortened(whole, MESSAGE, text("`/my move game:{game}`", game=visit.id))
            shown = view([button(text("Your move"), on_your_move, visit.id, holder.seat),
                          button(text("Your secrets"), on_mine, visit.id), button(text("My games"), MY_GAMES, 1)])
        known = visit.mail.messages.get(f"private:{holder.seat}")
        extra: dict[str, Any] = {"nonce": nonce, "view": shown} if nonce else {"view": shown}
        try:
            channel = await self._direct(user, asked=asked)
            await for_member(self.bot, user, visit.id)
            if known is not None:
                try:
                    return (await channel.get_partial_message(known).edit(content=body, view=extra["view"])).id
                except discord.HTTPException as gone:
                    if meaning(gone) != "gone":
                        raise
                    log.info("game %s: a private message is gone", visit.id)
            old = await self._found(visit, channel)
            return (await (old.edit(content=body, view=extra["view"]) if old else channel.send(body, **extra))).id
        except discord.HTTPException as shut:
            if not unreachable(shut):
                raise
            log.info("game %s: a player cannot be written to directly (%s)", visit.id, shut.code)
            return None                                         # the channel's button and the command show the same

    @sends(letters.AnsweredFor)
    async def _proxy(self, visit: Onlooker, row: OutboxRow, letter: letters.AnsweredFor) -> int | None:
        """Return what somebody else answered in the name of a member's seat; whoever cannot be written to finds it in the
        history."""
        return await self._tell(visit, row, letter.user, letter.text, text("`/game history`"))

    @sends(letters.PlanDropped)
    async def _plan(self, visit: Onlooker, row: OutboxRow, letter: letters.PlanDropped) -> int | None:
        """That a member's plan is dropped; whoever cannot be written to sees an empty plan."""
        return await self._tell(visit, row, letter.user, letter.text, text("`/my move`"))

    async def _tell(self, visit: Onlooker, row: OutboxRow, user: int, told: str, more: Text) -> int | None:
        """A direct message to a member, with where there is more if it is too long; None if the member cannot be written to."""
        words = say(text("In {head}: {told}", head=verbatim(_head(visit)), told=verbatim(told)))
        try:
            return await self.put(await self._direct(user), shortened(words, MESSAGE, more), row=row)
        except discord.HTTPException as shut:
            if not unreachable(shut):
                raise
            log.info("game %s: a player cannot be written to directly (%s)", visit.id, shut.code)
            return None

    @sends(letters.Farewell)
    async def _farewell(self, visit: Onlooker, row: OutboxRow, letter: letters.Farewell) -> None:
        """Take the secrets out of a member's direct message, and say why it stands still: for somebody who has a seat no more, or
        wants no such message. It is tried until it is done, or cannot be done at all."""
        if visit.game.status == "open" and any(holder.user == letter.user and holder.private
                                         for holder in visit.holders):
            return                                              # who had left has joined again
        known = visit.mail.messages.get(f"private:{letter.audience}")
        change: dict[str, Any] = {"content": f"{_head(visit)}: {letter.text}", "view": None}
        try:
            channel = await self._direct(letter.user)
            await for_member(self.bot, letter.user, visit.id)
            if known is not None:
                try:
                    await channel.get_partial_message(known).edit(**change)
                    return
                except discord.HTTPException as lost:           # it is another member's, or is gone
                    if meaning(lost) != "gone":
                        raise
                    log.info("game %s: a private message is looked for", visit.id)
            old = await self._found(visit, channel)
            if old is not None:
                await old.edit(**change)
        except discord.HTTPException as gone:
            if not lasting(gone):
                raise
            log.info("game %s: a private message cannot be changed (%s)", visit.id, gone.code)

    async def _found(self, visit: Onlooker, channel: discord.PartialMessageable) -> discord.Message | None:
        async for message in channel.history(limit=REMEMBERED):
            if message.author == self.bot.user and unmarked(message.content).startswith(in_all(_titled(visit))):
                return message
        return None


def _head(visit: Onlooker) -> str:
    return say(_titled(visit))


def _titled(visit: Onlooker) -> Text:
    """How a direct message about a game begins: by this it is found again."""
    return text("**{title}** (game {game})", title=verbatim(titled(visit.game)), game=visit.id)
