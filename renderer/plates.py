"""Maps from plates: outlines in final pixels (Natural Earth, public domain), filled and stroked; no projection happens here."""
from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from PIL import Image, ImageDraw

from renderer.themes import Colour, Theme

SMOOTH = 3                      # maps are drawn so much larger and reduced
WATER = (22, 16, 10, 5)         # widths of the water lines around a coast, in px


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
    """A plate from the data of a game."""
    raw: dict[str, Any] = json.loads((files("data") / game / "plates" / f"{name}.json").read_bytes())
    anchors = {region: (float(x), float(y)) for region, (x, y) in raw["anchors"].items()}
    return Plate(raw["w"], raw["h"], raw["unit"], raw["regions"], raw["rivers"], raw["lakes"], anchors)


def placing(chart: Plate, wide: int, high: int) -> tuple[float, float, float]:
    """How a plate fills a window: its scale, and the px that go to the left of and above its own corner (negative: cut off)."""
    scale = max(wide / chart.wide, high / chart.high)
    return scale, (wide - chart.wide * scale) / 2, (high - chart.high * scale) / 2


def draw_map(chart: Plate, wide: int, high: int, theme: Theme, tint: Callable[[str], Colour]) -> Image.Image:
    """A plate in a window, SMOOTH times as large, to be finished and reduced; `tint` gives the land colour of a region."""
    image = Image.new("RGB", (wide * SMOOTH, high * SMOOTH), theme.sea)
    draw = ImageDraw.Draw(image)
    scale, left, top = placing(chart, wide, high)

    def ring(flat: list[int]) -> list[tuple[float, float]]:
        times = SMOOTH * scale / chart.unit
        return [(x * times + left * SMOOTH, y * times + top * SMOOTH) for x, y in zip(flat[::2], flat[1::2])]

    polygons = [(region, [ring(flat) for flat in polygon]) for region, polygon in _polygons(chart)]
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
    return image


def _polygons(chart: Plate) -> Iterator[tuple[str, list[list[int]]]]:
    """All polygons; those with holes first, so that what lies in a hole is drawn over it."""
    every = [(region, polygon) for region, polygons in chart.regions.items() for polygon in polygons]
    return iter(sorted(every, key=lambda item: len(item[1]) == 1))
