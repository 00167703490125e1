"""The tool that makes the plates: its projection, what it keeps of the outlines, and that the stored plates are its work."""
from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Any

import pytest
import shapely
from PIL import Image
from shapely import Point, Polygon

from renderer.games.struggle_of_empires.common import COLONIES, EUROPE
from renderer.maps.plates import Plate, draw_map
from renderer.themes import THEMES
from tools.maps.frames import FRAMES
from tools.maps.plates import BLEED, PLATES, UNIT, plate, text, world

FIRST = json.loads((files("data") / "struggle_of_empires" / "first_edition.json").read_bytes())
HOMES = tuple(home["id"] for home in FIRST["home_countries"])


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


# --- the outlines -----------------------------------------------------------------------------------

def test_the_outlines_leave_no_gap_between_neighbours_and_never_overlap():
    assert shapely.coverage_is_valid([shapely.MultiPolygon(shapes) for shapes in world().land.values()])


def test_the_outlines_are_of_exactly_the_regions_of_the_rules():
    assert set(world().land) == {*HOMES, *EUROPE, *COLONIES, "_rest"}


# --- the plates -------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", FRAMES)
def test_the_stored_plate_is_what_the_tool_makes(name):
    assert (PLATES / f"{name}.json").read_text(encoding="utf-8") == text(FRAMES[name], lambda frame: plate_of(name))


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


@pytest.mark.parametrize("name", ["europe", "india", "india_near"])       # those of other regions are compared as stored
def test_a_plate_just_made_is_drawn_with_its_region_at_the_anchor(name):
    made, theme = plate_of(name), THEMES["light"]
    chart = Plate(made["w"], made["h"], made["unit"], made["regions"], [], [], made["anchors"])
    region = "france" if name == "europe" else name.removesuffix("_near")
    image = draw_map(chart, chart.wide, chart.high, theme, lambda shown: (1, 2, 3) if shown == region else theme.land)
    x, y = made["anchors"][region]
    assert image.getpixel((round(3 * x), round(3 * y))) == (1, 2, 3)
    small = image.resize((chart.wide, chart.high), Image.Resampling.NEAREST)       # counted in a ninth of the time
    assert len(small.getcolors(maxcolors=1 << 24)) > 5      # sea, water lines, coast and other land
