"""The simulator of waiting: people, their looks, and what each device saves them."""
from __future__ import annotations

from itertools import islice, pairwise

import pytest

from bench.minds import placements
from bench.people import DAY, LOOKS, MISSED, SPELL, looks
from bench.policy import random_choice, simple
from bench.waiting import ALONE, EVERYTHING, HALF, NOTHING, SEATS, SPEC, Club


def test_people_look_about_twice_a_day_and_in_their_own_time():
    for number in range(SEATS):
        times = [look.at for look in islice(looks(number, 1), 400)]
        assert times == sorted(times)
        days = times[-1] / DAY
        assert 0.75 * len(LOOKS) * (1 - MISSED) < len(times) / days <= len(LOOKS)
    assert len({next(looks(number, 1)).at for number in range(SEATS)}) > SEATS // 2


def test_nobody_looks_during_an_absence():
    seen = list(islice(looks(2, 5), 600))
    absences = [(look, following) for look, following in pairwise(seen) if look.away_until]
    assert absences
    for look, following in absences:
        assert look.away_until == look.at + SPELL < following.at


def ended(seed, devices, choice=simple):
    club = Club(seed, devices, choice)
    outcome = club.play()
    assert club.table.over
    return outcome


@pytest.mark.parametrize("name", ALONE)
def test_each_device_alone_saves_waits_or_days(name):
    plain = [ended(seed, NOTHING) for seed in range(3)]
    helped = [ended(seed, ALONE[name]) for seed in range(3)]
    assert sum(game.waits for game in helped) < sum(game.waits for game in plain) \
        or sum(game.minutes for game in helped) < sum(game.minutes for game in plain)


@pytest.mark.parametrize("choice", [simple, random_choice])
def test_together_they_save_more_the_more_people_use_them(choice):
    waits = [sum(ended(seed, devices, choice).waits for seed in range(3)) for devices in (NOTHING, HALF, EVERYTHING)]
    assert waits == sorted(waits, reverse=True) and waits[-1] < 0.4 * waits[0]


def test_a_wait_is_counted_only_at_a_look_that_the_game_stood_still_for():
    outcome = ended(7, NOTHING)
    assert outcome.waits == sum(outcome.points.values()) <= outcome.answers
    assert outcome.forms == 0


def test_a_list_of_starting_units_places_them_all():
    club = Club(3, EVERYTHING, simple)
    while club.table.state.phase != "placing":
        asked = club.table.waiting()[0]
        club.table.answer(asked.seat, club.table.options(asked.seat)[0])
    state = club.table.state
    for seat in state.seats:
        (order,) = placements(state, seat)
        assert len(order.lines) == state.parts.set_up(SEATS).start_units_per_player
        assert SPEC.ordering is not None and SPEC.ordering.point(order.points[0]) is not None
