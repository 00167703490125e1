"""The cards of the areas: points, markers and units of each power, neutral markers, captives; what is new to the reader, and
what the reader may do there."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from PIL import Image

from engine.games.struggle_of_empires.view import AreaView, LocalAlliance, Neutral
from engine.text import say, template, text
from renderer import brushes as br
from renderer.games.struggle_of_empires.base import CARD_COLONY, CARD_EUROPE, HEADER, LOW, Form, Look, base, slots
from renderer.games.struggle_of_empires.common import CLOSED, POWERS, letter, put_shield, settled
from renderer.layout.boxes import Box
from renderer.themes import THEMES, Colour, Theme
from renderer.words import short_name, spoken

TITLE_BAR = 44
SEAL = 34                   # from one place's seal to the next
ROW, LOW_ROW = 38, 30       # a row of a card, and the lowest it may become
LOWEST_ROW = 25             # where a tab must find room on a card that has none left
FIGURES = 44                # the plus and minus figures below a row
FOOT, MARKED_FOOT = 36, 40  # a line of the foot; one with plus and minus figures
TAB, DEED = 34, 36          # what a tab stands out from its card, and from one deed's icon to the next
UNITS = {CARD_EUROPE: (132, 210, 270), CARD_COLONY: (116, 190, 250)}     # where armies, navies and forts begin
BAR_UNIT = 8                # by which a bar grows with each marker
ITEM_GAP, TOKEN_GAP = 12, 5
ICON = 30
EDGE, HALO = 2, 5           # the frame of a card, and of one that changed
ROUND, CORNER = 8, 9        # the radius of a card's corners, and what is taken for a corner

HALF = 32                   # of the bar of a power that nobody plays, what is in its colour
SHIELD = 34

Token: TypeAlias = tuple[Literal["octagon", "coin", "icon", "number", "label", "chip", "shield", "change"], str]
Item: TypeAlias = tuple[Token, ...]
CAPTORS = {"pirates": template("Pirates"), "slave_revolt": template("Revolt")}


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
    return ("icon", face_icon(neutral)), tuple(bonus)


def face_icon(neutral: Neutral) -> str:
    """The icon of a neutral marker without a number."""
    return "person" if neutral.kind == "pop" else "trade" if neutral.called else "shackles"


def faces_of(neutral: Neutral) -> Iterator[tuple[str, str]]:
    """The icons of a neutral marker that the legend's other signs don't explain, and what they mean."""
    if neutral.kind not in ("strength", "pop"):
        yield face_icon(neutral), neutral.called or template("slave marker")
    if neutral.points:
        yield "star", template("points")


def _place(place: LocalAlliance, *, naval: bool) -> Item:
    """A place for a local alliance: whose marker it holds or what it costs; at sea where it helps, if that is not everywhere."""
    item: list[Token] = [("shield", place.holder or (CLOSED if place.closed else ""))]
    if naval and not (place.land and place.sea):
        item.append(("icon", "army" if place.land else "navy"))
    if not place.holder and not place.closed:
        if place.gold:
            item += [("coin", ""), ("number", str(place.gold))]
        if place.population:
            item += [("icon", "person"), ("number", str(place.population))]
    return tuple(item)


def foot_items(area: AreaView, before: AreaView | None = None) -> Iterator[Item]:
    """Yield what stands in the foot of a card: local alliances, then neutral markers, then captives with who holds them; with
    what
    came and went."""
    known = before or area

    def with_gain(item: Item, gain: int) -> Item:
        return (*item, ("change", str(gain))) if gain else item

    for place, was in zip(area.local, known.local):
        gain = (bool(place.holder) - bool(was.holder) or 1) if place.holder != was.holder else 0
        yield with_gain(_place(place, naval=area.naval), gain)
    old = {_face(neutral): neutral.number for neutral in known.neutrals}
    for neutral in area.neutrals:
        face, bonus = _face(neutral)
        number: Item = (("label", f"×{neutral.number}"),) if neutral.number > 1 else ()
        yield with_gain((face, *number, *bonus), neutral.number - old.pop((face, bonus), 0))
    for (face, bonus), lost in old.items():
        yield with_gain((face, *bonus), -lost)
    held, freed = Counter(area.captives), Counter(known.captives)
    for captive in held | freed:
        item: Item = (("label", say(CAPTORS.get(captive.held_by, captive.held_by))), ("chip", captive.power))
        yield with_gain(item, held[captive] - freed[captive])


def _token_width(token: Token) -> int:
    kind, value = token
    if kind == "number":
        return br.width(value, "number", 32)
    if kind == "change":
        return TOKEN_GAP + br.width(br.signed(int(value)), "number", br.MARK_SIZE)
    if kind == "label":
        return br.width(value, "label", br.SMALLEST) + 2
    if kind == "shield":
        return SHIELD
    return 34 if kind in ("octagon", "chip") else ICON


def _item_width(item: Item) -> int:
    return sum(map(_token_width, item)) + TOKEN_GAP * (len(item) - 1)


def foot_lines(items: Iterable[Item], room: int) -> list[list[Item]]:
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


def foot_height(line: Sequence[Item]) -> int:
    return MARKED_FOOT if any(kind == "change" for item in line for kind, _ in item) else FOOT


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
        return TITLE_BAR + 4 + body + (sum(map(foot_height, self.lines)) + 6 if self.lines else 4)


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
    """True if a card finds room in its slot with all its figures, with low rows if need be."""
    slot = slots(form)[area.area]
    best = plan(area, before, deeds, slot)
    return best.whole and best.high + (TAB if deeds else 0) <= slot.high


# --- drawing --------------------------------------------------------------------------------------------

# Tiles and cards are palette images; only what is new on a tile, and what blends with the map, is drawn in full colour.

@spoken(maxsize=256)
def card(look: Look, area: AreaView, before: AreaView | None = None, deeds: tuple[str, ...] = (), number: int = 0) -> Image.Image:
    """The slot of an area: its card on the map. `before` is the area as the reader knew it, if it has changed since; `deeds`
    is what the reader may do there, `number` that by which the menu calls it, if it does."""
    theme, slot = THEMES[look.theme], slots(look.form)[area.area]
    left, top, right, bottom = slot.corners
    image = base(look).crop((left, top - HEADER, right, bottom - HEADER))
    shown = plan(area, before, deeds, slot)
    low = area.area in LOW
    start = slot.high - shown.high if low else 0
    if deeds:
        _tab(image, theme, deeds, number, start - TAB if low else start + shown.high, low=low)
    edge, ink = (HALO, theme.mark) if before else (EDGE, theme.edge)
    _lay(image, _paper(look, area, shown, slot.wide), start, edge, ink, theme)
    return image


def _lay(image: Image.Image, paper: Image.Image, top: int, edge: int, ink: Colour, theme: Theme) -> None:
    """Lay a card with an edge of this colour on the map. Its four round corners blend with the map: as one small card."""
    wide, high = paper.size
    under, over = _corners(image.crop((0, top, wide, top + high))), _corners(paper)
    inside = br.block(under.width - 2 * edge, under.height - 2 * edge, max(2, ROUND - edge))
    under.paste(ink, (0, 0), br.block(*under.size, ROUND))
    under.paste(over.crop((edge, edge, over.width - edge, over.height - edge)), (edge, edge), inside)
    small = settled(under, theme)

    image.paste(_number(theme, ink), (0, top, wide, top + high))
    image.paste(paper.crop((edge, edge, wide - edge, high - edge)), (edge, top + edge))
    for x, left in ((0, 0), (CORNER, wide - CORNER)):
        for y, down in ((0, 0), (CORNER, high - CORNER)):
            image.paste(small.crop((x, y, x + CORNER, y + CORNER)), (left, top + down))


def _corners(image: Image.Image) -> Image.Image:
    wide, high = image.size
    found = Image.new("RGB", (2 * CORNER, 2 * CORNER))
    for x, left in ((0, 0), (CORNER, wide - CORNER)):
        for y, top in ((0, 0), (CORNER, high - CORNER)):
            found.paste(image.crop((left, top, left + CORNER, top + CORNER)).convert("RGB"), (x, y))
    return found


@lru_cache(maxsize=64)
def _number(theme: Theme, ink: Colour) -> int:
    return settled(Image.new("RGB", (1, 1), ink), theme).tobytes()[0]


def _tab(image: Image.Image, theme: Theme, deeds: tuple[str, ...], number: int, top: int, *, low: bool) -> None:
    first = br.counter_width(number) + 4 if number else 0
    wide, high, begin = first + DEED * len(deeds) + 12, TAB + ROUND, top if low else top - ROUND
    drawn = image.crop((14, begin, 14 + wide, begin + high)).convert("RGB")
    brush = br.Brush(drawn, theme)
    brush.mask(0, 0, br.block(wide, high, 8), theme.edge)
    brush.mask(2, 2 if low else 0, br.block(wide - 4, high - 2, 6), theme.gold)
    if number:
        brush.counter(6, top - begin + TAB // 2, number)
    for n, deed in enumerate(deeds):
        brush.icon(6 + first + DEED // 2 + DEED * n, top - begin + TAB // 2, deed, 28, theme.seal_ink)
    image.paste(settled(drawn, theme), (14, begin))


def _paper(look: Look, area: AreaView, shown: Plan, wide: int) -> Image.Image:
    """A card with square corners and without its edge, put together from its tiles."""
    theme_name, theme = look.theme, THEMES[look.theme]
    title = _title(theme_name, short_name(area.name), area.values, wide)
    paper = Image.new("P", (wide, shown.high), _number(theme, theme.card))
    paper.putpalette(title.getpalette() or [])
    paper.paste(title, (0, 0))
    y = TITLE_BAR + 4
    for n, row in enumerate(shown.rows):
        tile = _row(theme_name, row, shown.row, row.power in shown.figures, bool(n % 2), wide, row.power in look.npps)
        paper.paste(tile, (0, y))
        y += tile.height
    if shown.lines and shown.rows:
        paper.paste(_number(theme, theme.line), (10, y + 1, wide - 10, y + 3))
    if not shown.lines and not shown.rows:
        paper.paste(_nothing(theme_name, shown.row, wide), (0, y))
    y += 4
    for line in shown.lines:
        npps = tuple(value for item in line for kind, value in item if kind == "chip" and value in look.npps)
        paper.paste(_foot(theme_name, tuple(line), wide, npps), (0, y))
        y += foot_height(line)
    return paper


@spoken(maxsize=64)
def _title(theme_name: str, name: str, values: tuple[int, ...], wide: int) -> Image.Image:
    theme = THEMES[theme_name]
    image = Image.new("RGB", (wide, TITLE_BAR + 1), theme.bar)
    brush, x = br.Brush(image, theme), wide - 8 - SEAL * len(values)
    size = br.fit(name, "name", 34, x - 16)
    brush.text(12, 23, br.clipped(name, "name", size, x - 16), "name", size, theme.bar_ink)
    for n, value in enumerate(values):
        brush.seal(x + SEAL // 2 + SEAL * n, 23, str(value), SEAL - 2, theme.seals[min(n, len(theme.seals) - 1)])
    return settled(image, theme)


@spoken(maxsize=512)
def _row(theme_name: str, row: Row, high: int, with_figures: bool, striped: bool, wide: int, npp: bool) -> Image.Image:
    """One power in an area, in a row so high, with plus and minus figures below it or a sign that something changed."""
    theme, middle = THEMES[theme_name], high // 2
    image = Image.new("RGB", (wide, high + FIGURES * with_figures), theme.stripe if striped else theme.card)
    brush = br.Brush(image, theme)
    if any(row.now):
        length = _garrison(brush, row, middle, high, npp=npp)
        if with_figures:
            _figures(brush, row.gain, 14, high + FIGURES // 2)
        elif any(row.gain):
            brush.icon(8 + length + 18, middle, "diamond", min(high, br.MARK), theme.mark)
    else:
        _departed(brush, row, middle, npp=npp)
    return settled(image, theme)


@spoken(maxsize=16)
def _nothing(theme_name: str, high: int, wide: int) -> Image.Image:
    theme = THEMES[theme_name]
    image = Image.new("RGB", (wide, high), theme.card)
    br.Brush(image, theme).text(12, high // 2, say(text("No markers")), "label", br.SMALLEST, theme.muted)
    return settled(image, theme)


@spoken(maxsize=256)
def _foot(theme_name: str, items: tuple[Item, ...], wide: int, npps: tuple[str, ...]) -> Image.Image:
    """A line of the foot; `npps` are those of its powers that nobody plays."""
    theme, x = THEMES[theme_name], 10
    image = Image.new("RGB", (wide, foot_height(items)), theme.card)
    brush = br.Brush(image, theme)
    for item in items:
        _item(brush, item, x, image.height // 2, npps)
        x += _item_width(item) + ITEM_GAP
    return settled(image, theme)


def _garrison(brush: br.Brush, row: Row, y: int, high: int, *, npp: bool) -> int:
    """One power in an area: markers as a bar (a disc if it has none), then units in fixed columns from the right. Returns the
    length of the bar in px."""
    theme, wide, fill, held = brush.theme, brush.image.width, POWERS[row.power], row.now
    if held.markers:
        length = brush.bar(8, y, high - 2, letter(row.power), held.markers, fill, unit=BAR_UNIT, half=HALF * npp)
    else:
        length = min(high - 3 if npp else high - 1, 34)
        (brush.square if npp else brush.disc)(8 + 17, y, letter(row.power), length, fill)
    army, navy, fort = UNITS[wide]
    for x, kind, number in ((army, "army", held.armies), (navy, "navy", held.navies), (fort, "fort", held.forts)):
        if number:
            brush.icon(x + 14, y, kind, min(28, high), theme.ink)
            brush.text(x + 31, y, str(number), "number", 32, theme.ink)
    if held.blockades:
        brush.icon(wide - 24, y, "blockade", min(30, high), theme.alarm)
    elif row.gain.blockades:
        brush.icon(wide - 24, y, "blockade", min(30, high), theme.muted)
    return length


def _figures(brush: br.Brush, gain: Holding, left: int, y: int) -> None:
    """By how much a power's markers and units changed, each below its own number."""
    army, navy, fort = UNITS[brush.image.width]
    for x, number in ((left, gain.markers), (army, gain.armies), (navy, gain.navies), (fort, gain.forts)):
        if number:
            wide = br.width(br.signed(number), "number", br.MARK_SIZE)
            brush.change(min(x, brush.image.width - 8 - wide), y, number)
    if gain.blockades:
        brush.change(brush.image.width - 10, y, gain.blockades, align="r")


