"""A page of a ranking: place, name, rating as a range and as a number, games, wins beside the fair share of them."""
from __future__ import annotations

from PIL import Image

from engine.text import say, template, text
from renderer.brushes import Brush, block, capped, clipped, drawable, page
from renderer.layout.boxes import Box
from renderer.scenes import Ranked, Ranking
from renderer.themes import THEMES, in_palette, palette

WIDE, HEADER, MARGIN, GAP = 1200, 132, 16, 12           # px, as all measures here
HEAD, ROW = 52, 88                                      # of the table
NAMES = MARGIN + 96
RANGE = Box(MARGIN + 450, 0, 270, 16)                   # of a rating, from its row's middle
POINTS, GAMES, WINS, FAIR = 878, 980, 1082, WIDE - MARGIN - 20         # where these columns end
DOT = 30


def paint(scene: Ranking, theme_name: str) -> Image.Image:
    theme = THEMES[theme_name]
    table = Box(MARGIN, HEADER + GAP, WIDE - 2 * MARGIN, HEAD + ROW * len(scene.rows))
    brush = page(Image.new("RGB", (WIDE, table.corners[3] + MARGIN), theme.paper), theme)
    brush.draw.rectangle((0, 0, WIDE, HEADER), theme.bar)
    brush.draw.rectangle((0, HEADER - 6, WIDE, HEADER - 4), theme.gold)
    brush.text(24, 36, clipped(drawable(scene.title, "title"), "title", 32, WIDE - 48), "title", 32, theme.bar_muted)
    brush.text(24, 91, clipped(drawable(scene.heading, "name"), "name", 46, WIDE - 48), "name", 46, theme.bar_ink)
    brush.mask(table.left, table.top, capped(table.wide, HEAD, 8), theme.bar)
    heads = ((template("Rating"), POINTS), (template("Games"), GAMES), (template("Won"), WINS), (template("Fair"), FAIR))
    brush.text(RANGE.left + RANGE.wide // 2, table.top + HEAD // 2, say(text("Range")), "label", 30, theme.bar_muted, align="m")
    for words, right in heads:
        brush.text(right, table.top + HEAD // 2, say(words), "label", 30, theme.bar_muted, align="r")
    for number, row in enumerate(scene.rows):
        _row(brush, scene, row, Box(table.left, table.top + HEAD + ROW * number, table.wide, ROW), striped=number % 2 > 0)
    return in_palette(brush.image, palette(theme, ()))


def _row(brush: Brush, scene: Ranking, row: Ranked, box: Box, *, striped: bool) -> None:
    theme, y = brush.theme, box.top + ROW // 2
    left, top, right, bottom = box.corners
    brush.draw.rectangle((left, top, right - 1, bottom - 1), theme.stripe if striped else theme.card)
    if row.reader:
        brush.draw.rectangle((left, top, left + 7, bottom - 1), theme.mark)
    if row.place <= len(theme.seals):
        brush.seal(left + 48, y, str(row.place), 56, theme.seals[row.place - 1])
    else:
        brush.text(left + 48, y, str(row.place), "number", 38, theme.muted, align="m")
    brush.text(NAMES, y, clipped(drawable(row.name, "name"), "name", 40, RANGE.left - 16 - NAMES), "name", 40, theme.ink)
    _range(brush, scene, row, y)
    brush.text(POINTS, y, say(float(row.points)), "number", 44, theme.ink, align="r")
    brush.text(GAMES, y, str(row.games), "number", 38, theme.ink, align="r")
    brush.text(WINS, y, row.wins, "number", 38, theme.ink, align="r")
    brush.text(FAIR, y, row.fair, "number", 34, theme.muted, align="r")


def _range(brush: Brush, scene: Ranking, row: Ranked, y: int) -> None:
    """What a rating may be, from the least that is almost certain, with a dot at the most likely value."""
    theme = brush.theme

    def x(points: int) -> int:
        inside = min(max(points, scene.low), scene.high) - scene.low
        return RANGE.left + RANGE.wide * inside // max(1, scene.high - scene.low)

    start, end = x(row.points), x(2 * row.likely - row.points)
    brush.mask(start, y - RANGE.high // 2, block(max(end - start, RANGE.high), RANGE.high, RANGE.high // 2), theme.line)
    brush.icon(x(row.likely), y, "disc", DOT, theme.gold_edge)
    brush.icon(x(row.likely), y, "disc", DOT - 6, theme.gold)

