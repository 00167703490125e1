"""Chapter 12: turning ministries up, and every ability of all 26."""
from __future__ import annotations

from typing import Any

import pytest

from engine.games.imperial_struggle.actions.advantages import UseAdvantage
from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.choices import Choose, ChooseSecretly
from engine.games.imperial_struggle.actions.ministries import RaiseUprising, Reveal, UseAbility
from engine.games.imperial_struggle.actions.rounds import EndRound, Pass, TakeTile
from engine.games.imperial_struggle.actions.shifts import ShiftMarket
from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.events.cards import MinistryRevealed
from engine.games.imperial_struggle.rules import ministry_effects
from tests.games.imperial_struggle.played import event, plays, targets
from tests.games.imperial_struggle.purchases import build, clear, costs, deploy, exchange, market, paid, politics
from tests.games.imperial_struggle.scene import FAIR, PARTS, Scene, scene

NEXT = "4 EP / 2 DP"
AWARDS = {"europe": "award_3", "north_america": "award_2", "caribbean": "award_7", "india": "award_5"}


def ministers(side: Side, *cards: str, tile: str = "3 DP / 2 MP, event", **fields: Any) -> Scene:
    """A side with these ministries, in its round with this tile."""
    return scene(active=side, tile=tile, ministries={side: cards}, **fields)


def use(ability: str) -> UseAbility:
    return UseAbility(ability=ability)


def scored(side: Side, *cards: str, flags: dict[str, str], turn: str = "T2", **fields: Any) -> Scene:
    """The end of a peace turn with these flags alone, and with these ministries; nothing is in demand unless said."""
    fields.setdefault("awards", AWARDS)
    return scene(phase="scoring", turn=turn, empty_map=True, flags=flags, dice=FAIR,
                 ministries={side: cards}, **fields)


# --- turning up ---------------------------------------------------------------------------------------------------

def test_IS_12_3_from_the_start_of_the_own_round_to_its_end():
    at = scene(active="france", ministries={"france": ["M-1", "M-3"], "britain": ["M-7"]}, available=["3 DP / 2 MP, event", NEXT])
    assert [option.card for option in at.offered("france", Reveal)] == ["M-1", "M-3"]
    at.say("france", Reveal(card="M-1"), TakeTile(tile=at.state.available[0]), politics("savoy"), Reveal(card="M-3"))
    assert at.state.own["france"].up == ["M-1", "M-3"]
    assert at.refusal("france", Reveal(card="M-3")).rule == "IS-12.3"
    at.say("france", EndRound())
    assert [option.card for option in at.offered("britain", Reveal)] == ["M-7"]
    assert MinistryRevealed.binds == "reveal"


def test_IS_12_4_a_face_down_card_does_nothing():
    at = ministers("britain", "M-6", "M-8", flags={"ireland_prestige": "britain"})
    assert not at.offered("britain", UseAbility)
    assert at.refusal("britain", use("M-8.1")).rule == "IS-12.4"
    at.say("britain", politics("scotland_alliance"))
    assert costs(at) == [2]


def test_IS_17_14_a_refusal_tells_nothing_of_other_cards():
    """What is said of a card that lies face down at the other side is said of one that lies nowhere, too."""
    lying, nowhere = (scene(active="britain", ministries={"france": cards}, tile="3 DP / 2 MP, event")
                      for cards in (["M-4"], []))
    for answer in (Reveal(card="M-4"), use("M-4.1")):
        assert str(lying.refusal("britain", answer)) == str(nowhere.refusal("britain", answer))
    assert [str(option) for option in lying.options("britain")] == [str(option) for option in nowhere.options("britain")]


def test_IS_12_5_two_abilities_of_a_card_are_used_up_singly():
    at = ministers("britain", "M-10 up", tile="4 MP / 2 EP", flags={"biscay": "britain"}, own={"britain": {"hand": ["ev_01"]}})
    at.say("britain", use("M-10.2"), ChooseSecretly(target="ev_01"), build("M-10.1"))
    assert at.state.own["britain"].exhausted == ["M-10.2", "M-10.1"]
    assert not at.allows("britain", build("M-10.1")) and at.refusal("britain", use("M-10.2")).rule == "IS-12.5"
    at = ministers("britain", "M-10 up", tile="4 MP / 2 EP", flags={"biscay": "britain"})
    assert at.refusal("britain", use("M-10.2")).rule == "IS-12.6"                   # no event to give up


