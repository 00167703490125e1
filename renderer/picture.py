"""From a view to PNG bytes and to words: which painter is for which view."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from threading import Lock
from typing import Any

from PIL import Image

from engine.struggle_of_empires.view import View as StruggleView
from renderer import board_text, struggle_of_empires

ALT_TEXT = 1024         # characters; Discord's limit for the description of an attachment


class NoPainter(LookupError):
    """Nobody here can draw views of this kind."""


@dataclass(frozen=True)
class Painter:
    """What a game's pictures need."""

    paint: Callable[[Any, str], Image.Image]        # view and theme to a palette image
    describe: Callable[[Any, int], str]             # view and the most characters to an alt text
    text: Callable[[Any], str]                      # view to a board in words


PAINTERS: dict[type, Painter] = {
    StruggleView: Painter(struggle_of_empires.paint, board_text.describe, board_text.text_board),
}
_brush = Lock()         # fonts are not made for two threads at once, and two cores gain nothing from two pictures


def can_draw(view: object) -> bool:
    """Whether there is a painter for this view."""
    return type(view) in PAINTERS


def _painter(view: object) -> Painter:
    if not can_draw(view):
        raise NoPainter(f"There is no painter for {type(view).__name__}.")
    return PAINTERS[type(view)]


def render(view: object, theme: str = "dark") -> bytes:
    """The board as PNG bytes: the same bytes for the same view. `theme` is "dark" or "light".

    Takes long enough to belong into a worker thread; any number of threads may call it. Raises NoPainter, and KeyError for a
    theme that does not exist.
    """
    painter, out = _painter(view), BytesIO()
    with _brush:
        painter.paint(view, theme).save(out, "PNG", compress_level=3)
    return out.getvalue()


def describe(view: object) -> str:
    """What the picture shows, in at most 1,024 characters: its alt text. Raises NoPainter."""
    return _painter(view).describe(view, ALT_TEXT)


def text_board(view: object) -> str:
    """The whole board in words, for the command line and for screen readers. Raises NoPainter."""
    return _painter(view).text(view)
