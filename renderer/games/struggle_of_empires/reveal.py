"""The final reckoning, from left to right: points before, unrest revealed, penalty or collapse, points and place; or as much
of it as has been uncovered."""
from __future__ import annotations

from PIL import Image

from engine.games.struggle_of_empires.pictures.scenes import Reckoned, Reveal
from renderer.brushes import SMALLEST, Brush, block
from renderer.games.struggle_of_empires import sheets as sh
from renderer.games.struggle_of_empires.base import HEADER
from renderer.games.struggle_of_empires.common import GAP, MARGIN, settled
from renderer.layout.boxes import Box
from renderer.themes import THEMES

ROW, NOTE, FOOT = 96, 42, 16        # a row of the table, a line below it, and what is left below these
RIGHT = MARGIN + sh.INSIDE
BEFORE, PENALTY, POINTS = MARGIN + 520, RIGHT - 150, RIGHT - 24      # where these columns end
BAR = Box(MARGIN + 606, 0, 236, 30)                                  # the measure of unrest, from its row's middle
RANKS = ("most", "second", "third", "fourth", "fifth", "sixth", "seventh")


def paint(scene: Reveal, theme_name: str) -> Image.Image:
    table = Box(MARGIN, HEADER + GAP, sh.INSIDE, sh.PANEL_HEAD + ROW * len(scene.rows))
    below = notes(scene)
    high = table.corners[3] + NOTE * max(2, len(below)) + FOOT + MARGIN
    brush = sh.sheet(theme_name, high, f"{scene.title} · The final reckoning", heading(scene))
    sh.panel(brush, table, "Final ranking" if scene.step == "ranking" else "Powers")
    sh.head(brush, BEFORE, table.top, "Before")
    brush.text(BAR.left - 56, table.top + sh.PANEL_HEAD // 2, "Unrest", "label", SMALLEST, brush.theme.bar_muted)
    sh.put_sign(brush, BAR.left + 42, table.top + sh.PANEL_HEAD // 2, "unrest", 30, brush.theme.bar_muted)
    sh.head(brush, PENALTY, table.top, "Penalty")
    sh.head(brush, POINTS, table.top, "Points")
    people = dict(scene.people)
    most = max(scene.collapse, scene.most)
    for n, row in enumerate(scene.rows):
        box = Box(table.left, table.top + sh.PANEL_HEAD + ROW * n, table.wide, ROW)
        sh.stripe(brush, box, n)
        _row(brush, row, people.get(row.power, ""), box)
        _unrest(brush, row, scene.collapse, most, box.top + ROW // 2)
    for line, words in enumerate(below):
        sh.write(brush, MARGIN + 20, table.corners[3] + 32 + NOTE * line, words, "label", 30, sh.INSIDE - 40, brush.theme.muted)
    return settled(brush.image, THEMES[theme_name])


def heading(scene: Reveal) -> str:
    match scene.step:
        case "points":
            return "Points before the reckoning"
        case "unrest":
            return "Unrest is revealed"
        case "collapse":
            fallen = [row.name for row in scene.rows if row.collapsed]
            return f"{sh.listed(fallen)} {'collapse' if len(fallen) > 1 else 'collapses'}"
        case "penalties":
            return "Unrest costs points"
    return outcome(scene)


def outcome(scene: Reveal) -> str:
    winners = [row.name for row in scene.rows if row.winner]
    if not winners:
        return "Nobody wins"
    return f"{sh.listed(winners)} {'win' if len(winners) > 1 else 'wins'}"


def notes(scene: Reveal) -> tuple[str, ...]:
    """The rules behind the figures."""
    losses = [f"{rank} {sh.MINUS}{points}" for rank, points in zip(RANKS, scene.penalties)]
    penalty = (f"Unrest costs points: {', '.join(losses)}.",) if losses else ()
    npps = (f"Non-player powers: {', '.join(f'{name} {points}' for name, points in scene.npps)}.",) if scene.npps else ()
    return (*penalty, f"At {scene.collapse} unrest a power collapses.", *npps)


def _row(brush: Brush, row: Reckoned, player: str, box: Box) -> None:
    theme, y = brush.theme, box.top + ROW // 2
    if row.winner:
        brush.icon(box.left + 40, y - 22, "crown", 34, theme.gold)
    if row.place:
        brush.text(box.left + 40, y + 20 * row.winner, str(row.place), "number", 38, theme.ink, align="m")
    sh.power_disc(brush, box.left + 104, y, row.power, 62)
    sh.write_name(brush, box.left + 148, y, row.name, player, BEFORE - 90 - box.left - 148)
    brush.text(BEFORE, y, sh.signed(row.before), "number", 38, theme.muted, align="r")
    if row.collapsed:
        wide = brush.text(PENALTY, y, "Collapsed", "label", SMALLEST, theme.alarm, align="r")
        sh.put_sign(brush, PENALTY - wide - 22, y, "cross", 26, theme.alarm)
    elif row.penalty is not None:
        brush.text(PENALTY, y, sh.signed(-row.penalty), "number", 38, theme.ink if row.penalty else theme.muted, align="r")
    brush.seal(POINTS - 44, y, sh.signed(row.points), 56, theme.gold, wide=88)


def _unrest(brush: Brush, row: Reckoned, collapse: int, most: int, y: int) -> None:
    """A power's unrest as a number and as a bar, with the line at which powers collapse; a question mark before that."""
    theme, ink = brush.theme, brush.theme.alarm if row.collapsed else brush.theme.ink
    if row.unrest is None:
        brush.text(BAR.left - 12, y, "?", "number", 38, theme.muted, align="r")
    else:
        brush.text(BAR.left - 12, y, str(row.unrest), "number", 38, ink, align="r")
    top = y - BAR.high // 2
    brush.mask(BAR.left, top, block(BAR.wide, BAR.high, 6), theme.line)
    filled = BAR.wide * (row.unrest or 0) // max(1, most)
    if filled:
        brush.mask(BAR.left, top, block(max(filled, 12), BAR.high, 6), ink)
    line = BAR.left + BAR.wide * collapse // max(1, most)
    brush.draw.rectangle((line - 5, top, line + 4, top + BAR.high - 1), theme.card)
    brush.draw.rectangle((line - 2, top - 9, line + 1, top + BAR.high + 8), theme.alarm)
