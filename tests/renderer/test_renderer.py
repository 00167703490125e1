"""Pictures and text boards: complete, readable, alike for alike views, and silent about what their reader may not know."""
from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

import pytest
from PIL import Image, ImageChops

from engine.games.struggle_of_empires.pictures.scenes import Board, Film, Way
from engine.games.struggle_of_empires.pictures.text_board import describe as words_for, text_board
from engine.games.struggle_of_empires.view import AreaView, AuctionView, Captive, Garrison, Neutral, View
from renderer import NoPainter, brushes, can_draw, pace, render
from renderer.games.struggle_of_empires import base, board, cards, common, legend, owned
from renderer.maps.plates import plate
from renderer.themes import THEMES, contrast, letter_on, palette, surfaces
from tests import toy
from tests.drawn import changed, overlap, picture, with_area
from tools.samples import boards, closeups, deluxe, sheets

FIRST = json.loads(Path("data/struggle_of_empires/first_edition.json").read_text(encoding="utf-8"))
LIMIT = 350_000         # bytes
ALT_TEXT = 1024         # characters
FORMS = (base.SHORT, base.TALL)


def describe(view: View) -> str:
    return words_for(view, ALT_TEXT)


def with_power(view: View, power: str, **fields: object) -> View:
    return view.model_copy(update={"powers": tuple([one.model_copy(update=fields) if one.power == power else one
                                                    for one in view.powers])})


def forget() -> None:
    """Empty the caches of all that is drawn on the base."""
    for module in (board, cards, brushes):
        for thing in vars(module).values():
            if hasattr(thing, "cache_clear") and thing not in (base.base, base.slots):
                thing.cache_clear()


# --- the file -------------------------------------------------------------------------------------

@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("view", [boards.sample(2), boards.sample(7), boards.crowded(), deluxe.deluxe(3),
                                  deluxe.full()], ids=["two", "seven", "crowded", "deluxe", "full"])
def test_a_board_is_a_small_palette_png_of_phone_width(view, theme):
    data = render(view, theme)
    assert len(data) <= LIMIT
    image = Image.open(BytesIO(data))
    assert (image.format, image.mode, image.width) == ("PNG", "P", 1200)
    assert 1700 < image.height <= board.HIGHEST
    Image.open(BytesIO(data)).verify()


def test_the_same_view_gives_the_same_bytes_whatever_was_drawn_before():
    view, other = boards.sample(7), boards.sample(7, seed=5)
    first = render(view)
    assert render(other) != first
    assert render(view) == first
    forget()
    assert render(view) == first


def test_threads_may_draw_at_once():
    views = [boards.sample(7, seed=seed) for seed in range(4)]
    alone = [render(view) for view in views]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(render, views * 2)) == alone * 2


@pytest.mark.parametrize("scene", [boards.sample(7), closeups.closeups()["helpers"], sheets.reveal(),
                                   Film(frames=(Board(now=boards.sample(2)),) * 2)], ids=lambda scene: type(scene).__name__)
def test_a_painting_thread_pauses_whenever_it_has_painted_for_a_while(scene, monkeypatch):
    """By a clock that goes on by 0.1 ms with each look at it, drawing goes on for no more than STRETCH between true pauses."""
    now, pauses = [0.0], []

    def look():
        now[0] += 0.0001
        return now[0]

    def pause(seconds):
        pauses.append(now[0])
        assert seconds > 0

    monkeypatch.setattr(pace.give_way, "paused", 0.0)
    monkeypatch.setattr(pace, "perf_counter", look)
    monkeypatch.setattr(pace, "sleep", pause)
    forget()
    render(scene)
    assert len(pauses) > 3
    assert max(later - earlier for earlier, later in pairwise([0.0, *pauses, now[0]])) < pace.STRETCH + 0.0003


def test_every_cache_is_bounded():
    modules = [module for name, module in sys.modules.items() if name.split(".")[0] == "renderer"]
    cached = [thing for module in modules for thing in vars(module).values() if hasattr(thing, "cache_parameters")]
    assert cached and all(function.cache_parameters()["maxsize"] for function in cached)


def test_a_view_without_a_painter_is_refused():
    view = toy.PEBBLES.views.view(toy.pebbles().state, None)
    assert not can_draw(view) and can_draw(boards.sample(2))
    with pytest.raises(NoPainter, match=r"There is no painter for View\."):
        render(view)


# --- colours --------------------------------------------------------------------------------------

