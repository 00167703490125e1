"""Chapters 11 to 13: taking tiles, and every tile by itself. War Office and Surprise Attack are with the attacks."""
from __future__ import annotations

from typing import Any

import pytest

from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import (
    Assign,
    Attack,
    Bid,
    Build,
    Commit,
    Decline,
    End,
    Fight,
    Lose,
    Move,
    Pass,
    Rebuild,
    Send,
    Take,
    Use,
)
from engine.games.struggle_of_empires.events import (
    AllianceUsedAtSea,
    DiceRolled,
    NothingToLose,
    TileTaken,
    UnitLost,
    UnitSunk,
    UnitWithdrawn,
)
from engine.games.struggle_of_empires.orders import ORDERING
from engine.text import Reader, say, text
from tests.scene import FAIR, Scene, scene

A, B, C, D = "austria", "britain", "france", "prussia"
EVEN = (1, 1, 1, 1)
UNITS, TRAINING, ALLIANCE, SUPPORT, DICE = range(5)         # parts of a strength, as Thrown tells them


def bonus(table: Scene, part: int) -> tuple[int, int]:
    """What attacker and defender added in the last fight."""
    thrown = table.events(DiceRolled)[-1]
    return thrown.parts[0][part], thrown.parts[1][part]


# --- taking tiles (11) --------------------------------------------------------------------------------

def test_SOE_1_3_1_the_stock_of_the_first_edition():
    table = scene()
    kinds = {kind: sum(tile.count for tile in table.parts.tiles if tile.kind == kind)
             for kind in ("improvement", "company", "alliance")}
    assert kinds == {"improvement": 51, "company": 9, "alliance": 11}
    assert sum(table.state.stock.values()) == 71


def test_SOE_11_1_2_every_part_of_a_price_is_paid():
    table = scene()
    table.say(A, Take(tile="militia"))
    cost = table.parts.tile["militia"].cost
    assert (table.state.gold[A], table.state.population[A]) == (10 - cost.gold, 5 - cost.population)
    assert table.state.turn.actions == 1


def test_SOE_11_1_5_several_copies_may_be_owned():
    table = scene(tiles={A: {"army_training": 1}})
    table.say(A, Take(tile="army_training"))
    assert table.state.owned(A, "army_training") == 2 and table.state.stock["army_training"] == 4


def test_an_alliance_has_its_article_where_it_is_bought_and_none_in_a_list():
    table = scene()
    reader = Reader(GAME.words.names(table.parts, table.state))
    assert say(Take(tile="alliance_bavaria").label(), reader) == "Buy the Bavaria alliance"
    assert say(Take(tile="banking").label(), reader) == "Buy Banking"
    assert say(text("{tile}", tile="alliance_bavaria"), reader) == "Bavaria alliance"


def test_SOE_3_2_10_the_price_of_a_tile_is_told_with_its_unrest():
    table = scene(gold=0)
    order = Take(tile="industry")
    assert order.consequence(table.state, table.state.seat(A)) is not None
    assert Take(tile="alliance_bavaria").consequence(table.state, table.state.seat(A)) is None


# --- training (12.1, 12.2) ----------------------------------------------------------------------------

@pytest.mark.parametrize("mine, theirs, added", [(1, 0, (1, 0)), (1, 1, (0, 0)), (3, 1, (1, 0)), (0, 2, (0, 1)), (0, 0, (0, 0))])
def test_SOE_12_1_2_more_army_training_adds_1_and_equal_numbers_nothing(mine, theirs, added):
    tiles = {power: {"army_training": number} for power, number in ((A, mine), (B, theirs)) if number}
    table = scene(units={A: {"army": {"baltic": 2}}, B: {"army": {"baltic": 2}}}, tiles=tiles, dice=[EVEN])
    table.say(A, Attack(area="baltic", target=B))
    assert bonus(table, TRAINING) == added


def test_SOE_12_1_3_army_training_needs_an_own_land_unit_in_the_fight():
    table = scene(markers={B: {"baltic": 1}}, units={A: {"army": {"baltic": 1}}}, tiles={B: {"army_training": 2}}, dice=[EVEN])
    table.say(A, Attack(area="baltic", target=B))
    assert bonus(table, TRAINING) == (0, 0)


