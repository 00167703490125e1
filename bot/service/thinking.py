"""What automatic players think, in processes of their own: a bounded number at once, and none for longer than it may.

What is sent to a process is made of plain values. A player there is given what its seat knows; only `world_of`, which deals anew
all that is hidden, reads the true past.
"""
from __future__ import annotations

import asyncio
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from engine import catalog
from engine.components import bound
from engine.dice import SecretDice, commitment
from engine.kernel import Action, Ask, Checkpoint, Level, Position, Row, Seat, Table
from engine.players import Seeded, choose
from engine.players.search import world_of

LONGEST = 20            # seconds for an answer on a busy machine; then the process is ended
BEGINNING = 120         # seconds in which a process has read the program
POLITE = 10             # by how much a thinking process steps back behind the bot


@dataclass(frozen=True, kw_only=True)
class Task:
    """A question for an automatic player, as it goes to another process."""

    game: str
    pack: str                           # hash of the components
    raw: dict[str, Any]                 # the components
    level: Level
    known: str                          # the state as the seat knows it, as JSON
    question: Ask[Any]
    options: tuple[Action, ...]
    default: Action
    secret: str                         # what tells this game from others in which the same happens
    start: Checkpoint | None = None     # from where the strong player's worlds are made
    rows: tuple[Row, ...] = ()


def answered(task: Task) -> Action:
    """The answer of an automatic player."""
    spec, parts = catalog.find(task.game), _parts(task.game, task.pack) or _learnt(task)
    state = spec.rules.state.model_validate_json(task.known)
    spec.rules.bind(state, parts)
    worlds = partial(_world, task, parts) if task.start is not None else None
    return choose(spec, task.level, Position(state=state, question=task.question, options=task.options, default=task.default,
                                             worlds=worlds), task.secret)


_known: dict[tuple[str, str], Any] = {}


def _parts(game: str, pack: str) -> Any:
    return _known.get((game, pack))


def _learnt(task: Task) -> Any:
    """Components that this process has not met; a few are kept."""
    while len(_known) >= 8:
        del _known[next(iter(_known))]
    parts = _known[task.game, task.pack] = bound(catalog.find(task.game), task.raw).parts
    return parts


def _world(task: Task, parts: Any, seed: str) -> Table:
    assert task.start is not None, "there is a past to begin from"
    spec = catalog.find(task.game)
    dice = SecretDice(commitment(seed.encode().hex()))
    return world_of(spec, parts, task.start, task.rows, Seat(task.question.seat), Seeded(seed), dice)


class Thinkers:
    """Processes that think for automatic players; they begin with the first question."""

    def __init__(self, processes: int = 1) -> None:
        self._processes, self._free = processes, asyncio.Semaphore(processes)
        self._pool: ProcessPoolExecutor | None = None

    async def answer(self, task: Task) -> Action:
        """The answer. Raises whatever the player raises; TimeoutError if it takes too long, and then its process is gone."""
        async with self._free:
            loop = asyncio.get_running_loop()
            try:
                if self._pool is None:
                    self._pool = ProcessPoolExecutor(self._processes, mp_context=multiprocessing.get_context("spawn"),
                                                     initializer=os.nice, initargs=(POLITE,))
                    await asyncio.wait_for(loop.run_in_executor(self._pool, os.getpid), BEGINNING)
                return await asyncio.wait_for(loop.run_in_executor(self._pool, answered, task), LONGEST)
            except (TimeoutError, OSError, RuntimeError):           # RuntimeError: a broken pool is one
                self.stop()
                raise

    def stop(self) -> None:
        """End the processes, whatever they are at."""
        pool, self._pool = self._pool, None
        if pool is not None:
            for process in [*getattr(pool, "_processes", {}).values()]:
                process.terminate()
            pool.shutdown(wait=False, cancel_futures=True)


class Here:
    """Thinks in a thread of this process: for tests, which wait for nothing."""

    async def answer(self, task: Task) -> Action:
        """The answer."""
        return await asyncio.to_thread(answered, task)

    def stop(self) -> None:
        """Nothing is left behind."""


def easier(task: Task) -> Task | None:
    """The same question for a solid player; None if it was one already."""
    return None if task.level == "solid" else replace(task, level="solid", start=None, rows=())
