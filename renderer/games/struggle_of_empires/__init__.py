"""The pictures of Struggle of Empires: what is drawn by whom."""
from __future__ import annotations

from collections.abc import Mapping

from engine.games.struggle_of_empires.pictures import scenes as sc
from engine.games.struggle_of_empires.view import View
from renderer.painting import Paint, later

PAINTERS: Mapping[type, Paint] = {
    View: later(f"{__name__}.board", "paint_view"),
    sc.Board: later(f"{__name__}.board"),
    sc.Closeup: later(f"{__name__}.closeup"),
    sc.Progress: later(f"{__name__}.plot"),
    sc.Forecast: later(f"{__name__}.forecast"),
    sc.Auction: later(f"{__name__}.auction"),
    sc.Stock: later(f"{__name__}.stock"),
    sc.Reveal: later(f"{__name__}.reveal"),
}
"""Scene and theme to a palette image."""

FILMS: Mapping[type, bool] = {sc.Film: True, sc.Reckoning: False}
"""Scenes whose frames are shown one after the other, and whether again and again."""
