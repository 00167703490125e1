"""The action round, its points and its purchases, each rule by its number (chapters 5 to 8, 18)."""
from __future__ import annotations

from typing import Any

import pytest

from bot.discord.game.action_menu import impossible
from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.advantages import UseAdvantage
from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.choices import Choose
from engine.games.imperial_struggle.actions.military import BuildSquadron
from engine.games.imperial_struggle.actions.ministries import Reveal, UseAbility
from engine.games.imperial_struggle.actions.rounds import EndRound, Pass, PayFirst, TakeTile
from engine.games.imperial_struggle.actions.shifts import DrawEvent, ShiftMarket, ShiftPolitical
from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.components.effects import Filter, Unflag
from engine.games.imperial_struggle.events.base import binding
from engine.games.imperial_struggle.rules.effects import PERFORM, Play
from engine.games.imperial_struggle.rules.money import debt_lead
from engine.games.imperial_struggle.state import RoundState
from engine.kernel import Action, Event, Game
from engine.text import Reader, say
from tests.games.imperial_struggle.purchases import build, clear, costs, deploy, exchange, fort, market, paid, politics
from tests.games.imperial_struggle.scene import PARTS, Scene, scene, state_of

READER = Reader(dict(GAME.words.names(PARTS)))
# Georgia and St. Lucia are British at the start, Martinique and Port de Paix French, Savoy, Sardinia and Sweden nobody's.
CALICO = {"kurpa": "", "arcot": "britain", "vellore": "france", "tiruchirappalli": "france"}          # Vellore costs 2


def round_of(side: Side, tile: str, *hand: str, **fields) -> Scene:
    own = {**fields.pop("own", {})}
    own[side] = {"hand": list(hand), **own.get(side, {})}
    return scene(active=side, tile=tile, own=own, **fields)


def play(event: str, reveal: str = "") -> PlayEvent:
    return PlayEvent.of(event, reveal, "")


# --- what is never possible in a round --------------------------------------------------------------------------------

def told(at: Scene, side: Side) -> dict[str, str]:
    """Verb to why not, of all that a side is told that it can't do."""
    seat = at.state.seat(side)
    question = at.table.question(seat)
    assert question is not None
    kinds = impossible(at.table, seat, question)
    return {kind.verb: say(why.text, READER) for kind in kinds if (why := kind.obstacle(at.state, seat)) is not None}


def test_nobody_is_told_why_not_of_what_the_tile_the_turn_or_the_own_cards_never_allow():
    cards = {"britain": ["M-8 up"], "france": ["M-4 up"]}
    britain = told(round_of("britain", "4 EP / 2 DP", "ev_02", ministries=cards), "britain")
    assert {"uprising", "bastion", "tile", "build", "exchange", "swap", "treaty", "upgrade", "take", "pay_first",
            "reveal"}.isdisjoint(britain)
    assert britain["event"] == "Your tile has no event symbol."
    france = told(round_of("france", "4 MP / 2 DP", ministries={"france": ["M-4"]}), "france")
    assert france["uprising"] == "You have no face-up ministry with this ability."
    assert "event" not in france and "market" not in france, "an empty hand, and no EP"


def test_a_command_for_points_that_the_tile_never_had_says_so():
    at = round_of("britain", "4 EP / 2 DP")
    why = BuildSquadron.obstacle(at.state, at.state.seat("britain"))
    assert why is not None and say(why.text, READER) == "Your tile has no MP."


# --- start, tile, pass (5.1 to 5.4) -----------------------------------------------------------------------------------

def test_IS_5_1_what_is_remembered_of_the_start():
    at = scene(active="britain", tile="4 EP / 2 MP", flags={"cumberland": "france"})
    now = at.state.current
    assert set(now.held) == set(at.state.spaces_of("britain")) and now.isolated == ["cumberland"]
    assert now.trade == {"britain": 2, "france": 2} and now.gained == []


def test_IS_5_2_ministries_may_be_turned_up_before_the_tile():
    at = scene(active="britain", ministries={"britain": ["M-8"]})
    at.say("britain", Reveal(card="M-8"), UseAbility(ability="M-8.1"))
    assert at.state.own["britain"].limit == 7 and at.state.current.stage == "before"


