"""What the signs on the map mean: a small table in the empty corner of Europe."""
from __future__ import annotations

from PIL import Image

from engine.text import say, template, text
from renderer.brushes import SMALLEST, page, width
from renderer.games.attack.base import WINDOWS
from renderer.games.attack.common import UNITS, settled
from renderer.games.attack.labels import SEAL, SIGN, plate_of, seal
from renderer.layout.boxes import Box
from renderer.themes import THEMES
from renderer.words import spoken

ROW, SIGNS, EDGE = 36, 52, 10       # px of a line, of the column with signs, and around all
UNIT_NAMES = (template("Infantry"), template("Tank"), template("Artillery"), template("Plane"))
WORDS = {"capital": template("Capital"), "attack": template("Attackers"), "anchor": template("Shores linked"),
         "route": template("Sea route")}
DEEDS = {"attack": template("attack"), "move": template("move here"), "claim": template("claim it"),
         "place": template("place units"), "capital": template("your capital"), "diplomacy": template("negotiate"),
         "other": template("you decide")}
"""What each deed is: what the reader may do."""


def _lines(deeds: tuple[str, ...]) -> list[str]:
    return [say(text(words)) for words in (*UNIT_NAMES, *WORDS.values(), *[DEEDS[deed] for deed in deeds])]


@spoken(maxsize=64)
def legend_box(deeds: tuple[str, ...]) -> Box:
    """Return what the table takes of the board, for a reader who may do these things somewhere."""
    window, said = WINDOWS["europe"], _lines(deeds)
    wide = EDGE + SIGNS + max(width(words, "label", SMALLEST) for words in said) + EDGE
    return Box(window.left + window.wide - wide - 8, window.top + 8, wide, ROW * len(said) + EDGE)


@spoken(maxsize=32)
def legend(theme_name: str, deeds: tuple[str, ...]) -> Image.Image:
    """The table: units, signs, and what the reader may do."""
    theme, box = THEMES[theme_name], legend_box(deeds)
    image = Image.new("RGB", (box.wide, box.high), theme.card)
    brush = page(image, theme)
    brush.draw.rectangle((0, 0, box.wide - 1, box.high - 1), outline=theme.line, width=2)
    for n, words in enumerate(_lines(deeds)):
        y, middle = EDGE // 2 + ROW * n + ROW // 2, EDGE + SIGNS // 2 - 4
        brush.text(EDGE + SIGNS, y, words, "label", SMALLEST, theme.ink)
        if n < len(UNITS):
            brush.icon(middle, y, UNITS[n], SIGN, theme.ink)
        elif n == len(UNITS) + [*WORDS].index("capital"):
            seal(brush, middle, y)
        elif n == len(UNITS) + [*WORDS].index("route"):
            for x in (middle - 21, middle - 4, middle + 13):
                brush.draw.line((x, y, x + 8, y), theme.ink, 2)
        elif n < len(UNITS) + len(WORDS):
            brush.icon(middle, y, [*WORDS][n - len(UNITS)], SIGN, theme.ink)
        else:
            plate_of(brush, middle - SEAL // 2 - 3, y, deeds[n - len(UNITS) - len(WORDS)])
    return settled(image, theme)
