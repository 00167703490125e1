"""The gate through which every deed passes: whoever closes it knows that none is under way, and that none begins."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any


class Gate:
    """Lets deeds pass. While it is closed, new ones wait; a deed that is part of another one passes with it."""

    def __init__(self) -> None:
        self._inside = set[asyncio.Task[Any] | None]()
        self._open, self._empty = asyncio.Event(), asyncio.Event()
        self._open.set()
        self._empty.set()

    @asynccontextmanager
    async def passing(self) -> AsyncIterator[None]:
        """A deed is under way while the block lasts."""
        task = asyncio.current_task()
        if task in self._inside:
            yield
            return
        while not self._open.is_set():
            await self._open.wait()
        self._inside.add(task)
        self._empty.clear()
        try:
            yield
        finally:
            self._inside.discard(task)
            if not self._inside:
                self._empty.set()

    @asynccontextmanager
    async def closed(self, patience: float) -> AsyncIterator[None]:
        """No deed is under way while the block lasts. Raises TimeoutError: some took longer than so many seconds to end."""
        self._open.clear()
        try:
            async with asyncio.timeout(patience):
                await self._empty.wait()
            yield
        finally:
            self._open.set()
