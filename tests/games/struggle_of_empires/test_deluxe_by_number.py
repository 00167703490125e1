"""Rules of the Deluxe edition that no golden example shows, each by its number."""
from __future__ import annotations

from typing import Any

import pytest

from engine.components import components
from engine.dice import SecretDice
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import (
    Attack,
    Bid,
    Build,
    Colonise,
    Decline,
    End,
    Enslave,
    Mend,
    Move,
    Pass,
    Take,
    Use,
)
from engine.games.struggle_of_empires.events import AuctionBegun, DiceRolled, NeutralsPlaced, SupportGained
from engine.games.struggle_of_empires.rules.war_end import area_points
from engine.selfplay import new_table
from tests.scene import FAIR, Scene, deluxe

A, B, C = "austria", "britain", "france"
PARTS = components(GAME, "deluxe").parts
EVEN = (1, 1, 1, 1)
ARROW, CROSS = 5, 6             # of the Far Lands die: four ticks, then one of each
SAILS = Move(unit="navy", origin="baltic", to="india")


def afloat(throw: int, **position: Any) -> Scene:
    """A navy of Austria on its way from the Baltic to India."""
    table = deluxe(units={A: {"navy": {"baltic": 1}}}, dice=[(throw,)], **position)
    table.say(A, SAILS)
    return table


# --- components and setup -----------------------------------------------------------------------------------

def test_SOE_1_3_2_the_classes_of_tiles_two_tokens_and_places_instead_of_alliance_tiles():
    kinds = {tile.kind for tile in PARTS.tiles if tile.kind != "alliance"}
    assert kinds == {"improvement", "free_action", "company", "military_tactics", "immediate"}
    assert {token.id: token.strength for token in PARTS.covert_tokens} == {"pirates": 1, "slave_revolt": 3}
    state = deluxe().state
    assert not any(PARTS.tile[tile].kind == "alliance" or tile in ("pirates", "slave_revolt") for tile in state.stock)
    assert len(PARTS.local_alliances) > 0 and state.local_alliances == {}


@pytest.mark.parametrize("players, number", [(2, 4), (3, 6), (4, 8), (5, 9), (6, 9), (7, 10)])
def test_SOE_2_1_3_SOE_4_2_3_neutral_markers_by_the_number_of_players(players, number):
    table = new_table(GAME, players, "deluxe_without_npp", PARTS, SecretDice("11" * 32))
    while not (over := table.over) and table.state.war < 3:
        seat = table.waiting()[0].seat
        table.answer(seat, table.default(seat))
    placed = [len(event.markers) for entry in table.fresh for event in entry.events if isinstance(event, NeutralsPlaced)]
    assert not over and placed == [number] * 3


def test_SOE_5_4_4_the_last_of_the_new_order_opens_the_next_war():
    table = deluxe(powers=(A, B, C), phase="auction", rows=((C,), (A,)), dice=FAIR)
    table.say(A, Bid(gold=0, a=B, b=""))
    table.say(B, Pass())
    table.say(C, Pass())
    assert table.state.order == [C, A, B]
    table.keep_silent(until="DP-03")
    assert table.asked() == [(B, "DP-03")] and table.events(AuctionBegun)[-1].opener == table.state.powers.index(B)


# --- the turn -----------------------------------------------------------------------------------------------

REGULAR = (Build(unit="army", to=A), Move(unit="army", origin="baltic", to="german_states"), Attack(area="india", target=B),
           Pass())
SPECIAL = (Colonise(area="africa"), Enslave(area="africa"), Take(tile="banking"))


def busy() -> Scene:
    """Austria could do anything; with a tile to use, its turn does not end by itself."""
    return deluxe(units={A: {"army": {"baltic": 2, "india": 5}, "navy": {"africa": 1}}}, markers={B: {"india": 3}},
                  neutrals={"africa": ["pop", "slaves"]}, tiles={A: {"mercenaries": 1}}, dice=FAIR, gold=20)


@pytest.mark.parametrize("answer", REGULAR)
def test_SOE_6_3_1_SOE_6_3_3_a_regular_action_may_be_done_twice(answer):
    table = busy()
    for left in (1, 0):
        table.say(A, answer)
        while table.asked()[0][1] not in ("DP-05", "DP-06") and table.asked()[0][0] == A:
            table.say(A, Decline() if Decline() in table.options(A) else table.default(A))
        assert table.state.turn.actions == left


@pytest.mark.parametrize("first", SPECIAL)
def test_SOE_10_1_7_colonising_commerce_and_a_tile_are_special_actions_of_which_a_turn_has_one(first):
    table = busy()
    table.say(A, first)
    for second in SPECIAL:
        assert table.refusal(A, second).rule == "SOE-6.3.2"
    assert all(table.allows(A, answer) for answer in REGULAR)


def test_SOE_8_2_6_an_army_may_go_to_any_european_area_without_condition():
    table = deluxe(units={A: {"army": {"baltic": 1}}})
    ways = {option.to for option in table.options(A) if isinstance(option, Move)}
    assert ways == {A} | {area.id for area in PARTS.areas if area.zone == "europe"} - {"baltic"}


# --- crossings ----------------------------------------------------------------------------------------------

def test_SOE_8_4_2_the_faces_of_the_die_are_those_of_the_data():
    pack = {"far_lands_die": [{"id": "green_check", "count": 1}, {"id": "orange_arrow", "count": 1},
                              {"id": "red_cross", "count": 3}]}
    assert afloat(1, pack=pack).units(A, "navy", "india") == 1
    assert afloat(2, pack=pack).options(A) == (Mend(to="ok", gold=1), Decline())
    for cross in (3, 4, 5):
        assert Mend(to="back", gold=2) in afloat(cross, pack=pack).options(A)


