"""If the war ended now: the ranking it would make, then what each area would bring each power."""
from __future__ import annotations

from PIL import Image

from engine.games.struggle_of_empires.pictures.scenes import AreaForecast, Forecast, Gain
from engine.text import say, template, text
from renderer.brushes import SMALLEST, Brush, width
from renderer.games.struggle_of_empires import sheets as sh
from renderer.games.struggle_of_empires.base import HEADER
from renderer.games.struggle_of_empires.common import GAP, MARGIN, settled
from renderer.layout.boxes import Box
from renderer.themes import THEMES
from renderer.words import short_name

RANK, AREA = 76, 76         # rows of the two tables
NON_PLAYER = template("non-player, for information")
AREA_HEAD = 64
NAMES = 326                 # how much the areas' names take
RIGHT = MARGIN + sh.INSIDE
NOW, GAIN, THEN = RIGHT - 340, RIGHT - 186, RIGHT - 30      # where the columns of the ranking end


def paint(scene: Forecast, theme_name: str) -> Image.Image:
    ranking = Box(MARGIN, HEADER + GAP, sh.INSIDE, sh.PANEL_HEAD + RANK * len(scene.totals))
    grid = Box(MARGIN, ranking.corners[3] + GAP, sh.INSIDE, AREA_HEAD + AREA * len(scene.areas))
    brush = sh.sheet(theme_name, grid.corners[3] + MARGIN, f"{scene.title} · {sh.moment_words(scene.moment)}",
                     say(text("If the war ended now")))
    _ranking(brush, scene, ranking)
    _grid(brush, scene, grid)
    return settled(brush.image, THEMES[theme_name])


def _ranking(brush: Brush, scene: Forecast, box: Box) -> None:
    theme, people = brush.theme, dict(scene.people)
    sh.panel(brush, box, say(text("Victory points")))
    for right, words in ((NOW, text("Now")), (GAIN, text("Gain")), (THEN, text("Then"))):
        sh.head(brush, right, box.top, say(words), THEN - GAIN - 16)
    for n, total in enumerate(scene.totals):
        row = Box(box.left, box.top + sh.PANEL_HEAD + RANK * n, box.wide, RANK)
        y = row.top + RANK // 2
        sh.stripe(brush, row, n)
        if not total.npp:
            place = 1 + sum(other.then > total.then and not other.npp for other in scene.totals)    # equal points share a place
            brush.text(row.left + 32, y, str(place), "number", 36, theme.muted, align="m")
        sh.power_disc(brush, row.left + 88, y, total.power, 54, npp=total.npp)
        called = say(text(NON_PLAYER)) if total.npp else people.get(total.power, "")
        sh.write_name(brush, row.left + 130, y, say(total.name), called, NOW - 90 - row.left - 130)
        brush.text(NOW, y, sh.signed(total.now), "number", 38, theme.ink, align="r")
        brush.text(GAIN, y, sh.gained(total.gain), "number", 38, theme.ink if total.gain else theme.muted, align="r")
        if total.npp:
            brush.text(THEN - 28, y, sh.signed(total.then), "number", 38, theme.muted, align="m")
        else:
            brush.seal(THEN - 28, y, sh.signed(total.then), 50, theme.gold, wide=78)


def _grid(brush: Brush, scene: Forecast, box: Box) -> None:
    """Areas down, powers across in the order of the ranking."""
    theme, step = brush.theme, (box.wide - NAMES) // max(1, len(scene.totals))
    brush.draw.rectangle((box.left, box.top, RIGHT - 1, box.top + AREA_HEAD - 1), theme.bar)
    brush.text(box.left + 20, box.top + AREA_HEAD // 2, say(text("Area")), "label", SMALLEST, theme.bar_muted)
    middles = {total.power: box.left + NAMES + step * n + step // 2 for n, total in enumerate(scene.totals)}
    for total in scene.totals:
        sh.power_disc(brush, middles[total.power], box.top + AREA_HEAD // 2, total.power, 50, ring=theme.bar_ink, npp=total.npp)
    for n, area in enumerate(scene.areas):
        row = Box(box.left, box.top + AREA_HEAD + AREA * n, box.wide, AREA)
        sh.stripe(brush, row, n)
        _area(brush, area, row)
        for gain in area.gains:
            _gain(brush, gain, middles[gain.power], row.top)


def _area(brush: Brush, area: AreaForecast, row: Box) -> None:
    called = say(area.name)
    called = called if width(called, "name", 32) <= NAMES - 40 else short_name(area.name)
    brush.write(row.left + 20, row.top + 20, called, "name", 32, NAMES - 40, brush.theme.ink)
    for n, value in enumerate(area.values):
        fill = brush.theme.seals[min(n, len(brush.theme.seals) - 1)]
        brush.seal(row.left + 36 + 38 * n, row.top + 54, str(value), 33, fill)


def _gain(brush: Brush, gain: Gain, x: int, top: int) -> None:
    """What an area brings a power: points large, the markers that bring them below."""
    theme = brush.theme
    if gain.points:
        brush.seal(x, top + 22, sh.gained(gain.points), 38, theme.gold, wide=58)
    else:
        brush.text(x, top + 22, "0", "number", 32, theme.muted, align="m")
    brush.icon(x - 14, top + 57, "marker", 24, theme.muted)
    brush.text(x + 4, top + 57, str(gain.markers), "number", SMALLEST, theme.muted)
