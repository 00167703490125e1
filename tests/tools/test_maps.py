"""The tool that makes the plates: its projection, what it keeps of the outlines, and that the stored plates are its work."""
from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from itertools import combinations, pairwise
from math import asin, degrees, hypot, radians, sin, sqrt
from typing import Any

import pytest
import shapely
from PIL import Image
from shapely import Point, Polygon

from renderer.games.struggle_of_empires.common import COLONIES, EUROPE
from renderer.maps.plates import Plate, draw_map
from renderer.themes import THEMES
from tools.maps.frames import FRAMES, Frame
from tools.maps.plates import BLEED, PLATES, UNIT, plate, text, world, write

FIRST = json.loads((files("data") / "struggle_of_empires" / "first_edition.json").read_bytes())
HOMES = tuple(home["id"] for home in FIRST["home_countries"])
GLOBE = Frame(0, 0, lon=0, lat=0, x=0, y=0, scale=1)


@cache
def plate_of(name: str) -> dict[str, Any]:
    """A plate as the tool makes it now."""
    return plate(FRAMES[name])


def polygons(name: str, region: str) -> list[Polygon]:
    """A region of a plate, in px."""
    def ring(flat: list[int]) -> list[tuple[float, float]]:
        return [(x / UNIT, y / UNIT) for x, y in zip(flat[::2], flat[1::2])]

    return [Polygon(ring(outer), list(map(ring, holes))) for outer, *holes in plate_of(name)["regions"][region]]


# --- the projection ---------------------------------------------------------------------------------

@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_the_centre_lies_where_the_frame_says_and_within_it(frame):
    assert frame.place(frame.lon, frame.lat) == pytest.approx((frame.x, frame.y))
    assert 0 < frame.x < frame.wide and 0 < frame.y < frame.high


@pytest.mark.parametrize("lon, lat, x, y", [
    (90, 0, sqrt(2), 0), (-90, 0, -sqrt(2), 0),         # a quarter of the globe away: the root of two radii
    (0, 90, 0, -sqrt(2)), (0, -90, 0, sqrt(2)),         # north is up, and y goes down
    (60, 0, 1, 0), (0, 60, 0, -1)])                     # 2 sin(60° / 2)
def test_known_places_of_the_formula(lon, lat, x, y):
    assert GLOBE.place(lon, lat) == pytest.approx((x, y), abs=1e-12)


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_a_place_is_as_far_from_the_centre_as_its_chord_is_long(frame):
    for angle in (1, 10, 30):
        x, y = frame.place(frame.lon, frame.lat + angle)
        assert hypot(x - frame.x, y - frame.y) == pytest.approx(2 * frame.scale * sin(radians(angle) / 2))


def cell(frame: Frame, west: float, south: float, north: float) -> float:
    """The projected area of ten degrees of longitude between two latitudes."""
    steps = [n / 100 for n in range(101)]
    corners = [*((west + 10 * t, south) for t in steps), *((west + 10, south + (north - south) * t) for t in steps),
               *((west + 10 - 10 * t, north) for t in steps), *((west, north - (north - south) * t) for t in steps)]
    return Polygon([frame.place(lon, lat) for lon, lat in corners]).area


def test_cells_that_are_equal_on_the_globe_are_equal_on_the_map():
    frame = FRAMES["europe"]
    thirds = [degrees(asin(n / 3)) for n in range(4)]
    true = radians(10) / 3 * frame.scale ** 2
    for south, north in pairwise(thirds):
        for west in (-40, 2, 50):
            assert cell(frame, west, south, north) == pytest.approx(true, rel=1e-3)


def test_half_the_globe_is_near():
    assert GLOBE.near(0, 0) and GLOBE.near(89, 0) and GLOBE.near(0, -89)
    assert not GLOBE.near(91, 0) and not GLOBE.near(180, 0) and not GLOBE.near(-135, 45)


# --- the outlines -----------------------------------------------------------------------------------

def test_the_outlines_leave_no_gap_between_neighbours_and_never_overlap():
    assert shapely.coverage_is_valid([shapely.MultiPolygon(shapes) for shapes in world().land.values()])


def test_the_outlines_are_of_exactly_the_regions_of_the_rules():
    assert set(world().land) == {*HOMES, *EUROPE, *COLONIES, "_rest"}


# --- the plates -------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", FRAMES)
def test_the_stored_plate_is_what_the_tool_makes(name):
    assert (PLATES / f"{name}.json").read_text(encoding="utf-8") == text(FRAMES[name], lambda frame: plate_of(name))


def test_the_tool_writes_the_same_files_twice_and_tells_what_changed(tmp_path):
    some = {name: FRAMES[name] for name in ("india", "india_near")}
    first = list(write(tmp_path / "plates", some))
    written = {path: path.read_bytes() for path, _ in first}
    assert [changed for _, changed in first] == [True] * len(some)
    (tmp_path / "plates" / "india.json").write_text("{}", encoding="utf-8")
    assert {path.stem for path, changed in write(tmp_path / "plates", some) if changed} == {"india"}
    assert {path: path.read_bytes() for path in written} == written
    assert {path.stem for path in written} == set(some)
    assert set(FRAMES) == {"europe", *COLONIES, *(f"{area}_near" for area in COLONIES)}


