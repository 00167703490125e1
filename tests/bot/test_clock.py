"""Clocks: deadlines that run while their players are awake, and survive whatever happens to a game or to the bot."""
from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from bot.discord.game.clock import usual
from bot.domain.deadlines import Answered, Clock, allowance, read
from bot.domain.waking_hours import Hours, Nudges, checked, find_zones, zones_at
from bot.service import Services
from bot.store import ClockRow, MemberRow, OutboxRow, Store
from bot.store.migrations import CHANGES
from engine.kernel import Seat
from engine.orders import Order, OrderLine, Reply
from engine.refusals import Faulty, NotAsked, Refusal
from engine.text import English, say
from tests.bot.desk import (
    ANNA,
    BERT,
    CARA,
    MASTER,
    Clock as Watch,
    blank,
    crashed,
    delivered,
    guessed,
    kinds,
    opened,
    play_on,
    started,
)
from tests.toy import PEBBLES, Give, Guess, Take

ONE, TWO, THREE = Seat("seat_1"), Seat("seat_2"), Seat("seat_3")
NAMES = ("Amber", "Basalt", "Chalk")
NOON = datetime(2026, 4, 1, 12, tzinfo=UTC)             # when a desk's clock begins: a Wednesday
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
BERLIN = Hours(zone="Europe/Berlin", wake=8, sleep=22)
NIGHT = Hours(zone="Asia/Tokyo", wake=8, sleep=22)      # 21:00 in Tokyo, when a desk's clock begins


