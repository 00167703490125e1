"""The one lock of each game."""
from __future__ import annotations

import asyncio

import pytest

from bot.service import Services
from tests.bot.desk import started


async def test_one_at_a_time_holds_the_lock_of_a_game_and_the_others_wait_in_order(services: Services) -> None:
    seen = list[str]()

    async def work(name: str) -> None:
        async with services.session.locked(1):
            seen.append(f"{name} begins")
            await asyncio.sleep(0)
            seen.append(f"{name} ends")

    await asyncio.gather(*map(work, "abc"))
    assert seen == [f"{name} {what}" for name in "abc" for what in ("begins", "ends")]


async def test_whoever_takes_it_twice_hears_of_it_and_nobody_waits_for_ever(services: Services) -> None:
    game = await started(services)
    with pytest.raises(RuntimeError, match="taken twice"):
        async with services.session.locked(game), services.session.locked(game + 1), services.session.locked(game):
            pass
    async with asyncio.timeout(1), services.session.locked(game):
        pass