def test_SOE_12_1_6_one_army_training_is_enough_against_a_neutral_marker():
    table = scene(units={A: {"army": {"baltic": 2}}}, neutrals={"baltic": ["neutral_2"]}, dice=[EVEN],
                  tiles={A: {"army_training": 1}})
    table.say(A, Attack(area="baltic", target="neutral_2"))
    assert table.strengths() == [(3, 2)]


@pytest.mark.parametrize("mine, theirs, added", [(1, 0, (1, 0)), (1, 1, (0, 0)), (0, 2, (0, 1))])
def test_SOE_12_2_1_naval_training_works_at_sea_only(mine, theirs, added):
    tiles = {power: {"naval_training": number} for power, number in ((A, mine), (B, theirs)) if number}
    table = scene(units={power: {"army": {"baltic": 1}, "navy": {"baltic": 1}} for power in (A, B)}, tiles=tiles,
                  dice=[EVEN, EVEN])
    table.say(A, Attack(area="baltic", target=B), Fight())
    table.say(B, Fight())
    at_sea, on_land = table.events(DiceRolled)
    assert (at_sea.parts[0][TRAINING], at_sea.parts[1][TRAINING]) == added
    assert (on_land.parts[0][TRAINING], on_land.parts[1][TRAINING]) == (0, 0)


# --- Reserves (12.3) ----------------------------------------------------------------------------------

def test_SOE_12_3_9_sea_and_land_each_have_their_own_reserves():
    table = scene(units={power: {"army": {"baltic": 2}, "navy": {"baltic": 2}} for power in (A, B)}, tiles={A: {"reserves": 2}},
                  dice=[EVEN] * 4)
    table.say(A, Attack(area="baltic", target=B), Decline())
    assert table.asked() == [(A, "DP-20")], "no fight at sea, so the first question is on land"
    table.say(A, Use(tile="reserves"), Use(tile="reserves"))
    assert len(table.events(DiceRolled)) == 3 and table.state.ready(A, "reserves") == 0


def test_SOE_12_3_4_a_use_restarts_the_questions():
    table = scene(units={power: {"army": {"baltic": 2}} for power in (A, B)}, tiles={A: {"reserves": 1}, B: {"reserves": 2}},
                  dice=[EVEN] * 3)
    table.say(A, Attack(area="baltic", target=B))
    table.say(A, Decline())
    table.say(B, Use(tile="reserves"))
    assert table.asked() == [(A, "DP-20")]
    table.say(A, Decline())
    assert table.asked() == [(B, "DP-21")] and table.default(B) == Decline()


def test_SOE_12_3_7_reserves_against_a_neutral_marker_throw_its_dice_again_too():
    table = scene(units={A: {"army": {"baltic": 2}}}, neutrals={"baltic": ["neutral_2"]}, tiles={A: {"reserves": 1}},
                  dice=[(1, 1, 1, 6), (1, 2, 1, 1)])
    table.say(A, Attack(area="baltic", target="neutral_2"), Use(tile="reserves"))
    assert table.strengths() == [(2, 7), (3, 2)] and table.markers(A, "baltic") == 1


@pytest.mark.parametrize("mine, theirs, throw, asked", [
    (8, 1, EVEN, False),                    # the result is certain, and a defeat costs the other side its only unit
    (8, 2, EVEN, True),                     # a 7 of the other side would cost it one more
    (8, 1, (3, 4, 1, 1), True),             # without a 7 of its own the winner loses nothing
    (6, 1, EVEN, True),                     # 6 to 1 can become 6 to 6
    (7, 0, EVEN, False), (7, 0, (3, 4, 1, 1), True)])
def test_SOE_12_3_4_nobody_is_asked_for_reserves_that_could_help_with_no_roll(mine, theirs, throw, asked):
    table = scene(units={A: {"army": {"baltic": mine}}, B: {"army": {"baltic": theirs}}}, markers={B: {"baltic": 1}},
                  tiles={A: {"reserves": 1}}, dice=[throw])
    table.say(A, Attack(area="baltic", target=B))
    assert ((A, "DP-20") in table.asked()) == asked


def test_SOE_12_3_4_a_game_that_began_before_asks_always():
    table = scene(units={A: {"army": {"baltic": 8}}, B: {"army": {"baltic": 1}}}, tiles={A: {"reserves": 1}}, dice=[EVEN],
                  rules_version=1)
    table.say(A, Attack(area="baltic", target=B))
    assert table.asked() == [(A, "DP-20")]


