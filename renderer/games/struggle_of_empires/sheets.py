"""What the sheets share, the pictures beside the map: paper with a header, panels, power heads, signs and names that fit."""
from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image, ImageDraw

from engine.games.struggle_of_empires.pictures.scenes import Moment
from engine.text import say, text
from renderer import brushes as br
from renderer.games.struggle_of_empires.base import HEADER
from renderer.games.struggle_of_empires.common import MARGIN, POWERS, WIDE, letter
from renderer.layout.boxes import Box
from renderer.themes import THEMES, Colour

INSIDE = WIDE - 2 * MARGIN      # how wide a panel is that fills the sheet
PANEL_HEAD = 48
MINUS = "−"

# Signs that only sheets need, on a square of 100 by 100: each part is a polygon, and whether it adds (1) or cuts out (0).
Outline = tuple[tuple[float, ...], int]
SIGNS: dict[str, tuple[Outline, ...]] = {
    "unrest": (((52, 0, 62, 22, 80, 42, 88, 64, 80, 85, 62, 98, 38, 98, 20, 85, 12, 64, 20, 40, 32, 54, 38, 26), 1),
               ((51, 52, 62, 68, 66, 80, 58, 90, 42, 90, 34, 80, 40, 68), 0)),
    "cross": (((18, 4, 50, 36, 82, 4, 96, 18, 64, 50, 96, 82, 82, 96, 50, 64, 18, 96, 4, 82, 36, 50, 4, 18), 1),),
    "strike": (((3, 89, 89, 3, 97, 11, 11, 97), 1),),
    "tick": (((4, 54, 20, 38, 40, 58, 80, 12, 96, 28, 40, 92), 1),),
}


@lru_cache(maxsize=64)
def sign(name: str, size: int) -> Image.Image:
    """The mask of a sign in a square of so many px."""
    image = Image.new("L", (size * br.SMOOTH, size * br.SMOOTH))
    draw = ImageDraw.Draw(image)
    for outline, filled in SIGNS[name]:
        draw.polygon([number * size * br.SMOOTH / 100 for number in outline], fill=255 * filled)
    return image.reduce(br.SMOOTH)


def put_sign(brush: br.Brush, x: int, y: int, name: str, size: int, ink: Colour) -> None:
    brush.mask(x - size // 2, y - size // 2, sign(name, size), ink)


# --- words that fit -------------------------------------------------------------------------------

def write_name(brush: br.Brush, x: int, y: int, name: str, player: str, room: int, size: int = 36) -> None:
    """A power's name, and below it, muted, what its player is called."""
    if player := br.person(player, "label"):
        brush.write(x, y - 17, name, "name", min(size, 34), room, brush.theme.ink)
        brush.write(x, y + 19, player, "label", br.SMALLEST, room, brush.theme.muted)
    else:
        brush.write(x, y, name, "name", size, room, brush.theme.ink)


def listed(words: Sequence[str]) -> str:
    """ "A", "A and B", "A, B and C"."""
    return say(tuple(words))


def signed(number: int) -> str:
    return f"{MINUS}{-number}" if number < 0 else str(number)


def gained(number: int) -> str:
    """A difference with its sign, but for zero."""
    return f"+{number}" if number > 0 else signed(number)


def moment_words(moment: Moment) -> str:
    if moment.phase == "over":
        return say(text("The game is over"))
    if moment.round:
        return say(text("War {war} · Round {round} of {rounds}", war=moment.war, round=moment.round, rounds=moment.rounds))
    return say(text("War {war} · Auction" if moment.phase == "auction" else "War {war}", war=moment.war))


# --- paper ----------------------------------------------------------------------------------------

def sheet(theme_name: str, high: int, kind: str, heading: str, *, chart: bool = False) -> br.Brush:
    """A brush on an empty sheet of this height whose header says the game and the moment, and what is shown."""
    theme = THEMES[theme_name]
    draws = br.Brush if chart else br.page
    brush = draws(Image.new("RGB", (WIDE, high), theme.paper), theme)
    brush.draw.rectangle((0, 0, WIDE, HEADER), theme.bar)
    brush.draw.rectangle((0, HEADER - 6, WIDE, HEADER - 4), theme.gold)
    brush.draw.rectangle((0, HEADER - 3, WIDE, HEADER), theme.paper)
    brush.write(24, 36, kind, "title", 32, WIDE - 48, theme.bar_muted)
    brush.write(24, 91, heading, "name", 46, WIDE - 48, theme.bar_ink)
    return brush


def panel(brush: br.Brush, box: Box, title: str) -> None:
    """A card with a title bar; its rows begin PANEL_HEAD below its upper edge."""
    left, top, right, bottom = box.corners
    brush.draw.rectangle((left, top + PANEL_HEAD, right - 1, bottom - 1), brush.theme.card)
    brush.mask(left, top, br.capped(box.wide, PANEL_HEAD, 8), brush.theme.bar)
    brush.write(left + 20, top + PANEL_HEAD // 2, title, "name", 32, box.wide - 40, brush.theme.bar_ink)


def head(brush: br.Brush, right: int, top: int, words: str, room: int) -> None:
    """The heading of a column in a panel's title bar, ending at `right`."""
    brush.write(right, top + PANEL_HEAD // 2, words, "label", br.SMALLEST, room, brush.theme.bar_muted, align="r")


def stripe(brush: br.Brush, box: Box, n: int) -> None:
    """The ground of a panel's n-th row: every second one is striped."""
    left, top, right, bottom = box.corners
    brush.draw.rectangle((left, top, right - 1, bottom - 1), brush.theme.stripe if n % 2 else brush.theme.card)


def power_disc(brush: br.Brush, x: int, y: int, power: str, size: int, *, ring: Colour | None = None, npp: bool = False) -> None:
    """The disc of a power, or the square of one that nobody plays."""
    (brush.square if npp else brush.disc)(x, y, letter(power), size, POWERS[power], ring=ring)


def gold(brush: br.Brush, x: int, y: int, amount: int | None, size: int = 34) -> None:
    """A coin whose left edge is at x, and how much gold; a question mark if that is secret."""
    coin = max(28, size * 4 // 5)
    brush.coin(x + coin // 2, y, coin)
    words = "?" if amount is None else str(amount)
    brush.text(x + coin + 7, y, words, "number", size, brush.theme.ink if amount else brush.theme.muted)
