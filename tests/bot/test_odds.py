"""The odds of an answer are worked out beside the event loop, on a copy of the position."""
from __future__ import annotations

import ast
import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from bot.discord.game.action_menu import FEW, Screen, screen, weighed_here
from bot.discord.game.buttons import ANSWER, CONFIRM
from bot.discord.game.weighing import outlooks_of
from bot.service.odds import odds
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.turns import Begin, Confirm
from tests.games.attack.scene import scene

ROOT = Path(__file__).parents[2]
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


def confirm_of(shown: Screen) -> str:
    """The first word of the custom id of the button that confirms."""
    assert shown.view is not None
    (button,) = [item for row in shown.view.to_components() for item in row["components"] if item.get("label") == "Confirm"]
    return str(button["custom_id"].partition(":")[0])


async def test_a_menu_tells_odds_that_another_thread_worked_out_and_none_by_itself(monkeypatch: pytest.MonkeyPatch):
    red = scene(land=LAND)
    red.say("red", Begin(action="movement"), Move(unit="tank", origin="ukraine", to="poland", number=2))
    table, seat, threads, real = red.table, red.state.seat("red"), list[int](), Confirm.outlook

    def noted(self: Any, *facts: Any) -> Any:
        threads.append(threading.get_ident())
        return real(self, *facts)

    monkeypatch.setattr(Confirm, "outlook", noted)
    known = await outlooks_of(table, seat)
    shown = screen(table, 1, seat, outlooks=known)
    assert "Poland against Blue: win" in shown.words and confirm_of(shown) == CONFIRM.name
    assert len(threads) == 1 and threads[0] != threading.get_ident()
    unweighed = screen(table, 1, seat)
    assert "win" not in unweighed.words and confirm_of(unweighed) == ANSWER.name, "whoever taps is told the odds before it counts"
    assert len(threads) == 1


async def test_odds_of_a_position_that_is_past_are_told_in_no_menu(monkeypatch: pytest.MonkeyPatch):
    red = scene(land=LAND)
    red.say("red", Begin(action="movement"), Move(unit="tank", origin="ukraine", to="poland", number=2))
    table, seat, begun, go_on, real = red.table, red.state.seat("red"), threading.Event(), threading.Event(), Confirm.outlook

    def slow(self: Any, *facts: Any) -> Any:
        begun.set()
        assert go_on.wait(5)
        return real(self, *facts)

    monkeypatch.setattr(Confirm, "outlook", slow)
    asked = asyncio.create_task(outlooks_of(table, seat))
    await asyncio.to_thread(begun.wait, 5)
    table.answer(seat, Move(unit="infantry", origin="ukraine", to="poland", number=3))
    go_on.set()
    assert await asked == {}


def test_a_menu_weighs_few_answers_and_only_where_it_shows_what_they_hang_on(monkeypatch: pytest.MonkeyPatch):
    red = scene(land=LAND)
    red.say("red", Begin(action="movement"))
    seat = red.state.seat("red")
    assert weighed_here(red.table, seat) == []
    red.say("red", Move(unit="tank", origin="ukraine", to="poland", number=2))
    assert weighed_here(red.table, seat) == [Confirm()]
    monkeypatch.setattr(Move, "outlook", Confirm.outlook)
    assert len(red.table.options(seat)) > FEW and weighed_here(red.table, seat) == []


def test_nothing_of_the_bot_but_the_service_of_odds_works_them_out():
    """An odds' place is a thread: whoever else calls for an outlook does the work on the event loop."""
    asking = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "bot").rglob("*.py"))
              for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
              if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "outlook"]
    assert asking == ["bot/service/odds.py"]
