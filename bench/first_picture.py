"""python -m bench.first_picture GAME: the first picture of a fresh process, a board given as JSON, over the yardstick Y."""
from __future__ import annotations

import sys
from importlib import import_module
from io import BytesIO
from time import perf_counter

from bench.yardstick import deflating


def main() -> None:
    _, game = sys.argv
    scene = import_module(f"engine.games.{game}.pictures.scenes").Board.model_validate_json(sys.stdin.read())
    begin = perf_counter()
    from renderer import render  # as in the bot: Pillow, fonts and maps are loaded for the first picture

    png = render(scene)
    taken = perf_counter() - begin

    from PIL import Image

    with Image.open(BytesIO(png)) as image:
        print(taken / deflating(image.tobytes()))


if __name__ == "__main__":
    main()
