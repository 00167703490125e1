"""The one lock of each game."""
from __future__ import annotations

import asyncio

from bot.service.reentrant_lock import ReentrantLock


async def test_whoever_holds_a_lock_may_take_it_again_and_the_others_wait_in_order() -> None:
    lock, seen = ReentrantLock(), list[str]()

    async def deed(name: str) -> None:
        async with lock.held():
            seen.append(f"{name} begins")
            await asyncio.sleep(0)
            async with lock.held():
                await asyncio.sleep(0)
            seen.append(f"{name} ends")

    await asyncio.gather(*map(deed, "abc"))
    assert seen == [f"{name} {what}" for name in "abc" for what in ("begins", "ends")]


async def test_a_deed_that_fails_gives_the_lock_back() -> None:
    lock = ReentrantLock()
    try:
        async with lock.held(), lock.held():
            raise KeyError
    except KeyError:
        pass
    await asyncio.wait_for(asyncio.create_task(_taken(lock)), 1)


async def _taken(lock: ReentrantLock) -> None:
    async with lock.held():
        pass
