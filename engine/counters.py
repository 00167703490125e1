"""How many of each: counts by name, in which nothing stands with a 0; and who has most."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

T = TypeVar("T")
FEWEST, MOST = 2, 25            # numbers of one thing that are listed where there are many: its ends, and a page of a menu


def add(counts: dict[str, int], key: str, n: int) -> None:
    """Change a count; a count of 0 is not kept."""
    left = counts.get(key, 0) + n
    assert left >= 0, f"{key} would fall to {left}"
    if left:
        counts[key] = left
    else:
        counts.pop(key, None)


def places(ranked: Sequence[T], worth: Callable[[T], object], *, first: int = 1) -> dict[T, int]:
    """The place of each, best first; whose worth is equal shares a place, and the next one counts those before: 1, 2, 2, 4."""
    found = dict[T, int]()
    for number, (before, one) in enumerate(zip([None, *ranked], ranked), first):
        found[one] = found[before] if before is not None and worth(before) == worth(one) else number
    return found


@lru_cache(maxsize=4096)
def spread(least: int, most: int, room: int = MOST) -> tuple[int, ...]:
    """The numbers from the least to the most; if there is no room for so many, the lower ones and the most."""
    room = max(FEWEST, room)
    return (*range(least, min(most, least + room - 1)), most) if least <= most else ()
