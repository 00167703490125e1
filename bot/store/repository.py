"""What all groups of statements stand on."""
from __future__ import annotations

from typing import Any

from sqlite_utils import Database


class Statements:
    """Statements, by name. They exist only in the store's thread; every method is a part of the transaction under way."""

    def __init__(self, db: Database) -> None:
        self.db, self.conn = db, db.conn

    def _one(self, sql: str, *values: object) -> Any:
        """The first value of the first row, or None."""
        row = self.conn.execute(sql, values).fetchone()
        return None if row is None else row[0]

    def _tables(self) -> list[str]:
        return [table for table in self.db.table_names() if not table.startswith(("_", "sqlite_"))]

    def _columns(self, table: str) -> list[str]:
        return [column.name for column in self.db.table(table).columns]