@pytest.mark.parametrize("region", [*HOMES, *EUROPE])
def test_each_home_and_each_area_of_europe_has_a_shape_with_its_anchor(region):
    shape, anchor = shapely.MultiPolygon(polygons("europe", region)), Point(plate_of("europe")["anchors"][region])
    if region == "baltic":      # stands in the sea between its coasts
        shape = shape.convex_hull
    assert shape.contains(anchor)


@pytest.mark.parametrize("name", [name for name in FRAMES if name != "europe"])
def test_each_colony_has_a_shape_with_its_anchor_well_inside(name):
    area = name.removesuffix("_near")
    anchor = Point(plate_of(name)["anchors"][area])
    (land,) = [polygon for polygon in polygons(name, area) if polygon.contains(anchor)]
    assert land.boundary.distance(anchor) > 8


def test_only_regions_that_a_plate_shows_have_anchors_on_it_and_other_land_has_none():
    for name in FRAMES:
        made = plate_of(name)
        assert set(made["anchors"]) <= set(made["regions"]) - {"_rest"}
        for x, y in made["anchors"].values():
            assert 0 < x < FRAMES[name].wide and 0 < y < FRAMES[name].high


@pytest.mark.parametrize("one, other", [
    ("france", "spain"), ("france", "german_states"), ("austria", "central_europe"), ("prussia", "central_europe"),
    ("russia", "central_europe"), ("ottoman_empire", "central_europe"), ("austria", "mediterranean")])
def test_neighbours_share_their_border_point_for_point(one, other):
    mine, theirs = (shapely.MultiPolygon(polygons("europe", region)) for region in (one, other))
    shared = {tuple(place) for place in shapely.get_coordinates(theirs)}
    along = [tuple(place) for place in shapely.get_coordinates(mine) if theirs.distance(Point(place)) < 0.5]
    strays = {place for place in along if place not in shared}
    assert len(along) > 15 and len(strays) <= 2         # where the border meets a coast, a point may be near it by chance


@pytest.mark.parametrize("name", FRAMES)
def test_simplified_regions_do_not_overlap(name):
    shapes = [shapely.make_valid(shapely.MultiPolygon(polygons(name, region))) for region in plate_of(name)["regions"]]
    assert sum(one.intersection(other).area for one, other in combinations(shapes, 2)) < 0.1    # square px, from rounding


@pytest.mark.parametrize("name", FRAMES)
def test_outlines_run_on_to_the_bleed_and_not_beyond(name):
    frame, made = FRAMES[name], plate_of(name)
    rings = [*(ring for parts in made["regions"].values() for rings in parts for ring in rings), *made["rivers"], *made["lakes"]]
    across, down = [x for ring in rings for x in ring[::2]], [y for ring in rings for y in ring[1::2]]
    for places, length in ((across, frame.wide), (down, frame.high)):
        assert min(places) >= -BLEED * UNIT and max(places) <= (length + BLEED) * UNIT
    assert min(down) == -BLEED * UNIT                   # every window has land at its upper edge
    assert all(len(ring) >= 6 for rings in made["regions"].values() for part in rings for ring in part)


def test_small_islands_are_discs_in_the_caribbean_and_left_out_elsewhere():
    smallest = min(part.area for name in FRAMES for region in plate_of(name)["regions"] for part in polygons(name, region))
    assert smallest > 2                                 # 3 square px, less what rounding takes
    antilles = [part for part in polygons("caribbean", "caribbean") if part.area < 10]
    assert len(antilles) > 30
    assert len(polygons("north_america", "caribbean")) < 10


def test_a_continent_on_the_far_side_of_the_globe_does_not_cover_the_window():
    assert set(plate_of("east_indies")["regions"]) == {"east_indies", "_rest"}      # its opposite end lies in South America


@pytest.mark.parametrize("name", FRAMES)
def test_a_plate_just_made_is_drawn_with_its_region_at_the_anchor(name):
    made, theme = plate_of(name), THEMES["light"]
    chart = Plate(made["w"], made["h"], made["unit"], made["regions"], [], [], made["anchors"])
    region = "france" if name == "europe" else name.removesuffix("_near")
    image = draw_map(chart, chart.wide, chart.high, theme, lambda shown: (1, 2, 3) if shown == region else theme.land)
    x, y = made["anchors"][region]
    assert image.getpixel((round(3 * x), round(3 * y))) == (1, 2, 3)
    small = image.resize((chart.wide, chart.high), Image.Resampling.NEAREST)       # counted in a ninth of the time
    assert len(small.getcolors(maxcolors=1 << 24)) > 5      # sea, water lines, coast and other land
