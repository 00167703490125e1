"""What all pictures of Imperial Struggle share: colours and letters of the flags, names that fit, measures."""
from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from PIL import Image

from renderer.themes import Colour, Theme, colour, in_palette, mix, palette

GAME = "imperial_struggle"
WIDE = 1200             # px, as all measures here
MARGIN, GAP = 16, 10
STEPS = 52              # colours of the palette

FLAGS: dict[str, Colour] = {
    "britain": colour("#9C0A10"), "france": colour("#1F4FA3"), "spain": colour("#F7D106"), "usa": colour("#1FA588")}
FILLS = tuple(FLAGS.values())
SIGNS: Mapping[str, str] = {"britain": "B", "france": "F", "spain": "S", "usa": "U"}
PLAYED = "britain", "france"
NAMES: Mapping[str, str] = {"britain": "Britain", "france": "France", "spain": "Spain", "usa": "United States"}
REGION_NAMES: Mapping[str, str] = {"europe": "Europe", "north_america": "North America", "caribbean": "Caribbean",
                                   "india": "India"}

GOODS: Mapping[str, str] = {"furs": "pelt", "fish": "fish", "tobacco": "leaf", "sugar": "loaf", "cotton": "boll", "spice": "pod"}
"""The icon of each good."""

TOKENS = {"squadron": ("unit", "navy"), "fort": ("unit", "fort"), "card": ("card", "card"),
          **{good: ("good", icon) for good, icon in GOODS.items()}}
"""What has a sign among words: its kind and its icon."""


def badge(side: str) -> tuple[str, Colour]:
    """The letter and the colour of a flag, for what knows no game."""
    return SIGNS[side], FLAGS[side]


def ground(theme: Theme, region: str) -> Colour:
    """The land of a plate: pale, so that all that stands on it is seen first."""
    return mix(theme.land, theme.tints[TINTS[region]], 0.6) if region in TINTS else mix(theme.land, theme.sea, 0.55)


TINTS: Mapping[str, str] = {
    "britain": "baltic", "ireland": "baltic", "france": "central_europe", "spain": "mediterranean", "portugal": "german_states",
    "dutch": "german_states", "austrian_netherlands": "ottoman_empire", "german_states": "german_states", "bavaria": "baltic",
    "prussia": "ottoman_empire", "austria": "mediterranean", "sardinia_savoy": "german_states", "italy": "baltic",
    "denmark_norway": "central_europe", "sweden": "mediterranean", "poland": "baltic", "russia": "german_states",
    "new_france": "ottoman_empire", "acadia_newfoundland": "central_europe", "hudson_bay": "baltic",
    "new_england": "german_states",
    "middle_colonies": "baltic", "carolinas_georgia": "central_europe", "florida": "mediterranean", "bahamas": "german_states",
    "cuba": "mediterranean", "hispaniola_east": "mediterranean", "saint_domingue": "ottoman_empire", "jamaica": "baltic",
    "puerto_rico": "mediterranean", "leeward": "baltic", "windward": "ottoman_empire", "carnatic": "central_europe",
    "mysore": "baltic", "hyderabad": "german_states", "marathas": "mediterranean", "bengal": "ottoman_empire",
    "mughal_north": "baltic", "ceylon": "german_states"}
"""Lands of the plates to the tint in which they lie; neighbours differ."""


def lands(theme: Theme) -> tuple[Colour, ...]:
    return tuple(dict.fromkeys(ground(theme, region) for region in (*TINTS, "")))


@lru_cache(maxsize=4)
def colours(theme: Theme) -> Image.Image:
    """The palette of all pictures in a theme: flat colours and the most visible steps between them. More of these
    would make the file of a board larger than it may be."""
    held = Image.new("P", (1, 1))
    held.putpalette((palette(theme, FILLS, lands(theme)).getpalette() or [])[:3 * STEPS])
    return held


def settled(image: Image.Image, theme: Theme) -> Image.Image:
    return in_palette(image, colours(theme))
