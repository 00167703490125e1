"""Undo, redo and rollback: rows that return, never rows that go; a reference that keeps whole histories agrees."""
from __future__ import annotations

import random

import pytest

from bot.service import Services
from bot.store import Store
from engine.dice import SecretDice
from engine.kernel import Row, Seat
from engine.options import BY_DECISION, BY_NUMBER, DICE
from engine.refusals import Refusal
from engine.text import Reader, say
from engine.undo import REWIND, Rewind, line, redo_target, undo_target, undone_rows
from tests.bot.desk import ANNA, BERT, CARA, MASTER, delivered, guessed, heap, kinds, opened, play_on, started
from tests.toy import SECRET, Guess, Take, Throw

ONE, TWO = Seat("seat_1"), Seat("seat_2")
NAMES = Reader({"seat_1": "Amber", "seat_2": "Basalt"})


def did(no: int, by: str = "player", seat: str = "seat_1") -> Row:
    return Row(no, seat, by, "take", "{}")


def returned(no: int, to: int, kind: str = "undo", fresh: bool = False) -> Row:
    back = Rewind.model_validate({"to": to, "kind": kind, "fresh": fresh})
    return Row(no, "moderator", "moderator", REWIND, back.model_dump_json())


def numbers(rows: object) -> list[int]:
    return [row.no for row in rows]         # type: ignore[attr-defined]


# --- the log alone ------------------------------------------------------------------------------------

def test_an_empty_log_has_nothing_in_force() -> None:
    empty = line([])
    assert (empty.rows, empty.epoch, empty.returned_at, empty.head) == ((), 0, -1, 0)
    assert undo_target([]) is None and redo_target([]) is None


def test_a_return_takes_rows_out_of_force_and_the_game_goes_on_from_there() -> None:
    log = [did(1), did(2), did(3), returned(4, to=1), did(5)]
    now = line(log)
    assert (numbers(now.rows), now.returned_at, now.head) == ([1, 5], 4, 5)


def test_a_return_can_name_an_undone_row_or_a_row_that_returned() -> None:
    log = [did(1), did(2), returned(3, to=1), did(4)]
    assert numbers(line([*log, returned(5, to=2)]).rows) == [1, 2]
    assert numbers(line([*log, returned(5, to=3)]).rows) == [1]
    assert numbers(line([*log, returned(5, to=0)]).rows) == []


def test_fresh_dice_are_a_new_epoch_and_a_return_before_them_brings_the_old_ones() -> None:
    log = [did(1), did(2), returned(3, to=1, kind="rollback", fresh=True), did(4)]
    assert line(log).epoch == 1
    assert line([*log, returned(5, to=2)]).epoch == 0
    assert line([*log, returned(5, to=2), returned(6, to=1, kind="rollback", fresh=True)]).epoch == 2


def test_an_undo_goes_before_the_last_decision_and_all_that_followed() -> None:
    assert undo_target([did(1), did(2), did(3, by="dice"), did(4, by="rule")]) == 1
    assert undo_target([did(1)]) == 0
    assert undo_target([did(1, by="dice")]) is None


@pytest.mark.parametrize("by", ["player", "order", "clock", "moderator"])
def test_whose_word_is_a_decision(by: str) -> None:
    assert undo_target([did(1), did(2, by=by)]) == 1


def test_what_the_clock_answered_for_an_absent_seat_is_no_decision() -> None:
    rows = [did(1), did(2), did(3, by="clock", seat="seat_2")]
    assert undo_target(rows, {"seat_2"}) == 1 and undo_target(rows) == 2
    log = [*rows, returned(4, to=1), did(5, by="clock", seat="seat_2")]
    assert redo_target(log, {"seat_2"}) == 3 and redo_target(log) is None


def test_a_redo_leads_back_step_by_step_until_somebody_decides() -> None:
    log = [did(1), did(2), returned(3, to=1), returned(4, to=0)]
    assert redo_target(log) == 3
    log.append(returned(5, to=3, kind="redo"))
    assert redo_target(log) == 2
    assert redo_target([*log, did(6, by="dice")]) == 2                  # the dice are no decision
    assert redo_target([*log, did(6)]) is None


