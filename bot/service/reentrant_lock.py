"""A lock for coroutines that its holder may take again."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class ReentrantLock:
    """Lets one task in at a time, as often as it likes; the others wait in the order in which they came."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._holder: asyncio.Task[object] | None = None

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Hold the lock; a task that holds it already goes on at once."""
        task = asyncio.current_task()
        if self._holder is task:
            yield
            return
        async with self._lock:
            self._holder = task
            try:
                yield
            finally:
                self._holder = None
