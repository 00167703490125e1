"""A table that is full while its host is gone: whoever has joined can start the game after two days, and hears of that."""
from __future__ import annotations

from datetime import timedelta

from bot.service import Services
from bot.store import Store
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, delivered, opened
from tests.bot.discord_world import World, labels, words


async def called(services: Services) -> int:
    await services.timers.look("late_start")
    return [letter.kind for letter in await delivered(services)].count("late")


async def test_after_two_days_those_who_have_joined_can_start_and_are_called_again_and_again(
        services: Services, clock: Clock) -> None:
    game = await opened(services)
    for user in (ANNA, BERT):
        await services.lobby.join(game, user)
    clock.put_on(days=1.9)
    assert await called(services) == 0 and not await services.lobby.may_start(game, ANNA)
    clock.put_on(days=0.1)
    assert await services.lobby.may_start(game, ANNA) and not await services.lobby.may_start(game, CARA)
    assert [await called(services), await called(services)] == [1, 0]
    clock.put_on(days=2)
    assert [await called(services), await called(services)] == [1, 0]
    await services.lobby.leave(game, BERT)                      # a seat is free again, and stands on the noticeboard
    clock.put_on(days=2)
    assert await called(services) == 0 and not await services.lobby.may_start(game, ANNA)
    await services.lobby.join(game, CARA)
    clock.put_on(days=1)
    assert not await services.lobby.may_start(game, CARA), "its two days begin anew"
    clock.put_on(days=1)
    await services.lobby.start(game, ANNA)
    assert await called(services) == 0


async def test_a_full_game_counts_from_when_its_last_seat_was_taken(services: Services, clock: Clock, store: Store) -> None:
    game = await opened(services, seats=3)
    for user in (ANNA, BERT, CARA):
        await services.lobby.join(game, user)
    await services.lobby.remove(game, CARA, MASTER)
    assert await store.read(lambda ledger: ledger.seats.full_since(game)) is None
    clock.put_on(hours=1)
    await services.lobby.join(game, 104)
    noted = await store.read(lambda ledger: ledger.seats.full_since(game))
    clock.put_on(hours=1)
    await services.lobby.order(game, MASTER)
    assert noted == await store.read(lambda ledger: ledger.seats.full_since(game)) == "2026-04-01T13:00:00+00:00"


async def test_by_a_tap_a_player_starts_what_the_host_has_forgotten(world: World) -> None:
    await world.opened()
    for player in (world.alice, world.bob):
        await player.slash(world.table, "game join")
    long_ago = f"{world.env.now() - timedelta(days=2):%Y-%m-%dT%H:%M:%S+00:00}"
    await world.store.write(lambda ledger: ledger.conn.execute("UPDATE games SET full_at = ?", (long_ago,)))
    await world.env.advance_time(60)
    call = world.question("hasn't started it")
    assert call.content == (f"{world.alice.mention} and {world.bob.mention}: all seats of Pebbles have been taken for 2 days, "
                            f"and {world.olga.mention} hasn't started it. Any of you can start it now.")
    assert labels(call) == ["Start"]
    assert words(await world.carol.click(call, label="Start")).startswith(f"Only {world.olga.mention} can start this game")
    assert words(await world.bob.click(call, label="Start")) == "Pebbles has started."
