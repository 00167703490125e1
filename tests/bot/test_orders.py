"""Standing orders through the bot's core: they answer, they are undone, they end, and nobody can tell that they are there."""
from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from bot.service import Services
from bot.service.orders import ORDERS, rehearsed
from bot.store import OutboxRow, Store
from engine.catalog import GAMES
from engine.kernel import Entry, Row, Seat
from engine.orders import DEFAULT, LEAST, MOST, Order, OrderLine, Point, Reply, Test
from engine.refusals import Faulty, Refusal
from engine.text import say
from engine.undo import undo_target
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, blank, crashed, delivered, guessed, kinds, play_on, started
from tests.often_said import NO_SEAT
from tests.toy import SECRET, Give, Guess, Take, Throw

ONE, TWO, THREE = Seat("seat_1"), Seat("seat_2"), Seat("seat_3")


def order(*lines: OrderLine, point: str = "DP-T2", **more: Any) -> Order:
    return Order(seat=ONE, points=(point,), lines=lines, **more)


def take(pebbles: int | str, *when: Test, **more: Any) -> OrderLine:
    return OrderLine(when=when, then=Reply(verb="take", fields={"pebbles": pebbles, "hand": "left"}), **more)


GUESS_5 = order(OrderLine(then=Reply(verb="guess", fields={"pebbles": 5})), point="DP-T1")
TAKE_2, TAKE_3, ONE_EACH = order(take(2)), order(take(3)), order(take(LEAST))


async def answers(services: Services, store: Store, game: int) -> list[tuple[str, str, str]]:
    """Who answered what, on whose word, in all rows."""
    rows = await store.read(lambda ledger: ledger.log.rows(game))
    return [(row.seat, row.by, row.verb) for row in rows]


# --- their author, and nobody else, is told that they answered ------------------------------------------------

async def learnt(services: Services, game: int, user: int) -> list[str]:
    """What somebody alone is told of all that has happened."""
    digest = (await services.digests.stretch(game, user, since=0, until=await services.queries.newest(game))).digest()
    return [say(told, await services.queries.reader(game)) for told in digest.private]


async def test_the_author_of_an_order_is_told_when_it_has_answered_and_nobody_else_is(services: Services) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [TAKE_2])
    done = await services.answers.answer(game, ANNA, Take.of(1, "left"))
    letters = await delivered(services)
    answer = "Your standing order played: Take 2 pebbles, left."
    assert answer in await learnt(services, game, BERT) and answer not in await learnt(services, game, ANNA)
    assert await services.orders.order_record(game, BERT, page=1, size=9) == ([(4, "", Take.of(2, "left").label())], 1)
    assert await services.orders.order_record(game, ANNA, page=1, size=9) == ([], 0)
    others = [*done.lines, *done.private, *(line for _, _, line in (await services.queries.history(game, page=1, size=99))[0])]
    assert not any("order" in say(told) for told in others)
    assert "order" not in json.dumps([dict(letter.payload)
                                      for letter in letters]) and "order" not in await services.records.export(game)


async def test_the_reply_says_which_answers_came_by_the_own_orders(services: Services) -> None:
    game = await guessed(services)
    done = await services.orders.give_orders(game, ANNA, [TAKE_3])
    assert "Your standing order played: Take 3 pebbles, left." in [say(told) for told in done.private]
    again = await services.answers.answer(game, BERT, Take.of(1, "left"))
    assert [say(told) for told in again.private] == [], "what hers has answered meanwhile is nothing to him"


async def test_what_is_usual_for_a_quiet_question_is_told_as_no_order(services: Services) -> None:
    """No order of the seat has answered, so none is named (`Point.quiet`)."""
    game = await guessed(services)
    async with services.session.locked(game):
        live = await services.session.loaded(game)
        rows = [Entry(9, ONE, "order", Take.of(2, "left"), order=number) for number in (0, 1)]
        told = [say(words) for words in services.session.done(live, ONE, rows).private]
    assert told == ["Your standing order played: Take 2 pebbles, left."]


