"""What the rules say of the components holds for the data."""
from __future__ import annotations

from itertools import product

import pytest

from engine.components import components
from engine.games.attack import GAME
from engine.games.attack.components import SHIPS, UNITS, Parts

PARTS: Parts = components(GAME, "base").parts


def test_ATK_1_1_3_ATK_1_1_4_units_and_ships() -> None:
    assert {unit.id for unit in PARTS.units} == {*UNITS} == {"infantry", "tank", "artillery", "plane"}
    assert {ship.id for ship in PARTS.ships} == {*SHIPS} == {"destroyer", "submarine", "battleship", "aircraft_carrier"}


def test_ATK_2_1_2_each_territory_belongs_to_one_of_four_continents() -> None:
    assert {continent.name for continent in PARTS.continents} == {"North America", "South America", "Europe", "Africa"}
    assert {land.continent for land in PARTS.territories} == {continent.id for continent in PARTS.continents}


def test_ATK_2_1_4_neighbours_are_neighbours_of_each_other() -> None:
    for land in PARTS.territories:
        assert all(land.id in PARTS.territory[other].adjacent for other in land.adjacent)


def test_ATK_2_2_3_ATK_2_3_6_anchors_and_the_coast_of_panama() -> None:
    anchors = {zone.id: zone for zone in PARTS.sea_zones if zone.anchor}
    assert {*anchors} == {"sz_caribbean", "sz_mediterranean"} and "panama" in anchors["sz_caribbean"].coastal_territories
    assert "cuba" in PARTS.sea_linked["panama"] and "ukraine" in PARTS.sea_linked["italy"]


def test_ATK_14_5_1_the_chances_of_diplomacy() -> None:
    numbers = PARTS.numbers
    sums = [a + b for a, b in product(range(1, 7), repeat=2)]
    reached = [sum(rolled >= number for rolled in sums) for number in (
        numbers.diplomacy_target_adjacent, numbers.diplomacy_target_distant, numbers.diplomacy_target_rivals)]
    assert reached == [15, 10, 10]
    chances = [round(100 * (1 - (1 - reached[2] / 36) ** rivals), 1) for rivals in range(1, 6)]
    assert chances == pytest.approx([27.8, 47.8, 62.3, 72.8, 80.3], abs=0.11)
