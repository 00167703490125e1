"""Standing orders, packets and written turns as all games share them, with the tiny game."""
from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine.catalog import GAMES
from engine.components import components
from engine.dice import LoadedDice, SecretDice
from engine.kernel import Checkpoint, GameSpec, Row, Seat, Table
from engine.orders import (
    ALWAYS,
    DEFAULT,
    LEAST,
    LINES,
    MOST,
    NUMBERS,
    TESTS,
    TURN,
    Order,
    OrderLine,
    Orders,
    Reply,
    Test,
    checked,
    line_text,
    offer_text,
    order_text,
    parsed,
    steps,
)
from engine.refusals import Faulty
from engine.selfplay import new_table
from engine.text import Reader, say
from tests.toy import FAIR, PEBBLES, Guess, State, Take, Throw, pebbles

A, B = Seat("seat_1"), Seat("seat_2")
READER = Reader(PEBBLES.words.names({}))


def take(n: object, hand: object = "left") -> Reply:
    return Reply(verb="take", fields={"pebbles": n, "hand": hand})


def line(then: Reply | None, *when: Test, **more: Any) -> OrderLine:
    return OrderLine(when=when, then=then, **more)


def order(*lines: OrderLine, seat: Seat = A, point: str = "DP-T2", **more: Any) -> Order:
    return Order(seat=seat, points=(point,), lines=lines, **more)


def written(*lines: OrderLine, span: str, **more: Any) -> Order:
    return order(*lines, kind="written", lasts="turn", span=span, **more)


def start(*orders: Order, heap: int = 12, used: dict[int, int] | None = None, dice: LoadedDice | None = None) -> Table:
    """A game of two in which all have guessed and the first is to take."""
    state = State(phase="taking", seats=[A, B], heap=heap, guess={A: 0, B: 0})
    return Table(PEBBLES, {}, Checkpoint(0, 0, state.model_dump_json()), dice=dice or LoadedDice(),
                 deputy=Orders(PEBBLES, orders, used or {}))


def told(table: Table) -> list[tuple[Seat, str, str, int]]:
    """Who answered what, on whose word, by which order."""
    return [(entry.seat, say(entry.answer.label(), READER), entry.by, entry.order) for entry in table.fresh]


# --- lines ---------------------------------------------------------------------------------------------

def test_SOE_22_1_2_the_first_line_that_holds_and_is_legal_answers():
    table = start(order(line(take(3), Test(fact="heap", op="at_most", value=5)), line(take(7)), line(take(2, "right")), id=4))
    assert told(table) == [(A, "Take 2 pebbles, right", "order", 4)]
    assert table.waiting()[0].seat == B


def test_SOE_22_1_2_without_a_line_that_fits_the_player_is_asked():
    table = start(order(line(take(2), Test(fact="heap", op="at_most", value=5)), line(take(7))))
    assert told(table) == [] and table.waiting()[0].seat == A


def test_a_line_that_asks_stops_the_lines_after_it_and_all_other_orders():
    asking = order(line(None, Test(fact="heap", op="is", value=12)), line(take(1)), id=1)
    assert told(start(asking, order(line(take(2)), id=2))) == []


def test_an_order_whose_lines_do_not_fit_leaves_the_word_to_the_next_one():
    first = order(line(take(3), Test(fact="heap", op="at_most", value=5)), id=1)
    assert told(start(first, order(line(take(2)), id=2))) == [(A, "Take 2 pebbles, left", "order", 2)]


def test_of_orders_of_one_kind_the_first_is_looked_at_first_and_a_packet_before_all():
    one, two = order(line(take(1)), id=9), order(line(take(2)), id=3)
    packet = order(line(take(3)), id=5, kind="packet", lasts="ending", span="end")
    assert told(start(one, two))[0][3] == 9 and told(start(two, one))[0][3] == 3
    assert told(start(one, packet, heap=6))[0][3] == 5
    assert told(start(one, packet, heap=7))[0][3] == 9, "the packet's occasion has not come"


