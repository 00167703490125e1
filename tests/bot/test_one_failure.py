"""What the bot does by itself for many: a failure with one job or one game holds up no other."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from bot.discord.periodic import Periodic
from bot.service import Services
from engine.kernel import Seat
from tests.bot.desk import ANNA, BERT, CARA, GUILD, MASTER, Clock, delivered, guessed, opened, started
from tests.bot.discord_world import World
from tests.toy import Take

ONE = Seat("seat_1")
JOBS = ("personal_data.look_at_servers", "retention.drop_needless", "weekly.tell_members", "results.work_out_missing",
        "weekly.tell_servers")


@pytest.mark.parametrize("broken", JOBS)
async def test_every_chore_is_done_whichever_fails(world: World, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    world.bot.scheduler.chores.cancel()             # they are done here
    done = list[str]()

    def job(name: str) -> Callable[..., Awaitable[int]]:
        async def work(*_: object) -> int:
            done.append(name)
            if name == broken:
                raise KeyError(name)
            return 0

        return work

    for name in JOBS:
        service, act = name.split(".")
        monkeypatch.setattr(getattr(world.services, service), act, job(name))
    await world.bot.scheduler._chores()
    assert done == [*JOBS] and world.services.session.troubles.errors == 1


async def test_a_loop_outlives_what_its_work_did_not_catch() -> None:
    rounds = list[int]()

    async def work() -> None:
        rounds.append(len(rounds))
        if len(rounds) == 3:
            loop.stop()
        raise KeyError

    loop = Periodic(work, seconds=0)
    await asyncio.wait([loop.start()])
    assert len(rounds) == 3


# --- the same for several games ------------------------------------------------------------------------------------

async def no_show(services: Services, clock: Clock) -> int:
    game = await opened(services)
    await services.gone_players.set_no_show(game, "drop", MASTER)
    for user in (ANNA, BERT):
        await services.lobby.join(game, user)
    await services.lobby.start(game, MASTER)
    return game


async def vote(services: Services, clock: Clock) -> int:
    game = await guessed(services, (ANNA, BERT, CARA, 104))
    await services.session.store.write(lambda ledger: ledger.conn.execute(
        "UPDATE deadlines SET since = '2026-03-20T12:00:00+00:00'"))
    begun = await services.gone_players.begin_vote(game, ONE, BERT)
    await services.gone_players.cast_ballot(game, begun.id, CARA, agrees=True)
    return game


async def request(services: Services, clock: Clock) -> int:
    game = await guessed(services)
    for user in (ANNA, BERT):
        await services.answers.answer(game, user, Take.of(1, "left"))
    await services.undo_requests.ask(game, ANNA, 3)
    return game


async def absence(services: Services, clock: Clock) -> int:
    game = await guessed(services)
    await services.seats.away(game, ANNA, until=clock() + timedelta(days=2))
    return game


async def quiet(services: Services, clock: Clock) -> int:
    game = await opened(services)
    await services.session.store.write(
        lambda ledger: ledger.idle_games.told_still_open(game, (clock() + timedelta(days=22)).isoformat()))
    return game


async def running(services: Services, clock: Clock) -> int:
    return await started(services)


SEVERAL: dict[str, tuple[Callable[[Services, Clock], Awaitable[int]], Callable[[Services, Clock], Awaitable[object]]]] = {
    "first moves": (no_show, lambda services, _: services.timers.look("first_move")),
    "votes": (vote, lambda services, _: services.timers.look("vote")),
    "requests": (request, lambda services, _: services.timers.look("request")),
    "absences": (absence, lambda services, clock: services.timers.look("back")),
    "open games": (quiet, lambda services, _: services.timers.look("open_game")),
    "a server that is left": (running, lambda services, _: services.personal_data.server_left(GUILD))}


@pytest.mark.parametrize("name", SEVERAL)
async def test_a_game_that_fails_holds_up_no_other(
        services: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    begins, act = SEVERAL[name]
    first, second = await begins(services, clock), await begins(services, clock)
    await delivered(services)
    clock.put_on(days=30)
    locked = services.session.locked

    @asynccontextmanager
    async def failing(game: int) -> AsyncIterator[None]:
        async with locked(game):
            yield
            if game == first:
                raise KeyError(game)

    monkeypatch.setattr(services.session, "locked", failing)
    await act(services, clock)
    assert {letter.game for letter in await delivered(services)} >= {second}
    assert services.session.troubles.errors == 1
