"""What stands on the map for a territory: its name, what the reader may do there, and who has which units in it."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from engine.games.attack.pictures.scenes import Board
from engine.games.attack.view import TerritoryView, Units, View
from engine.text import count as counted, say, text
from renderer.brushes import RING, SMALLEST, Brush, block, counter_width, width
from renderer.games.attack.base import WINDOWS, coloured, cut, regions, under
from renderer.games.attack.common import GAME, NEUTRAL, NEUTRAL_SIGN, SIGNS, UNITS, fill, settled
from renderer.games.attack.edges import edges
from renderer.games.attack.places import LABELS, SPOTS
from renderer.layout.arrange import arranged, covered, kept
from renderer.layout.boxes import Box
from renderer.maps.plates import plate
from renderer.themes import THEMES, Theme, letter_on
from renderer.words import short_name, spoken

NAME = 34               # px: the line with a territory's name
ROW = 36                # a line of units
SIGN = 30               # an icon, as all signs here
DIGITS = 32             # the size of numbers
INK: Mapping[str, int] = {"infantry": 20, "tank": 30, "artillery": 30, "plane": 30}     # how wide each icon is drawn
GAP = 8                 # between two types, and after a letter
SEAL, DEED = 34, 40     # the seal of a capital; the plate of a deed
EDGE = 2                # px around a label that stay free
NEAR, FAR = 170, 400    # px that a label may go: further away nobody looks for it

ICONS: Mapping[str, str] = {"attack": "attack", "move": "move", "claim": "colonise", "place": "place", "capital": "star",
                            "diplomacy": "talk", "other": "other"}
"""The icon of each deed."""


class Badge(NamedTuple):
    """The units of one power."""

    power: str              # or "neutral"
    units: tuple[int, ...]
    sign: str = ""          # an icon: swords for attackers, an anchor for units at sea
    brief: bool = False     # only how many units there are

    @property
    def letter(self) -> str:
        return SIGNS.get(self.power, NEUTRAL_SIGN)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px."""
        lines = rows(self.units)
        first, *others = [sum(cell(unit, number) for unit, number in line) for line in lines] or [0]
        lead = width(self.letter, "number", SMALLEST) + GAP + (SIGN + GAP if self.sign else 0)
        if self.brief:
            return 2 * RING + 8 + lead + width(self.total, "number", DIGITS), ROW + 2
        return 2 * RING + 8 + max(lead + first, *others, 0) - (GAP if lines else GAP // 2), max(1, len(lines)) * ROW + 2

    @property
    def total(self) -> str:
        return say(text("{units:map}", units=counted(sum(self.units), "{n} unit", "{n} units")))

    def draw(self, brush: Brush, left: int, top: int, ring: tuple[int, int, int]) -> None:
        """A plate in the power's colour: its letter, its sign, the units."""
        wide, high = self.size
        ground = fill(brush.theme, self.power)
        ink = letter_on(ground)
        for inset, colour in ((-EDGE, brush.theme.halo), (0, ring), (RING, brush.theme.halo), (RING + EDGE, ground)):
            plate = block(wide - 2 * inset, high - 2 * inset, max(2, 6 - inset))    # the ring lies on a halo
            brush.mask(left + inset, top + inset, plate, colour)
        for n, line in enumerate([[]] if self.brief else rows(self.units) or [[]]):
            x, y = left + RING + 4, top + 1 + ROW * n + ROW // 2
            if not n:
                x += brush.text(x, y, self.letter, "number", SMALLEST, ink) + GAP
                if self.sign:
                    brush.icon(x + SIGN // 2, y, self.sign, SIGN, ink)
                    x += SIGN + GAP
                if self.brief:
                    brush.text(x, y, self.total, "number", DIGITS, ink)
            for unit, count in line:
                brush.icon(x + INK[unit] // 2, y, unit, SIGN, ink)
                brush.text(x + INK[unit] + 3, y, str(count), "number", DIGITS, ink)
                x += cell(unit, count)


def rows(units: tuple[int, ...]) -> list[list[tuple[str, int]]]:
    there = [(unit, number) for unit, number in zip(UNITS, units) if number]
    return [there[n:n + 2] for n in range(0, len(there), 2)]


@lru_cache(maxsize=512)
def cell(unit: str, count: int) -> int:
    """Return what a type with its number takes of a line, with the gap after it."""
    return INK[unit] + 3 + width(str(count), "number", DIGITS) + GAP


class Label(NamedTuple):
    """What a label shows of a territory."""

    name: str
    capital: bool
    deeds: tuple[str, ...]
    number: int                     # by which the menu calls it; 0: none
    badges: tuple[Badge, ...]       # the owner's units, then attackers, then those that wait at sea
    fresh: bool                     # whether it is new to the reader


def label(land: TerritoryView, before: TerritoryView | None, view: View, deeds: tuple[str, ...] = (),
          number: int = 0) -> Label:
    fight = view.battle if view.battle is not None and view.battle.territory == land.territory else None
    attackers = added(fight.attacker.fighting, fight.attacker.reserve) if fight else numbers(land.entering)
    crossing = added(*[crossing.units for crossing in view.crossings if crossing.to == land.territory])
    badges = [Badge(land.owner, numbers(land.units))] if land.owner else []
    if fight and fight.defender.power == NEUTRAL:
        badges.append(Badge(NEUTRAL, added(fight.defender.fighting, fight.defender.reserve)))
    badges += [Badge(view.active, attackers, "attack")] if any(attackers) else []
    badges += [Badge(view.active, crossing, "anchor")] if any(crossing) else []
    return Label(short_name(land.name), bool(land.capital_of), deeds, number, tuple(badges),
                 before is not None and before != land)


def added(*forces: Units) -> tuple[int, ...]:
    return tuple(map(sum, zip(*map(numbers, forces)))) or numbers(Units())


def numbers(units: Units) -> tuple[int, ...]:
    return units.infantry, units.tank, units.artillery, units.plane


# --- where labels stand -----------------------------------------------------------------------------

@lru_cache(maxsize=1024)
def size(shown: Label) -> tuple[int, int]:
    there = [badge.size for badge in shown.badges]
    wide = max([_heading(shown), *[wide for wide, _ in there]]) + 2 * EDGE
    return wide, NAME + sum(high + 2 for _, high in there) + 2 * EDGE


def _heading(shown: Label) -> int:
    return width(shown.name, "label", SMALLEST) + 6 + (SEAL + 4 if shown.capital else 0) + (
        counter_width(shown.number) + 4 if shown.number else 0) + (4 + DEED) * len(shown.deeds)


def standing(labels: Mapping[str, Label], fixed: tuple[Box, ...] = ()) -> dict[str, tuple[Label, Box]]:
    """Each label with what it takes of the board, so that none covers another; `fixed` is what else stands on the map."""
    found: dict[str, tuple[Label, Box]] = {}
    for name in WINDOWS:
        here = tuple(territory for territory in labels if LABELS[territory][0] == name)
        found |= zip(here, _stand(name, here, tuple(labels[territory] for territory in here), fixed))
    return found


@spoken(maxsize=64)
def _stand(name: str, here: tuple[str, ...], shown: tuple[Label, ...], fixed: tuple[Box, ...]) -> tuple[tuple[Label, Box], ...]:
    """The labels of a plate. If there is no room for all, the one that others cover most says no more than how many units there
    are, then the next one, until there is."""
    window, labels, there = WINDOWS[name], list(shown), (*[box for _, box in edges(name)], *fixed)
    inside = Box(window.left + 4, window.top + 4, window.wide - 8, window.high - 8)
    while True:
        wanted = tuple(_wanted(territory, size(one)) for territory, one in zip(here, labels))
        if boxes := arranged(wanted, there, inside, NEAR):
            return tuple(zip(labels, boxes))
        long = [n for n, one in enumerate(labels) if one != short(one)]
        if not long:
            return tuple(zip(labels, arranged(wanted, there, inside, FAR) or wanted))
        lost = covered(wanted, there)
        most = max(long, key=lambda n: (lost[n], wanted[n].wide * wanted[n].high))
        labels[most] = short(labels[most])


def short(shown: Label) -> Label:
    """The label with the number of units alone, where there are several types."""
    return shown._replace(badges=tuple(badge._replace(brief=len(rows(badge.units)) > 1 or badge.brief) for badge in shown.badges))


def _wanted(territory: str, measures: tuple[int, int]) -> Box:
    name, x, y = LABELS[territory]
    wide, high = measures
    return Box(WINDOWS[name].left + x - wide // 2, WINDOWS[name].top + y - NAME // 2, wide, high)


def leaders(where: Mapping[str, Box]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Lines from labels that do not touch their territory to it."""
    index = {region: n for n, region in enumerate(regions())}
    for territory, box in where.items():
        if territory in SPOTS or index[territory] not in under(box):
            name = LABELS[territory][0]
            x, y = SPOTS.get(territory) or plate(GAME, name).anchors[territory]
            end = WINDOWS[name].left + round(x), WINDOWS[name].top + round(y)
            if not box.meets(Box(*end, 1, 1)):
                start = kept(Box(*end, 1, 1), Box(box.left + 6, box.top + 6, box.wide - 12, box.high - 12))
                yield (start.left, start.top), end


# --- how they are drawn -----------------------------------------------------------------------------

@spoken(maxsize=1024)
def tag(theme_name: str, box: Box, shown: Label, ground: tuple[tuple[int, str], ...]) -> Image.Image:
    """A label on the map, whose colours under it are those of these owners."""
    theme = THEMES[theme_name]
    image = coloured(cut(box), theme_name, ground).convert("RGB")
    brush = Brush(image, theme)
    _draw_heading(brush, shown, (box.wide - _heading(shown)) // 2)
    y = EDGE + NAME
    for badge in shown.badges:
        wide, high = badge.size
        badge.draw(brush, (box.wide - wide) // 2, y, ring(badge, shown, theme))
        y += high + 2
    if shown.fresh and not shown.badges:
        brush.draw.rectangle((0, 0, box.wide - 1, box.high - 1), outline=theme.mark, width=RING)
    return settled(image, theme)


def ring(badge: Badge, shown: Label, theme: Theme) -> tuple[int, int, int]:
    """The colour around a badge: who is about to fight, what is new."""
    return theme.alarm if badge.sign else theme.mark if shown.fresh else theme.ring


def _draw_heading(brush: Brush, shown: Label, x: int) -> None:
    theme, y = brush.theme, EDGE + NAME // 2
    if shown.capital:
        seal(brush, x + SEAL // 2, y)
        x += SEAL + 4
    if shown.number:
        x += brush.counter(x, y, shown.number) + 4
    x += 3 + brush.text(x + 3, y, shown.name, "label", SMALLEST, theme.ink, halo=theme.halo) + 3
    for deed in shown.deeds:
        x += 4
        plate_of(brush, x, y, deed)
        x += DEED


def seal(brush: Brush, x: int, y: int) -> None:
    """The sign of a capital, centred on x, y."""
    brush.icon(x, y, "disc", SEAL, brush.theme.seal_ink)
    brush.icon(x, y, "disc", SEAL - 4, brush.theme.gold)
    brush.icon(x, y, "star", SEAL - 8, brush.theme.seal_ink)


def plate_of(brush: Brush, x: int, y: int, deed: str) -> None:
    brush.mask(x, y - NAME // 2, block(DEED, NAME, 6), brush.theme.seal_ink)
    brush.mask(x + 2, y - NAME // 2 + 2, block(DEED - 4, NAME - 4, 4), brush.theme.gold)
    brush.icon(x + DEED // 2, y, ICONS[deed], SIGN, brush.theme.seal_ink)


def labels(scene: Board) -> dict[str, Label]:
    known = {land.territory: land for land in scene.before.territories} if scene.before else {}
    ways = {way.territory: (way.deeds, way.number) for way in scene.ways}
    return {land.territory: label(land, known.get(land.territory), scene.now, *ways.get(land.territory, ((), 0)))
            for land in scene.now.territories}
