"""The pictures of Attack!: what is drawn by whom."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PIL import Image

from engine.games.attack.pictures.scenes import Battle, Board, Film, Naval
from engine.games.attack.view import View
from renderer.games.attack import board, closeup, naval

PAINTERS: dict[type, Callable[[Any, str], Image.Image]] = {
    View: board.paint_view,
    Board: board.paint,
    Battle: closeup.paint,
    Naval: naval.paint,
}
"""Scene and theme to a palette image."""

FILMS: Mapping[type, bool] = {Film: True}
"""Scenes whose frames are shown one after the other, and whether again and again."""