def test_IS_5_3_one_of_the_tiles_that_are_left():
    at = scene(active="france")
    tile = at.state.available[0]
    at.say("france", TakeTile(tile=tile))
    assert tile not in at.state.available and at.state.taken == {tile: "france"}
    assert at.refusal("france", TakeTile(tile=at.state.available[0])).rule == "IS-5.3"
    assert scene(active="france").refusal("france", Pass()).rule == "IS-5.3"


@pytest.mark.parametrize("debt, left", [(3, 1), (1, 0), (0, 0)])
def test_IS_5_4_1_passing_lowers_the_debt_by_two(debt, left):
    at = scene(active="france", tile="4 DP / 2 MP", own={"france": {"debt": debt}})
    at.say("france", Pass())
    assert at.state.own["france"].debt == left and at.state.current.side == "britain"


def test_IS_5_4_2_no_pass_after_something_of_the_tile_is_used():
    at = round_of("france", "3 DP / 2 MP, event", "ev_03")
    at.say("france", politics("savoy"))
    assert at.refusal("france", Pass()).rule == "IS-5.4.2"
    at = scene(active="france", tile="4 DP / 2 MP", flags={"savoy": "france", "spain_prestige_3": "france"})
    at.say("france", UseAdvantage(advantage="mediterranean_intrigue", target="sardinia"))
    assert at.refusal("france", Pass()).rule == "IS-5.4.2"


def test_IS_R_15_early_abilities_do_not_bar_a_pass():
    at = scene(active="britain", tile="4 EP / 2 MP", ministries={"britain": ["M-8 up"]}, own={"britain": {"debt": 1}})
    at.say("britain", UseAbility(ability="M-8.1"))
    assert at.allows("britain", Pass())


# --- order and actions of a round (5.5) -------------------------------------------------------------------------------


def test_IS_5_5_2_major_and_minor_in_any_order():
    at = scene(active="france", tile="4 DP / 2 MP")
    at.say("france", deploy("biscay", action="minor"), politics("savoy"), politics("sardinia"))
    assert at.state.current.open == "major" and at.state.current.closed == ["minor"]


def test_IS_5_5_3_and_R_03_a_closed_action_does_not_open_again():
    """At most one of each action; a closed one does not open again [IS-5.5.3, 5.5.5, R-03]."""
    at = scene(active="france", tile="4 DP / 2 MP")
    at.say("france", politics("savoy"), deploy("biscay", action="minor"))
    assert at.refusal("france", politics("sardinia")).rule == "IS-5.9.2"


def test_IS_5_5_4_advantages_between_purchases():
    at = scene(active="france", tile="4 DP / 2 MP", flags={
        "savoy": "france", "spain_prestige_3": "france", "sardinia": "britain"})
    mark = UseAdvantage(advantage="mediterranean_intrigue", target="sardinia")
    at.say("france", politics("sweden"), mark, politics("sardinia"))
    assert paid(at)[1] == "France pays 1 DP: base 1 by the conflict marker." and at.state.current.open == "major"


def test_IS_5_5_6_and_6_4_unflagging_and_flagging_are_two_purchases():
    """The second one at the full price; never both in a minor action [IS-5.5.6, 5.7.1, 6.4]."""
    at = scene(active="britain", tile="4 EP / 2 MP", flags={"cumberland": "france"})
    at.say("britain", market("cumberland"), market("cumberland"))
    assert paid(at)[0] == "Britain pays 1 EP: base 1, isolated since the round began." and costs(at) == [1, 2]
    at = scene(active="britain", tile="4 MP / 2 EP", flags={"cumberland": "france"}, conflict=["cumberland"])
    at.say("britain", market("cumberland", "minor"))
    assert not at.offered("britain", ShiftMarket)


# --- points (5.6) -----------------------------------------------------------------------------------------------------


def test_IS_5_6_2_a_grant_is_an_action_of_its_own_or_joins_one():
    """Its own, or the major or minor action of its kind, point by point [IS-5.6.2, R-56]."""
    def at() -> Scene:
        made = round_of("france", "3 MP / 2 DP, event", "ev_09", flags={"russia": "britain"}, ministries={"france": ["M-3 up"]})
        made.say("france", play("ev_09"))                   # unflags Russia, and 1 DP
        return made
    assert at().pools() == ["3 MP", "2 DP", "1 DP"]
    assert at().allows("france", politics("russia", "minor")) and at().allows("france", politics("savoy", "event_DP", debt=1))
    assert not at().allows("france", politics("russia", "event_DP"))
    joined = at()
    joined.say("france", politics("russia", "minor"))
    assert joined.pools() == ["3 MP"]                       # the minor action is spent, and the point with it


