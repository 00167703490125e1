"""What everybody reads: the log, notices, requests, calls, votes, the result."""
from __future__ import annotations

import discord

from bot.discord.components import joining, view
from bot.discord.game.absence import coming_back
from bot.discord.game.clock import poll, remind, tell_next
from bot.discord.game.last_player import winning
from bot.discord.game.undo import posted
from bot.discord.game_master.clock import escalate
from bot.discord.game_master.succession import master_of, tell
from bot.discord.outbox.delivery import OFTEN, Works
from bot.discord.responses import MESSAGE, lines, shortened
from bot.domain.announcements import GM
from bot.store import GameRow, OutboxRow
from engine.record import seal
from engine.refusals import Refusal
from engine.text import English, Text, say, text, verbatim


class News(Works):
    """The letters that everybody reads in the channel."""

    async def _log(self, game: GameRow, letter: OutboxRow) -> int:
        return await self._post(game, letter, "\n".join(letter.payload["lines"]))

    async def _notice(self, game: GameRow, letter: OutboxRow) -> int:
        addressed = await master_of(self.bot, game) if letter.audience == GM else None
        words = f"<@{addressed}> {letter.payload['text']}" if addressed else letter.payload["text"]
        return await self._post(game, letter, words, view(joining(game)) if game.status == "open" else None,
                                ping=addressed)

    async def _reminder(self, game: GameRow, letter: OutboxRow) -> int | None:
        return await remind(self.bot, letter)

    async def _escalation(self, game: GameRow, letter: OutboxRow) -> int | None:
        return await escalate(self.bot, game, letter)

    async def _master(self, game: GameRow, letter: OutboxRow) -> int | None:
        return await tell(self.bot, game, letter)

    async def _upcoming(self, game: GameRow, letter: OutboxRow) -> int | None:
        return await tell_next(self.bot, game, letter)

    async def _vote(self, game: GameRow, letter: OutboxRow) -> int:
        return await poll(self.bot, game, letter)

    async def _lapse(self, game: GameRow, letter: OutboxRow) -> int:
        return await self._post(game, letter, letter.payload["text"], view([coming_back(game)]), ping=letter.payload["user"])

    async def _alone(self, game: GameRow, letter: OutboxRow) -> int:
        return await self._post(game, letter, letter.payload["text"], view([winning(game)]), ping=letter.payload["user"])

    async def _request(self, game: GameRow, letter: OutboxRow) -> int:
        """The one message of a request to take something back: posted once, and kept up to date."""
        asked = await self.services.undo_requests.asked(letter.payload["request"])
        reader = await self.services.queries.reader(game.id)
        words, items, waiting = await posted(self.bot, asked, reader)
        words = shortened(words, MESSAGE, text("`/game history game:{game}`", game=game.id))
        known = (await self.services.outbox.messages(game.id)).get(letter.key or "")
        if known is not None and await self._changed(game, known, words, items) is not None:
            return known
        return await self._post(game, letter, words, view(items), ping=waiting)

    async def _strike(self, game: GameRow, letter: OutboxRow) -> None:
        """Strike out the lines of a message whose rows have been taken back, and no others."""
        found = await self.services.undo.struck(game.id, letter.payload["letter"])
        if found is None or len(found[1][0][0]) > MESSAGE:      # a sentence so long was posted in pieces
            return
        number, told = found
        words = "\n".join(f"~~{line}~~" if taken else line for line, taken in told)
        try:
            await self._changed(game, number, shortened(words, MESSAGE, text("`/game history game:{game}`", game=game.id)), [])
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
        if beside := await self.services.records.kept_back(game.id):
            return text(", once these games are over, too, with which it shares its past: {games}", games=tuple(beside))
        try:
            last = seal(await self.services.records.export(game.id))
        except Refusal:
            return text("")
        return text(", whose last hash is `{hash}`", hash=verbatim(last))
