"""War tiles between the wars: layout, bonus tiles, upgrades (chapters 3, 5.10, 8.1, 14.10, 14.12, 17, 19.2)."""
from __future__ import annotations

from typing import Any

import pytest

from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.choices import Choose, ChooseSecretly
from engine.games.imperial_struggle.actions.rounds import EndRound, Pass, TakeTile
from engine.games.imperial_struggle.actions.tiles import AssignTiles, SwapTiles, TakeTreatyPoint, Upgrade
from engine.games.imperial_struggle.components import SIDES
from engine.games.imperial_struggle.events.base import binding
from engine.games.imperial_struggle.events.tiles import BonusTileDrawn, UpgradeDrawn
from engine.text import Reader, say
from tests.games.imperial_struggle.played import event
from tests.games.imperial_struggle.purchases import buy_tile, deploy, market, paid, politics
from tests.games.imperial_struggle.scene import FAIR, PARTS, Scene, scene

UP = "2 MP / 2 EP, event, upgrade"
EUROPE, SPAIN, QUEEN, REBELLION = "wss_central_europe", "wss_spain", "wss_queen_annes_war", "wss_jacobite_rebellion"
BASIC = [["basic_fr_04"], ["basic_fr_05"], ["basic_fr_08"], ["basic_fr_14"]]


def planning(tile: str = UP, *, tiles: list[list[str]] = BASIC, **fields: Any) -> Scene:
    """An action round of France with these war tiles in the theaters."""
    own = {"france": {"tiles": [list(there) for there in tiles], **fields.pop("france", {})}}
    return scene(active="france", tile=tile, own=own, **fields)


# --- bonus tiles (8.1) ------------------------------------------------------------------------------------------------

def test_IS_T08_an_upgrade_a_bonus_tile_and_a_deployment():
    tiles = [["basic_br_08"], ["basic_br_09"], ["basic_br_10"], ["basic_br_11"]]
    at = scene(active="britain", tile=UP, flags={"biscay": "france"}, dice=[(1,), (6,)],
               own={"britain": {"tiles": tiles, "debt": 3, "navy_box": 1}, "france": {"navy_box": 0}})
    at.say("britain", Upgrade(theater=EUROPE), ChooseSecretly(target="basic_br_01"), ChooseSecretly(target="gone"))
    at.say("britain", buy_tile(), Choose(target=EUROPE))
    at.say("britain", deploy("biscay", debt=3))
    own = at.state.own["britain"]
    assert own.tiles[0] == ["basic_br_01", "bonus_wss_br_06"] and own.debt == 6
    assert at.flag("biscay") == "britain" and at.state.own["france"].navy_box == 1
    assert len(own.basic_pool) + len(own.tiles) == 15
    assert [line.partition(":")[0].rstrip(".") for line in paid(at)] == [
        "Britain pays 2 MP for a bonus tile", "Britain pays 3 MP"]


def test_IS_8_1_1_at_most_two_are_bought_in_a_round():
    at = planning("4 MP / 2 EP", dice=FAIR, france={"trp": 4})
    at.say("france", buy_tile(), Choose(target=EUROPE), buy_tile(), Choose(target=SPAIN))
    assert at.refusal("france", buy_tile(trp=2)).rule == "IS-8.1.1"


def test_IS_8_1_2_and_17_5_the_tile_is_seen_by_its_owner_alone():
    at = planning("4 MP / 2 EP", dice=[(3,)])
    at.say("france", buy_tile())
    assert at.asked() == [("france", "IS-18.16")] and binding(at.events(BonusTileDrawn)[0]) == "draw"
    assert at.state.own["france"].drawn == ["bonus_wss_fr_03"] and "Berwick" not in " ".join(at.lines())
    assert "Your new bonus tile: Berwick +2." in at.private_lines("france")
    assert "Just drawn: Berwick +2." in private(at)
    at.say("france", Choose(target=QUEEN))
    assert at.state.own["france"].tiles[2] == ["basic_fr_08", "bonus_wss_fr_03"]
    assert "France puts a bonus tile into Queen Anne's War." in at.lines()
    seen = GAME.views.view(at.state, at.state.seat("britain"))
    assert "bonus_wss_fr_03" not in seen.model_dump_json() and seen.sides[1].theaters[2].bonus == 1


def private(at: Scene) -> str:
    """What the private message of France says."""
    told = GAME.views.private(at.state, at.state.seat("france"))
    assert told is not None
    return say(told, Reader(GAME.words.names(PARTS, at.state)))


