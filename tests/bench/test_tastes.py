"""What buying brings, by tastes that chance gives: the sum finds what was put in, tastes are followed, other games say so."""
from __future__ import annotations

import json
from random import Random

import pytest

from bench import struggle_tastes
from bench.__main__ import main
from bench.balance import Setting, parts_of, played
from bench.tastes import Outcome, drawn, outcome, share, worth
from engine.games.struggle_of_empires import GAME
from engine.kernel import Seat

SEATS = [Seat(f"seat_{place}") for place in range(1, 5)]
TWO = Setting(GAME.key, "first", 2)


def test_points_that_come_of_a_purchase_are_found_although_good_players_buy_more():
    pick, outcomes = Random(5), []
    for _ in range(400):
        tastes = {seat: drawn(["mill", "moat"], pick) for seat in SEATS}
        skill = {seat: pick.gauss(0, 10) for seat in SEATS}
        bought = {seat: {"mill": max(0, (skill[seat] > 0) + tastes[seat].get("mill", 0))} for seat in SEATS}
        points = {seat: 70 + skill[seat] - 3 * bought[seat]["mill"] for seat in SEATS}
        outcomes.append(Outcome(tastes, bought, points))
    found = worth(outcomes, "mill")
    assert found is not None and abs(found.mean + 3) < 1.5 * found.off < 5
    assert worth(outcomes, "moat") is None, "nobody bought it"
    assert share(outcomes, "mill", 1) == 1.0 > share(outcomes, "mill", 0) > 0.0 == share(outcomes, "mill", -1)


def test_one_in_seven_is_keen_on_a_thing_and_as_many_are_averse_to_it():
    pick = Random(3)
    tastes = [drawn(["mill"], pick).get("mill", 0) for _ in range(4000)]
    assert [round(tastes.count(taste) / 4000, 2) for taste in (1, -1)] == pytest.approx([0.15, 0.15], abs=0.02)


def test_keen_players_buy_a_tile_once_and_averse_ones_never():
    keen, averse = Seat("seat_1"), Seat("seat_2")
    tastes = {keen: {"Logistics": 1, "Army Training": 1}, averse: {"Army Training": -1}}
    table = played(TWO, 1, 0, choice=struggle_tastes.choice(tastes))
    found = struggle_tastes.bought(table)
    assert struggle_tastes.bought(played(TWO, 1, 0))[keen]["Logistics"] == 0
    assert found[keen]["Logistics"] == 1 and found[averse]["Army Training"] == 0
    assert tastes[keen] == {"Logistics": 1, "Army Training": 1}, "the tastes of the game stay as they were"
    assert struggle_tastes.points(table.state)[keen] == table.state.points[table.state.power(keen)]


def test_whoever_has_no_tastes_plays_as_the_strong_player_does():
    plain = played(TWO, 1, 1)
    assert played(TWO, 1, 1, choice=struggle_tastes.choice({seat: {} for seat in SEATS})).state == plain.state


def test_the_same_seed_gives_the_same_tastes_and_the_same_game():
    assert outcome(TWO, 1, 0) == outcome(TWO, 1, 0) != outcome(TWO, 1, 1)


def test_every_tile_of_the_stock_can_be_liked_and_alliances_can_not():
    found = struggle_tastes.things(parts_of(TWO))
    assert {"Army Training", "Pirates", "Industry"} <= {*found} and not any("alliance" in name for name in found)


def test_the_report_tells_what_a_purchase_brings_and_its_price_with_a_value_moved(capsys):
    moved = ["--move", "army_training.cost.gold=4"]
    assert main(["tastes", "struggle_of_empires", "--seats", "2", "--games", "6", *moved, "--json"]) == 0
    *table, figures = capsys.readouterr().out.splitlines()
    found = json.loads(figures)
    assert found["seats"] == 2 and "Army Training" in found["worth"] and found["bought"]["Army Training"][0] == 1.0
    row = next(line for line in table if line.startswith("| Army Training |"))
    assert row.endswith("| 4 gold |") and "±" in row


@pytest.mark.parametrize(("words", "said"), [
    (["attack"], "Nobody has told yet what the players"), (["struggle_of_empires", "--games", "1"], "at least two games"),
    (["struggle_of_empires", "--seats", "9"], "2 to 7 players"),
])
def test_what_can_t_be_measured_is_refused_in_a_sentence(capsys, words, said):
    assert main(["tastes", *words]) == 2
    assert said in capsys.readouterr().err
