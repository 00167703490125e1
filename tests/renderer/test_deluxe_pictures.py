"""What pictures and text boards show of the Deluxe edition: every fact, in its place, and no secret."""
from __future__ import annotations

import pytest
from PIL import ImageChops

from engine.games.struggle_of_empires.pictures.alt_text import board as text_board, describe
from engine.games.struggle_of_empires.pictures.scenes import Board, Way
from engine.games.struggle_of_empires.view import ROWS, AreaView, Captive, Garrison, LocalAlliance, NonPlayer, TokenView, View
from renderer import render
from renderer.games.struggle_of_empires import base, board, cards, common
from renderer.games.struggle_of_empires.closeup import paint as paint_closeup
from renderer.themes import THEMES
from tests.drawn import changed, picture, with_area
from tools.samples import boards, deluxe

LIMIT = 320_000         # bytes
VIEW = deluxe.deluxe(3)
NPP = "prussia"


def area_of(view: View, area: str) -> AreaView:
    return next(one for one in view.areas if one.area == area)


def with_place(area: AreaView, n: int, **fields: object) -> AreaView:
    """The area with its n-th place for a local alliance changed."""
    places = [changed(place, **fields) if m == n else place for m, place in enumerate(area.local)]
    return area.model_copy(update={"local": tuple(places)})


def with_npp(view: View, power: str, **fields: object) -> View:
    return view.model_copy(update={"npps": tuple([one.model_copy(update=fields) if one.power == power else one
                                                  for one in view.npps])})


def difference(a: View | Board, b: View | Board) -> tuple[int, int, int, int]:
    """The box in which two pictures differ."""
    box = ImageChops.difference(picture(a), picture(b)).getbbox()
    assert box is not None, "they are alike"
    return box


# --- the board ------------------------------------------------------------------------------------

@pytest.mark.parametrize("theme", THEMES)
def test_a_board_with_everything_on_it_is_small_enough(theme):
    for scene in (deluxe.fullest(), deluxe.full(), deluxe.earlier(VIEW)):
        assert len(render(scene, theme)) <= LIMIT
        assert picture(scene, theme).height <= board.HIGHEST + board.STRIP


def test_every_card_fits_with_all_local_alliances_taken_and_everything_to_do():
    scene = deluxe.fullest()
    assert all(place.holder for area in scene.now.areas for place in area.local)
    assert len({place.place for area in scene.now.areas for place in area.local}) == 11
    for area, way in zip(scene.now.areas, scene.ways, strict=True):
        slot = base.slots(base.TALL)[area.area]
        assert cards.plan(area, None, way.deeds, slot).high + cards.TAB <= slot.high, area.name
        assert cards.DEED * len(way.deeds) + 12 + 14 <= slot.wide


@pytest.mark.parametrize("fields", [{"holder": "spain"}, {"holder": "france"}, {"holder": ""}, {"closed": True},
                                    {"gold": 2}, {"population": 1}, {"sea": False}, {"land": False}])
def test_a_local_alliance_shows_in_its_area_and_nowhere_else(fields):
    others = {"spain": "france", "": "france"}
    here = with_place(area_of(VIEW, "north_america"), 0, holder=others.get(fields.get("holder", "none"), ""))
    before = with_area(VIEW, "north_america", local=here.local)
    now = with_area(VIEW, "north_america", local=with_place(here, 0, **fields).local)
    left, top, right, bottom = base.slots(base.SHORT)["north_america"].corners
    box = difference(before, now)
    assert left <= box[0] and top <= box[1] and box[2] <= right and box[3] <= bottom


def test_the_foot_of_a_card_begins_with_its_local_alliances():
    baltic = area_of(VIEW, "baltic").model_copy(update={"neutrals": (), "captives": ()})
    assert list(cards.foot_items(baltic)) == [(("shield", "britain"),), (("shield", ""),)]
    was = with_place(with_place(baltic, 0, holder=""), 1, holder="spain")
    assert list(cards.foot_items(baltic, was)) == [(("shield", "britain"), ("change", "1")), (("shield", ""), ("change", "-1"))]
    other = with_place(baltic, 0, holder="france")
    assert next(cards.foot_items(baltic, other)) == (("shield", "britain"), ("change", "1"))
    priced = with_place(baltic, 1, gold=1, land=False)
    assert list(cards.foot_items(priced))[1] == (("shield", ""), ("icon", "navy"), ("coin", ""), ("number", "1"))
    assert list(cards.foot_items(with_place(priced, 1, closed=True)))[1] == (("shield", "closed"), ("icon", "navy"))


def test_the_holder_of_a_local_alliance_stands_in_its_exact_colour():
    free = deluxe.with_places(boards.sample(2).areas, {})
    one = boards.sample(2).model_copy(update={"areas": free})
    for power, fill in common.POWERS.items():
        taken = with_area(one, "africa", local=with_place(area_of(one, "africa"), 0, holder=power).local)
        before, after = (sum(number for number, colour in picture(view).getcolors(1 << 18) or [] if colour == fill)
                         for view in (one, taken))
        assert after - before > 200, power


