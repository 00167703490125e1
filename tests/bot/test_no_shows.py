"""Players who never make a first move: what a game does about that, and only what its host chose before the start."""
from __future__ import annotations

import pytest

from bot.domain.absence import NoShow
from bot.domain.deadlines import read
from bot.service import Services
from engine.kernel import Seat
from engine.refusals import Refusal
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, delivered, notices, opened, users
from tests.bot.discord_world import World, labels, words
from tests.toy import Guess, Take

ONE, TWO, THREE = map(Seat, ("seat_1", "seat_2", "seat_3"))


async def begun(services: Services, what: NoShow, *, clock: str = "none", seats: int = 3) -> int:
    """A game of Anna, Bert and Cara that has begun: all of them are asked at once."""
    game = await opened(services, seats=seats)
    await services.gone_players.set_no_show(game, what, MASTER)
    await services.clocks.set_clock(game, MASTER, clock=read(clock))
    for user in (ANNA, BERT, CARA):
        await services.lobby.join(game, user, name=str(user))
    await services.lobby.start(game, MASTER)
    await delivered(services)
    return game


async def test_a_game_in_which_nothing_has_happened_is_opened_again_without_whoever_did_not_come(
        services: Services, clock: Clock) -> None:
    game = await begun(services, "drop")
    for user in (ANNA, CARA):
        await services.answers.answer(game, user, Guess.of(3))
    clock.put_on(days=2.9)
    await services.timers.look("first_move")
    assert (await services.queries.game(game)).status == "running"
    clock.put_on(days=0.1)
    await services.timers.look("first_move")
    assert (await services.queries.game(game)).status == "closed"
    again = await services.queries.game(game + 1)
    assert (again.status, again.title, again.seats, again.owner, again.commitment) == ("open", "Friday", 3, MASTER, "")
    assert [(holder.seat, holder.user, holder.name) for holder in await services.queries.holders(again.id)] == [
        (ONE, ANNA, "101"), (TWO, CARA, "103")]
    assert await notices(services) == [
        "<@102> never made a first move, so I've closed this game and opened it again without them.",
        "Game 2 takes its place, with <@101> and <@103> so far. <@900> can start it once enough people have joined."]
    assert again.no_show == "drop"
    await services.timers.look("first_move")                # once
    assert await notices(services) == []
    await services.lobby.start(again.id, MASTER)                # it starts smaller
    assert await users(services, again.id) == [ANNA, CARA]


async def test_once_something_has_happened_the_seat_is_free(services: Services, clock: Clock) -> None:
    game = await begun(services, "drop")
    for user in (ANNA, CARA):
        await services.answers.answer(game, user, Guess.of(3))
    await services.answers.answer_for(game, TWO, Guess.of(3), MASTER)       # for Bert, who has made no move himself
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await delivered(services)
    clock.put_on(days=3)
    await services.timers.look("first_move")
    assert (await notices(services))[0] == (
        "<@102> has made no first move, so Basalt is free now. Default moves are played until somebody takes it over.")
    assert await users(services, game) == [ANNA, None, CARA]
    clock.put_on(days=30)                                       # Cara has moved before: she is waited for
    await services.timers.look("first_move")
    assert await users(services, game) == [ANNA, None, CARA]
    assert await services.free_seats.take_over(game, TWO, BERT)             # who comes late is not kept out
    clock.put_on(days=30)
    await services.timers.look("first_move")
    assert await users(services, game) == [ANNA, BERT, CARA]


async def test_of_a_game_that_frees_seats_nothing_is_thrown_away(services: Services, clock: Clock) -> None:
    game = await begun(services, "replace")
    await services.answers.answer(game, ANNA, Guess.of(3))
    clock.put_on(days=3)
    await services.timers.look("first_move")
    assert await users(services, game) == [ANNA, None, None]
    assert (await services.session.table(game)).state.guess == {"seat_1": 3, "seat_2": 0, "seat_3": 0}


async def test_a_game_waits_unless_its_host_chose_otherwise_before_the_start(services: Services, clock: Clock) -> None:
    game = await begun(services, "wait")
    clock.put_on(days=30)
    await services.timers.look("first_move")
    assert await users(services, game) == [ANNA, BERT, CARA] and (await services.queries.game(game)).status == "running"
    with pytest.raises(Refusal, match="already running"):
        await services.gone_players.set_no_show(game, "replace", MASTER)


async def test_with_a_clock_the_deadline_counts_and_nobody_on_vacation_is_late(services: Services, clock: Clock) -> None:
    game = await begun(services, "replace", clock="24h")
    today = await services.clocks.today(BERT)
    await services.clocks.take_vacation(game, BERT, today, today.replace(day=today.day + 5))
    await delivered(services)
    clock.put_on(hours=23)
    await services.timers.look("first_move")
    assert await users(services, game) == [ANNA, BERT, CARA]
    clock.put_on(hours=1)
    await services.timers.look("first_move")
    assert await users(services, game) == [None, BERT, None]


async def test_by_taps_the_host_chooses_it_and_everybody_reads_it_before_they_join(world: World) -> None:
    await world.opened()
    async def told() -> str:
        return words(await world.alice.click(world.question("**Pebbles** · game 1"), label="Who can join and see"))

    panel = await world.olga.click(world.question("**Pebbles** · game 1"), label="Who can join and see")
    gone = await world.olga.click(panel.response, label="Players who are gone")
    assert words(gone).startswith("**Players who are gone**, in Pebbles\n") and "for 14 days" in words(gone)
    chosen = await world.olga.select(gone.response, ["drop"], custom_id="goneshow:1")
    assert words(chosen).startswith("Changed.")
    assert "I open the game again without them." in await told()
    await world.olga.select(chosen.response, ["0 half"], custom_id="gonevote:1")
    assert "can't vote" in await told()
    assert labels(world.question("**Pebbles** · game 1"))[0] == "Join"
