"""Rehearsals: the same for all who see the same, whatever others hide; a rehearsal that peeks is found."""
from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

import pytest

import engine.players.rehearsal
from engine import catalog
from engine.catalog import GAMES
from engine.components import components
from engine.dice import SecretDice
from engine.kernel import Checkpoint, GameSpec, Seat, Table
from engine.selfplay import beginning, random_answer
from tests.checks.leak_rehearsals import rehearsed
from tests.checks.secrets import SECRETS

PAIRS = 3                   # that are compared
AHEAD = 10                  # rows before the first of them
ANSWERS = 2                 # of a rehearsal


@cache
def twins(key: str) -> Sequence[tuple[Checkpoint, Checkpoint, Seat]]:
    """Beginnings of a phase in two games that differ in what others hide from the seat that is asked there."""
    spec, found = catalog.find(key), list[tuple[Checkpoint, Checkpoint, Seat]]()
    edition = next(edition.key for edition in spec.editions if edition.available)
    parts, pick, secrets = components(spec, edition).parts, Random(3), SECRETS[key]
    table = Table(spec, parts, beginning(spec, min(4, spec.seats[-1]), edition, parts), dice=SecretDice("3c" * 32))
    while len(found) < PAIRS:
        _, start = table.take()
        if start is not None and start.no == table.last_no > AHEAD:
            seat, other = table.waiting()[0].seat, spec.rules.state.model_validate_json(start.state)
            spec.rules.bind(other, parts)
            changed = [secrets.of_seat(other, Seat(name), pick.randint(1, 9)) for name in other.seats
                       if seat not in secrets.sharing(other, Seat(name))]
            if any(changed):
                found.append((start, Checkpoint(start.no, start.rolls, other.model_dump_json()), seat))
        seat = table.waiting()[0].seat
        table.answer(seat, random_answer(table.options(seat), pick.randrange))
    return found


def compared(spec: GameSpec) -> tuple[int, int]:
    """In how many pairs of rehearsals something differs, and how many screens were compared."""
    parts, found, screens = components(spec, next(one.key for one in spec.editions if one.available)).parts, 0, 0
    for number, (one, other, seat) in enumerate(twins(spec.key)):
        looks = [list(rehearsed(spec, parts, start, (), (), seat, Random(number), ANSWERS)) for start in (one, other)]
        assert not any("can't go on" in name for name, _ in looks[0])
        found += looks[0] != looks[1]
        screens += len(looks[0])
    return found, screens


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_what_others_hide_changes_nothing_in_a_rehearsal(spec: GameSpec) -> None:
    found, screens = compared(spec)
    assert found == 0 and screens == PAIRS * (ANSWERS + 3)


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_a_rehearsal_in_the_true_world_is_found(spec: GameSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.players.rehearsal, "deal_anew", lambda world, seat, rng: None)
    assert compared(spec)[0]
