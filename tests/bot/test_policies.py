"""What is due when, by hand-made values: the table of policies, and what is weighed besides [P-10, P-44 to P-46]."""
from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from bot.domain.absence import (
    CHOICES,
    OFTEN,
    POLICIES,
    Kind,
    NoShow,
    OpenGame,
    ReplacementRules,
    Timer,
    carried,
    due,
    hopeless,
    moments,
    no_show_sentence,
    silent_for,
    step,
)
from bot.domain.presence import Presence
from bot.domain.waking_hours import Hours
from bot.service import Services
from bot.store.timers import WAITS
from engine.text import say

NOW = datetime(2026, 4, 30, 12, tzinfo=UTC)
DAYS_OFF = ((NOW - timedelta(days=5), NOW - timedelta(days=1)),)
WEEK = ReplacementRules(7, "half")
HOURS: dict[Kind, int] = {"first_move": 72, "long_wait": 72, "late_start": 48, "standstill": 90, "long_pause": 168,
                          "open_game": 72, "pause_vote": 24}


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


# --- the table ----------------------------------------------------------------------------------------------------------

def test_each_kind_waits_as_long_as_was_promised_and_is_found_and_done(services: Services) -> None:
    assert {kind: policy.after / timedelta(hours=1) for kind, policy in POLICIES.items() if policy.after} == HOURS
    assert set(POLICIES) == set(WAITS) == set(services.timers.handlers)
    assert set(POLICIES) - set(OFTEN) == {"standstill", "long_pause", "open_game"}


@pytest.mark.parametrize("kind", POLICIES)
@pytest.mark.parametrize("off", [(), DAYS_OFF])
def test_days_in_which_the_bot_was_off_do_not_count(kind: Kind, off: tuple[tuple[datetime, datetime], ...]) -> None:
    since = moments(Presence(NOW, off))[kind]
    assert NOW - since == timedelta(hours=HOURS.get(kind, 0), days=4 if off and HOURS.get(kind, 0) > 24 else 0)


def test_what_a_moment_brings_is_done_in_the_order_of_the_table_the_oldest_first() -> None:
    ages: list[tuple[Kind, int]] = [("reminder", 1), ("time_up", 1), ("time_up", 2), ("first_move", 4), ("alarm", 0)]
    found = [Timer(kind, game, None, 0, ago(days)) for game, (kind, days) in enumerate(ages, 1)]
    assert [timer.game for timer in due(found, Presence(NOW))] == [5, 4, 3, 2, 1]


@pytest.mark.parametrize("calls, days, called", [(0, 2, True), (1, 3, False), (1, 4, True), (2, 5, False), (2, 6, True)])
def test_players_of_a_full_game_are_called_again_after_as_many_days(calls: int, days: int, called: bool) -> None:
    for off, presence in ((0, Presence(NOW)), (4, Presence(NOW, DAYS_OFF))):
        assert bool(due([Timer("late_start", 1, None, calls, ago(days + off))], presence)) == called


def test_since_and_ago_are_of_one_mind() -> None:
    rng, now = Random(1), datetime(2026, 4, 1, tzinfo=UTC)
    for _ in range(500):
        ends = sorted(now - timedelta(hours=hours) for hours in rng.sample(range(100), 2 * rng.randrange(6)))
        presence, span = Presence(now, tuple(zip(ends[::2], ends[1::2]))), timedelta(hours=rng.randrange(120))
        moment = presence.ago(span)
        assert presence.since(moment) == span and presence.since(moment + timedelta(seconds=1)) < span + timedelta(seconds=1)
        assert not any(gone <= moment < back for gone, back in presence.off)


# --- open games that nobody joins ---------------------------------------------------------------------------------------

OPEN = OpenGame(1, NOW, None, host=900, closed_circle=False, channel=5, listed=False)


@pytest.mark.parametrize("quiet, told, wanted", [
    (2.9, None, None), (3, None, "remind"), (9, 6, None), (10, 7, "remind"), (20.9, 10, None), (21, 11, "ask"), (90, None, "ask"),
    (27.9, 6.9, None), (28, 7, "close"), (90, 6, None), (97, 7, "close"), (3, 4, "remind")])
