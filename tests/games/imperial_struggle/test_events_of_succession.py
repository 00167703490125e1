"""Chapter 13: the events of the Succession era, both halves, base effect and bonus."""
from __future__ import annotations

from typing import Any

from engine.games.imperial_struggle.actions.choices import Choose, ChooseSecretly
from tests.games.imperial_struggle.effects import EUROPE, INDIA
from tests.games.imperial_struggle.played import event, grants, plays, targets
from tests.games.imperial_struggle.purchases import build, market, paid
from tests.games.imperial_struggle.scene import PARTS


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
    two = card.britain.model_copy(update={"base": (card.britain.base[0].model_copy(update={"count": 2}),)})
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
    assert paid(at) == ["Britain pays 3 EP."] and at.flag("plassey") == ""
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
