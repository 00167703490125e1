"""House values: every one is listed with what hangs on it, in the docs and in the template of a data pack."""
from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest

from engine.__main__ import main
from engine.catalog import GAMES
from engine.components import components
from engine.data_packs import template
from engine.games.struggle_of_empires import GAME
from engine.house_values import page
from engine.kernel.origins import Aspect, Origin
from engine.options import chosen, every
from engine.provenance import doubtful, grouped, key_of, listed, matters, origins, spelt, tally
from engine.rulebook import rules
from engine.text import Reader, say, text
from tests.toy import PEBBLES

EDITIONS = [(spec, edition) for spec in GAMES for edition in spec.editions]


@pytest.fixture(params=EDITIONS, ids=lambda one: f"{one[0].key}-{one[1].key}")
def preset(request):
    return request.param


def own_file(spec, edition):
    return json.loads(files("data").joinpath(spec.key, f"{edition.data}.json").read_text(encoding="utf-8"))


def test_every_made_up_or_inferred_value_of_an_edition_is_listed(preset):
    spec, edition = preset
    raw, presets = components(spec, edition.key).raw, [chosen(spec, one.key, {}) for one in spec.editions]
    own = [one for one, preset in zip(presets, spec.editions) if preset.data == edition.data]
    shown = {(value.origin.list, spelt(value.key), value.aspect.label): value.doubt for value in doubtful(spec, raw)
             if any(matters(value, one) for one in own) or not any(matters(value, one) for one in presets)}
    for name, body in own_file(spec, edition).items():
        for record in body if isinstance(body, list) else [body]:
            if not isinstance(record, dict) or "provenance" not in record:
                continue
            here = {label: doubt for (*where, label), doubt in shown.items() if where == [name, spelt(key_of(record))]}
            single = record.get("provenance_fields")
            if single:
                doubts = {label: doubt for label, doubt in single.items() if doubt in ("house", "inferred")}
                assert doubts.items() <= here.items(), (name, key_of(record))
            elif record["provenance"] in ("house", "inferred"):
                assert here and set(here.values()) == {record["provenance"]}, (name, key_of(record))


def test_what_hangs_on_a_value_cites_rules_that_exist_and_options_that_can_be(preset):
    spec, _ = preset
    known, keys = {rule.id for rule in rules(spec.key)}, {choice.key for choice in every(spec)}
    for origin in spec.words.origins:
        for aspect in origin.aspects:
            assert set(aspect.rules) <= known, (origin.list, aspect.label)
        for needs in (origin.needs, *(aspect.needs for aspect in origin.aspects)):
            assert needs is None or (needs[0] in keys and set(needs[1]) <= set(spec.rules.choices[needs[0]]))


def test_every_rule_that_an_option_cites_exists(preset):
    spec, _ = preset
    assert {rule for choice in every(spec) for rule in choice.rules} <= {rule.id for rule in rules(spec.key)}


def test_a_game_speaks_of_every_list_that_its_data_doubts(preset):
    spec, edition = preset
    raw = components(spec, edition.key).raw
    spoken = {value.origin.list for value in doubtful(spec, raw) if value.origin in spec.words.origins}
    assert {value.origin.list for value in doubtful(spec, raw)} == spoken


def test_a_value_that_matters_in_no_preset_is_on_the_page_all_the_same():
    zones = replace(GAME.words.origins[1], needs=("setup.redraw", (True,)))
    told = page((GAME.changed(origins=(zones,)),))
    assert told.count("as many neutral markers belong to it (SOE-1.2.4), if the option is chosen that makes use of it.") == 3


def test_the_page_is_printed_by_a_command(capsys):
    assert main(["values"]) == 0
    assert capsys.readouterr().out == page(GAMES)


# --- the template ---------------------------------------------------------------------------------------

def test_a_template_that_is_handed_in_as_it_is_changes_nothing(preset):
    spec, edition = preset
    found = components(spec, edition.key)
    pack = template(spec, edition, found.raw)
    assert components(spec, edition.key, pack).hash == found.hash
    assert max(map(len, pack.splitlines())) < 600, "one record to a line"


