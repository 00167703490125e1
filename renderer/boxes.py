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
