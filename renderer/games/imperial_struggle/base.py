"""The plates of Imperial Struggle: land, lines, cards of countries and names, which no move changes.

Land takes long to draw, so it is drawn ahead, into a file for each theme, region and size (`tools.maps.bases`).
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from PIL import Image, ImageDraw

from renderer.brushes import Brush, block, width
from renderer.games.imperial_struggle import layout
from renderer.games.imperial_struggle.common import GAME, colours, ground, lands, settled
from renderer.maps.plates import SMOOTH, plate
from renderer.maps.stored import stored_map
from renderer.themes import THEMES, Colour, Theme, in_palette
from renderer.words import short_name, spoken

DASH, SPACE = 20, 12    # px of a conquest line
LINES, LINKS = 5, 4     # px: widths of lines between spaces, and from an advantage
REACH, COAST = 13, 4    # px: widths of the line in the water and of that along a coast, half of which the land covers
WATER = 1               # which of the theme's colours of water lines
SCALES = (layout.BOARD, layout.CLOSE)
Place = tuple[float, float]


def line_inks(theme: Theme) -> dict[str, Colour]:
    return {"advantage_links": theme.muted, "conquest_lines": theme.alarm, "solid_lines": theme.ink}


def file(theme_name: str, region: str, scale: layout.Scale) -> str:
    """The name of the file that holds a plate, in the folder `bases` beside this module."""
    return f"{theme_name}-{region}{'-near' if scale.near else ''}.png"


def draw_base(theme_name: str, region: str, scale: layout.Scale) -> Image.Image:
    """A plate's land and water: a palette image."""
    theme, (wide, high) = THEMES[theme_name], layout.size(region, scale)
    large = Image.new("RGB", (wide * SMOOTH, high * SMOOTH), theme.sea)
    _map(ImageDraw.Draw(large), region, scale, theme)
    return settled(in_palette(large.reduce(SMOOTH), _colours(_flat(theme))).convert("RGB"), theme)


def _flat(theme: Theme) -> tuple[Colour, ...]:
    """The colours of land, water and coasts. Between them there are no steps: these would make larger files, not clearer maps."""
    return (*lands(theme), theme.sea, theme.water[WATER], theme.coast)


def _colours(found: Iterable[Colour]) -> Image.Image:
    held = Image.new("P", (1, 1))
    held.putpalette([channel for one in dict.fromkeys(found) for channel in one])
    return held


