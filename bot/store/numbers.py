"""The numbers of games: none is ever given twice."""
from __future__ import annotations

from bot.store.repository import Statements


class Numbers(Statements):
    """The numbers of games."""

    def next_game(self) -> int:
        return self.highest_game() + 1

    def highest_game(self) -> int:
        number: int = self._one("SELECT max(coalesce(max(id), 0), (SELECT user_version FROM pragma_user_version)) FROM games")
        return number

    def pass_over(self, numbers: int) -> None:
        """Give no game one of the next numbers: games that are lost may have had them, and their buttons still hang about."""
        self.number_above(self.next_game() - 1 + numbers)

    def number_above(self, number: int) -> None:
        self.conn.execute(f"PRAGMA user_version={max(number, self.highest_game()):d}")
