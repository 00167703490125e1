"""What all pictures of Struggle of Empires share: the powers' colours and letters, the areas, measures."""
from __future__ import annotations

from PIL import Image

from renderer.brushes import Brush
from renderer.themes import Colour, Theme, colour, in_palette, palette

GAME = "struggle_of_empires"
WIDE = 1200             # px, as all measures here
MARGIN, GAP = 16, 12

POWERS: dict[str, Colour] = {
    "austria": colour("#FFFFFF"), "britain": colour("#9C0A10"), "france": colour("#1F4FA3"), "prussia": colour("#16161A"),
    "russia": colour("#1FA588"), "spain": colour("#F7D106"), "united_provinces": colour("#D06527")}
FILLS = tuple(POWERS.values())
PLAYED = tuple(POWERS)

TOKENS = {"army": ("unit", "army"), "navy": ("unit", "navy"), "fort": ("unit", "fort"), "die": ("die", "pips")}
"""What has a sign among words: its kind and its icon."""

CLOSED = "closed"       # in place of a holder: a local alliance that can take no marker

EUROPE = ("german_states", "baltic", "central_europe", "ottoman_empire", "mediterranean")
COLONIES = ("north_america", "caribbean", "south_america", "africa", "india", "east_indies")


def letter(power: str) -> str:
    return power[0].upper()


def badge(side: str) -> tuple[str, Colour]:
    """The letter and the colour of a power, for what knows no game."""
    return letter(side), POWERS[side]


def put_shield(brush: Brush, x: int, y: int, holder: str, size: int) -> None:
    """The place of a local alliance, centred on x, y: its holder's marker, or hollow; filled with grey if it is closed."""
    theme = brush.theme
    if holder in POWERS:
        brush.shield(x, y, letter(holder), size, POWERS[holder])
    else:
        brush.shield(x, y, "", size, theme.line if holder else theme.card, ring=theme.muted)


def settled(image: Image.Image, theme: Theme) -> Image.Image:
    return in_palette(image, palette(theme, FILLS))