def test_IS_T56_event_points_join_the_major_action_or_are_one_of_their_own():
    def at() -> Scene:
        made = round_of("britain", "2 EP / 2 DP, event, upgrade", "ev_11", flags={
            "vandavasi": "britain", "arcot": "britain", "kurpa": ""})
        made.say("britain", play("ev_11"))
        return made
    joined = at()
    joined.say("britain", market("karaikal"), market("kurpa", debt=1))
    assert joined.state.own["britain"].debt == 1 and joined.flag("kurpa") == "britain"
    apart = at()
    apart.say("britain", market("karaikal", "event_EP", debt=1), market("kurpa"))
    assert apart.state.own["britain"].debt == 1 and apart.pools() == ["2 DP"]


def test_IS_5_6_3_and_5_6_4_points_with_a_limit_pay_for_what_meets_it():
    """In an event action debt does so, too [IS-5.6.3, 5.6.4]."""
    at = round_of("britain", "2 EP / 2 DP, event, upgrade", "ev_11", flags=CALICO)
    at.say("britain", play("ev_11"))
    assert at.refusal("britain", market("kurpa", "event_EP", debt=2)).rule == "IS-5.9.1"
    assert at.allows("britain", market("kurpa")) and at.allows("britain", market("vellore", "event_EP"))


def wealth(tile: str, *first: Action, **fields) -> Scene:
    """Britain on turn 6 has played Wealth of Nations with its bonus: 3 EP beside the tile."""
    at = round_of("britain", tile, "ev_36", turn="T6", ministries={"britain": ["M-10 up"]},
                  flags={"georges_bank": "", "albany": "", "hudson_valley": "britain"}, **fields)
    at.say("britain", play("ev_36"), *first)
    return at


def test_IS_5_6_7_and_5_6_8_what_is_left_of_a_grant_serves_in_any_order():
    at = wealth("2 EP / 2 DP, event, upgrade", market("georges_bank", "event_EP"))
    assert at.pools() == ["2 EP", "2 DP", "1 EP"] and at.state.current.open == "event_EP"
    at.say("britain", market("albany"))                     # its event action closes, and the point joins the major one
    assert at.pools() == ["2 DP"] and at.state.own["britain"].debt == 0
    at = wealth("2 DP / 2 MP, event, upgrade", market("georges_bank", "event_EP"))
    leaving = politics("sweden")
    assert at.said(leaving.consequence(at.state, at.state.seat("britain"))).startswith("This ends your open action")
    at.say("britain", leaving)
    assert "1 EP" in at.pools() and not at.offered("britain", ShiftMarket), "no action is left that could spend it"


def test_IS_5_6_8_and_8_7_points_of_the_exchange_go_with_their_event_action():
    """So no purchase that closes it counts them."""
    at = round_of("france", "3 DP / 2 MP, event", "ev_02", turn="T6", conflict=["savoy"])
    at.say("france", play("ev_02"), exchange("DP", "minor"), politics("savoy", "event_DP"))
    assert at.pools() == ["3 DP", "1 DP", "1 DP"]           # of the tile, of the event, bought
    at.say("france", politics("russia"), politics("sweden", debt=1))
    assert at.pools() == [] and at.state.own["france"].debt == 1


def test_IS_5_6_8_a_game_of_the_earlier_rulings_goes_on_by_them():
    """What is left of a grant lapses with its event action."""
    at = wealth("2 EP / 2 DP, event, upgrade", market("georges_bank", "event_EP"), rules_version=1)
    at.say("britain", politics("sweden", "minor"))
    assert at.pools() == ["2 EP"]


def test_IS_5_6_9_a_grant_of_nothing_opens_nothing():
    at = round_of("france", "3 DP / 2 MP, event", "ev_40", turn="T5", flags={"spain_alliance_north": ""})
    at.say("france", play("ev_40"))
    assert at.pools() == ["3 DP", "2 MP"] and not at.allows("france", deploy("biscay", action="event_MP"))


