"""Chapter 13: every event, both halves, base effect and bonus."""
from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.games.imperial_struggle.actions.advantages import UseAdvantage
from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.choices import Choose, ChooseSecretly
from engine.games.imperial_struggle.components import SIDES, Side, foe
from engine.games.imperial_struggle.player import solid
from engine.players import position
from engine.text import English, say
from tests.games.imperial_struggle.played import event, grants, plays, targets
from tests.games.imperial_struggle.purchases import build, clear, deploy, fort, market, paid, politics
from tests.games.imperial_struggle.scene import PARTS, scene

INDIA, CARIBBEAN, EUROPE = {"region": "india"}, {"region": "caribbean"}, {"region": "europe"}


# --- Succession ---------------------------------------------------------------------------------------------------

@plays("ev_01")
def test_ev_01_a_marker_for_each_local_alliance():
    at = event(1, "france", "west_bengal", "maratha", flags={"maratha": "france", "nizam": "france"})
    assert list(at.state.conflict) == ["west_bengal", "maratha"]


def test_IS_13_14_an_alliance_under_a_marker_is_not_counted():
    at = event(1, "france", "west_bengal", flags={"maratha": "france", "nizam": "france"}, conflict=["nizam"])
    assert list(at.state.conflict) == ["nizam", "west_bengal"] and not targets(at)


@plays("ev_01 bonus")
def test_ev_01_bonus_a_fort_or_a_cotton_market_in_India():
    at = event(1, "france", "damage_fort", bonus=True, flags={"arcot": "britain", "louisbourg": "britain"})
    assert at.state.damaged == ["arcot"]
    at = event(1, "france", bonus=True, flags={"louisbourg": "britain"})        # no fort in India: the market alone [IS-13.15]
    assert set(targets(at)) == {"midnapore", "west_bengal", "kurpa", "vellore"}
    at.say("france", Choose(target="kurpa"))
    assert at.flag("kurpa") == "france"


@plays("ev_02 britain", "ev_02 britain bonus")
def test_ev_02_britain():
    at = event(2, "britain")
    assert grants(at) == [("1 DP", {"action": "unflag", **EUROPE})] and at.state.vp == 15
    at = event(2, "britain", bonus=True, flags={"scotland_prestige": "britain"})
    assert at.state.vp == 13


@plays("ev_02 france", "ev_02 france bonus")
def test_ev_02_france():
    assert grants(event(2, "france")) == [("2 DP", {})]
    at = event(2, "france", bonus=True, flags={"ireland_prestige": "france"})
    assert targets(at) == ["dutch_prestige", "german_states_alliance_3"]        # the British flag in Austria stays
    at.say("france", Choose(target="dutch_prestige"))
    assert at.flag("dutch_prestige") == ""


def test_IS_0_6_a_level_comparison_brings_no_bonus():
    event(2, "france", bonus=False, flags={"ireland_prestige": "france", "scotland_prestige": "britain"})


@plays("ev_03", "ev_03 bonus")
def test_IS_T12_both_flags_go():
    at = event(3, "france", flags={"georgia": ""})
    assert targets(at) == ["port_de_paix", "martinique"]        # St. Lucia, the only British one, is off already
    at.say("france", Choose(target="martinique"))
    assert (at.flag("st_lucia"), at.flag("martinique")) == ("", "")
    at = event(3, "france", "martinique", bonus=True, flags={"georgia": ""})
    assert (at.flag("st_lucia"), at.flag("martinique"), at.flag("port_de_paix")) == ("", "", "france") and not targets(at)
    at = event(3, "france", "georgia", "martinique", bonus=True)
    assert (at.flag("st_lucia"), at.flag("georgia"), at.flag("port_de_paix")) == ("", "", "france")


def test_IS_T13_two_to_be_unflagged_and_one_there(monkeypatch):
    """No card unflags two markets; this one does."""
    card = PARTS.event["ev_35"]
    assert card.britain is not None
    two = card.britain.model_copy(update={"base": ({**card.britain.base[0], "count": 2},)})
    monkeypatch.setitem(PARTS.event, "ev_35", card.model_copy(update={"britain": two}))
    at = event(35, "britain", flags={"martinique": "", "antigua": "britain"})
    assert [at.flag(space) for space in ("port_de_paix", "st_lucia", "antigua")] == ["", "britain", "britain"]
    at = event(35, "britain", "martinique")
    assert (at.flag("martinique"), at.flag("port_de_paix")) == ("", "")


def test_IS_13_9_the_own_flag_goes_without_an_opposing_one():
    at = event(3, "france", flags={"georgia": "", "st_lucia": "", "martinique": ""})
    assert at.flag("port_de_paix") == ""


@plays("ev_04")
def test_IS_T58_no_other_market_is_cut_off():
    at = event(4, "britain")
    assert set(targets(at)) == {"plassey", "port_de_paix", "martinique", "karaikal", "cataraqui"}
    at = event(4, "britain", flags={"niagara": "france"})
    assert "cataraqui" not in targets(at) and "niagara" in targets(at)
    at.say("britain", Choose(target="niagara"))
    assert at.flag("niagara") == ""


@plays("ev_04 bonus")
def test_IS_R_26_one_squadron_costs_less():
    at = event(4, "britain", "plassey", bonus=True, tile="3 MP / 2 DP, event")
    at.say("britain", build())
    assert paid(at) == ["Britain pays 2 MP: base 4 and minus 2 for South Sea Speculation."]
    assert not at.allows("britain", build()) and at.allows("britain", build(debt=3))
    at = event(4, "britain", "plassey", bonus=True, tile="3 DP / 2 EP, event")
    assert not any(option.verb == "build" for option in at.options("britain"))      # no military action


