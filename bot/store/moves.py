"""Servers that move from one file to another, with all their games.

The file that a server moves to is the one that is open; the one from which it comes is attached to it, and only read. Surrogate
numbers (of requests, votes, messages ...) that both files have given are raised, and so is whatever refers to them.
"""
from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, Literal, cast

from sqlite_utils.db import quote_identifier

from bot.domain.letters import KINDS
from bot.store.personal_data import WHEREABOUTS, PersonalData

Way = Literal["out", "in"]

SOURCE: Final = "source"
REFERENCES: Final = {("consents", "request"): "requests", ("branches", "request"): "requests",
                     ("ballots", "replacement"): "replacements"}        # columns that hold a surrogate number of another table
NAMED: Final = {"request": "requests", "replacement": "replacements", "offer": "stand_in_offers", "press": "press",
                "letter": "outbox"}                                     # fields of letters that do
IN_LETTERS: Final = tuple([(kind, field, table) for kind, letter in KINDS.items() for field, table in NAMED.items()
                           if field in letter.model_fields])
ASKING: Final = ("requests", "replacements", "stand_in_offers")         # what messages ask by buttons that name a number


@dataclass(frozen=True)
class Mark:
    """A server is on its way out of this file, or into it, and that has not been finished."""

    guild: int
    way: Way
    file: str               # the other one
    token: str              # the same in both


