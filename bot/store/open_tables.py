"""Open games: when somebody last joined, and what has been told of them."""
from __future__ import annotations

from bot.store.repository import Statements


class OpenTables(Statements):
    """Open games."""

    def somebody_joined(self, game: int, at: str) -> None:
        """Somebody has joined an open game or left it."""
        self.conn.execute("UPDATE games SET joined_at = ? WHERE id = ?", (at, game))

    def told_still_open(self, game: int, at: str) -> None:
        """The people of an open game are told that it is still open."""
        self.conn.execute("UPDATE games SET open_told = ? WHERE id = ?", (at, game))
