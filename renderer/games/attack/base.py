"""The map of Attack!: what each pixel is, whoever owns it.

The four plates are drawn ahead (`tools.maps.bases`) into one picture of numbers: sea, coast, a territory, a step between the
two. A theme and the owners give each number its colour, so one file is enough for both themes and for every state of the game.
"""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

from PIL import Image, ImageDraw

from renderer.games.attack import common
from renderer.layout.boxes import Box
from renderer.maps.plates import SMOOTH, WATER, Plate, plate
from renderer.maps.stored import stored_map
from renderer.themes import PALETTE_SIZE, THEMES, Colour, Theme, mix

BASE = "map.png"

WINDOWS: Mapping[str, Box] = {
    "europe": Box(common.MARGIN, common.HEADER + 8, 1168, 780),
    "north_america": Box(common.MARGIN, common.HEADER + 800, 560, 572),
    "south_america": Box(common.MARGIN, common.HEADER + 1384, 560, 560),
    "africa": Box(common.MARGIN + 560 + common.GAP, common.HEADER + 800, 596, 620)}
SEAS = Box(common.MARGIN + 560 + common.GAP, common.HEADER + 1432, 596, 512)     # where the fleets are listed
FOOT = common.HEADER + 1956                                        # where the table begins

# What a pixel is. Land has three numbers: its own, and two steps to the coast.
PAPER, SEA, SHALLOWS, COAST, SURF, ZONE, ROUTE, FRAME, LAND = 0, 1, 2, 6, 7, 9, 10, 11, 12
OTHER = "_rest"
DASH, SPACE = 9, 8      # px of a route


def number(index: int, step: int = 0) -> int:
    """The number of a land: 0 is out of play, then the territories."""
    return LAND + 3 * index + step


@lru_cache(maxsize=1)
def regions() -> tuple[str, ...]:
    """Land out of play, then all territories by name: the place of each is the index of its numbers."""
    found = {region for name in WINDOWS for region in plate(common.GAME, name).regions}
    return (OTHER, *sorted(found - {OTHER}))


# --- drawn ahead ------------------------------------------------------------------------------------

def draw_base() -> Image.Image:
    """The numbers of all pixels from y = HEADER down to the table."""
    image = Image.new("L", (common.WIDE, FOOT - common.HEADER), PAPER)
    for name, window in WINDOWS.items():
        box = Box(window.left, window.top - common.HEADER, window.wide, window.high)
        image.paste(_numbers(name), box.corners[:2])
        left, top, right, bottom = box.corners
        draw = ImageDraw.Draw(image)
        draw.rectangle((left, top, right - 1, bottom - 1), outline=FRAME, width=3)
    return image


def _numbers(name: str) -> Image.Image:
    chart, index = plate(common.GAME, name), {region: n for n, region in enumerate(regions())}
    wide, high = chart.wide * SMOOTH, chart.high * SMOOTH
    image, line = Image.new("L", (wide, high), SEA), Image.new("L", (wide, high))
    draw, stroke = ImageDraw.Draw(image), ImageDraw.Draw(line)
    polygons = [(region, [_ring(chart, flat) for flat in rings]) for region, parts in chart.regions.items() for rings in parts]
    polygons.sort(key=lambda item: len(item[1]) == 1)           # what lies in a hole is drawn over it
    for n, reach in enumerate(WATER):
        for _, (outer, *_) in polygons:
            draw.line([*outer, outer[0]], SHALLOWS + n, reach * SMOOTH, joint="curve")
    for thick, lines, what in ((1, "zones", ZONE), (2, "routes", ROUTE)):
        for flat in _lines(name, lines):
            for part in _dashes(_ring(chart, flat)) if what == ROUTE else [_ring(chart, flat)]:
                draw.line(part, what, thick * SMOOTH)
    for region, (outer, *holes) in polygons:
        draw.polygon(outer, number(index[region]))
        for hole in holes:
            draw.polygon(hole, SEA)
    for lake in (_ring(chart, flat) for flat in chart.lakes):
        draw.polygon(lake, SEA)
        stroke.line([*lake, lake[0]], 255, SMOOTH)
    for _, rings in polygons:
        for outline in rings:
            stroke.line([*outline, outline[0]], 255, SMOOTH + 2)
    middle = image.resize((chart.wide, chart.high), Image.Resampling.NEAREST)
    cover = line.reduce(SMOOTH)
    for step in (1, 2, 3):
        middle.paste(middle.point(_nearer_the_coast(step)), mask=cover.point(_between(step)))
    return middle


def _between(step: int) -> list[int]:
    return [255 * (step == min(3, round(cover / 85))) for cover in range(256)]


def _nearer_the_coast(step: int) -> list[int]:
    """Return what each number becomes under a coastline that covers so many thirds of it."""
    if step == 3:
        return [COAST] * 256
    return [was + step if was >= LAND and (was - LAND) % 3 == 0 else SURF + step - 1 for was in range(256)]


