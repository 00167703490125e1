"""Golden examples of the end of a war and of the game: G-06, G-43 to G-48."""
from __future__ import annotations

import random

import pytest

from engine.components import components
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.events import AreaScored, Collapsed, GoldPaid, IncomeTaken, Penalised
from engine.kernel import Table
from engine.selfplay import new_table, play_on
from tests.scene import FAIR, scene

BOTH = pytest.mark.parametrize("edition", ["first", "deluxe_without_npp"])
COUNTED = {"unrest.model": "count"}             # so that an example of both editions has one number
FIVE = ("britain", "france", "austria", "spain", "prussia")


@BOTH
@pytest.mark.parametrize("agriculture, population", [(0, 8), (2, 9)])
def test_G_06_income_upkeep_growth(agriculture, population, edition):
    table = scene(edition=edition, options=COUNTED, phase="war_end", population={"austria": 3}, gold={"austria": 2}, dice=FAIR,
                  markers={"austria": {"german_states": 3, "baltic": 2}}, captives={"pirates": ("caribbean", "austria")},
                  units={"austria": {"army": {"german_states": 4, "austria": 2}, "navy": {"baltic": 4}, "fort": {"baltic": 2}}},
                  tiles={"austria": {"improved_agriculture": agriculture}} if agriculture else {})
    assert table.events(IncomeTaken)[0] == IncomeTaken(power="austria", population=3, markers=5)
    assert table.events(GoldPaid)[0] == GoldPaid(power="austria", gold=12, taxed=2)
    assert table.state.unrest["austria"] == 1
    assert table.state.gold["austria"] == 0
    assert table.state.population["austria"] == population


def scored(edition: str, area: str, *markers: int) -> list[int]:
    """What these numbers of control markers in one area score, one power after the other."""
    powers = FIVE[:len(markers)]
    table = scene(edition=edition, powers=powers, phase="war_end", war=3,
                  markers={power: {area: n} for power, n in zip(powers, markers) if n})
    (points,) = (event.points for event in table.events(AreaScored) if event.area == area)
    return [points.get(power, 0) for power in powers]


@BOTH
def test_G_43_german_states(edition):
    assert scored(edition, "german_states", 3, 3, 2, 1) == [8, 8, 5, 3]


@BOTH
@pytest.mark.parametrize("markers, points", [((3, 3, 2, 2), [8, 8, 5, 5]), ((3, 3, 2, 2, 1), [8, 8, 5, 5, 3])])
def test_G_44_german_states_tie_lower_down(markers, points, edition):
    assert scored(edition, "german_states", *markers) == points


@BOTH
@pytest.mark.parametrize("markers, points", [((2, 1, 1, 0), [5, 3, 3, 0]), ((2, 2, 1), [5, 5, 3]), ((3, 2, 1), [5, 3, 0])])
def test_G_45_area_with_two_values(markers, points, edition):
    assert scored(edition, "caribbean", *markers) == points


@BOTH
def test_G_46_most_markers_in_the_ottoman_empire(edition):
    """With seven players every neutral marker is drawn, so the four places fill up, and nothing ever makes a fifth."""
    table = new_table(GAME, 7, edition, components(GAME, edition).parts, FAIR, checkpoints=False)
    seen = {in_the_ottoman_empire(table) for _ in play_on(table, random.Random(46).randrange)}
    assert max(seen) == 4
    assert in_the_ottoman_empire(table) == 4


def in_the_ottoman_empire(table: Table) -> int:
    """Control, neutral and captive markers together."""
    state = table.state
    return (len(state.neutrals["ottoman_empire"]) + sum(markers.get("ottoman_empire", 0) for markers in state.markers.values())
            + sum(captive.area == "ottoman_empire" for captive in state.captives.values()))


FOUR_PLAYERS = [((21, 12, 9, 3), ("collapse", -7, -4, 0)), ((12, 12, 9, 3), (-7, -7, -4, 0)), ((12, 9, 9, 3), (-7, -4, -4, 0)),
                ((20, 19, 5, 5), ("collapse", -7, -4, -4))]
FEWER = [((12, 9, 3), (-7, -5, 0)), ((9, 3), (-7, 0)), ((9, 9), (-7, -7))]


@pytest.mark.parametrize("edition, unrest, changes", [
    *(("first", *example) for example in FOUR_PLAYERS), *(("deluxe_without_npp", *example) for example in FOUR_PLAYERS + FEWER),
    ("first", (12, 9, 3), (-7, -4, 0)), ("first", (9, 3), (-7, -4))])
def test_G_47_penalties(unrest, changes, edition):
    """By the number of players in Deluxe [SOE-18.2.3 to 18.2.5]."""
    powers = FIVE[:len(unrest)]
    table = scene(edition=edition, powers=powers, phase="reckoning", war=3, points=30, unrest=dict(zip(powers, unrest)))
    assert [table.state.points[power] for power in powers] == [
        0 if change == "collapse" else 30 + change for change in changes]
    assert [event.power for event in table.events(Collapsed)] == [
        power for power, change in zip(powers, changes) if change == "collapse"]
    assert {event.power: -event.points for event in table.events(Penalised)} == {
        power: change for power, change in zip(powers, changes) if change not in ("collapse", 0)}
    assert not set(table.state.winners) & set(table.state.collapsed)


@pytest.mark.parametrize("edition, second", [("first", 4), ("deluxe_without_npp", 5)])
def test_G_48_winner(edition, second):
    x, y, z = "austria", "britain", "france"
    table = scene(edition=edition, powers=(x, y, z), phase="reckoning", war=3, points={x: 40 + 7, y: 40 + second, z: 90},
                  unrest={x: 8, y: 6, z: 25})
    assert table.state.points == {x: 40, y: 40, z: 0}
    assert table.state.winners == [y]
    assert table.state.ranking == [y, x, z]
    places = [(seat, place) for seat, place, _ in GAME.rules.standings(table.state)]
    assert places == [("seat_2", 1), ("seat_1", 2), ("seat_3", 3)]
