"""How the bot fares, for whoever runs it and nobody else; and a log that a program can read and that quotes nobody's secret."""
from __future__ import annotations

import asyncio
import gc
import json
import logging
import re
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import discord
import pytest

from bot.discord.health import summary
from bot.operator import logs
from bot.service.backups import Backups
from bot.service.response_times import MOST, RecentDurations, ResponseTimes
from bot.store import Store
from bot.store.statistics import Figures
from engine.text import say
from tests.bot.desk import ANNA, Clock, blank, guessed, opened, play_on
from tests.bot.discord_world import World, words
from tests.toy import Take

NOON = datetime(2026, 4, 1, 12, tzinfo=UTC)


def told(health: ResponseTimes, figures: Figures, copied: datetime | None = None) -> str:
    return say(summary(health, figures, copied, NOON))


def run_by(member: Any, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The application belongs to this member, as Discord says."""
    async def application() -> Any:
        return SimpleNamespace(owner=member, team=None)

    monkeypatch.setattr(world.bot, "application_info", application)


def test_half_and_most_of_what_was_noted_in_the_last_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("bot.service.response_times.time.monotonic", lambda: now)
    pace = RecentDurations()
    pace.note(99)
    now = 3601
    for milliseconds in range(1, 102):
        pace.note(milliseconds / 1000)
    pace.note(-5)                                   # a clock that is wrong
    assert max(pace.lately()) == 0.101 and min(pace.lately()) == 0 and len(pace.lately()) == 102
    now = 7202
    assert pace.lately() == []


def test_of_a_busy_hour_the_newest_times_are_kept_and_called_so() -> None:
    health = ResponseTimes()
    for number in range(MOST + 5):
        health.answered.note(number)
    assert health.answered.lately() == [*range(5, MOST + 5)]
    assert "Answered, last 5000: half within " in told(health, Figures({}, 0, None, 0))


def test_what_the_operator_reads() -> None:
    health = ResponseTimes()
    for milliseconds in range(101):
        health.acknowledged.note(milliseconds / 1000)
    figures = Figures({"running": 3, "open": 1, "over": 2, "closed": 4}, 2, "2026-04-01T11:59:30+00:00", 3 * 1024 * 1024)
    said = told(health, figures, NOON - timedelta(hours=5)).splitlines()
    assert said[1] == "Acknowledged, last hour, 101: half within 50 ms, 19 of 20 within 95 ms."
    assert said[2] == "Answered, last hour: none."
    assert said[3:6] == ["2 messages not sent yet, the oldest for 30 s.",
                         "Games: 3 running, 0 paused, 1 open, 6 finished.",
                         f"The database is 3 MB. Last copy: <t:{int((NOON - timedelta(hours=5)).timestamp())}:R>."]
    assert said[0].startswith("Chancery 1.0.0, discord.py 2") and said[6].startswith("Memory: ")
    empty = told(health, Figures({}, 0, None, 0))
    assert "0 messages not sent yet." in empty and "copy: none." in empty


def test_a_file_that_is_gone_is_the_first_thing_to_read() -> None:
    figures = Figures(games={}, letters=0, since=None, bytes=0)
    said = say(summary(ResponseTimes(), figures, None, NOON, Path("/data/games.db-wal")))
    assert said.startswith("**games.db-wal was deleted or replaced: nothing is saved now.**\nChancery")


async def test_figures_of_the_file(tmp_path: Path) -> None:
    clock = Clock()
    with closing(Store(blank(tmp_path / "games.db"))) as store:
        services = play_on(store, clock=clock)
        assert (await services.queries.figures()).games == {} and (await services.queries.figures()).since is None
        game = await guessed(services)
        await opened(services)
        for letter in await services.outbox.pending():
            await services.outbox.note(letter.game, [(letter.id, 1)])
        clock.put_on(hours=1)
        await services.answers.answer(game, ANNA, Take.of(1, "left"))
        clock.put_on(hours=1)
        figures = await services.queries.figures()
        assert figures.games == {"running": 1, "open": 1} and figures.letters == len(await services.outbox.pending()) > 0
        assert figures.since == "2026-04-01T13:00:00+00:00" and figures.bytes >= 4096


async def test_only_whoever_runs_the_bot_may_ask(world: World) -> None:
    await world.guessed()
    for member in (world.olga, world.alice, world.max):
        for command in ("chancery health", "chancery backup"):
            assert words(await member.user.slash(command)) == "This is for whoever runs this bot."


async def test_the_operator_sees_how_the_bot_fares_and_copies_the_database(
        world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    run_by(world.max, world, monkeypatch)
    await world.guessed()
    said = words(await world.max.user.slash("chancery health"))
    assert "Games: 1 running" in said and "Last copy: none." in said and "Amber" not in said
    assert words(await world.max.user.slash("chancery backup")) == (
        "This bot has no folder for copies of its database. CHANCERY_BACKUPS names one.")
    world.bot.backups = Backups(world.path, tmp_path / "backups")
    copied = words(await world.max.user.slash("chancery backup"))
    (made,) = world.bot.backups.copies()
    assert copied == f"I copied the database to `{made.name}`."
    assert "Last copy: <t:" in words(await world.max.user.slash("chancery health"))


async def test_what_people_waited_is_measured_by_commands_and_buttons(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def measured() -> list[int]:
        """How many were acknowledged and answered before this question."""
        said = words(await world.max.user.slash("chancery health"))
        return [int(number) for number in re.findall(r"last hour, (\d+):", said)]

    run_by(world.max, world, monkeypatch)
    await world.guessed()
    acknowledged, answered = await measured()
    await world.alice.slash(world.table, "my move")
    await world.alice.slash(world.table, "pebbles take", pebbles=9)             # what is refused has been answered, too
    await world.alice.click(world.question("Amber"), label="Take 1 pebble, left")
    assert await measured() == [acknowledged + 4, answered + 4]                 # the question itself is one more


# --- the log ------------------------------------------------------------------------------------------------

def formatted(form: logging.Formatter, secret: str) -> str:
    try:
        raise ValueError(secret)
    except ValueError as why:
        record = logging.LogRecord("bot.somewhere", logging.ERROR, __file__, 1, "game %s: it failed", (7,), None)
        record.exc_info = type(why), why, why.__traceback__
    return form.format(record)


def test_a_log_for_programs_is_one_object_a_line() -> None:
    line = formatted(logs.Lines(), "the guess\nis 7777")
    said = json.loads(line)
    assert "\n" not in line
    assert (said["level"], said["from"], said["message"]) == ("ERROR", "bot.somewhere", "game 7: it failed")
    assert datetime.fromisoformat(said["at"]).tzinfo is not None and said["error"].startswith("ValueError")


@pytest.mark.parametrize("form", [logs.Lines(), logs.PlainFormatter(logs.PEOPLE)])
def test_no_log_quotes_the_words_of_an_exception(form: logging.Formatter) -> None:
    line = formatted(form, "the guess is 7777")
    assert "7777" not in line and "ValueError" in line and "formatted" in line


def begun(monkeypatch: pytest.MonkeyPatch, form: Literal["text", "json"]) -> None:
    """The log of a process that starts; what it changes is put back."""
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", root.level)
    for name in ("asyncio", "discord.app_commands.tree"):
        monkeypatch.setattr(logging.getLogger(name), "filters", [])
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    logs.begin(logging.INFO, form)


@pytest.mark.parametrize("form", ["text", "json"])
def test_asyncio_quotes_no_exception_either(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
                                           form: Literal["text", "json"]) -> None:
    async def broken() -> None:
        raise ValueError(f"the guess is {7770 + 7}")

    async def forgotten() -> None:
        task = asyncio.create_task(broken(), name="pebbles take")
        await asyncio.wait([task])
        asyncio.get_running_loop().call_soon(lambda: 1 // 0)
        del task
        gc.collect()

    begun(monkeypatch, form)
    asyncio.run(forgotten())
    said = capsys.readouterr().err
    assert "Task exception was never retrieved" in said and "ValueError" in said and "ZeroDivisionError" in said
    assert "7777" not in said and "by zero" not in said


def test_suggestions_that_come_too_late_are_one_quiet_line_and_no_log_tells_who_typed(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    begun(monkeypatch, "text")
    library = logging.getLogger("discord.app_commands.tree")
    late = discord.NotFound(SimpleNamespace(status=404, reason=""), {"code": 10062, "message": "Unknown interaction"})
    for error in (late, ConnectionResetError(), ValueError("7777")):
        try:
            raise error
        except Exception:
            library.exception("Ignoring exception in autocomplete for %r (Guild: %s, User: %s)", "game status", 555, 4242)
    said = capsys.readouterr().err
    quiet, cut, loud, *where = said.splitlines()
    assert quiet.endswith("suggestions did not arrive (NotFound)") and "INFO" in quiet
    assert cut.endswith("suggestions did not arrive (ConnectionResetError)")
    assert "ERROR" in loud and loud.endswith("Ignoring exception in autocomplete for 'game status'") and where[0] == "ValueError"
    assert "4242" not in said and "555" not in said and "7777" not in said


def test_what_ends_the_process_is_not_quoted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    begun(monkeypatch, "text")
    try:
        raise ValueError(f"the guess is {7770 + 7}")
    except ValueError as why:
        sys.excepthook(type(why), why, why.__traceback__)
    said = capsys.readouterr().err
    assert "the bot has ended" in said and "ValueError" in said and "7777" not in said


def test_the_log_begins_in_the_form_that_was_set(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    begun(monkeypatch, "json")
    logging.getLogger("bot.somewhere").info("it begins")
    assert json.loads(capsys.readouterr().err)["message"] == "it begins"
    assert logging.getLogger("discord").level >= logging.INFO
