"""The figures of a game of Imperial Struggle agree with the table."""
from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from bench import imperial_study
from bench.balance import STUDIES, packs
from bench.study import Figures
from engine import components
from engine.dice import SecretDice
from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.events.turns import TileTaken
from engine.games.imperial_struggle.events.wars import TheaterSettled
from engine.kernel import Table
from engine.selfplay import new_table, play_on

EDITION = GAME.editions[0].key


@cache
def judged() -> tuple[Table, Figures]:
    """A random game to its end, and its figures."""
    table = new_table(GAME, 2, EDITION, components.components(GAME, EDITION).parts, SecretDice("5c" * 32), checkpoints=False)
    for _ in play_on(table, Random(4).randrange):
        pass
    return table, imperial_study.figures(table)


def test_the_report_knows_the_game():
    assert STUDIES[GAME.key] is imperial_study.STUDY


def test_one_side_wins_from_one_seat_in_one_way():
    table, of = judged()
    assert of[f"wins: {table.state.winner}"] == 1 == of["wins: britain"] + of["wins: france"]
    assert of["wins at: seat 1"] + of["wins at: seat 2"] == 1
    ways = {name: share for name, share in of.items() if name.startswith("ended by: ")}
    assert len(ways) == 7 and sum(ways.values()) == ways[f"ended by: {table.state.ended_by.replace('_', ' ')}"] == 1


def test_the_points_of_both_sides_lead_to_where_the_counter_stands():
    table, of = judged()
    steps = [name for name in of if name.startswith("counter after: ")]
    assert of[steps[-1]] == table.state.vp == table.state.parts.start.vp_start + of["points: france"] - of["points: britain"]
    for side in ("britain", "france"):
        assert sum(vp for name, vp in of.items() if name.startswith(f"points of {side} by: ")) == of[f"points: {side}"]


def test_what_is_won_is_shared_out():
    table, of = judged()
    facts = [event for entry in table.fresh for event in entry.events]
    theaters = {fact.theater for fact in facts if isinstance(fact, TheaterSettled)}
    assert theaters and {name.partition(": ")[2] for name in of if name.startswith("theater to ")} == theaters
    for column, rows in (("theater to", theaters), ("won by", [region.id for region in table.state.parts.regions])):
        for row in rows:
            parts = [of[f"{column} {side}: {row}"] for side in ("britain", "france", "nobody")]
            assert sum(parts) == pytest.approx(1), row
    taken = Counter(fact.tile for fact in facts if isinstance(fact, TileTaken))
    assert sum(number for name, number in of.items() if name.startswith("taken: ")) == taken.total()
    assert all(of[f"turned up: {name}"] <= of[f"chosen: {name}"] for name in (
        name.partition(": ")[2] for name in of if name.startswith("chosen: ")))


def test_every_value_that_is_moved_makes_sound_components():
    for name, pack in packs(imperial_study.STUDY, GAME, EDITION, "", True).items():
        parts = components.components(GAME, EDITION, pack).parts
        assert parts != components.components(GAME, EDITION).parts, name