@pytest.mark.parametrize("theme", THEMES)
def test_every_power_stands_in_its_exact_colour_where_it_has_markers(theme):
    area = "central_europe"                 # has seven places
    bare = with_area(boards.sample(7), area, garrisons=(), neutrals=(), captives=(), blockades=())
    held = with_area(bare, area, garrisons=tuple([Garrison(power=power, markers=1, armies=0, navies=0, forts=0)
                                                  for power in common.POWERS]))

    def card(view: View) -> dict[tuple[int, int, int], int]:
        form = base.SHORT if all(cards.fits(one, base.SHORT) for one in view.areas) else base.TALL
        counts = picture(view, theme).crop(base.slots(form)[area].corners).getcolors(1 << 16) or []
        return {colour: number for number, colour in counts}

    before, after = card(bare), card(held)
    for power, fill in common.POWERS.items():
        assert after.get(fill, 0) - before.get(fill, 0) > 300, power


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_palette_holds_every_colour_of_a_surface_exactly(theme):
    held = palette(theme, common.FILLS)
    flat = set(surfaces(theme, common.FILLS))
    numbers = held.getpalette() or []
    assert len(numbers) <= 3 * 256
    assert flat <= set(zip(numbers[::3], numbers[1::3], numbers[2::3]))
    for colour in flat:
        mapped = Image.new("RGB", (1, 1), colour).quantize(palette=held, dither=Image.Dither.NONE).convert("RGB")
        assert mapped.getpixel((0, 0)) == colour


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_text_stands_out_from_what_is_under_it(theme):
    pairs = [(ink, under) for ink in (theme.ink, theme.muted) for under in (theme.card, theme.stripe)]
    pairs += [(theme.bar_ink, theme.bar), (theme.bar_muted, theme.bar), (theme.ink, theme.halo)]
    pairs += [(theme.seal_ink, under) for under in (*theme.seals, theme.gold, theme.stone)]
    pairs += [(letter_on(fill), fill) for fill in common.FILLS]
    for ink, under in pairs:
        assert contrast(ink, under) >= 4.5, (ink, under)


# --- text -----------------------------------------------------------------------------------------

def test_nothing_is_written_smaller_than_28_px(monkeypatch):
    used = set()
    honest = brushes._runs

    def noting(words, face, size):
        used.add(size)
        return honest(words, face, size)

    monkeypatch.setattr(brushes, "_runs", noting)
    forget()
    render(boards.fullest())
    render(boards.auction())
    assert min(used) == brushes.SMALLEST == 28


def test_text_that_no_phone_can_show_is_refused():
    with pytest.raises(ValueError, match="the smallest is 28 px"):
        brushes.width("Spain", "label", 27)


@pytest.mark.parametrize("number, words", [(2, "+2"), (-1, "−1"), (0, "0")])
def test_a_difference_has_its_sign(number, words):
    assert brushes.signed(number) == words


def test_a_long_name_shrinks_to_fit_and_no_further():
    assert brushes.fit("Ottoman Empire", "name", 34, 2000) == 34
    assert brushes.width("Ottoman Empire", "name", brushes.fit("Ottoman Empire", "name", 34, 230)) <= 230
    assert brushes.fit("Ottoman Empire", "name", 34, 10) == 28


@pytest.mark.parametrize("face", brushes.FACES)
def test_every_string_of_the_first_edition_can_be_drawn(face):
    def strings(value: object) -> list[str]:
        if isinstance(value, str):
            return [value]
        return [found for item in (value.values() if isinstance(value, dict) else value if isinstance(value, list) else ())
                for found in strings(item)]

    assert brushes.missing("".join(strings(FIRST)), face) == ""
    assert brushes.missing("·×Łódź Ñandú Австрия אוסטריה", face) == ""
    assert brushes.missing("A漢\ue000", face) == "漢\ue000"


@pytest.mark.parametrize("face", brushes.FACES)
def test_glyphs_set_one_by_one_make_what_the_font_draws_of_the_whole(face):
    for words in ("AVATAR To. We, fjord", "Łódź Ñandú", "Австрия", "אוסטריה", "12 × 7 · +1", " a "):
        for size in (28, 33, 46):
            runs = [(run, brushes._font(name, size)) for run, name in brushes._runs(words, face, size)]
            assert brushes.width(words, face, size) == sum(font.getlength(run) for run, font in runs)
            for stroke in (0, brushes.HALO):
                for (run, font), (mask, left, top, pen) in zip(runs, brushes._lettering(words, face, size, stroke), strict=True):
                    drawn, place = font.getmask2(run, "L", stroke_width=stroke, stroke_filled=True, anchor="ls")
                    whole = Image.frombytes("L", drawn.size, bytes(drawn))
                    assert (*place, font.getlength(run)) == (left, top, pen)
                    assert (whole.size, whole.tobytes()) == (mask.size, mask.tobytes()), (run, size, stroke)


def test_hebrew_stands_from_right_to_left():
    runs = list(brushes._runs("Spain אב 3", "name", 30))
    assert "".join(run for run, _ in runs) == "Spain בא 3"
    assert len({name for _, name in runs}) == 2


