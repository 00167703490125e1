"""The board of Struggle of Empires: where things stand.

From top to bottom: header, Europe with a card for each of its areas, six colonies with a card each, the table of powers. What
never changes is the base, made once for each look. Everything else is a tile: a function of exactly the values it shows, so
its cache needs no other key.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from PIL import Image, ImageDraw

from engine.struggle_of_empires.view import AreaView, AuctionView, Garrison, PowerView, View
from renderer.brushes import SMALLEST, Brush, block, capped, fit, width
from renderer.plates import SMOOTH, draw_map, placing, plate
from renderer.themes import THEMES, Colour, Theme, colour, palette

GAME = "struggle_of_empires"
WIDE = 1200             # px, as all measures here
MARGIN, GAP = 16, 12
HEADER = 132

POWERS: dict[str, Colour] = {
    "austria": colour("#FFFFFF"), "britain": colour("#9C0A10"), "france": colour("#1F4FA3"), "prussia": colour("#16161A"),
    "russia": colour("#1FA588"), "spain": colour("#F7D106"), "united_provinces": colour("#D06527")}
FILLS = tuple(POWERS.values())

EUROPE = ("german_states", "baltic", "central_europe", "ottoman_empire", "mediterranean")
COLONIES = ("north_america", "caribbean", "south_america", "africa", "india", "east_indies")

# Places on the plate of Europe, px. Signs of homes stand where no card covers them, with the side on which the name fits;
# areas not named here have their dots at the plate's own anchors.
HOMES: dict[str, tuple[int, int, Literal["below", "right", ""]]] = {
    "austria": (603, 606, "below"), "britain": (339, 458, "below"), "france": (377, 618, "below"), "prussia": (590, 468, "right"),
    "russia": (772, 300, "below"), "spain": (237, 768, "below"), "united_provinces": (438, 480, "")}
DOTS = {"mediterranean": (558, 676), "central_europe": (736, 520)}


class Box(NamedTuple):
    left: int
    top: int
    wide: int
    high: int

    @property
    def corners(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom, as Pillow wants them."""
        return self.left, self.top, self.left + self.wide, self.top + self.high


@dataclass(frozen=True)
class Form:
    """One division of the board: heights of the plates."""

    europe: int
    colony: int

    @property
    def table(self) -> int:
        """Where the table of powers begins."""
        return HEADER + 8 + self.europe + 2 * (GAP + self.colony) + GAP


SHORT, TALL = Form(europe=880, colony=300), Form(europe=1060, colony=360)      # TALL holds seven powers in every area


class Look(NamedTuple):
    """What the base depends on."""

    theme: str
    form: Form
    powers: tuple[str, ...]     # in the game, in alphabetical order: their homes are coloured


# --- where things stand ---------------------------------------------------------------------------

CARD_EUROPE, CARD_COLONY = 328, 348
PAD = 14                # from a plate's frame to a card


