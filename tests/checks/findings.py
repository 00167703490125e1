"""What two runs that should show the same have shown, and where they differed."""
from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TypeAlias

Output: TypeAlias = tuple[str, object]          # what is looked at, and what it shows

LOGS = ("bot", "engine", "renderer")
EXCERPT = 240                   # characters of what differs
PAINTED = "painted"             # how the name of an output ends that is a picture


@dataclass
class Found:
    """What a run has compared, and how the two differed: where, and what each showed."""

    pairs: int = 0
    outputs: int = 0
    painted: int = 0
    differences: list[str] = field(default_factory=list)

    def add(self, other: Found) -> None:
        """Take over what another run has found."""
        self.pairs += other.pairs
        self.outputs += other.outputs
        self.painted += other.painted
        self.differences += other.differences

    def compare(self, where: str, one: Sequence[Output], other: Sequence[Output]) -> None:
        """Note the first difference of what is shown, if there is one."""
        self.outputs += len(one)
        self.painted += sum(name.endswith(PAINTED) for name, _ in one)
        for first, second in zip_longest(one, other):
            if first != second:
                self.differences.append(f"{where}:\n  {_excerpt(first, second)}\n  {_excerpt(second, first)}")
                return


def _excerpt(shown: Output | None, other: Output | None) -> str:
    """What is shown, from a little before the place where the other differs."""
    if shown is None or other is None or shown[0] != other[0]:
        return f"{shown!r}"[:EXCERPT]
    one, two = repr(shown[1]), repr(other[1])
    same = next((at for at, (left, right) in enumerate(zip(one, two)) if left != right), min(len(one), len(two)))
    at = max(0, same - EXCERPT // 4)
    return f"{shown[0]}: … {one[at:at + EXCERPT]}"


class Ear(logging.Handler):
    """Hears everything that the program logs."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Output] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append((f"log of {record.name}", record.getMessage()))

    def taken(self) -> list[Output]:
        """What was heard since the last time."""
        heard, self.heard = self.heard, []
        return heard


@contextmanager
def listening() -> Iterator[Ear]:
    """Hear what the project logs, at every level, and keep it from the screen."""
    ear, logs = Ear(), [logging.getLogger(name) for name in LOGS]
    before = [(log.level, log.propagate) for log in logs]
    for log in logs:
        log.addHandler(ear)
        log.setLevel(logging.DEBUG)
        log.propagate = False
    try:
        yield ear
    finally:
        for log, (level, propagate) in zip(logs, before):
            log.removeHandler(ear)
            log.setLevel(level)
            log.propagate = propagate
