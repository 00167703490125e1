"""Free seats of games under way: who finds them, who takes them over, and what each of them knows then."""
from __future__ import annotations

import asyncio

import pytest

from bot.service import Services
from bot.store import Store
from engine.kernel import Seat
from engine.refusals import Refusal
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, delivered, guessed, kinds, play_on, users
from tests.bot.discord_world import World, custom_ids, labels, words
from tests.bot.visiting import undoable
from tests.often_said import FOR_MASTERS
from tests.toy import Take

ONE, TWO = Seat("seat_1"), Seat("seat_2")
DAVE = 104


async def given_up(services: Services) -> int:
    """A game of Anna and Bert that Anna has left; what is told of it is told."""
    game = await guessed(services)
    await services.seats.resign(game, ANNA)
    await delivered(services)
    return game


async def test_a_free_seat_goes_to_whoever_takes_it_first_with_its_secrets_and_its_question(store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    game = await given_up(services)
    (free,) = await services.free_seats.free_seats(game)
    assert (free.seat, free.caretaker, free.since) == (ONE, False, "2026-04-01T12:00:00+00:00")
    assert await services.free_seats.with_free_seats() == {game}
    both = (services.free_seats.take_over(game, ONE, CARA, name="Cara"), services.free_seats.take_over(game, ONE, DAVE))
    first, second = list[object](await asyncio.gather(*both, return_exceptions=True))
    assert first is True and str(second) == "Seat 1 isn't free."
    assert await users(services, game) == [CARA, BERT] and await services.free_seats.with_free_seats() == set()
    letters = await delivered(services)
    assert kinds(letters)[:1] == [("notice", "public")] and ("private", ONE) in kinds(letters)
    assert letters[0].payload["text"] == "<@103> takes over Amber, which was free."
    assert [letter.payload["text"] for letter in letters if letter.kind == "private"] == ["Your guess: 1."]
    assert await services.queries.sight_of(game, CARA) == ONE and await services.queries.sight_of(game, ANNA) is None


async def test_whoever_takes_over_undoes_no_move_of_the_player_before(store: Store) -> None:
    services = play_on(store)
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.seats.resign(game, ANNA)
    await services.free_seats.take_over(game, ONE, CARA)
    assert await undoable(services, game, ONE) is None
    with pytest.raises(Refusal, match=r"You haven't made a move"):
        await services.undo.take_back(game, CARA)
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    await services.answers.answer(game, CARA, Take.of(2, "left"))
    await services.undo.take_back(game, CARA)                   # her own
    await services.undo.rollback(game, 1, MASTER)               # a game master returns to before, and the seat stays hers
    assert await users(services, game) == [CARA, BERT]


async def test_who_has_known_another_seat_or_plays_already_gets_none(store: Store) -> None:
    services = play_on(store)
    game = await given_up(services)
    with pytest.raises(Refusal, match=r"<@102> already has a seat"):
        await services.free_seats.take_over(game, ONE, BERT)
    await services.consent.stand_in(game, TWO, DAVE, MASTER)
    await services.seats.back(game, BERT)
    with pytest.raises(Refusal, match=r"You've known another seat's secrets") as why:
        await services.free_seats.take_over(game, ONE, DAVE)
    assert why.value.rule == "P-42"
    with pytest.raises(Refusal, match=r"Seat 2 isn't free."):
        await services.free_seats.take_over(game, TWO, CARA)
    with pytest.raises(Refusal, match=r"This game has no seat seat 9."):
        await services.free_seats.take_over(game, Seat("seat_9"), CARA)
    assert await services.free_seats.take_over(game, ONE, ANNA)         # the one who knows it can come back
    assert await users(services, game) == [ANNA, BERT]


async def test_whoever_was_taken_out_comes_back_only_if_invited(store: Store) -> None:
    services = play_on(store)
    game = await guessed(services)
    await services.consent.hand_over(game, ONE, CARA, MASTER)
    await services.seats.resign(game, CARA)
    with pytest.raises(Refusal, match=r"The game master took you out of this game and can invite you again."):
        await services.free_seats.take_over(game, ONE, ANNA)
    await services.free_seats.invite_to_seat(game, ANNA, MASTER)
    assert await services.free_seats.take_over(game, ONE, ANNA)
    with pytest.raises(Refusal, match=r"No seat is free in this game."):
        await services.free_seats.invite_to_seat(game, DAVE, MASTER)


async def test_by_invitation_only_or_by_the_game_master_alone(store: Store) -> None:
    services = play_on(store)
    game = await given_up(services)
    await services.lobby.set_invite_only(game, MASTER, only=True)
    with pytest.raises(Refusal, match=r"This game is by invitation only. <@900> can invite you."):
        await services.free_seats.take_over(game, ONE, CARA)
    await services.free_seats.set_newcomers(game, MASTER, "none")
    with pytest.raises(Refusal, match=r"In this game <@900> hands out free seats."):
        await services.free_seats.take_over(game, ONE, CARA)
    await services.free_seats.invite_to_seat(game, CARA, MASTER)
    assert await services.free_seats.take_over(game, ONE, CARA)


async def test_where_the_game_master_decides_nothing_changes_hands_before(store: Store) -> None:
    services = play_on(store)
    game = await given_up(services)
    await services.free_seats.set_newcomers(game, MASTER, "asked")
    await delivered(services)
    for user in (CARA, DAVE):
        assert not await services.free_seats.take_over(game, ONE, user, name=str(user))
    assert await users(services, game) == [None, BERT]
    assert kinds(await delivered(services)) == [("application", "gm")] * 2
    with pytest.raises(Refusal, match=r"You've already asked. <@900> decides."):
        await services.free_seats.take_over(game, ONE, CARA)
    await services.free_seats.decline(game, DAVE, MASTER)
    for late in (services.free_seats.take_over(game, ONE, DAVE), services.free_seats.accept(game, DAVE, MASTER)):
        with pytest.raises(Refusal, match=r"declined"):
            await late
    assert await services.free_seats.accept(game, CARA, MASTER) is None
    assert next((holder.user, holder.name) for holder in await services.queries.holders(game)) == (CARA, "103")
    told = [letter.payload["user"] for letter in await delivered(services) if letter.kind == "application"]
    assert told == [CARA, DAVE]                                 # each message says what came of it
    with pytest.raises(Refusal, match=r"isn't free"):
        await services.free_seats.accept(game, CARA, MASTER)


async def test_a_game_that_waited_for_anybody_goes_on_with_whoever_comes(store: Store) -> None:
    services = play_on(store)
    game = await given_up(services)
    await services.seats.resign(game, BERT)
    assert (await services.queries.game(game)).status == "paused"
    await services.free_seats.take_over(game, TWO, DAVE)
    assert (await services.queries.game(game)).status == "running"


async def test_by_taps_a_member_looks_at_a_free_seat_and_takes_it_over(world: World) -> None:
    await world.guessed()
    assert words(await world.carol.slash(world.table, "table seats")).startswith("No running game here has a free seat.")
    await world.services.seats.resign(1, world.alice.id)
    await world.env.settle()
    status = next(post for post in world.table.history() if post.content.startswith("**Pebbles** · game 1"))
    assert labels(status)[-1] == "Take over a seat"
    free = await world.carol.slash(world.elsewhere, "table seats")
    assert words(free).startswith("1 free seat. Look at one first, then take it over.\n**Amber** in **Pebbles** · game 1 · ")
    seat = await world.carol.click(free.response, label="Look at Amber (1)")
    said = words(seat)
    assert "default moves are played for it." in said and "The others: Basalt: " in said and "heap 11" in said
    assert "guess: 3" not in said and labels(seat.response) == ["Take it over", "Other free seats"]
    free = await world.max.slash(world.table, "table seats", game="1")
    other = await world.max.click(free.response, label="Look at Amber (1)")
    taken = await world.carol.click(seat.response, label="Take it over")
    assert words(taken).startswith("You play Amber in Pebbles now.")
    assert any("Your guess: 3" in letter for letter in world.letters(world.carol))
    late = await world.max.click(other.response, label="Take it over")
    assert words(late) == "That seat is no longer free. `/table seats` shows those that are."


async def test_by_taps_the_game_master_lets_somebody_in(world: World) -> None:
    await world.guessed()
    panel = await world.olga.slash(world.table, "gm guests")
    assert words(panel).startswith("No seat is free in Pebbles.")
    await world.olga.select(panel.response, ["asked"], custom_id="newcomers:1")
    await world.services.seats.resign(1, world.alice.id)
    await world.env.settle()
    free = await world.carol.slash(world.table, "table seats", game="1")
    seat = await world.carol.click(free.response, label="Look at Amber (1)")
    assert words(await world.carol.click(seat.response, label="Ask the game master for it")).startswith(
        f"You asked {world.olga.mention} for Amber in Pebbles.")
    call = world.question(f"{world.carol.mention} would like to take over Amber")
    assert list(custom_ids(call)) == ["Let them in", "Decline"] and call.content.startswith(world.olga.mention)
    assert words(await world.bob.click(call, label="Let them in")).startswith(FOR_MASTERS)
    assert words(await world.olga.click(call, label="Let them in")) == f"{world.carol.mention} plays the seat now."
    assert world.question("asked for Amber and plays it now.").id == call.id
    assert await users(world.services, 1) == [world.carol.id, world.bob.id]