def test_IS_R_51_an_award_of_0_VP():
    """M-3 and M-18 still add 1; M-18 does not push a French award below 0."""
    awards = {**AWARDS, "europe": "award_7"}
    assert scored("france", "M-3 up", flags={"bavaria": "france"}, awards=awards).state.vp == 16
    assert scored("britain", "M-18 up", flags={"bavaria": "britain"}, awards=awards).state.vp == 14
    assert scored("britain", "M-18 up", flags={"bavaria": "france"}, awards=awards).state.vp == 15


# --- France -------------------------------------------------------------------------------------------------------

@plays("M-1.1")
def test_M_1_raises_the_diplomatic_action():
    held = {"savoy": "france", "sardinia": "france", "spain_prestige_2": "france", "spain_prestige_3": "france"}
    at = ministers("france", "M-1 up", flags=held)
    at.say("france", use("M-1.1"))
    assert at.pools() == ["6 DP", "2 MP"] and at.refusal("france", use("M-1.1")).rule == "IS-12.5"      # 3 at most
    assert at.allows("france", Pass())                                          # IS-5.4.1: gone unused
    at = ministers("france", "M-1 up", tile="3 EP / 2 DP, event", flags={"savoy": "france"}, conflict=["austria_prestige_vienna"])
    at.say("france", use("M-1.1"))
    assert at.pools() == ["3 EP", "3 DP"]                                       # the minor action, the marked space left out
    at = ministers("france", "M-1 up", flags=held)
    at.say("france", politics("sweden"))
    assert at.refusal("france", use("M-1.1")).rule == "IS-12.6"                 # points have been spent
    assert ministers("france", "M-1 up", tile="4 EP / 2 MP").refusal("france", use("M-1.1")).rule == "IS-12.6"


@plays("M-2.1")
@pytest.mark.parametrize("flags, left", [({}, 3), ({"scotland_alliance": "france"}, 2)])
def test_M_2_repays_when_the_turn_closes(flags, left):
    assert scored("france", "M-2 up", flags=flags, own={"france": {"debt": 4}}).state.own["france"].debt == left
    assert scored("france", "M-2", flags=flags, own={"france": {"debt": 4}}).state.own["france"].debt == 4


@plays("M-3.1")
def test_M_3_the_Europe_award_is_worth_more():
    assert scored("france", "M-3 up", flags={"bavaria": "france"}).state.vp == 17
    assert scored("france", "M-3 up", flags={"bavaria": "britain"}).state.vp == 14
    assert scored("france", "M-3 up", flags={}).state.vp == 15


@plays("M-4.1")
def test_IS_R_18_M_4_military_points_shift_Scottish_and_Irish_spaces():
    at = ministers("france", "M-4 up", tile="4 MP / 2 EP", flags={"ireland_alliance": "britain"}, own={"france": {"debt": 0}})
    assert not at.allows("france", politics("scotland_alliance"))
    at.say("france", use("M-4.1"), politics("ireland_alliance"), politics("ireland_alliance"))
    assert at.flag("ireland_alliance") == "france" and paid(at) == ["France pays 2 MP."] * 2
    assert not at.allows("france", politics("savoy", debt=2))
    assert at.refusal("france", RaiseUprising(action="major", debt=3, trp=0)).rule == "IS-12.5"     # in another round


def test_M_4_a_minor_action_keeps_its_limits():
    at = ministers("france", "M-4 up", tile="4 EP / 2 MP", flags={"ireland_alliance": "britain"})
    at.say("france", use("M-4.1"))
    assert at.refusal("france", politics("ireland_alliance", "minor")).rule == "IS-5.7.3"
    assert at.allows("france", politics("scotland_alliance", "minor"))
    assert ministers("france", "M-4 up", tile="4 EP / 2 DP").refusal("france", use("M-4.1")).rule == "IS-5.6.5"


