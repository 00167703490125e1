"""Chapter 9: what the golden examples leave open about attacks: calls, help, naval-only attacks, neutral markers."""
from __future__ import annotations

from typing import Any

import pytest

from engine.games.struggle_of_empires.actions import Attack, Call, Commit, Decline, Fight, Lose, Take, Use
from engine.games.struggle_of_empires.events import DiceRolled, GoldPaid, SupportGained
from engine.kernel import Action
from tests.scene import Scene, lost, scene

A, B, C, D, E = "austria", "britain", "france", "prussia", "russia"
EVEN = (1, 1, 1, 1)                 # a throw that adds nothing to either side and is no 7
ASKED_WHOM = {"help.auto_call": False}


def two_against_three(options: dict[str, Any], **more: Any) -> Scene:
    """Austria with France against Britain with Prussia and Russia, one army each in the Baltic."""
    return scene(powers=(A, B, C, D, E), rows=((A, C), (B, D, E)), markers={B: {"baltic": 1}}, options=options, dice=[EVEN] * 2,
                 units={power: {"army": {"baltic": 1}} for power in (A, B, C, D, E)}, **more)


# --- declaration and cost (9.1 to 9.3) ----------------------------------------------------------------

def test_SOE_9_1_5_a_lost_fight_at_sea_does_not_stop_the_fight_on_land():
    table = scene(units={A: {"navy": {"india": 1}, "army": {"india": 2}}, B: {"navy": {"india": 3}, "army": {"india": 1}}},
                  dice=[EVEN, EVEN])
    table.say(A, Attack(area="india", target=B), Fight())
    table.say(B, Fight())
    assert [thrown.stage for thrown in table.events(DiceRolled)] == ["sea", "land"]
    assert table.events(SupportGained) == [SupportGained(side=B)]
    assert table.strengths() == [(1, 3), (2, 2)]


def test_SOE_9_2_8_a_navy_is_a_target_where_it_stands_if_the_attack_has_a_naval_stage():
    table = scene(units={A: {"army": {"baltic": 1, "ottoman_empire": 1}}, B: {"navy": {"baltic": 1, "mediterranean": 1}}})
    assert table.allows(A, Attack(area="baltic", target=B))
    assert not table.allows(A, Attack(area="ottoman_empire", target=B))


def test_SOE_9_2_3_one_area_may_hold_several_targets():
    table = scene(powers=(A, B, C), rows=((A,), (B, C)), units={A: {"army": {"india": 1}}},
                  markers={B: {"india": 1}, C: {"india": 1}}, captives={"pirates": ("india", B)},
                  neutrals={"india": ["neutral_3", "neutral_3", "pop"]})
    assert {option.target for option in table.options(A) if isinstance(option, Attack)} == {B, C, "neutral_3", "pirates"}


def test_SOE_9_3_2_the_attack_is_paid_before_anybody_is_called():
    table = two_against_three({})
    table.say(A, Attack(area="baltic", target=B))
    assert table.events(GoldPaid) == [GoldPaid(power=A, gold=2, taxed=0)]
    assert table.asked() == [(C, "DP-12")]


def test_SOE_9_3_1_the_cost_may_be_taxed_and_the_attacker_is_warned():
    table = scene(units={A: {"army": {"baltic": 1}}}, markers={B: {"baltic": 1}}, gold=1, dice=[EVEN])
    order = Attack(area="baltic", target=B)
    assert order.consequence(table.state, table.state.seat(A)) is not None
    table.say(A, order)
    assert (table.state.gold[A], table.state.unrest[A]) == (1, 1)


# --- calls and help (9.4) -----------------------------------------------------------------------------

def test_SOE_9_4_3_SOE_9_4_7_SOE_20_1_7_by_default_all_who_can_help_are_called_together_before_the_dice():
    table = two_against_three({})
    table.say(A, Attack(area="baltic", target=B))
    table.say(C, Commit(armies=1, navies=0))
    assert table.asked() == [(D, "DP-14"), (E, "DP-14")] and table.events(DiceRolled) == []
    assert table.default(D) == Commit(armies=0, navies=0)


