"""Open games that nobody joins, games that stand still or have been paused for long: what their people were told."""
from __future__ import annotations

from bot.store.repository import Statements
from engine.kernel import Seat


class IdleGames(Statements):
    """Games in which nothing happens."""

    def long_pause(self, game: int) -> str | None:
        """Since when a game has been paused, if its people were told that it has been for long; else None."""
        sql = """SELECT since FROM (SELECT max(at) AS since FROM audit WHERE game = ?1 AND user NOT NULL) JOIN games ON id = ?1
                 WHERE status = 'paused' AND NOT deserted AND stood_told > since"""
        at: str | None = self._one(sql, game)
        return at

    def standstill_told(self, game: int, at: str) -> None:
        """A server is told of a game that stands still."""
        self.conn.execute("UPDATE games SET stood_told = ? WHERE id = ?", (at, game))

    def standstill(self, game: int) -> str | None:
        """When its server was last told that a game stands still, if nothing has happened in it since and people haven't paused
        it."""
        told: str | None = self._one("""SELECT stood_told FROM games WHERE id = ? AND (status != 'paused' OR deserted)
            AND coalesce((SELECT at FROM log WHERE game = games.id ORDER BY no DESC LIMIT 1), '') < stood_told""", game)
        return told

    def stood_since(self, game: int) -> str:
        """When anything last happened in a game, or somebody last joined it."""
        at: str = self._one("""SELECT coalesce((SELECT at FROM log WHERE game = games.id ORDER BY no DESC LIMIT 1), full_at,
                               joined_at, created_at) FROM games WHERE id = ?""", game)
        return at

    def awaited(self, game: int) -> list[Seat]:
        """The seats of people that a running game asks together, whether they have answered or not; all, if it is paused."""
        sql = """SELECT seat FROM seats JOIN games ON games.id = game WHERE game = ?1 AND user NOT NULL
                 AND (status = 'paused' OR seat IN (SELECT seat FROM deadlines WHERE game = ?1)) ORDER BY 1"""
        return [Seat(seat) for (seat,) in self.conn.execute(sql, (game,))]

    def somebody_joined(self, game: int, at: str) -> None:
        """Somebody has joined an open game or left it."""
        self.conn.execute("UPDATE games SET joined_at = ? WHERE id = ?", (at, game))

    def told_still_open(self, game: int, at: str) -> None:
        self.conn.execute("UPDATE games SET open_told = ? WHERE id = ?", (at, game))
