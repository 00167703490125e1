"""From a view to PNG bytes: which painter is for which view."""
from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from threading import Lock
from typing import Any, TypeAlias

from PIL import Image

from renderer import struggle_of_empires


class NoPainter(LookupError):
    """Nobody here can draw views of this kind."""


Paint: TypeAlias = Callable[[Any, str], Image.Image]
"""View and theme to a palette image."""

PAINTERS: dict[type, Paint] = {**struggle_of_empires.PAINTERS}
_brush = Lock()         # fonts are not made for two threads at once, and two cores gain nothing from two pictures


def can_draw(view: object) -> bool:
    """Whether there is a painter for this view."""
    return type(view) in PAINTERS


def _painter(view: object) -> Paint:
    if not can_draw(view):
        raise NoPainter(f"There is no painter for {type(view).__name__}.")
    return PAINTERS[type(view)]


def render(view: object, theme: str = "dark") -> bytes:
    """The board as PNG bytes: the same bytes for the same view. `theme` is "dark" or "light".

    Takes long enough to belong into a worker thread; any number of threads may call it. Raises NoPainter, and KeyError for a
    theme that does not exist.
    """
    paint, out = _painter(view), BytesIO()
    with _brush:
        paint(view, theme).save(out, "PNG", compress_level=3)
    return out.getvalue()
