"""The strong player of Struggle of Empires: what it knows better than the solid one."""
from __future__ import annotations

from random import Random

import pytest

from engine import players
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Take
from engine.games.struggle_of_empires.judgement import Mind
from engine.games.struggle_of_empires.strong_player import Strategist
from engine.kernel import Action, Level
from tests.scene import FAIR, Scene, scene

A, B, C = "austria", "britain", "france"


def answered(table: Scene, level: Level = "strong") -> Action:
    """What a player of this level answers for Austria."""
    position = players.position(table.table, table.state.seat(A))
    assert position is not None
    return players.answer(GAME, level, position, Random(1))


def worth(table: Scene, option: Action, mind: type[Mind] = Strategist) -> float:
    """What an answer is worth to Austria."""
    return mind(table.state, A).own_turn(option)


def trained(mine: int, *theirs: int, round: int = 1, war: int = 1) -> float:
    """What one more Army Training is worth."""
    powers = (A, B, C)[:1 + len(theirs)]
    table = scene(powers=powers, round=round, war=war, gold={A: 9},
                  tiles={power: {"army_training": number} for power, number in zip(powers, (mine, *theirs)) if number})
    return worth(table, Take(tile="army_training"))


def test_it_catches_up_in_army_training_where_the_solid_player_stays_behind() -> None:
    table = scene(gold={A: 9}, tiles={B: {"army_training": 1}}, dice=FAIR)
    take = Take(tile="army_training")
    assert answered(table) == take and answered(table, "solid") != take


@pytest.mark.parametrize("mine, theirs", [(0, 2), (1, 0), (2, 1), (2, 0)])
def test_a_training_that_changes_nothing_between_rivals_is_worth_little(mine: int, theirs: int) -> None:
    assert trained(mine, theirs) < 2 < trained(1, 1) and trained(0, 1) > 2


def test_training_is_worth_more_against_more_rivals_and_the_longer_the_game_lasts() -> None:
    assert trained(0, 0, 2) < trained(0, 0, 1) and trained(0, 0, round=6, war=3) < trained(0, 0, round=6) < trained(0, 0)


def test_tiles_that_build_or_throw_again_for_free_are_worth_more_than_to_the_solid_player_and_war_office_less() -> None:
    table = scene(gold={A: 9})
    for tile in ("reserves", "mercenaries", "pressgangs"):
        assert worth(table, Take(tile=tile)) > worth(table, Take(tile=tile), Mind)
    assert worth(table, Take(tile="war_office")) < worth(table, Take(tile="war_office"), Mind)
