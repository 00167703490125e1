"""Clocks: deadlines that run while their players are awake, and survive whatever happens to a game or to the bot."""
from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from bot.domain.deadlines import Clock, read
from bot.service import Services
from bot.store import ClockRow, MemberRow, Store
from bot.store.migrations import CHANGES
from engine.orders import Order, OrderLine, Reply
from engine.refusals import Refusal
from tests.bot.clocks.timed import (
    BERLIN,
    DAY,
    HOUR,
    NIGHT,
    NOON,
    ONE,
    TWO,
    due,
    notices,
    of_kind,
    pass_time,
    taking,
    tick,
    timed,
    utc,
)
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock as Watch, crashed, delivered, guessed, kinds, opened, play_on, started
from tests.toy import Give, Guess, Take

NAMES = ("Amber", "Basalt", "Chalk")


# --- at the desk ---------------------------------------------------------------------------------------------------

async def test_a_game_without_a_clock_waits_for_ever(services: Services, watch: Watch) -> None:
    game = await started(services)
    assert await due(services, game) is None
    watch.put_on(days=300)
    assert await services.timers.due("time_up") == []


async def test_an_answer_has_its_time_and_the_next_one_has_its_own(services: Services, watch: Watch) -> None:
    game = await taking(services)
    assert await due(services, game) == NOON + DAY
    watch.put_on(hours=5)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert [(d.seat, d.user, d.due_at) for d in await services.clocks.deadlines(game)] == [(TWO, BERT, NOON + 29 * HOUR)]


@pytest.mark.usefixtures("awake_bot")
async def test_when_the_time_is_up_the_default_is_given_and_announced(services: Services, watch: Watch) -> None:
    """P-11, SOE-20.1.9."""
    game = await taking(services)
    default = (await services.session.table(game)).default(ONE)
    watch.put_on(hours=23, minutes=59)
    await tick(services)
    assert (await services.session.table(game)).asked(ONE) is not None
    await delivered(services)
    watch.put_on(minutes=1)
    assert [due.key[1:] for due in await services.timers.due("time_up")] == [
        (game, ONE, (await services.session.table(game)).asked_at)]
    await tick(services)
    letters = await delivered(services)
    assert notices(letters) == ["Amber ran out of time, so I played the default move."]
    assert isinstance(default, Take) and (await services.session.table(game)).state.taken == {ONE: default.pebbles}
    assert (await services.session.table(game)).asked(TWO) is not None and await due(services, game, TWO) == NOON + 2 * DAY


async def test_a_deadline_is_dealt_with_once_and_only_when_it_is_due(services: Services, watch: Watch) -> None:
    game = await taking(services)
    asked_at = (await services.session.table(game)).asked_at
    assert await services.clocks.time_up(game, ONE, asked_at) is False
    watch.put_on(hours=24)
    assert await services.clocks.time_up(game, ONE, asked_at + 1) is False and await services.clocks.time_up(game, TWO,
                                                                                                             asked_at) is False
    assert await services.clocks.time_up(game, ONE, asked_at) is True
    assert await services.clocks.time_up(game, ONE, asked_at) is False
    assert (await services.session.table(game)).state.turn == 1


async def test_who_was_never_told_of_a_question_loses_nothing(services: Services, watch: Watch) -> None:
    """A channel that cannot be reached costs nobody a turn: the time begins anew until the question is out."""
    game = await guessed(services)
    await services.clocks.set_clock(game, MASTER, clock=read("24h"))
    await services.answers.answer(game, ANNA, Take.of(1, "left"))              # Bert's question stays in the outbox
    watch.put_on(hours=25)
    assert await services.clocks.time_up(game, TWO, (await services.session.table(game)).asked_at) is False
    assert await due(services, game, TWO) == NOON + 49 * HOUR
    await delivered(services)
    watch.put_on(hours=24)
    assert await services.clocks.time_up(game, TWO, (await services.session.table(game)).asked_at) is True