def test_the_names_of_areas_and_powers_fit_where_they_stand():
    for area in boards.sample(7).areas:
        wide = base.slots(base.SHORT)[area.area].wide
        room = wide - 8 - cards.SEAL * len(area.values) - 12
        assert brushes.width(area.name, "name", brushes.fit(area.name, "name", 34, room - 4)) <= room, area.name
    for home in FIRST["home_countries"]:
        assert brushes.width(home["name"], "name", 36) <= board.NAMES - 102 + 20


# --- places ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("form", FORMS, ids=["short", "tall"])
def test_no_two_cards_overlap_and_none_covers_the_sign_of_a_home(form):
    slots = base.slots(form)
    assert set(slots) == {area["id"] for area in FIRST["areas"]}
    boxes = [slot.corners for slot in slots.values()]
    assert not any(overlap(a, b) for n, a in enumerate(boxes) for b in boxes[:n])
    window = base.windows(form)["europe"]
    assert set(base.HOMES) == {home["id"] for home in FIRST["home_countries"]}
    for power, (*place, side) in base.HOMES.items():
        x, y = base.spot(form, *place)
        x, y = x + window.left, y + window.top
        half = brushes.width(power.title(), "name", 32) // 2
        names = {"below": [(x - half, y + 26, x + half, y + 54)], "right": [(x + 30, y - 14, x + 30 + 2 * half, y + 14)]}
        signs = [(x - 22, y - 22, x + 22, y + 22), *names.get(side, [])]
        assert not any(overlap(sign, box) for sign in signs for box in boxes), power


def test_every_card_fits_its_slot_however_full_the_board_is():
    view = boards.crowded()
    assert not all(cards.fits(area, base.SHORT) for area in view.areas)
    assert all(cards.fits(area, base.TALL) for area in view.areas)
    assert all(cards.fits(area, base.SHORT) for area in boards.sample(2).areas)


def test_every_area_and_home_has_a_shape_and_europe_an_anchor_for_each():
    homes = {home["id"] for home in FIRST["home_countries"]}
    assert {*common.EUROPE, *homes} <= set(plate(common.GAME, "europe").regions)
    assert {*common.EUROPE, *homes} <= set(plate(common.GAME, "europe").anchors)
    for colony in common.COLONIES:
        assert colony in plate(common.GAME, colony).regions
    assert {*common.EUROPE, *common.COLONIES} == {area["id"] for area in FIRST["areas"]}


@pytest.mark.parametrize("kind, tokens", [
    (Neutral(kind="strength", strength=4, gold=2, points=1, number=3),
     (("octagon", "4"), ("label", "×3"), ("coin", ""), ("number", "2"), ("icon", "star"), ("number", "1"))),
    (Neutral(kind="pop", strength=0, gold=0, points=0, number=1), (("icon", "person"),)),
    (Neutral(kind="slaves", strength=0, gold=0, points=0, number=2), (("icon", "shackles"), ("label", "×2"))),
])
def test_a_neutral_marker_shows_its_face_its_number_and_its_bonus(kind, tokens):
    area = boards.sample(7).areas[0].model_copy(update={"neutrals": (kind,), "captives": ()})
    assert list(cards.foot_items(area)) == [tokens]


# --- what shows -----------------------------------------------------------------------------------

VIEW = boards.sample(7)
AUCTION = boards.auction()
POWER = "britain"
GARRISON = Garrison(power=POWER, markers=2, armies=3, navies=1, forts=1)


@pytest.mark.parametrize("field, value", [
    ("points", 41), ("gold", 41), ("population", 1), ("markers", 19), ("home_armies", 11), ("home_navies", 6), ("home_forts", 2),
    ("supply_armies", 12), ("supply_navies", 8), ("supply_forts", 3),
    ("tiles", ()), ("revealed_unrest", 5)])
def test_a_number_of_a_power_shows(field, value):
    assert render(with_power(VIEW, POWER, **{field: value})) != render(VIEW)


@pytest.mark.parametrize("field, value", [
    ("name", "Hindustan"), ("values", (9, 1)), ("garrisons", ()),
    ("neutrals", (Neutral(kind="slaves", strength=0, gold=0, points=0, number=1),)),
    ("captives", (Captive(power="spain", held_by="slave_revolt"),)), ("blockades", ())])
def test_a_change_of_an_area_shows(field, value):
    assert render(with_area(VIEW, "india", **{field: value})) != render(VIEW)


@pytest.mark.parametrize("field, value", [("markers", 1), ("armies", 2), ("navies", 2), ("forts", 2), ("power", "france")])
def test_a_change_of_a_garrison_shows(field, value):
    before = with_area(VIEW, "india", garrisons=(GARRISON,))
    after = with_area(VIEW, "india", garrisons=(GARRISON.model_copy(update={field: value}),))
    assert render(after) != render(before)


