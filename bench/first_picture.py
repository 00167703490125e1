"""python -m bench.first_picture GAME: the first picture of a fresh process, a board given as JSON, over the yardstick Y.

Both are a core's time, which does not depend on who else uses the machine.
"""
from __future__ import annotations

import sys
from importlib import import_module
from io import BytesIO
from time import process_time

from bench.yardstick import deflating


def main() -> None:
    _, game = sys.argv
    scene = import_module(f"engine.games.{game}.pictures.scenes").Board.model_validate_json(sys.stdin.read())
    begin = process_time()
    from renderer import render  # as in the bot: Pillow, fonts and maps are loaded for the first picture

    png = render(scene)
    taken = process_time() - begin

    from PIL import Image

    with Image.open(BytesIO(png)) as image:
        print(taken / deflating(image.tobytes(), process_time))


if __name__ == "__main__":
    main()
