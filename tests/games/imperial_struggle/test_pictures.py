"""The pictures of Imperial Struggle: what stands on them, that nothing covers anything, and that none tells a secret."""
from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from engine.games.imperial_struggle.pictures.scenes import Board, Region
from engine.games.imperial_struggle.view import view
from renderer import render
from renderer.games.imperial_struggle.layout import BOARD, CLOSE, spots, tiles
from renderer.games.imperial_struggle.places import SIZES
from tests.games.imperial_struggle.scene import PARTS, scene

SCALES = {"board": BOARD, "close": CLOSE}


def decoded(picture: bytes) -> Image.Image:
    return Image.open(BytesIO(picture)).convert("RGB")


@pytest.mark.parametrize("region", SIZES)
@pytest.mark.parametrize("scale", SCALES)
def test_every_space_and_advantage_stands_on_the_plate_of_its_region(region, scale):
    assert sorted(spot.space for spot in spots(region, SCALES[scale])) == sorted(PARTS.by_region[region])
    assert {tile.advantage for tile in tiles(region, SCALES[scale])} == {tile.id for tile in PARTS.advantages
                                                                          if tile.region == region}


def test_a_board_is_drawn_for_the_public_and_for_a_seat_which_alone_sees_its_cards():
    at = scene(active="france", tile="4 DP / 2 MP", ministries={"france": ["M-3", "M-1 up"]}, own={"france": {"hand": ["ev_03"]}})
    public = decoded(render(Board(now=view(at.state, None))))
    own = decoded(render(Board(now=view(at.state, at.state.seat("france")))))
    assert public.width == own.width == 1200
    assert own.height > public.height


@pytest.mark.parametrize("region", SIZES)
def test_a_region_is_drawn_close_up(region):
    at = scene(active="france")
    assert decoded(render(Region(region=region, now=view(at.state, None)), "light")).width == 1200
