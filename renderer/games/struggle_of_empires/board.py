"""The board of Struggle of Empires.

From top to bottom: header, Europe with a card for each of its areas, six colonies with a card each, the table of powers, the
reader's own tiles, what the signs mean. What never changes is the base, made once a look. Everything else is a tile: a
function of exactly the values it shows, so its cache needs no other key. What is new to the reader is marked: changed cards
have a halo, changed numbers a plus or minus figure. In a seat's own picture tabs on the cards say what the seat may do there.
"""
from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from typing import NamedTuple, get_args

from PIL import Image

from engine.games.struggle_of_empires.pictures.scenes import Board, Deed
from engine.games.struggle_of_empires.view import AnyPower, AreaView, AuctionView, NonPlayer, PowerView, TokenView, View
from engine.text import count, say, template, text
from renderer import brushes as br
from renderer.games.struggle_of_empires.base import HEADER, SHORT, TALL, Look, base, slots
from renderer.games.struggle_of_empires.cards import card, faces_of, fits
from renderer.games.struggle_of_empires.common import FILLS, MARGIN, POWERS, WIDE, letter, settled
from renderer.games.struggle_of_empires.legend import SHORT as SHORT_LEGEND, legend, short_legend
from renderer.games.struggle_of_empires.owned import names as tile_names, owned
from renderer.themes import THEMES, palette
from renderer.words import short_name, spoken

# --- the header -----------------------------------------------------------------------------------

RIGHT_HALF = 640        # where turn order or auction may begin


@spoken(maxsize=32)
def header(theme_name: str, title: str, moment: str, bag: int, label: str, discs: tuple[str, ...], active: tuple[str, ...],
           auction: AuctionView | None, bidder: str, rows: tuple[str, str], npps: tuple[str, ...]) -> Image.Image:
    """Game, war and round; at the right the discs of the turn order, the ranking or the standing proposal, `active` larger."""
    theme = THEMES[theme_name]
    image = Image.new("RGB", (WIDE, HEADER), theme.bar)
    brush = br.page(image, theme)
    brush.draw.rectangle((0, HEADER - 6, WIDE, HEADER - 4), theme.gold)
    brush.draw.rectangle((0, HEADER - 3, WIDE, HEADER), theme.paper)
    kind = say(text("{title} · {n} in the bag", title=title, n=bag))
    brush.write(24, 36, kind, "title", 32, RIGHT_HALF - 40, theme.bar_muted)
    brush.write(24, 91, moment, "name", 46, RIGHT_HALF - 40, theme.bar_ink)
    if auction is not None:
        _auction(brush, auction, bidder, active[0] if active else "", rows, npps)
    else:
        _discs(brush, label, discs, active)
    return settled(image, theme)


def _discs(brush: br.Brush, label: str, powers: tuple[str, ...], active: tuple[str, ...]) -> None:
    theme, step = brush.theme, 75
    left = WIDE - MARGIN - max(step * len(powers), br.width(label, "label", br.SMALLEST) + 12)
    brush.text(left + 8, 27, label, "label", br.SMALLEST, theme.bar_muted)
    for n, power in enumerate(powers):
        x = left + step // 2 + step * n
        if power in active:
            brush.disc(x, 82, letter(power), 68, POWERS[power], ring=theme.gold)
            brush.icon(x, HEADER - 9, "up", 18, theme.gold)
        else:
            brush.disc(x, 82, letter(power), 56, POWERS[power], ring=theme.bar_ink)


def _auction(brush: br.Brush, auction: AuctionView, bidder: str, active: str, rows: tuple[str, str],
             npps: tuple[str, ...]) -> None:
    theme, x = brush.theme, RIGHT_HALF
    words = say(text("{power} bids {gold}", power=bidder, gold=count(auction.gold, "{n} gold", "{n} gold")) if auction.bidder else
                text("No bid yet"))
    brush.text(x, 27, words, "label", br.fit(words, "label", 30, WIDE - MARGIN - x), theme.bar_ink)
    speaker = [(say(text("To bid")), active)] if active else []
    for label, power in ((say(rows[0]), auction.a), (say(rows[1]), auction.b), *speaker):
        x += brush.text(x, 82, label, "label", br.SMALLEST, theme.bar_muted) + 10
        if power:
            (brush.square if power in npps else brush.disc)(x + 28, 82, letter(power), 56, POWERS[power], ring=theme.bar_ink)
        else:
            brush.hollow(x + 28, 82, 56, theme.bar)
        x += 56 + 26


