"""The log: rows as they are stored, as the table makes them, and checkpoints between them."""
from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TypeAlias

from engine.kernel.actions import Action
from engine.kernel.events import Event, stored_events
from engine.kernel.seats import By, Seat
from engine.text import Text


@dataclass(slots=True)
class Row:
    """One row of the log as it is stored: who answered what, on whose word, and what followed.

    `verb` is an action's, or "return" for undo, redo and rollback. `answer` and `events` are JSON. `by` is never public
    (P-24); `proxy` says who answered in the seat's name, and that is public (see `engine.proxies`).
    """

    no: int
    seat: str
    by: str
    verb: str
    answer: str
    events: str = "[]"
    proxy: str = ""


Heading: TypeAlias = tuple[str, Text | None]
"""How whoever's turn it is is called by id, "" if it is nobody's, and when that is; None where that isn't told."""
NOBODYS: Heading = ("", None)


@dataclass(slots=True)
class Entry:
    """One row as the table makes it; `private` is what single seats learn of it, true just after the row."""

    no: int
    seat: Seat
    by: By
    answer: Action
    events: tuple[Event, ...] = ()
    private: tuple[tuple[Seat, Text], ...] = ()
    order: int = 0                          # the standing order that answered; never part of the row (P-24)
    together: bool = False                  # several seats were asked at once, and their answers are sealed until all are in
    proxy: str = ""                         # who answered in the seat's name; filled in by who runs the table
    turn: Heading = NOBODYS                 # whose turn it was before it, and when that was

    def row(self) -> Row:
        return Row(self.no, self.seat, self.by, self.answer.verb, self.answer.model_dump_json(), stored_events(self.events),
                   self.proxy)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state when a phase began: after row `no`, with `rolls` rolls made."""

    no: int
    rolls: int
    state: str


def differing(recorded: str, made: str) -> str:
    """Where the events of two rows part, by names alone: "Taken.pebbles", "Fell instead of Taken"; no value may be told."""
    before, after = json.loads(recorded), json.loads(made)
    for old, new in zip(before, after):
        if old.get("is") != new["is"]:
            return f"{new['is']} instead of {old.get('is')}"
        if old != new:
            return ", ".join([f"{new['is']}.{field}" for field in sorted({*old, *new}) if old.get(field) != new.get(field)])
    more = [event.get("is") for event in before[len(after):]]
    return f"no {more[0]}" if more else f"also {after[len(before)]['is']}" if after[len(before):] else "another wording"
