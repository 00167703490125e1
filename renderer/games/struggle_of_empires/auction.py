"""The auction of alliances: both rows with the standing proposal, the bids so far, and who is still in."""
from __future__ import annotations

from collections.abc import Set
from functools import lru_cache

from PIL import Image, ImageDraw

from engine.games.struggle_of_empires.pictures.scenes import Auction, Bid, Bidder
from engine.games.struggle_of_empires.view import ROWS, RowName
from engine.text import say, template, text
from renderer.brushes import SMALLEST, SMOOTH, Brush
from renderer.games.struggle_of_empires import sheets as sh
from renderer.games.struggle_of_empires.base import HEADER
from renderer.games.struggle_of_empires.common import GAP, MARGIN, settled
from renderer.layout.boxes import Box
from renderer.themes import THEMES
from renderer.words import short_name

STANDING, ROW = 112, 156    # the standing bid, and a row of the alliances
PLACE, DISC = 204, 76       # from one power in a row to the next, at most
BID, BIDDER = 58, 78        # rows of the lists
SHOWN = 8                   # of the bids, the last ones
HALF = (sh.INSIDE - GAP) // 2
DASHES = 10


@lru_cache(maxsize=8)
def dashed(size: int, thick: int) -> Image.Image:
    image = Image.new("L", (size * SMOOTH, size * SMOOTH))
    draw, step = ImageDraw.Draw(image), 360 / DASHES
    for n in range(DASHES):
        draw.arc((0, 0, size * SMOOTH - 1, size * SMOOTH - 1), n * step, (n + 0.6) * step, fill=255, width=thick * SMOOTH)
    return image.reduce(SMOOTH)


def paint(scene: Auction, theme_name: str) -> Image.Image:
    rows = Box(MARGIN, HEADER + GAP, sh.INSIDE, STANDING + 2 * ROW)
    lists = rows.corners[3] + GAP
    earlier = max(0, len(scene.bids) - SHOWN)
    bids = Box(MARGIN, lists, HALF, sh.PANEL_HEAD + BID * (max(1, len(scene.bids[-SHOWN:])) + bool(earlier)))
    bidders = Box(MARGIN + HALF + GAP, lists, HALF, sh.PANEL_HEAD + BIDDER * len(scene.bidders))
    high = max(bids.corners[3], bidders.corners[3]) + MARGIN
    brush = sh.sheet(theme_name, high, scene.title, say(text("War {war} · Auction {n}", war=scene.war, n=scene.number)))
    names = {one.power: one.name for one in scene.bidders} | {one.power: one.name for one in scene.npps}
    npps = {power.power for power in scene.npps if power.npp}
    people = dict(scene.people)
    _standing(brush, scene, names, people, rows)
    both = ((scene.row_a, scene.standing.a), (scene.row_b, scene.standing.b))
    for n, (title, (placed, proposed)) in enumerate(zip(scene.rows, both)):
        _alliance(brush, say(title.short), placed, proposed, names, npps,
                  Box(rows.left, rows.top + STANDING + ROW * n, rows.wide, ROW))
    sh.panel(brush, bids, say(text("Bids so far")))
    _bids(brush, scene.bids[-SHOWN:], earlier, scene.rows, npps, bids)
    sh.panel(brush, bidders, say(text("Bidders")))
    for n, bidder in enumerate(scene.bidders):
        _bidder(brush, bidder, people.get(bidder.power, ""), n, bidders)
    return settled(brush.image, THEMES[theme_name])


def power_name(power: str, names: dict[str, str]) -> str:
    """Return what a power is called; those who were placed before may not bid any more, and have their name from their id."""
    return short_name(names.get(power) or power.replace("_", " ").title())


