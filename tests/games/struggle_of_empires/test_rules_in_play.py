"""A referee who knows the rules by number looks at every fact of random games.

Each check stands for the rules in its name. It sees the position before a fact, yields, and sees the position after it; a check
that returns before it yields has nothing to say about that fact. A check that never had anything to say fails as well.
"""
from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from engine.components import components
from engine.games.struggle_of_empires import GAME, events as fact
from engine.kernel import Event, Table, parse_events
from engine.selfplay import beginning
from tests.games.struggle_of_empires.referee import attacks, pieces, wars
from tests.games.struggle_of_empires.referee.record import CHECKS, Check, Record
from tests.games.struggle_of_empires.test_properties import HALF, OTHERWISE, lively, source

OTHER = OTHERWISE | {"move.same_unit_next_action": True}        # it contradicts another try of a failed unit
GAMES = [("first", 2, {}), ("first", 3, {}), ("first", 4, OTHER), ("first", 5, HALF), ("first", 6, {}),
         ("deluxe", 2, {}), ("deluxe", 3, {}), ("deluxe", 4, {}), ("deluxe_without_npp", 5, {})]      # edition, players, options
NAMES = [name for chapter in (pieces, wars, attacks) for name in vars(chapter) if name in CHECKS]


@cache
def verdicts() -> tuple[dict[str, int], dict[str, str]]:
    """How often each check had something to say, and the first fault that it found."""
    said, faults = Counter[str](), dict[str, str]()
    by_kind: dict[type[Event], list[tuple[str, Check]]] = defaultdict(list)
    for name, (kinds, check) in CHECKS.items():
        for kind in kinds:
            by_kind[kind].append((name, check))
    for edition, seats, options in GAMES:
        watch(edition, seats, dict(options), by_kind, said, faults)
    return said, faults


def watch(edition: str, seats: int, options: dict[str, Any], by_kind: dict[type[Event], list[tuple[str, Check]]],
          said: Counter[str], faults: dict[str, str]) -> None:
    """One game, with every check of every fact."""
    parts = components(GAME, edition).parts
    start = beginning(GAME, seats, edition, parts, options)
    table, pick = Table(GAME, parts, start, dice=source(start), checkpoints=False), random.Random(f"{seats}/0")
    while not table.over:
        table.answer(*lively(table, pick))
    s, h = GAME.rules.state.model_validate_json(start.state), Record()
    GAME.rules.bind(s, parts)
    for entry in (None, *table.fresh):
        events = list(table.opening) if entry is None else parse_events(GAME, entry.row().events)
        h.row.clear()
        h.verb, h.answer = ("", {}) if entry is None else (entry.answer.verb, entry.answer.model_dump())
        for event in events:
            open_checks: list[tuple[str, Iterator[None]]] = []
            for name, check in by_kind[type(event)]:
                try:
                    running = check(s, event, h)
                    next(running)
                    open_checks.append((name, running))
                except StopIteration:
                    pass
                except Exception as why:
                    faults.setdefault(name, f"{edition}, {seats} players, {event!r}: {type(why).__name__} {why}")
            event.apply(s)
            for name, running in open_checks:
                said[name] += 1
                try:
                    next(running, None)
                except Exception as why:
                    faults.setdefault(name, f"{edition}, {seats} players, {event!r}: {type(why).__name__} {why}")
            h.note(event)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_referee_has_no_complaint(name):
    said, faults = verdicts()
    assert name not in faults, faults[name]
    assert said[name], "this never happened"


def test_a_referee_complains_of_what_is_wrong(monkeypatch):
    monkeypatch.setattr(fact.UnitLost, "apply", lambda self, state: None)
    by_kind = {kind: [(name, check) for name, (kinds, check) in CHECKS.items() if kind in kinds] for kind in GAME.rules.events}
    assert {*NAMES} == {*CHECKS}, "each is looked at"
    said, faults = Counter[str](), dict[str, str]()
    watch("first", 2, {}, by_kind, said, faults)
    assert "SOE_1_1_9_a_destroyed_unit_is_in_the_supply_at_once" in faults