async def test_what_an_order_answered_is_told_to_no_later_holder_of_its_seat(services: Services) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [TAKE_2])
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.consent.hand_over(game, TWO, CARA, MASTER)
    assert not any("order" in told for told in await learnt(services, game, CARA))
    assert await services.orders.order_record(game, CARA, page=1, size=9) == ([], 0)


async def test_what_was_undone_is_marked_in_the_own_record(services: Services) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [TAKE_2])
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.undo.rollback(game, 2, MASTER)
    assert [(no, mark) for no, mark, _ in (await services.orders.order_record(game, BERT, page=1, size=9))[0]] == [(4, "undone")]


# --- they answer --------------------------------------------------------------------------------------------

async def test_an_order_answers_when_its_seat_is_asked(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [TAKE_2])
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    state = (await services.session.table(game)).state
    assert (state.taken, state.heap) == ({"seat_1": 1, "seat_2": 2}, 9)
    assert (await answers(services, store, game))[-2:] == [(ONE, "player", "take"), (TWO, "order", "take")]


async def test_an_order_for_the_question_that_is_open_answers_it_at_once(services: Services) -> None:
    game = await guessed(services)
    done = await services.orders.give_orders(game, ANNA, [TAKE_3])
    assert [entry.no for entry in done.entries] == [3] and (await services.session.table(game)).state.taken == {"seat_1": 3}


async def test_orders_of_all_play_the_game_to_its_end(services: Services, store: Store) -> None:
    game = await started(services)
    costly = order(take(LEAST, costly=True))
    await services.orders.give_orders(game, ANNA, [GUESS_5, costly])
    await services.orders.give_orders(game, BERT, [GUESS_5, costly])
    assert (await services.queries.game(game)).status == "over"
    assert {by for _, by, _ in await answers(services, store, game)} == {"order"}
    assert len(await answers(services, store, game)) == 2 + 12


async def test_an_answer_with_a_consequence_is_ordered_only_in_so_many_words(services: Services) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, ANNA, [TAKE_3])
    await services.orders.give_orders(game, BERT, [TAKE_3])
    table = await services.session.table(game)                          # the last three would empty the heap
    assert table.state.heap == 3 and [question.seat for question in table.waiting()] == [TWO]


async def test_an_order_that_has_become_illegal_leaves_the_question_to_its_seat(services: Services) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [TAKE_3])
    for pebbles in (1, 1, 2):
        await services.answers.answer(game, ANNA, Take.of(pebbles, "left"))
    table = await services.session.table(game)                          # there are no three pebbles any more
    assert table.state.heap == 2 and [question.seat for question in table.waiting()] == [TWO]


async def test_the_first_line_that_fits_is_used_and_the_order_above_comes_first(services: Services) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [ONE_EACH])
    await services.orders.give_orders(game, BERT, [order(take(3, Test(fact="heap", op="at_least", value=11)))])
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await services.session.table(game)).state.taken == {"seat_1": 2, "seat_2": 3 + 1}


async def test_silence_can_be_ordered(services: Services) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [order(OrderLine(then=Reply(verb=DEFAULT)))])
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    assert (await services.session.table(game)).state.taken == {"seat_1": 3, "seat_2": 1}


# --- uses, undo, restart ------------------------------------------------------------------------------------

async def test_a_count_is_used_up_and_an_undo_gives_it_back(services: Services, store: Store, clock: Clock) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [order(take(2), times=1)])
    assert [kept.left for kept in (await services.orders.own(game, BERT)).kept] == [1]
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await services.orders.own(game, BERT)).kept == []              # used up
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert [question.seat for question in (await services.session.table(game)).waiting()] == [TWO]
    await services.undo.rollback(game, 2, MASTER)
    assert [kept.left for kept in (await services.orders.own(game, BERT)).kept] == [1]
    again = play_on(store, clock=clock)                     # and so it stays when the bot has been stopped
    await again.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await again.session.table(game)).state.taken == {"seat_1": 1, "seat_2": 2}
    assert (await again.orders.own(game, BERT)).kept == []


