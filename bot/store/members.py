"""What members have seen, and what game masters did."""
from __future__ import annotations

import re

from bot.store.repository import Statements

PRIVATE = re.compile(r"could not deliver a \w+ for (?!public|gm)\w+")


class Members(Statements):
    """What members have seen, and what game masters did."""

    def note(self, game: int, user: int | None, deed: str, at: str) -> None:
        """A line of the audit: who did what, never with a secret."""
        self.conn.execute("INSERT INTO audit (game, at, user, deed) VALUES (?, ?, ?, ?)", (game, at, user, deed))

    def notes(self, game: int) -> list[tuple[str, int | None, str]]:
        """The audit of a game, oldest first: when, who, what; of a letter to one seat alone, not to which."""
        found = self.conn.execute("SELECT at, user, deed FROM audit WHERE game = ? ORDER BY id", (game,))
        return [(at, user, PRIVATE.sub("could not deliver a private message", deed)) for at, user, deed in found]

    def pictured_before(self, game: int, no: int) -> int:
        """The last row before this one after which pictures were to be posted; 0 if there is none."""
        sql = "SELECT coalesce(max(no), 0) FROM outbox WHERE game = ? AND no < ? AND kind = 'picture'"
        row: int = self._one(sql, game, no)
        return row

    def look(self, game: int, user: int) -> int | None:
        row: int | None = self._one("SELECT row FROM looks WHERE game = ? AND user = ?", game, user)
        return row

    def looked(self, game: int, user: int, row: int) -> None:
        self.conn.execute("INSERT OR REPLACE INTO looks (game, user, row) VALUES (?, ?, ?)", (game, user, row))
