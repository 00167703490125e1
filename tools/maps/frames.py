"""What each plate shows: its size, where its projection is centred, and anchors that were placed by hand."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import cos, radians, sin, sqrt

Point = tuple[float, float]


@dataclass(frozen=True)
class Frame:
    """A window on the globe, in Lambert's azimuthal projection: every area keeps its size, and near the centre its shape.

    Signs, dots and cards of the boards stand at fixed places on these windows: whoever moves one looks at all of them.
    """

    wide: int                   # px, as all measures but lon and lat
    high: int
    lon: float                  # centre of the projection, degrees
    lat: float
    x: float                    # where that centre lies in the window
    y: float
    scale: float                # radius of the globe
    anchors: Mapping[str, Point] = field(default_factory=dict)      # by hand; none: they are worked out
    islets: bool = False        # whether islands that are too small to be seen are drawn as discs
    outlines: str = "soe_regions"       # the file of the regions, in data/geometry
    detail: float = 1           # square px: corners of land whose triangle is smaller are left out

    def place(self, lon: float, lat: float) -> Point:
        """Where a place on the globe lies in the window, y down."""
        east, north, here = radians(lon - self.lon), radians(lat), radians(self.lat)
        stretch = self.scale * sqrt(2 / (1 + self._closeness(lon, lat)))
        return (self.x + stretch * cos(north) * sin(east),
                self.y - stretch * (cos(here) * sin(north) - sin(here) * cos(north) * cos(east)))

    def near(self, lon: float, lat: float) -> bool:
        """True if a place lies on the half of the globe around the centre."""
        return self._closeness(lon, lat) > 0

    def _closeness(self, lon: float, lat: float) -> float:
        """Cosine of the angle between a place and the centre: 1 there, -1 at the opposite end of the globe."""
        east, north, here = radians(lon - self.lon), radians(lat), radians(self.lat)
        return sin(here) * sin(north) + cos(here) * cos(north) * cos(east)


FRAMES: dict[str, Frame] = {
    "europe": Frame(1168, 1080, 12, 49, 558, 572, 1506, {
        "britain": (346.4, 458.5), "france": (378.3, 617.8), "spain": (238.0, 769.7), "united_provinces": (450.1, 480.4),
        "prussia": (589.7, 471.6), "austria": (605.8, 607.7), "russia": (882.2, 310.7), "baltic": (649.7, 326.3),
        "german_states": (515.6, 544.9), "central_europe": (705.0, 497.4), "mediterranean": (563.7, 729.2),
        "ottoman_empire": (807.9, 713.5), "africa": (381.3, 978.7)}),
    "north_america": Frame(380, 300, -88, 42, 198, 141.5, 508),
    "caribbean": Frame(380, 300, -74, 18, 190, 143.5, 784.5, islets=True),
    "south_america": Frame(380, 300, -60, -16, 179, 155.5, 311.5),
    "africa": Frame(380, 300, 13, 5, 183, 110, 278),
    "india": Frame(380, 300, 79, 19, 185, 163.5, 607.5),
    "east_indies": Frame(380, 300, 117, 2, 190, 155.5, 497),

    # close to a colony, with the lands around it: cut to the height that a picture has left, about the colony's middle
    "north_america_near": Frame(1200, 700, -88, 42, 610, 360, 483),
    "caribbean_near": Frame(1200, 700, -74, 18, 620, 306, 981, islets=True),
    "south_america_near": Frame(1200, 700, -60, -16, 590, 322, 312),
    "africa_near": Frame(1200, 700, 13, 5, 560, 332, 292),
    "india_near": Frame(1200, 700, 79, 19, 590, 378, 638),
    "east_indies_near": Frame(1200, 700, 117, 2, 540, 365, 547)}
