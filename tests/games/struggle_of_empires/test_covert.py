"""Chapter 14 in the Deluxe edition: Pirates and the revolt as tokens, and Pirates that are beaten at sea."""
from __future__ import annotations

from typing import Any

import pytest

from engine.components import bound, components
from engine.dice import LoadedDice
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, Build, Commit, Covert, End, Pass, Take
from engine.games.struggle_of_empires.events import Captured, DiceRolled, GoldPaid, SupportGained, TokenBack, UnitLost
from engine.games.struggle_of_empires.orders import ORDERING
from engine.kernel import Checkpoint, Table
from tests.scene import Scene, scene

A, B, C = "austria", "britain", "france"
EVEN, WON = (1, 1, 1, 1), (1, 2, 1, 1)
RAID = Covert(token="pirates", area="india", target=B)
RISING = Covert(token="slave_revolt", area="caribbean", target=B)
HELD: dict[str, Any] = {"captives": {"pirates": ("india", B)}}
HUNT = Attack(area="india", target="pirates")


def deluxe(**position: Any) -> Scene:
    """The Deluxe edition, its unrest counted and not drawn."""
    return scene(edition="deluxe_without_npp", **{
        **position, "options": {"unrest.model": "count", **position.get("options", {})}})


# --- using a token (14.1, 14.2, 14.3) -----------------------------------------------------------------------

def test_SOE_14_1_2_and_14_1_6_a_token_costs_the_special_action_and_nothing_else():
    table = deluxe(markers={B: {"india": 1}}, dice=[WON])
    before = table.state.model_dump_json()
    assert RAID.outlook(table.state, table.state.seat(A)) is not None and table.state.model_dump_json() == before
    table.say(A, RAID)
    assert table.state.captives["pirates"].power == B and table.events(GoldPaid) == []
    assert table.state.turn.actions == 1 and table.state.tiles[A] == {}
    assert table.refusal(A, Take(tile="reserves")).rule == "SOE-6.3.2"
    assert table.allows(A, Build(unit="army", to=A))
    assert "pirates" not in table.state.stock


def test_SOE_14_2_10_a_beaten_token_goes_back_and_is_not_used_again_by_him_in_this_round():
    table = deluxe(markers={B: {"india": 1}, A: {"india": 1}}, units={B: {"navy": {"india": 2}}}, dice=[EVEN])
    table.say(A, RAID)
    assert table.events(TokenBack) == [TokenBack(power=A, token="pirates")] and table.state.captives == {}
    assert table.refusal(A, RAID).rule == "SOE-14.2.10"
    table.say(A, End())
    assert table.allows(B, Covert(token="pirates", area="india", target=A)), "somebody else may (AMB-78)"
    table.say(B, End())
    assert table.state.tried == {} and table.allows(A, RAID)


def test_covert_retry_after_failure_by_the_limit_of_the_turn_only():
    table = deluxe(markers={B: {"india": 1}}, units={B: {"navy": {"india": 2}}}, dice=[EVEN],
                   options={"covert.retry_after_failure": "tile_limit"})
    table.say(A, RAID)
    assert table.state.tried == {}
    assert table.refusal(A, RAID).rule == "SOE-6.3.2"


def test_SOE_14_2_2_a_marker_of_an_ally_may_be_named():
    table = deluxe(powers=(A, B, C), rows=((A, B), (C,)), markers={B: {"india": 1}}, dice=[WON])
    table.say(A, RAID)
    assert table.events(Captured)[0].power == B


def test_SOE_15_1_5_the_use_of_a_token_counts_as_an_attack():
    quiet = deluxe(unrest=3)
    quiet.say(A, Pass(), Build(unit="army", to=A))
    quiet.keep_silent("DP-05")
    raiding = deluxe(unrest=3, markers={B: {"india": 1}}, dice=[WON])
    raiding.say(A, Pass(), RAID)
    assert quiet.state.unrest[A] == 2, "one action passed and no attack made"
    assert raiding.state.unrest[A] == 3


@pytest.mark.parametrize("counts", [False, True])
def test_SOE_14_3_4_naval_support_counts_against_a_rising_by_option(counts):
    table = deluxe(markers={B: {"caribbean": 1}}, units={B: {"army": {"caribbean": 1}, "navy": {"caribbean": 2}}}, dice=[EVEN],
                   options={"covert.revolt_counts_naval_support": counts})
    table.say(A, RISING)
    assert table.strengths() == [(3, 2 if counts else 1)]
    assert table.events(SupportGained) == ([SupportGained(side=B)] if counts else [])


def test_SOE_14_3_6_in_a_tie_with_a_rising_a_fort_falls_to_a_7():
    table = deluxe(markers={B: {"caribbean": 1}}, units={B: {"fort": {"caribbean": 1}}}, dice=[(1, 1, 3, 4)])
    table.say(A, RISING)
    assert table.strengths() == [(3, 3)] and table.state.captives == {}
    (lost,) = table.events(UnitLost)
    assert (lost.owner, lost.unit, lost.dice, table.state.unrest[B]) == (B, "fort", 7, 1)


def test_the_strength_of_a_token_is_that_of_the_data():
    table = deluxe(markers={B: {"india": 1}}, dice=[EVEN], pack={"covert_tokens": [{"id": "pirates", "strength": 4}]})
    table.say(A, RAID)
    assert table.strengths() == [(4, 0)]


def test_a_game_that_began_without_tokens_in_its_components_still_knows_their_strength():
    raw = {name: body for name, body in components(GAME, "first").raw.items() if name != "covert_tokens"}
    old = scene(markers={B: {"india": 1}}, dice=[WON])
    table = Table(GAME, bound(GAME, raw).parts, Checkpoint(0, 0, old.state.model_dump_json()), dice=LoadedDice(WON),
                  checkpoints=False)
    table.answer(table.state.seat(A), Take(tile="pirates", area="india", target=B))
    assert table.state.captives["pirates"].power == B
    assert table.state.token_strength("slave_revolt") == 3


