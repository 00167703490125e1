"""The map of Attack!: complete, in its owners' colours, and nothing on it covers anything else, however large the armies are."""
from __future__ import annotations

from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest
import shapely

from engine.games.attack import GAME as ATTACK
from engine.games.attack.pictures.scenes import Board, Way
from engine.games.attack.view import TerritoryView, Units, View
from engine.kernel.game_spec import pictures
from engine.text.languages import PREPARED, speaking
from renderer import NoMaterial, image_cache, render
from renderer.games.attack import base, board, edges, labels, legend
from renderer.games.attack.common import HEADER, beyond, owned
from renderer.games.attack.places import ENDS, LABELS, SPOTS
from renderer.layout.arrange import arranged
from renderer.layout.boxes import Box
from renderer.maps import stored
from renderer.maps.plates import plate
from renderer.themes import THEMES
from tests.drawn import picture
from tests.games.attack.drawn import BOARDS, DATA, TERRITORIES, VIEW, standing
from tools.gallery import play
from tools.maps import attack as drawn_maps
from tools.maps.plates import text
from tools.samples import attack as samples

# --- the map ----------------------------------------------------------------------------------------

def test_territories_of_data_map_and_labels_are_the_same():
    shapes = {region for name in base.WINDOWS for region in plate("attack", name).regions}
    assert shapes - {"_rest"} == set(TERRITORIES) == set(LABELS)
    assert set(base.regions()) == shapes
    for territory, (name, x, y) in LABELS.items():
        assert territory in plate("attack", name).anchors
        assert 0 < x < base.WINDOWS[name].wide and 0 < y < base.WINDOWS[name].high


def test_routes_are_those_that_the_data_has():
    active = {(route["from"], route["to"]) for route in DATA["sea_routes"] if route["active"]}
    assert set(drawn_maps.ROUTES) == active


def test_neighbours_of_the_data_touch_on_some_plate():
    """The data decides which territories touch; the picture must not part them."""
    touching: set[tuple[str, str]] = set()
    for name in base.WINDOWS:
        chart = plate("attack", name)
        shapes = {region: shapely.MultiPolygon([shapely.Polygon(list(zip(outer[::2], outer[1::2]))) for outer, *_ in polygons])
                  for region, polygons in chart.regions.items() if region in TERRITORIES}
        touching |= {(one, other) for one, other in permutations(shapes, 2)
                     if shapely.make_valid(shapes[one]).distance(shapely.make_valid(shapes[other])) < 3 * chart.unit}
    assert not [(one, other) for one, known in TERRITORIES.items() for other in known["adjacent"] if (one, other) not in touching]


@pytest.mark.parametrize("name", drawn_maps.FRAMES)
def test_the_stored_plate_is_what_the_tool_makes(name):
    stored = (drawn_maps.PLATES / f"{name}.json").read_text(encoding="utf-8")
    assert stored == text(drawn_maps.FRAMES[name], drawn_maps.plate)


def test_the_stored_map_is_what_its_plates_give():
    assert base.stored().tobytes() == base.draw_base().tobytes()


def test_every_territory_takes_its_owners_colour_and_land_out_of_play_none():
    theme = THEMES["light"]
    for n, territory in enumerate(base.regions()):
        name = LABELS.get(territory, ("europe", 0, 0))[0]
        shown = base.chart("light", name, tuple((other, "red" * (other == n)) for other in base.seen_on(name))).convert("RGB")
        if n:
            x, y = map(round, plate("attack", name).anchors[territory])
            around = shown.crop((x - 8, y - 8, x + 8, y + 8)).getcolors() or []
            assert owned(theme, "red") in {shade for _, shade in around}, territory
        else:
            colours = {shade for _, shade in shown.getcolors(1 << 16) or []}
            assert beyond(theme) in colours and owned(theme, "red") not in colours


def test_a_missing_and_a_damaged_map_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr(stored, "files", lambda package: tmp_path)
    (tmp_path / "bases").mkdir()
    image_cache.forget()
    with pytest.raises(NoMaterial, match=r"^The file map\.png is missing, so no picture can be drawn\.$"):
        render(VIEW)
    (tmp_path / "bases" / base.BASE).write_bytes(b"no picture")
    with pytest.raises(NoMaterial, match=r"^No picture can be drawn: The map map\.png is damaged\.$"):
        render(VIEW)
    image_cache.forget()