def test_DP_11_and_DP_13_with_the_option_each_principal_says_whom_he_calls():
    table = two_against_three(ASKED_WHOM)
    table.say(A, Attack(area="baltic", target=B))
    assert table.asked() == [(A, "DP-11")]
    assert set(table.options(A)) == {Call(allies=(C,)), Call(allies=())} and table.default(A) == Call(allies=(C,))
    table.say(A, Call(allies=()))
    assert table.asked() == [(B, "DP-13")]
    assert len(table.options(B)) == 4 and table.default(B) == Call(allies=(D, E))
    table.say(B, Call(allies=(E,)))
    assert table.asked() == [(E, "DP-14")]
    table.say(E, Commit(armies=1, navies=0))
    assert table.strengths() == [(1, 2)]


def test_SOE_9_4_3_who_has_nothing_that_could_fight_is_not_called():
    table = scene(powers=(A, B, C, D), rows=((A,), (B, C, D)), markers={B: {"baltic": 1}}, dice=[EVEN], options=ASKED_WHOM,
                  units={A: {"army": {"baltic": 2}}, C: {"fort": {"baltic": 2}}, D: {"army": {"central_europe": 3}}})
    table.say(A, Attack(area="baltic", target=B))
    assert table.strengths() == [(2, 0)], "a fort helps nobody (SOE-9.4.6), and other areas are far"


@pytest.mark.parametrize("own_navy, navies_asked", [(0, 0), (1, 2)])
def test_SOE_9_4_14_allied_navies_need_a_navy_of_the_principal(own_navy, navies_asked):
    navy = {"navy": {"india": 1}} if own_navy else {}
    table = scene(powers=(A, B, C), rows=((A,), (B, C)), markers={B: {"india": 1}}, dice=[EVEN] * 2,
                  units={A: {"army": {"india": 1}}, B: navy, C: {"army": {"india": 1}, "navy": {"india": 2}}})
    table.say(A, Attack(area="india", target=B))
    answers = [option for option in table.options(C) if isinstance(option, Commit)]
    assert {answer.armies for answer in answers} == {0, 1}
    assert {answer.navies for answer in answers} == set(range(navies_asked + 1))


def test_SOE_9_4_11_allies_help_against_a_neutral_marker_with_armies_only():
    table = scene(powers=(A, B, C), rows=((A, C), (B,)), neutrals={"india": ["neutral_3"]}, dice=[EVEN],
                  units={A: {"army": {"india": 2}}, C: {"army": {"india": 2}, "navy": {"india": 2}}})
    table.say(A, Attack(area="india", target="neutral_3"))
    assert set(table.options(C)) == {Commit(armies=n, navies=0) for n in range(3)}
    table.say(C, Commit(armies=2, navies=0))
    assert table.strengths() == [(4, 3)] and table.markers(A, "india") == 1


def test_SOE_9_4_13_a_side_may_consist_of_committed_units_only():
    table = scene(powers=(A, B, C), rows=((A,), (B, C)), markers={B: {"baltic": 1}}, dice=[EVEN],
                  units={A: {"army": {"baltic": 1}}, C: {"army": {"baltic": 2}}})
    table.say(A, Attack(area="baltic", target=B))
    table.say(C, Commit(armies=2, navies=0))
    assert table.strengths() == [(1, 2)] and table.markers(B, "baltic") == 1
    assert lost(table) == [(A, "army")]


# --- at sea (9.5) -------------------------------------------------------------------------------------

FLEETS: dict[str, Any] = {"units": {A: {"navy": {"india": 2}}, B: {"navy": {"india": 1}}}}


def test_SOE_9_5_14_the_attacker_of_a_naval_only_attack_is_not_asked():
    table = scene(**FLEETS, dice=[EVEN])
    table.say(A, Attack(area="india", target=B))
    assert table.asked() == [(B, "DP-16")] and table.default(B) == Decline()
    table.say(B, Fight())
    assert lost(table) == [(B, "navy")] and table.events(SupportGained) == []


def test_SOE_9_5_12_option_the_defender_of_a_naval_only_attack_must_fight():
    table = scene(**FLEETS, dice=[EVEN], options={"attack.naval_only_declinable": False})
    table.say(A, Attack(area="india", target=B))
    assert lost(table) == [(B, "navy")]


