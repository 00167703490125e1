"""Chapters 17 and 18: what the golden examples leave open about the end of a war and of the game."""
from __future__ import annotations

from typing import Any

import pytest

from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.events import (
    AreaScored,
    Collapsed,
    GoldPaid,
    IncomeTaken,
    NeutralsPlaced,
    Penalised,
    UnrestRevealed,
)
from engine.games.struggle_of_empires.pictures.build_reckoning import reveal
from engine.games.struggle_of_empires.pictures.scenes import Board
from engine.kernel.game_spec import Replay
from engine.text import Reader, say
from renderer.games.struggle_of_empires.board import lines
from tests.scene import FAIR, Scene, scene

A, B, C, D = "austria", "britain", "france", "prussia"


def result(table: Scene) -> str:
    return say(GAME.words.result(table.state), Reader(GAME.words.names(table.parts)))


def reckoned(*, points: tuple[int, ...], unrest: tuple[int, ...], **more: Any) -> Scene:
    """A finished game of powers with these points and unrest before the reckoning."""
    powers = (A, B, C, D)[:len(points)]
    return scene(powers=powers, phase="reckoning", war=3, points=dict(zip(powers, points)), unrest=dict(zip(powers, unrest)),
                 **more)


# --- income, upkeep, growth (17.1 to 17.3) ------------------------------------------------------------

@pytest.mark.parametrize("population_counts, income", [(True, 5 + 2), (False, 2)])
def test_SOE_17_1_1_option_whether_population_brings_gold(population_counts, income):
    table = scene(phase="war_end", markers={A: {"baltic": 2}}, dice=FAIR, options={"income.population": population_counts})
    assert table.state.gold[A] == 10 + income


def test_SOE_17_2_1_upkeep_is_paid_for_units_everywhere_after_income_in_turn_order():
    table = scene(phase="war_end", powers=(A, B, C), rows=((B, C), (A,)), dice=FAIR, population=0, gold=0,
                  units={A: {"army": {A: 1, "baltic": 1}, "navy": {"india": 1}, "fort": {"baltic": 1}}, B: {"navy": {B: 2}}})
    assert [event.power for event in table.events(IncomeTaken)] == [B, A, C]
    assert table.events(GoldPaid) == [GoldPaid(power=B, gold=2, taxed=2), GoldPaid(power=A, gold=4, taxed=4)]
    assert table.state.unrest == {A: 2, B: 1, C: 0}
    assert table.lines()[:2] == ["Income: Britain 0 gold, Austria 0 gold and France 0 gold.",
                                 "Upkeep: Britain 2 gold and Austria 4 gold."]
    assert table.units(A, "fort", "baltic") == 1, "units cannot be given up instead (SOE-17.2.3)"


@pytest.mark.parametrize("before, agriculture, after", [(0, 0, 5), (3, 0, 8), (6, 0, 9), (0, 5, 9), (2, 1, 8)])
def test_SOE_17_3_1_population_grows_by_5_and_agriculture_up_to_9(before, agriculture, after):
    tiles = {"improved_agriculture": agriculture} if agriculture else {}
    table = scene(phase="war_end", population=before, tiles={A: tiles}, dice=FAIR)
    assert table.state.population[A] == after


# --- points (17.4) ------------------------------------------------------------------------------------

def test_SOE_17_4_1_every_area_is_scored_for_itself_in_every_war():
    table = scene(phase="war_end", markers={A: {"india": 1, "baltic": 2}, B: {"baltic": 1}}, dice=FAIR)
    scored = {event.area: event.points for event in table.events(AreaScored) if event.points}
    assert scored == {"india": {A: 5}, "baltic": {A: 5, B: 3}}
    assert table.state.points == {A: 10, B: 3}


def test_SOE_17_4_5_units_score_nothing():
    table = scene(phase="war_end", units={A: {"army": {"baltic": 5}}}, dice=FAIR)
    assert table.state.points == {A: 0, B: 0}


# --- clearing and the next war (17.5, 4.2) ------------------------------------------------------------

def test_SOE_17_5_clearing():
    table = scene(phase="war_end", powers=(A, B, C), dice=FAIR, tiles={A: {"reserves": 2, "alliance_bavaria": 1, "banking": 1}},
                  used={A: {"reserves": 2}}, units={A: {"army": {"baltic": 1}}}, markers={A: {"baltic": 1}},
                  neutrals={"india": ["pop"]})
    state = table.state
    assert state.ready(A, "reserves") == 2
    assert state.tiles[A] == {"reserves": 2, "banking": 1} and state.stock["alliance_bavaria"] == 1
    assert (state.row_a, state.row_b, state.order) == ([], [], [])
    assert (state.war, state.phase, state.opener) == (2, "auction", 2), "the last of the order opens (SOE-5.1.6)"
    assert table.units(A, "army", "baltic") == 1 and table.markers(A, "baltic") == 1 and "pop" in table.faces("india")


@pytest.mark.parametrize("war", [1, 2])
def test_SOE_4_2_2_ten_neutral_markers_come_and_earlier_ones_stay(war):
    table = scene(phase="war_end", war=war, neutrals={"india": ["pop", "neutral_3"]}, dice=FAIR)
    (placed,) = table.events(NeutralsPlaced)
    assert len(placed.markers) == 10
    assert sum(len(markers) for markers in table.state.neutrals.values()) == 12
    assert set(table.faces("india")) >= {"pop", "neutral_3"}


