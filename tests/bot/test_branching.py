"""Playing on from a row of one game as another: everything up to there comes along, and neither touches the other."""
from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.deadlines import read as clock_of
from bot.service import Play
from bot.store import Store
from engine import record
from engine.dice import SecretDice, commitment
from engine.kernel import Row, Seat
from engine.orders import Line, Order, Reply
from engine.refusals import Faulty, Refusal
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, branched, delivered, guessed, kinds, play_on, started
from tests.bot.discord_world import World, labels, words
from tests.toy import PEBBLES, SECRET, Guess, Take, Throw

ONE, TWO = Seat("seat_1"), Seat("seat_2")
PAGE = Path("docs/verify.py").read_text(encoding="utf-8")
OTHER = "ab" * 32           # the secret of the branch
ELSEWHERE = 71              # its channel


@pytest.fixture
async def play(store: Store, clock: Clock) -> AsyncIterator[Play]:
    play = play_on(store, clock=clock)
    secrets = iter([SECRET])                # of the first game; all that come later have the other one
    play._secret = lambda: next(secrets, OTHER)
    yield play


async def thrown(play: Play) -> int:
    """Rows 1 and 2: guesses; 3 and 4: Anna throws; 5: Bert takes one; 6 and 7: Anna throws again."""
    game = await guessed(play)
    await play.answer(game, ANNA, Throw())
    await play.answer(game, BERT, Take.of(1, "left"))
    await play.answer(game, ANNA, Throw())
    await delivered(play)
    return game


async def rows_of(store: Store, game: int) -> list[Row]:
    return await store.read(lambda ledger: ledger.rows(game))


async def finish(play: Play, game: int) -> None:
    while not (await play.table(game)).over:
        (waits,) = await play.waiting(game)
        assert waits.user is not None
        most = min(3, (await play.table(game)).state.heap)
        await play.answer(game, waits.user, Take.of(most, "left"))
    await delivered(play)


async def refused(deed: Any, sentence: str) -> None:
    with pytest.raises(Refusal) as why:
        await deed
    assert str(why.value) == sentence


# --- what comes along -----------------------------------------------------------------------------------------

async def test_the_position_the_rows_and_the_seats_come_along(play: Play, store: Store) -> None:
    game = await thrown(play)
    before = await rows_of(store, game)
    row = await branched(play, game, 5, channel=ELSEWHERE, title="What if")
    assert (row.id, row.title, row.channel, row.status) == (game + 1, "What if", ELSEWHERE, "running")
    assert await rows_of(store, row.id) == before[:5] and await rows_of(store, game) == before
    assert [(holder.seat, holder.user) for holder in await play.holders(row.id)] == [(ONE, ANNA), (TWO, BERT)]
    old, new = await play.table(game), await play.table(row.id)
    assert (new.state.taken, new.state.turn, new.last_no) == ({TWO: 1}, 2, 5)
    assert new.state.heap >= old.state.heap
    assert new.state.guess == {ONE: 1, TWO: 2}
    assert [wait.seat for wait in await play.waiting(row.id)] == [ONE]


async def test_everything_that_was_taken_back_before_comes_along_too(play: Play, store: Store) -> None:
    game = await thrown(play)
    await play.undo(game, MASTER)
    await play.answer(game, ANNA, Take.of(2, "left"))
    row = await branched(play, game, 9, channel=ELSEWHERE)
    assert row.title == "Friday (9)"
    assert await rows_of(store, row.id) == await rows_of(store, game)
    assert (await play.table(row.id)).state == (await play.table(game)).state
    history = await play.history(row.id, page=1, size=50)
    assert history == await play.history(game, page=1, size=50)


async def test_both_go_on_without_touching_each_other(play: Play) -> None:
    game = await thrown(play)
    row = await branched(play, game, 5, channel=ELSEWHERE)
    await play.answer(row.id, ANNA, Take.of(3, "left"))
    await play.answer(game, BERT, Take.of(2, "left"))
    assert (await play.table(row.id)).state.taken == {ONE: 3, TWO: 1} and (await play.table(game)).state.taken == {TWO: 3}
    assert (await play.table(row.id)).last_no == 6 and (await play.table(game)).last_no == 8


async def test_it_replays_after_a_restart(play: Play, store: Store) -> None:
    game = await thrown(play)
    row = await branched(play, game, 5, channel=ELSEWHERE)
    await play.answer(row.id, ANNA, Throw())
    again = play_on(store)
    assert (await again.table(row.id)).state == (await play.table(row.id)).state


