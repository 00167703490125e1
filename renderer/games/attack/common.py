"""What all pictures of Attack! share: the powers' colours and signs, types of units and ships, measures."""
from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from PIL import Image

from engine.text import template
from renderer.themes import DARK, LIGHT, WHITE, Colour, Theme, colour, in_palette, mix, palette

GAME = "attack"
WIDE = 1200             # px, as all measures here
MARGIN, GAP = 16, 12
HEADER = 132

POWERS: dict[str, Colour] = {
    "red": colour("#DB1208"), "blue": colour("#234267"), "green": colour("#3A8E70"), "brown": colour("#4E1E0C"),
    "tan": colour("#F5D27E"), "gray": colour("#B5B8BF")}
FILLS: Mapping[Theme, Mapping[str, Colour]] = {
    theme: dict(zip(POWERS, map(colour, codes))) for theme, codes in {
        DARK: ("#F8241A", "#4A86D8", "#35B891", "#A0725C", "#FBDE95", "#C3C9D4"),
        LIGHT: ("#9C0C08", "#16375F", "#1B694F", "#33180F", "#AC6602", "#727484")}.items()}
"""The colours of land and pieces: 3:1 against the sea of the theme, and as far apart as that leaves room for, for every eye."""
SIGNS: Mapping[str, str] = {"red": "R", "blue": "B", "green": "G", "brown": "Br", "tan": "T", "gray": "Gr"}
PLAYED = tuple(POWERS)
NEUTRAL, NEUTRAL_SIGN = "neutral", "N"      # as a side of a battle

UNITS = ("infantry", "tank", "artillery", "plane")
SHIPS = ("battleship", "aircraft_carrier", "destroyer", "submarine")
TOKENS = {**{unit: ("unit", unit) for unit in (*UNITS, *SHIPS)}, "die": ("die", "pips"), "card": ("card", "card"),
          "population": ("card", "person"), "oil": ("card", "drop"), "minerals": ("card", "ore"), "factories": ("card", "works"),
          "railroads": ("card", "rails")}
"""What has a sign among words: its kind and its icon."""
ACTIONS: Mapping[str, str] = {
    "movement": template("Movement"), "blitz": template("Blitz"), "strategic_movement": template("Strategic movement"),
    "naval_battle": template("Naval battle"), "diplomacy": template("Diplomacy"), "production": template("Production"),
    "trade": template("Trade")}


def badge(side: str) -> tuple[str, Colour]:
    """The sign and the colour of a power, for what knows no game nor theme."""
    return SIGNS[side], POWERS[side]


def fill(theme: Theme, power: str) -> Colour:
    """The pieces of a power, or what is neutral."""
    return FILLS[theme].get(power, theme.stone)


def owned(theme: Theme, owner: str) -> Colour:
    """The land of a territory with this owner, or of a neutral one, which is pale."""
    return FILLS[theme][owner] if owner else mix(theme.land, WHITE, 0.1)


def shore(theme: Theme) -> Colour:
    """The line around every territory: it stands out from the sea, and from all land that does not do so by itself."""
    return theme.ring


def beyond(theme: Theme) -> Colour:
    """Land that nobody enters."""
    return mix(theme.land, theme.sea, 0.7)


@lru_cache(maxsize=8)
def lands(theme: Theme) -> tuple[Colour, ...]:
    return (*[owned(theme, owner) for owner in ("", *POWERS)], beyond(theme))


def colours(theme: Theme) -> Image.Image:
    return palette(theme, tuple(FILLS[theme].values()), lands(theme))


def settled(image: Image.Image, theme: Theme) -> Image.Image:
    return in_palette(image, colours(theme))
