"""Chapters 7 and 8: building, rebuilding, moving, crossing."""
from __future__ import annotations

import pytest

from engine.games.struggle_of_empires.actions import Build, Decline, Move, Rebuild, Send
from engine.games.struggle_of_empires.events import UnitMoved, UnitRazed, UnitSunk
from tests.scene import scene

A, B = "austria", "britain"


# --- building (7) -------------------------------------------------------------------------------------

def test_SOE_7_1_7_a_built_unit_may_stay_at_home():
    table = scene()
    table.say(A, Build(unit="army", to=A))
    assert table.units(A, "army", A) == 1 and table.state.population[A] == 4
    assert table.asked() == [(A, "DP-05")] and table.state.turn.actions == 1


@pytest.mark.parametrize("dice, at_home, in_india, unrest", [([(1,), (1,)], 0, 0, 1), ([(1,), (3,)], 1, 0, 0), ([(6,)], 0, 1, 0)])
def test_SOE_7_1_5_and_7_1_6_the_build_move_may_fail_but_the_population_is_spent(dice, at_home, in_india, unrest):
    table = scene(dice=dice)
    table.say(A, Build(unit="navy", to="india"))
    assert (table.units(A, "navy", A), table.units(A, "navy", "india")) == (at_home, in_india)
    assert (table.state.population[A], table.state.unrest[A]) == (4, unrest)
    assert table.dice_left == []


def test_SOE_7_1_2_without_supply_a_unit_can_only_be_rebuilt():
    table = scene(units={A: {"fort": {A: 2}}})
    assert not table.allows(A, Build(unit="fort", to=A))
    assert table.allows(A, Rebuild(unit="fort", at=A))


def test_SOE_7_2_5_two_forts_may_stand_in_an_area_without_an_own_marker():
    table = scene()
    table.say(A, Build(unit="fort", to="german_states"), Build(unit="fort", to="german_states"))
    assert table.units(A, "fort", "german_states") == 2


def test_SOE_7_3_8_the_old_unit_and_its_unrest_go_before_the_new_one_moves():
    table = scene(units={A: {"navy": {"india": 1}, "army": {"india": 1}}})
    table.say(A, Rebuild(unit="navy", at="india"))
    assert table.events(UnitRazed) == [UnitRazed(power=A, unit="navy", place="india")]
    assert (table.state.unrest[A], table.state.population[A]) == (1, 4)
    assert table.asked() == [(A, "DP-07")] and table.default(A) == Send(to=A)
    assert Send(to="india") in table.options(A) and Send(to="central_europe") not in table.options(A)


def test_SOE_7_3_9_a_unit_at_home_can_be_rebuilt():
    table = scene(units={A: {"army": {A: 1}}})
    table.say(A, Rebuild(unit="army", at=A), Send(to="german_states"))
    assert table.units(A, "army", "german_states") == 1 and table.state.unrest[A] == 1


@pytest.mark.parametrize("population, paid, allowed", [(0, True, False), (0, False, True), (3, False, True)])
def test_SOE_7_3_4_option_whether_a_rebuild_costs_population(population, paid, allowed):
    table = scene(units={A: {"army": {A: 1}}}, population=population, options={"build.rebuild_population": paid})
    assert table.allows(A, Rebuild(unit="army", at=A)) == allowed
    if allowed:
        table.say(A, Rebuild(unit="army", at=A), Send(to=A))
        assert (table.state.population[A], table.state.unrest[A]) == (population, 1)


def test_SOE_7_3_4_a_rebuild_warns_of_its_unrest():
    table = scene(units={A: {"army": {A: 1}}})
    assert Rebuild(unit="army", at=A).consequence(table.state, table.state.seat(A)) is not None


# --- moving (8) ---------------------------------------------------------------------------------------

def test_SOE_8_1_1_two_units_at_most_and_one_is_enough():
    table = scene(units={A: {"navy": {A: 3}}})
    table.say(A, Move(unit="navy", origin=A, to="baltic"))
    assert table.default(A) == Decline()
    table.say(A, Move(unit="navy", origin=A, to="baltic"))
    assert table.asked() == [(A, "DP-05")] and table.state.turn.actions == 1


def test_SOE_8_1_3_the_second_unit_may_build_on_the_first():
    table = scene(units={A: {"navy": {A: 1}, "army": {A: 1}}}, dice=[(2,), (2,)])
    assert not table.allows(A, Move(unit="army", origin=A, to="india"))
    table.say(A, Move(unit="navy", origin=A, to="india"), Move(unit="army", origin=A, to="india"))
    assert table.units(A, "army", "india") == 1


def test_SOE_8_1_5_another_unit_of_the_same_place_may_still_move():
    table = scene(units={A: {"navy": {A: 1, "baltic": 1}}})
    table.say(A, Move(unit="navy", origin=A, to="baltic"), Move(unit="navy", origin="baltic", to="mediterranean"))
    assert (table.units(A, "navy", "baltic"), table.units(A, "navy", "mediterranean")) == (1, 1)


def test_SOE_8_2_1_every_unit_but_a_fort_may_go_home_with_a_crossing():
    table = scene(units={A: {"army": {"india": 1}, "navy": {"india": 1}, "fort": {"india": 1}}}, dice=[(2,), (2,)])
    table.say(A, Move(unit="army", origin="india", to=A), Move(unit="navy", origin="india", to=A))
    assert (table.units(A, "army", A), table.units(A, "navy", A), table.units(A, "fort", "india")) == (1, 1, 1)


def test_SOE_8_2_7_an_allied_navy_or_marker_opens_no_way():
    table = scene(powers=(A, B, "france"), rows=((A, "france"), (B,)), markers={"france": {"baltic": 1}},
                  units={A: {"army": {A: 1}}, "france": {"navy": {"india": 2}}})
    assert not table.allows(A, Move(unit="army", origin=A, to="india"))
    assert not table.allows(A, Move(unit="army", origin=A, to="baltic"))


def test_SOE_8_2_11_an_army_left_without_a_navy_stays():
    table = scene(units={A: {"army": {"india": 1}, "navy": {"india": 1}}}, dice=[(3,)])
    table.say(A, Move(unit="navy", origin="india", to=A), Decline())
    assert table.units(A, "army", "india") == 1


@pytest.mark.parametrize("origin, to, dice", [
    ("baltic", "mediterranean", []), ("caribbean", "north_america", []), (A, "baltic", []),
    ("north_america", "india", [(2,)]), ("caribbean", A, [(2,)]), ("africa", "mediterranean", [(2,)]),
])
def test_SOE_8_3_2_and_8_3_3_one_check_for_a_change_of_zone_and_none_within(origin, to, dice):
    table = scene(units={A: {"navy": {origin: 1}}}, dice=dice)
    table.say(A, Move(unit="navy", origin=origin, to=to))
    assert table.events(UnitMoved) == [UnitMoved(power=A, unit="navy", origin=origin, to=to)]
    assert table.dice_left == []


def test_SOE_8_3_5_a_unit_lost_at_sea_costs_1_unrest_and_goes_back_to_the_supply():
    table = scene(units={A: {"navy": {A: 1}}}, dice=[(1,), (2,)])
    table.say(A, Move(unit="navy", origin=A, to="india"))
    assert table.events(UnitSunk) == [UnitSunk(power=A, unit="navy", origin=A, to="india")]
    assert table.state.unrest[A] == 1 and table.state.supply(A, "navy") == 7
    assert table.private_lines(A) == ["You lost a unit: unrest +1, now 1."]
