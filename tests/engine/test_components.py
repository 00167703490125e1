"""Components, data packs and rules from the data folder."""
from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine.components import bound, components, edition_of
from engine.games.struggle_of_empires import GAME
from engine.kernel import GameSpec
from engine.refusals import Faulty
from engine.rulebook import find_rules, rules
from tests.often_said import NO_PACK
from tests.toy import PEBBLES


def refusal(pack: str, spec: GameSpec = GAME) -> str:
    with pytest.raises(Faulty) as refused:
        components(spec, spec.editions[0].key, pack)
    return str(refused.value)


# --- editions and components --------------------------------------------------------------------------

def test_an_edition_is_found_by_its_key():
    assert edition_of(GAME, "first").name == "First edition (2004)"


@pytest.mark.parametrize("spec, key, sentence", [
    (GAME, "no_such_one", "Struggle of Empires has no edition no_such_one. Choose among: first, deluxe and deluxe_without_npp."),
    (PEBBLES, "first", "Pebbles has no edition first. Choose among: plain."),
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

def test_components_without_a_pack_are_bound_once_for_each_game():
    assert components(GAME, "first") is components(GAME, "first") is not components(GAME, "deluxe")
    other = replace(GAME, rules=replace(GAME.rules, parts=dict))
    assert isinstance(components(other, "first").parts, dict) and components(GAME, "first").parts.tile


def test_a_pack_corrects_the_fields_that_it_names_and_no_other():
    fresh, before = components(GAME, "first").parts.tile["banking"], json.dumps(components(GAME, "first").raw)
    dearer = components(GAME, "first", '{"name": "Ours", "note": "x", "tiles": [{"id": "banking", "cost": {"gold": 5}}]}')
    tile = dearer.parts.tile["banking"]
    assert (tile.cost.gold, tile.cost.population) == (5, fresh.cost.population)
    assert tile.model_copy(update={"cost": fresh.cost}) == fresh
    assert components(GAME, "first").parts.tile["banking"].cost != tile.cost, "the file on the shelf stays as it is"
    assert json.dumps(components(GAME, "first").raw) == before


def test_an_empty_pack_changes_nothing():
    assert components(GAME, "first", "{}").hash == components(GAME, "first").hash


@pytest.mark.parametrize("pack, sentence", [
    ("{", NO_PACK),
    ("[" * 100_000, NO_PACK),
    ("[]", "A data pack is a JSON object with lists of records, under the names of the component data."),
    ('"tiles"', "A data pack is a JSON object with lists of records, under the names of the component data."),
    ('{\n"tiles": [\n}', "The data pack isn't valid JSON: I can't read line 3. Often a comma or a quotation mark is missing "
                         "just before it."),
    ('{"tiles": 5}', "Data pack, tiles: each record is an object with its id."),
    ('{"tiles": null}', "Data pack, tiles: each record is an object with its id."),
    ('{"tiles": {"id": "banking"}}', "Data pack, tiles: each record is an object with its id."),
    ('{"tiles": [{"count": 1}]}', "Data pack, tiles: each record is an object with its id."),
    ('{"tiles": [{"id": ["x"]}]}', "Data pack, tiles: each record is an object with its id."),
    ('{"tile": []}', "Data pack, tile: there is no such list; known: tiles."),
    ('{"units_per_player": {"tank": 3}}', "Data pack, units_per_player: there is no field tank; known: army, navy, fort and "
     "control_marker."),
    ('{"setup": [{"start_gold": 2}]}', "Data pack, setup: each record is an object with its players."),
    ('{"setup": [{"players": 9}]}', "Data pack, setup: there is no record 9; known: 2, 3, 4, 5, 6 and 7."),
    ('{"rules_values": [{"id": "tile_purchases_per_turn", "value": 2}]}',
     "Component data, rules_values, tile_purchases_per_turn: Input should be 1."),
    ('{"tiles": [{"id": "bankin"}]}', "Data pack, tiles: there is no record bankin; known: banking."),
    ('{"tiles": [{"id": "war_office", "costs": {"gold": 1}}]}',
     "Data pack, tiles, war_office: there is no field costs; known: cost and count."),
    ('{"tiles": [{"id": "banking", "count": -1}]}',
     "Component data, tiles, banking, count: Input should be greater than or equal to 0, and not -1."),
    ('{"game": "chess"}', "This data pack is for the game chess, not for Struggle of Empires."),
    ('{"edition": "deluxe"}', "This data pack is for the edition deluxe, and this game is First edition (2004). Choose the "
                              "pack's edition, or remove the line `edition` from the pack."),
])
def test_a_pack_that_cannot_be_used_is_refused_with_file_record_and_field(pack, sentence):
    assert refusal(pack) == sentence


def test_a_pack_for_a_game_without_components_has_nothing_to_correct():
    assert refusal('{"tiles": [{"id": "banking"}]}', PEBBLES) == "Data pack, tiles: there is no such list."


@pytest.mark.parametrize("name", ["format", "title", "units_per_player", "corrected", "provenance_note"])
def test_what_is_no_list_of_records_takes_no_records(name):
    assert refusal(json.dumps({name: [{"id": "army"}]})).startswith(f"Data pack, {name}: there is no such list")


def test_a_pack_is_checked_whole_and_every_fault_is_named():
    assert refusal(json.dumps({"tiles": [{"id": "bankin"}, {"id": "banking", "costs": 1}], "area": []})) == (
        "Data pack: 3 faults.\n- tiles: there is no record bankin; known: banking.\n"
        "- tiles, banking: there is no field costs; known: cost and count.\n- area: there is no such list; known: areas.")
    assert refusal(json.dumps({"tiles": [{"id": "banking", "count": -1, "cost": {"gold": "x"}}]})).splitlines()[0] == (
        "Component data: 2 faults.")
    wrong = refusal(json.dumps({"country_counters": [{"id": "africa_01", "area": "asia"}]})).splitlines()
    assert wrong[1] == "- areas, africa, country_counters: it says 4, but 3 markers belong to it."
    assert wrong[2].startswith("- country_counters, africa_01, area: there is no area asia; there are north_america, ")


def test_of_very_many_faults_the_first_are_named_and_the_others_counted():
    wrong = refusal(json.dumps({"tiles": [{"id": "banking", f"field_{n}": 1} for n in range(20)]})).splitlines()
    assert len(wrong) == 14 and wrong[0] == "Data pack: 20 faults." and wrong[-1] == "And 8 more faults."


def test_notes_and_keys_correct_nothing():
    pack = json.dumps({"note": "x", "tiles": [{"id": "banking", "note": "mine"}], "setup": [{"players": 7, "note": "y"}]})
    assert components(GAME, "first", pack).hash == components(GAME, "first").hash


def test_what_a_pack_changes_is_noted_with_the_components():
    pack = json.dumps({"tiles": [{"id": "banking", "cost": {"gold": 5}, "count": 2}], "units_per_player": {"army": 13}})
    assert components(GAME, "first", pack).raw["corrected"] == {
        "tiles": {"banking": ["cost"]}, "units_per_player": {"": ["army"]}}


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
