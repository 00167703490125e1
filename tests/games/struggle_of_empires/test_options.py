"""The options and the components of Struggle of Empires: what can be chosen, what is refused, and what a data pack may change."""
from __future__ import annotations

import copy
from typing import Any

import pytest

from engine.components import components
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.components import EFFECTS, parts
from engine.games.struggle_of_empires.options import CHOICES, PRESETS, Options
from engine.options import flat
from engine.refusals import Faulty
from tests.scene import scene

USUAL = flat(Options())
RAW = components(GAME, "first").raw


# --- options ---------------------------------------------------------------------------------------------------------

WITH: dict[Any, dict[str, Any]] = {         # what some values need beside them, in a game of the first edition
    ("cross.model", "far_lands_die"): {"cross.rescue_gold": True, "navigation.effect": "mending"},
    ("navigation.effect", "mending"): {"cross.rescue_gold": True}, ("alliance.one_per", "area"): {"alliance.mode": "local"},
    ("gifts.public", False): {"gold.public": False}}


@pytest.mark.parametrize("key, value", [(key, value) for key, values in CHOICES.items() for value in values])
def test_every_value_that_is_offered_can_be_chosen(key, value):
    needed = WITH.get((key, value), {})
    assert flat(GAME.rules.options("first", {key: value, **needed})) == {**USUAL, key: value, **needed}


@pytest.mark.parametrize("edition", PRESETS)
def test_an_edition_is_a_preset_in_which_every_value_can_be_chosen(edition):
    usual = flat(GAME.rules.options(edition, {}))
    assert {key: usual[key] for key in PRESETS[edition]} == PRESETS[edition]
    refused = set()
    for key, values in CHOICES.items():
        for value in values:
            try:
                GAME.rules.options(edition, {key: value})
            except Faulty:
                refused.add((key, value))
    assert refused == CONTRADICTED[edition]


DELUXE_NEEDS = {("cross.rescue_gold", False), ("navigation.effect", "second_die"), ("gifts.public", False)}
CONTRADICTED = {"first": set(WITH), "deluxe": DELUXE_NEEDS, "deluxe_without_npp": DELUXE_NEEDS}


@pytest.mark.parametrize("edition, changed, sentence", [
    ("deluxe", {"cross.rescue_gold": False},
     "Navigation makes mending a crossing cheaper (navigation.effect: mending), but in this game crossings can't be mended. "
     "Let crossings be mended (cross.rescue_gold), or let Navigation add to the second of two dice (navigation.effect: "
     "second_die, cross.model: one_die)."),
    ("first", {"cross.model": "far_lands_die"},
     "Navigation adds to the second die of a crossing (navigation.effect: second_die), but the Far Lands die is rolled alone. "
     "Let Navigation make mending cheaper (navigation.effect: mending), or cross with one die and perhaps a second one "
     "(cross.model: one_die)."),
    ("first", {"move.failed_unit_again": True, "move.same_unit_next_action": False},
     "A unit that failed to cross may try again in the same action (move.failed_unit_again), so it can't be barred from the "
     "next one (move.same_unit_next_action: false)."),
    ("first", {"alliance.one_per": "area"},
     "One alliance for each area (alliance.one_per: area) is a limit for local alliance markers, but this game has alliance "
     "tiles (alliance.mode: tiles), and several of those can count in one area."),
    ("deluxe", {"gifts.public": False},
     "If gifts are secret (gifts.public: false), everybody would still see them in the players' gold. Hide gold as well "
     "(gold.public: false), or announce gifts (gifts.public)."),
])
def test_options_that_contradict_each_other_are_refused_with_the_reason(edition, changed, sentence):
    with pytest.raises(Faulty) as refused:
        GAME.rules.options(edition, changed)
    assert str(refused.value) == sentence


def test_every_option_has_its_usual_value_among_those_offered():
    assert all(USUAL[key] == values[0] and len(set(values)) == len(values) for key, values in CHOICES.items())
    assert flat(GAME.rules.options("first", {})) == USUAL == flat(GAME.rules.options("first", dict(USUAL)))


