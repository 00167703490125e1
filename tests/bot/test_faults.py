"""Trouble: a locked, full or torn file, a clock that jumps, and everything that Discord can refuse or fail to do.

Nothing is lost and nothing comes twice: what can be read in the end is what can be read where nothing went wrong.
"""
from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
import pytest_asyncio
from simcord.backend import serializers

from bot.discord.scheduler import Scheduler
from bot.domain.deadlines import read
from bot.store import Store
from tests.bot.desk import ANNA, BERT, MASTER, Clock, blank, crashed, guessed, play_on
from tests.bot.discord_world import World, custom_ids, words
from tests.toy import Take

pytestmark = pytest.mark.edge
OUTAGE = 240                # seconds: longer than the rests of the sender after three failures


def refusal(status: int, code: int = 0) -> discord.HTTPException:
    """What the library makes of an answer of Discord."""
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    if status >= 500:
        kind = discord.DiscordServerError
    return kind(SimpleNamespace(status=status, reason="trouble"), {"code": code, "message": "trouble"})


TROUBLES: dict[str, Callable[[], BaseException]] = {
    "429": lambda: refusal(429), "500": lambda: refusal(500), "502": lambda: refusal(502),
    "time-out": TimeoutError, "connection lost": aiohttp.ServerDisconnectedError}


class Trouble:
    """The next requests that fit meet an error, before they arrive or after."""

    def __init__(self, world: World, what: Callable[[], BaseException], method: str, path: str, *, times: int = 1,
                 arrived: bool = False) -> None:
        self.what, self.method, self.path, self.left = what, method, re.compile(path), times
        setattr(world.line, "after" if arrived else "before", self)

    def __call__(self, method: str, path: str) -> None:
        if self.left and method == self.method and self.path.fullmatch(path):
            self.left -= 1
            raise self.what()


def read_by_all(world: World) -> list[tuple[Any, ...]]:
    """What can be read at the table and in the letters of the players."""
    places = [world.table, world.alice.user.dm_channel, world.bob.user.dm_channel]
    return [(re.sub(r"<t:\d+(:\w)?>", "", message.content), tuple(custom_ids(message).values()))
            for place in places for message in place.history()]


async def a_turn(world: World) -> None:
    """What Alice does while there is trouble; the log begins a new message for it."""
    await world.chat()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)


async def two_turns(world: World) -> None:
    """What Alice and Bob do while there is trouble; of questions and pictures only the last are of use then."""
    await a_turn(world)
    await world.bob.slash(world.table, "pebbles take", pebbles=1)


CALM: list[tuple[Any, ...]] = []        # what can be read after the turn where nothing went wrong, looked at once


@pytest_asyncio.fixture
async def calm(tmp_path: Path) -> list[tuple[Any, ...]]:
    """What can be read after the turn where nothing went wrong."""
    if not CALM:
        (tmp_path / "calm").mkdir()
        async with World.at(tmp_path / "calm" / "games.db") as world:
            await world.guessed()
            await a_turn(world)
            CALM.extend(read_by_all(world))
    return CALM


# --- Discord is unwell ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("arrived", [False, True], ids=["lost on the way", "answer lost"])
@pytest.mark.parametrize("trouble", TROUBLES)
async def test_a_post_in_trouble_comes_once_and_in_its_place(
        tmp_path: Path, calm: list[Any], trouble: str, arrived: bool) -> None:
    async with World.at(tmp_path / "games.db") as world:
        await world.guessed()
        failing = Trouble(world, TROUBLES[trouble], "POST", rf"/channels/{world.table.id}/messages", times=3, arrived=arrived)
        await a_turn(world)
        await world.env.advance_time(OUTAGE)
        assert failing.left == 0
        assert read_by_all(world) == calm
        assert await world.services.outbox.pending(10) == []
        assert world.letters(world.olga) == [], "the opener can mend nothing of this"


@pytest.mark.parametrize("trouble", ["429", "502", "time-out"])
@pytest.mark.parametrize("method", ["PATCH", "GET"])
async def test_a_change_or_a_look_in_trouble_is_done_later(tmp_path: Path, calm: list[Any], trouble: str, method: str) -> None:
    async with World.at(tmp_path / "games.db") as world:
        await world.guessed()
        Trouble(world, TROUBLES[trouble], method, r"/channels/\d+/messages.*", times=4)
        await a_turn(world)
        await world.env.advance_time(OUTAGE)
        assert read_by_all(world) == calm


