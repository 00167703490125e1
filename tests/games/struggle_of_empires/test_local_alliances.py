"""Chapter 13.2: local alliances as markers on the map, and what the options make of alliances."""
from __future__ import annotations

from typing import Any

import pytest

from engine.components import components
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Ally, Attack, Build, Decline, End, Fight, Take, Use
from engine.games.struggle_of_empires.events import DiceRolled, GoldPaid
from engine.kernel import Seat
from tests.often_said import ELSE_FIRST
from tests.scene import FAIR, deluxe, scene

A, B, C = "austria", "britain", "france"
EVEN = (1, 1, 1, 1)
PLACES = components(GAME, "deluxe").parts.local_alliance
TILES = {tile.id for tile in components(GAME, "first").parts.alliances}
COSTLY = {"local_ottoman_empire", "local_portugal", "local_gaucho", "local_denmark"}
ALLIANCES = 2                           # the part of a strength that alliances add


def test_SOE_13_2_1_a_special_action_places_a_marker():
    table = deluxe()
    table.say(A, Ally(place="local_mysore"))
    assert table.state.local_alliances == {"local_mysore": A} and table.state.turn.actions == 1
    assert table.lines()[-1] == "Austria forms the Mysore alliance."
    assert table.refusal(A, Ally(place="local_savoy")).rule == "SOE-6.3.2"
    assert table.allows(A, Build(unit="army", to=A)), "the other action is a regular one"


def test_SOE_13_2_2_a_place_holds_one_marker_and_an_area_has_several_places():
    table = deluxe(local={"local_denmark": B})
    assert not table.allows(A, Ally(place="local_denmark"))
    assert table.allows(A, Ally(place="local_sweden")), "the Baltic has two places"


def test_AMB_58_by_option_an_area_holds_one_marker():
    table = deluxe(local={"local_ottoman_empire": B}, options={"alliance.one_per": "area"})
    assert not table.allows(A, Ally(place="local_savoy")), "the Ottoman Empire also works in the Mediterranean"
    assert {option.place for option in table.options(A) if isinstance(option, Ally)} == set(PLACES) - {
        "local_savoy", "local_ottoman_empire"}


@pytest.mark.parametrize("place", PLACES)
def test_SOE_13_2_3_four_places_cost_a_coin_and_the_others_nothing(place):
    table = deluxe(gold=3)
    table.say(A, Ally(place=place))
    assert table.state.gold[A] == (2 if place in COSTLY else 3)


def test_SOE_3_2_10_who_must_tax_for_it_is_warned():
    table = deluxe(gold=0, options={"unrest.model": "count"})
    order = Ally(place="local_denmark")
    assert order.consequence(table.state, table.state.seat(A)) is not None
    assert Ally(place="local_sweden").consequence(table.state, table.state.seat(A)) is None
    table.say(A, order)
    assert (table.state.gold[A], table.state.unrest[A]) == (1, 1)


def test_SOE_13_2_5_the_markers_go_when_the_war_ends():
    table = deluxe(phase="war_end", local={"local_denmark": A, "local_savoy": B}, dice=FAIR)
    assert table.state.war == 2 and table.state.local_alliances == {}


def test_SOE_13_2_6_each_marker_in_the_area_adds_1_and_SOE_13_2_4_its_owner_needs_nothing_there():
    table = deluxe(units={A: {"army": {"baltic": 1}}}, markers={B: {"baltic": 1}}, dice=[EVEN],
                   local={"local_denmark": B, "local_sweden": B, "local_poland": B})
    table.say(A, Attack(area="baltic", target=B))
    assert table.strengths() == [(1, 2)], "SOE-13.3.8: on land they count without a unit"


def test_SOE_13_2_7_one_player_may_hold_them_all():
    table = deluxe(local=dict.fromkeys(set(PLACES) - {"local_mysore"}, A))
    table.say(A, Ally(place="local_mysore"))
    assert set(table.state.local_alliances.values()) == {A} and len(table.state.local_alliances) == 11


def test_SOE_13_3_7_a_marker_helps_its_owner_only():
    table = deluxe(powers=(A, B, C), rows=((A,), (B, C)), units={A: {"army": {"baltic": 2}}, C: {"army": {"baltic": 1}}},
                   markers={B: {"baltic": 1}}, local={"local_denmark": C}, dice=[EVEN])
    table.say(A, Attack(area="baltic", target=B))
    table.keep_silent("DP-05")
    assert table.strengths() == [(2, 0)]


