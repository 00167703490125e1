"""Rules that no random game comes by: what the components say, and what is possible; each by its number."""
from __future__ import annotations

from typing import Any

import pytest

from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, Build, Call, Enslave, Give, Move, Pass, Place, Take, Use
from engine.games.struggle_of_empires.events import CrossingRolled, FightDecided, GoldPaid, ReservesUsed, UnitBuilt, UnrestChanged
from engine.games.struggle_of_empires.options import Options
from engine.kernel import Rolled
from engine.text import Reader, say
from tests.games.struggle_of_empires.test_properties import PARTS
from tests.scene import FAIR, scene

EUROPE = ("baltic", "german_states", "central_europe", "mediterranean", "ottoman_empire")
COLONIES = ("north_america", "caribbean", "south_america", "africa", "india", "east_indies")


# --- components -----------------------------------------------------------------------------------------

def test_SOE_1_1_2_two_to_seven_players_with_a_power_each():
    assert [*GAME.seats] == [2, 3, 4, 5, 6, 7] and len(PARTS.powers) == 7


def test_SOE_1_1_3_SOE_1_1_5_three_types_of_unit_and_23_control_markers():
    assert set(PARTS.limit) == {"army", "navy", "fort"} and PARTS.units_per_player.control_marker == 23


def test_SOE_1_1_12_coins_and_unrest_never_run_out():
    table = scene(gold={"austria": 700}, unrest={"austria": 70}, rows=(("austria",), ("britain",)),
                  units={"austria": {"army": {"india": 1}, "navy": {"india": 1}}}, markers={"britain": {"india": 1}})
    table.say("austria", Give(to="britain", gold=600))
    assert table.state.gold == {"austria": 100, "britain": 610}
    table.say("austria", Build(unit="army", to="austria"))
    assert table.state.unrest["austria"] == 70


def test_SOE_1_2_2_a_neutral_marker_has_one_of_three_faces():
    assert {marker.kind for marker in PARTS.country_counters} == {"strength", "pop", "slaves"}
    assert all((marker.strength is not None) == (marker.kind == "strength") for marker in PARTS.country_counters)


def test_SOE_1_2_3_only_a_marker_with_a_defence_number_may_carry_a_bonus():
    bonuses = {(marker.gold > 0, marker.vp) for marker in PARTS.country_counters if marker.kind == "strength"}
    assert {(False, 0), (True, 0), (False, 1)} <= bonuses and max(points for _, points in bonuses) == 1
    assert all(marker.gold == marker.vp == 0 for marker in PARTS.country_counters if marker.kind != "strength")


def test_SOE_1_4_2_the_six_colonies():
    assert tuple(area.id for area in PARTS.areas if area.colony) == COLONIES
    assert tuple(area.id for area in PARTS.areas if not area.colony) == EUROPE


def test_SOE_1_4_4_the_eight_sea_areas():
    assert {*PARTS.seas} == {*COLONIES, "baltic", "mediterranean"} and len(PARTS.seas) == 8


def test_SOE_1_4_9_SOE_1_4_10_five_zones_of_which_america_is_one():
    zones = {area.id: area.zone for area in PARTS.areas}
    assert len({*zones.values()}) == 5
    assert {zones[area] for area in EUROPE} == {PARTS.zone[home] for home in PARTS.powers} == {"europe"}
    assert {zones[area] for area in COLONIES[:3]} == {"america"} and len({zones[area] for area in COLONIES[3:]}) == 3
    table = scene(units={"austria": {"navy": {"caribbean": 2, "north_america": 1}, "army": {"caribbean": 1}}})
    table.say("austria", Move(unit="army", origin="caribbean", to="north_america"))         # no dice are left: no crossing
    assert table.units("austria", "army", "north_america") == 1
    assert table.refusal("austria", Attack(area="north_america", target="britain")), "for the rest they are three areas"


def test_SOE_1_4_11_borders_are_those_of_the_data_on_both_sides():
    for area in PARTS.areas:
        assert all(area.id in PARTS.area[other].adjacent_areas for other in area.adjacent_areas), area.id
        assert set(area.adjacent_homes) <= {*PARTS.powers}