@pytest.mark.parametrize("reply, meant", [
    (take("<=2"), "Take 2 pebbles, left"), (take("<=9"), "Take 3 pebbles, left"), (take(MOST, "right"), "Take 3 pebbles, right"),
    (take(LEAST), "Take 1 pebble, left"), (take(2, ("both", "right", "left")), "Take 2 pebbles, right"),
    (Reply(verb="throw"), "throw"), (Reply(verb=DEFAULT), "Take 1 pebble, left")])
def test_answers_wished_for(reply, meant):
    assert told(start(order(line(reply), times=1), dice=LoadedDice((1,))))[0][1] == meant


@pytest.mark.parametrize("reply", [
    take("<=0"), take(4), take("<=x"), take("two"), take(True, "<=1"), take(("7", "8")), take(2, 1), take(2, ()),
    Reply(verb="guess", fields={"pebbles": 1}), Reply(verb="fly"), Reply(verb="take", fields={"wings": 2})])
def test_SOE_22_1_8_an_answer_that_is_not_possible_is_not_made(reply):
    assert told(start(order(line(reply)))) == []


def test_conditions_compare_what_is_seen_and_nothing_holds_of_what_is_not():
    seen: dict[str, Any] = {"heap": 4, "thrown": False, "leading": ("seat_1", "seat_2"), "hand": "left"}

    def holds(fact: str, op: str, value: Any) -> bool:
        return Test(fact=fact, op=op, value=value).holds(seen)

    assert holds("heap", "is", 4) and holds("heap", "at_least", 4) and holds("heap", "at_most", 4) and holds("heap", "is_not", 5)
    assert not (holds("heap", "at_least", 5) or holds("heap", "at_most", 3) or holds("heap", "is_not", 4))
    assert holds("thrown", "is", False) and not holds("thrown", "is", True)
    assert holds("leading", "is", "seat_2") and holds("leading", "is_not", "seat_3")
    assert holds("hand", "is", "left") and not holds("hand", "at_least", 1)
    for op in ("is", "is_not", "at_least", "at_most"):
        assert not holds("weather", op, 0)


def test_SOE_22_1_8_a_costly_answer_is_made_only_if_the_line_allows_it():
    assert told(start(order(line(take(2))), heap=2)) == [], "it empties the heap, which would have to be confirmed"
    table = start(order(line(take(2), costly=True), id=1), heap=2)
    assert told(table) == [(A, "Take 2 pebbles, left", "order", 1)] and table.over


def test_SOE_22_1_8_among_several_wishes_those_that_cost_nothing_come_first():
    assert told(start(order(line(take(MOST))), heap=2))[0][1] == "Take 1 pebble, left"


# --- how often and how long -----------------------------------------------------------------------------

def test_SOE_22_1_4_a_count_that_is_used_up_ends_an_order():
    table = start(order(line(take(1)), id=1, times=2))
    table.answer(B, Take.of(1, "left"))
    assert [by for _, _, by, _ in told(table)] == ["order", "player", "order"]
    table.answer(B, Take.of(1, "left"))
    assert table.waiting()[0].seat == A
    assert told(start(order(line(take(1)), id=1, times=2), used={1: 2})) == [], "answers of rows in force count"


def test_SOE_22_1_4_an_order_ends_with_its_span():
    of_round = order(line(take(1)), id=1, lasts="round", span="0")
    table = start(of_round, dice=LoadedDice((5,)))
    table.answer(B, Throw())                                # ends what the tiny game calls a round
    assert [by for _, _, by, _ in told(table)] == ["order", "player", "dice"]
    assert table.waiting()[0].seat == A