async def test_a_redo_uses_an_order_up_again(services: Services) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [order(take(2), times=1)])
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.undo.undo(game, MASTER)
    assert [kept.left for kept in (await services.orders.own(game, BERT)).kept] == [1]
    await services.undo.redo(game, MASTER)
    assert (await services.orders.own(game, BERT)).kept == []


async def test_an_undo_takes_back_an_answer_by_order_like_any_other_and_asks_the_person(services: Services) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [TAKE_2])
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await delivered(services)
    preview = await services.undo.undo(game, MASTER)
    assert preview.rows == [4]                              # and not Anna's row with it, which would tell of the order
    assert [question.seat for question in (await services.session.table(game)).waiting()] == [TWO]
    assert ("question", TWO) in kinds(await delivered(services))
    await services.answers.answer(game, BERT, Take.of(3, "left"))
    await services.answers.answer(game, ANNA, Take.of(1, "left"))       # from here on the order answers again
    assert (await services.session.table(game)).state.taken == {"seat_1": 2, "seat_2": 5}


async def test_the_person_who_is_asked_after_an_undo_can_leave_it_to_a_new_order(services: Services) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [TAKE_2])
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.undo.undo(game, MASTER)
    (kept,) = (await services.orders.own(game, BERT)).kept
    await services.orders.give_orders(game, BERT, [TAKE_3], replaces=[kept.order.id])
    assert (await services.session.table(game)).state.taken == {"seat_1": 1, "seat_2": 3}


async def test_an_undo_brings_no_dropped_order_back(services: Services) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [TAKE_2])
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    (kept,) = (await services.orders.own(game, BERT)).kept
    await services.orders.drop_order(game, BERT, kept.order.id)
    await services.undo.rollback(game, 2, MASTER)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert [question.seat for question in (await services.session.table(game)).waiting()] == [TWO]


async def test_who_was_away_is_answered_for_again_after_an_undo(services: Services, store: Store) -> None:
    game = await guessed(services, (ANNA, BERT, CARA))
    await services.orders.give_orders(game, BERT, [TAKE_2])
    await services.seats.away(game, BERT, until=None)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.undo.undo(game, MASTER)                           # Bert's turn is no decision: Anna is asked
    assert [question.seat for question in (await services.session.table(game)).waiting()] == [ONE]
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    assert (await services.session.table(game)).state.taken == {"seat_1": 3, "seat_2": 2}


async def test_a_crash_between_two_steps_loses_and_doubles_no_use(services: Services, path: Path, tmp_path: Path) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [order(take(2), times=2)])
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    copy = Store(crashed(path, tmp_path / "copy"))
    try:
        again = play_on(copy)
        assert [kept.left for kept in (await again.orders.own(game, BERT)).kept] == [1]
        await again.answers.answer(game, ANNA, Take.of(1, "left"))
        assert (await again.session.table(game)).state.taken == {"seat_1": 2, "seat_2": 4}
    finally:
        copy.close()


async def test_an_order_of_another_version_answers_nothing_and_holds_up_nobody(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [TAKE_2])
    await store.write(lambda ledger: ledger.conn.execute("""UPDATE orders SET body = '{"points": [], "mood": "good"}'"""))
    again = play_on(store)
    await again.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await again.session.table(game)).asked(TWO) is not None and (await again.orders.own(game, BERT)).kept == []


def test_an_answer_by_order_is_a_decision_unless_its_seat_is_absent() -> None:
    rows = [Row(1, ONE, "player", "take", "{}"), Row(2, TWO, "order", "take", "{}")]
    assert undo_target(rows) == 1 and undo_target(rows, {TWO}) == 0


# --- keeping them -------------------------------------------------------------------------------------------