@pytest.mark.parametrize("mode, tile", [("tiles", True), ("tokens", False)])
@pytest.mark.parametrize("edition", ["first", "deluxe_without_npp"])
def test_covert_mode_says_whether_they_are_tiles(edition, mode, tile):
    table = scene(edition=edition, options={"covert.mode": mode}, markers={B: {"india": 1}}, dice=[WON])
    assert ("pirates" in table.state.stock) == tile
    offered = [type(option) for option in table.options(A) if getattr(option, "area", "") == "india"]
    assert (Covert in offered) == (not tile) and (Take in offered) == tile
    table.say(A, Take(tile="pirates", area="india", target=B) if tile else RAID)
    assert table.state.captives["pirates"].power == B and table.state.owned(A, "pirates") == 0


# --- beating them (14.4) ------------------------------------------------------------------------------------

def test_SOE_14_4_11_pirates_are_beaten_at_sea_with_training_and_alliances_and_without_support():
    table = deluxe(**HELD, units={A: {"navy": {"india": 1}}}, dice=[EVEN], tiles={A: {"naval_training": 1, "army_training": 1}},
                   local={"local_mysore": A})
    table.say(A, HUNT)
    (thrown,) = table.events(DiceRolled)
    assert (thrown.stage, thrown.parts) == ("sea", ((1, 1, 1, 0, 0), (1, 0, 0, 0, 0)))
    assert table.markers(A, "india") == 1 and table.state.captives == {} and table.state.markers_on_map(B) == 0
    assert table.state.gold[A] == 8, "SOE-14.4.5"
    assert table.events(SupportGained) == []


def test_SOE_14_4_8_the_token_can_be_used_again_when_it_is_beaten():
    table = deluxe(**HELD, units={A: {"navy": {"india": 2}}}, markers={B: {"africa": 1}}, dice=[EVEN])
    again = Covert(token="pirates", area="africa", target=B)
    assert table.refusal(A, again).rule == "SOE-14.1.4"
    table.say(A, HUNT)
    assert table.allows(A, again) and "pirates" not in table.state.stock


def test_SOE_14_4_13_armies_make_no_difference_and_allies_may_send_navies():
    both = {"army": {"india": 3}, "navy": {"india": 1}}
    table = deluxe(powers=(A, B, C), rows=((A, C), (B,)), **HELD, units={A: both, C: both}, dice=[EVEN])
    table.say(A, HUNT)
    assert set(table.options(C)) == {Commit(armies=0, navies=0), Commit(armies=0, navies=1)}
    table.say(C, Commit(armies=0, navies=1))
    assert table.strengths() == [(2, 1)] and table.markers(A, "india") == 1


def test_what_a_hunt_may_ask_is_foreseen():
    at = {"powers": (A, B, C), "rows": ((A, C), (B,)), "units": {power: {"navy": {"india": 1}} for power in (A, C)}}
    table = deluxe(**HELD, **at, tiles={A: {"reserves": 1, "blockade": 1}}, dice=[(1, 1, 1, 3)])
    table.say(A, HUNT)
    assert ORDERING.foreseen(table.state) == {table.state.seat(C): ("DP-12",), table.state.seat(A): ("DP-20",)}
    table.say(C, Commit(armies=0, navies=0))
    assert table.asked() == [(A, "DP-20")]


def test_SOE_14_4_13_an_army_alone_cannot_and_a_navy_of_an_ally_is_not_enough():
    table = deluxe(powers=(A, B, C), rows=((A, C), (B,)), **HELD, units={A: {"army": {"india": 3}}, C: {"navy": {"india": 1}}})
    assert table.refusal(A, HUNT).rule == "SOE-14.4.13"


def test_a_lost_hunt_costs_a_navy_and_leaves_the_captive():
    table = deluxe(**HELD, units={A: {"navy": {"india": 1}}}, dice=[(1, 1, 1, 3)])
    table.say(A, HUNT)
    assert table.strengths() == [(1, 3)] and table.events(UnitLost) == [UnitLost(owner=A, unit="navy", area="india")]
    assert table.state.captives["pirates"].power == B and table.state.unrest[A] == 1


def test_a_revolt_is_beaten_on_land_in_both_editions():
    table = deluxe(captives={"slave_revolt": ("caribbean", B)}, dice=[EVEN],
                   units={A: {"army": {"caribbean": 4}, "navy": {"caribbean": 1}}})
    table.say(A, Attack(area="caribbean", target="slave_revolt"))
    assert table.strengths() == [(5, 3)] and table.events(DiceRolled)[0].stage == "land"
    assert deluxe(captives={"slave_revolt": ("caribbean", B)}, units={A: {"navy": {"caribbean": 1}}}).refusal(
        A, Attack(area="caribbean", target="slave_revolt")).rule == "SOE-9.2.6"


@pytest.mark.parametrize("edition", ["first", "deluxe_without_npp"])
@pytest.mark.parametrize("beaten_by, stage, strength", [("land", "land", 3), ("sea", "sea", 1)])
def test_covert_pirates_beaten_by(edition, beaten_by, stage, strength):
    table = scene(edition=edition, options={"covert.pirates_beaten_by": beaten_by}, **HELD, dice=[EVEN],
                  units={A: {"army": {"india": 2}, "navy": {"india": 1}}})
    table.say(A, HUNT)
    assert [thrown.stage for thrown in table.events(DiceRolled)] == [stage] and table.strengths() == [(strength, 1)]
