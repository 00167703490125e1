"""When whoever runs the bot was last told of each kind of trouble."""
from __future__ import annotations

from bot.domain.troubles import Kind
from bot.store.repository import Statements


class TroubleStatements(Statements):
    def told_of_trouble(self, kind: Kind, at: str) -> None:
        self.conn.execute("INSERT OR REPLACE INTO troubles (kind, told_at) VALUES (?, ?)", (kind, at))

    def troubles_told(self) -> dict[str, str]:
        return dict(self.conn.execute("SELECT kind, told_at FROM troubles").fetchall())
