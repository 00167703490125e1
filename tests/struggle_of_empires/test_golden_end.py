"""Golden examples of the end of a war and of the game: G-06, G-43 to G-48."""
from __future__ import annotations

import random

import pytest

from engine.kernel import Table
from engine.selfplay import new_table, play_on
from engine.shelf import components
from engine.struggle_of_empires import GAME
from engine.struggle_of_empires.events import AreaScored, Collapsed, GoldPaid, IncomeTaken, Penalised
from tests.scene import FAIR, scene

FIVE = ("britain", "france", "austria", "spain", "prussia")


@pytest.mark.parametrize("agriculture, population", [(0, 8), (2, 9)])
def test_G_06_income_upkeep_growth(agriculture, population):
    table = scene(phase="war_end", population={"austria": 3}, gold={"austria": 2}, dice=FAIR,
                  markers={"austria": {"german_states": 3, "baltic": 2}}, captives={"pirates": ("caribbean", "austria")},
                  units={"austria": {"army": {"german_states": 4, "austria": 2}, "navy": {"baltic": 4}, "fort": {"baltic": 2}}},
                  tiles={"austria": {"improved_agriculture": agriculture}} if agriculture else {})
    assert table.events(IncomeTaken)[0] == IncomeTaken(power="austria", population=3, markers=5)
    assert table.events(GoldPaid)[0] == GoldPaid(power="austria", gold=12, taxed=2)
    assert table.state.unrest["austria"] == 1
    assert table.state.gold["austria"] == 0
    assert table.state.population["austria"] == population


def scored(area: str, *markers: int) -> list[int]:
    """What these numbers of control markers in one area score, one power after the other."""
    powers = FIVE[:len(markers)]
    table = scene(powers=powers, phase="war_end", war=3, markers={power: {area: n} for power, n in zip(powers, markers) if n})
    (points,) = (event.points for event in table.events(AreaScored) if event.area == area)
    return [points.get(power, 0) for power in powers]


def test_G_43_german_states():
    assert scored("german_states", 3, 3, 2, 1) == [8, 8, 5, 3]


@pytest.mark.parametrize("markers, points", [((3, 3, 2, 2), [8, 8, 5, 5]), ((3, 3, 2, 2, 1), [8, 8, 5, 5, 3])])
def test_G_44_german_states_tie_lower_down(markers, points):
    assert scored("german_states", *markers) == points


@pytest.mark.parametrize("markers, points", [((2, 1, 1, 0), [5, 3, 3, 0]), ((2, 2, 1), [5, 5, 3]), ((3, 2, 1), [5, 3, 0])])
def test_G_45_area_with_two_values(markers, points):
    assert scored("caribbean", *markers) == points


def test_G_46_most_markers_in_the_ottoman_empire():
    """With seven players every neutral marker is drawn, so the four places fill up, and nothing ever makes a fifth."""
    table = new_table(GAME, 7, "first", components(GAME, "first").parts, FAIR, checkpoints=False)
    seen = {in_the_ottoman_empire(table) for _ in play_on(table, random.Random(46).randrange)}
    assert max(seen) == 4
    assert in_the_ottoman_empire(table) == 4


def in_the_ottoman_empire(table: Table) -> int:
    """Control, neutral and captive markers together."""
    state = table.state
    return (len(state.neutrals["ottoman_empire"]) + sum(markers.get("ottoman_empire", 0) for markers in state.markers.values())
            + sum(captive.area == "ottoman_empire" for captive in state.captives.values()))


@pytest.mark.parametrize("unrest, changes", [
    ((21, 12, 9, 3), ("collapse", -7, -4, 0)),
    ((12, 12, 9, 3), (-7, -7, -4, 0)),
    ((12, 9, 9, 3), (-7, -4, -4, 0)),
    ((20, 19, 5, 5), ("collapse", -7, -4, -4)),
])
def test_G_47_penalties(unrest, changes):
    powers = FIVE[:4]
    table = scene(powers=powers, phase="reckoning", war=3, points=30, unrest=dict(zip(powers, unrest)))
    assert [table.state.points[power] for power in powers] == [
        0 if change == "collapse" else 30 + change for change in changes]
    assert [event.power for event in table.events(Collapsed)] == [
        power for power, change in zip(powers, changes) if change == "collapse"]
    assert {event.power: -event.points for event in table.events(Penalised)} == {
        power: change for power, change in zip(powers, changes) if change not in ("collapse", 0)}
    assert not set(table.state.winners) & set(table.state.collapsed)


def test_G_48_winner():
    x, y, z = "austria", "britain", "france"
    table = scene(powers=(x, y, z), phase="reckoning", war=3, points={x: 40 + 7, y: 40 + 4, z: 90}, unrest={x: 8, y: 6, z: 25})
    assert table.state.points == {x: 40, y: 40, z: 0}
    assert table.state.winners == [y]
    assert table.state.ranking == [y, x, z]
    assert [(seat, place) for seat, place, _ in GAME.standings(table.state)] == [("seat_2", 1), ("seat_1", 2), ("seat_3", 3)]
