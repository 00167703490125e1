"""How many of each: counts by name, in which nothing stands with a 0; and who has most."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


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
