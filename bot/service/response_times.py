"""How long people waited lately: until the bot was heard of, and until it had answered; what Discord has refused."""
from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable
from datetime import UTC, datetime

HOUR = 3600                     # seconds that the figures look back
MOST = 5_000                    # of them, the newest: enough for a p99, and half a megabyte


class RecentDurations:
    """How long something took lately: in the last hour, or the newest of so many."""

    def __init__(self) -> None:
        self._took: deque[tuple[float, float]] = deque(maxlen=MOST)
        self.on_note: Callable[[float], None] | None = None     # called with the seconds each time

    def note(self, seconds: float) -> None:
        self._took.append((time.monotonic(), max(seconds, 0.0)))
        if self.on_note is not None:
            self.on_note(max(seconds, 0.0))

    def lately(self) -> list[float]:
        """All that was noted in the last hour, in seconds."""
        since = time.monotonic() - HOUR
        while self._took and self._took[0][0] < since:
            self._took.popleft()
        return [seconds for _, seconds in self._took]


class ResponseTimes:
    """What is measured while the bot runs: how long people waited, from Discord's own stamp on what they did; and how long
    pictures took to draw; how often Discord has refused something."""

    def __init__(self) -> None:
        self.acknowledged, self.answered, self.drawn = RecentDurations(), RecentDurations(), RecentDurations()
        self.refused = Counter[str]()           # requests to Discord, by HTTP status, or "none" without an answer
        self.since = datetime.now(UTC)
