"""What the signs on the board mean: the last lines below the table of powers; one line on a full board."""
from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TypeAlias

from PIL import Image

from engine.text import say, template, text
from renderer.brushes import MARK, SMALLEST, Brush, block, page
from renderer.games.struggle_of_empires.common import MARGIN, WIDE, settled
from renderer.games.struggle_of_empires.pieces import bar, disc, shield
from renderer.pieces import Piece, coin, icon, line, octagon, words, wrapped
from renderer.themes import THEMES, Theme
from renderer.words import spoken

Faces: TypeAlias = tuple[tuple[str, str], ...]          # icons, and what they mean

ROW, EDGE, GAP, NARROW = 44, 6, 26, 16    # px of a line, above and below all, and between two signs, at least
SIGN = 30
SHORT = 40                      # px of the legend that has one line
BRIEFLY = {"trade": template("trade"), "shackles": template("slaves")}
UNITS = {"army": template("army"), "navy": template("navy"), "fort": template("fort"), "person": template("population"),
         "marker": template("on the map"), "tile": template("tiles")}
DEEDS = {"attack": template("attack"), "raid": template("raid"), "move": template("move here"), "colonise": template("colonise"),
         "build": template("build"), "place": template("place units"), "ally": template("ally"), "other": template("a tile")}
"""What each deed is: what the reader may do."""


def _said(theme: Theme, sign: Piece, called: str) -> Piece:
    return line([sign, words(say(text(called)), "label", SMALLEST, theme.ink)], 8)


def _signs(theme: Theme, sample: str, deeds: tuple[str, ...], *, local: bool, faces: Faces) -> Iterator[Piece]:
    """Each sign with its words; `sample` is the power whose colour is shown, `local` whether there are local alliances."""
    said = partial(_said, theme)
    yield said(bar(sample, 2, 34), template("control markers"))
    yield said(disc(sample, 34), template("units alone"))
    yield said(octagon(3, 36), template("neutral"))
    for kind, called in UNITS.items():
        yield said(icon(kind, SIGN, theme.ink), called)
    for kind, called in faces:
        yield said(icon(kind, SIGN, theme.ink), called)
    if local:
        yield said(shield("", SIGN), template("local alliance"))
    yield said(coin(SIGN), template("gold"))
    yield said(_seal(theme), template("points by place"))
    yield said(icon("blockade", SIGN, theme.alarm), template("blockade"))
    yield said(icon("diamond", SIGN, theme.mark), template("changed"))
    for deed in deeds:
        yield said(_deed(deed), DEEDS[deed])


def _fewer(theme: Theme, *, local: bool, faces: Faces) -> Iterator[Piece]:
    said = partial(_said, theme)
    yield said(octagon(3, 36), template("neutral"))
    for kind in ("army", "navy", "fort"):
        yield said(icon(kind, SIGN, theme.ink), UNITS[kind])
    for kind, _ in faces:
        if kind != "star":
            yield said(icon(kind, SIGN, theme.ink), BRIEFLY[kind])
    if local:
        yield said(shield("", SIGN), template("ally"))
    star = [icon("star", SIGN, theme.ink)] if any(kind == "star" for kind, _ in faces) else []
    yield said(line([*star, _seal(theme)], 8), template("points") if star or local else template("points by place"))
    yield said(icon("blockade", SIGN, theme.alarm), template("blockade"))
    yield said(icon("diamond", SIGN, theme.mark), template("changed"))


def _seal(theme: Theme) -> Piece:
    return Piece(32, lambda brush, x, y: brush.seal(x + 16, y, "6", 32, theme.seals[0]))


def _deed(deed: str) -> Piece:
    def draw(brush: Brush, x: int, y: int) -> None:
        brush.mask(x, y - MARK // 2, block(MARK, MARK, 6), brush.theme.edge)
        brush.mask(x + 2, y - MARK // 2 + 2, block(MARK - 4, MARK - 4, 4), brush.theme.gold)
        brush.icon(x + MARK // 2, y, deed, 28, brush.theme.seal_ink)
    return Piece(MARK, draw)


@spoken(maxsize=64)
def legend(theme_name: str, sample: str, deeds: tuple[str, ...], *, local: bool, faces: Faces = ()) -> Image.Image:
    """The lines: all signs, and what the reader may do; `faces` are those of neutral markers without a number."""
    theme = THEMES[theme_name]
    return _lines(theme, list(_signs(theme, sample, deeds, local=local, faces=faces)), EDGE)


@spoken(maxsize=16)
def short_legend(theme_name: str, *, local: bool, faces: Faces = ()) -> Image.Image:
    """One line, SHORT px high: the signs that the table does not explain."""
    theme = THEMES[theme_name]
    return _lines(theme, list(_fewer(theme, local=local, faces=faces)), (SHORT - ROW) // 2, NARROW)


def _lines(theme: Theme, signs: list[Piece], edge: int, gap: int = GAP) -> Image.Image:
    """Signs in as many lines as they need, with so many px above and below and between."""
    wide = WIDE - 2 * MARGIN
    lines = wrapped(signs, gap, wide - 40)
    image = Image.new("RGB", (wide, ROW * len(lines) + 2 * edge), theme.card)
    brush = page(image, theme)
    brush.draw.rectangle((0, 0, wide, 1), theme.line)
    for n, one in enumerate(lines):
        one.draw(brush, 20, edge + ROW * n + ROW // 2)
    return settled(image, theme)