@plays("M-4.2")
def test_M_4_three_MP_for_victory_points():
    at = ministers("france", "M-4 up", tile="4 MP / 2 EP", jacobite_victories=2, flags={
        "ireland_alliance": "france", "scotland_alliance": "france"}, conflict=["scotland_alliance"])
    at.say("france", RaiseUprising(action="major", debt=0, trp=0))
    assert at.state.vp == 18 and at.pools() == ["1 MP", "2 EP"]
    assert at.refusal("france", RaiseUprising(action="major", debt=2, trp=0)).rule == "IS-12.5"
    at = ministers("france", "M-4 up", tile="4 EP / 2 MP", jacobite_victories=2, flags={
        "ireland_alliance": "france", "scotland_alliance": "france", "ireland_prestige": "france"})
    at.say("france", RaiseUprising(action="minor", debt=1, trp=0))
    assert at.state.vp == 19                                                    # 4 at most
    at = ministers("france", "M-4 up", tile="4 MP / 2 EP", flags={"ireland_alliance": ""})
    assert at.refusal("france", RaiseUprising(action="major", debt=0, trp=0)).rule == "IS-12.6"


@plays("M-9.1")
def test_IS_R_30_M_9_Huguenots_settle_and_help():
    at = ministers("france", "M-9 up", tile="4 EP / 2 MP", flags={"antilles_channel": "france"})
    at.say("france", use("M-9.1"))
    assert targets(at) == ["quebec_montreal", "acadia", "st_domingue", "guadeloupe", "louisiana"]
    at.say("france", Choose(target="guadeloupe"), market("antigua", huguenots="guadeloupe"))
    assert paid(at) == ["France pays 1 EP: base 2 and minus 1 for New World Huguenots."]
    assert at.state.huguenots == {"guadeloupe": "flipped"} and at.state.huguenots_left == 1
    at = ministers("france", "M-9 up", tile="4 EP / 2 MP", huguenots={"guadeloupe": "flipped", "acadia": "fresh"},
                   flags={"antilles_channel": "france"})
    assert [str(at.refusal("france", market("antigua", huguenots=named))) for named in ("guadeloupe", "acadia")] == [
        "You have no unused Huguenots in guadeloupe.", "The Huguenots of acadia make only markets of north america cheaper."]
    at = ministers("france", "M-9 up", huguenots={"acadia": "fresh"}, huguenots_left=0)
    assert at.refusal("france", use("M-9.1")).rule == "IS-R-30"


@pytest.mark.parametrize("conflict, advantage, helps", [((), "", True), (["antigua"], "", False), ((), "rum", False)])
def test_IS_6_3_6_Huguenots_are_offered_only_where_they_make_a_market_cheaper(conflict, advantage, helps):
    at = ministers("france", "M-9 up", tile="4 EP / 2 MP", huguenots={"guadeloupe": "fresh"}, conflict=conflict,
                   flags={"antilles_channel": "france", "antigua": "britain"}, holders={"rum": "france"})
    offered = at.offered("france", ShiftMarket)
    with_them = market("antigua", advantage=advantage, huguenots="guadeloupe")
    assert market("antigua", advantage=advantage) in offered and (with_them in offered) is helps
    if not helps:
        assert at.refusal("france", with_them).rule == "IS-6.3.6"


def test_IS_6_3_6_a_record_in_which_Huguenots_helped_for_nothing_is_still_legal_and_no_other_is():
    at = ministers("france", "M-9 up", tile="4 EP / 2 MP", huguenots={"guadeloupe": "fresh", "acadia": "fresh"},
                   conflict=["antigua"], flags={"antilles_channel": "france", "antigua": "britain"})
    seat = at.state.seat("france")
    assert market("antigua", huguenots="guadeloupe").was_legal(at.state, seat)
    for other in (market("antigua"), market("antigua", huguenots="acadia"), market("st_lucia", huguenots="guadeloupe"),
                  market("antigua", huguenots="guadeloupe", debt=1)):
        assert not other.was_legal(at.state, seat)
    for forged in (market("nowhere", huguenots="guadeloupe"), market("english_channel", huguenots="guadeloupe"),
                   market("antigua", huguenots="nowhere"), market("antigua", huguenots="guadeloupe", advantage="none")):
        assert not forged.was_legal(at.state, seat)


