"""When each game is next to be told something that the world outside knows: that the agreed time is up."""
from __future__ import annotations

from datetime import datetime

from bot.domain.timestamps import from_timestamp, timestamp
from bot.store.repository import Statements

RUNNING = "FROM alarms JOIN games ON games.id = game WHERE status = 'running'"


class Alarms(Statements):
    """When each game is next to be told something. A game that stands still is told when it goes on."""

    def set_alarm(self, game: int, due: datetime | None) -> None:
        """A game is to be told something at this moment, or never."""
        self.conn.execute("DELETE FROM alarms WHERE game = ?", (game,))
        if due is not None:
            self.conn.execute("INSERT INTO alarms (game, due_at) VALUES (?, ?)", (game, timestamp(due)))

    def alarms_due(self, now: datetime) -> list[int]:
        """The running games that are to be told something by now, the longest due first."""
        due = self.conn.execute(f"SELECT game {RUNNING} AND due_at <= ? ORDER BY due_at", (timestamp(now),))
        return [game for (game,) in due]

    def next_alarm(self, now: datetime) -> datetime | None:
        """When the next running game is to be told something, after this moment."""
        due: str | None = self._one(f"SELECT min(due_at) {RUNNING} AND due_at > ?", timestamp(now))
        return from_timestamp(due)
