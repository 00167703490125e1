"""What goes wrong that whoever runs the bot should know of: a direct message tells it, each kind once and then daily at most."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal

from engine.text import Text, count, text, verbatim

Kind = Literal["copy", "disk", "incident", "drift"]

AGAIN = timedelta(days=1)           # until the next word about a kind
LEAST_FREE = 512 * 1024 * 1024      # bytes that must be free beside the database
NAMED = 10                          # incidents and games at most, in one message


@dataclass
class Troubles:
    """What has gone wrong in this process since it was last told."""

    errors: int = 0                                             # unexpected ones, since the start
    incidents: Counter[int] = field(default_factory=Counter)    # how often each has come about, by its number
    drifts: dict[int, int] = field(default_factory=dict)        # games whose log no longer replays, and from which row on
    shown: Counter[int] = field(default_factory=Counter)        # incidents of which the last news tell

    def incident(self, number: int) -> None:
        """Something unexpected has gone wrong."""
        self.errors += 1
        self.incidents[number] += 1

    def mark_told(self, kind: Kind) -> None:
        if kind == "incident":
            self.incidents -= self.shown                        # others may have come while these were told
        elif kind == "drift":
            self.drifts.clear()

    def news(self, *, copy: Text | None, free: int) -> Mapping[Kind, Text]:
        """Return what there is to tell of each kind. `copy`: why the last copy of the database failed; `free`: bytes on its
        disk."""
        told, self.shown = dict[Kind, Text](), self.incidents.copy()
        if copy is not None:
            told["copy"] = text("I couldn't copy the database: {reason}", reason=copy)
        if free < LEAST_FREE:
            told["disk"] = text("The disk is nearly full: {free} MB are free. Without room nothing can be saved.",
                                free=free // (1024 * 1024))
        if self.incidents:
            numbers = tuple([verbatim(str(number)) for number in sorted(self.incidents)[-NAMED:]])
            told["incident"] = text("Something went wrong unexpectedly {times}: incident {numbers}. `python -m bot capsule` "
                                    "repeats it.", times=count(self.incidents.total(), "once", "{n} times"), numbers=numbers)
        if self.drifts:
            games = [text("{game} (from step {row} on)", game=game, row=row) for game, row in self.drifts.items()]
            told["drift"] = text("The record no longer replays in game {games}. `python -m bot doctor` says more.",
                                 games=tuple(games[-NAMED:]))
        return told