def test_SOE_12_3_1_who_is_asked_at_a_tie_reads_what_it_means():
    table = scene(units={power: {"army": {"baltic": 7}} for power in (A, B)}, tiles={A: {"reserves": 1}}, dice=[EVEN])
    table.say(A, Attack(area="baltic", target=B))
    question = table.table.question(table.state.seat(A))
    assert question is not None and table.said(question.text()) == (
        "It's 7 against 7 in the Baltic: a tie, so nobody wins and you lose a unit. Use Reserves to roll all four dice again? "
        "A new roll wins 40%, ties 20%.")


def test_SOE_12_3_5_a_helper_cannot_use_reserves():
    table = scene(powers=(A, B, C), rows=((A, C), (B,)), units={A: {"army": {"baltic": 1}}, B: {"army": {"baltic": 1}},
                                                                C: {"army": {"baltic": 1}}},
                  tiles={C: {"reserves": 1}}, dice=[EVEN])
    table.say(A, Attack(area="baltic", target=B))
    table.say(C, table.options(C)[-1])
    assert table.asked() == [(A, "DP-05")]


# --- tiles that build (12.5 to 12.8) ------------------------------------------------------------------

@pytest.mark.parametrize("tile, unit", [("mercenaries", "army"), ("pressgangs", "navy")])
def test_SOE_12_5_1_and_12_6_1_one_unit_without_population_and_without_an_action(tile, unit):
    table = scene(tiles={A: {tile: 1}}, population=0)
    table.say(A, Use(tile=tile, on=A))
    assert table.units(A, unit, A) == 1
    assert (table.state.population[A], table.state.turn.actions, table.state.ready(A, tile)) == (0, 2, 0)
    assert table.refusal(A, Use(tile=tile, on=A)).rule == "SOE-11.2.1"


def test_SOE_12_5_2_SOE_12_6_2_the_free_unit_may_make_its_build_move():
    table = scene(tiles={A: {"mercenaries": 1, "pressgangs": 1}}, dice=[(1,), (2,), (2,)])
    table.say(A, Use(tile="mercenaries", on="german_states"), Use(tile="pressgangs", on="india"))
    assert table.units(A, "army", "german_states") == 1
    assert table.events(UnitSunk) and table.state.unrest[A] == 1


@pytest.mark.parametrize("tile, unit, number", [("mercenaries", "army", 14), ("pressgangs", "navy", 7)])
def test_SOE_12_5_3_without_supply_the_tile_rebuilds_without_population(tile, unit, number):
    table = scene(tiles={A: {tile: 1}}, units={A: {unit: {"baltic": number}}}, population=0)
    assert table.refusal(A, Use(tile=tile, on=A)).rule == "SOE-1.1.8"
    table.say(A, Rebuild(unit=unit, at="baltic", tile=tile), Send(to=A))
    assert (table.units(A, unit, A), table.units(A, unit, "baltic")) == (1, number - 1)
    assert (table.state.unrest[A], table.state.population[A], table.state.turn.actions) == (1, 0, 2)


def test_SOE_12_7_2_trained_natives_puts_an_army_into_a_colony_without_a_navy_or_a_die():
    table = scene(tiles={A: {"trained_natives": 1}}, markers={A: {"india": 1}}, population=0)
    table.say(A, Use(tile="trained_natives", on="india"))
    assert table.units(A, "army", "india") == 1 and table.state.population[A] == 0
    assert table.asked() == [(A, "DP-29")] and table.default(A) == Send(to="india")
    assert {Send(to="india"), Send(to=A)} < {*table.options(A)} and not table.allows(A, Send(to="africa"))


def test_SOE_12_7_4_the_trained_army_may_move_with_its_crossing():
    table = scene(tiles={A: {"trained_natives": 1}}, units={A: {"navy": {"india": 1}}}, dice=[(1,), (1,)])
    table.say(A, Use(tile="trained_natives", on="india"), Send(to=A))
    assert table.events(UnitSunk) == [UnitSunk(power=A, unit="army", origin="india", to=A)]


def test_SOE_12_7_5_a_blockade_does_not_stop_the_placement_but_a_later_move():
    table = scene(tiles={A: {"trained_natives": 1}}, markers={A: {"caribbean": 1}},
                  units={A: {"navy": {"caribbean": 1, "north_america": 1}}, B: {"navy": {"caribbean": 2, "north_america": 2}}},
                  blockades={"caribbean": [B]})
    assert Use(tile="trained_natives", on="caribbean") in table.options(A)
    table.say(A, Use(tile="trained_natives", on="north_america"))
    assert table.refusal(A, Send(to="caribbean")).rule == "SOE-12.20.2"
    table.say(A, Send(to="north_america"))
    assert table.units(A, "army", "north_america") == 1