@pytest.mark.usefixtures("awake_bot")
async def test_a_whole_game_by_the_clock_alone(services: Services, watch: Watch) -> None:
    game = await timed(services, members=(ANNA, BERT, CARA))
    sent = await pass_time(services, watch, timedelta(days=20))
    assert (await services.queries.game(game)).status == "over"
    assert await services.clocks.deadlines(game) == []
    said = notices(sent)
    assert said[0] == "Amber, Basalt and Chalk ran out of time, so I played the default move."
    assert set(said[1:]) == {f"{name} ran out of time, so I played the default move." for name in NAMES}
    assert len(said) == (await services.session.table(game)).state.turn + 1
    assert len(of_kind(sent, "final")) == 1


@pytest.mark.usefixtures("awake_bot")
async def test_a_whole_game_by_orders_and_the_clock(services: Services, watch: Watch) -> None:
    """Anna has ordered everything and takes no time; Bert never answers, and each time the clock does."""
    game = await timed(services)
    await services.orders.give_orders(game, ANNA, [
        Order(seat=ONE, points=("DP-T1",), lines=(OrderLine(then=Reply(verb="guess", fields={"pebbles": 4})),)),
        Order(seat=ONE, points=("DP-T2",), lines=(OrderLine(then=Reply(verb="take", fields={"pebbles": "most"})),))])
    sent = await pass_time(services, watch, timedelta(days=20))
    table = await services.session.table(game)
    assert table.over and table.state.guess == {ONE: 4, TWO: 0} and table.state.taken[ONE] > table.state.taken[TWO]
    assert set(notices(sent)) == {"Basalt ran out of time, so I played the default move."}
    assert NOON + len(notices(sent)) * DAY <= watch.moment


async def test_the_clock_looks_the_same_whether_a_person_or_an_order_answers(store: Store, watch: Watch) -> None:
    """P-24: what everybody may see of the time of two games that differ only in who gave the same answer."""
    seen = []
    for ordered in (True, False):
        services = play_on(store, clock=watch)
        game = await timed(services, "bank 24h", (ANNA, BERT, CARA))
        if ordered:
            await services.orders.give_orders(game, ANNA, [
                Order(seat=ONE, points=("DP-T1",), lines=(OrderLine(then=Reply(verb="guess", fields={"pebbles": 4})),))])
        else:
            await services.answers.answer(game, ANNA, Guess.of(4))
        letters = [(letter.kind, letter.payload) for letter in await services.outbox.pending(100)
                   if letter.kind not in ("private", "status")]
        seen.append(([(d.seat, d.asked_at, d.due_at) for d in await services.clocks.deadlines(game)],
                     await services.clocks.banks(game), letters))
    assert seen[0] == seen[1]


async def test_standing_orders_go_before_the_default(services: Services, watch: Watch) -> None:
    """In a game that veils them, an order waits a while; if the time is up before, it answers nevertheless."""
    game = await opened(services)
    await services.orders.set_veil(game, 720, MASTER)
    await services.clocks.set_clock(game, MASTER, clock=read("1h"))
    for member in (ANNA, BERT):
        await services.lobby.join(game, member)
    await services.lobby.start(game, MASTER)
    await services.orders.give_orders(game, ANNA, [
        Order(seat=ONE, points=("DP-T1",), lines=(OrderLine(then=Reply(verb="guess", fields={"pebbles": 4})),))])
    await delivered(services)
    watch.put_on(hours=1)
    asked_at = (await services.session.table(game)).asked_at
    for seat in (ONE, TWO):
        await services.clocks.time_up(game, seat, asked_at)
    assert (await services.session.table(game)).state.guess == {ONE: 4, TWO: 0}
    assert notices(await delivered(services)) == ["Basalt ran out of time, so I played the default move."]


async def test_a_deadline_moves_with_the_clocks_of_its_player(services: Services, watch: Watch) -> None:
    """From Saturday noon, 28 March, in Berlin: ten hours on that day, and four from 8:00 on Sunday, an hour earlier in UTC."""
    await services.settings.set_member(ANNA, MemberRow(hours=BERLIN))
    watch.moment = utc(3, 28, 11)
    game = await taking(services, "14h")
    assert await due(services, game) == utc(3, 29, 10)
    watch.moment = utc(10, 24, 10)
    game = await taking(services, "14h")
    assert await due(services, game) == utc(10, 25, 11)


