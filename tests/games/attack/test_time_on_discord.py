"""Time limits of Attack! on the simulated Discord: what is offered and told, live battles, who is away and comes back."""
from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.domain.deadlines import Clock
from engine.games.attack import GAME
from engine.games.attack.state import State
from engine.kernel import Seat
from engine.orders import Order, OrderLine
from tests.bot.discord_world import World, leaves, words
from tests.bot.test_whole_game import sketch
from tests.games.attack.scene import scene
from tests.often_said import WELCOME_BACK

RED, BLUE = Seat("seat_1"), Seat("seat_2")
BORDER = {"poland": ("red", "4I 2T"), "mexico": ("red", "1I"), "ukraine": ("blue", "4I 3T"), "france": ("blue", "1I")}
TURN = "24 hours for each turn"


@pytest_asyncio.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A server that plays Attack!, from a position in which Red's first turn begins next to Blue."""
    start = scene(land=BORDER).start.state
    spec = GAME.changed(setup=lambda seats, options, parts: State.model_validate_json(start))
    async with World.at(tmp_path / "games.db", games=(spec,), draw=sketch) as world:
        yield world


async def started(world: World, clock: str) -> str:
    """Alice plays Red and Bob Blue; what whoever opened the game was told then."""
    opened = words(await world.olga.slash(world.table, "game open", game="attack", seats=2, clock=clock))
    for player in (world.alice, world.bob):
        await player.slash(world.table, "game join")
    await world.olga.slash(world.table, "game start")
    return opened


async def lapsed(world: World) -> None:
    """Alice is away, as if she had let two turns run out, and it is her turn again."""
    await started(world, "24h")
    alice, bob = await world.services.queries.holders(1)
    await world.store.write(lambda ledger: ledger.games.seat_all(1, [replace(alice, away=True, lapsed=True), bob]))


async def test_ATK_21_2_1_everybody_reads_what_a_clock_means(world: World) -> None:
    opened = await started(world, "24h")
    assert f"Its clock: {TURN}" in opened
    assert f": {TURN}" in words(await world.olga.slash(world.table, "gm clock"))
    assert f": {TURN}" in words(await world.bob.slash(world.table, "clock show"))
    for command, option in (("game open", "clock"), ("gm clock", "limit")):
        given = {"game": "attack"} if command == "game open" else {}
        offered = await world.olga.autocomplete(world.table, command, option, "", **given)
        names = [choice["name"] for choice in offered]
        assert any(name.startswith(TURN) for name in names) and not any("war" in name for name in names)
    said = await world.olga.slash(world.table, "gm clock", limit="bank 72h+12h/war")
    assert "12 hours with each turn" in words(said)


async def test_ATK_21_2_1_the_panel_that_opens_a_game_says_it_too(world: World) -> None:
    await world.services.settings.set_server_clock(world.guild.id, Clock(hours=24))
    assert f"Its clock: {TURN}" in words(await world.olga.slash(world.table, "game open", game="attack"))


async def test_ATK_21_2_2_a_live_battle_waits_two_hours_for_each_answer(world: World) -> None:
    await started(world, "24h")
    await world.services.orders.give_orders(1, world.bob.id, [Order(seat=BLUE, points=("D-10",), lines=(OrderLine(then=None),))])
    await world.alice.slash(world.table, "attack begin", action="movement")
    for unit, number in (("infantry", 3), ("tank", 2)):
        await world.alice.slash(world.table, "attack move", unit=unit, origin="poland", to="ukraine", number=number)
    await world.alice.slash(world.table, "attack confirm")
    ((seat, point),) = [(question.seat, question.point) for question in (await world.services.session.table(1)).waiting()]
    assert (seat, point) == (BLUE, "D-10")
    assert world.question(world.bob.mention) is not None, "he is called"
    (deadline,) = await world.services.clocks.deadlines(1)
    assert deadline.allowed is not None and deadline.allowed.total_seconds() == 2 * 3600
    await world.env.advance_time(2 * 3600 + 60)
    assert any("Blue ran out of time" in post for post in world.posts())
    assert [question.seat for question in (await world.services.session.table(1)).waiting()] == [RED]


