"""Messages that were posted although nobody knows it, as the answer was lost or the bot was killed: each is found again, and is
true then, whatever has happened since."""
from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.bot.discord_world import World
from tests.bot.test_faults import TROUBLES, Trouble, refusal
from tests.checks.storm import stormy
from tests.toy import Take

HOUR = 3600


def lost(world: World, number: int = 1) -> None:
    """The next message at the table, or one after it, arrives, and the bot does not hear of it."""
    posts = count(1)

    def answered(method: str, path: str) -> None:
        if (method, path) == ("POST", f"/channels/{world.table.id}/messages") and next(posts) == number:
            raise refusal(502)

    world.line.after = answered


def said(world: World, words: str) -> list[Any]:
    """The messages at the table with these words."""
    return [message for message in world.table.history() if words in message.content]


@pytest.mark.parametrize("restarts", [False, True])
async def test_there_is_one_status_message_although_somebody_joins_before_it_is_found(world: World, restarts: bool) -> None:
    lost(world)
    with world.env.time_context():
        await world.services.lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None, title="",
                                        guild=world.guild.id, channel=world.table.id, owner=world.olga.id)
        await world.env.settle()
        assert len(said(world, "· game 1 ·")) == 1
        await world.services.lobby.join(1, world.alice.id)
    world.line._nonces.clear()                          # Discord has forgotten them, as it does after some minutes
    if restarts:
        await world.restart()
    await world.env.advance_time(HOUR)
    (status,) = said(world, "· game 1 ·")
    assert "1 of 2 seats" in status.content and status.pinned


@pytest.mark.parametrize("code", ["de", "ru", "he"])
async def test_the_status_message_is_found_again_in_any_language(world: World, code: str) -> None:
    lost(world)
    with world.env.time_context():
        await world.services.lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None, title="", language=code,
                                        guild=world.guild.id, channel=world.table.id, owner=world.olga.id)
        await world.env.settle()
        await world.services.lobby.join(1, world.alice.id)
    world.line._nonces.clear()
    await world.env.advance_time(HOUR)
    assert len(said(world, "**Pebbles** · ")) == 1


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_question_that_is_answered_before_it_is_found_does_not_stay(world: World, restarts: bool) -> None:
    await world.guessed()
    lost(world, 2)                                      # after the board in words
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    assert len(said(world, "**Basalt**: The heap has 10.")) == 1
    with world.env.time_context():
        await world.services.answers.answer(1, world.bob.id, Take.of(1, "left"))
    if restarts:
        await world.restart()
    await world.env.advance_time(HOUR)
    assert said(world, "**Basalt**: The heap has 10.") == [] and len(said(world, "**Amber**: The heap has 9.")) == 1


async def test_that_one_letter_has_arrived_says_nothing_of_another(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message of a player, which Discord had refused, comes through after the restart, before the line that had arrived."""
    await world.guessed()
    await world.chat()
    with monkeypatch.context() as patch:
        put = world.bot.outbox.put

        async def refused(channel: Any, words: str, **rest: Any) -> int:
            if "Good day" in words:
                raise refusal(400, 50035)
            return int(await put(channel, words, **rest))

        patch.setattr(world.bot.outbox, "put", refused)
        await world.alice.slash(world.table, "talk say", to="all", message="Good day")
    lost(world)
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    world.line._nonces.clear()
    await world.restart()
    await world.env.advance_time(HOUR)
    assert len(said(world, "Good day")) == 1 and world.told().count("Amber takes 2 pebbles.") == 1


async def test_what_many_people_wrote_since_does_not_hide_it(world: World) -> None:
    await world.guessed()
    await world.chat()
    lost(world)
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    for _ in range(120):
        await world.chat()
    world.line._nonces.clear()
    await world.restart()
    await world.env.advance_time(HOUR)
    assert world.told().count("Amber takes 2 pebbles.") == 1


async def test_a_call_to_start_that_nobody_needs_any_more_does_not_stay(world: World) -> None:
    await world.opened()
    await world.alice.slash(world.table, "game join")
    lost(world)
    await world.bob.slash(world.table, "game join")
    assert len(said(world, "all seats are taken")) == 1
    with world.env.time_context():
        await world.services.lobby.start(1, world.olga.id)
    await world.env.advance_time(HOUR)
    assert said(world, "all seats are taken") == []


async def test_a_change_of_an_old_message_that_has_arrived_is_not_made_in_a_new_one(world: World) -> None:
    """Discord lets an old message be changed seldom: the second attempt is refused, and the first has arrived."""
    await world.guessed()
    path = rf"/channels/{world.table.id}/messages/\d+"
    Trouble(world, TROUBLES["502"], "PATCH", path, arrived=True)
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    Trouble(world, lambda: refusal(400, 30046), "PATCH", path, times=9)
    await world.env.advance_time(HOUR)
    assert world.told().count("Amber takes 2 pebbles.") == 1


@pytest.mark.edge
@pytest.mark.parametrize("seed", [2, 5])
async def test_many_games_outlive_a_storm_of_faults_and_deaths(tmp_path: Path, seed: int) -> None:
    assert await stormy(tmp_path, 4, 12, 15.0, seed, lambda: None) == []
