"""Waking hours and the clock of a game: what they say of a deadline, without any game."""
from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

import pytest

from bot.discord.game.clock import usual
from bot.discord.time_zones import typed_zone
from bot.domain.deadlines import Answered, Clock, allowance, read
from bot.domain.waking_hours import Hours, checked, find_zones, zones_at
from engine.refusals import Faulty
from engine.text import say
from tests.bot.clocks.timed import BERLIN, DAY, HOUR, NOON, ONE, utc
from tests.bot.desk import ANNA
from tests.toy import PEBBLES

# --- waking hours --------------------------------------------------------------------------------------------------

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


@pytest.mark.parametrize("zone, missing", [("Pacific/Apia", date(2011, 12, 30)), ("Pacific/Fakaofo", date(2011, 12, 30)),
                                           ("Pacific/Kwajalein", date(1993, 8, 21)), ("Pacific/Kiritimati", date(1994, 12, 31))])
@pytest.mark.parametrize("wake, sleep, awake", [(8, 22, 14), (14, 2, 12), (0, 0, 24), (22, 8, 10)])
def test_a_day_that_was_left_out_is_lived_once(zone: str, missing: date, wake: int, sleep: int, awake: int) -> None:
    """West of the date line a day was left out to live east of it: so many hours awake on each day, and none twice."""
    hours = Hours(zone=zone, wake=wake, sleep=sleep)
    noon = datetime.combine(missing - DAY, time(12), ZoneInfo(zone)).astimezone(UTC)
    assert (noon + DAY).astimezone(ZoneInfo(zone)).date() == missing + DAY
    lived = list(islice(hours.spans(noon - 3 * DAY), 8))
    assert all(end <= start for (_, end), (start, _) in pairwise(lived))
    assert [end - start for start, end in lived[1:]] == [awake * HOUR] * 7


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
    assert find_zones("São Paulo") == ["America/Sao_Paulo"] and find_zones("Zürich") == ["Europe/Zurich"]
    assert find_zones("İstanbul")[0] == "Europe/Istanbul" and typed_zone(" são paulo") == "America/Sao_Paulo"
    assert find_zones("nowhere at all") == []
    assert "Europe/Berlin" in zones_at(14, NOON) and "Europe/London" not in zones_at(14, NOON)
    assert sum(len(zones_at(hour, NOON)) for hour in range(24)) > 400


# --- the clock of a game -------------------------------------------------------------------------------------------

@pytest.mark.parametrize("written, clock, words", [
    ("none", Clock(), "no time limit"), ("24h", Clock(hours=24), "24 hours for each move"),
    ("1", Clock(hours=1), "1 hour for each move"),
    ("bank 72h", Clock(hours=72, bank=True), "a bank of 72 hours for each seat"),
    ("Bank 72h+6h", Clock(hours=72, bank=True, refill=6), "72 hours in each player's time bank, plus 6 hours with each move"),
    ("bank 72+24/war", Clock(hours=72, bank=True, refill=24, per="war"),
     "72 hours in each player's time bank, plus 24 hours with each turn, or whatever else a game counts by")])
def test_a_clock_is_read_as_it_is_written(written: str, clock: Clock, words: str) -> None:
    assert read(written) == clock == read(clock.written())
    assert say(clock.text()) == words


def test_hours_that_come_back_do_so_as_each_game_counts() -> None:
    """A server has one clock for all new games; as it was written before, it goes on meaning the same."""
    earlier = [read(f"bank 72h+24h/{span}") for span in ("war", "turn")]
    assert {clock.suited(PEBBLES.orders).per for clock in earlier} == {"round"}
    assert {say(clock.text(PEBBLES.orders)) for clock in earlier} == {
        "72 hours in each player's time bank, plus 24 hours with each round"}
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
