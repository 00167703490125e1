"""python -m bench.first_picture: the first picture of a fresh process, a board given as JSON, over the yardstick Y."""
from __future__ import annotations

import sys
from io import BytesIO
from time import perf_counter

from bench.yardstick import deflating
from engine.struggle_of_empires.scenes import Board


def main() -> None:
    scene = Board.model_validate_json(sys.stdin.read())
    begin = perf_counter()
    from renderer import render  # as in the bot: Pillow, fonts and maps are loaded for the first picture

    png = render(scene)
    taken = perf_counter() - begin

    from PIL import Image

    with Image.open(BytesIO(png)) as image:
        print(taken / deflating(image.tobytes()))


if __name__ == "__main__":
    main()
