"""How games have ended, seat by seat, and who wants to be in no table of results.

All of it follows from the log, the seats and the answers of a game, and can be worked out anew from them at any time.
"""
from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

from bot.domain.results import GameResult, SeatResult, Standing
from bot.store.repository import Statements
from engine.kernel import Seat
from engine.proxies import AUTOMATIC, read

OTHERS: Final = ("standin", "caretaker", *AUTOMATIC.values())        # whose moves are not the member's
WHOSE: Final = "coalesce(owner, user)"          # of a seat: who holds it, whoever plays it just now
FORGOTTEN: Final = 0                            # in the answers of a member who has been forgotten

ENDED_THERE: Final = "(SELECT id FROM games WHERE guild = ? AND status = 'over')"


class Results(Statements):
    """How games have ended, and who wants to be in no table of results."""

    def note_result(self, game: int, standings: Sequence[Standing]) -> None:
        """How a game has ended; it takes the place of what was noted before. Without standings nobody looks at it again.

        A seat is a member's own who has held it from its first move on and given every answer of it. Games that go on from
        another's row count for nobody, and so do those that were never played here, since nobody has answered anything.
        """
        self.conn.execute("DELETE FROM results WHERE game = ?", (game,))
        self.conn.execute("INSERT INTO results (game, at) SELECT id, coalesce((SELECT at FROM log WHERE game = games.id "
                          "ORDER BY no DESC LIMIT 1), created_at) FROM games WHERE id = ?", (game,))
        branched = self._one("SELECT 1 FROM branches WHERE game = ?", game) is not None
        for one in standings:
            whose = None if branched else self._own(game, one.seat)
            self.conn.execute(
                "INSERT INTO result_seats (game, seat, own, user, side, place, points, pace) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (game, one.seat, whose is not None, None if self.unlisted(whose or FORGOTTEN) else whose or None, one.side,
                 one.place, one.points, self._pace(game, one.seat)))

    def _own(self, game: int, seat: Seat) -> int | None:
        """The member whose seat it was from first to last, FORGOTTEN for one who has been forgotten; None: there is none."""
        users: list[int] = [user for (user,) in self.conn.execute(
            "SELECT DISTINCT user FROM answers WHERE game = ? AND seat = ? AND NOT missed", (game, seat))]
        whose = self._one(f"SELECT {WHOSE} FROM seats WHERE game = ? AND seat = ?", game, seat)
        if users != [whose or FORGOTTEN] or self._answered_by_others(game, seat):
            return None
        return users[0]

    def _answered_by_others(self, game: int, seat: Seat) -> bool:
        """True if somebody else has played a seat: a stand-in, a caretaker, an automatic player, whoever had it before."""
        moved = "SELECT 1 FROM tenures JOIN log USING (game, seat) WHERE game = ? AND seat = ? AND log.no <= tenures.row LIMIT 1"
        if self._one(moved, game, seat) is not None:
            return True
        found = self.conn.execute("SELECT DISTINCT proxy FROM log WHERE game = ? AND seat = ? AND proxy <> ''", (game, seat))
        return any(proxy is not None and proxy.how in OTHERS for proxy in [read(written) for (written,) in found])

    def _pace(self, game: int, seat: Seat) -> int:
        """The seconds awake that half of a seat's answers took at most."""
        took = [max(seconds, 0) for (seconds,) in self.conn.execute(
            "SELECT seconds FROM answers WHERE game = ? AND seat = ?", (game, seat))]
        return round(median(took)) if took else 0

    def without_result(self, most: int) -> list[int]:
        sql = "SELECT id FROM games WHERE status = 'over' AND id NOT IN (SELECT game FROM results) ORDER BY id LIMIT ?"
        return [game for (game,) in self.conn.execute(sql, (most,))]

    def results(self, guild: int) -> list[GameResult]:
        """How the games of a server have ended, the earliest end first."""
        seats: dict[int, list[SeatResult]] = {}
        sql = f"""SELECT game, seat, own, user, side, place, points, pace FROM result_seats WHERE game IN {ENDED_THERE}
                  ORDER BY game, seat"""
        for game, seat, own, user, side, place, points, pace in self.conn.execute(sql, (guild,)):
            seats.setdefault(game, []).append(SeatResult(
                seat=Seat(seat), own=bool(own), user=user, side=side, place=place, points=points, pace=pace))
        sql = f"""SELECT game, key, edition, pack_hash, at FROM results JOIN games ON games.id = game WHERE game IN {ENDED_THERE}
                  ORDER BY at, game"""
        return [GameResult(game=game, key=key, edition=edition, pack=pack, at=at, seats=tuple(seats.get(game, ())))
                for game, key, edition, pack, at in self.conn.execute(sql, (guild,))]

    def names(self, guild: int, users: Sequence[int]) -> dict[int, str]:
        sql = """SELECT name FROM seats JOIN games ON games.id = game WHERE user = ? AND guild = ? AND name <> ''
                 ORDER BY game DESC LIMIT 1"""
        found = {user: self._one(sql, user, guild) for user in users}
        return {user: name for user, name in found.items() if name}

    # -- who wants to be in no table

    def unlisted(self, user: int) -> bool:
        return self._one("SELECT 1 FROM unlisted WHERE user = ?", user) is not None

    def unlist(self, user: int) -> None:
        self.conn.execute("INSERT OR IGNORE INTO unlisted (user) VALUES (?)", (user,))
        self.conn.execute("UPDATE result_seats SET user = NULL WHERE user = ?", (user,))

    def list_again(self, user: int) -> None:
        self.conn.execute("DELETE FROM unlisted WHERE user = ?", (user,))
        for (game, seat) in self.conn.execute("SELECT game, seat FROM seats WHERE user = ?1 AND owner IS NULL UNION "
                                              "SELECT game, seat FROM seats WHERE owner = ?1", (user,)).fetchall():
            self.conn.execute("UPDATE result_seats SET user = ? WHERE game = ? AND seat = ? AND own", (user, game, seat))
