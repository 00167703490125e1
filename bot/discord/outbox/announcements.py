"""What everybody reads: the log, notices, requests, calls, votes, the result."""
from __future__ import annotations

import discord

from bot.discord.components import view
from bot.discord.game.absence import coming_back
from bot.discord.game.clock import poll, remind, tell_next
from bot.discord.game.last_player import winning
from bot.discord.game.undo import posted
from bot.discord.game_master.clock import escalate
from bot.discord.game_master.succession import master_of, tell
from bot.discord.lobby.buttons import joining
from bot.discord.outbox.delivery import OFTEN, Works, sends
from bot.discord.responses import MESSAGE, lines, shortened
from bot.domain import letters
from bot.domain.letters import GM
from bot.store import GameRow, OutboxRow
from engine.record import seal
from engine.refusals import Refusal
from engine.text import English, Text, say, text, verbatim


class News(Works):
    """The letters that everybody reads in the channel."""

    @sends(letters.Log)
    async def _log(self, game: GameRow, row: OutboxRow, letter: letters.Log) -> int:
        return await self._post(game, row, "\n".join(letter.lines))

    @sends(letters.Notice)
    async def _notice(self, game: GameRow, row: OutboxRow, letter: letters.Notice) -> int:
        addressed = await master_of(self.bot, game) if letter.audience == GM else None
        words = f"<@{addressed}> {letter.text}" if addressed else letter.text
        return await self._post(game, row, words, view(joining(game)) if game.status == "open" else None,
                                ping=addressed)

    @sends(letters.Reminder)
    async def _reminder(self, game: GameRow, row: OutboxRow, letter: letters.Reminder) -> int | None:
        return await remind(self.bot, row, letter)

    @sends(letters.Escalation)
    async def _escalation(self, game: GameRow, row: OutboxRow, letter: letters.Escalation) -> int | None:
        return await escalate(self.bot, game, row, letter)

    @sends(letters.Master)
    async def _master(self, game: GameRow, row: OutboxRow, letter: letters.Master) -> int | None:
        return await tell(self.bot, game, row, letter)

    @sends(letters.Upcoming)
    async def _upcoming(self, game: GameRow, row: OutboxRow, letter: letters.Upcoming) -> int | None:
        return await tell_next(self.bot, game, row, letter)

    @sends(letters.VoteMessage)
    async def _vote(self, game: GameRow, row: OutboxRow, letter: letters.VoteMessage) -> int:
        return await poll(self.bot, game, row, letter)

    @sends(letters.Lapse)
    async def _lapse(self, game: GameRow, row: OutboxRow, letter: letters.Lapse) -> int:
        return await self._post(game, row, letter.text, view([coming_back(game)]), ping=letter.user)

    @sends(letters.LastPlayer)
    async def _alone(self, game: GameRow, row: OutboxRow, letter: letters.LastPlayer) -> int:
        return await self._post(game, row, letter.text, view([winning(game)]), ping=letter.user)

    @sends(letters.RequestMessage)
    async def _request(self, game: GameRow, row: OutboxRow, letter: letters.RequestMessage) -> int:
        """The one message of a request to take something back: posted once, and kept up to date."""
        asked = await self.services.undo_requests.asked(letter.request)
        reader = await self.services.queries.reader(game.id)
        words, items, waiting = await posted(self.bot, asked, reader)
        words = shortened(words, MESSAGE, text("`/game history game:{game}`", game=game.id))
        known = (await self.services.outbox.messages(game.id)).get(letter.key)
        if known is not None and await self._changed(game, known, words, items) is not None:
            return known
        return await self._post(game, row, words, view(items), ping=waiting)

    @sends(letters.Strike)
    async def _strike(self, game: GameRow, row: OutboxRow, letter: letters.Strike) -> None:
        """Strike out the lines of a message whose rows have been taken back, and no others."""
        found = await self.services.undo.struck(game.id, letter.letter)
        if found is None or len(found[1][0][0]) > MESSAGE:      # a sentence so long was posted in pieces
            return
        number, told = found
        words = "\n".join(f"~~{line}~~" if taken else line for line, taken in told)
        try:
            await self._changed(game, number, shortened(words, MESSAGE, text("`/game history game:{game}`", game=game.id)), [])
        except discord.HTTPException as refused:
            if refused.code != OFTEN:                           # the notice of the return says the same
                raise

    @sends(letters.Final)
    async def _final(self, game: GameRow, row: OutboxRow, letter: letters.Final) -> int:
        words = lines([
            text("**{result}**", result=verbatim(letter.result)),
            *(text("{place}. {name}: {points}", place=place, name=verbatim(name), points=points)
              for _, name, place, points in letter.standings),
            text("-# The secret of the dice was `{secret}`; its SHA-256, told at the start, is `{commitment}`. `/game export` "
                 "has the whole record{sealed}.", secret=verbatim(letter.secret), commitment=verbatim(letter.commitment),
                 sealed=await self._seal(game))])
        return await self._post(game, row, say(words, English()))

    async def _seal(self, game: GameRow) -> Text:
        """How a later copy of the record is compared with what it is now; nothing, if it cannot be read."""
        if beside := await self.services.records.kept_back(game.id):
            return text(", once these games are over, too, with which it shares its past: {games}", games=tuple(beside))
        try:
            last = seal(await self.services.records.export(game.id))
        except Refusal:
            return text("")
        return text(", whose last hash is `{hash}`", hash=verbatim(last))