@plays("M-11.1", "M-11.2")
def test_IS_R_47_M_11_a_point_and_a_squadron():
    at = ministers("france", "M-11 up", turn="T4", tile="4 EP / 2 MP", flags={"cabot_strait": "france"})
    at.say("france", use("M-11.1"))
    assert at.pools() == ["4 EP", "2 MP", "1 MP"]
    assert not at.allows("france", clear("cabot_strait", "minor"))
    assert at.allows("france", build("M-11.2", "minor")) and not at.allows("france", build("", "minor", debt=1))
    at.say("france", deploy("biscay", action="minor"))
    assert at.pools() == ["4 EP"]                                               # IS-R-47: gone with the minor action
    at = ministers("france", "M-11 up", turn="T4", tile="4 MP / 2 EP")
    assert not at.allows("france", build("M-11.2"))                             # no squadron in North America
    assert ministers("france", "M-11 up", turn="T4", tile="4 EP / 2 DP").refusal("france", use("M-11.1")).rule == "IS-5.6.5"


@plays("M-12.1")
def test_M_12_treaty_points_from_India():
    at = scored("france", "M-12 up", flags={"plassey": "france"}, demand=["cotton"])
    reward = PARTS.good["cotton"].rewards["succession"]
    assert at.state.own["france"].trp == PARTS.award["award_5"].trp + 1 + reward.trp + 1
    assert scored("france", "M-12 up", flags={"plassey": "britain"}, demand=["cotton"]).state.own["france"].trp == 0


@plays("M-13.1")
def test_M_13_a_treaty_point_for_a_European_advantage():
    flags = {"german_states_alliance_3": "france", "bavaria": "france"}
    at = ministers("france", "M-13 up", turn="T4", flags=flags)
    at.say("france", UseAdvantage(advantage="algonquin_raids", target="albany"))
    assert at.state.own["france"].trp == 0
    at.say("france", UseAdvantage(advantage="central_europe_conflict", target="sardinia"))
    assert at.state.own["france"].trp == 1
    at = ministers("france", "M-13", turn="T4", flags=flags)
    at.say("france", UseAdvantage(advantage="central_europe_conflict", target="sardinia"), Reveal(card="M-13"))
    assert at.state.own["france"].trp == 0                                      # IS-12.9


@plays("M-14.1")
def test_IS_R_20_M_14_treaty_points_when_the_Europe_award_is_given():
    prestige = {"ireland_prestige": "france", "spain_prestige_2": "france", "spain_prestige_3": "france"}
    others = dict.fromkeys(["austria_alliance_2", "austria_alliance_3", "bavaria", "savoy"], "britain")
    assert scored("france", "M-14 up", flags=prestige).state.own["france"].trp == 2
    assert scored("france", "M-14 up", flags={**prestige, **others}).state.own["france"].trp == 2      # IS-R-20
    tie = {**prestige, **dict(list(others.items())[:3])}
    assert scored("france", "M-14 up", flags=tie).state.own["france"].trp == 0
    many = {**prestige, "dutch_prestige": "france", "scotland_prestige": "france"}
    assert scored("france", "M-14 up", flags=many).state.own["france"].trp == 3


@plays("M-23.1")
def test_IS_R_23_M_23_the_first_debt_is_worth_two():
    at = ministers("france", "M-23 up", turn="T5", tile="2 DP / 2 EP, event, upgrade", own={"britain": {"debt": 1}})
    at.say("france", politics("scotland_prestige", debt=1))                     # 3 DP with 1 debt: 1 is left over [IS-5.9.5]
    assert at.state.own["france"].debt == 1 and at.pools() == ["2 EP", "1 DP"]
    at.say("france", politics("savoy", debt=1))
    assert at.state.own["france"].debt == 2
    at = ministers("france", "M-23 up", turn="T5", tile="2 DP / 2 EP, event, upgrade", own={"britain": {"debt": 0}})
    assert not at.allows("france", market("caicos", "minor", debt=1))           # level: IS-R-23
    at.say("france", politics("scotland_prestige", debt=1))
    assert at.pools() == ["2 EP"]
    at = ministers("france", "M-23 up", turn="T5", tile="2 DP / 2 EP, event, upgrade", conflict=["scotland_alliance"],
                   own={"britain": {"debt": 1}})
    at.say("france", politics("scotland_alliance"), politics("scotland_prestige", debt=1))     # 2 DP are lacking: 1 debt is both
    assert at.state.own["france"].debt == 1 and at.pools() == ["2 EP"]


