"""Simulated people look at their phones as people do."""
from __future__ import annotations

from itertools import islice

from bench.people import DAY, LOOKS, MISSED, looks


def test_people_look_about_twice_a_day_and_in_their_own_time():
    for number in range(7):
        times = [look.at for look in islice(looks(number, 1), 400)]
        assert times == sorted(times)
        days = times[-1] / DAY
        assert 0.75 * len(LOOKS) * (1 - MISSED) < len(times) / days <= len(LOOKS)
    assert len({next(looks(number, 1)).at for number in range(7)}) > 3
