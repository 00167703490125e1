"""The pictures of Imperial Struggle: what stands on them, that nothing covers anything, and that none tells a secret."""
from __future__ import annotations

import re
from dataclasses import dataclass
from io import BytesIO
from itertools import combinations, product

import pytest
from PIL import Image, ImageChops

from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.pictures import build_scenes
from engine.games.imperial_struggle.pictures.alt_text import board as told, describe
from engine.games.imperial_struggle.pictures.scenes import Board, Film, Forecast, Hand, Region, War
from engine.games.imperial_struggle.state import State
from engine.games.imperial_struggle.view import SpaceView, View, view
from engine.kernel import Checkpoint, Seat
from engine.kernel.game_spec import Replay
from engine.text.languages import PREPARED, speaking
from renderer import render
from renderer.brushes import SMALLEST, Brush, fit, width
from renderer.games.imperial_struggle import base
from renderer.games.imperial_struggle.base import plate_of_game
from renderer.games.imperial_struggle.common import FLAGS, GAP, GOODS, MARGIN, SIGNS, WIDE, colours, lands
from renderer.games.imperial_struggle.layout import BOARD, CLOSE, boxes, layout, sign_box, size, spots, tiles
from renderer.games.imperial_struggle.legend import legend
from renderer.games.imperial_struggle.panels import war_shown
from renderer.games.imperial_struggle.places import COUNTRIES, SIZES
from renderer.games.imperial_struggle.signs import Shown, draw, shown
from renderer.layout.boxes import Box
from renderer.themes import THEMES, contrast, letter_on
from renderer.words import short_name
from tests.games.imperial_struggle.battlefield import fight
from tests.games.imperial_struggle.scene import PARTS, Scene, scene
from tests.renderer.test_colours import SHAPE, TEXT
from tools.maps import imperial
from tools.maps.plates import text

SCALES = {"board": BOARD, "close": CLOSE}
LIMIT = 350_000         # bytes of a picture
PLACES = [*product(SIZES, SCALES)]


def decoded(picture: bytes) -> Image.Image:
    return Image.open(BytesIO(picture)).convert("RGB")


def middle() -> Scene:
    """A position with something of everything."""
    return scene(
        active="france", tile="4 DP / 2 MP", ministries={"france": ["M-3", "M-1 up"], "britain": ["M-19 up"]},
        awards={"europe": "award_1", "north_america": "award_3", "caribbean": "award_5", "india": "award_7"},
        demand=["furs", "spice", "sugar"], conflict=["albany", "st_lucia", "sweden"], damaged=["louisbourg"],
        flags={"louisbourg": "britain", "albany": "france", "cumberland": "britain", "biscay": "britain", "sweden": "france"},
        own={"france": {"hand": ["ev_03", "ev_05"], "tiles": [["basic_fr_01"], ["bonus_wss_fr_03"], [], []]},
             "britain": {"hand": ["ev_04"], "tiles": [["basic_br_01", "bonus_wss_br_02"], [], [], []]}})


@dataclass(frozen=True, kw_only=True)
class Still(Replay):
    """A story of one position made by hand."""

    state: State

    def end(self) -> State:
        return self.state

    def known(self) -> None:
        return None


def story(at: Scene, side: str = "", subject: str = "") -> Replay:
    """A position as a side or the public looks at it."""
    seat = next((Seat(seat) for seat, one in zip(at.state.seats, at.state.sides) if one == side), None)
    return Still(spec=GAME, parts=PARTS, start=Checkpoint(no=0, state="", rolls=0), rows=(), seat=seat, subject=subject,
                 options=tuple(at.options(side)) if side == "france" else (), state=at.state)


# --- places -----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("region, scale", PLACES)
def test_every_space_and_advantage_stands_on_the_plate_of_its_region(region, scale):
    assert sorted(spot.space for spot in spots(region, SCALES[scale])) == sorted(PARTS.by_region[region])
    assert {tile.advantage for tile in tiles(region, SCALES[scale])} == {tile.id for tile in PARTS.advantages
                                                                          if tile.region == region}