def test_IS_5_6_10_what_lies_in_no_region_is_not_paid_by_points_for_one():
    at = round_of("britain", "3 MP / 2 EP, event", "ev_28", turn="T4", ministries={"britain": ["M-15 up"]})
    at.say("britain", play("ev_28"), Choose(target="georges_bank"))
    assert at.pools() == ["3 MP", "2 EP", "2 MP"]
    assert not at.allows("britain", build(action="event_MP", debt=2))
    assert at.allows("britain", deploy("gulf_of_maine", action="event_MP"))


def test_IS_R_04_limited_points_first_unless_the_player_wants_otherwise():
    at = round_of("britain", "2 EP / 2 DP, event, upgrade", "ev_11", flags=CALICO)
    at.say("britain", play("ev_11"), market("vellore"))
    assert at.pools() == ["2 EP", "2 DP"]
    at = round_of("britain", "2 EP / 2 DP, event, upgrade", "ev_11", flags=CALICO)
    at.say("britain", play("ev_11"), PayFirst(pool="major"), market("vellore"))
    assert at.pools() == ["2 DP", "2 EP"]


# --- minor action, regions, debt (5.7 to 5.9) -------------------------------------------------------------------------

def test_IS_5_7_1_and_5_7_2_one_purchase_that_debt_may_raise():
    at = scene(active="france", tile="4 MP / 2 EP")
    at.say("france", market("puerto_principe", "minor"))
    assert not at.offered("france", ShiftMarket)
    at = scene(active="britain", tile="3 EP / 2 DP, event")
    at.say("britain", politics("ireland_prestige", "minor", debt=1))
    assert at.flag("ireland_prestige") == "britain" and not at.offered("britain", ShiftPolitical)


def test_IS_5_7_5_major_actions_have_no_such_limits():
    at = scene(active="france", tile="4 DP / 2 MP", flags={"savoy": "britain", "sardinia": "britain"})
    at.say("france", politics("savoy"), politics("sardinia"))
    assert at.flag("savoy") == at.flag("sardinia") == ""


def test_IS_5_8_3_sub_regions_are_no_regions():
    at = scene(active="france", tile="4 EP / 2 DP", flags={"york_factory": "", "hudson_bay": "france", "cumberland": "britain",
                                                         "ohio_forks": "france"}, damaged=["ohio_forks"])
    at.say("france", market("york_factory"), market("cumberland"))
    assert costs(at)[1] == 2


def test_IS_5_8_2_and_5_8_4_kinds_are_counted_apart():
    """EP in one region and DP in another cost nothing extra, and MP never do [IS-5.8.2, 5.8.4]."""
    at = scene(active="france", tile="4 EP / 2 DP", flags={"savoy": ""})
    at.say("france", market("puerto_principe"), politics("savoy", "minor"))
    assert costs(at) == [2, 2]
    at = scene(active="france", tile="4 MP / 2 EP", own={"france": {"navy_box": 2}})
    at.say("france", deploy("biscay"), deploy("hooghly_river"))
    assert costs(at) == [1, 1]


def test_IS_5_8_5_and_R_05_major_and_event_spending_are_counted_together():
    """Over the whole round, and on top of the floored price [IS-5.8.5, 5.8.7, R-05]."""
    at = round_of("france", "3 DP / 2 MP, event", "ev_02", flags={"savoy": "", "mysore": ""})
    at.say("france", play("ev_02"), politics("savoy", "event_DP"), politics("mysore"))
    assert costs(at)[1] == 3


def test_IS_R_06_the_first_region_is_that_of_the_first_purchase_that_lies_in_one():
    """A card is drawn in no region [IS-5.8.6, 6.3.8, 7.2.4, R-06]."""
    at = scene(active="france", tile="4 DP / 2 MP", deck=["ev_01"], own={"france": {"trp": 4}}, dice=[(1,)])
    at.say("france", DrawEvent.of("major", 0, 0), politics("mysore", trp=1))
    assert paid(at)[0] == "France pays 3 DP for an event." and costs(at) == [3, 2]


def test_IS_5_9_2_a_kind_without_a_pool_cannot_be_made():
    at = scene(active="france", tile="4 DP / 2 MP", own={"france": {"trp": 4}})
    assert at.refusal("france", market("puerto_principe", "major", trp=2)).rule == "IS-5.9.2"