def windows(form: Form) -> dict[str, Box]:
    """The window of each plate."""
    found = {"europe": Box(MARGIN, HEADER + 8, WIDE - 2 * MARGIN, form.europe)}
    wide, top = (WIDE - 2 * MARGIN - 2 * GAP) // 3, HEADER + 8 + form.europe + GAP
    for n, area in enumerate(COLONIES):
        found[area] = Box(MARGIN + n % 3 * (wide + GAP), top + n // 3 * (form.colony + GAP), wide, form.colony)
    return found


@lru_cache(maxsize=4)
def slots(form: Form) -> dict[str, Box]:
    """The room that the card of each area may take."""
    plates = windows(form)
    left, top, wide, high = plates.pop("europe")
    right, bottom = left + wide - PAD - CARD_EUROPE, top + high - PAD
    third = (high - 2 * PAD - 2 * GAP) // 3
    found = {"german_states": Box(left + PAD, top + PAD, CARD_EUROPE, third),
             "baltic": Box(right, top + PAD, CARD_EUROPE, third),
             "central_europe": Box(right, top + PAD + third + GAP, CARD_EUROPE, third),
             "ottoman_empire": Box(right, bottom - third, CARD_EUROPE, third),
             "mediterranean": Box(left + 348, bottom - third, CARD_EUROPE, third)}
    for area, window in plates.items():
        found[area] = Box(window.left + (window.wide - CARD_COLONY) // 2, window.top + 12, CARD_COLONY, window.high - 24)
    return found


LOW = ("mediterranean", *COLONIES)      # these cards stand at the foot of their slots, the others hang from the top


# --- the base -------------------------------------------------------------------------------------

@lru_cache(maxsize=12)
def base(look: Look) -> Image.Image:
    """Maps, frames, leader lines and names of homes: all that no move changes; a palette image from y = HEADER down."""
    theme = THEMES[look.theme]
    image = Image.new("RGB", (WIDE, look.form.table - HEADER), theme.paper)
    for name, window in windows(look.form).items():
        chart = draw_map(plate(GAME, name), window.wide, window.high, theme, lambda region: _land(region, look))
        if name == "europe":
            _leaders(chart, look.form, theme)
        top = window.top - HEADER
        image.paste(chart.reduce(SMOOTH), (window.left, top))
        _frame(ImageDraw.Draw(image), Box(window.left, top, window.wide, window.high), theme)
    _homes(Brush(image, theme), look)
    return _settled(image, theme)


def _settled(image: Image.Image, theme: Theme) -> Image.Image:
    """The image in the theme's palette."""
    return image.quantize(palette=palette(theme, FILLS), dither=Image.Dither.NONE)


def _land(region: str, look: Look) -> Colour:
    theme = THEMES[look.theme]
    if region in look.powers:
        return theme.home(POWERS[region])
    return theme.tints.get(region, theme.land)


def spot(form: Form, x: float, y: float) -> tuple[int, int]:
    """A place on the plate of Europe as px from the corner of its window."""
    window = windows(form)["europe"]
    scale, left, top = placing(plate(GAME, "europe"), window.wide, window.high)
    return round(x * scale + left), round(y * scale + top)


def _leaders(chart: Image.Image, form: Form, theme: Theme) -> None:
    """A dot in each area of Europe, and a line from it to its card."""
    draw, window = ImageDraw.Draw(chart), windows(form)["europe"]
    for area in EUROPE:
        slot = slots(form)[area]
        x, y = spot(form, *DOTS.get(area) or plate(GAME, "europe").anchors[area])
        end_y = slot.top + slot.high - 30 if area in LOW else slot.top + 50      # behind the card, however low it is
        end_x = min(max(x, slot.left - window.left), slot.left - window.left + slot.wide)
        line = [n * SMOOTH for n in (x, y, end_x, end_y - window.top)]
        draw.line(line, theme.halo, 7 * SMOOTH)
        draw.line(line, theme.leader, 3 * SMOOTH)
        for radius, fill in ((11, theme.halo), (8, theme.leader)):
            draw.ellipse([n * SMOOTH for n in (x - radius, y - radius, x + radius, y + radius)], fill)


def _frame(draw: ImageDraw.ImageDraw, box: Box, theme: Theme) -> None:
    """A double frame just inside a box."""
    left, top, right, bottom = box.corners
    draw.rectangle((left, top, right - 1, bottom - 1), outline=theme.frame, width=3)
    draw.rectangle((left + 3, top + 3, right - 4, bottom - 4), outline=theme.paper, width=3)
    draw.rectangle((left + 6, top + 6, right - 7, bottom - 7), outline=theme.frame, width=1)


def _homes(brush: Brush, look: Look) -> None:
    window = windows(look.form)["europe"]
    for power in look.powers:
        *place, side = HOMES[power]
        x, y = spot(look.form, *place)
        x, y = x + window.left, y + window.top - HEADER
        name = power.replace("_", " ").title()
        if side == "below":
            brush.text(x, y + 40, name, "name", 32, brush.theme.ink, align="m", halo=brush.theme.halo)
        elif side == "right":
            brush.text(x + 30, y, name, "name", 32, brush.theme.ink, halo=brush.theme.halo)
        brush.disc(x, y, letter(power), 44, POWERS[power])


def letter(power: str) -> str:
    """The letter on a power's counters."""
    return power[0].upper()


# --- cards ----------------------------------------------------------------------------------------

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
    return _settled(image, theme)


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


# --- the header -----------------------------------------------------------------------------------

RIGHT_HALF = 640        # where turn order or auction may begin


@lru_cache(maxsize=512)
def header(theme_name: str, title: str, moment: str, bag: int, label: str, discs: tuple[str, ...], active: str,
           auction: AuctionView | None, bidder: str) -> Image.Image:
    """Game, war and round; at the right the discs of the turn order, the ranking or the standing proposal."""
    theme = THEMES[theme_name]
    image = Image.new("RGB", (WIDE, HEADER), theme.bar)
    brush = Brush(image, theme)
    brush.draw.rectangle((0, HEADER - 6, WIDE, HEADER - 4), theme.gold)
    brush.draw.rectangle((0, HEADER - 3, WIDE, HEADER), theme.paper)
    kind = f"{title} · {bag} in the bag"
    brush.text(24, 36, kind, "title", fit(kind, "title", 32, RIGHT_HALF - 40), theme.bar_muted)
    brush.text(24, 91, moment, "name", fit(moment, "name", 46, RIGHT_HALF - 40), theme.bar_ink)
    if auction is not None:
        _auction(brush, auction, bidder, active)
    else:
        _discs(brush, label, discs, active)
    return _settled(image, theme)


def _discs(brush: Brush, label: str, powers: tuple[str, ...], active: str) -> None:
    theme, step = brush.theme, 75
    left = WIDE - MARGIN - max(step * len(powers), width(label, "label", SMALLEST) + 12)
    brush.text(left + 8, 27, label, "label", SMALLEST, theme.bar_muted)
    for n, power in enumerate(powers):
        x = left + step // 2 + step * n
        if power == active:
            brush.disc(x, 82, letter(power), 68, POWERS[power], ring=theme.gold)
            brush.icon(x, HEADER - 9, "up", 18, theme.gold)
        else:
            brush.disc(x, 82, letter(power), 56, POWERS[power], ring=theme.bar_ink)


def _auction(brush: Brush, auction: AuctionView, bidder: str, active: str) -> None:
    theme, x = brush.theme, RIGHT_HALF
    words = f"{bidder} bids {auction.gold} gold" if auction.bidder else "No bid yet"
    brush.text(x, 27, words, "label", fit(words, "label", 30, WIDE - MARGIN - x), theme.bar_ink)
    speaker = [("To bid", active)] if active else []
    for label, power in (("Row A", auction.a), ("Row B", auction.b), *speaker):
        x += brush.text(x, 82, label, "label", SMALLEST, theme.bar_muted) + 10
        if power:
            brush.disc(x + 28, 82, letter(power), 56, POWERS[power], ring=theme.bar_ink)
        else:
            brush.hollow(x + 28, 82, 56, theme.bar)
        x += 56 + 26


# --- the table of powers --------------------------------------------------------------------------

TABLE_ROW, TABLE_HEAD, TABLE_BAND = 58, 48, 42
NAMES = 370             # how much the names take


@dataclass(frozen=True)
class Line:
    """What a row of the table shows; `unrest` only if its reader may know it, `sealed` if nobody else does."""

    power: str
    name: str
    place: int              # in the final ranking, 0 before
    points: int
    gold: int
    population: int
    markers: int
    armies: int
    navies: int
    forts: int
    tiles: int
    active: bool
    unrest: int | None
    sealed: bool
    striped: bool


COLUMNS = (("VP", 70), ("Gold", 92), ("Pop", 74), ("Map", 82), ("At home", 226), ("Tiles", 78))
UNREST = ("Unrest", 88)


def columns(unrest: bool) -> list[tuple[str, int]]:
    """Headings of the table's columns with where their contents begin; what is left over lies evenly between them."""
    wanted = [*COLUMNS, *([UNREST] if unrest else [])]
    room = WIDE - 2 * MARGIN - NAMES - 12
    gap, x, found = (room - sum(wide for _, wide in wanted)) // len(wanted), NAMES, []
    for heading, wide in wanted:
        found.append((heading, x))
        x += wide + gap
    return found


@lru_cache(maxsize=64)
def table_head(theme_name: str, title: str, unrest: bool) -> Image.Image:
    """The headings, above the first group."""
    theme, wide = THEMES[theme_name], WIDE - 2 * MARGIN
    image = Image.new("RGB", (wide, TABLE_HEAD), theme.paper)
    brush = Brush(image, theme)
    brush.mask(0, 0, capped(wide, TABLE_HEAD, 8), theme.bar)
    brush.text(20, TABLE_HEAD // 2, title, "name", 32, theme.bar_ink)
    for heading, x in columns(unrest):
        brush.text(x, TABLE_HEAD // 2, heading, "label", SMALLEST, theme.bar_muted)
    return _settled(image, theme)


@lru_cache(maxsize=16)
def table_band(theme_name: str, title: str) -> Image.Image:
    """The line above a further group."""
    theme = THEMES[theme_name]
    image = Image.new("RGB", (WIDE - 2 * MARGIN, TABLE_BAND), theme.bar)
    brush = Brush(image, theme)
    brush.draw.rectangle((0, 0, image.width, 2), theme.alarm)
    brush.text(20, TABLE_BAND // 2 + 1, title, "name", 32, theme.bar_ink)
    return _settled(image, theme)


@lru_cache(maxsize=1024)
def table_row(theme_name: str, line: Line, unrest: bool) -> Image.Image:
    """One power."""
    theme = THEMES[theme_name]
    image = Image.new("RGB", (WIDE - 2 * MARGIN, TABLE_ROW), theme.stripe if line.striped else theme.card)
    brush, y = Brush(image, theme), TABLE_ROW // 2
    if line.active:
        brush.icon(22, y, "pointer", 24, theme.gold)
    elif line.place:
        brush.text(22, y, str(line.place), "number", 32, theme.muted, align="m")
    brush.disc(66, y, letter(line.power), 46, POWERS[line.power])
    brush.text(102, y, line.name, "name", fit(line.name, "name", 36, NAMES - 112), theme.ink)

    def number(x: int, value: int, kind: str) -> None:
        if kind == "coin":
            brush.coin(x + 14, y, 28)
        else:
            brush.icon(x + 14, y, kind, 28, theme.ink)
        brush.text(x + 35, y, str(value), "number", 34, theme.ink if value else theme.muted)

    at = dict(columns(unrest))
    brush.seal(at["VP"] + 26, y, str(line.points), 44, theme.gold, wide=58)
    number(at["Gold"], line.gold, "coin")
    number(at["Pop"], line.population, "person")
    number(at["Map"], line.markers, "marker")
    for n, (kind, value) in enumerate((("army", line.armies), ("navy", line.navies), ("fort", line.forts))):
        number(at["At home"] + 82 * n, value, kind)
    number(at["Tiles"], line.tiles, "tile")
    if line.unrest is not None:
        if line.sealed:
            number(at["Unrest"], line.unrest, "lock")
        else:
            brush.text(at["Unrest"] + 35, y, str(line.unrest), "number", 34, theme.ink)
    return _settled(image, theme)


def groups(view: View) -> list[tuple[str, list[PowerView]]]:
    """The powers as the table groups them: by rank at the end, by alliance when there are any, else in seat order."""
    by_id = {power.power: power for power in view.powers}
    if view.over and view.ranking:
        return [("Final ranking", [by_id[power] for power in view.ranking])]
    rows = [("Row A", [by_id[power] for power in view.row_a]), ("Row B", [by_id[power] for power in view.row_b])]
    placed = {*view.row_a, *view.row_b}
    free = [power for power in view.powers if power.power not in placed]
    if not placed:
        return [("Powers", free)]
    return [(title, powers) for title, powers in (*rows, ("Not placed yet", free)) if powers]


def unrest_seen(view: View, power: PowerView) -> int | None:
    """The unrest of a power, if this view may show it: after the end everybody's, before it only the reader's own."""
    if power.revealed_unrest is not None:
        return power.revealed_unrest
    return view.own_unrest if view.seat is not None and power.seat == view.seat else None


def table_tiles(view: View, theme_name: str) -> Iterator[Image.Image]:
    """The tiles of the table from top to bottom."""
    unrest = any(unrest_seen(view, power) is not None for power in view.powers)
    place = 0
    for n, (title, powers) in enumerate(groups(view)):
        yield table_band(theme_name, title) if n else table_head(theme_name, title, unrest)
        for at, power in enumerate(powers):
            place += 1
            line = Line(power=power.power, name=power.name, place=place if view.over else 0, points=power.points, gold=power.gold,
                        population=power.population, markers=power.markers, armies=power.home_armies, navies=power.home_navies,
                        forts=power.home_forts, tiles=sum(tile.number for tile in power.tiles),
                        active=not view.over and power.power == view.active, unrest=unrest_seen(view, power),
                        sealed=power.revealed_unrest is None, striped=bool(at % 2))
            yield table_row(theme_name, line, unrest)


# --- the board ------------------------------------------------------------------------------------

def moment(view: View) -> str:
    """Where the game stands, as the header says it."""
    if view.over:
        return "The game is over"
    if view.round:
        return f"War {view.war} · Round {view.round} of {view.rounds}"
    return f"War {view.war} · Auction" if view.phase == "auction" else f"War {view.war}"


def _header(view: View, theme_name: str) -> Image.Image:
    auction = view.auction if view.phase == "auction" else None
    if view.over and view.ranking:
        label, discs, active = "Ranking", view.ranking, view.ranking[0]
    elif view.order:
        label, discs, active = "Turn order", view.order, view.active
    else:
        label, discs, active = "Powers", tuple(power.power for power in view.powers), view.active
    bidder = next((power.name for power in view.powers if auction and power.power == auction.bidder), "")
    return header(theme_name, view.title, moment(view), view.bag, label, discs, active, auction, bidder)


def paint(view: View, theme_name: str) -> Image.Image:
    """The board as a palette image, 1200 px wide; its height follows from what the areas hold and from the number of powers."""
    form = SHORT if all(fits(area, SHORT) for area in view.areas) else TALL
    look = Look(theme_name, form, tuple(sorted(power.power for power in view.powers)))
    table = list(table_tiles(view, theme_name))
    frame = Image.new("P", (WIDE, form.table + sum(tile.height for tile in table) + MARGIN))     # 0 is the paper
    frame.putpalette(palette(THEMES[theme_name], FILLS).getpalette() or [])
    frame.paste(_header(view, theme_name), (0, 0))
    frame.paste(base(look), (0, HEADER))
    for area in view.areas:
        frame.paste(card(look, area), slots(form)[area.area][:2])
    y = form.table
    for tile in table:
        frame.paste(tile, (MARGIN, y))
        y += tile.height
    return frame