@plays("ev_05 britain", "ev_05 britain bonus")
def test_ev_05_britain():
    at = event(5, "britain", own={"britain": {"debt": 3}})
    assert (at.state.own["britain"].debt, at.state.own["france"].debt) == (1, 0)
    at = event(5, "britain", bonus=True)
    assert at.state.own["france"].debt == 1


@plays("ev_05 france", "ev_05 france bonus")
def test_ev_05_france():
    at = event(5, "france")
    assert targets(at) == ["georgia", "st_lucia"]
    at = event(5, "france", "georgia", bonus=True)
    assert list(at.state.conflict) == ["georgia"] and grants(at) == [("1 DP", {})]


@plays("ev_06 britain")
def test_ev_06_britain_shifts_a_local_alliance():
    at = event(6, "britain")
    assert targets(at) == ["algonquin", "iroquois"]
    at.say("britain", Choose(target="algonquin"))
    assert at.flag("algonquin") == "" and "algonquin_raids" not in at.state.holders


@plays("ev_06 britain bonus")
def test_IS_T19_a_new_advantage_is_used_at_once():
    at = event(6, "britain", "iroquois", "albany", bonus=True)
    assert at.state.holders["iroquois_raids"] == "britain" and at.state.conflict == {"albany": 0}
    assert at.state.exhausted == [] and at.state.current.used == ["iroquois_raids"]


def test_IS_11_12_the_purchase_with_an_advantage_comes_first():
    """Wheat has no price of its own and gives a discount: event 6 brings it into use, and its purchase is the next one."""
    fields: dict[str, Any] = {"tile": "3 DP / 2 EP, event", "flags": {"cumberland": "france", "ohio_forks": "britain"},
              "conflict": ["iroquois"], "exhausted": ["wheat"]}
    at = event(6, "britain", "algonquin", bonus=True, **fields)
    assert at.state.current.owed == ""                          # the minor action cannot unflag, so there is no way to pay
    fields["conflict"] = ["iroquois", "cumberland"]
    fields["flags"] = {**fields["flags"], "maratha": ""}
    at = event(6, "britain", "algonquin", bonus=True, **fields)
    assert at.state.current.owed == ""                          # and Wheat does not make a marked market cheaper


@plays("ev_06 france", "ev_06 france bonus")
def test_ev_06_france():
    at = event(6, "france", bonus=True, flags={"iroquois": "britain"})
    assert grants(at) == [("2 EP", {"region": "north_america"})] and at.flag("iroquois") == ""


@plays("ev_07 britain", "ev_07 britain bonus")
def test_ev_07_britain():
    france = {"tiles": [["basic_fr_01", "bonus_wss_fr_01"], ["bonus_wss_fr_02", "bonus_wss_fr_03"], [], []]}
    at = event(7, "britain", "spain_prestige_2", "wss_spain", bonus=True, own={"france": france}, dice=[(2,)])
    assert list(at.state.conflict) == ["spain_prestige_2"]
    assert at.state.own["france"].tiles[1] == ["bonus_wss_fr_02"] and "bonus_wss_fr_03" in at.state.own["france"].bonus_pool
    assert not any("Berwick" in line for line in at.lines()) and any("Berwick" in line for line in at.private_lines("france"))
    assert not any("Berwick" in line for line in at.private_lines("britain"))       # neither is shown [IS-17.6]


@plays("ev_07 france", "ev_07 france bonus")
def test_ev_07_france():
    at = event(7, "france", "EP", bonus=True)
    assert at.flag("dutch_prestige") == "" and grants(at) == [("2 EP", INDIA)]
    assert grants(event(7, "france", "DP", bonus=True)) == [("2 DP", INDIA)]        # IS-R-27


@plays("ev_08", "ev_08 bonus")
def test_ev_08_points_for_what_cannot_be_repaid():
    at = event(8, "france", "EP", own={"france": {"debt": 1}})
    assert at.state.own["france"].debt == 0 and grants(at) == [("1 EP", {})]
    at = event(8, "france", "EP", bonus=True, own={"france": {"debt": 2}})
    assert at.state.own["france"].debt == 0 and grants(at) == [("1 EP", {})]
    at = event(8, "france", "none")
    assert grants(at) == []


@plays("ev_09 britain", "ev_09 britain bonus")
def test_ev_09_britain():
    at = event(9, "britain", bonus=True)
    assert at.flag("german_states_alliance_2") == "britain" and at.state.vp == 13 and grants(at) == [("1 DP", {})]
    at = event(9, "britain", flags={"german_states_alliance_2": "france"})
    assert at.flag("german_states_alliance_2") == "" and at.state.vp == 15


@plays("ev_09 france", "ev_09 france bonus")
def test_ev_09_france():
    at = event(9, "france", bonus=True)
    assert at.flag("russia") == "france" and at.state.vp == 15 and grants(at) == [("1 DP", {})]
    assert event(9, "france", flags={"russia": "france"}).state.vp == 17
    at = event(9, "france", flags={"russia": "france"}, conflict=["russia"])
    assert at.state.vp == 15 and at.flag("russia") == "france"          # IS-13.14: nothing comes of it