def test_IS_5_9_3_debt_may_be_added_to_an_empty_pool():
    at = scene(active="france", tile="4 DP / 2 MP")
    at.say("france", politics("savoy"), politics("sardinia"), politics("sweden", debt=2))
    assert at.state.own["france"].debt == 2


def test_IS_5_9_4_and_5_9_5_no_more_than_the_purchase_lacks():
    at = scene(active="france", tile="4 DP / 2 MP", own={"france": {"trp": 2}})
    assert at.refusal("france", politics("savoy", debt=1)).rule == "IS-5.9.5"
    at.say("france", deploy("biscay", action="minor"))
    assert not at.allows("france", deploy("balearic", "biscay", action="minor", debt=1))


# --- economic and diplomatic action (6, 7) ----------------------------------------------------------------------------

def test_IS_6_1_EP_shift_markets_and_nothing_else():
    at = scene(active="france", tile="4 EP / 2 MP")
    assert {type(option) for option in at.options("france") if getattr(option, "action", "") == "major"} == {ShiftMarket}


@pytest.mark.parametrize("flags, conflict, rule", [
    ({"bahamas_run": "france"}, [], ""),                                                # IS-6.2.1: a squadron
    ({"caicos": "france", "bahamas_run": "france"}, [], ""),
    ({"bahamas_run_north": "france", "caicos": "france"}, ["caicos"], "IS-6.2.3"),      # isolated
    ({"cuba_passage_east": "france", "cuba_passage": "france"}, [], ""),                # IS-6.2.2: a market
    ({"cuba_passage_east": "france", "cuba_passage": "france"}, ["cuba_passage_east"], "IS-6.2.2"),
    ({}, [], "IS-6.2")])
def test_IS_6_2_connections(flags, conflict, rule):
    """[IS-6.2, 6.2.1, 6.2.2, 6.2.3]"""
    at = scene(active="france", tile="4 EP / 2 MP", flags={"georgia": "", "carolinas": "", **flags}, conflict=conflict)
    answer = market("bahamas_run_west")
    assert (at.refusal("france", answer).rule if rule else at.allows("france", answer)) == (rule or True)


def test_IS_6_2_1_and_R_10_an_anchor_gained_in_this_round_serves():
    """A damaged fort, too [R-10]; so does a new squadron's space."""
    at = scene(active="france", tile="4 MP / 2 EP", flags={"georges_bank": "", "acadia": ""})
    assert not at.allows("france", market("northeast_channel", "minor", debt=1))
    at.say("france", deploy("cabot_strait"))
    assert at.allows("france", market("gulf_of_st_lawrence", "minor", debt=1))
    at = scene(active="france", tile="4 EP / 2 MP", flags={"ohio_forks": "france"}, damaged=["ohio_forks"])
    assert at.allows("france", market("cumberland"))


def test_IS_6_3_6_discounts_come_before_additions_without_a_floor_between():
    at = scene(active="britain", tile="4 EP / 2 MP", flags={"puerto_rico": "britain", "antigua": "britain",
                                                          "martinique": "france", "antilles_channel": "france"},
               conflict=["martinique"])
    at.say("britain", market("martinique", advantage="rum"))
    assert paid(at) == ["Britain pays 1 EP: base 1 by the conflict marker, minus 1 for Rum and plus 1, protected by the Antilles "
                        "Channel."]


def test_IS_6_3_5_of_two_flagged_markets_that_cost_alike_only_the_protected_one_costs_more():
    at = scene(active="britain", tile="3 EP / 2 DP, event", flags={
        "puerto_rico": "france", "antigua": "britain", "cuba_passage_east": "france", "cuba_passage": "france",
        "cayman_passage": "britain"})
    offered = at.offered("britain", ShiftMarket)
    assert PARTS.space["puerto_rico"].price == PARTS.space["cuba_passage_east"].price == 3
    assert market("puerto_rico") in offered and market("puerto_rico", debt=1) not in offered
    assert market("cuba_passage_east") not in offered and market("cuba_passage_east", debt=1) in offered


def test_IS_6_3_7_and_R_07_a_total_of_one_whatever_protects():
    at = scene(active="britain", tile="4 EP / 2 MP", flags={
        "hudson_bay": "britain", "cumberland": "france", "ohio_forks": "france", "antigua": ""})
    at.say("britain", market("antigua"), market("cumberland", advantage="fur_trade"))
    assert paid(at)[1] == "Britain pays 2 EP: 1 in all by Fur Trade and plus 1 for another region."


