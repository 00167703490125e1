"""Components, data packs and rules from the data folder."""
from __future__ import annotations

import json

import pytest

from engine.kernel import GameSpec
from engine.refusals import Faulty
from engine.shelf import bound, components, edition_of, find_rules, rules
from engine.struggle_of_empires import GAME
from tests.toy import PEBBLES


def refusal(pack: str, spec: GameSpec = GAME) -> str:
    with pytest.raises(Faulty) as refused:
        components(spec, spec.editions[0].key, pack)
    return str(refused.value)


# --- editions and components --------------------------------------------------------------------------

def test_an_edition_is_found_by_its_key():
    assert edition_of(GAME, "first").name == "First edition (2004)"


@pytest.mark.parametrize("spec, key, sentence", [
    (GAME, "deluxe", "Deluxe edition (2020) is not available yet."),
    (GAME, "no_such_one", "Struggle of Empires has no edition no_such_one; there are: first, deluxe and "
     "deluxe_without_npp."),
    (PEBBLES, "first", "Pebbles has no edition first; there are: plain."),
])
def test_an_edition_that_cannot_be_played_is_refused(spec, key, sentence):
    with pytest.raises(Faulty) as refused:
        components(spec, key)
    assert str(refused.value) == sentence


def test_a_game_without_a_component_file_has_empty_components():
    assert components(PEBBLES, "plain").raw == {}


def test_components_come_back_from_what_is_stored_with_a_game():
    fresh = components(GAME, "first")
    again = bound(GAME, json.loads(json.dumps(fresh.raw)))
    assert again == fresh and len(fresh.hash) == 64


def test_the_hash_changes_with_the_components_and_not_with_their_order():
    fresh = components(GAME, "first")
    assert bound(GAME, dict(reversed(fresh.raw.items()))).hash == fresh.hash
    dearer = components(GAME, "first", '{"tiles": [{"id": "banking", "cost": {"gold": 5}}]}')
    assert dearer.hash != fresh.hash


# --- data packs ---------------------------------------------------------------------------------------

def test_a_pack_corrects_the_fields_that_it_names_and_no_other():
    fresh = components(GAME, "first").parts.tile["banking"]
    dearer = components(GAME, "first", '{"name": "Ours", "note": "x", "tiles": [{"id": "banking", "cost": {"gold": 5}}]}')
    tile = dearer.parts.tile["banking"]
    assert (tile.cost.gold, tile.cost.population) == (5, fresh.cost.population)
    assert tile.model_copy(update={"cost": fresh.cost}) == fresh
    assert components(GAME, "first").parts.tile["banking"] == fresh, "the file on the shelf stays as it is"


def test_an_empty_pack_changes_nothing():
    assert components(GAME, "first", "{}").hash == components(GAME, "first").hash


@pytest.mark.parametrize("pack, sentence", [
    ("{", "The data pack is no JSON file."),
    ("[" * 100_000, "The data pack is no JSON file."),
    ("[]", "A data pack is a JSON object with lists of records, such as tiles or country_counters."),
    ('"tiles"', "A data pack is a JSON object with lists of records, such as tiles or country_counters."),
    ('{"tiles": 5}', "Data pack, tiles: each record is an object with an id."),
    ('{"tiles": null}', "Data pack, tiles: each record is an object with an id."),
    ('{"tiles": {"id": "banking"}}', "Data pack, tiles: each record is an object with an id."),
    ('{"tiles": [{"count": 1}]}', "Data pack, tiles: each record is an object with an id."),
    ('{"tiles": [{"id": ["x"]}]}', "Data pack, tiles: each record is an object with an id."),
    ('{"steam_engines": []}', "Data pack: there is no list steam_engines to correct."),
    ('{"format": []}', "Data pack: there is no list format to correct."),
    ('{"title": [{"id": "x"}]}', "Data pack: there is no list title to correct."),
    ('{"units_per_player": [{"id": "army"}]}', "Data pack: there is no list units_per_player to correct."),
    ('{"setup": [{"start_gold": 2}]}', "Data pack, setup: each record is an object with an id."),
    ('{"setup": [{"players": 9}]}', "Data pack, setup: there is no record 9."),
    ('{"units_per_player": {"tank": 3}}', "Data pack, units_per_player: there is no field tank."),
    ('{"rules_values": [{"id": "tile_purchases_per_turn", "value": 2}]}',
     "Component data, file: rules_values, tile_purchases_per_turn: Input should be 1."),
    ('{"tiles": [{"id": "steam_engine"}]}', "Data pack, tiles: there is no record steam_engine."),
    ('{"tiles": [{"id": "war_office", "paint_it": "red"}]}', "Data pack, tiles, war_office: there is no field paint_it."),
    ('{"tiles": [{"id": "banking", "count": -1}]}',
     "Component data, tiles, banking, count: Input should be greater than or equal to 0."),
])
def test_a_pack_that_cannot_be_used_is_refused_with_file_record_and_field(pack, sentence):
    assert refusal(pack) == sentence


def test_a_pack_for_a_game_without_components_has_nothing_to_correct():
    assert refusal('{"tiles": [{"id": "banking"}]}', PEBBLES) == "Data pack: there is no list tiles to correct."


# --- rules --------------------------------------------------------------------------------------------

def test_a_game_without_a_rules_file_has_no_rules():
    assert rules("pebbles") == () and find_rules("pebbles", "1.1", "plain") == []


@pytest.mark.parametrize("wanted", ["SOE-9.4.4", "soe-9.4.4", "9.4.4", " 9.4.4 "])
def test_a_rule_is_found_by_its_number(wanted):
    assert [rule.id for rule in find_rules(GAME.key, wanted, "first")][:1] == ["SOE-9.4.4"]


def test_a_section_is_found_with_its_rules_in_order_before_the_rules_that_speak_of_it():
    found = [rule.id for rule in find_rules(GAME.key, "12.20", "first", most=20)]
    assert found == [*(f"SOE-12.20.{number}" for number in range(1, 14)), "SOE-9.6.5"]


def test_a_number_is_no_part_of_a_longer_number():
    found = [rule.id for rule in find_rules(GAME.key, "1.1", "first", most=10)]
    assert found[0] == "SOE-1.1.1" and all(rule.startswith("SOE-1.1.") for rule in found)


def test_rules_are_found_by_words_in_title_or_text_and_at_most_so_many():
    found = find_rules(GAME.key, "fort moves again", "first")
    assert "SOE-7.2.2" in [rule.id for rule in found]
    assert len(find_rules(GAME.key, "the", "first", most=4)) == 4
    assert find_rules(GAME.key, "submarine", "first") == []


def test_an_edition_sees_its_own_rules_only():
    assert find_rules(GAME.key, "8.4.1", "first") == []
    assert [rule.id for rule in find_rules(GAME.key, "8.4.1", "deluxe")] == ["SOE-8.4.1"]


def test_nothing_wanted_finds_no_exact_rule():
    assert len(find_rules(GAME.key, "", "first")) <= 10
