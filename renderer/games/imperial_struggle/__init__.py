"""The pictures of Imperial Struggle: what is drawn by whom."""
from __future__ import annotations

from collections.abc import Mapping

from engine.games.imperial_struggle.pictures.scenes import Board, Region
from engine.games.imperial_struggle.view import View
from renderer.painting import Paint, later

PAINTERS: Mapping[type, Paint] = {
    View: later(f"{__name__}.board", "paint_view"),
    Board: later(f"{__name__}.board"),
    Region: later(f"{__name__}.closeup"),
}
"""Scene and theme to a palette image."""

FILMS: Mapping[type, bool] = {}
"""Scenes whose frames are shown one after the other, and whether again and again."""