def test_IS_7_1_political_spaces_need_no_connection():
    at = scene(active="france", tile="4 DP / 2 MP", flags={"maratha": "britain"})
    assert at.allows("france", politics("maratha")) and at.allows("france", politics("russia"))


def test_IS_7_2_1_and_7_2_3_the_price_of_a_political_space():
    """The printed price, discounts, never below 1 [IS-7.2, 7.2.1 to 7.2.3]."""
    at = scene(active="britain", tile="4 DP / 2 MP", ministries={"britain": ["M-6 up"]}, conflict=["scotland_alliance"])
    at.say("britain", politics("scotland_alliance"), politics("scotland_prestige"))
    assert paid(at)[0] == "Britain pays 1 DP: base 1 by the conflict marker, minus 1 for Jonathan Swift and not below 1."
    assert costs(at) == [1, 2]


def test_IS_7_4_and_R_40_a_drawn_card_binds_and_the_hand_may_grow():
    at = scene(active="france", tile="4 DP / 2 MP", deck=["ev_01", "ev_02"], dice=[(1,)],
               own={"france": {"hand": ["ev_03", "ev_04", "ev_05"]}})
    at.say("france", DrawEvent.of("major", 0, 0))
    assert len(at.state.own["france"].hand) == 4
    assert "draw" in {binding(event) for event in at.events(Event)}


# --- military action (8) ----------------------------------------------------------------------------------------------

def test_IS_8_3_1_to_8_3_3_what_lets_a_fort_be_built():
    """A market, squadron or territory; an isolated market does, one under a marker does not [IS-8.3.2, 8.3.3, R-09]."""
    def at(**fields) -> bool:
        return scene(active="france", tile="4 MP / 2 EP", **fields).allows("france", fort("ohio_forks"))
    assert at(flags={"cumberland": "france"}) and not at(flags={"cumberland": "france"}, conflict=["cumberland"])
    assert not at(flags={"champlain_valley": "france"}) and not at()


def test_IS_8_4_2_and_R_08_an_isolated_market_lets_a_fort_be_taken():
    fields: dict[str, Any] = {"damaged": ["ohio_forks"], "flags": {"ohio_forks": "britain", "cumberland": "france"}}
    assert scene(active="france", tile="4 MP / 2 EP", **fields).allows("france", fort("ohio_forks"))
    at = scene(active="france", tile="4 MP / 2 EP", conflict=["cumberland"], **fields)
    assert at.refusal("france", fort("ohio_forks")).rule == "IS-8.4.2"
    at = scene(active="france", tile="4 DP / 2 MP", own={"france": {"trp": 4}}, **fields)
    assert at.refusal("france", fort("ohio_forks", "minor", trp=2)).rule == "IS-8.4.2"


def test_IS_8_5_a_squadron_costs_four_or_a_fixed_price_each():
    at = scene(active="britain", tile="4 MP / 2 EP", ministries={"britain": ["M-10 up"]}, own={"britain": {"trp": 4}})
    at.say("britain", build("M-10.1"))
    assert costs(at) == [2]
    assert not at.allows("britain", build("M-10.1")) and at.allows("britain", build(debt=2))
    at = scene(active="britain", tile="4 MP / 2 EP", own={"britain": {"unbuilt": 0, "gone": 6}})
    assert at.refusal("britain", build()).rule == "IS-8.5"


def test_IS_R_26_event_4_makes_one_squadron_cheaper_down_to_nothing():
    at = round_of("britain", "3 MP / 2 DP, event", "ev_04", ministries={"britain": ["M-10 up", "M-8 up"]})
    at.say("britain", play("ev_04"), Choose(target="port_de_paix"), build("M-10.1"))
    assert paid(at) == ["Britain pays 0 MP: base 2 by Edmond Halley and minus 2 for South Sea Speculation."]
    assert at.refusal("britain", build(debt=0)).rule == "IS-5.9.5"                       # 4 MP again


