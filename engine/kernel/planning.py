"""Rounds that a seat plans in private, and the position as it would be after what has been planned.

A game says which of its decisions belong to such a round (`GameSpec.planning`). A plan is a list of answers of one seat. A
preview takes them one after the other, ahead of the log, and shows nothing that the seat could not know: it rolls no dice,
asks nobody else, and is thrown away as soon as an answer leads to something that cannot be taken out of a head again.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias

from engine.kernel.actions import Action, Aside
from engine.kernel.game_spec import GameSpec
from engine.kernel.log import Checkpoint, Entry, Row
from engine.kernel.seats import CHANCE, By, Seat
from engine.kernel.table import Table

Closing: TypeAlias = Literal["end", "draw", "reveal", "question"]
"""Why nothing can be planned after an answer before it is public: the round is over; chance shows something;
something hidden comes up; somebody else is asked."""


def planned_round(table: Table, seat: Seat) -> str:
    """The round to which what this seat is asked now belongs; "" if its answer counts at once."""
    planning = table.spec.planning
    if planning is None or len(table.asks) != 1 or table.asked(seat) is None:
        return ""
    return planning.round(table.state, seat)


class Preview(Table):
    """A table that runs ahead for one seat, from its question of now. Whatever is not this seat's own decision stops it."""

    def __init__(self, spec: GameSpec, parts: Any, start: Checkpoint, past: Iterable[Row], *, seat: Seat, **given: Any) -> None:
        """`given`: what the table of the game was given, but for its dice."""
        super().__init__(spec, parts, start, past, dice=_unrolled, checkpoints=False, run_on=False, **given)
        self.seat, self.round = seat, planned_round(self, seat)
        assert self.round, f"{seat} is asked nothing that can be planned"

    @property
    def asides(self) -> tuple[type[Aside], ...]:
        """Nothing: what is done at any time is public at once, and so is done at the table itself."""
        return ()

    def step(self, action: Action) -> Closing | None:
        """Take one more answer, and say whether it closes the plan: then this table has gone too far to be shown to anybody.

        Raises Refusal, and then nothing has changed.
        """
        known = len(self.fresh)
        self.answer(self.seat, action)
        return self._closing(self.fresh[known:])

    def _closing(self, entries: Sequence[Entry]) -> Closing | None:
        if self.over or self.spec.planning is None or self.spec.planning.round(self.state, self.seat) != self.round:
            return "end"
        for entry in entries:
            for event in entry.events:
                if binding := event.binding(self.state, self.seat):
                    return binding
        if any(question.seat == CHANCE for question in self.asks):
            return "draw"
        return None if planned_round(self, self.seat) else "question"

    def _ready(self, led: bool) -> tuple[Seat, Action, By, int] | None:
        """Return what rules and standing orders answer for this seat; for nobody else, and no dice."""
        return super()._ready(led) if all(question.seat == self.seat for question in self.asks) else None


def _unrolled(epoch: int, throw: int, sides: tuple[int, ...], purpose: str) -> tuple[int, ...]:
    raise AssertionError("a preview throws no dice")