@plays("ev_10 britain", "ev_10 britain bonus")
def test_ev_10_britain():
    at = event(10, "britain", bonus=True)
    assert grants(at) == [("2 DP", {"countries": ["german_states", "prussia", "dutch_republic"]}), ("1 DP", EUROPE)]


@plays("ev_10 france", "ev_10 france bonus")
def test_ev_10_france():
    at = event(10, "france", "austria_alliance_2", bonus=True)
    assert at.flag("austria_alliance_2") == "" and at.state.vp == 17
    at = event(10, "france", "spain_prestige_2", bonus=True)
    assert at.flag("spain_prestige_2") == "france" and at.state.vp == 15


def test_IS_R_24_a_flag_under_a_marker_is_still_a_flag():
    at = event(10, "france", "spain_prestige_2", bonus=True, conflict=["austria_alliance_2"])
    assert at.state.vp == 15


@plays("ev_11 britain")
def test_IS_T11_all_points_unflag_markets_alone():
    """The 2 EP and the debt that is added to them; the EP of the tile stay free."""
    at = event(11, "britain", flags={"arcot": "britain", "hooghly_river": "britain"})
    assert grants(at) == [("2 EP", {"action": "unflag", "types": ["market"]})]
    assert not at.allows("britain", market("kurpa", "event_EP", debt=2))
    at.say("britain", market("plassey", "event_EP", debt=1))
    assert paid(at) == ["Britain pays 3 EP: base 3."] and at.flag("plassey") == ""
    assert not at.allows("britain", market("kurpa", "event_EP", debt=2)) and at.allows("britain", market("kurpa"))
    assert at.pools() == ["3 EP", "2 DP"]


@plays("ev_11 britain bonus")
def test_IS_R_52_cotton_is_scored_now():
    at = event(11, "britain", "cotton", bonus=True, flags={"kurpa": "britain", "vellore": "britain"})
    reward = PARTS.good["cotton"].rewards["succession"]
    assert (at.state.vp, at.state.own["britain"].trp) == (15 - reward.vp, reward.trp) and at.state.won_goods == {}
    at = event(11, "britain", "none", bonus=True)
    assert at.state.vp == 15


@plays("ev_11 france", "ev_11 france bonus")
def test_ev_11_france():
    at = event(11, "france", "biscay", bonus=True, flags={"biscay": "britain", "cabot_strait": "britain"})
    assert at.flag("midnapore") == "" and at.flag("biscay") == "" and at.state.own["britain"].navy_box == 3


@plays("ev_12", "ev_12 bonus")
def test_ev_12_the_opponent_chooses_what_it_loses():
    britain = {"debt": 2, "tiles": [["bonus_wss_br_01"], [], [], []], "navy_box": 1}
    at = event(12, "france", bonus=True, own={"britain": britain}, flags={"biscay": "britain", "arcot": "britain"})
    assert at.asked() == [("britain", "IS-18.11")] and at.default("britain") == ChooseSecretly(target="bonus_wss_br_01")
    at.say("britain", ChooseSecretly(target="bonus_wss_br_01"))
    assert at.state.own["britain"].tiles[0] == [] and at.asked() == [("britain", "IS-18.11")]
    at.say("britain", ChooseSecretly(target="biscay"))
    assert at.flag("biscay") == "" and at.state.own["britain"].navy_box == 2 and at.asked()[0][0] == "france"
    at = event(12, "france", flags={"arcot": "britain"}, own={"britain": {"debt": 0}})
    assert at.state.damaged == ["arcot"]                        # the only thing it can lose [IS-18.29]
    event(12, "france")                                         # nothing to lose: nothing happens


def test_IS_17_6_and_R_37_what_event_12_takes_is_not_shown():
    at = event(12, "france", own={"britain": {"tiles": [["bonus_wss_br_01"], ["bonus_wss_br_02"], [], []]}})
    at.say("britain", ChooseSecretly(target="bonus_wss_br_02"))
    name = PARTS.war_tile["bonus_wss_br_02"].name
    assert not any(name in line for line in (*at.lines(), *at.private_lines("france")))


@plays("ev_13 britain", "ev_13 britain bonus")
def test_ev_13_britain():
    at = event(13, "britain", bonus=True, tile="3 DP / 2 EP, event")
    limit = {"action": "flag", "types": ["market"], "adjacent_to_market_of": "britain"}
    assert grants(at) == [("2 EP", limit), ("1 EP", limit)]
    assert at.allows("britain", market("albany", "event_EP"))                   # next to Hudson Valley
    assert not at.allows("britain", market("antigua", "event_EP", debt=2))      # next to Antilles Channel and Barbados only


@plays("ev_13 france", "ev_13 france bonus")
def test_ev_13_france():
    at = event(13, "france", "spain_alliance_south", bonus=True, flags={"savoy": "france", "sardinia": "france"})
    assert at.flag("spain_alliance_south") == "france" and at.state.vp == 18
    at = event(13, "france", "dutch_alliance", bonus=True, flags={"savoy": "france", "sardinia": "france"}, conflict=["savoy"])
    assert at.flag("dutch_alliance") == "france" and at.state.vp == 15


@plays("ev_14 britain")
def test_ev_14_britain():
    at = event(14, "britain", "scotland_alliance", flags={"ireland_alliance": "france", "scotland_alliance": "france"})
    assert at.flag("scotland_alliance") == ""


