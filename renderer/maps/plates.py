"""Maps from plates: outlines in final pixels (Natural Earth, public domain), filled and stroked; no projection happens here."""
from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from PIL import Image, ImageDraw

from renderer.themes import Colour, Theme

SMOOTH = 3                      # maps are drawn so much larger and reduced
WATER = (22, 16, 10, 5)         # widths of the water lines around a coast, in px
LARGEST, AROUND = 2.6, 26       # a single region: the largest scale, and the px of the plate around it
BORDER = 4                      # px: the border of the region that a map is about


@dataclass(frozen=True)
class Plate:
    """One map; places in px."""

    wide: int
    high: int
    unit: int                                               # outlines are whole numbers of 1/unit px
    regions: dict[str, list[list[list[int]]]]               # id to polygons to rings, the outer one first
    rivers: list[list[int]]
    lakes: list[list[int]]
    anchors: dict[str, tuple[float, float]]


@lru_cache(maxsize=16)
def plate(game: str, name: str) -> Plate:
    raw: dict[str, Any] = json.loads((files("data") / game / "plates" / f"{name}.json").read_bytes())
    anchors = {region: (float(x), float(y)) for region, (x, y) in raw["anchors"].items()}
    return Plate(raw["w"], raw["h"], raw["unit"], raw["regions"], raw["rivers"], raw["lakes"], anchors)


class Placing(NamedTuple):
    """How a plate lies in a window: its scale, and the px to the left of and above its own corner (negative: cut off)."""

    scale: float
    left: float
    top: float


def placing(chart: Plate, wide: int, high: int) -> Placing:
    """The plate's middle in the window's middle, as small as fills the window."""
    scale = max(wide / chart.wide, high / chart.high)
    return Placing(scale, (wide - chart.wide * scale) / 2, (high - chart.high * scale) / 2)


class Extent(NamedTuple):
    """What a region takes of its plate, px."""

    west: float
    north: float
    east: float
    south: float


def extent(chart: Plate, region: str) -> Extent:
    """The rectangle around all that a plate shows of a region."""
    numbers = [flat for polygon in chart.regions[region] for flat in polygon]
    across = [min(max(x / chart.unit, 0), chart.wide) for flat in numbers for x in flat[::2]]
    down = [min(max(y / chart.unit, 0), chart.high) for flat in numbers for y in flat[1::2]]
    return Extent(min(across), min(down), max(across), max(down))


def placing_of(chart: Plate, region: str, wide: int, high: int, room: int) -> Placing:
    """A region in the middle of a window that the plate fills, as large as fits with a margin into `room` px of its height and
    at most LARGEST."""
    west, north, east, south = extent(chart, region)
    fitting = min(LARGEST, wide / (east - west + 2 * AROUND), room / (south - north + 2 * AROUND))
    scale = max(fitting, placing(chart, wide, high).scale)

    def start(near: float, far: float, length: int, whole: int) -> float:
        return min(max(length / 2 - (near + far) / 2 * scale, length - whole * scale), 0)

    return Placing(scale, start(west, east, wide, chart.wide), start(north, south, high, chart.high))


def draw_map(chart: Plate, wide: int, high: int, theme: Theme, tint: Callable[[str], Colour], *,
             placed: Placing | None = None, marked: str = "") -> Image.Image:
    """A plate in a window, SMOOTH times as large, to be finished and reduced; `tint` gives the land colour of a region.

    The plate fills the window unless it is `placed` otherwise; the border of the region `marked` is drawn strong.
    """
    image = Image.new("RGB", (wide * SMOOTH, high * SMOOTH), theme.sea)
    draw = ImageDraw.Draw(image)
    scale, left, top = placed or placing(chart, wide, high)

    def ring(flat: list[int]) -> list[tuple[float, float]]:
        times = SMOOTH * scale / chart.unit
        return [(x * times + left * SMOOTH, y * times + top * SMOOTH) for x, y in zip(flat[::2], flat[1::2])]

    polygons = [(region, rings) for region, polygon in _polygons(chart)
                if _seen(rings := [ring(flat) for flat in polygon], image.size)]
    for reach, colour in zip(WATER, theme.water):
        for _, (outer, *_) in polygons:
            draw.line([*outer, outer[0]], colour, reach * SMOOTH, joint="curve")
    for region, (outer, *holes) in polygons:
        draw.polygon(outer, tint(region))
        for hole in holes:
            draw.polygon(hole, theme.sea)
    for lake in map(ring, chart.lakes):
        draw.polygon(lake, theme.sea)
        draw.line([*lake, lake[0]], theme.coast, SMOOTH)
    for river in map(ring, chart.rivers):
        draw.line(river, theme.river, SMOOTH + 1)
    for _, rings in polygons:
        for outline in rings:
            draw.line([*outline, outline[0]], theme.coast, SMOOTH + 1)
    for thick, colour in ((BORDER + 4, theme.halo), (BORDER, theme.frame)):
        for outline in [outline for region, rings in polygons if region == marked for outline in rings]:
            draw.line([*outline, outline[0]], colour, thick * SMOOTH, joint="curve")
    return image


def _seen(rings: list[list[tuple[float, float]]], size: tuple[int, int]) -> bool:
    """True if a polygon, with the water lines around it, reaches into an image."""
    reach = WATER[0] * SMOOTH
    spans = [(min(places) - reach, max(places) + reach) for places in zip(*rings[0])]
    return all(near < length and far > 0 for (near, far), length in zip(spans, size))


def _polygons(chart: Plate) -> Iterator[tuple[str, list[list[int]]]]:
    """All polygons; those with holes first, so that what lies in a hole is drawn over it."""
    every = [(region, polygon) for region, polygons in chart.regions.items() for polygon in polygons]
    return iter(sorted(every, key=lambda item: len(item[1]) == 1))