# --- sealed answers ------------------------------------------------------------------------------------------------

async def test_who_has_given_a_sealed_answer_cannot_be_read_from_the_clock(services: Services, watch: Watch) -> None:
    """P-13, P-28."""
    game = await timed(services, "bank 24h", (ANNA, BERT, CARA))
    before = [(d.seat, d.due_at) for d in await services.clocks.deadlines(game)], await services.clocks.banks(game)
    watch.put_on(hours=3)
    await services.answers.answer(game, ANNA, Guess.of(3))
    assert ([(d.seat, d.due_at) for d in await services.clocks.deadlines(game)], await services.clocks.banks(game)) == before
    assert [d.given for d in await services.clocks.deadlines(game)] == ["yes", "", ""]


async def test_a_default_for_a_sealed_answer_is_announced_when_all_are_in(services: Services, watch: Watch) -> None:
    game = await timed(services, members=(ANNA, BERT, CARA))
    await services.settings.set_member(CARA, MemberRow(hours=NIGHT))
    await delivered(services)
    watch.put_on(hours=24)
    asked_at = (await services.session.table(game)).asked_at
    assert await services.clocks.time_up(game, ONE, asked_at) is True
    assert kinds(await delivered(services)) == [("proxy", ONE)], "nobody but Anna hears of it"
    await services.answers.answer(game, BERT, Guess.of(4))
    assert notices(await delivered(services)) == []
    await services.answers.answer(game, CARA, Guess.of(5))
    assert notices(await delivered(services)) == ["Amber ran out of time, so I played the default move."]


async def test_an_undone_default_is_not_announced(services: Services, watch: Watch) -> None:
    game = await timed(services, members=(ANNA, BERT, CARA))
    watch.put_on(hours=24)
    await services.clocks.time_up(game, ONE, (await services.session.table(game)).asked_at)
    await services.undo.undo(game, MASTER)
    assert not any("time" in words for words in notices(await delivered(services)))


async def test_a_game_master_who_plays_learns_of_missed_sealed_answers_when_all_are_in(services: Services, watch: Watch) -> None:
    game = await timed(services, "6h", (ANNA, BERT, CARA))
    watch.put_on(hours=6)
    await services.clocks.time_up(game, ONE, (await services.session.table(game)).asked_at)
    assert kinds(await services.outbox.pending()) == [("proxy", ONE)]
    for member in (BERT, CARA):
        await services.answers.answer(game, member, Guess.of(2))
    await delivered(services)
    watch.put_on(hours=6)
    await services.clocks.time_up(game, ONE, (await services.session.table(game)).asked_at)
    (note,) = of_kind(await delivered(services), "escalation")
    assert note.payload == {"why": "missed", "seats": [ONE]}


# --- pauses, settings, hand-overs ----------------------------------------------------------------------------------

async def test_the_clock_stands_still_in_a_pause(services: Services, watch: Watch) -> None:
    game = await taking(services)
    watch.put_on(hours=10)
    await services.seats.pause(game, MASTER)
    assert await due(services, game) is None
    watch.put_on(days=30)
    assert await services.timers.due("time_up") == []
    await services.seats.go_on(game, MASTER)
    assert await due(services, game) == watch.moment + 14 * HOUR


async def test_other_waking_hours_count_from_now_on(services: Services, watch: Watch) -> None:
    game = await taking(services)
    watch.put_on(hours=4)
    await services.settings.set_member(ANNA, MemberRow(hours=BERLIN))
    assert await due(services, game) == BERLIN.after(NOON + 4 * HOUR, 20 * HOUR) == utc(4, 3, 8)
    assert [letter.kind for letter in await services.outbox.pending()] == ["status"]


async def test_whoever_takes_a_seat_over_has_the_whole_time(services: Services, watch: Watch) -> None:
    game = await taking(services)
    watch.put_on(hours=23)
    await services.consent.hand_over(game, ONE, CARA, MASTER)
    assert [(d.user, d.due_at) for d in await services.clocks.deadlines(game)] == [(CARA, NOON + 47 * HOUR)]


