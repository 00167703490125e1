"""`python -m tools.maps.bases`: draws the maps of boards and close-ups ahead and stores them in the package; for developers,
after a change of plates, themes or layout."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from PIL import Image

from renderer.games.attack import base as attack
from renderer.games.imperial_struggle import base as imperial
from renderer.games.imperial_struggle.places import SIZES
from renderer.games.struggle_of_empires.base import FORMS, base_file, draw_base, draw_near, near_file
from renderer.games.struggle_of_empires.common import COLONIES, EUROPE
from renderer.themes import THEMES

FOLDER = Path(__file__).parents[2] / "renderer" / "games" / "struggle_of_empires" / "bases"
ATTACK = Path(__file__).parents[2] / "renderer" / "games" / "attack" / "bases"
IMPERIAL = Path(__file__).parents[2] / "renderer" / "games" / "imperial_struggle" / "bases"


def maps() -> Iterator[tuple[Path, Image.Image]]:
    for theme in THEMES:
        for form in FORMS:
            yield FOLDER / base_file(theme, form), draw_base(theme, form)
        for area in (*EUROPE, *COLONIES):
            yield FOLDER / near_file(theme, area), draw_near(theme, area)
    yield ATTACK / attack.BASE, attack.draw_base()
    for theme, region, scale in product(THEMES, SIZES, imperial.SCALES):
        yield IMPERIAL / imperial.file(theme, region, scale), imperial.draw_base(theme, region, scale)


def main() -> None:
    """Write every map and print its name."""
    for path, drawn in maps():
        path.parent.mkdir(exist_ok=True)
        drawn.save(path, "PNG", compress_level=9)
        sys.stdout.write(f"{path.name}: {path.stat().st_size // 1000} kB\n")


if __name__ == "__main__":
    main()