@plays("M-24.1")
def test_M_24_economic_actions_are_worth_more():
    furs = dict.fromkeys(["york_factory", "ile_aux_noix", "albany", "niagara"], "france")
    at = ministers("france", "M-24 up", turn="T5", tile="4 EP / 2 MP", flags=furs)
    assert at.pools() == ["5 EP", "2 MP"]
    at = ministers("france", "M-24", turn="T5", tile="4 DP / 2 EP", flags=furs)
    at.say("france", Reveal(card="M-24"))
    assert at.pools() == ["4 DP", "3 EP"]                                       # turned up later [IS-5.6.11]
    at = ministers("france", "M-24", turn="T5", tile="4 DP / 2 EP", flags={**furs, "antilles_channel": "france"})
    at.say("france", market("antigua", "minor"), Reveal(card="M-24"))
    assert at.pools() == ["4 DP"]                                               # its action is closed
    assert ministers("france", "M-24 up", turn="T5", tile="4 EP / 2 MP").pools() == ["4 EP", "2 MP"]


def test_M_24_the_action_of_an_event_gets_its_own_point():
    furs = dict.fromkeys(["york_factory", "ile_aux_noix", "albany", "niagara"], "france")
    at = event(30, "france", turn="T5", tile="3 EP / 2 DP, event", ministries={"france": ["M-24 up"]}, flags=furs)
    assert at.pools() == ["4 EP", "2 DP", "2 EP", "1 EP"]
    at = ministers("france", "M-24 up", turn="T6", tile="4 MP / 2 EP", flags=furs)
    at.say("france", exchange("EP"))
    assert at.pools() == ["2 MP", "3 EP", "1 EP", "1 EP"]


def test_IS_8_7_and_M_24_points_bought_on_T6_pay_before_those_that_go_with_one_action_alone():
    furs = {"massachusetts_bay": "france", "georges_bank": "france", "northeast_channel": "france", "york_factory": "france"}
    at = ministers("france", "M-24 up", turn="T6", tile="4 MP / 2 EP", flags={**furs, "antilles_channel": "france"},
                   conflict=["antigua"])
    at.say("france", exchange("EP"), market("antigua", "event_EP"))
    assert [(pool.points, pool.source) for pool in at.state.current.pools if pool.kind == "EP"] == [
        (3, "tile"), (0, "exchange"), (1, "attached")]


@plays("M-24.2")
def test_M_24_Huguenots_can_help_again():
    at = ministers("france", "M-24", turn="T5", huguenots={"acadia": "flipped", "louisiana": "fresh"})
    at.say("france", Reveal(card="M-24"))
    assert at.state.huguenots == {"acadia": "fresh", "louisiana": "fresh"}


@plays("M-25.1")
def test_M_25_an_event_without_the_symbol():
    at = ministers("france", "M-25 up", turn="T5", tile="4 DP / 2 MP", own={"france": {"hand": ["ev_35", "ev_34", "ev_37"]}})
    ways = [(option.event, option.waiver) for option in at.offered("france", PlayEvent)]
    assert ways == [("ev_35", "M-25.1"), ("ev_34", "M-25.1")]                   # the kind must still match
    at.say("france", PlayEvent(event="ev_35", reveal="", waiver="M-25.1"))
    assert at.state.played == ["ev_35"] and at.state.own["france"].exhausted == ["M-25.1"]
    at = ministers("france", "M-25 up", turn="T5", own={"france": {"hand": ["ev_35"]}})
    assert at.refusal("france", PlayEvent(event="ev_35", reveal="", waiver="M-25.1")).rule == "IS-13.2"     # not needed


@plays("M-26.1")
def test_IS_T14_a_complex_round():
    """Event 36 with Lavoisier turned up for it, Letters of Marque, isolated markets, a second region that is free."""
    at = scene(turn="T6", active="france", tile="3 DP / 2 MP, event", empty_map=True, conflict=["puerto_principe"],
               ministries={"france": ["M-26"]}, own={"france": {"hand": ["ev_36"], "debt": 2, "limit": 2}}, flags={
                   "puerto_principe": "france", "st_domingue": "france", "bahamas_run": "france", "carolinas": "britain",
                   "puerto_rico": "britain",
                   "bahamas_run_west": "britain", "bahamas_run_north": "britain", "privateers": "france"})
    at.say("france", PlayEvent(event="ev_36", reveal="M-26", waiver=""))
    assert at.state.own["france"].debt == 0 and at.pools() == ["4 DP", "3 MP", "3 EP"]
    at.say("france", clear("puerto_principe", "minor"))
    assert at.pools() == ["4 DP", "3 EP"]
    at.say("france", market("puerto_rico", "event_EP"), UseAdvantage(advantage="letters_of_marque", target="bahamas_run_west"),
           market("bahamas_run_west", "event_EP"))
    assert at.state.conflict == {} and "bahamas_run_north" not in at.state.current.isolated
    at.say("france", market("bahamas_run_west", "event_EP", debt=1), politics("sweden"), politics("spain_prestige_2"))
    assert [line.split(": ")[0].rstrip(".") for line in paid(at)] == [
        "France pays 2 MP", "France pays 1 EP", "France pays 1 EP", "France pays 2 EP", "France pays 2 DP", "France pays 2 DP"]
    assert at.state.own["france"].debt == 1
    at.say("france", EndRound())
    assert "bahamas_run_north" in at.state.current.isolated


