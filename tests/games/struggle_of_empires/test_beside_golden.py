"""Rules that no golden example touches, one small scene for each."""
from __future__ import annotations

from typing import Any

import pytest

from engine.games.struggle_of_empires.actions import (
    Assign,
    Attack,
    Build,
    Commit,
    Decline,
    Fight,
    Give,
    Lose,
    Move,
    Rebuild,
    Send,
    Take,
    Use,
)
from engine.games.struggle_of_empires.events import FightDecided, SupportGained, Thrown, UnitLost
from tests.scene import Scene, scene

UNITS, TRAINING, ALLIANCE, SUPPORT, DICE = range(5)         # parts of a strength, as Thrown tells them
SEA, LAND = "baltic", "german_states"
THREE: dict[str, Any] = {"powers": ("spain", "britain", "austria"), "rows": (("spain",), ("britain", "austria"))}


def war(**position: Any) -> Scene:
    """Spain and Britain at war; Spain's turn."""
    return scene(powers=("spain", "britain"), **position)


# --- actions and tiles ------------------------------------------------------------------------------------

def test_SOE_6_2_2_one_tile_a_turn_also_with_an_alliance_by_diplomatic_service():
    table = war(tiles={"spain": {"diplomatic_service": 1}})
    table.say("spain", Take(tile="logistics"), Use(tile="diplomatic_service", on="alliance_poland"))
    assert table.refusal("spain", Take(tile="banking")).rule == "SOE-6.2.2"


def test_SOE_8_2_1_a_unit_may_always_go_home():
    table = war(units={"spain": {"army": {"german_states": 1}, "navy": {"india": 1}}}, dice=[(2,)])
    table.say("spain", Move(unit="army", origin="german_states", to="spain"), Move(unit="navy", origin="india", to="spain"))
    assert table.units("spain", "army", "spain") == 1 and table.units("spain", "navy", "spain") == 1


@pytest.mark.parametrize("logistics, moves", [(0, 2), (1, 3), (2, 4)])
def test_SOE_12_9_logistics_moves_one_unit_more_for_each_tile(logistics, moves):
    table = war(units={"spain": {"navy": {SEA: 5}}}, tiles={"spain": {"logistics": logistics}} if logistics else {})
    for _ in range(moves):
        table.say("spain", Move(unit="navy", origin=SEA, to="mediterranean"))
    assert table.units("spain", "navy", "mediterranean") == moves
    assert table.asked() == [("spain", "DP-05")] and table.state.turn.actions == 1


def test_SOE_8_1_5_a_unit_moves_once_in_a_move_action_and_again_in_the_next():
    table = war(units={"spain": {"navy": {SEA: 1, "spain": 1}}})
    there, back = Move(unit="navy", origin=SEA, to="mediterranean"), Move(unit="navy", origin="mediterranean", to=SEA)
    table.say("spain", there)
    assert table.refusal("spain", back).rule == "SOE-8.1.5"
    table.say("spain", Decline(), back)
    assert table.units("spain", "navy", SEA) == 1


def test_SOE_7_3_9_a_rebuild_at_home_costs_population_and_unrest():
    table = war(units={"spain": {"army": {"spain": 1}}})
    table.say("spain", Rebuild(unit="army", at="spain"), Send(to="spain"))
    assert table.units("spain", "army", "spain") == 1
    assert table.state.population["spain"] == 4 and table.state.unrest["spain"] == 1


def test_SOE_7_3_8_the_new_unit_moves_under_the_conditions_after_the_old_one_is_gone():
    table = war(units={"spain": {"navy": {"india": 1}, "army": {"spain": 1}}}, dice=[(1,), (1,)])
    table.say("spain", Rebuild(unit="navy", at="india"))
    assert not table.allows("spain", Send(to="britain"))
    table.say("spain", Send(to="india"))                                # sinks: the second unrest
    assert table.state.units["spain"]["navy"] == {} and table.state.unrest["spain"] == 2
    assert table.refusal("spain", Move(unit="army", origin="spain", to="india")).rule == "SOE-8.2.4"


def test_SOE_12_15_industry():
    table = war()
    table.say("spain", Take(tile="industry"))
    assert table.state.points["spain"] == 3
    assert table.state.unrest["spain"] == 1                             # its price
    assert table.state.owned("spain", "industry") == 0 and table.state.stock["industry"] == 2


