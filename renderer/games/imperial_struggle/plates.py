"""A plate as a picture shows it: the bar with its region's count, award and goods, and on the map the signs and tiles."""
from __future__ import annotations

from collections.abc import Container, Mapping
from typing import NamedTuple, TypeAlias

from PIL import Image

from engine.games.imperial_struggle.view import View
from engine.text import count, say, text
from renderer.brushes import RING, SMALLEST, Brush, block, page
from renderer.games.imperial_struggle.base import named_plate, plate_of_game
from renderer.games.imperial_struggle.common import FLAGS, GOODS, REGION_NAMES, SIGNS, settled
from renderer.games.imperial_struggle.layout import STRIP, Scale, Tile, facts, standing, tiles
from renderer.games.imperial_struggle.signs import Shown, shown, sign
from renderer.pieces import Piece, icon, line, words
from renderer.themes import THEMES, Colour, Theme, letter_on, mix
from renderer.words import spoken

BAR = 56                # px: the bar over a plate


# --- the bar --------------------------------------------------------------------------------------------

class Count(NamedTuple):
    """What both sides have of something."""

    britain: int
    france: int
    fresh: bool = False

    def __str__(self) -> str:
        return f"{self.britain}:{self.france}"


class Good(NamedTuple):
    """A good of the region."""

    good: str
    both: Count
    demand: bool


class Bar(NamedTuple):
    """What the bar over a plate says."""

    name: str
    both: Count
    award: str              # "2 VP"; "" if none is turned up
    fresh: bool             # the award is new
    goods: tuple[Good, ...]


def award(tile: str) -> str:
    """An award in few words: "3 VP, lead 2", "1 VP + 1 TRP"."""
    held = next((one for one in facts()["award_tiles"] if one["id"] == tile), None)
    if held is None:
        return ""
    said = " + ".join([say(count(held["vp"], "{n} VP", "{n} VP"))] * bool(held["vp"])
                      + [say(count(held["trp"], "{n} TRP", "{n} TRP"))] * bool(held["trp"]))
    return say(text("{award}, lead {n}", award=said, n=held["margin_needed"])) if held["margin_needed"] > 1 else said


def bar_of(view: View, before: View | None, region: str) -> Bar:
    known = {one.region: one for one in before.regions} if before else {}
    now = next(one for one in view.regions if one.region == region)
    was = known.get(region, now)
    home = {good["commodity"]: good["region"] for good in facts()["global_demand"]}
    old = {one.good: one for one in before.goods} if before else {}
    goods = tuple(Good(one.good, Count(one.britain, one.france, (one.britain, one.france) != (
        old.get(one.good, one).britain, old.get(one.good, one).france)), one.in_demand) for one in view.goods
                  if home[one.good] == region)
    count = Count(now.britain, now.france, (now.britain, now.france) != (was.britain, was.france))
    return Bar(say(REGION_NAMES[region]), count, award(now.award), now.award != was.award, goods)


