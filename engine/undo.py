"""What is in force: undo, redo and rollback are rows, and the rest follows from the log alone.

A row that returns names an earlier row. After it the game stands where it stood after that row, and goes on from there; no
row is changed or deleted. Since a row in an undone stretch can be named too, a redo is nothing else than a return forward.
"""
from __future__ import annotations

import json
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from engine.kernel import Row

RETURN = "return"
DECISIONS = frozenset({"player", "order", "clock", "moderator"})       # rows that somebody decided; the rest follow


class Return(BaseModel):
    """The answer of a row that returns: where to, by what name, and whether the dice are thrown afresh from there."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    to: int
    kind: Literal["undo", "redo", "rollback"]
    fresh: bool = False


@dataclass(frozen=True)
class Line:
    """The rows in force, oldest first, the epoch of the dice, and the last row that returned (-1: none)."""

    rows: tuple[Row, ...]
    epoch: int
    returned_at: int

    @property
    def head(self) -> int:
        """The number of the last row in force, or 0 before the first."""
        return self.rows[-1].no if self.rows else 0


def line(log: Iterable[Row]) -> Line:
    """The line that a whole log leaves in force. Row 0 stands for the beginning. Cost: one pass."""
    before: dict[int, int] = {}             # a row in some line -> the row before it
    rows: dict[int, Row] = {}
    stood: dict[int, tuple[int, int]] = {0: (0, 0)}         # row of any kind -> last row in force and epoch after it
    head, epoch, newest, returned_at = 0, 0, 0, -1
    for row in log:
        if row.verb == RETURN:
            back = Return.model_validate_json(row.answer)
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
    return Line(tuple(reversed(in_force)), epoch, returned_at)


def undo_target(in_force: Sequence[Row], absent: Container[str] = ()) -> int | None:
    """Where an undo returns to: the row before the last decision, with all that followed from it; None if there is none.

    What the clock or an order answered for a seat in `absent` is no decision: after the undo it would at once be answered so
    again. Any other answer by order is one, since who is asked right after a return is asked in person: so nobody can tell by
    an undo what an order answered (SOE-22.1.6).
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
        if row.verb != RETURN:
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


def taken_back(log: Sequence[Row], to: int) -> list[Row]:
    """The rows now in force that a return to row `to` would take back, oldest first."""
    kept = {row.no for row in line([row for row in log if row.no <= to]).rows}
    return [row for row in line(log).rows if row.no not in kept]
