"""From a scene to the bytes of a file: which painter is for which scene."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from threading import Lock
from typing import Any, TypeAlias

from PIL import Image

from renderer import struggle_of_empires
from renderer.film import film, stays


class NoPainter(LookupError):
    """Nobody here can draw views of this kind."""


Paint: TypeAlias = Callable[[Any, str], Image.Image]
"""View and theme to a palette image."""

PAINTERS: dict[type, Paint] = {**struggle_of_empires.PAINTERS}
FILMS: frozenset[type] = struggle_of_empires.FILMS      # scenes whose `frames` are shown one after the other
_brush = Lock()         # fonts are not made for two threads at once, and two cores gain nothing from two pictures


def can_draw(view: object) -> bool:
    """Whether there is a painter for this scene."""
    return type(view) in PAINTERS or type(view) in FILMS


def suffix(view: object) -> str:
    """How the name of the file with this scene's picture ends: ".gif" if it moves, else ".png"."""
    return ".gif" if type(view) in FILMS else ".png"


def _paint(view: object, theme: str) -> Image.Image:
    if type(view) not in PAINTERS:
        raise NoPainter(f"There is no painter for {type(view).__name__}.")
    with _brush:
        return PAINTERS[type(view)](view, theme)


def render(view: Any, theme: str = "dark") -> bytes:
    """The picture as the bytes of a PNG, or of an animated GIF for a film: the same bytes for the same scene. `theme` is "dark"
    or "light".

    Takes long enough to belong into a worker thread; any number of threads may call it. Raises NoPainter, and KeyError for a
    theme that does not exist.
    """
    if type(view) in FILMS:
        frames: Iterator[Image.Image] = (_paint(frame, theme) for frame in view.frames)
        return film(frames, stays(len(view.frames)))
    out = BytesIO()
    _paint(view, theme).save(out, "PNG", compress_level=3)
    return out.getvalue()