@plays("ev_14 france")
def test_ev_14_france_prepares_the_Jacobite_Rebellion():
    """A bonus tile for each Irish space, all of them in that theater of the next war, if it has one."""
    irish = {"ireland_alliance": "france", "ireland_prestige": "france"}
    tiles_of = [event(14, "france", **fields).state.own["france"].tiles for fields in (
        {"flags": irish, "dice": [(1,), (1,)]}, {"flags": irish, "turn": "T4"}, {"flags": irish, "conflict": list(irish)})]
    assert [[len(there) for there in each] for each in tiles_of] == [[0, 0, 0, 2], [0, 0, 0, 0], [0, 0, 0, 0]]


def test_ev_14_an_older_tile_makes_room():
    standing = [["bonus_wss_fr_03"], [], [], ["bonus_wss_fr_01", "bonus_wss_fr_02"]]
    at = event(14, "france", dice=[(1,)], own={"france": {"tiles": standing}})       # France holds one Irish space
    at.say("france", ChooseSecretly(target="bonus_wss_fr_02"), Choose(target="wss_spain"))
    drawn, left = at.state.own["france"].tiles[3], at.state.own["france"].tiles[1]
    assert len(drawn) == 2 and "bonus_wss_fr_01" in drawn and left == ["bonus_wss_fr_02"]


@plays("ev_15", "ev_15 bonus")
def test_ev_15_interest_payments():
    at = event(15, "france", bonus=True, own={"britain": {"debt": 6}, "france": {"debt": 3}})
    britain = at.state.own["britain"]
    assert (britain.limit, britain.debt, at.state.vp, at.state.own["france"].debt) == (5, 5, 16, 1)
    at = event(15, "france", own={"britain": {"debt": 5}, "france": {"debt": 5}})
    assert (at.state.own["britain"].limit, at.state.own["britain"].debt, at.state.vp) == (5, 5, 15)


# --- Empire -------------------------------------------------------------------------------------------------------

@plays("ev_16", "ev_16 bonus")
def test_ev_16_markers_on_Caribbean_markets():
    at = event(16, "france", "georgia")
    assert list(at.state.conflict) == ["georgia"]
    tiles = [["bonus_7yw_fr_01"], [], [], []]
    at = event(16, "france", "georgia", "havana", bonus=True, own={"france": {"tiles": tiles}})
    assert list(at.state.conflict) == ["georgia", "havana"]


def test_IS_13_11_level_bonus_tiles_or_no_next_war_bring_no_bonus():
    event(16, "france", "georgia", own={"france": {"tiles": [["bonus_7yw_fr_01"], [], [], []]},
                                        "britain": {"tiles": [["bonus_7yw_br_01"], [], [], []]}})
    event(16, "france", "georgia", turn="T6")


@plays("ev_17 britain", "ev_17 britain bonus")
def test_ev_17_britain_unflags_for_less():
    at = event(17, "britain", bonus=True)
    assert grants(at) == [("1 DP", {})]
    at.say("britain", politics("spain_alliance_north"))
    assert paid(at) == ["Britain pays 2 DP: base 3 and minus 1 for Pacte de Famille."]


def test_ev_17_britain_unflags_for_less_as_often_as_it_can_pay_until_the_round_ends():
    at = event(17, "britain", flags={"austria_alliance_2": "france"})
    at.say("britain", politics("austria_alliance_2"), politics("spain_alliance_north"), politics("austria_alliance_2", debt=2))
    assert paid(at) == ["Britain pays 1 DP: base 2 and minus 1 for Pacte de Famille.",
                        "Britain pays 2 DP: base 3 and minus 1 for Pacte de Famille.", "Britain pays 2 DP: base 2."]


@plays("ev_17 france", "ev_17 france bonus")
def test_IS_R_28_ev_17_france_refreshes_its_own():
    flags = {"gibraltar": "france", "savoy": "france", "spain_prestige_3": "france", "denmark_norway": "britain",
             "prussia_alliance": "britain"}
    at = event(17, "france", bonus=True, flags=flags, exhausted=["naval_bastion", "mediterranean_intrigue", "baltic_trade"])
    assert targets(at) == ["mediterranean_intrigue", "naval_bastion"]        # IS-R-28
    at.say("france", Choose(target="naval_bastion"), Choose(target="none"))
    assert at.state.exhausted == ["mediterranean_intrigue", "baltic_trade"]
    assert grants(at) == [("2 DP", {"countries": ["spain", "austria"]})]


@plays("ev_18 britain")
def test_IS_R_50_Byng_goes_where_squadrons_count():
    at = event(18, "britain")
    assert targets(at) == ["7yw_atlantic_dominance", "7yw_third_carnatic_war", "7yw_french_and_indian_war"]
    at.say("britain", Choose(target="7yw_third_carnatic_war"))
    assert at.state.byng == 2
    assert event(18, "britain", turn="T6").state.byng == 0


@plays("ev_18 france")
def test_ev_18_france_sends_a_squadron_away():
    at = event(18, "france", "biscay", flags={"biscay": "britain"})
    assert (at.flag("biscay"), at.state.own["britain"].away) == ("", 1)
    at = event(18, "france", "navy_box", turn="T6", flags={"biscay": "britain"})
    assert at.state.own["britain"].gone == 1                                # no peace turn brings it back


@plays("ev_19 britain", "ev_19 britain bonus")
def test_ev_19_britain_adds_a_good():
    at = event(19, "britain", "furs", bonus=True, demand=["fish", "sugar", "cotton"])
    assert at.state.demand == ["furs", "fish", "sugar", "cotton"] and grants(at) == [("1 EP", {})]
    at = event(19, "britain", demand=["furs", "sugar", "cotton"])
    assert not targets(at)
    assert event(19, "britain", "none", demand=["fish"]).state.demand == ["fish"]


