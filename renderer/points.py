"""Points over time in a finished game: a line for each side, its periods as bands, the turning points by number and in words."""
from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate, pairwise

from PIL import Image

from renderer.brushes import SMALLEST, Brush, clipped, drawable, person, width
from renderer.layout.boxes import Box
from renderer.layout.lines import Path, Scale, draw_lines, scale, spread
from renderer.scenes import Line, Points
from renderer.themes import THEMES, Colour, colour, in_palette, palette

WIDE, HEADER, MARGIN, GAP = 1200, 132, 16, 12           # px, as all measures here
BAND, ROW = 46, 60          # the periods' names above the plot; a turning point below it
PLOT = Box(86, HEADER + 16 + BAND, 714, 840)
ENDS = PLOT.corners[2] + 64     # the discs at the ends of the lines
NAMES = ENDS + 36
END_GAP = 76                # between two of them
FOOT = PLOT.corners[3] + 76     # where the turning points begin
ABREAST, DISC, MARK = 9, 42, 38
LETTERED = 4                # stretches of the time axis in which each line bears its sign once
ROOM = 18                   # into so many parts the time axis goes; the way to a turning point takes one
FILLS: Sequence[Colour] = tuple(map(colour, ("#9C0A10", "#1F4FA3", "#1FA588", "#F7D106", "#D06527", "#16161A", "#FFFFFF")))
Badge = tuple[str, Colour]


def paint(scene: Points, theme_name: str) -> Image.Image:
    theme = THEMES[theme_name]
    high = FOOT + (ROW * len(scene.turning) + GAP if scene.turning else 0)
    brush = Brush(Image.new("RGB", (WIDE, high), theme.paper), theme)
    brush.draw.rectangle((0, 0, WIDE, HEADER), theme.bar)
    brush.draw.rectangle((0, HEADER - 6, WIDE, HEADER - 4), theme.gold)
    brush.text(24, 36, clipped(drawable(scene.title, "title"), "title", 32, WIDE - 48), "title", 32, theme.bar_muted)
    brush.text(24, 91, clipped(drawable(scene.heading, "name"), "name", 46, WIDE - 48), "name", 46, theme.bar_ink)
    axis = scale([points for line in scene.lines for points in line.points])
    badges = [_badge(scene.game, line.side, n) for n, line in enumerate(scene.lines)]
    xs = _across(len(scene.lines[0].points), {stop for stop, _ in scene.turning})
    paths = _paths(scene.lines, axis, xs)
    _bands(brush, scene, xs)
    _grid(brush, axis)
    _turning(brush, scene, xs)
    order = sorted(range(len(paths)), key=lambda n: paths[n][-1][1])
    places = dict(zip(order, spread([paths[n][-1][1] for n in order], END_GAP, PLOT.top + 20, PLOT.corners[3] - 20)))
    whole = [((*path, (ENDS - 36, places[n]), (ENDS, places[n])), badges[n][1]) for n, path in enumerate(paths)]
    draw_lines(brush.image, (PLOT.left - 12, PLOT.top, ENDS, PLOT.corners[3]), reversed(whole), theme)
    for n, x, y in _signs(paths):
        brush.disc(x, y, badges[n][0], DISC, badges[n][1])
    for n, line in enumerate(scene.lines):
        _end(brush, line, badges[n], places[n])
    return in_palette(brush.image, palette(theme, tuple(dict.fromkeys(fill for _, fill in badges))))


def _badge(game: str, side: str, number: int) -> Badge:
    """The sign and the colour of a side, as its game has them; a game without pictures has numbers."""
    if find_spec(f"renderer.games.{game}") is None:
        return str(number + 1), FILLS[number % len(FILLS)]
    found: Badge = import_module(f"renderer.games.{game}.common").badge(side)
    return found


