"""`make pictures`: draws sample boards of two to seven powers in both themes into build/pictures/ and prints their paths."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from renderer import render, samples
from renderer.themes import THEMES

FOLDER = Path("build") / "pictures"


def boards() -> Iterator[tuple[str, object]]:
    """Every sample board with its name."""
    for players in range(2, 8):
        yield f"{players}-powers", samples.sample(players)
    yield "auction", samples.auction()
    yield "private", samples.private(samples.sample(5), "seat_2", 6)
    yield "ended", samples.ended(samples.sample(7))
    yield "crowded", samples.crowded()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, view in boards():
        for theme in THEMES:
            path = FOLDER / f"{name}-{theme}.png"
            path.write_bytes(render(view, theme))
            sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