@pytest.mark.parametrize("spec", [*GAMES, PEBBLES], ids=lambda spec: spec.key)
def test_every_span_of_a_game_has_words_of_its_own(spec: GameSpec):
    """Whatever an order can last, is filled in for or counts time by; no other game says what it is called."""
    ordering = spec.orders
    used = {key for point in ordering.points for key in point.lasts} | {TURN, ordering.packet, ordering.stretch}
    assert used - {ALWAYS} == {span.key for span in ordering.durations}
    said = [say(ordering.lasting(key), READER) for key in sorted({*used, ALWAYS})]
    assert len(set(said)) == len(said) and not set(said) & (used - {ALWAYS}), "words, and no keys"
    assert all(span.each for span in ordering.durations if span.key == ordering.stretch)
    edition = spec.editions[0].key
    parts = {} if spec is PEBBLES else components(spec, edition).parts
    state = new_table(spec, min(3, max(spec.seats)), edition, parts, SecretDice("07" * 32), checkpoints=False).state
    assert all(set(ordering.spans(state, seat)) <= used for seat in state.seats)


def test_an_order_for_a_span_that_its_game_no_longer_has_can_still_be_read():
    assert say(PEBBLES.orders.lasting("year {n}"), READER) == "year {n}"


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_what_an_order_can_answer_is_listed_by_short_names_that_differ(spec: GameSpec):
    reader = Reader(spec.words.names(components(spec, spec.editions[0].key).parts))
    for point in spec.orders.points:
        named = [say(offer_text(spec, offer, listed=True), reader) for offer in point.offers]
        assert len(set(named)) == len(named) and max(name.count("…") for name in named) <= 1, point.title


def test_SOE_22_1_5_orders_change_until_the_question_is_answered():
    table = start()
    table.deputy = Orders(PEBBLES, [order(line(take(2)), id=1)])
    table.go_on()
    assert told(table) == [(A, "Take 2 pebbles, left", "order", 1)]


def test_a_quiet_question_gets_what_is_usual_unless_an_order_says_to_ask():
    """Also under a veil, since nobody waits for it anyway; what an order says comes first, and a table without orders asks."""
    points = tuple([replace(point, quiet=True) for point in PEBBLES.orders.points])
    spec = PEBBLES.changed(orders=replace(PEBBLES.orders, points=points))
    state = Checkpoint(0, 0, State(phase="taking", seats=[A, B], heap=4, guess={A: 0, B: 0}).model_dump_json())
    orders = [order(line(take(3), Test(fact="heap", op="at_least", value=4)), id=7)]
    for veiled in (False, True):
        table = Table(spec, {}, state, dice=LoadedDice(), deputy=Orders(spec, orders), veiled=veiled)
        assert told(table)[0] == (A, "Take 3 pebbles, left", "order", 7)
        asking = Table(spec, {}, state, dice=LoadedDice(), deputy=Orders(spec, [order(line(None)), *orders]), veiled=veiled)
        assert [question.seat for question in asking.waiting()] == [A] and not asking.fresh
    usual = Table(spec, {}, state, dice=LoadedDice(), deputy=Orders(spec, ()))
    assert told(usual)[0] == (A, "Take 1 pebble, left", "order", 0)
    assert [question.seat for question in Table(spec, {}, state, dice=LoadedDice()).waiting()] == [A]


def test_veiled_answers_wait_until_they_are_called_for_and_are_the_same():
    orders = [order(line(take(2)), id=1), order(line(take(3)), id=2, seat=B)]
    open_table, veiled = start(*orders), start()
    veiled.veiled, veiled.deputy = True, Orders(PEBBLES, orders)
    veiled.go_on()
    assert not veiled.fresh
    while not veiled.over and veiled.answer_by_order(veiled.waiting()[0].seat):
        pass
    assert [entry.row() for entry in veiled.fresh] == [entry.row() for entry in open_table.fresh]


# --- written turns ----------------------------------------------------------------------------------------

def test_a_written_turn_runs_line_by_line_each_once():
    table = start(written(line(take(2)), span="0", id=1), written(line(take(3)), span="2", id=2))
    table.answer(B, Take.of(1, "left"))
    table.answer(B, Take.of(1, "left"))
    assert [(say_, number) for seat, say_, _, number in told(table) if seat == A] == [
        ("Take 2 pebbles, left", 1), ("Take 3 pebbles, left", 2)]
    assert table.waiting()[0].seat == A