# --- the table of powers --------------------------------------------------------------------------

TABLE_ROW, TABLE_HEAD, TABLE_BAND = 58, 48, 38
STRIP = 54              # what lies in the open display
MARKED_ROW, LOW_MARKED_ROW, HIGH_ROW = 84, 60, 66       # with figures below the numbers; with a player's name below the power's
HIGHEST = 2560          # px: a board that would be higher does without the players' names; what is new may take a little more
NAMES = 370             # how much the names take
TEXT = 102              # where they begin
APART = 8               # px between a figure and the next column
FIGURE, LOW_FIGURE = 40, 24         # what a plus or minus figure takes of a row's height, and of a low one's


class Numbers(NamedTuple):
    """The numbers in a row of the table; None for what its reader may not know, or what a power does not have."""

    points: int | None = None
    gold: int | None = None
    population: int | None = None
    markers: int | None = None
    armies: int | None = None
    navies: int | None = None
    forts: int | None = None
    tiles: int | None = None
    unrest: int | None = None


class Line(NamedTuple):
    """What a row of the table shows."""

    power: str
    name: str
    player: str             # "" if it is not shown
    place: int              # in the final ranking, 0 before
    numbers: Numbers
    gains: Numbers          # by how much each has changed
    supply: tuple[int, int, int]        # armies, navies and forts that can still be built
    active: bool
    sealed: bool            # nobody else knows the unrest
    striped: bool
    npp: bool = False       # nobody plays it


COLUMNS = (("VP", 66), ("Gold", 88), ("Pop", 68), ("Map", 72), ("Home/supply", 292), ("Tiles", 68))
UNREST = ("Unrest", 88)
HEADINGS = {"VP": template("VP"), "Gold": template("Gold"), "Pop": template("Pop"), "Map": template("Map"),
            "Home/supply": template("Home/supply"), "Tiles": template("Tiles"), "Unrest": template("Unrest")}
KINDS = (("army", 0), ("navy", 108), ("fort", 202))      # of units, with where each begins in its column


def columns(unrest: bool) -> list[tuple[str, int]]:
    """Headings of the table's columns with where their contents begin; what is left over lies evenly between them."""
    wanted = [*COLUMNS, *([UNREST] if unrest else [])]
    room = WIDE - 2 * MARGIN - NAMES - 12
    gap, x, found = (room - sum(wide for _, wide in wanted)) // len(wanted), NAMES, []
    for heading, wide in wanted:
        found.append((heading, x))
        x += wide + gap
    return found


