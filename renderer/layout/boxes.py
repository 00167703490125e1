"""Rectangles of pictures, in px."""
from __future__ import annotations

from typing import NamedTuple


class Box(NamedTuple):
    left: int
    top: int
    wide: int
    high: int

    @property
    def corners(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom, as Pillow wants them."""
        return self.left, self.top, self.left + self.wide, self.top + self.high

    def meets(self, other: Box) -> bool:
        return (self.left < other.left + other.wide and other.left < self.left + self.wide
                and self.top < other.top + other.high and other.top < self.top + self.high)

    def shared(self, other: Box) -> int:
        across = min(self.left + self.wide, other.left + other.wide) - max(self.left, other.left)
        down = min(self.top + self.high, other.top + other.high) - max(self.top, other.top)
        return max(0, across) * max(0, down)
