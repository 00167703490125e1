"""Control, protection, conflict markers, isolation, availability, advantages that move (chapters 2 and 11.1, 11.2)."""
from __future__ import annotations

import pytest

from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.components import SIDES
from engine.games.imperial_struggle.components.effects import Filter
from engine.games.imperial_struggle.events.money import DebtForced
from engine.games.imperial_struggle.rules import control
from engine.games.imperial_struggle.rules.filters import fitting
from engine.games.imperial_struggle.rules.money import change_debt, gain_trp, repay
from engine.games.imperial_struggle.secrecy import purse
from engine.games.imperial_struggle.state import State
from engine.kernel import Game
from engine.text import Reader, say
from tests.games.imperial_struggle.purchases import market, paid, politics
from tests.games.imperial_struggle.scene import PARTS, board, scene


def told(g: Game[State]) -> list[str]:
    reader = Reader(GAME.words.names(PARTS, g.state))
    return [say(line, reader) for event in g.fresh if (line := event.line()) is not None]


# --- isolation --------------------------------------------------------------------------------------------------------

def test_IS_2_7_1_a_chain_of_own_markets_leads_to_an_anchor():
    g = board(flags={"cataraqui": "france", "quebec_montreal": "france", "niagara": "france"})
    assert control.isolated(g.state) == []
    control.unflag(g, "quebec_montreal")
    assert control.isolated(g.state) == ["niagara", "cataraqui"]


def test_IS_2_7_1_a_marker_breaks_the_chain_but_not_for_the_market_itself():
    g = board(flags={"cataraqui": "france", "quebec_montreal": "france", "niagara": "france"}, conflict=["cataraqui"])
    assert control.isolated(g.state) == ["niagara"]


def test_IS_2_7_2_a_damaged_fort_is_an_anchor():
    assert control.isolated(board(flags={"cumberland": "france", "ohio_forks": "france"}, damaged=["ohio_forks"]).state) == []


def test_IS_2_7_6_a_united_states_territory_is_none():
    assert control.isolated(board(flags={"chesapeake": "britain", "northern_colonies": "usa"}).state) == ["chesapeake"]


def test_IS_2_7_3_isolation_is_frozen_for_the_round():
    at = scene(active="france", tile="4 EP / 2 MP", flags={
        "bahamas_run_west": "britain", "bahamas_run_north": "britain", "georgia": "britain", "bahamas_run": "france"})
    at.say("france", market("bahamas_run_west"))
    assert at.flag("bahamas_run_west") == "" and at.state.current.isolated == []
    assert control.isolated(at.state) == ["bahamas_run_north"]


def test_IS_6_3_3_an_isolated_market_costs_one_point():
    at = scene(active="france", tile="4 EP / 2 MP", flags={"bahamas_run_north": "britain", "bahamas_run": "france"})
    assert at.state.current.isolated == ["bahamas_run_north"]
    at.say("france", market("bahamas_run_north"))
    assert at.flag("bahamas_run_north") == ""
    assert paid(at) == ["France pays 1 EP: base 1, isolated since the round began."]


def test_IS_2_7_7_whether_a_loss_isolates_another_market():
    g = board(flags={"cataraqui": "france", "quebec_montreal": "france", "niagara": "france"})
    assert control.newly_isolated(g.state, ["cataraqui"]) == ["niagara"]
    assert control.newly_isolated(g.state, ["niagara"]) == []
    control.unflag(g, "quebec_montreal")
    assert control.newly_isolated(g.state, ["cataraqui"]) == []                         # it is isolated before


# --- protection -------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("flags, damaged, guarded", [
    ({"karaikal": "france", "vandavasi": "france"}, [], True),
    ({"karaikal": "france", "vandavasi": "france"}, ["vandavasi"], False),
    ({"karaikal": "france", "vandavasi": "britain"}, [], False),                        # IS-2.5.3
    ({"vandavasi": "france"}, [], False),                                               # IS-2.5.2
    ({"karaikal": "france", "pondicherry": "france"}, [], False)])                      # territories never do
def test_IS_2_5_what_protects(flags, damaged, guarded):
    assert control.is_protected(board(flags=flags, damaged=damaged).state, "karaikal") == guarded


# --- counts -----------------------------------------------------------------------------------------------------------

def test_IS_2_9_all_counts_at_once_are_those_of_each_rule():
    every = {space.id: ("britain", "france", "france", "spain", "usa")[number % 5] for number, space in enumerate(PARTS.spaces)}
    state = board(flags=every, conflict=[space for space in PARTS.of_type["market"] if len(space) % 2]).state
    counts = control.Counts(state)
    assert counts.flags == {region: [control.flag_count(state, side, region) for side in SIDES] for region in PARTS.by_region}
    assert counts.goods == {good: [control.goods_count(state, side, good) for side in SIDES] for good in PARTS.good}
    assert counts.prestige == [control.prestige_count(state, side) for side in SIDES]
    assert all(all(pair) for pair in (*counts.flags.values(), counts.prestige))


# --- changes of control -----------------------------------------------------------------------------------------------

