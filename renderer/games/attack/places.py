"""Where things stand on the plates of Attack!, in px, placed by hand; whoever moves one looks at all of them."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

# Territory to the plate that tells of it, and the middle of its name there; its units stand below.
LABELS: Mapping[str, tuple[str, int, int]] = {
    "great_britain": ("europe", 227, 207), "scandinavia": ("europe", 419, 53), "iberia": ("europe", 172, 436),
    "france": ("europe", 236, 329), "germany": ("europe", 388, 286), "italy": ("europe", 380, 402),
    "balkans": ("europe", 543, 407), "poland": ("europe", 532, 262), "ukraine": ("europe", 676, 291),
    "russia": ("europe", 686, 126), "urals": ("europe", 870, 33), "caucasus": ("europe", 821, 329),
    "turkey": ("europe", 722, 469), "morocco": ("europe", 90, 618), "algeria": ("europe", 234, 640),
    "libya": ("europe", 400, 678), "egypt": ("europe", 664, 672), "syria": ("europe", 800, 588),
    "iraq": ("europe", 946, 575), "saudi_arabia": ("europe", 1044, 684),

    "alaska": ("north_america", 94, 24), "northwest_territories": ("north_america", 260, 24),
    "western_canada": ("north_america", 164, 140), "ontario": ("north_america", 326, 150),
    "quebec": ("north_america", 470, 110), "western_us": ("north_america", 150, 266),
    "midwest": ("north_america", 296, 266), "eastern_us": ("north_america", 446, 225),
    "southern_us": ("north_america", 304, 382), "mexico": ("north_america", 150, 382), "cuba": ("north_america", 446, 404),
    "panama": ("north_america", 330, 484),

    "venezuela": ("south_america", 246, 21), "colombia": ("south_america", 86, 60), "guiana": ("south_america", 404, 52),
    "amazonia": ("south_america", 280, 136), "peru": ("south_america", 78, 190), "bahia": ("south_america", 440, 176),
    "bolivia": ("south_america", 217, 251), "southern_brazil": ("south_america", 385, 274),
    "paraguay": ("south_america", 442, 396), "chile": ("south_america", 78, 306), "argentina": ("south_america", 300, 366),
    "patagonia": ("south_america", 148, 456),

    "west_africa": ("africa", 80, 133), "nigeria": ("africa", 222, 152), "central_africa": ("africa", 266, 270),
    "sudan": ("africa", 366, 125), "east_africa": ("africa", 450, 241), "angola": ("africa", 262, 386),
    "mozambique": ("africa", 406, 385), "south_africa": ("africa", 303, 502)}

# Where in a small territory the line from a label that stands beside it ends; in all others at the plate's anchor.
SPOTS: Mapping[str, tuple[int, int]] = {"guiana": (291, 82), "paraguay": (292, 286), "chile": (206, 312)}

Side: TypeAlias = Literal["left", "right", "up", "down", ""]


class End(NamedTuple):
    """Words at the edge of a plate: where routes lead that leave it, or the name of land that another plate tells of."""

    plate: str
    side: Side              # where the pointer points; "" for land, and in the middle of the sea
    x: int                  # the middle of the words, or their edge at the side to which they point
    y: int
    words: str
    territories: tuple[str, ...] = ()


ANCHORS = (End("europe", "", 488, 640, "Mediterranean"), End("north_america", "", 412, 520, ""),
           End("south_america", "", 136, 24, ""))
"""The zones whose shores are all linked, where their sign stands with its name."""

ENDS: tuple[End, ...] = (
    End("europe", "left", 6, 108, "Quebec", ("quebec",)), End("europe", "left", 6, 196, "Eastern US", ("eastern_us",)),
    End("europe", "left", 6, 282, "Eastern US", ("eastern_us",)), End("europe", "left", 6, 462, "Cuba", ("cuba",)),
    End("europe", "left", 6, 502, "Bahia", ("bahia",)), End("europe", "left", 6, 542, "West Africa", ("west_africa",)),
    End("europe", "left", 6, 584, "Southern US", ("southern_us",)), End("europe", "up", 358, 18, "Russia", ("russia",)),
    End("europe", "up", 640, 18, "Great Britain", ("great_britain",)),
    End("europe", "down", 850, 760, "Sudan, East Africa", ("sudan", "east_africa")),

    End("north_america", "right", 554, 26, "Great Britain", ("great_britain",)),
    End("north_america", "right", 554, 76, "France", ("france",)),
    End("north_america", "right", 554, 338, "Iberia", ("iberia",)),
    End("north_america", "right", 554, 370, "Morocco", ("morocco",)),
    End("north_america", "right", 554, 518, "Guiana", ("guiana",)),
    End("north_america", "down", 180, 552, "Peru, Chile", ("peru", "chile")),
    End("north_america", "", 500, 554, "Colombia", ("colombia",)),

    End("south_america", "up", 352, 18, "Cuba", ("cuba",)), End("south_america", "up", 508, 18, "Iberia", ("iberia",)),
    End("south_america", "right", 554, 142, "West Africa", ("west_africa",)),
    End("south_america", "right", 554, 304, "Angola", ("angola",)),
    End("south_america", "right", 554, 482, "South Africa", ("south_africa",)),
    End("south_america", "", 52, 22, "Panama", ("panama",)),

    End("africa", "left", 6, 92, "Iberia", ("iberia",)), End("africa", "left", 6, 250, "Guiana", ("guiana",)),
    End("africa", "left", 6, 284, "Bahia", ("bahia",)), End("africa", "left", 6, 434, "Southern Brazil", ("southern_brazil",)),
    End("africa", "left", 6, 600, "Argentina", ("argentina",)),
    End("africa", "", 512, 112, "Saudi Arabia", ("saudi_arabia",)), End("africa", "", 140, 58, "Algeria", ("algeria",)),
    End("africa", "", 252, 58, "Libya", ("libya",)), End("africa", "", 346, 58, "Egypt", ("egypt",)))
