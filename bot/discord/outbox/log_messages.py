"""What happened, for everybody: one message goes on as long as it ends the channel, and then carries the pictures of a turn."""
from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta

import discord
from discord.utils import snowflake_time, utcnow

from bot.core.visit import Visit
from bot.discord.channels import HISTORY, may
from bot.discord.components import Persistent, view
from bot.discord.lengths import MESSAGE
from bot.discord.outbox.delivery import Delivery, sends
from bot.discord.pictures import Drawn
from bot.discord.refusals import OFTEN, meaning
from bot.domain import letters
from bot.domain.announcements import STRUCK
from bot.service.outbox import LogMessage
from bot.store import OutboxRow

FRESH = timedelta(days=1)       # a message that is older is not gone on with: nobody would look there
FOLLOWING = 12                  # messages from the log's last one on that are looked at
ALBUM = 10                      # files of a message: Discord takes no more

log = logging.getLogger(__name__)


class LogMessages(Delivery):
    """The letters that say what happened, and the message in which their pictures stand."""

    @sends(letters.Log)
    async def _log(self, visit: Visit, row: OutboxRow, letter: letters.Log) -> int:
        """Return what happened: at the end of the log's last message as long as nothing but answered questions has come after
        that."""
        last = await self.services.outbox.last_log(visit.id)
        lines = [*last.lines, *letter.lines] if last is not None else []
        if last is None or last.pictured or sum(len(line) + STRUCK for line in lines) > MESSAGE:
            return await self._post(visit, row, "\n".join(letter.lines))
        whole = "\n".join(lines)
        end = await self._end(visit, last, lambda message: message.content == whole)
        if end is not None and end.content == whole:            # an attempt that was cut off has written it
            return last.number
        if end is None or end.attachments:
            return await self._post(visit, row, "\n".join(letter.lines))
        try:
            changed = await self._changed(visit, last.number, whole, None)
        except discord.HTTPException as refused:
            if refused.code != OFTEN:
                raise
            changed = None
        return last.number if changed is not None else await self._post(visit, row, "\n".join(letter.lines))

    async def _illustrate(self, visit: Visit, row: OutboxRow, shown: Sequence[Drawn], items: Sequence[Persistent]) -> int:
        """Show pictures in the message that tells what they are about, or in one of their own where it does not end the channel;
        its number. An attempt that was cut off is repeated without a trace: the files take the place of the message's files.

        Raises HTTPException: no files can be posted here, or not these.
        """
        last = await self.services.outbox.last_log(visit.id)
        if len(shown) <= ALBUM and last is not None and not last.pictured and await self._end(
                visit, last, lambda message: bool(message.attachments) and self.arrivals.doubtful(row)) is not None:
            try:
                changed = await self._edited(visit, visit.game.channel, last.number, lambda: {
                    "attachments": [file for drawn in shown for file in drawn.files()], "view": view(items)})
            except discord.HTTPException as refused:
                if refused.code != OFTEN:
                    raise
                changed = None
            if changed is not None:
                return last.number
        parts = [shown[at:at + ALBUM] for at in range(0, len(shown), ALBUM)]
        for place, part in enumerate(parts[:-1]):
            await self.put(self.bot.get_partial_messageable(visit.game.channel), "", row=row, part=f"a{place}",
                           files=[file for drawn in part for file in drawn.files()])
        return await self._post(visit, row, "", view(items), files=[file for drawn in parts[-1] for file in drawn.files()])

    async def _end(self, visit: Visit, last: LogMessage, written: Callable[[discord.Message], bool]) -> discord.Message | None:
        """The log's last message, if what has happened is read there: it is a new one, and is followed by nothing but questions
        that are over; or if an attempt that was cut off has `written` there what is to be told."""
        table = visit.position
        if table is None or utcnow() - snowflake_time(last.number) > FRESH or not may(self.bot, visit.game.channel, HISTORY):
            return None
        still = {question.seat for question in table.asks}
        over = {message for seat, (message, asked_at) in last.questions.items()
                if seat not in still or asked_at != table.asked_at}
        end, channel, followed = None, self.bot.get_partial_messageable(visit.game.channel), 0
        try:
            async for message in channel.history(limit=FOLLOWING, after=discord.Object(last.number - 1)):
                if message.id == last.number:
                    end = message
                    if written(message):
                        break
                elif message.id not in over:
                    return None
                followed += 1
        except discord.HTTPException as refused:
            if meaning(refused) == "later":
                raise
            log.info("game %s: what follows on its log cannot be seen (%s)", visit.id, refused.code)
            return None
        return end if followed < FOLLOWING else None
