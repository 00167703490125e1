"""Text boards: complete, and within what Discord takes."""
from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from PIL import Image, ImageChops

from engine.games.struggle_of_empires.pictures.alt_text import board as text_board, describe as words_for
from engine.games.struggle_of_empires.pictures.scenes import Board
from renderer import brushes
from renderer.games.struggle_of_empires import board, cards, common, legend, owned
from renderer.themes import THEMES
from tests.drawn import changed, overlap, picture
from tests.renderer.views import AUCTION, VIEW, boxes_of_text, describe
from tools.samples import boards, deluxe


def test_the_alt_text_tells_the_moment_and_the_points():
    words = describe(VIEW)
    assert words.startswith("Struggle of Empires. War 2, round 3 of 5. It's Austria's turn. Turn order: Britain, Prussia,")
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
    assert "The United Provinces bids 4 gold: Spain in row A and Russia in row B." in text_board(AUCTION)
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


def faces_on(view):
    return tuple(sorted({face for area in view.areas for neutral in area.neutrals for face in cards.faces_of(neutral)}))


def test_every_board_says_what_its_signs_mean_a_full_one_in_one_line():
    assert {icon for icon, _ in faces_on(deluxe.deluxe())} == {"trade", "star"} and ("shackles", "slave marker") in faces_on(VIEW)
    def foot(scene, high):
        shown = picture(scene).convert("RGB")
        left, bottom = common.MARGIN, shown.height - common.MARGIN
        return shown.crop((left, bottom - high, common.WIDE - left, bottom))

    for full, local in ((boards.fullest(), False), (boards.marked(VIEW), False), (deluxe.fullest(), True)):
        short = legend.short_legend("dark", local=local, faces=faces_on(full.now))
        assert short.height == legend.SHORT
        assert foot(full, short.height).tobytes() == short.convert("RGB").tobytes()
    whole = legend.legend("dark", "britain", (), local=False)
    assert whole.height > short.height
    start = Board(now=boards.sample(2))
    sample = legend.legend("dark", min(power.power for power in start.now.powers), (), local=False, faces=faces_on(start.now))
    assert foot(start, whole.height).tobytes() == sample.convert("RGB").tobytes()


def test_a_legend_tells_the_deeds_that_the_reader_may_do_and_no_others():
    attack, raids = (legend.legend("dark", "spain", deeds, local=False) for deeds in (("attack",), ("attack", "raid")))
    assert attack.tobytes() != raids.tobytes()


def test_the_shield_of_local_alliances_is_in_both_legends_where_there_are_any():
    theme = THEMES["dark"]
    for signs in (lambda local: legend._signs(theme, "spain", (), local=local, faces=()),
                  lambda local: legend._fewer(theme, local=local, faces=())):
        assert len(list(signs(True))) == len(list(signs(False))) + 1
    for deluxe_board in (Board(now=deluxe.deluxe()), deluxe.fullest()):
        assert any(area.local for area in deluxe_board.now.areas)
    assert legend.short_legend("dark", local=True).height == legend.SHORT


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
