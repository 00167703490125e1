"""Options of one edition beside those of the other, in the corners where they meet."""
from __future__ import annotations

from typing import Any

import pytest

from bot.service.orders import in_advance
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Ally, Attack, Covert, Enslave, Take, Use
from engine.games.struggle_of_empires.orders import ORDERING
from engine.games.struggle_of_empires.orders.spans import occasion
from engine.games.struggle_of_empires.state import WARS
from engine.games.struggle_of_empires.view import view
from engine.text import Reader, say
from tests.scene import Scene, scene

A, B, C = "austria", "britain", "france"
EVEN = (1, 1, 1, 1)


def told(table: Scene, power: str, answer: Any) -> str:
    """The refusal of an answer in English."""
    return say(table.refusal(power, answer).text, Reader(GAME.words.names(table.parts, table.state)))


# --- alliances ------------------------------------------------------------------------------------------------

DEAR = {"tiles": [{"id": "alliance_denmark", "cost": {"gold": 1, "population": 2, "unrest": 1}}]}
DENMARK = Ally(place="local_denmark")
SERVICE = Use(tile="diplomatic_service", on="local_denmark")


def dear(**position: Any) -> Scene:
    """Local alliances at the prices of the alliance tiles, of which one costs population and unrest as well."""
    return scene(edition="deluxe_without_npp", options={"alliance.cost": "printed", "unrest.model": "count"}, pack=DEAR,
                 tiles={A: {"diplomatic_service": 1}}, **position)


@pytest.mark.parametrize("answer", [DENMARK, SERVICE])
def test_SOE_11_1_4_all_parts_of_the_price_of_a_local_alliance_are_paid(answer):
    table = dear(population=3)
    table.say(A, answer)
    assert (table.state.gold[A], table.state.population[A], table.state.unrest[A]) == (9, 1, 1)


@pytest.mark.parametrize("answer", [DENMARK, SERVICE])
def test_SOE_11_1_4_nobody_pays_population_that_he_does_not_have(answer):
    table = dear(population=1)
    assert not table.allows(A, answer)
    assert told(table, A, answer) == "The Denmark alliance costs 2 population, and you have 1."
    assert table.allows(A, Ally(place="local_sweden"))


def test_the_stock_shows_the_price_that_is_asked_in_this_game():
    pack = {"local_alliances": [{"id": "local_sweden", "gold": 2}]}
    table = scene(options={"alliance.cost": "places"}, pack=pack)
    shown = next(tile for tile in view(table.state, None).stock if tile.tile == "alliance_sweden")
    assert shown.gold == 2
    table.say(A, Take(tile="alliance_sweden"))
    assert table.state.gold[A] == 8


# --- what a turn has once ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("options, kinds", [
    ({"alliance.mode": "local"}, "tiles and local alliances"), ({"covert.mode": "tokens"}, "tiles and covert tokens"),
    ({"alliance.mode": "local", "covert.mode": "tokens"}, "tiles, local alliances and covert tokens")])
def test_SOE_6_2_2_a_refusal_names_all_that_counts_as_the_tile_of_a_turn(options, kinds):
    table = scene(options=options, markers={B: {"caribbean": 1}}, dice=[EVEN])
    raid = Covert(token="pirates", area="caribbean", target=B)
    table.say(A, Ally(place="local_sweden") if "alliance.mode" in options else raid)
    assert told(table, A, Take(tile="banking")) == f"You've already had your one special action for {kinds} this turn."


# --- raids on markers that nobody plays ---------------------------------------------------------------------------

def test_the_outlook_of_a_raid_on_a_marker_that_nobody_plays_speaks_of_no_tiles():
    table = scene(edition="deluxe", npps=(C,), rows=((A, C), (B,)), markers={B: {"caribbean": 1}, C: {"caribbean": 1}})
    reader = Reader(GAME.words.names(table.parts, table.state))
    outlooks = {raid.target: say(raid.outlook(table.state, table.state.seat(A)), reader)
                for raid in table.options(A) if isinstance(raid, Covert) and raid.token == "pirates"}
    assert {power: outlook.partition("%")[0] for power, outlook in outlooks.items()} == {
        B: "1 against 0 before the dice: 60", C: "1 against 3 before the dice: 11"}
    assert {power for power, outlook in outlooks.items() if "Not counted: tiles" in outlook} == {B}


# --- what Pirates and the revolt are called in sentences --------------------------------------------------------------

@pytest.mark.parametrize("edition, options, revolt", [
    ("first", {}, "the Slave Revolt"), ("first", {"covert.mode": "tokens"}, "the Colonial revolt"),
    ("first", {"ui.neutral_wording": True}, "the Colonial revolt"), ("deluxe", {}, "the Colonial revolt")])
