"""How much there is in the file, and what waits."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.store.outbox import WAITS
from bot.store.repository import Statements


@dataclass(frozen=True)
class Figures:
    """What the operator wants to know of the file."""

    games: Mapping[str, int]        # by status
    letters: int                    # that have not been sent
    since: str | None               # when the row of the oldest of them was stored
    bytes: int


class Counting(Statements):
    def figures(self) -> Figures:
        games = dict(self.conn.execute("SELECT status, count(*) FROM games GROUP BY status").fetchall())
        letters = self._one(f"SELECT count(*) FROM outbox WHERE {WAITS}")
        since = self._one(f"""
            SELECT coalesce(log.at, games.started_at, games.created_at) FROM outbox JOIN games ON games.id = outbox.game
            LEFT JOIN log ON log.game = outbox.game AND log.no = outbox.no
            WHERE outbox.id = (SELECT min(id) FROM outbox WHERE {WAITS})""")
        pages = self._one("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        return Figures(games, letters, since, pages)
