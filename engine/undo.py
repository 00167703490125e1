"""What is in force: undo, redo and rollback are rows, and the rest follows from the log alone.

A row that returns names an earlier row. After it the game stands where it stood after that row, and goes on from there; no
row is changed or deleted. Since a row in an undone stretch can be named too, a redo is nothing else than a return forward.

A seat takes its own last answer back by itself exactly when nobody can have learnt by it what a return does not take out of a
head. A unit on the board is no such thing: it is where its player put it, and goes where it came from. What cannot be taken
back are facts that stood before the answer, or come again after it, and were hidden:

- what others have decided since, openly or by order: the rows tell;
- what chance has shown since: it shows the same again, so the rows of chance tell; what it has shown to one seat alone, and
  no row tells of, the game knows (`GameSpec.rules.reveals`). Where chance lays something down that nobody sees, nobody learns it;
- what the game has told anybody else in private since;
- answers that were sealed together: whoever gives the last one opens all of them;
- secrets of a seat that the answer gave away: `learnt` finds out by comparing what everybody sees.
"""
from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from engine.kernel import Action, Entry, Event, Row, Seat, Table
from engine.refusals import Refusal

REWIND = "return"
DECISIONS = frozenset({"player", "order", "clock", "moderator"})       # rows that somebody decided; the rest follow


class Rewind(BaseModel):
    """The answer of a row that returns: where to, by what name, and whether the dice are rolled afresh from there."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    to: int
    kind: Literal["undo", "redo", "rollback", "asked"]
    fresh: bool = False


@dataclass(frozen=True)
class Timeline:
    """The rows in force, oldest first, the epoch of the dice, and the last row that returned (-1: none)."""

    rows: tuple[Row, ...]
    epoch: int
    returned_at: int

    @property
    def head(self) -> int:
        """The number of the last row in force, or 0 before the first."""
        return self.rows[-1].no if self.rows else 0


def line(log: Iterable[Row]) -> Timeline:
    """The line that a whole log leaves in force. Row 0 stands for the beginning. Cost: one pass."""
    before: dict[int, int] = {}             # a row in some line -> the row before it
    rows: dict[int, Row] = {}
    stood: dict[int, tuple[int, int]] = {0: (0, 0)}         # row of any kind -> last row in force and epoch after it
    head, epoch, newest, returned_at = 0, 0, 0, -1
    for row in log:
        if row.verb == REWIND:
            back = Rewind.model_validate_json(row.answer)
            head, epoch = stood[back.to]
            returned_at = row.no
            if back.fresh:
                newest += 1
                epoch = newest
        else:
            before[row.no], rows[row.no] = head, row
            head = row.no
        stood[row.no] = head, epoch
    in_force: list[Row] = []
    while head:
        in_force.append(rows[head])
        head = before[head]
    return Timeline(tuple(reversed(in_force)), epoch, returned_at)


def undo_target(in_force: Sequence[Row], absent: Container[str] = ()) -> int | None:
    """Where an undo returns to: the row before the last decision, with all that followed from it; None if there is none.

    What the clock or an order answered for a seat in `absent` is no decision: after the undo it would at once be answered so
    again. Any other answer by order is one, since who is asked right after a return is asked in person: so nobody can tell by
    an undo what an order answered (P-24).
    """
    for index in range(len(in_force) - 1, -1, -1):
        if _decided(in_force[index], absent):
            return in_force[index - 1].no if index else 0
    return None


def redo_target(log: Sequence[Row], absent: Container[str] = ()) -> int | None:
    """Where a redo returns to: the position that the last undo or rollback left; None once somebody has decided since."""
    left: list[int] = []
    last = 0
    for row in log:
        if row.verb != REWIND:
            if _decided(row, absent):
                left.clear()
        else:
            kind = json.loads(row.answer)["kind"]
            if kind == "redo" and left:
                left.pop()
            elif kind != "redo":
                left.append(last)
        last = row.no
    return left[-1] if left else None


def _decided(row: Row, absent: Container[str]) -> bool:
    return row.by in DECISIONS and not (row.by in ("clock", "order") and row.seat in absent)


def undone_rows(log: Sequence[Row], to: int) -> list[Row]:
    """The rows now in force that a return to row `to` would take back, oldest first."""
    kept = {row.no for row in line([row for row in log if row.no <= to]).rows}
    return [row for row in line(log).rows if row.no not in kept]


def confided(events: Iterable[Event], state: Any, seat: Seat) -> bool:
    """True if these events, which have led to this state, told anybody but one seat something in private."""
    return any(reached != seat for event in events if event.confides for reached in event.private_lines(state))


def learnt(position: Callable[[], Table], seats: Sequence[Seat], seat: Seat, answer: Action) -> bool:
    """True if an answer of a seat gives a secret away, so that taking it back would come too late.

    `position` gives a new table each time, as it stood before the answer. For everybody in turn, the public first, the answer
    is also given where all others have other secrets, each another amount away, which nobody could tell apart from how it was.
    Whoever can do so afterwards, by what they see or were told, has learnt something; and so they have if the
    answer would not even be legal there.
    """
    def sight(table: Table, reader: Seat | None, entries: Sequence[Entry] = ()) -> object:
        """All that a seat, or the public, can look at, and was told in these rows."""
        events = [event for entry in entries for event in entry.events]
        own = [told for entry in entries for reached, told in entry.private if reached == reader]
        views = table.spec.views
        asked = [(question.seat, question.text() if question.seat == reader else question.told()) for question in table.asks]
        return (views.view(table.state, reader), None if reader is None else views.private(table.state, reader),
                asked, [event.line() for event in events], own)

    def given(table: Table) -> Sequence[Entry]:
        table.answer(seat, answer)
        return table.take()[0]

    def disguised(reader: Seat | None) -> Table:
        table = position()
        for amount, other in enumerate(seats, 1):
            for _ in range(amount if other != reader else 0):
                table.spec.views.disguise(table.state, other)
        return table

    plain = position()
    entries = given(plain)
    for reader in (None, *seats):
        twin = disguised(reader)
        try:
            if sight(twin, reader, given(twin)) == sight(plain, reader, entries):
                continue
        except Refusal:
            pass                                        # what can be answered is a secret itself
        if sight(disguised(reader), reader) == sight(position(), reader):
            return True                                 # who could tell them apart before has learnt nothing
    return False
