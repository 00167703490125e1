"""What a player who resigns or is replaced has left open: nobody waits for it, and nobody can still agree to it."""
from __future__ import annotations

import pytest

from bot.service import Services
from bot.store import Store
from engine.kernel import Seat
from engine.refusals import Refusal
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, delivered, guessed, notices
from tests.toy import Take

ONE, TWO, THREE, FOUR = map(Seat, ("seat_1", "seat_2", "seat_3", "seat_4"))
DAVE, ERIC = 104, 105

async def moved(services: Services, members: tuple[int, ...] = (ANNA, BERT, CARA)) -> int:
    """A game in which everybody has made a move, and Anna is to make the next."""
    game = await guessed(services, members)
    for user in members:
        await services.answers.answer(game, user, Take.of(1, "left"))
    await delivered(services)
    return game


async def ended(store: Store, request: int) -> str | None:
    found = await store.read(lambda ledger: ledger.undo.request(request))
    assert found is not None
    return found.ended


@pytest.mark.parametrize("gone, seat", [(BERT, TWO), (CARA, THREE)], ids=["who asked", "who was to agree"])
async def test_a_request_to_undo_ends_with_a_player_who_resigns(services: Services, store: Store, gone: int, seat: Seat) -> None:
    game = await moved(services, (ANNA, BERT, CARA, DAVE))
    request = await services.undo_requests.ask(game, BERT, 6)
    assert [*request.agreed] == [THREE, FOUR]
    await delivered(services)
    await services.seats.resign(game, gone)
    assert await ended(store, request.id) == "overtaken"
    assert "request" in [letter.kind for letter in await delivered(services)], "its message says so"
    with pytest.raises(Refusal, match="This request is over"):
        await services.undo_requests.agree(request.id, DAVE)
    asker, row = (BERT, 6) if gone == CARA else (CARA, 7)
    assert [*(await services.undo_requests.ask(game, asker, row)).agreed] == [FOUR], "nobody has to wait until tomorrow"


async def test_a_request_ends_once_another_plays_for_who_asked_and_not_with_a_stand_in(services: Services, store: Store) -> None:
    """P-42: whoever takes over a seat can undo only their own moves."""
    game = await moved(services)
    request = await services.undo_requests.ask(game, BERT, 5)
    await services.consent.stand_in(game, TWO, DAVE, MASTER)
    assert await ended(store, request.id) is None
    await services.consent.hand_over(game, TWO, ERIC, MASTER)
    assert await ended(store, request.id) == "overtaken"


async def test_what_a_game_master_asks_ends_with_whoever_was_to_agree(services: Services, store: Store) -> None:
    game = await moved(services)
    await services.seats.resign(game, BERT)
    request = await services.consent.hand_over(game, THREE, BERT, MASTER)
    assert request is not None and [*request.agreed] == [ONE, THREE]
    await services.seats.resign(game, ANNA)
    assert await ended(store, request.id) == "overtaken"


async def test_an_offer_to_stand_in_ends(services: Services) -> None:
    game = await moved(services)
    offer = await services.stand_ins.offer_stand_in(game, BERT, DAVE)
    await services.seats.resign(game, BERT)
    with pytest.raises(Refusal, match="Nobody is asked to stand in"):
        await services.stand_ins.accept_offer(game, offer.id, DAVE)


async def test_a_vote_to_replace_that_cannot_be_carried_any_more_makes_room_for_another(services: Services, clock: Clock) -> None:
    game = await moved(services, (ANNA, BERT, CARA, DAVE))
    clock.put_on(days=7)
    vote = (await services.gone_players.begin_vote(game, ONE, BERT)).id
    assert (await services.gone_players.cast_ballot(game, vote, CARA, agrees=False)).vote.ended is None, "it can still have two"
    await services.seats.resign(game, DAVE)
    poll = await services.gone_players.poll(game, vote)
    assert poll is not None and poll.vote.ended == "over"
    assert (await services.gone_players.begin_vote(game, ONE, CARA)).needed == 2, "and nobody has to wait for it"


async def test_votes_to_pause_are_enough_once_others_have_left(services: Services) -> None:
    game = await moved(services, (ANNA, BERT, CARA, DAVE))
    for user in (ANNA, BERT):
        await services.clocks.vote(game, user, "pause")
    with pytest.raises(Refusal, match="2 of 3 votes are in"):
        await services.clocks.vote(game, ANNA, "pause")
    await services.seats.resign(game, CARA)
    assert (await services.clocks.vote(game, ANNA, "pause")).carried, "two of three"
    assert (await services.queries.game(game)).status == "paused"


async def test_a_request_in_a_game_that_was_closed_ends_without_news(services: Services, store: Store, clock: Clock) -> None:
    game = await moved(services)
    request = await services.undo_requests.ask(game, BERT, 5)
    await services.seats.close(game, MASTER, "")
    await delivered(services)
    clock.put_on(days=1)
    await services.timers.look("request")
    assert await ended(store, request.id) == "late" and await notices(services) == []
