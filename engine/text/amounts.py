"""Amounts that are estimates, as people say them."""
from __future__ import annotations

from engine.text import Text, count, text

LITTLE, HALF = 0.4, 0.75        # points below which it is less than half a point, and about half a point


def points(worth: float) -> Text:
    """Victory points: "about 2 points", "about half a point", "less than half a point"."""
    if worth < LITTLE:
        return text("less than half a point")
    if worth < HALF:
        return text("about half a point")
    return count(round(worth), "about {n} point", "about {n} points")