async def test_time_comes_along_and_orders_do_not(play: Play, store: Store, clock: Clock) -> None:
    game = await guessed(play)
    await play.set_clock(game, MASTER, clock=clock_of("bank 72h"))
    clock.put_on(hours=10)
    await play.answer(game, ANNA, Take.of(1, "left"))
    await play.take_vacation(game, BERT, clock().date() + timedelta(days=3), clock().date() + timedelta(days=4))
    await play.give_orders(game, ANNA, [
        Order(seat=ONE, points=("DP-T2",), lines=(Line(then=Reply(verb="take", fields={"pebbles": 1, "hand": "left"})),))])
    row = await branched(play, game, 3, channel=ELSEWHERE)
    assert await play.banks(row.id) == await play.banks(game)
    assert (await play.banks(row.id))[ONE] == timedelta(hours=62)
    assert [deadline.seat for deadline in await play.deadlines(row.id)] == [TWO]
    assert await play.vacations(row.id, BERT)
    assert await store.read(lambda ledger: ledger.orders(row.id)) == [] and await play.orders(game, ANNA) != []


async def test_who_is_not_there_is_not_there_in_the_branch(play: Play) -> None:
    game = await guessed(play, (ANNA, BERT, CARA))
    await play.resign(game, BERT)
    row = await branched(play, game, 3, channel=ELSEWHERE)
    await play.answer(row.id, ANNA, Take.of(1, "left"))
    assert [wait.user for wait in await play.waiting(row.id)] == [CARA]


# --- what is told -----------------------------------------------------------------------------------------------

async def test_it_is_announced_in_both_places_and_all_are_asked_and_told_anew(play: Play) -> None:
    game = await thrown(play)
    row = await branched(play, game, 5, channel=ELSEWHERE)
    letters = await delivered(play)
    here, there = ([letter for letter in letters if letter.game == number] for number in (game, row.id))
    assert [letter.payload["text"] for letter in here] == [
        f"From row 5 on this game is also played as game {row.id}, in <#{ELSEWHERE}>. Here it goes on as it stands."]
    assert kinds(there) == [("notice", "public"), ("picture", "public"), ("private", ONE), ("private", TWO), ("question", ONE)]
    assert there[0].payload["text"] == (
        f"This game goes on from row 5 of game {game}, in <#7>. Its dice are its own from here on; their secret has the SHA-256 "
        f"{commitment(OTHER)}.")
    assert SECRET not in str([letter.payload for letter in letters])
    assert [note for note in (await play.audit(row.id, page=1))[0] if f"began this game from row 5 of game {game}" in note]


# --- dice ---------------------------------------------------------------------------------------------------------

async def test_its_dice_are_its_own_and_the_old_throws_stay_as_they_lay(play: Play, store: Store) -> None:
    game = await thrown(play)
    row = await branched(play, game, 5, channel=ELSEWHERE)
    await play.answer(row.id, ANNA, Throw())
    old, new = await rows_of(store, game), await rows_of(store, row.id)
    assert old[3] == new[3], "thrown before"
    for rows, secret in ((new, OTHER), (old, SECRET)):
        dice = SecretDice(secret, by_decision=True)
        assert json.loads(rows[6].answer)["values"] == list(dice(0, 1, (6,), "throw seat=seat_1 heap=10"))


async def test_it_never_returns_to_before_it_began(play: Play) -> None:
    game = await thrown(play)
    row = await branched(play, game, 5, channel=ELSEWHERE)
    sentence = "This game goes on from row 5 of another, and returns no further than that."
    await refused(play.rollback(row.id, 4, MASTER), sentence)
    await refused(play.undo(row.id, MASTER), sentence)
    assert await play.takes_back(row.id, TWO) is None
    await refused(play.take_back(row.id, BERT), "You have answered nothing yet that could be taken back.")
    assert await play.own_answers(row.id, BERT) == []
    await refused(play.plan(row.id, BERT, 5), "Row 5 is no answer of yours that is in force.")
    await play.answer(row.id, ANNA, Take.of(1, "left"))
    await play.rollback(row.id, 5, MASTER)
    assert (await play.table(row.id)).last_no == 7


async def test_its_record_says_where_it_comes_from_and_proves_its_own_throws(play: Play) -> None:
    game = await thrown(play)
    row = await branched(play, game, 5, channel=ELSEWHERE)
    assert json.loads((await play.export(row.id)).splitlines()[0])["origin"] == {"row": 5, "commitment": commitment(SECRET)}
    await play.answer(row.id, ANNA, Throw())
    await play.answer(row.id, BERT, Throw())
    await finish(play, row.id)
    assert json.loads((await play.export(row.id)).splitlines()[0])["public"], "the other game runs, and they share a past"
    await finish(play, game)
    told = await play.export(row.id)
    found = record.read(told)
    assert found.header.origin == record.Origin(row=5, commitment=commitment(SECRET)) and SECRET not in told
    assert record.replay(found, PEBBLES).over
    page: dict[str, Any] = {"__name__": "page"}
    exec(PAGE, page)
    assert page["verify"](told.splitlines()).startswith("All throws after row 5 are as the secret gives them.")
    assert page["verify"](forged(told, 7).splitlines()) == "Row 7: the secret gives other dice."
    with pytest.raises(Faulty, match="Row 7: the secret gives other dice"):
        record.replay(record.read(forged(told, 7)), PEBBLES)
    with pytest.raises(Faulty, match="Row 4: no dice can show that"):
        record.replay(record.read(forged(told, 4, value=7)), PEBBLES)
    with pytest.raises(Faulty, match="goes on from another"):
        await play.take_in(told, by=MASTER, guild=None, channel=7)
    assert "origin" not in json.loads((await play.export(game)).splitlines()[0])
    assert record.replay(record.read(await play.export(game)), PEBBLES).over


