"""The balance report: the same seed is the same game, wins add up, and what a purchase brings is found where it was put in."""
from __future__ import annotations

import json
from random import Random

import pytest

from bench import tiles
from bench.__main__ import main
from bench.balance import Setting, played, tasted, wins
from bench.tiles import Outcome, share, worth
from engine import catalog
from engine.games.struggle_of_empires import GAME
from engine.kernel import Seat

SEATS = [Seat(f"seat_{place}") for place in range(1, 5)]
TWO = Setting(GAME.key, "first", 2)


@pytest.mark.parametrize("spec", catalog.GAMES, ids=lambda spec: spec.key)
def test_a_win_is_one_seat_s_and_one_power_s_and_equals_share_it(spec, monkeypatch):
    setting = Setting(spec.key, spec.editions[0].key, spec.seats[0])
    table = played(setting, 1, 0)
    assert [entry.row() for entry in table.fresh] == [entry.row() for entry in played(setting, 1, 0).fresh]
    found = wins(table)
    for kind in ("wins at: ", "wins as: "):
        assert sum(won for name, won in found.items() if name.startswith(kind)) == 1 and len(found) == 2 * setting.seats
    monkeypatch.setattr(table, "spec", spec.changed(standings=lambda state: [(Seat(seat), 1, 9) for seat in state.seats]))
    assert set(wins(table).values()) == {1 / setting.seats}


def test_points_that_come_of_a_purchase_are_found_although_good_players_buy_more(monkeypatch):
    monkeypatch.setattr(tiles, "offered", lambda parts: ["mill", "moat"])
    pick, outcomes = Random(5), []
    for _ in range(400):
        tastes = tiles.tastes(None, len(SEATS), pick)
        skill = {seat: pick.gauss(0, 10) for seat in SEATS}
        bought = {seat: {"mill": max(0, (skill[seat] > 0) + tastes[seat].get("mill", 0))} for seat in SEATS}
        points = {seat: 70 + skill[seat] - 3 * bought[seat]["mill"] for seat in SEATS}
        outcomes.append(Outcome(tastes, bought, points))
    found = worth(outcomes, "mill")
    assert found is not None and abs(found.mean + 3) < 1.5 * found.off < 5
    assert worth(outcomes, "moat") is None, "nobody bought it"
    assert share(outcomes, "mill", 1) == 1.0 > share(outcomes, "mill", 0) > 0.0 == share(outcomes, "mill", -1)
    liked = [one.tastes[seat].get("moat", 0) for one in outcomes for seat in SEATS]
    assert [liked.count(taste) / len(liked) for taste in (1, -1)] == pytest.approx([0.15, 0.15], abs=0.03)


def test_the_report_tells_who_wins_and_what_a_purchase_brings(capsys):
    assert main(["balance", GAME.key, "--edition", "first", "--seats", "2", "--games", "4", "--json"]) == 0
    *lines, stored = capsys.readouterr().out.splitlines()
    figures = json.loads(stored)["seats"]["2"]["figures"]
    assert sum(figures[f"wins at: seat {n}"][0] for n in (1, 2)) == pytest.approx(1)
    assert any(line.startswith("| at seat 1 | ") for line in lines)
    assert main(["balance", GAME.key, "--edition", "first", "--seats", "2", "--games", "4", "--buying", "--json"]) == 0
    *lines, stored = capsys.readouterr().out.splitlines()
    report = json.loads(stored)["seats"]["2"]
    assert report["bought"]["Army Training"][0] == 1.0 and tasted(TWO, 0, 0) == tasted(TWO, 0, 0) != tasted(TWO, 0, 1)
    assert any(line.startswith("| Army Training | ") and "±" in line and line.endswith("| 9 gold |") for line in lines)


@pytest.mark.parametrize("words", [["chess"], [GAME.key, "--edition", "third"], [GAME.key, "--seats", "9"],
                                   [GAME.key, "--games", "0"], ["attack", "--buying"]])
def test_the_command_line_refuses_what_there_is_not(words, capsys):
    try:
        status: object = main(["balance", *words])
    except SystemExit as left:                          # of words that the command line does not take
        status = left.code
    assert status == 2 and capsys.readouterr().err.strip().endswith((".", "?"))