def _map(draw: ImageDraw.ImageDraw, region: str, scale: layout.Scale, theme: Theme) -> None:
    """Land in pale colours with a line around its coasts, and close up one in the water."""
    chart, (wide, high) = plate(GAME, region), layout.size(region, scale)
    across, down = wide / chart.wide * SMOOTH / chart.unit, high / chart.high * SMOOTH / chart.unit

    def ring(flat: list[int]) -> list[Place]:
        return [(x * across, y * down) for x, y in zip(flat[::2], flat[1::2])]

    every = [(name, [ring(flat) for flat in polygon]) for name, polygons in chart.regions.items() for polygon in polygons]
    every.sort(key=lambda item: len(item[1]) == 1)          # what lies in a hole is drawn over it
    shores = ((REACH, theme.water[WATER]), (COAST, theme.coast)) if scale.near else ((COAST, theme.coast),)
    for reach, ink in shores:
        for _, (outer, *_) in every:
            draw.line([*outer, outer[0]], ink, reach * SMOOTH, joint="curve")
    for name, (outer, *holes) in every:
        draw.polygon(outer, ground(theme, name))
        for hole in holes:
            draw.polygon(hole, theme.sea)
    for lake in map(ring, chart.lakes):
        draw.polygon(lake, theme.sea)
        draw.line([*lake, lake[0]], theme.coast, COAST * SMOOTH // 2)


def _lines(draw: ImageDraw.ImageDraw, region: str, scale: layout.Scale, theme: Theme) -> None:
    there = {spot.space: (spot.x, spot.y) for spot in layout.spots(region, scale)}
    for tile in layout.tiles(region, scale):
        left, top, wide, high = tile.box
        there[tile.advantage] = left + wide // 2, top + high // 2
    for kind, ends in (("advantage_links", ("advantage", "space")), ("conquest_lines", ("a", "b")), ("solid_lines", ("a", "b"))):
        for one, other in (tuple(line[end] for end in ends) for line in layout.facts()[kind] if not line.get("only_with_option")):
            if layout.regions()[one] == region:
                _line(draw, there[one], there[other], kind, theme)


def _line(draw: ImageDraw.ImageDraw, start: Place, end: Place, kind: str, theme: Theme) -> None:
    for near, far in _dashes(start, end) if kind == "conquest_lines" else [(start, end)]:
        draw.line((*near, *far), line_inks(theme)[kind], LINKS if kind == "advantage_links" else LINES)


def _dashes(start: Place, end: Place) -> Iterator[tuple[Place, Place]]:
    (x, y), (to_x, to_y) = start, end
    length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    for begin in range(0, int(length), DASH + SPACE):
        near, far = begin / length, min(begin + DASH, length) / length
        yield (x + (to_x - x) * near, y + (to_y - y) * near), (x + (to_x - x) * far, y + (to_y - y) * far)


@lru_cache(maxsize=16)
def base(theme_name: str, region: str, scale: layout.Scale) -> Image.Image:
    """Land and water as their file has them: a palette image. Raises OSError with a sentence that names the file if it is of no
    use."""
    name = file(theme_name, region, scale)
    image = stored_map("renderer.games.imperial_struggle", name)
    if image.mode != "P" or image.getpalette() != colours(THEMES[theme_name]).getpalette():
        raise OSError(f"The map {name} has other colours than its theme; python -m tools.maps.bases draws it again.")
    return image


@spoken(maxsize=16)
def named_plate(theme_name: str, region: str, scale: layout.Scale) -> Image.Image:
    """A plate with cards of countries, lines and names: a palette image."""
    theme, image = THEMES[theme_name], base(theme_name, region, scale).convert("RGB")
    brush = Brush(image, theme)
    placed = layout.layout(region, scale)
    for box in placed.cards.values():
        brush.mask(box.left, box.top, block(box.wide, box.high, 10), theme.line)
        brush.mask(box.left + 2, box.top + 2, block(box.wide - 4, box.high - 4, 8), theme.card)
    _lines(ImageDraw.Draw(image), region, scale, theme)
    for country, box in placed.cards.items():
        brush.text(box.left + box.wide // 2, box.top + 8 + scale.name // 2, short_name(country), "label", scale.name, theme.ink,
                   align="m")
    named = [(words, name.box.left + name.box.wide // 2, name.box.top + scale.line * n + scale.line // 2)
             for name in placed.names.values() for n, words in enumerate(name.lines)]
    for words, x, y in named:
        half = width(words, "label", scale.name) // 2 + 3
        brush.draw.rectangle((x - half, y - scale.line // 2 + 1, x + half, y + scale.line // 2), theme.halo)
    for words, x, y in named:
        brush.text(x, y, words, "label", scale.name, theme.ink, align="m")
    brush.draw.rectangle((0, 0, image.width - 1, image.height - 1), outline=theme.frame, width=2)
    return settled(image, theme)


@spoken(maxsize=16)
def plate_of_game(theme_name: str, region: str, scale: layout.Scale, *, tougher_forts: bool) -> Image.Image:
    """A plate with the conquest lines of a game: one more counts with the option of tougher forts [IS-19.3]."""
    image = named_plate(theme_name, region, scale)
    more = [(line["a"], line["b"]) for line in layout.facts()["conquest_lines"] if line.get("only_with_option") == "tougher_forts"
            and layout.regions()[line["a"]] == region]
    if not (more and tougher_forts):
        return image
    theme, there = THEMES[theme_name], {spot.space: (spot.x, spot.y) for spot in layout.spots(region, scale)}
    image = image.convert("RGB")
    for one, other in more:
        _line(ImageDraw.Draw(image), there[one], there[other], "conquest_lines", theme)
    return settled(image, theme)
