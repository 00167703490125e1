"""Playing on from a row of one game as another: everything up to there comes along, and neither touches the other."""
from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.deadlines import read as clock_of
from bot.service import Services
from bot.store import Store
from engine import record
from engine.dice import SecretDice, commitment
from engine.kernel import Seat
from engine.orders import Order, OrderLine, Reply
from engine.refusals import Faulty, Refusal
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, branched, delivered, guessed, kinds, play_on, rows_of, started
from tests.bot.discord_world import World, labels, words
from tests.bot.visiting import undoable
from tests.forging import bodies, chained
from tests.toy import PEBBLES, SECRET, Guess, Take, Throw

ONE, TWO = Seat("seat_1"), Seat("seat_2")
PAGE = Path("docs/verify.py").read_text(encoding="utf-8")
OTHER = "ab" * 32           # the secret of the branch
ELSEWHERE = 71              # its channel


@pytest.fixture
async def services(store: Store, clock: Clock) -> AsyncIterator[Services]:
    services = play_on(store, clock=clock)
    secrets = iter([SECRET])                # of the first game; all that come later have the other one
    services.session.secret = lambda: next(secrets, OTHER)
    yield services


async def thrown(services: Services) -> int:
    """Rows 1 and 2: guesses; 3 and 4: Anna throws; 5: Bert takes one; 6 and 7: Anna throws again."""
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Throw())
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    await services.answers.answer(game, ANNA, Throw())
    await delivered(services)
    return game


async def finish(services: Services, game: int) -> None:
    while not (await services.session.table(game)).over:
        (waits,) = await services.queries.waiting(game)
        assert waits.user is not None
        most = min(3, (await services.session.table(game)).state.heap)
        await services.answers.answer(game, waits.user, Take.of(most, "left"))
    await delivered(services)


async def refused(act: Any, sentence: str) -> None:
    with pytest.raises(Refusal) as why:
        await act
    assert str(why.value) == sentence


# --- what comes along -----------------------------------------------------------------------------------------

async def test_the_position_the_rows_and_the_seats_come_along(services: Services, store: Store) -> None:
    game = await thrown(services)
    before = await rows_of(store, game)
    row = await branched(services, game, 5, channel=ELSEWHERE, title="What if")
    assert (row.id, row.title, row.channel, row.status) == (game + 1, "What if", ELSEWHERE, "running")
    assert await rows_of(store, row.id) == before[:5] and await rows_of(store, game) == before
    assert [(holder.seat, holder.user) for holder in await services.queries.holders(row.id)] == [(ONE, ANNA), (TWO, BERT)]
    old, new = await services.session.table(game), await services.session.table(row.id)
    assert (new.state.taken, new.state.turn, new.last_no) == ({TWO: 1}, 2, 5)
    assert new.state.heap >= old.state.heap
    assert new.state.guess == {ONE: 1, TWO: 2}
    assert [wait.seat for wait in await services.queries.waiting(row.id)] == [ONE]


async def test_everything_that_was_taken_back_before_comes_along_too(services: Services, store: Store) -> None:
    game = await thrown(services)
    await services.undo.undo(game, MASTER)
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    row = await branched(services, game, 9, channel=ELSEWHERE)
    assert row.title == "Friday (9)"
    assert await rows_of(store, row.id) == await rows_of(store, game)
    assert (await services.session.table(row.id)).state == (await services.session.table(game)).state
    history = await services.queries.history(row.id, page=1, size=50)
    assert history == await services.queries.history(game, page=1, size=50)


async def test_both_go_on_without_touching_each_other(services: Services) -> None:
    game = await thrown(services)
    row = await branched(services, game, 5, channel=ELSEWHERE)
    await services.answers.answer(row.id, ANNA, Take.of(3, "left"))
    await services.answers.answer(game, BERT, Take.of(2, "left"))
    assert (await services.session.table(row.id)).state.taken == {ONE: 3, TWO: 1}
    assert (await services.session.table(game)).state.taken == {TWO: 3}
    assert (await services.session.table(row.id)).last_no == 6 and (await services.session.table(game)).last_no == 8


async def test_it_replays_after_a_restart(services: Services, store: Store) -> None:
    game = await thrown(services)
    row = await branched(services, game, 5, channel=ELSEWHERE)
    await services.answers.answer(row.id, ANNA, Throw())
    again = play_on(store)
    assert (await again.session.table(row.id)).state == (await services.session.table(row.id)).state