async def test_orders_are_moved_paused_and_dropped(services: Services) -> None:
    game = await guessed(services)
    for wish in (TAKE_2, TAKE_3, ONE_EACH):                 # the newest is looked at first
        await services.orders.give_orders(game, BERT, [wish])
    ids = [kept.order.id for kept in (await services.orders.own(game, BERT)).kept]
    assert ids == [3, 2, 1]
    await services.orders.move_order(game, BERT, 1, up=True)
    await services.orders.move_order(game, BERT, 3, up=True)           # is the first already
    assert [kept.order.id for kept in (await services.orders.own(game, BERT)).kept] == [3, 1, 2]
    await services.orders.move_order(game, BERT, 3, up=False)
    assert [kept.order.id for kept in (await services.orders.own(game, BERT)).kept] == [1, 3, 2]
    await services.orders.pause_orders(game, BERT, 1, paused=True)
    await services.orders.drop_order(game, BERT, 3)
    assert [(kept.order.id, kept.paused) for kept in (await services.orders.own(game, BERT)).kept] == [(1, True), (2, False)]
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await services.session.table(game)).state.taken["seat_2"] == 3          # order 2
    await services.orders.pause_orders(game, BERT, paused=True)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await services.session.table(game)).asked(TWO) is not None
    await services.orders.pause_orders(game, BERT, paused=False)                   # goes on, and the question is open
    assert (await services.session.table(game)).state.taken["seat_2"] == 5          # order 1 stands above order 2


async def test_a_changed_order_takes_the_place_of_the_old_one(services: Services) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [TAKE_2])
    await services.orders.give_orders(game, BERT, [TAKE_3])
    await services.orders.give_orders(game, BERT, [ONE_EACH], replaces=[1])
    assert [kept.order.id for kept in (await services.orders.own(game, BERT)).kept] == [2, 3]
    with pytest.raises(Refusal, match=r"You no longer have an order 1."):
        await services.orders.give_orders(game, BERT, [ONE_EACH], replaces=[1])


async def test_nobody_else_sees_or_changes_them(services: Services) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [TAKE_2])
    assert (await services.orders.own(game, ANNA)).kept == []
    for attempt in (services.orders.drop_order(game, ANNA, 1), services.orders.move_order(game, ANNA, 1, up=True),
                    services.orders.pause_orders(game, ANNA, 1, paused=True),
                    services.orders.give_orders(game, ANNA, [TAKE_3], replaces=[1])):
        with pytest.raises(Refusal, match=r"You no longer have an order 1."):
            await attempt
    for attempt in (services.orders.drop_order(game, CARA, 1), services.orders.give_orders(game, CARA, [TAKE_2])):
        with pytest.raises(Refusal, match=NO_SEAT):
            await attempt
    with pytest.raises(Refusal, match=NO_SEAT):
        await services.orders.own(game, CARA)


@pytest.mark.parametrize("wish, sentence", [
    (order(take(2), point="DP-99"), "There is no question DP-99 to decide in advance."),
    (order(*[take(2)] * 21), "An order needs one to 20 lines and at least one question it is for."),
    (order(), "An order needs one to 20 lines and at least one question it is for."),
    (order(take(2, Test(fact="weather", value=1))), "There is no condition weather."),
    (order(take(2, Test(fact="heap", op="at_least", value="much"))), "A line can't compare the heap like that."),
    (order(take(2), times=0), "An order must work at least once."),
    (order(take(2), lasts="year"), "An order for this question can't last that long."),
    (order(take(2), lasts="ending"), "This order can't be limited like that now. Choose how long it lasts."),
    (order(OrderLine(then=Reply(verb="fly"))), "Fly can't be ordered like that."),
])
async def test_what_is_no_order(services: Services, wish: Order, sentence: str) -> None:
    game = await guessed(services)
    with pytest.raises(Faulty) as refused:
        await services.orders.give_orders(game, BERT, [wish])
    assert str(refused.value) == sentence
    assert (await services.orders.own(game, BERT)).kept == []


