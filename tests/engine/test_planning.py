"""A round that is planned in private: what a preview shows, and where it ends."""
from __future__ import annotations

import pytest

from engine.dice import LoadedDice
from engine.kernel import Action, Checkpoint, Preview, Seat, Table, planned_round
from engine.refusals import Illegal
from tests.toy import ROUNDS, Beg, Draw, Give, Given, Grant, Guess, Show, Spend, Spent, Stop, Throw

ONE, TWO = Seat("seat_1"), Seat("seat_2")


START = Checkpoint(0, 0, ROUNDS.rules.setup((ONE, TWO), {}, {}).model_dump_json())


def begun(*dice: tuple[int, ...]) -> Table:
    """Both have guessed; the first round of the first seat has begun."""
    table = Table(ROUNDS, {}, START, dice=LoadedDice(*dice))
    table.answer(ONE, Guess.of(1))
    table.answer(TWO, Guess.of(2))
    return table


def ahead(table: Table) -> Preview:
    """A preview for the first seat from where the table is."""
    return Preview(ROUNDS, {}, START, [entry.row() for entry in table.fresh], seat=ONE)


def test_a_preview_runs_ahead_and_leaves_the_table_alone():
    table = begun()
    before = table.state.model_dump_json()
    preview = ahead(table)
    assert [preview.step(Spend.of(3)), preview.step(Spend.of(1))] == [None, None]
    assert (preview.state.heap, preview.state.points, preview.options(ONE)[0]) == (8, 1, Spend.of(1))
    assert [event for entry in preview.fresh for event in entry.events] == [Spent(seat=ONE, pebbles=n) for n in (3, 1)]
    assert table.state.model_dump_json() == before and table.last_no == 2


def test_a_step_that_is_not_legal_in_the_preview_changes_nothing_there():
    preview = ahead(begun())
    preview.step(Spend.of(3))
    with pytest.raises(Illegal, match="you have 2 points"):
        preview.step(Spend.of(3))
    assert (preview.state.points, len(preview.fresh)) == (2, 1)


@pytest.mark.parametrize("action, closing", [
    (Stop.of(), "end"), (Draw.of(), "draw"), (Throw.of(), "draw"), (Beg.of(), "question")])
def test_a_plan_ends_with_the_round_with_chance_and_with_a_question_to_somebody_else(action: Action, closing: str):
    assert ahead(begun()).step(action) == closing


def test_what_a_seat_shows_of_its_own_tells_it_nothing_so_it_plans_on():
    preview = ahead(begun())
    assert preview.step(Show.of()) is None
    assert preview.fresh[0].events[0].binds == "reveal" == preview.fresh[0].events[0].binding(preview.state, TWO)


def test_the_end_of_the_game_ends_a_plan():
    table = begun()
    for seat in (ONE, TWO, ONE):
        table.answer(seat, Spend.of(3))
        table.answer(seat, Stop.of())
    table.answer(TWO, Stop.of())
    assert ahead(table).step(Spend.of(3)) == "end"


def test_only_the_decisions_of_a_round_are_planned():
    table = begun()
    assert (planned_round(table, ONE), planned_round(table, TWO)) == ("0", "")
    table.answer(ONE, Spend.of(1))
    table.answer(ONE, Give.of(TWO, 1))
    table.answer(ONE, Beg.of())
    assert table.options(TWO) == (Grant.of(False), Grant.of(True)) and planned_round(table, TWO) == ""
    table.answer(TWO, Grant.of(False))
    assert planned_round(table, ONE) == "0"
    assert planned_round(Table(ROUNDS, {}, START, dice=LoadedDice()), ONE) == "", "what several are asked at once is sealed"


def test_a_preview_stands_on_what_others_did_meanwhile():
    table = begun()
    table.answer(ONE, Spend.of(1))
    table.answer(ONE, Give.of(TWO, 1))
    preview = ahead(table)
    assert preview.state.taken == {ONE: 0, TWO: 1} and preview.step(Spend.of(1)) is None
    assert Given(giver=ONE, to=TWO, pebbles=1) not in [event for entry in preview.fresh for event in entry.events]


def test_a_preview_stands_on_what_chance_has_shown():
    table = begun((6,))
    table.answer(ONE, Throw.of())
    assert ahead(table).state.heap == 11
