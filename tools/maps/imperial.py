"""The plates of Imperial Struggle: four windows on the world, on which its spaces stand at places of their own."""
from __future__ import annotations

from tools.maps import plates
from tools.maps.frames import Frame

PLATES = plates.ROOT / "data" / "imperial_struggle" / "plates"
REGIONS = "is_regions"
COARSE = 60             # square px: so much stands on these maps that coasts are drawn plainly

FRAMES: dict[str, Frame] = {
    "europe": Frame(1200, 860, 8, 49, 560, 430, 1750, outlines=REGIONS, detail=COARSE),
    "north_america": Frame(1200, 900, -72, 44.5, 620, 450, 3000, outlines=REGIONS, detail=COARSE),
    "caribbean": Frame(1200, 860, -75, 22.3, 600, 430, 2030, outlines=REGIONS, detail=COARSE, islets=True),
    "india": Frame(1200, 900, 82, 16, 560, 430, 2750, outlines=REGIONS, detail=COARSE)}
"""As high as close-ups show them; the board shows them flatter."""