def test_what_a_return_takes_back() -> None:
    log = [did(1), did(2), returned(3, to=1), did(4), did(5)]
    assert numbers(undone_rows(log, 4)) == [5] and numbers(undone_rows(log, 0)) == [1, 4, 5]
    assert numbers(undone_rows(log, 2)) == [4, 5]


@pytest.mark.parametrize("seed", range(20))
def test_the_line_is_what_a_keeper_of_whole_histories_says(seed: int) -> None:
    chance = random.Random(seed)
    log: list[Row] = []
    histories: list[list[int]] = [[]]       # after each row of any kind: the numbers in force
    for no in range(1, 60):
        if chance.random() < 0.3:
            to = chance.randint(0, no - 1)
            log.append(returned(no, to, kind="rollback"))
            histories.append(histories[to])
        else:
            log.append(did(no))
            histories.append([*histories[-1], no])
        assert numbers(line(log).rows) == histories[-1]


# --- through the bot ------------------------------------------------------------------------------------


async def test_undo_and_redo_tell_what_they_take_and_bring(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    await delivered(services)
    preview = await services.undo.undo(game, MASTER)
    assert (preview.to, preview.rows, [say(line, NAMES) for line in preview.lines]) == (2, [3], ["Amber takes 3 pebbles."])
    letters = await delivered(services)
    assert kinds(letters) == [("notice", "public"), ("picture", "public"), ("private", ONE), ("private", TWO), ("question", ONE)]
    assert letters[0].payload == {"text": "Game master <@900> undid 1 step. Turn 1."}
    assert letters[4].payload["asked_at"] == 4 and await heap(services, game) == 12
    preview = await services.undo.redo(game, MASTER)
    assert (preview.to, preview.rows) == (3, [3])
    letters = await delivered(services)
    assert letters[0].payload == {"text": "Game master <@900> undid the undo. Turn 2."}
    assert await heap(services, game) == 9


async def test_no_row_is_ever_lost(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    before = await store.read(lambda ledger: ledger.log.rows(game))
    await services.undo.undo(game, MASTER)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    after = await store.read(lambda ledger: ledger.log.rows(game))
    assert after[:3] == before and [row.verb for row in after[3:]] == ["return", "take"]


async def test_the_same_throw_comes_back_after_an_undo(services: Services) -> None:
    game = await guessed(services)
    first = await services.answers.answer(game, ANNA, Throw())
    await services.undo.undo(game, MASTER)
    again = await services.answers.answer(game, ANNA, Throw())
    assert again.entries[1].answer == first.entries[1].answer
    await services.undo.rollback(game, 2, MASTER, fresh=True)
    other = await services.answers.answer(game, ANNA, Throw())
    assert other.entries[1].answer.model_dump()["epoch"] == 1
    assert "New dice are rolled" in next(letter.payload["text"] for letter in await services.outbox.pending(99)
                                   if letter.kind == "notice" and "New dice" in letter.payload["text"])


@pytest.mark.parametrize("by", [BY_DECISION, BY_NUMBER])
async def test_another_decision_after_an_undo_gets_other_dice_unless_the_table_chose_otherwise(services: Services,
                                                                                               by: str) -> None:
    """Bert throws where Anna threw: by number the same dice come, so he would throw knowing them."""
    game = await opened(services, seats=2)
    await services.lobby.set_options(game, MASTER, changes={DICE: by})
    for member in (ANNA, BERT):
        await services.lobby.join(game, member)
    await services.lobby.start(game, MASTER)
    for member in (ANNA, BERT):
        await services.answers.answer(game, member, Guess.of(1))
    first = await services.answers.answer(game, ANNA, Throw())
    await services.undo.undo(game, MASTER)
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    other = await services.answers.answer(game, BERT, Throw())
    dice = SecretDice(SECRET, by_decision=by == BY_DECISION)
    shown = [done.entries[1].answer.model_dump()["values"] for done in (first, other)]
    assert shown == [dice(0, 0, (6,), "throw seat=seat_1 heap=12"), dice(0, 0, (6,), "throw seat=seat_2 heap=10")]
    assert (shown[0] == shown[1]) == (by == BY_NUMBER)


async def test_taking_back_a_sealed_answer_tells_nothing_of_it(services: Services) -> None:
    game = await started(services)
    await delivered(services)
    await services.answers.answer(game, ANNA, Guess.of(7))
    preview = await services.undo.undo(game, MASTER)
    assert (preview.rows, preview.lines) == ([1], [])
    letters = await delivered(services)
    assert letters[0].payload == {"text": "Game master <@900> undid 1 step. Turn 1."}
    assert kinds(letters)[2:] == [("question", ONE), ("question", TWO)]
    assert "7" not in str([letter.payload for letter in letters if letter.kind != "question"])


async def test_private_messages_are_told_again_and_forget_what_was_taken_back(services: Services) -> None:
    game = await guessed(services)
    await services.undo.undo(game, MASTER)
    private = [letter.payload for letter in await delivered(services) if letter.kind == "private"]
    assert private == [{"seat": seat, "text": "You have no secrets right now.", "last": []} for seat in (ONE, TWO)]


async def test_there_is_nothing_to_take_back_or_to_bring_back(services: Services) -> None:
    game = await started(services)
    for step, sentence in (
            (services.undo.undo(game, MASTER), "There is nothing to undo yet."),
            (services.undo.redo(game, MASTER),
             "There is nothing to redo: nothing was undone, or the game has moved on since."),
            (services.undo.rollback(game, 0, MASTER), "The game is already at step 0, so there is nothing to undo."),
            (services.undo.rollback(game, 5, MASTER), "There is no step 5. The last one is step 0."),
            (services.undo.preview(game, -1), "There is no step −1. The last one is step 0.")):
        with pytest.raises(Refusal) as refused:
            await step
        assert str(refused.value) == sentence
    assert await services.queries.newest(game) == 0


async def test_a_redo_ends_where_somebody_decided_anew(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    await services.undo.undo(game, MASTER)
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    with pytest.raises(Refusal, match="There is nothing to redo"):
        await services.undo.redo(game, MASTER)
    await services.undo.rollback(game, 3, MASTER)    # but the undone row can still be named
    assert await heap(services, game) == 9


async def test_a_rollback_into_another_past_tells_both_ways(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    await services.undo.undo(game, MASTER)
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    await delivered(services)
    shown = await services.undo.preview(game, 3)
    done = await services.undo.rollback(game, 3, MASTER)
    assert shown == done and done.rows == [5]
    (notice,) = [letter.payload["text"] for letter in await delivered(services) if letter.kind == "notice"]
    assert notice == "Game master <@900> undid 1 step and redid 1 step. Turn 2."


async def test_an_undo_goes_past_what_a_free_seat_did_by_itself(services: Services) -> None:
    game = await guessed(services)
    await services.seats.resign(game, BERT)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    assert await heap(services, game) == 8
    await services.undo.undo(game, MASTER)
    assert await heap(services, game) == 12
    await services.undo.redo(game, MASTER)
    assert await heap(services, game) == 8


async def test_a_return_before_a_free_seats_turn_has_it_answered_again_at_once(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.seats.resign(game, BERT)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    await services.undo.rollback(game, 3, MASTER)
    assert [row.by for row in await store.read(lambda ledger: ledger.log.rows(game, since=4))] == ["moderator", "clock"]
    again = play_on(store)
    assert await heap(again, game) == await heap(services, game) == 8


async def test_a_paused_game_can_be_taken_back_and_asks_when_it_goes_on(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    await services.seats.pause(game, MASTER)
    await delivered(services)
    await services.undo.undo(game, MASTER)
    assert "question" not in [kind for kind, _ in kinds(await delivered(services))]
    await services.seats.go_on(game, MASTER)
    assert kinds(await delivered(services)) == [("notice", "public"), ("question", ONE)]


async def test_what_was_not_told_yet_is_not_told_after_it_was_taken_back(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    await services.undo.undo(game, MASTER)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    letters = await delivered(services)
    told = [line for letter in letters if letter.kind == "log" for line in letter.payload["lines"]]
    assert told == ["Amber takes 3 pebbles.", "Amber takes 1 pebble."]  # each once: the first before it was taken back
    assert [letter.payload["asked_at"] for letter in letters if letter.kind == "question"] == [5]


async def test_three_can_return_too(services: Services) -> None:
    game = await started(services, (ANNA, BERT, CARA))
    for member in (CARA, ANNA):
        await services.answers.answer(game, member, Guess.of(4))
    await services.undo.undo(game, MASTER)
    assert [wait.seat for wait in await services.queries.waiting(game)] == [ONE, TWO]