def test_SOE_4_2_4_if_the_bag_holds_fewer_all_that_are_left_are_placed():
    everything = {area.id: [marker.id for marker in scene().parts.country_counters if marker.area == area.id]
                  for area in scene().parts.areas}
    left = everything["india"][:3]
    table = scene(phase="neutrals", war=2, neutrals={**everything, "india": everything["india"][3:]}, dice=FAIR)
    assert set(table.events(NeutralsPlaced)[0].markers) == set(left) and table.state.bag == []
    assert table.state.phase == "auction"


def test_SOE_4_2_4_an_empty_bag_stops_nothing():
    everything = {area.id: [marker.id for marker in scene().parts.country_counters if marker.area == area.id]
                  for area in scene().parts.areas}
    table = scene(phase="neutrals", war=3, neutrals=everything)
    assert table.events(NeutralsPlaced) == [] and table.asked() == [(A, "DP-03")]


def test_SOE_4_1_4_the_third_war_is_scored_too_and_ends_the_game():
    table = scene(phase="war_end", war=3, markers={A: {"india": 1}})
    assert table.state.phase == "over" and table.events(NeutralsPlaced) == []
    assert table.events(UnrestRevealed) == [UnrestRevealed(unrest={A: 0, B: 0})]


# --- the reckoning (18) -------------------------------------------------------------------------------

def test_SOE_18_1_2_twenty_unrest_is_a_collapse_and_nineteen_is_none():
    table = reckoned(points=(40, 30, 5), unrest=(20, 19, 0))
    assert table.events(Collapsed) == [Collapsed(power=A)]
    assert table.state.points == {A: 0, B: 23, C: 1}
    assert table.state.winners == [B] and table.state.ranking == [B, C, A]


def test_SOE_18_3_1_the_most_points_win():
    table = reckoned(points=(10, 30, 20), unrest=(0, 1, 2))
    assert table.state.winners == [B]
    assert result(table) == ("Britain wins with 26 points (1 unrest), ahead of France with 13 points (2 unrest) and "
                             "Austria with 10 points (0 unrest).")
    assert GAME.rules.standings(table.state) == [("seat_2", 1, 26), ("seat_3", 2, 13), ("seat_1", 3, 10)]


def test_SOE_18_3_2_equal_points_and_equal_unrest_share_the_victory():
    table = reckoned(points=(30, 30, 10), unrest=(3, 3, 1))
    assert table.state.winners == [A, B]
    assert result(table).startswith("Austria and Britain share the victory: Austria with ")
    assert [place for _, place, _ in GAME.rules.standings(table.state)] == [1, 1, 3]


@pytest.mark.parametrize("points, unrest, ranked, places", [
    ((10, 30, 10, 5), (5, 0, 5, 1), (B, A, C, D), (1, 2, 2, 4)),                  # two equal seconds: the next is fourth
    ((30, 10, 30, 30), (1, 9, 1, 1), (A, C, D, B), (1, 1, 1, 4)),
    ((10, 30, 40, 50), (1, 0, 25, 25), (B, A, C, D), (1, 2, 3, 3)),               # the collapsed after all others
    ((10, 30, 40, 50), (25, 30, 25, 20), (D, A, C, B), (2, 3, 3, 5))])            # nobody wins, so nobody is first
def test_SOE_18_3_6_who_is_equal_shares_a_place_wherever_places_are_told(points, unrest, ranked, places):
    table = reckoned(points=points, unrest=unrest)
    assert [(table.state.power(seat), place) for seat, place, _ in GAME.rules.standings(table.state)] == [*zip(ranked, places)]
    seen = GAME.views.view(table.state, None)
    assert (seen.ranking, seen.places) == (ranked, places)
    names = GAME.words.names(table.parts, table.state)
    alone = ", ".join(f"{place}. {names[power]}" for place, power in zip(places, ranked))
    assert f"Ranking: {alone}." in GAME.views.describe(seen, 4_000)
    rows = reveal(Replay(spec=GAME, parts=table.parts, start=table.start, rows=[], since=0)).rows
    assert [(row.power, row.place) for row in rows] == [*zip(ranked, places)]
    assert [(line.power, line.place) for line in lines(Board(now=seen))[0]] == [*zip(ranked, places)]


def test_SOE_18_3_3_if_every_power_collapsed_nobody_wins():
    table = reckoned(points=(30, 30), unrest=(25, 21))
    assert table.state.winners == [] and table.events(Penalised) == []
    assert table.state.ranking == [B, A], "among the collapsed less unrest ranks higher (SOE-18.3.4)"
    assert result(table).startswith("Every power has collapsed, so nobody wins: Britain with ")


def test_SOE_18_3_5_the_last_one_standing_pays_the_first_penalty_and_wins():
    table = reckoned(points=(30, 3, 30), unrest=(25, 4, 20))
    assert table.events(Penalised) == [Penalised(power=B, points=7)]
    assert table.state.winners == [B] and table.state.points[B] == -4


def test_SOE_18_2_7_a_total_may_fall_below_0():
    assert reckoned(points=(2, 1), unrest=(5, 4)).state.points == {A: -5, B: -3}


@pytest.mark.parametrize("exempt, lost", [(False, {A: 7, B: 4, C: 4}), (True, {A: 7})])
def test_SOE_18_2_8_option_unrest_0_is_exempt(exempt, lost):
    table = reckoned(points=(20, 20, 20), unrest=(5, 0, 0), options={"end.zero_unrest_exempt": exempt})
    assert table.state.penalties == lost