def test_the_revolt_has_an_article_in_a_sentence(edition, options, revolt):
    table = scene(edition=edition, options=options, markers={B: {"caribbean": 1}}, dice=[EVEN])
    covert = table.state.options.covert.mode == "tokens"
    table.say(A, Covert(token="slave_revolt", area="caribbean", target=B) if covert
              else Take(tile="slave_revolt", area="caribbean", target=B))
    said = [line for line in table.lines() if revolt in line]
    assert said == [
        f"Austria sends {revolt} against Britain in the Caribbean.",
        f"On land: {revolt}: strength 3 + dice 1−1 = **3**; Britain: dice 1−1 = **0**. Victory for {revolt}.",
        f"Britain's control marker in the Caribbean is captured by {revolt}."]


def test_whoever_is_called_against_pirates_reads_their_name_with_its_article():
    table = scene(edition="deluxe", powers=(A, B, C), rows=((A, C), (B,)), options={"npp.mode": "off"},
                  units={A: {"navy": {"india": 1}}, C: {"navy": {"india": 1}}}, captives={"pirates": ("india", B)})
    (attack,) = [option for option in table.options(A) if isinstance(option, Attack)]
    reader = Reader(GAME.words.names(table.parts, table.state))
    assert say(attack.label(), reader) == "Attack the Pirates in India"
    table.say(A, attack)
    (asked,) = table.table.waiting()
    assert say(asked.text(), reader) == ("Austria asks for your help against the Pirates in India. Without help it wins 40%, "
                                         "ties 20%. What do you send?")


def test_a_raid_under_way_is_told_by_who_plays_it():
    table = scene(markers={B: {"india": 1}}, tiles={B: {"reserves": 1}}, dice=[EVEN])
    table.say(A, Take(tile="pirates", area="india", target=B))
    assert table.asked() == [(B, "DP-21")]
    reader = Reader(GAME.words.names(table.parts, table.state))
    assert say(occasion(table.state), reader) == "Austria sends the Pirates against Britain in India"


# --- answers in advance ------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("options, point", [
    ({"help.auto_call": False}, "DP-11"), ({"help.auto_call": False}, "DP-13"), ({"setup.redraw": True}, "DP-32"),
    ({"cross.rescue_gold": True}, "DP-09"), ({"loss.army_first": False}, "DP-23")])
def test_a_question_that_the_options_rule_out_is_not_offered_for_an_answer_in_advance(options, point):
    (key, value), = options.items()
    assert ORDERING.arises(point, scene(options=options).state)
    assert not ORDERING.arises(point, scene(options={key: not value}).state)


def test_what_is_over_is_not_offered_for_an_answer_in_advance():
    """SOE-2.1.13, 2.2.2, 4.1.1: the set-up is over after it, the auctions after that of the last war."""
    early, late = scene(war=1).state, scene(war=WARS).state
    assert not any(ORDERING.ahead(no, early, early.seat(A)) for no in ("DP-01", "DP-02", "DP-32"))
    assert ORDERING.ahead("DP-04", early, early.seat(A)) and not ORDERING.ahead("DP-04", late, late.seat(A))
    assert ORDERING.ahead("DP-05", late, late.seat(A))


@pytest.mark.parametrize("options, points", [
    ({}, ("DP-15", "DP-17", "DP-19", "DP-20", "DP-24")),
    ({"help.auto_call": False}, ("DP-11", "DP-15", "DP-17", "DP-19", "DP-20", "DP-24")),
    ({"reactions.parallel": True}, ("DP-15", "DP-19", "DP-20", "DP-24"))])
def test_before_an_attack_only_what_it_can_ask_is_answered_in_advance(options, points):
    table = scene(options=options)
    assert in_advance(table.table, table.state.seat(A)) == points


def test_sentences_fit_names_that_begin_with_a_vowel_and_names_in_the_plural():
    table = scene(options={"ui.neutral_wording": True}, units={A: {"navy": {"africa": 1}}})
    why, reader = Enslave.obstacle(table.state, table.state.seat(A)), Reader(GAME.words.names(table.parts, table.state))
    assert why is not None and say(why.text, reader) == "No area has any Africa trade marker now."
    table = scene(markers={B: {"india": 1}}, units={B: {"navy": {"india": 1}}}, dice=[EVEN])
    table.say(A, Take(tile="pirates", area="india", target=B))
    assert "Austria's Pirates tile goes back to the stock." in table.lines()


def test_SOE_14_4_14_SOE_19_2_6_a_surprise_attack_is_ordered_against_players_alone():
    table = scene(edition="deluxe", npps=(C,), rows=((A,), (B, C)))
    point, seat = ORDERING.point("DP-05"), table.state.seat(A)
    assert point is not None
    named = {offer.key: slot.values(table.state, seat) for offer in point.offers for slot in offer.slots
             if slot.field == "target"}
    assert named["surprise"] == named["both"] == (B,) and C in named["attack"] and "pirates" in named["attack"]


def test_after_both_actions_an_attack_is_ordered_by_war_office_alone():
    point = ORDERING.point("DP-06")
    assert point is not None
    assert {offer.key for offer in point.offers if offer.verb == "attack"} == {"war_office", "both"}
