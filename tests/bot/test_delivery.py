"""Interactions whose answers are lost, that come twice, or too late: each act is done once, and its person reads the result."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
import pytest_asyncio
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import Route
from discord.webhook import async_ as webhooks

from bot.discord.client import make_bot
from bot.discord.responses import acknowledge
from bot.domain.recent import Recent
from bot.store import Store
from tests.bot.desk import blank, play_on
from tests.bot.discord_world import World, words
from tests.bot.test_faults import TROUBLES, Trouble, refusal

CALLBACK = r"/interactions/.*/callback"
LOST: dict[str, Callable[[], BaseException]] = {
    **{name: TROUBLES[name] for name in ("500", "502", "time-out", "connection lost")}, "503": lambda: refusal(503),
    "reset": lambda: ConnectionResetError(104, "reset")}


def capsules(world: World) -> list[Path]:
    return list((world.path.parent / "incidents").glob("*.gz"))


# --- an answer that is lost -----------------------------------------------------------------------------------

@pytest.mark.parametrize("arrived", [False, True], ids=["lost on the way", "answer lost"])
@pytest.mark.parametrize("trouble", LOST)
async def test_a_lost_acknowledgement_costs_nobody_a_move(world: World, trouble: str, arrived: bool) -> None:
    await world.guessed()
    for what, said, alone in (
            (lambda: world.alice.slash(world.table, "pebbles take", pebbles=2), "Amber takes 2 pebbles.", True),
            (lambda: world.bob.click(world.question("**Basalt**"), label="Take 1 pebble, left"),
             "Basalt takes 1 pebble.", False)):
        failing = Trouble(world, LOST[trouble], "POST", CALLBACK, arrived=arrived)
        assert words(await what()).startswith(said) if alone else words(await what()) == ""
        assert failing.left == 0 and world.told().count(said) == 1
    assert capsules(world) == []


async def test_a_form_whose_answer_is_lost_opens_all_the_same(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "talk say", to="Basalt", message="Noon?")
    (letter,) = [message for message in world.bob.user.dm_channel.history() if "Noon?" in message.content]
    failing = Trouble(world, LOST["502"], "POST", CALLBACK, arrived=True)
    shown = await world.bob.user.click(letter, label="Answer")
    (field,) = [item["custom_id"] for row in shown.modal["components"] for item in row["components"]]
    await world.bob.user.submit_modal(shown, {field: "At noon"})
    assert failing.left == 0 and any("At noon" in letter for letter in world.letters(world.alice))
    assert capsules(world) == []


async def test_a_reply_that_is_lost_on_the_way_is_sent_again(world: World) -> None:
    await world.guessed()
    Trouble(world, LOST["reset"], "PATCH", r"/webhooks/.*/messages/@original")
    assert words(await world.alice.slash(world.table, "pebbles take", pebbles=2)).startswith("Amber takes 2 pebbles.")
    assert capsules(world) == []


class Flaky:
    """Takes the first answer to an interaction and reports a fault; then says that it has been answered."""

    def __init__(self) -> None:
        self.taken = 0
        self.app = web.Application()
        self.app.router.add_post("/api/v10/interactions/{id}/{token}/callback", self._callback)

    async def _callback(self, request: web.Request) -> web.Response:
        self.taken += 1
        if self.taken == 1:
            return web.Response(status=502)
        return web.Response(body=b'{"code": 40060, "message": "Interaction has already been acknowledged."}', status=400,
                            headers={"Content-Type": "application/json"})


@pytest_asyncio.fixture
async def pressed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Flaky, Any]]:
    """A command that somebody has typed, as the library itself hands it to the bot, and where its answers go."""
    async def at_once(_: float) -> None:
        """The library's own pauses."""

    flaky, store = Flaky(), Store(blank(tmp_path / "games.db"))
    server = TestServer(flaky.app)
    await server.start_server()
    monkeypatch.setattr(Route, "BASE", f"{str(server.make_url('/')).rstrip('/')}/api/v10")
    monkeypatch.setattr(webhooks, "asyncio", SimpleNamespace(sleep=at_once, Lock=asyncio.Lock))
    client = make_bot(play_on(store))
    async with aiohttp.ClientSession(trace_configs=[client.http.http_trace]) as session:
        client.http._HTTPClient__session = session                                              # type: ignore[attr-defined]
        data: Any = {"id": "77", "application_id": "1", "type": 2, "token": "t", "version": 1, "attachment_size_limit": 0,
                     "data": {"id": "1", "name": "game", "type": 1}, "user": {
                         "id": "5", "username": "u", "discriminator": "0", "avatar": None}}
        yield flaky, discord.Interaction(data=data, state=client._connection)
    await server.close()
    store.close()


