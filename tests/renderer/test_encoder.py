"""The writer gives files with the pixels of the image; caches keep to their bound."""
from __future__ import annotations

from io import BytesIO
from random import Random
from types import SimpleNamespace

import pytest
from PIL import Image

from renderer import caches, encoder, image_cache, render
from renderer.themes import DARK, palette
from tools.samples import boards

BOARD = boards.sample(3)


@pytest.fixture(scope="module")
def image():
    """A palette image of an odd width in which any filter or wrong row length would show."""
    made = Image.new("P", (131, 77))
    colours = palette(DARK, ()).getpalette()
    made.putpalette(colours)
    made.frombytes(bytes(Random(1).choices(range(0, len(colours) // 3, 5), k=131 * 77)))
    return made


def test_a_written_image_reads_as_it_was(image):
    written = encoder.encoded(image)
    read = Image.open(BytesIO(written))
    read.load()
    assert (read.format, read.mode, read.size) == ("PNG", "P", image.size)
    assert read.tobytes() == image.tobytes()
    assert read.convert("RGB").tobytes() == image.convert("RGB").tobytes()
    Image.open(BytesIO(written)).verify()


def test_caches_tell_what_they_hold_and_forget_it():
    image_cache.forget()
    assert not any(cache.entries for cache in caches().values())
    render(BOARD)
    held = caches()
    cards = held["renderer.games.struggle_of_empires.cards.card"]
    assert cards.entries == len(BOARD.areas)
    assert cards.bytes > 11 * 300 * 100
    glyphs = held["renderer.brushes._glyph"]
    assert glyphs.bytes > glyphs.entries * 50 > 0
    assert all(0 <= cache.entries <= cache.most for cache in held.values())       # None, unbounded, compares with nothing


def test_what_exceeds_the_bound_is_dropped_and_drawn_again_alike(monkeypatch):
    before = render(BOARD)
    monkeypatch.setattr(image_cache, "EVERY", 1)
    monkeypatch.setattr(image_cache, "MOST_BYTES", 200_000)
    assert render(BOARD) == before
    assert 0 < sum(cache.bytes for cache in caches().values()) <= 200_000
    assert render(BOARD) == before


def test_an_image_takes_the_room_that_it_really_has():
    """Of three bands as of four: Pillow keeps the points of either apart by four bytes."""
    for mode, bytes_each in (("L", 1), ("P", 1), ("RGB", 4), ("RGBA", 4)):
        assert image_cache._bytes(Image.new(mode, (30, 20))) == 600 * bytes_each


@pytest.mark.parametrize("known", [True, False])
def test_what_is_freed_goes_back_to_the_system_now_and_then_where_it_can_be_asked_for(monkeypatch, known):
    given_back = list[int]()
    system = SimpleNamespace(**{"malloc_trim": given_back.append} if known else {})
    monkeypatch.setattr("ctypes.CDLL", lambda _: system)
    for _ in range(3 * image_cache.EVERY):
        image_cache.trim()
    assert given_back == [0, 0, 0] * known