def test_a_written_turn_for_another_turn_waits():
    assert told(start(written(line(take(2)), span="2"))) == []


def test_a_written_turn_of_which_no_line_fits_asks_even_if_a_standing_order_would_answer():
    standing = order(line(take(1)), id=2)
    assert told(start(written(line(take(5)), span="0", id=1), standing)) == []


def test_a_written_turn_that_has_run_to_its_end_leaves_the_word_to_standing_orders():
    done = written(line(take(2)), span="0", id=1)
    assert told(start(done, order(line(take(1)), id=2), used={1: 1})) == [(A, "Take 1 pebble, left", "order", 2)]


def test_lines_with_instead_are_ways_out_of_the_line_before():
    plan = written(line(take(5)), line(take(3), Test(fact="heap", op="at_most", value=4), instead=True),
                   line(take(2), instead=True), line(take(1)), span="0", id=1)
    assert [len(step) for step in steps(plan)] == [3, 1]
    assert told(start(plan)) == [(A, "Take 2 pebbles, left", "order", 1)]
    assert Orders(PEBBLES, [plan], {1: 1}).left(plan) == 1


@pytest.mark.parametrize(("first", "why"), [
    (line(take(5)), "It isn't possible now."), (line(None), "You wanted to be asked."),
    (line(take(2), Test(fact="heap", op="at_most", value=4)), "Its condition isn't met."), (line(take(2)), None)])
def test_a_written_turn_that_stops_says_before_which_line_and_why(first, why):
    plan, table = written(first, line(take(1)), span="0", id=1), start()
    question = table.waiting()[0]

    def halted(*orders: Order, used: dict[int, int] | None = None) -> Any:
        return Orders(PEBBLES, orders, used or {}).halted(table.state, question, table.options(A))

    found = halted(plan)
    assert found is None if why is None else (found[0], say(found[1], READER)) == (first, why)
    assert halted(plan, used={1: 2}) is None, "it has run to its end"
    assert halted(written(first, span="2", id=1)) is None, "it is for another turn"
    assert halted(order(first, id=1)) is None, "it is a standing order"
    question.by_hand = True
    assert halted(written(line(take(1)), first, span="0", id=1), used={1: 1}) is None, "its author has taken over"


def test_a_written_turn_is_over_once_its_author_has_taken_over():
    long_turn = written(line(take(1)), line(take(2)), span="0", id=1)
    orders = Orders(PEBBLES, [long_turn], {1: 1})
    table = start()
    question = table.waiting()[0]
    options = table.options(A)
    assert orders.answer(table.state, question, options) == (Take.of(2, "left"), 1)
    question.by_hand = True
    assert orders.answer(table.state, question, options) is None
    assert Orders(PEBBLES, [long_turn]).answer(table.state, question, options) == (Take.of(1, "left"), 1), "it has not begun"


@pytest.mark.parametrize("by, taken_over", [("player", True), ("moderator", True), ("clock", True), ("order", False)])
def test_the_table_knows_who_answered_last_also_from_stored_rows(by, taken_over):
    table = start()
    table.answer(A, Take.of(1, "left"), by=by)
    table.answer(B, Take.of(1, "left"))
    assert table.waiting()[0].by_hand is taken_over
    rows = [entry.row() for entry in table.fresh]
    again = Table(PEBBLES, {}, Checkpoint(0, 0, start().state.model_dump_json()), rows, dice=LoadedDice())
    assert again.waiting()[0].by_hand is taken_over


# --- what an order must be ----------------------------------------------------------------------------------

