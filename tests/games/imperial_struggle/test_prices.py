"""Prices and what pays them (chapters 5 to 8), with the golden tests of 20.1 that need no card."""
from __future__ import annotations

import random
import re

from engine.dice import SecretDice
from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.buying import Buying
from engine.games.imperial_struggle.actions.military import BuildSquadron, BuyTile, Deploy, Fortify
from engine.games.imperial_struggle.actions.rounds import EndRound
from engine.games.imperial_struggle.actions.shifts import DrawEvent, ShiftMarket, ShiftPolitical
from engine.games.imperial_struggle.actions.wars import Conquer, Refuse
from engine.games.imperial_struggle.events.points import ActionOpened
from engine.games.imperial_struggle.words.nouns import names
from engine.kernel import Action, Table
from engine.selfplay import beginning, play_on
from engine.text import Reader, say
from tests.games.imperial_struggle.purchases import build, clear, deploy, exchange, fort, market, paid, politics
from tests.games.imperial_struggle.scene import PARTS, Scene, scene


def caribbean(conflict: tuple[str, ...]) -> Scene:
    return scene(active="britain", tile="3 EP / 2 DP, event", flags={"cumberland": "france", "ohio_forks": "france"},
                 damaged=["ohio_forks"], conflict=conflict)


def test_IS_T01_a_marker_and_a_second_region():
    at = caribbean(("cumberland",))
    at.say("britain", market("antigua"), market("cumberland", debt=1))
    assert paid(at) == ["Britain pays 2 EP.",
                        "Britain pays 2 EP: base 1 by the conflict marker and plus 1 for another region."]
    assert (at.flag("antigua"), at.flag("cumberland"), at.state.conflict) == ("britain", "", {})
    assert at.state.own["britain"].debt == 1


def test_IS_T02_without_the_marker():
    at = caribbean(())
    at.say("britain", market("antigua"), market("cumberland", debt=2))
    assert paid(at)[1] == "Britain pays 3 EP: base 2 and plus 1 for another region."


def test_IS_T05_treaty_points_and_one_region():
    at = scene(active="france", tile="4 DP / 2 MP", flags={"denmark_norway": "britain"}, own={"france": {"trp": 2}})
    at.say("france", politics("denmark_norway"), politics("denmark_norway"), politics("sardinia", trp=2))
    assert (at.flag("denmark_norway"), at.flag("sardinia"), at.state.own["france"].trp) == ("france", "france", 0)
    assert paid(at) == ["France pays 2 DP."] * 3


def test_IS_T10_a_point_of_debt_or_treaty_makes_up_the_price():
    at = scene(active="britain", tile="3 EP / 2 DP, event", own={"britain": {"trp": 1}})
    assert at.allows("britain", politics("ireland_prestige", "minor", debt=1))
    assert at.allows("britain", politics("ireland_prestige", "minor", trp=1))
    assert not at.allows("britain", politics("ireland_prestige", "minor"))
    assert not at.allows("britain", politics("ireland_prestige", "minor", debt=1, trp=1))


def test_IS_T03_a_marker_and_protection():
    """A marker sets the base to 1; the squadron that protects adds 1 [IS-6.3.2, 6.3.5]."""
    at = scene(active="britain", tile="3 EP / 2 DP, event", conflict=["martinique"], flags={"antilles_channel": "france"})
    at.say("britain", market("martinique"))
    assert paid(at) == ["Britain pays 2 EP: base 1 by the conflict marker and plus 1, protected by the Antilles Channel."]


def test_IS_T07_no_point_for_regions_between_kinds():
    at = scene(active="france", tile="3 MP / 2 DP, event", conflict=["karaikal", "malacca_route"], flags={
        "vandavasi": "france", "malacca_route": "france", "hooghly_river": "france", "malabar_coast": "", "algonquin": ""})
    at.say("france", clear("karaikal"), clear("malacca_route"), deploy("malabar_coast"), politics("algonquin", "minor"))
    assert paid(at) == ["France pays 1 MP: base 2 and minus 1, protected."] * 2 + ["France pays 1 MP.",
                                                                                  "France pays 2 DP."]
    assert (at.flag("malabar_coast"), at.flag("algonquin"), at.state.conflict) == ("france", "france", {})


def test_IS_T09_the_second_region_costs_a_point():
    at = scene(active="france", tile="4 DP / 2 MP", own={"france": {"trp": 1}}, flags={"mysore": "", "savoy": ""})
    at.say("france", politics("savoy"), politics("mysore", trp=1))
    assert paid(at)[1] == "France pays 3 DP: base 2 and plus 1 for another region."
    assert at.pools() == ["2 MP"]