def test_SOE_9_5_12_the_option_leaves_full_attacks_as_they_are():
    table = scene(units={A: {"navy": {"india": 1}, "army": {"india": 1}}, B: {"navy": {"india": 1}}},
                  dice=[EVEN], options={"attack.naval_only_declinable": False})
    table.say(A, Attack(area="india", target=B), Fight())
    assert table.asked() == [(B, "DP-16")]


@pytest.mark.parametrize("mine, theirs, default", [(2, 1, Fight()), (1, 1, Decline()), (1, 2, Decline())])
def test_DP_15_silence_fights_with_more_navies_only(mine, theirs, default: Action):
    table = scene(units={A: {"army": {"india": 1}, "navy": {"india": mine}}, B: {"navy": {"india": theirs}}})
    table.say(A, Attack(area="india", target=B))
    assert table.asked() == [(A, "DP-15")] and table.default(A) == default


# --- losses (9.10) ------------------------------------------------------------------------------------

@pytest.mark.parametrize("army_first, asked", [(False, [(B, "DP-23")]), (True, [(A, "DP-05")])])
def test_SOE_9_10_8_option_an_army_is_lost_before_a_fort(army_first, asked):
    table = scene(units={A: {"army": {"baltic": 5}}, B: {"army": {"baltic": 1}, "fort": {"baltic": 1}}}, dice=[EVEN],
                  options={"loss.army_first": army_first})
    table.say(A, Attack(area="baltic", target=B))
    assert table.asked() == asked
    if not army_first:
        assert table.default(B) == Lose(owner=B, unit="army")
        table.say(B, Lose(owner=B, unit="army"))
    assert lost(table) == [(B, "army")] and table.units(B, "fort", "baltic") == 1


def test_SOE_9_10_11_in_a_tie_a_helper_loses_for_a_principal_with_forts_only():
    table = scene(powers=(A, B, C), rows=((A,), (B, C)), dice=[EVEN],
                  units={A: {"army": {"baltic": 3}}, B: {"fort": {"baltic": 1}}, C: {"army": {"baltic": 1}}})
    table.say(A, Attack(area="baltic", target=B))
    table.say(C, Commit(armies=1, navies=0))
    assert lost(table) == [(A, "army"), (C, "army")]
    assert table.state.unrest == {A: 1, B: 0, C: 1}


def test_SOE_9_10_15_the_7_is_taken_from_what_is_left():
    table = scene(units={A: {"army": {"baltic": 1}}, B: {"army": {"baltic": 3}}}, dice=[(3, 4, 1, 6)])
    table.say(A, Attack(area="baltic", target=B))
    assert lost(table) == [(A, "army"), (B, "army")], "the attacker has no unit left for his 7"
    assert table.state.unrest == {A: 1, B: 1}


def test_SOE_9_6_4_the_forts_of_the_attacker_count_nothing_and_are_never_lost():
    table = scene(units={A: {"army": {"baltic": 1}, "fort": {"baltic": 2}}, B: {"army": {"baltic": 1}}}, dice=[(3, 4, 3, 1)])
    table.say(A, Attack(area="baltic", target=B))
    assert table.strengths() == [(1 + 1, 1 + 2)] and lost(table) == [(A, "army")]
    assert table.state.unrest[A] == 1, "the 7 finds nothing more to lose"


# --- neutral markers (9.11) ---------------------------------------------------------------------------

@pytest.mark.parametrize("area, navy, support", [("india", "india", 1), ("india", "africa", 0),
                                                 ("ottoman_empire", "mediterranean", 1), ("central_europe", "baltic", 0)])
def test_SOE_9_11_3_naval_support_against_a_neutral_marker(area, navy, support):
    table = scene(units={A: {"army": {area: 1}, "navy": {navy: 1}}}, neutrals={area: ["neutral_4"]}, dice=[EVEN])
    table.say(A, Attack(area=area, target="neutral_4"))
    assert table.strengths() == [(1 + support, 4)]