def test_IS_18_16_the_default_is_the_theater_with_the_fewest_own_bonus_tiles():
    at = planning("4 MP / 2 EP", dice=FAIR, tiles=[["basic_fr_04", "bonus_wss_fr_01"], *BASIC[1:]])
    at.say("france", buy_tile())
    assert at.default("france") == Choose(target=SPAIN)


FULL = ["bonus_wss_fr_01", "bonus_wss_fr_07"]


def test_IS_8_1_4_an_older_tile_moves_out_of_a_full_theater():
    at = planning("4 MP / 2 EP", dice=FAIR, tiles=[["basic_fr_04", *FULL], *BASIC[1:]])
    at.say("france", buy_tile(), Choose(target=EUROPE))
    assert at.state.choice.targets == FULL and at.default("france") == ChooseSecretly(target="bonus_wss_fr_07")
    at.say("france", ChooseSecretly(target="bonus_wss_fr_01"))
    assert at.state.choice.targets == [SPAIN, QUEEN, REBELLION]
    at.say("france", Choose(target=REBELLION))
    own = at.state.own["france"]
    assert own.tiles[3] == ["basic_fr_14", "bonus_wss_fr_01"] and own.tiles[0][1] == "bonus_wss_fr_07" and own.drawn == []
    assert "France moves a bonus tile from Central Europe to the Jacobite Rebellion." in at.lines()


def test_IS_8_1_3_and_8_1_5_no_more_than_two_in_each_theater():
    tiles = [[basic, f"bonus_wss_fr_{2 * at + 1:02}", f"bonus_wss_fr_{2 * at + 2:02}"] for at, [basic] in enumerate(BASIC)]
    at = planning("4 MP / 2 EP", tiles=tiles)
    assert at.refusal("france", buy_tile()).rule == "IS-8.1.5"
    at = planning("4 MP / 2 EP", tiles=[tiles[0], tiles[1], tiles[2], ["basic_fr_14", "bonus_wss_fr_07"]], byng=4, dice=FAIR)
    at.say("france", buy_tile(), Choose(target=REBELLION))
    assert len(at.state.own["france"].tiles[3]) == 3


def test_IS_8_1_6_tiles_of_events_do_not_count_as_bought():
    at = event(14, "france", tile="3 EP / 2 MP, event", flags={"ireland_prestige": "france"}, dice=FAIR)
    assert len(at.state.own["france"].tiles[3]) == 2 and at.state.current.tiles_bought == 0


def test_IS_8_1_no_bonus_tiles_on_T6():
    at = scene(active="france", tile="4 MP / 2 EP", turn="T6")
    assert at.refusal("france", buy_tile()).rule == "IS-8.1"


def test_IS_14_10_3_tiles_of_the_war_before_are_drawn_when_the_first_round_of_T4_begins():
    at = scene(active="france", turn="T4", own={"france": {"carry_over": 2}, "britain": {"carry_over": 1}}, dice=FAIR)
    assert at.asked() == [("france", "IS-18.4")] and len(at.state.own["france"].drawn) == 1
    at.say("france", Choose(target="7yw_atlantic_dominance"))
    assert at.asked() == [("france", "IS-18.4")]
    at.say("france", Choose(target="7yw_atlantic_dominance"))
    assert at.asked() == [("france", "IS-18.6")] and len(at.state.own["france"].tiles[0]) == 2
    assert at.state.own["france"].carry_over == 0
    at.say("france", TakeTile(tile=at.state.available[0]), Pass())
    assert at.asked() == [("britain", "IS-18.4")]


# --- the upgrade (5.10) -----------------------------------------------------------------------------------------------

def test_IS_5_10_1_one_of_two_tiles_is_kept():
    at = planning(dice=[(1,)])
    at.say("france", Upgrade(theater=SPAIN))
    assert at.state.choice.targets == ["basic_fr_05", "basic_fr_01"]
    assert at.default("france") == ChooseSecretly(target="basic_fr_01")
    at.say("france", ChooseSecretly(target="basic_fr_05"))
    assert at.default("france") == ChooseSecretly(target="pool")
    at.say("france", ChooseSecretly(target="pool"))
    own = at.state.own["france"]
    assert own.tiles == BASIC and "basic_fr_01" in own.basic_pool and len(own.basic_pool) == 12 and own.drawn == []