async def test_the_librarys_own_second_attempt_may_find_that_the_first_arrived(pressed: tuple[Flaky, Any]) -> None:
    flaky, interaction = pressed
    await acknowledge(interaction)
    assert flaky.taken == 2


async def test_what_another_process_has_acknowledged_is_left_to_it(pressed: tuple[Flaky, Any]) -> None:
    flaky, interaction = pressed
    flaky.taken = 1                                     # somebody else was first
    with pytest.raises(discord.HTTPException, match="40060"):
        await acknowledge(interaction)
    assert flaky.taken == 2


# --- an interaction that comes twice, or too late ---------------------------------------------------------------

def sent_again(world: World) -> None:
    """Discord sends the last interaction once more."""
    world.env.backend.emit("INTERACTION_CREATE", next(
        payload for kind, event, payload in reversed(world.env.backend.transcript) if event == "INTERACTION_CREATE"))


async def test_an_interaction_that_comes_twice_is_done_once_and_makes_no_capsule(world: World) -> None:
    await world.guessed()
    for what in (lambda: world.alice.slash(world.table, "pebbles take", pebbles=2),
                 lambda: world.bob.click(world.question("**Basalt**"), label="Take 1 pebble, left"),
                 lambda: world.alice.autocomplete(world.table, "pebbles take", "hand", "", pebbles=2)):
        await what()
        before, asked = await world.newest(), len(world.env.http_requests)
        sent_again(world)
        await world.env.settle()
        assert (await world.newest(), len(world.env.http_requests)) == (before, asked)
    assert capsules(world) == []


@pytest.mark.parametrize("code", [40060, 10062, 10015, 50027])
@pytest.mark.parametrize("method, path", [("POST", CALLBACK), ("PATCH", r"/webhooks/.*")])
async def test_an_interaction_that_is_over_makes_no_capsule(world: World, code: int, method: str, path: str) -> None:
    await world.guessed()
    failing = Trouble(world, lambda: refusal(404, code), method, path, times=10)
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    await world.bob.click(world.question("The heap"), label="Your secrets")
    assert failing.left == 8 and capsules(world) == []
    world.env.errors                                                                # noqa: B018  # a lost reply is logged


@pytest.mark.parametrize("trouble", ["500", "429", "reset"])
async def test_a_discord_that_is_unwell_makes_no_capsule(world: World, trouble: str) -> None:
    await world.guessed()
    Trouble(world, LOST.get(trouble, TROUBLES["429"]), "PATCH", r"/webhooks/.*", times=1 + (trouble == "reset"))
    said = words(await world.alice.slash(world.table, "pebbles take", pebbles=2))
    assert "Amber takes 2 pebbles." in world.told()
    assert said.startswith("Discord didn't respond. `/game status` shows whether your move is in")
    assert capsules(world) == []
    world.env.errors                                                                # noqa: B018  # a lost reply is logged


def test_only_the_newest_are_remembered() -> None:
    recent = Recent(2)
    assert [recent.note(number) for number in (1, 2, 1, 3, 1)] == [True, True, False, True, True]
    assert 3 in recent and 2 not in recent
