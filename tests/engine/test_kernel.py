"""The table: who is asked, what is taken and refused, rows, checkpoints, replay, drift, absence; all on the toy."""
from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from engine.dice import LoadedDice
from engine.kernel import (
    CHANCE,
    Checkpoint,
    Entry,
    Event,
    Presentation,
    Rolled,
    Row,
    Seat,
    Sheet,
    Table,
    actions,
    choices,
    fold,
    parse_action,
    parse_events,
)
from engine.refusals import Drift, Illegal, NotAsked, Refusal, Stale
from engine.text import say
from tests.often_said import NOTHING_TO_DO
from tests.toy import FAIR, PEBBLES, Give, Given, Guess, Guessed, Take, Taken, Throw, pebbles, plain

ONE, TWO, THREE = Seat("seat_1"), Seat("seat_2"), Seat("seat_3")


def guessed(*dice: tuple[int, ...]) -> Table:
    """Two seats have guessed; the first is to take or throw."""
    table = pebbles(2, LoadedDice(*dice))
    table.answer(ONE, Guess.of(1))
    table.answer(TWO, Guess.of(2))
    return table


def start_of(table: Table) -> Checkpoint:
    return Checkpoint(0, 0, PEBBLES.rules.setup(tuple(map(Seat, table.state.seats)), {}, {}).model_dump_json())


def rows(table: Table) -> list[Row]:
    return [entry.row() for entry in table.fresh]


def rebuilt(past: list[Row], seats: int = 2, **more: Any) -> Table:
    start = start_of(pebbles(seats))
    return Table(PEBBLES, {}, start, past, **{"dice": FAIR, "run_on": False, **more})


def standing(table: Table) -> tuple[str, list[tuple[str, str]], int]:
    return table.state.model_dump_json(), [(question.seat, question.point) for question in table.waiting()], table.asked_at


# --- asking -------------------------------------------------------------------------------------------

def test_several_seats_are_asked_at_once_and_nobody_sees_an_answer_before_the_last():
    table = pebbles(3)
    assert [question.seat for question in table.waiting()] == [ONE, TWO, THREE]
    table.answer(TWO, Guess.of(4))
    assert [question.seat for question in table.waiting()] == [ONE, THREE]
    assert table.state.guess == {} and table.fresh[0].events == ()
    table.answer(THREE, Guess.of(5))
    table.answer(ONE, Guess.of(6))
    assert table.state.guess == {ONE: 6, TWO: 4, THREE: 5}
    assert [question.point for question in table.waiting()] == ["DP-T2"]


def test_a_question_is_a_sentence_with_a_point_and_a_default():
    table = guessed()
    question = table.asked(ONE)
    assert question is not None and say(question.text()) == "The heap has 12. What do you do?"
    assert table.asked(TWO) is None and table.options(TWO) == ()
    assert table.default(ONE) == Take.of(1, "left")
    with pytest.raises(NotAsked):
        table.default(TWO)


def test_options_are_listed_for_who_is_asked_only():
    table = guessed()
    assert len(table.options(ONE)) == 7 and Throw.of() in table.options(ONE)
    assert table.options(Seat("nobody")) == ()


def test_dice_answer_at_once_and_the_script_runs_on():
    table = guessed((6,))
    for seat in (ONE, TWO, ONE):
        table.answer(seat, Take.of(3, "left"))
    table.answer(TWO, Take.of(1, "left"))
    table.answer(ONE, Throw.of())                   # a 6: one of two pebbles flies away
    assert [(entry.seat, entry.by, entry.answer.verb) for entry in table.fresh[-2:]] == [
        (ONE, "player", "throw"), (CHANCE, "dice", "roll")]
    assert table.state.heap == 1 and set(table.options(TWO)) == {Take.of(1, "left"), Take.of(1, "right")}
    assert table.where() == "taking"


# --- refusing -----------------------------------------------------------------------------------------