def test_a_template_holds_every_made_up_value_that_can_be_corrected_and_nothing_else(preset):
    spec, edition = preset
    raw = components(spec, edition.key).raw
    pack = json.loads(template(spec, edition, raw))
    records = [(name, record) for name, body in pack.items() if isinstance(body, (list, dict))
               for record in (body if isinstance(body, list) else [body])]
    held = {(name, spelt(key_of(record)), field) for name, record in records for field in record
            if field not in ("note", *key_of(record))}
    assert held == {(value.origin.list, spelt(value.key), field.partition(".")[0]) for value in doubtful(spec, raw)
                    for field in value.values if value.doubt == "house" and not value.aspect.fixed}
    assert all(record["note"] for _, record in records)


def test_a_template_is_printed_by_a_command(capsys):
    assert main(["pack", GAME.key, "deluxe"]) == 0
    assert json.loads(capsys.readouterr().out)["edition"] == "deluxe"
    assert main(["pack", GAME.key]) == 0
    assert json.loads(capsys.readouterr().out)["edition"] == "first"
    assert main(["pack", GAME.key, "golden"]) == 2
    assert "has no edition golden" in capsys.readouterr().err


def test_what_a_pack_gives_is_no_longer_ours():
    pack = json.dumps({"tiles": [{"id": "banking", "cost": {"gold": 5}}, {"id": "war_office", "cost": {"gold": 3}}]})
    prices = {spelt(value.key): value for value in doubtful(GAME, components(GAME, "first", pack).raw)
              if value.aspect.label == "cost"}
    assert prices["banking"].mine and not prices["war_office"].mine, "what stays as it was is ours still"
    assert say(tally(list(prices.values()))).endswith("and 1 is from the data pack")
    first, *_ = [group for group in grouped(list(prices.values())) if group.mine]
    assert [say(line) for line in listed(first.values, Reader())] == ["Banking: 5 gold"]


# --- component data that no game speaks of -----------------------------------------------------------------

def test_data_that_the_game_does_not_speak_of_is_listed_by_its_own_names():
    raw = {"stones": [{"id": "amber", "name": "Amber", "weight": 3, "colour": "gold", "provenance": "house",
                       "provenance_fields": {"weight": "house", "colour": "seed"}},
                      {"id": "chalk", "weight": 1, "colour": "white", "provenance": "inferred"}],
           "numbers": [{"key": "heap", "value": 12, "provenance": "house"}], "die": {"sides": 6, "provenance": "house"},
           "notes": ["a", "b"], "title": "Pebbles"}
    assert [origin.list for origin in origins(PEBBLES, raw)] == ["stones", "numbers", "die"]
    told = [(say(group.origin.name), say(group.aspect.name), group.doubt,
             [say(line) for line in listed(group.values, Reader())]) for group in grouped(doubtful(PEBBLES, raw))]
    assert told == [("stones", "weight", "house", ["Amber: 3"]),
                    ("stones", "all values", "inferred", ["chalk: weight 1 and colour white"]),
                    ("numbers", "all values", "house", ["heap: 12"]), ("die", "all values", "house", ["6"])]


def test_values_matter_only_with_the_options_that_need_them():
    stones = Origin("stones", text("Stones"), (Aspect("weight", text("weight"), text("all"), needs=("scale", (True, "fine"))),))
    spec, raw = PEBBLES.changed(origins=(stones,)), {"stones": [{"id": "amber", "weight": 3, "provenance": "house"}]}
    options: tuple[Any, ...] = None, {"scale": True}, {"scale": "fine"}, {"scale": False}, {}
    assert [len(doubtful(spec, raw, one)) for one in options] == [1, 1, 1, 0, 0]


def test_values_are_said_in_a_few_words():
    raw = {"stones": [{"id": id, "value": value, "provenance": "house"} for id, value in zip(
        "abcdefghij", [0, 7, True, False, None, [], [1, 2], {"gold": 1, "unrest": 0}, {}, "two_words"])]}
    (group,) = grouped(doubtful(PEBBLES, raw))
    assert [say(line) for line in listed(group.values, Reader())] == [
        "a: 0", "b: 7", "c: yes", "d: no", "e and f: none", "g: 1 and 2", "h: gold 1", "i: nothing", "j: two words"]
