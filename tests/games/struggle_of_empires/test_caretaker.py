"""The neutral hand for a power that nobody plays: what it does, what it never does, and that it is legal in every game."""
from __future__ import annotations

import random
from typing import Any

import pytest

from engine.dice import SecretDice
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, Build, Decline, End, Fight, Use
from engine.games.struggle_of_empires.caretaker import caretaker
from engine.games.struggle_of_empires.events import UnrestChanged
from engine.kernel import Action, Seat, Table
from engine.selfplay import beginning, random_answer
from tests.games.struggle_of_empires.test_properties import PARTS
from tests.scene import Scene, scene

A, B, C = "austria", "britain", "france"
EVEN = (1, 1, 1, 1)


def chosen(table: Scene, power: str) -> Action | None:
    """What the caretaker of a power chooses now; None: it has no view."""
    return caretaker(table.state, table.state.seat(power), table.options(power))


# --- its own turn -------------------------------------------------------------------------------------------------------

def test_it_guards_the_area_with_most_bare_markers_first_with_a_fort():
    table = scene(markers={A: {"german_states": 1, "central_europe": 3}}, units={A: {"army": {"central_europe": 1}}})
    assert chosen(table, A) == Build.of("fort", "central_europe")


def test_it_builds_an_army_where_all_forts_stand():
    table = scene(markers={A: {"german_states": 1}}, units={A: {"fort": {"india": PARTS.limit["fort"]}}}, gold=30)
    assert chosen(table, A) == Build.of("army", "german_states")


def test_it_builds_no_more_than_one_guard_for_a_marker():
    table = scene(markers={A: {"german_states": 2}}, units={A: {"army": {"german_states": 1}, "fort": {"german_states": 1}}})
    assert chosen(table, A) is None


def test_it_sends_nobody_across_the_sea():
    table = scene(markers={A: {"india": 3}}, units={A: {"navy": {"india": 2}}})
    assert Build.of("army", "india") in table.options(A) and chosen(table, A) is None


@pytest.mark.parametrize("gold, built", [(1, False), (2, True)])
def test_it_builds_only_if_the_next_upkeep_is_covered(gold: int, built: bool):
    """Population 3 after the build and 1 marker bring 4 gold; 5 units and the new one cost 6."""
    table = scene(markers={A: {"german_states": 1}}, units={A: {"navy": {"baltic": 5}}}, gold=gold, population=4)
    assert (chosen(table, A) is not None) == built


def test_it_colonises_nothing_and_buys_nothing():
    table = scene(neutrals={"north_america": ["pop"], "africa": ["slaves"]}, units={A: {"navy": {"africa": 1}}}, gold=20)
    assert {option.verb for option in table.options(A)} >= {"colonise", "enslave", "tile"} and chosen(table, A) is None


def test_it_attacks_nobody_however_strong_it_is():
    table = scene(units={A: {"army": {"india": 9}}}, markers={B: {"india": 1}}, gold=20)
    assert Attack(area="india", target=B) in table.options(A) and chosen(table, A) is None


def test_it_takes_the_gold_of_its_company():
    company = next(tile for tile in PARTS.tiles if tile.effect == "company_income")
    table = scene(tiles={A: {company.id: 1}}, markers={A: {company.areas[0]: 1}})
    assert chosen(table, A) == Use.of(company.id)
    table.say(A, Use.of(company.id))
    assert chosen(table, A) is None


def test_without_an_action_left_it_ends_its_turn():
    mercenaries = PARTS.by_effect["free_build_army"]
    table = scene(markers={A: {"german_states": 1}}, tiles={A: {mercenaries: 1}}, actions=0)
    assert table.asked() == [(A, "DP-06")] and chosen(table, A) is None and table.default(A) == End()


# --- when it is attacked -------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("own, theirs, answer", [(3, 2, Fight()), (2, 2, Decline()), (1, 2, Decline())])
def test_it_fights_at_sea_only_if_it_is_stronger(own: int, theirs: int, answer: Action):
    table = scene(units={A: {"army": {"india": 2}, "navy": {"india": theirs}}, B: {"navy": {"india": own}}},
                  markers={B: {"india": 1}}, dice=[EVEN, EVEN])
    table.say(A, Attack(area="india", target=B))
    if table.asked() == [(A, "DP-15")]:
        table.say(A, Fight())
    assert table.asked() == [(B, "DP-16")] and chosen(table, B) == answer


def test_it_sends_no_help():
    table = scene(powers=(A, B, C), rows=((A,), (B, C)), units={A: {"army": {"india": 2}}, C: {"army": {"india": 2}}},
                  markers={B: {"india": 1}}, dice=[EVEN])
    table.say(A, Attack(area="india", target=B))
    assert table.asked() == [(C, "DP-14")] and chosen(table, C) is None
    assert table.default(C).model_dump() == {"armies": 0, "navies": 0}


# --- in whole games --------------------------------------------------------------------------------------------------------

def kept(seed: int) -> tuple[Table, set[Seat], Any]:
    """A random game in which caretakers have some of the seats from the start."""
    chance, seats = random.Random(seed), 2 + seed % 6
    cared = {Seat(f"seat_{number}") for number in range(2, seats + 1) if chance.random() < 0.4} or {Seat("seat_2")}
    start = beginning(GAME, seats, "first", PARTS)
    dice = SecretDice(f"{seed:064x}")
    table = Table(GAME, PARTS, start, dice=dice, absent=cared, cared=cared, checkpoints=False)
    while not table.over:
        seat = chance.choice(table.waiting()).seat
        table.answer(seat, random_answer(table.options(seat), chance.randrange))
    strict = Table(GAME, PARTS, start, [entry.row() for entry in table.fresh], dice=dice, strict=True, checkpoints=False)
    assert strict.over and strict.state == table.state, "every answer was legal"
    return table, cared, table.state


@pytest.mark.parametrize("seeds", [range(6), pytest.param(range(6, 14), marks=pytest.mark.slow)], ids=["some", "many"])
def test_a_caretaker_is_legal_neutral_and_brings_its_power_no_unrest_by_choice(seeds: range):
    guarded = 0
    for seed in seeds:
        table, cared, state = kept(seed)
        for entry in table.fresh:
            if entry.seat not in cared or entry.by != "clock":
                continue
            answer, own = entry.answer, state.power(entry.seat)
            assert answer.verb not in ("attack", "colonise", "enslave", "tile", "rebuild", "move", "give", "send")
            assert getattr(answer, "gold", 0) == getattr(answer, "armies", 0) == getattr(answer, "navies", 0) == 0
            assert not any(isinstance(event, UnrestChanged) and event.power == own and event.by > 0 for event in entry.events)
            guarded += isinstance(answer, Build)
    assert guarded, "a caretaker that never builds is not tested"


def test_the_same_position_gets_the_same_answer():
    again = [[(entry.seat, entry.answer) for entry in kept(3)[0].fresh] for _ in range(2)]
    assert again[0] == again[1]
