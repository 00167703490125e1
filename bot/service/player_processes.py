"""What automatic players think, in processes of their own: a bounded number at once, and none for longer than it may."""
from __future__ import annotations

import asyncio
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from dataclasses import replace
from typing import Any

from bot.player_process import LENGTH, packed
from engine.kernel import Action
from engine.players.hints import Hint
from engine.players.tasks import Task, Unmet, answered

LONGEST = 20            # seconds for an answer on a busy machine; then the process is ended
BEGINNING = 120         # seconds in which a process has read the program


class PlayerProcesses:
    """Processes that think for automatic players; each begins with the first question that no other is free for."""

    def __init__(self, processes: int = 1) -> None:
        self._free, self._idle = asyncio.Semaphore(processes), list[Process]()
        self._all: set[Process] = set()

    async def answer(self, task: Task) -> Action:
        """The answer. Raises RuntimeError: the player raises; TimeoutError: it takes too long, and its process is gone."""
        told = await self._answered(task)
        if not isinstance(told, Action):
            raise RuntimeError(f"the player raised {told}")
        return told

    async def hints(self, task: Task) -> tuple[Hint, ...]:
        """Hints. Raises as `answer` does."""
        told = await self._answered(task)
        if not isinstance(told, tuple):
            raise RuntimeError(f"the player raised {told}")
        return told

    async def _answered(self, task: Task) -> Any:
        async with self._free:
            process = self._idle.pop() if self._idle else await self._begun()
            try:
                told = await _put(process, replace(task, raw=None))
                if told == Unmet.__name__:              # components are large, and soon every process has met those in play
                    told = await _put(process, task)
            except BaseException:                       # whatever it still says would be taken for the next answer
                await self._end(process)
                raise
            self._idle.append(process)
        return told

    async def _begun(self) -> Process:
        process = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot.player_process", stdin=PIPE, stdout=PIPE)
        self._all.add(process)
        try:
            await asyncio.wait_for(_message(process), BEGINNING)
        except BaseException:
            await self._end(process)
            raise
        return process

    async def _end(self, process: Process) -> None:
        self._all.discard(process)
        if process.returncode is None:
            process.kill()
        await process.wait()

    async def stop(self) -> None:
        self._idle.clear()
        for process in list(self._all):
            await self._end(process)


async def _put(process: Process, task: Task) -> Any:
    """Return what a process says to a question. Raises TimeoutError."""
    assert process.stdin is not None, "it has a pipe"
    process.stdin.write(packed(task))
    return await asyncio.wait_for(_message(process), LONGEST)


async def _message(process: Process) -> Any:
    """The next message of a process. Raises EOFError: it has ended."""
    assert process.stdout is not None, "it has a pipe"
    length = await process.stdout.readexactly(LENGTH)
    return pickle.loads(await process.stdout.readexactly(int.from_bytes(length, "big")))


class InThisProcess:
    """Thinks in a thread of this process: for tests, which wait for nothing."""

    async def answer(self, task: Task) -> Action:
        told = await asyncio.to_thread(answered, task)
        assert isinstance(told, Action), "an answer is asked for"
        return told

    async def hints(self, task: Task) -> tuple[Hint, ...]:
        told = await asyncio.to_thread(answered, task)
        assert isinstance(told, tuple), "hints are asked for"
        return told

    async def stop(self) -> None:
        """Nothing is left behind."""
