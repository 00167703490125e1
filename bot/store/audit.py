"""What game masters and members did."""
from __future__ import annotations

import re

from bot.store.repository import Statements

PRIVATE = re.compile(r"could not deliver a \w+ for (?!public|gm)\w+")


class Audit(Statements):
    def note(self, game: int, user: int | None, what: str, at: str) -> None:
        """A line of the audit: who did what, never with a secret."""
        self.conn.execute("INSERT INTO audit (game, at, user, deed) VALUES (?, ?, ?, ?)", (game, at, user, what))

    def notes(self, game: int) -> list[tuple[str, int | None, str]]:
        """The audit of a game, oldest first: when, who, what; of a letter to one seat alone, not to which."""
        found = self.conn.execute("SELECT at, user, deed FROM audit WHERE game = ? ORDER BY id", (game,))
        return [(at, user, PRIVATE.sub("could not deliver a private message", what)) for at, user, what in found]
