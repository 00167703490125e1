"""Pictures of the game, or their words where no file can be posted."""
from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.discord.channels import ATTACH, may
from bot.discord.components import view
from bot.discord.game.picture_commands import FENCES, looks
from bot.discord.outbox.delivery import Delivery, sends
from bot.discord.pictures import fenced
from bot.discord.responses import MESSAGE, pieces
from bot.domain import letters
from bot.store import GameRow, OutboxRow
from engine.kernel.game_spec import Picture, pictures
from engine.refusals import Refusal

log = logging.getLogger(__name__)


class Pictures(Delivery):
    """The letters with pictures."""

    @sends(letters.Picture)
    async def _picture(self, game: GameRow, row: OutboxRow, letter: letters.Picture) -> int | None:
        spec = self.services.session.spec(game.key)
        picture = next((picture for picture in pictures(spec) if picture.key == letter.picture), None)
        if picture is None:
            return None                                         # another version of the game had it
        try:
            news = await self.bot.gallery.news(game.id, picture, row=letter.row, since=letter.since)
        except Refusal:                                         # there is no such position any more
            return None
        number = None
        for place, subject in enumerate(news, 1):               # the last one is the letter, as of a long text
            part = row if place == len(news) else replace(row, nonce=f"{row.nonce}.p{place}")
            number = await self._one(game, part, letter, picture, subject)
        return number

    async def _one(self, game: GameRow, row: OutboxRow, letter: letters.Picture, picture: Picture, subject: str) -> int | None:
        """One picture of a letter; None if there is no such picture of this position."""
        spec = self.services.session.spec(game.key)
        theme = await self.services.settings.game_theme(game.id)
        try:
            drawn = await self.bot.gallery.picture(game.id, picture, theme, row=letter.row, since=letter.since, subject=subject)
        except Refusal:                                         # there is no such picture of this position
            return None
        if drawn is None:
            return None
        board = picture is pictures(spec)[0]
        items = view(await looks(self.services, game, spec) if board else [])
        if not drawn.image or may(self.bot, game.channel, ATTACH):
            try:
                return await self._post(game, row, drawn.text(), items, files=drawn.files())
            except discord.Forbidden:                           # perhaps for the file alone: then words arrive
                log.info("game %s: a picture was refused", game.id)
        words = await self.bot.gallery.text(game.id, seat=None, row=letter.row) if board else drawn.words
        *earlier, last = pieces(words, MESSAGE - FENCES) or [""]
        for place, piece in enumerate(earlier):
            await self._post(game, replace(row, nonce=f"{row.nonce}.{place}"), fenced(piece))
        return await self._post(game, row, fenced(last), items)


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
