"""What stands on a plate for good: where routes lead that leave it, names of land that another plate tells of, and the signs of
zones whose shores are all linked."""
from __future__ import annotations

from collections.abc import Mapping

from PIL import Image

from renderer.brushes import HALO, SMALLEST, Brush, width
from renderer.games.attack.base import WINDOWS, coloured, cut
from renderer.games.attack.common import settled
from renderer.games.attack.places import ANCHORS, ENDS, End
from renderer.layout.boxes import Box
from renderer.themes import THEMES
from renderer.words import short_name, spoken

HIGH = 32               # px
ANCHOR, POINTER, GAP = 30, 18, 6        # px of the signs, and between a sign and its words
POINTERS: Mapping[str, str] = {"left": "back", "right": "pointer", "up": "up", "down": "down"}


def called(end: End) -> str:
    return ", ".join(short_name(name) for name in end.words.split(", "))


@spoken(maxsize=8)
def edges(name: str) -> tuple[tuple[End, Box], ...]:
    """All that stands on a plate for good, each with what it takes of the board."""
    return tuple((end, _box(end)) for end in (*ENDS, *ANCHORS) if end.plate == name)


def _sign(end: End) -> tuple[str, int]:
    """The icon beside the words and its size; no icon is 0 px."""
    return ("anchor", ANCHOR) if end in ANCHORS else (POINTERS[end.side], POINTER) if end.side else ("", 0)


def _box(end: End) -> Box:
    _, size = _sign(end)
    words = width(called(end), "label", SMALLEST)
    wide = size + (GAP if size and words else 0) + words
    window = WINDOWS[end.plate]
    left = {"left": end.x, "right": end.x - wide}.get(end.side, min(end.x - wide // 2, window.wide - 2 * HALO - wide))
    return Box(window.left + left - HALO, window.top + end.y - HIGH // 2, wide + 2 * HALO, HIGH)


@spoken(maxsize=256)
def edge(theme_name: str, end: End, box: Box, ground: tuple[tuple[int, str], ...]) -> Image.Image:
    """The words with their sign on the map, whose colours under them are those of these owners."""
    theme = THEMES[theme_name]
    image = coloured(cut(box), theme_name, ground).convert("RGB")
    brush, (sign, size) = Brush(image, theme), _sign(end)
    y, after = HIGH // 2, end.side == "right"
    left, right = HALO, box.wide - HALO
    if size:
        x = right - size // 2 if after else left + size // 2
        brush.icon(x, y, "disc", min(size + 2 * HALO, HIGH), theme.halo)
        brush.icon(x, y, sign, size, theme.muted)
    brush.text(left if after or not size else left + size + GAP, y, called(end), "label", SMALLEST, theme.muted, halo=theme.halo)
    return settled(image, theme)
