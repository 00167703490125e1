"""What each thing on a plate takes, on the board and in a close-up: signs, names, countries, tiles of advantages."""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from renderer.brushes import HALO, width
from renderer.games.imperial_struggle.common import GAME
from renderer.games.imperial_struggle.places import ADVANTAGES, COUNTRIES, NEAR, SIZES, SPACES, Country
from renderer.layout.arrange import arranged
from renderer.layout.boxes import Box
from renderer.words import on_map, short_name, spoken


@dataclass(frozen=True)
class Scale:
    """How large things are drawn."""

    unit: int               # px: the height of a sign
    name: int               # the size of names
    line: int               # from one line of a name to the next
    near: bool              # as a close-up shows it

    @property
    def wide(self) -> int:
        """The width of signs that hold a letter and an icon."""
        return round(self.unit * 1.6)

    @property
    def over(self) -> int:
        """Return what badges stand out over a sign, at each side but below."""
        return self.unit // 5


BOARD = Scale(unit=48, name=28, line=29, near=False)
CLOSE = Scale(unit=66, name=32, line=33, near=True)
BELOW = 5               # px around a sign, for the ring of what is new
STRIP = 28              # px: on the tile of an advantage, in the colour of its holder
PAD = 8                 # px: within the card of a country
FAR = (40, 80, 120, 160, 200, 300)     # px that anything may stand from where it is wanted, rather less


class Spot(NamedTuple):
    """A space on a plate."""

    space: str
    type: str
    x: int                  # the middle of its sign
    y: int


class Name(NamedTuple):
    """The name of a space, in lines; of those of a country its card tells."""

    lines: tuple[str, ...]
    box: Box


class Tile(NamedTuple):
    """An advantage on a plate."""

    advantage: str
    box: Box
    name: tuple[str, ...]


class Layout(NamedTuple):
    """Where all of a plate stands, none of it over anything else, whatever language names it."""

    cards: dict[str, Box]   # of countries, by their names
    spots: tuple[Spot, ...]
    names: dict[str, Name]
    tiles: tuple[Tile, ...]


@lru_cache(maxsize=1)
def facts() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((files("data") / GAME / f"{GAME}.json").read_bytes())
    return found


@lru_cache(maxsize=1)
def kinds() -> Mapping[str, str]:
    return {space["id"]: space["type"] for space in facts()["spaces"]}


@lru_cache(maxsize=1)
def regions() -> Mapping[str, str]:
    return {thing["id"]: thing["region"] for thing in (*facts()["spaces"], *facts()["advantages"])}


@lru_cache(maxsize=1)
def names() -> Mapping[str, str]:
    return {thing["id"]: thing["name"] for thing in (*facts()["spaces"], *facts()["advantages"])}


def size(region: str, scale: Scale) -> tuple[int, int]:
    """Width and height of a plate."""
    return (NEAR if scale.near else SIZES)[region]


def at(region: str, x: float, y: float, scale: Scale) -> tuple[int, int]:
    """A place of the board's plate at this scale."""
    (wide, high), (from_wide, from_high) = size(region, scale), SIZES[region]
    return round(x * wide / from_wide), round(y * high / from_high)


def sign_size(type: str, scale: Scale) -> tuple[int, int]:
    return (scale.wide if type in ("market", "naval") else scale.unit), scale.unit


def _across(scale: Scale) -> int:
    return scale.unit + 2 * scale.over + 1


def _down(scale: Scale) -> int:
    return scale.unit + scale.over + BELOW


def _grid(country: Country, box: Box, scale: Scale) -> Iterator[Spot]:
    across, down = _across(scale), _down(scale)
    for n, row in enumerate(country.rows):
        y = box.top + scale.name + 14 + scale.over + scale.unit // 2 + n * down
        left = box.left + box.wide // 2 - across * (len(row) - 1) // 2
        for m, space in enumerate(row):
            yield Spot(space, "political", left + across * m, y)


