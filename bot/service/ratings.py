"""Ratings of members from the games that they have finished with each other: OpenSkill, after Plackett and Luce.

Nothing of it is stored: a rating follows from the results, game by game in the order in which they ended.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.domain.results import SeatResult

START: Final = 1000             # the rating of somebody of whom nothing is known
UNIT: Final = 40                # points of a rating for one of the model
CERTAIN: Final = 3              # standard deviations below the likely skill: so low, at least, it almost certainly is


@dataclass(frozen=True, kw_only=True)
class Rating:
    """How well a member plays, as far as the results tell."""

    user: int
    points: int                 # what the member is ranked by: at least so well, almost certainly
    likely: int                 # the most likely value
    games: int                  # that count


def ratings(games: Iterable[Sequence[SeatResult]]) -> list[Rating]:
    """The ratings after these games, the best first. Each game holds two listed seats at least."""
    return list(_rated(tuple([tuple([(seat.user or 0, seat.place) for seat in seats]) for seats in games])))


@lru_cache(maxsize=64)
def _rated(games: tuple[tuple[tuple[int, int], ...], ...]) -> tuple[Rating, ...]:
    """Return the same from member and place of each seat; kept, since most games were there the last time too."""
    from openskill.models import PlackettLuce, PlackettLuceRating  # most processes never show a rating

    model = PlackettLuce()
    known, played = dict[int, PlackettLuceRating](), dict[int, int]()
    for seats in games:
        teams = [[known.get(user) or model.rating()] for user, _ in seats]
        for (user, _), (after,) in zip(seats, model.rate(teams, ranks=[place for _, place in seats])):
            known[user], played[user] = after, played.get(user, 0) + 1
    found = [Rating(user=user, games=played[user], likely=_points(one.mu), points=_points(one.ordinal(z=CERTAIN)))
             for user, one in known.items()]
    return tuple(sorted(found, key=lambda one: (-one.points, -one.games, one.user)))


def _points(value: float) -> int:
    return round(START + UNIT * value)