def test_SOE_1_4_12_SOE_1_4_13_homes_of_britain_and_spain():
    borders = {power: [area.id for area in PARTS.areas if power in area.adjacent_homes] for power in PARTS.powers}
    assert borders["britain"] == ["german_states"] and borders["spain"] == ["mediterranean"]


def test_SOE_1_4_14_two_or_three_falling_values_in_every_area():
    assert PARTS.area["german_states"].vp == (8, 5, 3)
    for area in PARTS.areas:
        assert len(area.vp) in (2, 3) and [*area.vp] == sorted({*area.vp}, reverse=True)


def test_SOE_10_1_8_the_action_has_the_word_of_its_edition():
    assert {"colonise", "enslave"} <= {kind.verb for kind in GAME.rules.actions}
    for edition, neutral, label, told in (
            ("first", False, "Enslave in Africa", "Austria gains a control marker in Africa by enslaving."),
            ("deluxe", False, "Gold Coast commerce in Africa", "Austria gains a control marker in Africa by Gold Coast "
                                                               "commerce."),
            ("first", True, "Africa trade in Africa", "Austria gains a control marker in Africa by Africa trade."),
            ("deluxe", True, "Africa trade in Africa", "Austria gains a control marker in Africa by Africa trade.")):
        table = scene(edition=edition, neutrals={"africa": ["slaves"]}, units={"austria": {"navy": {"africa": 1}}},
                      options={"ui.neutral_wording": neutral})
        reader = Reader(GAME.words.names(table.parts, table.state))
        assert [say(option.label(), reader) for option in table.options("austria") if isinstance(option, Enslave)] == [label]
        table.say("austria", Enslave(area="africa"))
        assert table.lines()[-1] == told


def test_SOE_20_1_10_the_order_of_the_data_is_that_of_the_file():
    table = scene(phase="placing", first="austria")
    offered = list(dict.fromkeys(option.area for option in table.options("austria") if isinstance(option, Place)))
    assert offered == [area.id for area in PARTS.areas]
    assert [*PARTS.tile] == [tile.id for tile in PARTS.tiles]


@pytest.mark.parametrize("at_once, asked", [(False, [("austria", "DP-15")]),
                                            (True, [("austria", "DP-15"), ("britain", "DP-16")])])
def test_SOE_20_1_8_the_questions_of_an_attack_are_put_one_by_one_or_by_option_at_once(at_once, asked):
    fleet = {"army": {"india": 1}, "navy": {"india": 1}}
    table = scene(units={"austria": fleet, "britain": fleet}, options={"reactions.parallel": at_once})
    table.say("austria", Attack(area="india", target="britain"))
    assert table.asked() == asked


def test_SOE_21_1_6_by_default_not_even_the_game_master_sees_unrest():
    assert Options().gm.sees_secrets is False
    assert GAME.views.secrets(scene().state) is None
    assert GAME.views.secrets(scene(options={"gm.sees_secrets": True}).state) is not None


# --- setup, money -----------------------------------------------------------------------------------------

def test_SOE_1_4_7_SOE_2_2_4_armies_and_forts_may_stand_in_all_eleven_areas():
    table = scene(phase="placing", first="austria")
    for unit in ("army", "fort"):
        places = {option.area for option in table.options("austria") if isinstance(option, Place) and option.unit == unit}
        assert places == {*EUROPE, *COLONIES}


def taxed(table, power):
    return [event.by for event in table.events(UnrestChanged) if event.power == power and event.cause == "taxation"]


