"""The taps that typical turns take: no more than docs/taps.md says, which is no more than its marks."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.checks import taps

PAGE = Path(__file__).parents[2] / "docs" / "taps.md"
COUNTED = {"struggle_turn": taps.struggle_turn, "first_bid": taps.first_bid, "raise": taps.raised_bid,
           "setup_per_seat": taps.setup_per_seat, "attack_turn": taps.attack_turn, "attack_movement": taps.attack_movement,
           "standing_order": taps.standing_order, "alone_to_first_move": taps.alone_to_first_move,
           "first_screen_buttons": taps.first_screen_buttons, "vote_messages": taps.vote_messages,
           "private_left_after_auction": taps.private_left_after_auction}


def rows() -> Iterator[tuple[str, str, int]]:
    """Of each figure on the page: its key, its mark, what it is now."""
    for line in PAGE.read_text().splitlines():
        if line.startswith("| `"):
            key, _, _, mark, now = (cell.strip() for cell in line.strip("|").split("|"))
            yield key.strip("`"), mark, int(now)


@pytest.mark.parametrize("key", COUNTED)
async def test_a_typical_turn_takes_the_taps_that_the_page_says(key: str) -> None:
    (mark, now), = [(mark, now) for known, mark, now in rows() if known == key]
    assert await COUNTED[key]() == now <= int(mark)


async def test_from_nothing_to_the_first_action_there_are_as_few_messages_and_pings_as_the_page_says() -> None:
    told = {key: (mark, now) for key, mark, now in rows() if key not in (*COUNTED, "messages_of_a_game")}
    counted = await taps.opening()
    assert {key: now for key, (_, now) in told.items()} == counted
    assert all(counted[key] <= int(mark) for key, (mark, _) in told.items())