@pytest.mark.parametrize("code", PREPARED)
@pytest.mark.parametrize("region, scale", PLACES)
def test_nothing_on_a_plate_covers_anything_else_whatever_it_bears(region, scale, code):
    """The box of a sign holds all marks that it can bear, so this holds for the fullest position."""
    with speaking(PREPARED[code]):
        plate_holds_all(region, scale)


def plate_holds_all(region, scale):
    there = boxes(region, SCALES[scale])
    wide, high = size(region, SCALES[scale])
    own = {space: country.name for country in COUNTRIES[region] for row in country.rows for space in row}
    cards = layout(region, SCALES[scale]).cards
    for (one, box), (other, second) in combinations(there.items(), 2):
        assert not box.meets(second), (one, other)
    for (one, box), (other, second) in combinations(cards.items(), 2):
        assert not box.meets(second), (one, other)
    for name, box in there.items():
        assert box.left >= 2 and box.top >= 2 and box.left + box.wide <= wide - 2 and box.top + box.high <= high - 2, name
        for country, around in cards.items():
            assert not box.meets(around) or own.get(name) == country, (name, country)


@pytest.mark.parametrize("region, scale", PLACES)
def test_no_line_leads_through_the_middle_of_a_space_that_it_does_not_join(region, scale):
    there = {spot.space: spot for spot in spots(region, SCALES[scale])}
    for line in (*PARTS.solid_lines, *PARTS.conquest_lines):
        if line.a in there:
            (x, y), (to_x, to_y) = ((there[end].x, there[end].y) for end in (line.a, line.b))
            for space, spot in there.items():
                box = sign_box(spot, SCALES[scale])
                inner = Box(box.left + box.wide // 4, box.top + box.high // 4, box.wide // 2, box.high // 2)
                on = any(inner.meets(Box(round(x + (to_x - x) * n / 200), round(y + (to_y - y) * n / 200), 1, 1))
                         for n in range(201))
                assert not on or space in (line.a, line.b), (line.a, line.b, space)


@pytest.mark.parametrize("theme", THEMES)
def test_IS_19_3_the_line_of_tougher_forts_is_drawn_where_it_counts_and_nowhere_else(theme):
    plain, tougher = (plate_of_game(theme, "north_america", BOARD, tougher_forts=option) for option in (False, True))
    there = {spot.space: (spot.x, spot.y) for spot in spots("north_america", BOARD)}
    (x, y), (to_x, to_y) = there["louisbourg"], there["halifax"]
    left, top, right, bottom = ImageChops.difference(plain.convert("RGB"), tougher.convert("RGB")).getbbox() or (0, 0, 0, 0)
    assert abs(left - min(x, to_x)) < 20 > abs(right - max(x, to_x)) and abs(top - min(y, to_y)) < 20 > abs(bottom - max(y, to_y))
    assert plate_of_game(theme, "europe", BOARD, tougher_forts=True) is plate_of_game(theme, "europe", BOARD, tougher_forts=False)
    seen = view(scene(active="france", options={"tougher_forts": True}).state, None)
    assert render(Board(now=seen), theme) != render(Board(now=seen.model_copy(update={"tougher_forts": False})), theme)


@pytest.mark.parametrize("type", ["political", "market", "fort", "naval", "territory"])
@pytest.mark.parametrize("scale", SCALES)
def test_a_sign_with_every_mark_stays_within_its_box(type, scale):
    spot = next(spot for region in SIZES for spot in spots(region, SCALES[scale]) if spot.type == type)
    full = Shown(type, 3, "furs" if type == "market" else "", True, True, "france", True, type == "fort", "fresh", True, True,
                 True, 12, True)
    box = sign_box(spot, SCALES[scale])
    plain = Image.new("RGB", (300, 300), THEMES["dark"].sea)
    drawn = plain.copy()
    draw(Brush(drawn, THEMES["dark"]), spot.x - box.left + 50, spot.y - box.top + 50, full, SCALES[scale])
    left, top, right, bottom = ImageChops.difference(plain, drawn).getbbox()
    assert left >= 50 and top >= 50 and right <= 50 + box.wide and bottom <= 50 + box.high, (left, top, right, bottom, box)


def test_boards_and_close_ups_say_what_their_signs_mean(monkeypatch):
    said, real = list[str](), Brush.text

    def text_of(self, x, y, words, *look, **more):
        said.append(words)
        return real(self, x, y, words, *look, **more)

    monkeypatch.setattr(Brush, "text", text_of)
    legend.cache_clear()
    now = view(middle().state, None)
    before, marks = changed(now, "albany", flag="britain"), {"since you last looked", "you can act there"}
    spaces = {"political", "market", "fort", "naval", "territory", "flag and price", "prestige", "conflict", "damaged",
              "protected", "isolated"}
    render(Board(now=now))
    assert spaces | {"opens later", "war tiles face down"} <= {*said} and not marks & {*said}
    render(Board(now=now, before=before, ways=("albany",)))
    assert marks <= {*said}
    said.clear()
    render(Region(region="caribbean", now=now, numbers=(("antigua", 7),)))
    assert spaces | {"its number in lists"} <= {*said} and not {"opens later", "war tiles face down"} & {*said}


@pytest.mark.parametrize("type", ["political", "market", "fort", "territory"])
@pytest.mark.parametrize("flag", ["", "britain"])
def test_a_number_of_a_menu_never_touches_a_letter_or_a_price(monkeypatch, type, flag):
    """ "42" beside "3" reads 423: the lowest line of a number's plate is above all that stands on the sign."""
    written, real = list[tuple[str, int]](), Brush.text

    def text_of(self, x, y, words, face, size, *look, **more):
        written.append((words, y - size * 2 // 5))          # its upper edge, a little more than its capitals
        return real(self, x, y, words, face, size, *look, **more)

    monkeypatch.setattr(Brush, "text", text_of)
    what = Shown(type, 3, "furs" if type == "market" else "", False, True, flag, False, False, "", number=42)
    draw(Brush(Image.new("RGB", (300, 300)), THEMES["dark"]), 150, 150, what, CLOSE)
    price, number = dict(written)["3"], dict(written)["42"]
    assert set(dict(written)) == {"42", "3", *(["B"] if flag else [])}
    assert price >= number + SMALLEST * 2 // 5 + 15


# --- maps drawn ahead -------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", imperial.FRAMES)
def test_the_stored_plate_is_what_the_tool_makes(name):
    assert (imperial.PLATES / f"{name}.json").read_text(encoding="utf-8") == text(imperial.FRAMES[name])


@pytest.mark.parametrize("theme, region, scale", [("dark", "india", "board"), ("light", "caribbean", "close"),
                                                  ("dark", "europe", "close"), ("light", "north_america", "board")])
def test_a_stored_map_is_what_its_plate_gives(theme, region, scale):
    assert base.base(theme, region, SCALES[scale]).tobytes() == base.draw_base(theme, region, SCALES[scale]).tobytes()


@pytest.mark.parametrize("theme", THEMES)
def test_every_map_is_there_in_the_palette_of_its_theme(theme):
    for region, scale in PLACES:
        assert base.base(theme, region, SCALES[scale]).size == size(region, SCALES[scale])


# --- colours ----------------------------------------------------------------------------------------------

def test_every_flag_has_a_sign_of_its_own():
    assert len(set(SIGNS.values())) == len(SIGNS) == len(FLAGS)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_letters_names_and_lines_stand_out(theme):
    for fill in FLAGS.values():
        assert contrast(letter_on(fill), fill) >= TEXT
    assert contrast(theme.ink, theme.halo) >= TEXT
    for ground in (*lands(theme), theme.sea):
        for ink in base.line_inks(theme).values():
            assert contrast(ink, ground) >= SHAPE, (ink, ground)
        assert contrast(theme.ring, ground) >= SHAPE and contrast(theme.mark, ground) >= SHAPE


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_palette_holds_flags_and_lands_exactly(theme):
    flat = colours(theme).getpalette()
    held = set(zip(flat[::3], flat[1::3], flat[2::3]))
    assert {*FLAGS.values(), *lands(theme), theme.mark, theme.alarm, theme.gold, theme.ink, theme.card} <= held


# --- what boards show -------------------------------------------------------------------------------------

def changed(now: View, space: str, **fields: object) -> View:
    """A view in which one space is otherwise."""
    return now.model_copy(update={"spaces": tuple(one.model_copy(update=fields) if one.space == space else one
                                                  for one in now.spaces)})


@pytest.mark.parametrize("space, fields", [
    ("albany", {"flag": "britain"}), ("albany", {"conflict": False}), ("louisbourg", {"damaged": False}),
    ("acadia", {"huguenots": "fresh"}),
    ("biscay", {"flag": ""}), ("gibraltar", {"flag": "spain"}), ("sons_of_liberty", {"open": True}), ("vellore", {"cost": 3})])
def test_a_fact_about_a_space_shows_on_the_board_there_and_nowhere_else(space, fields):
    now = view(middle().state, None)
    one, other = (decoded(render(Board(now=each))) for each in (now, changed(now, space, **fields)))
    left, top, right, bottom = ImageChops.difference(one, other).getbbox()
    assert right - left < 120 and bottom - top < 100


def test_what_is_new_to_the_reader_is_marked():
    now = view(middle().state, None)
    before = changed(now, "albany", flag="britain")
    space = next(one for one in now.spaces if one.space == "albany")
    old = next(one for one in before.spaces if one.space == "albany")
    assert shown(space) != shown(old)
    assert render(Board(now=now, before=before)) != render(Board(now=now))


@pytest.mark.parametrize("fields", [{"cost": 3}, {"protected": True}, {"isolated": True}])
def test_price_protection_and_isolation_of_a_flagged_space_show_on_the_board_and_close_up(fields):
    now = view(scene(active="france", flags={"albany": "britain"}).state, None)
    plain = changed(now, "albany", cost=2, protected=False, isolated=False)
    for build in (lambda seen: Region(region="north_america", now=seen), lambda seen: Board(now=seen)):
        assert render(build(plain)) != render(build(changed(plain, "albany", **fields)))


@pytest.mark.parametrize("theme", THEMES)
def test_pictures_are_small_palette_images_of_phone_width(theme):
    at, most = middle(), laden()
    for made in (build_scenes.region(story(at)), build_scenes.war(story(at)), build_scenes.forecast(story(at)),
                 build_scenes.hand(story(most, "france")),
                 Board(now=full(at), before=view(at.state, None), strength=build_scenes.strengths(at.state)),
                 build_scenes.board(story(most, "france")).model_copy(update={"now": full(most, Seat("seat_2"))})):
        picture = render(made, theme)
        image = Image.open(BytesIO(picture))
        assert (image.mode, image.width) == ("P", 1200) and len(picture) <= LIMIT


def laden() -> Scene:
    """A position in which France holds as much as it can."""
    return scene(
        active="france", tile="4 DP / 2 MP", ministries={"france": ["M-3", "M-1 up", "M-4"], "britain": ["M-19 up", "M-13 up"]},
        awards={"europe": "award_1", "north_america": "award_3", "caribbean": "award_5", "india": "award_7"},
        demand=["furs", "spice", "sugar"],
        own={"france": {"hand": ["ev_03", "ev_05", "ev_07", "ev_13"],
                        "tiles": [[f"basic_fr_0{n}", f"bonus_wss_fr_0{2 * n - 1}", f"bonus_wss_fr_0{2 * n}"]
                                  for n in (1, 2, 3, 4)]}})


def full(at: Scene, seat: Seat | None = None) -> View:
    """Everything open, flagged and damaged; all marked as the public sees it, and each fifth space in a seat's own view."""
    now = view(at.state, seat)

    def one(n: int, space: SpaceView) -> SpaceView:
        return space.model_copy(update={"open": True, "flag": ("britain", "france")[n % 2], "damaged": space.type == "fort",
                                        "conflict": space.type in ("market", "political") and (seat is None or n % 5 == 0)})
    return now.model_copy(update={"spaces": tuple(one(n, space) for n, space in enumerate(now.spaces))})


# --- secrets ----------------------------------------------------------------------------------------------

def test_nobody_elses_cards_and_tiles_are_in_a_picture():
    """Two tables that differ in what Britain alone knows look alike to France and to the public."""
    one, other = middle(), middle()
    GAME.views.disguise(other.state, other.state.seat("britain"))
    assert one.state != other.state
    for build in (build_scenes.board, build_scenes.region, build_scenes.war, build_scenes.forecast):
        for side in ("", "france"):
            assert build(story(one, side)) == build(story(other, side)), build
    assert build_scenes.board(story(one, "britain")) != build_scenes.board(story(other, "britain"))


def test_a_seat_alone_sees_its_cards():
    at = middle()
    public, own = (decoded(render(build_scenes.board(story(at, side)))) for side in ("", "france"))
    assert own.height > public.height
    held = build_scenes.hand(story(at, "france"))
    assert [card.name for card in held.cards[:4]] == ["Tropical Diseases", "War of Jenkins' Ear", "Court of the Sun King",
                                                      "The Cardinal Ministers"]
    assert held.cards[2].state == "face down" and "Berwick +2" in held.cards[5].texts


# --- sheets and words -------------------------------------------------------------------------------------

def test_a_war_tells_what_everybody_knows_of_the_strength():
    first, *_ = build_scenes.war(story(middle())).theaters
    assert (first.britain, first.france, first.winner, first.margin) == (2, 1, "britain", 1)
    assert first.tiles == ((1, 1), (1, 0)) and first.shown == ((), ())
    assert [row for row in first.spoils if row[3]] == [("1–2", "2 VP", "1 TRP", True)]


def test_the_forecast_of_what_is_level_says_what_it_is_worth():
    at = scene(active="france", turn="T5", tile="4 DP / 2 MP", demand=["furs", "spice", "sugar"],
               awards={"europe": "award_1", "north_america": "award_3", "caribbean": "award_5", "india": "award_7"})
    drawn = build_scenes.forecast(story(at))
    level = {row.name: row.reward for row in drawn.rows if not row.winner}
    assert level == {"Europe": "3 VP", "North America": "1 VP", "Caribbean": "1 VP, 1 TRP", "India": "1 TRP", "Prestige": "2 VP",
                     "Furs": "1 VP", "Mysore War": "1 CP; loser: 1 TRP",
                     "American Revolution": "B: 2 VP or F: 2 VP, United States"}
    assert "North America: Britain 4, France 4; nobody yet (1 VP); B +1 or F +1 wins it." in told(drawn)
    assert render(drawn) != render(drawn.model_copy(update={"rows": tuple(
        [row.model_copy(update={"reward": "5 VP"}) if not row.winner else row for row in drawn.rows])}))


def test_ones_own_tiles_count_in_the_war_as_they_do_in_the_forecast():
    at = middle()
    for side in ("britain", "france"):
        theaters = build_scenes.war(story(at, side)).theaters
        told = {row.name: (row.britain, row.france) for row in build_scenes.forecast(story(at, side)).rows
                if row.kind == "theater"}
        assert {theater.name: (theater.britain, theater.france) for theater in theaters} == told
    first = build_scenes.war(story(at, "france")).theaters[0]
    assert first.shown == ((), ("+2",)) and (first.britain, first.france, first.winner) == (2, 3, "france")
    assert (line := next(line for line in first.lines if line.name == "Your tiles")) and (line.britain, line.france) == (0, 2)


def test_IS_14_8_1_territories_stand_where_conquest_points_can_be_won_and_nowhere_else():
    found = {theater.name: theater.territories for war in PARTS.wars
             for theater in build_scenes.theaters(scene(turn="T1").state, war, None)}
    assert found["Spain"] == ("Gibraltar", "Minorca", "San Agustin", "Asiento")
    assert [name for name, territories in found.items() if not territories] == [
        "Jacobite Rebellion", "Atlantic Dominance", "Prussia's Wars"]


@pytest.mark.parametrize("war", [war.name for war in PARTS.wars])
def test_the_name_of_the_next_war_fits_beside_India(war):
    said, room = short_name(war), WIDE - 2 * MARGIN - GAP - SIZES["india"][0] - 28
    assert width(said, "name", fit(said, "name", 36, room)) <= room


def test_beside_India_stands_the_war_under_way_with_what_is_settled():
    before = war_shown(view(scene(turn="T1").state, None), None, ())
    assert (before.head, [theater.winner for theater in before.theaters]) == ("Next war", [None] * 4)
    at = fight("WSS", 3, france=5, britain=1, flags={"acadia": "britain"})
    assert at.state.fought.winner, "France has conquest points to spend"
    now = war_shown(view(at.state, None), None, ())
    assert (now.head, [theater.winner for theater in now.theaters]) == ("War under way", ["", "", "france", None])


def test_the_forecast_tells_what_scoring_would_bring_and_what_would_change_it():
    made = build_scenes.forecast(story(middle()))
    by_id = {row.id: row for row in made.rows}
    assert (by_id["furs"].winner, by_id["furs"].reward) == ("britain", "2 VP, 1 TRP")
    assert by_id["furs"].tip == "F +1 stops it, +2 wins it"
    assert made.vp == 15


def test_the_forecast_counts_the_own_tiles_alone_and_says_what_would_tip_a_theater():
    public, own = (next(row for row in build_scenes.forecast(story(middle(), side)).rows if row.kind == "theater")
                   for side in ("", "france"))
    assert (public.britain, public.france, public.reward) == (2, 1, "2 VP; F: 1 TRP")
    assert public.tip == "F +2 wins it, B +2 wins more; 3 face down"
    assert (own.britain, own.france, own.winner) == (2, 3, "france"), "+2 lies there for France"
    assert own.tip == "B +2 wins it, F +2 wins more; 2 face down"


def test_spaces_where_a_seat_may_act_are_told_to_it_alone():
    at = middle()
    assert build_scenes.board(story(at, "france")).ways and not build_scenes.board(story(at)).ways


@pytest.mark.parametrize("key", [picture.key for picture in build_scenes.PICTURES if picture.key != "recap"])
def test_every_picture_can_be_told(key):
    picture = next(one for one in build_scenes.PICTURES if one.key == key)
    made = picture.scene(story(middle(), "france"))
    assert isinstance(made, Board | Region | War | Forecast | Hand)
    assert len(told(made)) > 60 and 20 < len(describe(made, 400)) <= 400


@pytest.mark.parametrize("side", ["", "britain", "france"])
def test_the_board_in_words_is_enough_to_play_from(side):
    """Names and never keys; of every space whose it is or that it is empty, and its price; tiles, awards, advantages, war."""
    words = told(build_scenes.board(story(middle(), side)))
    assert re.findall(r"\b(?:M-\d+|T\d|WSS|[a-z0-9]+_[a-z0-9_]+)\b", words) == []
    first, *lines = words.split("\n")
    assert first == ("Imperial Struggle: Turn 1, round 1 of 8, Succession era. The counter is at 15 VP: Britain wins at 0, "
                     "France at 30. France has the initiative.")
    for line in ("France to act, with 4 DP / 2 MP, left: 4 DP (the major action), 2 MP (the minor action).",
                 "Investment tiles to take: 4 EP / 2 DP.", "Taken: 4 DP / 2 MP by France.", "  Ministries: James Watt",
                 "  Advantages: Algonquin Raids", "Prestige: Britain 2, France 1", "Next war: War of the Spanish Succession",
                 "  Spain: Britain 1, France 2 and 1 tile face down",
                 "Europe: Britain 4, France 4. Award: 3 VP (lead of 2)", "India: Britain 4, France 4. Award: 1 TRP"):
        assert line in lines, line
    assert ("Your ministries: Court of the Sun King (face down), The Cardinal Ministers" in lines) == (side == "france")
    for space in PARTS.spaces:
        price = "" if space.cost is None else f" {space.cost} {space.cost_kind}"
        assert space.name + price in words or f"Not open yet: {space.name}" in words or f", {space.name}" in words, space.id
    assert all(tile.name in words for tile in PARTS.advantages)


def test_a_recap_is_a_film_of_boards():
    now = view(middle().state, None)
    film = Film(frames=(Board(now=now), Board(now=changed(now, "albany", flag="britain"), before=now)))
    assert render(film)[:6] == b"GIF89a" and "Albany: Britain" in told(film)


def test_every_good_of_the_data_has_an_icon():
    assert set(GOODS) == {good.commodity for good in PARTS.global_demand}


def test_regions_and_wars_are_subjects():
    assert set(build_scenes.regions(PARTS)) == set(SIZES)
    assert build_scenes.region(story(middle(), subject="india")).region == "india"