def test_SOE_13_3_10_and_9_5_3_the_marker_of_the_ottoman_empire_helps_there_on_land_and_at_sea_in_the_mediterranean():
    fleet = {"army": {"mediterranean": 1, "ottoman_empire": 1}, "navy": {"mediterranean": 1}}
    table = deluxe(units={A: fleet, B: fleet}, local={"local_ottoman_empire": A}, dice=[EVEN] * 2)
    table.say(A, Attack(area="ottoman_empire", target=B))
    assert [(thrown.stage, thrown.parts[0]) for thrown in table.events(DiceRolled)] == [("land", (1, 0, 1, 0, 0))]
    table.say(A, Attack(area="mediterranean", target=B), Fight())
    table.say(B, Fight())
    assert table.asked() == [(A, "DP-17")]


def test_SOE_12_12_2_and_G_52_diplomatic_service_places_one_besides_the_special_action_of_the_turn():
    table = deluxe(tiles={A: {"diplomatic_service": 1}}, gold=5, neutrals={"india": ["pop"]})
    table.say(A, Ally(place="local_mysore"))
    service = Use(tile="diplomatic_service", on="local_denmark")
    assert service.cost(table.state, table.state.seat(A)) is not None
    table.say(A, service)
    assert table.state.local_alliances == {"local_mysore": A, "local_denmark": A}
    assert table.state.gold[A] == 4 and table.state.turn.actions == 1 and table.state.ready(A, "diplomatic_service") == 0
    assert table.refusal(A, Take(tile="reserves")).rule == "SOE-6.3.2"


def test_SOE_12_12_4_after_diplomatic_service_the_special_action_is_still_there():
    table = deluxe(tiles={A: {"diplomatic_service": 1}})
    table.say(A, Use(tile="diplomatic_service", on="local_savoy"))
    assert table.allows(A, Take(tile="reserves")) and table.allows(A, Ally(place="local_mysore"))


# --- options ----------------------------------------------------------------------------------------------

def test_in_a_game_with_tiles_nobody_is_offered_a_marker():
    table = scene()
    assert ELSE_FIRST in str(table.refusal(A, Ally(place="local_mysore")))
    assert not any(isinstance(option, Ally) for option in table.options(A))
    assert set(table.state.stock) >= TILES


@pytest.mark.parametrize("edition, mode, tiles", [("first", "tiles", True), ("first", "local", False),
                                                  ("deluxe_without_npp", "tiles", True), ("deluxe_without_npp", "local", False)])
def test_alliance_mode_says_whether_the_stock_has_alliance_tiles(edition, mode, tiles):
    parts = components(GAME, edition).parts
    new = GAME.rules.setup((Seat("seat_1"), Seat("seat_2")), GAME.rules.options(edition, {"alliance.mode": mode}), parts)
    assert bool(TILES & set(new.stock)) == tiles


@pytest.mark.parametrize("mode", ["tiles", "local"])
@pytest.mark.parametrize("cost, gold", [("printed", 4), ("places", 7)])
def test_alliance_cost_says_whose_price_is_paid(mode, cost, gold):
    pack: dict[str, Any] = {
        "tiles": [{"id": "alliance_denmark", "cost": {"gold": 4}}], "local_alliances": [{"id": "local_denmark", "gold": 7}]}
    table = scene(options={"alliance.mode": mode, "alliance.cost": cost}, pack=pack, gold=10)
    table.say(A, Ally(place="local_denmark") if mode == "local" else Take(tile="alliance_denmark"))
    assert table.events(GoldPaid) == [GoldPaid(power=A, gold=gold, taxed=0)]


def test_in_a_game_of_the_first_edition_with_local_alliances_a_marker_counts_as_the_tile_of_the_turn():
    table = scene(options={"alliance.mode": "local"}, neutrals={"india": ["pop"]})
    table.say(A, Ally(place="local_mysore"))
    assert table.refusal(A, Take(tile="banking")).rule == "SOE-6.2.2"


def test_a_marker_outlives_the_turn_and_helps_in_defence():
    table = deluxe(units={A: {"army": {"india": 1}}, B: {"army": {"india": 1}}}, dice=[EVEN])
    table.say(A, Ally(place="local_mysore"), End())
    table.say(B, Attack(area="india", target=A))
    assert [thrown.parts[1][ALLIANCES] for thrown in table.events(DiceRolled)] == [1]


def test_SOE_13_3_4_the_choice_binds_one_attack():
    fleet = {"army": {"india": 2}, "navy": {"india": 1}}
    table = deluxe(units={A: fleet, B: {**fleet, "navy": {"india": 2}}}, local={"local_mysore": A}, dice=[EVEN] * 3)
    table.say(A, Attack(area="india", target=B), Fight())
    table.say(B, Decline())
    assert table.events(DiceRolled)[-1].parts[0] == (2, 0, 1, 1, 0), "without a fight at sea it helps on land (SOE-13.3.6)"
