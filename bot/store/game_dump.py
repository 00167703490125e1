"""All that the file knows of one game, to be carried elsewhere."""
from __future__ import annotations

import base64
import sqlite3
from collections.abc import Mapping
from typing import Any

from sqlite_utils import Database
from sqlite_utils.db import quote_identifier

from bot.store.outbox import OutboxStatements
from bot.store.repository import Statements
from engine.refusals import Faulty
from engine.text import verbatim

UNSENT = "AND sent_at IS NULL"          # letters that were sent take much room and change nothing


class Captures(Statements):
    """All that the file knows of one game, to be carried elsewhere. It holds secrets."""

    def __init__(self, db: Database, outbox: OutboxStatements) -> None:
        super().__init__(db)
        self.outbox = outbox

    def capture(self, game: int) -> dict[str, list[dict[str, Any]]]:
        """The rows of every table that belong to a game, its components, its server's settings and its players' own."""
        mine = {"games": "id = :game", "components": "hash = (SELECT pack_hash FROM games WHERE id = :game)",
                "settings": "guild = (SELECT guild FROM games WHERE id = :game)",
                "insights": "circle = (SELECT circle FROM games WHERE id = :game)",
                "members": "user IN (SELECT user FROM seats WHERE game = :game)"}
        found: dict[str, list[dict[str, Any]]] = {}
        for table in self._tables():
            where = mine.get(table) or ("game = :game" if "game" in self._columns(table) else "")
            if where:
                more = UNSENT if table == "outbox" else ""
                cursor = self.conn.execute(f"SELECT * FROM {table} WHERE {where} {more}", {"game": game})
                names = [column[0] for column in cursor.description]
                found[table] = [{name: _packed(value) for name, value in zip(names, row)} for row in cursor]
        return found

    def refill(self, captured: Mapping[str, list[dict[str, Any]]]) -> None:
        """Put what was captured into an empty file. Raises Faulty: it is not of this version."""
        self.conn.execute("PRAGMA defer_foreign_keys=ON")
        tables = self._tables()
        for table, rows in captured.items():
            columns = self._columns(table) if table in tables else ()
            for row in rows:
                if not set(row) <= set(columns):
                    raise Faulty("The table {table} is one of another version of the bot.", table=verbatim(table))
                sql = f'INSERT INTO {table} ({", ".join(map(quote_identifier, row))}) VALUES ({", ".join("?" * len(row))})'
                try:
                    self.conn.execute(sql, [_unpacked(value) for value in row.values()])
                except sqlite3.Error as why:
                    raise Faulty("The table {table} does not take what was captured ({reason}).", table=verbatim(table),
                                 reason=verbatim(type(why).__name__)) from None
        self.outbox.count_letters()


def _packed(value: Any) -> Any:
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _unpacked(value: Any) -> Any:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value