def utc(month: int, day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


# --- waking hours -------------------------------------------------------------------------------------------

def test_time_runs_while_somebody_is_awake() -> None:
    """Noon in UTC is 14:00 in Berlin in April: eight hours are left of that day, so the ninth is the first of the next."""
    assert BERLIN.after(NOON, 8 * HOUR) == utc(4, 1, 20)
    assert BERLIN.after(NOON, 9 * HOUR) == utc(4, 2, 7)
    assert BERLIN.between(NOON, utc(4, 2, 7)) == 9 * HOUR
    assert BERLIN.awake(utc(4, 1, 19, 59)) and not BERLIN.awake(utc(4, 1, 20)) and BERLIN.awake(utc(4, 2, 6))


def test_an_evening_reaches_beyond_midnight() -> None:
    owl = Hours(zone="Europe/Berlin", wake=14, sleep=2)
    assert owl.awake(utc(4, 1, 23)) and not owl.awake(utc(4, 2, 0))
    assert owl.after(utc(4, 1, 23), 2 * HOUR) == utc(4, 2, 13)


def test_when_the_clocks_go_forward_the_night_is_shorter() -> None:
    """In Berlin at 2:00 on 29 March 2026 it is 3:00: who wakes at 8:00 does so at 7:00 UTC on Saturday, at 6:00 on Sunday."""
    assert BERLIN.after(utc(3, 28, 20), 2 * HOUR) == utc(3, 29, 7)              # 21:00 to 22:00, and 8:00 to 9:00
    assert Hours(zone="Europe/Berlin").between(utc(3, 28, 23), utc(3, 29, 22)) == 23 * HOUR     # a whole day there
    assert Hours(zone="Europe/Berlin", wake=2, sleep=12).between(utc(3, 28, 12), utc(3, 29, 12)) == 9 * HOUR


def test_when_the_clocks_go_back_the_night_is_longer() -> None:
    """In Berlin at 3:00 on 25 October 2026 it is 2:00 again."""
    assert BERLIN.after(utc(10, 24, 19), 2 * HOUR) == utc(10, 25, 8)            # 21:00 to 22:00, and 8:00 to 9:00
    assert Hours(zone="Europe/Berlin", wake=2, sleep=12).between(utc(10, 24, 12), utc(10, 25, 12)) == 11 * HOUR


def test_other_places_change_their_clocks_on_other_days() -> None:
    """New York does so on 8 March 2026, three weeks before Berlin, and Phoenix never."""
    for zone, wakes in (("America/New_York", utc(3, 9, 12)), ("America/Phoenix", utc(3, 9, 15))):
        hours = Hours(zone=zone, wake=8, sleep=22)
        assert hours.after(utc(3, 9, 8), timedelta()) == wakes


def test_nothing_runs_on_vacation() -> None:
    away = Hours(away=((utc(4, 2, 0), utc(4, 5, 0)),))
    assert away.after(NOON, 24 * HOUR) == utc(4, 5, 12)
    assert not away.awake(utc(4, 3, 12)) and away.between(NOON, utc(4, 6, 0)) == 36 * HOUR


@pytest.mark.parametrize("zone, wake, sleep, why", [
    ("Mars/Olympus", 8, 22, "There is no time zone Mars/Olympus. Choose one by a city, such as Europe/Berlin."),
    ("", 8, 22, "There is no time zone . Choose one by a city, such as Europe/Berlin."),
    ("../../etc/passwd", 8, 22, "There is no time zone ../../etc/passwd. Choose one by a city, such as Europe/Berlin."),
    ("Europe/Berlin", 20, 3, "From 20:00 to 3:00 is 7 hours. Waking hours must be at least 8 a day, so that your games "
                             "move on."),
    ("Europe/Berlin", -1, 22, "An hour of the day is a whole number from 0 to 23."),
    ("Europe/Berlin", 8, 24, "An hour of the day is a whole number from 0 to 23.")])
def test_hours_that_nobody_can_have(zone: str, wake: int, sleep: int, why: str) -> None:
    with pytest.raises(Faulty) as refused:
        checked(zone, wake, sleep)
    assert str(refused.value) == why


def test_eight_hours_are_enough_and_the_same_hour_twice_means_always() -> None:
    assert checked("Europe/Berlin", 20, 4).sleep == 4
    assert checked("UTC", 7, 7).between(NOON, NOON + DAY) == DAY


def test_cities_are_found_by_their_name_and_by_the_time_there() -> None:
    assert find_zones("berl")[0] == "Europe/Berlin" and "America/New_York" in find_zones("new york")
    assert find_zones("nowhere at all") == []
    assert "Europe/Berlin" in zones_at(14, NOON) and "Europe/London" not in zones_at(14, NOON)
    assert sum(len(zones_at(hour, NOON)) for hour in range(24)) > 400


# --- the clock of a game ------------------------------------------------------------------------------------

@pytest.mark.parametrize("written, clock, words", [
    ("none", Clock(), "no time limit"), ("24h", Clock(hours=24), "24 hours for each move"),
    ("1", Clock(hours=1), "1 hour for each move"),
    ("bank 72h", Clock(hours=72, bank=True), "a bank of 72 hours for each seat"),
    ("Bank 72h+6h", Clock(hours=72, bank=True, refill=6), "a bank of 72 hours for each seat, and 6 hours back with each move"),
    ("bank 72+24/war", Clock(hours=72, bank=True, refill=24, per="war"),
     "a bank of 72 hours for each seat, and 24 hours back with each turn, or whatever else a game counts by")])
def test_a_clock_is_read_as_it_is_written(written: str, clock: Clock, words: str) -> None:
    assert read(written) == clock == read(clock.written())
    assert say(clock.text(), English()) == words


def test_hours_that_come_back_do_so_as_each_game_counts() -> None:
    """A server has one clock for all new games; as it was written before, it goes on meaning the same."""
    earlier = [read(f"bank 72h+24h/{span}") for span in ("war", "turn")]
    assert {clock.suited(PEBBLES.orders).per for clock in earlier} == {"round"}
    assert {say(clock.text(PEBBLES.orders), English()) for clock in earlier} == {
        "a bank of 72 hours for each seat, and 24 hours back with each round"}
    (offered,) = [clock for clock in usual(None) if clock.per == "turn" and clock.hours == 72]
    assert {clock.suited(None) for clock in earlier} == {offered}


@pytest.mark.parametrize("written, why", [
    ("0h", "A clock can have 1 to 720 hours, so 0 won't do."), ("9999h", "A clock can have 1 to 720 hours, so 9999 won't do."),
    ("bank 72h+200h", "A bank can get back 168 hours at most, so 200 won't do."),
    ("-3h", "I can't read the clock \"-3h\""),
    ("24h+6h", "I can't read the clock \"24h+6h\""), ("soon", "I can't read the clock \"soon\""),
    ("bank 72h+6h/attack", "I can't read the clock \"bank 72h+6h/attack\"")])
def test_a_clock_that_cannot_be_read(written: str, why: str) -> None:
    with pytest.raises(Faulty) as refused:
        read(written)
    assert str(refused.value).startswith(why)


def answers(*took: float, wars: str = "") -> list[Answered]:
    return [Answered(no=no, seat=ONE, user=ANNA, seconds=round(hours * 3600), missed=False, stretch=war)
            for no, (hours, war) in enumerate(zip(took, wars or "1" * len(took)), 1)]


def test_a_bank_is_what_answers_leave_of_it() -> None:
    plain, each, war = read("bank 10h"), read("bank 10h+2h"), read("bank 10h+5h/war")
    assert allowance(plain, answers(3, 4), "") == 3 * HOUR
    assert allowance(plain, answers(3, 9), "") == HOUR                  # an empty bank leaves an hour for each answer
    assert allowance(each, answers(3, 4), "") == 10 * HOUR - 3 * HOUR + 2 * HOUR - 4 * HOUR + 2 * HOUR
    assert allowance(each, answers(1), "") == 10 * HOUR                 # never more than at the beginning
    assert allowance(war, answers(6, 2, wars="11"), "1") == 2 * HOUR
    assert allowance(war, answers(6, 2, wars="12"), "2") == (10 - 6 + 5 - 2) * HOUR
    assert allowance(war, answers(6, 2, wars="11"), "2") == (10 - 6 - 2 + 5) * HOUR
    assert allowance(read("24h"), answers(23), "") == 24 * HOUR and allowance(Clock(), answers(1), "") is None


# --- at the desk --------------------------------------------------------------------------------------------

@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
async def services(store: Store, watch: Watch) -> AsyncIterator[Services]:
    yield play_on(store, clock=watch)


async def timed(services: Services, clock: str = "24h", members: Sequence[int] = (ANNA, BERT), **limits: Any) -> int:
    """A game with a clock in which these members are asked for their guesses."""
    game = await started(services, members)
    await services.clocks.set_clock(game, MASTER, clock=read(clock), **limits)
    await delivered(services)
    return game


async def taking(services: Services, clock: str = "24h", **limits: Any) -> int:
    """A game with a clock in which Anna is to take pebbles."""
    game = await guessed(services)
    await services.clocks.set_clock(game, MASTER, clock=read(clock), **limits)
    await delivered(services)
    return game


async def due(services: Services, game: int, seat: Seat = ONE) -> datetime | None:
    """Until when a seat has to answer."""
    return {deadline.seat: deadline for deadline in await services.clocks.deadlines(game)}[seat].due_at


async def tick(services: Services) -> None:
    """What the bot's pulse does at the desk."""
    await services.clocks.beat()
    for game, seat, asked_at in (await services.clocks.times_up()).answers:
        await services.clocks.time_up(game, seat, asked_at)
    await services.clocks.remind()
    await services.clocks.escalate()


async def pass_time(services: Services, watch: Watch, span: timedelta, *, step: timedelta = HOUR) -> list[OutboxRow]:
    """Put the clock on step by step, and do what is due at each; everything that is sent meanwhile."""
    sent = await delivered(services)
    end = watch.moment + span
    while watch.moment < end:
        watch.moment = min(watch.moment + step, end)
        for _ in range(3):              # a heartbeat comes more often than once an hour
            await tick(services)
        sent += await delivered(services)
    return sent


@pytest.fixture
def awake_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot counts as running although the test looks in only once an hour."""
    monkeypatch.setattr("bot.service.clocks.OFF", timedelta(days=400))


def of_kind(letters: Sequence[OutboxRow], kind: str) -> list[OutboxRow]:
    return [letter for letter in letters if letter.kind == kind]


def notices(letters: Sequence[OutboxRow]) -> list[str]:
    return [letter.payload["text"] for letter in of_kind(letters, "notice")]


async def test_a_game_without_a_clock_waits_for_ever(services: Services, watch: Watch) -> None:
    game = await started(services)
    assert await due(services, game) is None
    watch.put_on(days=300)
    assert (await services.clocks.times_up()).answers == []


async def test_an_answer_has_its_time_and_the_next_one_has_its_own(services: Services, watch: Watch) -> None:
    game = await taking(services)
    assert await due(services, game) == NOON + DAY
    watch.put_on(hours=5)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert [(d.seat, d.user, d.due_at) for d in await services.clocks.deadlines(game)] == [(TWO, BERT, NOON + 29 * HOUR)]


@pytest.mark.usefixtures("awake_bot")
async def test_when_the_time_is_up_the_default_is_given_and_announced(services: Services, watch: Watch) -> None:
    """P-11."""
    game = await taking(services)
    default = (await services.session.table(game)).default(ONE)
    watch.put_on(hours=23, minutes=59)
    await tick(services)
    assert (await services.session.table(game)).asked(ONE) is not None
    await delivered(services)
    watch.put_on(minutes=1)
    assert (await services.clocks.times_up()).answers == [(game, ONE, (await services.session.table(game)).asked_at)]
    await tick(services)
    letters = await delivered(services)
    assert notices(letters) == ["Amber ran out of time: default move played."]
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
    assert said[0] == "Amber, Basalt and Chalk ran out of time: default move played."
    assert set(said[1:]) == {f"{name} ran out of time: default move played." for name in NAMES}
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
    assert set(notices(sent)) == {"Basalt ran out of time: default move played."}
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
    assert notices(await delivered(services)) == ["Basalt ran out of time: default move played."]


async def test_a_deadline_moves_with_the_clocks_of_its_player(services: Services, watch: Watch) -> None:
    """From Saturday noon, 28 March, in Berlin: ten hours on that day, and four from 8:00 on Sunday, an hour earlier in UTC."""
    await services.settings.set_member(ANNA, MemberRow(hours=BERLIN))
    watch.moment = utc(3, 28, 11)
    game = await taking(services, "14h")
    assert await due(services, game) == utc(3, 29, 10)
    watch.moment = utc(10, 24, 10)
    game = await taking(services, "14h")
    assert await due(services, game) == utc(10, 25, 11)


# --- sealed answers -----------------------------------------------------------------------------------------

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
    assert notices(await delivered(services)) == ["Amber ran out of time: default move played."]


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


# --- pauses, settings, hand-overs ---------------------------------------------------------------------------

async def test_the_clock_stands_still_in_a_pause(services: Services, watch: Watch) -> None:
    game = await taking(services)
    watch.put_on(hours=10)
    await services.seats.pause(game, MASTER)
    assert await due(services, game) is None
    watch.put_on(days=30)
    assert (await services.clocks.times_up()).answers == []
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
    assert notices(await delivered(services)) == ["The game master, <@900>, has set the clock: 48 hours for each move."]
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
    await services.clocks.remind()
    copy = Store(crashed(path, tmp_path / "copy"))
    again = play_on(copy, clock=watch)
    await again.clocks.remind()
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
    assert notices(await again.outbox.pending(100)) == ["Amber ran out of time: default move played."]
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
        assert await store.read(lambda ledger: ledger.member(ANNA)) == MemberRow(theme="light")
        assert await store.read(lambda ledger: ledger.clock(1)) == ClockRow()


# --- undo ---------------------------------------------------------------------------------------------------

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


# --- a bot that was off -------------------------------------------------------------------------------------

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


async def test_a_bot_that_looks_in_every_minute_forgives_nothing(services: Services, watch: Watch) -> None:
    game = await taking(services, "1h")
    for _ in range(60):
        await tick(services)
        watch.put_on(minutes=1)
    assert await due(services, game) == NOON + HOUR
    await tick(services)
    assert (await services.session.table(game)).asked(ONE) is None


# --- more time ----------------------------------------------------------------------------------------------

async def test_an_extension_gives_half_the_time_again(services: Services, watch: Watch) -> None:
    game = await taking(services)
    watch.put_on(hours=20)
    assert await services.clocks.extend(game, ANNA) == 12 * HOUR
    assert await due(services, game) == NOON + 36 * HOUR
    assert notices(await delivered(services)) == ["<@101> takes 12 hours more for this move."]
    assert await services.clocks.extend(game, ANNA) == 12 * HOUR
    assert await due(services, game) == NOON + 48 * HOUR
    with pytest.raises(Refusal, match=r"This move already has twice its time"):
        await services.clocks.extend(game, ANNA)


async def test_extensions_are_limited_by_game_and_need_a_question(services: Services, watch: Watch) -> None:
    game = await taking(services, extensions=1)
    with pytest.raises(NotAsked, match=r"You have nothing to do right now, so there is nothing to extend."):
        await services.clocks.extend(game, BERT)
    with pytest.raises(Refusal, match=r"You have no seat in this game."):
        await services.clocks.extend(game, CARA)
    await services.clocks.extend(game, ANNA)
    with pytest.raises(Refusal, match=r"You've used all 1 extension that this game allows"):
        await services.clocks.extend(game, ANNA)
    await services.clocks.set_clock(game, MASTER, clock=Clock())
    with pytest.raises(Refusal, match=r"This game has no clock"):
        await services.clocks.extend(game, ANNA)


async def test_an_extension_of_a_question_that_is_taken_back_is_not_spent(services: Services) -> None:
    game = await taking(services, extensions=1)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.clocks.extend(game, BERT)
    await services.undo.undo(game, MASTER)                           # Bert is not asked any more
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    await services.clocks.extend(game, BERT)
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    await services.undo.undo(game, MASTER)                           # he is asked the same once more
    with pytest.raises(Refusal, match=r"You've used all 1 extension"):
        await services.clocks.extend(game, BERT)


async def test_an_extension_comes_and_goes_with_its_question(services: Services) -> None:
    game = await taking(services, extensions=2)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.clocks.extend(game, BERT)
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    await services.undo.undo(game, MASTER)
    await services.clocks.extend(game, BERT)                           # at the same question, which a return has put again
    with pytest.raises(Refusal, match=r"You've used all 2 extensions"):
        await services.clocks.extend(game, BERT)
    await services.undo.rollback(game, 2, MASTER)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    for _ in range(2):
        await services.clocks.extend(game, BERT)
    await services.undo.rollback(game, 3, MASTER)                    # to where both first ones were
    with pytest.raises(Refusal, match=r"You've used all 2 extensions"):
        await services.clocks.extend(game, BERT)


async def test_an_extension_of_a_sealed_answer_is_nobodys_business(services: Services) -> None:
    game = await timed(services)
    await services.clocks.extend(game, ANNA)
    assert [letter.kind for letter in await services.outbox.pending()] == ["status"]


async def test_extended_time_is_not_taken_from_a_bank(services: Services, watch: Watch) -> None:
    game = await taking(services, "bank 10h")
    await services.clocks.extend(game, ANNA)
    watch.put_on(hours=8)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert (await services.clocks.banks(game))[ONE] == 7 * HOUR


async def test_a_game_master_gives_more_time(services: Services, watch: Watch) -> None:
    game = await taking(services)
    await services.clocks.extend_for(game, ONE, 48, MASTER)
    assert await due(services, game) == NOON + 72 * HOUR
    assert notices(await delivered(services)) == ["The game master, <@900>, gives Amber 48 hours more for this move."]
    for seat, hours, why in ((ONE, 0, "can give 1 to 336 hours"), (ONE, 337, "can give 1 to 336 hours"),
                             (TWO, 5, "Seat 2 has nothing to do"), (THREE, 5, "This game has no seat seat 3")):
        with pytest.raises(Refusal, match=why):
            await services.clocks.extend_for(game, seat, hours, MASTER)
    assert await due(services, game) == NOON + 72 * HOUR


# --- vacations ----------------------------------------------------------------------------------------------

async def test_the_clock_stands_still_on_vacation(services: Services, watch: Watch) -> None:
    game = await taking(services)
    (starts, ends), left = await services.clocks.take_vacation(game, ANNA, date(2026, 4, 2), date(2026, 4, 4))
    assert (starts, ends, left) == (utc(4, 2, 0), utc(4, 5, 0), 18)
    assert await due(services, game) == utc(4, 5, 12)
    assert notices(await delivered(services)) == [
        f"<@101> is on vacation from <t:{int(starts.timestamp())}:D> to <t:{int(ends.timestamp()) - 1}:D>. The clock "
        "stops for that time."]


async def test_a_vacation_begins_at_midnight_where_its_member_lives(services: Services) -> None:
    game = await taking(services)
    await services.settings.set_member(ANNA,
                                       MemberRow(hours=Hours(zone="Pacific/Auckland")))    # it is 1:00 of the next day there
    assert await services.clocks.today(ANNA) == date(2026, 4, 2)
    (starts, ends), _ = await services.clocks.take_vacation(game, ANNA, date(2026, 4, 3), date(2026, 4, 3))
    assert (starts, ends) == (utc(4, 2, 11), utc(4, 3, 11))


async def test_a_vacation_that_ends_early_costs_the_days_that_it_had(services: Services, watch: Watch) -> None:
    game = await taking(services)
    await services.clocks.take_vacation(game, ANNA, date(2026, 4, 1), date(2026, 4, 20))
    watch.put_on(days=2)
    await services.clocks.end_vacation(game, ANNA)
    assert await due(services, game) == watch.moment + DAY
    _, left = await services.clocks.take_vacation(game, ANNA, date(2026, 4, 10), date(2026, 4, 10))
    assert left == 21 - 2 - 1
    await services.clocks.end_vacation(game, ANNA)                                 # called off: it has never been
    assert [vacation.ends for vacation in await services.clocks.vacations(game, ANNA)] == [watch.moment]
    with pytest.raises(Refusal, match=r"You have no vacation to end in this game."):
        await services.clocks.end_vacation(game, ANNA)


@pytest.mark.parametrize("first, last, why", [
    ((2026, 3, 31), (2026, 4, 5), "That day is past. A vacation starts today, 2026-04-01, or later."),
    ((2026, 4, 5), (2026, 4, 4), "A vacation can't end before it starts."),
    ((2026, 4, 5), (2026, 5, 5), "That is 31 days, and you have 21 left of the 21 days this game allows."),
    ((2026, 4, 5), (2028, 4, 4), "That is more than a year ahead.")])
async def test_a_vacation_that_cannot_be(services: Services, first: tuple[int, int, int], last: tuple[int, int, int],
                                         why: str) -> None:
    game = await taking(services)
    before = await services.clocks.deadlines(game)
    with pytest.raises(Refusal) as refused:
        await services.clocks.take_vacation(game, ANNA, date(*first), date(*last))
    assert str(refused.value) == why
    assert await services.clocks.deadlines(game) == before and await services.clocks.vacations(game, ANNA) == []


async def test_vacations_of_one_member_do_not_overlap(services: Services) -> None:
    game = await taking(services)
    await services.clocks.take_vacation(game, ANNA, date(2026, 4, 5), date(2026, 4, 8))
    with pytest.raises(Refusal, match=r"You're already on vacation then."):
        await services.clocks.take_vacation(game, ANNA, date(2026, 4, 8), date(2026, 4, 9))
    await services.clocks.take_vacation(game, BERT, date(2026, 4, 8), date(2026, 4, 9))


# --- votes --------------------------------------------------------------------------------------------------

async def test_a_majority_pauses_the_game_and_lets_it_go_on(services: Services, watch: Watch) -> None:
    game = await timed(services, members=(ANNA, BERT, CARA))
    watch.put_on(hours=4)
    vote = await services.clocks.vote(game, ANNA, "pause")
    assert (vote.votes, vote.needed, vote.carried) == (1, 2, False)
    with pytest.raises(Refusal, match=r"You've already voted for that. 1 of 2 votes are in."):
        await services.clocks.vote(game, ANNA, "pause")
    (poll,) = of_kind(await delivered(services), "vote")
    assert poll.payload == {"text": "<@101> wants to pause the game: 1 of 2 votes, with a day to vote.", "choice": "pause"}
    assert (await services.clocks.vote(game, CARA, "pause")).carried
    assert (await services.queries.game(game)).status == "paused" and await due(services, game) is None
    assert notices(await delivered(services)) == ["The players have voted to pause the game."]
    watch.put_on(days=9)
    await services.clocks.vote(game, BERT, "resume")
    assert (await services.queries.game(game)).status == "paused"
    await services.clocks.vote(game, ANNA, "resume")
    assert (await services.queries.game(game)).status == "running" and await due(services, game) == watch.moment + 20 * HOUR
    letters = await delivered(services)
    assert notices(letters) == ["The players have voted to go on."]
    assert [letter.audience for letter in of_kind(letters, "question")] == [ONE, TWO, THREE]


async def test_votes_count_for_a_day(services: Services, watch: Watch) -> None:
    game = await timed(services, members=(ANNA, BERT, CARA))
    await services.clocks.vote(game, ANNA, "pause")
    watch.put_on(hours=25)
    assert not (await services.clocks.vote(game, BERT, "pause")).carried
    assert (await services.clocks.vote(game, ANNA, "pause")).carried


async def test_who_cannot_vote_for_what(services: Services) -> None:
    game = await timed(services)
    with pytest.raises(Refusal, match=r"The game isn't paused."):
        await services.clocks.vote(game, ANNA, "resume")
    with pytest.raises(Refusal, match=r"You have no seat in this game."):
        await services.clocks.vote(game, CARA, "pause")
    await services.seats.pause(game, MASTER)
    with pytest.raises(Refusal, match=r"The game is already paused."):
        await services.clocks.vote(game, ANNA, "pause")
    with pytest.raises(Refusal, match=r"This game wasn't paused by a vote. Its game master can resume it."):
        await services.clocks.vote(game, ANNA, "resume")
    lobby = await opened(services)
    await services.lobby.join(lobby, ANNA)
    with pytest.raises(Refusal, match=r"The game hasn't started yet."):
        await services.clocks.vote(lobby, ANNA, "pause")


async def test_a_pause_of_the_game_masters_is_not_ended_by_an_old_vote(services: Services) -> None:
    game = await timed(services)
    for member in (ANNA, BERT):
        await services.clocks.vote(game, member, "pause")
    await services.seats.go_on(game, MASTER)
    await services.seats.pause(game, MASTER)
    with pytest.raises(Refusal, match=r"This game wasn't paused by a vote"):
        await services.clocks.vote(game, ANNA, "resume")


# --- reminders ----------------------------------------------------------------------------------------------

@pytest.mark.usefixtures("awake_bot")
async def test_a_reminder_at_half_time_and_one_before_the_end(services: Services, watch: Watch) -> None:
    game = await taking(services)
    asked_at = (await services.session.table(game)).asked_at
    sent = [((watch.moment - NOON) / HOUR, letter.payload) for _ in range(23)
            for letter in of_kind(await pass_time(services, watch, HOUR), "reminder")]
    duty = {"user": ANNA, "duties": [[game, ONE, asked_at]]}
    assert sent == [(12, duty), (21, duty)]


@pytest.mark.usefixtures("awake_bot")
async def test_reminders_of_all_games_come_in_one_letter(services: Services, watch: Watch) -> None:
    first = await taking(services)
    watch.put_on(hours=4)
    second = await taking(services)
    letters = of_kind(await pass_time(services, watch, 19 * HOUR), "reminder")
    assert [[duty[0] for duty in letter.payload["duties"]] for letter in letters] == [[first, second], [first, second]]
    assert {letter.game for letter in letters} == {first}


@pytest.mark.usefixtures("awake_bot")
async def test_a_game_in_which_its_player_is_on_vacation_is_not_mentioned(services: Services, watch: Watch) -> None:
    """The reminder of the second game comes an hour after midnight; without the vacation it would come along at 20:00."""
    here, there = await taking(services, "16h"), await taking(services, "2h")
    await services.clocks.take_vacation(there, ANNA, date(2026, 4, 1), date(2026, 4, 1))
    sent = [(watch.moment, [duty[0] for duty in letter.payload["duties"]]) for _ in range(13)
            for letter in of_kind(await pass_time(services, watch, HOUR), "reminder")]
    assert sent == [(utc(4, 1, 20), [here]), (utc(4, 2, 1), [there, here])]


@pytest.mark.usefixtures("awake_bot")
async def test_more_time_brings_another_reminder_before_the_new_end(services: Services, watch: Watch) -> None:
    game = await taking(services)
    await pass_time(services, watch, 22 * HOUR)
    await services.clocks.extend(game, ANNA)
    sent = [(watch.moment - NOON) / HOUR for _ in range(13)
            for letter in of_kind(await pass_time(services, watch, HOUR), "reminder")]
    assert sent == [33]


@pytest.mark.usefixtures("awake_bot")
async def test_nobody_is_reminded_at_night(services: Services, watch: Watch) -> None:
    """Noon in UTC is 21:00 in Tokyo: half of two hours is over at 22:00, bedtime, so the reminder waits until 8:00."""
    game = await taking(services, "8h")
    await services.settings.set_member(ANNA, MemberRow(hours=NIGHT))
    assert await due(services, game) == NIGHT.after(NOON, 8 * HOUR) == utc(4, 2, 6)
    sent = [watch.moment for _ in range(17) for letter in of_kind(await pass_time(services, watch, HOUR), "reminder")]
    assert sent == [utc(4, 2, 2), utc(4, 2, 5)]                       # 11:00 and 14:00 in Tokyo


@pytest.mark.usefixtures("awake_bot")
async def test_a_reminder_that_comes_late_waits_for_the_morning(services: Services, watch: Watch) -> None:
    await taking(services, "4h")
    await services.settings.set_member(ANNA,
                                       MemberRow(hours=Hours(zone="Asia/Tokyo", wake=8, sleep=0)))     # bedtime at 15:00 UTC
    watch.put_on(hours=3, minutes=30)                                                            # an hour and a half too late
    await services.clocks.remind()
    assert of_kind(await delivered(services), "reminder") == []
    watch.moment = utc(4, 1, 23)
    await services.clocks.remind()
    assert len(of_kind(await delivered(services), "reminder")) == 1


@pytest.mark.usefixtures("awake_bot")
async def test_who_has_just_answered_is_left_in_peace(services: Services, watch: Watch) -> None:
    quiet, busy = await taking(services), await taking(services)
    watch.put_on(hours=11, minutes=50)
    await services.answers.answer(busy, ANNA, Take.of(1, "left"))
    watch.put_on(minutes=10)
    await services.clocks.remind()
    assert of_kind(await delivered(services), "reminder") == []
    watch.put_on(minutes=5)
    await services.clocks.remind()
    (letter,) = of_kind(await delivered(services), "reminder")
    assert [duty[0] for duty in letter.payload["duties"]] == [quiet]


@pytest.mark.usefixtures("awake_bot")
async def test_reminders_can_be_switched_off(services: Services, watch: Watch) -> None:
    await taking(services)
    await services.settings.set_member(ANNA, MemberRow(pings="none", direct=False))
    assert of_kind(await pass_time(services, watch, 23 * HOUR), "reminder") == []


@pytest.mark.usefixtures("awake_bot")
async def test_a_game_without_a_clock_never_falls_silent(services: Services, watch: Watch) -> None:
    game = await guessed(services)
    told = [(letter.kind, (watch.moment - NOON) / DAY) for _ in range(42)
            for letter in await pass_time(services, watch, DAY, step=DAY) if letter.game == game]
    assert [day for kind, day in told if kind == "reminder"] == [1, 3, 7, 14, 21, 28]
    assert [day for kind, day in told if kind == "escalation"] == list(range(3, 43, 3))     # its game master hears of it


@pytest.mark.parametrize(("nudges", "days"), [
    ("growing", [1, 3, 7, 14, 21, 28]), ("daily", [1, 2, 3, 4, 5, 6]), ("once", [1]), ("none", [])])
@pytest.mark.usefixtures("awake_bot")
async def test_a_member_chooses_how_often_to_be_reminded_in_all_games_or_in_one(
        services: Services, watch: Watch, nudges: Nudges, days: list[int]) -> None:
    everywhere, here = await guessed(services), await guessed(services)
    await services.settings.set_member(ANNA, MemberRow(nudges="once" if nudges == "none" else "none"))
    await services.settings.set_nudges(here, ANNA, nudges)
    told = [(watch.moment - NOON) / DAY for _ in range(40)
            for letter in of_kind(await pass_time(services, watch, DAY, step=DAY), "reminder")
            if here in [duty[0] for duty in letter.payload["duties"]]]
    assert told == days
    await services.settings.set_nudges(here, ANNA, None)
    assert await services.settings.nudges(here, ANNA) is None
    with pytest.raises(Refusal, match="You have no seat in this game"):
        await services.settings.set_nudges(everywhere, CARA, "daily")


@pytest.mark.usefixtures("awake_bot")
async def test_whoever_wants_it_is_told_of_a_move_some_minutes_later_once_for_all_games(services: Services, watch: Watch) -> None:
    await services.settings.set_member(BERT, MemberRow(direct=False, pings="none", notices=True))
    games = [await guessed(services), await guessed(services)]
    watch.put_on(minutes=30)
    for game in games:
        await services.answers.answer(game, ANNA, Take.of(1, "left"))
    letters = of_kind(await pass_time(services, watch, timedelta(minutes=10), step=timedelta(minutes=1)), "reminder")
    assert [(letter.payload["user"], letter.payload["notice"], [duty[0] for duty in letter.payload["duties"]])
            for letter in letters] == [(BERT, True, games)]


async def test_a_pause_does_not_silence_a_game_without_a_clock(services: Services, watch: Watch) -> None:
    game = await guessed(services)
    assert len(of_kind(await pass_time(services, watch, 2 * DAY, step=DAY), "reminder")) == 1
    await services.seats.pause(game, MASTER)
    assert of_kind(await pass_time(services, watch, 9 * DAY, step=DAY), "reminder") == []
    await services.seats.go_on(game, MASTER)
    assert len(of_kind(await pass_time(services, watch, 6 * DAY, step=DAY), "reminder")) == 2


async def test_a_game_that_fell_silent_before_the_upgrade_is_heard_of_again(path: Path, watch: Watch) -> None:
    with closing(Store(blank(path))) as store:
        await guessed(play_on(store, clock=watch))
    with closing(sqlite3.connect(path)) as conn, conn:          # as the version before left a question after its only reminder
        conn.execute("UPDATE deadlines SET reminded = 1, remind_at = NULL")
        conn.execute("DELETE FROM _sqlite_migrations WHERE name = 'm0016_reminders'")
    watch.put_on(days=21)
    with closing(Store(path)) as store:
        services = play_on(store, clock=watch)
        assert (await services.clocks.times_up()).reminders
        await services.clocks.remind()
        assert len(of_kind(await delivered(services), "reminder")) == 1


# --- the game master is told --------------------------------------------------------------------------------

@pytest.mark.usefixtures("awake_bot")
async def test_two_missed_answers_in_a_row_are_told_once_in_three_days(services: Services, watch: Watch) -> None:
    game = await taking(services, "6h")
    letters = of_kind(await pass_time(services, watch, timedelta(hours=36)), "escalation")
    assert [(letter.audience, letter.payload) for letter in letters] == [
        ("gm", {"why": "missed", "seats": [ONE]}), ("gm", {"why": "missed", "seats": [TWO]})]
    assert (await services.queries.game(game)).status == "running"


@pytest.mark.usefixtures("awake_bot")
async def test_an_own_answer_ends_a_row_of_missed_ones(services: Services, watch: Watch) -> None:
    game = await taking(services, "6h")
    missed: list[OutboxRow] = []
    for _ in range(3):
        missed += of_kind(await pass_time(services, watch, 6 * HOUR), "escalation")
        await services.answers.answer(game, BERT, Take.of(1, "left"))
        missed += of_kind(await pass_time(services, watch, HOUR), "escalation")
        if (await services.session.table(game)).asked(ONE) is not None:
            await services.answers.answer(game, ANNA, Take.of(1, "left"))
            await services.answers.answer(game, BERT, Take.of(1, "left"))
    assert missed == []


@pytest.mark.usefixtures("awake_bot")
async def test_a_question_without_a_clock_is_told_after_three_days_and_again_three_days_later(services: Services,
                                                                                              watch: Watch) -> None:
    game = await started(services, (ANNA, BERT))
    await services.answers.answer(game, ANNA, Guess.of(1))
    told = [((watch.moment - NOON) / DAY, letter.payload) for _ in range(8)
            for letter in of_kind(await pass_time(services, watch, DAY, step=DAY), "escalation")]
    both = {"why": "waits", "seats": [ONE, TWO]}            # which of the sealed answers is in, the note does not tell
    assert told == [(3, both), (6, both)]


@pytest.mark.usefixtures("awake_bot")
async def test_nobody_is_told_of_somebody_on_vacation(services: Services, watch: Watch) -> None:
    game = await guessed(services)
    await services.clocks.take_vacation(game, ANNA, date(2026, 4, 2), date(2026, 4, 10))
    assert of_kind(await pass_time(services, watch, timedelta(days=6), step=DAY), "escalation") == []
    assert len(of_kind(await pass_time(services, watch, timedelta(days=5), step=DAY), "escalation")) == 1


# --- what cannot be set -------------------------------------------------------------------------------------

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
