"""The plates of Attack!: territories, zones of the sea, and the routes across it."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import shapely
from shapely import LineString

from tools.maps import plates
from tools.maps.frames import Frame, Point

PLATES = plates.ROOT / "data" / "attack" / "plates"
SMOOTH = 2              # px that a border at sea may stray
TERRITORIES = "attack_territories"

FRAMES: dict[str, Frame] = {
    "europe": Frame(1168, 780, 18, 48, 470, 372, 1180, outlines=TERRITORIES),
    "north_america": Frame(560, 572, -97, 41, 286, 290, 402, outlines=TERRITORIES),
    "south_america": Frame(560, 560, -60, -22, 272, 280, 440, outlines=TERRITORIES),
    "africa": Frame(596, 620, 20, 0, 274, 306, 470, outlines=TERRITORIES)}

ROUTES: Mapping[tuple[str, str], tuple[Point, ...]] = {
    ("quebec", "great_britain"): ((-57, 51), (-45, 53), (-25, 54), (-9.5, 52.5)),
    ("eastern_us", "great_britain"): ((-70.5, 42), (-50, 47), (-25, 50), (-5, 50.3)),
    ("eastern_us", "france"): ((-72, 41), (-50, 43), (-25, 46), (-4.5, 48)),
    ("eastern_us", "cuba"): ((-76, 36), (-73, 29), (-75.5, 20.8)),
    ("cuba", "iberia"): ((-74.5, 20.3), (-60, 28), (-30, 36.5), (-9, 38.9)),
    ("southern_us", "morocco"): ((-80.5, 29), (-60, 31.5), (-30, 33), (-9, 31)),
    ("cuba", "guiana"): ((-74.3, 20.1), (-60, 19), (-54, 12), (-54, 5.7)),
    ("guiana", "west_africa"): ((-52, 4.8), (-35, 9), (-16.5, 13)),
    ("bahia", "west_africa"): ((-35.3, -6), (-25, 2), (-13, 9)),
    ("bahia", "iberia"): ((-36, -4.8), (-30, 12), (-22, 30), (-9, 38.2)),
    ("southern_brazil", "angola"): ((-40.5, -21), (-15, -17), (13, -13)),
    ("argentina", "south_africa"): ((-57.7, -37.5), (-20, -38), (18.3, -33.5)),
    ("great_britain", "france"): ((-1.5, 51), (-0.5, 49.2)),
    ("great_britain", "germany"): ((1, 53), (8, 53.6)),
    ("great_britain", "scandinavia"): ((-2, 57.3), (5.8, 58.8)),
    ("great_britain", "iberia"): ((-5, 50.3), (-9.5, 47), (-8.3, 43.2)),
    ("great_britain", "russia"): ((-3, 58.4), (2, 66), (17, 71.5), (33, 72), (36, 68.5)),
    ("scandinavia", "poland"): ((16.5, 57.4), (21.5, 56.6)),
    ("iberia", "west_africa"): ((-8.7, 37.5), (-19, 30), (-16.5, 20)),
    ("west_africa", "central_africa"): ((-8, 5), (2, 0.5), (9.8, 1)),
    ("nigeria", "angola"): ((6, 4.8), (4, -4), (13.3, -9.5)),
    ("south_africa", "east_africa"): ((32, -28.5), (46, -28), (54, -18), (51, -4), (45, 2)),
    ("east_africa", "saudi_arabia"): ((43.5, 11), (45.5, 13.5)),
    ("egypt", "saudi_arabia"): ((34, 26.5), (37.5, 25.3)),
    ("sudan", "saudi_arabia"): ((37, 20), (40, 20.5)),
    ("alaska", "western_us"): ((-149, 61), (-143, 52), (-130, 44), (-123.5, 43)),
    ("western_us", "panama"): ((-120, 34.8), (-118, 20), (-100, 9), (-82.5, 8.5)),
    ("panama", "peru"): ((-80.5, 7.7), (-84, 0), (-80.3, -5)),
    ("panama", "chile"): ((-81, 7.6), (-88, -5), (-84, -25), (-71, -30)),
    ("quebec", "northwest_territories"): ((-75, 61.5), (-72, 64.5))}
"""How each route of the data is drawn: places from shore to shore, in degrees. Which routes there are is decided by the data."""


def plate(frame: Frame) -> dict[str, Any]:
    """The plate of a window, with the borders of the zones and the routes that it shows."""
    made = plates.plate(frame)
    return made | {"rivers": [], "zones": [plates.flat(list(line.coords)) for line in _borders(frame)],
                   "routes": [plates.flat(list(line.coords)) for line in _routes(frame)]}


def _borders(frame: Frame) -> Iterator[LineString]:
    """Where two zones of the sea meet."""
    zones = [part for zone in plates.features("attack_seas") for part in shapely.geometry.shape(zone["geometry"]).geoms]
    for one, other in combinations(plates.projected(frame, zones), 2):
        met = shapely.intersection(one.boundary, other.boundary)
        lines = [part for part in shapely.get_parts(met) if part.length]
        if lines:
            for whole in shapely.get_parts(shapely.line_merge(shapely.MultiLineString(lines))):
                yield from plates.cut(frame, whole.simplify(SMOOTH), plates.BLEED)


def _routes(frame: Frame) -> Iterator[LineString]:
    for places in ROUTES.values():
        near = [place for place in places if frame.near(*place)]
        if len(near) > 1:
            yield from plates.cut(frame, LineString([frame.place(*place) for place in near]), plates.BLEED)
