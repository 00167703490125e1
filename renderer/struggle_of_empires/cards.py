"""The cards of the areas: points, markers and units of each power, neutral markers, captives."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, TypeAlias

from PIL import Image

from engine.struggle_of_empires.view import AreaView, Garrison
from renderer.brushes import SMALLEST, Brush, block, fit, width
from renderer.struggle_of_empires.base import CARD_COLONY, CARD_EUROPE, HEADER, LOW, Form, Look, base, slots
from renderer.struggle_of_empires.common import POWERS, letter, settled
from renderer.themes import THEMES

TITLE_BAR = 44
SEAL = 34                   # from one place's seal to the next
ROW, LOW_ROW = 38, 30       # a row of a card, and the lowest it may become
FOOT = 36                   # a line of the foot
UNITS = {CARD_EUROPE: (132, 210, 270), CARD_COLONY: (116, 190, 250)}     # where armies, navies and forts begin
BAR_UNIT = 8                # by which a bar grows with each marker
ITEM_GAP, TOKEN_GAP = 12, 5
ICON = 30

Token: TypeAlias = tuple[Literal["octagon", "coin", "icon", "number", "label", "chip"], str]
CAPTORS = {"pirates": "Pirates", "slave_revolt": "Revolt"}


def foot_items(area: AreaView) -> Iterator[tuple[Token, ...]]:
    """What stands in the foot of a card: neutral markers, then captives with who holds them."""
    for neutral in area.neutrals:
        item: list[Token] = []
        if neutral.kind == "strength":
            item.append(("octagon", str(neutral.strength)))
        else:
            item.append(("icon", "person" if neutral.kind == "pop" else "shackles"))
        if neutral.number > 1:
            item.append(("label", f"×{neutral.number}"))
        if neutral.gold:
            item += [("coin", ""), ("number", str(neutral.gold))]
        if neutral.points:
            item += [("icon", "star"), ("number", str(neutral.points))]
        yield tuple(item)
    for captive in area.captives:
        yield ("label", CAPTORS.get(captive.held_by, captive.held_by)), ("chip", captive.power)


def _token_width(token: Token) -> int:
    kind, value = token
    if kind == "number":
        return width(value, "number", 32)
    if kind == "label":
        return width(value, "label", SMALLEST) + 2
    return 34 if kind in ("octagon", "chip") else ICON


def _item_width(item: tuple[Token, ...]) -> int:
    return sum(map(_token_width, item)) + TOKEN_GAP * (len(item) - 1)


def foot_lines(area: AreaView, room: int) -> list[list[tuple[Token, ...]]]:
    """The items of the foot in lines of at most `room` px."""
    lines: list[list[tuple[Token, ...]]] = []
    left = 0
    for item in foot_items(area):
        wide = _item_width(item)
        if not lines or wide > left:
            lines.append([])
            left = room
        lines[-1].append(item)
        left -= wide + ITEM_GAP
    return lines


def card_height(area: AreaView, wide: int, row: int) -> int:
    """How high a card of this width is when its rows are so high."""
    lines = len(foot_lines(area, wide - 20))
    return TITLE_BAR + 4 + max(1 if not lines else 0, len(area.garrisons)) * row + (lines * FOOT + 6 if lines else 4)


def fits(area: AreaView, form: Form) -> bool:
    """Whether a card finds room in its slot, with the lowest rows if need be."""
    slot = slots(form)[area.area]
    return card_height(area, slot.wide, LOW_ROW) <= slot.high


@lru_cache(maxsize=2048)
def card(look: Look, area: AreaView) -> Image.Image:
    """The slot of an area: its card on the map."""
    theme, slot = THEMES[look.theme], slots(look.form)[area.area]
    left, top, right, bottom = slot.corners
    image = base(look).crop((left, top - HEADER, right, bottom - HEADER)).convert("RGB")
    row = next((row for row in range(ROW, LOW_ROW, -1) if card_height(area, slot.wide, row) <= slot.high), LOW_ROW)
    high = card_height(area, slot.wide, row)
    paper = Image.new("RGB", (slot.wide, high), theme.card)
    _card(Brush(paper, theme), area, row)
    start = slot.high - high if area.area in LOW else 0
    image.paste(theme.edge, (0, start), block(slot.wide, high, 8))
    inner = block(slot.wide - 4, high - 4, 6)
    image.paste(paper.crop((2, 2, slot.wide - 2, high - 2)), (2, start + 2), inner)
    return settled(image, theme)


def _card(brush: Brush, area: AreaView, row: int) -> None:
    theme, wide = brush.theme, brush.image.width
    brush.draw.rectangle((0, 0, wide, TITLE_BAR), theme.bar)
    x = wide - 8 - SEAL * len(area.values)
    size = fit(area.name, "name", 34, x - 16)
    brush.text(12, 23, area.name, "name", size, theme.bar_ink)
    for n, value in enumerate(area.values):
        brush.seal(x + SEAL // 2 + SEAL * n, 23, str(value), SEAL - 2, theme.seals[min(n, len(theme.seals) - 1)])

    y = TITLE_BAR + 4
    for n, garrison in enumerate(area.garrisons):
        if n % 2:
            brush.draw.rectangle((0, y, wide, y + row - 1), theme.stripe)
        _garrison(brush, garrison, y + row // 2, row, blockaded=garrison.power in area.blockades)
        y += row
    lines = foot_lines(area, wide - 20)
    if lines and area.garrisons:
        brush.draw.line((10, y + 1, wide - 11, y + 1), theme.line, 2)
    if not lines and not area.garrisons:
        brush.text(12, y + row // 2, "No markers", "label", SMALLEST, theme.muted)
    y += 4
    for line in lines:
        x = 10
        for item in line:
            _item(brush, item, x, y + FOOT // 2)
            x += _item_width(item) + ITEM_GAP
        y += FOOT


def _garrison(brush: Brush, garrison: Garrison, y: int, row: int, *, blockaded: bool) -> None:
    """One power in an area: markers as a bar (a disc if it has none), then units in fixed columns from the right."""
    theme, wide, fill = brush.theme, brush.image.width, POWERS[garrison.power]
    if garrison.markers:
        brush.bar(8, y, row - 2, letter(garrison.power), garrison.markers, fill, unit=BAR_UNIT)
    else:
        brush.disc(8 + 17, y, letter(garrison.power), min(row - 1, 34), fill)
    army, navy, fort = UNITS[wide]
    for x, kind, number in ((army, "army", garrison.armies), (navy, "navy", garrison.navies), (fort, "fort", garrison.forts)):
        if number:
            brush.icon(x + 14, y, kind, 28, theme.ink)
            brush.text(x + 31, y, str(number), "number", 32, theme.ink)
    if blockaded:
        brush.icon(wide - 24, y, "blockade", 30, theme.alarm)


def _item(brush: Brush, item: Iterable[Token], x: int, y: int) -> None:
    theme = brush.theme
    for token in item:
        kind, value = token
        wide = _token_width(token)
        middle = x + wide // 2
        if kind == "octagon":
            brush.octagon(middle, y, value, 34)
        elif kind == "coin":
            brush.coin(middle, y, 28)
        elif kind == "icon":
            brush.icon(middle, y, value, 28, theme.gold if value == "star" else theme.ink)
        elif kind == "chip":
            brush.disc(middle, y, letter(value), 34, POWERS[value])
        else:
            brush.text(x, y, value, kind, 32 if kind == "number" else SMALLEST, theme.ink)
        x += wide + TOKEN_GAP
