"""What stands beside each choice: what becomes of the space, tile or good if it is chosen."""
from __future__ import annotations

import pytest

from bot.discord.game.action_menu import screen
from bot.discord.game.effects import effects_of_several
from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.advantages import UseAdvantage
from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.choices import Choose, ChooseSecretly
from engine.games.imperial_struggle.actions.tiles import Upgrade
from engine.games.imperial_struggle.actions.turns import Bid, Discard, Yield, eligible
from engine.games.imperial_struggle.actions.wars import CallLosses, Conquer
from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.words.menus import MENUS
from engine.games.imperial_struggle.words.summaries import summary
from engine.kernel import Action
from engine.text import Reader, say
from tests.games.imperial_struggle.battlefield import HIT, UNFLAG, fight
from tests.games.imperial_struggle.played import event
from tests.games.imperial_struggle.purchases import deploy, fort, market, politics
from tests.games.imperial_struggle.scene import FAIR, PARTS, Scene, scene

READER = Reader(dict(GAME.words.names(PARTS)))


def told(at: Scene, side: Side, answer: Action) -> str:
    said = answer.meets(at.state, at.state.seat(side))
    return "" if said is None else say(said, READER)


def beside(at: Scene) -> dict[str, str]:
    """What stands beside each target of the open choice."""
    choice = at.state.choice
    assert choice is not None
    kind = ChooseSecretly if choice.secret else Choose
    listed = [*choice.targets, *(["none"] if choice.optional else [])]
    return {target: told(at, choice.side, kind(target=target)) for target in listed}


def test_IS_2_4_4_a_shift_by_an_event_says_whether_a_flag_goes_up_or_comes_off():
    at = event(6, "britain")
    assert beside(at) == {"algonquin": "France's flag comes off, free (IS-13.17)",
                          "iroquois": "empty now; your flag goes up, free (IS-13.17)"}
    shown = screen(at.table, 1, at.state.seat("britain"))
    assert shown.view is not None and [button["label"] for button in shown.view.to_components()[0]["components"]][:2] == [
        "Algonquin · France's flag comes off, free (IS-13.17)", "Iroquois · empty now; your flag goes up, free (IS-13.17)"]


@pytest.mark.parametrize("at, target, words", [
    (event(6, "britain"), "iroquois", "You shift the Iroquois"),
    (event(20, "france", "place_conflict"), "mysore", "The conflict marker goes to Mysore"),
    (event(20, "france"), "take_control", "You choose this effect: take a space"),
    (event(18, "britain"), "7yw_third_carnatic_war", "You choose the Third Carnatic War"),
])
def test_a_choice_is_a_sentence_of_the_plan(at: Scene, target: str, words: str) -> None:
    assert at.state.choice is not None
    said = MENUS["choose"].as_step(at.state, Choose(target=target))
    assert said is not None and say(said, READER) == words


def test_IS_13_5_an_event_says_with_each_ministry_whether_its_bonus_comes():
    at = scene(active="britain", tile="2 DP / 2 EP, event, upgrade", ministries={"britain": ["M-7"]},
               own={"britain": {"hand": ["ev_06"]}})
    ways = {play.reveal: told(at, "britain", play) for play in at.offered("britain", PlayEvent)}
    assert ways == {"": "shift a local alliance in North America; no bonus without Mercantilism",
                    "M-7": "shift a local alliance in North America; bonus: use an advantage in North America, even exhausted"}