async def test_time_comes_along_and_orders_do_not(services: Services, store: Store, clock: Clock) -> None:
    game = await guessed(services)
    await services.clocks.set_clock(game, MASTER, clock=clock_of("bank 72h"))
    clock.put_on(hours=10)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.clocks.take_vacation(game, BERT, clock().date() + timedelta(days=3), clock().date() + timedelta(days=4))
    await services.orders.give_orders(game, ANNA, [
        Order(seat=ONE, points=("DP-T2",), lines=(OrderLine(then=Reply(verb="take", fields={"pebbles": 1, "hand": "left"})),))])
    row = await branched(services, game, 3, channel=ELSEWHERE)
    assert await services.clocks.banks(row.id) == await services.clocks.banks(game)
    assert (await services.clocks.banks(row.id))[ONE] == timedelta(hours=62)
    assert [deadline.seat for deadline in await services.clocks.deadlines(row.id)] == [TWO]
    assert await services.clocks.vacations(row.id, BERT)
    assert await store.read(lambda ledger: ledger.orders.orders(row.id)) == []
    assert (await services.orders.own(game, ANNA)).kept != []


async def test_who_is_not_there_is_not_there_in_the_branch(services: Services) -> None:
    game = await guessed(services, (ANNA, BERT, CARA))
    await services.seats.resign(game, BERT)
    row = await branched(services, game, 3, channel=ELSEWHERE)
    await services.answers.answer(row.id, ANNA, Take.of(1, "left"))
    assert [wait.user for wait in await services.queries.waiting(row.id)] == [CARA]


# --- what is told -----------------------------------------------------------------------------------------------

async def test_it_is_announced_in_both_places_and_all_are_asked_and_told_anew(services: Services) -> None:
    game = await thrown(services)
    row = await branched(services, game, 5, channel=ELSEWHERE)
    letters = await delivered(services)
    here, there = ([letter for letter in letters if letter.game == number] for number in (game, row.id))
    assert [letter.payload["text"] for letter in here] == [
        f"Game {row.id} in <#{ELSEWHERE}> starts from step 5 of this one. Nothing changes here."]
    assert kinds(there) == [("notice", "public"), ("picture", "public"), ("private", ONE), ("private", TWO), ("question", ONE)]
    assert there[0].payload["text"] == (
        f"This game continues from step 5 of game {game}, in <#7>, with new dice.")
    assert SECRET not in str([letter.payload for letter in letters])
    assert [note for note in (await services.queries.audit(row.id, page=1))[0]
            if f"began this game from step 5 of game {game}" in note]


# --- dice ---------------------------------------------------------------------------------------------------------

async def test_its_dice_are_its_own_and_the_old_throws_stay_as_they_lay(services: Services, store: Store) -> None:
    game = await thrown(services)
    row = await branched(services, game, 5, channel=ELSEWHERE)
    await services.answers.answer(row.id, ANNA, Throw())
    old, new = await rows_of(store, game), await rows_of(store, row.id)
    assert old[3] == new[3], "thrown before"
    for rows, secret in ((new, OTHER), (old, SECRET)):
        dice = SecretDice(secret, by_decision=True)
        assert json.loads(rows[6].answer)["values"] == list(dice(0, 1, (6,), "throw seat=seat_1 heap=10"))


async def test_it_never_returns_to_before_it_began(services: Services) -> None:
    game = await thrown(services)
    row = await branched(services, game, 5, channel=ELSEWHERE)
    sentence = "This game started from step 5 of another and can't go back before that."
    await refused(services.undo.rollback(row.id, 4, MASTER), sentence)
    await refused(services.undo.undo(row.id, MASTER), sentence)
    assert await undoable(services, row.id, TWO) is None
    await refused(services.undo.take_back(row.id, BERT), "You haven't made a move yet that you could undo.")
    assert await services.undo_requests.own_answers(row.id, BERT) == []
    await refused(services.undo_requests.plan(row.id, BERT, 5), "You can't undo step 5. It isn't your move, or it no longer "
                                                                "counts.")
    await services.answers.answer(row.id, ANNA, Take.of(1, "left"))
    await services.undo.rollback(row.id, 5, MASTER)
    assert (await services.session.table(row.id)).last_no == 7


async def test_its_record_says_where_it_comes_from_and_proves_its_own_throws(services: Services) -> None:
    game = await thrown(services)
    row = await branched(services, game, 5, channel=ELSEWHERE)
    assert json.loads((await services.records.export(row.id)).splitlines()[0])["origin"] == {"row": 5,
                                                                                             "commitment": commitment(SECRET)}
    await services.answers.answer(row.id, ANNA, Throw())
    await services.answers.answer(row.id, BERT, Throw())
    await finish(services, row.id)
    header = json.loads((await services.records.export(row.id)).splitlines()[0])
    assert header["public"], "the other game runs, and they share a past"
    await finish(services, game)
    told = await services.records.export(row.id)
    found = record.read(told)
    assert found.header.origin == record.Origin(row=5, commitment=commitment(SECRET)) and SECRET not in told
    assert record.replay(found, PEBBLES).over
    page: dict[str, Any] = {"__name__": "page"}
    exec(PAGE, page)
    assert page["verify"](told.splitlines()).startswith("All rolls after step 5 are as the secret gives them.")
    assert page["verify"](forged(told, 7).splitlines()) == "Step 7: the secret gives other dice."
    with pytest.raises(Faulty, match="Step 7: the secret gives other dice"):
        record.replay(record.read(forged(told, 7)), PEBBLES)
    with pytest.raises(Faulty, match="Step 4: dice can't show that"):
        record.replay(record.read(forged(told, 4, value=7)), PEBBLES)
    with pytest.raises(Faulty, match="goes on from another"):
        await services.records.take_in(told, by=MASTER, guild=None, channel=7)
    assert "origin" not in json.loads((await services.records.export(game)).splitlines()[0])
    assert record.replay(record.read(await services.records.export(game)), PEBBLES).over


