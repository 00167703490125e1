"""Answers to questions."""
from __future__ import annotations

from bot.domain.announcements import choice_id
from bot.service.digest import LONG
from bot.service.session import Done, Works, held_by, require, require_seat
from engine.kernel import Action, Seat


class Moving(Works):
    """Answers to questions."""

    async def answer(self, game: int, user: int, action: Action, *, asked_at: int | None = None) -> Done:
        """Give the answer of a member's seat. Raises Refusal, and then nothing has changed."""
        async with self._turn(game):
            live = await self._loaded(game)
            seat = held_by(live.holders, user)
            require(live.row, ("running",))
            live.table.examine(seat, action, asked_at=asked_at)
            at, row, recently = self._time(), live.table.last_no + 1, (self._now() - LONG).isoformat(timespec="seconds")
            return await self._give(live, seat, action, "player", lambda ledger: ledger.acted(game, user, row, at, recently))

    async def option(self, game: int, seat: Seat, choice: str) -> Action | None:
        """The present answer of a seat that a button means (its `choice_id`); None if there is none any more."""
        table = await self.table(game)
        return next((action for action in table.options(seat) if choice_id(action) == choice), None)

    async def answer_for(self, game: int, seat: Seat, action: Action | None, by: int) -> Done:
        """Give an answer for a seat: this one, or its default."""
        async with self._turn(game):
            live = await self._loaded(game)
            require_seat(live.holders, seat)
            require(live.row, ("running",))
            given = live.table.default(seat) if action is None else action
            live.table.examine(seat, given)
            at, deed = self._time(), f"answered for {seat} in row {live.table.last_no + 1}"
            return await self._give(live, seat, given, "moderator", lambda ledger: ledger.note(game, by, deed, at))
