"""The record of a finished game: it replays to its end, and whatever is changed in it is found."""
from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from engine import record
from engine.components import bound
from engine.dice import SecretDice
from engine.kernel import Seat, Table
from engine.refusals import Faulty
from engine.selfplay import new_table, play_on
from tests.forging import Lines, bodies, chained
from tests.often_said import NO_RECORD, OTHER_ROLLS
from tests.toy import PEBBLES, SECRET, State, Take, Taken

DICE = SecretDice(SECRET, by_decision=True)
Change = Callable[[Lines], object]


def finished(seed: int = 1) -> Table:
    table = new_table(PEBBLES, 3, "plain", {}, DICE)
    for _ in play_on(table, random.Random(seed).randrange):
        pass
    return table


def written(table: Table) -> str:
    return record.write(table, edition="plain", options={}, seats={Seat(seat): seat.title() for seat in table.state.seats},
                        components=bound(PEBBLES, {}), secret=SECRET, log=[entry.row() for entry in table.fresh])


def forged(change: Change) -> str:
    """A record with a change by somebody who also mends the chain."""
    lines = bodies(written(finished()))
    change(lines)
    return chained(lines)


@pytest.mark.parametrize("seed", range(10))
def test_a_record_replays_to_the_position_and_the_result_of_the_game(seed: int) -> None:
    table = finished(seed)
    found = record.read(written(table))
    replayed = record.replay(found, PEBBLES)
    assert replayed.over and replayed.state == table.state
    assert [row.no for row in found.rows] == [entry.no for entry in table.fresh]
    assert found.end.standings == PEBBLES.rules.standings(table.state)


def test_a_game_that_is_not_over_has_a_record_without_a_result() -> None:
    table = new_table(PEBBLES, 2, "plain", {}, DICE)
    found = record.read(written(table))
    assert found.end.result is None and not record.replay(found, PEBBLES).over


@pytest.mark.parametrize("line", range(1, 8))
def test_a_changed_line_breaks_the_chain(line: int) -> None:
    lines = written(finished()).splitlines()
    body = json.loads(lines[line])
    body["seat"] = "seat_9"
    lines[line] = json.dumps(body, separators=(",", ":"))
    with pytest.raises(Faulty, match=f"Line {line + 1} was changed, or a line before it is missing"):
        record.read("\n".join([*lines, ""]))


def test_a_line_that_says_the_same_in_another_way_is_not_as_it_was_written() -> None:
    """The chain is of what the lines say, so blanks break no link of it; yet the same record is the same file."""
    lines = written(finished()).splitlines()
    lines[2] = json.dumps(json.loads(lines[2]), ensure_ascii=False)
    with pytest.raises(Faulty, match="Line 3 was changed, or a line before it is missing"):
        record.read("\n".join([*lines, ""]))


def test_a_missing_line_breaks_the_chain() -> None:
    lines = written(finished()).splitlines()
    with pytest.raises(Faulty, match="Line 3 was changed, or a line before it is missing"):
        record.read("\n".join([*lines[:2], *lines[3:], ""]))


@pytest.mark.parametrize("text, sentence", [
    ("", "The record is cut off: it has 0 of at least 2 lines."),
    ("Dear diary", "The record is cut off in line 1."),
    ("Dear diary\n", f"Line 1 {NO_RECORD}."),
    ("[1, 2]\n", f"Line 1 {NO_RECORD}."),
    ('{"record": 1}\n', f"Line 1 {NO_RECORD}."),
])
def test_a_text_that_is_no_record(text: str, sentence: str) -> None:
    with pytest.raises(Faulty) as refused:
        record.read(text)
    assert str(refused.value) == sentence


def of_verb(bodies: list[dict[str, Any]], verb: str) -> dict[str, Any]:
    return next(body for body in bodies if body.get("verb") == verb)


