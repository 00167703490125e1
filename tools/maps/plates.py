"""From outlines in degrees to plates: projected, simplified, cut to the window, rounded to whole units."""
from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import shapely
from shapely import LineString, MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from tools.maps.frames import FRAMES, Frame, Point

ROOT = Path(__file__).parents[2]
GEOMETRY = ROOT / "data" / "geometry"
PLATES = ROOT / "data" / "struggle_of_empires" / "plates"

UNIT = 4                # units a px: outlines are whole units, so that plates are small and the same everywhere
BLEED = 6               # px that outlines go on beyond the window: the stroke along the cut is never seen
BEND = 0.5              # px: what rivers and lakes may stray from their course when their bends are left out
SPECK = 3               # square px: smaller islands and holes are left out,
ISLET = 1.7             # px: or drawn as a disc with this radius where a frame wants them
POND = 8                # square px: the same for lakes
BROOK = 12              # px: shorter rivers are left out
ROOMY = 2               # px around an anchor within its region, at least; a narrower sliver has none
OTHER = "_rest"         # land that no rule speaks of


class World(NamedTuple):
    """The outlines, in degrees of longitude and latitude."""

    land: dict[str, list[Polygon]]      # by region; neighbours have every point of a common border in common
    rivers: list[LineString]
    lakes: list[Polygon]


@lru_cache(maxsize=2)
def world(outlines: str = "soe_regions") -> World:
    """The outlines from the data: land from this file, waters from the one for all games."""
    land = {region["id"]: list(shapely.geometry.shape(region["geometry"]).geoms) for region in features(outlines)}
    waters = [(water["properties"]["kind"], shapely.geometry.shape(water["geometry"])) for water in features("rivers_lakes")]
    return World(land, [shape for kind, shape in waters if kind == "river"], [shape for kind, shape in waters if kind == "lake"])


def features(name: str) -> list[dict[str, Any]]:
    """Return what a file of outlines holds."""
    found: list[dict[str, Any]] = json.loads((GEOMETRY / f"{name}.geojson").read_bytes())["features"]
    return found


def plate(frame: Frame) -> dict[str, Any]:
    source = world(frame.outlines)
    land = _land(frame, source.land)
    lakes = [part for lake in projected(frame, source.lakes) for part in cut(frame, lake.simplify(BEND), BLEED)]
    rivers = [part for river in projected(frame, source.rivers) for part in cut(frame, river.simplify(BEND), BLEED)]
    return {
        "w": frame.wide, "h": frame.high, "unit": UNIT,
        "regions": {region: [_rings(part) for part in parts] for region, parts in land.items()},
        "rivers": [flat(list(river.coords)) for river in rivers if river.length >= BROOK],
        "lakes": [flat(list(lake.exterior.coords[:-1])) for lake in lakes if lake.area >= POND],
        "anchors": dict(frame.anchors) or _anchors(frame, land)}


def text(frame: Frame, make: Callable[[Frame], dict[str, Any]] = plate) -> str:
    """The plate of a window, as its file reads."""
    return json.dumps(make(frame), separators=(",", ":")) + "\n"


def write(folder: Path = PLATES, frames: Mapping[str, Frame] = FRAMES,
          make: Callable[[Frame], dict[str, Any]] = plate) -> Iterator[tuple[Path, bool]]:
    """Makes every plate; each file with whether it is new or differs from what was there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, frame in frames.items():
        path, new = folder / f"{name}.json", text(frame, make)
        changed = not path.exists() or path.read_text(encoding="utf-8") != new
        path.write_text(new, encoding="utf-8")
        yield path, changed


# --- land -----------------------------------------------------------------------------------------

def _land(frame: Frame, land: dict[str, list[Polygon]]) -> dict[str, list[Polygon]]:
    """Return what the window shows of each region. All are simplified at once: one by one, neighbours would drift apart."""
    every = [(region, shape) for region, shapes in land.items() for shape in projected(frame, shapes)]
    if frame.islets:
        every = [(region, shape if shape.area >= SPECK else shape.centroid.buffer(ISLET, quad_segs=2)) for region, shape in every]
    simple = shapely.coverage_simplify([shape for _, shape in every], sqrt(frame.detail))
    found: dict[str, list[Polygon]] = {}
    for (region, _), shape in zip(every, simple):
        if parts := [part for part in cut(frame, shape, BLEED) if part.area >= max(SPECK, frame.detail)]:
            found.setdefault(region, []).extend(parts)
    return found


def _anchors(frame: Frame, land: dict[str, list[Polygon]]) -> dict[str, Point]:
    """For each region the place in the window that is farthest from its borders."""
    found = {}
    for region, parts in land.items():
        seen = MultiPolygon([shape for part in parts for shape in cut(frame, part, 0)])
        if region == OTHER or seen.is_empty:
            continue
        reach = shapely.maximum_inscribed_circle(seen, 0.1)
        if reach.length >= ROOMY:
            x, y = reach.coords[0]
            found[region] = (round(x, 1), round(y, 1))
    return found


# --- shapes ---------------------------------------------------------------------------------------

def projected(frame: Frame, shapes: list[Any]) -> list[Any]:
    """Shapes as they lie in the window, without those that miss it.

    What is on the far half of the globe is left out first: around the point opposite to the centre the plane is turned inside
    out, and a continent there would seem to enclose the window.
    """
    window = shapely.box(-BLEED, -BLEED, frame.wide + BLEED, frame.high + BLEED)
    near = [shape for shape in shapes if any(frame.near(lon, lat) for lon, lat in shapely.get_coordinates(shape).tolist())]
    laid = [shapely.transform(shape, lambda places: [frame.place(lon, lat) for lon, lat in places.tolist()]) for shape in near]
    return [shape for shape in laid if shapely.box(*shape.bounds).intersects(window)]


def cut(frame: Frame, shape: BaseGeometry, beyond: float) -> list[Any]:
    """The parts of a shape in the window and so far beyond it."""
    seen = shapely.clip_by_rect(shape, -beyond, -beyond, frame.wide + beyond, frame.high + beyond)
    return [part for part in shapely.get_parts(seen) if not part.is_empty]


def _rings(shape: Polygon) -> list[list[int]]:
    """A polygon's outline and then its holes, none smaller than a speck: the island that filled it is left out too."""
    holes = [hole for hole in shape.interiors if Polygon(hole).area >= SPECK]
    return [flat(list(ring.coords[:-1])) for ring in (shape.exterior, *holes)]


def flat(places: list[Point]) -> list[int]:
    """A line in whole units, x and y in turn, without points that fall on the one before."""
    units = [(round(x * UNIT), round(y * UNIT)) for x, y in places]
    return [n for before, place in zip([None, *units], units) if place != before for n in place]