@pytest.mark.parametrize("view, field, value", [
    (VIEW, "title", "Struggle"), (VIEW, "war", 3), (VIEW, "round", 4), (VIEW, "rounds", 6), (VIEW, "active", "france"),
    (VIEW, "order", VIEW.order[::-1]), (VIEW, "row_a", VIEW.row_a[::-1]), (VIEW, "row_b", ()), (VIEW, "bag", 7),
    (boards.ended(VIEW), "ranking", boards.ended(VIEW).ranking[::-1]),
    (AUCTION, "auction", AuctionView(bidder="", gold=0, a="", b="")),
    (AUCTION, "auction", AuctionView(bidder="united_provinces", gold=5, a="spain", b="russia")),
    (AUCTION, "auction", AuctionView(bidder="united_provinces", gold=4, a="russia", b="spain"))])
def test_a_change_of_the_table_shows(view, field, value):
    assert render(view.model_copy(update={field: value})) != render(view)


# --- marks ----------------------------------------------------------------------------------------

INDIA = next(area for area in VIEW.areas if area.area == "india")
SLOT = base.slots(base.SHORT)["india"]


def held(power: str, markers: int = 0, armies: int = 0, navies: int = 0, forts: int = 0) -> Garrison:
    return Garrison(power=power, markers=markers, armies=armies, navies=navies, forts=forts)


def india(*garrisons: Garrison, neutrals: tuple[Neutral, ...] = (), captives: tuple[Captive, ...] = (),
          blockades: tuple[str, ...] = ()) -> AreaView:
    return INDIA.model_copy(update={"garrisons": garrisons, "neutrals": neutrals, "captives": captives, "blockades": blockades})


def since(before: View) -> Board:
    return Board(now=VIEW, before=before)


def test_a_board_without_marks_is_drawn_as_its_view():
    assert render(Board(now=VIEW)) == render(since(VIEW)) == render(VIEW)


@pytest.mark.parametrize("field, value", [
    ("garrisons", INDIA.garrisons[:-1]), ("garrisons", (*INDIA.garrisons[:-1], held("france", armies=1))),
    ("garrisons", (*INDIA.garrisons[:-1], held("france", armies=2))), ("neutrals", ()),
    ("neutrals", (Neutral(kind="slaves", strength=0, gold=0, points=0, number=1),)),
    ("captives", (Captive(power="spain", held_by="slave_revolt"),)), ("blockades", ()), ("blockades", ("britain", "russia"))])
def test_what_an_area_was_before_shows_on_its_card_and_nowhere_else(field, value):
    now = with_area(VIEW, "india", garrisons=INDIA.garrisons[1:3])      # leaves room for figures
    board = Board(now=now, before=with_area(now, "india", **{field: value}))
    box = ImageChops.difference(picture(board), picture(now)).getbbox()
    left, top, right, bottom = SLOT.corners
    assert box and left <= box[0] and top <= box[1] and box[2] <= right and box[3] <= bottom


@pytest.mark.parametrize("field", ["points", "gold", "population", "markers", "home_armies", "home_navies", "home_forts"])
def test_what_a_number_of_a_power_was_before_shows(field):
    now = getattr(next(power for power in VIEW.powers if power.power == POWER), field)
    one, two = (render(since(with_power(VIEW, POWER, **{field: now + gain}))) for gain in (1, 2))
    assert len({one, two, render(VIEW)}) == 3


def test_tiles_that_were_bought_show():
    assert render(since(with_power(VIEW, POWER, tiles=()))) != render(VIEW)


def test_a_row_of_a_card_tells_what_came_and_went():
    before = india(held("spain", 2, 3), held("russia", armies=1), held("austria", 1, 2, 1, 1), blockades=("spain",))
    now = india(held("spain", 3, 1), held("russia", armies=1), held("france", navies=2), blockades=("france",))
    assert cards.rows(now, before) == [
        ("spain", (3, 1, 0, 0, 0), (1, -2, 0, 0, -1)), ("russia", (0, 1, 0, 0, 0), (0, 0, 0, 0, 0)),
        ("france", (0, 0, 2, 0, 1), (0, 0, 2, 0, 1)), ("austria", (0, 0, 0, 0, 0), (-1, -2, -1, -1, 0))]
    assert not any(any(row.gain) for row in cards.rows(now, None))


def test_the_foot_of_a_card_tells_what_came_and_went():
    two, four = (Neutral(kind="strength", strength=strength, gold=0, points=0, number=2) for strength in (2, 4))
    captive, freed = Captive(power="spain", held_by="pirates"), Captive(power="france", held_by="slave_revolt")
    before = india(neutrals=(two, four), captives=(freed,))
    now = india(neutrals=(two.model_copy(update={"number": 3}),), captives=(captive,))
    assert list(cards.foot_items(now, before)) == [
        (("octagon", "2"), ("label", "×3"), ("change", "1")), (("octagon", "4"), ("change", "-2")),
        (("label", "Pirates"), ("chip", "spain"), ("change", "1")), (("label", "Revolt"), ("chip", "france"), ("change", "-1"))]