async def test_an_answer_that_was_lost_for_longer_than_discord_knows_a_nonce(world: World) -> None:
    await world.guessed()
    path = rf"/channels/{world.table.id}/messages"
    Trouble(world, TROUBLES["502"], "POST", path, arrived=True)
    await a_turn(world)                                                 # its first message has arrived, and nobody knows it
    Trouble(world, TROUBLES["502"], "GET", path, times=6)               # the seventh look comes after more than ten minutes
    await world.env.advance_time(3600)
    assert world.told().count("Amber takes 2 pebbles.") == 1
    assert "The heap has 10. What do you do?" in world.posts()[-1]


async def test_the_same_words_come_again_if_they_are_news_again(world: World) -> None:
    """Whatever stands in the channel already is no excuse: only what came after the last known message is the letter itself."""
    await world.guessed()
    for _ in range(2):
        await world.alice.slash(world.table, "pebbles take", pebbles=1)
        await world.restart()
        await world.bob.slash(world.table, "pebbles take", pebbles=1)
        await world.restart()
    assert world.told().count("Amber takes 1 pebble.") == world.told().count("Basalt takes 1 pebble.") == 2


async def test_the_library_gives_up_after_its_own_tries_and_the_game_after_none(world: World) -> None:
    await world.guessed()
    Trouble(world, TROUBLES["500"], "POST", rf"/channels/{world.table.id}/messages", times=5)
    await two_turns(world)
    await world.env.advance_time(3600)
    assert world.told().count("Amber takes 2 pebbles.") == world.told().count("Basalt takes 1 pebble.") == 1


# --- Discord refuses -----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("code", [50001, 50013])
async def test_a_channel_that_is_closed_to_the_bot_gets_everything_when_it_opens(world: World, code: int) -> None:
    await world.guessed()
    before = len(world.posts()) + 1
    failing = Trouble(world, lambda: refusal(403, code), "POST", rf"/channels/{world.table.id}/messages", times=10 ** 6)
    await two_turns(world)
    await world.env.advance_time(OUTAGE)
    assert len(world.posts()) == before and len(world.letters(world.olga)) == 1
    failing.left = 0
    await world.env.advance_time(OUTAGE)
    assert world.posts()[world.posts().index("Hm.") + 1].startswith("### Amber · Turn 1\nAmber takes 2 pebbles.")
    assert world.told().count("Basalt takes 1 pebble.") == 1
    assert await world.services.outbox.pending(10) == []


async def test_a_question_that_somebody_deleted_is_asked_anew_and_the_old_one_troubles_nobody(world: World) -> None:
    await world.guessed()
    question = world.question("**Amber**: The heap")
    world.env.backend.delete_message(world.table.id, question.id)                   # taking its buttons off meets 10008
    await two_turns(world)
    assert await world.services.outbox.pending(10) == []
    assert "The heap has 9. What do you do?" in world.posts()[-1]


@pytest.mark.parametrize("code", [10062, 40060])
async def test_an_interaction_that_is_gone_before_it_was_acknowledged_does_nothing(world: World, code: int) -> None:
    await world.guessed()
    before = await world.newest()
    Trouble(world, lambda: refusal(404, code), "POST", r"/interactions/.*/callback")
    await world.alice.click(world.question("**Amber**: The heap"), label="Take 2 pebbles, left")
    assert await world.newest() == before, "whoever was told that it failed can press again"
    assert words(await world.alice.click(world.question("**Amber**: The heap"), label="Take 2 pebbles, left")) == ""
    assert "Amber takes 2 pebbles." in world.told()


@pytest.mark.parametrize("trouble", ["10015", "502", "time-out"])
async def test_a_reply_that_does_not_arrive_takes_nothing_back(world: World, trouble: str) -> None:
    await world.guessed()
    what = TROUBLES.get(trouble, lambda: refusal(404, 10015))
    Trouble(world, what, "PATCH", r"/webhooks/.*/messages/@original", times=4)
    await world.alice.click(world.question("**Amber**: The heap"), label="Take 2 pebbles, left")
    assert world.told().count("Amber takes 2 pebbles.") == 1
    assert (await world.services.session.table(1)).state.heap == 10
    world.env.errors                                                                # noqa: B018  # a lost reply is logged


@pytest.mark.parametrize("locked", [False, True])
async def test_a_thread_that_was_put_away_is_fetched_back_for_a_post(world: World, locked: bool) -> None:
    await world.opened(place="a new thread")
    (thread,) = world.table.threads
    for who in (world.alice, world.bob):
        await who.slash(thread, "game join")
    await world.olga.slash(thread, "game start")
    world.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": True, "locked": locked})
    failing = Trouble(world, lambda: refusal(400, 50083), "POST", rf"/channels/{thread.id}/messages")
    await world.olga.slash(thread, "gm pause")
    await world.env.advance_time(60)
    assert failing.left == 0 and await world.services.outbox.pending(10) == []
    assert world.posts(thread)[-1] == f"Game master {world.olga.mention} has paused the game."
    assert not world.env.backend.channels[thread.id].thread_metadata.archived


