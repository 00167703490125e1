"""The moments at which a game wants to be told something. Pure: `bot.service.alarms` tells it, the store keeps the next."""
from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.domain.announcements import when
from engine.kernel import Alarm, Decree, GameSpec
from engine.refusals import Refusal
from engine.text import Text, text, verbatim


def moment(alarm: Alarm) -> datetime:
    """When an alarm rings. Raises ValueError: there is no such day."""
    return datetime.fromisoformat(alarm.at).astimezone(UTC) - timedelta(minutes=alarm.minutes_before)


def agreed(spec: GameSpec, state: Any) -> list[tuple[Alarm, datetime]]:
    """The alarms that a game has before it, with their moments; none, if it names a day that there is not."""
    try:
        return [(alarm, moment(alarm)) for alarm in spec.outside.alarms(state)]
    except ValueError:
        return []


def due(spec: GameSpec, state: Any, now: datetime) -> Decree | None:
    """Return what a game is to be told by now: of the alarms that have come, the last."""
    come = [alarm.decree for alarm, when in agreed(spec, state) if when <= now]
    return come[-1] if come else None


def following(spec: GameSpec, state: Any) -> datetime | None:
    """When a game is next to be told something."""
    return min((when for _, when in agreed(spec, state)), default=None)


def require_ahead(spec: GameSpec, state: Any, now: datetime) -> None:
    """Raise Refusal unless the last moment on which a game's players agree lies ahead of them."""
    for alarm in spec.outside.alarms(state)[-1:]:
        try:
            last = moment(alarm)
        except ValueError:
            raise Refusal("{name}: there is no {moment} in the calendar.", name=alarm.name, moment=verbatim(alarm.at)) from None
        if last <= now:
            raise Refusal("{name}: {moment} is in the past. Choose a later time.", name=alarm.name, moment=when(last.isoformat()))


def ahead(spec: GameSpec, state: Any) -> list[Text]:
    """The moments that a game has before it, as each reader's Discord tells them."""
    return [text("{name}: {moment}.", name=alarm.name, moment=when(at.isoformat())) for alarm, at in agreed(spec, state)]
