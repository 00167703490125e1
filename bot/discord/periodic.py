"""Work that is done again and again, however the wall clock is set meanwhile."""
from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

from discord.ext import tasks
from discord.utils import MISSING, utcnow

from bot.core.incidents import tell_log


class Periodic(tasks.Loop[Any]):
    """A loop of the library that waits by the monotonic clock: its next round comes some seconds after the last has ended.

    The library reckons every round from the one before, by the wall clock: set back, that lets it stand still; set ahead, it
    makes up for all rounds in between at once.
    """

    def __init__(self, work: Callable[[], Awaitable[None]], *, seconds: float) -> None:
        @functools.wraps(work)
        async def lasting() -> None:
            try:
                await work()
            except Exception as why:            # such as what went wrong while another failure was noted: the next round comes
                tell_log("a round ended early", why)

        super().__init__(lasting, seconds=seconds, minutes=0, hours=0, time=MISSING, count=None, reconnect=True, name=None)

    def _try_sleep_until(self, dt: datetime) -> Any:
        """Sleep for the interval, whenever the round should have ended."""
        return super()._try_sleep_until(utcnow() + timedelta(seconds=self._sleep))