def test_IS_8_6_deployments():
    """From any region to any, once each; the space left is empty; never onto an own squadron [IS-8.6.3, 8.6.5, 8.6.6]."""
    at = scene(active="britain", tile="4 MP / 2 EP", flags={"malabar_coast": "britain", "biscay": "britain"})
    assert at.refusal("britain", deploy("biscay", "malabar_coast")).rule == "IS-8.6.6"
    at.say("britain", deploy("gulf_of_maine", "malabar_coast"))
    assert at.flag("malabar_coast") == "" and at.flag("gulf_of_maine") == "britain"


def test_IS_8_2_whose_space_it_is_does_not_matter():
    at = scene(active="britain", tile="4 MP / 2 EP", conflict=["savoy", "cataraqui"])
    assert at.allows("britain", clear("savoy")) and at.allows("britain", clear("cataraqui"))


def test_IS_R_17_a_bought_point_may_be_raised():
    at = scene(turn="T6", active="france", tile="4 MP / 2 EP", flags={"savoy": ""})
    at.say("france", exchange("DP"), politics("savoy", "event_DP", debt=1))
    assert at.flag("savoy") == "france" and at.state.own["france"].debt == 1


def test_IS_8_7_a_bought_point_joins_the_major_action_of_its_kind():
    at = scene(turn="T6", active="france", tile="4 DP / 2 MP", flags={"savoy": "", "sardinia": "", "sweden": ""})
    at.say("france", exchange("DP", "minor"))
    assert at.pools() == ["4 DP", "1 DP"]
    at.say("france", politics("savoy"), politics("sardinia"), politics("sweden", debt=1))
    assert at.state.own["france"].debt == 1


# --- silence (18) -----------------------------------------------------------------------------------------------------

def test_IS_18_6_and_18_7_and_18_12_what_silence_does():
    """The lowest tile, then pass; nothing more is bought; never debt or TRP [IS-18.6, 18.7, 18.12, 18.20, 18.31]."""
    at = scene(active="france")
    assert at.default("france") == TakeTile(tile=at.state.available[0])
    at.say("france", at.default("france"))
    assert at.default("france") == Pass()
    at = scene(active="france", tile="4 DP / 2 MP")
    at.say("france", politics("savoy"))
    assert at.default("france") == EndRound()


def test_IS_18_29_a_single_answer_is_taken_by_the_engine_but_not_the_end_of_a_round():
    at = scene(active="france", tile="4 DP / 2 MP")
    at.say("france", politics("savoy"), politics("sardinia"), deploy("biscay", action="minor"))
    assert at.asked() == [("france", "IS-18.12")]           # a ministry may still be turned up [IS-5.11, 17.14]


def test_IS_5_11_the_end_warns_of_points_that_lapse():
    at = scene(active="france", tile="4 DP / 2 MP")
    assert leftovers(at, "france", EndRound.of()) == "These points lapse: 4 DP and 2 MP. You could still use Algonquin Raids."


def leftovers(at: Scene, side: Side, answer: Action) -> str:
    """What a side reads before its round ends."""
    warning = answer.consequence(at.state, at.state.seat(side))
    return say(warning, READER) if warning is not None else ""


def test_IS_23_19_the_end_of_a_round_says_what_would_be_left_unused():
    early = scene(active="britain", tile="2 DP / 2 MP, event, upgrade", ministries={"britain": ["M-5 up", "M-7"]},
                  own={"britain": {"debt": 2, "tiles": [["basic_br_01"], [], [], []]}}, deck=["ev_01"])
    said = leftovers(early, "britain", EndRound.of())
    assert "If you pass instead, your debt falls by 2." in said and "You haven't made the military upgrade." in said
    assert "East India Company" not in said and leftovers(early, "britain", Pass.of()) == "", "the turn has more own rounds"
    last = scene(active="britain", tile="2 DP / 2 MP, event, upgrade", ministries={"britain": ["M-5 up", "M-7"]}, ar=6,
                 own={"britain": {"trp": 6}}, deck=["ev_01"])
    for answer in (EndRound.of(), Pass.of()):
        said = leftovers(last, "britain", answer)
        assert "Not used this turn: Robert Walpole." in said, said
        assert ("Still face down: East India Company. What none of your orders turns up doesn't count when the turn is "
                "scored.") in said
        assert "2 TRP lapse when the turn ends." in said


# --- what is left of the chapters -------------------------------------------------------------------------------------