def balance(count: Count, high: int, theme: Theme, ink: Colour) -> Piece:
    """Both sides' numbers on plates of their colours; what is new is underlined."""
    wide = round(high * 0.92)

    def draw(brush: Brush, x: int, y: int) -> None:
        for n, (side, number) in enumerate((("britain", count.britain), ("france", count.france))):
            left, fill = x + n * (wide + 2), FLAGS[side]
            brush.mask(left, y - high // 2, block(wide, high, 6), theme.mark if count.fresh else theme.bar_ink)
            brush.mask(left + 3, y - high // 2 + 3, block(wide - 6, high - 6, 4), fill)
            brush.text(left + wide // 2, y, str(number), "number", max(SMALLEST, round(high * 0.74)), letter_on(fill), align="m")
    return Piece(2 * wide + 2, draw)


@spoken(maxsize=256)
def bar(theme_name: str, wide: int, what: Bar) -> Image.Image:
    theme = THEMES[theme_name]
    image = Image.new("RGB", (wide, BAR), theme.bar)
    brush, y = page(image, theme), BAR // 2
    pieces = [balance(what.both, 44, theme, theme.bar_ink)]
    if what.award:
        pieces.append(words(what.award, "number", 32, theme.mark if what.fresh else theme.gold))
    left = line([words(what.name, "name", 38, theme.bar_ink), *pieces], 16)
    left.draw(brush, 16, y)
    goods = []
    for good in what.goods:
        ink = theme.gold if good.demand else theme.bar_muted
        goods.append(line([icon(GOODS[good.good], 36, ink), balance(good.both, 40, theme, ink)], 6))
    right = line(goods, 20)
    x = wide - 14 - right.wide
    for good, piece in zip(what.goods, goods):
        if good.demand:
            brush.mask(x - 8, 3, block(piece.wide + 14, BAR - 6, 8), theme.gold)
            brush.mask(x - 6, 5, block(piece.wide + 10, BAR - 10, 7), theme.bar)
        piece.draw(brush, x, y)
        x += piece.wide + 20
    return settled(image, theme)


# --- advantages ------------------------------------------------------------------------------------------

@spoken(maxsize=1024)
def advantage(theme_name: str, region: str, tile: Tile, scale: Scale, holder: str, spent: bool, fresh: bool) -> Image.Image:
    """An advantage: in the colour of its holder, with his letter; pale if it is exhausted."""
    theme = THEMES[theme_name]
    image = named_plate(theme_name, region, scale).crop(tile.box.corners).convert("RGB")
    brush, (_, _, wide, high) = Brush(image, theme), tile.box
    inner = mix(theme.card, theme.line, 0.35) if spent else theme.card
    brush.mask(0, 0, block(wide, high, 8), theme.mark if fresh else theme.ring)
    edge = 5 if fresh else RING
    brush.mask(edge, edge, block(wide - 2 * edge, high - 2 * edge, 6), inner)
    strip = STRIP if holder else 0
    if holder:
        brush.draw.rectangle((edge, edge, STRIP, high - edge - 1), FLAGS[holder])
        brush.text((STRIP + edge) // 2, high // 2, SIGNS[holder], "number", SMALLEST, letter_on(FLAGS[holder]), align="m")
    for n, said in enumerate(tile.name):
        y = high // 2 + round((n - (len(tile.name) - 1) / 2) * scale.line)
        brush.text((wide + strip) // 2, y, said, "label", scale.name, theme.muted if spent else theme.ink, align="m")
    if spent:
        brush.draw.line((strip + 6, high - 8, wide - 10, 8), theme.muted, 3)
    return settled(image, theme)


# --- the plate -------------------------------------------------------------------------------------------

Held: TypeAlias = tuple[str, bool]          # an advantage: who holds it, and whether it is exhausted


@spoken(maxsize=24)
def settled_plate(theme_name: str, region: str, scale: Scale, tougher_forts: bool, signs: tuple[Shown, ...],
                  held: tuple[Held, ...]) -> Image.Image:
    """A plate with all that stands on it, without marks for any reader."""
    image = plate_of_game(theme_name, region, scale, tougher_forts=tougher_forts).copy()
    for (spot, box), what in zip(standing(region, scale), signs):
        image.paste(sign(theme_name, region, spot, scale, what), (box.left, box.top))
    for tile, (holder, spent) in zip(tiles(region, scale), held):
        image.paste(advantage(theme_name, region, tile, scale, holder, spent, False), (tile.box.left, tile.box.top))
    return image


def paint_plate(frame: Image.Image, view: View, before: View | None, region: str, scale: Scale, theme_name: str,
                corner: tuple[int, int], numbers: Mapping[str, int] = {}, ways: Container[str] = ()) -> None:
    """Draw a plate with all that stands on it into a picture, with its upper left corner there. `numbers` are those under which a
    menu lists spaces, `ways` the spaces where the reader may act."""
    left, top = corner
    there = {space.space: space for space in view.spaces if space.region == region}
    known = {space.space: space for space in before.spaces if space.region == region} if before else there
    spots, advantages = standing(region, scale), tiles(region, scale)
    signs = tuple(shown(there[spot.space]) for spot, _ in spots)
    now, was = _held(view, region, scale), _held(before or view, region, scale)
    frame.paste(settled_plate(theme_name, region, scale, view.tougher_forts, signs, now), corner)
    for (spot, box), plain in zip(spots, signs):
        fresh = known is not there and shown(known[spot.space]) != plain
        number, may = numbers.get(spot.space, 0), spot.space in ways
        if fresh or number or may:
            marked = sign(theme_name, region, spot, scale, plain._replace(fresh=fresh, number=number, may=may))
            frame.paste(marked, (left + box.left, top + box.top))
    for tile, one, other in zip(advantages, now, was):
        if one != other:
            image = advantage(theme_name, region, tile, scale, *one, True)
            frame.paste(image, (left + tile.box.left, top + tile.box.top))


def _held(view: View, region: str, scale: Scale) -> tuple[Held, ...]:
    held = holders(view)
    return tuple((held.get(tile.advantage, ""), tile.advantage in view.exhausted) for tile in tiles(region, scale))


def holders(view: View) -> dict[str, str]:
    return {tile: side.side for side in view.sides for tile in side.advantages}