async def test_a_gift_is_no_answer(services: Services, watch: Watch) -> None:
    game = await taking(services)
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    before = await services.clocks.deadlines(game)
    watch.put_on(hours=1)
    await services.answers.answer(game, ANNA, Give.of(TWO, 1))
    assert await services.clocks.deadlines(game) == before


async def test_another_clock_gives_the_whole_new_time(services: Services, watch: Watch) -> None:
    game = await taking(services)
    watch.put_on(hours=20)
    await services.clocks.set_clock(game, MASTER, clock=read("48h"))
    assert await due(services, game) == watch.moment + 2 * DAY
    assert notices(await delivered(services)) == ["Game master <@900> has set the clock: 48 hours for each move."]
    await services.clocks.set_clock(game, MASTER, clock=Clock())
    assert await due(services, game) is None
    assert (await services.queries.audit(game, page=9))[0][-1].endswith(
        "set the clock to none, with 21 days of vacation and 2 extensions for each player.")


async def test_a_restart_changes_no_deadline(store: Store, services: Services, watch: Watch) -> None:
    game = await taking(services)
    before = await services.clocks.deadlines(game)
    again = play_on(store, clock=watch)
    assert await again.clocks.deadlines(game) == before
    watch.put_on(hours=24)
    assert await again.clocks.time_up(game, ONE, before[0].asked_at) is True


async def test_an_answer_and_the_clock_at_the_same_moment(services: Services, watch: Watch) -> None:
    game = await taking(services)
    watch.put_on(hours=24)
    asked_at = (await services.session.table(game)).asked_at
    done, late = await asyncio.gather(services.answers.answer(game, ANNA, Take.of(3, "left")),
                                      services.clocks.time_up(game, ONE, asked_at))
    assert (late, (await services.session.table(game)).state.taken) == (False, {ONE: 3}) and len(done.entries) == 1


@pytest.mark.usefixtures("awake_bot")
async def test_a_killed_process_reminds_neither_twice_nor_never(services: Services, watch: Watch, path: Path,
                                                                tmp_path: Path) -> None:
    await taking(services)
    watch.put_on(hours=12)
    await services.timers.look("reminder")
    copy = Store(crashed(path, tmp_path / "copy"))
    again = play_on(copy, clock=watch)
    await again.timers.look("reminder")
    assert len(of_kind(await again.outbox.pending(100), "reminder")) == 1
    copy.close()


@pytest.mark.usefixtures("awake_bot")
async def test_a_killed_process_has_answered_once(services: Services, watch: Watch, path: Path, tmp_path: Path) -> None:
    game = await taking(services)
    asked_at = (await services.session.table(game)).asked_at
    watch.put_on(hours=24)
    await services.clocks.time_up(game, ONE, asked_at)
    copy = Store(crashed(path, tmp_path / "copy"))
    again = play_on(copy, clock=watch)
    assert await again.clocks.time_up(game, ONE, asked_at) is False
    assert notices(await again.outbox.pending(100)) == ["Amber ran out of time, so I played the default move."]
    assert [(d.seat, d.due_at) for d in await again.clocks.deadlines(game)] == [(TWO, NOON + 2 * DAY)]
    copy.close()


async def test_a_file_from_before_the_clocks_goes_on(path: Path) -> None:
    """Themes stay, nobody's hours are known, and a game that was under way has no clock."""
    earlier = Migrations("chancery")
    for change in CHANGES[:6]:
        earlier()(change)
    db = Database(sqlite3.connect(path, isolation_level=None), execute_plugins=False)
    earlier.apply(db)
    db.execute("INSERT INTO members VALUES (101, 'light')")
    db.close()
    with closing(Store(path)) as store:
        assert await store.read(lambda ledger: ledger.settings.member(ANNA)) == MemberRow(theme="light")
        assert await store.read(lambda ledger: ledger.clocks.clock(1)) == ClockRow()