def test_IS_2_4_7_a_change_of_control_ends_all_that_hangs_on_it():
    g = board(flags={"savoy": "france", "spain_prestige_3": "france"}, conflict=["savoy"])
    assert g.state.holders == {"mediterranean_intrigue": "france"}
    control.unflag(g, "savoy")
    assert (g.state.conflict, g.state.holders, "savoy" in g.state.current.held) == ({}, {}, False)
    control.flag(g, "france", "savoy")
    assert "savoy" not in g.state.current.held                                          # even if it comes back
    assert told(g) == ["France loses its flag in Savoy.", "Nobody holds Mediterranean Intrigue now.",
                       "France flags Savoy.", "France gains Mediterranean Intrigue."]
    assert g.state.current.gained == ["mediterranean_intrigue"]


def test_IS_11_1_a_marker_does_not_take_an_advantage_away():
    g = board(flags={"mysore": "britain"})
    control.place_conflict(g, "mysore")
    assert g.state.holders == {"power_struggle": "britain"}


def test_IS_T18_an_advantage_changes_hands_exhausted():
    g = board(flags={"mysore": "britain"}, exhausted=["power_struggle"])
    control.take_control(g, "france", "mysore")
    assert g.state.holders == {"power_struggle": "france"} and g.state.exhausted == ["power_struggle"]


def test_IS_2_8_4_and_14_8_4_damage_goes_with_the_flag_and_stays_with_a_conquest():
    g = board(flags={"arcot": "britain"}, damaged=["arcot"])
    control.take_control(g, "france", "arcot")
    assert g.state.damaged == ["arcot"] and g.state.flags == {"arcot": "france"}
    control.unflag(g, "arcot")
    assert g.state.damaged == []


def test_IS_2_8_7_a_squadron_driven_out_goes_to_the_navy_box():
    g = board(flags={"biscay": "britain"}, own={"britain": {"navy_box": 0}, "france": {"navy_box": 1}})
    control.move_squadron(g, "france", "navy_box", "biscay")
    assert g.state.flags == {"biscay": "france"}
    assert [g.state.own[side].navy_box for side in SIDES] == [1, 0]


def test_M_9_huguenots_go_when_the_territory_becomes_british():
    g = board(flags={"acadia": "france"})
    g.state.huguenots = {"acadia": "flipped"}
    control.take_control(g, "britain", "acadia")
    assert g.state.huguenots == {}


# --- availability -----------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("turn, usa, closed", [
    ("T2", False, {"prussia_empire_alliance", "prussia_empire_prestige", "sons_of_liberty", "usa_prestige_2", "usa_prestige_3"}),
    ("T3", False, {"sons_of_liberty", "usa_prestige_2", "usa_prestige_3"}),
    ("T5", True, {"usa_prestige_2", "usa_prestige_3"}),
    ("T6", False, {"usa_prestige_2", "usa_prestige_3"}),
    ("T6", True, set())])
def test_IS_2_3_spaces_that_open_later(turn, usa, closed):
    state = board(turn=turn, flags={"carolinas": "usa"} if usa else {}).state
    assert {space for space in PARTS.space if not state.is_open(space)} == closed
    assert not closed & set(fitting(state, "france", Filter()))                               # IS-2.3.1
    assert not any(control.can_be_marked(state, space) for space in closed)             # IS-R-45


def test_IS_2_3_1_what_is_closed_cannot_be_flagged():
    at = scene(active="france", tile="4 DP / 2 MP")
    assert at.refusal("france", politics("prussia_empire_alliance")).rule == "IS-2.3.1"


# --- debt and treaty points (9, 10) -----------------------------------------------------------------------------------

def test_IS_9_5_forced_debt_beyond_the_limit_is_points_for_the_opponent():
    g = board(own={"britain": {"debt": 5}})
    change_debt(g, "britain", 3, "ev_05")
    assert (g.state.own["britain"].debt, g.state.vp) == (6, 17)


def test_IS_9_5_debt_at_its_limit_is_told_without_a_rise_of_nothing():
    said = say(DebtForced(side="france", amount=0, excess=1, source="ev_05").line(), Reader(GAME.words.names(PARTS)))
    assert said == "France is at its debt limit, so its debt doesn't rise (War of Jenkins' Ear)."
    at = scene(tile="4 DP / 2 MP", own={"france": {"debt": 6}})
    assert "no more debt · 0 TRP" in say(purse(at.state, at.state.seat("france")))


def test_IS_9_4_a_limit_below_the_debt():
    g = board(own={"britain": {"debt": 6, "limit": 5}})
    assert g.state.own["britain"].available == 0
    change_debt(g, "britain", 1, "ev_05")
    assert (g.state.own["britain"].debt, g.state.vp) == (6, 16)


def test_IS_9_3_repaying_stops_at_nothing():
    g = board(own={"france": {"debt": 1}})
    assert (repay(g, "france", 2, "ev_36"), g.state.own["france"].debt) == (1, 0)


def test_IS_0_7_treaty_points_stop_at_nothing():
    g = board(own={"france": {"trp": 1}})
    gain_trp(g, "france", -3, "ev_25")
    assert g.state.own["france"].trp == 0
