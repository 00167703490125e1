"""Chapter 25: where the values of the data come from, that they fit together, and the house balance of the deck."""
from __future__ import annotations

import copy
import json
from collections import Counter
from importlib.resources import files
from itertools import pairwise
from math import comb
from typing import Any

import pytest
import shapely

from engine.components import components
from engine.data_packs import template
from engine.games.attack import GAME
from engine.games.attack.components import Parts, parts
from engine.games.attack.options import Options
from engine.provenance import doubtful
from engine.refusals import Faulty

RAW = components(GAME, "base").raw
PARTS: Parts = components(GAME, "base").parts
LISTS = ("continents", "territories", "unplayable_regions", "sea_zones", "sea_routes", "cards", "units", "battle_die", "ships",
         "modifiers", "parameters")
ORIGINS = {"seed", "published", "inferred", "house"}


@pytest.mark.parametrize("name", LISTS)
def test_every_record_says_where_it_comes_from(name):
    for record in RAW[name]:
        assert {record["provenance"], *record.get("provenance_fields", {}).values()} <= ORIGINS, record["id"]
    assert RAW["set_rule"]["provenance"] in ORIGINS and {*RAW["provenance_legend"]} == ORIGINS


def test_every_value_that_is_made_up_or_inferred_is_listed_for_the_players():
    """What `/game provenance` and `python -m engine values` show, against the data themselves."""
    listed = {(value.origin.list, value.key["id"]) for value in doubtful(GAME, RAW)}
    for name in LISTS:
        for record in RAW[name]:
            doubts = {"house", "inferred"} & {record["provenance"], *record.get("provenance_fields", {}).values()}
            assert ((name, record["id"]) in listed) == bool(doubts), (name, record["id"])


def test_ids_are_unique_and_no_list_names_a_thing_twice():
    for name in LISTS:
        assert max(Counter(record["id"] for record in RAW[name]).values()) == 1, name
    for land in PARTS.territories:
        assert len({*land.adjacent}) == len(land.adjacent) and len({*land.coastal_zones}) == len(land.coastal_zones), land.id
    for zone in PARTS.sea_zones:
        assert len({*zone.coastal_territories}) == len(zone.coastal_territories), zone.id


def test_zones_are_neighbours_of_each_other_and_routes_go_from_neighbour_to_neighbour():
    zones = {zone.id: zone for zone in PARTS.sea_zones}
    for zone in PARTS.sea_zones:
        assert all(zone.id in zones[other].adjacent_zones for other in zone.adjacent_zones), zone.id
    for route in PARTS.sea_routes:
        assert all(there in zones[here].adjacent_zones for here, there in pairwise(route.through)), route.id


def test_by_land_alone_the_board_falls_into_four():
    found, sizes = set[str](), []
    for start in PARTS.territory:
        if start in found:
            continue
        reached, last = {start}, {start}
        while last:
            last = {other for land in last for other in PARTS.territory[land].adjacent} - reached
            reached |= last
        found |= reached
        sizes.append((len(reached), start if len(reached) == 1 else ""))
    assert sorted(sizes, reverse=True) == [(27, ""), (23, ""), (1, "great_britain"), (1, "cuba")]


def test_every_territory_lies_where_its_shape_is():
    shapes = {feature["id"]: shapely.geometry.shape(feature["geometry"]) for feature in json.loads(
        files("data").joinpath("geometry", "attack_territories.geojson").read_text(encoding="utf-8"))["features"]}
    assert {*PARTS.territory} < {*shapes}
    for land in PARTS.territories:
        assert shapes[land.id].contains(shapely.Point(land.lon, land.lat)), land.id


def faulty(change: Any) -> str:
    raw = copy.deepcopy(RAW)
    change({record["id"]: record for record in raw["territories"]}, raw)
    with pytest.raises(Faulty) as refused:
        parts(raw)
    return str(refused.value)


def test_ATK_2_1_2_no_territory_is_in_two_continents():
    told = faulty(lambda lands, raw: lands["mexico"].update(continent=["north_america", "south_america"]))
    assert "territories, mexico, continent" in told


def test_ATK_3_3_3_a_continent_smaller_than_the_number_of_players_is_refused():
    def shrink(lands: dict[str, Any], raw: dict[str, Any]) -> None:
        for id in ("alaska", "ontario", "quebec", "mexico", "panama", "cuba", "midwest"):
            lands[id]["continent"] = "europe"

    assert faulty(shrink) == "Component data, continents, north_america: it has 5 territories, fewer than there can be players."


# --- the deck (25.1) --------------------------------------------------------------------------------------

def test_ATK_15_1_1_five_types_of_twelve_cards_with_four_four_three_and_one_of_each_weight():
    kinds = Counter((card.type, card.weight) for card in PARTS.cards)
    for kind in ("population", "oil", "minerals", "factories", "railroads"):
        assert [kinds[kind, weight] for weight in (1, 2, 3, 4)] == [4, 4, 3, 1]
    assert len(kinds) == 20 and sum(card.weight for card in PARTS.cards) == 125


def test_ATK_15_1_2_so_many_defenders_of_such_worth_by_weight():
    prices: dict[Any, int] = {unit.id: unit.cost_pp for unit in PARTS.units}
    forces = {weight: [card.neutral_defenders.units for card in PARTS.cards if card.weight == weight] for weight in (1, 2, 3, 4)}
    assert {weight: {sum(force.values()) for force in known} for weight, known in forces.items()} == {
        1: {2}, 2: {3}, 3: {4}, 4: {5, 6}}
    worth = [sum(prices[unit] * number for force in known for unit, number in force.items()) / len(known)
             for known in forces.values()]
    assert [round(one) for one in worth] == [12, 19, 28, 39]


def test_ATK_3_1_3_an_average_start_hand_with_the_capital_brings_18_7_points():
    mean = sum(card.weight for card in PARTS.cards) / len(PARTS.cards)
    full_set = 12 ** 4 / comb(60, 4)                        # one card of each of the four types
    assert round(PARTS.numbers.capital_bonus_pp + 4 * mean + full_set * 4 * mean, 1) == 18.7


def test_what_options_decide_is_no_number_for_a_data_pack_and_the_same_as_in_the_data():
    """ATK-17.2.3, ATK-19.3.2: the game goes by its options, so a correction of these numbers would change nothing."""
    numbers = {value.id: value.value for value in PARTS.parameters}
    assert (numbers["round_limit_default"], numbers["failed_offers_per_turn"]) == (
        Options().rounds, Options().failed_offers_per_turn)
    offered = {record["id"] for record in json.loads(template(GAME, GAME.editions[0], RAW))["parameters"]}
    assert offered == {"trade_ban_rounds_before_end", "empty_deck_defenders"}
