"""The board of Attack!.

From top to bottom: header, Europe, the Americas beside Africa and the fleets, the table of powers, one seat's own cards. The map
takes the owners' colours (`base`); everything else is a tile: a function of exactly the values it shows, so its cache
needs no other key. What is new to the reader has a frame in the colour of marks, or a plus or minus figure.
"""
from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from engine.attack.scenes import Board
from engine.attack.view import FleetView, PowerView, TerritoryView, Units, View
from renderer.attack.base import FOOT, LAND, SEAS, WINDOWS, chart, coloured, cut, number, regions
from renderer.attack.common import ACTIONS, HEADER, MARGIN, POWERS, SIGNS, UNITS, WIDE, colours, settled
from renderer.attack.pieces import cards, disc, fleet, moment
from renderer.attack.places import LABELS, SHORT
from renderer.boxes import Box
from renderer.brushes import RING, SMALLEST, Brush, block, capped, clipped, drawable, fit, width
from renderer.pieces import wrapped
from renderer.themes import THEMES, letter_on

# --- a territory ------------------------------------------------------------------------------------

NAME = 30               # px: the line with a territory's name
ROW = 38                # a line of units
CELL = 46               # a type with its number
ICON = 26


class Held(NamedTuple):
    """What a label shows of a territory."""

    name: str
    owner: str
    units: tuple[int, ...]
    capital: str            # the power whose capital stands here
    attackers: tuple[int, ...]
    attacker: str           # whose these are, or ""
    crossing: tuple[int, ...]       # the active power's units that wait at sea to come here
    active: str             # "" unless such units wait
    fresh: bool             # whether that is new to the reader


def held(land: TerritoryView, before: TerritoryView | None, view: View) -> Held:
    """The label of a territory."""
    fight = view.battle if view.battle is not None and view.battle.territory == land.territory else None
    attackers = added(fight.attacker.fighting, fight.attacker.reserve) if fight else numbers(land.entering)
    crossing = added(*[crossing.units for crossing in view.crossings if crossing.to == land.territory])
    return Held(name=SHORT.get(land.territory, land.name), owner=land.owner, units=numbers(land.units), capital=land.capital_of,
                attackers=attackers, attacker=view.active if any(attackers) else "", crossing=crossing,
                active=view.active if any(crossing) else "", fresh=before is not None and before != land)


def added(*forces: Units) -> tuple[int, ...]:
    """How many units several forces have together, of each type."""
    return tuple(sum(getattr(force, unit) for force in forces) for unit in UNITS)


def numbers(units: Units) -> tuple[int, ...]:
    """How many units there are of each type."""
    return tuple(getattr(units, unit) for unit in UNITS)


def rows(units: tuple[int, ...]) -> list[list[tuple[str, int]]]:
    """Units two to a line."""
    there = [(unit, number) for unit, number in zip(UNITS, units) if number]
    return [there[n:n + 2] for n in range(0, len(there), 2)]


