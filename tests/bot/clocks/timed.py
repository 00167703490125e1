"""A game with a clock, and time that passes at the desk."""
from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.domain.deadlines import read
from bot.domain.waking_hours import Hours
from bot.service import Services
from bot.store import OutboxRow
from engine.kernel import Seat
from tests.bot.desk import ANNA, BERT, MASTER, Clock as Watch, delivered, guessed, started

ONE, TWO, THREE = Seat("seat_1"), Seat("seat_2"), Seat("seat_3")
NOON = datetime(2026, 4, 1, 12, tzinfo=UTC)             # when a desk's clock begins: a Wednesday
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
BERLIN = Hours(zone="Europe/Berlin", wake=8, sleep=22)
NIGHT = Hours(zone="Asia/Tokyo", wake=8, sleep=22)      # 21:00 in Tokyo, when a desk's clock begins


def utc(month: int, day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


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
    """What the bot's scheduler does about questions at the desk."""
    await services.clocks.beat()
    await services.timers.look("time_up", "reminder", "long_wait")


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


def of_kind(letters: Sequence[OutboxRow], kind: str) -> list[OutboxRow]:
    return [letter for letter in letters if letter.kind == kind]


def notices(letters: Sequence[OutboxRow]) -> list[str]:
    return [letter.payload["text"] for letter in of_kind(letters, "notice")]
