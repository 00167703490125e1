"""The final reckoning, from left to right: points before, unrest revealed, penalty or collapse, points and place; or as much
of it as has been uncovered."""
from __future__ import annotations

from PIL import Image

from engine.games.struggle_of_empires.pictures.scenes import Reckoned, Reveal
from engine.text import say, template, text, verbatim
from renderer.brushes import SMALLEST, Brush, block
from renderer.games.struggle_of_empires import sheets as sh
from renderer.games.struggle_of_empires.base import HEADER
from renderer.games.struggle_of_empires.common import GAP, MARGIN, settled
from renderer.layout.boxes import Box
from renderer.themes import THEMES
from renderer.words import short_name

ROW, NOTE, FOOT = 96, 42, 16        # a row of the table, a line below it, and what is left below these
RIGHT = MARGIN + sh.INSIDE
BEFORE, PENALTY, POINTS = MARGIN + 520, RIGHT - 150, RIGHT - 24      # where these columns end
BAR = Box(MARGIN + 606, 0, 236, 30)                                  # the measure of unrest, from its row's middle
RANKS = (template("most"), template("second"), template("third"), template("fourth"), template("fifth"), template("sixth"),
         template("seventh"))


def paint(scene: Reveal, theme_name: str) -> Image.Image:
    table = Box(MARGIN, HEADER + GAP, sh.INSIDE, sh.PANEL_HEAD + ROW * len(scene.rows))
    below = notes(scene)
    high = table.corners[3] + NOTE * max(2, len(below)) + FOOT + MARGIN
    brush = sh.sheet(theme_name, high, say(text("{title} · The final reckoning", title=scene.title)), heading(scene))
    sh.panel(brush, table, say(text("Final ranking") if scene.step == "ranking" else text("Powers")))
    sh.head(brush, BEFORE, table.top, say(text("Before")), POINTS - PENALTY)
    middle = table.top + sh.PANEL_HEAD // 2
    brush.write(BAR.left - 64, middle, short_name(template("Unrest")), "label", SMALLEST, 90, brush.theme.bar_muted)
    sh.put_sign(brush, BAR.left + 42, table.top + sh.PANEL_HEAD // 2, "unrest", 30, brush.theme.bar_muted)
    sh.head(brush, PENALTY, table.top, say(text("Penalty")), POINTS - PENALTY)
    sh.head(brush, POINTS, table.top, say(text("Points")), POINTS - PENALTY - 16)
    people = dict(scene.people)
    most = max(scene.collapse, scene.most)
    for n, row in enumerate(scene.rows):
        box = Box(table.left, table.top + sh.PANEL_HEAD + ROW * n, table.wide, ROW)
        sh.stripe(brush, box, n)
        _row(brush, row, people.get(row.power, ""), box)
        _unrest(brush, row, scene.collapse, most, box.top + ROW // 2)
    for line, words in enumerate(below):
        brush.write(MARGIN + 20, table.corners[3] + 32 + NOTE * line, words, "label", 30, sh.INSIDE - 40, brush.theme.muted)
    return settled(brush.image, THEMES[theme_name])


def heading(scene: Reveal) -> str:
    match scene.step:
        case "points":
            return say(text("Points before the reckoning"))
        case "unrest":
            return say(text("Unrest is revealed"))
        case "collapse":
            fallen = [row.name for row in scene.rows if row.collapsed]
            return say(text("{powers} collapse" if len(fallen) > 1 else "{powers} collapses", powers=tuple(fallen)))
        case "penalties":
            return say(text("Unrest costs points"))
    return outcome(scene)


def outcome(scene: Reveal) -> str:
    winners = [row.name for row in scene.rows if row.winner]
    if not winners:
        return say(text("Nobody wins"))
    return say(text("{powers} win" if len(winners) > 1 else "{powers} wins", powers=tuple(winners)))


def notes(scene: Reveal) -> tuple[str, ...]:
    """The rules behind the figures."""
    losses = [f"{say(text(rank))} {sh.MINUS}{points}" for rank, points in zip(RANKS, scene.penalties)]
    penalty = (say(text("Unrest costs points: {losses}.", losses=verbatim(", ".join(losses)))),) if losses else ()
    npps = (say(text("Non-player powers: {powers}.", powers=verbatim(", ".join(
        f"{say(name)} {points}" for name, points in scene.npps)))),) if scene.npps else ()
    return (*penalty, say(text("At {n} unrest a power collapses.", n=scene.collapse)), *npps)


def _row(brush: Brush, row: Reckoned, player: str, box: Box) -> None:
    theme, y = brush.theme, box.top + ROW // 2
    if row.winner:
        brush.icon(box.left + 40, y - 22, "crown", 34, theme.gold)
    if row.place:
        brush.text(box.left + 40, y + 20 * row.winner, str(row.place), "number", 38, theme.ink, align="m")
    sh.power_disc(brush, box.left + 104, y, row.power, 62)
    sh.write_name(brush, box.left + 148, y, short_name(row.name), player, BEFORE - 90 - box.left - 148)
    brush.text(BEFORE, y, sh.signed(row.before), "number", 38, theme.muted, align="r")
    if row.collapsed:
        wide = brush.text(PENALTY, y, say(text("Collapsed")), "label", SMALLEST, theme.alarm, align="r")
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