def other_throw(bodies: list[dict[str, Any]]) -> None:
    thrown = of_verb(bodies, "roll")
    thrown["answer"]["values"] = [thrown["answer"]["values"][0] % 6 + 1]


def other_epoch(bodies: list[dict[str, Any]]) -> None:
    """Throw afresh without a word about it: the dice fit the secret, and only the epoch gives it away."""
    thrown = of_verb(bodies, "roll")
    thrown["answer"].update(epoch=1, values=DICE(1, thrown["answer"]["throw"], (6,), thrown["purpose"]))


def other_sides(bodies: list[dict[str, Any]]) -> None:
    """Another die that would have shown the same."""
    thrown = of_verb(bodies, "roll")
    (value,), throw, purpose = thrown["answer"]["values"], thrown["answer"]["throw"], thrown["purpose"]
    thrown["sides"] = [next(sides for sides in range(7, 10_000) if DICE(0, throw, (sides,), purpose) == (value,))]


def other_purpose(bodies: list[dict[str, Any]]) -> None:
    """Something else that would have been thrown for with the same die."""
    thrown = of_verb(bodies, "roll")
    (value,), throw = thrown["answer"]["values"], thrown["answer"]["throw"]
    thrown["purpose"] = next(other for other in map(str, range(100)) if DICE(0, throw, (6,), other) == (value,))


def chosen_purpose(bodies: list[dict[str, Any]]) -> None:
    """A purpose that gives a better die: whoever has the secret could find one."""
    thrown = of_verb(bodies, "roll")
    (value,), throw = thrown["answer"]["values"], thrown["answer"]["throw"]
    thrown["purpose"], thrown["answer"]["values"] = next((other, [*die]) for other in map(str, range(100))
                                                         if (die := DICE(0, throw, (6,), other)) != (value,))


def nested(depth: int) -> dict[str, Any]:
    return {"x": nested(depth - 1)} if depth else {}


@pytest.mark.parametrize("change, sentence", [
    (lambda bodies: bodies[0].update(game="chess"), "This is a record of another game"),
    (lambda bodies: bodies[0].update(components={"pebbles": 13}), "The components in the record don't match their hash"),
    (lambda bodies: bodies[0].update(secret="11" * 32), "The secret of the dice doesn't match the hash"),
    (lambda bodies: bodies[0].update(secret="dice"), "The secret of the dice isn't written in hexadecimal digits"),
    (lambda bodies: bodies[0].update(secret="AB" * 32), "in lower-case hexadecimal digits without blanks"),
    (lambda bodies: bodies[0].update(secret=f"{SECRET[:2]} {SECRET[2:]}"), "in lower-case hexadecimal digits without"),
    (lambda bodies: bodies[0].update(secret=f"{SECRET}\n"), "in lower-case hexadecimal digits without blanks"),
    (lambda bodies: of_verb(bodies, "roll").update(sides=[2**70]), "Step [0-9]+: dice have 4294967296 sides at most"),
    (lambda bodies: bodies[0].update(options={"x": float("nan")}), f"Line 1 {NO_RECORD}"),
    (lambda bodies: bodies[0].update(components={"x": 10**130}), f"Line 1 {NO_RECORD}"),
    (lambda bodies: bodies[0].update(options=nested(40)), f"Line 1 {NO_RECORD}"),
    (lambda bodies: bodies[0].pop("edition"), f"Line 1 {NO_RECORD}"),
    (lambda bodies: bodies[3].update(by="player"), "Line 4 isn't a line of a game record"),
    (lambda bodies: bodies.pop(), "The record is cut off after line [0-9]+: its end is missing"),
    (lambda bodies: of_verb(bodies, "guess")["answer"].update(pebbles=10), "Step 1 isn't allowed by the rules and the dice"),
    (other_purpose, "Step [0-9]+: the rules roll dice for something else than the record says"),
    (chosen_purpose, f"Step [0-9]+ {OTHER_ROLLS}"),
    (lambda bodies: of_verb(bodies, "roll").update(purpose="luck"), "Step [0-9]+: the secret gives other dice"),
    (lambda bodies: of_verb(bodies, "take")["answer"].update(pebbles=5), f"Step [0-9]+ {OTHER_ROLLS}"),
    (lambda bodies: of_verb(bodies, "take")["events"][0].update(pebbles=2, seat="seat_3"), "Step [0-9]+ isn't allowed"),
    (other_throw, "Step [0-9]+: the secret gives other dice than the record says"),
    (other_epoch, "Step [0-9]+: no undo explains why the dice were rolled afresh"),
    (lambda bodies: of_verb(bodies, "roll")["answer"].update(throw=1), "Step [0-9]+ says roll 1, but roll 0 comes next"),
    (other_sides, "Step [0-9]+: the rules roll dice with other sides than the record says"),
    (lambda bodies: bodies[2].update(no=9), "Step 3 can't follow step 9"),
    (lambda bodies: bodies[2].update(no=0), f"Line 3 {NO_RECORD}"),
    (lambda bodies: bodies[2].update(no=10**15), f"Line 3 {NO_RECORD}"),
    (lambda bodies: bodies.pop(-2), "The game ends in another position"),
    (lambda bodies: bodies.pop(4), "Step 4 should count after the undos and is missing"),
    (lambda bodies: bodies[0].update(seats={}), "Pebbles is for 2 to 4 players"),
    (lambda bodies: bodies[-1].update(state="0" * 64), "The game ends in another position"),
    (lambda bodies: bodies[-1].update(result="seat 9 wins."), "The game ends with another result"),
])
def test_a_forged_record_is_found_out(change: Change, sentence: str) -> None:
    with pytest.raises(Faulty, match=sentence):
        record.replay(record.read(forged(change)), PEBBLES)


