"""Whether a file belongs to a bot on Discord: the sandbox must not send its messages nowhere."""
from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.store.repository import Statements

IDS = {"games": ("guild", "owner"), "seats": ("user",), "settings": ("guild",), "members": ("user",)}


@dataclass(frozen=True)
class Claim:
    """Whether a bot with a token has used a file, and the servers and members that it knows."""

    claimed: bool = False
    ids: frozenset[int] = frozenset()


class Claims(Statements):
    """Whether the file belongs to a bot on Discord."""

    def claim(self, at: str) -> None:
        self.conn.execute("INSERT OR IGNORE INTO claims (id, at) VALUES (1, ?)", (at,))


def claim_of(path: Path) -> Claim:
    """Whose a file is, of any version; it is not changed. One that is not there, or cannot be read, is nobody's."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as conn:
            tables = {name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            claimed = "claims" in tables and conn.execute("SELECT 1 FROM claims").fetchone() is not None
            return Claim(claimed, frozenset(
                id for table, columns in IDS.items() if table in tables for column in columns
                for (id,) in conn.execute(f"SELECT DISTINCT {column} FROM {table} WHERE {column} NOT NULL")))
    except sqlite3.DatabaseError:
        return Claim()