def test_SOE_12_7_6_with_a_rebuild_the_colony_is_judged_after_the_old_army_is_gone():
    table = scene(tiles={A: {"trained_natives": 1}}, units={A: {"army": {"india": 1, "africa": 1, "baltic": 12}}})
    table.say(A, Rebuild(unit="army", at="india", tile="trained_natives"))
    assert table.asked() == [(A, "DP-29")], "Africa is the only colony left, so only the move is asked"
    assert table.units(A, "army", "africa") == 2 and table.state.unrest[A] == 1
    table.say(A, Send(to="africa"))
    assert table.state.turn.actions == 2


@pytest.mark.parametrize("second", [Build(unit="army", to=A), Build(unit="navy", to="baltic"),
                                    Build(unit="fort", to="german_states")])
def test_SOE_12_8_1_SOE_12_8_2_SOE_12_8_4_militia_builds_a_second_unit_of_any_kind(second):
    table = scene(tiles={A: {"militia": 1}})
    table.say(A, Build(unit="army", to=A))
    assert table.asked() == [(A, "DP-07")] and table.default(A) == Decline()
    table.say(A, second)
    assert table.state.population[A] == 3 and table.state.turn.actions == 1
    assert table.asked() == [(A, "DP-05")]


def test_SOE_12_8_4_option_militia_builds_armies_only():
    table = scene(tiles={A: {"militia": 1}}, options={"militia.types": "army"})
    table.say(A, Build(unit="navy", to=A))
    assert {option.unit for option in table.options(A) if isinstance(option, Build)} == {"army"}


def test_SOE_12_8_6_each_further_militia_allows_one_more_unit():
    table = scene(tiles={A: {"militia": 2}})
    table.say(A, *[Build(unit="army", to=A)] * 3)
    assert table.units(A, "army", A) == 3 and table.state.population[A] == 2 and table.state.turn.actions == 1


def test_SOE_12_8_7_refusing_the_extra_unit_costs_nothing_and_it_may_be_a_rebuild():
    table = scene(tiles={A: {"militia": 1}}, units={A: {"fort": {"baltic": 1}}})
    table.say(A, Build(unit="army", to=A), Decline())
    assert table.state.population[A] == 4
    table.say(A, Build(unit="army", to=A), Rebuild(unit="fort", at="baltic"), Send(to="german_states"))
    assert (table.state.population[A], table.state.unrest[A]) == (2, 1)


def test_SOE_12_8_3_militia_does_not_work_with_a_free_build():
    table = scene(tiles={A: {"militia": 1, "mercenaries": 1}})
    table.say(A, Use(tile="mercenaries", on=A))
    assert table.asked() == [(A, "DP-05")]


def test_SOE_12_8_5_the_first_unit_and_its_move_come_before_the_second():
    table = scene(tiles={A: {"militia": 1}}, dice=[(2,)])
    table.say(A, Build(unit="navy", to="india"))
    assert table.units(A, "navy", "india") == 1
    assert table.allows(A, Build(unit="army", to="india")), "the navy that has just arrived lets the army in"


# --- Logistics, Banking, Navigation (12.9 to 12.11) ---------------------------------------------------


