"""Small things that stand in lines of a picture: each knows how wide it is and how it is drawn, so lines can be measured,
turned round, wrapped and set flush right before anything is drawn."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from engine.struggle_of_empires.view import Garrison
from renderer.brushes import RING, SMALLEST, Brush, Face, block, clipped, drawable, fit, signed, width
from renderer.struggle_of_empires.common import POWERS, letter, put_shield
from renderer.themes import Colour, Theme, letter_on

PIPS = {1: (4,), 2: (2, 6), 3: (2, 4, 6), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
"""Which places of three by three, counted like a page is read, have a pip on each side of a die."""


class Piece(NamedTuple):
    """Something of a width; `draw` takes its left edge and its middle from top to bottom."""

    wide: int
    draw: Callable[[Brush, int, int], object]


def words(text: str, face: Face, size: int, ink: Colour) -> Piece:
    """A text."""
    return Piece(width(text, face, size), lambda brush, x, y: brush.text(x, y, text, face, size, ink))


def name(text: str, size: int, room: int, ink: Colour, face: Face = "name") -> Piece:
    """A name in as much room as there is: smaller if need be, and then cut. What no font has is left out."""
    known = drawable(text, face)
    size = fit(known, face, size, room)
    return words(clipped(known, face, size, room), face, size, ink)


def icon(kind: str, size: int, ink: Colour) -> Piece:
    """An icon."""
    return Piece(size, lambda brush, x, y: brush.icon(x + size // 2, y, kind, size, ink))


def coin(size: int) -> Piece:
    """A gold coin."""
    return Piece(size, lambda brush, x, y: brush.coin(x + size // 2, y, size))


def disc(power: str, size: int) -> Piece:
    """A power's disc."""
    return Piece(size, lambda brush, x, y: brush.disc(x + size // 2, y, letter(power), size, POWERS[power]))


def square(power: str, size: int) -> Piece:
    """The sign of a power that nobody plays."""
    return Piece(size, lambda brush, x, y: brush.square(x + size // 2, y, letter(power), size, POWERS[power]))


def shield(holder: str, size: int) -> Piece:
    """The place of a local alliance with its holder's marker, or hollow."""
    return Piece(size, lambda brush, x, y: put_shield(brush, x + size // 2, y, holder, size))


def octagon(number: int, size: int) -> Piece:
    """A neutral marker or a token with its strength."""
    def draw(brush: Brush, x: int, y: int) -> None:
        middle, theme = x + size // 2, brush.theme
        brush.icon(middle, y, "octagon", size, theme.ring)
        brush.icon(middle, y, "octagon", size - 2 * RING, theme.stone)
        brush.text(middle, y, str(number), "number", max(SMALLEST, round(size * 0.6)), theme.seal_ink, align="m")
    return Piece(size, draw)


def die(pips: int, size: int) -> Piece:
    """A die that shows so many pips."""
    pip, step, corner = round(size * 0.2), round(size * 0.27), round(size * 0.18)

    def draw(brush: Brush, x: int, y: int) -> None:
        theme, top, inner = brush.theme, y - size // 2, size - 2 * RING
        brush.mask(x, top, block(size, size, corner), theme.seal_ink)
        brush.mask(x + RING, top + RING, block(inner, inner, corner - RING), theme.bar_ink)
        for place in PIPS[pips]:
            row, column = divmod(place, 3)
            brush.icon(x + size // 2 + step * (column - 1), y + step * (row - 1), "disc", pip, theme.seal_ink)
    return Piece(size, draw)


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


def change(number: int, high: int, theme: Theme) -> list[Piece]:
    """What a number has grown or shrunk by, as a small plate with its sign; nothing if it is as it was."""
    if not number:
        return []
    text, fill = signed(number), theme.gold if number > 0 else theme.alarm
    size = max(SMALLEST, round(high * 0.8))
    wide = width(text, "number", size) + 14

    def draw(brush: Brush, x: int, y: int) -> None:
        brush.mask(x, y - high // 2, block(wide, high, 8), fill)
        brush.text(x + wide // 2, y, text, "number", size, letter_on(fill), align="m")
    return [Piece(wide, draw)]


def plate(piece: Piece, high: int, fill: Colour) -> Piece:
    """A piece on a plate of its own."""
    def draw(brush: Brush, x: int, y: int) -> None:
        brush.mask(x, y - high // 2, block(piece.wide + 32, high, high // 4), fill)
        piece.draw(brush, x + 16, y)
    return Piece(piece.wide + 32, draw)


def over(upper: Piece, lower: Piece, apart: int) -> Piece:
    """Two pieces, one centred over the other, with so many px between their middles."""
    wide = max(upper.wide, lower.wide)

    def draw(brush: Brush, x: int, y: int) -> None:
        upper.draw(brush, x + (wide - upper.wide) // 2, y - apart // 2)
        lower.draw(brush, x + (wide - lower.wide) // 2, y + apart - apart // 2)
    return Piece(wide, draw)


def struck(piece: Piece, rise: int, ink: Colour) -> Piece:
    """A piece struck through, from so much below its middle to so much above it."""
    def draw(brush: Brush, x: int, y: int) -> None:
        piece.draw(brush, x, y)
        brush.draw.line((x - 4, y + rise, x + piece.wide + 4, y - rise), ink, 6)
    return Piece(piece.wide, draw)


def line(pieces: Sequence[Piece], gap: int) -> Piece:
    """Pieces one after the other."""
    def draw(brush: Brush, x: int, y: int) -> None:
        for piece in pieces:
            piece.draw(brush, x, y)
            x += piece.wide + gap
    return Piece(sum(piece.wide for piece in pieces) + gap * max(0, len(pieces) - 1), draw)


def wrapped(pieces: Iterable[Piece], gap: int, room: int) -> list[Piece]:
    """Pieces in as many lines as they need."""
    lines: list[list[Piece]] = []
    left = 0
    for piece in pieces:
        if not lines or piece.wide > left:
            lines.append([])
            left = room
        lines[-1].append(piece)
        left -= piece.wide + gap
    return [line(one, gap) for one in lines]


def units(held: Garrison, size: int, ink: Colour) -> list[Piece]:
    """Armies, navies and forts, each as an icon with its number; nothing for none."""
    return [line([icon(kind, size, ink), words(str(number), "number", size, ink)], 5)
            for kind, number in (("army", held.armies), ("navy", held.navies), ("fort", held.forts)) if number]
