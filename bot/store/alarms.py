"""When each game is next to be told something that the world outside knows: that the agreed time is up."""
from __future__ import annotations

from datetime import datetime

from bot.domain.timestamps import timestamp
from bot.store.repository import Statements


class Alarms(Statements):
    """When each game is next to be told something. A game that stands still is told when it goes on."""

    def set_alarm(self, game: int, due: datetime | None) -> None:
        """A game is to be told something at this moment, or never."""
        self.conn.execute("DELETE FROM alarms WHERE game = ?", (game,))
        if due is not None:
            self.conn.execute("INSERT INTO alarms (game, due_at) VALUES (?, ?)", (game, timestamp(due)))
