"""Clocks of games, deadlines of questions, and what their answers took; vacations, extensions, votes."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, cast

from bot.domain import deadlines
from bot.domain.deadlines import NONE, Answered, Clock, Deadline, Given
from bot.domain.timestamps import from_timestamp, timestamp
from bot.domain.waking_hours import Hours, Span
from bot.store.repository import Statements
from bot.store.settings import hours_of
from bot.store.timers import OPEN
from engine.kernel import Seat

DEADLINE = "game, seat, user, asked_at, since, spent, allowed, extra, due_at, remind_at, reminded, given, span"
ADD_ANSWER = """INSERT INTO answers (game, no, seat, user, seconds, missed, stretch, span, at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""


@dataclass(frozen=True, kw_only=True)
class ClockRow:
    """How a game deals with time."""

    clock: Clock = NONE
    vacation: int = 21                  # days that a member can be on vacation in it, all in all
    extensions: int = 2                 # that a member can take in it
    voted: bool = False                 # its players have paused it by vote


@dataclass(frozen=True, kw_only=True)
class VacationRow:
    """A vacation of a member in one game."""

    id: int
    starts: datetime
    ends: datetime


class ClockStatements(Statements):
    # -- clocks
    def clock(self, game: int) -> ClockRow:
        """How a game deals with time; without a row: no clock."""
        row = self.conn.execute("SELECT clock, vacation, extensions, voted FROM clocks WHERE game = ?", (game,)).fetchone()
        if row is None:
            return ClockRow()
        written, vacation, extensions, voted = row
        return ClockRow(clock=deadlines.read(written), vacation=vacation, extensions=extensions, voted=bool(voted))

    def set_clock(self, game: int, row: ClockRow) -> None:
        """A game deals with time so from now on."""
        self.conn.execute("INSERT OR REPLACE INTO clocks (game, clock, vacation, extensions, voted) VALUES (?, ?, ?, ?, ?)",
                          (game, row.clock.written(), row.vacation, row.extensions, row.voted))

    def set_voted(self, game: int, voted: bool) -> None:
        self.conn.execute("UPDATE clocks SET voted = ? WHERE game = ? AND voted <> ?", (voted, game, voted))

    # -- deadlines

    def deadlines(self, game: int) -> list[Deadline]:
        """The deadlines of a game, answered or not."""
        return self._deadlines("game = ?", game)

    def deadlines_of(self, user: int) -> list[Deadline]:
        return self._deadlines("user = ?", user)

    def open_deadlines(self, user: int) -> list[Deadline]:
        """Those of a member's questions that are open now."""
        running = "SELECT 1 FROM games WHERE id = deadlines.game AND status = 'running'"
        return self._deadlines(f"user = ? AND given = '' AND EXISTS ({running})", user)

    def running_deadlines(self) -> list[Deadline]:
        """Those of all games whose time runs."""
        return self._deadlines("since NOT NULL")

    def deadlines_since(self, moment: datetime) -> list[Deadline]:
        return self._deadlines("since > ?", _stamp(moment))

    def keep_deadlines(self, game: int, wanted: Iterable[Deadline]) -> None:
        self.conn.execute("DELETE FROM deadlines WHERE game = ?", (game,))
        self.put_deadlines(wanted)

    def put_deadlines(self, wanted: Iterable[Deadline]) -> None:
        self.conn.executemany(f"INSERT OR REPLACE INTO deadlines ({DEADLINE}) VALUES ({', '.join('?' * 13)})", [
            (d.game, d.seat, d.user, d.asked_at, _stamp(d.since), _seconds(d.spent),
             None if d.allowed is None else _seconds(d.allowed), _seconds(d.extra), _stamp(d.due_at), _stamp(d.remind_at),
             d.reminded, d.given, d.span) for d in wanted])

    def restart_deadlines(self, game: int) -> None:
        """The open questions of a game get new deadlines; who was answered for by the clock is still to be told."""
        self.conn.execute("DELETE FROM deadlines WHERE game = ? AND given <> 'clock'", (game,))

    def running_duties(self, user: int) -> list[Deadline]:
        """A member's open questions whose time runs, soonest first."""
        return self._deadlines(f"{OPEN} AND since NOT NULL AND user = ? ORDER BY coalesce(due_at, remind_at, since), game", user)

    def _deadlines(self, where: str, *values: object) -> list[Deadline]:
        return [_deadline(row) for row in self.conn.execute(f"SELECT {DEADLINE} FROM deadlines WHERE {where}", values)]

    # -- what answers took

    def add_answered(self, game: int, answers: Iterable[Answered], at: str) -> None:
        """What new answers took, beside their rows."""
        self.conn.executemany(ADD_ANSWER, [(game, a.no, a.seat, a.user, a.seconds, a.missed, a.stretch, a.span, at)
                                           for a in answers])

    def answered(self, game: int, seat: Seat) -> list[Answered]:
        """Return what the answers of a seat took, in force or not, in the order of their rows."""
        sql = "SELECT no, user, seconds, missed, stretch, span FROM answers WHERE game = ? AND seat = ? ORDER BY no"
        return [Answered(no=no, seat=seat, user=user, seconds=seconds, missed=bool(missed), stretch=stretch, span=span)
                for no, user, seconds, missed, stretch, span in self.conn.execute(sql, (game, seat))]

    def last_answer(self, user: int) -> datetime | None:
        return from_timestamp(self._one("SELECT max(at) FROM answers WHERE user = ? AND missed = 0", user))

    # -- vacations, extensions, votes

    def vacations(self, game: int, user: int) -> list[VacationRow]:
        sql = "SELECT id, starts, ends FROM vacations WHERE game = ? AND user = ? ORDER BY starts"
        return [VacationRow(id=id, starts=datetime.fromisoformat(starts), ends=datetime.fromisoformat(ends))
                for id, starts, ends in self.conn.execute(sql, (game, user))]

    def add_vacation(self, game: int, user: int, span: Span) -> None:
        self.conn.execute("INSERT INTO vacations (game, user, starts, ends) VALUES (?, ?, ?, ?)",
                          (game, user, *map(_stamp, span)))

    def end_vacation(self, id: int, at: datetime) -> None:
        """A vacation ends earlier; one that had not begun has never been."""
        self.conn.execute("DELETE FROM vacations WHERE id = ? AND starts >= ?", (id, _stamp(at)))
        self.conn.execute("UPDATE vacations SET ends = ? WHERE id = ?", (_stamp(at), id))

    def add_extension(self, game: int, user: int, asked_at: int, at: str) -> None:
        self.conn.execute("INSERT INTO extensions (game, user, asked_at, at) VALUES (?, ?, ?, ?)", (game, user, asked_at, at))

    def extensions(self, game: int, user: int) -> list[int]:
        return [asked_at for (asked_at,) in self.conn.execute("SELECT asked_at FROM extensions WHERE game = ? AND user = ?",
                                                              (game, user))]

    def vote(self, game: int, user: int, choice: str, at: str) -> None:
        """A player's vote; it takes the place of an earlier one."""
        self.conn.execute("INSERT OR REPLACE INTO votes (game, user, choice, at) VALUES (?, ?, ?, ?)", (game, user, choice, at))

    def votes(self, game: int) -> list[tuple[int, str]]:
        """The members who have voted, and for what; who has done so for longest comes first."""
        return self.conn.execute("SELECT user, choice FROM votes WHERE game = ? ORDER BY at, user", (game,)).fetchall()

    def forget_votes(self, game: int) -> None:
        """The vote is over."""
        self.conn.execute("DELETE FROM votes WHERE game = ?", (game,))

    # -- what a game master was told

    def escalated(self, game: int, seat: Seat, at: str) -> None:
        self.conn.execute("INSERT OR REPLACE INTO escalations (game, seat, at) VALUES (?, ?, ?)", (game, seat, at))

    def last_escalation(self, game: int, seat: Seat) -> datetime | None:
        return from_timestamp(self._one("SELECT at FROM escalations WHERE game = ? AND seat = ?", game, seat))

    def turn_of(self, game: int, seat: Seat) -> bool:
        """It is the turn of this seat; whether that is new."""
        if self._one("SELECT seat FROM turns WHERE game = ?", game) == seat:
            return False
        self.conn.execute("INSERT OR REPLACE INTO turns (game, seat) VALUES (?, ?)", (game, seat))
        return True

    # -- waking hours

    def hours(self, game: int, user: int) -> Hours:
        """When a member is awake, with the vacations in this game."""
        sql = "SELECT zone, wake, sleep, nudges, notices FROM members WHERE user = ?"
        row: Any = self.conn.execute(sql, (user,)).fetchone() or (None, 0, 0, "growing", False)
        zone, wake, sleep, usual, notices = row
        nudges = self._one("SELECT nudges FROM nudges WHERE game = ? AND user = ?", game, user) or usual
        away = tuple([(vacation.starts, vacation.ends) for vacation in self.vacations(game, user)])
        awake = Hours() if zone is None else hours_of(zone, wake, sleep)
        return replace(awake, away=away, nudges=nudges, notices=bool(notices))


def _deadline(row: Sequence[Any]) -> Deadline:
    found: Mapping[str, Any] = dict(zip(DEADLINE.split(", "), row, strict=True))
    return Deadline(game=found["game"], seat=Seat(found["seat"]), user=found["user"], asked_at=found["asked_at"],
                    since=from_timestamp(found["since"]), spent=timedelta(seconds=found["spent"]),
                    allowed=None if found["allowed"] is None else timedelta(seconds=found["allowed"]),
                    extra=timedelta(seconds=found["extra"]), due_at=from_timestamp(found["due_at"]),
                    remind_at=from_timestamp(found["remind_at"]), reminded=found["reminded"], given=cast(Given, found["given"]),
                    span=found["span"])


def _stamp(moment: datetime | None) -> str | None:
    return None if moment is None else timestamp(moment)


def _seconds(span: timedelta) -> int:
    return round(span.total_seconds())
