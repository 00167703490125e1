"""Who is game master: whoever opened the game, for as long as that member is on its server; then whoever is named or found."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.discord.game_master.succession import look_after_masters
from bot.domain.letters import Escalation
from engine.kernel import Seat
from tests.bot.discord_world import World, labels, words
from tests.often_said import FOR_MASTERS, NO_GAME_HERE


def owner(world: World) -> Any:
    """Whose server it is, as a member of it."""
    return world.guild.owner


def status(world: World) -> Any:
    """The one message at the table that says how the game stands."""
    return next(message for message in world.table.history() if message.content.startswith("**Pebbles** · game 1"))


def menus(message: Any) -> list[str]:
    """The custom ids of the menus of a message."""
    return [part["custom_id"] for row in message.components for part in row["components"] if part["type"] != 2]


async def overdue(world: World) -> None:
    """The game master is to be told that Amber has not answered for days."""
    letter = Escalation(why="waits", seats=[Seat("seat_1")])
    await world.store.write(
        lambda ledger: ledger.outbox.add_letters(1, ledger.log.newest(1), [letter], "2026-01-04T00:00:00+00:00"))
    await world.env.settle()


async def looked_after(world: World) -> None:
    """The bot looks whether game masters are still there, as it does once a day."""
    await look_after_masters(world.bot)
    await world.env.settle()


async def test_who_has_left_the_server_is_no_game_master_any_more(world: World) -> None:
    await world.guessed()
    await overdue(world)
    told = world.olga.user.dm_channel.last_message
    assert "no move for three days" in told.content
    world.guild.remove_member(world.olga)
    before = await world.newest()
    shown = await world.olga.user.click(told, label="Default for Amber")
    assert words(shown).startswith("There is no game number")
    given: dict[str, Any]
    for command, given in (("gm undo", {}), ("gm pause", {}), ("gm close", {}), ("gm secrets", {}), ("game export", {})):
        assert words(await world.olga.user.slash(command, game="1", **given)).startswith(NO_GAME_HERE), command
    assert await world.newest() == before and (await world.services.queries.game(1)).status == "running"


async def test_a_game_that_moves_away_during_the_look_is_no_error_and_the_others_are_looked_at(
        world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    await world.guessed()
    queries, here = world.services.queries, await world.services.queries.game(1)

    async def before_the_move() -> list[Any]:
        return [replace(here, id=2), here]

    monkeypatch.setattr(queries, "games", before_the_move)
    world.guild.remove_member(world.olga)
    await looked_after(world)
    assert (await queries.game(1)).owner == owner(world).id
    assert not [line for line in caplog.records if line.getMessage().startswith("Refusal")]


async def test_a_player_who_has_left_the_server_keeps_the_seat_but_not_the_rights_of_the_opener(world: World) -> None:
    await world.started(world.olga, world.bob)
    world.guild.remove_member(world.olga)
    assert "To move" in words(await world.olga.user.slash("game status", game="1"))
    assert words(await world.olga.user.slash("gm pause", game="1")).startswith(FOR_MASTERS)


async def test_who_is_on_the_server_can_do_it_by_direct_message_too(world: World) -> None:
    await world.guessed()
    assert words(await world.olga.user.slash("gm pause", game="1")) == "Pebbles is paused."
    told = [letter for letter in world.letters(world.olga) if "game master" in letter]
    assert told == []


async def test_who_manages_the_server_names_another_game_master(world: World) -> None:
    await world.guessed()
    assert words(await world.bob.slash(world.table, "gm master", member=world.bob)).startswith(FOR_MASTERS)
    said = words(await world.max.slash(world.elsewhere, "gm master", member=world.carol, game="1"))
    assert said == f"{world.carol.mention} is now the game master of Pebbles."
    assert f"{world.carol.mention} is now the game master." in world.told()
    assert world.letters(world.carol)[-1].startswith(f"You're now the game master of Pebbles (game 1) in <#{world.table.id}>.")
    assert words(await world.olga.slash(world.table, "gm pause")).startswith(FOR_MASTERS)
    assert words(await world.carol.slash(world.table, "gm pause")) == "Pebbles is paused."
    assert "made <@" in words(await world.carol.slash(world.table, "gm audit"))


async def test_nobody_is_named_who_is_not_on_the_server_or_no_person_or_is_it_already(world: World) -> None:
    await world.guessed()
    zoe = world.env.create_user("zoe")
    robot = world.guild.add_member(world.env.create_user("robot", bot=True))
    for who, why in ((zoe, "isn't a member of this game's server."), (robot, "A bot can't be the game master."),
                     (world.olga, "is already the game master.")):
        assert why in words(await world.olga.slash(world.table, "gm master", member=who))
    assert (await world.services.queries.game(1)).owner == world.olga.id


async def test_when_the_game_master_leaves_the_owner_of_the_server_is_next_and_is_told(world: World) -> None:
    await world.guessed()
    await world.olga.slash(world.table, "gm pause")
    world.guild.remove_member(world.olga)
    await looked_after(world)
    assert (await world.services.queries.game(1)).owner == owner(world).id
    assert (f"{world.olga.mention} has left the server, so its owner, {owner(world).mention}, is now the game master."
            in world.posts())
    (told,) = owner(world).dm_channel.history()
    assert told.content.startswith("You're now the game master of Pebbles (game 1)")
    assert told.content.endswith("It's paused. You can resume it.") and labels(told) == ["Resume the game"]
    before = world.posts()
    await looked_after(world)
    assert world.posts() == before, "once"
    assert words(await owner(world).click(told, label="Resume the game")) == "Pebbles goes on."


async def test_a_host_who_plays_names_a_neutral_game_master_in_the_lobby_by_a_tap(world: World) -> None:
    await world.opened()
    await world.olga.slash(world.table, "game join")
    lobby = status(world)
    old, panel = [(await world.olga.click(lobby, label="Who can join and see")).response for _ in range(2)]
    master = "master:1"
    assert "Somebody who doesn't play is best" in panel.content and master in menus(panel)
    assert words(await world.olga.select(panel, [world.carol], custom_id=master)) == (
        f"{world.carol.mention} is now the game master of Pebbles.")
    assert f"{world.carol.mention} is now the game master." in world.told()
    assert words(await world.olga.select(old, [world.olga], custom_id=master)).startswith(FOR_MASTERS)
    looked_at = (await world.olga.click(lobby, label="Who can join and see")).response
    assert master not in menus(looked_at) and labels(looked_at) == ["Back"]
    await world.bob.slash(world.table, "game join")
    assert words(await world.carol.slash(world.table, "game start")) == "Pebbles has started."
    assert words(await world.carol.slash(world.table, "gm hand", seat="Amber", member=world.alice)) == (
        f"{world.alice.mention} now plays Amber.")


async def test_the_lobby_says_who_is_game_master_and_whether_neutral_after_each_change(world: World) -> None:
    async def told() -> tuple[str, bool]:
        said = words(await world.bob.click(status(world), label="Who can join and see"))
        assert ("doesn't play" in said) != ("plays too" in said)
        return status(world).content.split("Host: ")[1].partition(".")[0], "doesn't play" in said

    await world.opened(3)
    assert await told() == (world.olga.mention, True)
    await world.olga.slash(world.table, "game join")
    assert await told() == (world.olga.mention, False)
    await world.olga.slash(world.table, "gm master", member=world.carol)
    assert await told() == (world.carol.mention, True)
    await world.carol.slash(world.table, "game join")
    assert await told() == (world.carol.mention, False)
    await world.carol.slash(world.table, "game leave")
    assert await told() == (world.carol.mention, True)
    await world.max.slash(world.table, "gm master", member=world.olga)
    assert await told() == (world.olga.mention, False)
    world.guild.remove_member(world.olga)
    await looked_after(world)
    assert await told() == (owner(world).mention, True)


async def test_what_is_for_the_game_master_goes_to_the_next_one(world: World) -> None:
    await world.guessed()
    world.guild.remove_member(world.olga)
    await overdue(world)
    told = [message.content for message in owner(world).dm_channel.history()]
    assert any("no move for three days" in letter for letter in told)
    assert not any("still waits" in letter for letter in world.letters(world.olga))
