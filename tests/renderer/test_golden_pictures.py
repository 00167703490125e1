"""Pictures that were looked at and found right, pixel for pixel; `python -m tests.golden` renews them."""
from __future__ import annotations

import PIL
import pytest
from PIL import Image, ImageChops

from renderer.themes import THEMES
from tests import golden
from tests.drawn import picture

SCENES = golden.scenes()
SLACK = 0.0 if PIL.__version__ == golden.PILLOW else 0.02       # another Pillow may smooth an edge otherwise


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", SCENES)
def test_a_picture_is_as_it_was_when_it_was_looked_at(name, theme):
    actual, expected = picture(SCENES[name], theme), Image.open(golden.golden(name, theme)).convert("RGB")
    if golden.differing(actual, expected) > SLACK:
        golden.FAILED.mkdir(parents=True, exist_ok=True)
        actual.save(golden.FAILED / f"{name}-{theme}.png")
        if actual.size == expected.size:
            ImageChops.difference(actual, expected).save(golden.FAILED / f"{name}-{theme}-difference.png")
        pytest.fail(f"{name} in {theme} is drawn otherwise; see build/golden/. If it is right, run python -m tests.golden.")


def test_the_comparison_sees_one_pixel_and_another_size():
    plain = Image.new("RGB", (100, 100), (10, 20, 30))
    other = plain.copy()
    other.putpixel((99, 99), (10, 20, 31))
    assert golden.differing(plain, plain) == 0
    assert golden.differing(plain, other) == pytest.approx(1 / 10_000)
    assert golden.differing(plain, plain.crop((0, 0, 100, 99))) == 1


def test_there_is_no_golden_picture_that_nobody_compares():
    kept = {path.stem for path in golden.FOLDER.glob("*.png")}
    assert kept == {f"{name}-{theme}" for name in SCENES for theme in THEMES}
