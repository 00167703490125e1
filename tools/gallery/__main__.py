"""python -m tools.gallery: draws every kind of picture of a game of each edition, in each theme, into build/pictures/."""
from __future__ import annotations

import argparse
from pathlib import Path

from tqdm import tqdm

from engine.catalog import GAMES
from engine.text.languages import ENGLISH, PREPARED, speaking
from renderer import render, suffix
from renderer.themes import THEMES
from tools.gallery import play, shown, tables


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.gallery", description=__doc__)
    parser.add_argument("--seats", type=int, default=0, help="number of players; left out: most, or a few in further editions")
    parser.add_argument("--seed", type=int, default=1, help="of what is random")
    parser.add_argument("--game", choices=[spec.key for spec in GAMES], help="only this one")
    parser.add_argument("--level", choices=("beginners", "solid"), help="automatic players play; left out: at random")
    parser.add_argument("--language", choices=PREPARED, default=ENGLISH.code)
    parser.add_argument("--folder", type=Path, default=Path("build") / "pictures")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for spec in GAMES:
        for edition, seats in tables(spec, args.seats) if args.game in (None, spec.key) else ():
            with speaking(PREPARED[args.language]):
                scenes = list(shown(play(spec, edition, seats, args.seed, args.level)))
                for name, scene in tqdm(scenes, desc=f"{spec.name}, {edition}"):
                    for theme in THEMES:
                        path = args.folder / f"{spec.key}-{edition}-{name}-{theme}{suffix(scene)}"
                        path.write_bytes(render(scene, theme))
    print(f"The pictures are in {args.folder}.")


if __name__ == "__main__":
    main()
