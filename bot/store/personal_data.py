"""What the file knows of one member or of one server: to hand it out, and to forget it.

Tables and columns are found by their names, so that one that comes later is not missed: `user`, `owner` and `asker` are members.
"""
from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from bot.store.numbers import Numbers
from bot.store.rows import WITHDRAWN
from engine.proxies import FORMER
from engine.text import say, text

MEMBERS: Final = ("user", "owner", "asker")                 # columns that hold the id of a member
EMPTIED: Final = {("seats", "user"), ("seats", "owner"), ("result_seats", "user")}      # who holds a seat: nobody any more
ROWS_KEPT: Final = {"games", "orders", "answers", "audit", "press", "requests", "noticeboards", "replacements"}
LATER: Final = {"insights", "forgotten"}                    # until the games are over whose secrets the member has seen
PLACEHOLDER: Final = 0                                      # in the place of the id, where a row must have one
WRITTEN: Final = (("log", "proxy"), ("audit", "deed"), ("outbox", "payload"), ("outbox", "key"), ("games", "told"),
                  ("requests", "about"))
NAMES: Final = {("seats", "name"): "user", ("seats", "owner_name"): "owner", ("stand_in_offers", "name"): "user"}  # and whose
ANOTHER: Final = text("another member")
ERASED: Final = "(erased at the author's request)"
PRIVATE: Final = "kind IN ('private', 'farewell', 'proxy', 'plan', 'press')"     # letters to a seat that are direct messages
TO_MASTERS: Final = "kind IN ('quiet', 'escalation')"       # letters to a game master that can be
HELD: Final = """SELECT game, seat FROM seats WHERE user = ?1 OR owner = ?1 UNION
    SELECT games.id, insights.seat FROM insights JOIN games USING (circle) WHERE insights.user = ?1 AND held"""
LED: Final = "SELECT id FROM games WHERE owner = ?1 UNION SELECT game FROM audit WHERE user = ?1"
ALSO: Final = {"requests": ("json_extract(about, '$.user') = :user",), "audit": ("instr(deed, '<@' || :user || '>')",)}
ALONE: Final = "SELECT id FROM games WHERE guild IS NULL AND owner = ?1"        # games in direct messages
MENTION: Final = re.compile(r"<@(\d+)>")
TO: Final = "json_extract(payload, '$.user') = ?1"          # letters to one member
PAST: Final = "NOT EXISTS (SELECT 1 FROM games WHERE games.circle = insights.circle AND status NOT IN ('over', 'closed'))"