def test_every_option_of_the_contract_is_offered():
    assert set(CHOICES) == set(USUAL)


@pytest.mark.parametrize("key, value, sentence", [
    ("help.telepathy", True, "There is no option help.telepathy."),
    ("help", True, "There is no option help."),
    ("militia.types", "navy", "The option militia.types can't be navy: Input should be 'any' or 'army'."),
    ("markers.map_limit", 21, "The option markers.map_limit can't be 21: Input should be 20 or 23."),
    ("help.auto_call", "perhaps", "The option help.auto_call can't be perhaps: Input should be a valid boolean, "
                                  "unable to interpret input."),
])
def test_an_option_that_does_not_exist_is_refused(key, value, sentence):
    with pytest.raises(Faulty) as refused:
        GAME.rules.options("first", {key: value})
    assert str(refused.value) == sentence


def test_options_are_kept_with_the_game():
    changed = scene(options={"help.auto_call": False})
    again = GAME.rules.state.model_validate_json(changed.state.model_dump_json())
    assert flat(again.options) == {**USUAL, "help.auto_call": False}


# --- components --------------------------------------------------------------------------------------------------------

def test_SOE_1_2_1_the_box_holds_65_neutral_markers_that_fit_their_areas():
    known = parts(RAW)
    assert len(known.country_counters) == 65 == sum(area.country_counters for area in known.areas)
    assert known.area["ottoman_empire"].country_counters == 4


def test_SOE_1_4_the_map():
    known = parts(RAW)
    assert len(known.area) == 11 and len(known.colonies) == 6
    assert set(known.seas) == {*known.colonies, "baltic", "mediterranean"}
    assert {place for place, zone in known.zone.items() if zone == "america"} == {"north_america", "caribbean", "south_america"}
    assert "britain" in known.area["german_states"].adjacent_homes and "spain" in known.area["mediterranean"].adjacent_homes
    assert known.area["german_states"].vp == (8, 5, 3)


def test_every_effect_belongs_to_one_tile_of_the_box():
    assert set(parts(RAW).by_effect) == EFFECTS


def changed(path: tuple[Any, ...], value: object) -> dict[str, Any]:
    """The components with one value changed; a list is walked by the ids of its records."""
    raw = copy.deepcopy(RAW)
    *way, last = path
    at: Any = raw
    for step in way:
        at = next(record for record in at if record["id"] == step) if isinstance(at, list) else at[step]
    at[last] = value
    return raw


MARKERS = "country_counters"
SEAS = "north_america, caribbean, south_america, africa, india, east_indies, baltic, mediterranean"
AREAS = SEAS.replace("mediterranean", "german_states, central_europe, mediterranean, ottoman_empire")


