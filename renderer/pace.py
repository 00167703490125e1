"""A thread that paints beside an event loop gives way to it now and then.

Python takes the interpreter from a thread that has had it for 5 ms. But most calls of Pillow let go of it for an instant and have
it back before another thread is awake; each time the 5 ms begin anew, and the other one waits for as long as there is something
to draw. So whoever paints makes true pauses.
"""
from __future__ import annotations

from time import perf_counter, sleep

STRETCH = 0.003         # s of painting between two pauses
PAUSE = 0.0001          # s: long enough for another thread to awake


class Pace:
    """Calls let other threads go on, if the last pause is long enough ago."""

    def __init__(self) -> None:
        self.paused = 0.0

    def __call__(self) -> None:
        if perf_counter() - self.paused > STRETCH:
            sleep(PAUSE)
            self.paused = perf_counter()


give_way = Pace()
"""To be called wherever something is drawn."""
