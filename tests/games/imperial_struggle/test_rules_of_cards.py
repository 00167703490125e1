"""Chapters 11 to 13, 17 and 18 by their numbers, where no test of a single card names them."""
from __future__ import annotations

import random

from engine.dice import SecretDice
from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.advantages import UseAdvantage
from engine.games.imperial_struggle.actions.buying import Buying
from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.choices import Choose, ChooseSecretly
from engine.games.imperial_struggle.actions.ministries import Reveal, UseAbility
from engine.games.imperial_struggle.actions.rounds import EndRound, Pass, TakeTile
from engine.games.imperial_struggle.components import foe
from engine.games.imperial_struggle.events.base import binding
from engine.games.imperial_struggle.events.cards import AdvantageUsed, MinistryRevealed
from engine.games.imperial_struggle.events.choices import ChoiceOpened, OpponentAsked
from engine.games.imperial_struggle.rules.conditions import standing_bonus_tiles
from engine.games.imperial_struggle.rules.rounds import PERFORM
from engine.selfplay import new_table, play_on
from tests.games.imperial_struggle.played import event, grants, targets
from tests.games.imperial_struggle.purchases import costs, market, politics
from tests.games.imperial_struggle.scene import PARTS, scene

# --- 11 -----------------------------------------------------------------------------------------------------------

def test_IS_11_11_nothing_reacts_to_an_advantage_that_an_event_uses():
    at = event(33, "france", "algonquin_raids", "albany", ministries={"britain": ["M-19 up"]},
               flags={"mysore": "france"})
    assert at.state.own["britain"].trp == 0
    at.say("france", UseAdvantage(advantage="power_struggle", target="kurpa"))
    assert at.state.own["britain"].trp == 1                 # the first use of the round that is one
    assert [used.exhausts for used in at.events(AdvantageUsed)] == [False, True]


def test_IS_R_57_a_discount_that_an_event_brings_into_use_is_bought_next():
    """Exhausted before, it sets the price of the next purchase and stays as it was."""
    at = event(33, "france", "fur_trade", tile="3 EP / 2 DP, event", exhausted=["fur_trade", "algonquin_raids"],
               flags={"hudson_bay": "france", "massachusetts_bay": "britain", "gulf_of_maine": "france"})
    assert at.state.current.owed == "fur_trade"
    assert not at.allows("france", EndRound()) and at.refusal("france", EndRound()).rule == "IS-11.12"
    assert all(getattr(option, "advantage", "") == "fur_trade" for option in at.options("france") if isinstance(option, Buying))
    assert at.default("france") == market("massachusetts_bay", advantage="fur_trade")
    at.say("france", market("massachusetts_bay", advantage="fur_trade"))
    assert costs(at) == [1]
    assert at.state.exhausted == ["fur_trade", "algonquin_raids"] and at.state.current.used == ["fur_trade"]


def test_IS_R_07_one_in_all_whatever_protection_says():
    at = scene(turn="T4", active="france", tile="3 EP / 2 DP, event", flags={
        "hudson_bay": "france", "georges_bank": "britain", "gulf_of_maine": "france", "halifax": "britain"})
    assert market("georges_bank").price(at.state, at.state.seat("france")).total == 3       # 2, and 1 for the fort
    at.say("france", market("georges_bank", advantage="fur_trade"))
    assert costs(at) == [1]


# --- 12 -----------------------------------------------------------------------------------------------------------

def test_IS_12_2_and_17_2_the_number_of_ministries_is_public():
    at = scene(active="britain", ministries={"france": ["M-4", "M-1 up"]})
    seen = GAME.views.view(at.state, at.state.seat("britain"))
    assert len(seen.sides[1].ministries) == 2 and "M-4" not in seen.model_dump_json()


def test_IS_12_7_what_lies_under_a_marker_is_not_counted():
    at = scene(turn="T5", active="britain", tile="3 DP / 2 MP, event", ministries={"britain": ["M-22 up"]},
               flags={"ireland_prestige": "britain", "ireland_alliance": "britain"}, conflict=["ireland_alliance"])
    at.say("britain", UseAbility(ability="M-22.1"))
    assert at.pools() == ["4 DP", "2 MP"]


def test_IS_12_8_and_R_36_a_face_up_card_supplies_its_keywords():
    at = scene(ministries={"france": ["M-3 up", "M-1"], "britain": ["M-6 up"]})
    assert [at.state.shows("france", keyword) for keyword in PARTS.keywords] == [0, 0, 0, 1, 1]
    assert at.state.shows("britain", "style") == 1 and at.state.shows("britain", "governance") == 0


def test_IS_R_22_and_R_60_the_townshend_marker_stays_on_its_good():
    at = scene(turn="T5", active="britain", available=["3 DP / 2 EP, event", "4 EP / 2 DP"], demand=["sugar", "furs", "fish"],
               ministries={"britain": ["M-21 up", "M-10 up"]}, own={"britain": {"hand": ["ev_21"]}}, dice=[(1,)],
               flags={"antilles_channel": "britain"})
    at.say("britain", UseAbility(ability="M-21.1"))
    assert targets(at) == ["sugar", "furs", "fish"]
    at.say("britain", Choose(target="sugar"), TakeTile(tile=at.state.available[0]),
           PlayEvent(event="ev_21", reveal="", waiver=""), Choose(target="sugar"))
    assert "sugar" not in at.state.demand and at.state.townshend == "sugar"
    assert at.allows("britain", market("martinique", "minor"))


