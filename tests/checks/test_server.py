"""The bench that lives through weeks of a server: its people play, and it notices a game that stands still without a word."""
from __future__ import annotations

from datetime import datetime, timedelta
from math import inf
from pathlib import Path
from unittest.mock import AsyncMock

import pytest

from bench.people import DAY, HOUR
from engine.catalog import GAMES
from tests.bot.discord_world import World
from tests.checks import community, server
from tests.checks.changed_interactions import blank
from tests.checks.server import Weeks


class Bar:
    """Shows nothing."""

    n = 0.0

    def update(self, by: float) -> None:
        self.n += by


async def test_days_of_a_server_and_a_silence_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "YOUNG", 1)
    monkeypatch.setattr(community, "TURNS", 3)
    async with World.at(tmp_path / "server.db", GAMES, draw=blank) as world:
        weeks = Weeks(world, 4, 2, 1, 3)
        for one in weeks.people.values():
            one.gone = inf
        await weeks.live(Bar())
        lived = weeks.figures()
        assert (lived["members"], lived["standstills"]) == (4, 0) and lived["games"] >= 2 and lived["answers"] > 2
        assert 0 < lived["longest_silence_hours"] < 48 and lived["messages_per_game"] > 1 and lived["nudges_per_member_day"] > 0
        for one in weeks.people.values():               # from now on nobody is there whom a message could reach
            one.gone = weeks.minute
        monkeypatch.setattr(world.services.idle_games, "call_server", AsyncMock())    # nor anybody else
        alone = next(game for game, (status, *_) in weeks.state.items() if status == "running")
        before = weeks.heard[alone]
        for _ in range(4):
            await world.env.advance_time(DAY * 60)
            await weeks._pulse()
            await weeks._watch()
        assert weeks.silence[alone][0] >= weeks.minute - before - HOUR
        assert weeks.figures()["standstills"]


async def test_days_in_which_the_bot_is_off_are_none_of_the_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "YOUNG", 1)
    monkeypatch.setattr(community, "TURNS", 1)
    async with World.at(tmp_path / "server.db", GAMES, draw=blank) as world:
        weeks = Weeks(world, 4, 2, 1, 3)
        for one in weeks.people.values():
            one.gone = inf
        began = world.env.now()
        await weeks.live(Bar(), off=4)
        assert world.env.now() - began >= timedelta(days=4.9) and weeks.minute <= DAY
        ((since, until),) = await world.store.read(lambda ledger: ledger.conn.execute("SELECT * FROM outages").fetchall())
        assert timedelta(days=4) <= datetime.fromisoformat(until) - datetime.fromisoformat(since) < timedelta(days=4, hours=2)
        assert weeks.figures()["longest_silence_hours"] < 24 and sum(weeks.after.values()) > 0 == weeks.closed == weeks.freed
