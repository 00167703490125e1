"""Chapters 6, 10, 15 and 16: rounds, the limits of a turn, free actions, colonising, passing, gifts."""
from __future__ import annotations

from typing import Any

import pytest

from engine.games.struggle_of_empires.actions import Attack, Build, Colonise, Commit, End, Enslave, Give, Move, Pass, Take, Use
from engine.games.struggle_of_empires.events import GoldGiven, Passed, TurnBegun, TurnEnded
from tests.scene import FAIR, scene

A, B, C, D = "austria", "britain", "france", "prussia"
COMPANY: dict[str, Any] = {"tiles": {A: {"levant_company": 1}}, "markers": {A: {"mediterranean": 2}}}
BATTLE: dict[str, Any] = {"powers": (A, B, C, D), "rows": ((A, C, D), (B,)),
          "units": {A: {"army": {"baltic": 3}}, B: {"army": {"baltic": 1}}, C: {"army": {"baltic": 2}},
                    D: {"army": {"baltic": 1}}}}


# --- rounds and turns (6.1) ---------------------------------------------------------------------------

def test_SOE_6_1_2_every_round_has_the_same_order_of_turns():
    table = scene(powers=(A, B, C), rows=((A, C), (B,)))
    for _ in range(6):
        table.say(table.state.active, End())
    assert [turn.power for turn in table.events(TurnBegun)] == [A, B, C, A, B, C, A]
    assert [turn.round for turn in table.events(TurnEnded)] == [1, 1, 2, 2, 2, 3]


def test_SOE_6_1_3_both_actions_come_before_the_next_turn():
    table = scene()
    table.say(A, Pass())
    assert table.asked() == [(A, "DP-05")]
    table.say(A, Pass())
    assert table.asked() == [(B, "DP-05")]


def test_SOE_6_1_4_the_last_turn_of_the_last_round_ends_the_phase():
    table = scene(round=6, dice=FAIR)
    table.say(A, End())
    table.say(B, End())
    assert (table.state.war, table.state.phase) == (2, "auction")


# --- the limits of a turn (6.2) -----------------------------------------------------------------------

@pytest.mark.parametrize("first, second", [
    (Build(unit="army", to=A), Build(unit="navy", to=A)),
    (Move(unit="army", origin="baltic", to=A), Move(unit="army", origin=A, to="german_states")),
    (Attack(area="baltic", target=B), Attack(area="baltic", target=B)),
    (Pass(), Pass()),
])
def test_SOE_6_2_5_SOE_9_1_6_build_move_attack_and_pass_may_be_done_twice(first, second):
    table = scene(units={A: {"army": {"baltic": 6}}, B: {"army": {"baltic": 6}}}, dice=[(1, 1, 1, 1)] * 2)
    for action in (first, second):
        table.say(A, action)
        if table.asked() == [(A, "DP-08")]:
            table.say(A, table.default(A))
    assert table.state.active == B


def test_SOE_6_2_2_one_tile_a_turn_and_another_in_the_next():
    table = scene()
    table.say(A, Take(tile="banking"))
    assert not table.allows(A, Take(tile="banking"))
    table.say(A, End())
    table.say(B, End())
    assert table.allows(A, Take(tile="banking"))


def test_SOE_6_4_7_ending_the_turn_passes_the_actions_that_are_left():
    table = scene()
    table.say(A, End())
    assert table.events(Passed) == [Passed(power=A, actions=2)]
    assert "Austria passes 2 actions and ends its turn." in table.lines()


# --- free actions (6.4) -------------------------------------------------------------------------------

@pytest.mark.parametrize("before", [0, 1, 2])
def test_SOE_6_4_3_a_free_action_comes_before_between_or_after_the_actions(before):
    table = scene(**COMPANY)
    table.say(A, *[Pass()] * before, Use(tile="levant_company"))
    assert table.state.gold[A] == 14
    assert (table.state.active, table.state.turn.actions) == ((A, 2 - before) if before < 2 else (B, 2))


def test_SOE_6_4_3_no_free_action_inside_another_action():
    table = scene(**COMPANY, units={A: {"navy": {A: 2}}})
    table.say(A, Move(unit="navy", origin=A, to="baltic"))
    assert table.asked() == [(A, "DP-08")]
    assert "First decide this" in str(table.refusal(A, Use(tile="levant_company")))


def test_SOE_6_4_2_any_number_of_free_actions():
    table = scene(tiles={A: {"levant_company": 2, "mercenaries": 1}}, markers={A: {"mediterranean": 2}})
    table.say(A, Use(tile="levant_company"), Use(tile="mercenaries", on=A), Use(tile="levant_company"))
    assert table.state.gold[A] == 18 and table.units(A, "army", A) == 1
    assert table.state.turn.actions == 2


def test_SOE_6_4_4_a_tile_is_used_in_the_turn_in_which_it_was_taken():
    table = scene()
    table.say(A, Take(tile="mercenaries"), Use(tile="mercenaries", on=A))
    assert table.units(A, "army", A) == 1


