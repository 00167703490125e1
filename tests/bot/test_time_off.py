"""Days in which the bot was off: whatever counts days goes on from where it was, as if they had not been [P-10, P-44 to P-46]."""
from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.domain.absence import NoShow
from bot.domain.deadlines import read
from bot.domain.waking_hours import Hours
from bot.service import Services
from bot.store import MemberRow, Store
from engine.kernel import Seat
from engine.refusals import Refusal
from tests.bot.clocks.timed import tick
from tests.bot.desk import ANNA, BERT, CARA, GUILD, MASTER, Clock, at_once, blank, delivered, guessed, opened, play_on, started
from tests.bot.discord_world import World
from tests.toy import Take

ONE = Seat("seat_1")
DAVE = 104
LONGEST = 30 * 24           # hours: whatever counts days is done by then


async def look(services: Services) -> list[str]:
    """What the bot does again and again; the kinds of letters that this leads to."""
    await services.clocks.beat()
    await services.timers.look()
    return [f"{letter.kind} {letter.payload.get('text', '')}" if letter.kind != "request" else
            f"request {(await services.undo_requests.asked(letter.payload['request'])).request.ended}"
            for letter in await delivered(services)]


async def kept_running(services: Services, clock: Clock, days: float) -> None:
    """So many days with the bot there."""
    clock.put_on(days=days)
    await services.session.store.write(lambda ledger: ledger.presence.beat(services.session.time()))


@dataclass(frozen=True)
class Mechanism:
    """Something that counts days: how it begins, how its letter at the end does, and after how many hours."""

    begins: Callable[[Services], Awaitable[object]]
    ends: str
    hours: int


async def no_show(services: Services, what: NoShow) -> None:
    game = await opened(services)
    await services.gone_players.set_no_show(game, what, MASTER)
    for user in (ANNA, BERT):
        await services.lobby.join(game, user)
    await services.lobby.start(game, MASTER)


async def voted(services: Services, agreeing: bool) -> None:
    """A vote about Anna, who is gone; the votes of Bert and Cara are enough."""
    game = await guessed(services, (ANNA, BERT, CARA, DAVE))
    await services.session.store.write(lambda ledger: ledger.conn.execute(
        "UPDATE deadlines SET since = '2026-03-20T12:00:00+00:00'"))
    vote = await services.gone_players.begin_vote(game, ONE, BERT)
    if agreeing:
        await services.gone_players.cast_ballot(game, vote.id, CARA, agrees=True)


async def paused(services: Services) -> None:
    await services.seats.pause(await guessed(services), MASTER)


async def full(services: Services) -> int:
    game = await opened(services)
    for user in (ANNA, BERT):
        await services.lobby.join(game, user)
    return game