@pytest.mark.parametrize("kind, name", [(Take, "was_legal"), (Take, "options"), (Taken, "apply")])
@pytest.mark.parametrize("error", [KeyError("pebbles 7"), AssertionError("seat_1"), ZeroDivisionError(), IndexError(3)])
def test_a_row_that_makes_the_rules_break_off_is_named(
        kind: type[Any], name: str, error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever a game's rules raise for a forged row, a verification says which one, and quotes nothing of it."""
    def broken(*_: object) -> bool:
        raise error

    found = record.read(forged(lambda bodies: None))
    first = next(row.no for row in found.rows if row.verb == "take")
    monkeypatch.setattr(kind, name, broken)
    with pytest.raises(Faulty) as refused:
        record.replay(found, PEBBLES)
    assert str(refused.value) == f"Step {first} isn't allowed by the rules and the dice."
    assert refused.value.__suppress_context__ and not caplog.records


def test_components_that_make_no_game_are_refused() -> None:
    def broken(*_: object) -> State:
        raise KeyError("the heap")

    with pytest.raises(Faulty, match="begin from the components and options in the record"):
        record.replay(record.read(forged(lambda bodies: None)), PEBBLES.changed(setup=broken))


def test_a_game_of_our_own_that_breaks_off_tells_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what comes from outside is taken for a forgery: a fault of ours keeps its traceback."""
    table = finished()

    def broken(*_: object) -> None:
        raise KeyError("heap")

    monkeypatch.setattr(Taken, "apply", broken)
    with pytest.raises(KeyError):
        written(table)


def test_the_forger_of_these_tests_changes_only_what_he_is_told() -> None:
    assert record.replay(record.read(forged(lambda bodies: None)), PEBBLES).over


def test_a_position_on_the_way() -> None:
    found = record.read(written(finished()))
    assert record.position(found, PEBBLES, 3).state.phase == "taking"
    assert record.position(found, PEBBLES, 0).state.phase == "guessing"
    with pytest.raises(Faulty, match="The record has no step 999"):
        record.position(found, PEBBLES, 999)
