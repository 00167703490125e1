"""Pictures: complete, readable, alike for alike views, and silent about what their reader may not know."""
from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

import pytest
from PIL import Image

from engine.games.struggle_of_empires.pictures.alt_text import board as text_board
from engine.games.struggle_of_empires.pictures.scenes import Board, Film
from engine.games.struggle_of_empires.view import AuctionView, Captive, Garrison, Neutral, View
from engine.text.languages import PREPARED, speaking
from renderer import NoPainter, brushes, can_draw, pace, render
from renderer.games.struggle_of_empires import base, board, cards, common
from renderer.maps.plates import plate
from renderer.themes import THEMES, contrast, letter_on, palette, surfaces
from tests import toy
from tests.drawn import overlap, picture, with_area
from tests.renderer.views import AUCTION, POWER, VIEW, boxes_of_text, describe, forget, with_power
from tools.samples import attack, boards, closeups, deluxe, sheets

FIRST = json.loads(Path("data/struggle_of_empires/first_edition.json").read_text(encoding="utf-8"))
LIMIT = 350_000         # bytes
FORMS = (base.SHORT, base.TALL)


# --- the file ------------------------------------------------------------------------------------------------------

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
                                   Film(frames=(Board(now=boards.sample(2)),) * 2), attack.own_board(), attack.ukraine(),
                                   attack.naval_end()], ids=lambda scene: type(scene).__name__)
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


# --- colours -------------------------------------------------------------------------------------------------------

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


# --- text ----------------------------------------------------------------------------------------------------------

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


@pytest.mark.parametrize("written, stands", [
    ("אב 2 · גד 13 הו", "וה 13 דג · 2 בא"), ("אב (France) +2, 5/10", "5/10 ,+2 (France) בא"), ("2 אב", "בא 2"),
    ("War אב 2", "War בא 2")])
def test_a_line_that_begins_in_hebrew_stands_from_right_to_left_but_for_numbers_and_other_letters(written, stands):
    assert "".join(run for run, _ in brushes._runs(written, "label", 30)) == stands


def test_a_line_that_is_said_in_hebrew_stands_from_right_to_left_even_if_it_begins_with_a_name():
    with speaking(PREPARED["he"]):
        assert "".join(run for run, _ in brushes._runs("War · אב 2", "label", 30)) == "2 בא · War"
        assert "".join(run for run, _ in brushes._runs("War 2", "label", 30)) == "War 2"


def test_the_names_of_areas_and_powers_fit_where_they_stand():
    for area in boards.sample(7).areas:
        wide = base.slots(base.SHORT)[area.area].wide
        room = wide - 8 - cards.SEAL * len(area.values) - 12
        assert brushes.width(area.name, "name", brushes.fit(area.name, "name", 34, room - 4)) <= room, area.name
    for home in FIRST["home_countries"]:
        assert brushes.width(home["name"], "name", 36) <= board.NAMES - 102 + 20


# --- places --------------------------------------------------------------------------------------------------------

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


# --- what shows ----------------------------------------------------------------------------------------------------

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


# --- texts in their places -----------------------------------------------------------------------------------------

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


# --- caches --------------------------------------------------------------------------------------------------------

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


# --- secrets -------------------------------------------------------------------------------------------------------

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
