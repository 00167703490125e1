"""Chapters 9, 12 and 13 where editions and house options differ: each option in both values."""
from __future__ import annotations

from typing import Any

import pytest

from engine.games.struggle_of_empires.actions import Assign, Attack, Commit, Decline, Fight, Lose, Use
from engine.games.struggle_of_empires.events import DiceRolled, SeaDeclined, SupportGained
from engine.games.struggle_of_empires.orders import ORDERING, facts
from tests.scene import Scene, lost, scene

A, B, C, D = "austria", "britain", "france", "prussia"
EVEN = (1, 1, 1, 1)
HERE = "india"
SHIP, SOLDIER = {"navy": {HERE: 1}}, {"army": {HERE: 1}}
BOTH = {**SHIP, **SOLDIER}
ATTACK = Attack(area=HERE, target=B)


def position(option: str, value: object, **more: Any) -> Scene:
    return scene(options={option: value}, **more)


# --- naval.ottoman_uses_mediterranean (SOE-9.5.2, 9.5.3) ------------------------------------------------

@pytest.mark.parametrize("used", [True, False])
def test_an_attack_in_the_ottoman_empire_has_a_naval_stage_by_option(used):
    here = "ottoman_empire"
    fleet = {"army": {here: 1}, "navy": {"mediterranean": 1}}
    table = position("naval.ottoman_uses_mediterranean", used, powers=(A, B, C), rows=((A,), (B, C)), dice=[EVEN],
                     units={A: fleet, B: fleet, C: {"navy": {"mediterranean": 2}}})
    table.say(A, Attack(area=here, target=B))
    assert table.asked() == ([(C, "DP-14")] if used else [(A, "DP-05")])
    if used:
        table.say(C, Commit(armies=0, navies=2))
        assert table.asked() == [(A, "DP-15")]
    else:
        assert table.events(SupportGained) == [] and table.strengths() == [(1, 1)]


@pytest.mark.parametrize("used, strength", [(True, 5), (False, 4)])
def test_SOE_9_11_3_support_against_a_neutral_marker_there(used, strength):
    here = "ottoman_empire"
    table = position("naval.ottoman_uses_mediterranean", used, neutrals={here: ["neutral_3"]}, dice=[EVEN],
                     units={A: {"army": {here: 4}, "navy": {"mediterranean": 1}}})
    table.say(A, Attack(area=here, target="neutral_3"))
    assert table.strengths() == [(strength, 3)]


# --- naval.own_navy_needed (SOE-9.5.5, 9.5.6) -------------------------------------------------------------

ALLIED: dict[str, Any] = {"powers": (A, B, C, D), "rows": ((A, C), (B, D))}


@pytest.mark.parametrize("needed", [True, False])
def test_SOE_9_5_6_navies_of_helpers_alone_may_fight(needed):
    table = position("naval.own_navy_needed", needed, **ALLIED, dice=[(3, 1, 1, 1), EVEN],
                     units={A: SOLDIER, B: BOTH, C: {"navy": {HERE: 2}}})
    table.say(A, ATTACK)
    if needed:
        assert table.events(SupportGained) == [SupportGained(side=B)], "SOE-9.5.8; France has nothing to send"
        return
    assert table.asked() == [(C, "DP-12")]
    table.say(C, Commit(armies=0, navies=2))
    assert table.asked() == [(A, "DP-15")] and table.default(A) == Fight(), "two navies against one"
    table.say(A, Fight())
    table.say(B, Fight())
    assert table.strengths()[0] == (2 + 2, 1) and table.events(SupportGained) == [SupportGained(side=A)]
    assert lost(table)[0] == (B, "navy")


def test_SOE_9_5_8_navies_of_helpers_alone_give_support_without_a_fight():
    table = position("naval.own_navy_needed", False, **ALLIED, dice=[EVEN], units={A: SOLDIER, B: SOLDIER, D: SHIP})
    table.say(A, ATTACK)
    table.say(D, Commit(armies=0, navies=1))
    assert table.events(SupportGained) == [SupportGained(side=B)] and table.strengths() == [(1, 2)]


