"""Pictures of the game, or their words where no file can be posted."""
from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

import discord

from bot.core.visit import Onlooker
from bot.discord.channels import ATTACH, may
from bot.discord.components import Persistent, view
from bot.discord.errors import note
from bot.discord.game.picture_commands import FENCES, looks
from bot.discord.lengths import MESSAGE, pieces
from bot.discord.outbox.blocks import words_of
from bot.discord.outbox.delivery import sends
from bot.discord.outbox.log_messages import LogMessages
from bot.discord.pictures import Drawn, fenced
from bot.discord.refusals import meaning
from bot.domain import letters
from bot.store import OutboxRow
from engine.kernel.game_spec import Picture, pictures
from engine.refusals import Refusal

log = logging.getLogger(__name__)


class Pictures(LogMessages):
    """The letters with pictures."""

    @sends(letters.Picture, mark=lambda game, letter, message: bool(message.attachments) and not words_of(message))
    async def _picture(self, visit: Onlooker, row: OutboxRow, letter: letters.Picture) -> int | None:
        return await self.album(visit, [row])

    async def album(self, visit: Onlooker, rows: Sequence[OutboxRow]) -> int | None:
        """The pictures of one moment in one message, with what is told of it if that ends the channel; None if there is none."""
        spec, shown = visit.spec, list[_Shown]()
        for row in rows:
            shown += await self._drawn(visit, row)
        if not shown:
            return None
        board = pictures(spec)[0]
        items = await looks(self.services, visit.game, spec) if any(one.picture is board for one in shown) else []
        images = [one for one in shown if one.drawn.image] if may(self.bot, visit.game.channel, ATTACH) else []
        number = None
        if images:
            try:
                number = await self._illustrate(visit, images[-1].row, [one.drawn for one in images], items)
            except discord.HTTPException as refused:            # perhaps for the files alone: then words arrive
                if meaning(refused) not in ("content", "forbidden"):
                    raise
                log.info("game %s: a picture was refused (%s)", visit.id, refused.code)
                images = []
        for one in shown:
            if one not in images:
                number = await self._in_words(visit, one, items if one.picture is board and not images else [], board=board)
        return number

    async def _drawn(self, visit: Onlooker, row: OutboxRow) -> list[_Shown]:
        """The pictures of a letter; none if there is no such picture of its position."""
        letter = letters.Picture.model_validate(row.payload)
        picture = next((known for known in pictures(visit.spec) if known.key == letter.picture), None)
        if picture is None:
            return []                                           # another version of the game had it
        theme, shown = visit.snapshot.theme or "dark", list[_Shown]()
        try:
            news = await self.bot.gallery.news(visit.id, picture, row=letter.row, since=letter.since)
        except Refusal:                                         # there is no such position any more
            return []
        except Exception as error:
            await note(self.services, error, "picture", visit.id, picture=picture.key, row=letter.row, since=letter.since)
            return []
        for place, subject in enumerate(news, 1):               # the last one is the letter, as of a long text
            part = row if place == len(news) else replace(row, nonce=f"{row.nonce}.p{place}")
            try:
                drawn = await self.bot.gallery.picture(visit.id, picture, theme, row=letter.row, since=letter.since,
                                                       subject=subject)
            except Refusal:                                     # there is no such picture of this position
                continue
            except Exception as error:                          # words have told everything already
                await note(self.services, error, "picture", visit.id, picture=picture.key, row=letter.row, since=letter.since)
                continue
            if drawn is not None:
                shown.append(_Shown(part, letter.row, picture, drawn))
        return shown

    async def _in_words(self, visit: Onlooker, shown: _Shown, items: Sequence[Persistent], *, board: Picture) -> int:
        """A picture that cannot be posted as a file, in words; the number of the last message."""
        if not shown.drawn.image:
            return await self._post(visit, shown.row, shown.drawn.text(), view(items))
        words = shown.drawn.words
        if shown.picture is board:
            words = await self.bot.gallery.text(visit.id, seat=None, row=shown.no)
        *earlier, last = pieces(words, MESSAGE - FENCES) or [""]
        for place, piece in enumerate(earlier):
            await self._post(visit, replace(shown.row, nonce=f"{shown.row.nonce}.{place}"), fenced(piece))
        return await self._post(visit, shown.row, fenced(last), view(items))


@dataclass(frozen=True)
class _Shown:
    """A picture of a letter, drawn."""

    row: OutboxRow              # the letter; the last of its pictures has its nonce
    no: int                     # the row of the log that it shows
    picture: Picture
    drawn: Drawn


def of_one_moment(row: OutboxRow, waiting: Sequence[OutboxRow]) -> list[OutboxRow]:
    """A letter, and if it is a picture the others that wait and show the same position: they go into one message."""
    if row.kind != letters.Picture.kind:
        return [row]
    return [row, *(other for other in waiting if other.id > row.id and other.kind == row.kind
                   and other.payload["row"] == row.payload["row"])]


def newest_pictures(rows: Sequence[OutboxRow]) -> tuple[dict[int, OutboxRow], set[int]]:
    """Of the pictures that wait, by number, the newest of each kind, marked with all that is new; and those it overtakes."""
    newest: dict[str, tuple[OutboxRow, letters.Picture]] = {}
    overtaken: set[int] = set()
    for row in rows:
        if row.kind != letters.Picture.kind:
            continue
        letter = letters.Picture.model_validate(row.payload)
        since = letter.row if letter.since is None else letter.since
        if letter.picture in newest:
            before, earlier = newest[letter.picture]
            overtaken.add(before.id)
            since = min(since, earlier.row if earlier.since is None else earlier.since)
        newest[letter.picture] = row, letter.model_copy(update={"since": since})
    return {row.id: replace(row, payload=letter.payload) for row, letter in newest.values()}, overtaken