def test_SOE_9_11_6_the_winner_takes_gold_and_point_at_once():
    table = scene(units={A: {"army": {"india": 6}}}, neutrals={"india": ["neutral_3_gold_2_point_1"]}, dice=[EVEN])
    table.say(A, Attack(area="india", target="neutral_3_gold_2_point_1"))
    assert (table.state.gold[A], table.state.points[A], table.markers(A, "india")) == (10, 1, 1)
    assert table.faces("india") == []


def test_SOE_9_11_9_without_a_control_marker_the_neutral_marker_stays_and_gives_nothing():
    table = scene(units={A: {"army": {"india": 6}}}, neutrals={"india": ["neutral_3_gold_2_point_1"]}, dice=[EVEN],
                  markers={A: {"german_states": 9, "mediterranean": 8, "africa": 3}})
    table.say(A, Attack(area="india", target="neutral_3_gold_2_point_1"))
    assert (table.state.gold[A], table.state.points[A]) == (8, 0)
    assert table.faces("india") == ["neutral_3_gold_2_point_1"]


def test_SOE_9_11_4_a_neutral_marker_loses_no_unit_on_its_7():
    table = scene(units={A: {"army": {"india": 2}}}, neutrals={"india": ["neutral_3"]}, dice=[(1, 1, 3, 4)])
    table.say(A, Attack(area="india", target="neutral_3"))
    assert lost(table) == [(A, "army")]


# --- tiles that work with a declaration (12.4, 12.19) -------------------------------------------------

def test_SOE_12_4_2_war_office_attacks_after_both_actions_for_nothing():
    table = scene(units={A: {"army": {"baltic": 2}}}, markers={B: {"baltic": 1}}, tiles={A: {"war_office": 1}}, actions=0, gold=0,
                  dice=[EVEN])
    assert table.asked() == [(A, "DP-06")]
    assert not table.allows(A, Attack(area="baltic", target=B))
    table.say(A, Attack(area="baltic", target=B, war_office=True))
    assert table.markers(A, "baltic") == 1 and table.state.unrest[A] == 0
    assert table.state.active == B, "no free action is left"


def test_SOE_12_4_3_war_office_and_surprise_attack_together():
    table = two_against_three({}, tiles={A: {"war_office": 1, "surprise_attack": 1}})
    table.say(A, Attack(area="baltic", target=B, war_office=True, surprise=True))
    assert table.asked() == [(C, "DP-12")], "the attacker's helpers are not affected (SOE-12.19.3)"
    table.say(C, Commit(armies=1, navies=0))
    assert table.strengths() == [(2, 1)], "nobody helps the defender (SOE-12.19.1)"
    assert table.state.stock["surprise_attack"] == 1 and table.state.owned(A, "surprise_attack") == 0
    assert (table.state.gold[A], table.state.turn.actions) == (10, 2)
    assert table.refusal(A, Take(tile="surprise_attack")).rule == "SOE-11.2.5"


def test_SOE_12_4_1_war_office_works_once_a_war():
    table = scene(units={A: {"army": {"baltic": 4}}}, markers={B: {"baltic": 2}}, tiles={A: {"war_office": 1}}, dice=[EVEN])
    table.say(A, Attack(area="baltic", target=B, war_office=True))
    assert table.refusal(A, Attack(area="baltic", target=B, war_office=True)).rule == "SOE-12.4.1"
    assert table.refusal(A, Use(tile="war_office")).rule == "SOE-11.2.1"


# --- how it is told ---------------------------------------------------------------------------------------

def test_SOE_9_10_the_dice_say_why_and_a_seven_why_a_unit_is_lost():
    table = scene(units={A: {"army": {"india": 2}}, B: {"army": {"india": 1}}}, markers={B: {"india": 1}}, dice=[(4, 3, 1, 1)])
    table.say(A, Attack(area="india", target=B))
    assert table.lines()[:1] == ["Austria attacks Britain in India (2 gold)."]
    assert table.lines()[1:4] == [
        "On land: Austria: 2 armies + dice 4−3 = **3**; Britain: defence 1 + dice 1−1 = **1**. Austria wins.",
        "Austria takes Britain's control marker in India.", "Britain loses an army in India."]
    assert table.lines()[4] == "Austria loses an army: its dice total 7."