def test_IS_5_8_1_a_region_is_paid_once():
    at = scene(active="france", tile="4 DP / 2 MP", own={"france": {"trp": 4}})
    at.say("france", politics("savoy"), politics("mysore", trp=1), politics("nizam", trp=2))
    assert paid(at)[2] == "France pays 2 DP."


def louisbourg(**flags: str) -> Scene:
    return scene(turn="T4", active="france", tile="4 MP / 2 EP", damaged=["louisbourg"], flags={
        "louisbourg": "britain", "acadia": "france", "georges_bank": "", **flags})


def test_IS_T15_a_damaged_fort_is_taken_and_connects_at_once():
    at = louisbourg(cabot_strait="france")
    at.say("france", fort("louisbourg"), market("georges_bank", "minor"))
    assert paid(at) == ["France pays 4 MP: base 3 and plus 1 for the damage.", "France pays 2 EP."]
    assert (at.flag("louisbourg"), at.state.damaged, at.flag("georges_bank")) == ("france", [], "france")


def test_IS_T15_a_territory_alone_does_not_serve():
    why = louisbourg().refusal("france", fort("louisbourg"))
    assert why.rule == "IS-8.4.2"


def test_IS_2_8_3_an_undamaged_fort_cannot_be_taken():
    at = scene(active="france", tile="4 MP / 2 EP", flags={"louisbourg": "britain", "cabot_strait": "france"})
    assert at.refusal("france", fort("louisbourg", debt=1)).rule == "IS-2.8.3"


def test_IS_8_4_1_an_own_fort_is_repaired_without_a_connection():
    at = scene(active="france", tile="4 MP / 2 EP", flags={"arcot": "france"}, damaged=["arcot"])
    at.say("france", fort("arcot"))
    assert paid(at) == ["France pays 1 MP: base 2 and minus 1 for the damage."] and at.state.damaged == []


def test_IS_T16_on_T6_points_of_one_kind_are_bought():
    at = scene(turn="T6", active="france", tile="4 MP / 2 EP")
    at.say("france", exchange("DP"))
    assert at.refusal("france", exchange("EP")).rule == "IS-8.7"
    at.say("france", exchange("DP"), politics("savoy", "event_DP"))
    assert at.flag("savoy") == "france" and at.pools() == ["2 EP"]


def test_IS_8_7_only_on_T6():
    assert scene(active="france", tile="4 MP / 2 EP").refusal("france", exchange("DP")).rule == "IS-8.7"


def test_IS_T20_a_minor_action_deploys_to_an_empty_space_only():
    at = scene(active="britain", tile="4 EP / 2 MP", flags={"biscay": "france"})
    assert at.refusal("britain", deploy("biscay", action="minor", debt=1)).rule == "IS-8.6.7"
    at.say("britain", deploy("balearic", action="minor"))
    assert at.pools() == ["4 EP"] and "minor" in at.state.current.closed


def test_IS_8_6_2_driving_out_costs_three_from_the_box_and_two_from_the_map():
    at = scene(active="britain", tile="4 MP / 2 EP", flags={"biscay": "france", "balearic": "britain", "cuba_passage": "france"},
               own={"britain": {"navy_box": 1}})
    at.say("britain", deploy("biscay", "balearic"), deploy("cuba_passage", debt=1))
    assert paid(at) == ["Britain pays 2 MP: base 2, a squadron at sea drives one out.",
                        "Britain pays 3 MP: base 3, a squadron is driven out."]
    assert at.state.own["france"].navy_box == 3 and at.flag("balearic") == ""


def test_IS_8_6_4_a_squadron_deploys_once_in_a_round():
    at = scene(active="britain", tile="4 MP / 2 EP", own={"britain": {"navy_box": 1}})
    at.say("britain", deploy("biscay"))
    assert at.refusal("britain", deploy("balearic", "biscay")).rule == "IS-8.6.4"


def test_IS_R_16_a_new_squadron_may_deploy():
    at = scene(active="britain", tile="4 MP / 2 EP", own={"britain": {"navy_box": 0}})
    at.say("britain", build(), deploy("biscay", debt=1))
    assert at.flag("biscay") == "britain" and at.state.own["britain"].unbuilt == 5


def test_IS_T57_going_on_to_another_action_gives_up_the_rest():
    at = scene(active="britain", tile="4 EP / 2 MP", flags={"antigua": ""})
    at.say("britain", market("antigua"))
    warning = deploy("biscay", action="minor").consequence(at.state, at.table.asks[0].seat)
    assert warning is not None and say(warning, Reader(dict(GAME.words.names(PARTS)))).endswith("2 points of it lapse.")
    at.say("britain", deploy("biscay", action="minor"))
    assert "Britain gives up 2 action points." in at.lines()
    assert [event.action for event in at.events(ActionOpened)] == ["major", "minor"]
    assert not at.offered("britain", ShiftMarket)


