"""The log of each game, and the states from which it is replayed."""
from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable

from bot.store.repository import Statements
from engine.kernel import Checkpoint, Row
from engine.undo import REWIND

ADD_ROW = "INSERT INTO log (game, no, seat, by, verb, answer, events, proxy, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
FAST = 1            # zlib level: six times smaller at a fifth of the cost of the default


class Log(Statements):
    def add_rows(self, game: int, rows: Iterable[Row], at: str) -> None:
        """New rows; a number that is taken already is refused by the primary key."""
        self.conn.executemany(ADD_ROW, [
            (game, row.no, row.seat, row.by, row.verb, row.answer, row.events, row.proxy, at) for row in rows])

    def add_checkpoint(self, game: int, checkpoint: Checkpoint) -> None:
        self.conn.execute("INSERT INTO checkpoints VALUES (?, ?, ?, ?)", (
            game, checkpoint.no, checkpoint.rolls, zlib.compress(checkpoint.state.encode(), FAST)))

    def outline(self, game: int) -> list[Row]:
        """The whole log without what was answered and what followed; only a row that returns keeps its answer."""
        sql = "SELECT no, seat, by, verb, CASE verb WHEN ? THEN answer ELSE '' END, '' FROM log WHERE game = ? ORDER BY no"
        return [Row(*row) for row in self.conn.execute(sql, (REWIND, game))]

    def returned_since(self, game: int, no: int) -> bool:
        """True if the game has returned to an earlier position after a row."""
        return self._one("SELECT 1 FROM log WHERE game = ? AND no > ? AND verb = ? LIMIT 1", game, no, REWIND) is not None

    def rows(self, game: int, *, since: int = 0) -> list[Row]:
        sql = "SELECT no, seat, by, verb, answer, events, proxy FROM log WHERE game = ? AND no > ? ORDER BY no"
        return [Row(*row) for row in self.conn.execute(sql, (game, since))]

    def telling(self, game: int, events: Collection[str]) -> list[int]:
        """The numbers of the rows that tell of an event with one of these names, in force or not, oldest first."""
        alike = " OR ".join(["instr(events, ?)"] * len(events))
        sql = f"SELECT no FROM log WHERE game = ? AND ({alike}) ORDER BY no"
        return [no for (no,) in self.conn.execute(sql, (game, *(f'"is":"{name}"' for name in events)))]

    def eventful(self, game: int) -> set[int]:
        """The numbers of the rows in which something has happened, in force or not."""
        return {no for (no,) in self.conn.execute("SELECT no FROM log WHERE game = ? AND events <> '[]'", (game,))}

    def proxies(self, game: int) -> list[Row]:
        """The rows that were answered in a seat's name, in force or not, by automatic players not counted, oldest first, without
        what was answered and what followed."""
        sql = """SELECT no, seat, by, verb, '', '', proxy FROM log WHERE game = ? AND proxy <> '' AND verb <> ?
                 AND proxy NOT LIKE 'auto%' ORDER BY no"""
        return [Row(*row) for row in self.conn.execute(sql, (game, REWIND))]

    def newest(self, game: int) -> int:
        """The number of the last row of any kind; 0 before the first."""
        no: int = self._one("SELECT coalesce(max(no), 0) FROM log WHERE game = ?", game)
        return no

    def public_newest(self, game: int) -> int:
        """The number of the last row of any kind that everybody may know of: sealed answers count when all are in."""
        noted = self._one("SELECT json_extract(told, '$.public') FROM games WHERE id = ?", game)
        return self.newest(game) if noted is None else int(noted)

    def time(self, game: int, no: int) -> str | None:
        at: str | None = self._one("SELECT at FROM log WHERE game = ? AND no = ?", game, no)
        return at

    def newest_at(self, game: int, moment: str) -> int:
        """The number of the last row of any kind that was stored by then; 0 before the first."""
        return int(self._one("SELECT coalesce(max(no), 0) FROM log WHERE game = ? AND at <= ?", game, moment))

    def checkpoints(self, game: int) -> list[Checkpoint]:
        """All states that were kept, the oldest first."""
        found = self.conn.execute("SELECT no, throws, state FROM checkpoints WHERE game = ? ORDER BY no", (game,))
        return [Checkpoint(no, throws, zlib.decompress(state).decode()) for no, throws, state in found]

    def checkpoint(self, game: int, among: Collection[int], *, before: int | None = None) -> Checkpoint | None:
        """The last checkpoint that was made at one of these rows, or at the beginning; None before the game starts.

        `before`: an earlier one than that of this row.
        """
        made = self.conn.execute("SELECT no FROM checkpoints WHERE game = ? ORDER BY no DESC", (game,))
        for (no,) in made:
            if (no == 0 or no in among) and (before is None or no < before):
                throws, state = self.conn.execute("SELECT throws, state FROM checkpoints WHERE game = ? AND no = ?",
                                                  (game, no)).fetchone()
                return Checkpoint(no, throws, zlib.decompress(state).decode())
        return None
