"""Pictures of the game, or their words where no file can be posted."""
from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.discord.channels import ATTACH, may
from bot.discord.components import view
from bot.discord.game.picture_commands import FENCES, looks
from bot.discord.outbox.delivery import Works
from bot.discord.pictures import fenced
from bot.discord.responses import MESSAGE, pieces
from bot.store import GameRow, OutboxRow
from engine.kernel.game_spec import BOARD, pictures
from engine.refusals import Refusal

log = logging.getLogger(__name__)


class Pictures(Works):
    """The letters with pictures."""

    async def _picture(self, game: GameRow, letter: OutboxRow) -> int | None:
        told, spec = letter.payload, self.services.session.spec(game.key)
        key, row = told.get("picture", BOARD.key), told["row"]
        picture = next((picture for picture in pictures(spec) if picture.key == key), None)
        if picture is None:
            return None                                         # another version of the game had it
        theme = await self.services.settings.game_theme(game.id)
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


def newest_pictures(letters: Sequence[OutboxRow]) -> tuple[dict[int, OutboxRow], set[int]]:
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