def drawn(now: AreaView, before: AreaView | None, deeds: tuple[str, ...] = ()) -> Image.Image:
    """The card of India, in its slot on the map."""
    return cards.card(base.Look("dark", base.SHORT, ()), now, before, deeds).convert("RGB")


def pixels(image: Image.Image, colour: tuple[int, int, int]) -> int:
    return next((number for number, found in image.getcolors(1 << 16) or [] if found == colour), 0)


def test_a_changed_card_has_a_halo():
    now = india(held("spain", 3))
    sides = [(2, SLOT.high - 30), (SLOT.wide - 3, SLOT.high - 30), (SLOT.wide // 2, SLOT.high - 3)]
    assert {drawn(now, india(held("spain", 2))).getpixel(side) for side in sides} == {THEMES["dark"].mark}
    assert {drawn(now, None).getpixel(side) for side in sides}.isdisjoint({THEMES["dark"].mark})


def test_each_figure_of_a_row_shows():
    now, mark = india(held("spain", 3, 3, 3, 3), blockades=("spain",)), THEMES["dark"].mark
    fewer = [held("spain", *[3 - (n == at) for n in range(4)]) for at in range(4)]
    one = [drawn(now, india(garrison, blockades=("spain",))) for garrison in fewer]
    two = [drawn(now, india(garrison)) for garrison in fewer]
    assert len({image.tobytes() for image in (*one, *two)}) == 8
    assert all(pixels(more, mark) > pixels(less, mark) for less, more in zip(one, two))     # the Blockade has its own


def test_what_a_power_that_left_had_is_drawn_muted():
    now, muted = india(held("spain", 3)), THEMES["dark"].muted
    counts = [pixels(drawn(now, india(held("spain", 3), held("france", **had))), muted)
              for had in ({}, {"markers": 1}, {"armies": 1}, {"navies": 1}, {"forts": 1})]
    assert all(count > counts[0] + 100 for count in counts[1:])
    lost = [drawn(now, india(held("spain", 2), blockades=blockades)) for blockades in ((), ("spain",))]
    assert pixels(lost[1], muted) > pixels(lost[0], muted) + 100


def test_on_a_card_without_room_a_sign_stands_beside_what_changed():
    now = india(*[held(power, armies=5) for power in common.POWERS])
    before = [now.model_copy(update={"garrisons": tuple([
        garrison.model_copy(update={"armies": 4}) if garrison.power == power else garrison for garrison in now.garrisons])})
        for power in ("france", "spain")]
    deeds = ("attack",)
    assert not any(cards.plan(now, one, deeds, SLOT).figures for one in before)
    assert drawn(now, before[0], deeds).tobytes() != drawn(now, before[1], deeds).tobytes()


def test_a_full_card_keeps_the_figures_of_the_greatest_changes():
    now = india(*[held(power, armies=5) for power in common.POWERS])
    before = india(*[held(power, armies=4 if power != "russia" else 1) for power in common.POWERS])
    roomy, tight = (cards.plan(now, before, (), SLOT._replace(high=high)) for high in (600, 44 + 4 + 7 * 30 + 4 + cards.FIGURES))
    assert roomy.whole and set(roomy.figures) == set(common.POWERS)
    assert (tight.whole, tight.figures, tight.row) == (False, ["russia"], cards.LOW_ROW)


def test_every_card_fits_however_much_changed_and_may_be_done():
    board = boards.fullest()
    assert board.before
    for area, before, way in zip(board.now.areas, board.before.areas, board.ways):
        slot = base.slots(base.TALL)[area.area]
        assert cards.plan(area, before, way.deeds, slot).high + cards.TAB <= slot.high, area.name
        assert cards.DEED * len(way.deeds) + 12 + 14 <= slot.wide


def test_a_board_becomes_no_higher_than_a_phone_can_show():
    full = boards.fullest()
    assert picture(Board(now=VIEW, people=full.people)).height <= 2452
    assert picture(full).height <= board.HIGHEST
    apart = full.now.model_copy(update={"row_a": full.now.row_a[:2], "row_b": full.now.row_b[:2]})      # three groups
    unnamed = Board(now=apart, before=full.before)
    assert picture(unnamed).height <= board.HIGHEST
    assert render(unnamed.model_copy(update={"people": full.people})) == render(unnamed)


def test_every_way_shows_on_its_card():
    mine = boards.private(VIEW, "seat_2", 8)
    ways = [(), (Way(area="india", deeds=("attack",)),), (Way(area="baltic", deeds=("attack", "move")),)]
    ways += [(Way(area="baltic", deeds=(deed,)),) for deed in ("attack", "move", "colonise", "build", "place", "other")]
    assert len({render(Board(now=mine, ways=some)) for some in ways}) == len(ways)


# --- people ---------------------------------------------------------------------------------------

def named(*names: str) -> Board:
    return Board(now=VIEW, people=tuple(zip([power.power for power in VIEW.powers], names)))


def test_a_players_name_shows_in_the_row_of_the_power():
    assert len({render(named(*names)) for names in ((), ("Ada",), ("Bob",), ("", "Ada"))}) == 4
    assert render(named("")) == render(VIEW)


@pytest.mark.parametrize("words, left", [
    ("Ada \U0001f3b2", "Ada"), ("\U0001f468\u200d\U0001f469\u200d\U0001f467", ""), ("\u202eAda\u202c Lovelace", "Ada Lovelace"),
    ("A\u200bd\u200da\u0007", "Ada"), ("A\nd\ta", "A d a"), ("Z\u0336a\u0316l\u0347go", "Zalgo"),
    ("Łucja Müller", "Łucja Müller"), ("e\u0301", "é"), ("Иван", "Иван"), ("רות", "רות"),
    ("𝔸𝕕𝕒", "Ada"), ("漢字 x", "x"), ("\ud800x", "x"), ("   ", "")],
    ids=ascii)
def test_of_a_name_only_what_fonts_can_draw_is_drawn(words, left):
    assert brushes.drawable(words, "name") == left
    assert brushes.missing(left, "name") == ""


def test_what_cannot_be_drawn_disturbs_nothing():
    assert render(named("\u202eAda\u202c\U0001f3b2", "Bob")) == render(named("Ada", "Bob"))


@pytest.mark.parametrize("words", ["Willem van der Meer tot Nederhemert", "W" * 32, "אבגדה וזחטי כלמנס עפצקר שתאבג"], ids=ascii)
def test_a_long_name_is_cut_as_late_as_its_room_allows(words):
    cut = brushes.clipped(words, "name", 28, 200)
    kept = cut.strip("…")
    assert words.startswith(kept) and 0 < len(kept) < len(words)
    assert brushes.width(cut, "name", 28) <= 200 < brushes.width(f"{words[:len(kept) + 2]}…", "name", 28)
    assert cut == (f"…{kept}" if words[0] == "א" else f"{kept}…")       # where its reader ends


def test_a_name_that_fits_is_not_cut():
    assert brushes.clipped("Ada", "name", 28, 200) == "Ada"


# --- texts in their places ------------------------------------------------------------------------

def boxes_of_text(monkeypatch: pytest.MonkeyPatch, scene: Board) -> list[tuple[Image.Image, list[tuple[int, ...]]]]:
    """The ink of every text of a board, by the image on which it was written."""
    written: dict[int, tuple[Image.Image, list[tuple[int, ...]]]] = {}
    honest = brushes.Brush.text

    def noting(self, x, y, words, face, size, ink, *, align="l", **more):
        wide = honest(self, x, y, words, face, size, ink, align=align, **more)
        pen, foot = x - {"l": 0, "m": wide / 2, "r": wide}[align], y + brushes._rise(face, size)
        for run, name in brushes._runs(words, face, size):
            font = brushes._font(name, size)
            left, top, right, bottom = font.getbbox(run, anchor="ls")
            box = (round(pen + left), round(foot + top), round(pen + right), round(foot + bottom))
            written.setdefault(id(self.image), (self.image, []))[1].append(box)
            pen += font.getlength(run)
        return wide

    monkeypatch.setattr(brushes.Brush, "text", noting)
    forget()
    render(scene)
    return list(written.values())


@pytest.mark.parametrize("scene", [
    boards.fullest(), boards.marked(VIEW), boards.marked(boards.private(VIEW, "seat_2", 14)), boards.overlay(VIEW),
    Board(now=boards.crowded()), Board(now=boards.shared()), Board(now=AUCTION), Board(now=boards.ended(boards.crowded())),
    deluxe.fullest(), deluxe.earlier(deluxe.deluxe(3)), Board(now=deluxe.auction_board()),
    Board(now=boards.ended(deluxe.deluxe(2)))],
    ids=["fullest", "marked", "private", "overlay", "crowded", "shared", "auction", "ended", "deluxe-fullest", "deluxe-marked",
         "deluxe-auction", "deluxe-ended"])
def test_no_text_leaves_its_tile_and_none_touches_another(monkeypatch, scene):
    tiles = boxes_of_text(monkeypatch, scene)
    assert len(tiles) >= 11 + len(scene.now.powers)         # cards and rows of the table, each drawn on its own
    for image, boxes in tiles:
        assert min(min(box) for box in boxes) >= 0
        assert max(box[2] for box in boxes) <= image.width and max(box[3] for box in boxes) <= image.height
        assert not [pair for pair in combinations(boxes, 2) if overlap(*pair)]


# --- caches ---------------------------------------------------------------------------------------

def test_a_cached_board_equals_a_fresh_one_pixel_for_pixel():
    chance = Random(7)
    views = [boards.sample(4, seed=seed) for seed in range(2)]
    scenes = [make(view) for view in views for make in (boards.marked, boards.overlay, lambda view: Board(now=view))]
    walk = [chance.randrange(len(scenes)) for _ in range(12)]
    warm = [(n, picture(scenes[n]).tobytes()) for n in walk]
    for n in set(walk):
        forget()
        fresh = picture(scenes[n]).tobytes()
        assert all(data == fresh for other, data in warm if other == n)


# --- secrets --------------------------------------------------------------------------------------

def test_nobody_elses_unrest_is_in_a_picture():
    """A stranger's view has no place for it; a seat's own shows in its own row and nowhere else."""
    assert all(power.revealed_unrest is None for power in VIEW.powers)
    assert render(VIEW.model_copy(update={"seat": "seat_2"})) == render(VIEW)
    few, many = (picture(boards.private(VIEW, "seat_2", unrest)) for unrest in (3, 8))
    different = [y for y in range(few.height)
                 if few.crop((0, y, 1200, y + 1)).tobytes() != many.crop((0, y, 1200, y + 1)).tobytes()]
    assert different and max(different) - min(different) < board.TABLE_ROW
    assert min(different) > base.SHORT.table
    assert render(VIEW) == render(VIEW.model_copy(update={"seat": None, "own_unrest": None}))


def test_own_unrest_belongs_to_the_own_seat_only():
    view = boards.private(VIEW, "seat_2", 8)
    assert [board.unrest_seen(view, power) for power in view.powers] == [None, 8, *[None] * 5]
    assert [board.unrest_seen(VIEW, power) for power in VIEW.powers] == [None] * 7
    assert [board.unrest_seen(boards.ended(VIEW), power) for power in boards.ended(VIEW).powers] == [3, 7, 11, 15, 19, 23, 27]


def test_unrest_that_somebody_else_knew_before_is_never_told():
    """A seat's earlier view beside a public one, and beside the end, when all unrest is open."""
    for now in (VIEW, boards.ended(VIEW)):
        few, many = (render(Board(now=now, before=boards.private(VIEW, "seat_2", unrest))) for unrest in (3, 8))
        assert few == many


def test_a_seat_sees_how_its_own_unrest_changed():
    mine = boards.private(VIEW, "seat_2", 8)
    one, two = (render(Board(now=mine, before=boards.private(VIEW, "seat_2", unrest))) for unrest in (6, 7))
    assert len({one, two, render(mine)}) == 3


def test_words_tell_no_unrest_but_the_readers_own():
    public = text_board(VIEW)
    assert "nrest" not in public.split("Stock:")[0]
    assert text_board(boards.private(VIEW, "seat_2", 8)).count("Your unrest, which only you see: 8") == 1
    assert "nrest" not in describe(boards.private(VIEW, "seat_2", 8))
    assert text_board(boards.ended(VIEW)).count("Unrest: ") == 7


# --- words ----------------------------------------------------------------------------------------

def test_the_alt_text_tells_the_moment_and_the_points():
    words = describe(VIEW)
    assert words.startswith("Struggle of Empires. War 2, round 3 of 5. Austria is active. Turn order: Britain, Prussia,")
    assert "Points: Austria 35, Spain 34, Britain 31," in words
    assert "Ottoman Empire: Prussia 3, France 1" in words


@pytest.mark.parametrize("view", [VIEW, boards.crowded(), boards.shared(), AUCTION, boards.ended(boards.shared())])
def test_the_alt_text_of_any_board_fits_and_is_whole(view):
    words = describe(view)
    assert len(words) <= 1024
    assert words.endswith(".") and "Control markers: " in words


def test_an_alt_text_with_too_little_room_keeps_the_most_important():
    words = words_for(VIEW, 60)
    assert len(words) == 60 and words.startswith("Struggle of Empires. War 2, round 3 of 5.") and words.endswith("…")


def test_the_text_board_names_every_area_and_every_power():
    words = text_board(VIEW)
    for area in VIEW.areas:
        assert f"\n{area.name}: " in words
    for power in VIEW.powers:
        assert f"\n  {power.name}: {power.points} points, {power.gold} gold, population {power.population}" in words
    assert "War 2, round 3 of 5." in words and "30 neutral markers are left in the bag." in words
    assert "  A marker of Prussia is held by the Pirates" in words
    assert "  Russia: 1 marker, 1 army, 1 navy, a Blockade" in words
    assert "  Neutral: 3 × slaves, 1 × defence 2 for 3 gold" in words


def test_the_text_board_tells_the_auction():
    assert "United Provinces bids 4 gold: Spain in row A and Russia in row B." in text_board(AUCTION)
    unopened = changed(AUCTION, auction={"bidder": "", "gold": 0, "a": "", "b": ""})
    assert "Nobody has bid yet." in text_board(unopened)
    assert "Nobody has bid yet." in describe(unopened)


def test_a_board_before_powers_are_chosen_is_drawn_and_told():
    bare = changed(VIEW, war=1, round=0, phase="powers", active="", order=(), row_a=(), row_b=(), powers=(), areas=[
        {**area.model_dump(), "garrisons": (), "captives": (), "blockades": ()} for area in VIEW.areas])
    assert picture(bare).width == 1200
    assert describe(bare) == "Struggle of Empires. War 1."
    assert "Nobody has chosen a power yet." in text_board(bare)


def test_what_has_changed_is_marked_by_figures_of_twelve_px_on_a_telephone():
    theme = THEMES["dark"]
    drawn = Image.new("RGB", (200, 100), theme.card)
    brushes.Brush(drawn, theme).change(10, 50, 1)
    found = ImageChops.difference(drawn, Image.new("RGB", drawn.size, theme.card)).getbbox()
    assert found is not None and (found[3] - found[1]) * 390 / 1200 >= 12
    assert min(cards.FIGURES, cards.MARKED_FOOT, board.FIGURE) >= found[3] - found[1], "there is room for them"
    assert brushes.MARK * 390 / 1200 >= 12


def test_figures_of_two_digits_end_before_the_next_column():
    now, none = board.Numbers(28, 22, 13, 12, 11, 10, 9, 14, 16), board.Numbers(*[0] * 9)
    line = board.Line(power="france", name="France", player="Jacques", place=0, numbers=now, gains=none, supply=(10, 10, 10),
                      active=False, sealed=True, striped=False)
    plain = board.table_row("dark", line, True, board.MARKED_ROW).convert("RGB")
    spans = []
    for field in board.Numbers._fields:
        row = board.table_row("dark", line._replace(gains=none._replace(**{field: -22})), True, board.MARKED_ROW).convert("RGB")
        left, top, right, bottom = ImageChops.difference(plain, row).crop((0, 52, row.width, row.height)).getbbox()
        assert bottom - top >= 24, "the lower part of a figure"
        spans.append((left, right))
    assert all(right < left for (_, right), (left, _) in pairwise(spans)) and spans[-1][1] <= plain.width - 4, spans


def test_every_board_says_what_its_signs_mean_a_full_one_in_one_line():
    def foot(scene, high):
        shown = picture(scene).convert("RGB")
        left, bottom = common.MARGIN, shown.height - common.MARGIN
        return shown.crop((left, bottom - high, common.WIDE - left, bottom))

    short = legend.short_legend("dark")
    assert short.height == legend.SHORT
    for full in (boards.fullest(), boards.marked(VIEW), deluxe.fullest()):
        assert foot(full, short.height).tobytes() == short.convert("RGB").tobytes()
    whole = legend.legend("dark", "britain", ())
    assert whole.height > short.height
    start = Board(now=boards.sample(2))
    sample = legend.legend("dark", min(power.power for power in start.now.powers), ())
    assert foot(start, whole.height).tobytes() == sample.convert("RGB").tobytes()


def test_a_legend_tells_the_deeds_that_the_reader_may_do_and_no_others():
    assert legend.legend("dark", "spain", ("attack", "raid")).tobytes() != legend.legend("dark", "spain", ("attack",)).tobytes()


def test_own_tiles_are_on_the_own_board_by_name_with_what_they_do_where_there_is_room():
    tiles = boards.TILES
    small, full = Board(now=boards.sample(2)), boards.fullest()
    told, named = owned.owned("dark", tiles), owned.names("dark", tiles)
    assert told.height > named.height
    assert picture(small.model_copy(update={"tiles": tiles})).height == picture(small).height + told.height
    with_names = full.model_copy(update={"tiles": tiles})
    assert picture(with_names).height <= picture(full).height + named.height
    for change in ({"name": "Banking"}, {"number": 3}, {"used": 0}):
        other = (tiles[0].model_copy(update=change), *tiles[1:])
        assert owned.names("dark", other).tobytes() != named.tobytes()
        assert owned.owned("dark", other).tobytes() != told.tobytes()
    other = (tiles[0].model_copy(update={"effect": "Nothing"}), *tiles[1:])
    assert owned.owned("dark", other).tobytes() != told.tobytes()


def test_no_words_about_an_own_tile_touch_or_leave_the_panel(monkeypatch):
    scene = boards.overlay(boards.sample(2))
    for image, boxes in boxes_of_text(monkeypatch, scene):
        assert max(box[2] for box in boxes) <= image.width
        assert not [pair for pair in combinations(boxes, 2) if overlap(*pair)]


@pytest.mark.parametrize("face", brushes.FACES)
def test_the_first_font_of_a_face_draws_the_whole_of_ascii(face):
    first = brushes.FACES[face][0]
    assert [chr(code) for code in range(32, 127) if not brushes._drawable(first, chr(code))] == []
