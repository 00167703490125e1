"""The pieces of Attack!, to stand in lines with those of every game."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engine.games.attack.view import Units, View
from engine.text import say, template, text
from renderer.brushes import RING, SMALLEST, Brush, block, width
from renderer.games.attack.common import SHIPS, SIGNS, UNITS, fill
from renderer.pieces import Piece, change, icon, line, words
from renderer.themes import Colour, Theme

PHASES = {"setup": template("Setup"), "claiming": template("Setup · first territories"),
          "deploying": template("Setup · first units"), "founding": template("Setup · capitals")}
CARDS = {"oil": template("Oil"), "minerals": template("Min"), "factories": template("Fac"), "railroads": template("Rail"),
         "population": template("Pop")}
COLUMN, LEAST = 118, 32         # px of a type of ships, and of an icon and a number of them at least
SET = ("oil", "minerals", "factories", "railroads")


def moment(view: View) -> str:
    if view.over:
        return say(text("The game is over"))
    if view.phase in PHASES:
        return say(text(PHASES[view.phase]))
    return say(text("Round {n} · the last" if view.last_round else "Round {n}", n=view.round))


def disc(power: str, size: int) -> Piece:
    return Piece(size, lambda brush, x, y: brush.disc(x + size // 2, y, SIGNS[power], size, fill(brush.theme, power)))


def fleet(ships: Sequence[int], damaged: int, gains: Sequence[int], room: int, theme: Theme) -> Piece:
    """Ships in columns as large as fits into so many px: each type as an icon with its number, damaged battleships in the colour
    of alarm, and by how much the number has changed."""
    for size in (44, 38, LEAST):
        columns = [_ships(ship, number, damaged if ship == "battleship" else 0, gain, size, theme)
                   for ship, number, gain in zip(SHIPS, ships, gains)]
        spread = [Piece(max(column.wide, COLUMN), column.draw) for column in columns]
        for pieces in (spread, columns):
            if line(pieces, 8).wide <= room:
                return line(pieces, 8)
    return line(columns, 8)


def _ships(ship: str, number: int, damaged: int, gain: int, size: int, theme: Theme) -> Piece:
    ink = theme.ink if number else theme.muted
    hurt = [words(f"({damaged})", "number", max(SMALLEST, size * 2 // 3), theme.alarm)] if damaged else []
    return line([icon(ship, size, ink), words(str(number), "number", max(LEAST, size * 5 // 6), ink), *hurt,
                 *change(gain, LEAST, theme)], size // 9)


def cards(kinds: Sequence[str], high: int, theme: Theme) -> Iterator[Piece]:
    """Cards by kind, those of a set in gold; equal ones stand once with their number."""
    left = Counter(kinds)
    by_type = {kind: sorted((card for card in kinds if card.rsplit("_", 1)[0] == kind), key=weight, reverse=True) for kind in SET}
    number = min(map(len, by_type.values()))
    doubled = Counter(card for held in by_type.values() for card in held[:number])
    for card in sorted(left, key=lambda card: ([*CARDS].index(card.rsplit("_", 1)[0]), -weight(card))):
        for gilt in (True, False):
            count = doubled[card] if gilt else left[card] - doubled[card]
            if count:
                yield _card(card, count, high, gilt=gilt)
    if not left:
        yield words(say(text("No cards")), "label", 34, theme.bar_muted)


def weight(card: str) -> int:
    return int(card.rsplit("_", 1)[1])


def _card(card: str, count: int, high: int, *, gilt: bool) -> Piece:
    called, value = say(text(CARDS[card.rsplit("_", 1)[0]])), str(weight(card))
    times = f"×{count}" if count > 1 else ""
    wide = 28 + width(called, "label", SMALLEST) + width(value, "number", 36)
    wide += width(times, "label", SMALLEST) + 6 if times else 0

    def draw(brush: Brush, x: int, y: int) -> None:
        theme, top = brush.theme, y - high // 2
        fill = theme.gold if gilt else theme.bar_ink
        brush.mask(x, top, block(wide, high, 8), theme.seal_ink)
        brush.mask(x + RING, top + RING, block(wide - 2 * RING, high - 2 * RING, 6), fill)
        pen = x + 10
        pen += brush.text(pen, y, called, "label", SMALLEST, theme.seal_ink) + 6
        pen += brush.text(pen, y, value, "number", 36, theme.seal_ink) + 6
        if times:
            brush.text(pen, y, times, "label", SMALLEST, theme.seal_ink)
    return Piece(wide, draw)


# --- battles --------------------------------------------------------------------------------------

def army(units: Units, size: int, ink: Colour, theme: Theme) -> Piece:
    """Land units, each type as an icon with its number; a dash for none."""
    there = [(unit, number) for unit in UNITS if (number := getattr(units, unit))]
    if not there:
        return words("–", "number", size, theme.muted)
    return line([line([icon(unit, size, ink), words(str(number), "number", size, ink)], 3) for unit, number in there], 12)


def fitting(units: Units, size: int, room: int, ink: Colour, theme: Theme) -> Piece:
    """Land units as large as fits into so many px, up to this size."""
    while size > SMALLEST and army(units, size, ink, theme).wide > room:
        size -= 1
    return army(units, size, ink, theme)


def losses(units: Units, size: int, theme: Theme) -> Piece:
    """Units that were lost, in the colour of alarm."""
    return army(units, size, theme.alarm, theme)


def battle_die(face: str, size: int, *, scored: bool) -> Piece:
    """A battle die: in gold if a unit is matched to it, hollow if it missed."""
    def draw(brush: Brush, x: int, y: int) -> None:
        theme, top, corner = brush.theme, y - size // 2, round(size * 0.18)
        inner = size - 2 * RING
        brush.mask(x, top, block(size, size, corner), theme.seal_ink if scored else theme.muted)
        brush.mask(x + RING, top + RING, block(inner, inner, max(1, corner - RING)), theme.gold if scored else theme.card)
        if face in UNITS:
            brush.icon(x + size // 2, y, face, round(size * 0.68), theme.seal_ink if scored else theme.muted)
    return Piece(size, draw)
