"""Who has been let into the secrets of which seat, in all games with a past in common."""
from __future__ import annotations

from bot.domain.insights import Insight, SharedPast
from bot.store.repository import Statements
from engine.kernel import Seat

ADD = "INSERT INTO insights (circle, seat, user, held, agreed) SELECT circle, ?, ?, ?, ? FROM games WHERE id = ? "
HOLDS = ("INSERT INTO insights (circle, seat, user, held, agreed) SELECT circle, seat, seats.{user}, 1, 0 FROM seats "
         "JOIN games ON games.id = game WHERE game = ? AND commitment <> '' AND seats.{user} NOT NULL ORDER BY seats.rowid "
         "ON CONFLICT DO UPDATE SET held = 1")
IN_IT = "circle = (SELECT circle FROM games WHERE id = ?)"
NAMED = ("INSERT INTO insights (circle, seat, user, held, agreed) SELECT circle, seat, ?, 1, 0 FROM insights "
         f"WHERE {IN_IT} AND user = ? AND held")


class Insights(Statements):
    def circle(self, game: int) -> SharedPast:
        found = self.conn.execute(f"SELECT seat, user, held, agreed FROM insights WHERE {IN_IT} ORDER BY id", (game,))
        return SharedPast(running=bool(self.running_beside(game, besides=0)), insights=tuple([
            Insight(seat=Seat(seat), user=user, held=bool(held), agreed=bool(agreed)) for seat, user, held, agreed in found]))

    def doubly_known(self, game: int) -> bool:
        """True if any member has been let into more than one seat's secrets; of the others the rule hides nothing."""
        sql = f"SELECT 1 FROM insights WHERE {IN_IT} GROUP BY user HAVING count(*) > 1 LIMIT 1"
        return self._one(sql, game) is not None

    def circle_of(self, game: int) -> int:
        number: int = self._one("SELECT circle FROM games WHERE id = ?", game)
        return number

    def running_beside(self, game: int, *, besides: int | None = None) -> list[int]:
        """The games of its circle that are not at their end, but for this one (or for another one)."""
        sql = f"SELECT id FROM games WHERE {IN_IT} AND status IN ('running', 'paused') AND id <> ? ORDER BY id"
        return [id for (id,) in self.conn.execute(sql, (game, game if besides is None else besides))]

    def agreed(self, game: int, seat: Seat, user: int, *, held: bool) -> None:
        """It has been agreed to that a member knows a seat's secrets, by holding it or by being shown them."""
        self.conn.execute(f"{ADD} ON CONFLICT DO UPDATE SET held = max(held, excluded.held), agreed = 1",
                          (seat, user, held, True, game))

    def partisan(self, game: int, user: int, of: int) -> None:
        """A member is taken for one with another: whoever plays and names a game master has no neutral one by that."""
        self.conn.execute(f"{NAMED} ORDER BY id ON CONFLICT DO UPDATE SET held = 1", (user, game, of))

    def let_in(self, game: int) -> None:
        """Note that whoever has a seat of a game that has begun, to play it or to come back to it, knows its secrets."""
        for user in ("user", "owner"):
            self.conn.execute(HOLDS.format(user=user), (game,))
