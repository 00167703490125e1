"""Steps of games that members have marked for themselves, with what they have noted there."""
from __future__ import annotations

from dataclasses import dataclass

from bot.store.repository import Statements


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A step of a game that a member has marked."""

    game: int
    title: str                  # of the game
    row: int
    words: str                  # what the member has noted; "": nothing


class Bookmarks(Statements):
    """Steps of games that members have marked for themselves."""

    def bookmarks(self, user: int) -> list[Bookmark]:
        """Return what a member has marked, the newest game first, and of each game the steps in their order."""
        sql = """SELECT game, title, row, words FROM bookmarks JOIN games ON games.id = game WHERE user = ?
                 ORDER BY game DESC, row"""
        return [Bookmark(*found) for found in self.conn.execute(sql, (user,))]

    def bookmark(self, game: int, user: int, row: int) -> str | None:
        """Return what a member has noted at a step; None: the member has not marked it."""
        words: str | None = self._one("SELECT words FROM bookmarks WHERE game = ? AND user = ? AND row = ?", game, user, row)
        return words

    def set_bookmark(self, game: int, user: int, row: int, words: str, at: str) -> None:
        """A member marks a step, and notes this there in the place of what was noted before."""
        self.conn.execute("INSERT OR REPLACE INTO bookmarks (game, user, row, words, at) VALUES (?, ?, ?, ?, ?)",
                          (game, user, row, words, at))

    def drop_bookmark(self, game: int, user: int, row: int) -> None:
        self.conn.execute("DELETE FROM bookmarks WHERE game = ? AND user = ? AND row = ?", (game, user, row))