def test_SOE_3_1_2_an_attack_a_tile_a_bid_and_upkeep_are_debts():
    army = {"austria": {"army": {"india": 1}}}
    attack = scene(gold=0, units=army, markers={"britain": {"india": 1}}, dice=FAIR)
    attack.say("austria", Attack(area="india", target="britain"))
    assert taxed(attack, "austria") == [1]
    tile = scene(gold=0)
    tile.say("austria", Take(tile="banking"))
    assert taxed(tile, "austria") == [-(-PARTS.tile["banking"].cost.gold // 2)]
    bid = scene(phase="auction", opener="austria", gold=0, dice=FAIR)
    bid.say("austria", *[answer for answer in bid.options("austria") if answer.model_dump()["gold"] == 2][:1])
    bid.say("britain", Pass())
    assert taxed(bid, "austria") == [1]
    upkeep = scene(phase="war_end", gold=0, population=0, units={"austria": {"army": {"india": 4}}}, dice=FAIR)
    assert [event.gold for event in upkeep.events(GoldPaid) if event.power == "austria"] == [4]
    assert taxed(upkeep, "austria") == [2]


# --- building and moving ------------------------------------------------------------------------------------

def test_SOE_7_2_1_a_fort_makes_its_build_move_as_an_army():
    table = scene(units={"austria": {"navy": {"india": 1}}}, markers={"austria": {"baltic": 1}})

    def places(unit):
        return {option.to for option in table.options("austria") if isinstance(option, Build) and option.unit == unit}

    assert places("fort") == places("army") and "india" in places("fort") and "africa" not in places("fort")


def test_SOE_8_1_7_units_of_others_hinder_no_move():
    table = scene(units={"austria": {"army": {"german_states": 1}}, "britain": {"army": {"central_europe": 9},
                                                                                "fort": {"central_europe": 2}}})
    table.say("austria", Move(unit="army", origin="german_states", to="central_europe"))
    assert table.units("austria", "army", "central_europe") == 1


@pytest.mark.parametrize("origin", ["austria", "baltic", "india"])
def test_SOE_8_2_3_a_navy_goes_from_anywhere_to_any_other_sea_area(origin):
    table = scene(units={"austria": {"navy": {origin: 1}}})
    there = {option.to for option in table.options("austria") if isinstance(option, Move) and option.to != "austria"}
    assert there == {*PARTS.seas} - {origin}


def test_SOE_8_2_8_a_captive_is_no_control_marker_for_a_move():
    army = {"austria": {"army": {"austria": 1}}}
    go = Move(unit="army", origin="austria", to="baltic")
    assert scene(units=army, markers={"austria": {"baltic": 1}}).allows("austria", go)
    assert not scene(units=army, captives={"slave_revolt": ("baltic", "austria")}).allows("austria", go)


def test_SOE_8_3_6_the_conditions_come_before_the_throw():
    table = scene(units={"austria": {"army": {"austria": 1}}}, dice=[(6,)])
    assert table.refusal("austria", Move(unit="army", origin="austria", to="india")).rule == "SOE-8.2.4"
    assert table.dice_left == [(6,)] and not table.events(CrossingRolled)


# --- attacks ------------------------------------------------------------------------------------------------

FOUR: dict[str, Any] = {"powers": ("austria", "britain", "france", "spain"),
                        "rows": (("austria", "britain"), ("france", "spain"))}


def test_SOE_9_4_15_nobody_is_called_by_both_sides_and_the_defenders_allies_by_him_alone():
    table = scene(**FOUR, active="austria", markers={"france": {"india": 1}}, options={"help.auto_call": False}, dice=FAIR,
                  units={power: {"army": {"india": 2}} for power in FOUR["powers"]})
    table.say("austria", Attack(area="india", target="france"))
    assert {option.allies for option in table.options("austria") if isinstance(option, Call)} == {(), ("britain",)}
    table.say("austria", Call(allies=()))
    assert table.asked() == [("france", "DP-13")]
    assert {option.allies for option in table.options("france") if isinstance(option, Call)} == {(), ("spain",)}


def test_SOE_12_3_3_several_reserves_may_be_used_in_one_fight_by_both():
    land = {"austria": {"army": {"india": 1}}, "britain": {"army": {"india": 1}}}
    table = scene(units=land, markers={"britain": {"india": 1}}, tiles={"austria": {"reserves": 2}, "britain": {"reserves": 1}},
                  dice=[(1, 1, 6, 1), (2, 2, 6, 1), (6, 1, 2, 2), (6, 4, 1, 1)])
    tile = next(tile.id for tile in PARTS.tiles if tile.effect == "reroll_both")
    table.say("austria", Attack(area="india", target="britain"), Use(tile=tile), Use(tile=tile))
    table.say("britain", Use(tile=tile))
    assert [used.side for used in table.events(ReservesUsed)] == ["austria", "austria", "britain"]
    assert [decided.winner for decided in table.events(FightDecided)] == ["austria"]


# --- tiles --------------------------------------------------------------------------------------------------

def test_SOE_11_1_7_tiles_lie_open_before_their_owner():
    table = scene(tiles={"britain": {"logistics": 2, "banking": 1}})
    for seat in (None, table.state.seat("austria"), table.state.seat("britain")):
        (britain,) = [power for power in GAME.views.view(table.state, seat).powers if power.power == "britain"]
        assert {(tile.tile, tile.number) for tile in britain.tiles} == {("logistics", 2), ("banking", 1)}


def test_SOE_11_2_3_a_tile_without_a_mark_works_all_the_time():
    table = scene(units={"austria": {"navy": {"baltic": 6}}}, tiles={"austria": {"logistics": 1, "diplomatic_service": 1}})
    assert PARTS.tile["logistics"].after_use == "keep"
    for number in range(6):
        table.say("austria", Move(unit="navy", origin="baltic", to="mediterranean"))
        assert table.units("austria", "navy", "mediterranean") == number + 1
    assert table.asked() == [("austria", "DP-06")] and table.state.used["austria"] == {}


@pytest.mark.parametrize("copies", [0, 1, 2, 3])
def test_SOE_12_9_1_SOE_12_9_2_SOE_12_9_3_logistics_moves_one_unit_more_each_and_changes_no_build_move(copies):
    tiles = {"austria": {"logistics": copies}} if copies else {}
    table = scene(units={"austria": {"navy": {"baltic": 7}}}, tiles=tiles)
    table.say("austria", *[Move(unit="navy", origin="baltic", to="mediterranean") for _ in range(2 + copies)])
    assert table.asked() == [("austria", "DP-05")] and table.state.turn.actions == 1
    table.say("austria", Build(unit="army", to="german_states"))
    assert table.asked() == [("britain", "DP-05")] and len(table.events(UnitBuilt)) == 1, "both actions are done"


@pytest.mark.parametrize("tile, units", [("pirates", {"navy": {"india": 1}}), ("slave_revolt", {"army": {"caribbean": 1}})])
def test_SOE_12_16_2_SOE_12_17_2_a_raid_needs_a_legal_target(tile, units):
    nobody = scene(units={"britain": units})
    assert not [option for option in nobody.options("austria") if isinstance(option, Take) and option.tile == tile]
    nobody.refusal("austria", Take(tile=tile))
    (area,) = next(iter(units.values()))
    somebody = scene(units={"britain": units}, markers={"britain": {area: 1}})
    assert [(option.area, option.target) for option in somebody.options("austria")
            if isinstance(option, Take) and option.tile == tile] == [(area, "britain")]


# --- talk, chance ---------------------------------------------------------------------------------------------


def test_SOE_16_1_2_a_promise_that_was_paid_for_binds_nobody():
    table = scene(active="britain", gold={"austria": 20, "britain": 20}, units={"britain": {"army": {"india": 1}}},
                  markers={"austria": {"india": 1}}, rows=(("austria",), ("britain",)), dice=FAIR)
    before = [option for option in table.options("britain") if not isinstance(option, Give)]
    table.say("austria", Give(to="britain", gold=10))
    assert [option for option in table.options("britain") if not isinstance(option, Give)] == before
    table.say("britain", Attack(area="india", target="austria"))


def test_SOE_20_1_1_every_throw_is_recorded_with_its_purpose_and_its_values():
    table = scene(units={"austria": {"navy": {"austria": 1}}}, dice=[(1,), (4,)])
    purposes = []
    take = table.table._advance

    def noted(seat, action, by, place):
        if isinstance(action, Rolled):
            purposes.append(table.table.asks[0].prompt)
        return take(seat, action, by, place)

    table.table._advance = noted
    table.say("austria", Move(unit="navy", origin="austria", to="india"))
    rolls = [entry.answer for entry in table.table.fresh if isinstance(entry.answer, Rolled)]
    assert [roll.values for roll in rolls] == [(1,), (4,)] and [roll.throw for roll in rolls] == [0, 1]
    crossing = "power=austria unit=navy origin=austria to=india"
    assert purposes == [f"crossing {crossing}", f"second_die {crossing}"]