@pytest.mark.parametrize("path, value, sentence", [
    (("tiles", "banking", "count"), -1, "tiles, banking, count: Input should be greater than or equal to 0, and not "
                                        "-1."),
    (("tiles", "banking", "cost"), {"gold": 1, "unrest": 0}, "tiles, banking, cost, population: this is missing."),
    (("tiles", "banking", "cost"), {"gold": 1},
     "2 faults.\n- tiles, banking, cost, population: this is missing.\n- tiles, banking, cost, unrest: this is missing."),
    (("tiles", "banking", "after_use"), "burn",
     "tiles, banking, after_use: Input should be 'keep', 'exhaust', 'remove', 'stock' or 'stock_at_war_end', and not \"burn\"."),
    (("tiles", "levant_company", "params", "max_gold"), "many",
     "tiles, levant_company, params, max_gold: Input should be a valid integer, unable to parse string as an "
     'integer, and not "many".'),
    (("tiles", "levant_company", "params", "colour"), "red",
     "tiles, levant_company, params, colour: there is no such field."),
    (("tiles", "levant_company", "params", "areas"), ["mars"],
     f"tiles, levant_company, params: unknown areas mars; there are {AREAS}."),
    (("tiles", "banking", "effect"), "magic",
     "tiles, effect: each effect belongs to one improvement tile; see magic, tax_three."),
    (("tiles", "banking", "effect"), "extra_move",
     "tiles, effect: each effect belongs to one improvement tile; see extra_move, tax_three."),
    (("tiles", "levant_company", "effect"), "pirates",
     "tiles, levant_company, effect: pirates belongs to the tile of that id."),
    (("tiles", "banking", "id"), "logistics", "tiles: an id occurs twice."),
    (("areas", "india", "vp"), [], "areas, india, vp: Tuple should have at least 1 item after validation, not 0, and not []."),
    (("areas", "india", "adjacent_areas"), ["mars"], f"areas, india: unknown neighbours mars; there are {AREAS}."),
    (("areas", "india", "naval_support_from"), "central_europe",
     f"areas, india, naval_support_from: central_europe is no sea area; there are {SEAS}."),
    (("areas", "india", "country_counters"), 9,
     "areas, india, country_counters: it says 9, but 5 markers belong to it."),
    ((MARKERS, "india_01", "area"), "mars",
     "2 faults.\n- areas, india, country_counters: it says 5, but 4 markers belong to it.\n- country_counters, india_01, area: "
     f"there is no area mars; there are {AREAS}."),
    ((MARKERS, "india_02", "kind"), "pop",
     "country_counters, india_02: a marker has a strength exactly if its kind is strength."),
    (("rules_values", "population_growth", "value"), "five",
     "rules_values, population_growth: Input should be a valid integer, unable to parse string as an integer."),
    (("rules_values", "slaves_need_ship_in", "value"), "central_europe",
     f"rules_values, slaves_need_ship_in: central_europe is no sea area; there are {SEAS}."),
    (("far_lands_die", "green_check", "count"), 1000, "far_lands_die, count: the die has 1 to 100 faces in all."),
    (("far_lands_die", "red_cross", "result"), "back",
     "far_lands_die, result: one face, if perhaps of count 0, has the result lost."),
    (("far_lands_die", "red_cross", "fixes"), [{"gold": 2, "to": "ok"}, {"gold": 3, "to": "ok"}],
     "far_lands_die, red_cross, fixes: each better result has one price."),
    (("far_lands_die", "red_cross", "id"), "green_check", "far_lands_die: an id occurs twice."),
    (("sea_check",), None, "sea_check: Input should be a dictionary or an instance of SeaCheck, and not null."),
])
def test_faulty_components_are_refused_with_list_record_and_field(path, value, sentence):
    with pytest.raises(Faulty) as refused:
        parts(changed(path, value))
    assert str(refused.value) == f"Component data{': ' if sentence.startswith('2 faults') else ', '}{sentence}"


@pytest.mark.parametrize("field", ["counters_by_players", "unrest_penalty_by_players"])
def test_numbers_by_players_cannot_be_left_out(field):
    raw = copy.deepcopy(RAW)
    next(setup for setup in raw["setup"] if setup["players"] == 3)[field] = None
    with pytest.raises(Faulty) as refused:
        parts(raw)
    assert str(refused.value) == f"Component data, setup, 3, {field}: this is missing."


def test_a_marker_of_an_area_that_does_not_exist_is_refused():
    raw = copy.deepcopy(RAW)
    raw["areas"] = [area for area in raw["areas"] if area["id"] != "india"]
    for area in raw["areas"]:
        area["adjacent_areas"] = [other for other in area["adjacent_areas"] if other != "india"]
    with pytest.raises(Faulty, match=r"country_counters, india_01, area: there is no area india"):
        parts(raw)


def test_a_data_pack_changes_what_the_rules_use():
    pack: dict[str, Any] = {"tiles": [{"id": "levant_company", "params": {"max_gold": 2}}], "areas": [{"id": "india", "vp": [9]}],
            "rules_values": [{"id": "upkeep_per_unit", "value": 3}]}
    table = scene(pack=pack, phase="war_end", war=3, markers={"austria": {"india": 1}},
                  units={"austria": {"army": {"baltic": 1}}})
    assert table.parts.tile["levant_company"].params.max_gold == 2
    assert table.state.points["austria"] == 9 - 7 and table.state.gold["austria"] == 10 + 5 + 1 - 3
