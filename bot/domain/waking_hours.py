"""When a member is awake: waking hours in a time zone, less vacations. Pure arithmetic; all moments are aware, in UTC.

Hours of the wall clock become moments by the zone's own rules, so a day on which the clocks change is an hour shorter or
longer, and a deadline moves with it.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Literal
from unicodedata import combining, normalize
from zoneinfo import ZoneInfo, available_timezones

from engine.refusals import Faulty
from engine.text import verbatim

DAY = 24                        # hours
LEAST = 8                       # waking hours of a day
REGIONS = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
KNOWN = ("Europe/London", "Europe/Lisbon", "Europe/Berlin", "Europe/Paris", "Europe/Madrid", "Europe/Rome", "Europe/Warsaw",
         "Europe/Stockholm", "Europe/Athens", "Europe/Helsinki", "Europe/Kyiv", "Europe/Istanbul", "Europe/Moscow",
         "Asia/Jerusalem", "Africa/Cairo", "Africa/Johannesburg", "Africa/Lagos", "Africa/Nairobi", "Asia/Dubai", "Asia/Karachi",
         "Asia/Kolkata", "Asia/Dhaka", "Asia/Bangkok", "Asia/Jakarta", "Asia/Shanghai", "Asia/Hong_Kong", "Asia/Manila",
         "Asia/Singapore", "Asia/Tokyo", "Asia/Seoul", "Australia/Perth", "Australia/Brisbane", "Australia/Sydney",
         "Pacific/Auckland", "America/New_York", "America/Toronto", "America/Chicago", "America/Denver", "America/Phoenix",
         "America/Los_Angeles", "America/Vancouver", "America/Anchorage", "Pacific/Honolulu", "America/Mexico_City",
         "America/Bogota", "America/Lima", "America/Santiago", "America/Sao_Paulo", "America/Argentina/Buenos_Aires",
         "America/Halifax", "America/St_Johns")

Span = tuple[datetime, datetime]
Nudges = Literal["growing", "daily", "once", "none"]       # how often a member wants to be reminded of one question


@dataclass(frozen=True, kw_only=True)
class Hours:
    """From when to when a member is awake every day, by the hour; from and to the same hour: always. With it goes how often the
    member wants to be reminded then."""

    zone: str = "UTC"
    wake: int = 0
    sleep: int = 0
    away: tuple[Span, ...] = ()         # vacations, in which nothing runs; in order
    nudges: Nudges = "growing"
    notices: bool = False               # a direct message tells of each question when it is put

    def spans(self, since: datetime) -> Iterator[Span]:
        """The stretches of time awake from a moment on, in order, without end."""
        zone = _zone(self.zone)
        day = since.astimezone(zone).date() - timedelta(days=1)         # an evening can reach beyond midnight
        while True:
            bedtime = _moment(day if self.sleep > self.wake else day + timedelta(days=1), self.sleep, zone)
            yield from _without(self.away, max(_moment(day, self.wake, zone), since), bedtime)
            since, day = max(bedtime, since), day + timedelta(days=1)       # a day that a zone has left out is the next one there

    def after(self, since: datetime, work: timedelta) -> datetime:
        """The moment at which so much time awake has passed; for none: now, or when the member wakes up."""
        for start, end in self.spans(since):
            if end - start >= work:
                return start + work
            work -= end - start
        raise AssertionError("there is always another day")

    def between(self, since: datetime, until: datetime) -> timedelta:
        passed = timedelta()
        for start, end in self.spans(since):
            if start >= until:
                return passed
            passed += min(end, until) - start
        raise AssertionError("there is always another day")

    def awake(self, at: datetime) -> bool:
        """True if the member is up at this moment, and not on vacation."""
        return self.after(at, timedelta()) == at

    def day(self, at: datetime) -> date:
        return at.astimezone(_zone(self.zone)).date()

    def midnight(self, day: date) -> datetime:
        return _moment(day, 0, _zone(self.zone))


def checked(zone: str, wake: int, sleep: int) -> Hours:
    """Hours that a member can have. Raises Faulty."""
    if zone != "UTC" and zone not in available_timezones():
        raise Faulty("There is no time zone {zone}. Choose one by a city, such as Europe/Berlin.", zone=verbatim(zone))
    if not (0 <= wake < DAY and 0 <= sleep < DAY):
        raise Faulty("An hour of the day is a whole number from 0 to 23.")
    awake = (sleep - wake) % DAY or DAY
    if awake < LEAST:
        raise Faulty("From {wake}:00 to {sleep}:00 is {hours} hours. Waking hours must be at least {least} a day, so that your "
                     "games move on.", wake=wake, sleep=sleep, hours=awake, least=LEAST)
    return Hours(zone=zone, wake=wake, sleep=sleep)


def city(zone: str) -> str:
    """The zone as people call it: "Buenos Aires"."""
    return zone.rsplit("/", 1)[-1].replace("_", " ")


def find_zones(words: str) -> list[str]:
    """The zones whose city or region holds these words, well-known cities first."""
    wanted = plain(words).replace(" ", "_")
    found = [zone for zone in zones() if wanted in zone.casefold()]
    return sorted(found, key=lambda zone: not zone.rsplit("/", 1)[-1].casefold().startswith(wanted))


def plain(words: str) -> str:
    """A name in small letters without accents: "São Paulo" is found as "sao paulo"."""
    return "".join(letter for letter in normalize("NFKD", words.strip()) if not combining(letter)).casefold()


def zones_at(hour: int, now: datetime) -> list[str]:
    """The zones in which it is now this hour of the day, well-known cities first."""
    return [zone for zone in zones() if now.astimezone(_zone(zone)).hour == hour]


@cache
def zones() -> Sequence[str]:
    """All zones that are called after a city, well-known ones first."""
    cities = {zone for zone in available_timezones() if zone.split("/", 1)[0] in REGIONS}
    return [*(zone for zone in KNOWN if zone in cities), *sorted(cities - set(KNOWN)), "UTC"]


def is_zone(name: str) -> bool:
    """True if this machine knows a zone of this name."""
    try:
        return _zone(name) is not None
    except (KeyError, ValueError, OSError):
        return False


@cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def _moment(day: date, hour: int, zone: ZoneInfo) -> datetime:
    """When the wall clock shows this hour: the first time if it does so twice, and just after the gap if it never does."""
    return datetime.combine(day, time(hour), zone).astimezone(UTC)


def _without(away: Sequence[Span], start: datetime, end: datetime) -> Iterator[Span]:
    """Yield what is left of a span when others are cut out of it."""
    for gone, back in away:
        if back <= start or gone >= end:
            continue
        if start < gone:
            yield start, gone
        start = back
    if start < end:
        yield start, end