def _departed(brush: br.Brush, row: Row, y: int, *, npp: bool) -> None:
    """A power that has left: what it had, as losses."""
    theme, gain = brush.theme, row.gain
    (brush.square if npp else brush.disc)(8 + 17, y, letter(row.power), 29, POWERS[row.power], ring=theme.muted)
    lost = [(kind, number) for kind, number in zip(("marker", "army", "navy", "fort"), gain) if number]
    x, size = 48, min(br.MARK_SIZE, brush.image.height * 6 // 5) if len(lost) < 4 else br.SMALLEST
    for kind, number in lost:
        brush.icon(x + 14, y, kind, 28, theme.muted)
        x += 32 + brush.change(x + 32, y, number, size=size) + 8
    if gain.blockades:
        brush.icon(brush.image.width - 24, y, "blockade", 30, theme.muted)


def _item(brush: br.Brush, item: Item, x: int, y: int, npps: tuple[str, ...]) -> None:
    theme = brush.theme
    for token in item:
        kind, value = token
        wide = _token_width(token)
        middle = x + wide // 2
        if kind == "octagon":
            brush.octagon(middle, y, value, 34)
        elif kind == "coin":
            brush.coin(middle, y, 28)
        elif value == "star":
            brush.star(middle, y, 30)
        elif kind == "icon":
            brush.icon(middle, y, value, 28, theme.ink)
        elif kind == "chip":
            (brush.square if value in npps else brush.disc)(middle, y, letter(value), 34, POWERS[value])
        elif kind == "shield":
            put_shield(brush, middle, y - 1, value, SHIELD)
        elif kind == "change":
            brush.change(x + TOKEN_GAP, y, int(value))
        else:
            brush.text(x, y, value, kind, 32 if kind == "number" else br.SMALLEST, theme.ink)
        x += wide + TOKEN_GAP
