"""The maps drawn ahead: complete, as the plates and themes have them, and a clear error when one is of no use."""
from __future__ import annotations

from importlib.resources import files

import pytest
from PIL import Image, ImageChops

from renderer import NoMaterial, bases, memory, render, samples
from renderer.struggle_of_empires import base
from renderer.struggle_of_empires.common import COLONIES, EUROPE, FILLS, POWERS, WIDE
from renderer.themes import THEMES, palette

EVERY = [(theme, form) for theme in THEMES for form in base.FORMS]
ALL = tuple(sorted(POWERS))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of one's own in place of the package's, and nothing remembered from it."""
    monkeypatch.setattr(base, "files", lambda package: tmp_path)
    (tmp_path / "bases").mkdir()
    memory.forget()
    yield tmp_path / "bases"
    memory.forget()


@pytest.mark.parametrize("theme, form", EVERY)
def test_every_base_is_there_in_the_palette_of_its_theme(theme, form):
    with Image.open(files("renderer.struggle_of_empires") / "bases" / base.base_file(theme, form)) as image:
        assert (image.mode, image.size) == ("P", (WIDE, form.table - base.HEADER))
        assert image.getpalette() == palette(THEMES[theme], FILLS).getpalette()


def test_a_base_is_what_its_plates_give():
    drawn = base.draw_base("dark", base.SHORT)
    with Image.open(files("renderer.struggle_of_empires") / "bases" / base.base_file("dark", base.SHORT)) as image:
        assert image.tobytes() == drawn.tobytes()


def test_the_tool_writes_what_the_board_reads(tmp_path, monkeypatch, capsys):
    drawn = Image.new("P", (2, 1))
    monkeypatch.setattr(bases, "draw_base", lambda theme, form: drawn)
    monkeypatch.setattr(bases, "FOLDER", tmp_path / "new")
    bases.main()
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert names == sorted(base.base_file(theme, form) for theme, form in EVERY)
    assert all(name in capsys.readouterr().out for name in names[:1])


@pytest.mark.parametrize("theme", THEMES)
def test_only_homes_of_powers_in_the_game_have_their_colour(theme):
    look = base.Look(theme, base.SHORT, ("britain", "france"))
    counts = dict((colour, number) for number, colour in base.base(look).convert("RGB").getcolors(WIDE * 2000))
    for power, fill in POWERS.items():
        assert (counts.get(THEMES[theme].home(fill), 0) > 5000) == (power in look.powers), power
        assert (counts.get(fill, 0) > 300) == (power in look.powers), power


def test_no_sign_is_cut_off(monkeypatch):
    """What a sign changes stays away from the edge of the ground on which it is drawn."""
    for form in base.FORMS:
        bare = base.base(base.Look("dark", form, ()))
        for power in ALL:
            tinted = bare.copy()
            base._sign(tinted, power, base.Look("dark", form, (power,)))
            left, top, right, bottom = ImageChops.difference(bare.convert("RGB"), tinted.convert("RGB")).getbbox()
            assert right - left < base.SIGN.wide - 4
            assert bottom - top < base.SIGN.high - 4


def test_a_missing_base_is_named_without_its_place(folder):
    with pytest.raises(NoMaterial, match=r"^The file dark-880\.png is missing, so no picture can be drawn\.$"):
        render(samples.sample(3))


def test_a_damaged_base_is_named(folder):
    name = base.base_file("dark", base.SHORT)
    whole = (bases.FOLDER / name).read_bytes()
    for broken in (b"", b"no picture", whole[:5000]):
        (folder / name).write_bytes(broken)
        with pytest.raises(NoMaterial, match=r"^No picture can be drawn: The map dark-880\.png is damaged\.$"):
            render(samples.sample(3))


def test_a_base_in_other_colours_says_how_to_draw_it_again(folder):
    (folder / base.base_file("dark", base.SHORT)).write_bytes((bases.FOLDER / base.base_file("light", base.SHORT)).read_bytes())
    with pytest.raises(NoMaterial, match=r"dark-880\.png has other colours than its theme; python -m renderer\.bases"):
        render(samples.sample(3))


@pytest.mark.parametrize("area", [*EUROPE, *COLONIES])
def test_the_map_of_an_area_shows_the_area(area):
    image = base.area_map("light", area, 300, 150, ("britain",))
    assert (image.mode, image.size) == ("P", (300, 150))
    counts = dict((colour, number) for number, colour in image.convert("RGB").getcolors(300 * 150))
    assert counts[THEMES["light"].tints[area]] > 300
    assert counts[THEMES["light"].frame] > 100
