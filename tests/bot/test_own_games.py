"""My games: every game of a member on one private screen, those that await the member first; and commands that have moved."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from bot.domain.deadlines import read
from bot.service import Services
from bot.store import Store
from tests.bot.desk import ANNA, BERT, MASTER, Clock, guessed, opened, play_on, started
from tests.bot.discord_world import World, custom_ids, labels, words
from tests.toy import Guess, Take


async def order(services: Services, user: int) -> list[tuple[int, str]]:
    return [(game.row.id, game.standing) for game in await services.own_games.own_games(user)]


async def test_what_awaits_a_member_comes_first_by_deadline_and_then_by_how_long_it_waits(store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    answered, longest = await started(services), await started(services)
    clock.put_on(hours=1)
    timed, lobby = await started(services), await opened(services)
    await services.clocks.set_clock(timed, MASTER, clock=read("24h"))
    await services.lobby.join(lobby, ANNA)
    await services.answers.answer(answered, ANNA, Guess.of(3))
    late = await started(services)
    assert await order(services, ANNA) == [(timed, "asked"), (longest, "asked"), (late, "asked"), (lobby, "other"),
                                           (answered, "other")]


async def test_whoever_is_next_comes_before_all_others_and_a_game_master_sees_the_games_without_a_seat(
        store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    game, paused = await guessed(services), await started(services)
    await services.seats.pause(paused, MASTER)
    assert await order(services, ANNA) == [(game, "asked"), (paused, "other")]
    assert await order(services, BERT) == [(game, "next"), (paused, "other")]
    assert await order(services, MASTER) == [(paused, "other"), (game, "other")]
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert await order(services, BERT) == [(game, "asked"), (paused, "other")]
    await services.seats.close(game, MASTER, "-")
    assert await order(services, BERT) == [(paused, "other")]


async def crowd(world: World, games: int) -> None:
    """Alice and Bob are asked for their guesses in so many games, half of them on another server."""
    for number in range(games):
        row = await world.services.lobby.open(
            key="pebbles", edition="plain", seats=2, options={}, pack=None, title=f"_{'*' * 50}_ {number}",
            guild=world.guild.id if number % 2 else 77, channel=world.table.id if number % 2 else 78, owner=world.olga.id)
        for player in (world.alice, world.bob):
            await world.services.lobby.join(row.id, player.id)
        await world.services.lobby.start(row.id, world.olga.id)


async def test_45_games_on_two_servers_are_all_reached_by_turning_pages(tmp_path: Path) -> None:
    async with World.at(tmp_path / "chancery.db") as world:
        world.mute()
        await crowd(world, 45)
        shown: Any = await world.alice.slash(world.elsewhere, "my games")
        reached, pages = set[str](), 1
        while True:
            said = words(shown)
            assert len(said) <= 2000 and not shown.followups
            reached |= {id for id in custom_ids(shown.response).values() if id.startswith("move:")}
            if "Next" not in labels(shown.response):
                break
            shown = await world.alice.click(shown.response, label="Next")
            pages += 1
        assert len(reached) == 45 and pages == 7
        assert "It's your move in 45." in said and "Page 7 of 7" in said


async def test_the_screen_says_what_is_asked_who_is_awaited_and_what_is_still_open(world: World) -> None:
    nothing = words(await world.alice.slash(world.table, "my games"))
    assert nothing == "You're in no game right now. `/game list` shows the open ones, `/game open` starts one."
    await world.guessed()
    await world.opened(3)
    await world.alice.slash(world.elsewhere, "game join", game="2")
    mine, his = [await who.slash(world.elsewhere, "my games") for who in (world.alice, world.bob)]
    assert words(mine).startswith("You're in 2 games. It's your move in 1.\n### Your move\n**Pebbles** · game 1")
    assert "\nThe heap has" in words(mine) and " (asked <t:" in words(mine)
    assert f"1 of 3 seats taken: {world.alice.mention}" in words(mine)
    assert labels(mine.response) == ["Your move: Pebbles · game 1", "Pebbles (2) · game 2"]
    assert "You're in 1 game. It isn't your move anywhere right now.\n### You're next\n" in words(his)
    assert f"\nWaiting for Amber ({world.alice.mention}), asked <t:" in words(his)
    move = await world.alice.click(mine.response, label="Your move: Pebbles · game 1")
    assert "What do you do?" in words(move) and "My games" not in labels(move.response)


async def test_the_button_is_below_the_status_a_direct_message_a_move_that_is_done_and_help(world: World) -> None:
    await world.guessed()
    status = next(post for post in world.table.history() if post.content.startswith("**Pebbles** · game 1"))
    letter, = world.alice.user.dm_channel.history()
    moved = await world.alice.slash(world.table, "pebbles take", pebbles=1)
    help = await world.carol.slash(world.table, "game help")
    for who, message in ((world.alice, status), (world.alice.user, letter), (world.alice, moved.response)):
        assert words(await who.click(message, label="My games")).startswith("You're in 1 game.")
    assert words(await world.carol.click(help.response, label="My games")).startswith("You're in no game")
    onlooker = await world.carol.click(status, label="My games")
    assert words(onlooker).startswith("You're in no game right now.")


async def test_a_game_that_cannot_be_shown_says_so_and_hides_no_other(world: World) -> None:
    await world.guessed()
    await world.opened()
    await world.alice.slash(world.table, "game join", game="2")
    await world.store.write(lambda ledger: ledger.conn.execute("DELETE FROM checkpoints WHERE game = 1"))
    world.services.session.forget(1)
    shown = await world.alice.slash(world.table, "my games")
    assert "\nThe game hasn't started yet." in words(shown) and "seats taken" in words(shown) and len(labels(shown.response)) == 2


async def test_a_panel_in_a_direct_message_says_of_which_game_it_is_if_there_are_several(world: World) -> None:
    await world.guessed()

    async def opened() -> str:
        letter = next(message for message in world.alice.user.dm_channel.history() if "Your move" in labels(message))
        return words(await world.alice.user.click(letter, label="Your move"))

    assert not (await opened()).startswith("**Pebbles**")
    await world.opened(3)
    await world.alice.slash(world.elsewhere, "game join", game="2")
    assert (await opened()).startswith("**Pebbles** (game 1)\n")