class PersonalData(Numbers):
    """What the file knows of one member or of one server."""

    def own(self, user: int, told: Sequence[tuple[int, str]]) -> dict[str, list[dict[str, Any]]]:
        """Every row that is a member's, by table; of what was said by nobody knows whom, that from these seats (game, seat)."""
        found: dict[str, list[dict[str, Any]]] = {}
        for table, columns in self._of_members():
            if table in ("forgotten", "press"):
                continue
            shown = "id, key, title, guild, channel, status, created_at" if table == "games" else "*"      # never its secret
            where = " OR ".join([*(f'"{column}" = :user' for column in columns), *ALSO.get(table, ())])
            rows = self._rows(f"SELECT {shown} FROM {table} WHERE {where}", {"user": user})
            found[table] = [_of_one(table, row, columns, user) for row in rows]
        found["press"] = self._rows("""
            SELECT game, seat, receiver, words, promise, at FROM press WHERE user = :user OR user IS NULL AND (game, seat) IN
            (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:told)) ORDER BY id""",
                                    {"user": user, "told": json.dumps(told)})
        return {table: rows for table, rows in found.items() if rows}

    def places(self, user: int) -> list[tuple[int, str]]:
        return [(game, seat) for game, seat in self.conn.execute("""
            SELECT game, seat FROM seats WHERE user = ?1 OR owner = ?1 UNION
            SELECT games.id, insights.seat FROM insights JOIN games USING (circle) JOIN seats
            ON seats.game = games.id AND seats.seat = insights.seat
            WHERE insights.user = ?1 AND held AND seats.user IS NULL""", (user,))]

    def forget(self, user: int, last: Sequence[tuple[int, str]], at: str) -> None:
        """Erase a member; of running games whose secrets the member has seen, that alone stays until they are over.

        `last`: the seats that nobody else has held since. Of what earlier versions have kept without its author goes what was
        said from any seat that the member has held.
        """
        for game, seat in last:
            self.conn.execute("DELETE FROM messages WHERE game = ? AND key = ?", (game, f"private:{seat}"))
        self.conn.execute(f"UPDATE press SET words = ?2 WHERE user = ?1 OR (user IS NULL AND (game, seat) IN ({HELD}))",
                          (user, ERASED))
        self.conn.execute(f"UPDATE outbox SET message = NULL WHERE {PRIVATE} AND (game, audience) IN ({HELD})", (user,))
        self.conn.execute(f"UPDATE outbox SET message = NULL WHERE {TO_MASTERS} AND game IN ({LED})", (user,))
        for table in ("messages", "message_steps"):
            self.conn.execute(f"DELETE FROM {table} WHERE game IN ({ALONE})", (user,))
        self.conn.execute(f"""UPDATE outbox SET sent_at = coalesce(sent_at, ?2), problem = ?3, message = NULL
                              WHERE game IN ({ALONE})""", (user, at, WITHDRAWN))
        self.conn.execute(f"UPDATE games SET channel = {PLACEHOLDER} WHERE id IN ({ALONE})", (user,))
        self.conn.execute("DELETE FROM messages WHERE key = 'application:' || ?", (user,))
        self.conn.execute("UPDATE orders SET body = '{}' WHERE user = ?", (user,))
        self.conn.execute(f"""UPDATE outbox SET sent_at = coalesce(sent_at, ?2), problem = ?3, payload = '{{}}', message = NULL
                              WHERE {TO}""", (user, at, WITHDRAWN))
        self.conn.execute("UPDATE requests SET about = json_set(about, '$.name', '') WHERE json_extract(about, '$.user') = ?",
                          (user,))
        self.conn.execute("UPDATE seats SET name = '' WHERE user = ?", (user,))
        self.conn.execute("UPDATE seats SET owner_name = '' WHERE owner = ?", (user,))
        with self._unguarded_log():
            for table, columns in self._of_members():
                for column in columns:
                    self._forget_in(table, column, user)
            for table, column in WRITTEN:
                self._scrub(table, column, user)
        self.conn.execute(f"DELETE FROM insights WHERE user = ? AND {PAST}", (user,))
        if self._one("SELECT 1 FROM insights WHERE user = ? LIMIT 1", user) is not None:
            self.conn.execute("INSERT OR IGNORE INTO forgotten (user, at) VALUES (?, ?)", (user, at))

    def forget_rest(self) -> None:
        """Erase what stayed of forgotten members because of games that are over by now."""
        mine = "user IN (SELECT user FROM forgotten)"
        self.conn.execute(f"DELETE FROM insights WHERE {mine} AND {PAST}")
        self.conn.execute("DELETE FROM forgotten WHERE user NOT IN (SELECT user FROM insights)")

    def overwrite(self) -> bool:
        """Have what was erased leave the file and what stands beside it, at once; False: it can't be done just now, as during
        a transaction, or while another program reads."""
        if self.conn.in_transaction:
            return False
        patience: int = self._one("PRAGMA busy_timeout")
        self.conn.execute("PRAGMA busy_timeout=0")
        try:
            busy: int = self._one("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            self.conn.execute(f"PRAGMA busy_timeout={patience:d}")
        return not busy

    # -- servers

    def guilds(self) -> set[int]:
        return {guild for (guild,) in self.conn.execute("SELECT DISTINCT guild FROM games WHERE guild NOT NULL")}

    def departed(self) -> dict[int, str]:
        return dict(self.conn.execute("SELECT guild, at FROM departures").fetchall())

    def depart(self, guild: int, at: str) -> None:
        self.conn.execute("INSERT OR IGNORE INTO departures (guild, at) VALUES (?, ?)", (guild, at))

    def rest(self, game: int) -> None:
        self.conn.execute("INSERT OR IGNORE INTO resting (game) VALUES (?)", (game,))

    def come_back(self, guild: int) -> list[int]:
        """The bot is on a server again: the games that rested since it was not."""
        games = [game for (game,) in self.conn.execute(
            "SELECT game FROM resting JOIN games ON id = game WHERE guild = ? ORDER BY game", (guild,))]
        self.conn.executemany("DELETE FROM resting WHERE game = ?", [(game,) for game in games])
        self.conn.execute("DELETE FROM departures WHERE guild = ?", (guild,))
        return games

    def erase_guild(self, guild: int) -> list[int]:
        """Erase all games of a server, and what it has chosen; which games these were."""
        self.conn.execute("PRAGMA defer_foreign_keys=ON")
        given = {"guild": guild}
        games = [game for (game,) in self.conn.execute("SELECT id FROM games WHERE guild = ?", (guild,))]
        self.number_above(self.highest_game())                  # their buttons still hang about
        with self._unguarded_log():
            for sql in ("DELETE FROM branches WHERE origin IN (SELECT id FROM games WHERE guild = :guild)",
                        *(f"DELETE FROM {table} WHERE {where}" for table, where in self._of_server().items()),
                        "DELETE FROM components WHERE hash NOT IN (SELECT pack_hash FROM games)"):
                self.conn.execute(sql, given)
        return games

    # -- the works

    def _forget_in(self, table: str, column: str, user: int) -> None:
        if table in LATER:
            return
        if (table, column) in EMPTIED:
            self.conn.execute(f'UPDATE {table} SET "{column}" = NULL WHERE "{column}" = ?', (user,))
        elif table in ROWS_KEPT:
            self.conn.execute(f'UPDATE {table} SET "{column}" = ? WHERE "{column}" = ?', (PLACEHOLDER, user))
        else:
            self.conn.execute(f'DELETE FROM {table} WHERE "{column}" = ?', (user,))

    def _scrub(self, table: str, column: str, user: int) -> None:
        """Take an id out of a column of text, wherever it stands there as a mention or as a number of its own."""
        number, former = re.compile(rf"(?<!\d){user}(?!\d)"), say(FORMER)
        key = [name for name, place in ((c.name, c.is_pk) for c in self.db.table(table).columns) if place]
        keys = ", ".join(key)
        sql = f"SELECT {keys}, {column} FROM {table} WHERE {column} <> '' AND instr({column}, ?)"
        found = self.conn.execute(sql, (str(user),)).fetchall()
        where = " AND ".join(f"{name} = ?" for name in key)
        changed = [(number.sub(str(PLACEHOLDER), words.replace(f"<@{user}>", former)), *ids) for *ids, words in found]
        self.conn.executemany(f"UPDATE {table} SET {column} = ? WHERE {where}", changed)

    @contextmanager
    def _unguarded_log(self) -> Iterator[None]:
        """For this one purpose rows of the log change: who gave an answer in a seat's name, or whole games of a server."""
        found = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'log'"
        guards: Sequence[tuple[str, str]] = self.conn.execute(found).fetchall()
        for name, _ in guards:
            self.conn.execute(f"DROP TRIGGER {name}")
        yield
        for _, sql in guards:
            self.conn.execute(sql)

    def _of_members(self) -> Iterator[tuple[str, Sequence[str]]]:
        for table in self._tables():
            columns = [column for column in MEMBERS if column in self._columns(table)]
            if columns:
                yield table, columns

    def _of_server(self) -> dict[str, str]:
        """Which rows belong to the server :guild, by table; games come after what belongs to them."""
        games = "(SELECT id FROM games WHERE guild = :guild)"
        return {
            "thread_members": f"thread IN (SELECT thread FROM threads WHERE game IN {games})",
            "consents": f"request IN (SELECT id FROM requests WHERE game IN {games})",
            "insights": "circle IN (SELECT circle FROM games WHERE guild = :guild)",
            **{table: f"game IN {games}" for table in self._tables() if self._is_of_games(table)},
            **{table: "guild = :guild" for table in self._tables() if "guild" in self._columns(table)}}

    def _is_of_games(self, table: str) -> bool:
        return any(column.name == "game" and column.type == "INTEGER" for column in self.db.table(table).columns)

    def _rows(self, sql: str, given: dict[str, Any]) -> list[dict[str, Any]]:
        cursor = self.conn.execute(sql, given)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row)) for row in cursor]


def _of_one(table: str, row: dict[str, Any], columns: Sequence[str], user: int) -> dict[str, Any]:
    """A row as its member may have it: without the ids and names of others."""
    others = {column for column in columns if row.get(column, user) != user}
    hidden = others | {name for (of, name), whose in NAMES.items() if of == table and whose in others}
    own = {name: None if name in hidden else value for name, value in row.items()}
    if table == "audit":
        own["deed"] = MENTION.sub(lambda found: found[0] if found[1] == str(user) else say(ANOTHER), row["deed"])
    if table == "requests" and json.loads(row["about"]).get("user") != user:
        del own["about"]
    return own
