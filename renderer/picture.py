"""From a scene to the bytes of a file: which painter is for which scene."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Any

from PIL import Image

from renderer import image_cache
from renderer.brushes import Brush
from renderer.encoder import encoded
from renderer.painting import Paint, later
from renderer.scenes import Points, Ranking
from renderer.themes import THEMES, Colour


class NoPainter(LookupError):
    """Nobody here can draw views of this kind."""


class NoMaterial(LookupError):
    """A font or a map that every picture needs is missing or damaged."""


SHARED: Mapping[type, Paint] = {Ranking: later("renderer.ranking"), Points: later("renderer.points")}
"""Painters of scenes that belong to no game."""

EMBLEM = 96             # px, the side of an emblem

_brush = Lock()         # fonts are not made for two threads at once, and two cores gain nothing from two pictures


@lru_cache(maxsize=64)
def _game(module: str) -> tuple[Mapping[type, Paint], Mapping[type, bool]]:
    """The painters of the game whose module this is; and which of its scenes are films, whose `frames` are shown one after the
    other, and whether for ever. They are imported for its first picture: nobody waits for those of another game."""
    top, _, key, *_ = *module.split("."), "", ""
    if top == "renderer":
        return SHARED, {}
    if top != "engine" or not key or find_spec(f"renderer.games.{key}") is None:
        return {}, {}
    game = import_module(f"renderer.games.{key}")
    return game.PAINTERS, game.FILMS


def painter(view: Any) -> Paint:
    """What draws this scene. Raises NoPainter."""
    paints, _ = _game(type(view).__module__)
    if type(view) not in paints:
        raise NoPainter(f"There is no painter for {type(view).__name__}.")
    return paints[type(view)]


def can_draw(view: Any) -> bool:
    """Whether there is a painter for this scene."""
    return any(type(view) in known for known in _game(type(view).__module__))


def _film(view: Any) -> bool | None:
    """Whether a film is shown for ever; None for a scene that stands still."""
    _, films = _game(type(view).__module__)
    return films.get(type(view))


def suffix(view: Any) -> str:
    """How the name of the file with this scene's picture ends: ".gif" if it moves, else ".png"."""
    return ".png" if _film(view) is None else ".gif"


def _paint(view: Any, theme: str) -> Image.Image:
    paint = painter(view)
    with _material():
        image = paint(view, theme)
        image_cache.trim()
    return image


@contextmanager
def _material() -> Iterator[None]:
    """Drawing, one picture at a time. Raises NoMaterial."""
    try:
        with _brush:
            yield
    except FileNotFoundError as error:
        raise NoMaterial(f"The file {Path(error.filename).name} is missing, so no picture can be drawn.") from error
    except OSError as error:
        raise NoMaterial(f"No picture can be drawn: {error}") from error


def render(view: Any, theme: str = "dark") -> bytes:
    """A scene as the bytes of a PNG, or of a GIF if it is a film: the same bytes for the same scene in the same installation.
    `theme` is "dark" or "light".

    Takes long enough to belong into a worker thread; any number of threads may call it. Raises NoPainter, NoMaterial if a font
    or map is missing or damaged, and KeyError for a theme that does not exist.
    """
    if (loops := _film(view)) is not None:
        from renderer.film import film, stays  # most first pictures are none

        frames = (_paint(frame, theme) for frame in view.frames)
        return film(frames, stays(len(view.frames)), loops=loops)
    return encoded(_paint(view, theme))


def emblems(game: str) -> dict[str, bytes]:
    """The discs of a game's powers, as they lie on its board, by the ids of the powers: small square PNGs without a ground, to be
    shown among words. None for a game of which nothing can be drawn.

    Belongs into a worker thread. Raises NoMaterial.
    """
    if find_spec(f"renderer.games.{game}") is None:
        return {}
    common = import_module(f"renderer.games.{game}.common")
    with _material():
        return {power: _disc(*common.badge(power)) for power in common.PLAYED}


def _disc(sign: str, fill: Colour) -> bytes:
    image, theme, file = Image.new("RGBA", (EMBLEM, EMBLEM)), THEMES["dark"], BytesIO()
    Brush(image, theme).disc(EMBLEM // 2, EMBLEM // 2, sign, EMBLEM, fill, ring=theme.muted)
    image.save(file, "PNG")
    return file.getvalue()