async def test_a_seat_has_so_many_orders_and_no_more(services: Services) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [TAKE_2] * ORDERS)
    with pytest.raises(Refusal, match=r"A seat can have 60 orders at a time. Drop some first."):
        await services.orders.give_orders(game, BERT, [TAKE_2])
    await services.orders.give_orders(game, BERT, [TAKE_3], replaces=[1])


async def test_a_game_that_has_not_started_or_is_over_takes_no_orders(services: Services) -> None:
    game = await guessed(services)
    await services.seats.close(game, MASTER, "")
    with pytest.raises(Refusal, match=r"The game is closed."):
        await services.orders.give_orders(game, BERT, [TAKE_2])


async def test_two_orders_at_the_same_moment_are_both_kept(services: Services) -> None:
    game = await guessed(services, (ANNA, BERT, CARA))
    await asyncio.gather(services.orders.give_orders(game, BERT, [TAKE_2]), services.orders.give_orders(game, CARA, [TAKE_3]),
                         services.orders.give_orders(game, BERT, [ONE_EACH]))
    assert len((await services.orders.own(game, BERT)).kept) == 2 and len((await services.orders.own(game, CARA)).kept) == 1
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await services.session.table(game)).state.taken.keys() == {ONE, TWO, THREE}


# --- seats that change hands, and pauses -----------------------------------------------------------------------

async def test_a_seat_that_is_handed_over_has_no_orders(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [TAKE_2])
    await services.orders.keep_draft(game, BERT, "order", "{}")
    await services.consent.hand_over(game, TWO, CARA, MASTER)
    assert (await services.orders.own(game, CARA)).kept == [] and (await services.orders.own(game, CARA)).drafts == {}
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await services.session.table(game)).asked(TWO) is not None
    await services.consent.hand_over(game, TWO, BERT, MASTER)           # and they do not come back with him who wrote them
    assert (await services.orders.own(game, BERT)).kept == [] and (await services.session.table(game)).asked(TWO) is not None


async def test_who_resigns_leaves_no_orders(services: Services) -> None:
    game = await guessed(services, (ANNA, BERT, CARA))
    await services.orders.give_orders(game, BERT, [TAKE_3])
    await services.seats.resign(game, BERT)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await services.session.table(game)).state.taken == {"seat_1": 1, "seat_2": 1}       # the default


async def test_orders_rest_in_a_pause_and_stay(services: Services) -> None:
    game = await guessed(services)
    await services.seats.pause(game, MASTER)
    await services.orders.give_orders(game, ANNA, [TAKE_2])
    assert await services.queries.newest(game) == 2
    await services.seats.go_on(game, MASTER)
    assert (await services.session.table(game)).state.taken == {"seat_1": 2}


# --- how it looks to the others --------------------------------------------------------------------------------

def shown(letters: list[OutboxRow], *, to: Seat | None = None) -> list[tuple[str, str, object]]:
    """What others are told: kind, audience, payload."""
    return [(letter.kind, letter.audience, letter.payload) for letter in letters
            if letter.audience != to or letter.kind == "question"]


async def test_of_sealed_answers_nobody_sees_which_came_by_order(tmp_path: Path) -> None:
    """One game with an order, one in which the same is answered by hand at that moment: the same is told to all others."""
    told = []
    for ordered in (True, False):
        store = Store(blank(tmp_path / f"{ordered}.db"))
        services = play_on(store)
        game = await started(services, (ANNA, BERT, CARA))
        letters = await delivered(services)
        if ordered:
            await services.orders.give_orders(game, BERT, [GUESS_5])
        else:
            await services.answers.answer(game, BERT, Guess.of(5))
        letters += await delivered(services)
        await services.answers.answer(game, ANNA, Guess.of(1))
        await services.answers.answer(game, CARA, Guess.of(2))
        letters += await delivered(services)
        told.append(shown(letters, to=TWO))
        store.close()
    assert told[0] == told[1]