def test_IS_R_48_both_actions_are_raised_even_if_one_is_not_used():
    at = event(36, "france", bonus=True, ministries={"france": ["M-26 up"]})
    assert at.pools() == ["4 DP", "3 MP", "3 EP"]


def test_IS_R_42_a_limit_below_the_debt_leaves_none_available():
    at = event(15, "france", own={"britain": {"debt": 8}, "france": {"debt": 6}})
    assert (at.state.own["britain"].limit, at.state.own["britain"].debt, at.state.own["britain"].available) == (5, 8, 0)


# --- 13 -----------------------------------------------------------------------------------------------------------

def test_IS_13_3_each_side_plays_its_own_half():
    assert grants(event(26, "france")) and event(26, "france").state.own["britain"].debt == 0
    assert not grants(event(26, "britain")) and event(26, "britain").state.own["france"].debt == 1


def test_IS_13_6_and_5_6_6_points_come_later_and_obey_the_rules_of_their_action():
    at = event(35, "britain", "martinique", bonus=True)
    assert at.state.current.open == "" and at.allows("britain", market("antigua", "event_EP"))
    assert not at.allows("britain", market("panzacola", "event_EP"))            # no connection
    assert not at.allows("britain", market("albany", "event_EP"))               # not in the Caribbean


def test_IS_13_7_a_condition_inside_a_text_is_tested_when_it_is_reached():
    """The shift of event 9 comes before its sentence about both German spaces."""
    assert event(9, "britain").state.vp == 13


def test_IS_13_10_the_opponents_choice_stops_the_round():
    at = event(12, "france", flags={"biscay": "britain", "arcot": "britain"})
    assert at.asked() == [("britain", "IS-18.11")]
    assert [binding(fact) for fact in at.events(OpponentAsked)] == ["question"]
    at.say("britain", ChooseSecretly(target="arcot"))
    assert at.asked() == [("france", "IS-18.12")] and at.state.damaged == ["arcot"]


def test_IS_13_12_as_many_markers_as_fit():
    fish = list(PARTS.good["fish"].markets)
    at = event(28, "britain", flags={}, conflict=fish)
    assert sorted(at.state.conflict) == sorted(fish)
    at = event(28, "britain", conflict=fish[1:])
    assert sorted(at.state.conflict) == sorted(fish)                            # one place left: taken without a question


def test_IS_13_13_Byng_is_no_bonus_tile():
    at = scene(turn="T4", byng=1, own={"britain": {"tiles": [["bonus_7yw_br_01"], [], [], []]}})
    assert standing_bonus_tiles(at.state, "britain") == 1
    at = event(12, "france", turn="T4", byng=1)                                 # Britain has nothing to lose
    assert at.state.byng == 1 and not targets(at)


def test_IS_13_16_each_target_is_chosen_on_the_board_left_by_the_one_before():
    at = event(20, "france", "place_conflict")
    at.say("france", Choose(target="plassey"))
    assert "plassey" not in targets(at)


def test_IS_13_17_and_R_25_an_effect_needs_no_connection():
    at = event(35, "britain", "port_de_paix")
    assert at.flag("port_de_paix") == ""
    at = event(1, "france", bonus=True, flags={"louisbourg": "britain", "arcot": "britain"}, ministries={})
    assert targets(at) == ["damage_fort", "shift"]
    at.say("france", Choose(target="damage_fort"))
    assert at.state.damaged == ["arcot"]                                        # in India, both of them


def test_IS_R_38_markers_do_not_run_out():
    spaces = [space.id for space in PARTS.spaces if space.type in ("market", "political")
              and space.available_from == "succession" and space.region != "caribbean"]
    at = event(16, "france", "georgia", conflict=spaces)
    assert len(at.state.conflict) == len(spaces) + 1


def test_IS_R_46_a_waiver_is_taken_as_the_event_is_played():
    at = scene(turn="T5", active="france", tile="4 DP / 2 MP", ministries={"france": ["M-25 up"]},
               own={"france": {"hand": ["ev_35"]}})
    at.say("france", politics("savoy"))
    assert at.refusal("france", PlayEvent(event="ev_35", reveal="", waiver="M-25.1")).rule == "IS-5.5.1"


def test_IS_R_49_squadrons_on_the_turn_track_are_not_built():
    at = event(41, "britain", own={"britain": {"navy_box": 1, "away": 5, "unbuilt": 2}})
    assert grants(at) == []                                                     # half of 1
    at = event(40, "france", bonus=True, flags={"savoy": "france", "spain_prestige_3": "france"},
               own={"britain": {"navy_box": 0, "away": 2, "unbuilt": 6}})
    assert (at.state.own["britain"].gone, at.state.own["britain"].away) == (0, 2)


