"""Where games are played, and the threads in which their players talk."""
from __future__ import annotations

from collections.abc import Sequence

from bot.store.repository import Statements
from engine.kernel import Seat


class ChannelStatements(Statements):
    def move_game(self, game: int, channel: int) -> None:
        """A game is played there from now on; the messages that it has left behind are found no more."""
        self.conn.execute("UPDATE games SET channel = ? WHERE id = ?", (channel, game))
        self.conn.execute("DELETE FROM messages WHERE game = ? AND key NOT LIKE 'private:%'", (game,))

    def thread(self, game: int, seats: Sequence[Seat]) -> int | None:
        """The thread in which these seats talk; without seats, that of the whole table."""
        found: int | None = self._one("SELECT thread FROM threads WHERE game = ? AND seats = ?", game, _together(seats))
        return found

    def game_of_thread(self, thread: int) -> int | None:
        game: int | None = self._one("SELECT game FROM threads WHERE thread = ?", thread)
        return game

    def add_thread(self, game: int, seats: Sequence[Seat], thread: int) -> None:
        sql = "INSERT OR REPLACE INTO threads (game, seats, thread) VALUES (?, ?, ?)"
        self.conn.execute(sql, (game, _together(seats), thread))

    def forget_thread(self, thread: int) -> None:
        self.conn.execute("DELETE FROM thread_members WHERE thread = ?", (thread,))
        self.conn.execute("DELETE FROM threads WHERE thread = ?", (thread,))

    def private_threads(self, game: int) -> list[tuple[int, list[Seat]]]:
        rows = self.conn.execute("SELECT thread, seats FROM threads WHERE game = ? AND seats <> '' ORDER BY thread", (game,))
        return [(thread, [Seat(seat) for seat in seats.split(",")]) for thread, seats in rows]

    def thread_members(self, thread: int) -> set[int]:
        """The members who were added to a thread and have not been removed."""
        return {user for (user,) in self.conn.execute("SELECT user FROM thread_members WHERE thread = ?", (thread,))}

    def add_thread_member(self, thread: int, user: int) -> None:
        self.conn.execute("INSERT OR IGNORE INTO thread_members (thread, user) VALUES (?, ?)", (thread, user))

    def remove_thread_member(self, thread: int, user: int) -> None:
        """A member does not read along any more."""
        self.conn.execute("DELETE FROM thread_members WHERE thread = ? AND user = ?", (thread, user))


def _together(seats: Sequence[Seat]) -> str:
    return ",".join(sorted(seats))