def test_a_power_that_nobody_plays_is_a_square_wherever_it_stands():
    """On its cards, its home and in the table it is drawn otherwise than a power that is played."""
    garrisons = tuple([Garrison(power=power, markers=markers, armies=1, navies=0, forts=0)
                       for power, markers in ((NPP, 1), ("russia", 0))])
    area = area_of(VIEW, "india").model_copy(update={"garrisons": garrisons, "neutrals": (), "local": (), "captives": (
        Captive(power=NPP, held_by="pirates"),)})
    looks = [base.Look("dark", base.SHORT, tuple(sorted(common.POWERS)), npps) for npps in ((), (NPP,), ("russia",))]
    assert len({cards.card(look, area).tobytes() for look in looks}) == 3
    captive = area.model_copy(update={"garrisons": ()})
    assert cards.card(looks[0], captive).tobytes() != cards.card(looks[1], captive).tobytes()
    gone = area.model_copy(update={"garrisons": (), "captives": ()})
    assert cards.card(looks[0], gone, area).tobytes() != cards.card(looks[1], gone, area).tobytes()
    assert len({base.base(look).tobytes() for look in looks}) == 3


@pytest.mark.parametrize("field, value", [("points", 99), ("points", None), ("markers", 9), ("name", "Borussia")])
def test_a_fact_of_a_power_that_nobody_plays_shows_in_the_table(field, value):
    assert difference(VIEW, with_npp(VIEW, NPP, **{field: value}))[1] > base.SHORT.table


def test_what_the_points_of_a_non_player_power_were_before_shows():
    scenes = [Board(now=VIEW, before=with_npp(VIEW, NPP, points=points)) for points in (18, 19)]
    assert render(scenes[0]) != render(scenes[1])


def test_the_table_groups_all_powers_by_their_alliances():
    def told(view: View) -> list[tuple[str, list[str]]]:
        return [(title, [power.power for power in powers]) for title, powers in board.groups(view)]

    assert told(VIEW) == [("Red alliance", ["france", "spain", "russia", "prussia"]),
                          ("Blue alliance", ["britain", "united_provinces", "austria"])]
    free = VIEW.model_copy(update={"row_a": ("france",), "row_b": ()})
    assert told(free) == [("Red alliance", ["france"]), ("Not placed yet", [
        "britain", "spain", "united_provinces", "russia", "austria", "prussia"])]
    npps = ["united_provinces", "russia", "austria", "prussia"]
    unplaced = VIEW.model_copy(update={"row_a": (), "row_b": ()})
    assert told(unplaced) == [("Powers", ["france", "britain", "spain"]), ("Non-player powers", npps)]
    assert told(boards.ended(VIEW)) == [("Final ranking", ["france", "spain", "britain"]), ("Non-player powers", npps)]


@pytest.mark.parametrize("fields", [
    {"tokens": ()}, {"tokens": deluxe.tokens()}, {"tokens": deluxe.tokens(captive_in="India")}, {"display": ()},
    {"display": (("India", 3),)}])
def test_the_open_display_is_the_foot_of_the_board(fields):
    assert render(VIEW.model_copy(update=fields)) != render(VIEW)
    assert picture(VIEW.model_copy(update={"tokens": (), "display": ()})).height == picture(VIEW).height - board.STRIP


def test_the_words_for_the_rows_are_those_of_the_edition():
    auction = deluxe.auction_board()
    for view in (VIEW, auction):
        assert render(view.model_copy(update={"rows": ROWS})) != render(view)
    words = text_board(auction)
    assert "Britain bids 2 gold: Spain in the red alliance and Russia in the blue alliance." in words
    assert ("\nRed alliance: France.\nBlue alliance: Britain.\n"
            "Non-player powers: United Provinces, Russia, Austria, Prussia.\n") in words


def test_secret_gold_is_a_question_mark():
    hidden = [power.model_copy(update={"gold": None}) if power.power == "britain" else power for power in VIEW.powers]
    view = VIEW.model_copy(update={"powers": tuple(hidden)})
    assert render(view) != render(VIEW)
    before = VIEW.model_copy(update={"powers": tuple([power.model_copy(update={"gold": 3}) for power in VIEW.powers])})
    known = before.model_copy(update={"powers": tuple([power.model_copy(update={"gold": 4}) for power in VIEW.powers])})
    for seen in (before, known):
        rows = [line for group in board.lines(Board(now=view, before=seen)) for line in group]
        assert [line.gains.gold for line in rows if line.power == "britain"] == [0]
    assert "  Britain: 20 points, secret gold, population 3" in text_board(view)


def test_the_marker_of_the_gold_coast_has_a_picture_and_a_name_of_its_own():
    slaves = area_of(VIEW, "caribbean").neutrals
    assert [(neutral.kind, neutral.called) for neutral in slaves] == [("slaves", "Gold Coast marker")]
    plain = with_area(VIEW, "caribbean", neutrals=(slaves[0].model_copy(update={"called": ""}),))
    assert render(plain) != render(VIEW)
    assert "  Neutral: 3 × Gold Coast marker" in text_board(VIEW) and "  Neutral: 3 × slaves" in text_board(plain)


