"""The end of a peace turn and of the game (chapters 4.10 to 4.14, 16), with the golden tests of 20.2."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.games.imperial_struggle.actions.turns import Appoint, Discard, NameFirst
from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.events.turns import Compared, DeckChanged, GameEnded, InitiativeMoved, StepBegun
from engine.games.imperial_struggle.rules.control import flag_count
from engine.games.imperial_struggle.words.nouns import names
from engine.text import Reader, say
from tests.games.imperial_struggle.scene import FAIR, PARTS, Scene, scene

AWARDS = {"europe": "award_3", "north_america": "award_2", "caribbean": "award_7", "india": "award_5"}
GOODS = ("furs", "spice", "fish", "tobacco", "sugar", "cotton")


def scored(*, flags: Mapping[str, str], turn: str = "T2", **fields: Any) -> Scene:
    """The board at the end of a peace turn that no war follows, with these flags alone."""
    return scene(phase="scoring", turn=turn, empty_map=True, flags=flags, dice=FAIR,
                 **{"awards": AWARDS, "demand": ("furs", "fish", "sugar"), **fields})


def markets(good: str, number: int) -> list[str]:
    return list(PARTS.good[good].markets[:number])


@pytest.mark.parametrize("lead, vp", [(1, 15), (2, 13)])
def test_IS_T21_a_lead_below_the_margin_wins_nothing(lead, vp):
    at = scored(flags=dict.fromkeys(["algonquin", "iroquois"][:lead], "britain"))
    assert at.state.vp == vp


def test_IS_T22_furs_in_the_succession_era():
    at = scored(flags=dict.fromkeys(["york_factory"], "france"))
    assert (at.state.vp, at.state.own["france"].trp) == (17, 1)


def test_IS_T25_a_tie_in_goods_is_nobodys():
    at = scored(flags={"york_factory": "france", "albany": "britain"})
    assert [event.winner for event in at.events(Compared)] == [None] * 4 and at.state.vp == 15


def test_IS_2_6_2_a_space_under_a_marker_counts_for_nothing():
    at = scored(flags={"york_factory": "france", "sweden": "france"}, conflict=["york_factory", "sweden"])
    assert at.state.vp == 15 and at.state.own["france"].trp == 0


def test_IS_2_9_1_what_a_flag_count_counts():
    at = scored(flags={"louisbourg": "france", "cabot_strait": "france", "acadia": "france", "york_factory": "france",
                       "algonquin": "france", "quebec_montreal": "usa", "iroquois": "france"},
                damaged=["louisbourg"], conflict=["iroquois"])
    assert flag_count(at.state, "france", "north_america") == 5


@pytest.mark.parametrize("version, said", [
    (1, "Victory points: France 17, Britain 13."), (0, "A new turn begins.")])
def test_IS_1_2_the_next_step_of_the_track_says_how_it_stands(version, said):
    """Games that began before are told, and stored, as they were."""
    at = scored(flags=dict.fromkeys(["york_factory"], "france"), rules_version=version)
    assert said in at.lines()
    (begun,) = [event.stored() for event in at.events(StepBegun)]
    assert ('"vp"' in begun) is bool(version)


def test_IS_4_12_4_debt_of_a_reward_is_forced():
    at = scored(flags=dict.fromkeys(markets("tobacco", 1), "britain"), demand=["tobacco"], awards={
        **AWARDS, "caribbean": "award_1"}, own={"britain": {"debt": 6}})
    assert at.state.own["britain"].debt == 6
    assert at.state.vp == 15 - 3 + 1                        # 3 for Tobacco, and 1 to France for the point that has no room


def test_IS_4_10_no_more_than_four_treaty_points_are_kept():
    at = scored(flags={}, own={"france": {"trp": 7}})
    assert at.state.own["france"].trp == 4


def test_IS_T28_and_R_31_a_sweep_without_prestige():
    flags = dict.fromkeys(["bavaria", "russia", "algonquin", "iroquois", "york_factory", "gulf_of_st_lawrence", "privateers",
                           "martinique", "mysore"], "britain") | {"sweden": "france"}
    at = scored(flags=flags)
    assert (at.state.winner, at.state.ended_by) == ("britain", "sweep")


def test_IS_16_2_a_sweep_needs_every_good_in_demand():
    flags = dict.fromkeys(["bavaria", "algonquin", "iroquois", "york_factory", "privateers", "martinique", "mysore"], "britain")
    at = scored(flags=flags)
    assert at.state.winner == ""


@pytest.mark.parametrize("vp, winner", [(0, "britain"), (-3, "britain"), (1, ""), (29, ""), (30, "france"), (33, "france")])
def test_IS_16_1_the_lines_of_the_counter(vp, winner):
    at = scored(flags={}, vp=vp)
    assert at.state.winner == winner


# --- the end of the game ----------------------------------------------------------------------------------------------

def final(flags: Mapping[str, str] = {}, vp: int = 15, **fields: Any) -> Scene:
    return scored(flags=flags, turn="T6", vp=vp, demand=(), awards=dict.fromkeys(AWARDS, "award_1"), **fields)


def test_IS_T24_a_territory_of_the_other_side_at_the_end():
    at = final({"jamaica": "france"})
    assert (at.state.vp, at.state.winner, at.state.ended_by) == (17, "france", "final_scoring")


@pytest.mark.parametrize("flags, vp", [
    ({"northern_colonies": "usa", "carolinas": "usa"}, 19), ({"quebec_montreal": "usa"}, 15),
    ({"quebec_montreal": "britain"}, 13)])
def test_IS_16_4_4_united_states_flags_score_for_france_in_two_territories(flags, vp):
    assert final(flags).state.vp == vp


@pytest.mark.parametrize("britain, france, vp", [((9, 0), (4, 0), 13), ((12, 0), (1, 0), 11), ((5, 0), (4, 0), 15),
                                                 ((4, 0), (9, 0), 17)])
def test_IS_16_4_2_and_IS_T26_available_debt_at_the_end(britain, france, vp):
    at = final(own={"britain": {"limit": britain[0], "debt": britain[1]}, "france": {"limit": france[0], "debt": france[1]}})
    assert at.state.vp == vp


def test_IS_T27_level_in_everything():
    at = final()
    assert (at.state.winner, at.state.ended_by) == ("britain", "tie_break")


def test_IS_16_5_available_debt_breaks_a_tie():
    at = final(own={"france": {"limit": 7}})
    assert (at.state.winner, at.state.ended_by) == ("france", "tie_break")


def test_IS_16_4_3_one_point_for_each_good():
    at = final(dict.fromkeys(markets("sugar", 1) + markets("cotton", 1), "britain"))
    assert at.state.vp == 13 and [event.winner for event in at.events(GameEnded)] == ["britain"]


def test_IS_T25_a_tie_in_goods_is_nobodys_at_the_end():
    pair = markets("sugar", 2)
    assert final({pair[0]: "britain", pair[1]: "france"}).state.vp == 15


def test_IS_16_4_1_prestige_at_the_end():
    at = final({"sweden": "france"})
    assert at.state.vp == 15 + 2 + 2                        # in the scoring phase, and again at the end


# --- before the rounds ------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("vp, moved", [(14, []), (16, ["britain"]), (15, [])])
def test_IS_T23_the_initiative_goes_to_who_is_behind(vp, moved):
    at = scene(phase="peace", turn="T2", vp=vp, initiative="france", dice=FAIR, deck=[f"ev_{n:02}" for n in range(1, 16)],
               award_pool=[f"award_{n}" for n in range(1, 5)])
    for side in ("britain", "france"):
        at.say(side, at.default(side))
    assert [event.side for event in at.events(InitiativeMoved)] == moved
    at.say(at.state.initiative, NameFirst(side="britain"))
    assert at.state.first == "britain"


def test_IS_4_6_3_both_discard_to_three_before_either_is_told():
    at = scene(phase="peace", turn="T2", dice=FAIR, deck=[f"ev_{n:02}" for n in range(7, 16)],
               award_pool=[f"award_{n}" for n in range(1, 5)],
               own={"france": {"hand": ["ev_01", "ev_02"]}, "britain": {"hand": ["ev_03"]}})
    assert {point for _, point in at.asked()} == {"IS-18.1"}
    assert not at.allows("france", Discard(cards=("ev_01",)))
    at.say("france", Discard(cards=("ev_01", "ev_02")))
    assert at.state.discards == []                          # nobody sees them before both have chosen
    at.say("britain", Discard(cards=("ev_03",)))
    assert at.state.discards == ["ev_03", "ev_01", "ev_02"]
    assert [len(at.state.own[side].hand) for side in ("britain", "france")] == [3, 3]


def test_IS_4_6_2_the_discards_are_a_new_pile_and_both_may_run_out():
    at = scene(phase="peace", turn="T2", dice=FAIR, deck=["ev_01"], discards=["ev_02", "ev_03"],
               award_pool=[f"award_{n}" for n in range(1, 5)])
    assert sorted(len(at.state.own[side].hand) for side in ("britain", "france")) == [1, 2]
    assert len(at.state.own["france"].hand) == 2            # the holder of the initiative draws first [IS-4.6.5]
    assert (at.state.deck, at.state.discards) == ([], [])


def test_IS_4_1_on_T5_succession_events_leave_the_pile_and_the_hands():
    at = scene(phase="peace", turn="T5", dice=FAIR, deck=["ev_01", "ev_16"], discards=["ev_02"],
               own={"france": {"hand": ["ev_03", "ev_17"]}})
    hands = [card for side in ("britain", "france") for card in at.state.own[side].hand]
    assert not {"ev_01", "ev_03"} & {*at.state.deck, *hands} and "ev_17" in at.state.own["france"].hand
    assert at.state.discards == ["ev_02"]
    assert len({*at.state.deck, *hands}) == 1 + 11 + 1      # event 16, the Revolution, and event 17
    line = DeckChanged(added=("ev_31",), era="revolution").line()
    assert say(line, Reader(names(PARTS))) == (
        "All Succession events leave the pile and both hands. The Revolution events are shuffled in.")


def test_IS_4_2_the_limits_rise():
    at = scene(phase="peace", turn="T3", dice=FAIR)
    assert [at.state.own[side].limit for side in ("britain", "france")] == [10, 10]


def test_IS_4_5_the_reset_phase():
    at = scene(phase="peace", turn="T2", dice=FAIR, exhausted=["wheat"], townshend="furs", award_pool=["award_1", "award_2",
               "award_3", "award_4"], taken={"inv_01": "france"}, stack=[f"inv_{n:02}" for n in range(10, 25)],
               own={"france": {"exhausted": ["M-1.1"], "away": 1, "free_debt": 2}}, available=["inv_02"])
    state = at.state
    assert (state.exhausted, state.townshend, state.taken) == ([], "", {})
    assert (state.own["france"].exhausted, state.own["france"].away, state.own["france"].navy_box) == ([], 0, 2)
    assert state.used_tiles == ["inv_02", "inv_01"] and len(state.available) == 9 and len(state.stack) == 6


def test_IS_4_6_1_a_short_stack_is_followed_by_the_used_tiles():
    at = scene(phase="peace", turn="T2", dice=FAIR, award_pool=[f"award_{n}" for n in range(1, 5)], stack=["inv_24"],
               used_tiles=[f"inv_{n:02}" for n in range(1, 24)])
    assert len(at.state.available) == 9 and "inv_24" in at.state.available
    assert at.state.used_tiles == [] and len(at.state.stack) == 15


def test_IS_4_3_the_second_turn_of_an_era_turns_up_the_other_four():
    at = scene(phase="peace", turn="T2", dice=FAIR, award_pool=["award_1", "award_4", "award_6", "award_8"])
    assert sorted(at.state.awards.values()) == ["award_1", "award_4", "award_6", "award_8"] and at.state.award_pool == []


# --- ministries (4.7) ---------------------------------------------------------------------------------------------------

def chosen(at: Scene, side: Side) -> list[tuple[str, bool, bool]]:
    return [(minister.card, minister.up, minister.third) for minister in at.state.own[side].ministries]


def ministry_phase(turn: str, **fields: Any) -> Scene:
    return scene(phase="peace", turn=turn, dice=FAIR, award_pool=[f"award_{n}" for n in range(1, 5)], **fields)


def test_IS_4_7_1_two_of_the_era_face_down():
    at = ministry_phase("T3", ministries={"france": ["M-4 up", "M-3 up"]})
    assert not at.allows("france", Appoint(cards=("M-3", "M-4"), third=False))          # M-3 is of the Succession era
    assert not at.allows("france", Appoint(cards=("M-4",), third=False))
    at.say("france", Appoint(cards=("M-4", "M-11"), third=False))
    at.say("britain", at.default("britain"))
    assert chosen(at, "france") == [("M-4", False, False), ("M-11", False, False)]


def test_IS_4_7_2_face_up_cards_stay_and_others_may_be_exchanged():
    at = ministry_phase("T2", ministries={"france": ["M-3 up", "M-1"]})
    assert at.default("france") == Appoint(cards=("M-1",), third=False)
    at.say("france", Appoint(cards=("M-9",), third=False))
    at.say("britain", at.default("britain"))
    assert chosen(at, "france") == [("M-3", True, False), ("M-9", False, False)]
    assert "France has 2 ministries in play and has exchanged 1." in at.lines()


def test_IS_R_55_an_empty_place_may_be_filled():
    at = ministry_phase("T4", ministries={"france": ["M-13 up"]}, jacobite_defeat=True)
    assert at.default("france") == Appoint(cards=(), third=False)
    assert not at.allows("france", Appoint(cards=("M-4",), third=False))                # it has left the game
    assert at.allows("france", Appoint(cards=("M-11",), third=False))


def test_IS_14_9_4_the_third_ministry():
    at = ministry_phase("T4", ministries={"france": ["M-4 up", "M-13"]}, third_ministry=True)
    assert not at.allows("france", Appoint(cards=("M-13",), third=False))               # it stays face up, in the third place
    at.say("france", Appoint(cards=("M-11", "M-13"), third=True))
    at.say("britain", at.default("britain"))
    assert chosen(at, "france") == [("M-11", False, False), ("M-13", False, False), ("M-4", True, True)]


def test_IS_17_2_nobody_reads_which_ministries_are_laid():
    at = ministry_phase("T3")
    for side in ("france", "britain"):
        at.say(side, at.default(side))
    told = " ".join(at.lines())
    assert not [card.name for card in PARTS.ministries if card.name in told]
    assert "You laid down Jacobite Uprisings and Choiseul." in at.private_lines("france")
