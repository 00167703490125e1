"""A group that owns the game corrects any number without touching code: each number of the components counts in play."""
from __future__ import annotations

import json
from typing import Any

import pytest

from engine.components import components
from engine.dice import SecretDice
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, Build
from engine.selfplay import new_table
from tests.scene import FAIR, Scene, scene


def number(key: str, value: object) -> dict[str, Any]:
    return {"rules_values": [{"id": key, "value": value}]}


def attack(pack: dict[str, Any], *, dice: tuple[int, int, int, int] = (1, 1, 1, 1), **position: Any) -> Scene:
    """Austria attacks Britain in India with one army."""
    position = {"units": {"austria": {"army": {"india": 1}}}, "markers": {"britain": {"india": 1}}, "gold": 5, **position}
    table = scene(rows=(("austria",), ("britain",)), pack=pack, dice=[dice], **position)
    table.say("austria", Attack(area="india", target="britain"))
    return table


def test_the_cost_of_an_attack():
    assert attack(number("attack_cost_gold", 3)).state.gold["austria"] == 2


def test_the_gold_of_a_taxation():
    table = attack(number("tax_gold_per_unrest", 1), gold=0)
    assert (table.state.gold["austria"], table.state.unrest["austria"]) == (0, 2)


def test_the_strength_of_a_fort():
    table = attack(number("fort_defence", 5), units={"austria": {"army": {"india": 1}}, "britain": {"fort": {"india": 1}}})
    assert table.strengths() == [(1, 5)]


def test_naval_support():
    table = attack(number("naval_support", 3), units={"austria": {"army": {"india": 1}, "navy": {"india": 1}}})
    assert table.strengths() == [(4, 0)]


def test_the_sum_of_two_dice_that_costs_a_unit_more():
    table = attack(number("extra_loss_on_dice_sum", 6), dice=(1, 5, 1, 1))
    assert table.units("austria", "army", "india") == 0 and table.state.unrest["austria"] == 1


def test_the_unrest_of_a_lost_unit():
    table = attack(number("unrest_per_lost_unit", 2), dice=(1, 1, 1, 6))
    assert table.state.unrest["austria"] == 2


def test_the_most_population():
    table = scene(phase="war_end", population=5, pack=number("population_min_max", [0, 7]), dice=FAIR)
    assert set(table.state.population.values()) == {7}


def test_the_set_up_and_the_units_of_a_power():
    pack: dict[str, Any] = {"setup": [{"players": 2, "start_gold": 12}], "units_per_player": {"army": 1}}
    found = components(GAME, "first", json.dumps(pack))
    assert found.parts.set_up(2).start_gold == 12 and found.parts.set_up(3).start_gold == 10
    table = scene(units={"austria": {"army": {"austria": 1}}}, pack=pack)
    assert "All your 1 army are already on the map." in str(table.refusal("austria", Build(unit="army", to="austria")))
    assert new_table(GAME, 2, "first", found.parts, SecretDice("00" * 32)).state.parts is found.parts


@pytest.mark.parametrize("tile", ["banking", "east_indies_company"])
def test_the_price_of_a_tile(tile):
    found = components(GAME, "first", json.dumps({"tiles": [{"id": tile, "cost": {"gold": 9}}]}))
    assert found.parts.tile[tile].cost.gold == 9
    assert found.parts.tile["logistics"].cost == components(GAME, "first").parts.tile["logistics"].cost
