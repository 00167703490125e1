"""The base of the board: what no move changes. Maps, frames, leader lines and the signs of the homes, with the room for cards.

Maps take long to draw from their plates, so they are drawn ahead, into a file for each theme and form (`tools.maps.bases`).
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from PIL import Image, ImageDraw

from renderer.brushes import Brush, fit
from renderer.games.struggle_of_empires import common
from renderer.layout.boxes import Box
from renderer.maps.plates import SMOOTH, Placing, Plate, draw_map, extent, placing, placing_of, plate
from renderer.maps.stored import stored_map
from renderer.themes import PALETTE_SIZE, THEMES, Colour, Theme, mix, palette
from renderer.words import short_name, spoken

HEADER = 132            # px: the header, above the base

# Places on the plate of Europe, px. Signs of homes stand where no card covers them, with the side on which the name fits;
# areas not named here have their dots at the plate's own anchors.
HOMES: dict[str, tuple[int, int, Literal["below", "right", ""]]] = {
    "austria": (603, 606, "below"), "britain": (339, 458, "below"), "france": (377, 618, "below"), "prussia": (590, 468, "right"),
    "russia": (772, 300, "below"), "spain": (237, 768, "below"), "united_provinces": (438, 480, "")}
DOTS = {"mediterranean": (558, 676), "central_europe": (736, 520)}


@dataclass(frozen=True)
class Form:
    """One division of the board: heights of the plates."""

    europe: int
    colony: int

    @property
    def table(self) -> int:
        return HEADER + 8 + self.europe + 2 * (common.GAP + self.colony) + common.GAP


SHORT, TALL = Form(europe=880, colony=300), Form(europe=1060, colony=360)      # TALL holds seven powers in every area
FORMS = (SHORT, TALL)


class Look(NamedTuple):
    """What the base depends on."""

    theme: str
    form: Form
    powers: tuple[str, ...]     # in the game, in alphabetical order: their homes are coloured and named
    npps: tuple[str, ...] = ()  # of these, the ones that nobody plays


# --- where things stand ---------------------------------------------------------------------------

CARD_EUROPE, CARD_COLONY = 328, 348
PAD = 14                # from a plate's frame to a card


def windows(form: Form) -> dict[str, Box]:
    found = {"europe": Box(common.MARGIN, HEADER + 8, common.WIDE - 2 * common.MARGIN, form.europe)}
    wide, top = (common.WIDE - 2 * common.MARGIN - 2 * common.GAP) // 3, HEADER + 8 + form.europe + common.GAP
    for n, area in enumerate(common.COLONIES):
        found[area] = Box(common.MARGIN + n % 3 * (wide + common.GAP), top + n // 3 * (form.colony + common.GAP), wide,
                          form.colony)
    return found


@lru_cache(maxsize=4)
def slots(form: Form) -> dict[str, Box]:
    """The room that the card of each area may take."""
    plates = windows(form)
    left, top, wide, high = plates.pop("europe")
    right, bottom = left + wide - PAD - CARD_EUROPE, top + high - PAD
    third = (high - 2 * PAD - 2 * common.GAP) // 3
    found = {"german_states": Box(left + PAD, top + PAD, CARD_EUROPE, third),
             "baltic": Box(right, top + PAD, CARD_EUROPE, third),
             "central_europe": Box(right, top + PAD + third + common.GAP, CARD_EUROPE, third),
             "ottoman_empire": Box(right, bottom - third, CARD_EUROPE, third),
             "mediterranean": Box(left + 348, bottom - third, CARD_EUROPE, third)}
    for area, window in plates.items():
        found[area] = Box(window.left + (window.wide - CARD_COLONY) // 2, window.top + 12, CARD_COLONY, window.high - 24)
    return found


LOW = ("mediterranean", *common.COLONIES)      # these cards stand at the foot of their slots, the others hang from the top


# --- the base, drawn ahead --------------------------------------------------------------------------

def draw_base(theme_name: str, form: Form) -> Image.Image:
    """Maps with all homes coloured, frames and leader lines: a palette image from y = HEADER down. `tools.maps.bases` draws it
    ahead into a file, which `base` reads: from the plates it takes some seconds."""
    theme = THEMES[theme_name]
    image = Image.new("RGB", (common.WIDE, form.table - HEADER), theme.paper)
    for name, window in windows(form).items():
        chart = draw_map(plate(common.GAME, name), window.wide, window.high, theme, lambda region: _land(region, theme))
        if name == "europe":
            _leaders(chart, form, theme)
        top = window.top - HEADER
        image.paste(chart.reduce(SMOOTH), (window.left, top))
        _frame(ImageDraw.Draw(image), Box(window.left, top, window.wide, window.high), theme)
    return common.settled(image, theme)


def _land(region: str, theme: Theme) -> Colour:
    return theme.home(common.POWERS[region]) if region in common.POWERS else theme.tints.get(region, theme.land)


def spot(form: Form, x: float, y: float) -> tuple[int, int]:
    """A place on the plate of Europe as px from the corner of its window."""
    window = windows(form)["europe"]
    scale, left, top = placing(plate(common.GAME, "europe"), window.wide, window.high)
    return round(x * scale + left), round(y * scale + top)


def _leaders(chart: Image.Image, form: Form, theme: Theme) -> None:
    """A dot in each area of Europe, and a line from it to its card."""
    draw, window = ImageDraw.Draw(chart), windows(form)["europe"]
    for area in common.EUROPE:
        slot = slots(form)[area]
        x, y = spot(form, *DOTS.get(area) or plate(common.GAME, "europe").anchors[area])
        end_y = slot.top + slot.high - 30 if area in LOW else slot.top + 50      # behind the card, however low it is
        end_x = min(max(x, slot.left - window.left), slot.left - window.left + slot.wide)
        line = [n * SMOOTH for n in (x, y, end_x, end_y - window.top)]
        draw.line(line, theme.halo, 7 * SMOOTH)
        draw.line(line, theme.leader, 3 * SMOOTH)
        for radius, fill in ((11, theme.halo), (8, theme.leader)):
            draw.ellipse([n * SMOOTH for n in (x - radius, y - radius, x + radius, y + radius)], fill)


def _frame(draw: ImageDraw.ImageDraw, box: Box, theme: Theme) -> None:
    left, top, right, bottom = box.corners
    draw.rectangle((left, top, right - 1, bottom - 1), outline=theme.frame, width=3)
    draw.rectangle((left + 3, top + 3, right - 4, bottom - 4), outline=theme.paper, width=3)
    draw.rectangle((left + 6, top + 6, right - 7, bottom - 7), outline=theme.frame, width=1)


# --- the base as the board shows it -----------------------------------------------------------------

def base_file(theme_name: str, form: Form) -> str:
    """The name of the file that holds the base, in the folder `bases` beside this module."""
    return f"{theme_name}-{form.europe}.png"


@lru_cache(maxsize=4)
def _drawn(theme_name: str, name: str) -> Image.Image:
    """A map as its file has it. Raises OSError with a sentence that names the file if it is of no use."""
    image = stored_map("renderer.games.struggle_of_empires", name)
    if image.mode != "P" or image.getpalette() != palette(THEMES[theme_name], common.FILLS).getpalette():
        raise OSError(f"The map {name} has other colours than its theme; python -m tools.maps.bases draws it again.")
    return image


@spoken(maxsize=12)
def base(look: Look) -> Image.Image:
    """Maps, frames, leader lines and names of homes: all that no move changes; a palette image from y = HEADER down.

    Raises OSError if the file that holds it is of no use."""
    image = _drawn(look.theme, base_file(look.theme, look.form)).point(_homes_out_of_play(look.theme, look.powers))
    for power in look.powers:
        _sign(image, power, look)
    return image


@lru_cache(maxsize=64)
def _homes_out_of_play(theme_name: str, powers: tuple[str, ...]) -> list[int]:
    """For each number of the palette the one to show: homes of powers that are not in the game become land like any other."""
    theme = THEMES[theme_name]
    become = {was: now for power, fill in common.POWERS.items() if power not in powers
              for was, now in zip(_edges(theme.home(fill), theme), _edges(theme.land, theme))}
    flat = palette(theme, common.FILLS).getpalette() or []
    shown = [become.get((red, green, blue), (red, green, blue)) for red, green, blue in zip(flat[::3], flat[1::3], flat[2::3])]
    row = Image.new("RGB", (PALETTE_SIZE, 1))
    row.putdata(shown)
    return list(common.settled(row, theme).tobytes())


def _edges(land: Colour, theme: Theme) -> Iterator[Colour]:
    yield land
    yield from (mix(land, theme.coast, 1 / 3), mix(land, theme.coast, 2 / 3))
    yield from (mix(land, over, 1 / 2) for over in (theme.leader, theme.river, theme.halo))


SIGN = Box(-140, -26, 280, 90)      # around the place of a home: what its disc and its name may cover


def _sign(image: Image.Image, power: str, look: Look) -> None:
    theme, window = THEMES[look.theme], windows(look.form)["europe"]
    east, south, side = HOMES[power]
    x, y = spot(look.form, east, south)
    x, y = x + window.left, y + window.top - HEADER
    left, top, right, bottom = SIGN.corners
    ground = image.crop((x + left, y + top, x + right, y + bottom)).convert("RGB")
    brush, name, right = Brush(ground, theme), short_name(power.replace("_", " ").title()), 30 - left
    size = fit(name, "name", 32, ground.width - right)
    if side == "below":
        brush.text(-left, 40 - top, name, "name", 32, theme.ink, align="m", halo=theme.halo)
    elif side == "right":
        brush.text(right, -top, name, "name", size, theme.ink, halo=theme.halo)
    sign = brush.square if power in look.npps else brush.disc
    sign(-left, -top, common.letter(power), 44, common.POWERS[power])
    image.paste(common.settled(ground, theme), (x + left, y + top))


# --- one area -------------------------------------------------------------------------------------

NEAR = 700              # px: the map of an area is drawn so high
CORE = 360              # px: of these the area takes so many at most, as far as its plate allows


def _near(area: str) -> tuple[Plate, Placing]:
    """The plate on which an area is shown close up, and how it lies in a window NEAR px high."""
    chart = plate(common.GAME, "europe" if area in common.EUROPE else f"{area}_near")
    return chart, placing_of(chart, area, common.WIDE, NEAR, CORE)


def near_file(theme_name: str, area: str) -> str:
    """The name of the file that holds the map of an area, in the folder `bases` beside this module."""
    return f"{theme_name}-{area}.png"


def draw_near(theme_name: str, area: str) -> Image.Image:
    """One area, its border marked, with the lands around it and all homes coloured: a palette image that `tools.maps.bases`
    draws ahead into a file."""
    theme, (chart, placed) = THEMES[theme_name], _near(area)

    def land(region: str) -> Colour:
        if region in common.POWERS:
            return theme.home(common.POWERS[region])
        return theme.tints[area] if region == area else theme.land

    return common.settled(draw_map(chart, common.WIDE, NEAR, theme, land, placed=placed, marked=area).reduce(SMOOTH), theme)


@lru_cache(maxsize=8)
def area_map(theme_name: str, area: str, high: int, powers: tuple[str, ...]) -> Image.Image:
    """A band across the map of an area, at most NEAR px high, with the area in its middle and the homes of these powers coloured:
    a palette image ("P") in the theme's palette. Raises OSError if the file that holds the map is of no use."""
    chart, placed = _near(area)
    _, north, _, south = extent(chart, area)
    middle = placed.top + (north + south) / 2 * placed.scale
    top = min(max(round(middle - high / 2), 0), NEAR - high)
    band = _drawn(theme_name, near_file(theme_name, area)).crop((0, top, common.WIDE, top + high))
    return band.point(_homes_out_of_play(theme_name, powers))