@plays("ev_19 france", "ev_19 france bonus")
def test_ev_19_france():
    assert grants(event(19, "france", bonus=True)) == [("1 DP", EUROPE), ("2 DP", EUROPE)]


@plays("ev_20", "ev_20 bonus")
def test_ev_20_a_local_alliance_or_two_markers():
    at = event(20, "france", "take_control", "mysore", bonus=True, flags={"mysore": "britain"})
    assert at.flag("mysore") == "france" and grants(at) == [("2 EP", INDIA)]
    at = event(20, "france", "place_conflict", flags={"arcot": "britain", "vellore": "britain"})
    assert "vellore" not in targets(at) and "mysore" in targets(at)     # the fort protects its market
    at.say("france", Choose(target="mysore"), Choose(target="plassey"))
    assert list(at.state.conflict) == ["mysore", "plassey"]


@plays("ev_21", "ev_21 bonus")
def test_ev_21_another_good():
    at = event(21, "france", bonus=True, demand=["furs", "spice", "fish"], dice=[(3,)])
    assert targets(at) == ["furs", "spice", "fish"]
    at.say("france", Choose(target="spice"))
    assert at.state.demand == ["furs", "fish", "cotton"] and grants(at) == [("2 EP", INDIA)]


@plays("ev_22 britain", "ev_22 britain bonus")
def test_ev_22_britain():
    at = event(22, "britain", "savoy", bonus=True)
    assert at.flag("savoy") == "britain" and at.state.vp == 14
    assert event(22, "britain", "savoy", bonus=True, flags={"biscay": "france"}).state.vp == 15


@plays("ev_22 france", "ev_22 france bonus")
def test_ev_22_france():
    at = event(22, "france", "german_states_alliance_3", bonus=True)
    assert at.flag("german_states_alliance_3") == "" and at.state.vp == 16
    at = event(22, "france", "german_states_alliance_3", bonus=True, flags={"spain_prestige_2": "britain"})
    assert at.state.vp == 15


@plays("ev_23", "ev_23 bonus")
def test_ev_23_panic():
    at = event(23, "france", "dutch_prestige", bonus=True, own={"britain": {"debt": 6}, "france": {"debt": 1}})
    assert at.state.vp == 19 and at.flag("dutch_prestige") == ""
    assert event(23, "france", own={"britain": {"debt": 3}, "france": {"debt": 1}}).state.vp == 17
    assert event(23, "france", own={"britain": {"debt": 0}, "france": {"debt": 3}}).state.vp == 15


@plays("ev_24", "ev_24 bonus")
def test_ev_24_gold():
    at = event(24, "france", bonus=True, own={"britain": {"debt": 1}})
    assert grants(at) == [("1 EP", {}), ("2 EP", CARIBBEAN)]
    assert grants(event(24, "france")) == [("1 EP", {})]


@plays("ev_25 britain", "ev_25 britain bonus")
def test_IS_R_58_a_squadron_for_debt_or_treaty():
    at = event(25, "britain", own={"britain": {"navy_box": 1}})
    assert at.state.own["britain"].away == 1 and at.state.vp == 13
    one = {"navy_box": 1, "unbuilt": 1, "trp": 1}
    at = event(25, "britain", bonus=True, own={"britain": one})
    assert targets(at) == ["take_debt", "spend_trp"] and at.default("britain") == Choose(target="spend_trp")
    at.say("britain", Choose(target="spend_trp"))
    assert (at.state.own["britain"].navy_box, at.state.own["britain"].trp, at.state.own["britain"].debt) == (1, 0, 0)
    at = event(25, "britain", bonus=True, own={"britain": {"navy_box": 0, "unbuilt": 0, "trp": 1}})
    assert at.state.vp == 15 and at.state.own["britain"].trp == 1           # none given up, none built: nothing paid
    at = event(25, "britain", bonus=True, own={"britain": {**one, "trp": 0, "debt": 6, "limit": 6}})
    assert at.state.own["britain"].debt == 6 and at.state.vp == 15 - 2 + 1  # forced debt beyond the limit [IS-9.5]


@plays("ev_25 france", "ev_25 france bonus")
def test_ev_25_france():
    at = event(25, "france", "spain_prestige_2", bonus=True)
    assert at.flag("spain_prestige_2") == "france" and grants(at) == [("1 DP", {})]


@plays("ev_26 britain", "ev_26 britain bonus")
def test_ev_26_britain():
    assert event(26, "britain").state.own["france"].debt == 1
    assert event(26, "britain", bonus=True).state.own["france"].debt == 3


@plays("ev_26 france", "ev_26 france bonus")
def test_ev_26_france():
    assert grants(event(26, "france", bonus=True)) == [("2 DP", EUROPE), ("2 DP", EUROPE)]


@plays("ev_27")
def test_ev_27_up_to_two_markers():
    at = event(27, "france", "plassey", "none")
    assert list(at.state.conflict) == ["plassey"]
    assert event(27, "france", "none").state.conflict == {}
    assert list(event(27, "france", "plassey", "mysore").state.conflict) == ["plassey", "mysore"]


