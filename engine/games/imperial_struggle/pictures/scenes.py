"""What each picture of Imperial Struggle shows: plain values for one reader, built from nothing, with no place for a secret of
anybody else. The board's own values are in `view`."""
from __future__ import annotations

from typing import TypeAlias

from engine.games.imperial_struggle.view import Seen, View

People: TypeAlias = tuple[tuple[str, str], ...]
"""(side, what its player is called) of sides whose player has a name."""


class Line(Seen):
    """What one kind of thing adds to the strength of both sides in a theater."""

    name: str                       # "Austria", "Squadrons"; of the tiles turned up "War tiles"
    britain: int
    france: int


class Theater(Seen):
    """A theater of a war: what is known of both sides' strength in it."""

    number: int
    name: str
    britain: int                    # strength; of tiles that lie face down only the reader's own count
    france: int
    tiles: tuple[tuple[int, int], tuple[int, int]]          # Britain's and France's that lie face down: basic and bonus
    shown: tuple[tuple[str, ...], tuple[str, ...]]          # those turned up, or the reader's own
    lines: tuple[Line, ...]         # where either side has something
    spoils: tuple[tuple[str, str, str, bool], ...]          # margin, winner's and loser's gain; if it holds now
    territories: tuple[str, ...]    # that can be conquered; none where no conquest points can be won
    winner: str                     # "" before it is settled, and for a draw
    settled: bool
    margin: int                     # of the one who leads, or has won


class War(Seen):
    """A war, theater by theater: the one under way, or the next one."""

    title: str                      # of the game
    when: str                       # "Turn 3"
    name: str                       # "Seven Years War"
    under_way: bool
    theaters: tuple[Theater, ...]
    people: People = ()


class Board(Seen):
    """The board, marked with what is new to the reader; in a seat's own picture `now` holds its cards and tiles."""

    now: View
    before: View | None = None      # as the reader knew it: what differs is marked
    ways: tuple[str, ...] = ()      # the spaces where the reader may act; only in a seat's own picture
    strength: tuple[tuple[int, int], ...] = ()      # of both sides in each theater of the next war, as far as everybody knows it
    people: People = ()


class Region(Seen):
    """One region close up."""

    region: str
    now: View                       # the public one
    before: View | None = None
    numbers: tuple[tuple[str, int], ...] = ()       # (space, the number under which a menu lists it)
    people: People = ()


class Row(Seen):
    """What one thing brings in the scoring of this turn, as things stand."""

    kind: str                       # "region", "prestige", "good", "theater"
    id: str                         # the region, the good, or the number of the theater
    name: str
    britain: int
    france: int
    winner: str                     # or "" if nobody gets it
    reward: str                     # "2 VP, 1 TRP"
    tip: str                        # what would change it: "2 more for France"


class Forecast(Seen):
    """The scoring of this turn and the next war, as things stand."""

    title: str
    when: str
    vp: int
    end: int                        # the counter after this scoring, without the war
    war: str                        # the name of the next war, or ""
    rows: tuple[Row, ...]
    people: People = ()


class Card(Seen):
    """An event, a ministry or a tile with what it does."""

    kind: str                       # "event", "ministry", "theater"
    name: str
    state: str                      # "face down", "exhausted", or ""
    texts: tuple[str, ...]


class Hand(Seen):
    """What a seat holds, which nobody else sees."""

    title: str
    when: str
    side: str
    cards: tuple[Card, ...]


class Film(Seen):
    """Boards one after the other, each marked with what changed since the one before."""

    frames: tuple[Board, ...]       # at least one
