"""A game's board as a picture: time over the yardstick Y, bytes, memory, and how long the bot's event loop is held by it.

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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import Any

from tqdm import tqdm

from bench.yardstick import deflating
from bot.discord.pictures import favour_the_loop
from engine import catalog, components
from engine.dice import SecretDice
from engine.games.attack import GAME as ATTACK
from engine.games.attack.pictures import scenes as scenes_of_attack
from engine.games.imperial_struggle import GAME as IMPERIAL
from engine.games.imperial_struggle.pictures import scenes as scenes_of_imperial
from engine.games.struggle_of_empires import GAME as STRUGGLE_OF_EMPIRES
from engine.games.struggle_of_empires.pictures import scenes
from engine.kernel import GameSpec
from engine.refusals import Faulty
from engine.selfplay import new_table, play_on
from engine.text import verbatim
from renderer import caches, image_cache, render
from renderer.picture import painter
from tests.checks.mixtures import first_edition
from tools.samples import attack, boards, closeups, sheets

SECRET = "5e" * 32
FEWEST = 30                 # pictures of which a median is taken
PROCESSES = 7               # whose first picture is measured
LAGS = 12                   # pictures of each kind during which the event loop is watched
FILLING, ROW = 400, 100     # boards that fill the caches, and the boards in a row after them
ROWS = 5                    # of which a median is taken
LATE = 300                  # answers after which a random game has a full board
TICK, IDLE = 0.001, 0.05    # s
MEGABYTE = 2 ** 20


def kinds_of_struggle() -> Iterator[tuple[str, Any]]:
    """One full picture of each kind, the fullest board first."""
    seats = STRUGGLE_OF_EMPIRES.seats[-1]
    seven = boards.sample(seats)
    yield "board", scenes.Board(now=boards.crowded(), before=seven)
    yield "own board", boards.overlay(seven)
    for name, closeup in closeups.closeups().items():
        yield f"close-up {name}", closeup
    yield from ((name, sheet) for name, sheet in sheets.sheets() if name == "progress" or name.endswith(f"-{seats}"))
    yield "film", scenes.Film(frames=(scenes.Board(now=seven), boards.marked(seven)))


def kinds_of_attack() -> Iterator[tuple[str, Any]]:
    """The same for Attack!."""
    yield "board", attack.fullest()
    yield from attack.golden().items()
    marked = attack.marked(attack.sample(ATTACK.seats[-1]))
    yield "film", scenes_of_attack.Film(frames=(scenes_of_attack.Board(now=marked.now), marked))


def kinds_of_imperial() -> Iterator[tuple[str, Any]]:
    """The same for Imperial Struggle: the board late in a random game, and its regions."""
    table = new_table(IMPERIAL, 2, first_edition(IMPERIAL), components.components(IMPERIAL, first_edition(IMPERIAL)).parts,
                      SecretDice(SECRET), checkpoints=False)
    before = IMPERIAL.views.view(table.state, None)
    for _ in islice(play_on(table, random.Random(7).randrange), LATE):
        pass
    now = IMPERIAL.views.view(table.state, None)
    yield "board", scenes_of_imperial.Board(now=now, before=before)
    for region in now.regions:
        yield f"region {region.region}", scenes_of_imperial.Region(region=region.region, now=now, before=before)
    yield "film", scenes_of_imperial.Film(frames=(scenes_of_imperial.Board(now=before),
                                                  scenes_of_imperial.Board(now=now, before=before)))


KINDS: Mapping[str, Callable[[], Iterator[tuple[str, Any]]]] = {
    STRUGGLE_OF_EMPIRES.key: kinds_of_struggle, ATTACK.key: kinds_of_attack, IMPERIAL.key: kinds_of_imperial}


@dataclass(frozen=True)
class Album:
    """The pictures of a title: of games of the edition that is offered first, with as many seats as there can be."""

    spec: GameSpec
    kinds: Callable[[], Iterator[tuple[str, Any]]]

    def turns(self) -> Iterator[Any]:
        """The public board after each turn of random games, one game after the other, marked with what the turn changed."""
        board, edition = import_module(f"engine.games.{self.spec.key}.pictures.scenes").Board, first_edition(self.spec)
        parts = components.components(self.spec, edition).parts
        for seed in count():
            table = new_table(self.spec, self.spec.seats[-1], edition, parts, SecretDice(SECRET), checkpoints=False)
            before, moment = None, None
            for _ in play_on(table, random.Random(seed).randrange):
                if (now := self.spec.words.moment(table.state)) != moment:
                    moment, view = now, self.spec.views.view(table.state, None)
                    yield board(now=view, before=before)
                    before = view


def album(key: str) -> Album:
    """What is measured of a title. Raises Faulty."""
    spec = catalog.find(key)
    if key not in KINDS:
        raise Faulty("Nobody has told yet which kinds of pictures {game} has; there are: {games}.", game=verbatim(key),
                     games=tuple(map(verbatim, KINDS)))
    return Album(spec, KINDS[key])


def frame(scene: Any) -> bytes:
    """The palette bytes of a board."""
    return painter(scene)(scene, "dark").tobytes()


def timed(work: Callable[[], object]) -> float:
    """Seconds of a core."""
    begin = process_time()
    work()
    return process_time() - begin


def warm(album: Album, seconds: float) -> dict[str, float]:
    """The median over Y of pictures each one turn after the other, and the bytes of the largest."""
    taken, boards, most = list[float](), album.turns(), 0
    for scene in islice(boards, 10):
        last = scene
        render(scene)
    end = perf_counter() + seconds
    while perf_counter() < end or len(taken) < FEWEST:
        yardstick, scene = deflating(frame(last), process_time), next(boards)
        taken.append(timed(partial(render, scene)) / yardstick)
        most, last = max(most, len(render(scene))), scene
    _, busy = next(album.kinds())
    return {"warm_ratio": statistics.median(taken), "bytes": float(max(most, len(render(busy))))}


def first(album: Album) -> float:
    """The median over Y of the first picture of a fresh process, with the import of all it needs, in a core's time.

    As where the bot is installed, compiled modules lie in files, whatever the environment says; one process writes them first.
    """
    given = next(islice(album.turns(), 100, None)).model_dump_json()
    command = [sys.executable, "-m", "bench.first_picture", album.spec.key]
    with TemporaryDirectory() as compiled:
        env = {**os.environ, "PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        taken = [float(subprocess.run(command, input=given, capture_output=True, text=True, check=True, env=env).stdout)
                 for _ in range(PROCESSES + 1)]
    return statistics.median(taken[1:])


async def _held(work: Callable[[], object]) -> float:
    """The longest time, in ms, that the event loop comes back too late while a thread works."""
    longest, thread = 0.0, asyncio.create_task(asyncio.to_thread(work))
    while not thread.done():
        begin = perf_counter()
        await asyncio.sleep(TICK)
        longest = max(longest, perf_counter() - begin - TICK)
    await thread
    return longest * 1000


def lags(album: Album) -> dict[str, float | str]:
    """Milliseconds that the loop is held: for each kind the median over pictures of the longest time during each, with all
    caches cold, and of these the worst; the worst of all; boards turn by turn, warm; and while nothing is drawn, which is the
    machine's own part."""
    favour_the_loop()           # as the bot does

    async def watch() -> dict[str, float | str]:
        cold: dict[str, list[float]] = {}
        for name, scene in album.kinds():
            for _ in range(LAGS):
                image_cache.forget()
                cold.setdefault(name, []).append(await _held(partial(render, scene)))
        warm = [await _held(partial(render, scene)) for scene in islice(album.turns(), 50, 50 + LAGS)]
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


def growth(album: Album) -> dict[str, float]:
    """MB by which the process grows over different boards in a row, the caches being full before: the median of some rows. All it
    takes at the end, and how much of that is free."""
    boards, found = album.turns(), []
    for scene in islice(boards, FILLING):
        render(scene)
    for _ in range(ROWS):
        begin = _needed()
        for scene in islice(boards, ROW):
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
    return figures | {"caches_mb": total, "caches_most_mb": image_cache.MOST_BYTES / MEGABYTE}


def measure(game: str = STRUGGLE_OF_EMPIRES.key, seconds: float = 3.0) -> dict[str, float | str]:
    """Time, size and memory of pictures over the yardstick, and for how long they hold up the event loop."""
    figures: dict[str, float | str] = {}
    shown = album(game)
    steps: tuple[tuple[str, Callable[[], dict[str, float | str] | dict[str, float]]], ...] = (
        ("first picture", lambda: {"first_ratio": first(shown)}), ("turn after turn", lambda: warm(shown, seconds)),
        ("event loop", lambda: lags(shown)), ("memory", lambda: growth(shown)), ("caches", held))
    bar = tqdm(steps, unit="step")
    for name, step in bar:
        bar.set_description(name)
        figures.update(step())
    return figures