def forged(told: str, no: int, *, value: int | None = None) -> str:
    """The record with another throw in one row, its hashes mended."""
    bodies = [json.loads(line) for line in told.splitlines()]
    for body in bodies:
        del body["chain"]
        if body.get("no") == no:
            body["answer"]["values"] = [value or body["answer"]["values"][0] % 6 + 1]
    return record._chained(bodies)


# --- where it can begin -------------------------------------------------------------------------------------------

async def test_it_begins_after_a_row_that_there_is_and_not_among_sealed_answers(play: Play) -> None:
    game = await guessed(play, (ANNA, BERT, CARA))
    await refused(branched(play, game, 99, channel=ELSEWHERE), "There is no row 99; the last one is row 3.")
    await refused(branched(play, game, 2, channel=ELSEWHERE), "After row 2 only some of the answers that were sealed "
                  "together are in; name row 0, after which they were asked.")
    row = await branched(play, game, 0, channel=ELSEWHERE)
    assert [wait.seat for wait in await play.waiting(row.id)] == ["seat_1", "seat_2", "seat_3"]
    assert row.id == game + 1, "what was refused left nothing behind"


async def test_nobody_learns_by_it_which_sealed_answers_are_in(play: Play) -> None:
    game = await started(play, (ANNA, BERT, CARA))
    await play.answer(game, ANNA, Guess.of(1))
    await refused(branched(play, game, 1, channel=ELSEWHERE), "There is no row 1; the last one is row 0.")


async def test_a_game_that_is_over_can_be_played_on_from_an_earlier_row(play: Play) -> None:
    game = await thrown(play)
    await finish(play, game)
    last = await play.newest(game)
    await refused(branched(play, game, last, channel=ELSEWHERE),
                  f"The game was over after row {last}; name an earlier one.")
    row = await branched(play, game, 5, channel=ELSEWHERE)
    assert [wait.seat for wait in await play.waiting(row.id)] == [ONE]


async def test_a_branch_of_a_branch(play: Play) -> None:
    game = await thrown(play)
    first = await branched(play, game, 5, channel=ELSEWHERE)
    await play.answer(first.id, ANNA, Take.of(1, "left"))
    second = await branched(play, first.id, 6, channel=ELSEWHERE)
    assert (await play.table(second.id)).state == (await play.table(first.id)).state
    await refused(play.rollback(second.id, 5, MASTER),
                  "This game goes on from row 6 of another, and returns no further than that.")


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
    assert words(shown).startswith("A new game would go on from row 2 (Turn 1). Once it ends, it shows everybody's secrets")
    await all_agree(world, shown)
    shown = await world.olga.slash(world.table, "gm branch", row=2)
    assert words(shown).startswith("A new game would go on from row 2 (Turn 1) in a new thread: with the same players")
    assert labels(shown.response) == ["Begin it", "Cancel"]
    done = await world.olga.click(shown.response, label="Begin it")
    row = await world.play.game(2)
    assert words(done) == f"Game 2, Pebbles (2), goes on from row 2 in <#{row.channel}>."
    assert row.channel != world.table.id and any("is also played as game 2" in post for post in world.posts())
    assert (await world.play.table(2)).state.heap == 12 and (await world.play.table(1)).state.heap == 10


async def test_two_presses_begin_one_game(world: World) -> None:
    await world.guessed()
    await all_agree(world, await world.olga.slash(world.table, "gm branch", row=2))
    shown = await world.olga.slash(world.table, "gm branch", row=2, place="this channel")
    async with world.together():
        await world.olga.click(shown.response, label="Begin it")
        await world.olga.click(shown.response, label="Begin it")
    assert (await world.play.game(2)).channel == world.table.id
    with pytest.raises(Refusal):
        await world.play.game(3)


async def test_only_a_game_master_begins_it(world: World) -> None:
    await world.guessed()
    assert words(await world.bob.slash(world.table, "gm branch", row=2)).startswith("This is for the game master")
    with pytest.raises(Refusal):
        await world.play.game(2)


async def test_a_row_that_there_is_not_makes_no_thread(world: World) -> None:
    await world.guessed()
    assert words(await world.olga.slash(world.table, "gm branch", row=9)) == "There is no row 9; the last one is row 2."
