"""Reminders: when players are reminded, and when the game master is told."""
from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from bot.domain.waking_hours import Hours, Nudges
from bot.service import Services
from bot.store import MemberRow, OutboxRow, Store
from engine.refusals import Refusal
from tests.bot.clocks.timed import DAY, HOUR, NIGHT, NOON, ONE, TWO, due, of_kind, pass_time, taking, utc
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock as Watch, blank, delivered, guessed, play_on, started
from tests.often_said import NO_SEAT
from tests.toy import Guess, Take

# --- reminders -----------------------------------------------------------------------------------------------------

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
    await services.timers.look("reminder")
    assert of_kind(await delivered(services), "reminder") == []
    watch.moment = utc(4, 1, 23)
    await services.timers.look("reminder")
    assert len(of_kind(await delivered(services), "reminder")) == 1


@pytest.mark.usefixtures("awake_bot")
async def test_who_has_just_answered_is_left_in_peace(services: Services, watch: Watch) -> None:
    quiet, busy = await taking(services), await taking(services)
    watch.put_on(hours=11, minutes=50)
    await services.answers.answer(busy, ANNA, Take.of(1, "left"))
    watch.put_on(minutes=10)
    await services.timers.look("reminder")
    assert of_kind(await delivered(services), "reminder") == []
    watch.put_on(minutes=5)
    await services.timers.look("reminder")
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
    with pytest.raises(Refusal, match=NO_SEAT):
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


async def test_who_chooses_other_reminders_gets_the_next_one_when_it_was_due(services: Services, watch: Watch) -> None:
    game = await taking(services)
    watch.put_on(hours=6)
    await services.settings.set_nudges(game, ANNA, "once")
    (deadline,) = await services.clocks.deadlines(game)
    assert deadline.remind_at == NOON + 12 * HOUR, "at half of the time"


@pytest.mark.usefixtures("awake_bot")
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
        assert await services.timers.due("reminder")
        await services.timers.look("reminder")
        assert len(of_kind(await delivered(services), "reminder")) == 1


# --- the game master is told ---------------------------------------------------------------------------------------

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
