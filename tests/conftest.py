"""Fixtures that several tests share: the bot on a simulated Discord, with a real database behind it."""
from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Generator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.bot.discord_world import World

PICTURES = {"test_renderer.py", "test_golden_pictures.py", "test_gallery.py", "test_closeup.py", "test_film.py", "test_sheets.py",
            "test_bases.py", "test_encoder.py", "test_maps.py"}
gc.set_threshold(5_000, 10, 20)     # seldom: most of what is there is kept on purpose (tests, syntax trees, played games)
EDGES = {"test_sandbox.py", "test_main.py", *PICTURES}          # beside all that needs the simulated Discord


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays until the end: nobody looks for garbage in it, neither meanwhile nor later."""
    gc.disable()
    collected = yield
    gc.freeze()
    gc.enable()
    return collected


def pytest_sessionfinish() -> None:
    """Pytest collects five times, for what nobody awaited; what is kept on purpose needs no more than one look."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what starts a whole bot or draws pictures, so that `make quick` can leave it out."""
    for item in items:
        if item.path.name in EDGES or {"world", "empires"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.edge)


@pytest_asyncio.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A server with a channel and some members, and the bot in it; afterwards every request is checked."""
    async with World.at(tmp_path / "games.db") as world:
        yield world
