"""Random legal games: the same seed plays the same game, every kind of answer has its chance, and a stuck game is seen."""
from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.kernel import Seat
from engine.selfplay import SELDOM, beginning, new_table, play_on, random_answer, rung
from tests.alarmed import DAYLIGHT
from tests.toy import FAIR, PEBBLES, Guess, Take, Throw


def test_a_new_game_begins_with_its_seats_at_the_first_question():
    start = beginning(PEBBLES, 3, "plain", {})
    assert (start.no, start.rolls) == (0, 0)
    table = new_table(PEBBLES, 3, "plain", {}, FAIR)
    assert [question.seat for question in table.waiting()] == [Seat("seat_1"), Seat("seat_2"), Seat("seat_3")]
    assert table.fresh == [] and table.state.model_dump_json() == start.state


def played(seed: int) -> list[tuple[str, str, str]]:
    table = new_table(PEBBLES, 2, "plain", {}, FAIR, checkpoints=False)
    for _ in play_on(table, random.Random(seed).randrange):
        pass
    assert table.over
    return [(entry.seat, entry.answer.verb, entry.answer.model_dump_json()) for entry in table.fresh]


def test_the_same_seed_plays_the_same_game_and_another_seed_another():
    assert played(1) == played(1) != played(2)


def test_each_question_tells_how_many_answers_there_were():
    table = new_table(PEBBLES, 2, "plain", {}, FAIR)
    numbers = list(play_on(table, random.Random(3).randrange))
    assert numbers[:3] == [10, 10, 7] and all(number >= 2 for number in numbers)


def test_no_kind_of_answer_drowns_the_others():
    options = [*(Take.of(n, "left") for n in range(1, 10)), Throw.of()]
    pick = random.Random(0).randrange
    kinds = Counter(type(random_answer(options, pick)) for _ in range(1000))
    assert 400 < kinds[Throw] < 600 and kinds[Take] == 1000 - kinds[Throw]
    assert {random_answer(options, pick) for _ in range(1000)} == set(options)
    assert random_answer([Guess.of(4)], pick) == Guess.of(4)


def test_a_game_without_an_end_is_stuck():
    table = new_table(PEBBLES, 2, "plain", {}, FAIR)
    with pytest.raises(AssertionError, match="no end after 3 rows"):
        list(play_on(table, random.Random(1).randrange, most_rows=3))


def test_moments_come_seldom_and_in_their_order():
    table, pick = new_table(DAYLIGHT, 2, "plain", {}, FAIR), random.Random(2).randrange
    for when in ("dusk", "night"):
        told = [decree for _ in range(10 * SELDOM) if (decree := rung(table, pick)) is not None]
        assert 5 <= len(told) <= 20 and {decree.model_dump()["when"] for decree in told} == {when}
        table.decree(told[0])


def test_where_nothing_is_to_be_told_chance_is_not_asked():
    def never(most: int) -> int:
        raise AssertionError("a pick")

    assert rung(new_table(PEBBLES, 2, "plain", {}, FAIR), never) is None


def test_random_games_are_told_and_come_to_an_end():
    verbs = Counter[str]()
    for seed in range(40):
        table = new_table(DAYLIGHT, 2, "plain", {}, FAIR, checkpoints=False)
        for _ in play_on(table, random.Random(seed).randrange):
            pass
        verbs.update(entry.answer.verb for entry in table.fresh)
    assert verbs["dark"] >= 2
