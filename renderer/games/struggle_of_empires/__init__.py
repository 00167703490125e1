"""The pictures of Struggle of Empires: what is drawn by whom."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PIL import Image

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
from renderer.games.struggle_of_empires import auction, board, closeup, forecast, plot, reveal, stock

PAINTERS: dict[type, Callable[[Any, str], Image.Image]] = {
    View: board.paint_view,
    Board: board.paint,
    Closeup: closeup.paint,
    Progress: plot.paint,
    Forecast: forecast.paint,
    Auction: auction.paint,
    Stock: stock.paint,
    Reveal: reveal.paint,
}
"""Scene and theme to a palette image."""

FILMS: Mapping[type, bool] = {Film: True, Reckoning: False}
"""Scenes whose frames are shown one after the other, and whether again and again."""
