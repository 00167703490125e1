"""A story gives every state of its rows back, also where its start lies amid a row, and knows what its reader knew."""
from __future__ import annotations

import json

import pytest

from engine.dice import LoadedDice
from engine.games.struggle_of_empires import GAME
from engine.kernel import Checkpoint, Seat, Table
from engine.kernel.game_spec import BOARD, Replay, pictures, view_at_the_end
from engine.selfplay import beginning
from tests.scene import FAIR, scene
from tests.toy import PEBBLES, Fell, Give, Guess, Guessed, Take, Taken, Throw

ONE, TWO = Seat("seat_1"), Seat("seat_2")


def pebbles(**fields: object) -> Replay:
    """Two seats guess 3 and 4; one takes 3 pebbles and gives 1 away, the other throws a 6."""
    start = beginning(PEBBLES, 2, "plain", {})
    table = Table(PEBBLES, {}, start, dice=LoadedDice((6,)), checkpoints=False)
    for seat, answer in ((ONE, Guess(pebbles=3)), (TWO, Guess(pebbles=4)), (ONE, Take(pebbles=3)), (ONE, Give(to=TWO, pebbles=1)),
                         (TWO, Throw())):
        table.answer(seat, answer)
    return Replay(spec=PEBBLES, parts={}, start=start, rows=[entry.row() for entry in table.fresh], **fields)   # type: ignore[arg-type]


def test_each_step_is_a_row_with_the_heap_just_after_it():
    steps = [(step.no, [type(event).__name__ for event in step.events], step.state.heap) for step in pebbles().steps()]
    assert steps == [(0, [], 12), (1, [], 12), (2, ["Guessed"], 12), (3, ["Taken"], 9), (4, ["Given"], 9), (5, [], 9),
                     (6, ["Fell"], 8)]


def test_each_event_comes_with_its_row_and_the_state_just_after_it():
    told = [(no, event, state.heap) for no, event, state in pebbles().events() if not isinstance(event, Guessed)]
    assert [(no, heap) for no, _, heap in told] == [(3, 9), (4, 9), (6, 8)]
    assert told[0][1] == Taken(seat=ONE, pebbles=3) and told[2][1] == Fell(seat=TWO, die=6)


@pytest.mark.parametrize("since, heap", [(-1, None), (0, 12), (2, 12), (3, 9), (5, 9), (6, None), (7, None)])
def test_what_the_reader_knew_is_there_only_if_something_has_happened_since(since, heap):
    known = pebbles(since=since).known()
    assert (known.heap if known is not None else None) == heap


def test_a_story_tells_its_reader_its_own_secret_and_no_other():
    assert view_at_the_end(pebbles(seat=ONE)).guess == 3
    assert view_at_the_end(pebbles(seat=TWO)).guess == 4
    assert view_at_the_end(pebbles()).guess is None


def test_what_a_phase_does_unasked_belongs_to_the_story_that_starts_there():
    table = scene(phase="war_end", war=1, markers={"austria": {"india": 1}}, gold=0, dice=FAIR)
    story = Replay(spec=GAME, parts=table.parts, start=table.start, rows=[entry.row() for entry in table.table.fresh])
    first = next(iter(story.steps()))
    assert first.no == 0 and [type(event).__name__ for event in first.events].count("WarEnded") == 1
    assert story.end().model_dump_json() == table.state.model_dump_json()
    *_, (_, _, last) = story.events()
    assert last.model_dump_json() == table.state.model_dump_json()
    assert story.end().points == {"austria": 5, "britain": 0}


def test_a_row_of_other_rules_is_told_by_an_error():
    story = pebbles()
    story.rows[2].events = json.dumps([{"is": "Stolen", "seat": ONE}])
    with pytest.raises(KeyError):
        story.end()


def test_a_game_without_pictures_of_its_own_has_the_board():
    start = Checkpoint(0, 0, beginning(PEBBLES, 2, "plain", {}).state)
    assert pictures(PEBBLES) == (BOARD,) and pictures(GAME) == GAME.views.pictures
    assert BOARD.scene(Replay(spec=PEBBLES, parts={}, start=start, rows=())).heap == 12
    assert BOARD.subjects({}) == {}
