"""Chapter 11: every advantage, and what bars its use."""
from __future__ import annotations

from typing import Any

import pytest

from engine.games.imperial_struggle.actions.advantages import SendHome, UseAdvantage
from engine.games.imperial_struggle.actions.rounds import EndRound
from engine.games.imperial_struggle.components import Side
from tests.games.imperial_struggle.played import event, plays
from tests.games.imperial_struggle.purchases import build, costs, deploy, market, paid, politics
from tests.games.imperial_struggle.scene import PARTS, Scene, scene


def use(advantage: str, target: str = "") -> UseAdvantage:
    return UseAdvantage(advantage=advantage, target=target)


def holding(advantage: str, side: Side = "france", tile: str = "3 DP / 2 EP, event", **fields: Any) -> Scene:
    """A side in its round that has held an advantage since before; `flags` say what else is different."""
    linked = dict.fromkeys(PARTS.advantage[advantage].connected_spaces, side)
    flags = {**linked, **fields.pop("flags", {})}
    return scene(active=side, tile=tile, flags=flags, turn=fields.pop("turn", "T5"), **fields)


def reach(at: Scene, side: Side, advantage: str) -> set[str]:
    """Where an advantage can put its marker."""
    return {option.target for option in at.offered(side, UseAdvantage) if option.advantage == advantage}


# --- each of them -------------------------------------------------------------------------------------------------

@plays("baltic_trade")
def test_baltic_trade_lowers_the_debt():
    at = holding("baltic_trade", own={"france": {"debt": 3}})
    at.say("france", use("baltic_trade"))
    assert at.state.own["france"].debt == 1 and at.state.exhausted == ["baltic_trade"]
    at = holding("baltic_trade")
    assert at.refusal("france", use("baltic_trade")).rule == "IS-11.9"          # IS-R-13: not just to exhaust it


@plays("central_europe_conflict")
def test_central_europe_conflict_marks_Alliance_spaces():
    at = holding("central_europe_conflict")
    spaces = {space.id for space in PARTS.spaces if space.region == "europe" and space.alliance}
    assert reach(at, "france", "central_europe_conflict") == spaces
    at.say("france", use("central_europe_conflict", "bavaria"))                 # its own, too [IS-11.10]
    assert at.state.conflict == {"bavaria": 0}


@plays("mediterranean_intrigue")
def test_mediterranean_intrigue_reaches_Sardinia():
    at = holding("mediterranean_intrigue")
    assert reach(at, "france", "mediterranean_intrigue") == {
        *PARTS.country["spain"].spaces, *PARTS.country["austria"].spaces, "sardinia"}


@plays("algonquin_raids", "iroquois_raids")
@pytest.mark.parametrize("advantage", ["algonquin_raids", "iroquois_raids"])
def test_raids_mark_Furs_markets(advantage):
    at = holding(advantage)
    assert reach(at, "france", advantage) == set(PARTS.good["furs"].markets)
    at.say("france", use(advantage, "albany"))
    assert at.state.conflict == {"albany": 0} and advantage in at.state.exhausted


@plays("patriot_agitation")
def test_patriot_agitation_marks_North_America():
    at = holding("patriot_agitation")
    here = {space for space in PARTS.by_region["north_america"] if PARTS.space[space].type in ("market", "political")
            and PARTS.space[space].available_from != "turn_6"}
    assert reach(at, "france", "patriot_agitation") == here and "sons_of_liberty" in here


@plays("letters_of_marque", "pirate_havens")
@pytest.mark.parametrize("advantage", ["letters_of_marque", "pirate_havens"])
def test_pirates_mark_what_is_unprotected(advantage):
    at = holding(advantage, flags={"antilles_channel": "france", "st_lucia": "britain"})
    here = {space for space in PARTS.by_region["caribbean"] if PARTS.space[space].type == "market"}
    assert reach(at, "france", advantage) == here - {"martinique"}              # IS-2.5.3: the squadron guards no British flag


@plays("power_struggle", "raids_and_incursions", "separatist_wars")
@pytest.mark.parametrize("advantage, markets", [
    ("power_struggle", {space.id for space in PARTS.spaces if space.subregion == "carnatic_coast" and space.type == "market"}),
    ("raids_and_incursions", {space.id for space in PARTS.spaces if space.region == "india" and space.type == "market"}),
    ("separatist_wars", set(PARTS.good["cotton"].markets))])