def test_M_26_only_with_the_bonus_and_to_actions_that_are_not_over():
    own = {"france": {"debt": 2}}
    at = event(36, "france", ministries={"france": ["M-26"]}, own=own)
    at.say("france", Reveal(card="M-26"))
    assert at.pools() == ["3 DP", "2 MP"]                                       # no bonus, no points
    at = event(36, "france", bonus=True, ministries={"france": ["M-26"]}, own=own)
    at.say("france", deploy("biscay", action="minor"), Reveal(card="M-26"))
    assert at.pools() == ["4 DP", "3 EP"]


# --- Britain ------------------------------------------------------------------------------------------------------

@plays("M-5.1")
def test_IS_R_39_M_5_draws_an_event_and_discards_one():
    at = scene(active="britain", available=["3 DP / 2 MP, event", NEXT], ministries={"britain": ["M-5 up"]},
               deck=["ev_09", "ev_07"], own={"britain": {"hand": ["ev_01"]}}, dice=[(2,)])
    at.say("britain", use("M-5.1"))                                             # before the tile, too
    assert at.default("britain") == ChooseSecretly(target="ev_01") and targets(at) == ["ev_01", "ev_07"]
    at.say("britain", ChooseSecretly(target="ev_07"))
    assert at.state.own["britain"].hand == ["ev_01"] and at.state.discards == ["ev_07"]
    at = ministers("britain", "M-5 up", deck=[])
    assert at.refusal("britain", use("M-5.1")).rule == "IS-R-39"


@plays("M-6.1", "M-6.2")
def test_M_6_Scotland_and_Ireland():
    at = ministers("britain", "M-6 up", tile="3 EP / 2 DP, event", flags={"ireland_prestige": "britain"})
    assert at.allows("britain", politics("spain_alliance_north", "minor", debt=1))
    at.say("britain", politics("scotland_prestige", "minor"))
    assert paid(at) == ["Britain pays 2 DP: base 3 and minus 1 for Jonathan Swift."]
    at = ministers("britain", "M-6 up", tile="3 EP / 2 DP, event", flags={"ireland_prestige": "britain"},
                   conflict=["ireland_prestige"])
    assert at.refusal("britain", politics("spain_alliance_north", "minor", debt=1)).rule == "IS-5.7.3"
    assert at.refusal("britain", politics("algonquin", "minor")).rule == "IS-5.7.3"         # Europe alone


@plays("M-7.1")
def test_M_7_fresh_advantages_score_after_everything_else():
    five = {"san_agustin": "britain", "hudson_bay": "britain", "puerto_rico": "britain", "west_bengal": "britain",
            "tiruchirappalli": "britain"}
    free = {**five, "madras": "france"}

    def gained(**fields: Any) -> int:
        up, down = (scored("britain", card, flags=free, **fields).state.vp for card in ("M-7 up", "M-7"))
        return down - up
    assert gained() == 3                                                        # 3 at most
    assert gained(exhausted=["fruit", "fur_trade"], conflict=["west_bengal"]) == 2


@plays("M-8.1")
def test_M_8_the_limit_rises_for_good():
    at = scene(active="britain", available=["3 DP / 2 MP, event", NEXT], ministries={"britain": ["M-8 up"]})
    at.say("britain", use("M-8.1"))
    assert at.state.own["britain"].limit == 7 and at.refusal("britain", use("M-8.1")).rule == "IS-12.5"