# --- labels -----------------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def late() -> list[View]:
    """Random games of six, each at some points of its second half."""
    shown = pictures(ATTACK)[0]
    games = [play(ATTACK, ATTACK.editions[0].key, 6, seed=seed) for seed in range(3)]
    return [shown.scene(game.story(shown, row)).now for game in games for row in game.breaks[len(game.breaks) // 2::9]]


def swollen(view: View, chance: Random, most: int) -> Board:
    """A position with so many units of each type there at most, of further types, and with attackers who have just come in."""
    def land(one: TerritoryView) -> TerritoryView:
        if not one.owner:
            return one
        units = {unit: (number > 0 or chance.random() < 0.3) * chance.randint(1, most)
                 for unit, number in one.units.model_dump().items()}
        entering = Units(infantry=chance.randint(1, most), tank=chance.randint(0, most)) if chance.random() < 0.05 else Units()
        return one.model_copy(update={"units": Units(**units), "entering": entering})

    lands = tuple([land(one) for one in view.territories])
    deeds = ("attack", "move", "place")
    ways = tuple(Way(territory=one.territory, deeds=(chance.choice(deeds),)) for one in lands if chance.random() < 0.2)
    return Board(now=view.model_copy(update={"territories": lands}), ways=ways)


@pytest.mark.parametrize("most", [1, 9, 19, 40])
def test_nothing_on_the_map_covers_anything_else_however_large_the_armies(most, late):
    chance = Random(most)
    for view in late:
        free_of_each_other(swollen(view, chance, most))


@pytest.mark.parametrize("code", PREPARED)
@pytest.mark.parametrize("name", BOARDS)
def test_nothing_on_the_map_of_a_sample_covers_anything_else(name, code):
    with speaking(PREPARED[code]):
        free_of_each_other(BOARDS[name])


def free_of_each_other(scene: Board) -> None:
    """Names, badges, names at the edges, signs and the legend of a board stand apart, each label inside its plate."""
    shown = {territory: box for territory, (_, box) in standing(scene).items()}
    fixed = {f"{name} {end.words}": box for name in base.WINDOWS for end, box in edges.edges(name)}
    every = {**shown, **fixed, "legend": legend.legend_box(board.deeds(scene))}
    covered = [(one, other) for one, other in combinations(every, 2) if every[one].meets(every[other])]
    assert not covered
    for territory, box in shown.items():
        left, top, right, bottom = base.WINDOWS[LABELS[territory][0]].corners
        assert left < box.left and top < box.top and box.left + box.wide < right and box.top + box.high < bottom, territory


def test_as_long_as_there_is_room_every_type_of_unit_is_shown(late):
    chance = Random(5)
    for view in (VIEW, *late, *[swollen(view, chance, 4).now for view in late[:3]]):
        shown = standing(Board(now=view))
        assert not [territory for territory, (label, _) in shown.items() if any(badge.brief for badge in label.badges)]


def test_where_there_is_no_room_a_badge_says_how_many_units_there_are():
    shown = {territory: label for territory, (label, _) in standing(samples.fullest()).items()}
    brief = {territory for territory, label in shown.items() if any(badge.brief for badge in label.badges)}
    assert brief and all(LABELS[territory][0] != "europe" for territory in brief), "Europe has room for all"
    assert {shown[territory].badges[0].total for territory in brief} == {"47 units"}


def test_what_stands_free_stays_and_the_others_go_no_further_than_they_may():
    window = Box(0, 0, 300, 200)
    free, one, two = Box(200, 120, 60, 40), Box(20, 20, 60, 40), Box(40, 30, 60, 40)
    stand = arranged((free, one, two), (Box(0, 60, 20, 20),), window, 100)
    assert stand is not None and stand[0] == free and not stand[1].meets(stand[2])
    assert arranged((one, two), (), Box(0, 0, 90, 70), 100) is None, "there is room for one alone"
    assert arranged((one, Box(20, 20, 280, 160)), (), window, 15) is None, "there is room, but too far away"


def test_a_label_that_does_not_stand_on_its_territory_has_a_line_to_it():
    shown = {territory: box for territory, (_, box) in standing(Board(now=VIEW)).items()}
    index = {region: n for n, region in enumerate(base.regions())}
    lines = list(labels.leaders(shown))
    beside = {territory for territory, box in shown.items() if index[territory] not in base.under(box)}
    led = set()
    for (x, y), (end_x, end_y) in lines:
        at: Any = base.stored().crop((end_x - 4, end_y - HEADER - 4, end_x + 4, end_y - HEADER + 4)).getcolors() or []
        there = {base.regions()[(what - base.LAND) // 3] for _, what in at if what >= base.LAND}
        found = {territory for territory, box in shown.items() if box.meets(Box(x, y, 1, 1))}
        led |= there & found
        assert there & found, (there, found)
    assert led - set(SPOTS) == beside - set(SPOTS) and {"chile", "paraguay", "guiana"} == set(SPOTS)


def test_every_route_to_another_plate_says_on_either_side_where_it_leads():
    told = {(end.plate, territory) for end in ENDS for territory in end.territories}
    for route in DATA["sea_routes"]:
        if route["active"]:
            for one, other in ((route["from"], route["to"]), (route["to"], route["from"])):
                if LABELS[one][0] != LABELS[other][0]:
                    assert (LABELS[one][0], other) in told, (one, other)
    for end in ENDS:
        assert end.side or end.territories[0] in plate("attack", end.plate).regions, "land that the plate shows without its label"
        assert end.words == ", ".join(TERRITORIES[territory]["name"] for territory in end.territories)
        assert not {end.plate} & {LABELS[territory][0] for territory in end.territories} or end.side == "up"


@pytest.mark.parametrize("theme", THEMES)
def test_names_at_the_edges_stand_on_the_map_inside_their_plates(theme):
    shown, colours = picture(Board(now=VIEW), theme), THEMES[theme]
    for name, window in base.WINDOWS.items():
        for end, box in edges.edges(name):
            left, top, right, bottom = box.corners
            assert window.left < left and window.top < top and right < window.corners[2] and bottom < window.corners[3], end
            found = {shade: number for number, shade in shown.crop(box.corners).getcolors(1 << 16) or []}
            assert found.get(colours.muted, 0) > 100 and found.get(colours.halo, 0) > 200, end
