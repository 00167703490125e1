"""`python -m tests.golden`: draws the golden pictures anew. Look at each of them before they are committed.

They are compared by decoded pixels. Another version of Pillow may smooth an edge otherwise: then the pictures are looked at again
and renewed in a commit of their own.
"""
from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops

from engine.games.struggle_of_empires.pictures.scenes import Board
from renderer import render
from renderer.themes import THEMES
from tools.samples import attack, boards, closeups, deluxe, sheets

FOLDER = Path(__file__).parent / "golden"
FAILED = Path("build") / "golden"           # what was drawn instead, and where it differs
PILLOW = "13.0.0"                           # drew the golden pictures
NEAR = ("helpers", "raid", "worst", "captives", "undecided")
DELUXE_NEAR = ("local", "tokens", "marker")
DELUXE_SHEETS = ("stock", "auction", "forecast", "reveal")
SHEETS = ("progress", "forecast-7", "auction-7", "stock-7", "reveal-7", "reckoning-collapse")


def scenes() -> Mapping[str, Any]:
    """Positions made up by hand, which no change of the rules touches."""
    near, sheet, seven = closeups.closeups(), dict(sheets.sheets()), boards.sample(7)
    board, deluxe_near, deluxe_sheets = deluxe.deluxe(), deluxe.closeups(), deluxe.sheets()
    return {
        "board-start": Board(now=boards.sample(2)), "board-crowded": Board(now=boards.crowded()),
        "board-marked": boards.marked(seven), "board-own": boards.overlay(seven), "board-auction": Board(now=boards.auction()),
        "board-ended": Board(now=boards.ended(seven)), **{f"closeup-{name}": near[name] for name in NEAR},
        **{name: sheet[name] for name in SHEETS}, "deluxe-board": Board(now=board),
        "deluxe-board-marked": deluxe.earlier(board), "deluxe-board-fullest": deluxe.fullest(),
        **{f"deluxe-closeup-{name}": deluxe_near[name] for name in DELUXE_NEAR},
        **{f"deluxe-{name}": deluxe_sheets[name] for name in DELUXE_SHEETS},
        **{f"attack-{name}": scene for name, scene in attack.golden().items()}}


def golden(name: str, theme: str) -> Path:
    """Where the picture is kept."""
    return FOLDER / f"{name}-{theme}.png"


def differing(a: Image.Image, b: Image.Image) -> float:
    """The share of pixels that differ, 0 to 1; 1 if the sizes do."""
    if a.size != b.size:
        return 1.0
    red, green, blue = ImageChops.difference(a, b).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return 1 - most.histogram()[0] / (a.width * a.height)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, scene in scenes().items():
        for theme in THEMES:
            golden(name, theme).write_bytes(render(scene, theme))


if __name__ == "__main__":
    main()