def test_IS_T13_an_effect_takes_off_what_there_is_and_nothing_of_ones_own():
    state = state_of(empty_map=True, flags={"georgia": "britain", "martinique": "france"})
    state.round = RoundState(side="france")
    g = Game(state)
    step = Unflag(op="unflag", count=2, filter=Filter(flag="opponent", types=("market",)))
    assert list(PERFORM[Unflag](Play(g, "france", "ev_11"), step)) == [] and g.state.flags == {"martinique": "france"}


def test_IS_2_6_4_and_5_7_4_what_a_minor_action_may_unflag():
    """Under a marker [IS-2.6.4], or by a ministry [IS-5.7.4]."""
    fields: dict[str, Any] = {"flags": {"savoy": "france", "ireland_alliance": "britain"}, "tile": "3 EP / 2 DP, event",
                              "active": "britain"}
    assert not scene(**fields).allows("britain", politics("savoy", "minor"))
    assert scene(conflict=["savoy"], **fields).allows("britain", politics("savoy", "minor"))
    assert scene(ministries={"britain": ["M-6 up"]}, **fields).allows("britain", politics("savoy", "minor"))


def test_IS_5_4_3_passing_does_not_touch_later_rounds():
    at = scene(active="france", available=["3 DP / 2 MP, event", "4 DP / 2 MP", "4 EP / 2 MP", "4 MP / 2 EP"])
    for side in ("france", "britain"):
        at.say(side, TakeTile(tile=at.state.available[0]), Pass())
    at.say("france", TakeTile(tile=at.state.available[0]))
    assert at.state.current.stage == "tile" and len(at.pools()) == 2


def test_IS_5_6_6_purchases_from_event_points_obey_the_rules_of_the_action():
    at = round_of("britain", "2 EP / 2 DP, event, upgrade", "ev_11", flags={"cumberland": "france", "hudson_valley": "",
                                                                          "northern_colonies": ""})
    at.say("britain", play("ev_11"))
    assert at.refusal("britain", market("cumberland", "event_EP")).rule == "IS-6.2"


def test_IS_9_7_and_9_6_debt_that_an_effect_lowers_and_compares():
    """As far as there is debt [IS-9.7]; available debt of both sides is compared [IS-9.6]."""
    at = round_of("france", "3 DP / 2 MP, event", "ev_36", turn="T5", own={"france": {"debt": 1}})
    at.say("france", play("ev_36"))
    assert at.state.own["france"].debt == 0 and "2 DP" not in at.pools()
    assert debt_lead(state_of(own={"france": {"debt": 2}, "britain": {"limit": 5}}), "britain") == 1


def test_IS_10_2_treaty_points_are_spent_as_action_points():
    at = scene(active="france", tile="4 DP / 2 MP", own={"france": {"trp": 2}}, flags={"russia": "", "sweden": ""})
    at.say("france", politics("russia"), politics("sweden", trp=1))
    assert at.state.own["france"].trp == 1 and "France flags Sweden for 2 DP (1 from TRP)." in at.lines()


@pytest.mark.parametrize("rounds, after", [(0, "britain"), (7, None)])
def test_IS_4_9_whose_round_comes_next(rounds, after):
    at = scene(first="britain" if rounds else "france", active="france", ar=rounds)
    seat = at.game.rules.follows(at.state)
    assert (at.state.power(seat) if seat else None) == after


@pytest.mark.parametrize("tile, kind, missing", [
    ("3 DP / 2 EP, event", BuildSquadron, "MP"), ("3 DP / 2 MP, event", ShiftMarket, "EP"), ("4 EP / 2 MP", DrawEvent, "DP")])
def test_IS_5_9_2_what_cannot_be_bought_for_want_of_its_points_says_which(tile: str, kind: type[Action], missing: str) -> None:
    """Debt and treaty points can't make a kind that neither tile nor event brings."""
    at = scene(active="france", tile=tile)
    why = kind.obstacle(at.state, at.state.seat("france"))
    assert why is not None and (str(why), why.rule) == (f"Your tile has no {missing}.", "IS-5.9.2")
    spent = scene(active="france", tile="3 DP / 2 MP, event")
    spent.state.current.closed = ["major", "minor"]
    why = BuildSquadron.obstacle(spent.state, spent.state.seat("france"))
    assert str(why) == "You have no MP left to spend this round."
