"""The odds of an answer are worked out beside the event loop, on a copy of the position."""
from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from bot.service.odds import odds
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.turns import Begin, Confirm
from tests.games.attack.scene import scene

LAND = {"ukraine": ("red", "4I 2T"), "poland": ("blue", "2I 1T")}


async def test_the_odds_are_worked_out_in_another_thread_and_are_those_that_the_engine_tells(monkeypatch: pytest.MonkeyPatch):
    red = scene(land=LAND)
    red.say("red", Begin(action="movement"), Move(unit="tank", origin="ukraine", to="poland", number=2))
    table, seat = red.table, red.state.seat("red")
    known, threads, real = Confirm().outlook(table.state, seat), list[int](), Confirm.outlook

    def noted(self: Any, *facts: Any) -> Any:
        threads.append(threading.get_ident())
        return real(self, *facts)

    monkeypatch.setattr(Confirm, "outlook", noted)
    nothing, told = await odds(table, seat, [Move(unit="infantry", origin="ukraine", to="poland"), Confirm()])
    assert nothing is None and str(told) == str(known) is not None
    assert len(threads) == 1 and threads[0] != threading.get_ident()


async def test_what_happens_at_the_table_meanwhile_does_not_show_in_the_odds(monkeypatch: pytest.MonkeyPatch):
    red = scene(land=LAND)
    red.say("red", Begin(action="movement"), Move(unit="tank", origin="ukraine", to="poland", number=2))
    table, seat, begun, go_on = red.table, red.state.seat("red"), threading.Event(), threading.Event()
    known, real = str(Confirm().outlook(table.state, seat)), Confirm.outlook

    def slow(self: Any, *facts: Any) -> Any:
        begun.set()
        assert go_on.wait(5)
        return real(self, *facts)

    monkeypatch.setattr(Confirm, "outlook", slow)
    asked = asyncio.create_task(odds(table, seat, [Confirm()]))
    await asyncio.to_thread(begun.wait, 5)
    table.answer(seat, Move(unit="infantry", origin="ukraine", to="poland", number=3))
    go_on.set()
    (told,) = await asked
    assert str(told) == known != str(real(Confirm(), table.state, seat))
