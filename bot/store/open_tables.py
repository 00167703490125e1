"""Open games that nobody joins or starts: since when, and what has been told of it."""
from __future__ import annotations

from dataclasses import dataclass

from bot.store.repository import Statements

BESIDE = "SELECT CAST(substr(key, 12) AS INTEGER) FROM messages WHERE game = games.id AND key LIKE 'invitation:%'"
LISTED = "SELECT 1 FROM noticeboards WHERE noticeboards.guild = games.guild AND NOT lost"
QUIET = f"""SELECT id, max(created_at, coalesce(joined_at, ''), coalesce((SELECT max(at) FROM audit WHERE game = games.id
           AND user NOT NULL), '')) AS since, owner, open_told, invite_only, coalesce(({BESIDE}), channel), EXISTS ({LISTED})
           FROM games WHERE status = 'open' AND full_at IS NULL AND guild NOT NULL
           AND guild NOT IN (SELECT guild FROM departures)"""


@dataclass(frozen=True, slots=True)
class QuietTable:
    """An open game with empty seats."""

    game: int
    since: str                  # ISO 8601, UTC: when anything last happened there
    host: int
    told: str | None            # when its people were last told that it is still open
    closed_circle: bool         # only invited members can join
    channel: int                # where people read that it is open
    listed: bool                # on the noticeboard of its server


class OpenTables(Statements):
    """Open games that nobody joins or starts."""

    def quiet_tables(self, before: str) -> list[QuietTable]:
        """The open games of servers with empty seats in which nothing has happened since a moment."""
        found = self.conn.execute(f"SELECT * FROM ({QUIET}) WHERE since <= ? ORDER BY id", (before,))
        return [QuietTable(game, since, host, told, bool(only), channel, bool(listed))
                for game, since, host, told, only, channel, listed in found]

    def somebody_joined(self, game: int, at: str) -> None:
        """Somebody has joined an open game or left it."""
        self.conn.execute("UPDATE games SET joined_at = ? WHERE id = ?", (at, game))

    def told_still_open(self, game: int, at: str) -> None:
        """The people of an open game are told that it is still open."""
        self.conn.execute("UPDATE games SET open_told = ? WHERE id = ?", (at, game))