@plays("M-8.2")
def test_M_8_an_economic_event_on_another_tile():
    hand: dict[str, Any] = {"britain": {"hand": ["ev_08", "ev_05"], "debt": 2}}
    at = ministers("britain", "M-8 up", own=hand)
    assert [(option.event, option.waiver) for option in at.offered("britain", PlayEvent)] == [("ev_08", "M-8.2")]
    at.say("britain", PlayEvent(event="ev_08", reveal="", waiver="M-8.2"))
    assert at.state.own["britain"].exhausted == ["M-8.2"]
    assert not ministers("britain", "M-8 up", tile="4 DP / 2 MP", own=hand).offered("britain", PlayEvent)   # the symbol is needed


@plays("M-10.1", "M-10.2")
def test_M_10_a_squadron_and_a_treaty_point():
    at = ministers("britain", "M-10 up", tile="4 MP / 2 EP", flags={"biscay": "britain"},
                   own={"britain": {"hand": ["ev_01", "ev_06"]}})
    at.say("britain", build("M-10.1"))
    assert paid(at) == ["Britain pays 2 MP: base 2 by Edmond Halley."]
    at.say("britain", use("M-10.2"), ChooseSecretly(target="ev_06"))
    assert at.state.discards == ["ev_06"] and at.state.own["britain"].trp == 1
    at = ministers("britain", "M-10 up", own={"britain": {"hand": ["ev_01"]}})
    assert at.refusal("britain", use("M-10.2")).rule == "IS-12.6"               # no squadron in Europe


@plays("M-15.1", "M-15.2")
def test_M_15_a_point_and_a_squadron():
    at = ministers("britain", "M-15 up", turn="T4", tile="3 MP / 2 DP, event")
    at.say("britain", build("M-15.2"), use("M-15.1"))
    assert paid(at) == ["Britain pays 2 MP: base 2 by Pitt the Elder."] and at.pools() == ["1 MP", "2 DP", "1 DP"]
    assert not at.allows("britain", politics("scotland_prestige", "minor"))     # Prestige
    assert at.allows("britain", politics("austria_alliance_3", "minor"))


@plays("M-16.1")
def test_M_16_unflags_for_less_in_this_round():
    at = ministers("britain", "M-16 up", turn="T4", flags={"russia": "france", "sweden": "france"})
    at.say("britain", use("M-16.1"), politics("russia"))
    assert paid(at) == ["Britain pays 2 DP: base 3 and minus 1 for Charles Hanbury Williams."]
    at.say("britain", politics("russia", debt=2))
    assert paid(at)[1] == "Britain pays 3 DP."                          # it unflags only


@plays("M-17.1")
def test_IS_R_21_M_17_the_first_two_debt_for_EP_are_free():
    at = ministers("britain", "M-17 up", turn="T4", tile="4 DP / 2 EP", own={"britain": {"debt": 6, "limit": 6}})
    at.say("britain", market("albany", "minor", debt=1))
    assert at.state.own["britain"].debt == 6 and at.state.own["britain"].free_debt == 1
    at = ministers("britain", "M-17", turn="T4", tile="4 DP / 2 EP", own={"britain": {"debt": 0}})
    at.say("britain", market("albany", "minor", debt=1), Reveal(card="M-17"))
    assert at.state.own["britain"].debt == 1 and ministry_effects.free_debt(at.state, "britain", "EP") == 1      # IS-12.9
    assert ministry_effects.free_debt(at.state, "britain", "DP") == 0


@plays("M-18.1")
def test_M_18_the_Europe_award_is_worth_more_and_less():
    assert scored("britain", "M-18 up", flags={"bavaria": "britain"}).state.vp == 13
    assert scored("britain", "M-18 up", flags={"bavaria": "france"}).state.vp == 15


@plays("M-19.1", "M-19.2")
def test_M_19_no_points_for_excess_debt_and_a_treaty_point():
    at = scene(turn="T5", active="france", tile="3 DP / 2 MP, event", ministries={"britain": ["M-19 up"]}, flags={
        "mysore": "france"})
    at.say("france", UseAdvantage(advantage="algonquin_raids", target="albany"),
           UseAdvantage(advantage="power_struggle", target="kurpa"))
    assert at.state.own["britain"].trp == 1                                     # the first use alone
    tobacco = {"georgia": "britain"}                        # its reward raises the debt, which is at the limit
    up, down = (scored("britain", card, flags=tobacco, demand=["tobacco"], own={"britain": {"debt": 6}}).state.vp
                for card in ("M-19 up", "M-19"))
    assert down - up == PARTS.good["tobacco"].rewards["succession"].debt


