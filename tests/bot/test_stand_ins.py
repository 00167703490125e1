"""Stand-ins whom players name themselves: who can be one, what they see and for how long, and who can end it."""
from __future__ import annotations

from datetime import datetime

import pytest

from bot.service import Services
from bot.store import Store
from engine.kernel import Seat
from engine.refusals import Refusal
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, delivered, guessed, kinds, notices, play_on
from tests.bot.discord_world import World, custom_ids, labels, words
from tests.often_said import NO_SEAT
from tests.toy import Take

ONE, TWO = Seat("seat_1"), Seat("seat_2")
DAVE = 104


async def asked(services: Services, game: int, user: int = CARA, until: datetime | None = None) -> int:
    """An offer of Anna's, by its number."""
    return (await services.stand_ins.offer_stand_in(game, ANNA, user, until, name="Cara")).id


async def outcome(services: Services, game: int, offer: int) -> str | None:
    found = await services.stand_ins.offer_made(game, offer)
    assert found is not None
    return found.ended


async def test_a_stand_in_agrees_plays_in_their_own_name_and_sees_nothing_afterwards(services: Services) -> None:
    game = await guessed(services)
    offer = await asked(services, game)
    assert kinds(await delivered(services)) == [("standin", "public")]
    assert await services.queries.sight_of(game, CARA) is None
    await services.stand_ins.accept_offer(game, offer, CARA)
    letters = await delivered(services)
    assert kinds(letters) == [("standin", "public"), ("notice", "public"), ("farewell", ONE), ("private", ONE), ("question", ONE)]
    told = {letter.kind: letter.payload.get("text") for letter in letters}
    assert told["notice"] == "<@103> stands in for <@101> and plays Amber until <@101> is back."
    assert told["private"] == "Your guess: 1." and "/my back" in told["farewell"]
    assert await services.queries.sight_of(game, CARA) == ONE == await services.queries.sight_of(game, ANNA)
    with pytest.raises(Refusal, match="<@103> stands in for you"):
        await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.answers.answer(game, CARA, Take.of(2, "left"))
    lines = [line for letter in await delivered(services) if letter.kind == "log" for line in letter.payload["lines"]]
    assert lines == ["Amber takes 2 pebbles. (by <@103> for Amber)"]
    assert await services.seats.back(game, ANNA) == ONE
    assert await services.queries.sight_of(game, CARA) is None
    farewell = next(letter for letter in await delivered(services) if letter.kind == "farewell")
    assert farewell.payload == {"user": CARA, "text": "You no longer stand in for <@101>."}
    with pytest.raises(Refusal, match=NO_SEAT):
        await services.answers.answer(game, CARA, Take.of(2, "left"))