@pytest.mark.parametrize("armies, asked", [(2, True), (4, True), (5, False), (8, False)])
def test_SOE_12_20_8_nobody_is_asked_for_a_blockade_that_no_dice_can_make_matter(armies, asked):
    """With 4 armies and support it is 5 to 0: the dice can make that 5 to 5, and 6 to 5 with the tile."""
    table = scene(units={A: {"army": {"india": armies}, "navy": {"india": 1}}}, markers={B: {"india": 1}},
                  tiles={A: {"blockade": 1}}, dice=[EVEN])
    table.say(A, Attack(area="india", target=B))
    assert (table.asked() == [(A, "DP-19")]) == asked


def test_SOE_12_20_8_support_by_helpers_alone_may_be_doubled_and_that_is_foreseen():
    table = position("naval.own_navy_needed", False, **ALLIED, dice=[EVEN], units={A: SOLDIER, B: SOLDIER, D: SHIP},
                     tiles={B: {"blockade": 1}})
    table.say(A, ATTACK)
    assert ORDERING.foreseen(table.state)[table.state.seat(B)] == ("DP-19",)
    table.say(D, Commit(armies=0, navies=1))
    assert table.asked() == [(B, "DP-19")]
    table.say(B, Use(tile="blockade"))
    assert table.strengths() == [(1, 3)]


def test_SOE_9_10_4_a_side_without_navies_of_its_own_loses_those_of_its_helper():
    table = position("naval.own_navy_needed", False, **ALLIED, dice=[(1, 1, 3, 1), EVEN], units={A: SOLDIER, B: BOTH, C: SHIP})
    table.say(A, ATTACK)
    table.say(C, Commit(armies=0, navies=1))
    table.say(A, Fight())
    table.say(B, Fight())
    assert lost(table)[0] == (C, "navy") and table.state.unrest[C] == 1


def test_SOE_12_2_2_naval_training_needs_an_own_navy_although_helpers_may_fight_alone():
    table = position("naval.own_navy_needed", False, **ALLIED, dice=[EVEN, EVEN], tiles={A: {"naval_training": 1}},
                     units={A: SOLDIER, B: BOTH, C: SHIP})
    table.say(A, ATTACK)
    table.say(C, Commit(armies=0, navies=1))
    table.say(A, Fight())
    table.say(B, Fight())
    assert table.events(DiceRolled)[0].parts[0] == (1, 0, 0, 0, 0)


def test_SOE_9_2_6_a_naval_only_attack_still_needs_own_navies_on_both_sides():
    table = position("naval.own_navy_needed", False, **ALLIED, units={A: SHIP, B: SOLDIER, D: SHIP})
    assert table.refusal(A, ATTACK).rule == "SOE-9.2.6" and table.allows(A, Attack(area=HERE, target=D))


# --- naval.tie_support (SOE-9.8.2, AMB-34) ----------------------------------------------------------------

@pytest.mark.parametrize("value, support", [("none", []), ("defender", [SupportGained(side=B)])])
def test_AMB_34_who_has_support_after_a_tie_at_sea(value, support):
    table = position("naval.tie_support", value, units={A: BOTH, B: BOTH}, dice=[EVEN, EVEN])
    table.say(A, ATTACK, Fight())
    table.say(B, Fight())
    assert table.events(SupportGained) == support
    assert table.strengths() == [(1, 1), (1, 1 + len(support))]


# --- training.land_unit (SOE-12.1.3, 12.1.4) ---------------------------------------------------------------

@pytest.mark.parametrize("value, army, bonus", [("army_or_fort", 0, 1), ("army", 0, 0), ("army_or_fort", 1, 1), ("army", 1, 1)])
def test_army_training_of_a_defender_behind_walls(value, army, bonus):
    walls = {"fort": {HERE: 1}} | ({"army": {HERE: army}} if army else {})
    table = position("training.land_unit", value, units={A: SOLDIER, B: walls}, tiles={B: {"army_training": 1}}, dice=[EVEN])
    table.say(A, ATTACK)
    assert table.events(DiceRolled)[0].parts[1][:2] == (2 + army, bonus)


# --- loss.fort_tie_seven (SOE-9.10.9 to 9.10.11) -----------------------------------------------------------