@plays("ev_28 britain", "ev_28 britain bonus")
def test_ev_28_britain_military_points_for_one_region():
    at = event(28, "britain", "massachusetts_bay", bonus=True, tile="3 MP / 2 DP, event",
               flags={"gulf_of_maine": "britain"})
    assert list(at.state.conflict) == ["massachusetts_bay"] and grants(at) == [("2 MP", {"region": "north_america"})]
    assert not at.allows("britain", build(action="event_MP", debt=2)) and at.allows("britain", build(debt=1))
    assert not at.allows("britain", deploy("biscay", action="event_MP"))
    assert at.allows("britain", deploy("cabot_strait", action="event_MP"))
    assert at.allows("britain", clear("massachusetts_bay", "event_MP"))
    assert at.allows("britain", fort("halifax", "event_MP", debt=1))


@plays("ev_28 france", "ev_28 france bonus")
def test_ev_28_france():
    at = event(28, "france", bonus=True)
    assert "kanchipuram" in targets(at) and "georgia" in targets(at) and "plassey" not in targets(at)
    at.say("france", Choose(target="georgia"))
    assert grants(at) == [("2 EP", {"region": "north_america"})]


@plays("ev_29 britain", "ev_29 britain bonus")
def test_ev_29_britain():
    at = event(29, "britain", bonus=True, flags={"russia": "france"})
    assert at.state.own["britain"].trp == 2 and at.flag("russia") == ""


@plays("ev_29 france", "ev_29 france bonus")
def test_ev_29_france():
    at = event(29, "france", "sweden", bonus=True)
    assert at.state.vp == 17 and at.flag("sweden") == "france"


@plays("ev_30", "ev_30 bonus")
def test_ev_30_coffee():
    at = event(30, "britain", bonus=True, own={"britain": {"debt": 2}})
    assert grants(at) == [("2 EP", {}), ("1 EP", {})] and at.state.own["britain"].debt == 1


# --- Revolution ---------------------------------------------------------------------------------------------------

@plays("ev_31 britain", "ev_31 britain bonus")
def test_IS_24_8_flags_under_a_marker_come_off_without_points():
    at = event(31, "britain", "DP", bonus=True, conflict=["spain_alliance_south"],
               flags={"spain_alliance_north": "britain", "spain_alliance_south": "britain", "spain_prestige_2": "britain"})
    assert grants(at) == [("2 DP", {})] and at.state.vp == 13
    assert [at.flag(space) for space in PARTS.country["spain"].spaces] == ["", "britain", "", ""]


@plays("ev_31 france", "ev_31 france bonus")
def test_ev_31_france():
    at = event(31, "france", "biscay", bonus=True, flags={"biscay": "britain", "balearic": "britain"},
               own={"france": {"unbuilt": 1, "navy_box": 0}})
    assert (at.flag("biscay"), at.flag("balearic")) == ("", "britain")
    assert (at.state.own["france"].unbuilt, at.state.own["france"].navy_box) == (0, 1)


@plays("ev_32", "ev_32 bonus")
def test_IS_2_6_6_plus_one_markers():
    at = event(32, "france", "havana", "antigua", "st_lucia", bonus=True, tile="3 MP / 2 DP, event",
               own={"france": {"tiles": [["bonus_awi_fr_01"], [], []]}})
    assert at.state.conflict == {"havana": 1, "antigua": 1, "st_lucia": 1}
    at.say("france", clear("havana"))
    assert paid(at) == ["France pays 3 MP: base 2 and plus 1 for the +1 marker."]
    assert event(32, "france", "havana").state.conflict == {"havana": 1}


@plays("ev_33 britain", "ev_33 britain bonus")
def test_ev_33_britain():
    at = event(33, "britain", bonus=True, flags={"acadia": "", "algonquin": ""})
    assert "cataraqui" not in targets(at) and "sons_of_liberty" in targets(at)
    at.say("britain", Choose(target="albany"))
    assert at.state.vp == 12
    assert event(33, "britain", "hudson_valley", bonus=True).state.vp == 15      # 3 to 4, the marked market left out


@plays("ev_33 france", "ev_33 france bonus")
def test_ev_33_france_uses_an_exhausted_advantage():
    at = event(33, "france", "albany", bonus=True, exhausted=["algonquin_raids"])
    assert list(at.state.conflict) == ["albany"] and at.state.exhausted == ["algonquin_raids"]
    assert grants(at) == [("2 DP", {})]
    at = event(33, "france", conflict=["algonquin"])
    assert list(at.state.conflict) == ["algonquin"]                              # blocked [IS-11.6]


def test_IS_11_12_its_purchase_is_the_next_one():
    at = event(33, "france", "slaving_contracts", flags={"asiento": "france"}, tile="3 MP / 2 DP, event",
               exhausted=["slaving_contracts"])
    assert at.state.current.owed == "slaving_contracts"
    assert at.refusal("france", deploy("biscay")).rule == "IS-11.12"
    assert at.default("france") == build("slaving_contracts")
    at.say("france", build("slaving_contracts"))
    assert paid(at) == ["France pays 2 MP: base 2 by Slaving Contracts."]
    assert at.state.current.owed == "" and at.state.exhausted == ["slaving_contracts"]
    assert at.allows("france", deploy("biscay"))


def test_IS_11_12_what_cannot_be_paid_cannot_be_picked():
    at = event(33, "france", "albany", flags={"asiento": "france"}, tile="3 DP / 2 EP, event")
    assert at.state.current.owed == "" and list(at.state.conflict) == ["albany"]