async def test_answers_by_order_that_wait_ask_everybody_alike(store: Store, clock: Clock) -> None:
    """With a veil the question is posted, and the answer comes after a while; the row tells nothing."""
    services = play_on(store, clock=clock)
    game = await guessed(services)
    await services.orders.set_veil(game, 30, MASTER)
    await services.orders.give_orders(game, BERT, [TAKE_2])
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    (asked,) = [letter for letter in await delivered(services) if letter.kind == "question"]
    assert asked.audience == TWO
    assert await services.timers.due("order") == []
    clock.put_on(minutes=4)
    assert await services.timers.due("order") == []
    clock.put_on(minutes=26)
    again = play_on(store, clock=clock)                     # the time is kept in the file
    assert [due.key[1:] for due in await again.timers.due("order")] == [(game, TWO, 3)]
    await again.orders.order_due(game, TWO, 3)
    assert (await again.session.table(game)).state.taken == {"seat_1": 1, "seat_2": 2}
    assert await again.timers.due("order") == []
    await again.orders.order_due(game, TWO, 3)                     # twice does nothing
    assert (await again.session.table(game)).state.heap == 9


async def test_a_waiting_answer_that_no_longer_fits_leaves_its_question_open_and_says_nothing(store: Store, clock: Clock) -> None:
    services = play_on(store, clock=clock)
    game = await guessed(services)
    await services.orders.set_veil(game, 30, MASTER)
    await services.orders.give_orders(game, BERT, [order(take(2, Test(fact="own", op="is", value=0)))])
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await delivered(services)
    await services.answers.answer(game, ANNA, Give.of(TWO, 1))          # now he has a pebble
    await delivered(services)
    assert await services.timers.due("order") == []
    clock.put_on(minutes=30)
    assert [due.key[1:] for due in await services.timers.due("order")] == [(game, TWO, 3)]
    await services.orders.order_due(game, TWO, 3)
    assert await services.timers.due("order") == []
    assert await delivered(services) == [], "a second call would tell that an order had been there"
    assert (await services.session.table(game)).asked(TWO) is not None


async def test_a_veil_has_its_limits(services: Services) -> None:
    game = await guessed(services)
    for minutes in (1, 5, 721, -3):
        with pytest.raises(Faulty, match=r"Moves by standing order can take 6 to 720 minutes. 0 plays them at once."):
            await services.orders.set_veil(game, minutes, MASTER)
    await services.orders.set_veil(game, 6, MASTER)
    await services.orders.give_orders(game, ANNA, [TAKE_2])
    assert (await services.session.table(game)).asked(ONE) is not None
    await services.orders.set_veil(game, 0, MASTER)                    # what was held back is answered
    assert (await services.session.table(game)).state.taken == {"seat_1": 2}


async def test_with_a_veil_one_question_after_the_other_looks_the_same(tmp_path: Path) -> None:
    told = []
    for ordered in (True, False):
        store, clock = Store(blank(tmp_path / f"{ordered}.db")), Clock()
        services = play_on(store, clock=clock)
        game = await guessed(services)
        await services.orders.set_veil(game, 20, MASTER)
        if ordered:
            await services.orders.give_orders(game, BERT, [TAKE_2])
        letters, times = [], []
        for _ in range(2):
            await services.answers.answer(game, ANNA, Take.of(1, "left"))
            letters += await delivered(services)
            clock.put_on(minutes=5)
            if ordered:
                await services.timers.look("order")
            else:
                await services.answers.answer(game, BERT, Take.of(2, "left"))
            letters += await delivered(services)
            times += [(await services.queries.waiting(game))[0].since]
        told.append((shown(letters, to=TWO), times, await services.queries.history(game, page=1),
                     await services.records.export(game)))
        store.close()
    assert told[0] == told[1]


