"""The tiles of whoever looks, by name, with what each does: below the table of powers."""
from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from engine.games.struggle_of_empires.pictures.scenes import OwnTile
from engine.text import say, template, text
from renderer.brushes import SMALLEST, Brush, page
from renderer.games.struggle_of_empires.common import MARGIN, WIDE, settled
from renderer.pieces import Piece, icon, line, words, wrapped
from renderer.themes import THEMES, Theme
from renderer.words import spoken

HEAD, ROW, EDGE, GAP = 42, 42, 5, 28        # px: the heading, a line, above and below the lines, between two tiles
NAME, SPACE = 32, 7
USED = template("used")


def _called(tile: OwnTile) -> str:
    return f"{say(tile.name)} ×{tile.number}" if tile.number > 1 else say(tile.name)


def _state(tile: OwnTile) -> str:
    return "" if not tile.used else say(text(USED)) if tile.used == tile.number else f"{tile.used} {say(text(USED))}"


def _piece(tile: OwnTile, theme: Theme) -> Piece:
    ink = theme.muted if tile.used == tile.number else theme.ink
    said = [icon("tile", SMALLEST, ink), words(_called(tile), "name", NAME, ink)]
    if state := _state(tile):
        said.append(words(state, "label", SMALLEST, theme.alarm))
    return line(said, 8)


def _headed(theme: Theme, lines: int) -> tuple[Image.Image, Brush]:
    image = Image.new("RGB", (WIDE - 2 * MARGIN, HEAD + ROW * lines + 2 * EDGE), theme.card)
    brush = page(image, theme)
    brush.draw.rectangle((0, 0, image.width, HEAD - 1), theme.bar)
    brush.text(20, HEAD // 2 + 1, say(text("Your tiles")), "name", NAME, theme.bar_ink)
    return image, brush


@spoken(maxsize=64)
def names(theme_name: str, tiles: tuple[OwnTile, ...]) -> Image.Image:
    theme = THEMES[theme_name]
    found: Sequence[Piece] = wrapped([_piece(tile, theme) for tile in tiles], GAP, WIDE - 2 * MARGIN - 40)
    image, brush = _headed(theme, len(found))
    for n, one in enumerate(found):
        one.draw(brush, 20, HEAD + EDGE + ROW * n + ROW // 2)
    return settled(image, theme)


@spoken(maxsize=64)
def owned(theme_name: str, tiles: tuple[OwnTile, ...]) -> Image.Image:
    """Each tile with what it does beside it, in as many lines as that takes."""
    theme = THEMES[theme_name]
    pieces = [_piece(tile, theme) for tile in tiles]
    left = 20 + max(piece.wide for piece in pieces) + GAP
    told = [wrapped([words(word, "label", SMALLEST, theme.muted) for word in say(tile.effect).split()], SPACE,
                    WIDE - 2 * MARGIN - 20 - left) for tile in tiles]
    image, brush = _headed(theme, sum(max(1, len(lines)) for lines in told))
    y = HEAD + EDGE + ROW // 2
    for piece, lines in zip(pieces, told):
        piece.draw(brush, 20, y)
        for n, one in enumerate(lines):
            one.draw(brush, left, y + ROW * n)
        y += ROW * max(1, len(lines))
    return settled(image, theme)
