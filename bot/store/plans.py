"""Rounds that seats plan in private: answers that have not been given yet, a secret of their seat and no part of the log."""
from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from bot.store.repository import Statements
from engine.kernel import Seat


@dataclass(frozen=True, kw_only=True)
class PlanRow:
    """What a seat has planned of its round, as it is stored."""

    seat: Seat
    user: int                   # who planned it; it counts only as long as this member plays the seat
    row: int                    # that led to the question at which it began
    round: str                  # the game's id of the round
    revision: int = 0           # how often it has changed
    steps: Sequence[tuple[str, str]] = ()           # the verb of each answer, and its fields as JSON


class Plans(Statements):
    """Rounds that seats plan in private."""

    def plans(self, game: int) -> list[PlanRow]:
        sql = "SELECT seat, user, row, round, revision, steps FROM plans WHERE game = ? ORDER BY seat"
        return [PlanRow(seat=Seat(seat), user=user, row=row, round=round, revision=revision,
                        steps=tuple([(verb, answer) for verb, answer in json.loads(steps)]))
                for seat, user, row, round, revision, steps in self.conn.execute(sql, (game,))]

    def keep_plan(self, game: int, plan: PlanRow) -> None:
        """A seat has planned this, in place of whatever it had planned before."""
        sql = "INSERT OR REPLACE INTO plans (game, seat, user, row, round, revision, steps) VALUES (?, ?, ?, ?, ?, ?, ?)"
        self.conn.execute(sql, (game, plan.seat, plan.user, plan.row, plan.round, plan.revision, json.dumps(plan.steps)))

    def drop_plan(self, game: int, seat: Seat) -> None:
        self.conn.execute("DELETE FROM plans WHERE game = ? AND seat = ?", (game, seat))