def test_Indian_advantages_mark_markets(advantage, markets):
    at = holding(advantage)
    assert reach(at, "france", advantage) == markets
    at.say("france", use(advantage, "midnapore" if "midnapore" in markets else "kurpa"))
    assert len(at.state.conflict) == 1


@plays("german_diplomacy", "italy_influence", "silesia_negotiations")
@pytest.mark.parametrize("advantage, space", [
    ("german_diplomacy", "russia"), ("italy_influence", "spain_prestige_3"), ("silesia_negotiations", "prussia_prestige")])
def test_a_political_space_loses_its_flag_for_1_in_all(advantage, space):
    at = holding(advantage, flags={space: "britain"})
    at.say("france", politics(space, advantage=advantage))
    assert paid(at) == [f"France pays 1 DP: 1 in all by {PARTS.advantage[advantage].name}."]
    assert at.flag(space) == "" and at.state.exhausted == [advantage]
    assert not at.allows("france", politics(space, advantage=advantage))        # it unflags; it does not flag


@plays("fur_trade")
def test_IS_6_3_7_a_market_loses_its_flag_for_1_in_all():
    flags = {"massachusetts_bay": "britain", "gulf_of_maine": "france", "halifax": "britain"}
    at = holding("fur_trade", tile="3 EP / 2 DP, event", flags=flags)
    at.say("france", market("massachusetts_bay", advantage="fur_trade"))
    assert at.flag("massachusetts_bay") == "" and at.state.exhausted == ["fur_trade"]
    assert paid(at) == ["France pays 1 EP: 1 in all by Fur Trade."]


@plays("wheat", "fruit", "rum", "silk", "textiles")
@pytest.mark.parametrize("advantage, side, space, near", [
    ("wheat", "britain", "ile_aux_noix", "champlain_valley"), ("fruit", "france", "antigua", "antilles_channel"),
    ("rum", "france", "antigua", "antilles_channel"), ("silk", "britain", "plassey", "hooghly_river"),
    ("textiles", "britain", "karaikal", "vandavasi")])
def test_a_market_is_unflagged_for_1_less(advantage, side, space, near):
    other = "france" if side == "britain" else "britain"
    at = holding(advantage, side, tile="4 EP / 2 MP", flags={space: other, near: side})
    at.say(side, market(space, advantage=advantage))
    price, name = PARTS.space[space].price, PARTS.advantage[advantage].name
    assert paid(at) == [f"{side.capitalize()} pays {price - 1} EP: base {price} and minus 1 for {name}."]
    assert at.flag(space) == "" and at.state.exhausted == [advantage]


def test_IS_T04_a_discount_a_marker_and_protection():
    """The discount of 1 comes before the 1 for protection, and there is no floor in between [IS-6.3.6]."""
    at = scene(active="britain", tile="3 EP / 2 DP, event", conflict=["martinique"],
               flags={"antilles_channel": "france", "puerto_rico": "britain"})
    at.say("britain", market("martinique", advantage="rum"))
    assert costs(at) == [1]
    assert at.state.exhausted == ["rum"]


def test_IS_R_13_a_discount_that_lowers_nothing_cannot_be_used():
    at = scene(active="britain", tile="3 EP / 2 DP, event", conflict=["martinique"], flags={"puerto_rico": "britain"})
    assert not at.allows("britain", market("martinique", advantage="rum"))
    assert at.allows("britain", market("martinique"))


@plays("slaving_contracts")
def test_slaving_contracts_build_for_2():
    at = holding("slaving_contracts", tile="4 MP / 2 EP")
    at.say("france", build("slaving_contracts"))
    assert paid(at) == ["France pays 2 MP: base 2 by Slaving Contracts."] and at.state.exhausted == ["slaving_contracts"]
    assert not at.allows("france", build("slaving_contracts"))


@plays("naval_bastion")
def test_IS_R_14_naval_bastion_needs_major_points():
    at = holding("naval_bastion", tile="4 EP / 2 MP", flags={"cabot_strait": "britain"})
    assert at.refusal("france", SendHome(space="cabot_strait", action="minor", debt=0, trp=0)).rule == "IS-R-14"
    at = holding("naval_bastion", tile="4 MP / 2 EP", flags={"cabot_strait": "britain"})
    assert at.refusal("france", SendHome(space="biscay", action="major", debt=0, trp=0)).rule == "IS-11.9"
    at.say("france", SendHome(space="cabot_strait", action="major", debt=0, trp=0))
    assert paid(at) == ["France pays 1 MP: base 1 by Naval Bastion."] and at.state.exhausted == ["naval_bastion"]
    assert at.flag("cabot_strait") == "" and at.state.own["britain"].navy_box == 3
    assert at.refusal("france", SendHome(space="cabot_strait", action="major", debt=0, trp=0)).rule == "IS-11.3"


