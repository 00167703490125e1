"""What seats say to each other through the bot."""
from __future__ import annotations

from dataclasses import dataclass

from bot.store.repository import Statements
from bot.store.rows import Allowed, Promise
from engine.kernel import Seat

COLUMNS = "id, seat, receiver, words, promise, at"


@dataclass(frozen=True, kw_only=True)
class TalkRow:
    """One message from a seat, to all or to one other seat; a promise is one of the latter."""

    id: int
    seat: Seat
    receiver: Seat | None       # None: everybody
    words: str                  # as they were typed
    promise: Promise | None     # None: no promise; otherwise what its receiver says became of it
    at: str                     # ISO 8601, UTC


class Talk(Statements):
    def add_press(self, game: int, seat: Seat, user: int, receiver: Seat | None, words: str, promise: Promise | None,
                  at: str) -> int:
        """One more message of a seat, written by this member; its number."""
        sql = "INSERT INTO press (game, seat, user, receiver, words, promise, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
        key = self.conn.execute(sql, (game, seat, user, receiver, words, promise, at)).lastrowid
        assert key is not None, "messages are numbered"
        return key

    def press(self, game: int, seat: Seat | None) -> list[TalkRow]:
        """All that a seat has said or been told, and what was said to all; without a seat the latter; oldest first."""
        sql = f"SELECT {COLUMNS} FROM press WHERE game = ? AND (receiver IS NULL OR seat = ? OR receiver = ?) ORDER BY id"
        return [_press(row) for row in self.conn.execute(sql, (game, seat, seat))]

    def on_since(self, game: int, seat: Seat, moment: str) -> list[str]:
        """When a seat has sent something after this moment, oldest first."""
        sql = "SELECT at FROM press WHERE game = ? AND seat = ? AND at > ? ORDER BY id"
        return [at for (at,) in self.conn.execute(sql, (game, seat, moment))]

    def mark_promise(self, id: int, promise: Promise) -> None:
        self.conn.execute("UPDATE press SET promise = ? WHERE id = ?", (promise, id))

    def allow_press(self, game: int, allowed: Allowed) -> None:
        self.conn.execute("INSERT OR REPLACE INTO press_rules (game, allowed) VALUES (?, ?)", (game, allowed))


def _press(row: tuple[int, str, str | None, str, Promise | None, str]) -> TalkRow:
    id, seat, receiver, words, promise, at = row
    return TalkRow(id=id, seat=Seat(seat), receiver=Seat(receiver) if receiver else None, words=words, promise=promise, at=at)