def _across(stops: int, turning: Collection[int]) -> list[int]:
    """Where each of at least two stops is on the time axis; the way to a turning point has more room, so that it's seen."""
    passed = [0, *accumulate(max(1, stops // ROOM) if stop in turning else 1 for stop in range(1, stops))]
    return [PLOT.left + round(PLOT.wide * so_far / passed[-1]) for so_far in passed]


def _paths(lines: Sequence[Line], axis: Scale, xs: Sequence[int]) -> list[Path]:
    """The points of each line in px; where several have equal points, they run abreast."""
    found: list[list[tuple[int, int]]] = [[] for _ in lines]
    for at, x in enumerate(xs):
        for n, line in enumerate(lines):
            equal = [m for m, other in enumerate(lines) if other.points[at] == line.points[at]]
            aside = round((equal.index(n) - (len(equal) - 1) / 2) * ABREAST)
            found[n].append((x, axis.within(PLOT, line.points[at]) + aside))
    return list(found)


# --- the ground -----------------------------------------------------------------------------------

def _bands(brush: Brush, scene: Points, xs: Sequence[int]) -> None:
    theme = brush.theme
    brush.draw.rectangle((PLOT.left, PLOT.top - BAND, PLOT.corners[2], PLOT.corners[3]), theme.card)
    left = PLOT.left
    for number, band in enumerate(scene.bands):
        right = xs[band.end]
        if number % 2:
            brush.draw.rectangle((left, PLOT.top - BAND, right, PLOT.corners[3]), theme.stripe)
        words = next((words for words in (band.name, band.short) if width(words, "name", 30) < right - left - 8), "")
        if words:
            brush.text((left + right) // 2, PLOT.top - BAND // 2, words, "name", 30, theme.ink, align="m")
        brush.draw.line((right, PLOT.top - BAND, right, PLOT.corners[3]), theme.line, 3)
        left = right


def _grid(brush: Brush, axis: Scale) -> None:
    for points in range(axis.low, axis.high + 1, axis.step):
        y = axis.within(PLOT, points)
        brush.draw.line((PLOT.left, y, PLOT.corners[2], y), brush.theme.line, 1 if points else 3)
        brush.text(PLOT.left - 12, y, _signed(points), "number", SMALLEST, brush.theme.muted, align="r")


def _turning(brush: Brush, scene: Points, xs: Sequence[int]) -> None:
    theme, foot = brush.theme, PLOT.corners[3]
    places = spread([xs[stop] for stop, _ in scene.turning], MARK + 4, PLOT.left, PLOT.corners[2])
    for n, ((stop, words), x) in enumerate(zip(scene.turning, places), 1):
        brush.draw.line((xs[stop], PLOT.top, xs[stop], foot + 8), theme.gold, 3)
        brush.seal(x, foot + 36, str(n), MARK, theme.gold)
        box = Box(MARGIN, FOOT + ROW * (n - 1), WIDE - 2 * MARGIN, ROW)
        left, top, right, bottom = box.corners
        brush.draw.rectangle((left, top, right - 1, bottom - 1), theme.card if n % 2 else theme.stripe)
        brush.seal(left + 40, top + ROW // 2, str(n), MARK, theme.gold)
        brush.text(left + 80, top + ROW // 2, clipped(drawable(words, "label"), "label", 32, box.wide - 100), "label", 32,
                   theme.ink)


# --- the lines ------------------------------------------------------------------------------------

def _signs(paths: Sequence[Path]) -> Iterator[tuple[int, int, int]]:
    """Where a line bears its sign besides its end: once in each part of the time axis, where other signs let it."""
    taken: list[tuple[int, int]] = []
    for part in range(LETTERED):
        low = PLOT.left + PLOT.wide * part // LETTERED
        high = min(low + PLOT.wide // LETTERED, PLOT.corners[2] - DISC)
        for n, path in enumerate(paths):
            for x in range(high - DISC // 2, low + DISC // 2, -DISC // 3):
                if (y := _height(path, x)) is not None and all(
                        abs(x - other_x) > DISC or abs(y - other_y) > DISC for other_x, other_y in taken):
                    taken.append((x, y))
                    yield n, x, y
                    break


def _height(path: Path, x: int) -> int | None:
    """How high a line runs at a place of the time axis."""
    return next((y + round((end_y - y) * (x - at) / (end - at)) for (at, y), (end, end_y) in pairwise(path)
                 if at <= x <= end and at < end), None)


def _end(brush: Brush, line: Line, badge: Badge, y: int) -> None:
    """A line's disc, name and last points at the right."""
    theme, points = brush.theme, _signed(line.points[-1])
    brush.disc(ENDS, y, badge[0], 50, badge[1])
    brush.text(WIDE - MARGIN, y, points, "number", 38, theme.ink, align="r")
    room = WIDE - MARGIN - NAMES - width(points, "number", 38) - 12
    player = person(line.player, "label")
    brush.text(NAMES, y - 17 * bool(player), clipped(drawable(line.name, "name"), "name", 34, room), "name", 34, theme.ink)
    if player:
        brush.text(NAMES, y + 19, clipped(player, "label", SMALLEST, room), "label", SMALLEST, theme.muted)


def _signed(number: int) -> str:
    return str(number).replace("-", "−")
