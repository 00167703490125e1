"""What results of games amount to: tables of members, titles, editions, sides and seats. Pure: nothing here is stored.

A game counts if two seats at least were members' own from first to last. A member's fair share of its victory is the same as
anybody's: one of its seats.
"""
from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TypeVar

from engine.kernel import Seat, Table

K = TypeVar("K", bound=Hashable)

PEOPLE = 2              # seats that members must have played alone, for a game to count


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Where a seat stood at the end of a game."""

    seat: Seat
    side: str                  # the id by which it was called then
    place: int                  # equals share one
    points: int


@dataclass(frozen=True, kw_only=True)
class SeatResult(Standing):
    """How a game has ended for a seat."""

    own: bool                   # one member has given all its answers
    user: int | None            # that member; None also for one who stays out of the tables, or has been forgotten
    pace: int                   # seconds awake that half of its answers took at most


@dataclass(frozen=True, kw_only=True)
class GameResult:
    """How a game has ended."""

    game: int
    key: str                    # of its GameSpec
    edition: str
    pack: str                   # the hash of its components
    at: str                     # ISO 8601, UTC: when it ended
    seats: tuple[SeatResult, ...]

    @property
    def counts(self) -> bool:
        return sum(seat.own for seat in self.seats) >= PEOPLE

    @property
    def complete(self) -> bool:
        """True if each seat was one person's from first to last: only then it counts for a rating."""
        return self.counts and all(seat.own for seat in self.seats)

    def victory(self, seat: SeatResult) -> float:
        """A seat's part in the victory: 1, less if others share it, or 0."""
        return 1 / sum(one.place == 1 for one in self.seats) if seat.place == 1 else 0.0


@dataclass
class Tally:
    """What some seats have come to."""

    games: int = 0
    wins: float = 0.0
    fair: float = 0.0           # what these would be if all seats were equal
    paces: list[int] = field(default_factory=list)

    def add(self, result: GameResult, seat: SeatResult) -> None:
        self.games += 1
        self.wins += result.victory(seat)
        self.fair += 1 / len(result.seats)
        self.paces.append(seat.pace)

    @property
    def pace(self) -> int:
        """Seconds awake that an answer usually took: the median of the games."""
        return round(median(self.paces)) if self.paces else 0


@dataclass(frozen=True)
class Meeting:
    """How two members have done in the games that they both played."""

    user: int
    games: int
    ahead: int                  # games in which the first of them came out ahead of this one
    behind: int


def standings(table: Table) -> list[Standing]:
    """Where the seats stand at the end of a game, best first."""
    name = table.spec.words.seat_name
    return [Standing(seat=seat, side=name(table.state, seat), place=place, points=points)
            for seat, place, points in table.spec.rules.standings(table.state)]


def tally(results: Iterable[GameResult], by: Callable[[GameResult, SeatResult], K], *, user: int | None = None) -> dict[K, Tally]:
    """Return what the seats of listed members have come to, or those of one of them, in groups; those with the most games
    first."""
    found: dict[K, Tally] = {}
    for result in results:
        for seat in result.seats if result.counts else ():
            if seat.user is not None and user in (None, seat.user):
                found.setdefault(by(result, seat), Tally()).add(result, seat)
    return dict(sorted(found.items(), key=lambda item: -item[1].games))


def members(results: Iterable[GameResult]) -> dict[int, Tally]:
    return tally(results, lambda _, seat: seat.user or 0)


def listed(results: Iterable[GameResult], user: int | None = None) -> list[GameResult]:
    return [result for result in results if result.counts
            and any(seat.user is not None and user in (None, seat.user) for seat in result.seats)]


def meetings(results: Iterable[GameResult], user: int) -> list[Meeting]:
    """How a member has done against each other one; those with the most games together first."""
    found: dict[int, list[int]] = {}
    for result in listed(results, user):
        own = next(seat for seat in result.seats if seat.user == user)
        for other in result.seats:
            if other.user is not None and other.user != user:
                count = found.setdefault(other.user, [0, 0, 0])
                count[0] += 1
                count[1] += own.place < other.place
                count[2] += own.place > other.place
    return sorted([Meeting(other, *count) for other, count in found.items()], key=lambda meeting: (-meeting.games, meeting.user))


def rated(results: Iterable[GameResult]) -> list[Sequence[SeatResult]]:
    """The listed seats of each game that counts for a rating, in the order in which the games ended."""
    found = [[seat for seat in result.seats if seat.user is not None] for result in results if result.complete]
    return [seats for seats in found if len(seats) >= PEOPLE]