def test_IS_5_10_2_the_new_tile_stays_and_the_old_one_leaves_the_game():
    at = planning(dice=[(1,)])
    at.say("france", Upgrade(theater=SPAIN), ChooseSecretly(target="basic_fr_01"), ChooseSecretly(target="gone"))
    own = at.state.own["france"]
    assert own.tiles[1] == ["basic_fr_01"] and "basic_fr_05" not in own.basic_pool and len(own.basic_pool) == 11


@pytest.mark.parametrize("pool, may", [(["basic_fr_01"], True), ([], False)])
def test_IS_5_10_2_four_basic_tiles_must_remain(pool, may):
    tiles = [["basic_fr_04"], ["basic_fr_05"], ["basic_fr_08"], []]
    at = planning(dice=[(1,)] if pool == [] else [(2,)], tiles=tiles, france={"basic_pool": [*pool, "basic_fr_02"]})
    at.say("france", Upgrade(theater=SPAIN), ChooseSecretly(target="basic_fr_02"))
    assert at.state.choice.targets == (["pool", "gone"] if may else ["pool"])
    assert at.asked() == [("france", "IS-18.17")]                                   # asked either way [IS-17.4]


def test_IS_5_10_3_an_empty_pool_allows_no_upgrade():
    at = planning(france={"basic_pool": []})
    assert at.refusal("france", Upgrade(theater=SPAIN)).rule == "IS-5.10.3" and not at.offered("france", Upgrade)


def test_IS_5_10_6_once_and_it_closes_the_open_action():
    at = planning("2 DP / 2 MP, event, upgrade", dice=FAIR, flags={"sardinia": "", "savoy": "", "sweden": ""})
    at.say("france", politics("sardinia"))
    assert at.state.current.open == "major"
    assert Upgrade(theater=SPAIN).consequence(at.state, at.state.seat("france")) is None
    at.say("france", Upgrade(theater=SPAIN))
    at.say("france", at.default("france"), ChooseSecretly(target="pool"))
    assert (at.state.current.open, at.state.current.closed) == ("", ["major", "upgrade"])
    assert at.refusal("france", Upgrade(theater=QUEEN)).rule == "IS-5.10.6"
    assert not at.allows("france", politics("savoy", trp=0, debt=2))                # the major action is over


def test_IS_5_5_5_the_upgrade_warns_before_points_are_given_up():
    at = planning("2 DP / 2 MP, event, upgrade", dice=FAIR)
    assert Upgrade(theater=SPAIN).consequence(at.state, at.state.seat("france")) is None
    at = planning("2 EP / 2 DP, event, upgrade", dice=FAIR, flags={"antigua": "britain", "martinique": "france"},
                  conflict=["antigua"])
    at.say("france", market("antigua"))
    warned = Upgrade(theater=SPAIN).consequence(at.state, at.state.seat("france"))
    assert warned is not None
    at.say("france", Upgrade(theater=SPAIN))
    assert "France gives up 1 action point." in at.lines()


def test_IS_5_10_only_tiles_with_the_symbol():
    at = planning("4 MP / 2 EP")
    assert at.refusal("france", Upgrade(theater=SPAIN)).rule == "IS-5.10"
    assert at.refusal("france", TakeTreatyPoint()).rule == "IS-5.10"


def test_IS_5_10_5_17_4_and_R_37_others_learn_the_theater_alone():
    at = planning(dice=[(1,)])
    at.say("france", Upgrade(theater=SPAIN))
    assert binding(at.events(UpgradeDrawn)[0]) == "draw" and "You drew the basic tile +2." in at.private_lines("france")
    before = GAME.views.view(at.state, at.state.seat("britain"))
    at.say("france", ChooseSecretly(target="basic_fr_01"), ChooseSecretly(target="gone"))
    assert at.lines()[-1] == "France makes a military upgrade in the Theater of Spain."
    after = GAME.views.view(at.state, at.state.seat("britain"))
    assert after.sides == before.sides and at.private_lines("britain") == []
    assert "In the Theater of Spain you keep the basic tile +2; the tile +1 leaves the game." in at.private_lines("france")


def test_IS_5_10_an_upgrade_of_an_earlier_game_is_told_and_stored_as_it_was():
    at = planning(dice=[(1,)], rules_version=0)
    at.say("france", Upgrade(theater=SPAIN))
    assert "France makes a military upgrade in theater 2 of the next war." in at.lines()
    assert '"war"' not in at.events(UpgradeDrawn)[0].stored()