# --- 17, 18 -------------------------------------------------------------------------------------------------------

def test_IS_17_14_what_the_other_side_can_do_does_not_depend_on_hidden_cards():
    """With another hand, other face-down cards and other tiles of one side, the other is offered the same at the same price."""
    table = new_table(GAME, 2, "published", PARTS, SecretDice("22" * 32), checkpoints=False)
    looked = 0
    for number, _ in enumerate(play_on(table, random.Random(5).randrange)):
        s = table.state
        if number % 4 or s.round is None or s.choice is not None:
            continue
        seat, twin = s.seat(s.round.side), GAME.rules.state.model_validate_json(s.model_dump_json())
        GAME.rules.bind(twin, PARTS)
        GAME.views.disguise(twin, s.seat(foe(s.round.side)))
        looked += 1
        for kind in PERFORM:
            mine, others = list(kind.options(s, seat)), list(kind.options(twin, seat))
            assert mine == others
            assert [option.cost(s, seat) for option in mine] == [option.cost(twin, seat) for option in others]
            assert [option.label() for option in mine] == [option.label() for option in others]
    assert looked > 10


def test_IS_17_1_what_shows_a_hand_or_a_face_down_card_stays_private():
    assert PlayEvent.secret and Reveal.secret and ChooseSecretly.secret and not UseAbility.secret
    at = scene(active="britain", tile="3 DP / 2 MP, event", ministries={"britain": ["M-5 up"]}, deck=["ev_09"], dice=[(1,)],
               own={"britain": {"hand": ["ev_01"]}})
    at.say("britain", UseAbility(ability="M-5.1"))
    (opened,) = at.events(ChoiceOpened)
    assert opened.secret and opened.line() is None
    assert not any("Great Northern War" in line for line in (*at.lines(), *at.private_lines("france")))
    assert any("Great Northern War" in line for line in at.private_lines("britain"))


def test_IS_18_5_and_18_8_and_18_9_and_18_13_and_18_19_silence_uses_nothing():
    """Neither a ministry nor an event nor an advantage: the tile with the lowest id, and a pass."""
    at = scene(active="france", available=["4 EP / 2 DP", "3 DP / 2 MP, event"], ministries={"france": ["M-1 up", "M-3"]},
               own={"france": {"hand": ["ev_03"]}}, flags={"savoy": "france"})
    assert at.default("france") == TakeTile(tile=at.state.available[0])
    at.say("france", TakeTile(tile=at.state.available[1]))
    assert at.default("france") == Pass()
    at.say("france", UseAdvantage(advantage="algonquin_raids", target="albany"))
    assert at.default("france") == EndRound() and at.state.own["france"].up == ["M-1"]


def test_IS_18_10_and_18_26_to_18_28_the_first_legal_target_is_the_default():
    assert event(28, "britain").default("britain") == Choose(target="gulf_of_st_lawrence")
    at = event(18, "britain")
    assert at.asked() == [("britain", "IS-18.26")] and at.default("britain") == Choose(target="7yw_atlantic_dominance")
    at = scene(active="france", ministries={"france": ["M-9 up"]}, available=["4 EP / 2 DP", "3 DP / 2 MP, event"])
    at.say("france", UseAbility(ability="M-9.1"))
    assert at.asked() == [("france", "IS-18.28")] and at.default("france") == Choose(target="quebec_montreal")


def test_IS_18_27_the_good_of_M_21():
    at = scene(turn="T5", active="britain", ministries={"britain": ["M-21 up"]}, demand=["fish", "sugar"],
               available=["4 EP / 2 DP", "3 DP / 2 MP, event"])
    at.say("britain", UseAbility(ability="M-21.1"))
    assert at.asked() == [("britain", "IS-18.27")] and at.default("britain") == Choose(target="fish")


def test_IS_18_29_and_18_30_one_target_is_taken_and_none_is_skipped():
    at = event(5, "france", flags={"georgia": ""})
    assert list(at.state.conflict) == ["st_lucia"] and not at.events(ChoiceOpened)
    at = event(5, "france", flags={"georgia": "", "st_lucia": ""})
    assert at.state.conflict == {} and not at.events(ChoiceOpened)


def test_IS_18_32_defaults_inside_cards():
    at = event(8, "france")
    assert at.default("france") == Choose(target="EP")                          # event 8 takes the points
    at = event(21, "france", demand=["spice", "sugar", "cotton"], dice=[(1,)])
    assert at.default("france") == Choose(target="spice")                       # event 21, the first in table order
    at = event(33, "france", flags={"mysore": "france"}, exhausted=["algonquin_raids"])
    assert at.default("france") == Choose(target="algonquin_raids")             # event 33, the first that can be carried out


def test_IS_7_4_a_draw_and_a_reveal_bind():
    assert MinistryRevealed.binds == "reveal"
    at = event(21, "france", demand=["spice", "sugar", "cotton"], dice=[(1,)])
    assert "draw" in [binding(fact) for entry in at.table.fresh for fact in entry.events]
