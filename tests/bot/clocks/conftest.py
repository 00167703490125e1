"""A clock that is put on by hand, and the bot's core on it."""
from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.service import Services
from bot.store import Store
from tests.bot.desk import Clock as Watch, play_on


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
async def services(store: Store, watch: Watch) -> AsyncIterator[Services]:
    yield play_on(store, clock=watch)


@pytest.fixture
def awake_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot counts as running although the test looks in only once an hour."""
    monkeypatch.setattr("bot.store.presence.OFF", timedelta(days=400))
