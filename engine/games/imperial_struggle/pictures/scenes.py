"""What each picture of Imperial Struggle shows: plain values for one reader, built from nothing, with no place for a secret of
anybody else. The board's own values are in `view`."""
from __future__ import annotations

from typing import TypeAlias

from engine.games.imperial_struggle.view import Seen, View

People: TypeAlias = tuple[tuple[str, str], ...]
"""(side, what its player is called) of sides whose player has a name."""


class Board(Seen):
    """The board, marked with what is new to the reader; in a seat's own picture `now` holds its cards and tiles."""

    now: View
    before: View | None = None      # as the reader knew it: what differs is marked
    people: People = ()


class Region(Seen):
    """One region close up."""

    region: str
    now: View                       # the public one
    before: View | None = None
    people: People = ()