@plays("M-20.1", "M-20.2")
def test_M_20_no_more_uprisings():
    at = scene(turn="T5", active="britain", tile="3 DP / 2 MP, event",
               ministries={"britain": ["M-20"], "france": ["M-4", "M-25 up"]})
    at.say("britain", Reveal(card="M-20"), use("M-20.2"))
    assert at.state.jacobite_defeat and [minister.card for minister in at.state.own["france"].ministries] == ["M-25"]
    assert at.pools() == ["3 DP", "2 MP", "2 DP"]
    at.say("britain", politics("scotland_alliance"), politics("sweden"))
    assert at.pools() == ["1 DP", "2 MP"]


@plays("M-21.1")
def test_M_21_minor_actions_unflag_a_good():
    fields: dict[str, Any] = {"turn": "T5", "demand": ["sugar", "fish"], "ministries": {"britain": ["M-21 up"]},
              "flags": {"antilles_channel": "britain"}}
    at = scene(active="britain", available=["4 DP / 2 EP", NEXT], **fields)
    at.say("britain", use("M-21.1"))
    assert targets(at) == ["sugar", "fish"]
    at.say("britain", Choose(target="sugar"), TakeTile(tile=at.state.available[0]))
    assert at.allows("britain", market("martinique", "minor"))
    at = scene(active="britain", tile="4 DP / 2 EP", **fields)
    assert at.refusal("britain", market("martinique", "minor")).rule == "IS-5.7.3"
    assert at.refusal("britain", use("M-21.1")).rule == "IS-5.2"


@plays("M-22.1")
def test_IS_R_19_M_22_a_major_action_in_Europe_is_worth_more():
    irish = {"ireland_prestige": "britain", "ireland_alliance": "britain"}
    at = ministers("britain", "M-22 up", turn="T5", flags={**irish, "mysore": ""})
    at.say("britain", use("M-22.1"))
    assert at.pools() == ["5 DP", "2 MP"] and at.state.current.bound == "europe"
    assert not at.allows("britain", politics("mysore")) and not any(option.verb == "draw" for option in at.options("britain"))
    at = ministers("britain", "M-22 up", turn="T5", flags=irish)
    at.say("britain", politics("sweden"))
    assert at.refusal("britain", use("M-22.1")).rule == "IS-R-19"               # it has begun
    at = ministers("britain", "M-22 up", turn="T5", tile="3 EP / 2 DP, event", flags=irish)
    assert at.refusal("britain", use("M-22.1")).rule == "IS-R-19"               # not the minor one


@pytest.mark.parametrize("tile, able", [("3 DP / 2 MP, event", True), ("3 EP / 2 DP, event", False)])
def test_IS_R_19_M_22_raises_the_tiles_own_major_action_and_none_of_an_event(tile, able):
    """Its effect, `tile_bonus_ap`, adds points to the tile's own action of the kind, before it opens."""
    at = ministers("britain", "M-22 up", "M-20 up", turn="T5", tile=tile, own={"britain": {"hand": ["ev_17"]}},
                   flags={"ireland_prestige": "britain", "mysore": "", "nizam": ""})
    at.say("britain", PlayEvent(event="ev_17", reveal="", waiver=""))                   # 1 DP, by Style
    at.say("britain", politics("nizam", "event_DP", debt=1))                            # the event's action may leave Europe
    if not able:
        assert at.refusal("britain", use("M-22.1")).rule == "IS-R-19"
        return
    at.say("britain", use("M-22.1"))
    assert at.pools() == ["4 DP", "2 MP"] and not at.allows("britain", politics("mysore"))


def test_IS_T17_no_point_for_what_is_flagged_on_the_way():
    at = ministers("britain", "M-22 up", turn="T5", tile="4 DP / 2 EP")
    assert at.refusal("britain", use("M-22.1")).rule == "IS-12.6"
    at.say("britain", politics("ireland_alliance"))
    assert at.refusal("britain", use("M-22.1")).rule == "IS-R-19" and at.pools() == ["2 DP", "2 EP"]


@plays("M-22.2")
def test_M_22_cheaper_in_America():
    at = ministers("britain", "M-22 up", turn="T5")
    at.say("britain", politics("sons_of_liberty"))
    assert paid(at) == ["Britain pays 2 DP: base 3 and minus 1 for Edmund Burke."]