@pytest.mark.parametrize("wrong, reason", [
    (order(), "one to"), (order(*[line(take(1))] * (LINES + 1)), "one to"), (order(line(take(1)), point="DP-99"), "DP-99"),
    (Order(seat=A, points=(), lines=(line(take(1)),)), "question it is for"),
    (order(line(take(1)), point="DP-T1", lasts="round"), "that long"), (order(line(take(1)), lasts="year"), "that long"),
    (order(line(take(1)), kind="packet", lasts="round"), "that long"), (order(line(take(1)), kind="written"), "that long"),
    (order(line(take(1)), lasts="ending"), "can't be limited"), (order(line(take(1)), times=0), "at least once"),
    (order(line(take(1), *[Test(fact="heap", value=1)] * (TESTS + 1))), "conditions"),
    (order(line(take(1), Test(fact="rain", value=1))), "no condition rain"),
    (order(line(take(1), Test(fact="heap", value="many"))), "can't compare the heap"),
    (order(line(take(1), Test(fact="thrown", op="at_least", value=True))), "can't compare a die was thrown"),
    (order(line(take(1), Test(fact="thrown", value=1))), "can't compare"),
    (order(line(Reply(verb="fly"))), "Fly can't be "
                                     "ordered"), (order(line(Reply(verb="take", fields={"wings": 1}))), "Take can't be "
                                                                                                              "ordered"),
    (order(line(take(-1))), "from 0"), (order(line(take(f"<={NUMBERS + 1}"))), "from 0"),
    (order(line(take(1), most=-1)), "from 0"), (order(line(take(1), toll=-1)), "from 0"),
    (order(line(take(1), Test(fact="{heap}", value=1))), "no condition {heap}")])
def test_what_cannot_be_an_order_is_refused_with_a_sentence(wrong, reason):
    with pytest.raises(Faulty) as refused:
        checked(PEBBLES, wrong, start().state)
    assert reason in str(refused.value)


def test_an_order_learns_what_it_lasts_from_the_position():
    state = start(heap=5).state
    assert checked(PEBBLES, order(line(take(1)), lasts="turn", seat=B), state).span == "1"
    assert checked(PEBBLES, order(line(take(1)), lasts="ending"), state).span == "end"
    assert checked(PEBBLES, order(line(take(1)), span="old"), state).span == ""
    assert checked(PEBBLES, order(line(None), line(Reply(verb=DEFAULT))), state).lasts == ALWAYS


def test_an_order_survives_being_stored_and_a_damaged_one_is_refused():
    whole = order(line(take(("1",), "left"), Test(fact="heap", op="at_most", value=5), costly=True, toll=2, most=4), line(None))
    assert parsed(whole.model_dump_json()) == whole
    assert parsed(order(line(take(1), Test(fact="thrown", value=True))).model_dump_json()).lines[0].when[0].value is True
    for body in ("", "[]", "{}", '{"seat":"seat_1","points":[],"lines":[{"then":3}]}', whole.model_dump_json()[:-3]):
        with pytest.raises(Faulty):
            parsed(body)


def test_blanks_are_filled_as_the_offer_says():
    point = PEBBLES.orders.point("DP-T2")
    assert point.offer("take").reply({"pebbles": 2, "hand": "right"}) == Reply(
        verb="take", fields={"pebbles": "<=2", "hand": "right"}, offer="take")
    assert PEBBLES.orders.point("DP-T3") is None and point.offer("fly") is None


# --- reading out ----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("read, words", [
    (line(take("<=2", "right").model_copy(update={"offer": "take"}), Test(fact="heap", op="at_least", value=4)),
     "If the heap is at least 4: take up to 2, right."),
    (line(None, Test(fact="leading", value="seat_2"), Test(fact="thrown", value=False)),
     "If the seat with most pebbles is Basalt and not: a die was thrown: ask me."),
    (line(Reply(verb="throw", offer="throw"), Test(fact="thrown", op="is_not", value=False)), "If a die was thrown: throw."),
    (line(Reply(verb=DEFAULT)), "Make the default move."),
    (line(take(MOST, ("left", "right")).model_copy(update={"offer": "take"}), costly=True),
     "Take as many as possible, the first possible of left and right, whatever it costs."),
    (line(Reply(verb="take", fields={"pebbles": LEAST}, offer="one"), toll=1, most=2),
     "Take as few as possible, up to 2, if it costs no more than 1.")])