@spoken(maxsize=64)
def table_head(theme_name: str, title: str, unrest: bool) -> Image.Image:
    """The headings, above the first group."""
    theme, wide = THEMES[theme_name], WIDE - 2 * MARGIN
    image = Image.new("RGB", (wide, TABLE_HEAD), theme.paper)
    brush = br.page(image, theme)
    brush.mask(0, 0, br.capped(wide, TABLE_HEAD, 8), theme.bar)
    at = columns(unrest)
    brush.write(20, TABLE_HEAD // 2, title, "name", 32, at[0][1] - 28, theme.bar_ink)
    for (heading, x), end in zip(at, [*[left for _, left in at[1:]], wide]):
        called = br.clipped(short_name(HEADINGS[heading]), "label", br.SMALLEST, end - x - 4)
        brush.text(x, TABLE_HEAD // 2, called, "label", br.SMALLEST, theme.bar_muted)
    return settled(image, theme)


@spoken(maxsize=16)
def table_band(theme_name: str, title: str) -> Image.Image:
    """The line above a further group."""
    theme = THEMES[theme_name]
    image = Image.new("RGB", (WIDE - 2 * MARGIN, TABLE_BAND), theme.bar)
    brush = br.page(image, theme)
    brush.draw.rectangle((0, 0, image.width, 2), theme.alarm)
    brush.text(20, TABLE_BAND // 2 + 1, title, "name", 32, theme.bar_ink)
    return settled(image, theme)


@spoken(maxsize=256)
def table_row(theme_name: str, line: Line, unrest: bool, high: int) -> Image.Image:
    theme = THEMES[theme_name]
    image = Image.new("RGB", (WIDE - 2 * MARGIN, high), theme.stripe if line.striped else theme.card)
    brush, middle = br.page(image, theme), high // 2
    if line.active:
        brush.icon(22, middle, "pointer", 24, theme.frame)
    elif line.place:
        brush.text(22, middle, str(line.place), "number", 32, theme.muted, align="m")
    (brush.square if line.npp else brush.disc)(66, middle, letter(line.power), 46, POWERS[line.power])
    room = NAMES - TEXT - 10
    brush.write(TEXT, 18 if line.player else middle, line.name, "name", 36, room, theme.ink)
    if line.player:
        player = br.clipped(line.player, "name", br.SMALLEST, room)
        brush.text(TEXT, high - 16, player, "name", br.SMALLEST, theme.muted)

    figure, size = (FIGURE, br.MARK_SIZE) if high >= MARKED_ROW else (LOW_FIGURE, br.SMALLEST)
    upper, lower = (high - figure) // 2 - 1, high - figure // 2 - 4      # a number, and by how much it has changed

    def number(x: int, kind: str, value: int | None, gain: int | None, end: int, of: str = "") -> None:
        """A number with its sign, and of how many it is; below it by how much it has changed; all end before `end`."""
        y = upper if gain else middle
        if kind == "coin":
            brush.coin(x + 14, y, 28)
        elif kind:
            brush.icon(x + 14, y, kind, 28, theme.ink)
        known, ink = "?" if value is None else str(value), theme.ink if value else theme.muted
        both = ((known, 34, ink), (of, br.SMALLEST, theme.muted))
        pen = x + 35
        for words, tall, tone in both[::-1] if brush.mirrored else both:       # numbers are read from the left everywhere
            pen += brush.text(pen, y, words, "number", tall, tone) + 2 if words else 0
        if gain:
            fitting = br.fit(br.signed(gain), "number", size, end - x)
            brush.change(min(x + 35, end - br.width(br.signed(gain), "number", fitting)), lower, gain, size=fitting)

    at, now, gains = dict(columns(unrest)), line.numbers, line.gains
    names = [*at]
    ends = {name: at[following] - APART for name, following in pairwise(names)} | {names[-1]: image.width - APART}
    score, high_score = at["VP"] + 26, upper if gains.points else middle
    if gains.points:
        fitting = br.fit(br.signed(gains.points), "number", size, ends["VP"] - at["VP"] + APART)
        brush.change(score, lower, gains.points, align="m", size=fitting)
    if line.npp:
        points = "" if now.points is None else str(now.points)
        brush.text(score, high_score, points, "number", 34, theme.muted, align="m")
        room = at["Map"] - at["Gold"] - APART
        brush.write(at["Gold"], middle, say(text("Non-player")), "label", br.SMALLEST, room, theme.muted)
        number(at["Map"], "marker", now.markers, gains.markers, ends["Map"])
        return settled(image, theme)
    brush.seal(score, high_score, str(now.points), 34 if gains.points else 44, theme.gold, wide=58)
    number(at["Gold"], "coin", now.gold, gains.gold, ends["Gold"])
    number(at["Pop"], "person", now.population, gains.population, ends["Pop"])
    number(at["Map"], "marker", now.markers, gains.markers, ends["Map"])
    home = ((now.armies, gains.armies), (now.navies, gains.navies), (now.forts, gains.forts))
    stops = [at["Home/supply"] + left - APART for _, left in KINDS[1:]] + [ends["Home/supply"]]
    for (kind, left), (value, gain), supply, end in zip(KINDS, home, line.supply, stops):
        number(at["Home/supply"] + left, kind, value, gain, end, f"/{supply}")
    number(at["Tiles"], "tile", now.tiles, gains.tiles, ends["Tiles"])
    if now.unrest is not None:
        number(at["Unrest"], "lock" if line.sealed else "", now.unrest, gains.unrest, ends["Unrest"])
    return settled(image, theme)


def groups(view: View) -> list[tuple[str, list[AnyPower]]]:
    """The powers as the table groups them: by rank at the end, by alliance when there are any, else in seat order."""
    by_id = {power.power: power for power in view.all_powers}
    npps = [(say(text("Non-player powers")), [by_id[power.power] for power in view.npps])] if view.npps else []
    if view.over and view.ranking:
        return [(say(text("Final ranking")), [by_id[power] for power in view.ranking]), *npps]
    placed = {*view.row_a, *view.row_b}
    if not placed:
        return [(say(text("Powers")), [by_id[power.power] for power in view.powers]), *npps]
    free = [power for power in by_id if power not in placed]
    rows = ((say(view.rows[0].heading), view.row_a), (say(view.rows[1].heading), view.row_b), (say(text("Not placed yet")), free))
    return [(title, [by_id[power] for power in row]) for title, row in rows if row]


def unrest_seen(view: View, power: PowerView) -> int | None:
    """The unrest of a power, if this view may show it: after the end everybody's, before it only the reader's own."""
    if power.revealed_unrest is not None:
        return power.revealed_unrest
    return view.own_unrest if view.seat is not None and power.seat == view.seat else None


def numbers(view: View, power: AnyPower) -> Numbers:
    if isinstance(power, NonPlayer):
        return Numbers(points=power.points, markers=power.markers)
    assert isinstance(power, PowerView), "a power is played or not"
    return Numbers(points=power.points, gold=power.gold, population=power.population, markers=power.markers,
                   armies=power.home_armies, navies=power.home_navies, forts=power.home_forts,
                   tiles=sum(tile.number for tile in power.tiles), unrest=unrest_seen(view, power))


def gained(new: Numbers, old: Numbers) -> Numbers:
    """By how much each number has changed; one that was not known before has not."""
    return Numbers._make([x - y if x is not None and y is not None else 0 for x, y in zip(new, old)])


def lines(scene: Board) -> list[list[Line]]:
    """The rows of the table, group by group."""
    view, before, people = scene.now, scene.before, dict(scene.people)
    known = ({power.power: numbers(before, power) for power in before.all_powers}
             if before and before.seat == view.seat else {})
    found: list[list[Line]] = []
    places = dict(zip(view.ranking, view.places))
    for _, powers in groups(view):
        found.append([])
        for at, power in enumerate(powers):
            now = numbers(view, power)
            gains = gained(now, known.get(power.power, now))
            if not isinstance(power, PowerView):
                found[-1].append(Line(power=power.power, name=short_name(power.name), player="", place=0, numbers=now,
                                      gains=gains, supply=(0, 0, 0), active=False, sealed=False, striped=bool(at % 2), npp=True))
                continue
            found[-1].append(Line(
                power=power.power, name=short_name(power.name), player=br.person(people.get(power.power, ""), "name"),
                place=places.get(power.power, 0), numbers=now, gains=gains,
                supply=(power.supply_armies, power.supply_navies, power.supply_forts),
                active=not view.over and power.power == view.active, sealed=power.revealed_unrest is None, striped=bool(at % 2)))
    return found


def table_tiles(scene: Board, theme_name: str, room: int) -> Iterator[Image.Image]:
    """The tiles of the table from top to bottom, with the players' names if the table finds room for them."""
    table = lines(scene)
    rows = [line for group in table for line in group]
    unrest = any(line.numbers.unrest is not None for line in rows)
    row = TABLE_ROW
    if any(line.player for line in rows):
        if TABLE_HEAD + TABLE_BAND * (len(table) - 1) + HIGH_ROW * len(rows) <= room:
            row = HIGH_ROW
        else:
            table = [[line._replace(player="") for line in group] for group in table]
    heads, changed = TABLE_HEAD + TABLE_BAND * (len(table) - 1), [line for line in rows if any(line.gains)]
    roomy = heads + MARKED_ROW * len(changed) + row * (len(rows) - len(changed)) <= room
    marked_row = MARKED_ROW if roomy else max(row, LOW_MARKED_ROW)
    for n, ((title, _), group) in enumerate(zip(groups(scene.now), table)):
        yield table_band(theme_name, title) if n else table_head(theme_name, title, unrest)
        for line in group:
            yield table_row(theme_name, line, unrest, marked_row if any(line.gains) else row)


# --- the board ------------------------------------------------------------------------------------

def moment(view: View) -> str:
    if view.over:
        return say(text("The game is over"))
    if view.round:
        return say(text("War {war} · Round {round} of {rounds}", war=view.war, round=view.round, rounds=view.rounds))
    return say(text("War {war} · Auction" if view.phase == "auction" else "War {war}", war=view.war))


def _header(view: View, theme_name: str) -> Image.Image:
    auction = view.auction if view.phase == "auction" else None
    if view.over and view.ranking:
        label, discs = say(text("Ranking")), view.ranking
        active = tuple(power for power, place in zip(view.ranking, view.places) if place == 1)
    else:
        label, discs = (say(text("Turn order")), view.order) if view.order else (
            say(text("Powers")), tuple(power.power for power in view.powers))
        active = (view.active,) if view.active else ()
    bidder = next((power.name for power in view.powers if auction and power.power == auction.bidder), "")
    rows = view.rows[0].short, view.rows[1].short
    npps = tuple(power.power for power in view.npps)
    return header(theme_name, view.title, moment(view), view.bag, label, discs, active, auction, bidder, rows, npps)


@spoken(maxsize=64)
def display_strip(theme_name: str, tokens: tuple[TokenView, ...], gone: int) -> Image.Image:
    """The foot of the board: the covert tokens, each with the area where it holds a captive, and how many neutral markers are
    out of the game."""
    theme, y, x = THEMES[theme_name], STRIP // 2, 20
    image = Image.new("RGB", (WIDE - 2 * MARGIN, STRIP), theme.bar)
    brush = br.page(image, theme)
    out = say(text("{n} out of the game", n=gone)) if gone else ""
    end = image.width - 30 - br.width(out, "label", br.SMALLEST)
    for n, token in enumerate(tokens):
        room = (end - x) // (len(tokens) - n)
        brush.octagon(x + 17, y, str(token.strength), 36)
        name = brush.write(x + 46, y, say(token.name), "name", 32, room - 46, theme.bar_ink) + 56
        where, left = say(token.area or text("in the display")), room - name - 34
        if br.width(where, "label", br.SMALLEST) <= left:
            name += brush.text(x + name, y, where, "label", br.SMALLEST, theme.bar_muted)
        x += name + 24
    if gone:
        brush.text(image.width - 20, y, out, "label", br.SMALLEST, theme.bar_muted, align="r")
    return settled(image, theme)


def possible(scene: Board) -> tuple[Deed, ...]:
    """All that the reader may do anywhere."""
    return tuple(deed for deed in get_args(Deed) if any(deed in way.deeds for way in scene.ways))


def fitting(room: int, *parts: list[Image.Image]) -> list[Image.Image]:
    """Of each part the best form, of those from the best to the lowest, with which all find room; else the lowest ones."""
    ways = product(*[part for part in parts if part])
    lowest = [part[-1] for part in parts if part]
    return next((list(way) for way in ways if sum(tile.height for tile in way) <= room), lowest)


def paint(scene: Board, theme_name: str) -> Image.Image:
    """The board as a palette image, 1200 px wide; its height follows from what the areas hold and from the number of powers."""
    view = scene.now
    known = {area.area: area for area in scene.before.areas} if scene.before else {}
    ways = {way.area: (way.deeds, way.number) for way in scene.ways}
    areas = [(area, _changed(area, known.get(area.area)), *ways.get(area.area, ((), 0))) for area in view.areas]
    form = SHORT if all(fits(area, SHORT, before, deeds) for area, before, deeds, _ in areas) else TALL
    look = Look(theme_name, form, tuple(sorted(power.power for power in view.all_powers)),
                tuple(sorted(power.power for power in view.npps)))
    gone = sum(number for _, number in view.display)
    strip = [display_strip(theme_name, view.tokens, gone)] if view.tokens or gone else []
    below = [*strip, *([tile_names(theme_name, scene.tiles)] if scene.tiles else [])]
    room = HIGHEST - form.table - MARGIN - SHORT_LEGEND
    table = [*table_tiles(scene, theme_name, room - sum(tile.height for tile in below)), *strip]
    room += SHORT_LEGEND - sum(tile.height for tile in table)
    local = any(area.local for area in view.areas)
    faces = tuple(sorted({face for area in view.areas for neutral in area.neutrals for face in faces_of(neutral)}))
    sample = look.powers[0] if look.powers else next(iter(POWERS))
    signs = legend(theme_name, sample, possible(scene), local=local, faces=faces)
    table += fitting(room, [owned(theme_name, scene.tiles), tile_names(theme_name, scene.tiles)] if scene.tiles else [],
                     [signs, short_legend(theme_name, local=local, faces=faces)])
    frame = Image.new("P", (WIDE, form.table + sum(tile.height for tile in table) + MARGIN))     # 0 is the paper
    frame.putpalette(palette(THEMES[theme_name], FILLS).getpalette() or [])
    frame.paste(_header(view, theme_name), (0, 0))
    frame.paste(base(look), (0, HEADER))
    for area, before, deeds, number in areas:
        frame.paste(card(look, area, before, deeds, number), slots(form)[area.area][:2])
    y = form.table
    for tile in table:
        frame.paste(tile, (MARGIN, y))
        y += tile.height
    return frame


def _changed(area: AreaView, before: AreaView | None) -> AreaView | None:
    return None if before == area else before


def paint_view(view: View, theme_name: str) -> Image.Image:
    return paint(Board(now=view), theme_name)