@pytest.mark.parametrize("at, target, words", [
    (event(2, "france", bonus=True, flags={"ireland_prestige": "france"}), "dutch_prestige", "Britain: Prestige"),
    (event(3, "britain", flags={"caicos": "france"}), "caicos", "France: Tobacco"),
    (event(20, "france", "take_control", flags={"mysore": "britain"}), "mysore", "taken from Britain"),
    (event(20, "france", "take_control", flags={"mysore": ""}), "mysore", "becomes yours; empty now"),
    (event(20, "france"), "take_control", "take a local alliance in India"),
    (event(20, "france", "place_conflict", flags={"mysore": "britain"}), "mysore",
     "Britain's flag stops counting, and taking it off costs 1"),
    (event(20, "france", "place_conflict", flags={"mysore": "france"}), "mysore", "your own flag stops counting"),
    (event(20, "france", "place_conflict", flags={"mysore": ""}), "mysore", "empty: flagging it then costs 1"),
    (event(25, "britain", bonus=True, own={"britain": {"navy_box": 1, "trp": 1}}), "spend_trp", "−1 TRP"),
    (event(21, "france", demand=["furs", "spice", "fish"], dice=[(3,)]), "spice", "markets: you 0, Britain 1"),
    (event(18, "britain"), "7yw_third_carnatic_war", "+2 for Britain there"),
    (event(18, "france", flags={"biscay": "britain", "balearic": "britain"}), "biscay",
     "the squadron is away until the next peace turn"),
    (event(7, "britain", "spain_prestige_2", bonus=True,
           own={"france": {"tiles": [["bonus_wss_fr_01"], ["bonus_wss_fr_02", "bonus_wss_fr_03"], [], []]}}),
     "wss_spain", "France has 2 of 2 bonus tiles there"),
    (fight("WSS", 3, britain=[HIT], flags={"louisbourg": "france", "gulf_of_maine": "france"}), "louisbourg",
     "the fort is damaged: no protection, no strength"),
    (fight("WSS", 3, britain=[HIT], flags={"louisbourg": "france", "gulf_of_maine": "france"}), "gulf_of_maine",
     "the squadron goes to the Navy Box"),
    (fight("WSS", 3, britain=[UNFLAG], flags={"algonquin": "france"}), "algonquin", "France"),
    (fight("WSS", 3, britain=[UNFLAG], flags={"algonquin": "france"}), "none", "the rest is lost"),
    (fight("7YW", 1, france=5, own={"britain": {"navy_box": 1}}, flags={"biscay": "britain", "balearic": "britain"}), "biscay",
     "the squadron goes back to the supply"),
    (fight("AWI", 1, france=2, flags={"carolinas": "britain"}), "carolinas",
     "the flag of the United States takes Britain's place"),
    (fight("AWI", 1, france=2, flags={"carolinas": "britain"}), "san_agustin", "empty now; gets the flag of the United States"),
])
def test_a_choice_says_what_becomes_of_what_is_chosen(at, target, words):
    assert beside(at)[target] == words


def test_IS_14_9_6_a_squadron_given_up_in_the_Antilles_War_leaves_the_game():
    at = fight("AWI", 3, france=4, own={"britain": {"navy_box": 1}}, flags={"bahamas_run": "britain", "balearic": "britain"})
    at.say("france", CallLosses())
    assert beside(at)["navy_box"] == "one from there leaves the game"


@pytest.mark.parametrize("answer, words", [
    (politics("sweden"), "Prestige"), (politics("savoy"), "strength in Central Europe"),
    (politics("mysore"), "brings Power Struggle"), (politics("iroquois"), "brings Iroquois Raids"),
    (politics("prussia_alliance"), ""), (market("georges_bank", "minor"), "Fish, in demand"),
    (market("caicos", "minor"), "Tobacco"), (fort("louisbourg"), "strength in Queen Anne's War"),
    (market("tiruchirappalli", "minor"), "Spice; brings Textiles"),
    (deploy("biscay"), "Prestige and strength in the Theater of Spain")])
def test_IS_23_9_a_purchase_says_what_its_space_is_good_for_now(answer, words):
    """The dots of the map, for the next war alone."""
    at = scene(active="france", tile="3 DP / 2 EP, event", demand=["fish", "sugar", "cotton"])
    assert told(at, "france", answer) == words


def test_IS_18_11_what_is_lost_to_event_12_is_said_to_its_owner():
    at = event(12, "france", own={"britain": {"tiles": [["bonus_wss_br_01"], [], [], []]}}, flags={"arcot": "britain"})
    assert beside(at) == {"arcot": "the fort is damaged: no protection, no strength", "bonus_wss_br_01": "goes back to its pool"}


def test_IS_18_17_two_tiles_of_an_upgrade_with_one_face_are_told_apart():
    assert len({(PARTS.war_tile[tile].strength, PARTS.war_tile[tile].icon) for tile in ("basic_br_01", "basic_br_02")}) == 1
    at = scene(active="britain", tile="2 DP / 2 MP, event, upgrade", own={"britain": {"tiles": [["basic_br_01"], [], [], []]}},
               dice=[(1,)])
    at.say("britain", Upgrade(theater="wss_central_europe"))
    assert beside(at) == {"basic_br_01": "already there", "basic_br_02": "just drawn"}


def test_IS_18_17_where_the_other_basic_tile_goes():
    at = scene(active="britain", tile="2 DP / 2 MP, event, upgrade", own={"britain": {"tiles": [["basic_br_01"], [], [], []]}},
               dice=[(1,)])
    assert told(at, "britain", Upgrade(theater="wss_central_europe")) == "yours there is +2"
    at.say("britain", Upgrade(theater="wss_central_europe"), ChooseSecretly(target="basic_br_01"))
    assert beside(at) == {"pool": "it can be drawn again", "gone": "nobody draws it again"}