async def test_ATK_21_2_3_all_are_told_who_is_away_and_how_that_ends(world: World) -> None:
    await started(world, "1h")
    for _ in range(2):
        await world.env.advance_time(3600)
        await world.bob.slash(world.table, "attack end")
    told = world.question("ran out of time 2 turns in a row and is now marked away.")
    assert world.alice.mention in told.content and "To come back, use any command or button of this game." in told.content
    assert (await world.bob.click(told,
                                  label="I'm back")) and (await world.services.queries.holders(1))[0].away, "not Bob's word"
    said = await world.alice.click(told, label="I'm back")
    assert words(said).startswith("Welcome back. You play Red again.")
    assert not (await world.services.queries.holders(1))[0].away
    assert f"{world.alice.mention} is back and plays Red again." in world.posts()


LOOKS: dict[str, Callable[[World], Any]] = {
    "menu": lambda world: world.alice.slash(world.table, "my move"),
    "status": lambda world: world.alice.slash(world.table, "game status"),
    "map": lambda world: world.alice.slash(world.table, "game map"),
    "clock": lambda world: world.alice.slash(world.table, "clock show"),
    "orders": lambda world: world.alice.slash(world.table, "orders list"),
    "button": lambda world: world.alice.click(world.question(" · game 1 · "), label="What happened?"),
    "refused": lambda world: world.alice.slash(world.table, "clock extend")}


@pytest.mark.parametrize("look", LOOKS)
async def test_ATK_21_2_5_any_command_or_button_ends_it_and_says_so(world: World, look: str) -> None:
    await lapsed(world)
    seen = await LOOKS[look](world)
    assert not (await world.services.queries.holders(1))[0].away
    told = [str(message.content) for message in (seen.response, *seen.followups) if message is not None]
    assert any(said.startswith("Welcome back. The clock had ended your turns and marked you away. You play Red again.")
               for said in told)
    assert f"{world.alice.mention} is back and plays Red again." in world.posts()
    assert not any("You are away" in said for said in told)


async def test_ATK_21_2_5_a_typed_answer_or_the_command_for_it_welcomes_once(world: World) -> None:
    await lapsed(world)
    said = await world.alice.slash(world.table, "attack end")
    assert words(said).startswith(WELCOME_BACK)
    assert [question.seat for question in (await world.services.session.table(1)).waiting()] == [RED], "the turn has not ended"
    assert [message for message in said.followups if "you were away" in message.content] == []


async def test_ATK_21_2_5_the_command_to_come_back_still_does(world: World) -> None:
    await lapsed(world)
    said = await world.alice.slash(world.table, "my back")
    assert words(said).startswith("Welcome back. You play Red again.")
    assert not any("you were away" in str(message.content) for message in said.followups)


async def test_ATK_21_2_5_who_leaves_again_is_away(world: World) -> None:
    await lapsed(world)
    said = await leaves(world.alice, world.table, until="3")
    assert words(said).startswith("You're away from Attack! until")
    assert not any("Welcome" in str(one.content) for one in said.followups)
    assert [(holder.away, holder.lapsed) for holder in await world.services.queries.holders(1)] == [(True, False), (False, False)]


async def test_ATK_21_2_5_what_discord_asks_while_somebody_types_is_no_command(world: World) -> None:
    await lapsed(world)
    await world.alice.autocomplete(world.table, "gm extend", "seat", "")
    await world.alice.autocomplete(world.table, "attack diplomacy", "territory", "")
    assert (await world.services.queries.holders(1))[0].lapsed


async def test_ATK_21_2_5_others_end_nothing(world: World) -> None:
    await lapsed(world)
    for somebody in (world.bob, world.carol, world.olga):
        await somebody.slash(world.table, "game status")
    assert (await world.services.queries.holders(1))[0].lapsed
