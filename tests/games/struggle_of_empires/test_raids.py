"""Chapter 14: Pirates, the Slave Revolt, and their captives."""
from __future__ import annotations

from typing import Any

import pytest

from engine.games.struggle_of_empires.actions import Attack, Build, Decline, End, Lose, Take, Use
from engine.games.struggle_of_empires.events import AreaScored, DiceRolled, IncomeTaken, SupportGained, UnitLost, UnitWithdrawn
from tests.scene import FAIR, scene

A, B, C = "austria", "britain", "france"
EVEN = (1, 1, 1, 1)
RAID = Take(tile="pirates", area="india", target=B)
RISING = Take(tile="slave_revolt", area="caribbean", target=B)


# --- how they fight (14.1 to 14.3) --------------------------------------------------------------------

def test_SOE_14_1_1_the_tile_is_paid_uses_the_tile_action_and_is_played_at_once():
    table = scene(markers={B: {"india": 1}}, dice=[(1, 2, 1, 1)])
    table.say(A, RAID)
    assert table.state.gold[A] == 8 and table.state.turn.tile and table.state.turn.actions == 1
    assert table.state.captives["pirates"].power == B
    assert "pirates" not in table.state.stock and table.state.owned(A, "pirates") == 0


def test_SOE_14_2_7_no_helpers_but_training_and_alliances_of_the_owner():
    table = scene(powers=(A, B, C), rows=((A,), (B, C)), markers={B: {"africa": 1}}, dice=[EVEN],
                  units={B: {"navy": {"africa": 1}}, C: {"navy": {"africa": 3}}},
                  tiles={B: {"naval_training": 1, "alliance_portugal": 1}})
    table.say(A, Take(tile="pirates", area="africa", target=B))
    assert table.events(DiceRolled)[0].parts == ((1, 0, 0, 0, 0), (1, 1, 1, 0, 0))
    assert table.asked() == [(A, "DP-05")]


def test_SOE_14_2_12_without_a_navy_neither_training_nor_alliance_helps_against_pirates():
    table = scene(markers={B: {"africa": 1}}, dice=[EVEN], tiles={B: {"naval_training": 1, "alliance_portugal": 1}})
    table.say(A, Take(tile="pirates", area="africa", target=B))
    assert table.strengths() == [(1, 0)]


def test_SOE_14_2_10_beaten_pirates_go_back_but_not_again_in_this_turn():
    table = scene(markers={B: {"india": 1}}, units={B: {"navy": {"india": 2}}}, dice=[EVEN])
    table.say(A, RAID)
    assert table.state.captives == {} and table.state.stock["pirates"] == 1
    assert table.refusal(A, RAID).rule == "SOE-6.2.2"
    table.say(A, End())
    assert table.allows(B, Take(tile="pirates", area="india", target=B)) is False
    table.say(B, End())
    assert table.allows(A, RAID)


def test_SOE_12_3_8_the_owner_may_use_reserves_and_the_sender_may_not():
    table = scene(markers={B: {"india": 1}}, units={B: {"navy": {"india": 1}}}, dice=[(1, 6, 1, 1), EVEN],
                  tiles={A: {"reserves": 1}, B: {"reserves": 1}})
    table.say(A, RAID)
    assert table.asked() == [(B, "DP-21")]
    table.say(B, Use(tile="reserves"))
    assert table.strengths() == [(6, 1), (1, 1)]
    assert table.state.captives == {} and table.asked() == [(A, "DP-05")]


def test_SOE_12_18_7_the_owner_may_withdraw_from_a_raid():
    table = scene(markers={B: {"india": 1}}, units={B: {"navy": {"india": 1}}}, dice=[(1, 6, 1, 1)],
                  tiles={B: {"fighting_withdrawal": 1}})
    table.say(A, RAID)
    assert table.asked() == [(B, "DP-22")] and table.default(B) == Decline()
    table.say(B, Use(tile="fighting_withdrawal"))
    assert table.events(UnitWithdrawn) == [UnitWithdrawn(owner=B, unit="navy", area="india", goes_home=True)]
    assert table.units(B, "navy", B) == 1 and table.state.unrest[B] == 0
    assert table.state.captives["pirates"].power == B, "the result stands (SOE-12.18.4)"


def test_SOE_14_2_9_the_owner_loses_a_unit_for_his_7_although_he_wins():
    table = scene(markers={B: {"india": 1}}, units={B: {"navy": {"india": 2}}}, dice=[(1, 1, 1, 6)])
    table.say(A, RAID)
    assert table.events(UnitLost) == [UnitLost(owner=B, unit="navy", area="india", rolled_by=B, dice=7)]
    assert table.state.captives == {}


@pytest.mark.parametrize("area, allowed", [("caribbean", True), ("north_america", True), ("south_america", True),
                                           ("india", False)])
def test_SOE_14_3_1_a_revolt_breaks_out_in_america_only(area, allowed):
    table = scene(markers={B: {area: 1}})
    assert table.allows(A, Take(tile="slave_revolt", area=area, target=B)) == allowed
    assert table.allows(A, Take(tile="pirates", area=area, target=B))


@pytest.mark.parametrize("navies, support", [(0, 0), (2, 1)])
def test_SOE_14_3_3_a_navy_gives_naval_support_against_a_revolt(navies, support):
    units = {"army": {"caribbean": 1}, "fort": {"caribbean": 1}} | ({"navy": {"caribbean": navies}} if navies else {})
    table = scene(markers={B: {"caribbean": 1}}, units={B: units}, dice=[EVEN])
    table.say(A, RISING)
    assert table.strengths() == [(3, 1 + 2 + support)]
    assert table.events(SupportGained) == ([SupportGained(side=B)] if support else [])


