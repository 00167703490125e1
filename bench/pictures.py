"""The board as a picture: time over the yardstick Y, bytes, memory, and how long the bot's event loop is held by it.

Y is the time that zlib takes at level 1 for the bytes of a frame, in the same process just before.
"""
from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

from tqdm import tqdm

from bench.yardstick import deflating
from bot.gallery import favour_the_loop
from engine import catalog, shelf
from engine.dice import SecretDice
from engine.selfplay import new_table, play_on
from engine.struggle_of_empires.scenes import Board, Film
from engine.struggle_of_empires.view import View
from renderer import caches, encoder, memory, render, samples, samples_attack, samples_closeup, samples_sheets
from renderer.picture import PAINTERS

SEATS, EDITION, SECRET = 7, "first", "5e" * 32
FEWEST = 30                 # pictures of which a median is taken
PROCESSES = 7               # whose first picture is measured
LAGS = 12                   # pictures of each kind during which the event loop is watched
FILLING, ROW = 400, 100     # boards that fill the caches, and the boards in a row after them
ROWS = 5                    # of which a median is taken
TICK, IDLE = 0.001, 0.05    # s
MEGABYTE = 2 ** 20

SPEC = catalog.find("struggle_of_empires")
PARTS = shelf.components(SPEC, EDITION).parts


def turns() -> Iterator[Board]:
    """The public board after each turn of random games, one game after the other, marked with what the turn changed."""
    for seed in count():
        table = new_table(SPEC, SEATS, EDITION, PARTS, SecretDice(SECRET), checkpoints=False)
        before: View | None = None
        for _ in play_on(table, random.Random(seed).randrange):
            now = SPEC.view(table.state, None)
            if before is None or (now.war, now.round, now.active) != (before.war, before.round, before.active):
                yield Board(now=now, before=before)
                before = now


def frame(scene: Board) -> bytes:
    """The palette bytes of a board."""
    return PAINTERS[Board](scene, "dark").tobytes()


def timed(work: Callable[[], object]) -> float:
    begin = perf_counter()
    work()
    return perf_counter() - begin


def warm(seconds: float) -> dict[str, float]:
    """Medians over Y of pictures each one turn after the other, the writers in turn; and the bytes of the largest."""
    writers = {"warm_ratio": False, "warm_ratio_fast": True} if encoder.FAST else {"warm_ratio": False}
    taken: dict[str, list[float]] = {name: [] for name in writers}
    scenes, most = turns(), 0
    for scene in islice(scenes, 10):
        last = scene
        render(scene)
    end = perf_counter() + seconds
    while perf_counter() < end or min(map(len, taken.values())) < FEWEST:
        for name, encoder.FAST in writers.items():
            yardstick, scene = deflating(frame(last)), next(scenes)
            taken[name].append(timed(partial(render, scene)) / yardstick)
            most, last = max(most, len(render(scene))), scene
    crowded = samples.crowded()
    busy = Board(now=crowded, before=samples.sample(SEATS))
    return {name: statistics.median(times) for name, times in taken.items()} | {"bytes": float(max(most, len(render(busy))))}


def first() -> float:
    """The median over Y of the first picture of a fresh process, with the import of all it needs."""
    given = next(islice(turns(), 100, None)).model_dump_json()
    command = [sys.executable, "-m", "bench.first_picture"]
    return statistics.median(float(subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout)
                             for _ in range(PROCESSES))


def kinds() -> Iterator[tuple[str, Any]]:
    """One full picture of each kind."""
    seven = samples.sample(SEATS)
    yield "board", Board(now=samples.crowded())
    yield "own board", samples.overlay(seven)
    for name, closeup in samples_closeup.closeups().items():
        yield f"close-up {name}", closeup
    yield from ((name, sheet) for name, sheet in samples_sheets.sheets() if name == "progress" or name.endswith(f"-{SEATS}"))
    yield from ((f"Attack! {name}", scene) for name, scene in samples_attack.golden().items())
    yield "film", Film(frames=(Board(now=seven), samples.marked(seven)))


async def _held(work: Callable[[], object]) -> float:
    """The longest time, in ms, that the event loop comes back too late while a thread works."""
    longest, thread = 0.0, asyncio.create_task(asyncio.to_thread(work))
    while not thread.done():
        begin = perf_counter()
        await asyncio.sleep(TICK)
        longest = max(longest, perf_counter() - begin - TICK)
    await thread
    return longest * 1000


def lags() -> dict[str, float | str]:
    """Milliseconds that the loop is held: for each kind the median over pictures of the longest time during each, with all
    caches cold, and of these the worst; the worst of all; boards turn by turn, warm; and while nothing is drawn, which is the
    machine's own part."""
    favour_the_loop()           # as the bot does

    async def watch() -> dict[str, float | str]:
        cold: dict[str, list[float]] = {}
        for name, scene in kinds():
            for _ in range(LAGS):
                memory.forget()
                cold.setdefault(name, []).append(await _held(partial(render, scene)))
        warm = [await _held(partial(render, scene)) for scene in islice(turns(), 50, 50 + LAGS)]
        idle = [await _held(partial(sleep, IDLE)) for _ in range(LAGS)]
        worst = max(cold, key=lambda name: statistics.median(cold[name]))
        return {"loop_lag_ms": statistics.median(cold[worst]), "loop_lag_kind": worst,
                "loop_lag_most_ms": max(map(max, cold.values())), "loop_lag_warm_ms": statistics.median(warm),
                "loop_lag_idle_ms": statistics.median(idle)}

    return asyncio.run(watch())


def _resident() -> float:
    """The memory of this process in MB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE


def _needed() -> float:
    """The same without what is free and only kept by the allocator, where it can be asked to give that back (glibc): it comes and
    goes by some MB with the sizes of the last pictures."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    return _resident()


def growth() -> dict[str, float]:
    """MB by which the process grows over different boards in a row, the caches being full before: the median of some rows. All it
    takes at the end, and how much of that is free."""
    scenes, found = turns(), []
    for scene in islice(scenes, FILLING):
        render(scene)
    for _ in range(ROWS):
        begin = _needed()
        for scene in islice(scenes, ROW):
            render(scene)
        resident = _resident()
        found.append(_needed() - begin)
    return {"memory_growth_mb": statistics.median(found), "memory_mb": resident, "memory_free_mb": resident - _needed()}


def held() -> dict[str, float | str]:
    """What the caches hold."""
    found = caches()
    figures: dict[str, float | str] = {
        f"cache {name.removeprefix('renderer.')}": f"{cache.entries} of {cache.most}, {cache.bytes / MEGABYTE:.1f} MB"
        for name, cache in found.items() if cache.bytes}
    total = sum(cache.bytes for cache in found.values()) / MEGABYTE
    return figures | {"caches_mb": total, "caches_most_mb": memory.MOST_BYTES / MEGABYTE}


def measure(seconds: float = 3.0) -> dict[str, float | str]:
    """All figures."""
    figures: dict[str, float | str] = {}
    steps: tuple[tuple[str, Callable[[], dict[str, float | str] | dict[str, float]]], ...] = (
        ("first picture", lambda: {"first_ratio": first()}), ("turn after turn", lambda: warm(seconds)),
        ("event loop", lags), ("memory", growth), ("caches", held))
    bar = tqdm(steps, unit="step")
    for name, step in bar:
        bar.set_description(name)
        figures.update(step())
    return figures
