"""How fast this machine is at this moment: divide a figure by one of these, taken in the same run."""
from __future__ import annotations

import sqlite3
import statistics
import zlib
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

BATCH = 20_000              # turns of the loop between two looks at the clock


def deflating(data: bytes, clock: Callable[[], float] = perf_counter) -> float:
    """Seconds by this clock that zlib takes at level 1 for these bytes: Y, if they are a picture's."""
    def once() -> float:
        begin = clock()
        zlib.compress(data, 1)
        return clock() - begin

    return statistics.median(once() for _ in range(3))


def loop_turns(seconds: float) -> float:
    """Turns per second of a loop of integer arithmetic, a dict store, a list load and a call."""
    table: dict[int, int] = {}
    cells = list(range(256))

    def step(x: int) -> int:
        x = (x * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
        table[x & 255] = cells[x >> 8 & 255]
        return x

    x, turns, begin = 1, 0, perf_counter()
    while (now := perf_counter()) - begin < seconds:
        for _ in range(BATCH):
            x = step(x)
        turns += BATCH
    return turns / (now - begin)


class PlainStore:
    """sqlite3 alone with the bot's durability (WAL, FULL): a log row of 300 bytes and two outbox rows of 1 kB a transaction."""

    def __init__(self, path: Path) -> None:
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode=WAL")
        self.db.execute("PRAGMA synchronous=FULL")
        self.db.execute("CREATE TABLE log (game INTEGER, no INTEGER, seat TEXT, answer TEXT, events TEXT, "
                        "PRIMARY KEY (game, no)) WITHOUT ROWID")
        self.db.execute("CREATE TABLE outbox (id INTEGER PRIMARY KEY, game INTEGER, no INTEGER, audience TEXT, payload TEXT)")
        self.no = 0

    def store(self) -> None:
        """One transaction."""
        answer, events, payload = "a" * 60, "e" * 240, "p" * 1000
        self.no += 1
        self.db.execute("BEGIN IMMEDIATE")
        self.db.execute("INSERT INTO log VALUES (1, ?, ?, ?, ?)", (self.no, "seat_1", answer, events))
        for audience in ("public", "seat_1"):
            self.db.execute("INSERT INTO outbox (game, no, audience, payload) VALUES (1, ?, ?, ?)", (self.no, audience, payload))
        self.db.execute("COMMIT")


def filesystem(path: Path) -> str:
    """The kind of file system under a path; on tmpfs the storage figures mean nothing."""
    try:
        mounts = [line.split()[1:3] for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines()]
    except OSError:
        return "unknown"
    here = path.resolve()
    return max(((len(at), kind) for at, kind in mounts if here.is_relative_to(at)), default=(0, "unknown"))[1]
