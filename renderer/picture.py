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
from typing import Any, Literal, TypeAlias

from PIL import Image

from renderer import image_cache
from renderer.brushes import Brush, block
from renderer.encoder import encoded
from renderer.painting import Paint, later
from renderer.scenes import Points, Ranking
from renderer.themes import THEMES, Colour


class NoPainter(LookupError):
    """Nobody here can draw views of this kind."""


class NoMaterial(LookupError):
    """A font or a map that every picture needs is missing or damaged."""


Plate: TypeAlias = Literal["unit", "die", "good", "card"]

SHARED: Mapping[type, Paint] = {Ranking: later("renderer.ranking"), Points: later("renderer.points")}
"""Painters of scenes that belong to no game."""

EMBLEM = 96             # px, the side of an emblem
CARD = 74               # px, how wide the sign of a card is
EDGE = 4                # px, around a sign

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
    """Return what draws this scene. Raises NoPainter."""
    paints, _ = _game(type(view).__module__)
    if type(view) not in paints:
        raise NoPainter(f"There is no painter for {type(view).__name__}.")
    return paints[type(view)]


def can_draw(view: Any) -> bool:
    return any(type(view) in known for known in _game(type(view).__module__))


def _film(view: Any) -> bool | None:
    """True if a film is shown for ever; None for a scene that stands still."""
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
    """The discs of a game's powers, as they lie on its board, by the ids of the powers, and the signs of its units, dice, goods
    and cards, by their own: small square PNGs without a ground, to be shown among words. None for a game of which nothing can be
    drawn.

    Belongs into a worker thread. Raises NoMaterial.
    """
    if find_spec(f"renderer.games.{game}") is None:
        return {}
    common = import_module(f"renderer.games.{game}.common")
    with _material():
        return {**{power: _disc(*common.badge(power)) for power in common.PLAYED},
                **{id: _plate(kind, sign) for id, (kind, sign) in common.TOKENS.items()}}


def colours(game: str) -> dict[str, Colour]:
    """The colours of a game's powers on its board, by their ids; none of a game that nobody can draw."""
    if find_spec(f"renderer.games.{game}") is None:
        return {}
    common = import_module(f"renderer.games.{game}.common")
    return {power: common.badge(power)[1] for power in common.PLAYED}


def _disc(sign: str, fill: Colour) -> bytes:
    image, theme = Image.new("RGBA", (EMBLEM, EMBLEM)), THEMES["dark"]
    Brush(image, theme).disc(EMBLEM // 2, EMBLEM // 2, sign, EMBLEM, fill, ring=theme.muted)
    return _small(image)


def _plate(kind: Plate, sign: str) -> bytes:
    """An icon on what tells its kind by its shape and colour: read at 22 px, on a dark ground and on a light one."""
    image, theme, middle = Image.new("RGBA", (EMBLEM, EMBLEM)), THEMES["dark"], EMBLEM // 2
    wide, radius, sized, edge, fill, ink = {
        "unit": (EMBLEM, 16, 72, theme.muted, theme.card, theme.ink),
        "die": (EMBLEM, 18, 62, theme.seal_ink, theme.bar_ink, theme.seal_ink),
        "good": (EMBLEM, middle, 62, theme.gold_edge, theme.gold, theme.seal_ink),
        "card": (CARD, 10, 56, theme.seal_ink, theme.ink, theme.gold_edge)}[kind]
    brush, left = Brush(image, theme), (EMBLEM - wide) // 2
    brush.mask(left, 0, block(wide, EMBLEM, radius), edge)
    brush.mask(left + EDGE, EDGE, block(wide - 2 * EDGE, EMBLEM - 2 * EDGE, radius - EDGE), fill)
    brush.icon(middle, middle, sign, sized, ink)
    return _small(image)


def _small(image: Image.Image) -> bytes:
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()
