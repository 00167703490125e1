"""Automatic players: they see what their seat sees and nothing else, answer the same question the same way, and are legal."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest

from bench import players as ladder
from engine import players
from engine.catalog import GAMES
from engine.components import components
from engine.dice import SecretDice
from engine.kernel import GameSpec, Position, Seat, Table
from engine.players.search import world_of
from engine.refusals import Faulty
from engine.selfplay import beginning, new_table, random_answer, weary
from tests.checks import player_leaks
from tests.checks.mixtures import a_mixture, an_edition, for_seats

FIELDS = {spec.key: set(spec.rules.state.model_fields) for spec in GAMES}


def positions(spec: GameSpec, seats: int, most: int, seed: int = 1) -> Iterator[tuple[Table, Seat, Random]]:
    """Some positions of a random game: a table, and a seat that is asked."""
    edition = next(edition.key for edition in spec.editions if edition.available)
    pick, parts = Random(seed), components(spec, edition).parts
    table = new_table(spec, seats, edition, parts, SecretDice(f"{seed:064x}"), checkpoints=False)
    while not table.over and len(table.fresh) < most:
        if (agreed := weary(table)) is not None:
            table.answer(*agreed)
            continue
        seat = table.waiting()[0].seat
        yield table, seat, pick
        table.answer(seat, random_answer(table.options(seat), pick.randrange))


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_every_field_of_a_state_is_open_to_players_or_hidden_from_them(spec: GameSpec) -> None:
    assert spec.automatic is not None
    table, seat, _ = [*positions(spec, spec.seats[0], 9)][-1]
    known = spec.automatic.known(table.state, seat)
    assert set(known.__dict__) == FIELDS[spec.key] and spec.automatic.secret < FIELDS[spec.key]
    assert all(getattr(known, name) is getattr(table.state, name) for name in FIELDS[spec.key] - spec.automatic.secret)


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_what_others_hide_changes_nothing_that_a_player_sees_tries_or_answers(spec: GameSpec) -> None:
    assert spec.automatic is not None
    found = player_leaks.compared(spec, 24, strong=0.5)
    assert found.pairs >= 24 and found.strong and found.differences == 0
    assert bool(found.worlds) == (spec.automatic.search is not None)


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_a_player_that_peeks_into_its_position_or_its_worlds_is_found(spec: GameSpec) -> None:
    for peeking in player_leaks.planted(spec):
        assert player_leaks.compared(peeking, 60, strong=1.0, any_will_do=True).differences > 0


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_the_same_question_gets_the_same_answer_at_every_level(spec: GameSpec) -> None:
    for table, seat, pick in positions(spec, spec.seats[0], 40, seed=2):
        if pick.random() < 0.15:
            position = players.position(table, seat)
            assert position is not None
            for level in players.LEVELS:
                answer = players.choose(spec, level, position, "7a")
                assert answer == players.choose(spec, level, position, "7a")
                table.examine(seat, answer)


@pytest.mark.parametrize("spec", [spec for spec in GAMES if spec.automatic is not None and spec.automatic.search is not None],
                         ids=lambda spec: spec.key)
def test_a_world_holds_nothing_that_its_seat_does_not_know(spec: GameSpec) -> None:
    """Two games that differ in others' secrets lead a strong player to the same worlds, and to the same answer."""
    edition = next(edition.key for edition in spec.editions if edition.available)
    parts = components(spec, edition).parts
    start = beginning(spec, min(3, spec.seats[-1]), edition, parts)
    table, pick, worlds = Table(spec, parts, start, dice=SecretDice("3c" * 32)), Random(4), 0
    assert spec.automatic is not None and spec.automatic.search is not None
    cheap = replace(spec.automatic, search=replace(spec.automatic.search, rows=12))
    while worlds < 1 and not table.over:
        seat = table.waiting()[0].seat
        since = table.checkpoint or start
        look = partial(_worlds, table, since, tuple(entry.row() for entry in table.fresh[since.no:]), seat)
        position = players.position(table, seat, look)
        assert position is not None
        if len(table.fresh) > 20 and len(cheap.search.candidates(position, Random(1))) > 1 and len(table.waiting()) == 1:
            one, other = look("1"), look("1")
            assert one.state.model_dump_json() == other.state.model_dump_json()
            true = spec.automatic.known(table.state, seat).model_dump(exclude=set(spec.automatic.secret))
            assert one.state.model_dump(exclude=set(spec.automatic.secret)) == true
            twins = [players.choose(spec.changed(automatic=cheap), "strong", position, "x") for _ in range(2)]
            assert twins[0] == twins[1] and twins[0] in position.options
            worlds += 1
        table.answer(seat, players.answer(spec, "solid", position, pick))
    assert worlds == 1


def _worlds(table: Table, since: Any, rows: Any, seat: Seat, seed: str) -> Table:
    return world_of(table.spec, table.parts, since, rows, seat, players.Seeded(seed), SecretDice("5b" * 32))


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_the_solid_player_deals_with_any_mixture_of_options(spec: GameSpec) -> None:
    for number in range(3):
        pick = Random(number)
        edition, seats = an_edition(spec, pick), min(2 + number, spec.seats[-1])
        options = for_seats(spec, edition, a_mixture(spec, edition, pick, 0.5), seats)
        table = new_table(spec, seats, edition, components(spec, edition).parts, SecretDice("7a" * 32), options=options,
                          checkpoints=False)
        while not table.over:
            if (agreed := weary(table)) is not None:
                table.answer(*agreed)
                continue
            seen = players.position(table, table.waiting()[0].seat)
            assert seen is not None, "this seat is asked"
            table.answer(seen.seat, players.answer(spec, "solid", seen, pick))


def test_whims_are_the_same_for_the_same_seed_and_spread_evenly() -> None:
    one, other = players.Seeded("a"), players.Seeded("a")
    thrown = [one.random() for _ in range(400)]
    assert thrown == [other.random() for _ in range(400)] != [players.Seeded("b").random() for _ in range(400)]
    assert all(0 <= throw < 1 for throw in thrown) and 0.45 < sum(thrown) / 400 < 0.55
    assert sorted(one.sample("abcdef", 6)) == list("abcdef") and one.choice([7]) == 7


def test_an_unknown_strength_is_refused_in_a_sentence() -> None:
    assert players.level_of("solid") == "solid"
    with pytest.raises(Faulty, match=r"no automatic player of strength superb.* beginners, solid and strong"):
        players.level_of("superb")


def test_the_one_who_chooses_well_wins_the_ladder() -> None:
    """Solid players against random ones, seats rotated: few games are enough to see it."""
    found = ladder.measure("attack", seats=2, games=4, only="solid_over_random")
    assert found["solid_over_random"] == 2.0 and 0 < found["solid_over_random_off"] < 1
    assert set(found["answer_ms_p50"]) == {"solid"} and found["rows"] > 400
    assert any("solid over random" in line and "100 %" in line for line in ladder.told(found))


def test_a_share_knows_how_far_it_may_be_off() -> None:
    assert ladder.share_of([1.0] * 100)[0] == 1.0 and 0 < ladder.share_of([1.0] * 100)[1] < 0.02
    share, off = ladder.share_of([1.0, 0.0] * 50)
    assert share == 0.5 and 0.09 < off < 0.11


def test_a_position_has_no_table() -> None:
    """The function of a player is given what its seat knows, and nothing that leads to the rest."""
    assert {*Position.__dataclass_fields__} == {"state", "question", "options", "default", "worlds", "late"}
