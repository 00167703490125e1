"""Victory points that a control marker brings or costs in the ranking of its area."""
from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from engine.games.struggle_of_empires.rules.war_end import area_points

REMEMBERED = 1 << 17    # positions of an area, for all games
Rivals: TypeAlias = tuple[tuple[int, bool], ...]        # control markers of each other power in an area, and whether it is an NPP


@lru_cache(maxsize=REMEMBERED)
def marker_gained(vp: tuple[int, ...], mine: int, rivals: Rivals, loser: int) -> tuple[float, int]:
    """(points that another own marker gains, points that rivals lose by it), for one scoring of an area.

    What only the second or third marker brings counts in part.
    """
    now = _points(vp, mine, rivals)
    after = _points(vp, mine + 1, _less(rivals, loser))
    gain = max((_points(vp, mine + more, _less(rivals, loser))[0] - now[0]) / more ** 1.5 for more in (1, 2, 3))
    return gain, sum(now[1:]) - sum(after[1:])


@lru_cache(maxsize=REMEMBERED)
def marker_lost(vp: tuple[int, ...], mine: int, rivals: Rivals) -> int:
    """Points of one scoring that one own marker less costs."""
    return _points(vp, mine, rivals)[0] - _points(vp, max(0, mine - 1), rivals)[0]


@lru_cache(maxsize=REMEMBERED)
def rival_lost(vp: tuple[int, ...], mine: int, rivals: Rivals, loser: int) -> tuple[int, int]:
    """(own points gained, points that rivals lose) of one scoring, if a rival has a marker less."""
    now, after = _points(vp, mine, rivals), _points(vp, mine, _less(rivals, loser))
    return after[0] - now[0], sum(now[1:]) - sum(after[1:])


def _less(rivals: Rivals, loser: int) -> Rivals:
    return tuple((number - (index == loser), npp) for index, (number, npp) in enumerate(rivals))


def _points(vp: tuple[int, ...], mine: int, rivals: Rivals) -> list[int]:
    """The points of an area: the own, then those of the rivals; what non-player powers get is nobody's."""
    markers = {"": mine} | {str(index): number for index, (number, _) in enumerate(rivals)}
    points = area_points(vp, markers, npps=[str(index) for index, (_, npp) in enumerate(rivals) if npp])
    return [points.get("", 0), *(0 if npp else points.get(str(index), 0) for index, (_, npp) in enumerate(rivals))]