def test_IS_R_12_what_an_event_uses_counts_for_its_region():
    at = event(33, "france", "algonquin_raids", "albany", flags={"sons_of_liberty": "france", "nizam": "france"})
    assert [option.advantage for option in at.offered("france", UseAdvantage)] == ["separatist_wars"] * 6


@plays("ev_34 britain", "ev_34 britain bonus")
def test_ev_34_britain_exhausts_what_it_likes():
    at = event(34, "britain", "algonquin_raids", "rum", bonus=True, own={"france": {"debt": 1}},
               ministries={"britain": ["M-19 up"], "france": ["M-13 up"]})
    assert at.state.exhausted == ["algonquin_raids", "rum"] and grants(at) == [("2 EP", {})]
    assert [at.state.own[side].trp for side in SIDES] == [0, 0]                  # no use: nothing reacts
    assert event(34, "britain", "none").state.exhausted == []


@plays("ev_34 france", "ev_34 france bonus")
def test_ev_34_france_three_with_governance():
    behind = {"britain": {"debt": 1}}
    assert event(34, "france", bonus=True, own=behind).state.vp == 17
    assert event(34, "france", bonus=True, own=behind, ministries={"france": ["M-25 up"]}).state.vp == 18
    assert grants(event(34, "france")) == [("2 EP", {})]
    at = scene(turn="T5", active="france", tile="3 DP / 2 MP, event", ministries={"france": ["M-25"]},
               own={"france": {"hand": ["ev_34"]}, **behind})
    at.say("france", PlayEvent(event="ev_34", reveal="M-25", waiver=""))         # turned up for the sentence
    assert at.state.vp == 18


@plays("ev_35 britain", "ev_35 britain bonus")
def test_ev_35_britain():
    at = event(35, "britain", "martinique", bonus=True)
    assert at.flag("martinique") == "" and grants(at) == [("3 EP", CARIBBEAN)]


@plays("ev_35 france", "ev_35 france bonus")
def test_ev_35_france():
    at = event(35, "france", bonus=True, own={"france": {"debt": 3}})
    assert at.state.own["france"].debt == 1 and at.state.vp == 17


@plays("ev_36", "ev_36 bonus")
def test_ev_36_wealth():
    at = event(36, "france", bonus=True, own={"france": {"debt": 3}}, tile="3 MP / 2 DP, event")
    assert at.state.own["france"].debt == 1 and grants(at) == [("3 EP", {})]


@plays("ev_37", "ev_37 bonus")
def test_ev_37_debt_crisis():
    at = event(37, "france", bonus=True, own={"britain": {"debt": 3}})
    assert grants(at) == [("3 EP", {"action": "unflag", "types": ["market"]})] and at.state.vp == 17
    at = event(37, "france")
    assert grants(at) == [] and at.state.vp == 15


@plays("ev_38")
def test_ev_38_piracy():
    at = event(38, "britain", flags={"arcot": "britain", "vandavasi": "france", "maratha": "britain"}, damaged=["arcot"])
    assert at.state.vp == 12
    at = event(38, "britain", flags={"arcot": "britain", "vandavasi": "france", "maratha": "britain"}, conflict=["maratha"])
    assert at.state.vp == 15


@plays("ev_39 britain", "ev_39 britain bonus")
def test_ev_39_britain():
    at = event(39, "britain", bonus=True, own={"britain": {"debt": 3}})
    assert at.state.own["britain"].debt == 1 and grants(at) == [("2 EP", {})]


@plays("ev_39 france", "ev_39 france bonus")
def test_ev_39_france():
    at = event(39, "france", "albany", "chesapeake", "iroquois", bonus=True)
    assert list(at.state.conflict) == ["albany", "chesapeake", "iroquois"]


@plays("ev_40 britain", "ev_40 britain bonus")
def test_IS_R_29_ev_40_britain():
    at = event(40, "britain", bonus=True, flags={"savoy": "britain", "spain_prestige_3": "britain"},
               exhausted=["mediterranean_intrigue"])                             # IS-R-29
    assert at.state.vp == 14 and at.flag("spain_alliance_north") == ""
    assert event(40, "britain").state.vp == 15


@plays("ev_40 france", "ev_40 france bonus")
def test_ev_40_france():
    at = event(40, "france", "navy_box", bonus=True, flags={"savoy": "france", "spain_prestige_3": "france", "biscay": "britain"})
    assert grants(at) == [("2 MP", {})] and at.state.own["britain"].gone == 1
    assert grants(event(40, "france", flags={"spain_alliance_north": ""})) == []       # 0 points open nothing [IS-5.6.9]


@plays("ev_41 britain", "ev_41 britain bonus")
def test_ev_41_britain():
    at = event(41, "britain", bonus=True, flags={"biscay": "britain"}, own={"britain": {"navy_box": 4}}, turn="T6")
    assert grants(at) == [("2 EP", {})]                                          # no next war, so no tile
    at = event(41, "britain", "awi_american_revolution", bonus=True, dice=[(1,)])
    assert [len(there) for there in at.state.own["britain"].tiles] == [1, 0, 0]


@plays("ev_41 france", "ev_41 france bonus")
def test_ev_41_france():
    at = event(41, "france", bonus=True, own={"france": {"debt": 1, "unbuilt": 2, "navy_box": 0}})
    assert (at.state.own["france"].navy_box, at.state.own["france"].unbuilt, at.state.own["france"].debt) == (1, 1, 0)


# --- playing ------------------------------------------------------------------------------------------------------

