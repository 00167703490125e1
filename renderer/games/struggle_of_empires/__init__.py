"""The pictures of Struggle of Empires: what is drawn by whom."""
from __future__ import annotations

from collections.abc import Mapping

from engine.games.struggle_of_empires.pictures.scenes import (
    Auction,
    Board,
    Closeup,
    Film,
    Forecast,
    Progress,
    Reckoning,
    Reveal,
    Stock,
)
from engine.games.struggle_of_empires.view import View
from renderer.painting import Paint, later

PAINTERS: Mapping[type, Paint] = {
    View: later(f"{__name__}.board", "paint_view"),
    Board: later(f"{__name__}.board"),
    Closeup: later(f"{__name__}.closeup"),
    Progress: later(f"{__name__}.plot"),
    Forecast: later(f"{__name__}.forecast"),
    Auction: later(f"{__name__}.auction"),
    Stock: later(f"{__name__}.stock"),
    Reveal: later(f"{__name__}.reveal"),
}
"""Scene and theme to a palette image."""

FILMS: Mapping[type, bool] = {Film: True, Reckoning: False}
"""Scenes whose frames are shown one after the other, and whether again and again."""