@pytest.mark.parametrize("value, more", [(False, []), (True, [(B, "fort")])])
def test_SOE_9_10_10_only_forts_and_two_helpers_armies_the_7_costs_a_fort(value, more):
    """The tie falls on the helper; without the rule for forts the 7 would fall on him again."""
    table = position("loss.fort_tie_seven", value, powers=(A, B, C), rows=((A,), (B, C)), dice=[(1, 3, 2, 5)],
                     units={A: {"army": {HERE: 5}}, B: {"fort": {HERE: 1}}, C: {"army": {HERE: 2}}})
    table.say(A, ATTACK)
    table.say(C, Commit(armies=2, navies=0))
    assert table.strengths() == [(7, 7)]
    assert lost(table) == [(A, "army"), (C, "army"), *(more or [(C, "army")])]


@pytest.mark.parametrize("value", [False, True])
def test_SOE_9_10_5_with_an_own_army_in_the_fight_the_7_falls_on_the_helper(value):
    table = position("loss.fort_tie_seven", value, powers=(A, B, C), rows=((A,), (B, C)), dice=[(1, 3, 2, 5)],
                     units={A: {"army": {HERE: 5}}, B: {"fort": {HERE: 1}, "army": {HERE: 1}}, C: SOLDIER})
    table.say(A, ATTACK)
    table.say(C, Commit(armies=1, navies=0))
    assert table.strengths() == [(7, 7)]
    assert lost(table) == [(A, "army"), (B, "army"), (C, "army")]


@pytest.mark.parametrize("value, asked", [(False, []), (True, [(B, "DP-23")])])
def test_SOE_9_10_8_in_a_tie_the_7_costs_an_army_or_by_option_a_fort(value, asked):
    table = position("loss.fort_tie_seven", value, dice=[(1, 3, 2, 5)],
                     units={A: {"army": {HERE: 5}}, B: {"fort": {HERE: 1}, "army": {HERE: 2}}})
    table.say(A, ATTACK)
    assert table.strengths() == [(7, 7)] and lost(table)[:2] == [(A, "army"), (B, "army")]
    assert table.asked() == asked or (not asked and table.asked() == [(A, "DP-05")])
    if asked:
        assert set(table.options(B)) == {Lose(owner=B, unit="army"), Lose(owner=B, unit="fort")}
        table.say(B, Lose(owner=B, unit="fort"))
    assert lost(table)[2:] == ([(B, "fort")] if asked else [(B, "army")])


def test_SOE_12_18_10_fighting_withdrawal_is_offered_when_only_a_fort_could_be_lost_to_a_7():
    at = {"units": {A: {"army": {HERE: 3}}, B: {"fort": {HERE: 1}}}, "tiles": {B: {"fighting_withdrawal": 1}},
          "dice": [(1, 3, 2, 5)]}
    usual, with_forts = position("loss.fort_tie_seven", False, **at), position("loss.fort_tie_seven", True, **at)
    usual.say(A, ATTACK)
    assert usual.asked() == [(A, "DP-05")], "his side is due to lose nothing"
    with_forts.say(A, ATTACK)
    assert with_forts.asked() == [(B, "DP-22")]
    with_forts.say(B, Use(tile="fighting_withdrawal"))
    assert with_forts.units(B, "fort", HERE) == 1 and with_forts.state.unrest[B] == 0


@pytest.mark.parametrize("value, armies, helping, seven_costs, losses", [
    (False, 0, 2, False, 2), (True, 0, 2, True, 2),         # only a fort of his own: the 7 costs it, or a second helper's army
    (False, 0, 0, False, 0), (True, 0, 0, True, 1),         # a fort alone
    (False, 1, 0, False, 1), (True, 1, 0, True, 2)])        # the army is lost to the tie, then the fort to the 7
def test_what_orders_see_of_a_7_in_a_tie_is_what_the_rules_would_take(value, armies, helping, seven_costs, losses):
    units = {A: {"army": {HERE: 3 + armies + helping}}, B: {"fort": {HERE: 1}} | ({"army": {HERE: armies}} if armies else {})}
    table = position("loss.fort_tie_seven", value, powers=(A, B, C), rows=((A,), (B, C)), dice=[(1, 3, 2, 5)],
                     units=units | ({C: {"army": {HERE: helping}}} if helping else {}), tiles={B: {"reserves": 1}})
    table.say(A, ATTACK)
    if helping:
        table.say(C, Commit(armies=helping, navies=0))
    seat = table.state.seat(B)
    question = table.table.asked(seat)
    assert question is not None and question.point == "DP-21"
    seen = facts(table.state, seat, question)
    assert (seen["result"], seen["seven_costs"], seen["losses"]) == ("tied", seven_costs, losses)
    table.say(B, Decline())
    assert len([unit for unit in lost(table) if unit[0] != A]) == losses
    assert seen["last_unit"] == (table.units(B, "army", HERE) + table.units(B, "fort", HERE) == 0)