def test_IS_R_59_without_the_strict_order_all_pools_stay_open():
    at = scene(active="britain", tile="4 EP / 2 MP", flags={"antigua": ""}, options={"strict_action_order": False})
    at.say("britain", market("antigua"), deploy("biscay", action="minor"))
    assert at.pools() == ["2 EP"]
    at.say("britain", market("santiago"))
    assert at.flag("santiago") == "britain"


def test_IS_5_7_3_a_minor_action_removes_a_flag_only_under_a_marker():
    flags = {"savoy": "france", "sardinia": "france"}
    at = scene(active="britain", tile="3 EP / 2 DP, event", flags=flags, conflict=["savoy"])
    assert at.refusal("britain", politics("sardinia", "minor")).rule == "IS-5.7.3"
    at.say("britain", politics("savoy", "minor"))
    assert at.flag("savoy") == ""
    assert at.refusal("britain", politics("savoy", "minor", debt=1)).rule == "IS-5.9.2"         # one purchase only [IS-5.7.1]


def test_IS_6_2_4_no_chain_from_market_to_market():
    at = scene(active="britain", tile="4 EP / 2 MP", flags={"antigua": "", "st_lucia": "britain"})
    at.say("britain", market("antigua"))
    assert at.refusal("britain", market("puerto_rico", debt=1)).rule == "IS-6.2.4"


def test_IS_7_3_drawing_an_event():
    at = scene(active="france", tile="4 DP / 2 MP", deck=["ev_01", "ev_02"], dice=[(2,)])
    at.say("france", DrawEvent(action="major", debt=0, trp=0))
    assert at.state.own["france"].hand == ["ev_02"] and at.state.deck == ["ev_01"]
    assert at.private_lines("france")[-1] == "You drew Acts of Union."
    assert "Acts of Union" not in " ".join(at.lines())


def test_IS_R_39_no_event_from_an_empty_pile():
    at = scene(active="france", tile="4 DP / 2 MP", deck=[], discards=["ev_01"])
    assert at.refusal("france", DrawEvent(action="major", debt=0, trp=0)).rule == "IS-7.3"


def test_IS_8_3_a_fort_needs_something_held_since_the_round_began():
    at = scene(active="france", tile="4 MP / 2 EP")
    at.say("france", fort("louisbourg"))                    # through Acadia
    assert paid(at) == ["France pays 3 MP."] and at.flag("louisbourg") == "france"
    assert at.refusal("france", fort("halifax", debt=2)).rule == "IS-8.3.2"


def test_IS_8_2_a_plus_one_marker():
    at = scene(active="france", tile="4 MP / 2 EP", flags={"martinique": "france"}, conflict={"martinique": 1})
    at.say("france", clear("martinique"))
    assert paid(at) == ["France pays 3 MP: base 2 and plus 1 for the +1 marker."]


def test_IS_5_11_points_left_lapse():
    at = scene(active="france", tile="4 MP / 2 EP")
    at.say("france", EndRound())
    assert "France ends the round; 6 action points lapse." in at.lines()


def test_IS_9_2_no_more_debt_than_the_limit():
    at = scene(active="britain", tile="3 EP / 2 DP, event", own={"britain": {"debt": 6}})
    assert at.refusal("britain", politics("ireland_prestige", "minor", debt=1)).rule == "IS-5.9.1"


def test_IS_23_30_no_price_of_a_whole_game_is_a_bare_number():
    """Every cost that a menu, a button or a list of what is legal shows has the rules that make it, and its parts if it isn't the
    printed one; so has it in the log."""
    made_of = re.compile(r"\d [A-Z]{2}( to (un)?flag| to (build|repair|take)| for [^:]+)?(: .+)? \(IS-[\d., ]+\)")
    table = Table(GAME, PARTS, beginning(GAME, 2, "published", PARTS), dice=SecretDice("0a" * 32), checkpoints=False)
    reader, priced = Reader(names(PARTS)), set[type[Action]]()
    for _ in play_on(table, random.Random(10).randrange):
        for asked in table.waiting():
            for option in table.options(asked.seat):
                cost = option.cost(table.state, asked.seat)
                assert (cost is not None) == isinstance(option, (Buying, Conquer, Refuse)), option
                if cost is not None:
                    assert made_of.fullmatch(say(cost, reader)), say(cost, reader)
                    priced.add(type(option))
    assert {ShiftMarket, ShiftPolitical, BuyTile, Fortify, BuildSquadron, Deploy, Conquer} <= priced
    told = [say(line, reader) for entry in table.fresh for event in entry.events if (line := event.line()) is not None]
    paid_for = [line for line in told if " pays " in line]
    explained = [line for line in paid_for if made_of.search(line)]
    printed = [line for line in paid_for if line not in explained]
    assert explained and len(printed) > 20 and not [line for line in printed if ": " in line or "IS-" in line]