def test_IS_14_2_a_conquest_promises_strength_only_in_theaters_to_come():
    at = fight("WSS", 2, france=5, own={"france": {"navy_box": 1}})
    assert told(at, "france", Conquer(space="biscay", origin="navy_box")) == "empty now; Prestige"


def test_IS_23_31_a_few_spaces_as_buttons_have_the_numbers_of_the_close_ups_beside_them():
    at = fight("WSS", 2, france=5, own={"france": {"navy_box": 1}})
    shown, numbers = screen(at.table, 1, at.state.seat("france")).view, GAME.views.numbers(PARTS)
    assert shown is not None
    labels = [item["label"] for row in shown.to_components() for item in row["components"]]
    for place, name in (("gibraltar", "Take Gibraltar"), ("biscay", "Take Biscay"), ("asiento", "Take Asiento")):
        assert any(label.startswith(f"{numbers[place]} · {name}") for label in labels)
    assert {"Show Europe", "Show the Caribbean"} <= set(labels)


def test_an_advantage_the_spoils_a_fort_and_yielding_say_what_they_meet():
    at = scene(active="france", tile="4 MP / 2 EP")
    assert told(at, "france", UseAdvantage(advantage="algonquin_raids", target="hudson_valley")) == (
        "Britain's flag stops counting, and taking it off costs 1")
    assert say(fort("louisbourg").cost(at.state, at.state.seat("france")), READER) == "3 MP to build (IS-8.3.1)"
    at = fight("WSS", 3, britain=4, flags={"louisbourg": "britain", "acadia": "france", "algonquin": "france"}, demand=["fish"])
    met = {space: told(at, "britain", Conquer(space=space, origin="")) for space in ("acadia", "georges_bank", "hudson_bay")}
    assert met == {"acadia": "France may refuse", "georges_bank": "empty now; Fish", "hudson_bay": "empty now; brings Fur Trade"}
    at = scene(phase="sides", options={"sides": "bid"})
    at.say("britain", Bid(side="france", trp=2))
    assert at.asked()[0][0] == "france" and told(at, "france", Yield()) == "you play Britain and start with 2 TRP"


def effects(at: Scene, side: Side) -> dict[str, str]:
    """What stands above the choices of the first screen, by what it is about."""
    lines = screen(at.table, 1, at.state.seat(side)).words.splitlines()
    asked = next(number for number, line in enumerate(lines) if line.startswith(f"**{READER.name(side)}**"))
    return dict(line.removeprefix("-# ").split(": ", 1) for line in lines[asked + 1:])


def test_above_the_events_to_discard_stands_what_each_does_for_this_side():
    held: dict[Side, dict[str, list[str]]] = {"france": {"hand": ["ev_01", "ev_02"]}, "britain": {"hand": ["ev_03"]}}
    at = scene(phase="peace", turn="T2", dice=FAIR, deck=[f"ev_{n:02}" for n in range(7, 16)],
               award_pool=[f"award_{n}" for n in range(1, 5)], own=held)
    for side in held:
        hand = at.state.own[side].hand
        assert len(hand) > 3
        seat = at.state.seat(side)
        assert effects(at, side) == {READER.name(card): say(summary(at.state, seat, card) or "", READER) for card in hand}


def test_above_the_ministries_to_lay_down_stands_what_each_does():
    at = scene(phase="peace", turn="T1", dice=FAIR, award_pool=[f"award_{n}" for n in range(1, 5)])
    told = effects(at, "britain")
    assert set(told) == {READER.name(card) for card in eligible(at.state, "britain")}
    assert told["Bank of England"] == "Finance: debt limit +1; play an economic event without an economic major action"


def test_effects_that_find_no_room_together_are_left_to_the_pages_of_cards():
    options = [Discard(cards=("ev_01",)), Discard(cards=("ev_02",))]
    assert len(effects_of_several(options, lambda id: "x" * 400, READER)) == 2
    assert effects_of_several(options, lambda id: "x" * 450, READER) == []


def test_IS_17_1_what_an_event_does_is_told_for_the_reader_whoever_holds_it():
    """Else whoever reads about any event, as for a standing order, would learn whose hand it is in."""
    held = {side: scene(own={side: {"hand": ["ev_13"]}}).state for side in ("britain", "france")}
    for reader in ("britain", "france"):
        one, other = [summary(state, state.seat(reader), "ev_13") for state in held.values()]
        assert one is not None and one == other
    assert summary(held["france"], held["france"].seat("britain"), "ev_13") != summary(
        held["france"], held["france"].seat("france"), "ev_13")
