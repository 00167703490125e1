"""The plates of Imperial Struggle: land, lines, cards of countries and names, which no move changes.

They take long to draw, so they are drawn ahead, into a file for each theme, region and size (`tools.maps.bases`).
"""
from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from PIL import Image, ImageDraw

from renderer.brushes import Brush
from renderer.games.imperial_struggle.common import GAME, colours, ground, settled
from renderer.games.imperial_struggle.layout import BOARD, CLOSE, Scale, card, facts, name_boxes, regions, size, spots, tiles
from renderer.games.imperial_struggle.places import COUNTRIES
from renderer.layout.boxes import Box
from renderer.maps.plates import SMOOTH, draw_map, plate
from renderer.maps.stored import stored_map
from renderer.themes import THEMES, Theme

DASH, SPACE = 11, 8     # px of a conquest line
SCALES = (BOARD, CLOSE)


def file(theme_name: str, region: str, scale: Scale) -> str:
    """The name of the file that holds a plate, in the folder `bases` beside this module."""
    return f"{theme_name}-{region}{'-near' if scale.near else ''}.png"


def draw_base(theme_name: str, region: str, scale: Scale) -> Image.Image:
    """A plate with all that no move changes: a palette image."""
    theme, (wide, high) = THEMES[theme_name], size(region, scale)
    chart = plate(GAME, region)
    land = draw_map(chart, chart.wide, chart.high, theme, lambda name: ground(theme, name))
    image = land.resize((wide * SMOOTH, high * SMOOTH), Image.Resampling.BOX)
    draw = ImageDraw.Draw(image)
    for country in COUNTRIES[region]:
        _card(draw, card(country, region, scale), theme)
    _lines(draw, region, scale, theme)
    image = image.reduce(SMOOTH)
    brush = Brush(image, theme)
    for country in COUNTRIES[region]:
        box = card(country, region, scale)
        x, y = box.left + box.wide // 2, box.top + 8 + scale.name // 2
        brush.text(x, y, country.name, "label", scale.name, theme.ink, align="m")
    for spot in spots(region, scale):
        for words, box in zip(spot.name, name_boxes(spot, scale)):
            brush.text(spot.x, box.top + box.high // 2, words, "label", scale.name, theme.ink, align="m", halo=theme.halo)
    ImageDraw.Draw(image).rectangle((0, 0, wide - 1, high - 1), outline=theme.frame, width=2)
    return settled(image, theme)


def _card(draw: ImageDraw.ImageDraw, box: Box, theme: Theme) -> None:
    left, top, right, bottom = [n * SMOOTH for n in box.corners]
    draw.rounded_rectangle((left, top, right, bottom), 10 * SMOOTH, theme.card, theme.line, 2 * SMOOTH)


def _lines(draw: ImageDraw.ImageDraw, region: str, scale: Scale, theme: Theme) -> None:
    """Links of advantages, conquest lines and solid lines."""
    there = {spot.space: (spot.x, spot.y) for spot in spots(region, scale)}
    for tile in tiles(region, scale):
        left, top, wide, high = tile.box
        there[tile.advantage] = left + wide // 2, top + high // 2
    for kind, ends, thick in (("advantage_links", ("advantage", "space"), 3), ("conquest_lines", ("a", "b"), 4),
                              ("solid_lines", ("a", "b"), 4)):
        lines = [tuple(line[end] for end in ends) for line in facts()[kind] if not line.get("only_with_option")]
        shown = [(there[a], there[b]) for a, b in lines if regions()[a] == region]
        ink = {"advantage_links": theme.gold, "conquest_lines": theme.alarm, "solid_lines": theme.ink}[kind]
        for one, other in shown:
            parts = list(_dashes(one, other)) if kind == "conquest_lines" else [(one, other)]
            for colour, more in ((theme.halo, 4), (ink, 0)):
                for start, end in parts:
                    draw.line([n * SMOOTH for n in (*start, *end)], colour, (thick + more) * SMOOTH)


Place = tuple[float, float]


def _dashes(start: Place, end: Place) -> Iterator[tuple[Place, Place]]:
    """A line as short strokes."""
    (x, y), (to_x, to_y) = start, end
    length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    for begin in range(0, int(length), DASH + SPACE):
        near, far = begin / length, min(begin + DASH, length) / length
        yield (x + (to_x - x) * near, y + (to_y - y) * near), (x + (to_x - x) * far, y + (to_y - y) * far)


@lru_cache(maxsize=16)
def base(theme_name: str, region: str, scale: Scale) -> Image.Image:
    """A plate as its file has it: a palette image. Raises OSError with a sentence that names the file if it is of no use."""
    name = file(theme_name, region, scale)
    image = stored_map("renderer.games.imperial_struggle", name)
    if image.mode != "P" or image.getpalette() != colours(THEMES[theme_name]).getpalette():
        raise OSError(f"The map {name} has other colours than its theme; python -m tools.maps.bases draws it again.")
    return image
