"""What one press walks through, outbox included, on the simulated Discord: calls, functions and files of the program, trips to
the store, locks taken, guarded calls and requests for a snapshot."""
from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from pathlib import Path
from types import CodeType, FrameType

from engine.games.imperial_struggle import GAME as IMPERIAL
from engine.games.imperial_struggle.actions.rounds import TakeTile
from engine.games.struggle_of_empires import GAME as STRUGGLE
from engine.games.struggle_of_empires.actions import Attack
from tests.bot.frail import cheap
from tests.checks.taps import TURN, Hand, playing
from tests.games.imperial_struggle.scene import scene as imperial_scene, tile_id
from tests.scene import scene as struggle_scene

PROGRAM = tuple(f"{Path(__file__).parents[2] / room}/" for room in ("bot", "engine", "renderer"))
COUNTED = {("bot/store/database.py", "read"): "store_trips", ("bot/store/database.py", "write"): "store_trips",
           ("bot/core/session.py", "locked"): "locks", ("bot/core/incidents.py", "calm"): "guarded",
           ("bot/core/session.py", "snapshot"): "snapshots"}
TILE = "4 DP / 2 MP"


@contextmanager
def watched(calls: Counter[CodeType]) -> Iterator[None]:
    """Count the calls of the program's functions in the event loop's thread; a coroutine or generator counts once,
    however often it goes on."""
    begun: set[FrameType] = set()

    def count(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PROGRAM) and frame not in begun:
            calls[code] += 1
            if code.co_flags & (CO_COROUTINE | CO_GENERATOR | CO_ASYNC_GENERATOR):
                begun.add(frame)

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(None)


def figures(calls: Counter[CodeType]) -> dict[str, int]:
    """Return the number of each kind: calls, different functions and files, and those in `COUNTED`."""
    found = {"calls": calls.total(), "functions": len(calls), "files": len({code.co_filename for code in calls}),
             **dict.fromkeys(COUNTED.values(), 0)}
    for code, times in calls.items():
        for (file, name), kind in COUNTED.items():
            if code.co_name == name and code.co_filename.endswith(file):
                found[kind] += times
    return found


async def _typed(hand: Hand) -> None:
    await hand.person.slash(hand.world.table, "struggle attack", area="india", target="britain")


async def _tapped(hand: Hand) -> None:
    await hand.give(Attack(area="india", target="britain"))


async def _step(hand: Hand) -> None:
    await hand.person.slash(hand.world.table, "imperial politics", space="savoy", action="major", advantage="none", debt=0, trp=0)


async def _map(hand: Hand) -> None:
    await hand.person.slash(hand.world.table, "game map")


@asynccontextmanager
async def _turn() -> AsyncIterator[Hand]:
    async with playing(STRUGGLE, struggle_scene(**TURN), draw=cheap) as hand:
        yield hand


@asynccontextmanager
async def _round() -> AsyncIterator[Hand]:
    async with playing(IMPERIAL, imperial_scene(active="france", available=[TILE]), 2, draw=cheap) as hand:
        (asked,) = (await hand.table()).waiting()
        hand.person = hand.people[asked.seat]
        await hand.world.services.answers.answer(1, hand.person.id, TakeTile.of(tile_id(TILE)))
        yield hand


WALKS: Mapping[str, tuple[Callable[[], AbstractAsyncContextManager[Hand]], Callable[[Hand], Awaitable[None]]]] = {
    "typed_attack": (_turn, _typed), "tapped_attack": (_turn, _tapped), "private_step": (_round, _step), "map": (_turn, _map)}


async def _walked(name: str) -> dict[str, int]:
    start, press = WALKS[name]
    calls: Counter[CodeType] = Counter()
    async with start() as hand:
        await hand.world.env.settle()
        with watched(calls):
            await press(hand)
            await hand.world.env.settle()
    return figures(calls)


def measure() -> dict[str, dict[str, int]]:
    """What a typed and a tapped attack, a step of a private round and a map walk through."""
    return {name: asyncio.run(_walked(name)) for name in WALKS}
