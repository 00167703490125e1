"""Chapter 13: the events of the Revolution era, both halves, base effect and bonus."""
from __future__ import annotations

import pytest

from engine.games.imperial_struggle.actions.advantages import UseAdvantage
from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.choices import Choose
from engine.games.imperial_struggle.components import SIDES
from tests.games.imperial_struggle.effects import CARIBBEAN
from tests.games.imperial_struggle.played import event, grants, plays, targets
from tests.games.imperial_struggle.purchases import build, clear, costs, deploy
from tests.games.imperial_struggle.scene import PARTS, scene


@plays("ev_31 britain", "ev_31 britain bonus")
def test_IS_24_8_flags_under_a_marker_bring_points_and_come_off():
    at = event(31, "britain", "DP", bonus=True, conflict=["spain_alliance_south"],
               flags={"spain_alliance_north": "britain", "spain_alliance_south": "britain", "spain_prestige_2": "britain"})
    assert grants(at) == [("2 DP", {})] and at.state.vp == 11
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
    assert costs(at) == [3]
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
    assert costs(at) == [2]
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


@pytest.mark.parametrize("number, side", [(33, "britain"), (39, "france")])
def test_IS_24_3_the_United_States_lie_in_Canada(number, side):
    at = event(number, side, turn="T6", flags={"northern_colonies": "usa"})
    assert at.state.is_open("usa_prestige_2") and "albany" in targets(at)
    assert not {"usa_prestige_2", "usa_prestige_3"} & {*targets(at)}


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