@pytest.mark.parametrize("seat, action, kind, sentence", [
    (TWO, Take.of(1, "left"), NotAsked, NOTHING_TO_DO),
    (Seat("nobody"), Take.of(1, "left"), NotAsked, NOTHING_TO_DO),
    (ONE, Take.of(4, "left"), Illegal, "The heap has 12 pebbles; you can take at most 3."),
    (ONE, Guess.of(1), Illegal, "First decide this: The heap has 12. What do you do? You can: take and throw."),
    (ONE, Give.of(TWO, 1), Illegal, "You have 0 pebbles, so you can't give 1."),
    (ONE, Rolled(values=(6,), epoch=0, throw=0), Illegal,
     "First decide this: The heap has 12. What do you do? You can: take and throw."),
    (CHANCE, Rolled(values=(6,), epoch=0, throw=0), NotAsked, NOTHING_TO_DO),
])
def test_a_refusal_is_a_sentence_and_changes_nothing(seat, action, kind, sentence):
    table = guessed()
    before = standing(table), len(table.fresh), table.last_no
    for ask in (table.answer, table.examine):
        with pytest.raises(Refusal) as refused:
            ask(seat, action)
        assert type(refused.value) is kind and str(refused.value) == sentence
    assert (standing(table), len(table.fresh), table.last_no) == before


def test_an_answer_to_an_earlier_question_is_stale_and_one_to_the_present_is_taken():
    table = guessed()
    old = table.asked_at
    table.answer(ONE, Take.of(1, "left"), asked_at=old)
    table.answer(TWO, Take.of(1, "left"))
    with pytest.raises(Stale, match=r"^That was for an earlier question\. Here is the current one\.$"):
        table.answer(ONE, Take.of(1, "left"), asked_at=old)
    table.answer(ONE, Take.of(1, "left"), asked_at=table.asked_at)


def test_questions_that_are_put_together_are_not_stale_for_each_other():
    table = pebbles(2)
    asked_at = table.asked_at
    table.answer(ONE, Guess.of(1), asked_at=asked_at)
    table.answer(TWO, Guess.of(1), asked_at=asked_at)
    assert table.state.phase == "taking"


def test_after_the_end_everything_is_refused():
    table = guessed()
    while not table.over:
        seat = table.waiting()[0].seat
        table.answer(seat, table.options(seat)[0])
    for action in (Take.of(1, "left"), Give.of(TWO, 1)):
        with pytest.raises(NotAsked, match=r"^The game is over\.$"):
            table.answer(ONE, action)
    assert table.waiting() == [] and table.options(ONE) == ()


# --- acts at any time ---------------------------------------------------------------------------------

def test_an_aside_is_taken_whoever_is_asked_and_leaves_the_question_as_it_is():
    table = guessed()
    table.answer(ONE, Take.of(3, "left"))
    asked_at, waiting = table.asked_at, table.waiting()
    table.answer(ONE, Give.of(TWO, 2))
    assert table.state.taken == {ONE: 1, TWO: 2}
    assert (table.asked_at, table.waiting()) == (asked_at, waiting)
    assert table.fresh[-1].events == (Given(giver=ONE, to=TWO, pebbles=2),)
    table.answer(TWO, Take.of(1, "left"), asked_at=asked_at)


def test_an_aside_survives_the_replay():
    table = guessed()
    table.answer(ONE, Take.of(3, "left"))
    table.answer(ONE, Give.of(TWO, 1))
    assert standing(rebuilt(rows(table))) == standing(table)


# --- rows, checkpoints, replay ------------------------------------------------------------------------

def test_rows_say_who_answered_what_and_what_followed():
    table = guessed()
    table.answer(ONE, Take.of(2, "right"), by="moderator")
    entry = table.fresh[-1]
    assert isinstance(entry, Entry) and (entry.no, entry.seat, entry.by) == (3, ONE, "moderator")
    row = entry.row()
    assert (row.verb, json.loads(row.answer)) == ("take", {"pebbles": 2, "hand": "right"})
    assert parse_events(PEBBLES, row.events) == [Taken(seat=ONE, pebbles=2)]


