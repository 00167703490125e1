"""Options that are moments: which are offered, how one is typed, and how Discord tells it in each reader's time zone."""
from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.domain.announcements import when
from engine.datetimes import in_utc
from engine.kernel import GameSpec
from engine.kernel.option_words import Choice
from engine.options import every, offered
from engine.refusals import Refusal
from engine.text import Text, text, verbatim

WEEKS = (1, 2, 4, 8)            # ahead of now: what is offered
EVENING = 20                    # the hour of it, where the reader lives
WRITTEN = "%Y-%m-%dT%H:%M"      # as options write it, in UTC
SHOWN = "%Y-%m-%d %H:%M"


def sentence(choice: Choice, value: object) -> Text:
    """Return what is so in a game with this value; of a moment, as each reader's Discord tells it."""
    if choice.moment is None or not value:
        return choice.sentence(value)
    try:
        return choice.moment(when(datetime.fromisoformat(in_utc(str(value))).isoformat()))
    except ValueError:                                  # a day that there is not
        return choice.sentence(value)


def offering(spec: GameSpec, now: datetime, zone: str, own: Mapping[str, object]) -> GameSpec:
    """Return this game, whose options that are moments can take some that lie ahead, and the one that they have."""
    ahead = [_evening(now + timedelta(weeks=weeks), zone) for weeks in WEEKS]
    moments = {choice.key: tuple(dict.fromkeys([*offered(spec)[choice.key], own[choice.key], *ahead]))
               for choice in every(spec) if choice.moment is not None}
    return spec.changed(choices={**spec.rules.choices, **moments}) if moments else spec


def _evening(day: datetime, zone: str) -> str:
    there = day.astimezone(ZoneInfo(zone)).replace(hour=EVENING, minute=0)
    return there.astimezone(UTC).strftime(WRITTEN)


def local(moment: str, zone: str) -> str:
    """A moment of an option on a clock of this zone, as somebody there would type it."""
    return datetime.fromisoformat(in_utc(moment)).astimezone(ZoneInfo(zone)).strftime(SHOWN)


def read(words: str, zone: str) -> str:
    """The moment that somebody in this time zone has typed: "2027-01-31 18:00". Raises Refusal."""
    try:
        there = datetime.strptime(" ".join(words.replace("T", " ").split()), SHOWN).replace(tzinfo=ZoneInfo(zone))
        return there.astimezone(UTC).strftime(WRITTEN)
    except (ValueError, OverflowError):
        raise Refusal("I can't read \"{words}\" as a date and time. Write it as {example}.", words=verbatim(words.strip()[:40]),
                      example=text("2027-01-31 18:00")) from None
