"""python -m gallery: draws every kind of picture of a random game of each title, in each theme, into build/pictures/."""
from __future__ import annotations

import argparse
from pathlib import Path

from tqdm import tqdm

from engine.catalog import GAMES
from gallery import play, shown
from renderer import render, suffix
from renderer.themes import THEMES


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m gallery", description=__doc__)
    parser.add_argument("--seats", type=int, default=7, help="number of players")
    parser.add_argument("--seed", type=int, default=1, help="of the random game")
    parser.add_argument("--folder", type=Path, default=Path("build") / "pictures")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for spec in GAMES:
        edition = next(edition.key for edition in spec.editions if edition.available)
        scenes = list(shown(play(spec, edition, args.seats, args.seed)))
        for name, scene in tqdm(scenes, desc=spec.name):
            for theme in THEMES:
                path = args.folder / f"{spec.key}-{name}-{theme}{suffix(scene)}"
                path.write_bytes(render(scene, theme))
    print(f"The pictures are in {args.folder}.")


if __name__ == "__main__":
    main()