def test_lines_read_as_sentences(read, words):
    assert say(line_text(PEBBLES, read), READER) == words


def test_orders_read_as_sentences():
    once = order(line(Reply(verb="throw", offer="throw")), times=3)
    assert [say(words, READER) for words in order_text(PEBBLES, once, 2)] == [
        "Throw.", "2 uses left."]
    plan = written(line(Reply(verb="throw", offer="throw")), line(None, Test(fact="heap", value=3), instead=True),
                   line(Reply(verb=DEFAULT), instead=True), span="0")
    assert [say(words, READER) for words in order_text(PEBBLES, plan, 1)] == [
        "Then: throw.", "If that isn't possible and the heap is 3: ask me.", "If that isn't possible: make the default move."]


# --- games ------------------------------------------------------------------------------------------------------

def some_orders(pick: random.Random) -> Iterator[Order]:
    """Orders made of what the game offers."""
    ordering = PEBBLES.orders
    for number in range(1, 9):
        point = pick.choice(ordering.points)
        seat = pick.choice((A, B))
        lines = []
        for _ in range(pick.randrange(1, 4)):
            offer = pick.choice(point.offers)
            filled = {slot.field: pick.randrange(5) if slot.kind == "number" else pick.choice(slot.values(None, seat))
                      for slot in offer.slots}
            tests = tuple(Test(fact="heap", op=pick.choice(("at_least", "at_most")), value=pick.randrange(13))
                          for _ in range(pick.randrange(2)))
            lines.append(OrderLine(when=tests, then=offer.reply(filled), costly=pick.random() < 0.5))
        yield Order(id=number, seat=seat, points=(point.no,), lines=tuple(lines), times=pick.choice((None, 1, 3)))


def played(orders: list[Order], seed: int) -> Table:
    """A game in which people answer at random what no order answers."""
    table, pick = pebbles(dice=FAIR), random.Random(seed)
    table.deputy = Orders(PEBBLES, orders)
    table.go_on()
    while not table.over:
        question = table.waiting()[0]
        table.answer(question.seat, pick.choice(table.options(question.seat)))
    return table


@pytest.mark.parametrize("seed", range(30))
def test_games_with_any_orders_end_and_replay_without_them(seed):
    orders = list(some_orders(random.Random(seed)))
    table = played(orders, seed)
    rows = [entry.row() for entry in table.fresh]
    state = PEBBLES.rules.setup((A, B), {}, {})
    again = Table(PEBBLES, {}, Checkpoint(0, 0, state.model_dump_json()), rows, dice=FAIR, strict=True)
    assert again.over and again.state == table.state
    for known in orders:
        answers = sum(entry.order == known.id for entry in table.fresh)
        assert known.times is None or answers <= known.times


@pytest.mark.parametrize("seed", range(10))
def test_SOE_22_1_6_rows_do_not_tell_that_an_order_answered(seed):
    table = played(list(some_orders(random.Random(seed))), seed)
    by_hand = pebbles(dice=FAIR)
    for entry in table.fresh:
        if entry.by in ("order", "player"):
            by_hand.answer(entry.seat, entry.answer)

    def outside(row: Row) -> tuple[int, str, str, str, str]:
        return row.no, row.seat, row.verb, row.answer, row.events

    assert [outside(entry.row()) for entry in by_hand.fresh] == [outside(entry.row()) for entry in table.fresh]
    assert [entry.private for entry in by_hand.fresh] == [entry.private for entry in table.fresh]


def test_a_guess_can_be_ordered_while_others_are_still_asked():
    table = pebbles()
    table.deputy = Orders(PEBBLES, [order(line(Reply(verb="guess", fields={"pebbles": "<=4"})), seat=B, point="DP-T1")])
    table.go_on()
    assert [question.seat for question in table.waiting()] == [A]
    table.answer(A, Guess.of(1))
    assert table.state.guess == {A: 1, B: 4}