@pytest.mark.parametrize("deed", ["raid", "ally"])
def test_what_only_deluxe_allows_has_a_sign_of_its_own(deed):
    mine = boards.private(VIEW, "seat_2", 8)
    others = ("attack", "move", "colonise", "build", "place", "other", *({"raid", "ally"} - {deed}))
    one = render(Board(now=mine, ways=(Way(area="baltic", deeds=(deed,)),)))
    for other in others:
        assert render(Board(now=mine, ways=(Way.model_validate({"area": "baltic", "deeds": (other,)}),))) != one


# --- close-ups ------------------------------------------------------------------------------------

NEAR = deluxe.closeups()


@pytest.mark.parametrize("fields", [{"holder": "spain"}, {"holder": ""}, {"holder": "", "closed": True}, {"name": "Jutland"},
                                    {"holder": "", "gold": 2}, {"holder": "", "population": 1}, {"holder": "", "unrest": 1},
                                    {"sea": False}, {"land": False}])
def test_a_local_alliance_shows_close_up(fields):
    scene = NEAR["local"].model_copy(update={"before": None})
    free = {"holder": "", "gold": 0} if fields.get("holder") == "" and len(fields) > 1 else {}
    before = scene.model_copy(update={"area": with_place(scene.area, 0, **free)})
    now = scene.model_copy(update={"area": with_place(scene.area, 0, **{**free, **fields})})
    assert paint_closeup(now, "dark").tobytes() != paint_closeup(before, "dark").tobytes()


def test_powers_that_nobody_plays_are_squares_close_up():
    for name, scene in NEAR.items():
        played = scene.model_copy(update={"powers": tuple([power.model_copy(update={"npp": False}) for power in scene.powers])})
        alike = paint_closeup(played, "dark").tobytes() == paint_closeup(scene, "dark").tobytes()
        assert alike == (not any(power.npp for power in scene.powers)), name


def test_what_holds_a_captive_has_the_name_of_the_edition():
    scene = NEAR["tokens"]
    captives = tuple([captive.model_copy(update={"captor": ""}) for captive in scene.area.captives])
    plain = scene.model_copy(update={"area": scene.area.model_copy(update={"captives": captives})})
    assert paint_closeup(plain, "dark").tobytes() != paint_closeup(scene, "dark").tobytes()


# --- words ----------------------------------------------------------------------------------------

def test_the_text_board_tells_all_that_deluxe_adds():
    words = text_board(VIEW)
    assert "  Denmark alliance, on land or at sea: held by Britain\n  Sweden alliance, on land or at sea: free\n" in words
    assert "  Bavaria alliance, on land: free\n  Saxony alliance, on land: held by Spain\n" in words
    assert "  Portugal alliance, on land or at sea: free, for 1 gold\n" in words
    assert words.count("Gaucho alliance, on land or at sea: held by Spain") == 2         # in both of its areas
    assert "\nNon-player powers\n  United Provinces: 11 points for information, 3 markers and 7 armies on the map\n" in words
    assert ("\nDisplay\n  Pirate attack, strength 1: holds a captive in the Caribbean\n"
            "  Colonial revolt, strength 3: in the display; not again in this round for France\n"
            "  Neutral markers out of the game: North America 2, India 1, German States 4\n") in words


def test_a_text_board_without_points_of_non_player_powers_tells_none():
    assert "  Prussia: 1 marker and" in text_board(with_npp(VIEW, NPP, points=None))


def test_a_closed_place_says_so():
    view = with_area(VIEW, "baltic", local=with_place(area_of(VIEW, "baltic"), 1, closed=True).local)
    assert "  Sweden alliance, on land or at sea: closed by another alliance\n" in text_board(view)


@pytest.mark.parametrize("view", [VIEW, deluxe.deluxe(2), deluxe.full(), boards.ended(VIEW),
                                  deluxe.auction_board()])
def test_the_alt_text_of_any_board_fits_and_is_whole(view):
    words = describe(view, 1024)
    assert len(words) <= 1024 and words.endswith(".") and "Local alliances: " in words


def test_the_alt_text_tells_who_has_local_alliances():
    words = describe(VIEW, 1024)
    assert "Local alliances: Gaucho with Spain, Denmark with Britain, Saxony with Spain, Ottoman Empire with France." in words
    bare = VIEW.model_copy(update={"areas": deluxe.with_places(VIEW.areas, {})})
    assert "Local alliances" not in describe(bare, 1024)


def test_a_view_of_the_first_edition_needs_nothing_of_this():
    fields = {**View.model_fields, **AreaView.model_fields}
    assert all(not fields[name].is_required() for name in ("rows", "npps", "tokens", "display", "local", "commerce"))
    assert {kind.__name__ for kind in (LocalAlliance, NonPlayer, TokenView)}.isdisjoint(
        type(thing).__name__ for thing in boards.sample(7).powers)
