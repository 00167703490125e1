"""`python -m renderer.bases`: draws the maps of the boards ahead and stores them in the package; for developers, after a change
of plates, themes or layout."""
from __future__ import annotations

import sys
from pathlib import Path

from renderer.struggle_of_empires.base import FORMS, base_file, draw_base
from renderer.themes import THEMES

FOLDER = Path(__file__).parent / "struggle_of_empires" / "bases"


def main() -> None:
    """Write every base and print its name."""
    FOLDER.mkdir(exist_ok=True)
    for theme in THEMES:
        for form in FORMS:
            path = FOLDER / base_file(theme, form)
            draw_base(theme, form).save(path, "PNG", compress_level=9)
            sys.stdout.write(f"{path.name}: {path.stat().st_size // 1000} kB\n")


if __name__ == "__main__":
    main()
