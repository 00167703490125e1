"""The highest bid that a number can hold ends an auction; it breaks nothing."""
from __future__ import annotations

import pytest
from pydantic import ValidationError

from engine.games.struggle_of_empires.actions import HIGHEST_BID, Bid, Pass
from tests.scene import FAIR, scene


@pytest.mark.parametrize("below", [0, 1, 2, 3])
def test_SOE_3_2_6_a_bid_as_high_as_can_be_is_paid_and_nobody_can_raise_it(below):
    table = scene(phase="auction", opener="austria", dice=FAIR)
    table.say("austria", Bid(gold=HIGHEST_BID - below, a="austria", b="britain"))
    if below:
        assert table.asked() == [("britain", "DP-04")]
        offered = {option.gold for option in table.options("britain") if isinstance(option, Bid)}
        assert offered == set(range(HIGHEST_BID - below + 1, HIGHEST_BID + 1))
        table.say("britain", Pass())
    assert table.state.gold["austria"] in (0, 1) and table.state.unrest["austria"] == (HIGHEST_BID - below - 10 + 1) // 2


def test_a_bid_beyond_it_is_no_bid():
    with pytest.raises(ValidationError):
        Bid(gold=HIGHEST_BID + 1, a="austria", b="britain")
