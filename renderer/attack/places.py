"""Where things stand on the plates of Attack!, in px, placed by hand; whoever moves one looks at all of them."""
from __future__ import annotations

from collections.abc import Mapping

# Territory to the plate that tells of it, and the middle of its name there; its units stand below.
LABELS: Mapping[str, tuple[str, int, int]] = {
    "great_britain": ("europe", 227, 207), "scandinavia": ("europe", 419, 53), "iberia": ("europe", 120, 450),
    "france": ("europe", 236, 329), "germany": ("europe", 388, 286), "italy": ("europe", 380, 394),
    "balkans": ("europe", 543, 407), "poland": ("europe", 532, 262), "ukraine": ("europe", 676, 291),
    "russia": ("europe", 686, 126), "urals": ("europe", 870, 33), "caucasus": ("europe", 821, 329),
    "turkey": ("europe", 722, 469), "morocco": ("europe", 78, 605), "algeria": ("europe", 234, 640),
    "libya": ("europe", 400, 672), "egypt": ("europe", 664, 672), "syria": ("europe", 800, 577),
    "iraq": ("europe", 946, 575), "saudi_arabia": ("europe", 890, 684),

    "alaska": ("north_america", 94, 24), "northwest_territories": ("north_america", 260, 24),
    "western_canada": ("north_america", 164, 134), "ontario": ("north_america", 332, 150),
    "quebec": ("north_america", 478, 122), "western_us": ("north_america", 150, 266),
    "midwest": ("north_america", 296, 266), "eastern_us": ("north_america", 446, 254),
    "southern_us": ("north_america", 304, 376), "mexico": ("north_america", 150, 376), "cuba": ("north_america", 470, 372),
    "panama": ("north_america", 380, 482),

    "venezuela": ("south_america", 250, 19), "colombia": ("south_america", 86, 60), "guiana": ("south_america", 420, 40),
    "amazonia": ("south_america", 280, 126), "peru": ("south_america", 78, 190), "bahia": ("south_america", 446, 150),
    "bolivia": ("south_america", 217, 232), "southern_brazil": ("south_america", 440, 262),
    "paraguay": ("south_america", 410, 378), "chile": ("south_america", 78, 306), "argentina": ("south_america", 252, 342),
    "patagonia": ("south_america", 240, 454),

    "west_africa": ("africa", 80, 133), "nigeria": ("africa", 222, 152), "central_africa": ("africa", 266, 262),
    "sudan": ("africa", 366, 125), "east_africa": ("africa", 450, 233), "angola": ("africa", 232, 377),
    "mozambique": ("africa", 384, 385), "south_africa": ("africa", 303, 497)}

SHORT: Mapping[str, str] = {"northwest_territories": "NW Territories"}

# From a name to the small territory that it stands beside.
LEADERS: tuple[tuple[str, tuple[int, int], tuple[int, int]], ...] = (
    ("south_america", (372, 52), (291, 82)), ("south_america", (352, 372), (292, 286)), ("south_america", (112, 312), (206, 312)))

# The anchor zones: plate, place of the sign, and what is written beside it.
ANCHORS: tuple[tuple[str, int, int, str], ...] = (
    ("europe", 396, 640, "Mediterranean"), ("north_america", 488, 480, ""), ("south_america", 338, 22, ""))
