"""What happened, for everybody: one message goes on as long as it ends the channel, and then carries the pictures of a turn."""
from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import islice
from typing import Any

import discord
from discord import ui
from discord.utils import snowflake_time, utcnow

from bot.core.mailbox import LogMessage
from bot.core.visit import Onlooker
from bot.discord.channels import HISTORY, may
from bot.discord.components import Persistent
from bot.discord.game.picture_commands import looks
from bot.discord.outbox.blocks import Block, Shown, blocks_view, changed_to, ids_of, words_in, words_of
from bot.discord.outbox.delivery import Delivery, sends
from bot.discord.pictures import Drawn
from bot.discord.refusals import OFTEN, meaning
from bot.domain import letters
from bot.domain.turns import BLOCKS, Turn, all_turns, fits, in_turns
from bot.store import OutboxRow

FRESH = timedelta(days=1)       # a message that is older is not gone on with: nobody would look there
FOLLOWING = 12                  # messages from the log's last one on that are looked at
ALBUM = 10                      # files of a message: Discord takes no more

log = logging.getLogger(__name__)


class LogMessages(Delivery):
    """The letters that say what happened, and the message in which their pictures stand."""

    @sends(letters.Log)
    async def _log(self, visit: Onlooker, row: OutboxRow, letter: letters.Log) -> int:
        """Return what happened: at the end of the log's last message as long as nothing but answered questions has come after
        that, or in the place of the last of these, or in a message of its own."""
        last, own = visit.mail.last_log, all_turns(letter.turns, letter.lines)
        if not fits(letter.lines, own):                         # a sentence that is too long for any
            return await self._post(visit, row, "\n".join(letter.lines))
        alone = blocks_view(self._turns(visit, letter.lines, own))
        if last is None:
            return await self._show(visit, row, alone)
        lines, turns = [*last.lines, *letter.lines], in_turns([*last.turns, *own])
        if not last.pictured and fits(lines, turns):
            shown = blocks_view(self._turns(visit, lines, turns))
            end = await self._end(visit, last, lambda message: words_of(message) == words_in(shown))
            if end is not None and words_of(end) == words_in(shown):        # an attempt that was cut off has written it
                return last.number
            if end is not None and not end.attachments and await self._told_there(visit, last.number, shown):
                return last.number
        over = await self._last_question(visit, last, words_in(alone))
        return over if over and await self._told_there(visit, over, alone) else await self._show(visit, row, alone)

    async def _told_there(self, visit: Onlooker, number: int, shown: ui.LayoutView) -> bool:
        """Have a message say this; False if it is gone, or Discord lets it change no more for now."""
        try:
            return await self._changed(visit, number, shown) is not None
        except discord.HTTPException as refused:
            if refused.code != OFTEN:
                raise
            return False

    def _turns(self, visit: Onlooker, lines: Sequence[str], turns: Sequence[Turn]) -> list[Block]:
        """What the log says, with a block for each turn."""
        told, icons, rest = list[Block](), self.bot.icons, iter(lines)
        for turn in turns:
            head = [f"### {icons.sign(visit.game, turn.owner)}{turn.head}"] if turn.head else []
            told.append(Block("\n".join([*head, *islice(rest, turn.lines)]), icons.colour(visit.game, turn.owner)))
        return told

    @sends(letters.Strike)
    async def _strike(self, visit: Onlooker, row: OutboxRow, letter: letters.Strike) -> None:
        """Strike out the lines of a message whose rows have been taken back, and no others."""
        found = await self.services.undo.struck(visit.id, letter.letter)
        if found is None or len(found[1][0][0]) > BLOCKS:       # a sentence so long was posted in pieces
            return
        number, told, turns = found
        blocks = self._turns(visit, [f"~~{line}~~" if taken else line for line, taken in told], turns)
        try:
            message = await self.bot.get_partial_messageable(visit.game.channel).fetch_message(number)
            files = [(file.filename, file.description or "") for file in message.attachments]
            items = await looks(self.services, visit.game, visit.spec) if ids_of(message) else []
            await self._changed(visit, number, blocks_view(blocks, items, files))
        except discord.HTTPException as refused:
            if refused.code != OFTEN and meaning(refused) not in ("gone", "forbidden"):
                raise                                           # else the notice of the return says the same

    async def _illustrate(self, visit: Onlooker, row: OutboxRow, shown: Sequence[Drawn], items: Sequence[Persistent]) -> int:
        """Show pictures in the message that tells what they are about, or in one of their own where it does not end the channel;
        its number. An attempt that was cut off is repeated without a trace: the files take the place of the message's files.

        Raises HTTPException: no files can be posted here, or not these.
        """
        last = visit.mail.last_log
        if len(shown) <= ALBUM and last is not None and not last.pictured and await self._end(
                visit, last, lambda message: bool(message.attachments) and self.arrivals.doubtful(row)) is not None:
            blocks = self._turns(visit, last.lines, last.turns)

            def change() -> dict[str, Any]:
                files = _files(shown)
                return {**changed_to(blocks_view(blocks, items, _named(files))), "attachments": files,
                        "allowed_mentions": discord.AllowedMentions.none()}

            try:
                changed = await self._edited(visit, visit.game.channel, last.number, change)
            except discord.HTTPException as refused:
                if refused.code != OFTEN:
                    raise
                changed = None
            if changed is not None:
                return last.number
        *parts, files = [_files(shown[at:at + ALBUM]) for at in range(0, len(shown), ALBUM)]
        for place, part in enumerate(parts):
            await self.put(self.bot.get_partial_messageable(visit.game.channel), blocks_view([], files=_named(part)), row=row,
                           part=f"a{place}", files=part)
        return await self._show(visit, row, blocks_view([], items, _named(files)), files=files)

    def _fresh(self, visit: Onlooker, number: int) -> bool:
        """True if a message is new enough to go on with, and what follows it can be seen."""
        return utcnow() - snowflake_time(number) <= FRESH and may(self.bot, visit.game.channel, HISTORY)

    def _over(self, visit: Onlooker) -> set[int]:
        """The messages of the last questions that are over."""
        table = visit.position
        still = {} if table is None else {question.seat: table.asked_at for question in table.asks}
        return {message for seat, (message, asked_at) in visit.mail.questions.items() if still.get(seat) != asked_at}

    async def _last_question(self, visit: Onlooker, last: LogMessage, words: str) -> int:
        """The message of a question that is over and that nothing follows: what came of it can take its place, or has taken it
        in an attempt that was cut off. 0: none."""
        number = max(self._over(visit), default=0)
        if number <= last.number or not self._fresh(visit, number):
            return 0
        try:
            channel = self.bot.get_partial_messageable(visit.game.channel)
            found = [message async for message in channel.history(limit=2, after=discord.Object(number - 1))]
            return number if found and found[0].id == number and (len(found) == 1 or words_of(found[0]) == words) else 0
        except discord.HTTPException as refused:
            if meaning(refused) == "later":
                raise
            return 0

    async def _end(self, visit: Onlooker, last: LogMessage, written: Callable[[discord.Message], bool]) -> discord.Message | None:
        """The log's last message, if what has happened is read there: it is a new one, and is followed by nothing but questions
        that are over; or if an attempt that was cut off has `written` there what is to be told."""
        if not self._fresh(visit, last.number):
            return None
        over = self._over(visit)
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


def _files(shown: Sequence[Drawn]) -> list[discord.File]:
    """The files of pictures, each with a name of its own."""
    files = [file for drawn in shown for file in drawn.files()]
    for place, file in enumerate(files):
        if file.filename in [other.filename for other in files[:place]]:
            file.filename = f"{place}-{file.filename}"
    return files


def _named(files: Sequence[discord.File]) -> list[Shown]:
    return [(file.filename, file.description or "") for file in files]