# --- what bars their use ------------------------------------------------------------------------------------------

def test_IS_11_3_once_per_turn():
    at = scene(active="france", tile="3 DP / 2 MP, event", exhausted=["algonquin_raids"])
    assert at.refusal("france", use("algonquin_raids", "albany")).rule == "IS-11.3"


def test_IS_11_1_who_does_not_hold_it_cannot_use_it():
    at = scene(active="britain", tile="3 DP / 2 MP, event")
    assert at.refusal("britain", use("algonquin_raids", "albany")).rule == "IS-11.1"


def test_IS_11_6_a_marker_bars_it_and_leaves_it_with_its_holder():
    at = scene(active="france", tile="3 DP / 2 MP, event", conflict=["algonquin"])
    assert at.refusal("france", use("algonquin_raids", "albany")).rule == "IS-11.6"
    assert at.state.holders["algonquin_raids"] == "france"


def test_IS_11_4_not_in_the_round_in_which_it_is_gained():
    at = scene(active="france", tile="3 DP / 2 MP, event")
    at.say("france", politics("mysore"))
    assert at.state.holders["power_struggle"] == "france"
    assert at.refusal("france", use("power_struggle", "kurpa")).rule == "IS-11.4"


def test_IS_11_13_what_is_gained_earlier_is_usable():
    at = scene(active="france", tile="3 DP / 2 MP, event", flags={"mysore": "france"})
    assert at.allows("france", use("power_struggle", "kurpa"))


def test_IS_11_5_two_per_round_and_one_per_region():
    at = scene(active="france", tile="3 DP / 2 MP, event", own={"france": {"debt": 2}}, flags={
        "mysore": "france", "nizam": "france", "denmark_norway": "france", "prussia_alliance": "france"})
    at.say("france", use("power_struggle", "kurpa"))
    assert at.refusal("france", use("separatist_wars", "plassey")).rule == "IS-11.5"
    at.say("france", use("baltic_trade"))
    assert at.refusal("france", use("algonquin_raids", "albany")).rule == "IS-11.5"


def test_IS_11_4_an_event_comes_before_the_first_use():
    at = scene(active="france", tile="3 DP / 2 MP, event", own={"france": {"hand": ["ev_03"]}})
    assert at.offered("france", UseAdvantage)
    at.say("france", use("algonquin_raids", "albany"))
    assert not any(option.verb in ("event", "pass") for option in at.options("france"))        # IS-5.4.2, R-11


def test_IS_11_7_unflagging_needs_a_major_action():
    at = scene(active="britain", tile="3 DP / 2 EP, event", flags={"antigua": "france", "antilles_channel": "britain",
                                                                   "puerto_rico": "britain"})
    assert at.refusal("britain", market("antigua", "minor", advantage="rum")).rule == "IS-5.7.3"
    at = scene(active="britain", tile="4 DP / 2 EP", conflict=["martinique"], flags={
        "antilles_channel": "france", "puerto_rico": "britain"})
    assert at.allows("britain", market("martinique", "minor", advantage="rum"))


def test_IS_11_8_a_discount_is_no_use_by_itself():
    at = scene(active="britain", tile="3 EP / 2 DP, event", flags={"puerto_rico": "britain"})
    assert at.refusal("britain", use("rum")).rule == "IS-11.8"


OTHERS = {"denmark_norway": "britain", "prussia_alliance": "britain", "mysore": "britain", "buccaneers": "britain",
          "antilles_channel": "britain", "antigua": "france", "cumberland": "france"}


