"""How many of each: counts by name, in which nothing stands with a 0."""
from __future__ import annotations


def add(counts: dict[str, int], key: str, n: int) -> None:
    """Change a count; a count of 0 is not kept."""
    left = counts.get(key, 0) + n
    assert left >= 0, f"{key} would fall to {left}"
    if left:
        counts[key] = left
    else:
        counts.pop(key, None)
