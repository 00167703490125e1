"""From a scene to the bytes of a file: which painter is for which scene."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, TypeAlias

from PIL import Image

from renderer import image_cache
from renderer.encoder import encoded
from renderer.film import film, stays
from renderer.games import attack, struggle_of_empires


class NoPainter(LookupError):
    """Nobody here can draw views of this kind."""


class NoMaterial(LookupError):
    """A font or a map that every picture needs is missing or damaged."""


Paint: TypeAlias = Callable[[Any, str], Image.Image]
"""View and theme to a palette image."""

PAINTERS: dict[type, Paint] = {**struggle_of_empires.PAINTERS, **attack.PAINTERS}
FILMS: Mapping[type, bool] = {**struggle_of_empires.FILMS, **attack.FILMS}
"""Scenes whose `frames` are shown one after the other, and whether for ever."""
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
    try:
        with _brush:
            image = PAINTERS[type(view)](view, theme)
            image_cache.trim()
    except FileNotFoundError as error:
        raise NoMaterial(f"The file {Path(error.filename).name} is missing, so no picture can be drawn.") from error
    except OSError as error:
        raise NoMaterial(f"No picture can be drawn: {error}") from error
    return image


def render(view: Any, theme: str = "dark") -> bytes:
    """A scene as the bytes of a PNG, or of a GIF if it is a film: the same bytes for the same scene in the same installation.
    `theme` is "dark" or "light".

    Takes long enough to belong into a worker thread; any number of threads may call it. Raises NoPainter, NoMaterial if a font
    or map is missing or damaged, and KeyError for a theme that does not exist.
    """
    if type(view) in FILMS:
        frames = (_paint(frame, theme) for frame in view.frames)
        return film(frames, stays(len(view.frames)), loops=FILMS[type(view)])
    return encoded(_paint(view, theme))