def test_SOE_12_20_13_the_owner_may_double_his_support_against_a_revolt_with_blockade():
    table = scene(markers={B: {"caribbean": 1}}, units={B: {"navy": {"caribbean": 1}}}, tiles={B: {"blockade": 1}}, dice=[EVEN])
    table.say(A, RISING)
    assert table.asked() == [(B, "DP-19")]
    table.say(B, Use(tile="blockade"))
    assert table.strengths() == [(3, 2)] and table.state.stock["blockade"] == 1
    assert table.events(UnitLost) == [], "the navy did not take part in the fight on land"


def test_SOE_14_3_7_alliances_help_on_land_without_a_unit_and_training_does_not():
    table = scene(markers={B: {"caribbean": 1}}, dice=[EVEN], tiles={B: {"army_training": 2, "alliance_gaucho": 1}})
    table.say(A, RISING)
    assert table.events(DiceRolled)[0].parts[1] == (0, 0, 1, 0, 0)


def test_SOE_14_3_6_in_a_tie_with_a_revolt_a_fort_is_not_lost():
    table = scene(markers={B: {"caribbean": 1}}, units={B: {"fort": {"caribbean": 1}}}, dice=[(1, 1, 3, 4)])
    table.say(A, RISING)
    assert table.strengths() == [(3, 3)] and table.events(UnitLost) == [] and table.state.captives == {}


def test_DP_28_after_a_lost_rising_the_owner_says_which_unit_is_lost():
    table = scene(markers={B: {"caribbean": 1}}, dice=[(1, 6, 1, 1)],
                  units={B: {"army": {"caribbean": 1}, "fort": {"caribbean": 1}}})
    table.say(A, RISING)
    assert table.asked() == [(B, "DP-23")]
    table.say(B, Lose(owner=B, unit="fort"))
    assert table.units(B, "fort", "caribbean") == 0 and table.units(B, "army", "caribbean") == 1


# --- captives (14.4) ----------------------------------------------------------------------------------

HELD: dict[str, Any] = {"captives": {"pirates": ("india", B)}}


def test_SOE_14_4_1_and_14_4_10_a_captive_gives_no_income_and_no_points_and_stays():
    table = scene(**HELD, phase="war_end", markers={B: {"caribbean": 1}}, dice=FAIR)
    assert {event.power: event.markers for event in table.events(IncomeTaken)} == {A: 0, B: 1}
    assert next(event.points for event in table.events(AreaScored) if event.area == "india") == {}
    assert table.state.war == 2 and table.state.captives["pirates"].area == "india"
    assert "pirates" not in table.state.stock


def test_SOE_14_1_4_while_it_holds_a_captive_the_token_cannot_be_used():
    table = scene(**HELD, markers={B: {"caribbean": 1}})
    assert table.refusal(A, Take(tile="pirates", area="caribbean", target=B)).rule == "SOE-1.3.3"


def test_SOE_14_4_12_a_captive_counts_for_no_company_and_no_trained_natives():
    table = scene(**HELD, active=B, tiles={B: {"east_indies_company": 1, "trained_natives": 1}})
    assert table.refusal(B, Use(tile="east_indies_company")).rule == "SOE-6.4.6"
    assert table.refusal(B, Use(tile="trained_natives", on="india")).rule == "SOE-12.7.3"


def test_SOE_1_1_14_a_captive_still_counts_among_the_markers_on_the_map():
    assert scene(**HELD, markers={B: {"caribbean": 1}}).state.marker_supply(B) == 18


def test_SOE_14_4_7_the_former_owner_frees_his_marker_even_without_supply():
    table = scene(**HELD, active=B, units={B: {"army": {"india": 3}}}, dice=[EVEN],
                  markers={B: {"german_states": 9, "mediterranean": 8, "africa": 2}})
    assert table.state.marker_supply(B) == 0
    table.say(B, Attack(area="india", target="pirates"))
    assert table.markers(B, "india") == 1 and table.state.captives == {} and table.state.stock["pirates"] == 1
    assert "Britain frees its control marker in India from the Pirates." in table.lines()


def test_SOE_14_4_2_an_ally_of_the_owner_may_attack_too_with_naval_support():
    table = scene(powers=(A, B, C), rows=((A, B), (C,)), captives={"slave_revolt": ("caribbean", B)}, dice=[(1, 2, 1, 1)],
                  units={A: {"army": {"caribbean": 2}, "navy": {"caribbean": 1}}})
    table.say(A, Attack(area="caribbean", target="slave_revolt"))
    assert table.strengths() == [(2 + 1 + 1, 3)]
    assert table.markers(A, "caribbean") == 1 and table.state.markers_on_map(B) == 0
    assert table.state.gold[A] == 8


def test_SOE_9_11_9_a_winner_without_a_control_marker_leaves_the_captive():
    table = scene(**HELD, units={A: {"army": {"india": 3}}}, dice=[EVEN],
                  markers={A: {"german_states": 9, "mediterranean": 8, "africa": 3}})
    table.say(A, Attack(area="india", target="pirates"))
    assert table.state.captives["pirates"].power == B


def test_SOE_1_2_4_a_captive_fills_its_place():
    table = scene(**HELD, neutrals={"india": ["pop"] * 4})
    places = table.parts.area["india"].country_counters
    assert len(table.faces("india")) + len(table.state.captives) == places
    assert not any(table.parts.neutral[marker].area == "india" for marker in table.state.bag)
    assert table.allows(A, Build(unit="navy", to="india"))
