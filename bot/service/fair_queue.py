"""A queue for what only one can have at a time: whoever waits comes next in turn, however much each has asked for."""
from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager


class FairQueue:
    """One works at a time. Whoever waits with many things gets one done, then everybody else who waits has a turn."""

    def __init__(self) -> None:
        self._taken = False
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()      # whose turn is next: first

    @asynccontextmanager
    async def turn(self, whose: Hashable) -> AsyncIterator[None]:
        """Wait for a turn and have it while the block lasts."""
        await self._come(whose)
        try:
            yield
        finally:
            self._next()

    async def _come(self, whose: Hashable) -> None:
        if not self._taken:
            self._taken = True
            return
        called = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(whose, deque()).append(called)
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():        # it was this one's turn, and nobody takes it
                self._next()
            raise

    def _next(self) -> None:
        """Call whoever has waited longest for a turn, and put the others of the same one behind everybody."""
        while self._waiting:
            whose, own = next(iter(self._waiting.items()))
            called = own.popleft()
            given_up = called.done()
            if not own:
                del self._waiting[whose]
            elif not given_up:
                self._waiting.move_to_end(whose)
            if not given_up:
                called.set_result(None)
                return
        self._taken = False
