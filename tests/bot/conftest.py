"""A file, a clock that is put on by hand, and the bot's core on both: for every test that needs no Discord."""
from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.service import Services
from bot.store import Store
from engine.catalog import find
from tests.bot.desk import Clock, at_once, blank, play_on
from tests.bot.discord_world import World
from tests.bot.together import watched


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chancery.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = at_once(lambda: Store(blank(path)))
    yield store
    store.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def services(store: Store, clock: Clock) -> Services:
    return play_on(store, clock=clock)


@pytest_asyncio.fixture
async def empires(tmp_path: Path) -> AsyncIterator[World]:
    """A club that plays Struggle of Empires."""
    async with World.at(tmp_path / "games.db", games=(find("struggle_of_empires"),)) as world:
        yield world


@pytest.fixture(autouse=True)
def told_together() -> Iterator[None]:
    """No letter is written apart from what it tells."""
    with watched() as found:
        yield
    assert found == []