class Moves(PersonalData):
    """Servers that move from one file to another."""

    # -- what lies where

    def servers(self) -> dict[int | None, dict[str, int]]:
        """How many games of each status every server has that is known here; None: the games of no server."""
        found: dict[int | None, dict[str, int]] = {
            guild: {} for table in self._tables() if "guild" in self._columns(table) and table not in ("games", *WHEREABOUTS)
            for (guild,) in self.conn.execute(f"SELECT DISTINCT guild FROM {table}")}
        for guild, status, number in self.conn.execute("SELECT guild, status, count(*) FROM games GROUP BY guild, status"):
            found.setdefault(guild, {})[status] = number
        return found

    def knows_server(self, guild: int) -> bool:
        """Whether the file has anything of a server."""
        return guild in self.servers()

    # -- moves under way

    def moves(self) -> list[Mark]:
        """The moves that have not been finished."""
        if "moves" not in self._tables():               # the file is of an earlier version, and is only read
            return []
        rows = self.conn.execute("SELECT guild, way, file, token FROM moves ORDER BY guild").fetchall()
        return [Mark(guild, cast("Way", way), file, token) for guild, way, file, token in rows]

    def begin_move(self, mark: Mark) -> None:
        """Note that a server is on its way."""
        self.conn.execute("INSERT INTO moves (guild, way, file, token) VALUES (?, ?, ?, ?)",
                          (mark.guild, mark.way, mark.file, mark.token))

    def end_move(self, guild: int) -> None:
        """It has arrived."""
        self.conn.execute("DELETE FROM moves WHERE guild = ?", (guild,))

    # -- the way out

    def is_entangled(self, guild: int) -> bool:
        """Whether a game of a server goes on from, or into, or has its past in common with a game of another one."""
        pairs = ("SELECT game AS a, origin AS b FROM branches UNION SELECT game, next FROM rematches UNION "
                 "SELECT id, circle FROM games WHERE circle IN (SELECT id FROM games)")
        mine = "(SELECT id FROM games WHERE guild = ?1)"
        return self._one(f"SELECT 1 FROM ({pairs}) WHERE (a IN {mine}) <> (b IN {mine}) LIMIT 1", guild) is not None

    def let_go(self, guild: int, above: int) -> None:
        """Erase a server that has arrived elsewhere, with what only its members were known for; no number up to this one is given
        to a game any more."""
        users = self._members_of(guild)
        self.erase_guild(guild)
        users -= {user for table, columns in self._of_members() if table not in self._own_tables for column in columns
                  for (user,) in self.conn.execute(f'SELECT DISTINCT "{column}" FROM {table}')}
        for table in self._own_tables:
            self.conn.executemany(f"DELETE FROM {table} WHERE user = ?", [(user,) for user in users])
        self.number_above(above)
        self.end_move(guild)
        self.conn.execute("INSERT OR IGNORE INTO moved_away (guild) VALUES (?)", (guild,))

    def moved_away(self) -> set[int]:
        """The servers that have moved to other files."""
        return {guild for (guild,) in self.conn.execute("SELECT guild FROM moved_away")}

    # -- the way in; these need the other file at hand

    def attach(self, path: Path) -> None:
        """Have another file at hand."""
        self.conn.execute(f"ATTACH ? AS {SOURCE}", (str(path),))

    def detach(self) -> None:
        """Have it no longer."""
        self.conn.execute(f"DETACH {SOURCE}")

    def numbers_in_both(self, guild: int) -> list[int]:
        """The games of a server whose numbers games of this file have, too."""
        sql = f"SELECT id FROM {SOURCE}.games WHERE guild = ? AND id IN (SELECT id FROM main.games) ORDER BY id"
        return [game for (game,) in self.conn.execute(sql, (guild,))]

    def take_in(self, guild: int) -> dict[str, list[tuple[int, int]]]:
        """Copy all that the attached file has of a server and of its members.

        The open requests, votes and offers that have got other numbers, by table: game and number.
        No game's number may be taken here, and no game entangled with one of another server.
        """
        self.conn.execute("PRAGMA defer_foreign_keys=ON")
        given = {"guild": guild}
        parts = self._of_server(SOURCE)
        raised = {table: self._raise_by(table, where, guild) for table, where in parts.items() if self._has_numbers(table)}
        self.conn.execute(f"""
            INSERT OR IGNORE INTO main.components SELECT * FROM {SOURCE}.components
            WHERE hash IN (SELECT pack_hash FROM {SOURCE}.games WHERE guild = :guild)""", given)
        self.conn.execute(f"""
            INSERT OR IGNORE INTO main.old_noticeboards (message, guild, channel) SELECT message, guild, channel
            FROM {SOURCE}.noticeboards WHERE guild = :guild AND message NOT NULL
            AND guild IN (SELECT guild FROM main.noticeboards)""", given)
        self.conn.execute("UPDATE main.noticeboards SET changed = changed + 1 WHERE guild = :guild", given)
        for table, where in parts.items():
            self._copy(table, where, given, raised)
        users = json.dumps(sorted(self._members_of(guild, SOURCE)))
        for table in self._own_tables:
            self._copy(table, "user IN (SELECT value FROM json_each(:users))", {"users": users}, {})
        self.conn.execute(f"INSERT OR IGNORE INTO main.claims SELECT * FROM {SOURCE}.claims")
        self.conn.execute(f"""INSERT INTO main.outages SELECT * FROM {SOURCE}.outages
                              WHERE NOT EXISTS (SELECT 1 FROM main.heartbeat)""")
        self.conn.execute(f"INSERT OR IGNORE INTO main.heartbeat SELECT * FROM {SOURCE}.heartbeat")
        self._renumber_letters(guild, raised)
        self.conn.execute("DELETE FROM main.moved_away WHERE guild = :guild", given)
        self.next_letter = self._one("SELECT coalesce(max(id), 0) + 1 FROM main.outbox")
        return {table: self.conn.execute(f"SELECT game, id FROM main.{table} WHERE ended IS NULL AND game IN "
                                         f"(SELECT id FROM {SOURCE}.games WHERE guild = ?) ORDER BY id", (guild,)).fetchall()
                for table in ASKING if raised[table]}

    def _copy(self, table: str, where: str, given: Mapping[str, object], raised: Mapping[str, int]) -> None:
        """Copy rows in the order in which they were written, which is that of their hidden numbers. What the target has of a
        server, or of a member beside all games, stays as it is there."""
        columns = self._columns(table)
        values = ", ".join(f'"{column}" + {raised.get(table if column == "id" else REFERENCES.get((table, column), ""), 0)}'
                           if (table, column) in REFERENCES or (column == "id" and table in raised) else f'"{column}"'
                           for column in columns)
        kept = table in self._own_tables or table == "thread_members" or ("guild" in columns and table != "games")
        hidden = not self._one("SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?", table)
        names = ", ".join(map(quote_identifier, columns))
        self.conn.execute(f"INSERT {'OR IGNORE' if kept else ''} INTO main.{table} ({names}) "
                          f"SELECT {values} FROM {SOURCE}.{table} WHERE {where} {'ORDER BY rowid' if hidden else ''}", given)

    def _raise_by(self, table: str, where: str, guild: int) -> int:
        """By how much the numbers of a table are raised: 0 if none is taken here; else so much that no number that one of these
        rows has had is another one's now, since old buttons name it."""
        taken = f"SELECT 1 FROM {SOURCE}.{table} WHERE ({where}) AND id IN (SELECT id FROM main.{table}) LIMIT 1"
        if self.conn.execute(taken, {"guild": guild}).fetchone() is None:
            return 0
        highest: int = self._one(f"SELECT max((SELECT max(id) FROM main.{table}), (SELECT max(id) FROM {SOURCE}.{table}))")
        return highest

    def _renumber_letters(self, guild: int, raised: Mapping[str, int]) -> None:
        """Letters, and the keys by which their messages are found, name the new numbers."""
        moved = f"game IN (SELECT id FROM {SOURCE}.games WHERE guild = :guild)"
        for kind, field, table in IN_LETTERS:
            if not raised[table]:
                continue
            given = {"guild": guild, "kind": kind, "field": f"$.{field}", "by": raised[table]}
            number = "(json_extract(payload, :field) + :by)"
            self.conn.execute(f"""
                UPDATE main.outbox SET payload = json_set(payload, :field, {number}),
                key = iif(key IS NULL, NULL, kind || ':' || {number})
                WHERE kind = :kind AND {moved} AND json_extract(payload, :field) NOT NULL""", given)
            self.conn.execute(f"""
                UPDATE main.messages SET key = :kind || ':' || (CAST(substr(key, length(:kind) + 2) AS INTEGER) + :by)
                WHERE {moved} AND key LIKE :kind || ':%'""", given)

    # -- the works

    def _members_of(self, guild: int, schema: str = "main") -> set[int]:
        """The members that stand in the rows of a server."""
        parts, given = self._of_server(schema), {"guild": guild}
        return {user for table, columns in self._of_members() if table in parts for column in columns
                for (user,) in self.conn.execute(f'SELECT DISTINCT "{column}" FROM {schema}.{table} WHERE {parts[table]}', given)
                if user is not None}

    @cached_property
    def _own_tables(self) -> Collection[str]:
        """The tables of what members have for themselves, whatever the game and the server."""
        others = self._of_server("main")
        return [table for table in self._tables() if "user" in self._columns(table) and table not in others]

    def _has_numbers(self, table: str) -> bool:
        """Whether the rows of a table have numbers that mean nothing elsewhere; those of games are the same in all files."""
        return table != "games" and [column.name for column in self.db.table(table).columns if column.is_pk] == ["id"]
