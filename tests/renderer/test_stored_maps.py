"""The maps drawn ahead: complete, as the plates and themes have them, and a clear error when one is of no use."""
from __future__ import annotations

from importlib.resources import files
from itertools import cycle

import pytest
from PIL import Image, ImageChops

from renderer import NoMaterial, image_cache, render
from renderer.games.struggle_of_empires import base
from renderer.games.struggle_of_empires.common import COLONIES, EUROPE, FILLS, POWERS, WIDE
from renderer.maps import stored
from renderer.themes import THEMES, palette
from tools.maps import bases
from tools.samples import boards, closeups

EVERY = [(theme, form) for theme in THEMES for form in base.FORMS]
AREAS = (*EUROPE, *COLONIES)
ALL = tuple(sorted(POWERS))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of one's own in place of the package's, and nothing remembered from it."""
    monkeypatch.setattr(stored, "files", lambda package: tmp_path)
    (tmp_path / "bases").mkdir()
    image_cache.forget()
    yield tmp_path / "bases"
    image_cache.forget()


@pytest.mark.parametrize("theme, form", EVERY)
def test_every_base_is_there_in_the_palette_of_its_theme(theme, form):
    with Image.open(str(files("renderer.games.struggle_of_empires") / "bases" / base.base_file(theme, form))) as image:
        assert (image.mode, image.size) == ("P", (WIDE, form.table - base.HEADER))
        assert image.getpalette() == palette(THEMES[theme], FILLS).getpalette()


def test_a_base_is_what_its_plates_give():
    drawn = base.draw_base("dark", base.SHORT)
    with Image.open(str(files("renderer.games.struggle_of_empires") / "bases" / base.base_file("dark", base.SHORT))) as image:
        assert image.tobytes() == drawn.tobytes()


@pytest.mark.parametrize("area, theme", [*zip(AREAS, cycle(THEMES))])
def test_the_map_of_an_area_is_what_its_plate_gives(area, theme):
    drawn = base.draw_near(theme, area)
    with Image.open(str(files("renderer.games.struggle_of_empires") / "bases" / base.near_file(theme, area))) as image:
        assert image.tobytes() == drawn.tobytes()


def test_the_tool_writes_what_pictures_read_and_nothing_else_lies_there(tmp_path, monkeypatch, capsys):
    drawn = Image.new("P", (2, 1))
    monkeypatch.setattr(bases, "draw_base", lambda theme, form: drawn)
    monkeypatch.setattr(bases, "draw_near", lambda theme, area: drawn)
    monkeypatch.setattr("renderer.games.attack.base.draw_base", lambda: drawn)
    monkeypatch.setattr("renderer.games.imperial_struggle.base.draw_base", lambda theme, region, scale: drawn)
    stored = {path.name for folder in (bases.FOLDER, bases.ATTACK, bases.IMPERIAL) for path in folder.iterdir()}
    monkeypatch.setattr(bases, "FOLDER", tmp_path / "new")
    monkeypatch.setattr(bases, "ATTACK", tmp_path / "new")
    monkeypatch.setattr(bases, "IMPERIAL", tmp_path / "new")
    bases.main()
    assert {path.name for path in (tmp_path / "new").iterdir()} == stored
    told = capsys.readouterr().out
    assert all(name in told for name in stored)


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
        render(boards.sample(3))


def test_a_damaged_base_is_named(folder):
    name = base.base_file("dark", base.SHORT)
    whole = (bases.FOLDER / name).read_bytes()
    for broken in (b"", b"no picture", whole[:5000]):
        (folder / name).write_bytes(broken)
        with pytest.raises(NoMaterial, match=r"^No picture can be drawn: The map dark-880\.png is damaged\.$"):
            render(boards.sample(3))


def test_a_base_in_other_colours_says_how_to_draw_it_again(folder):
    (folder / base.base_file("dark", base.SHORT)).write_bytes((bases.FOLDER / base.base_file("light", base.SHORT)).read_bytes())
    with pytest.raises(NoMaterial, match=r"dark-880\.png has other colours than its theme; python -m tools\.maps\.bases"):
        render(boards.sample(3))


@pytest.mark.parametrize("area", AREAS)
def test_a_band_shows_the_area_in_its_middle(area):
    """A low band shows more of it than one at the upper or lower end of the map would."""
    whole = base.area_map("light", area, base.NEAR, ("britain",))
    for high in (150, 280):
        band = base.area_map("light", area, high, ("britain",))
        assert (band.mode, band.size) == ("P", (WIDE, high))
        ends = [whole.crop((0, top, WIDE, top + high)) for top in (0, base.NEAR - high)]
        assert seen(area, band) > 5000
        assert seen(area, band) >= max(seen(area, end) for end in ends)


def seen(area: str, image: Image.Image) -> int:
    """How many pixels in the light theme are land of an area."""
    return dict((colour, number) for number, colour in image.convert("RGB").getcolors()).get(THEMES["light"].tints[area], 0)


@pytest.mark.parametrize("area", COLONIES)
def test_a_band_beside_a_battle_shows_all_lands_of_a_colony(area):
    """Cuba and Trinidad, Manila and Java: no border of the area runs off a band of 400 px, but North America's in the north."""
    band = base.area_map("light", area, 400, ()).convert("RGB")
    tint = THEMES["light"].tints[area]
    edges = {side: sum(band.getpixel((x, y)) == tint for x in range(WIDE)) for side, y in (("north", 0), ("south", 399))}
    assert edges["south"] < 100 and (edges["north"] == 0 or area == "north_america")


def test_only_homes_in_the_game_have_their_colour_close_up():
    band = base.area_map("dark", "mediterranean", 500, ("france",)).convert("RGB")
    counts = dict((colour, number) for number, colour in band.getcolors())
    assert [power for power, fill in POWERS.items() if counts.get(THEMES["dark"].home(fill), 0) > 5000] == ["france"]


def test_a_missing_map_of_an_area_is_named(folder):
    with pytest.raises(NoMaterial, match=r"^The file light-india\.png is missing, so no picture can be drawn\.$"):
        render(closeups.closeup("india"), "light")
