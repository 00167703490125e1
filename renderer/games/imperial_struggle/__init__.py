"""The pictures of Imperial Struggle: what is drawn by whom."""
from __future__ import annotations

from collections.abc import Mapping

from engine.games.imperial_struggle.pictures.scenes import Board, Film, Forecast, Hand, Region, War
from engine.games.imperial_struggle.view import View
from renderer.painting import Paint, later

PAINTERS: Mapping[type, Paint] = {
    View: later(f"{__name__}.board", "paint_view"),
    Board: later(f"{__name__}.board"),
    Region: later(f"{__name__}.closeup"),
    War: later(f"{__name__}.sheets", "paint_war"),
    Forecast: later(f"{__name__}.sheets", "paint_forecast"),
    Hand: later(f"{__name__}.sheets", "paint_hand"),
}
"""Scene and theme to a palette image."""

FILMS: Mapping[type, bool] = {Film: True}
"""Scenes whose frames are shown one after the other, and whether again and again."""
