"""Seats that stand empty or come back to somebody, and how far each member knows a game."""
from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.store.repository import Statements
from bot.store.rows import Newcomers
from engine.kernel import Seat


@dataclass(frozen=True, slots=True)
class LastSeen:
    """How far a member knows a game."""

    row: int                    # the last row that the member was told of
    acted: int                  # the row of the member's last own answer; above `row` if the member had been away for long
    at: str                     # when the member was there last

    def seen_within(self, span: timedelta, now: datetime) -> bool:
        """True if the member has been there so recently."""
        return now - datetime.fromisoformat(self.at) <= span


@dataclass(frozen=True, slots=True)
class Tenure:
    """Since when a seat is its player's, or nobody's."""

    row: int                    # the newest row then
    at: str                     # ISO 8601, UTC


@dataclass(frozen=True, slots=True)
class ApplicationRow:
    """A member would like to take over a free seat."""

    user: int
    seat: Seat
    name: str                   # how people know the member
    declined: bool


class Seats(Statements):
    def set_caring(self, game: int, wanted: bool) -> None:
        self.conn.execute("UPDATE games SET caretaker = ? WHERE id = ?", (wanted, game))

    def set_successor(self, game: int, level: str) -> None:
        self.conn.execute("UPDATE games SET level = ? WHERE id = ?", (level, game))

    def automatic(self) -> list[int]:
        sql = "SELECT DISTINCT game FROM seats JOIN games ON games.id = game WHERE seats.level <> '' AND status = 'running'"
        return [game for (game,) in self.conn.execute(sql)]

    def automatic_secret(self) -> str:
        """Return what the small preferences of this file's automatic players are drawn from. It never leaves the file."""
        secret: str = self._one("SELECT secret FROM automatic_secret")
        return secret

    def games_of_other_levels(self, known: Collection[str]) -> list[int]:
        """The games not over yet in which an automatic player has, or would get, a seat at a strength that is none of these."""
        none = ", ".join("?" * (len(known) + 1))
        sql = f"""SELECT DISTINCT games.id FROM games LEFT JOIN seats ON seats.game = games.id
                  WHERE (games.level NOT IN ({none}) OR seats.level NOT IN ({none}))
                  AND status IN ('open', 'running', 'paused')"""
        return [game for (game,) in self.conn.execute(sql, ("", *known, "", *known))]

    def replace_other_levels(self, game: int, known: Collection[str], level: str) -> None:
        none = ", ".join("?" * (len(known) + 1))
        for table, key in (("games", "id"), ("seats", "game")):
            sql = f"UPDATE {table} SET level = ? WHERE {key} = ? AND level NOT IN ({none})"
            self.conn.execute(sql, (level, game, "", *known))

    def deserted(self, game: int) -> bool:
        """True if a game is paused only because nobody was there to be asked."""
        return bool(self._one("SELECT deserted FROM games WHERE id = ?", game))

    def desert(self, game: int) -> None:
        """A game has been paused because nobody is there; it is forgotten as soon as the game goes on."""
        self.conn.execute("UPDATE games SET deserted = 1 WHERE id = ?", (game,))

    def visit(self, game: int, user: int) -> LastSeen | None:
        """How far a member knows a game; None if the member has never been there."""
        found = self.conn.execute("SELECT row, acted, at FROM visits WHERE game = ? AND user = ?", (game, user)).fetchone()
        return None if found is None else LastSeen(*found)

    def visited(self, game: int, user: int, row: int, at: str) -> None:
        sql = """INSERT INTO visits (game, user, row, at) VALUES (?, ?, ?, ?)
                 ON CONFLICT DO UPDATE SET row = excluded.row, at = excluded.at"""
        self.conn.execute(sql, (game, user, row, at))

    def acted(self, game: int, user: int, row: int, at: str, recently: str) -> None:
        """A member answers in this row; whoever has been there, but not recently, is still to be told what has happened."""
        self.conn.execute("""INSERT INTO visits (game, user, row, acted, at) VALUES (?3, ?4, ?1, ?1, ?2) ON CONFLICT DO UPDATE
                             SET acted = ?1, row = iif(at < ?5, row, ?1), at = iif(at < ?5, at, ?2)
                             """, (row, at, game, user, recently))

    def forget_visit(self, game: int, user: int) -> None:
        """A member begins anew, in a seat whose past is not the member's own."""
        self.conn.execute("DELETE FROM visits WHERE game = ? AND user = ?", (game, user))

    # -- free seats, and who takes them over

    def tenure(self, game: int, seat: Seat) -> Tenure | None:
        """Since when a seat is its player's, or nobody's; None: since the start, or nobody has noted it."""
        found = self.conn.execute("SELECT row, at FROM tenures WHERE game = ? AND seat = ?", (game, seat)).fetchone()
        return None if found is None else Tenure(*found)

    def set_tenure(self, game: int, seat: Seat, row: int, at: str) -> None:
        self.conn.execute("INSERT OR REPLACE INTO tenures (game, seat, row, at) VALUES (?, ?, ?, ?)", (game, seat, row, at))

    def with_free_seats(self) -> set[int]:
        sql = """SELECT DISTINCT game FROM seats JOIN games ON games.id = game
                 WHERE seats.user IS NULL AND seats.level = '' AND status IN ('running', 'paused')"""
        return {game for (game,) in self.conn.execute(sql)}

    def set_newcomers(self, game: int, who: Newcomers) -> None:
        self.conn.execute("UPDATE games SET newcomers = ? WHERE id = ?", (who, game))

    def application(self, game: int, user: int) -> ApplicationRow | None:
        sql = "SELECT user, seat, name, declined FROM applications WHERE game = ? AND user = ?"
        found = self.conn.execute(sql, (game, user)).fetchone()
        return None if found is None else ApplicationRow(found[0], Seat(found[1]), found[2], bool(found[3]))

    def applicants(self, game: int, seat: Seat) -> list[int]:
        sql = "SELECT user FROM applications WHERE game = ? AND seat = ? ORDER BY at, user"
        return [user for (user,) in self.conn.execute(sql, (game, seat))]

    def apply(self, game: int, user: int, seat: Seat, name: str, at: str) -> None:
        """A member would like to take over a seat; it takes the place of what the member has asked for before."""
        self.conn.execute("INSERT OR REPLACE INTO applications (game, user, seat, name, at) VALUES (?, ?, ?, ?, ?)",
                          (game, user, seat, name, at))

    def decline(self, game: int, user: int) -> None:
        self.conn.execute("UPDATE applications SET declined = 1 WHERE game = ? AND user = ?", (game, user))

    # -- who may join an open game

    def set_invite_only(self, game: int, only: bool) -> None:
        self.conn.execute("UPDATE games SET invite_only = ? WHERE id = ?", (only, game))

    def set_full(self, game: int, at: str | None) -> None:
        """All seats of an open game are taken, now or since before; None: not all."""
        sql = "UPDATE games SET full_at = iif(?1 NOT NULL, coalesce(full_at, ?1), NULL), late_calls = 0 WHERE id = ?2"
        self.conn.execute(sql, (at, game))

    def full_since(self, game: int) -> str | None:
        """Since when all seats of an open game are taken; None: they are not, or nobody has noted it."""
        at: str | None = self._one("SELECT full_at FROM games WHERE id = ?", game)
        return at

    def called_late(self, game: int) -> None:
        """The players of a full game have been called since its host does not start it."""
        self.conn.execute("UPDATE games SET late_calls = late_calls + 1 WHERE id = ?", (game,))

    def invited(self, game: int, user: int) -> bool | None:
        """True if a member is invited to a game; False: removed from it; None: neither."""
        found = self._one("SELECT invited FROM guests WHERE game = ? AND user = ?", game, user)
        return None if found is None else bool(found)

    def set_invited(self, game: int, user: int, invited: bool) -> None:
        self.conn.execute("INSERT OR REPLACE INTO guests (game, user, invited) VALUES (?, ?, ?)", (game, user, invited))

    def rematch(self, game: int) -> int | None:
        following: int | None = self._one("SELECT next FROM rematches WHERE game = ?", game)
        return following

    def set_rematch(self, game: int, following: int) -> None:
        self.conn.execute("INSERT OR REPLACE INTO rematches (game, next) VALUES (?, ?)", (game, following))

    def look(self, game: int, user: int) -> int | None:
        row: int | None = self._one("SELECT row FROM looks WHERE game = ? AND user = ?", game, user)
        return row

    def looked(self, game: int, user: int, row: int) -> None:
        self.conn.execute("INSERT OR REPLACE INTO looks (game, user, row) VALUES (?, ?, ?)", (game, user, row))
