"""What finished games need no longer."""
from __future__ import annotations

from typing import Final

from bot.store.repository import Statements

# Of a finished game: what only helped to play it. Its rows, seats and messages stay, and so does the first of its states, from
# which any other is replayed.
NEEDLESS: Final = ("looks", "visits", "drafts", "plans", "deadlines", "votes", "extensions", "vacations", "order_dues",
                   "escalations", "stand_in_offers", "replacements", "ballots", "applications", "openings", "guests", "nudges",
                   "alarms")
ENDED: Final = """status IN ('over', 'closed')
    AND coalesce((SELECT at FROM log WHERE game = games.id ORDER BY no DESC LIMIT 1), created_at) < ?"""


class Retention(Statements):
    def retire(self, before: str, most: int) -> int:
        """Drop what only helped to play them from so many games that ended before a moment; how many there were."""
        held = " UNION ".join(["SELECT game FROM checkpoints WHERE no > 0", *(f"SELECT game FROM {table}" for table in NEEDLESS)])
        found = self.conn.execute(f"SELECT id FROM games WHERE {ENDED} AND id IN ({held}) LIMIT ?", (before, most)).fetchall()
        self.conn.executemany("DELETE FROM checkpoints WHERE game = ? AND no > 0", found)
        for table in NEEDLESS:
            self.conn.executemany(f"DELETE FROM {table} WHERE game = ?", found)
        return len(found)

    def drop_notes(self, before: str, most: int) -> int:
        """Drop the audit of so many games that ended before a moment; how many there were."""
        found = self.conn.execute(f"SELECT id FROM games WHERE {ENDED} AND id IN (SELECT game FROM audit) LIMIT ?",
                                  (before, most)).fetchall()
        self.conn.executemany("DELETE FROM audit WHERE game = ?", found)
        return len(found)