def test_SOE_12_10_2_the_price_of_banking_itself_is_taxed_at_2():
    table = scene(gold=0)
    table.say(A, Take(tile="banking"))
    price = table.parts.tile["banking"].cost.gold
    assert table.state.unrest[A] == -(-price // 2)
    assert table.state.tax(A) == 3


def test_SOE_12_10_3_a_second_banking_changes_nothing():
    table = scene(tiles={A: {"banking": 2}}, phase="auction", gold=0)
    table.say(A, Bid(gold=4, a=A, b=B))
    table.say(B, Pass())
    assert (table.state.gold[A], table.state.unrest[A]) == (2, 2)


def test_SOE_12_11_3_navigation_works_in_moves_and_in_build_moves():
    table = scene(tiles={A: {"navigation": 1}}, units={A: {"navy": {A: 1}}}, dice=[(1,), (3,), (1,), (1,)])
    table.say(A, Move(unit="navy", origin=A, to="india"))
    assert table.units(A, "navy", "india") == 1
    table.say(A, Build(unit="navy", to="africa"))
    assert table.units(A, "navy", A) == 1, "a 1 reads 3 and turns it back"


# --- Diplomatic Service and alliances (12.12, 13) -----------------------------------------------------

def test_SOE_12_12_3_diplomatic_service_pays_the_price_of_the_alliance_and_is_no_tile_action():
    table = scene(tiles={A: {"diplomatic_service": 1}})
    table.say(A, Use(tile="diplomatic_service", on="alliance_denmark"))
    assert table.events(TileTaken) == [TileTaken(power=A, tile="alliance_denmark", as_action=False)]
    assert (table.state.gold[A], table.state.turn.tile, table.state.turn.actions) == (9, False, 2)
    assert table.allows(A, Take(tile="alliance_bavaria"))
    assert table.refusal(A, Use(tile="diplomatic_service", on="alliance_saxony")).rule == "SOE-11.2.1"


def test_SOE_13_1_6_several_alliances_of_an_area_each_add_1():
    table = scene(tiles={A: {"alliance_bavaria": 1, "alliance_saxony": 1}}, units={A: {"army": {"german_states": 1}}},
                  markers={B: {"german_states": 1}}, dice=[EVEN])
    table.say(A, Attack(area="german_states", target=B))
    assert bonus(table, ALLIANCE) == (2, 0)


def test_SOE_13_1_3_an_alliance_works_in_its_areas_only():
    table = scene(tiles={A: {"alliance_sweden": 1}}, units={A: {"army": {"german_states": 1, "baltic": 1}}}, dice=[EVEN] * 2,
                  markers={B: {"german_states": 1, "baltic": 1}})
    table.say(A, Attack(area="german_states", target=B))
    assert bonus(table, ALLIANCE) == (0, 0)
    table.say(A, Attack(area="baltic", target=B))
    assert bonus(table, ALLIANCE) == (1, 0)


@pytest.mark.parametrize("stage, at_sea, on_land", [("sea", 1, 0), ("land", 0, 1)])
def test_SOE_13_3_2_an_alliance_for_both_helps_where_its_owner_says(stage, at_sea, on_land):
    table = scene(tiles={B: {"alliance_denmark": 1}}, dice=[EVEN] * 2,
                  units={power: {"army": {"baltic": 1}, "navy": {"baltic": 1}} for power in (A, B)})
    table.say(A, Attack(area="baltic", target=B), Fight())
    table.say(B, Fight())
    assert table.asked() == [(B, "DP-18")] and table.default(B) == Assign(stage="land")
    table.say(B, Assign(stage=stage))
    sea, land = table.events(DiceRolled)
    assert (sea.parts[1][ALLIANCE], land.parts[1][ALLIANCE]) == (at_sea, on_land)


def test_SOE_13_3_5_the_attacker_decides_before_the_defender():
    table = scene(tiles={A: {"alliance_portugal": 1}, B: {"alliance_ottoman_empire": 1}},
                  units={power: {"army": {"mediterranean": 1, "africa": 1}, "navy": {"mediterranean": 1, "africa": 1}}
                         for power in (A, B)})
    table.say(A, Attack(area="africa", target=B), Fight())
    table.say(B, Fight())
    assert table.asked() == [(A, "DP-17")]


def test_SOE_13_3_6_without_a_fight_at_sea_it_helps_on_land_without_a_question():
    table = scene(tiles={A: {"alliance_denmark": 1}}, units={A: {"army": {"baltic": 1}}}, markers={B: {"baltic": 1}}, dice=[EVEN])
    table.say(A, Attack(area="baltic", target=B))
    assert bonus(table, ALLIANCE) == (1, 0)


def test_SOE_13_3_10_in_the_ottoman_empire_an_alliance_of_the_mediterranean_helps_at_sea():
    table = scene(tiles={A: {"alliance_ottoman_empire": 1}}, dice=[EVEN] * 2,
                  units={power: {"army": {"ottoman_empire": 1}, "navy": {"mediterranean": 1}} for power in (A, B)})
    table.say(A, Attack(area="ottoman_empire", target=B), Fight())
    table.say(B, Fight())
    table.say(A, Assign(stage="sea"))
    assert table.events(AllianceUsedAtSea) == [AllianceUsedAtSea(side=A, tile="alliance_ottoman_empire")]
    assert table.events(UnitLost)[0] == UnitLost(owner=B, unit="navy", area="mediterranean")


def test_SOE_13_3_11_in_a_naval_only_attack_it_helps_at_sea_without_a_question():
    table = scene(tiles={A: {"alliance_denmark": 1}}, units={power: {"navy": {"baltic": 1}} for power in (A, B)}, dice=[EVEN])
    table.say(A, Attack(area="baltic", target=B))
    table.say(B, Fight())
    assert table.strengths() == [(2, 1)]


def test_SOE_13_3_8_on_land_an_alliance_counts_without_a_unit():
    table = scene(tiles={B: {"alliance_sweden": 1}}, units={A: {"army": {"baltic": 1}}}, markers={B: {"baltic": 1}}, dice=[EVEN])
    table.say(A, Attack(area="baltic", target=B))
    assert table.strengths() == [(1, 1)] and table.markers(B, "baltic") == 1


# --- Government Reform, Industry, companies (12.13 to 12.15, 12.21) -----------------------------------

def test_SOE_12_14_1_government_reform_works_at_once_and_leaves_the_game():
    table = scene(unrest=5)
    table.say(A, Take(tile="government_reform"))
    assert table.state.unrest[A] == 3 and table.state.owned(A, "government_reform") == 0
    assert table.state.stock["government_reform"] == 9
    assert table.private_lines(A) == ["Government Reform: unrest −2, now 3."]


def test_SOE_12_15_1_industry_gives_3_points_for_its_unrest_and_leaves_the_game():
    table = scene()
    table.say(A, Take(tile="industry"))
    assert (table.state.points[A], table.state.unrest[A]) == (3, table.parts.tile["industry"].cost.unrest)
    assert table.state.stock["industry"] == 2 and table.state.owned(A, "industry") == 0
    assert table.private_lines(A) == ["The price of a tile: unrest +1, now 1."]


@pytest.mark.parametrize("markers, gold", [({"india": 1}, 2), ({"india": 1, "east_indies": 1}, 4),
                                           ({"india": 3, "east_indies": 3}, 6)])
def test_SOE_12_21_1_a_company_brings_gold_by_markers_up_to_its_most(markers, gold):
    table = scene(tiles={A: {"east_indies_company": 1}}, markers={A: markers})
    table.say(A, Use(tile="east_indies_company"))
    assert table.state.gold[A] == 10 + gold
    assert table.refusal(A, Use(tile="east_indies_company")).rule == "SOE-11.2.1"


def test_SOE_12_21_5_two_copies_of_a_company_each_bring_their_own_gold():
    table = scene(tiles={A: {"levant_company": 2}}, markers={A: {"mediterranean": 1}})
    table.say(A, Use(tile="levant_company"), Use(tile="levant_company"))
    assert table.state.gold[A] == 14


# --- Fighting Withdrawal (12.18) ----------------------------------------------------------------------

BOTH = {power: {"army": {"baltic": 2}, "navy": {"baltic": 1}} for power in (A, B)}


def test_SOE_12_18_2_used_at_sea_it_covers_the_land_stage_too():
    table = scene(units=BOTH, tiles={B: {"fighting_withdrawal": 1}}, dice=[(1, 2, 1, 1), (1, 3, 1, 1)])
    table.say(A, Attack(area="baltic", target=B), Fight())
    table.say(B, Fight())
    assert table.asked() == [(B, "DP-22")]
    table.say(B, Use(tile="fighting_withdrawal"))
    assert [event.unit for event in table.events(UnitWithdrawn)] == ["navy", "army"]
    assert table.units(B, "navy", B) == 1 and table.units(B, "army", B) == 1 and table.state.unrest[B] == 0
    assert table.state.stock["fighting_withdrawal"] == 1


def test_SOE_12_18_2_option_withdrawn_units_stay():
    table = scene(units={A: {"army": {"baltic": 3}}, B: {"army": {"baltic": 1}}}, dice=[EVEN],
                  tiles={B: {"fighting_withdrawal": 1}}, options={"withdrawal.units_go": "stay"})
    table.say(A, Attack(area="baltic", target=B))
    table.say(B, Use(tile="fighting_withdrawal"))
    assert table.units(B, "army", "baltic") == 1 and table.state.unrest[B] == 0


@pytest.mark.parametrize("first", ["army", "fort"])
def test_SOE_12_18_9_the_unit_that_was_chosen_first_is_gone_for_the_second_choice(first):
    """Britain loses and throws a 7; whichever unit it names first, the other one is the second."""
    table = scene(powers=(C, B), units={C: {"army": {"german_states": 6}}, B: {"army": {"german_states": 1},
                                                                               "fort": {"german_states": 1}}},
                  markers={B: {"german_states": 1}}, tiles={B: {"fighting_withdrawal": 1}}, dice=[(1, 1, 3, 4)])
    table.say(C, Attack(area="german_states", target=B))
    table.say(B, Use(tile="fighting_withdrawal"))
    assert set(table.options(B)) == {Lose(owner=B, unit="army"), Lose(owner=B, unit="fort")}
    table.say(B, Lose(owner=B, unit=first))
    assert sorted(event.unit for event in table.events(UnitWithdrawn)) == ["army", "fort"]
    assert table.units(B, "army", B) == 1 and table.units(B, "army", "german_states") == 0
    assert table.units(B, "fort", "german_states") == 1 and table.markers(C, "german_states") == 1
    assert table.state.unrest[B] == 0 and table.asked() == [(C, "DP-05")]


def test_SOE_12_18_9_in_a_rising_too():
    table = scene(units={B: {"army": {"caribbean": 1}, "fort": {"caribbean": 1}}}, markers={B: {"caribbean": 1}},
                  tiles={B: {"fighting_withdrawal": 1}}, dice=[(1, 3, 3, 4)])
    table.say(A, Take(tile="slave_revolt", area="caribbean", target=B))
    table.say(B, Use(tile="fighting_withdrawal"), Lose(owner=B, unit="fort"))
    assert [event.unit for event in table.events(UnitWithdrawn)] == ["fort", "army"]
    assert table.units(B, "army", B) == 1 and table.units(B, "fort", "caribbean") == 1


def test_SOE_12_18_9_a_fort_alone_is_lost_once_and_the_second_loss_finds_nothing():
    table = scene(units={A: {"army": {"baltic": 6}}, B: {"fort": {"baltic": 1}}}, dice=[(1, 1, 3, 4)],
                  tiles={B: {"fighting_withdrawal": 1}})
    table.say(A, Attack(area="baltic", target=B))
    table.say(B, Use(tile="fighting_withdrawal"))
    assert [event.unit for event in table.events(UnitWithdrawn)] == ["fort"]
    assert table.events(NothingToLose) == [NothingToLose(side=B)]


def test_SOE_20_1_6_nobody_is_asked_for_units_that_stay_whichever_is_named():
    table = scene(powers=(A, B, C, D), rows=((A,), (B, C, D)), dice=[(1, 1, 3, 4)], tiles={B: {"fighting_withdrawal": 1}},
                  units={A: {"army": {"baltic": 9}}, B: {"army": {"baltic": 1}, "fort": {"baltic": 1}},
                         C: {"army": {"baltic": 1}}, D: {"army": {"baltic": 1}}}, options={"withdrawal.units_go": "stay"})
    table.say(A, Attack(area="baltic", target=B))
    table.say(C, Commit(armies=1, navies=0))
    table.say(D, Commit(armies=1, navies=0))
    assert {"DP-23", "DP-24"} <= set(ORDERING.foreseen(table.state)[table.state.seat(B)])
    table.say(B, Use(tile="fighting_withdrawal"))
    assert table.asked() == [(A, "DP-05")] and len(table.events(UnitWithdrawn)) == 2
    assert table.units(B, "army", "baltic") == table.units(C, "army", "baltic") == table.units(D, "army", "baltic") == 1


def test_SOE_12_18_10_it_is_offered_only_when_a_unit_of_the_defender_would_be_lost():
    table = scene(units={A: {"army": {"baltic": 1}}, B: {"army": {"baltic": 3}}}, dice=[EVEN],
                  tiles={A: {"fighting_withdrawal": 1}})
    table.say(A, Attack(area="baltic", target=B))
    assert table.events(UnitLost) == [UnitLost(owner=A, unit="army", area="baltic")], "it has no use in attack (SOE-12.18.8)"


def test_SOE_12_18_10_after_a_use_the_owner_is_not_asked_again_in_that_attack():
    """Between sea and land the tile is back in the stock; a second copy from a data pack would not be asked for."""
    table = scene(units=BOTH, tiles={B: {"fighting_withdrawal": 2}}, pack={"tiles": [{"id": "fighting_withdrawal", "count": 2}]},
                  dice=[(1, 6, 1, 1), (1, 6, 1, 1)])
    table.say(A, Attack(area="baltic", target=B), Fight())
    table.say(B, Fight(), Use(tile="fighting_withdrawal"))
    assert table.asked() == [(A, "DP-05")] and table.state.owned(B, "fighting_withdrawal") == 1


# --- Blockade (12.20) ---------------------------------------------------------------------------------

def blockading(**more: Any) -> Scene:
    return scene(units={A: {"navy": {"india": 1}}, B: {"navy": {"india": 1}, "army": {"india": 1, B: 1}, "fort": {B: 1}}},
                 tiles={A: {"blockade": 1}}, **more)


def test_SOE_12_20_1_laying_a_blockade_is_free_and_final():
    table = blockading()
    table.say(A, Use(tile="blockade", on="india"))
    assert table.state.blockades == {"india": [A]} and table.state.owned(A, "blockade") == 0
    assert table.state.turn.actions == 2 and "blockade" not in table.state.stock
    assert table.refusal(A, Use(tile="blockade", on="india")).rule == "SOE-6.4.1"


def test_SOE_12_20_4_it_binds_armies_and_forts_of_enemies_but_no_navies():
    table = blockading()
    table.say(A, Use(tile="blockade", on="india"), End())
    assert not table.allows(B, Move(unit="army", origin=B, to="india"))
    assert not table.allows(B, Build(unit="fort", to="india"))
    assert table.allows(B, Build(unit="navy", to="india"))
    assert table.allows(B, Move(unit="army", origin="india", to=B)), "leaving needs nothing (SOE-8.2.10)"


def test_SOE_12_20_6_it_is_lifted_when_the_last_navy_is_lost_in_a_fight():
    table = scene(units={A: {"navy": {"india": 1}}, B: {"navy": {"india": 3}}}, blockades={"india": [B]}, active=A,
                  tiles={}, dice=[(1, 6, 1, 1)])
    table.say(A, Attack(area="india", target=B))
    table.say(B, Fight())
    assert table.state.blockades == {"india": [B]}, "two navies are left"
    again = scene(units={A: {"navy": {"india": 3}}, B: {"navy": {"india": 1}}}, blockades={"india": [B]}, dice=[EVEN])
    again.say(A, Attack(area="india", target=B))
    again.say(B, Fight())
    assert again.state.blockades == {} and again.state.stock["blockade"] == 1
    assert "Britain's blockade of India is lifted." in again.lines()


def test_SOE_12_20_6_it_is_lifted_when_the_last_navy_is_rebuilt_elsewhere():
    table = scene(units={A: {"navy": {"india": 1}}}, blockades={"india": [A]})
    table.say(A, Rebuild(unit="navy", at="india"))
    assert table.state.blockades == {} and table.asked() == [(A, "DP-07")]


def test_SOE_12_20_7_it_goes_back_when_the_war_ends():
    table = scene(phase="war_end", units={A: {"navy": {"india": 1}}}, blockades={"india": [A]}, dice=FAIR)
    assert table.state.war == 2 and table.state.blockades == {} and table.state.stock["blockade"] == 1


@pytest.mark.parametrize("answer, support", [(Use(tile="blockade"), 2), (Decline(), 1)])
def test_SOE_12_20_10_the_defender_too_may_double_his_support(answer, support):
    table = scene(units={A: {"army": {"india": 2}}, B: {"army": {"india": 1}, "navy": {"india": 1}}}, tiles={B: {"blockade": 1}},
                  dice=[EVEN])
    table.say(A, Attack(area="india", target=B))
    assert table.asked() == [(B, "DP-19")] and table.default(B) == Decline()
    table.say(B, answer)
    assert bonus(table, SUPPORT) == (0, support)
    assert table.state.stock.get("blockade", 0) == support - 1


def test_SOE_12_20_11_a_blockade_on_the_map_doubles_nothing():
    table = scene(units={A: {"army": {"india": 2}, "navy": {"india": 1}}}, markers={B: {"india": 1}}, blockades={"india": [A]},
                  dice=[EVEN])
    table.say(A, Attack(area="india", target=B))
    assert bonus(table, SUPPORT) == (1, 0)


def test_SOE_11_2_8_a_blockade_of_an_earlier_turn_that_comes_back_may_be_taken():
    table = scene(units={A: {"navy": {"india": 1}}}, blockades={"india": [A]}, dice=[(3,)])
    table.say(A, Move(unit="navy", origin="india", to=A))
    assert table.allows(A, Take(tile="blockade"))