def test_SOE_6_4_5_after_two_actions_a_free_tile_keeps_the_turn_open():
    table = scene(**COMPANY, actions=0)
    assert table.asked() == [(A, "DP-06")]
    assert set(table.options(A)) == {Use(tile="levant_company"), End()}
    assert table.default(A) == End()


def test_SOE_20_1_6_a_single_legal_answer_is_given_by_rule():
    table = scene()
    table.say(A, Pass(), Pass())
    assert [(entry.answer, entry.by) for entry in table.table.fresh] == [
        (Pass(), "player"), (Pass(), "player"), (End(), "rule")]


@pytest.mark.parametrize("idle", [
    {"tiles": {A: {"levant_company": 1}}},                                              # it would bring nothing
    {"tiles": {A: {"levant_company": 1}}, "markers": {A: {"mediterranean": 1}}, "used": {A: {"levant_company": 1}}},
    {"tiles": {A: {"blockade": 1}}, "units": {A: {"navy": {"baltic": 1}}}},             # no colony with a navy
    {"tiles": {A: {"war_office": 1}}, "units": {A: {"army": {"india": 1}}}},            # no target
    {"tiles": {A: {"trained_natives": 1}}},                                             # no colony with a marker or a unit
    {"tiles": {A: {"reserves": 1, "fighting_withdrawal": 1, "surprise_attack": 1}}},    # tiles for a fight only
    {"tiles": {A: {"banking": 1, "logistics": 1}}},                                     # tiles that always work
])
def test_SOE_6_4_6_a_tile_that_would_do_nothing_keeps_no_turn_open(idle):
    assert scene(**idle, actions=0).state.active == B


def test_DP_05_silence_passes_one_action():
    assert scene().default(A) == Pass()


# --- colonising and enslaving (10) --------------------------------------------------------------------

def test_SOE_10_1_1_colonising_costs_1_population_and_needs_nothing_there():
    table = scene(neutrals={"india": ["pop"]})
    table.say(A, Colonise(area="india"))
    assert (table.state.population[A], table.state.gold[A]) == (4, 10)
    assert table.markers(A, "india") == 1 and table.faces("india") == []


def test_SOE_1_1_11_the_last_population_action_and_control_marker_still_colonise():
    table = scene(neutrals={"india": ["pop"]}, population=1, actions=1,
                  markers={A: {"german_states": 9, "mediterranean": 8, "africa": 2}})
    table.say(A, Colonise(area="india"))
    assert (table.state.population[A], table.state.marker_supply(A), table.state.active) == (0, 0, B)


def test_SOE_10_1_3_enslaving_costs_neither_population_nor_gold():
    table = scene(neutrals={"caribbean": ["slaves"]}, units={A: {"navy": {"africa": 1}}})
    table.say(A, Enslave(area="caribbean"))
    assert (table.state.population[A], table.state.gold[A]) == (5, 10)
    assert table.markers(A, "caribbean") == 1


# --- gifts (16) ---------------------------------------------------------------------------------------


def test_SOE_16_1_3_gold_is_given_while_several_answers_are_awaited():
    table = scene(**BATTLE, dice=[(1, 1, 1, 1)])
    table.say(A, Attack(area="baltic", target=B))
    waiting, asked_at = table.asked(), table.table.asked_at
    assert waiting == [(C, "DP-12"), (D, "DP-12")]
    table.say(C, Give(to=D, gold=3))
    table.say(B, Give(to=C, gold=1))
    assert (table.asked(), table.table.asked_at) == (waiting, asked_at), "the questions stand, and so do their buttons"
    table.say(D, Commit(armies=1, navies=0))
    table.say(C, Give(to=B, gold=8))
    assert table.asked() == [(C, "DP-12")]
    table.say(C, Commit(armies=0, navies=0))
    assert table.strengths() == [(4, 1)]
    assert table.state.gold == {A: 8, B: 17, C: 0, D: 13}


def test_SOE_16_1_4_a_gift_never_exceeds_the_purse_and_is_never_taxed():
    table = scene()
    table.say(A, Give(to=B, gold=7))
    assert str(table.refusal(A, Give(to=B, gold=4))) == "You have 3 gold, so you can't give 4."
    table.say(A, Give(to=B, gold=3))
    assert table.state.gold == {A: 0, B: 20} and table.state.unrest == {A: 0, B: 0}
    assert not list(Give.options(table.state, table.state.seat(A)))


def test_SOE_16_1_4_the_menu_of_gifts_is_what_the_purse_allows():
    table = scene(powers=(A, B, C), gold={A: 2})
    assert set(Give.options(table.state, table.state.seat(A))) == {Give(to=to, gold=n) for to in (B, C) for n in (1, 2)}


def test_SOE_16_1_3_option_gifts_only_in_the_own_turn():
    table = scene(options={"gifts.when": "own_turn"})
    assert table.refusal(B, Give(to=A, gold=1)).rule == "SOE-16.1.3"
    assert not list(Give.options(table.state, table.state.seat(B)))
    table.say(A, Give(to=B, gold=1))
    assert table.events(GoldGiven) == [GoldGiven(giver=A, receiver=B, gold=1)]