@pytest.mark.parametrize("army_first, asked", [(False, True), (True, False)])
def test_AMB_37_army_first_leaves_nothing_to_ask_about_a_7_in_a_tie(army_first, asked):
    table = scene(options={"loss.fort_tie_seven": True, "loss.army_first": army_first}, dice=[(1, 3, 2, 5)],
                  units={A: {"army": {HERE: 5}}, B: {"fort": {HERE: 1}, "army": {HERE: 2}}})
    table.say(A, ATTACK)
    assert ((B, "DP-23") in table.asked()) == asked


# --- attack.naval_only_with_army (SOE-9.1.3, 9.1.4, AMB-28) -------------------------------------------------

SEA_ALONE = Attack(area=HERE, target=B, naval_only=True)


def test_AMB_28_by_option_who_has_an_army_there_may_fight_at_sea_alone():
    table = position("attack.naval_only_with_army", True, units={A: BOTH, B: BOTH}, dice=[(3, 1, 1, 1)])
    assert table.allows(A, ATTACK) and table.allows(A, SEA_ALONE)
    table.say(A, SEA_ALONE)
    assert table.asked() == [(B, "DP-16")], "SOE-9.5.14: the attacker has said so already"
    table.say(B, Fight())
    assert [thrown.stage for thrown in table.events(DiceRolled)] == ["sea"] and lost(table) == [(B, "navy")]
    assert table.events(SupportGained) == [] and table.state.gold[A] == 8


def test_AMB_28_the_choice_can_be_declined_and_combined_with_tiles():
    table = position("attack.naval_only_with_army", True, units={A: BOTH, B: BOTH}, tiles={A: {"war_office": 1}})
    order = Attack(area=HERE, target=B, war_office=True, naval_only=True)
    assert table.allows(A, order)
    table.say(A, order)
    table.say(B, Decline())
    assert table.events(SeaDeclined) == [SeaDeclined(side=B)] and lost(table) == []


def test_AMB_28_without_the_option_nobody_is_offered_it():
    table = scene(units={A: BOTH, B: BOTH})
    assert not table.allows(A, SEA_ALONE) and table.allows(A, ATTACK)


def test_an_attack_that_leaves_the_choice_alone_is_stored_as_before():
    assert "naval_only" not in ATTACK.model_dump_json() and "alliances" not in Fight().model_dump_json()


@pytest.mark.parametrize("declinable, asked", [(True, [(B, "DP-16")]), (False, [(A, "DP-05")])])
def test_AMB_33_a_chosen_fight_at_sea_alone_is_declined_as_any_other(declinable, asked):
    table = scene(options={"attack.naval_only_with_army": True, "attack.naval_only_declinable": declinable},
                  units={A: BOTH, B: BOTH}, dice=[EVEN])
    table.say(A, SEA_ALONE)
    assert table.asked() == asked


def test_in_a_fight_at_sea_alone_an_alliance_that_helps_in_either_fight_helps_unasked():
    table = scene(options={"attack.naval_only_with_army": True, "alliance.mode": "local"}, units={A: BOTH, B: BOTH}, dice=[EVEN],
                  local={"local_mysore": A})
    table.say(A, SEA_ALONE)
    table.say(B, Fight())
    assert table.events(DiceRolled)[0].parts[0] == (1, 0, 1, 0, 0)


# --- alliances and navies of helpers --------------------------------------------------------------------------

def test_an_alliance_helps_a_principal_whose_helper_fights_at_sea_for_him():
    table = scene(options={"naval.own_navy_needed": False, "alliance.mode": "local"}, **ALLIED, dice=[EVEN, EVEN],
                  units={A: SOLDIER, B: BOTH, C: SHIP}, local={"local_mysore": A})
    table.say(A, ATTACK)
    table.say(C, Commit(armies=0, navies=1))
    table.say(A, Fight())
    table.say(B, Fight())
    assert table.asked() == [(A, "DP-17")]
    table.say(A, Assign(stage="sea"))
    assert table.strengths() == [(2, 1), (2, 1)], "at sea with its alliance, on land with the support that it won"
