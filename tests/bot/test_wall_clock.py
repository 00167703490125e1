"""A wall clock that somebody sets, back or far ahead: nothing stands still, and nothing runs wild."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio

from bot.discord.periodic import Periodic
from bot.domain.deadlines import read
from bot.service import Services
from bot.service.backups import COPIES_KEPT, Backups
from bot.store import Store
from tests.alarmed import DAYLIGHT, NIGHT
from tests.bot.desk import ANNA, BERT, MASTER, Clock, blank, delivered, guessed, started
from tests.bot.discord_world import World
from tests.bot.test_faults import Trouble, refusal
from tests.toy import Guess, Take

HOUR, YEAR = timedelta(hours=1), timedelta(days=365)
JUMPS = {"back an hour": (-HOUR,), "ahead a year": (YEAR,), "ahead a year and back": (YEAR, -YEAR), "back a year": (-YEAR,)}
LOOKS = 110                 # seconds between looks of the bot, so that hours go by quickly


@pytest_asyncio.fixture
async def club(tmp_path: Path) -> AsyncIterator[World]:
    """The club, with a game in which the sun can set."""
    async with World.at(tmp_path / "games.db", (DAYLIGHT,)) as world:
        world.bot.scheduler.longest = LOOKS
        world.bot.outbox.pulse.change_interval(seconds=LOOKS)
        yield world


async def jump(world: World, *jumps: timedelta) -> None:
    """The clock is set, once or twice, some minutes apart."""
    for by in jumps:
        world.set_wall_clock(by)
        await world.env.advance_time(5 * LOOKS)


def counted(world: World, monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The moments at which the bot looks from now on."""
    looks, look = list[datetime](), world.bot.scheduler.look

    async def noted(now: datetime) -> Any:
        looks.append(now)
        return await look(now)

    monkeypatch.setattr(world.bot.scheduler, "look", noted)
    return looks


# --- the real loops, beside a virtual monotonic clock ---------------------------------------------------------------

@pytest.mark.parametrize("jumps", JUMPS.values(), ids=JUMPS)
async def test_deadline_reminder_and_heartbeat_go_on(
        club: World, monkeypatch: pytest.MonkeyPatch, jumps: tuple[timedelta]) -> None:
    await club.guessed()
    await club.services.clocks.set_clock(1, club.olga.id, clock=read("2h"))
    await club.env.advance_time(2 * LOOKS)
    looks, newest = counted(club, monkeypatch), await club.newest()
    await jump(club, *jumps)
    assert len(looks) <= 7 * len(jumps), "the bot looks as often as ever"
    await club.env.advance_time(3600 + 9 * LOOKS)                       # none within a quarter of an hour after an answer
    assert any("Your move:" in letter for letter in club.letters(club.alice)), "half of the time is up"
    assert await club.newest() == newest
    seen = await club.store.read(lambda ledger: ledger.presence.heartbeat())
    assert seen is not None and abs(club.env.now() - seen) <= timedelta(minutes=3)
    await club.env.advance_time(3600)
    assert await club.newest() > newest, "the time is up"


async def test_an_agreed_end_is_told_at_its_moment_although_the_clock_was_an_hour_ahead(club: World) -> None:
    dusk = datetime.fromisoformat(NIGHT) - timedelta(minutes=30)
    club.set_wall_clock(dusk - timedelta(minutes=40) - club.env.now())
    await club.guessed()
    await jump(club, -HOUR)
    await club.env.advance_time((dusk - club.env.now()).total_seconds() - 1)
    assert not any("It grows dark" in post for post in club.posts())
    await club.env.advance_time(2)
    assert any("It grows dark" in post for post in club.posts())


@pytest.mark.parametrize("jumps", JUMPS.values(), ids=JUMPS)
async def test_a_letter_that_waits_is_sent(club: World, jumps: tuple[timedelta]) -> None:
    await club.guessed()
    failing = Trouble(club, lambda: refusal(403, 50001), "POST", rf"/channels/{club.table.id}/messages", times=2)
    await club.alice.slash(club.table, "pebbles take", pebbles=2)
    await jump(club, *jumps)
    assert failing.left == 0 and "\n".join(club.posts()).count("Amber takes 2 pebbles.") == 1