async def test_the_bot_is_removed_from_the_server_and_invited_again(world: World) -> None:
    await world.guessed()
    await world.chat()
    before = len(world.posts())
    guild = world.env.backend.guilds[world.guild.id]
    failing = Trouble(world, lambda: refusal(403, 50001), "POST", rf"/channels/{world.table.id}/messages", times=10 ** 6)
    world.env.backend.emit("GUILD_DELETE", {"id": str(guild.id)})
    await world.env.settle()
    refused = words(await world.alice.user.slash("pebbles take", pebbles=2))        # from the direct messages
    assert "The game is paused." in refused
    assert (await world.services.session.table(1)).state.heap == 12 and len(world.posts()) == before
    failing.left = 0
    invited = dict(serializers.guild_create_payload(world.env.backend, guild))
    world.env.backend.emit("GUILD_CREATE", {name: value for name, value in invited.items() if name != "unavailable"})
    await world.env.settle()
    assert len(world.letters(world.olga)) == 1, "its opener knows why the channel was silent"
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    assert world.told().count("Amber takes 2 pebbles.") == 1
    await world.bob.click(world.question("**Basalt**: The heap"), label="Throw")
    assert any(line.startswith("Basalt throws") for line in world.told())


async def test_a_gateway_that_begins_anew_posts_nothing_twice(world: World) -> None:
    """A session that could not be resumed brings a second READY, with all servers anew."""
    await world.guessed()
    guild = world.env.backend.guilds[world.guild.id]
    world.mute()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    del world.bot.outbox.wake
    state = world.bot._connection
    async with world.together():
        for _ in range(2):
            state.parse_ready({"user": dict(serializers.user_payload(world.env.backend.bot_user)),
                               "shard": [0, 1],
                               "application": {"id": str(world.env.backend.application_id), "flags": 0},
                               "guilds": [{"id": str(guild.id), "unavailable": True}]})
            world.env.backend.emit("GUILD_CREATE", dict(serializers.guild_create_payload(world.env.backend, guild)))
        world.bot.dispatch("resumed")
        world.bot.outbox.wake([1])
    await world.env.advance_time(60)
    assert world.told().count("Amber takes 2 pebbles.") == 1
    assert words(await world.bob.click(world.question("**Basalt**: The heap"), label="Take 1 pebble, left")) == ""
    assert world.told().count("Basalt takes 1 pebble.") == 1


# --- the file is unwell --------------------------------------------------------------------------------------------

