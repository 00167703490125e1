"""The pieces of Struggle of Empires, to stand in lines with those of every game."""
from __future__ import annotations

from engine.games.struggle_of_empires.view import Garrison
from renderer.brushes import RING, SMALLEST, Brush, block
from renderer.games.struggle_of_empires.common import POWERS, letter, put_shield
from renderer.pieces import Piece, icon, line, words
from renderer.themes import Colour, letter_on


def disc(power: str, size: int) -> Piece:
    return Piece(size, lambda brush, x, y: brush.disc(x + size // 2, y, letter(power), size, POWERS[power]))


def square(power: str, size: int) -> Piece:
    """The sign of a power that nobody plays."""
    return Piece(size, lambda brush, x, y: brush.square(x + size // 2, y, letter(power), size, POWERS[power]))


def shield(holder: str, size: int) -> Piece:
    """The place of a local alliance with its holder's marker, or hollow."""
    return Piece(size, lambda brush, x, y: put_shield(brush, x + size // 2, y, holder, size))


def bar(power: str, markers: int, high: int, *, npp: bool = False) -> Piece:
    """A power's control markers: its letter, how many, and a length that grows with each; a disc if there are none. That of a
    power that nobody plays is in its colour only at the letter."""
    if not markers:
        return square(power, high) if npp else disc(power, high)
    fill, size = POWERS[power], max(SMALLEST, round(high * 0.72))
    wide, half = round(high * 1.6) + 12 * (markers - 1) + 8 * npp, round(high * 0.9)

    def draw(brush: Brush, x: int, y: int) -> None:
        top, ink, theme = y - high // 2, letter_on(fill), brush.theme
        brush.mask(x, top, block(wide, high, 4 if npp else 9), theme.ring)
        if npp:
            brush.mask(x + RING, top + RING, block(wide - 2 * RING, high - 2 * RING, 2), theme.card)
            brush.mask(x + RING, top + RING, block(half - RING, high - 2 * RING, 2), fill)
        else:
            brush.mask(x + RING, top + RING, block(wide - 2 * RING, high - 2 * RING, 6), fill)
        brush.text(x + 12, y, letter(power), "label", max(SMALLEST, round(size * 0.9)), ink)
        brush.text(x + wide - 12, y, str(markers), "number", size, theme.ink if npp else ink, align="r")
    return Piece(wide, draw)


def units(held: Garrison, size: int, ink: Colour) -> list[Piece]:
    """Armies, navies and forts, each as an icon with its number; nothing for none."""
    return [line([icon(kind, size, ink), words(str(number), "number", size, ink)], 5)
            for kind, number in (("army", held.armies), ("navy", held.navies), ("fort", held.forts)) if number]