def test_SOE_12_10_2_the_price_of_banking_is_taxed_at_2():
    table = war(gold=0)
    table.say("spain", Take(tile="banking"))
    assert table.state.unrest["spain"] == 1 and table.state.gold["spain"] == 0      # 2 gold in one taxation, not 3


@pytest.mark.parametrize("tile, unit", [("mercenaries", "army"), ("pressgangs", "navy")])
def test_SOE_12_5_and_12_6_free_builds(tile, unit):
    table = war(tiles={"spain": {tile: 1}}, population=0, dice=[])
    table.say("spain", Use(tile=tile, on="mediterranean"))
    assert table.units("spain", unit, "mediterranean") == 1
    assert table.state.turn.actions == 2 and table.state.population["spain"] == 0
    assert table.refusal("spain", Use(tile=tile, on="spain")).rule == "SOE-11.2.1"


def test_SOE_12_7_trained_natives():
    table = war(tiles={"spain": {"trained_natives": 1}}, markers={"spain": {"india": 1}}, dice=[])
    assert table.refusal("spain", Use(tile="trained_natives", on="africa")).rule == "SOE-12.7.3"
    table.say("spain", Use(tile="trained_natives", on="india"))         # no navy and no crossing
    assert table.asked() == [("spain", "DP-29")]
    assert table.options("spain") == (Send(to="india"), Send(to="spain"), Send(to="mediterranean"))     # stay, home, near home
    table.say("spain", Send(to="india"))
    assert table.units("spain", "army", "india") == 1 and table.state.turn.actions == 2


def test_SOE_12_8_3_militia_does_not_work_with_a_free_build():
    table = war(tiles={"spain": {"militia": 1, "mercenaries": 1}})
    table.say("spain", Use(tile="mercenaries", on="spain"))
    assert table.asked() == [("spain", "DP-05")]
    table.say("spain", Build(unit="army", to="spain"))
    assert table.asked() == [("spain", "DP-07")]


@pytest.mark.parametrize("markers, gold", [(1, 3), (2, 6), (3, 6)])
def test_SOE_12_21_a_company_brings_gold_once_a_war_up_to_its_most(markers, gold):
    table = war(tiles={"spain": {"baltic_company": 1}}, markers={"spain": {SEA: markers}}, gold=0)
    table.say("spain", Use(tile="baltic_company"))
    assert table.state.gold["spain"] == gold
    assert table.refusal("spain", Use(tile="baltic_company")).rule == "SOE-11.2.1"


def test_SOE_16_1_a_gift_at_any_time_out_of_the_gold_in_hand():
    table = war(gold={"britain": 3})
    table.say("britain", Give(to="spain", gold=3))
    assert table.state.gold == {"spain": 13, "britain": 0}
    assert table.refusal("britain", Give(to="spain", gold=1)).rule == "SOE-16.1.4"
    assert "Britain gives Spain 3 gold." in table.lines()


def test_SOE_17_5_what_goes_back_when_a_war_ends_and_what_stays():
    table = war(phase="war_end", blockades={"india": ["spain"]}, units={"spain": {"navy": {"india": 1}}}, dice=[(1,) * 10],
                tiles={"spain": {"alliance_poland": 1, "logistics": 1}}, captives={"pirates": ("caribbean", "britain")})
    assert table.state.tiles["spain"] == {"logistics": 1} and table.state.stock["alliance_poland"] == 1
    assert table.state.blockades == {} and table.state.stock["blockade"] == 1
    assert table.state.captives["pirates"].area == "caribbean"
    assert table.units("spain", "navy", "india") == 1
    assert (table.state.war, table.state.row_a, table.state.row_b) == (2, [], [])


# --- attacks ------------------------------------------------------------------------------------------------

def test_SOE_9_2_5_a_target_needs_no_control_marker():
    table = war(units={"spain": {"army": {LAND: 1}}, "britain": {"army": {LAND: 1}}}, dice=[(1, 2, 1, 1)])
    table.say("spain", Attack(area=LAND, target="britain"))
    assert table.state.markers == {"spain": {}, "britain": {}}
    assert table.units("britain", "army", LAND) == 0


def test_SOE_9_6_4_the_forts_of_the_attacker_count_nothing_and_are_never_lost():
    table = war(units={"spain": {"army": {LAND: 1}, "fort": {LAND: 2}}, "britain": {"army": {LAND: 1}}}, dice=[(3, 4, 3, 1)])
    table.say("spain", Attack(area=LAND, target="britain"))
    assert table.strengths() == [(1 + 1, 1 + 2)]
    assert table.events(UnitLost) == [UnitLost(owner="spain", unit="army", area=LAND)]
    assert table.state.unrest["spain"] == 1                             # the 7 finds nothing more to lose