@pytest.mark.parametrize("by", [-HOUR, YEAR, -YEAR])
async def test_a_loop_waits_by_the_monotonic_clock(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    class Wall(datetime):
        set_by = timedelta()

        @classmethod
        def now(cls, tz: Any = None) -> datetime:
            return datetime.now(tz) + cls.set_by

    module = SimpleNamespace(datetime=Wall, timedelta=timedelta, timezone=SimpleNamespace(utc=UTC))
    for place in ("discord.utils", "discord.ext.tasks"):
        monkeypatch.setattr(f"{place}.datetime", module)
    rounds = 0

    async def work() -> None:
        nonlocal rounds
        rounds += 1

    loop = Periodic(work, seconds=0.02)
    loop.start()
    await asyncio.sleep(0.05)
    Wall.set_by, before = by, rounds
    await asyncio.sleep(0.2)
    loop.cancel()
    assert 2 <= rounds - before <= 11


# --- what is kept ---------------------------------------------------------------------------------------------------

async def set_clock(services: Services, clock: Clock, by: timedelta) -> None:
    """The clock is set between two signs of life."""
    await services.clocks.beat()
    clock.moment += by
    await services.clocks.beat()


async def test_nothing_waits_until_a_clock_that_was_set_back_has_made_that_up(services: Services, store: Store,
                                                                              clock: Clock) -> None:
    clock.moment += YEAR                                                # wrong from the beginning
    game = await guessed(services)                                          # without a clock: reminded after a day
    await services.orders.set_veil(game, 10, MASTER)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    await services.undo_requests.ask(game, ANNA, 3)
    await set_clock(services, clock, -YEAR)
    (deadline,) = await services.clocks.deadlines(game)
    assert deadline.since == clock() and clock() < deadline.remind_at <= clock() + 24 * HOUR
    assert await services.timers.following("request") == clock() + 24 * HOUR
    clock.put_on(hours=24, minutes=1)
    await delivered(services)
    await services.timers.look("reminder")
    assert [letter.kind for letter in await delivered(services)] == ["reminder"]


async def test_an_answer_by_order_comes_within_its_veil(services: Services, store: Store, clock: Clock) -> None:
    clock.moment += YEAR
    game = await guessed(services)
    await services.orders.set_veil(game, 10, MASTER)
    later = (clock() + timedelta(minutes=9)).isoformat(timespec="seconds")
    (seat,), asked_at = [question.seat
                         for question in (await services.session.table(game)).asks], (await services.session.table(game)).asked_at
    await store.write(lambda ledger: ledger.orders.expect_orders(game, {seat: later}, asked_at, [seat]))
    await set_clock(services, clock, -YEAR)
    assert await services.timers.following("order") == clock() + timedelta(minutes=10)


async def test_a_clock_that_is_right_changes_nothing(services: Services, clock: Clock) -> None:
    game = await started(services)
    for member in (ANNA, BERT):
        await services.answers.answer(game, member, Guess.of(1))
    before = await services.clocks.deadlines(game)
    await set_clock(services, clock, timedelta(minutes=-4))
    assert await services.clocks.deadlines(game) == before


def test_copies_of_days_to_come_keep_none_from_being_made_and_go_first(tmp_path: Path) -> None:
    Store(blank(tmp_path / "games.db")).close()
    clock = Clock()
    backups = Backups(tmp_path / "games.db", tmp_path / "copies", hours=24, now=clock)
    clock.moment += YEAR
    for _ in range(COPIES_KEPT):
        backups.write()
        clock.put_on(days=1)
    clock.moment -= YEAR + timedelta(days=COPIES_KEPT)
    for number in range(1, COPIES_KEPT + 2):
        assert backups.due()
        backups.write()
        assert backups.newest() == clock() and not backups.due()
        assert len([path for path in backups.copies() if "-2026" in path.name]) == min(number, COPIES_KEPT)
        clock.put_on(days=1)
