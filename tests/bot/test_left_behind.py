"""Threads, posts and channels that were opened just before the bot stopped: none is opened a second time."""
from __future__ import annotations

import contextlib
from typing import Any
from unittest.mock import patch

import discord
import pytest

from tests.bot.discord_world import World, words


class Stopped(Exception):
    """The process ends here."""


async def killed_at(world: World, service: Any, act: str, typed: Any, *, said: bool = True) -> None:
    """Somebody types something, the bot is stopped where it would store it, and starts again; or, unless something is `said`,
    before that."""
    with patch.object(type(service), act, side_effect=Stopped), contextlib.ExitStack() as silent:
        if not said:
            silent.enter_context(patch.object(discord.Thread, "send", side_effect=Stopped))
        await typed()
    world.env._errors.clear()
    await world.restart()


def made(world: World, *kinds: discord.ChannelType) -> list[Any]:
    """The channels and threads of these kinds, oldest first."""
    known = world.env.backend.channels
    return [known[number] for number in sorted(known) if known[number].type in [kind.value for kind in kinds]]


@pytest.mark.parametrize("already", [True, False])
@pytest.mark.parametrize(("command", "options", "first"), [
    ("talk thread", {}, "Talk about Pebbles here."), ("talk private", {"with": "Basalt"}, "Only Amber and Basalt are in this")])
async def test_a_thread_for_talk_is_found_again_with_or_without_its_first_message(
        world: World, command: str, options: dict[str, str], first: str, already: bool) -> None:
    await world.guessed()
    await killed_at(world, world.services.channels, "threaded", lambda: world.alice.slash(world.table, command, **options),
                    said=already)
    said = words(await world.alice.slash(world.table, command, **options))
    (thread,) = world.table.threads
    assert f"<#{thread.id}>" in said and [message.content.startswith(first) for message in thread.history()][:1] == [True]
    assert await world.services.channels.talked_in(thread.id) is not None
    assert sum(message.content.startswith(first) for message in thread.history()) == 1


@pytest.mark.parametrize(("place", "kind"), [("a new thread", discord.ChannelType.public_thread),
                                             ("a new channel", discord.ChannelType.text)])
async def test_a_game_is_opened_in_the_place_that_was_made_for_it(world: World, place: str, kind: discord.ChannelType) -> None:
    before = len(made(world, kind))
    for seats in (2, 2):
        async def typed(seats: int = seats) -> None:
            await world.max.slash(world.table, "game open", game="pebbles", seats=seats, title="Friday", place=place)

        await killed_at(world, world.services.lobby, "open", typed)
    await typed()
    *_, own = made(world, kind)
    assert len(made(world, kind)) == before + 1
    assert [game.channel for game in await world.services.queries.games()] == [own.id]
    await typed()
    assert len(made(world, kind)) == before + 2, "another game has another place"


async def test_a_thread_in_which_somebody_has_written_is_left_alone(world: World) -> None:
    async def typed() -> None:
        await world.max.slash(world.table, "game open", game="pebbles", seats=2, title="Friday", place="a new thread")

    await killed_at(world, world.services.lobby, "open", typed)
    (left,) = world.table.threads
    await world.carol.send(left, "Is this a game?")
    await typed()
    assert len(world.table.threads) == 2