def test_IS_5_10_4_on_T6_the_symbol_is_a_treaty_point():
    at = scene(active="france", tile="2 DP / 2 MP, event, upgrade", turn="T6", flags={"sardinia": "", "sweden": ""})
    assert at.refusal("france", Upgrade(theater=SPAIN)).rule == "IS-5.10.4"
    at.say("france", politics("sardinia"), TakeTreatyPoint())
    assert at.state.own["france"].trp == 1 and at.state.current.open == "major"     # it closes nothing [IS-5.10.6]
    assert at.refusal("france", TakeTreatyPoint()).rule == "IS-5.10.6"
    at.say("france", EndRound())
    assert at.state.own["france"].trp == 1


def test_IS_5_10_4_on_T6_the_end_of_the_round_takes_it_and_passing_does_not():
    for answer, trp in ((EndRound(), 1), (Pass(), 0)):
        at = scene(active="france", tile="2 DP / 2 MP, event, upgrade", turn="T6")
        at.say("france", answer)
        assert at.state.own["france"].trp == trp


def test_IS_5_10_4_after_the_treaty_point_nobody_passes():
    at = scene(active="france", tile="2 DP / 2 MP, event, upgrade", turn="T6")
    at.say("france", TakeTreatyPoint())
    assert not at.allows("france", Pass()) and at.state.current.event_over


# --- layout (3.7, 3.8, 14.12) -----------------------------------------------------------------------------------------

def test_IS_3_6_to_3_8_the_first_layout():
    at = scene(phase="layout", dice=FAIR)
    for side, counts in zip(SIDES, ([1, 1, 1, 1], [2, 1, 1, 1]), strict=True):
        own = at.state.own[side]
        assert [len(there) for there in own.tiles] == counts and len(own.basic_pool) == 12
        assert len(own.bonus_pool) == (12 if side == "britain" else 11)
    assert "France puts a bonus tile into Central Europe." in at.lines() and at.state.turn == "T1"


# --- military planning (19.2) -----------------------------------------------------------------------------------------

def test_IS_19_2_an_upgrade_may_swap_two_tiles():
    at = planning(options={"swap_tiles": True})
    at.say("france", SwapTiles(first=EUROPE, second=REBELLION))
    assert at.state.own["france"].tiles == [["basic_fr_14"], ["basic_fr_05"], ["basic_fr_08"], ["basic_fr_04"]]
    assert at.lines()[-1] == "France swaps two of its basic tiles."
    assert not at.offered("france", Upgrade) and at.state.current.closed == ["upgrade"]


def test_IS_19_2_swapping_is_an_option():
    at = planning()
    assert at.refusal("france", SwapTiles(first=EUROPE, second=SPAIN)).rule == "IS-19.2" and not at.offered("france", SwapTiles)
    at = planning(options={"swap_tiles": True})
    assert at.refusal("france", SwapTiles(first=SPAIN, second=EUROPE)).rule == "IS-19.2" and at.offered("france", Upgrade)


def test_IS_19_2_each_side_assigns_its_basic_tiles_at_layout():
    at = scene(phase="layout", dice=FAIR, options={"assign_tiles": True})
    assert sorted(at.asked()) == [("britain", "IS-19.2"), ("france", "IS-19.2")]
    drawn = list(at.state.own["france"].drawn)
    assert len(drawn) == 4 and at.default("france") == AssignTiles(tiles=tuple(drawn))
    assert GAME.views.view(at.state, at.state.seat("france")).own_drawn == tuple(drawn)
    assert not at.allows("france", AssignTiles(tiles=tuple(drawn[:3])))
    wanted = at.offered("france", AssignTiles)[-1]
    at.say("france", wanted)
    at.say("britain", at.default("britain"))
    own = at.state.own["france"]
    assert tuple(there[0] for there in own.tiles) == wanted.tiles and own.drawn == [] and len(own.tiles[0]) == 2


def test_IS_19_2_tiles_that_look_the_same_are_not_assigned_in_two_ways():
    dice = [(1, 1, 4, 1), (1, 1, 1, 1), (1,)]               # Britain +2, +2, +1, +2; France +2, +2, +2, +1
    at = scene(phase="layout", dice=dice, options={"assign_tiles": True})
    assert [len(at.options(side)) for side in ("britain", "france")] == [4, 4]
    drawn = at.state.own["france"].drawn
    assert not at.allows("france", AssignTiles(tiles=(drawn[1], drawn[0], *drawn[2:])))
