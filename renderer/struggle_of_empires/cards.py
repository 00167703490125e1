"""The cards of the areas: points, markers and units of each power, neutral markers, captives; what is new to the reader, and
what the reader may do there."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from PIL import Image

from engine.struggle_of_empires.view import AreaView, Neutral
from renderer.brushes import SMALLEST, Brush, block, fit, signed, width
from renderer.struggle_of_empires.base import CARD_COLONY, CARD_EUROPE, HEADER, LOW, Form, Look, base, slots
from renderer.struggle_of_empires.common import POWERS, Box, letter, settled
from renderer.themes import THEMES

TITLE_BAR = 44
SEAL = 34                   # from one place's seal to the next
ROW, LOW_ROW = 38, 30       # a row of a card, and the lowest it may become
LOWEST_ROW = 25             # where a tab must find room on a card that has none left
FIGURES = 24                # the plus and minus figures below a row
FOOT = 36                   # a line of the foot
TAB, DEED = 34, 36          # what a tab stands out from its card, and from one deed's icon to the next
UNITS = {CARD_EUROPE: (132, 210, 270), CARD_COLONY: (116, 190, 250)}     # where armies, navies and forts begin
BAR_UNIT = 8                # by which a bar grows with each marker
ITEM_GAP, TOKEN_GAP = 12, 5
ICON = 30
EDGE, HALO = 2, 5           # the frame of a card, and of one that changed

Token: TypeAlias = tuple[Literal["octagon", "coin", "icon", "number", "label", "chip", "change"], str]
Item: TypeAlias = tuple[Token, ...]
CAPTORS = {"pirates": "Pirates", "slave_revolt": "Revolt"}


# --- what a card shows ------------------------------------------------------------------------------

class Holding(NamedTuple):
    """What a power has in an area, or by how much that changed."""

    markers: int = 0
    armies: int = 0
    navies: int = 0
    forts: int = 0
    blockades: int = 0


class Row(NamedTuple):
    """One power on a card; `now` is empty for a power that has left."""

    power: str
    now: Holding
    gain: Holding


def holdings(area: AreaView) -> dict[str, Holding]:
    """What each power has in an area, in the order of the card."""
    return {held.power: Holding(held.markers, held.armies, held.navies, held.forts, area.blockades.count(held.power))
            for held in area.garrisons}


def rows(area: AreaView, before: AreaView | None) -> list[Row]:
    """The powers in an area, then those that have left since `before`."""
    now = holdings(area)
    known = holdings(before) if before else now
    return [Row(power, held, Holding(*[new - old for new, old in zip(held, known.get(power, Holding()))]))
            for power, held in {**now, **{power: Holding() for power in known if power not in now}}.items()]


def _face(neutral: Neutral) -> tuple[Token, Item]:
    """A neutral marker: its strength or face, and its bonus."""
    bonus: list[Token] = []
    if neutral.gold:
        bonus += [("coin", ""), ("number", str(neutral.gold))]
    if neutral.points:
        bonus += [("icon", "star"), ("number", str(neutral.points))]
    if neutral.kind == "strength":
        return ("octagon", str(neutral.strength)), tuple(bonus)
    return ("icon", "person" if neutral.kind == "pop" else "shackles"), tuple(bonus)


def foot_items(area: AreaView, before: AreaView | None = None) -> Iterator[Item]:
    """What stands in the foot of a card: neutral markers, then captives with who holds them; with what came and went."""
    known = before or area

    def with_gain(item: Item, gain: int) -> Item:
        return (*item, ("change", str(gain))) if gain else item

    old = {_face(neutral): neutral.number for neutral in known.neutrals}
    for neutral in area.neutrals:
        face, bonus = _face(neutral)
        number: Item = (("label", f"×{neutral.number}"),) if neutral.number > 1 else ()
        yield with_gain((face, *number, *bonus), neutral.number - old.pop((face, bonus), 0))
    for (face, bonus), lost in old.items():
        yield with_gain((face, *bonus), -lost)
    held, freed = Counter(area.captives), Counter(known.captives)
    for captive in held | freed:
        item: Item = (("label", CAPTORS.get(captive.held_by, captive.held_by)), ("chip", captive.power))
        yield with_gain(item, held[captive] - freed[captive])


def _token_width(token: Token) -> int:
    kind, value = token
    if kind == "number":
        return width(value, "number", 32)
    if kind == "change":
        return TOKEN_GAP + width(signed(int(value)), "number", SMALLEST)
    if kind == "label":
        return width(value, "label", SMALLEST) + 2
    return 34 if kind in ("octagon", "chip") else ICON


def _item_width(item: Item) -> int:
    return sum(map(_token_width, item)) + TOKEN_GAP * (len(item) - 1)


def foot_lines(items: Iterable[Item], room: int) -> list[list[Item]]:
    """The items of the foot in lines of at most `room` px."""
    lines: list[list[Item]] = []
    left = 0
    for item in items:
        wide = _item_width(item)
        if not lines or wide > left:
            lines.append([])
            left = room
        lines[-1].append(item)
        left -= wide + ITEM_GAP
    return lines


# --- how it fits --------------------------------------------------------------------------------------

class Plan(NamedTuple):
    """A card as it will be drawn."""

    rows: list[Row]
    lines: list[list[Item]]
    row: int                # height of a row
    figures: list[str]      # powers with plus and minus figures below their rows; other changes have but a sign
    whole: bool             # whether everything that changed has its figures

    @property
    def high(self) -> int:
        """The height of the card, without its tab."""
        body = max(1 if not self.lines else 0, len(self.rows)) * self.row + len(self.figures) * FIGURES
        return TITLE_BAR + 4 + body + (len(self.lines) * FOOT + 6 if self.lines else 4)


def _plans(area: AreaView, before: AreaView | None, wide: int) -> Iterator[Plan]:
    """The ways to draw a card, the best first: rows become lower before figures are left out, of the least changes first."""
    changes, room = rows(area, before), wide - 20
    lines = foot_lines(foot_items(area, before), room)
    changed = sorted([row for row in changes if any(row.now) and any(row.gain)], key=lambda row: -sum(map(abs, row.gain)))
    for number in range(len(changed), -1, -1):
        figures = [row.power for row in changed[:number]]
        for row in range(ROW, LOW_ROW - 1, -1):
            yield Plan(changes, lines, row, figures, whole=number == len(changed))
    here, lines = [row for row in changes if any(row.now)], foot_lines(foot_items(area), room)
    for row in range(ROW, LOWEST_ROW - 1, -1):
        yield Plan(here, lines, row, [], whole=False)


def plan(area: AreaView, before: AreaView | None, deeds: tuple[str, ...], slot: Box) -> Plan:
    """The best way to draw a card that its slot has room for; the lowest card if there is none."""
    room = slot.high - (TAB if deeds else 0)
    for found in _plans(area, before, slot.wide):
        if found.high <= room:
            break
    return found


def fits(area: AreaView, form: Form, before: AreaView | None = None, deeds: tuple[str, ...] = ()) -> bool:
    """Whether a card finds room in its slot with all its figures, with low rows if need be."""
    slot = slots(form)[area.area]
    best = plan(area, before, deeds, slot)
    return best.whole and best.high + (TAB if deeds else 0) <= slot.high


# --- drawing --------------------------------------------------------------------------------------------

@lru_cache(maxsize=2048)
def card(look: Look, area: AreaView, before: AreaView | None = None, deeds: tuple[str, ...] = ()) -> Image.Image:
    """The slot of an area: its card on the map. `before` is the area as the reader knew it, if it has changed since; `deeds`
    is what the reader may do there."""
    theme, slot = THEMES[look.theme], slots(look.form)[area.area]
    left, top, right, bottom = slot.corners
    image = base(look).crop((left, top - HEADER, right, bottom - HEADER)).convert("RGB")
    shown = plan(area, before, deeds, slot)
    paper = Image.new("RGB", (slot.wide, shown.high), theme.card)
    _card(Brush(paper, theme), area, shown)
    low = area.area in LOW
    start = slot.high - shown.high if low else 0
    if deeds:
        _tab(Brush(image, theme), deeds, start - TAB if low else start + shown.high, low=low)
    edge, ink = (HALO, theme.mark) if before else (EDGE, theme.edge)
    image.paste(ink, (0, start), block(slot.wide, shown.high, 8))
    inner = block(slot.wide - 2 * edge, shown.high - 2 * edge, max(2, 8 - edge))
    image.paste(paper.crop((edge, edge, slot.wide - edge, shown.high - edge)), (edge, start + edge), inner)
    return settled(image, theme)


def _tab(brush: Brush, deeds: tuple[str, ...], top: int, *, low: bool) -> None:
    """What the reader may do, on a tab that looks out from behind the card."""
    theme, wide = brush.theme, DEED * len(deeds) + 12
    brush.mask(14, top if low else top - 8, block(wide, TAB + 8, 8), theme.edge)
    brush.mask(16, top + 2 if low else top - 8, block(wide - 4, TAB + 6, 6), theme.gold)
    for n, deed in enumerate(deeds):
        brush.icon(20 + DEED // 2 + DEED * n, top + TAB // 2, deed, 28, theme.seal_ink)


def _card(brush: Brush, area: AreaView, shown: Plan) -> None:
    theme, wide = brush.theme, brush.image.width
    brush.draw.rectangle((0, 0, wide, TITLE_BAR), theme.bar)
    x = wide - 8 - SEAL * len(area.values)
    size = fit(area.name, "name", 34, x - 16)
    brush.text(12, 23, area.name, "name", size, theme.bar_ink)
    for n, value in enumerate(area.values):
        brush.seal(x + SEAL // 2 + SEAL * n, 23, str(value), SEAL - 2, theme.seals[min(n, len(theme.seals) - 1)])

    y = TITLE_BAR + 4
    for n, row in enumerate(shown.rows):
        with_figures = row.power in shown.figures
        high = shown.row + FIGURES * with_figures
        if n % 2:
            brush.draw.rectangle((0, y, wide, y + high - 1), theme.stripe)
        if any(row.now):
            length = _garrison(brush, row, y + shown.row // 2, shown.row)
            if with_figures:
                _figures(brush, row.gain, 14, y + shown.row + FIGURES // 2 - 2)
            elif any(row.gain):
                brush.icon(8 + length + 14, y + shown.row // 2, "diamond", 18, theme.mark)
        else:
            _departed(brush, row, y + shown.row // 2)
        y += high
    if shown.lines and shown.rows:
        brush.draw.line((10, y + 1, wide - 11, y + 1), theme.line, 2)
    if not shown.lines and not shown.rows:
        brush.text(12, y + shown.row // 2, "No markers", "label", SMALLEST, theme.muted)
    y += 4
    for line in shown.lines:
        x = 10
        for item in line:
            _item(brush, item, x, y + FOOT // 2)
            x += _item_width(item) + ITEM_GAP
        y += FOOT


def _garrison(brush: Brush, row: Row, y: int, high: int) -> int:
    """One power in an area: markers as a bar (a disc if it has none), then units in fixed columns from the right. Returns the
    length of the bar in px."""
    theme, wide, fill, held = brush.theme, brush.image.width, POWERS[row.power], row.now
    if held.markers:
        length = brush.bar(8, y, high - 2, letter(row.power), held.markers, fill, unit=BAR_UNIT)
    else:
        length = min(high - 1, 34)
        brush.disc(8 + 17, y, letter(row.power), length, fill)
    army, navy, fort = UNITS[wide]
    for x, kind, number in ((army, "army", held.armies), (navy, "navy", held.navies), (fort, "fort", held.forts)):
        if number:
            brush.icon(x + 14, y, kind, 28, theme.ink)
            brush.text(x + 31, y, str(number), "number", 32, theme.ink)
    if held.blockades:
        brush.icon(wide - 24, y, "blockade", 30, theme.alarm)
    elif row.gain.blockades:
        brush.icon(wide - 24, y, "blockade", 30, theme.muted)
    return length


def _figures(brush: Brush, gain: Holding, left: int, y: int) -> None:
    """By how much a power's markers and units changed, each below its own number."""
    army, navy, fort = UNITS[brush.image.width]
    for x, number in ((left, gain.markers), (army + 28, gain.armies), (navy + 28, gain.navies), (fort + 28, gain.forts)):
        if number:
            brush.change(x, y, number)
    if gain.blockades:
        brush.change(brush.image.width - 10, y, gain.blockades, align="r")


def _departed(brush: Brush, row: Row, y: int) -> None:
    """A power that has left: what it had, as losses."""
    theme, gain = brush.theme, row.gain
    brush.disc(8 + 17, y, letter(row.power), 29, POWERS[row.power], ring=theme.muted)
    for x, kind, number in zip(UNITS[brush.image.width], ("army", "navy", "fort"), (gain.armies, gain.navies, gain.forts)):
        if number:
            brush.icon(x + 14, y, kind, 28, theme.muted)
    if gain.markers:
        brush.icon(62, y, "marker", 28, theme.muted)
    if gain.blockades:
        brush.icon(brush.image.width - 24, y, "blockade", 30, theme.muted)
    _figures(brush, gain._replace(blockades=0), 80, y)


def _item(brush: Brush, item: Item, x: int, y: int) -> None:
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
        elif kind == "change":
            brush.change(x + TOKEN_GAP, y, int(value))
        else:
            brush.text(x, y, value, kind, 32 if kind == "number" else SMALLEST, theme.ink)
        x += wide + TOKEN_GAP