async def test_it_ends_by_itself_when_its_time_is_over(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    clock.put_on(days=3)
    until = clock()
    clock.put_on(days=-3)
    await services.stand_ins.accept_offer(game, await asked(services, game, until=until), CARA)
    await delivered(services)
    clock.put_on(days=2)
    await services.timers.look("back")
    assert await services.queries.sight_of(game, CARA) == ONE
    clock.put_on(days=1)
    assert [due.since for due in await services.timers.due("back")] == [until]
    await services.timers.look("back")
    assert [told.split(" in ")[0] for told in await notices(services)] == ["<@103> no longer stands"]
    assert await services.queries.sight_of(game, CARA) is None
    assert [wait.user for wait in await services.queries.waiting(game)] == [ANNA]


async def test_nobody_stands_in_who_would_know_two_hands(store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    game = await guessed(services)
    for user, why in ((BERT, "<@102> already has a seat"), (ANNA, "That's you")):
        with pytest.raises(Refusal, match=why):
            await asked(services, game, user)
    early = await asked(services, game, DAVE)
    await services.consent.stand_in(game, TWO, DAVE, MASTER)
    await services.seats.back(game, BERT)                       # Dave has seen Bert's hand since he was asked
    with pytest.raises(Refusal, match="has known another seat's secrets") as why_not:
        await services.stand_ins.accept_offer(game, early, DAVE)
    assert why_not.value.rule == "P-43" and await services.queries.sight_of(game, DAVE) is None
    await services.stand_ins.withdraw_offer(game, early, ANNA)
    with pytest.raises(Refusal, match="has known another seat's secrets"):
        await asked(services, game, DAVE)
    await services.stand_ins.accept_offer(game, await asked(services, game), CARA)
    with pytest.raises(Refusal, match="Only <@101> can name another stand-in"):
        await services.stand_ins.offer_stand_in(game, CARA, 105)
    with pytest.raises(Refusal, match="stands in for you"):
        await services.stand_ins.offer_stand_in(game, ANNA, 105)
    with pytest.raises(Refusal, match=NO_SEAT):
        await services.stand_ins.offer_stand_in(game, DAVE, 105)


async def test_an_offer_is_answered_once_and_by_whom_it_was_made_to(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    first = await asked(services, game)
    with pytest.raises(Refusal, match=r"You've already asked <@103>. Withdraw that first."):
        await asked(services, game, DAVE)
    for act in (services.stand_ins.accept_offer, services.stand_ins.decline_offer):
        with pytest.raises(Refusal, match="<@101> asked <@103>, not you"):
            await act(game, first, DAVE)
    with pytest.raises(Refusal, match="Only <@101> or the game master can withdraw this"):
        await services.stand_ins.withdraw_offer(game, first, CARA)
    await services.stand_ins.decline_offer(game, first, CARA)
    second = await asked(services, game)
    await services.stand_ins.withdraw_offer(game, second, MASTER, master=True)
    third = await asked(services, game)
    assert await services.timers.following("offer") is not None
    clock.put_on(days=8)
    await services.timers.look("offer")
    fourth = await asked(services, game)
    await services.seats.resign(game, ANNA)                     # and so nobody can stand in
    found = [await outcome(services, game, offer) for offer in (first, second, third, fourth)]
    assert found == ["declined", "withdrawn", "over", "over"]
    for offer in (first, second, third, fourth, 99):
        with pytest.raises(Refusal, match="Nobody is asked to stand in here now"):
            await services.stand_ins.accept_offer(game, offer, CARA)
    fifth = (await services.stand_ins.offer_stand_in(game, BERT, CARA)).id
    await services.seats.close(game, MASTER, "")
    await services.timers.look("offer")
    assert await outcome(services, game, fifth) == "over" and await services.timers.following("offer") is None


async def test_the_stand_in_and_the_game_master_can_end_it_too(services: Services) -> None:
    game = await guessed(services)
    with pytest.raises(Refusal, match="You don't stand in for anybody"):
        await services.seats.stand_down(game, ANNA)
    with pytest.raises(Refusal, match="Nobody stands in for seat 1"):
        await services.seats.relieve(game, ONE, MASTER)
    await services.stand_ins.accept_offer(game, await asked(services, game), CARA)
    await delivered(services)
    await services.seats.stand_down(game, CARA)
    assert [told.split(" in ")[0] for told in await notices(services)] == ["<@103> no longer stands"]
    await services.stand_ins.accept_offer(game, await asked(services, game), CARA)      # once more, for the same seat
    await delivered(services)
    await services.seats.relieve(game, ONE, MASTER)
    assert await notices(services) == [
        "Game master <@900> ends this: <@103> no longer stands in for <@101>, who plays Amber again."]
    assert await services.queries.sight_of(game, CARA) is None
    assert [holder.user for holder in await services.queries.holders(game)] == [ANNA, BERT]


async def test_by_taps_a_player_asks_and_the_stand_in_agrees(world: World) -> None:
    await world.guessed()
    assert words(await world.carol.slash(world.table, "my standin")) == f"{NO_SEAT}."
    panel = await world.alice.slash(world.table, "my standin")
    assert words(panel).startswith("Who plays Amber in Pebbles for you? They must agree, and can't have another seat here.")
    panel = await world.alice.select(panel.response, ["7"], custom_id="standdays:1")
    shown = await world.alice.select(panel.response, [world.carol], custom_id="standask:1:7")
    assert words(shown).startswith(f"You asked {world.carol.mention} to play Amber in Pebbles for you until ")
    assert labels(shown.response) == ["Withdraw the request"]
    call = world.question(f"{world.carol.mention}, {world.alice.mention} asks you to stand in")
    assert list(custom_ids(call)) == ["Stand in", "Decline", "Withdraw the request"]
    assert words(await world.max.click(call, label="Decline")) == (
        f"{world.alice.mention} asked {world.carol.mention}, not you.")
    agreed = await world.carol.click(call, label="Stand in")
    assert words(agreed).startswith(f"You play Amber in Pebbles for {world.alice.mention} until ")
    assert any("Your guess: 3" in letter for letter in world.letters(world.carol))
    assert world.question(f"{world.carol.mention} agreed to stand in for ").id == call.id
    mine = await world.alice.slash(world.table, "my standin")
    assert labels(mine.response) == ["Take my seat back"]
    status = next(post for post in world.table.history() if post.content.startswith("**Pebbles** · game 1"))
    assert f"Amber: {world.carol.mention} for {world.alice.mention} until <t:" in status.content
    back = await world.carol.click(agreed.response, label="Give the seat back")
    assert words(back) == f"You gave the seat in Pebbles back to {world.alice.mention}."
    assert not any("Your guess: 3" in letter for letter in world.letters(world.carol))
    assert words(await world.carol.slash(world.table, "my standin")) == f"{NO_SEAT}."