def test_SOE_8_4_3_an_arrow_is_turned_into_a_tick_for_1_gold():
    table = afloat(ARROW, gold=4)
    assert table.options(A) == (Mend(to="ok", gold=1), Decline()) and table.default(A) == Decline()
    table.say(A, Mend(to="ok", gold=1))
    assert (table.units(A, "navy", "india"), table.state.gold[A]) == (1, 3)
    table = afloat(ARROW, gold=4)
    table.say(A, Decline())
    assert (table.units(A, "navy", "baltic"), table.state.gold[A]) == (1, 4)


@pytest.mark.parametrize("answer, place, gold, unrest", [
    (Mend(to="back", gold=2), "baltic", 2, False), (Mend(to="ok", gold=3), "india", 1, False), (Decline(), "", 4, True)])
def test_SOE_8_4_4_SOE_8_4_5_a_cross_into_an_arrow_for_2_or_a_tick_for_3_in_one_answer(answer, place, gold, unrest):
    table = afloat(CROSS, gold=4)
    assert set(table.options(A)) == {Mend(to="back", gold=2), Mend(to="ok", gold=3), Decline()}
    table.say(A, answer)
    assert table.state.units[A]["navy"] == ({place: 1} if place else {}) and table.state.gold[A] == gold
    assert bool(table.private_lines(A)) == unrest, "a lost unit costs an unrest marker, a rescued one does not"
    assert not any(isinstance(option, Mend) for option in table.options(A)), "what was bought cannot be mended further"


def test_SOE_8_4_7_SOE_12_11_2_navigation_saves_1_gold_and_mends_an_arrow_unasked():
    table = afloat(ARROW, tiles={A: {"navigation": 1}}, gold=4)
    assert (table.units(A, "navy", "india"), table.state.gold[A]) == (1, 4) and not table.state.turn.failed
    table = afloat(CROSS, tiles={A: {"navigation": 1}}, gold=4)
    assert set(table.options(A)) == {Mend(to="back", gold=1), Mend(to="ok", gold=2), Decline()}


# --- attacks ------------------------------------------------------------------------------------------------

def test_SOE_9_5_3_no_naval_stage_and_no_support_in_the_ottoman_empire():
    table = deluxe(units={A: {"army": {"ottoman_empire": 1}, "navy": {"mediterranean": 1}}, B: {"navy": {"mediterranean": 1}}},
                   markers={B: {"ottoman_empire": 1}}, dice=[EVEN])
    table.say(A, Attack(area="ottoman_empire", target=B))
    assert [thrown.stage for thrown in table.events(DiceRolled)] == ["land"] and table.events(SupportGained) == []


@pytest.mark.parametrize("units, bonus", [({"fort": {"india": 1}}, 0), ({"army": {"india": 1}}, 1),
                                          ({"army": {"india": 1}, "fort": {"india": 1}}, 1)])
def test_SOE_12_1_4_army_training_needs_an_own_army_a_fort_is_not_enough(units, bonus):
    table = deluxe(units={A: {"army": {"india": 1}}, B: units}, tiles={B: {"army_training": 1}}, dice=[EVEN])
    table.say(A, Attack(area="india", target=B))
    assert table.events(DiceRolled)[0].parts[1][1] == bonus


# --- tiles --------------------------------------------------------------------------------------------------


def test_SOE_11_3_2_an_improvement_works_all_the_time():
    table = deluxe(tiles={A: {"militia": 1}}, gold=5, population=9)
    for built in (2, 4):
        table.say(A, Build(unit="army", to=A), Build(unit="army", to=A))
        assert table.units(A, "army", A) == built
    assert table.state.used[A] == {}


def test_SOE_11_3_3_a_tactics_tile_is_kept_until_used_and_a_blockade_goes_back_with_the_war():
    table = deluxe(units={A: {"navy": {"india": 1}}}, tiles={A: {"blockade": 1, "surprise_attack": 1}}, dice=FAIR)
    table.say(A, Use(tile="blockade", on="india"))
    assert table.state.blockades == {"india": [A]} and table.state.owned(A, "blockade") == 0
    table.say(A, End())
    table.keep_silent(until="DP-03")
    assert table.state.war == 2 and table.state.blockades == {}
    assert table.state.stock["blockade"] == PARTS.tile["blockade"].count and table.state.owned(A, "surprise_attack") == 1


@pytest.mark.parametrize("tile", [tile.id for tile in PARTS.tiles if tile.kind == "immediate"])
def test_SOE_11_3_4_an_immediate_tile_leaves_the_game(tile):
    table = deluxe(gold=9)
    before = table.state.stock[tile]
    table.say(A, Take(tile=tile))
    assert table.state.stock.get(tile, 0) == before - 1 and table.state.owned(A, tile) == 0


@pytest.mark.parametrize("before, after", [(5, 3), (1, 0), (0, 0)])
def test_SOE_12_14_2_government_reform_takes_off_points_of_value(before, after):
    table = deluxe(unrest={A: before})
    bag = dict(table.state.unrest_bag)
    table.say(A, Take(tile="government_reform"))
    assert table.state.unrest[A] == after and table.state.unrest_bag == bag, "nothing goes back into the bag (SOE-3.3.10)"


# --- the end of a war and of the game -----------------------------------------------------------------------

def test_SOE_17_4_6_ties_among_players_alone_are_as_ever():
    assert area_points((8, 5, 3), {A: 2, B: 2, C: 1}) == {A: 8, B: 8, C: 5}