class Badge(NamedTuple):
    """The units of one power."""

    power: str
    units: tuple[int, ...]
    sign: str = ""          # an icon: a star for a capital, an anchor for units at sea

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px."""
        lines = rows(self.units)
        letter = width(SIGNS[self.power], "number", SMALLEST) + 8
        cells = [sum(cell_width(number) for _, number in line) for line in lines]
        first, *others = cells or [0]
        return 12 + max(letter + (30 if self.sign else 0) + first, *others, 0), max(1, len(lines)) * ROW

    def draw(self, brush: Brush, left: int, top: int, *, ring: tuple[int, int, int]) -> None:
        """A plate in the power's colour: its letter, its sign, the units."""
        wide, high = self.size
        fill = POWERS[self.power]
        ink = letter_on(fill)
        brush.mask(left, top, block(wide, high, 6), ring)
        brush.mask(left + RING, top + RING, block(wide - 2 * RING, high - 2 * RING, 4), fill)
        for n, line in enumerate(rows(self.units) or [[]]):
            x, y = left + 8, top + ROW * n + ROW // 2
            if not n:
                x += brush.text(x, y, SIGNS[self.power], "number", SMALLEST, ink) + 8
                if self.sign:
                    brush.icon(x + 12, y, self.sign, 26, ink)
                    x += 30
            for unit, count in line:
                brush.icon(x + ICON // 2, y, unit, ICON, ink)
                brush.text(x + ICON + 2, y, str(count), "number", 30, ink)
                x += cell_width(count)


def cell_width(number: int) -> int:
    """What a type with its number takes of a line."""
    return ICON + 8 + width(str(number), "number", 30)


def badges(label: Held) -> list[Badge]:
    """The owner's units, then attackers, then those that wait at sea."""
    found = [Badge(label.owner, label.units, "star" if label.capital else "")] if label.owner else []
    found += [Badge(label.attacker, label.attackers, "attack")] if label.attacker else []
    return [*found, *([Badge(label.active, label.crossing, "anchor")] if label.active else [])]


def extent(territory: str, label: Held) -> Box:
    """What a label takes of the board."""
    name, x, y = LABELS[territory]
    window, there = WINDOWS[name], badges(label)
    wide = max([width(label.name, "label", SMALLEST) + 8, *[badge.size[0] + 4 for badge in there]])
    high = NAME + sum(badge.size[1] + 2 for badge in there) + 2
    left = min(max(window.left + x - wide // 2, window.left + 4), window.left + window.wide - wide - 4)
    top = min(max(window.top + y - NAME // 2, window.top + 3), window.top + window.high - high - 3)
    return Box(left, top, wide, high)


@lru_cache(maxsize=1024)
def under(box: Box) -> tuple[int, ...]:
    """The territories that lie under a box, by their places in `regions`."""
    found = cut(box).getcolors(256) or []
    return tuple(sorted({(what - LAND) // 3 for _, what in found if isinstance(what, int) and what >= number(1)}))


@lru_cache(maxsize=1024)
def tag(theme_name: str, territory: str, label: Held, ground: tuple[tuple[int, str], ...]) -> Image.Image:
    """A territory's name and badges on the map, whose colours under them are those of these owners."""
    theme, box = THEMES[theme_name], extent(territory, label)
    image = coloured(cut(box), theme_name, dict(ground)).convert("RGB")
    brush = Brush(image, theme)
    brush.text(box.wide // 2, NAME // 2, label.name, "label", SMALLEST, theme.ink, align="m", halo=theme.halo)
    y = NAME
    for badge in badges(label):
        wide, high = badge.size
        ring = theme.alarm if badge.sign in ("attack", "anchor") else theme.mark if label.fresh else theme.ring
        badge.draw(brush, (box.wide - wide) // 2, y, ring=ring)
        y += high + 2
    if label.fresh and not label.owner:
        brush.draw.rectangle((0, 0, box.wide - 1, NAME), outline=theme.mark, width=RING)
    return settled(image, theme)


# --- the header -----------------------------------------------------------------------------------

RIGHT_HALF = 640


@lru_cache(maxsize=32)
def header(theme_name: str, title: str, said: str, label: str, discs: tuple[str, ...], active: str,
           out: tuple[str, ...]) -> Image.Image:
    """Game and round; at the right the powers in turn order with the active one larger."""
    theme = THEMES[theme_name]
    image = Image.new("RGB", (WIDE, HEADER), theme.bar)
    brush = Brush(image, theme)
    brush.draw.rectangle((0, HEADER - 6, WIDE, HEADER - 4), theme.gold)
    brush.draw.rectangle((0, HEADER - 3, WIDE, HEADER), theme.paper)
    brush.text(24, 36, title, "title", fit(title, "title", 32, RIGHT_HALF - 40), theme.bar_muted)
    brush.text(24, 91, said, "name", fit(said, "name", 46, RIGHT_HALF - 40), theme.bar_ink)
    step, label = 75, clipped(label, "label", SMALLEST, WIDE - RIGHT_HALF - MARGIN - 12)
    left = WIDE - MARGIN - max(step * len(discs), width(label, "label", SMALLEST) + 12)
    brush.text(left + 8, 27, label, "label", SMALLEST, theme.bar_muted)
    for n, power in enumerate(discs):
        x, size = left + step // 2 + step * n, 68 if power == active else 56
        brush.disc(x, 82, SIGNS[power], size, POWERS[power], ring=theme.gold if power == active else theme.bar_ink)
        if power == active:
            brush.icon(x, HEADER - 9, "up", 18, theme.gold)
        if power in out:
            brush.draw.line((x - 26, 108, x + 26, 56), theme.alarm, 6)
    return settled(image, theme)


def _header(view: View, theme_name: str) -> Image.Image:
    order = view.ranking if view.over and view.ranking else tuple(power.power for power in view.powers)
    label = "Ranking" if view.over else "Players"
    if view.phase == "turn" and not view.over:
        label = "1 action left" if view.actions_left == 1 else f"{view.actions_left} actions left"
        if view.taken:
            label += f" · {', '.join(ACTIONS[action] for action in view.taken)}"
    active = view.winners[0] if view.over and view.winners else view.active
    out = tuple(power.power for power in view.powers if power.out)
    return header(theme_name, f"{view.title} · {view.deck} in the deck", moment(view), label, order, active, out)


# --- the sea lanes ----------------------------------------------------------------------------------

SEA_HEAD, SEA_ROW = 84, 70
LEGEND = 130            # px: with less room there is none


class Fleet(NamedTuple):
    """A fleet, and by how much each number has changed."""

    power: str
    ships: tuple[int, ...]
    damaged: int
    gains: tuple[int, ...]
    controls: bool


def ships(view: FleetView) -> tuple[int, ...]:
    """How many ships there are of each type."""
    return view.battleships, view.carriers, view.destroyers, view.submarines


@lru_cache(maxsize=64)
def sea_panel(theme_name: str, controller: str, name: str, fleets: tuple[Fleet, ...]) -> Image.Image:
    """Who controls the sea lanes, and all fleets."""
    theme = THEMES[theme_name]
    image = Image.new("RGB", (SEAS.wide, SEAS.high), theme.card)
    brush = Brush(image, theme)
    brush.draw.rectangle((0, 0, SEAS.wide, SEA_HEAD - 1), POWERS[controller] if controller else theme.bar)
    ink = letter_on(POWERS[controller]) if controller else theme.bar_ink
    brush.icon(46, SEA_HEAD // 2, "anchor", 54, ink)
    if controller:
        brush.disc(SEAS.wide - 48, SEA_HEAD // 2, SIGNS[controller], 64, POWERS[controller], ring=ink)
    words = f"{name} controls the sea" if controller else "Nobody controls the sea"
    brush.text(88, SEA_HEAD // 2, words, "name", fit(words, "name", 46, SEAS.wide - 190), ink)
    for n, one in enumerate(fleets):
        top = SEA_HEAD + SEA_ROW * n
        if n % 2:
            brush.draw.rectangle((0, top, SEAS.wide, top + SEA_ROW - 1), theme.stripe)
        disc(one.power, 46).draw(brush, 18, top + SEA_ROW // 2)
        fleet(one.ships, one.damaged, one.gains, theme).draw(brush, 84, top + SEA_ROW // 2)
    legend = SEA_HEAD + SEA_ROW * len(fleets)
    if SEAS.high - legend >= LEGEND:
        brush.draw.rectangle((0, legend, SEAS.wide, legend + 2), theme.line)
        _legend(brush, legend + 36)
    return settled(image, theme)


def _legend(brush: Brush, y: int) -> None:
    """What the signs on the map mean."""
    theme = brush.theme
    x = 24
    for unit in UNITS:
        brush.icon(x + 15, y, unit, 30, theme.ink)
        x += 38 + brush.text(x + 38, y, unit.capitalize(), "label", SMALLEST, theme.muted) + 22
    for x, sign, words in ((24, "star", "Capital"), (170, "anchor", "All shores linked"), (420, "dash", "Route")):
        brush.icon(x + 15, y + 46, sign, 30, theme.ink)
        brush.text(x + 38, y + 46, words, "label", SMALLEST, theme.muted)


# --- the table ------------------------------------------------------------------------------------

TABLE_HEAD, TABLE_ROW = 48, 56
COLUMNS = (("Territories", 520), ("Land units", 700), ("Cards", 872), ("Capitals", 1012))


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


@lru_cache(maxsize=8)
def table_head(theme_name: str, title: str) -> Image.Image:
    """The headings."""
    theme, wide = THEMES[theme_name], WIDE - 2 * MARGIN
    image = Image.new("RGB", (wide, TABLE_HEAD), theme.paper)
    brush = Brush(image, theme)
    brush.mask(0, 0, capped(wide, TABLE_HEAD, 8), theme.bar)
    brush.text(20, TABLE_HEAD // 2, title, "name", 32, theme.bar_ink)
    for heading, x in COLUMNS:
        brush.text(x, TABLE_HEAD // 2, heading, "label", SMALLEST, theme.bar_muted)
    return settled(image, theme)


@lru_cache(maxsize=256)
def table_row(theme_name: str, line: Line) -> Image.Image:
    """One power."""
    theme, middle = THEMES[theme_name], TABLE_ROW // 2
    image = Image.new("RGB", (WIDE - 2 * MARGIN, TABLE_ROW), theme.stripe if line.striped else theme.card)
    brush = Brush(image, theme)
    if line.active:
        brush.icon(22, middle, "pointer", 24, theme.gold)
    elif line.place:
        brush.text(22, middle, str(line.place), "number", 32, theme.muted, align="m")
    disc(line.power, 46).draw(brush, 43, middle)
    ink = theme.muted if line.out else theme.ink
    x = 102 + brush.text(102, middle, line.name, "name", 36, ink) + 16
    said = "out" if line.out else clipped(line.player, "name", SMALLEST, COLUMNS[0][1] - x - 12)
    brush.text(x, middle, said, "name", SMALLEST, theme.alarm if line.out else theme.muted)
    for (_, left), value, gain in zip(COLUMNS, line.numbers, line.gains):
        x = left + brush.text(left, middle, str(value), "number", 36, ink if value else theme.muted) + 10
        if gain:
            brush.change(x, middle, gain)
    return settled(image, theme)


def counts(power: PowerView) -> tuple[int, ...]:
    """The numbers of a power in the table."""
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
    return [Line(power=power, name=by_id[power].name, player=drawable(people.get(power, ""), "name"),
                 place=(1 if power in view.winners else place) if view.over else 0, numbers=counts(by_id[power]),
                 gains=gained(counts(by_id[power]), known.get(power, counts(by_id[power]))),
                 active=power == view.active and not view.over, out=by_id[power].out, striped=bool(place % 2 == 0))
            for place, power in enumerate(order, 1)]


# --- the own hand -----------------------------------------------------------------------------------

HAND, CARD = 60, 48     # px of a line of cards, and of a card


@lru_cache(maxsize=64)
def hand(theme_name: str, held: tuple[str, ...], points: int) -> Image.Image:
    """The reader's own cards, which nobody else sees, and what Production would bring."""
    theme, wide, words = THEMES[theme_name], WIDE - 2 * MARGIN, f"{points} PP"
    lines = wrapped(cards(held, CARD, theme), 8, wide - 106 - width(words, "number", 46))
    image = Image.new("RGB", (wide, HAND * len(lines)), theme.bar)
    brush = Brush(image, theme)
    brush.icon(34, HAND // 2, "lock", 36, theme.gold)
    for n, one in enumerate(lines):
        one.draw(brush, 66, HAND * n + HAND // 2)
    brush.text(wide - 20, HAND // 2, words, "number", 46, theme.bar_ink, align="r")
    return settled(image, theme)


# --- the board ------------------------------------------------------------------------------------

def fleets(scene: Board) -> Iterator[Fleet]:
    """All fleets in seat order."""
    known = {power.power: ships(power.fleet) for power in scene.before.powers} if scene.before else {}
    for power in scene.now.powers:
        now = ships(power.fleet)
        yield Fleet(power.power, now, power.fleet.damaged, gained(now, known.get(power.power, now)), power.controls_sea)


def tags(scene: Board, theme_name: str) -> Iterator[tuple[Image.Image, tuple[int, int]]]:
    """Every label with its place."""
    view, index = scene.now, {region: n for n, region in enumerate(regions())}
    owners = {index[land.territory]: land.owner for land in view.territories}
    known = {land.territory: land for land in scene.before.territories} if scene.before else {}
    labels = [(land, held(land, known.get(land.territory), view)) for land in view.territories]
    for land, label in sorted(labels, key=lambda item: bool(item[1].attacker or item[1].active)):   # disputed ones above others
        box = extent(land.territory, label)
        ground = tuple((n, owners[n]) for n in under(box))
        yield tag(theme_name, land.territory, label, ground), (box.left, box.top)


def paint(scene: Board, theme_name: str) -> Image.Image:
    """The board as a palette image, 1200 px wide; its height follows from the number of powers."""
    view, index = scene.now, {region: n for n, region in enumerate(regions())}
    owners = [""] * len(index)
    for land in view.territories:
        owners[index[land.territory]] = land.owner
    names = {power.power: power.name for power in view.powers}
    heading = table_head(theme_name, "Final ranking" if view.over else "Powers")
    table = [heading, *[table_row(theme_name, line) for line in lines(scene)]]
    if view.seat is not None and view.own_points is not None:
        table.append(hand(theme_name, view.own_cards, view.own_points))
    frame = Image.new("P", (WIDE, FOOT + sum(tile.height for tile in table) + MARGIN))      # 0 is the paper
    frame.putpalette(colours(THEMES[theme_name]).getpalette() or [])
    frame.paste(_header(view, theme_name), (0, 0))
    frame.paste(chart(theme_name, tuple(owners)), (0, HEADER))
    for tile, place in tags(scene, theme_name):
        frame.paste(tile, place)
    frame.paste(sea_panel(theme_name, view.controller, names.get(view.controller, ""), tuple(fleets(scene))), SEAS.corners[:2])
    y = FOOT
    for tile in table:
        frame.paste(tile, (MARGIN, y))
        y += tile.height
    return frame


def paint_view(view: View, theme_name: str) -> Image.Image:
    """The board without any marks."""
    return paint(Board(now=view), theme_name)
