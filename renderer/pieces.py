"""Small things that stand in lines of a picture: each knows how wide it is and how it is drawn, so lines can be measured,
turned round, wrapped and set flush right before anything is drawn."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from renderer import brushes as br
from renderer.themes import Colour, Theme, letter_on

PIPS = {1: (4,), 2: (2, 6), 3: (2, 4, 6), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
"""Which places of three by three, counted like a page is read, have a pip on each side of a die."""


class Piece(NamedTuple):
    """Something of a width; `draw` takes its left edge and its middle from top to bottom."""

    wide: int
    draw: Callable[[br.Brush, int, int], object]


def words(text: str, face: br.Face, size: int, ink: Colour) -> Piece:
    return Piece(br.width(text, face, size), lambda brush, x, y: brush.text(x, y, text, face, size, ink))


def name(text: str, size: int, room: int, ink: Colour, face: br.Face = "name") -> Piece:
    """A name in as much room as there is: smaller if need be, and then cut. What no font has is left out."""
    known = br.drawable(text, face)
    size = br.fit(known, face, size, room)
    return words(br.clipped(known, face, size, room), face, size, ink)


def icon(kind: str, size: int, ink: Colour) -> Piece:
    return Piece(size, lambda brush, x, y: brush.icon(x + size // 2, y, kind, size, ink))


def coin(size: int) -> Piece:
    return Piece(size, lambda brush, x, y: brush.coin(x + size // 2, y, size))


def octagon(number: int, size: int) -> Piece:
    """A neutral marker or a token with its strength."""
    def draw(brush: br.Brush, x: int, y: int) -> None:
        middle, theme = x + size // 2, brush.theme
        brush.icon(middle, y, "octagon", size, theme.ring)
        brush.icon(middle, y, "octagon", size - 2 * br.RING, theme.stone)
        brush.text(middle, y, str(number), "number", max(br.SMALLEST, round(size * 0.6)), theme.seal_ink, align="m")
    return Piece(size, draw)


def die(pips: int, size: int) -> Piece:
    pip, step, corner = round(size * 0.2), round(size * 0.27), round(size * 0.18)

    def draw(brush: br.Brush, x: int, y: int) -> None:
        theme, top, inner = brush.theme, y - size // 2, size - 2 * br.RING
        brush.mask(x, top, br.block(size, size, corner), theme.seal_ink)
        brush.mask(x + br.RING, top + br.RING, br.block(inner, inner, corner - br.RING), theme.bar_ink)
        for place in PIPS[pips]:
            row, column = divmod(place, 3)
            brush.icon(x + size // 2 + step * (column - 1), y + step * (row - 1), "disc", pip, theme.seal_ink)
    return Piece(size, draw)


def change(number: int, high: int, theme: Theme) -> list[Piece]:
    """Return what a number has grown or shrunk by, as a small plate with its sign; nothing if it is as it was."""
    if not number:
        return []
    text, fill, high = br.signed(number), theme.gold if number > 0 else theme.alarm, max(high, br.MARK)
    size = max(br.SMALLEST, round(high * 0.8))
    wide = br.width(text, "number", size) + 14

    def draw(brush: br.Brush, x: int, y: int) -> None:
        brush.mask(x, y - high // 2, br.block(wide, high, 8), fill)
        brush.text(x + wide // 2, y, text, "number", size, letter_on(fill), align="m")
    return [Piece(wide, draw)]


def plate(piece: Piece, high: int, fill: Colour) -> Piece:
    def draw(brush: br.Brush, x: int, y: int) -> None:
        brush.mask(x, y - high // 2, br.block(piece.wide + 32, high, high // 4), fill)
        piece.draw(brush, x + 16, y)
    return Piece(piece.wide + 32, draw)


def over(upper: Piece, lower: Piece, apart: int) -> Piece:
    """Two pieces, one centred over the other, with so many px between their middles."""
    wide = max(upper.wide, lower.wide)

    def draw(brush: br.Brush, x: int, y: int) -> None:
        upper.draw(brush, x + (wide - upper.wide) // 2, y - apart // 2)
        lower.draw(brush, x + (wide - lower.wide) // 2, y + apart - apart // 2)
    return Piece(wide, draw)


def struck(piece: Piece, rise: int, ink: Colour) -> Piece:
    """A piece struck through, from so much below its middle to so much above it."""
    def draw(brush: br.Brush, x: int, y: int) -> None:
        piece.draw(brush, x, y)
        brush.draw.line((x - 4, y + rise, x + piece.wide + 4, y - rise), ink, 6)
    return Piece(piece.wide, draw)


def line(pieces: Sequence[Piece], gap: int) -> Piece:
    def draw(brush: br.Brush, x: int, y: int) -> None:
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
