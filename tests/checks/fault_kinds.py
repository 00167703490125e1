"""A planted fault, and the kinds of them by the instrument that finds it."""
from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench import taps
from tests.checks import crash
from tests.checks.changed_actions import Tally
from tests.checks.leaks import search
from tests.checks.mutate import at_tables
from tests.checks.scripts import plays
from tests.checks.seeded_leaks import Leak
from tests.toy import PAINTED

TAPS = Path(__file__).parents[2] / "docs" / "taps.md"
SEED = 1
Plant = Callable[[], AbstractContextManager[Any]]


@dataclass(frozen=True)
class Fault:
    """A fault, the test that fails by it, and the instrument that finds it with so much effort, if there is one."""

    name: str
    promise: str                # how the promise begins in docs/promises.md
    plant: Plant
    test: str
    instrument: str = ""        # its words on the command line
    finds: Callable[[], bool] | None = None


def planted_by(owner: Any, name: str, put: Any) -> Plant:
    """One thing in the place of another."""
    return lambda: patch.object(owner, name, put)


def around(owner: Any, name: str, make: Callable[[Any], Any]) -> Plant:
    """A function made from the real one in its place."""
    return lambda: patch.object(owner, name, make(getattr(owner, name)))


def by_mutate(spec: Any, actions: int) -> bool:
    """Whether a changed answer counts that must not."""
    tally = Tally()
    at_tables(spec, actions, SEED, tally, lambda done: None)
    return bool(tally.accepted)


def by_leaks(leak: Leak, pairs: int) -> bool:
    """Whether a pair of games shows a difference."""
    return bool(search(leak.spec, leak.where, pairs, SEED, edition=leak.edition, kinds=leak.kinds,
                       any_will_do=True).differences)


def by_crash(points: int) -> bool:
    """Whether deaths at so many points of the small game show damage."""
    damage = crash.Damage()
    asyncio.run(crash.sweep(plays(PAINTED), points, SEED, damage, lambda: None))
    return bool(damage.told)


def by_taps() -> bool:
    """Whether a typical action takes more taps than its mark."""
    (row,) = [row for row in TAPS.read_text(encoding="utf-8").splitlines() if row.startswith("| `attack_movement`")]
    *_, mark, _ = row.strip("|").split("|")
    return asyncio.run(taps.attack_movement()) > int(mark)


def leaking(name: str, leaks: Iterable[Leak], promise: str, pairs: int, test: str) -> Fault:
    """One of the planted leaks as a fault."""
    leak = next(leak for leak in leaks if leak.name == name)
    return Fault(f"{leak.spec.name}: {name}", promise, leak.plant, test, f"leaks {leak.spec.key} --pairs {pairs}",
                 partial(by_leaks, leak, pairs))


def mutating(name: str, promise: str, plant: Plant, test: str, spec: Any, actions: int) -> Fault:
    return Fault(name, promise, plant, test, f"mutate {spec.key} --actions {actions}", partial(by_mutate, spec, actions))


def crashing(name: str, promise: str, plant: Plant, test: str, points: int) -> Fault:
    return Fault(name, promise, plant, test, f"crash, the small game --points {points}", partial(by_crash, points))
