"""What is marked on a board: what is new, where one may act, and who plays whom."""
from __future__ import annotations

import unicodedata
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image, ImageChops

from bot.discord import sanitize
from engine.games.struggle_of_empires.pictures.scenes import Board, Way
from engine.games.struggle_of_empires.view import Captive, Neutral, View
from renderer import brushes, render
from renderer.games.struggle_of_empires import base, board, cards, common
from renderer.themes import THEMES
from tests.drawn import picture, with_area
from tests.renderer.views import INDIA, POWER, VIEW, drawn, held, india, named, with_power
from tools.samples import boards

# --- marks ---------------------------------------------------------------------------------------------------------

SLOT = base.slots(base.SHORT)["india"]


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


# --- people --------------------------------------------------------------------------------------------------------

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


@pytest.mark.parametrize("words, called", [
    ("Ada \U0001f3b2", "Ada"), ("Łucja Müller", "Łucja Müller"), ("Δημήτρης K", ""), ("漢字 x", ""), ("김민수 7", "")],
    ids=ascii)
def test_nobody_is_called_by_the_rest_of_a_name_that_no_font_has(words, called):
    assert brushes.person(words, "label") == called and (brushes.person(words, "name") == called)
    assert render(named(words)) == render(named(called))


def test_whoever_has_such_a_name_is_known_by_the_username_instead():
    letters = [chr(code) for code in range(0x10000) if chr(code).isalnum() and sanitize.writes(chr(code))]
    assert len(letters) > 400
    for face in brushes.FACES:
        plain = unicodedata.normalize("NFKC", "".join(letters))
        assert brushes.missing(plain, face) == ""
    for name, called in (("Ada 🎲", "Ada 🎲"), ("Иван", "Иван"), ("Δημήτρης K", "dimi"), ("김민수", "dimi"), ("🎲", "dimi")):
        member: Any = SimpleNamespace(display_name=name, name="dimi")
        assert sanitize.known_as(member) == called


def test_what_cannot_be_drawn_disturbs_nothing():
    assert render(named("\u202eAda\u202c\U0001f3b2", "Bob")) == render(named("Ada", "Bob"))


@pytest.mark.parametrize("words", ["Willem van der Meer tot Nederhemert", "W" * 32, "אבגדה וזחטי כלמנס עפצקר שתאבג"], ids=ascii)
def test_a_long_name_is_cut_as_late_as_its_room_allows(words):
    cut = brushes.clipped(words, "name", 28, 200)
    kept = cut.strip("…")
    assert words.startswith(kept) and 0 < len(kept) < len(words)
    assert brushes.width(cut, "name", 28) <= 200 < brushes.width(f"{words[:len(kept) + 2]}…", "name", 28)
    assert cut == f"{kept}…"


def test_a_name_that_fits_is_not_cut():
    assert brushes.clipped("Ada", "name", 28, 200) == "Ada"