def test_equal_facts_are_one_object_with_one_text_where_equal_values_have_the_same_text():
    class Known(Event):
        seat: Seat
        pebbles: tuple[int, ...] = ()
        to: str | None = None

    class Alike(Event):
        to: Seat
        heaps: tuple[int, ...] = ()
        seat: str | None = None

    class Loose(Event):
        value: int | bool
        heap: dict[str, int] = {}

    known = Known(seat=ONE, pebbles=(1, 2))
    assert known is Known(seat=ONE, pebbles=(1, 2)) and known is not Known(seat=ONE, pebbles=(2, 1))
    assert known == Known.model_validate({"seat": ONE, "pebbles": [1, 2]})
    assert known.stored() is known.stored() == '{"is":"Known","seat":"seat_1","pebbles":[1,2],"to":null}'
    assert Alike(to=ONE, heaps=(1, 2)).stored() == '{"is":"Alike","to":"seat_1","heaps":[1,2],"seat":null}'
    assert [Loose(value=value).stored() for value in (1, True)] == [
        '{"is":"Loose","value":1,"heap":{}}', '{"is":"Loose","value":true,"heap":{}}']
    assert Loose(value=1) is not Loose(value=1), "its heap can change"
    with pytest.raises(ValidationError):
        Known.model_validate({"seat": ONE, "pebbles": (1, 2), "heap": 3})
    with pytest.raises(TypeError):
        Known(seat=ONE, pebbles=[1, 2])         # type: ignore[arg-type]
    assert Loose(value=1, heap={"left": 3}).stored() == '{"is":"Loose","value":1,"heap":{"left":3}}'


def test_what_a_seat_learns_stands_beside_the_row_and_not_in_it():
    table = guessed()
    assert dict(table.fresh[1].private).keys() == {ONE, TWO}
    assert [say(words) for seat, words in table.fresh[1].private if seat == TWO] == ["You guessed 2."]
    assert table.fresh[1].events == (Guessed(guesses={ONE: 1, TWO: 2}),)


def test_taking_rows_hands_each_over_once_with_the_last_phase_begun():
    table = guessed()
    entries, checkpoint = table.take()
    assert [entry.no for entry in entries] == [1, 2] and checkpoint is not None and checkpoint.no == 2
    assert table.take() == ([], None)
    table.answer(ONE, Take.of(1, "left"))
    assert [entry.no for entry in table.take()[0]] == [3]


def test_a_table_is_rebuilt_from_any_checkpoint_and_the_rows_after_it():
    table = pebbles(3, FAIR)
    checkpoints, past, stood = [start_of(table)], [], {}
    while not table.over:
        seat = table.waiting()[-1].seat
        table.answer(seat, table.options(seat)[-1])
        entries, checkpoint = table.take()
        past += [entry.row() for entry in entries]
        checkpoints += [checkpoint] if checkpoint is not None else []
        stood[table.last_no] = standing(table)
    assert len(checkpoints) > 5
    for number, start in enumerate(checkpoints):
        later = [no for no in stood if no >= start.no]
        for no in later if number == 0 else (*later[:3], later[-1]):
            between = [row for row in past if start.no < row.no <= no]
            again = Table(PEBBLES, {}, start, between, dice=LoadedDice(), run_on=False)
            assert standing(again) == stood[no] and again.last_no == no


def test_a_table_can_be_looked_at_where_the_past_ends_even_before_dice():
    table = guessed((3,))
    table.answer(ONE, Throw.of())
    before = rebuilt(rows(table)[:3])
    assert [question.seat for question in before.waiting()] == [CHANCE] and before.last_no == 3
    on = rebuilt(rows(table)[:3], run_on=True, dice=LoadedDice((5,)))
    assert on.state.thrown == 1 and on.fresh[-1].answer == Rolled(values=(5,), epoch=0, throw=0)


