"""What the signs of Imperial Struggle mean: lines below the board, and below a region close up."""
from __future__ import annotations

from collections.abc import Iterator

from PIL import Image

from engine.games.imperial_struggle.view import View
from engine.text import say, template, text
from renderer.brushes import MARK, RING, SMALLEST, Brush, page
from renderer.games.imperial_struggle.common import MARGIN, WIDE, settled
from renderer.games.imperial_struggle.signs import badge, closed, counter, form, pointer
from renderer.pieces import Piece, change, icon, line, words, wrapped
from renderer.themes import THEMES, Theme
from renderer.words import spoken

ROW, EDGE, GAP = 42, 6, 26      # px of a line, above and below all, and between two signs
SIGN, BADGE = 32, 30
FORMS = (template("political"), template("market"), template("fort"), template("naval"), template("territory"))
MARKS = {"attack": template("conflict"), "crack": template("damaged"), "ally": template("protected"),
         "blockade": template("isolated")}


def _form(kind: str) -> Piece:
    wide = 44 if kind in ("market", "naval") else SIGN

    def draw(brush: Brush, x: int, y: int) -> None:
        form(brush, x + wide // 2, y, kind, wide, SIGN, brush.theme.ring)
        form(brush, x + wide // 2, y, kind, wide - 2 * RING, SIGN - 2 * RING, brush.theme.card)
    return Piece(wide, draw)


def _closed(theme: Theme) -> Piece:
    def draw(brush: Brush, x: int, y: int) -> None:
        form(brush, x + SIGN // 2, y, "political", SIGN, SIGN, theme.ring)
        form(brush, x + SIGN // 2, y, "political", SIGN - 2 * RING, SIGN - 2 * RING, closed(theme))
        brush.text(x + SIGN // 2, y, "3", "number", SMALLEST, theme.muted, align="m")
    return Piece(SIGN, draw)


def _mark(kind: str, theme: Theme) -> Piece:
    fill = {"attack": theme.alarm, "crack": theme.stone}.get(kind, theme.card)
    return Piece(BADGE, lambda brush, x, y: badge(brush, x + BADGE // 2, y, BADGE, kind, fill))


def _prestige(theme: Theme) -> Piece:
    def draw(brush: Brush, x: int, y: int) -> None:
        brush.icon(x + SIGN // 2, y, "star", SIGN, theme.gold_edge)
        brush.icon(x + SIGN // 2, y, "star", SIGN - 8, theme.gold)
    return Piece(SIGN, draw)


def _conquest(theme: Theme) -> Piece:
    def draw(brush: Brush, x: int, y: int) -> None:
        for part in range(3):
            brush.draw.line((x + part * 24, y, x + part * 24 + 14, y), theme.alarm, 4)
    return Piece(62, draw)


def _signs(theme: Theme, *, board: bool, shut: bool, fresh: bool, own: bool) -> Iterator[tuple[Piece, str]]:
    """Each sign with its words: those of spaces, and of the panels that only a board has; `own`: what the reader may do."""
    yield from ((_form(kind), kind) for kind in FORMS)
    yield words("B3", "number", SMALLEST, theme.ink), template("flag and price")
    yield _prestige(theme), template("prestige")
    yield from ((_mark(kind, theme), called) for kind, called in MARKS.items())
    if shut:
        yield _closed(theme), template("opens later")
    yield _conquest(theme), template("conquest line")
    if own and board:
        yield Piece(SIGN, lambda brush, x, y: pointer(brush, x + SIGN // 2, y, SIGN)), template("you can act there")
    elif own:
        yield Piece(SIGN, lambda brush, x, y: counter(brush, x + SIGN // 2, y, 7)), template("its number in lists")
    if board:
        yield icon("card", SIGN, theme.ink), template("plays an event")
        yield icon("up", SIGN - 6, theme.ink), template("upgrades a war tile")
        yield icon("tile", SIGN, theme.muted), template("war tiles face down")
        if fresh:
            yield change(3, MARK, theme)[0], template("since you last looked")


@spoken(maxsize=32)
def legend(theme_name: str, *, board: bool, shut: bool, fresh: bool, own: bool) -> Image.Image:
    theme = THEMES[theme_name]
    said = [line([sign, words(say(text(called)), "label", SMALLEST, theme.ink)], 8)
            for sign, called in _signs(theme, board=board, shut=shut, fresh=fresh, own=own)]
    lines = wrapped(said, GAP, WIDE - 2 * MARGIN)
    image = Image.new("RGB", (WIDE, ROW * len(lines) + 2 * EDGE), theme.card)
    for n, one in enumerate(lines):
        one.draw(page(image, theme), MARGIN, EDGE + ROW * n + ROW // 2)
    return settled(image, theme)


def shut(view: View, *regions: str) -> bool:
    """True if there are spaces that aren't in play yet."""
    return any(not space.open for space in view.spaces if not regions or space.region in regions)
