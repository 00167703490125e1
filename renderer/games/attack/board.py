"""The board of Attack!.

From top to bottom: header, Europe, the Americas beside Africa and the fleets, the table of powers, one seat's own cards. The map
takes the owners' colours (`base`); everything else is a tile: a function of exactly the values it shows, so its cache
needs no other key. What is new to the reader has a frame in the colour of marks, or a plus or minus figure.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, get_args

from PIL import Image, ImageDraw

from engine.games.attack.pictures.scenes import Board, Deed
from engine.games.attack.view import FleetView, PowerView, View
from engine.text import count, say, template, text
from renderer.brushes import SMALLEST, capped, clipped, page, person, width
from renderer.games.attack.base import FOOT, SEAS, WINDOWS, chart, regions, seen_on, under
from renderer.games.attack.common import ACTIONS, HEADER, MARGIN, SIGNS, WIDE, colours, fill, settled
from renderer.games.attack.edges import edge, edges
from renderer.games.attack.labels import labels, leaders, standing, tag
from renderer.games.attack.legend import legend, legend_box
from renderer.games.attack.pieces import cards, disc, fleet, moment
from renderer.pieces import wrapped
from renderer.themes import THEMES, letter_on
from renderer.words import spoken

# --- the header -----------------------------------------------------------------------------------

RIGHT_HALF = 640


@spoken(maxsize=32)
def header(theme_name: str, title: str, said: str, label: str, discs: tuple[str, ...], active: tuple[str, ...],
           out: tuple[str, ...]) -> Image.Image:
    """Game and round; at the right the powers in turn order with those that are `active` larger."""
    theme = THEMES[theme_name]
    image = Image.new("RGB", (WIDE, HEADER), theme.bar)
    brush = page(image, theme)
    brush.draw.rectangle((0, HEADER - 6, WIDE, HEADER - 4), theme.gold)
    brush.draw.rectangle((0, HEADER - 3, WIDE, HEADER), theme.paper)
    brush.write(24, 36, title, "title", 32, RIGHT_HALF - 40, theme.bar_muted)
    brush.write(24, 91, said, "name", 46, RIGHT_HALF - 40, theme.bar_ink)
    step, label = 75, clipped(label, "label", SMALLEST, WIDE - RIGHT_HALF - MARGIN - 12)
    left = WIDE - MARGIN - max(step * len(discs), width(label, "label", SMALLEST) + 12)
    brush.text(left + 8, 27, label, "label", SMALLEST, theme.bar_muted)
    for n, power in enumerate(discs):
        x, size = left + step // 2 + step * n, 68 if power in active else 56
        brush.disc(x, 82, SIGNS[power], size, fill(theme, power), ring=theme.gold if power in active else theme.bar_ink)
        if power in active:
            brush.icon(x, HEADER - 9, "up", 18, theme.gold)
        if power in out:
            brush.draw.line((x - 26, 108, x + 26, 56), theme.alarm, 6)
    return settled(image, theme)


def _header(view: View, theme_name: str) -> Image.Image:
    order = view.ranking if view.over and view.ranking else tuple(power.power for power in view.powers)
    label = say(text("Ranking") if view.over else text("Players"))
    if view.phase == "turn" and not view.over:
        label = say(count(view.actions_left, "{n} action left", "{n} actions left"))
        if view.taken:
            label += f" · {', '.join(say(text(ACTIONS[action])) for action in view.taken)}"
    active = view.winners if view.over else (view.active,)
    out = tuple(power.power for power in view.powers if power.out)
    title = say(text("{title} · {n} in the deck", title=view.title, n=view.deck))
    return header(theme_name, title, moment(view), label, order, active, out)


# --- the sea lanes ----------------------------------------------------------------------------------

SEA_HEAD, SEA_NAMES, SEA_ROW = 84, 38, 65
SHIP_NAMES = (template("Battleship"), template("Carrier"), template("Destroyer"), template("Submarine"))
SHIP_STEP = 126         # px


class Fleet(NamedTuple):
    """A fleet, and by how much each number has changed."""

    power: str
    ships: tuple[int, ...]
    damaged: int
    gains: tuple[int, ...]
    controls: bool


def ships(view: FleetView) -> tuple[int, ...]:
    return view.battleships, view.carriers, view.destroyers, view.submarines


@spoken(maxsize=64)
def sea_panel(theme_name: str, controller: str, name: str, fresh: bool, fleets: tuple[Fleet, ...]) -> Image.Image:
    theme = THEMES[theme_name]
    image = Image.new("RGB", (SEAS.wide, SEAS.high), theme.card)
    brush = page(image, theme)
    ground = fill(theme, controller) if controller else theme.bar
    brush.draw.rectangle((0, 0, SEAS.wide, SEA_HEAD - 1), ground)
    ink = letter_on(ground) if controller else theme.bar_ink
    brush.icon(46, SEA_HEAD // 2, "anchor", 54, ink)
    if controller:
        brush.disc(SEAS.wide - 48, SEA_HEAD // 2, SIGNS[controller], 64, ground, ring=ink)
    words = say(text("{power:The} controls the sea", power=name) if controller else text("Nobody controls the sea"))
    brush.write(88, SEA_HEAD // 2, words, "name", 46, SEAS.wide - (180 if controller else 100), ink)
    if fresh:
        brush.draw.rectangle((0, 0, SEAS.wide - 1, SEA_HEAD - 1), outline=theme.card, width=8)
        brush.draw.rectangle((0, 0, SEAS.wide - 1, SEA_HEAD - 1), outline=theme.mark, width=5)
    for n, ship in enumerate(SHIP_NAMES):
        room = SHIP_STEP if n < len(SHIP_NAMES) - 1 else SEAS.wide - 84 - SHIP_STEP * n
        called = clipped(say(text(ship)), "label", SMALLEST, room - 6)
        brush.text(84 + SHIP_STEP * n, SEA_HEAD + SEA_NAMES // 2, called, "label", SMALLEST, theme.muted)
    for n, one in enumerate(fleets):
        top = SEA_HEAD + SEA_NAMES + SEA_ROW * n
        if n % 2:
            brush.draw.rectangle((0, top, SEAS.wide, top + SEA_ROW - 1), theme.stripe)
        disc(one.power, 46).draw(brush, 18, top + SEA_ROW // 2)
        fleet(one.ships, one.damaged, one.gains, SEAS.wide - 84 - 8, theme).draw(brush, 84, top + SEA_ROW // 2)
    return settled(image, theme)


# --- the table ------------------------------------------------------------------------------------

TABLE_HEAD, TABLE_ROW = 48, 56
COLUMNS = ((template("Territories"), 520), (template("Land units"), 700), (template("Cards"), 872), (template("Capitals"), 1012))
ENDS = (*[left for _, left in COLUMNS[1:]], WIDE - 2 * MARGIN)


class Line(NamedTuple):
    """What a row of the table shows."""

    power: str
    name: str
    player: str
    place: int                  # in the final ranking, 0 before
    numbers: tuple[int, ...]
    gains: tuple[int, ...]
    active: bool
    out: bool
    striped: bool


@spoken(maxsize=8)
def table_head(theme_name: str, title: str) -> Image.Image:
    theme, wide = THEMES[theme_name], WIDE - 2 * MARGIN
    image = Image.new("RGB", (wide, TABLE_HEAD), theme.paper)
    brush = page(image, theme)
    brush.mask(0, 0, capped(wide, TABLE_HEAD, 8), theme.bar)
    brush.text(20, TABLE_HEAD // 2, title, "name", 32, theme.bar_ink)
    for (heading, x), end in zip(COLUMNS, ENDS):
        words = clipped(say(text(heading)), "label", SMALLEST, end - x - 8)
        brush.text(x, TABLE_HEAD // 2, words, "label", SMALLEST, theme.bar_muted)
    return settled(image, theme)


@spoken(maxsize=256)
def table_row(theme_name: str, line: Line) -> Image.Image:
    theme, middle = THEMES[theme_name], TABLE_ROW // 2
    image = Image.new("RGB", (WIDE - 2 * MARGIN, TABLE_ROW), theme.stripe if line.striped else theme.card)
    brush = page(image, theme)
    if line.active:
        brush.icon(22, middle, "pointer", 24, theme.frame)
    elif line.place:
        brush.text(22, middle, str(line.place), "number", 32, theme.muted, align="m")
    disc(line.power, 46).draw(brush, 43, middle)
    ink = theme.muted if line.out else theme.ink
    x = 102 + brush.text(102, middle, say(line.name), "name", 36, ink) + 16
    said = say(text("out")) if line.out else clipped(line.player, "name", SMALLEST, COLUMNS[0][1] - x - 12)
    brush.text(x, middle, said, "name", SMALLEST, theme.alarm if line.out else theme.muted)
    for (_, left), value, gain in zip(COLUMNS, line.numbers, line.gains):
        x = left + brush.text(left, middle, str(value), "number", 36, ink if value else theme.muted) + 10
        if gain:
            brush.change(x, middle, gain)
    return settled(image, theme)


def counts(power: PowerView) -> tuple[int, ...]:
    return power.territories, power.land_units, power.cards, power.capitals


def gained(new: tuple[int, ...], old: tuple[int, ...]) -> tuple[int, ...]:
    """By how much each number has changed."""
    return tuple(x - y for x, y in zip(new, old))


def lines(scene: Board) -> list[Line]:
    """The rows of the table: in seat order, or at the end by rank."""
    view, people = scene.now, dict(scene.people)
    known = {power.power: counts(power) for power in scene.before.powers} if scene.before else {}
    by_id = {power.power: power for power in view.powers}
    order = view.ranking if view.over and view.ranking else tuple(by_id)
    places = dict(zip(view.ranking, view.places))
    return [Line(power=power, name=by_id[power].name, player=person(people.get(power, ""), "name"),
                 place=places.get(power, 0), numbers=counts(by_id[power]),
                 gains=gained(counts(by_id[power]), known.get(power, counts(by_id[power]))),
                 active=power == view.active and not view.over, out=by_id[power].out, striped=bool(n % 2))
            for n, power in enumerate(order)]


# --- the own hand -----------------------------------------------------------------------------------

HAND, CARD = 60, 48     # px of a line of cards, and of a card


@spoken(maxsize=64)
def hand(theme_name: str, held: tuple[str, ...], points: int) -> Image.Image:
    """The reader's own cards, which nobody else sees, and what Production would bring."""
    theme, wide, words = THEMES[theme_name], WIDE - 2 * MARGIN, say(text("{n} PP", n=points))
    lines = wrapped(cards(held, CARD, theme), 8, wide - 106 - width(words, "number", 46))
    image = Image.new("RGB", (wide, HAND * len(lines)), theme.bar)
    brush = page(image, theme)
    brush.icon(34, HAND // 2, "lock", 36, theme.gold)
    for n, one in enumerate(lines):
        one.draw(brush, 66, HAND * n + HAND // 2)
    brush.text(wide - 20, HAND // 2, words, "number", 46, theme.bar_ink, align="r")
    return settled(image, theme)


# --- the board ------------------------------------------------------------------------------------

def fleets(scene: Board) -> Iterator[Fleet]:
    known = {power.power: ships(power.fleet) for power in scene.before.powers} if scene.before else {}
    for power in scene.now.powers:
        now = ships(power.fleet)
        yield Fleet(power.power, now, power.fleet.damaged, gained(now, known.get(power.power, now)), power.controls_sea)


def deeds(scene: Board) -> tuple[Deed, ...]:
    """All that the reader may do anywhere."""
    return tuple(deed for deed in get_args(Deed) if any(deed in way.deeds for way in scene.ways))


def _map(frame: Image.Image, scene: Board, theme_name: str) -> None:
    """The four plates, what is known of each territory, and what the signs mean."""
    index, theme = {region: n for n, region in enumerate(regions())}, THEMES[theme_name]
    owners = {index[land.territory]: land.owner for land in scene.now.territories}

    def owned(territories: Iterable[int]) -> tuple[tuple[int, str], ...]:
        return tuple((n, owners[n]) for n in territories)

    for name, window in WINDOWS.items():
        frame.paste(chart(theme_name, name, owned(seen_on(name))), window.corners[:2])
    key = legend_box(deeds(scene))
    shown = standing(labels(scene), (key,))
    draw, line = ImageDraw.Draw(frame), settled(Image.new("RGB", (1, 1), theme.leader), theme).tobytes()[0]
    for start, (x, y) in leaders({territory: box for territory, (_, box) in shown.items()}):
        draw.line((*start, x, y), line, 3)
        draw.ellipse((x - 5, y - 5, x + 5, y + 5), line)
    for end, box in [found for name in WINDOWS for found in edges(name)]:
        frame.paste(edge(theme_name, end, box, owned(under(box))), box.corners[:2])
    for label, box in shown.values():
        frame.paste(tag(theme_name, box, label, owned(under(box))), box.corners[:2])
    frame.paste(legend(theme_name, deeds(scene)), key.corners[:2])


def paint(scene: Board, theme_name: str) -> Image.Image:
    """The board as a palette image, 1200 px wide; its height follows from the number of powers."""
    view = scene.now
    names = {power.power: power.name for power in view.powers}
    heading = table_head(theme_name, say(text("Final ranking") if view.over else text("Powers")))
    table = [heading, *[table_row(theme_name, line) for line in lines(scene)]]
    if view.seat is not None and view.own_points is not None:
        table.append(hand(theme_name, view.own_cards, view.own_points))
    frame = Image.new("P", (WIDE, FOOT + sum(tile.height for tile in table) + MARGIN))      # 0 is the paper
    frame.putpalette(colours(THEMES[theme_name]).getpalette() or [])
    frame.paste(_header(view, theme_name), (0, 0))
    _map(frame, scene, theme_name)
    fresh = scene.before is not None and scene.before.controller != view.controller
    panel = sea_panel(theme_name, view.controller, names.get(view.controller, ""), fresh, tuple(fleets(scene)))
    frame.paste(panel, SEAS.corners[:2])
    y = FOOT
    for tile in table:
        frame.paste(tile, (MARGIN, y))
        y += tile.height
    return frame


def paint_view(view: View, theme_name: str) -> Image.Image:
    return paint(Board(now=view), theme_name)