def hand(tile: str, *cards: str, side: Side = "france", **fields: Any) -> list[tuple[str, str, str]]:
    """The ways to play an event: (event, reveal, waiver)."""
    at = scene(active=side, tile=tile, own={side: {"hand": list(cards)}}, **fields)
    return [(option.event, option.reveal, option.waiver) for option in at.options(side) if isinstance(option, PlayEvent)]


def test_IS_13_1_and_13_2_symbol_and_kind():
    assert hand("4 DP / 2 MP", "ev_03") == []
    assert hand("3 DP / 2 MP, event", "ev_03", "ev_05", "ev_06") == [("ev_03", "", ""), ("ev_06", "", "")]
    at = scene(active="france", tile="3 DP / 2 MP, event", own={"france": {"hand": ["ev_05"]}})
    assert at.refusal("france", PlayEvent(event="ev_05", reveal="", waiver="")).rule == "IS-13.2"
    assert at.refusal("france", PlayEvent(event="ev_03", reveal="", waiver="")).rule == "IS-13.1"
    at = scene(active="france", tile="4 DP / 2 MP", own={"france": {"hand": ["ev_03"]}})
    assert at.refusal("france", PlayEvent(event="ev_03", reveal="", waiver="")).rule == "IS-13.1"


def test_IS_5_5_1_an_event_comes_first_and_alone():
    at = scene(active="france", tile="3 DP / 2 MP, event", own={"france": {"hand": ["ev_03", "ev_06"]}})
    at.say("france", politics("savoy"))
    assert at.refusal("france", PlayEvent(event="ev_03", reveal="", waiver="")).rule == "IS-5.5.1"
    at = event(6, "france")
    assert at.refusal("france", PlayEvent(event="ev_06", reveal="", waiver="")).rule == "IS-5.5.1"


def test_IS_13_5_a_ministry_is_turned_up_for_its_keyword():
    at = scene(active="france", tile="3 DP / 2 MP, event", own={"france": {"hand": ["ev_36"], "debt": 2}},
               ministries={"france": ["M-3", "M-1"]})
    assert hand("3 DP / 2 MP, event", "ev_36", ministries={"france": ["M-3", "M-1"]}) == [
        ("ev_36", "", ""), ("ev_36", "M-3", "")]
    assert at.refusal("france", PlayEvent(event="ev_36", reveal="M-1", waiver="")).rule == "IS-13.5"
    at.say("france", PlayEvent(event="ev_36", reveal="M-3", waiver=""))
    assert at.lines()[-4:] == ["France turns up Court of the Sun King.", "France plays Wealth of Nations with its bonus.",
                               "France's debt falls by 2 (Wealth of Nations).", "France gains 3 EP (Wealth of Nations)."]


def test_what_an_event_would_do_now_is_told_before_it_is_played():
    at = scene(active="france", tile="3 DP / 2 MP, event", own={"france": {"hand": ["ev_36"]}}, ministries={"france": ["M-3"]})
    plain, turned = (PlayEvent(event="ev_36", reveal=card, waiver="").outlook(at.state, at.state.seat("france"))
                     for card in ("", "M-3"))
    assert plain is not None and say(plain, English()) == "debt −2"
    assert turned is not None and say(turned, English()) == "debt −2; bonus: 3 EP"


def test_IS_13_8_a_played_event_leaves_the_game():
    at = event(29, "france")
    assert at.state.played == ["ev_29"] and at.state.own["france"].hand == [] and "ev_29" not in at.state.discards


def test_IS_13_4_a_card_may_be_played_for_nothing():
    at = event(14, "britain")
    assert at.state.played == ["ev_14"] and at.state.current.stage == "actions"


def test_IS_19_1_Spanish_flags_are_opposing_to_both_sides():
    for side in SIDES:
        at = event(3, side, flags={"havana": "spain"})
        assert "havana" in targets(at) and not set(at.state.spaces_of(side)) & set(targets(at))
        at.say(side, Choose(target="havana"))
        assert at.flag("havana") == "" and foe(side) in at.state.flags.values()


@pytest.mark.parametrize("card", [card.id for card in PARTS.events])
def test_IS_13_every_event_can_be_played_by_both_sides_to_its_end(card):
    """With all defaults, on a full board and on an empty one, with and without what its bonus asks for."""
    kind = PARTS.event[card].required_major
    tile = {None: "3 DP / 2 MP, event", "economic": "3 EP / 2 DP, event", "diplomatic": "3 DP / 2 MP, event",
            "military": "3 MP / 2 DP, event"}[kind]
    for side in SIDES:
        for empty in (False, True):
            at = scene(active=side, tile=tile, turn="T5", empty_map=empty, dice=[(1,)] * 4, demand=["furs", "fish", "sugar"],
                       own={side: {"hand": [card]}, foe(side): {"debt": 3}},
                       ministries={side: ["M-7 up", "M-11 up", "M-3 up"]})
            at.say(side, PlayEvent(event=card, reveal="", waiver=""))
            while at.asked()[0][1] not in ("IS-18.12",):
                power = at.asked()[0][0]
                at.say(power, at.default(power))
            assert card in at.state.played and at.state.choice is None


def test_IS_5_5_1_an_automatic_player_plays_an_event_before_it_buys_anything():
    at = scene(active="france", tile="3 DP / 2 MP, event", own={"france": {"hand": ["ev_13"]}})
    asked = position(at.table, at.state.seat("france"))
    assert asked is not None and len(asked.options) > 20 and isinstance(solid(asked, Random(1)), PlayEvent)