def test_an_open_game_is_told_of_twice_then_its_host_is_asked_and_has_a_week(
        quiet: float, told: float | None, wanted: str | None) -> None:
    table = replace(OPEN, since=ago(quiet), told=None if told is None else ago(told))
    assert step(table, Presence(NOW), Hours()) == wanted
    later = replace(table, since=ago(quiet + 4), told=None if told is None else ago(told + 4))
    if told is None or told > 1:
        assert step(later, Presence(NOW, DAYS_OFF), Hours()) == wanted


@pytest.mark.parametrize("quiet", [3, 10, 21])
def test_no_channel_reads_of_a_closed_circle_or_what_a_noticeboard_shows_and_nobody_is_asked_at_night(quiet: int) -> None:
    for table in (replace(OPEN, closed_circle=True, since=ago(quiet)), replace(OPEN, listed=True, since=ago(quiet))):
        assert step(table, Presence(NOW), Hours()) == ("ask" if quiet == 21 else None)
    asleep = Hours(wake=14, sleep=10)
    assert step(replace(OPEN, since=ago(quiet)), Presence(NOW), asleep) == ("remind" if quiet < 21 else None)


# --- players who keep the others waiting ------------------------------------------------------------------------------

@pytest.mark.parametrize("rules, voters, needed, days", [
    (WEEK, 1, 1, 14), (WEEK, 2, 2, 7), (WEEK, 3, 2, 7), (WEEK, 0, 1, 7), (replace(WEEK, agreement="all"), 3, 3, 7),
    (replace(WEEK, agreement="all"), 0, 1, 7)])
def test_the_rules_say_how_many_and_how_long(rules: ReplacementRules, voters: int, needed: int, days: int) -> None:
    assert (rules.needed(voters), rules.silence(voters)) == (needed, timedelta(days=days))


def test_the_rules_are_said_for_as_many_as_play() -> None:
    assert say(WEEK.sentence(2)) == "If somebody makes no move for 14 days, the other player can replace them."
    assert say(WEEK.sentence(3)) == ("If somebody makes no move for 7 days, the players can vote to replace them. "
                                                "More than half of the others must agree.")
    assert say(ReplacementRules(0, "half").sentence(2)) == "The players can't vote to replace anybody."


def test_votes_are_counted_among_those_who_still_play() -> None:
    ballots, anna, bert, cara = {2: True, 3: True, 4: False}, 1, 2, 3
    assert carried(ballots, [bert, cara], 2) and not carried(ballots, [bert, 4], 2) and not carried(ballots, [bert], 2)
    assert hopeless(ballots, [bert, 4], 2) and not hopeless({}, [bert, anna], 2)
    assert len(CHOICES) == len(set(CHOICES)) == 7


@pytest.mark.parametrize("wanted, heard, away, off, days", [
    (9, None, (), (), 9), (9, 2, (), (), 2), (9, None, ((8, 4),), (), 5), (9, None, ((1, -2),), (), None),
    (None, None, (), (), None), (9, None, ((8, 4),), ((6, 2),), 3)])
def test_vacations_and_days_off_are_no_silence(
        wanted: int | None, heard: int | None, away: tuple[tuple[int, int], ...], off: tuple[tuple[int, int], ...],
        days: int | None) -> None:
    presence = Presence(NOW, tuple((ago(first), ago(last)) for first, last in off))
    assert silent_for(presence, wanted=None if wanted is None else ago(wanted), heard=None if heard is None else ago(heard),
                      away=tuple((ago(first), ago(last)) for first, last in away)) == (
                          None if days is None else timedelta(days=days))


def test_what_is_done_about_no_first_move_is_said_in_plain_words() -> None:
    chosen: list[tuple[NoShow, bool]] = [("wait", False), ("replace", True), ("drop", False)]
    assert [say(no_show_sentence(what, timed=timed)) for what, timed in chosen] == [
        "The game waits for whoever makes no first move.",
        "If somebody makes no first move by its deadline, their seat is free for others.",
        "If somebody makes no first move within 3 days, I open the game again without them. If play has already begun, I "
        "free their seat instead."]
