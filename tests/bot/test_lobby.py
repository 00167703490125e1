"""/game, as members see it."""
from __future__ import annotations

from tests.bot.discord_world import World, labels, words


async def test_a_game_is_opened_joined_and_started(world: World) -> None:
    opened = await world.opened()
    assert words(opened).startswith("Game 1, Pebbles, is open in")
    assert labels(world.table.last_message) == ["Join", "Leave"]
    assert words(await world.alice.click(world.table.last_message, label="Join")).startswith("You have joined Pebbles.")
    await world.bob.slash(world.table, "game join")
    assert words(await world.olga.slash(world.table, "game start")) == "Pebbles has started."
    assert any("How many will you have?" in post for post in world.posts())
