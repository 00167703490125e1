"""A file, a clock that is put on by hand, and the bot's core on both: for every test that needs no Discord."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.service import Services
from bot.store import Store
from tests.bot.desk import Clock, at_once, blank, play_on


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