def _standing(brush: Brush, scene: Auction, names: dict[str, str], people: dict[str, str], box: Box) -> None:
    theme, standing, y = brush.theme, scene.standing, box.top + STANDING // 2
    brush.draw.rectangle((box.left, box.top, box.corners[2] - 1, box.top + STANDING - 1), theme.card)
    if not standing.bidder:
        brush.write(box.left + 20, y, say(text("No bid yet")), "name", 46, box.wide - 40, theme.muted)
        return
    coin = 72
    brush.coin(box.left + 20 + coin // 2, y, coin)
    x = box.left + 34 + coin
    x += brush.text(x, y, str(standing.gold), "number", 84, theme.ink) + 44
    sh.power_disc(brush, x + 36, y, standing.bidder, 72)
    bids = say(text("{power} bids", power=names.get(standing.bidder, standing.bidder)))
    sh.write_name(brush, x + 88, y, bids, people.get(standing.bidder, ""), 300)
    moves = [say(text("{power} in {row}", power=power_name(power, names), row=row.name))
             for power, row in zip((standing.a, standing.b), scene.rows) if power]
    right = box.corners[2] - 20
    for n, words in enumerate(moves):
        brush.write(right, y + (40 * n - 20 if len(moves) > 1 else 0), words, "label", 32, 480, theme.ink, align="r")


def _alliance(brush: Brush, title: str, placed: tuple[str, ...], proposed: str, names: dict[str, str], npps: Set[str],
              box: Box) -> None:
    """One row: the powers in it, then the proposed one in a dashed ring."""
    theme, x, y = brush.theme, box.left + 230, box.top + 58
    sh.stripe(brush, box, 1)
    brush.draw.rectangle((box.left, box.top, box.corners[2] - 1, box.top + 1), theme.line)
    brush.write(box.left + 20, box.top + ROW // 2, title, "name", 40, 150, theme.ink)
    powers = (*placed, *([proposed] if proposed else []))
    step = min(PLACE, (box.wide - 230) // max(1, len(powers)))
    for power in powers:
        if power == proposed:
            brush.mask(x - 52, y - 52, dashed(104, 6), theme.gold)
        sh.power_disc(brush, x, y, power, DISC, npp=power in npps)
        brush.write(x, y + 74, power_name(power, names), "label", 30, step - 6, theme.ink, align="m")
        x += step
    if not powers:
        brush.hollow(x, y, DISC, theme.stripe)


def _bids(brush: Brush, bids: tuple[Bid, ...], earlier: int, rows: tuple[RowName, RowName], npps: Set[str], box: Box) -> None:
    """The last bids, the newest at the foot; the row of each proposed power by its letter, or at the head if it has a name."""
    theme, top, middle = brush.theme, box.top + sh.PANEL_HEAD, BID // 2
    lettered = rows == ROWS
    for n, named in enumerate(rows if bids and not lettered else ()):
        x, y = box.left + 434 + 92 * n, box.top + sh.PANEL_HEAD // 2
        brush.write(x, y, say(named.short), "label", SMALLEST, 88, theme.bar_muted, align="m")
    if earlier:
        sh.stripe(brush, Box(box.left, top, box.wide, BID), 0)
        brush.text(box.left + 20, top + middle, say(text("{n} earlier", n=earlier)), "label", 30, theme.muted)
        top += BID
    elif not bids:
        brush.text(box.left + 20, top + middle, say(text("None")), "label", 30, theme.muted)
    for n, bid in enumerate(bids, bool(earlier)):
        sh.stripe(brush, Box(box.left, top, box.wide, BID), n)
        y = top + middle
        sh.power_disc(brush, box.left + 38, y, bid.bidder, 46)
        brush.write(box.left + 72, y, short_name(bid.name), "name", 32, 210, theme.ink)
        sh.gold(brush, box.left + 296, y, bid.gold)
        x = box.left + 392
        for row, power in (("A", bid.a), ("B", bid.b)):
            if power:
                if lettered:
                    brush.text(x, y, row, "label", SMALLEST, theme.muted)
                sh.power_disc(brush, x + 42, y, power, 42, npp=power in npps)
            x += 92
        top += BID


STATES = {"to bid": template("To bid"), "in": template("In"), "passed": template("Passed")}


def _bidder(brush: Brush, bidder: Bidder, player: str, n: int, box: Box) -> None:
    theme = brush.theme
    row = Box(box.left, box.top + sh.PANEL_HEAD + BIDDER * n, box.wide, BIDDER)
    sh.stripe(brush, row, n)
    y, x = row.top + BIDDER // 2, row.left + 420
    sh.power_disc(brush, row.left + 42, y, bidder.power, 54)
    sh.write_name(brush, row.left + 82, y, short_name(bidder.name), player, 232, 34)
    sh.gold(brush, row.left + 326, y, bidder.gold)
    ink = theme.muted if bidder.state == "passed" else theme.ink
    if bidder.state == "to bid":
        brush.icon(x + 14, y, "pointer", 28, theme.frame)
    else:
        sh.put_sign(brush, x + 14, y, "tick" if bidder.state == "in" else "cross", 26, ink)
    brush.write(x + 38, y, say(text(STATES[bidder.state])), "label", 32, row.corners[2] - x - 44, ink)
