"""A list that opens a form is shown anew meanwhile: Discord sends nothing for an entry that is shown as chosen already."""
from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import ClientConnectionError
from discord import SelectOption

from bot.discord.components import AnyRoute, select, view
from bot.discord.renewal import MESSAGES_KEPT, Renewals, renumbered
from engine.games.attack import GAME as ATTACK
from engine.games.attack.rules.turns import Begin
from tests.bot.discord_world import World
from tests.bot.menu_taps import SELECT, controls, used
from tests.bot.test_whole_game import sketch
from tests.games.attack.scene import scene
from tests.position import starting_at

LAND = {"france": ("red", "3I 2T 1A"), "iberia": ("red", "2I"), "italy": ("blue", "2I")}


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """Alice moves as Red."""
    position = scene(land=LAND, capitals={"france": "red", "italy": "blue"})
    async with World.at(tmp_path / "games.db", (starting_at(ATTACK, position.start.state),), sketch) as made:
        await made.olga.slash(made.table, "game open", game=ATTACK.key, seats=2)
        for person in (made.alice, made.bob):
            await person.slash(made.table, "game join")
        await made.olga.slash(made.table, "game start")
        await made.services.answers.answer(1, made.alice.id, Begin(action="movement"))
        yield made


def renewed(world: World, since: int) -> list[Any]:
    """The lists that were sent as changes of a message since then, without its words."""
    return [request.json for request in world.env.http_requests[since:]
            if request.method == "PATCH" and "components" in request.json and "content" not in request.json]


async def opened(world: World, panel: Any) -> Any:
    """The form for the units on the way to Italy."""
    way = next(one for one in controls(panel) if one.kind == SELECT and one.label.endswith("to Italy"))
    return await used(world.alice, panel, way)


async def test_while_a_form_is_open_its_list_is_shown_anew(world: World) -> None:
    panel = (await world.alice.slash(world.table, "my move")).response
    ways = [control for control in controls(panel) if control.kind == SELECT]
    lists = {control.custom_id for control in ways}
    for _ in range(2):                              # it is cancelled, and opened again
        since = len(world.env.http_requests)
        assert (await opened(world, panel)).modal is not None
        (change,) = renewed(world, since)
        shown = [control for control in controls(SimpleNamespace(components=change["components"])) if control.kind == SELECT]
        assert [(one.label, one.value) for one in shown] == [(one.label, one.value) for one in ways]
        lists |= {control.custom_id for control in shown}
        panel = next(message for message in world.table.history(viewer=world.alice) if message.id == panel.id)
    number = len({control.custom_id for control in ways})
    assert len(lists) == 3 * number, "each time they are other lists for whoever remembers what was chosen in one"


async def test_the_list_of_an_answer_to_a_press_is_shown_anew(world: World) -> None:
    status = next(message for message in world.table.history() if " · game 1 · " in message.content)
    panel = (await world.alice.click(status, label="Your move")).response
    since = len(world.env.http_requests)
    assert (await opened(world, panel)).modal is not None and len(renewed(world, since)) == 1


async def test_what_is_too_old_to_be_changed_stays(world: World) -> None:
    panel = (await world.alice.slash(world.table, "my move")).response
    await world.env.advance_time(16 * 60)
    since = len(world.env.http_requests)
    assert (await opened(world, panel)).modal is not None and renewed(world, since) == []
    await world.restart()
    assert (await opened(world, panel)).modal is not None


async def test_a_form_opens_although_its_list_cannot_be_shown_anew(world: World) -> None:
    panel = (await world.alice.slash(world.table, "my move")).response

    def lost(method: str, path: str) -> None:
        if method == "PATCH":
            raise ClientConnectionError

    world.line.before = lost
    assert (await opened(world, panel)).modal is not None
    world.line.before, since = None, len(world.env.http_requests)
    assert (await opened(world, panel)).modal is not None and renewed(world, since) == [], "it is not tried again"


def test_a_list_gets_another_number_and_nothing_else() -> None:
    assert renumbered("choose:1:seat_1:7:move.3f9c0a:0", "choose") == "choose:1:seat_1:7:move.3f9c0a:10"
    assert renumbered("choose:1:seat_1:7:move:95", "choose") == "choose:1:seat_1:7:move:5"
    assert renumbered("pick:1:seat_1:7::", "choose") == "pick:1:seat_1:7::" and renumbered("menu:1:0", "choose") == "menu:1:0"
    longest = f"choose:{'1' * 91}:0"
    assert len(longest) == 100 and renumbered(longest, "choose") == longest


def test_of_lists_only_the_latest_are_kept() -> None:
    kept, below = Renewals("choose"), view([select([SelectOption(label="Italy", value="italy")], AnyRoute("choose"))])
    made: Any = SimpleNamespace()
    for message in range(MESSAGES_KEPT + 5):
        kept.note(message, made, below)
    kept.note(MESSAGES_KEPT, made, None)                     # it has no list any more
    assert [*kept._known] == [*range(5, MESSAGES_KEPT), *range(MESSAGES_KEPT + 1, MESSAGES_KEPT + 5)]
