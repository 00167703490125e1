"""Fixtures that several tests share: the bot on a simulated Discord, with a real database behind it."""
from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.bot.discord_world import World


@pytest_asyncio.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A server with a channel and some members, and the bot in it; afterwards every request is checked."""
    world = await World.made(tmp_path / "games.db")
    try:
        yield world
    finally:
        await world.shutdown()
    world.check()
