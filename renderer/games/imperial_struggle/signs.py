"""The signs of spaces: a form for each type, whose flag flies there, its price, its good, and the markers it bears."""
from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from engine.games.imperial_struggle.view import SpaceView
from renderer.brushes import RING, SMALLEST, Brush, block, width
from renderer.games.imperial_struggle.base import base
from renderer.games.imperial_struggle.common import FLAGS, GOODS, SIGNS, settled
from renderer.games.imperial_struggle.layout import BELOW, Scale, Spot, sign_box, sign_size
from renderer.themes import THEMES, Colour, letter_on, mix


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


def shown(space: SpaceView, *, near: bool = False) -> Shown:
    """Return what the sign of a space shows, without marks; on the board without what close-ups add."""
    return Shown(space.type, space.cost, space.commodity, space.prestige, space.open, space.flag, space.conflict, space.damaged,
                 space.huguenots, near and space.protected, near and space.isolated)


@lru_cache(maxsize=4096)
def sign(theme_name: str, region: str, spot: Spot, scale: Scale, what: Shown) -> Image.Image:
    box = sign_box(spot, scale)
    image = base(theme_name, region, scale).crop(box.corners).convert("RGB")
    draw(Brush(image, THEMES[theme_name]), spot.x - box.left, spot.y - box.top, what, scale)
    return settled(image, THEMES[theme_name])


def _letter(brush: Brush, x: int, y: int, what: Shown, scale: Scale, ink: Colour) -> None:
    """Whose flag flies there, close up with the price, for which the board and round signs with a number have no room; or the
    price alone."""
    words = SIGNS.get(what.flag) or ("" if what.cost is None else str(what.cost))
    text = max(SMALLEST, round(scale.unit * (0.72 if what.flag else 0.62)))
    room = scale.near and (what.type == "market" or not what.number)
    if not (room and what.flag and what.cost is not None):
        brush.text(x, y, words, "number", text, ink, align="m")
        return
    text, price = round(scale.unit * 0.6), str(what.cost)
    x -= (width(words, "number", text) + width(price, "number", SMALLEST) + 2) // 2
    x += brush.text(x, y, words, "number", text, ink) + 2
    brush.text(x, y + round(scale.unit * 0.1), price, "number", SMALLEST, ink)


def draw(brush: Brush, x: int, y: int, what: Shown, scale: Scale) -> None:
    theme = brush.theme
    wide, high = sign_size(what.type, scale)
    fill = FLAGS.get(what.flag, theme.card)
    if not what.open:
        fill = mix(theme.card, theme.sea, 0.5)
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
    words = SIGNS.get(what.flag) or ("" if what.cost is None else str(what.cost))
    aside = round(scale.unit * 0.12) if what.number else 0      # a letter stands clear of the number at its left
    icon = GOODS.get(what.good, "navy" if what.type == "naval" else "")
    if what.type in ("market", "naval"):
        part = round(scale.unit * 0.62)
        if icon and words:
            brush.icon(x + wide // 2 - part // 2 - 7, y, icon, part, ink)
            _letter(brush, x - wide // 2 + round(scale.unit * 0.42) + aside, y, what, scale, ink)
        elif icon:
            brush.icon(x, y, icon, part, ink if what.flag else theme.muted)
        else:
            _letter(brush, x + aside, y, what, scale, ink)
    else:
        down = round(scale.unit * 0.06) if what.type == "fort" else 0
        _letter(brush, x + aside, y + down, what, scale, ink)
    _badges(brush, x, y, what, wide, high, scale)


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
    """Markers at the sides: at the left conflict, the number of a menu and isolation, at the right prestige, damage or Huguenots,
    and protection."""
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
        said = str(what.number)
        broad = max(30, width(said, "number", SMALLEST) + 10)
        brush.mask(left - size // 2, y - 15, block(broad, 30, 8), theme.seal_ink)
        brush.mask(left - size // 2 + 2, y - 13, block(broad - 4, 26, 6), theme.gold)
        brush.text(left - size // 2 + broad // 2, y, said, "number", SMALLEST, theme.seal_ink, align="m")
    elif what.may:
        brush.icon(left + 2, y, "pointer", size, theme.seal_ink)
        brush.icon(left + 1, y, "pointer", size - 8, theme.gold)


def badge(brush: Brush, x: int, y: int, size: int, icon: str, fill: Colour) -> None:
    """A round marker with an icon, centred on x, y."""
    ink = letter_on(fill)
    brush.icon(x, y, "disc", size, ink)
    brush.icon(x, y, "disc", size - 4, fill)
    brush.icon(x, y, icon, size - 10, ink)
