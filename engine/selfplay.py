"""Random legal games: a seat picks a kind of answer first and then one of its answers, so that no kind drowns the others."""
from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from engine.dice import Dice
from engine.kernel import Action, Checkpoint, Decree, GameSpec, Seat, Table
from engine.options import rules_of

LONGEST_GAME = 2_000            # rows after which players agree to end a game that would else go on
SELDOM = 100                # answers, on average, before a moment comes that a game waits for

Pick: TypeAlias = Callable[[int], int]
"""A number from 0 to its argument less one; `random.Random(seed).randrange` will do."""


def beginning(spec: GameSpec, seats: int, edition: str, parts: Any, options: Mapping[str, Any] | None = None) -> Checkpoint:
    """The checkpoint before the first row of a new game."""
    names = tuple(Seat(f"seat_{number}") for number in range(1, seats + 1))
    return Checkpoint(0, 0, spec.rules.setup(names, rules_of(spec, edition, options or {}), parts).model_dump_json())


def new_table(spec: GameSpec, seats: int, edition: str, parts: Any, dice: Dice, *, options: Mapping[str, Any] | None = None,
              checkpoints: bool = True) -> Table:
    return Table(spec, parts, beginning(spec, seats, edition, parts, options), dice=dice, checkpoints=checkpoints)


def random_answer(options: Sequence[Action], pick: Pick) -> Action:
    """One of the options: each kind with the same chance, then each answer of the kind.

    They come kind by kind, as a table lists them, so that the borders between kinds are found without looking at each of the
    hundreds that a question may list.
    """
    borders, last = [0], type(options[-1])
    while (kind := type(options[borders[-1]])) is not last:
        borders.append(bisect_right(options, False, borders[-1], key=lambda option: type(option) is not kind))
    borders.append(len(options))
    kinds = list(pairwise(borders))
    first, end = kinds[pick(len(kinds))]
    return options[first + pick(end - first)]


def weary(table: Table) -> tuple[Seat, Action] | None:
    """Return what brings the end of a game that has gone on for long, if somebody can do anything for it."""
    return table.spec.rules.agreement(table.state, tuple(table.waiting())) if len(table.fresh) > LONGEST_GAME else None


def rung(table: Table, pick: Pick) -> Decree | None:
    """Return what the world outside tells a random game now, where no clock runs: once in a while the next moment comes; else
    None."""
    alarms = table.spec.outside.alarms(table.state)
    return alarms[0].decree if alarms and pick(SELDOM) == 0 else None


def play_on(table: Table, pick: Pick, *, most_rows: int = 100_000) -> Iterator[int]:
    """Answer at random until the game is over; yields the number of options at each question. Raises AssertionError if stuck."""
    while not table.over:
        waiting = table.waiting()
        if (agreed := weary(table)) is not None:
            table.answer(*agreed)
            continue
        if (decree := rung(table, pick)) is not None:
            table.decree(decree)
            continue
        seat = waiting[pick(len(waiting))].seat if len(waiting) > 1 else waiting[0].seat
        options = table.options(seat)
        yield len(options)
        table.answer(seat, random_answer(options, pick))
        assert len(table.fresh) < most_rows, f"no end after {most_rows} rows"
