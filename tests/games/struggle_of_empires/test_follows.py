"""Whose turn comes next, as it is told to who wants to know."""
from __future__ import annotations

import random

import pytest

from engine.components import components
from engine.dice import SecretDice
from engine.games.struggle_of_empires import GAME
from engine.selfplay import new_table, play_on


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_SOE_6_1_1_the_next_turn_is_foretold_within_a_war(seats):
    table = new_table(GAME, seats, "first", components(GAME, "first").parts, SecretDice("0" * 64), checkpoints=False)
    foretold, active, war, turns = None, None, 0, 0
    for _ in play_on(table, random.Random(7).randrange):
        now = GAME.rules.active(table.state)
        if now is not None and now != active:
            assert now == foretold or (foretold is None and war < table.state.war), (now, foretold)
            turns += 1
        if now is not None:
            active, foretold, war = now, GAME.rules.follows(table.state), table.state.war
    assert turns > 10


def test_before_the_first_turn_nobody_comes_next():
    table = new_table(GAME, 3, "first", components(GAME, "first").parts, SecretDice("0" * 64), checkpoints=False)
    assert GAME.rules.active(table.state) is None and GAME.rules.follows(table.state) is None