async def test_the_log_tells_of_a_turn_by_order_as_of_one_by_hand(services: Services) -> None:
    """Between two questions to one seat another has answered: it is told at once, whoever gave the answer."""
    game = await guessed(services)
    await services.orders.give_orders(game, BERT, [TAKE_2])
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    letters = await delivered(services)
    assert [letter.payload["lines"] for letter in letters if letter.kind == "log"] == [
        ["Amber takes 1 pebble.", "Basalt takes 2 pebbles."]]


async def test_nothing_that_others_can_read_holds_an_order(services: Services, store: Store) -> None:
    game = await guessed(services)
    secret = order(take(3, Test(fact="guess", op="is", value=2)), OrderLine())
    await services.orders.give_orders(game, BERT, [secret])
    await services.answers.answer(game, ANNA, Throw())
    letters = json.dumps([letter.payload for letter in await services.outbox.pending(200)])
    record = json.dumps([await services.records.export(game), await services.queries.audit(game, page=1),
                         repr(await services.queries.history(game, page=1))])
    assert "order" not in letters + record
    assert '"by"' not in letters


async def test_a_rehearsal_changes_nothing(services: Services) -> None:
    game = await guessed(services)
    table = await services.session.table(game)
    assert rehearsed(table, ONE, TAKE_3) == Take.of(3, "left")
    assert rehearsed(table, ONE, order(take(MOST))) == Take.of(3, "left")
    assert rehearsed(table, ONE, GUESS_5) is None and rehearsed(table, TWO, TAKE_3) is None
    assert await services.queries.newest(game) == 2


# --- whole games by orders and defaults only ---------------------------------------------------------------------

def say_something(state: Any, seat: Seat, point: Point, turn: int) -> Order:
    """An order for this question: some of what it offers, each with all that can be wished, and at last the default move."""
    lines = []
    for offer in (*point.offers[turn:], *point.offers[:turn])[:4]:
        filled: dict[str, Any] = {}
        for slot in offer.slots:
            values = tuple(slot.values(state, seat))
            filled[slot.field] = 2 if slot.kind in ("number", "amount") else values[turn % len(values)] if slot.kind == "choice" \
                else values
        lines.append(OrderLine(then=offer.reply(filled), most=3 if offer.capped or offer.verb == "bid" else None))
    usual = OrderLine(then=Reply(verb=DEFAULT), costly=True)
    return Order(seat=seat, points=(point.no,), lines=(*lines, usual), lasts=point.lasts[0])


async def test_a_whole_game_of_struggle_of_empires_by_orders_alone(tmp_path: Path) -> None:
    """Nobody answers anything; when a war is over, its orders are, and they are given anew."""
    spec = GAMES[0]
    ordering = spec.orders
    assert ordering is not None
    store = Store(blank(tmp_path / "chancery.db"))
    services = Services(store, (spec,), now=Clock(), secret=lambda: SECRET)
    game = (await services.lobby.open(key=spec.key, edition="first", seats=3, options={}, pack=None, title="", guild=None,
                                      channel=1,
                            owner=MASTER)).id
    members = (ANNA, BERT, CARA)
    for member in members:
        await services.lobby.join(game, member)
    await services.lobby.start(game, MASTER)
    for _ in range(20):
        for turn, member in enumerate(members):
            if (await services.queries.game(game)).status != "running":
                break
            state, seat = (await services.session.table(game)).state, await services.queries.seat_of(game, member)
            assert seat is not None
            spoken = {no for one in (await services.orders.own(game, member)).kept for no in one.order.points}
            new = [say_something(state, seat, point, turn) for point in ordering.points if point.no not in spoken]
            await services.orders.give_orders(game, member, new)
    assert (await services.queries.game(game)).status == "over"
    given = await answers(services, store, game)
    assert {by for _, by, _ in given} == {"order", "rule", "dice"}
    assert {"bid", "build", "place", "pass"} <= {verb for _, by, verb in given if by == "order"}
    again = Services(store, (spec,), now=Clock(), secret=lambda: SECRET)            # and it replays without any orders
    assert (await again.session.table(game)).state == (await services.session.table(game)).state
    store.close()