def _ring(chart: Plate, flat: list[int]) -> list[tuple[float, float]]:
    times = SMOOTH / chart.unit
    return [(x * times, y * times) for x, y in zip(flat[::2], flat[1::2])]


def _lines(name: str, kind: str) -> list[list[int]]:
    found: list[list[int]] = json.loads((files("data") / common.GAME / "plates" / f"{name}.json").read_bytes())[kind]
    return found


def _dashes(line: list[tuple[float, float]]) -> Iterator[list[tuple[float, float]]]:
    long, step = DASH * SMOOTH, (DASH + SPACE) * SMOOTH
    for (x, y), (to_x, to_y) in pairwise(line):
        length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        for begin in range(0, int(length), step):
            near, far = begin / length, min(begin + long, length) / length
            yield [(x + (to_x - x) * part, y + (to_y - y) * part) for part in (near, far)]


# --- as a picture shows it ----------------------------------------------------------------------------

@lru_cache(maxsize=1)
def stored() -> Image.Image:
    """The numbers as their file has them. Raises OSError with a sentence that names the file if it is of no use."""
    return stored_map("renderer.games.attack", BASE)


def cut(box: Box) -> Image.Image:
    left, top, right, bottom = box.corners
    return stored().crop((left, top - common.HEADER, right, bottom - common.HEADER))


def _shown(theme: Theme, inks: Sequence[Colour]) -> bytes:
    row = Image.new("RGB", (len(inks), 1))
    row.putdata(inks)
    return common.settled(row, theme).tobytes()


@lru_cache(maxsize=8)
def _unowned(theme_name: str) -> bytes:
    """The place in the theme's palette of each number, if nobody owns any land."""
    theme = THEMES[theme_name]
    return _shown(theme, [_colour(theme, what, "") for what in range(number(1))]) + _owned(theme_name, "") * (len(regions()) - 1)


@lru_cache(maxsize=64)
def _owned(theme_name: str, owner: str) -> bytes:
    theme = THEMES[theme_name]
    return _shown(theme, [_colour(theme, number(1, step), owner) for step in range(3)])


def _colour(theme: Theme, what: int, owner: str) -> Colour:
    if what >= LAND:
        land = common.beyond(theme) if what < number(1) else common.owned(theme, owner)
        return mix(land, common.shore(theme), (what - LAND) % 3 / 3)
    fixed: dict[int, Colour] = {
        PAPER: theme.paper, SEA: theme.sea, **{SHALLOWS + n: water for n, water in enumerate(theme.water)},
        COAST: common.shore(theme),
        SURF: mix(theme.sea, common.shore(theme), 0.2), SURF + 1: mix(theme.sea, common.shore(theme), 0.6), ZONE: theme.water[-1],
        ROUTE: theme.muted, FRAME: theme.frame}
    return fixed[what]


@lru_cache(maxsize=512)
def _table(theme_name: str, owners: tuple[tuple[int, str], ...]) -> bytes:
    """The place in the theme's palette of every number."""
    shown = bytearray(_unowned(theme_name))
    for region, owner in owners:
        if not region:
            continue                                    # out of play
        shown[number(region):number(region + 1)] = _owned(theme_name, owner)
    return bytes(shown.ljust(PALETTE_SIZE, b"\0"))


def coloured(part: Image.Image, theme_name: str, owners: tuple[tuple[int, str], ...]) -> Image.Image:
    """A part of the numbers as a palette image; `owners` of territories, each by its place in `regions`."""
    found = Image.frombytes("P", part.size, part.tobytes().translate(_table(theme_name, owners)))
    found.putpalette(_inks(theme_name))
    return found


@lru_cache(maxsize=8)
def _inks(theme_name: str) -> bytes:
    return bytes(common.colours(THEMES[theme_name]).getpalette() or ())


@lru_cache(maxsize=64)
def chart(theme_name: str, name: str, owners: tuple[tuple[int, str], ...]) -> Image.Image:
    """One plate with its frame in the colours of the owners of its territories, each by its place in `regions`: a palette image.
    Raises OSError if the file that holds it is of no use."""
    return coloured(cut(WINDOWS[name]), theme_name, owners)


@lru_cache(maxsize=4096)
def under(box: Box) -> tuple[int, ...]:
    """The territories that lie under a box, by their places in `regions`."""
    found = cut(box).getcolors(PALETTE_SIZE) or []
    return tuple(sorted({(what - LAND) // 3 for _, what in found if isinstance(what, int) and what >= number(1)}))


@lru_cache(maxsize=8)
def seen_on(name: str) -> tuple[int, ...]:
    """The territories that a plate shows, by their places in `regions`."""
    shown = plate(common.GAME, name).regions
    return tuple(n for n, region in enumerate(regions()) if n and region in shown)
