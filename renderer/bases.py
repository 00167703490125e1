"""`python -m renderer.bases`: draws the maps of boards and close-ups ahead and stores them in the package; for developers, after
a change of plates, themes or layout."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from renderer.struggle_of_empires.base import FORMS, base_file, draw_base, draw_near, near_file
from renderer.struggle_of_empires.common import COLONIES, EUROPE
from renderer.themes import THEMES

FOLDER = Path(__file__).parent / "struggle_of_empires" / "bases"


def maps() -> Iterator[tuple[str, Image.Image]]:
    """Every map with the name of its file."""
    for theme in THEMES:
        for form in FORMS:
            yield base_file(theme, form), draw_base(theme, form)
        for area in (*EUROPE, *COLONIES):
            yield near_file(theme, area), draw_near(theme, area)


def main() -> None:
    """Write every map and print its name."""
    FOLDER.mkdir(exist_ok=True)
    for name, drawn in maps():
        drawn.save(FOLDER / name, "PNG", compress_level=9)
        sys.stdout.write(f"{name}: {(FOLDER / name).stat().st_size // 1000} kB\n")


if __name__ == "__main__":
    main()
