"""Victory points over time: a line for each power, the wars as bands, the rounds as ticks."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby

from PIL import Image

from engine.games.struggle_of_empires.pictures.scenes import Line, Progress, Stop
from engine.text import say, text
from renderer.brushes import SMALLEST, Brush, width
from renderer.games.struggle_of_empires.base import HEADER
from renderer.games.struggle_of_empires.common import MARGIN, POWERS, WIDE, settled
from renderer.games.struggle_of_empires.sheets import power_disc, sheet, signed, write_name
from renderer.layout.boxes import Box
from renderer.layout.lines import Path, Scale, draw_lines, scale as round_scale, spread
from renderer.themes import THEMES
from renderer.words import short_name

HIGH = 1200
BAND = 46                   # the wars' names, above the plot
PLOT = Box(86, HEADER + 16 + BAND, 714, HIGH - HEADER - 16 - BAND - 76)
ENDS = PLOT.corners[2] + 64     # the discs at the ends of the lines
NAMES = ENDS + 36
END_GAP = 76                # between two of them
ABREAST = 9                 # between lines with equal points
DISC = 38
RECKONING = 3               # rounds' room that the final reckoning takes on the time axis


def scale(lines: Sequence[Line]) -> Scale:
    """Round numbers from the fewest points (zero at most) to the most."""
    return round_scale(point for line in lines for point in line.points)


def across(stops: Sequence[Stop]) -> list[int]:
    """Where each stop is on the time axis; a single one is at the end. The final reckoning has the room of several rounds: many
    powers may collapse there, side by side."""
    if len(stops) == 1:
        return [PLOT.corners[2]]
    passed = [0, *accumulate(RECKONING if stop.last else 1 for stop in stops[1:])]
    return [PLOT.left + round(PLOT.wide * so_far / passed[-1]) for so_far in passed]


def paths(scene: Progress, axis: Scale) -> list[list[tuple[int, int]]]:
    """The points of each line in px; where several have equal points, they run abreast."""
    found: list[list[tuple[int, int]]] = [[] for _ in scene.lines]
    for at, x in enumerate(across(scene.stops)):
        for n, line in enumerate(scene.lines):
            equal = [m for m, other in enumerate(scene.lines) if other.points[at] == line.points[at]]
            aside = round((equal.index(n) - (len(equal) - 1) / 2) * ABREAST)
            found[n].append((x, axis.within(PLOT, line.points[at]) + aside))
    return found


def paint(scene: Progress, theme_name: str) -> Image.Image:
    brush = sheet(theme_name, HIGH, scene.title, say(text("Victory points")), chart=True)
    axis, xs = scale(scene.lines), across(scene.stops)
    lines = paths(scene, axis)
    _wars(brush, scene.stops, xs)
    _grid(brush, axis)
    _ticks(brush, scene.stops, xs)
    places = spread([line[-1][1] for line in lines], END_GAP, PLOT.top + 20, PLOT.corners[3] - 20)
    whole = [((*path, (ENDS - 36, place), (ENDS, place)), POWERS[line.power])       # past the discs of the others
             for line, path, place in zip(scene.lines, lines, places)]
    draw_lines(brush.image, (PLOT.left - 12, PLOT.top, ENDS, PLOT.corners[3]), reversed(whole), brush.theme)
    for power, x, y in letters(scene, lines):
        power_disc(brush, x, y, power, DISC)
    people = dict(scene.people)
    for line, y in zip(scene.lines, places):
        _end(brush, line, people.get(line.power, ""), y)
    return settled(brush.image, THEMES[theme_name])


# --- the ground -----------------------------------------------------------------------------------

def _wars(brush: Brush, stops: Sequence[Stop], xs: Sequence[int]) -> None:
    theme = brush.theme
    brush.draw.rectangle((PLOT.left, PLOT.top - BAND, PLOT.corners[2], PLOT.corners[3]), theme.card)
    start = 0
    for war, group in groupby(range(len(stops)), key=lambda n: stops[n].war):
        *_, end = group
        if end > start:
            left, right = xs[start], xs[end]
            if war % 2 == 0:
                brush.draw.rectangle((left, PLOT.top - BAND, right, PLOT.corners[3]), theme.stripe)
            words = say(text("War {war}", war=war))
            words = words if width(words, "name", 32) < right - left - 8 else str(war)
            brush.text((left + right) // 2, PLOT.top - BAND // 2, words, "name", 32, theme.ink, align="m")
            brush.draw.line((right, PLOT.top - BAND, right, PLOT.corners[3]), theme.line, 3)
        start = end


def _grid(brush: Brush, axis: Scale) -> None:
    theme = brush.theme
    for points in range(axis.low, axis.high + 1, axis.step):
        y = axis.within(PLOT, points)
        brush.draw.line((PLOT.left, y, PLOT.corners[2], y), theme.line, 1 if points else 3)
        brush.text(PLOT.left - 12, y, signed(points), "number", SMALLEST, theme.muted, align="r")


def _ticks(brush: Brush, stops: Sequence[Stop], xs: Sequence[int]) -> None:
    """Below the plot: stars where a war was scored, a crown at the end of the game, and as many rounds as have room."""
    theme, foot = brush.theme, PLOT.corners[3]
    brush.icon(ENDS + 140, foot + 32, "crown", 30, theme.gold)
    brush.icon(ENDS - 10, foot + 32, "star", 30, theme.gold)
    brush.write(ENDS + 12, foot + 32, say(text("Scoring")), "label", SMALLEST, 110, theme.muted)
    brush.write(ENDS + 162, foot + 32, say(text("End of game")), "label", SMALLEST, WIDE - ENDS - 170, theme.muted)
    taken: list[tuple[int, int]] = []

    def room(left: int, right: int) -> bool:
        free = all(right + 4 <= other or left >= end + 4 for other, end in taken)
        if free:
            taken.append((left, right))
        return free

    order = sorted(range(len(stops)), key=lambda n: (not stops[n].last, stops[n].round > 0 or stops[n].war == 0, n))
    for n in order:
        stop, x = stops[n], xs[n]
        brush.draw.line((x, foot, x, foot + 8), theme.muted, 3)
        if stop.last or (stop.war and not stop.round):
            if room(x - 14, x + 14):
                if stop.last:
                    brush.icon(x, foot + 32, "crown", 28, theme.gold)
                else:
                    brush.icon(x, foot + 32, "star", 28, theme.gold)
            continue
        words = str(stop.round) if stop.war else say(text("Setup"))
        wide = width(words, "label", SMALLEST) + 2
        right = x + wide // 2 if stop.war else max(x + 12, wide + 2)         # the long word leaves room for the first round
        if room(right - wide, right):
            brush.text(right - wide, foot + 32, words, "label", SMALLEST, theme.muted)


# --- the lines ------------------------------------------------------------------------------------

def letters(scene: Progress, paths: Sequence[Path]) -> Iterator[tuple[str, int, int]]:
    """Where a line bears its letter besides its end: once in each war, as near to the war's end as other letters let it."""
    taken: list[tuple[int, int]] = []
    for _, group in groupby(range(len(scene.stops)), key=lambda n: scene.stops[n].war):
        stops = list(group)
        for line, path in zip(scene.lines, paths):
            for x, y in _along(path, stops[0], stops[-1]):
                if all(abs(x - other_x) > DISC or abs(y - other_y) > DISC for other_x, other_y in taken):
                    taken.append((x, y))
                    yield line.power, x, y
                    break


def _along(path: Sequence[tuple[int, int]], first: int, last: int) -> Iterator[tuple[int, int]]:
    """Places on a line from one stop back to the one before another: the stops and the middles between them."""
    for at in range(last, max(first, 1) - 1, -1):
        (x, y), (end_x, end_y) = path[at - 1], path[at]
        if end_x < PLOT.corners[2] - DISC:
            yield end_x, end_y
        if at > 1:
            yield (x + end_x) // 2, (y + end_y) // 2


def _end(brush: Brush, line: Line, player: str, y: int) -> None:
    power_disc(brush, ENDS, y, line.power, 50)
    points = signed(line.points[-1])
    brush.text(WIDE - MARGIN, y, points, "number", 38, brush.theme.ink, align="r")
    write_name(brush, NAMES, y, short_name(line.name), player, WIDE - MARGIN - NAMES - width(points, "number", 38) - 12, 34)
