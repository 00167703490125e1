"""Which games members would like to hear of, and whom a game that is open or has a free seat is still to be told."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.store.repository import Statements

ANY = ""                        # as the key of a game: every game
ANY_SEATS = 0                   # as a number of seats: any


@dataclass(frozen=True, slots=True)
class Interest:
    """A member would like to hear when such a game is opened on a server."""

    key: str                    # of its GameSpec, or ANY
    seats: int                  # or ANY_SEATS


class Interests(Statements):
    def interests(self, guild: int, user: int) -> list[Interest]:
        sql = "SELECT key, seats FROM interests WHERE guild = ? AND user = ? ORDER BY key, seats"
        return [Interest(key, seats) for key, seats in self.conn.execute(sql, (guild, user))]

    def add_interest(self, guild: int, user: int, wanted: Interest) -> None:
        self.conn.execute("INSERT OR IGNORE INTO interests (guild, user, key, seats) VALUES (?, ?, ?, ?)",
                          (guild, user, wanted.key, wanted.seats))

    def drop_interest(self, guild: int, user: int, wanted: Interest) -> None:
        self.conn.execute("DELETE FROM interests WHERE guild = ? AND user = ? AND key = ? AND seats = ?",
                          (guild, user, wanted.key, wanted.seats))

    def interested(self, guild: int, key: str, seats: int) -> list[int]:
        sql = """SELECT DISTINCT user FROM interests WHERE guild = ? AND key IN (?, '') AND seats IN (?, 0) ORDER BY user"""
        return [user for (user,) in self.conn.execute(sql, (guild, key, seats))]

    def will_tell(self, game: int, told: Sequence[tuple[int, str]]) -> None:
        self.conn.executemany("INSERT OR IGNORE INTO openings (game, user, due_at) VALUES (?, ?, ?)",
                              [(game, user, due) for user, due in told])

    def will_tell_of_seat(self, game: int, told: Sequence[tuple[int, str]], before: str) -> None:
        """These members are to be told of a free seat of a game, each at a moment; those who were last told `before` then."""
        sql = """INSERT INTO openings (game, user, due_at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE
                 SET due_at = excluded.due_at WHERE coalesce(seat_told, '') <= ?"""
        self.conn.executemany(sql, [(game, user, due, before) for user, due in told])

    def seat_told(self, user: int, games: Sequence[int], at: str) -> None:
        told = [(at, game, user) for game in games]
        self.conn.executemany("UPDATE openings SET seat_told = ? WHERE game = ? AND user = ?", told)

    def opening_untold(self, user: int, games: Sequence[int]) -> None:
        """A member could not be told of these games, and can be later."""
        self.conn.executemany("DELETE FROM openings WHERE game = ? AND user = ?", [(game, user) for game in games])

    def openings_due(self, user: int, at: str) -> list[int]:
        """Of which games a member is to be told by now."""
        sql = "SELECT game FROM openings WHERE user = ? AND due_at <= ? ORDER BY game"
        return [game for (game,) in self.conn.execute(sql, (user, at))]

    def openings_after(self, at: str) -> list[tuple[int, int, str]]:
        return self.conn.execute("SELECT game, user, due_at FROM openings WHERE due_at > ?", (at,)).fetchall()

    def put_off_openings(self, told: Sequence[tuple[int, int, str]]) -> None:
        self.conn.executemany("UPDATE openings SET due_at = ? WHERE game = ? AND user = ?",
                              [(due, game, user) for game, user, due in told])

    def opening_told(self, user: int, games: Sequence[int]) -> None:
        """A member is being told of these games, and not again until something is new."""
        self.conn.executemany("UPDATE openings SET due_at = NULL WHERE game = ? AND user = ?", [(game, user) for game in games])

    def call_role(self, guild: int | None) -> int | None:
        """The role that is pinged once when a game is opened on a server."""
        role: int | None = self._one("SELECT call_role FROM settings WHERE guild = ?", guild)
        return role

    def set_call_role(self, guild: int, role: int | None) -> None:
        """Choose that role, or none."""
        sql = "INSERT INTO settings (guild, call_role) VALUES (?, ?) ON CONFLICT DO UPDATE SET call_role = excluded.call_role"
        self.conn.execute(sql, (guild, role))