def test_throws_are_numbered_through_a_replay():
    table = guessed((3,), (4,))
    table.answer(ONE, Throw.of())
    again = rebuilt(rows(table), run_on=True, dice=LoadedDice((2,)), epoch=5)
    again.answer(TWO, Throw.of())
    assert again.fresh[-1].answer == Rolled(values=(2,), epoch=5, throw=1)


def test_after_a_return_rows_go_on_with_the_next_number_and_old_buttons_are_stale():
    table = guessed()
    again = rebuilt(rows(table), next_no=9, returned_at=8)
    assert again.asked_at == 8
    with pytest.raises(Stale):
        again.answer(ONE, Take.of(1, "left"), asked_at=2)
    again.answer(ONE, Take.of(1, "left"), asked_at=8)
    assert again.fresh[-1].no == 9


def test_the_events_alone_lead_to_the_same_state():
    table = guessed((2,), (6,))
    for seat, action in ((ONE, Throw.of()), (TWO, Take.of(3, "right")), (ONE, Throw.of())):
        table.answer(seat, action)
    folded = fold(PEBBLES, {}, start_of(table), [entry.events for entry in table.fresh])
    assert folded == table.state


def test_checkpoints_can_be_left_out():
    table = rebuilt([], checkpoints=False, run_on=True)
    table.answer(ONE, Guess.of(1))
    table.answer(TWO, Guess.of(1))
    assert table.checkpoint is None


# --- drift --------------------------------------------------------------------------------------------

def altered(no: int, **changes: Any) -> Iterator[Row]:
    table = guessed((6,))
    table.answer(ONE, Throw.of())
    for row in rows(table):
        yield replace(row, **changes) if row.no == no else row


@pytest.mark.parametrize("no, changes, first", [
    (2, {"events": "[]"}, 2), (2, {"seat": "seat_3"}, 2), (2, {"verb": "dance"}, 2), (2, {"answer": "{}"}, 2),
    (2, {"answer": "nonsense"}, 2), (1, {"verb": "take", "answer": '{"pebbles":1}'}, 1),
    (1, {"answer": '{"pebbles":3}'}, 2),                    # what the first guessed shows when both have
    (4, {"answer": '{"values":[5],"epoch":0,"throw":0}'}, 4),
])
def test_a_log_that_no_longer_fits_is_a_drift_and_names_the_first_row(no, changes, first):
    with pytest.raises(Drift) as drift:
        rebuilt(list(altered(no, **changes)))
    assert drift.value.no == first


def test_a_replay_from_a_trusted_log_asks_nobody_whether_the_answers_are_legal():
    table = guessed()
    table.answer(ONE, Take.of(3, "left"))
    past = rows(table)
    past[-1] = replace(past[-1], answer='{"pebbles":9,"hand":"left"}', events='[{"is":"Taken","seat":"seat_1","pebbles":9}]')
    assert rebuilt(past).state.taken == {ONE: 9}
    with pytest.raises(Drift, match="row 3: take by seat_1 does not fit"):
        rebuilt(past, strict=True)


def test_a_file_from_outside_must_show_the_throws_of_its_secret():
    table = pebbles(2, FAIR)
    for seat, action in ((ONE, Guess.of(1)), (TWO, Guess.of(1)), (ONE, Throw.of())):
        table.answer(seat, action)
    assert standing(rebuilt(rows(table), strict=True)) == standing(table)
    shower: Any = table.fresh[-1].answer
    (shown,) = shower.values
    past = rows(table)
    other = shown % 5 + 1
    past[-1] = replace(past[-1], answer=f'{{"values":[{other}],"epoch":0,"throw":0}}',
                       events=f'[{{"is":"Fell","seat":"seat_1","die":{other}}}]')
    assert rebuilt(past).state.thrown == 1
    with pytest.raises(Drift, match="row 4: roll by chance does not fit"):
        rebuilt(past, strict=True)


# --- absence ------------------------------------------------------------------------------------------

