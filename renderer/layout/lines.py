"""Lines over time: a round axis, and labels that are pushed apart."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from PIL import Image, ImageDraw

from renderer.layout.boxes import Box
from renderer.themes import Colour, Theme

SMOOTH = 3                      # lines are drawn so much larger and reduced
CORE, RING, HALO = 6, 10, 14    # widths of a line and of what keeps it apart from the ground and from other lines, px
PAD = 40                        # lines abreast stay inside at both ends, px
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)
MOST_STEPS = 9

Path: TypeAlias = Sequence[tuple[int, int]]


class Scale(NamedTuple):
    """An axis of points: a whole number of steps."""

    low: int
    high: int
    step: int

    def within(self, plot: Box, points: int) -> int:
        return plot.corners[3] - PAD - round((plot.high - 2 * PAD) * (points - self.low) / (self.high - self.low))


def scale(points: Iterable[int]) -> Scale:
    """Round numbers from the fewest points (zero at most) to the most."""
    known = list(points)
    least, most = min([0, *known]), max([5, *known])
    step = next((step for step in STEPS if most // step - least // step < MOST_STEPS), most - least)
    return Scale(low=least // step * step, high=-(-most // step) * step, step=step)


def spread(wanted: Sequence[int], gap: int, low: int, high: int) -> list[int]:
    """Places in the order of the wanted ones and near them, at least `gap` apart, from `low` to `high`."""
    down: list[int] = []
    for n, place in enumerate(wanted):
        down.append(min(max(place, low + gap * n, down[-1] + gap if n else low), high - gap * (len(wanted) - 1 - n)))
    up: list[int] = []
    for n, place in enumerate(reversed(wanted)):
        up.append(max(min(place, high - gap * n, up[-1] - gap if n else high), low + gap * (len(wanted) - 1 - n)))
    return [(a + b) // 2 for a, b in zip(down, reversed(up))]


def draw_lines(image: Image.Image, box: tuple[int, int, int, int], lines: Iterable[tuple[Path, Colour]], theme: Theme) -> None:
    """Smooth lines in a part of an image, the last one on top, each in its colour inside a ring and a halo."""
    left, top, _, _ = box
    ground = image.crop(box)
    ground = ground.resize((ground.width * SMOOTH, ground.height * SMOOTH), Image.Resampling.NEAREST)
    draw = ImageDraw.Draw(ground)
    for path, fill in lines:
        larger = [((x - left) * SMOOTH, (y - top) * SMOOTH) for x, y in path]
        for wide, colour in ((HALO, theme.card), (RING, theme.ring), (CORE, fill)):
            draw.line(larger, colour, wide * SMOOTH, joint="curve")
    image.paste(ground.reduce(SMOOTH), (left, top))
