"""Whoever runs the bot hears of what goes wrong: once, and then once a day at most for each kind, also after a restart."""
from __future__ import annotations

from collections import namedtuple
from pathlib import Path

import discord
import pytest

from bot.discord.owner import LOOK
from bot.domain.troubles import LEAST_FREE
from bot.service import Services
from bot.service.backups import Backups
from bot.store import Store
from engine.text import Text, say, text
from tests.bot.desk import Clock, play_on
from tests.bot.discord_world import World
from tests.bot.test_health import run_by

Usage = namedtuple("Usage", "total used free")
NOTHING: list[str] = []


async def told(services: Services, *, copy: Text | None = None, free: int = LEAST_FREE) -> list[str]:
    """The kinds of which the owner is told now."""
    kinds = [*await services.trouble_reports.troubles_to_tell(copy=copy, free=free)]
    await services.trouble_reports.troubles_told(kinds)
    return [*kinds]


async def test_each_kind_is_told_once_and_then_daily_as_long_as_there_is_something_new(
        services: Services, store: Store, clock: Clock) -> None:
    fault = RuntimeError()
    assert await told(services) == NOTHING
    await services.session.incident(fault, {"deed": ""}, None)
    assert await told(services) == ["incident"]
    clock.put_on(hours=12)
    services = play_on(store, clock=clock)                      # it falls again and again
    await services.session.incident(fault, {"deed": ""}, None)
    assert await told(services, free=LEAST_FREE - 1) == ["disk"]
    clock.put_on(hours=12)
    assert await told(services, free=LEAST_FREE - 1) == ["incident"], "what came meanwhile"
    clock.put_on(hours=12)
    assert await told(services, copy=text("no room"), free=LEAST_FREE - 1) == ["copy", "disk"]
    clock.put_on(days=3)
    assert await told(services) == NOTHING, "all is well"
    clock.put_on(days=-365)                                     # the wall clock was wrong
    await services.session.incident(fault, {"deed": ""}, None)
    assert await told(services) == ["incident"]


async def test_an_incident_that_could_not_be_told_before_a_restart_is_told_after_it(
        services: Services, store: Store, clock: Clock) -> None:
    await services.session.incident(RuntimeError(), {"deed": ""}, None)
    assert await told(services) == ["incident"]
    clock.put_on(hours=1)
    await services.session.incident(KeyError(), {"deed": ""}, None)
    for hours, news in ((1, NOTHING), (22, ["incident"]), (25, NOTHING)):
        clock.put_on(hours=hours)
        assert await told(play_on(store, clock=clock)) == news


async def test_an_incident_that_comes_while_another_is_told_is_told_next(services: Services, clock: Clock) -> None:
    await services.session.incident(RuntimeError(), {"deed": ""}, None)
    reports = services.trouble_reports
    assert "incident" in await reports.troubles_to_tell(copy=None, free=LEAST_FREE)
    await services.session.incident(KeyError(), {"deed": ""}, None)
    await reports.troubles_told(["incident"])
    clock.put_on(days=1)
    (said,) = (await reports.troubles_to_tell(copy=None, free=LEAST_FREE)).values()
    assert say(said).startswith("Something went wrong unexpectedly once: incident 2.")


def heard(world: World) -> list[str]:
    """What Max, who runs the bot, has been told directly."""
    return [message.content for message in world.max.user.dm_channel.history()]


async def test_the_owner_gets_a_direct_message(world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    world.bot.owner.look.change_interval(seconds=LOOK)
    run_by(world.max, world, monkeypatch)
    await world.guessed()
    (tmp_path / "copies").write_text("in the way of the folder")
    world.bot.backups = Backups(world.path, tmp_path / "copies", hours=1)
    await world.bot.backups.make_if_due()
    await world.services.session.incident(RuntimeError("Alice takes 2"), {"deed": ""}, 1)
    await world.services.session.incident(KeyError("Alice"), {"deed": ""}, None)
    world.services.session.troubles.drifts[1] = 3
    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(0, 0, 300 * 1024 * 1024))
    assert heard(world) == []
    await world.env.advance_time(120)
    (said,) = heard(world)
    assert said.splitlines() == [
        "**Your bot needs you.**",
        f"- I couldn't copy the database: I can't make the folder {tmp_path / 'copies'} for copies: file exists.",
        "- The disk is nearly full: 300 MB are free. Without room nothing can be saved.",
        "- Something went wrong unexpectedly 2 times: incident 1 and 2. `python -m bot capsule` repeats it.",
        "- The record no longer replays in game 1 (from step 3 on). `python -m bot doctor` says more.",
        "-# Of each of these I tell you once a day at most. `/chancery health` says how I'm doing."]
    await world.services.session.incident(RuntimeError(), {"deed": ""}, 1)
    await world.env.advance_time(600)
    assert len(heard(world)) == 1


@pytest.mark.parametrize("status, code, waits", [(403, 50007, False), (500, 0, True)])
async def test_an_owner_who_takes_no_messages_is_not_written_to_again_and_again(
        world: World, monkeypatch: pytest.MonkeyPatch, status: int, code: int, waits: bool) -> None:
    world.bot.owner.look.change_interval(seconds=LOOK)
    run_by(world.max, world, monkeypatch)
    tries = list[int]()

    async def shut(user: int, **_: object) -> discord.PartialMessageable:
        tries.append(user)
        answer = type("Answer", (), {"status": status, "reason": "no"})()
        raise discord.HTTPException(answer, {"code": code, "message": "no"})

    monkeypatch.setattr(world.bot.directs, "to", shut)
    await world.services.session.incident(RuntimeError(), {"deed": ""}, None)
    await world.env.advance_time(300)
    assert (len(tries) > 1) is waits and {*tries} == {world.max.id}
