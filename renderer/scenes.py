"""Scenes that belong to no game."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """A member in a ranking. Ratings are whole points."""

    place: int
    name: str
    points: int                 # at least so well the member plays, almost certainly
    likely: int                 # the most likely value; as far above it lies what is still possible
    games: int
    wins: str
    fair: str                   # what these would be if all seats were equal
    reader: bool = False        # the member who looks at it


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """A page of a ranking, the best first."""

    title: str                  # of what
    heading: str                # who leads
    rows: tuple[Ranked, ...]
    low: int                    # the range that all rows of the ranking share
    high: int
