"""Numbers that have come up lately, at most so many."""
from __future__ import annotations

RECENT = 10_000                 # numbers that are remembered


class Recent:
    """The newest numbers that were noted, at most so many."""

    def __init__(self, most: int = RECENT) -> None:
        self._kept: dict[int, None] = {}
        self._most = most

    def __contains__(self, number: int) -> bool:
        return number in self._kept

    def note(self, number: int) -> bool:
        """Remember a number; whether it is new."""
        new = number not in self._kept
        self._kept[number] = None
        if len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]
        return new

    def forget(self, number: int) -> None:
        self._kept.pop(number, None)