def _card(country: Country, region: str, scale: Scale) -> Box:
    """The card of a country where it is wanted."""
    x, y = at(region, country.x, country.y, scale)
    across, down = _across(scale), _down(scale)
    columns = max(map(len, country.rows))
    wide = max(width(short_name(country.name), "label", scale.name), across * columns) + 2 * PAD
    high = scale.name + 14 + down * len(country.rows) + BELOW + 2
    return Box(x - wide // 2, y - high // 2, wide, high)


@spoken(maxsize=64)
def layout(region: str, scale: Scale) -> Layout:
    wide, high = size(region, scale)
    window = Box(2, 2, wide - 4, high - 4)
    free = [Spot(space, kinds()[space], *at(region, x, y, scale)) for space, (x, y) in SPACES.items()
            if regions()[space] == region]
    signs = tuple(sign_box(spot, scale) for spot in free)
    countries = COUNTRIES[region]
    cards = _moved([_card(country, region, scale) for country in countries], signs, window)
    lines = [on_map(names()[spot.space]) for spot in free]
    wanted = {tile: on_map(names()[tile]) for tile in ADVANTAGES if regions()[tile] == region}
    boxes = [*[_name_box(spot, said, scale) for spot, said in zip(free, lines)],
             *[_tile_box(tile, said, region, scale) for tile, said in wanted.items()]]
    named = _moved(boxes, (*signs, *cards), window)
    grids = [spot for country, box in zip(countries, cards) for spot in _grid(country, box, scale)]
    return Layout({country.name: box for country, box in zip(countries, cards)}, (*grids, *free),
                  {spot.space: Name(said, box) for spot, said, box in zip(free, lines, named)},
                  tuple(Tile(tile, box, said) for (tile, said), box in zip(wanted.items(), named[len(free):])))


def _moved(wanted: list[Box], fixed: tuple[Box, ...], window: Box) -> tuple[Box, ...]:
    """Boxes where they have room, none further than need be; where they are wanted, if there is none."""
    found = (arranged(tuple(wanted), fixed, window, far) for far in FAR)
    return next(filter(None, found), tuple(wanted))


def spots(region: str, scale: Scale) -> tuple[Spot, ...]:
    return layout(region, scale).spots


def tiles(region: str, scale: Scale) -> tuple[Tile, ...]:
    return layout(region, scale).tiles


@lru_cache(maxsize=2048)
def sign_box(spot: Spot, scale: Scale) -> Box:
    wide, high = sign_size(spot.type, scale)
    return Box(spot.x - wide // 2 - scale.over, spot.y - high // 2 - scale.over, wide + 2 * scale.over, high + scale.over + BELOW)


@spoken(maxsize=64)
def standing(region: str, scale: Scale) -> tuple[tuple[Spot, Box], ...]:
    """The spaces of a plate, each with what its sign takes."""
    return tuple((spot, sign_box(spot, scale)) for spot in spots(region, scale))


def _name_box(spot: Spot, lines: tuple[str, ...], scale: Scale) -> Box:
    wide = max(width(words, "label", scale.name) for words in lines) + 2 * HALO
    return Box(spot.x - wide // 2, spot.y + scale.unit // 2 + BELOW, wide, scale.line * len(lines))


def _tile_box(advantage: str, name: tuple[str, ...], region: str, scale: Scale) -> Box:
    x, y = at(region, *ADVANTAGES[advantage], scale)
    wide = max(width(line, "label", scale.name) for line in name) + STRIP + 14
    high = scale.line * len(name) + 10
    return Box(x - wide // 2, y - high // 2, wide, high)


def boxes(region: str, scale: Scale) -> dict[str, Box]:
    """Everything that stands on a plate but cards, none of which may cover another."""
    placed = layout(region, scale)
    return {**{spot.space: sign_box(spot, scale) for spot in placed.spots}, **{tile.advantage: tile.box for tile in placed.tiles},
            **{f"{space} name": name.box for space, name in placed.names.items()}}