async def asked_back(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    await services.undo_requests.ask(game, ANNA, 3)


async def offered(services: Services) -> None:
    await services.stand_ins.offer_stand_in(await guessed(services), ANNA, CARA)


async def long_clock(services: Services) -> None:
    await services.clocks.set_clock(await guessed(services), MASTER, clock=read("500h"))


async def rematch(services: Services) -> None:
    """Cara may hear of it a day after the players of the last game."""
    await services.interests.add_interest(GUILD, CARA, "pebbles", 0)
    game = await started(services)
    await services.session.store.write(lambda ledger: ledger.conn.execute("UPDATE games SET status = 'over'"))
    services.session.forget(game)
    await services.lobby.rematch(game, ANNA)


MECHANISMS = {
    "a first move that is missing": Mechanism(partial(no_show, what="drop"), "notice <@101> and <@102> never made", hours=72),
    "a first move that frees a seat": Mechanism(partial(no_show, what="replace"), "farewell", hours=72),
    "the hearing of a vote": Mechanism(partial(voted, agreeing=True), "notice The players have voted to replace", hours=24),
    "the call for more votes": Mechanism(partial(voted, agreeing=False), "voters", hours=24),
    "a reminder without a clock": Mechanism(guessed, "reminder", hours=24),
    "a question that waits for long": Mechanism(guessed, "waiting", hours=72),
    "the same with a clock": Mechanism(long_clock, "waiting", hours=72),
    "a game that stands still": Mechanism(guessed, "stands", hours=90),
    "a long pause": Mechanism(paused, "longpause", hours=168),
    "an open game that nobody joins": Mechanism(opened, "stillopen", hours=72),
    "the question whether to keep it": Mechanism(opened, "quiet", hours=21 * 24),
    "its end": Mechanism(opened, "notice nothing has happened in this open game", hours=28 * 24),
    "a full game that nobody starts": Mechanism(full, "late", hours=48),
    "a request to undo": Mechanism(asked_back, "request late", hours=24),
    "an offer to stand in": Mechanism(offered, "standin", hours=168),
    "word of a rematch": Mechanism(rematch, "opened", hours=24),
}


async def hours_until(path: Path, mechanism: Mechanism, off: int) -> int:
    """After how many hours with the bot there a mechanism comes to its end, if it was killed for some days in between."""
    clock, hours, begun = Clock(), 0, False
    while True:
        with closing(at_once(lambda: Store(blank(path)))) as store:
            services = play_on(store, clock=clock)
            if not begun:
                await look(services)
                await mechanism.begins(services)
                await delivered(services)
                begun = True
            while not any(letter.startswith(mechanism.ends) for letter in await look(services)):
                assert hours < LONGEST, "it never ends"
                if off and hours >= mechanism.hours // 2:
                    break
                await kept_running(services, clock, 1 / 12)
                hours += 2
            else:
                return hours
        clock.put_on(days=off)
        off = 0


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("off", [0, 3, 7])
async def test_days_off_are_as_if_they_had_not_been(tmp_path: Path, name: str, off: int) -> None:
    assert await hours_until(tmp_path / "games.db", MECHANISMS[name], off) == MECHANISMS[name].hours


async def test_silence_until_a_vote_to_replace_is_counted_without_them(services: Services, clock: Clock) -> None:
    waiting, timed = await guessed(services, (ANNA, BERT, CARA)), await guessed(services, (ANNA, BERT, CARA))
    await services.clocks.set_clock(timed, MASTER, clock=read("24h"))
    await services.clocks.beat()
    await kept_running(services, clock, 1)
    await tick(services)                                        # Anna runs out of time in one of them
    for off in (3, 4, 7):
        clock.put_on(days=off)
        await services.clocks.beat()
    await kept_running(services, clock, 5.9)
    for game in (waiting, timed):
        with pytest.raises(Refusal, match="waiting long enough"):
            await services.gone_players.begin_vote(game, ONE, BERT)
    await kept_running(services, clock, 0.1)
    await services.gone_players.begin_vote(waiting, ONE, BERT)
    await kept_running(services, clock, 1)
    await services.gone_players.begin_vote(timed, ONE, BERT)


async def test_votes_to_pause_count_for_a_day_with_the_bot_there(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    await services.clocks.beat()
    await services.clocks.vote(game, ANNA, "pause")
    await kept_running(services, clock, 0.5)
    clock.put_on(days=4)
    assert (await services.clocks.vote(game, BERT, "pause")).carried


async def test_nothing_is_judged_by_days_off_before_the_bot_has_noted_them(services: Services, clock: Clock) -> None:
    await guessed(services)
    await opened(services)
    await services.clocks.beat()
    clock.put_on(days=30)
    await services.timers.look("first_move", "standstill", "long_pause", "open_game", "late_start", "long_wait")
    assert {letter.kind for letter in await delivered(services)} <= {"question"}


async def test_a_clock_that_was_wrong_leaves_no_days_off_behind(services: Services, clock: Clock) -> None:
    for days in (0, 365, -365, 1):
        clock.put_on(days=days)
        await services.clocks.beat()
    presence = await services.session.store.read(lambda ledger: ledger.presence.presence(clock()))
    assert presence.since(clock() - timedelta(days=2)) == timedelta(days=1)


async def test_a_clock_that_is_put_right_by_seconds_brings_no_days_off_back(services: Services, clock: Clock) -> None:
    begun = clock()
    for seconds in (0, 7 * 24 * 3600, -2):                      # a machine starts, and then asks the network what time it is
        clock.put_on(seconds=seconds)
        await services.clocks.beat()
        assert await services.session.store.read(lambda ledger: ledger.presence.presence(clock()).since(begun)) == timedelta()


async def test_a_time_zone_that_nobody_knows_holds_up_nobody_else(
        services: Services, clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    await guessed(services)
    await services.clocks.set_clock(1, MASTER, clock=read("5h"))
    await services.settings.set_member(ANNA, MemberRow(hours=Hours(wake=8, sleep=20)))
    await kept_running(services, clock, 0)
    await services.session.store.write(lambda ledger: ledger.conn.execute("UPDATE members SET zone = 'Atlantis/Capital'"))
    clock.put_on(days=1)
    await services.clocks.beat()
    (due,) = [one.due_at for one in await services.clocks.deadlines(1) if one.due_at is not None]
    assert due is not None and due > services.session.now() and "Atlantis/Capital" in caplog.text


@pytest.mark.parametrize("some", [False, True], ids=["all", "some servers"])
async def test_as_long_as_discord_cannot_be_reached_nobody_is_late(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, some: bool) -> None:
    async with World.at(tmp_path / "games.db") as world:
        world.bot.scheduler.longest = 240
        world.bot.outbox.pulse.change_interval(seconds=600)
        await world.guessed()
        with world.env.time_context():
            await world.services.clocks.set_clock(1, world.olga.id, clock=read("2h"))
        await world.env.advance_time(600)
        lost, there = (SimpleNamespace(is_closed=lambda closed=closed: closed) for closed in (True, False))
        monkeypatch.setattr(type(world.bot), "shards", {0: lost, 1: there} if some else {0: lost, 1: lost})
        await world.env.advance_time(6 * 3600)
        assert (await world.services.session.table(1)).asked(ONE) is not None
        monkeypatch.setattr(type(world.bot), "shards", {0: there, 1: there})
        await world.env.advance_time(6000)
        assert (await world.services.session.table(1)).asked(ONE) is not None
        await world.env.advance_time(1200)
        assert (await world.services.session.table(1)).asked(ONE) is None