# --- undo ----------------------------------------------------------------------------------------------------------

async def test_an_undo_gives_back_what_a_bank_lost(services: Services, watch: Watch) -> None:
    game = await taking(services, "bank 48h")
    watch.put_on(hours=10)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    watch.put_on(hours=5)
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    assert await services.clocks.banks(game) == {ONE: 38 * HOUR, TWO: 43 * HOUR}
    await services.undo.undo(game, MASTER)
    assert await services.clocks.banks(game) == {ONE: 38 * HOUR, TWO: 48 * HOUR}
    assert await due(services, game, TWO) == watch.moment + 48 * HOUR
    await services.undo.undo(game, MASTER)
    assert await services.clocks.banks(game) == {ONE: 48 * HOUR, TWO: 48 * HOUR}
    await services.undo.redo(game, MASTER)
    assert await services.clocks.banks(game) == {ONE: 38 * HOUR, TWO: 48 * HOUR}


async def test_time_spent_on_a_question_that_an_undo_takes_away_costs_nothing(services: Services, watch: Watch) -> None:
    game = await taking(services, "bank 48h")
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    watch.put_on(hours=30)
    await services.undo.undo(game, MASTER)
    assert [(d.seat, d.due_at) for d in await services.clocks.deadlines(game)] == [(ONE, watch.moment + 48 * HOUR)]


# --- a bot that was off --------------------------------------------------------------------------------------------

async def test_a_day_offline_costs_nobody_a_turn(store: Store, services: Services, watch: Watch) -> None:
    game = await taking(services)
    await services.clocks.beat()
    watch.put_on(hours=1)
    await services.clocks.beat()                           # an hour without a sign of life is forgiven too
    assert await due(services, game) == NOON + 25 * HOUR
    watch.put_on(days=1, hours=3)
    again = play_on(store, clock=watch)
    await tick(again)
    assert await due(again, game) == NOON + 25 * HOUR + DAY + 3 * HOUR
    assert (await again.session.table(game)).asked(ONE) is not None
    await again.clocks.beat()
    assert await due(again, game) == NOON + 52 * HOUR


async def test_days_offline_before_a_game_had_a_clock_cost_no_bank_anything(services: Services, watch: Watch) -> None:
    game = await guessed(services)
    await services.clocks.beat()
    watch.put_on(days=3)
    await services.clocks.beat()
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.clocks.set_clock(game, MASTER, clock=read("bank 48h"))
    assert await services.clocks.banks(game) == {ONE: 48 * HOUR, TWO: 48 * HOUR}


async def test_a_bot_that_looks_in_every_minute_forgives_nothing(services: Services, watch: Watch) -> None:
    game = await taking(services, "1h")
    for _ in range(60):
        await tick(services)
        watch.put_on(minutes=1)
    assert await due(services, game) == NOON + HOUR
    await tick(services)
    assert (await services.session.table(game)).asked(ONE) is None


# --- what cannot be set --------------------------------------------------------------------------------------------

async def test_limits_of_a_clock(services: Services) -> None:
    game = await taking(services)
    before = await services.clocks.clock(game)
    wrong: list[tuple[Any, str]] = [({"vacation": -1}, "0 to 365 days of vacation"), ({"extensions": 21}, "0 to 20 extensions")]
    for limits, why in wrong:
        with pytest.raises(Refusal, match=why):
            await services.clocks.set_clock(game, MASTER, **limits)
    assert await services.clocks.clock(game) == before
    await services.seats.close(game, MASTER, "")
    with pytest.raises(Refusal, match=r"The game is closed."):
        await services.clocks.set_clock(game, MASTER, clock=read("24h"))


async def test_new_games_have_the_clock_of_their_server(services: Services) -> None:
    await services.settings.set_server_clock(8, read("bank 72h+6h"))
    assert (await services.clocks.clock(await opened(services))).clock == read("bank 72h+6h")
    own = await services.lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None, title="", guild=8, channel=7,
                          owner=MASTER, clock=Clock())
    assert (await services.clocks.clock(own.id)).clock == Clock()