def test_SOE_9_5_5_a_helper_cannot_send_navies_to_a_principal_without_one():
    table = scene(**THREE, units={"spain": {"army": {SEA: 1}, "navy": {SEA: 1}}, "britain": {"army": {SEA: 1}},
                                  "austria": {"army": {SEA: 1}, "navy": {SEA: 1}}}, dice=[(1, 1, 1, 1)])
    table.say("spain", Attack(area=SEA, target="britain"))
    assert table.refusal("austria", Commit(armies=0, navies=1)).rule == "SOE-9.4.4"
    table.say("austria", Commit(armies=0, navies=0))
    assert table.events(SupportGained) == [SupportGained(side="spain")]


def test_SOE_9_4_14_only_armies_help_against_a_neutral_marker():
    both = {"army": {SEA: 1}, "navy": {SEA: 1}}
    table = scene(powers=("spain", "austria", "britain"), rows=(("spain", "austria"), ("britain",)),
                  units={"spain": both, "austria": both}, neutrals={SEA: ["neutral_2"]}, dice=[(1, 1, 1, 1)])
    table.say("spain", Attack(area=SEA, target="neutral_2"))
    assert table.refusal("austria", Commit(armies=1, navies=1)).rule == "SOE-9.4.4"
    table.say("austria", Commit(armies=1, navies=0))
    assert table.strengths() == [(3, 2)]                                # two armies and naval support


def test_SOE_9_4_7_a_helper_is_asked_before_the_dice_and_its_answer_binds():
    table = scene(**THREE, units={"spain": {"army": {LAND: 1}}, "britain": {"army": {LAND: 1}}, "austria": {"army": {LAND: 2}}},
                  dice=[(1, 1, 1, 1)])
    table.say("spain", Attack(area=LAND, target="britain"))
    assert table.events(Thrown) == []
    table.say("austria", Commit(armies=2, navies=0))
    assert table.events(Thrown)[0].parts[1][UNITS] == 3
    assert table.asked() == [("spain", "DP-05")]


def test_SOE_9_11_6_the_bonus_of_a_victory_point():
    table = war(units={"spain": {"army": {"india": 6}}}, neutrals={"india": ["neutral_4_point_1"]}, dice=[(1, 1, 1, 1)])
    table.say("spain", Attack(area="india", target="neutral_4_point_1"))
    assert table.state.points["spain"] == 1 and table.markers("spain", "india") == 1


def test_SOE_9_11_9_without_a_control_marker_a_neutral_marker_stays_and_gives_nothing():
    table = war(units={"spain": {"army": {"india": 6}}}, neutrals={"india": ["neutral_4_point_1"]}, dice=[(1, 1, 1, 1)],
                markers={"spain": {LAND: 9, "central_europe": 7, SEA: 4}})
    table.say("spain", Attack(area="india", target="neutral_4_point_1"))
    assert table.events(FightDecided) == [FightDecided(stage="land", winner="spain")]
    assert table.faces("india") == ["neutral_4_point_1"] and table.state.points["spain"] == 0


@pytest.mark.parametrize("owner, freed", [("spain", True), ("britain", False)])
def test_SOE_9_11_9_without_a_control_marker_only_an_own_captive_is_freed(owner, freed):
    held = {LAND: 9, "central_europe": 7, SEA: 4 - (owner == "spain")}  # an own captive is the twentieth
    table = war(units={"spain": {"army": {"caribbean": 6}}}, captives={"pirates": ("caribbean", owner)}, markers={"spain": held},
                dice=[(1, 1, 1, 1)])
    assert table.state.marker_supply("spain") == 0
    table.say("spain", Attack(area="caribbean", target="pirates"))
    assert (table.state.captives == {}) == freed
    assert table.markers("spain", "caribbean") == int(freed)


@pytest.mark.parametrize("stage, at_sea, on_land", [("sea", 1, 0), ("land", 0, 1)])
def test_SOE_13_3_3_an_alliance_that_is_not_used_at_sea_helps_on_land(stage, at_sea, on_land):
    both = {"army": {SEA: 1}, "navy": {SEA: 1}}
    table = war(units={"spain": both, "britain": both}, tiles={"britain": {"alliance_denmark": 1}},
                dice=[(1, 1, 1, 1), (1, 1, 1, 1)])
    table.say("spain", Attack(area=SEA, target="britain"), Fight())
    table.say("britain", Fight())
    assert table.asked() == [("britain", "DP-18")]
    table.say("britain", Assign(stage=stage))
    assert [thrown.parts[1][ALLIANCE] for thrown in table.events(Thrown)] == [at_sea, on_land]