def forged(told: str, no: int, *, value: int | None = None) -> str:
    """The record with another throw in one row, its hashes mended."""
    lines = bodies(told)
    for body in lines:
        if body.get("no") == no:
            body["answer"]["values"] = [value or body["answer"]["values"][0] % 6 + 1]
    return chained(lines)


# --- where it can begin -------------------------------------------------------------------------------------------

async def test_it_begins_after_a_row_that_there_is_and_not_among_sealed_answers(services: Services) -> None:
    game = await guessed(services, (ANNA, BERT, CARA))
    await refused(branched(services, game, 99, channel=ELSEWHERE), "There is no step 99. The last one is step 3.")
    await refused(branched(services, game, 2, channel=ELSEWHERE), "After step 2 only some of the sealed moves are in. "
                  "Choose step 0, just before them.")
    row = await branched(services, game, 0, channel=ELSEWHERE)
    assert [wait.seat for wait in await services.queries.waiting(row.id)] == ["seat_1", "seat_2", "seat_3"]
    assert row.id == game + 1, "what was refused left nothing behind"


async def test_nobody_learns_by_it_which_sealed_answers_are_in(services: Services) -> None:
    game = await started(services, (ANNA, BERT, CARA))
    await services.answers.answer(game, ANNA, Guess.of(1))
    await refused(branched(services, game, 1, channel=ELSEWHERE), "There is no step 1. The last one is step 0.")


async def test_a_game_that_is_over_can_be_played_on_from_an_earlier_row(services: Services) -> None:
    game = await thrown(services)
    await finish(services, game)
    last = await services.queries.newest(game)
    await refused(branched(services, game, last, channel=ELSEWHERE),
                  f"The game was over after step {last}. Choose an earlier one.")
    row = await branched(services, game, 5, channel=ELSEWHERE)
    assert [wait.seat for wait in await services.queries.waiting(row.id)] == [ONE]


async def test_a_branch_of_a_branch(services: Services) -> None:
    game = await thrown(services)
    first = await branched(services, game, 5, channel=ELSEWHERE)
    await services.answers.answer(first.id, ANNA, Take.of(1, "left"))
    second = await branched(services, first.id, 6, channel=ELSEWHERE)
    assert (await services.session.table(second.id)).state == (await services.session.table(first.id)).state
    await refused(services.undo.rollback(second.id, 5, MASTER),
                  "This game started from step 6 of another and can't go back before that.")


# --- on Discord -----------------------------------------------------------------------------------------------------

async def all_agree(world: World, shown: Any) -> None:
    """The players are asked by the button of what the game master was shown, and agree."""
    await world.olga.click(shown.response, label="Ask them")
    for person in (world.alice, world.bob):
        asked = next(message for message in reversed(world.table.history()) if "asks you to agree that" in message.content)
        await person.click(asked, label="Agree")


async def test_a_game_master_begins_it_in_a_thread_of_its_own(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    shown = await world.olga.slash(world.table, "gm branch", row=2)
    assert words(shown).startswith("The new game would go on from step 2 (Turn 1). When it ends, it shows everybody's secrets")
    await all_agree(world, shown)
    shown = await world.olga.slash(world.table, "gm branch", row=2)
    assert words(shown).startswith("Start a new game from step 2 (Turn 1) in a new thread? It has the same players")
    assert labels(shown.response) == ["Start it", "Cancel"]
    done = await world.olga.click(shown.response, label="Start it")
    row = await world.services.queries.game(2)
    assert words(done) == f"Game 2, Pebbles (2), goes on from step 2 in <#{row.channel}>."
    assert row.channel != world.table.id and any("starts from step 2 of this one" in post for post in world.posts())
    assert (await world.services.session.table(2)).state.heap == 12 and (await world.services.session.table(1)).state.heap == 10


async def test_two_presses_begin_one_game(world: World) -> None:
    await world.guessed()
    await all_agree(world, await world.olga.slash(world.table, "gm branch", row=2))
    shown = await world.olga.slash(world.table, "gm branch", row=2, place="this channel")
    async with world.together():
        await world.olga.click(shown.response, label="Start it")
        await world.olga.click(shown.response, label="Start it")
    assert (await world.services.queries.game(2)).channel == world.table.id
    with pytest.raises(Refusal):
        await world.services.queries.game(3)


async def test_a_row_that_there_is_not_makes_no_thread(world: World) -> None:
    await world.guessed()
    assert words(await world.olga.slash(world.table, "gm branch", row=9)) == "There is no step 9. The last one is step 2."
