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


@dataclass(frozen=True, kw_only=True)
class Line:
    """The points of a side at every stop."""

    side: str                   # its id, by which its game knows the colour
    name: str
    player: str                 # "" for nobody who is known
    points: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Band:
    """A stretch of the time axis, up to one of the stops."""

    name: str
    short: str                  # where the name has no room
    end: int                    # number of the stop


@dataclass(frozen=True, kw_only=True)
class Points:
    """Points over time in a game that is over."""

    game: str                   # the key of the game
    title: str
    heading: str
    lines: tuple[Line, ...]     # the best first
    bands: tuple[Band, ...]
    turning: tuple[tuple[int, str], ...]        # stops with the largest swings, each with what it was
