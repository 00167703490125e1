"""The signs of spaces: a form for each type, whose flag flies there, its price, its good, and the markers it bears."""
from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from engine.games.imperial_struggle.view import SpaceView
from renderer.brushes import RING, SMALLEST, Brush, block
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
    fresh: bool             # it is not as the reader knows it
    number: int = 0         # under which a menu lists it; 0: it does not


def shown(space: SpaceView, before: SpaceView | None = None, number: int = 0) -> Shown:
    """What the sign of a space shows, for a reader who knows it as it was before."""
    one = Shown(space.type, space.cost, space.commodity, space.prestige, space.open, space.flag, space.conflict, space.damaged,
                space.huguenots, False, number)
    return one._replace(fresh=before is not None and shown(before)._replace(number=number) != one)


@lru_cache(maxsize=4096)
def sign(theme_name: str, region: str, spot: Spot, scale: Scale, what: Shown) -> Image.Image:
    """The sign of a space on its plate."""
    box = sign_box(spot, scale)
    image = base(theme_name, region, scale).crop(box.corners).convert("RGB")
    draw(Brush(image, THEMES[theme_name]), spot.x - box.left, spot.y - box.top, what, scale)
    return settled(image, THEMES[theme_name])


def draw(brush: Brush, x: int, y: int, what: Shown, scale: Scale) -> None:
    """A sign, centred on x, y."""
    theme = brush.theme
    wide, high = sign_size(what.type, scale)
    fill = FLAGS.get(what.flag, theme.card)
    if not what.open:
        fill = mix(theme.card, theme.sea, 0.5)
    ring = theme.mark if what.fresh else theme.ring
    thick = RING + 3 if what.fresh else RING
    if what.fresh:
        _form(brush, x, y, what.type, wide + 2 * BELOW, high + 2 * BELOW, theme.halo)
        _form(brush, x, y, what.type, wide + 2 * BELOW - 2, high + 2 * BELOW - 2, ring)
        _form(brush, x, y, what.type, wide - 2, high - 2, theme.halo)
        _form(brush, x, y, what.type, wide - 6, high - 6, fill)
    else:
        _form(brush, x, y, what.type, wide, high, ring)
        _form(brush, x, y, what.type, wide - 2 * thick, high - 2 * thick, fill)
    ink = letter_on(fill) if what.flag else theme.ink if what.open else theme.muted
    words = SIGNS.get(what.flag) or ("" if what.cost is None else str(what.cost))
    text = max(SMALLEST, round(scale.unit * (0.72 if what.flag else 0.62)))
    icon = GOODS.get(what.good, "navy" if what.type == "naval" else "")
    if what.type in ("market", "naval"):
        part = round(scale.unit * 0.62)
        if icon and words:
            brush.icon(x + wide // 2 - part // 2 - 7, y, icon, part, ink)
            brush.text(x - wide // 2 + round(scale.unit * 0.42), y, words, "number", text, ink, align="m")
        elif icon:
            brush.icon(x, y, icon, part, ink if what.flag else theme.muted)
        else:
            brush.text(x, y, words, "number", text, ink, align="m")
    else:
        down = round(scale.unit * 0.06) if what.type == "fort" else 0
        brush.text(x, y + down, words, "number", text, ink, align="m")
    _badges(brush, x, y, what, wide, high, scale)


def _form(brush: Brush, x: int, y: int, type: str, wide: int, high: int, fill: Colour) -> None:
    """The form of a type, filled."""
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
    """Markers at the corners: prestige, conflict, damage, Huguenots."""
    theme, size = brush.theme, round(scale.unit * 0.52)
    aside = wide // 2 - size // 2 + scale.over
    left, right, top = x - aside, x + aside, y - high // 2 + size // 2 - scale.over
    if what.prestige:
        brush.icon(right, top, "star", size + 2, theme.gold_edge)
        brush.icon(right, top, "star", size - 6, theme.gold)
    if what.conflict:
        brush.icon(left, top, "disc", size, theme.seal_ink)
        brush.icon(left, top, "disc", size - 4, theme.alarm)
        brush.icon(left, top, "attack", size - 10, letter_on(theme.alarm))
    if what.damaged:
        brush.icon(right, top, "disc", size, theme.seal_ink)
        brush.icon(right, top, "disc", size - 4, theme.stone)
        brush.icon(right, top, "crack", size - 8, theme.seal_ink)
    if what.huguenots:
        brush.icon(right, top, "disc", size, theme.seal_ink)
        brush.icon(right, top, "disc", size - 4, theme.gold if what.huguenots == "fresh" else theme.stone)
        brush.icon(right, top, "person", size - 10, theme.seal_ink)

