"""Hebrew pictures: tables are drawn from the right to the left; words, numbers and maps stay as they are."""
from __future__ import annotations

import pytest
from PIL import Image, ImageOps

from engine.text.language import Language
from engine.text.languages import ENGLISH, PREPARED, speaking
from renderer.brushes import Brush, block, page
from renderer.games.struggle_of_empires.board import Line, Numbers, table_row
from renderer.themes import THEMES

THEME, HEBREW = THEMES["dark"], PREPARED["he"]
WIDE = 300


def drawn(language: Language, *, words: str = "") -> Image.Image:
    with speaking(language):
        brush = page(Image.new("RGB", (WIDE, 60)), THEME)
        if words:
            brush.text(20, 30, words, "number", 32, THEME.ink)
        else:
            brush.draw.rectangle((10, 4, 60, 50), fill=THEME.gold)
            brush.draw.line((80, 8, 140, 52), THEME.alarm, 3)
            brush.mask(150, 10, block(40, 30, 6), THEME.ink)
            brush.icon(230, 30, "pointer", 40, THEME.ink)
        return brush.image


def test_shapes_and_pointers_stand_as_in_a_mirror() -> None:
    assert drawn(HEBREW).tobytes() == ImageOps.mirror(drawn(ENGLISH)).tobytes() != drawn(ENGLISH).tobytes()


def test_words_stand_at_the_other_side_and_are_not_mirrored() -> None:
    there, here = (image.getbbox() for image in (drawn(HEBREW, words="24"), drawn(ENGLISH, words="24")))
    assert there is not None and here is not None and here[2] < WIDE / 2 < there[0]
    assert drawn(HEBREW, words="24").crop(there).tobytes() == drawn(ENGLISH, words="24").crop(here).tobytes()


def test_a_number_and_of_how_many_it_is_are_read_from_the_left(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[tuple[int, str]] = []
    draw = Brush._put

    def noted(brush: Brush, left: int, top: int, mask: Image.Image, ink: tuple[int, int, int]) -> None:
        said.append((left, mask.tobytes().hex()))
        draw(brush, left, top, mask, ink)

    monkeypatch.setattr(Brush, "_put", noted)
    now = Numbers(points=1, gold=2, population=3, markers=4, armies=7, navies=0, forts=0, tiles=0)
    line = Line("france", "France", "", 0, now, Numbers(), (9, 0, 0), active=False, sealed=False, striped=False)
    places = {}
    for language in (ENGLISH, HEBREW):
        said.clear()
        with speaking(language):
            table_row.cache_clear()
            table_row("dark", line, False, 58)
        glyphs = {mask: left for left, mask in said}
        with speaking(ENGLISH):
            said.clear()
            brush = Brush(Image.new("RGB", (WIDE, 60)), THEME)
            brush.text(0, 30, "7", "number", 34, THEME.ink)
            brush.text(0, 30, "/9", "number", 28, THEME.ink)
        places[language.code] = [glyphs[mask] for _, mask in said]
    assert all(number < of for number, of in places.values()) and places["he"][0] < places["en"][0]
