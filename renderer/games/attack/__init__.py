"""The pictures of Attack!: what is drawn by whom."""
from __future__ import annotations

from collections.abc import Mapping

from engine.games.attack.pictures.scenes import Battle, Board, Film, Naval
from engine.games.attack.view import View
from renderer.painting import Paint, later

PAINTERS: Mapping[type, Paint] = {
    View: later(f"{__name__}.board", "paint_view"),
    Board: later(f"{__name__}.board"),
    Battle: later(f"{__name__}.closeup"),
    Naval: later(f"{__name__}.naval"),
}
"""Scene and theme to a palette image."""

FILMS: Mapping[type, bool] = {Film: True}
"""Scenes whose frames are shown one after the other, and whether again and again."""
