"""Which interaction the present work belongs to: a number of the process's own, for lines of the log that belong together."""
from __future__ import annotations

from contextvars import ContextVar
from itertools import count

CURRENT: ContextVar[int] = ContextVar("interaction", default=0)      # 0: none
_numbers = count(1)


def begin() -> None:
    """What follows in this task belongs to another interaction."""
    CURRENT.set(next(_numbers))