def test_SOE_12_18_2_a_withdrawal_at_sea_still_covers_the_land_stage():
    both = {"army": {SEA: 1}, "navy": {SEA: 1}}
    table = war(units={"spain": both, "britain": both}, tiles={"britain": {"fighting_withdrawal": 1}},
                dice=[(1, 6, 1, 1), (1, 6, 1, 1)])
    table.say("spain", Attack(area=SEA, target="britain"), Fight())
    table.say("britain", Fight(), Use(tile="fighting_withdrawal"))
    assert table.units("britain", "navy", "britain") == 1 and table.units("britain", "army", "britain") == 1
    assert table.state.unrest == {"spain": 2, "britain": 0}             # Spain threw 7 twice


def test_SOE_12_18_9_a_fort_named_in_a_withdrawal_stays():
    table = war(units={"spain": {"army": {LAND: 4}}, "britain": {"army": {LAND: 1}, "fort": {LAND: 1}}},
                tiles={"britain": {"fighting_withdrawal": 1}}, dice=[(1, 1, 1, 1)])
    table.say("spain", Attack(area=LAND, target="britain"))
    table.say("britain", Use(tile="fighting_withdrawal"), Lose(owner="britain", unit="fort"))
    assert table.units("britain", "fort", LAND) == 1 and table.units("britain", "army", LAND) == 1
    assert table.state.unrest["britain"] == 0


def test_SOE_12_18_10_after_a_use_the_owner_is_not_asked_again_in_that_attack():
    """Between sea and land the tile is back in the stock; a second copy from a data pack would not be asked for."""
    both = {"army": {SEA: 1}, "navy": {SEA: 1}}
    table = war(units={"spain": both, "britain": both}, tiles={"britain": {"fighting_withdrawal": 2}},
                pack={"tiles": [{"id": "fighting_withdrawal", "count": 2}]}, dice=[(1, 6, 1, 1), (1, 6, 1, 1)])
    table.say("spain", Attack(area=SEA, target="britain"), Fight())
    table.say("britain", Fight(), Use(tile="fighting_withdrawal"))
    assert table.asked() == [("spain", "DP-05")]
    assert table.state.owned("britain", "fighting_withdrawal") == 1


# --- raids ----------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("navies, strengths", [(1, (1, 3)), (0, (1, 0))])
def test_SOE_14_2_12_at_sea_neither_training_nor_an_alliance_helps_without_a_navy(navies, strengths):
    table = war(markers={"britain": {"africa": 1}}, units={"britain": {"navy": {"africa": 1}}} if navies else {},
                tiles={"britain": {"naval_training": 1, "alliance_portugal": 1}}, dice=[(1, 1, 1, 1)])
    table.say("spain", Take(tile="pirates", area="africa", target="britain"))
    assert table.strengths() == [strengths]


def test_SOE_14_3_3_a_rising_meets_forts_armies_and_naval_support_which_blockade_doubles():
    table = war(markers={"britain": {"caribbean": 1}}, dice=[(1, 1, 1, 1)], tiles={"britain": {"blockade": 1}},
                units={"britain": {"army": {"caribbean": 1}, "fort": {"caribbean": 1}, "navy": {"caribbean": 1}}})
    table.say("spain", Take(tile="slave_revolt", area="caribbean", target="britain"))
    assert table.asked() == [("britain", "DP-19")]
    table.say("britain", Use(tile="blockade"))
    (thrown,) = table.events(Thrown)
    assert thrown.parts == ((3, 0, 0, 0, 0), (3, 0, 0, 2, 0))
    assert table.markers("britain", "caribbean") == 1 and table.state.stock["slave_revolt"] == 1


def test_SOE_14_4_9_a_captive_is_no_marker_of_its_owner():
    table = war(units={"spain": {"army": {"africa": 1}}}, captives={"pirates": ("africa", "britain")})
    assert table.refusal("spain", Attack(area="africa", target="britain")).rule == "SOE-9.2.5"
    assert table.allows("spain", Attack(area="africa", target="pirates"))
    assert not table.allows("spain", Attack(area="africa", target="pirates", surprise=True))