@pytest.mark.parametrize("rule, before, fields", [
    ("IS-11.1", (), {"flags": {"puerto_rico": "france"}}),
    ("IS-11.3", (), {"exhausted": ["rum"]}),
    ("IS-11.4", (market("puerto_rico"),), {
        "flags": {"puerto_rico": "", "puerto_principe": "britain", "gulf_of_cazones": "britain"}}),
    ("IS-11.5", (use("pirate_havens", "martinique"),), {}),
    ("IS-11.5", (use("baltic_trade"), use("power_struggle", "vellore")), {}),
    ("IS-11.6", (), {"conflict": ["puerto_rico"]}),
])
def test_an_advantage_that_no_purchase_can_use_is_refused_by_the_rule_that_bars_it(rule, before, fields):
    flags = {**OTHERS, "puerto_rico": "britain", **fields.pop("flags", {})}
    at = scene(active="britain", tile="4 EP / 2 DP", own={"britain": {"debt": 1}}, flags=flags, **fields)
    at.say("britain", *before)
    assert at.refusal("britain", market("antigua", advantage="rum")).rule == rule


def test_IS_11_8_an_advantage_makes_only_its_own_purchases_cheaper():
    at = scene(active="britain", tile="4 EP / 2 DP", flags={**OTHERS, "puerto_rico": "britain"})
    assert at.refusal("britain", market("cumberland", advantage="rum")).rule == "IS-11.8"
    at = holding("silesia_negotiations", tile="4 DP / 2 EP", flags={"prussia_alliance": "britain", "sardinia": "britain"})
    assert at.refusal("france", politics("sardinia", advantage="silesia_negotiations")).rule == "IS-11.8"
    at.say("france", politics("prussia_alliance", advantage="silesia_negotiations"))
    assert at.refusal("france", politics("german_states_alliance_3", advantage="silesia_negotiations")).rule == "IS-11.3"


def test_IS_8_5_what_sets_no_price_for_a_squadron_says_why():
    at = holding("slaving_contracts", "britain", "4 MP / 2 EP", ministries={"britain": ["M-11 up"]},
                 exhausted=["slaving_contracts"], flags={"puerto_rico": "britain"})
    assert [at.refusal("britain", build(aid)).rule for aid in ("slaving_contracts", "rum", "M-10.1", "M-11.2")] == [
        "IS-11.3", "IS-8.5", "IS-12.4", "IS-12.6"]
    at = holding("slaving_contracts", "britain", "4 MP / 2 EP", ministries={"britain": ["M-10 up"]}, flags={"asiento": ""})
    at.say("britain", build("M-10.1"))
    assert [at.refusal("britain", build(aid)).rule for aid in ("slaving_contracts", "M-10.1")] == ["IS-11.1", "IS-12.5"]


def test_IS_T18_a_used_advantage_stays_exhausted_in_other_hands():
    at = scene(active="britain", tile="4 DP / 2 EP", exhausted=["algonquin_raids"])
    at.say("britain", politics("algonquin"))
    assert "algonquin_raids" not in at.state.holders
    at.say("britain", politics("algonquin"))
    assert at.state.holders["algonquin_raids"] == "britain" and at.state.exhausted == ["algonquin_raids"]


def test_IS_T06_power_struggle_and_three_regions_of_one():
    """A whole round: an event, both actions, an advantage between them, treaty points."""
    at = event(24, "britain", tile="3 DP / 2 EP, event", own={"britain": {"trp": 2}}, flags={
        "kurpa": "britain", "arcot": "britain", "kanchipuram": "britain", "madras": "britain", "mysore": "britain",
        "nizam": "france", "vellore": "france", "tiruchirappalli": "france", "vandavasi": "france", "karaikal": "france"})
    at.say("britain", market("vellore", "event_EP", trp=1), use("power_struggle", "tiruchirappalli"),
           politics("nizam"), politics("nizam", trp=1), market("tiruchirappalli", "minor"))
    assert [line.split(": base")[0].rstrip(".") for line in paid(at)] == [
        "Britain pays 2 EP", "Britain pays 2 DP", "Britain pays 2 DP", "Britain pays 2 EP"]
    assert [at.flag(space) for space in ("nizam", "vellore", "tiruchirappalli")] == ["britain", "", ""]
    assert at.state.conflict == {} and at.state.exhausted == ["power_struggle"] and at.state.own["britain"].trp == 0


def test_IS_11_4_only_in_the_own_round():
    at = scene(active="france", tile="3 DP / 2 MP, event")
    at.say("france", EndRound())
    assert not at.allows("france", use("algonquin_raids", "albany"))
    assert at.refusal("britain", deploy("biscay")).rule == "IS-5.3"
