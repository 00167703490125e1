"""The worth of gifts: the sum finds what was put in, gifts are on top of the stock, and a game without any says so."""
from __future__ import annotations

import json
from random import Random

import pytest

from bench import struggle_study
from bench.__main__ import main
from bench.balance import Setting
from bench.gifts import Outcome, outcome, worths
from engine import components
from engine.dice import SecretDice
from engine.games.struggle_of_empires import GAME
from engine.selfplay import new_table, random_answer


def test_points_that_come_of_a_gift_are_found_again():
    pick, outcomes = Random(5), []
    for _ in range(200):
        gold, tile = [[pick.randint(0, most) for _ in range(4)] for most in (8, 1)]
        level = pick.uniform(40, 90)                # of the whole game, which must not count
        points = [level + 2 * gold[seat] + 9 * tile[seat] + pick.gauss(0, 5) for seat in range(4)]
        outcomes.append(Outcome({"gold": gold, "tile": tile, "nothing": [0] * 4}, points))
    found = worths(outcomes)
    assert list(found) == ["tile", "gold"], "the most valuable first, and nothing of what nobody got"
    assert abs(found["tile"].mean - 9) < 1.5 * found["tile"].off < 2
    assert abs(found["gold"].mean - 2) < 1.5 * found["gold"].off < 0.5


def test_gifts_come_before_the_first_auction_and_on_top_of_the_stock():
    table = new_table(GAME, 4, "first", components.components(GAME, "first").parts, SecretDice("7a" * 32), checkpoints=False)
    pick = Random(1)
    while not struggle_study.GIFTS.due(table.state):
        asked = table.waiting()[0]
        table.answer(asked.seat, random_answer(table.options(asked.seat), pick.randrange))
    s = table.state
    stock, gold, unrest = dict(s.stock), dict(s.gold), dict(s.unrest)
    given = struggle_study.GIFTS.give(s, pick)
    assert s.stock == stock
    assert [s.gold[power] - gold[power] for power in s.powers] == given["gold"]
    assert [s.unrest[power] - unrest[power] for power in s.powers] == given["unrest"]
    assert [s.owned(power, "militia") for power in s.powers] == given["Militia"]
    assert sum(map(sum, given.values())) > sum(given["gold"]) + sum(given["unrest"]), "some tiles, too"
    assert {"Government Reform", "Industry", "Blockade"}.isdisjoint(given), "what doesn't stay is not given"


def test_the_same_seed_gives_the_same_gifts_and_the_same_game():
    setting = Setting(GAME.key, "first", 2)
    assert outcome(setting, 1, 0) == outcome(setting, 1, 0) != outcome(setting, 1, 1)


def test_the_report_tells_the_worth_and_the_price_of_each_gift(capsys):
    assert main(["gifts", "struggle_of_empires", "--seats", "2", "--games", "6", "--json"]) == 0
    *table, figures = capsys.readouterr().out.splitlines()
    found = json.loads(figures)
    assert found["seats"] == 2 and {"gold", "unrest", "Militia"} <= {*found["worth"]}
    row = next(line for line in table if line.startswith("| Militia |"))
    assert row.endswith("| 1 population |") and "±" in row


@pytest.mark.parametrize(("words", "said"), [
    (["attack"], "Nobody has told yet what could be given"), (["struggle_of_empires", "--games", "1"], "at least two games"),
    (["struggle_of_empires", "--seats", "9"], "2 to 7 players"),
])
def test_what_can_t_be_measured_is_refused_in_a_sentence(capsys, words, said):
    assert main(["gifts", *words]) == 2
    assert said in capsys.readouterr().err
