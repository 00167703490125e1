"""What holds in every game: random play reaches an end, and at every question everything adds up."""
from __future__ import annotations

import random

import pytest

from engine.dice import SecretDice
from engine.games.imperial_struggle import GAME
from engine.kernel import Table, fold
from engine.selfplay import beginning, play_on
from tests.checks.soundness_of_imperial_struggle import adds_up
from tests.games.imperial_struggle.scene import PARTS

ALL_OPTIONS = {"spanish_empire": True, "swap_tiles": True, "assign_tiles": True, "tougher_forts": True,
               "strict_action_order": False}


@pytest.mark.parametrize("edition, options, seed", [
    ("published", {}, 1), ("first_game", {"handicap_side": "france", "handicap": 3}, 2), ("tournament", ALL_OPTIONS, 3)])
def test_a_random_game_ends_and_always_adds_up(edition, options, seed):
    dice = SecretDice(f"{seed:02}" * 32)
    start = beginning(GAME, 2, edition, PARTS, options)
    table = Table(GAME, PARTS, start, dice=dice, checkpoints=False)
    for _ in play_on(table, random.Random(seed).randrange):
        adds_up(table.state)
    assert table.over and table.state.winner
    rows = [entry.row() for entry in table.fresh]
    again = Table(GAME, PARTS, start, rows, dice=dice, checkpoints=False)
    assert again.state.model_dump_json() == table.state.model_dump_json()
    folded = fold(GAME, PARTS, start, [table.opening, *(entry.events for entry in table.fresh)])
    assert folded.model_dump_json() == table.state.model_dump_json()