async def test_a_press_while_another_program_holds_the_file_is_refused_in_a_sentence(world: World) -> None:
    await world.guessed()
    await world.store.read(lambda ledger: ledger.conn.execute("PRAGMA busy_timeout=10").fetchall())
    other = sqlite3.connect(world.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    question, before = world.question("**Amber**: The heap"), world.posts()
    said = words(await world.alice.click(question, label="Take 2 pebbles, left"))
    assert said == ("Your move couldn't be saved: another program is using the database. Nothing has changed. Try again later.")
    assert world.posts() == before
    other.execute("ROLLBACK")
    other.close()
    assert words(await world.alice.click(question, label="Take 2 pebbles, left")) == ""
    assert world.told().count("Amber takes 2 pebbles.") == 1


async def test_a_press_on_a_full_disk_is_refused_in_a_sentence(world: World) -> None:
    await world.guessed()
    await world.store.read(_limit)
    said = [f"Number {number}. {'Much ado. ' * 60}" for number in range(60)]
    told = [words(await world.alice.slash(world.table, "talk say", to="all", message=message)) for message in said]
    stored = [message for message, answer in zip(said, told) if "disk is full" not in answer]
    assert len(stored) < len(said), "the disk was not full"
    await world.store.read(lambda ledger: ledger.conn.execute("PRAGMA max_page_count=1000000").fetchone())
    await world.env.advance_time(OUTAGE)
    for message in said:
        posted = sum(message.split(".")[0] + "." in post for post in world.posts())
        assert posted == (message in stored), message[:12]
    assert words(await world.alice.slash(world.table, "talk say", to="all", message="At last.")).count("disk") == 0
    assert any("At last." in post for post in world.posts())


def _limit(ledger: Any) -> None:
    (pages,) = ledger.conn.execute("PRAGMA page_count").fetchone()
    ledger.conn.execute(f"PRAGMA max_page_count={pages}").fetchone()


async def test_a_torn_file_opens_at_an_earlier_moment_and_the_game_goes_on(tmp_path: Path) -> None:
    """Whatever the disk has kept of the newest pages: rows and letters of each transaction are there together, or neither."""
    path, clock = tmp_path / "games.db", Clock()
    store = Store(blank(path))
    await store.read(lambda ledger: ledger.conn.execute("PRAGMA wal_autocheckpoint=0").fetchall())
    services = play_on(store, clock=clock)
    game = await guessed(services)
    for turn in range(4):
        await services.answers.answer(game, (ANNA, BERT)[turn % 2], Take.of(1))
    rows = await store.read(lambda ledger: ledger.log.rows(game, since=0))
    whole = crashed(path, tmp_path / "whole")
    store.close()
    log = whole.with_name(f"{whole.name}-wal").read_bytes()
    assert len(log) > 40_000
    seen = set()
    for number, kept in enumerate([*range(0, len(log), len(log) // 23), len(log) - 1]):
        for torn in (log[:kept], log[:kept] + bytes(len(log) - kept), _flipped(log, kept)):
            seen.add(await _reopened(whole, tmp_path / f"torn{number}", torn, rows, clock))
    assert len(seen) > 4, "the places at which it was torn differ"


def _flipped(log: bytes, at: int) -> bytes:
    at = min(at, len(log) - 1)
    return log[:at] + bytes([log[at] ^ 0x10]) + log[at + 1:]


async def _reopened(whole: Path, folder: Path, log: bytes, rows: list[Any], clock: Clock) -> int:
    """Open a torn copy, compare it with the rows that there were, and play on; how many of the rows it has."""
    shutil.rmtree(folder, ignore_errors=True)
    path = crashed(whole, folder)
    path.with_name(f"{path.name}-wal").write_bytes(log)
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    store = Store(path)
    try:
        if not await store.read(lambda ledger: ledger.conn.execute("SELECT count(*) FROM games").fetchone()[0]):
            return -1
        services = play_on(store, clock=clock)
        found = await store.read(lambda ledger: ledger.log.rows(1, since=0))
        assert found == rows[:len(found)]
        (told,) = await store.read(lambda ledger: ledger.conn.execute(
            "SELECT count(*) FROM outbox WHERE kind = 'log' AND payload LIKE '%takes%'").fetchone())
        assert told == sum(row.verb == "take" for row in found)
        row = await services.queries.game(1)
        for waiting in await services.queries.waiting(1) if row.status == "running" else ():
            table = await services.session.table(1)
            assert waiting.user is not None
            await services.answers.answer(1, waiting.user, next(iter(table.options(waiting.seat))))
        assert await store.read(lambda ledger: ledger.log.newest(1)) >= len(found)
        return len(found)
    finally:
        store.close()


# --- the clock jumps -----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("jump", [timedelta(days=-400), timedelta(days=-1), timedelta(hours=-3)])
async def test_a_clock_that_goes_back_answers_for_nobody(tmp_path: Path, jump: timedelta) -> None:
    clock, store = Clock(), Store(blank(tmp_path / "games.db"))
    try:
        services = play_on(store, clock=clock)
        game = await guessed(services)
        await services.clocks.set_clock(game, MASTER, clock=read("24h"))
        newest, pulse = await services.queries.newest(game), Scheduler(SimpleNamespace(  # type: ignore[arg-type]
            services=services, cut_off=False, outbox=SimpleNamespace(answered=print)))
        await pulse.look(clock.moment)
        clock.moment += jump
        for _ in range(60):
            following = await pulse.look(clock.moment)
            clock.put_on(minutes=1)
        assert await services.queries.newest(game) == newest
        assert following is None or following > clock.moment - timedelta(minutes=2)
        await services.answers.answer(game, ANNA, Take.of(1))                                   # and people go on as ever
        (deadline,) = await services.clocks.deadlines(game)
        assert deadline.due_at is not None and clock.moment < deadline.due_at <= clock.moment + timedelta(hours=25)
    finally:
        store.close()


async def test_a_clock_that_jumps_ahead_takes_nobodys_time(tmp_path: Path) -> None:
    """The bot looks every two minutes at least; a year between two looks was no time to answer in."""
    clock, store = Clock(), Store(blank(tmp_path / "games.db"))
    try:
        services = play_on(store, clock=clock)
        game = await guessed(services)
        await services.clocks.set_clock(game, MASTER, clock=read("24h"))
        newest, pulse = await services.queries.newest(game), Scheduler(SimpleNamespace(  # type: ignore[arg-type]
            services=services, cut_off=False, outbox=SimpleNamespace(answered=print)))
        await pulse.look(clock.moment)
        clock.put_on(days=365)
        await pulse.look(clock.moment)
        assert await services.queries.newest(game) == newest
        for _ in range(25 * 30):
            clock.put_on(minutes=2)
            if await services.queries.newest(game) > newest:
                break
            await pulse.look(clock.moment)
        assert await services.queries.newest(game) > newest, "and then it runs again"
    finally:
        store.close()
