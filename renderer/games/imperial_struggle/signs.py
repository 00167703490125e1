"""The signs of spaces: a form for each type, whose flag flies there, its price, its good, and the markers it bears."""
from __future__ import annotations

from typing import NamedTuple

from PIL import Image

from engine.games.imperial_struggle.view import SpaceView
from renderer.brushes import RING, SMALLEST, Brush, block, width
from renderer.games.imperial_struggle.base import named_plate
from renderer.games.imperial_struggle.common import FLAGS, GOODS, SIGNS, settled
from renderer.games.imperial_struggle.layout import BELOW, Scale, Spot, sign_box, sign_size
from renderer.themes import THEMES, Colour, Theme, letter_on, mix
from renderer.words import spoken

LETTER_GAP = 2          # px between a letter and a price


class Shown(NamedTuple):
    """What a sign shows of a space."""

    type: str
    cost: int | None
    good: str
    prestige: bool
    open: bool
    flag: str
    conflict: bool
    damaged: bool
    huguenots: str
    protected: bool = False
    isolated: bool = False
    fresh: bool = False     # it is not as the reader knows it
    number: int = 0         # under which a menu lists it; 0: none lists it
    may: bool = False       # the reader may act there


def shown(space: SpaceView) -> Shown:
    """Return what the sign of a space shows, without marks for a reader."""
    return Shown(space.type, space.cost, space.commodity, space.prestige, space.open, space.flag, space.conflict, space.damaged,
                 space.huguenots, space.protected, space.isolated)


@spoken(maxsize=4096)
def sign(theme_name: str, region: str, spot: Spot, scale: Scale, what: Shown) -> Image.Image:
    box = sign_box(spot, scale)
    image = named_plate(theme_name, region, scale).crop(box.corners).convert("RGB")
    draw(Brush(image, THEMES[theme_name]), spot.x - box.left, spot.y - box.top, what, scale)
    return settled(image, THEMES[theme_name])


def _letter(brush: Brush, x: int, y: int, what: Shown, scale: Scale, ink: Colour) -> None:
    """Whose flag flies there with the price beside it, or either alone."""
    flag, price = SIGNS.get(what.flag, ""), "" if what.cost is None else str(what.cost)
    size = max(SMALLEST, round(scale.unit * (0.52 if flag and price else 0.72 if flag else 0.62)))
    x -= (width(flag, "number", size) + width(price, "number", size) + (LETTER_GAP if flag and price else 0)) // 2
    if flag:
        x += brush.text(x, y, flag, "number", size, ink) + LETTER_GAP
    if price:
        brush.text(x, y, price, "number", size, ink)


def draw(brush: Brush, x: int, y: int, what: Shown, scale: Scale) -> None:
    theme = brush.theme
    wide, high = sign_size(what.type, scale)
    fill = FLAGS.get(what.flag, theme.card)
    if not what.open:
        fill = closed(theme)
    ring = theme.mark if what.fresh else theme.ring
    thick = RING + 3 if what.fresh else RING
    if what.fresh:
        form(brush, x, y, what.type, wide + 2 * BELOW, high + 2 * BELOW, theme.halo)
        form(brush, x, y, what.type, wide + 2 * BELOW - 2, high + 2 * BELOW - 2, ring)
        form(brush, x, y, what.type, wide - 2, high - 2, theme.halo)
        form(brush, x, y, what.type, wide - 6, high - 6, fill)
    else:
        form(brush, x, y, what.type, wide, high, ring)
        form(brush, x, y, what.type, wide - 2 * thick, high - 2 * thick, fill)
    ink = letter_on(fill) if what.flag else theme.ink if what.open else theme.muted
    said = bool(what.flag) or what.cost is not None
    icon = GOODS.get(what.good, "navy" if what.type == "naval" else "")
    down = round(scale.unit * (0.14 if what.number or what.may else 0.06 if what.type == "fort" else 0))
    if icon and said:
        part = round(scale.unit * 0.56)
        brush.icon(x + wide // 2 - part // 2 - 7, y + down, icon, part, ink)
        _letter(brush, x - part // 2 - 2, y + down, what, scale, ink)
    elif icon:
        brush.icon(x, y + down, icon, round(scale.unit * 0.62), ink if what.flag else theme.muted)
    else:
        _letter(brush, x, y + down, what, scale, ink)
    _badges(brush, x, y, what, wide, high, scale)


def closed(theme: Theme) -> Colour:
    """The ground of a space that isn't in play yet."""
    return mix(theme.card, theme.sea, 0.5)


def form(brush: Brush, x: int, y: int, type: str, wide: int, high: int, fill: Colour) -> None:
    if type == "political":
        brush.icon(x, y, "disc", high, fill)
    elif type == "market":
        brush.mask(x - wide // 2, y - high // 2, block(wide, high, 6), fill)
    elif type == "naval":
        brush.mask(x - wide // 2, y - high // 2, block(wide, high, high // 2), fill)
    elif type == "fort":
        brush.icon(x, y, "bastion", high, fill)
    else:
        brush.icon(x, y, "hexagon", high, fill)


def _badges(brush: Brush, x: int, y: int, what: Shown, wide: int, high: int, scale: Scale) -> None:
    """Markers at the corners: at the left conflict and isolation, at the right prestige, damage or Huguenots, and protection; on
    top, far from the price, the number of a menu."""
    theme, size = brush.theme, round(scale.unit * (0.22 if scale.near else 0.26)) * 2
    aside = wide // 2 - size // 2 + scale.over
    left, right, top, foot = x - aside, x + aside, y - high // 2 + size // 2 - scale.over, y + high // 2 - size // 2 + BELOW - 1
    if what.prestige:
        brush.icon(right, top, "star", size, theme.gold_edge)
        brush.icon(right, top, "star", size - 8, theme.gold)
    if what.conflict:
        badge(brush, left, top, size, "attack", theme.alarm)
    if what.damaged:
        badge(brush, right, top, size, "crack", theme.stone)
    if what.huguenots:
        low = foot if what.prestige else top
        badge(brush, right, low, size, "person", theme.gold if what.huguenots == "fresh" else theme.stone)
    if what.isolated:
        badge(brush, left, foot, size, "blockade", theme.card)
    if what.protected:
        badge(brush, right, foot, size, "ally", theme.card)
    if what.number:
        counter(brush, x, y - high // 2 - scale.over + 15, what.number)
    elif what.may:
        pointer(brush, x, top - 1, size)


def counter(brush: Brush, x: int, y: int, number: int) -> None:
    """The number under which a menu lists a space."""
    broad = max(30, width(str(number), "number", SMALLEST) + 10)
    brush.mask(x - broad // 2, y - 15, block(broad, 30, 8), brush.theme.seal_ink)
    brush.mask(x - broad // 2 + 2, y - 13, block(broad - 4, 26, 6), brush.theme.gold)
    brush.text(x, y, str(number), "number", SMALLEST, brush.theme.seal_ink, align="m")


def pointer(brush: Brush, x: int, y: int, size: int) -> None:
    """The sign of where the reader may act."""
    brush.icon(x, y, "down", size, brush.theme.seal_ink)
    brush.icon(x, y - 1, "down", size - 8, brush.theme.gold)


def badge(brush: Brush, x: int, y: int, size: int, icon: str, fill: Colour) -> None:
    """A round marker with an icon, centred on x, y."""
    ink = letter_on(fill)
    brush.icon(x, y, "disc", size, ink)
    brush.icon(x, y, "disc", size - 4, fill)
    brush.icon(x, y, icon, size - 10, ink)