def test_who_is_absent_is_answered_for_by_the_clock_and_the_game_goes_on():
    table = rebuilt([], absent=(TWO,), run_on=True)
    assert [(entry.seat, entry.by) for entry in table.fresh] == [(TWO, "clock")]
    table.answer(ONE, Guess.of(3))
    assert table.state.guess == {ONE: 3, TWO: 0}
    table.answer(ONE, Take.of(1, "left"))
    assert table.state.taken == {ONE: 1, TWO: 1} and table.asked(ONE) is not None


# --- actions from outside -----------------------------------------------------------------------------

def test_equal_actions_are_equal_and_the_same_values_make_one_object():
    assert Take.of(2, "left") is Take.of(2, "left")
    assert Take(pebbles=2, hand="left") == Take.of(2, "left") and hash(Take(pebbles=2)) == hash(Take.of(2, "left"))
    assert Take.of(2, "left") != Take.of(2, "right") and Take.of(2, "left") != Guess.of(2)


def test_a_kind_keeps_so_many_of_its_actions_at_most(monkeypatch):
    """There is no end of bids that can be made: nobody can fill the memory with them."""
    monkeypatch.setattr(actions, "MADE", 3)
    monkeypatch.setattr(Take, "_made", {})
    first = Take.of(1, "left")
    for number in range(1, 10):
        assert Take.of(number, "left").pebbles == number and len(Take._made) <= 3
    assert Take.of(1, "left") == first


def test_an_action_is_read_from_fields_or_refused_with_a_sentence():
    assert parse_action(PEBBLES, "take", {"pebbles": "2"}) == Take(pebbles=2)
    assert parse_action(PEBBLES, "give", {"to": "seat_2", "pebbles": 1}) == Give(to="seat_2", pebbles=1)
    for verb, fields, sentence in [
        ("fly", {}, "This game has no move called fly."),
        ("take", {}, "This move also needs pebbles."),
        ("take", {"pebbles": 0}, "Pebbles must be at least 1."),
        ("throw", {"far": 1}, "This move has no far."),
    ]:
        with pytest.raises(Illegal) as refused:
            parse_action(PEBBLES, verb, fields)
        assert str(refused.value) == sentence


def test_the_choices_for_a_field_depend_on_the_fields_filled_in():
    options = [Take.of(n, hand) for n, hand in ((1, "left"), (2, "left"), (2, "right"))] + [Throw.of()]
    assert choices(options, "pebbles", {}) == [1, 2]
    assert choices(options, "pebbles", {"hand": "right"}) == [2]
    assert choices(options, "hand", {"pebbles": "1"}) == ["left"]
    assert choices(options, "colour", {}) == []


def test_a_game_finds_its_verbs_among_actions_and_asides():
    assert PEBBLES.verb("take") is Take and PEBBLES.verb("give") is Give and PEBBLES.verb("roll") is None


def test_an_action_without_a_label_of_its_own_says_its_verb_and_values():
    assert say(Guess.of(3).label()) == "guess: 3"
    assert say(Throw.of().label()) == "throw"
    assert Throw.of().consequence(guessed().state, ONE) is None


# --- how answers are offered --------------------------------------------------------------------------

@pytest.mark.parametrize("menus, fault", [
    (plain(Guess, Take, Throw), "give has no presentation"),
    ({**plain(Guess, Take, Throw, Give), "tkae": Presentation()}, "tkae is presented and no verb"),
    ({**plain(Guess, Throw, Give), "take": Presentation(where="field")}, "take has no field field"),
    ({**plain(Guess, Throw, Give), "take": Presentation(steps=(("pebbles", "foot"),))}, "take has no field foot"),
    ({**plain(Guess, Throw, Give), "take": Presentation(sheet=Sheet(line="hand", amount="number"))}, "take has no field number"),
])
def test_a_game_that_does_not_say_how_each_verb_is_offered_cannot_be_loaded(menus, fault):
    with pytest.raises(AssertionError, match=f"pebbles: {fault}"):
        PEBBLES.changed(menus=menus)
