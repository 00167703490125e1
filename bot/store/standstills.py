"""Games that stand still while nobody of theirs has been seen for a while: who looks after the server hears of them."""
from __future__ import annotations

from bot.store.repository import Statements
from engine.kernel import Seat

DEAF = "SELECT user FROM members WHERE pings = 'none' AND NOT direct"       # who can't be called
PEOPLE = f"""SELECT user FROM seats WHERE game = games.id AND user NOT NULL AND user NOT IN ({DEAF}) UNION
             SELECT owner FROM seats WHERE game = games.id AND owner NOT NULL AND owner NOT IN ({DEAF}) UNION
             SELECT games.owner WHERE games.owner NOT IN ({DEAF})"""
AWAY = """SELECT 1 FROM deadlines AS d JOIN vacations AS v ON v.game = d.game AND v.user = d.user
          WHERE d.game = games.id AND v.starts <= :at AND v.ends > :at"""     # of all who are asked together [P-28]
ASKED = "SELECT 1 FROM deadlines WHERE game = games.id AND given = '' AND since <= :since"       # for as long
DEEDS = "SELECT 1 FROM audit WHERE game = games.id AND user NOT NULL AND at > :since"      # of people: the bot's own are no life


def _anywhere(people: str) -> str:
    """Whether one of these members has done or looked at something anywhere since a moment. What an order or a game master has
    answered for them does not count."""
    return f"""(EXISTS (SELECT 1 FROM answers JOIN log USING (game, no) WHERE user IN ({people}) AND missed = 0
                        AND by = 'player' AND answers.at > :seen)
               OR EXISTS (SELECT 1 FROM audit WHERE user IN ({people}) AND at > :seen)
               OR EXISTS (SELECT 1 FROM visits WHERE user IN ({people}) AND at > :seen))"""


class Standstills(Statements):
    """Games that stand still while nobody of theirs has been seen for a while."""

    def standstills(self, at: str, since: str, seen: str, told: str) -> list[int]:
        """The games of servers in which nothing has happened since a moment, of whose players and game masters nobody who can be
        called has been `seen` anywhere since another, and of which their server has not been `told` since a third; those are left
        out that wait for somebody on vacation, were paused by people, or can be joined by anybody."""
        sql = f"""SELECT id FROM games WHERE guild NOT NULL AND created_at <= :since AND coalesce(started_at, '') <= :since
            AND coalesce(stood_told, '') <= :told
            AND coalesce((SELECT at FROM log WHERE game = games.id ORDER BY no DESC LIMIT 1), '') <= :since
            AND NOT EXISTS ({DEEDS})
            AND CASE status WHEN 'open' THEN full_at <= :since OR (full_at IS NULL AND invite_only)
                WHEN 'running' THEN EXISTS ({ASKED}) AND NOT EXISTS ({AWAY}) WHEN 'paused' THEN deserted ELSE 0 END
            AND NOT {_anywhere(PEOPLE)} ORDER BY id"""
        return [game for (game,) in self.conn.execute(sql, {"at": at, "since": since, "seen": seen, "told": told})]

    def long_pauses(self, since: str, seen: str, told: str) -> list[int]:
        """The games of servers that people have paused, in which nothing has happened since a moment, whose game master has not
        been `seen` anywhere since another, and of which their people have not been `told` since a third."""
        sql = f"""SELECT id FROM games WHERE guild NOT NULL AND guild NOT IN (SELECT guild FROM departures)
            AND status = 'paused' AND NOT deserted AND coalesce(stood_told, '') <= :told
            AND coalesce((SELECT at FROM log WHERE game = games.id ORDER BY no DESC LIMIT 1), '') <= :since
            AND NOT EXISTS ({DEEDS})
            AND NOT {_anywhere("games.owner")} ORDER BY id"""
        return [game for (game,) in self.conn.execute(sql, {"since": since, "seen": seen, "told": told})]

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
