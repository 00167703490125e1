"""Chapter 13: the events of the Empire era, both halves, base effect and bonus; and how events are played."""
from __future__ import annotations

from random import Random

import pytest

from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.choices import Choose
from engine.games.imperial_struggle.components import SIDES, foe
from engine.games.imperial_struggle.player import solid
from engine.players import position
from engine.text import say
from tests.games.imperial_struggle.effects import CARIBBEAN, EUROPE, INDIA, hand
from tests.games.imperial_struggle.played import event, grants, plays, targets
from tests.games.imperial_struggle.purchases import build, clear, deploy, fort, paid, politics
from tests.games.imperial_struggle.scene import PARTS, scene

# --- Empire --------------------------------------------------------------------------------------------------------

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
                        "Britain pays 2 DP: base 3 and minus 1 for Pacte de Famille.", "Britain pays 2 DP."]


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


# --- playing -------------------------------------------------------------------------------------------------------

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
    assert plain is not None and say(plain) == "debt −2"
    assert turned is not None and say(turned) == "debt −2; bonus: 3 EP"


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
