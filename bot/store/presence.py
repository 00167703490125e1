"""When the bot was there, and what becomes of stored moments when it was not, or when the wall clock was set back."""
from __future__ import annotations

from datetime import datetime, timedelta

from bot.domain.absence import HEARING, OFFERED, VOTING
from bot.domain.presence import OFF, Presence
from bot.domain.timestamps import from_timestamp, timestamp
from bot.store.repository import Statements

ISO = "'%Y-%m-%dT%H:%M:%S+00:00'"


class Presences(Statements):
    def heartbeat(self) -> datetime | None:
        return from_timestamp(self._one("SELECT at FROM heartbeat"))

    def beat(self, at: str) -> None:
        """The bot is alive."""
        self.conn.execute("INSERT OR REPLACE INTO heartbeat (id, at) VALUES (1, ?)", (at,))

    def presence(self, now: datetime) -> Presence:
        """When the bot was there, until now; it was not since its last sign of life, if that was a while ago."""
        at = timestamp(now)                                             # the wall clock may have been set back a little
        spans = self.conn.execute("SELECT since, min(until, ?1) FROM outages WHERE since < ?1 ORDER BY since", (at,))
        off = [(datetime.fromisoformat(since), datetime.fromisoformat(until)) for since, until in spans]
        last = self.last_sign(now)
        if last is not None and last < now:
            off.append((last, now))
        return Presence(now, tuple(off))

    def last_sign(self, now: datetime) -> datetime | None:
        """The last sign of life, unless it is one of just now: the bot was off since, or the wall clock was set."""
        last = self.heartbeat()
        return None if last is None or abs(now - last) <= OFF else last

    def was_off(self, since: datetime, until: datetime) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The bot was off: whoever has some days to agree, to vote or to stand in has that much longer.

        The requests and the votes that end later now, by game and number.
        """
        self.conn.execute("INSERT INTO outages (since, until) VALUES (?, ?)", (timestamp(since), timestamp(until)))
        off = {"last": timestamp(since), "by": (until - since).total_seconds()}
        later = {name: f"strftime({ISO}, {name}, :by || ' seconds')" for name in ("at", "look_at", "due_at")}
        requests = self.conn.execute(f"UPDATE requests SET due_at = {later['due_at']} WHERE ended IS NULL AND due_at > :last "
                                     "RETURNING game, id", off).fetchall()
        self.conn.execute(f"""UPDATE stand_in_offers SET due_at = min({later['due_at']}, coalesce(until, '9999'))
                              WHERE ended IS NULL AND due_at > :last""", off)
        self.conn.execute(f"UPDATE replacements SET at = {later['at']} WHERE ended IS NULL AND look_at > :last "
                          "AND look_at < due_at", off)                  # the day of hearing is not over
        self.conn.execute(f"UPDATE replacements SET look_at = {later['look_at']} WHERE ended IS NULL AND look_at > :last", off)
        votes = self.conn.execute(f"UPDATE replacements SET due_at = {later['due_at']} WHERE ended IS NULL AND due_at > :last "
                                  "RETURNING game, id", off).fetchall()
        return requests, votes

    def forget_outages(self, before: str) -> None:
        """Forget when the bot was off so long ago that it does not matter any more."""
        self.conn.execute("DELETE FROM outages WHERE until < ?", (before,))

    def bring_back(self, now: datetime, *, asking: timedelta, veil: timedelta) -> None:
        """The wall clock was set back to now: what lies further ahead than it can is as far ahead as it can be.

        A request to take something back waits so long for the others, and an answer by order no longer than `veil`, or than that
        of its game.
        """
        at, until = timestamp(now), timestamp(now + asking)
        self.conn.execute("UPDATE requests SET due_at = min(due_at, ?) WHERE ended IS NULL", (until,))
        latest = f"strftime({ISO}, ?, '+' || max(veil, ?) || ' minutes')"
        self.conn.execute(f"UPDATE order_dues SET due_at = min(due_at, (SELECT {latest} FROM games WHERE id = game))",
                          (at, veil // timedelta(minutes=1)))
        self.conn.execute("UPDATE replacements SET at = min(at, ?), look_at = min(look_at, ?), due_at = min(due_at, ?) "
                          "WHERE ended IS NULL", (at, timestamp(now + HEARING), timestamp(now + VOTING)))
        self.conn.execute("UPDATE games SET stood_told = min(stood_told, ?1), joined_at = min(joined_at, ?1), "
                          "open_told = min(open_told, ?1), full_at = min(full_at, ?1)", (at,))
        self.conn.execute("UPDATE openings SET seat_told = min(seat_told, ?), due_at = min(due_at, ?)", (at, until))
        self.conn.execute("UPDATE stand_in_offers SET due_at = min(due_at, ?) WHERE ended IS NULL", (timestamp(now + OFFERED),))
        for table, moment in (("escalations", "at"), ("votes", "at"), ("noticeboards", "weekly"), ("members", "weekly")):
            self.conn.execute(f"UPDATE {table} SET {moment} = min({moment}, ?)", (at,))
        self.conn.execute("DELETE FROM outages WHERE since >= ?", (at,))
        self.conn.execute("UPDATE outages SET until = min(until, ?)", (at,))
