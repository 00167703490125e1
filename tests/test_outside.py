"""What comes from outside: packs that keep nobody busy, JSON with tricks in it, names that would speak for the bot."""
from __future__ import annotations

import difflib
import json
import re
from itertools import product
from typing import Any

import pytest

from bot.discord.sanitize import tame
from engine import data_packs
from engine.catalog import GAMES
from engine.components import bound, components
from engine.data_packs import LARGEST, LONGEST_LIST, MANY, parsed
from engine.games.attack import GAME as ATTACK
from engine.games.struggle_of_empires import GAME
from engine.outside import NAME, WORDS, loaded, plain, readable
from engine.refusals import Faulty

LOUD = "**loud** [click](https://evil.example) ||hidden|| <@&123456789012345678> @everyone `x` ~~y~~ # \u202egnirts\n# Title"


def refusal(pack: object) -> str:
    with pytest.raises(Faulty) as refused:
        components(GAME, "first", pack if isinstance(pack, str) else json.dumps(pack))
    return str(refused.value)


# --- work --------------------------------------------------------------------------------------------------------

def test_likenesses_are_sought_for_the_faults_that_are_told_and_for_no_other(monkeypatch: pytest.MonkeyPatch):
    sought, real = list[str](), difflib.get_close_matches

    def counting(word: str, *given: Any, **named: Any) -> list[str]:
        sought.append(word)
        return real(word, *given, **named)

    monkeypatch.setattr(difflib, "get_close_matches", counting)
    told = refusal({"tiles": [{"id": f"gniknab{number}"} for number in range(9000)], **{f"tilse{n}": [] for n in range(500)}})
    assert told.startswith("Data pack: 9500 faults.\n") and told.endswith(f"And {9500 - MANY} more faults.")
    assert len(sought) == MANY


def test_no_likeness_is_sought_for_a_word_that_is_longer_than_any_name(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(difflib, "get_close_matches", lambda *_, **__: pytest.fail("a long word was compared"))
    assert f"there is no record {'x' * (NAME - 1)}…" in refusal({"tiles": [{"id": "x" * 100_000}]})


def test_the_words_of_wrong_values_are_made_for_the_faults_that_are_told_alone(monkeypatch: pytest.MonkeyPatch):
    asked = list[object]()
    monkeypatch.setattr(data_packs, "_where", lambda raw, path: asked.append(path) or "")
    raw = json.loads(json.dumps(components(GAME, "first").raw))
    for tile in raw["tiles"]:
        tile["cost"] = dict.fromkeys(map(str, range(50)), "x")
    with pytest.raises(Faulty, match=r"And \d{3,} more faults"):
        bound(GAME, raw)
    assert len(asked) == MANY


@pytest.mark.parametrize("value, sentence", [
    ({"cost": {"gold": LARGEST + 1}}, f"Data pack, tiles, banking, cost: numbers go up to {LARGEST}."),
    ({"cost": {"gold": -1e9}}, f"Data pack, tiles, banking, cost: numbers go up to {LARGEST}."),
    ({"params": {"areas": ["india"] * (LONGEST_LIST + 1)}},
     f"Data pack, tiles, banking, params: it may have {LONGEST_LIST} entries at most."),
    ({"description": "x" * (WORDS + 1)}, f"Data pack, tiles, banking, description: words may have {WORDS} characters at most.")])
def test_no_value_of_a_pack_is_larger_than_a_game_needs(value: dict[str, Any], sentence: str):
    assert refusal({"tiles": [{"id": "banking", **value}]}) == sentence


def test_a_record_that_is_there_twice_is_corrected_once():
    dear = [{"id": "banking", "cost": {"gold": gold}} for gold in (5, 6)]
    assert refusal({"tiles": dear}) == "Data pack, tiles: the record banking is there twice."


# --- JSON --------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("pack, sentence", [
    ('{"tiles": [], "tiles": []}', "an object has the key tiles twice"),
    ('{"note": "\\ud800"}', "it holds half a character"), ('{"\\udfff": 1}', "it holds half a character"),
    ('{"note": NaN}', "NaN isn't a number"), ('{"note": -Infinity}', "-Infinity isn't a number"),
    ('{"note": 1e999}', "1e999 isn't a number"),
    (f'{{"note": {"9" * 101}}}', "a number has more than 100 digits"),
    (f'{{"note": {"[" * 40}{"]" * 40}}}', "its lists lie too deep inside each other")])
def test_tricks_of_json_are_refused_with_a_sentence(pack: str, sentence: str):
    assert refusal(pack) == f"I can't use this data pack: {sentence}."


@pytest.mark.parametrize("words", ["", "{", "\ufeff{}", "[" * 100_000, f'{{"note": {"9" * 5000}}}', "nul", "'a'", "\x00"])
def test_what_is_no_json_or_a_trick_of_it_is_a_value_error(words: str):
    with pytest.raises(ValueError):
        loaded(words)


@pytest.mark.parametrize("pack", [{"game": {"a": 1}}, {"game": ["attack"]}, {"edition": [["deluxe"]]}, {"game": LOUD}])
def test_what_a_pack_is_for_can_be_any_nonsense(pack: dict[str, Any]):
    assert refusal(pack).startswith("This data pack is for the ") and "**" not in refusal(pack)


# --- words -------------------------------------------------------------------------------------------------------

def test_a_name_neither_formats_nor_links_nor_hides_nor_pings_and_is_short():
    said = plain(LOUD, 400)
    assert said == "loud click(https://evil.example) hidden &123456789012345678 everyone x y gnirts Title"
    assert not {*"*[]|<>@`~#\n\u202e"} & {*said}
    assert plain("x" * 30_000) == "x" * (NAME - 1) + "…"
    assert plain("_under_ __lined__ and a_b") == "under lined and a_b"


def test_words_of_which_nothing_is_taken_hold_nothing_that_would_be():
    """Most words come back at the first look, which must let pass nothing that the closer one takes out."""
    for letters in product("a9_- .*'", repeat=5):
        said = plain("".join(letters))
        assert said == " ".join(said.split()) and "*" not in said and said[:1] != "-"
        assert not re.search(r"(?<![a9])_|_(?![a9])", said), said


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_the_words_of_our_own_components_stay_as_they_are(spec):
    for edition in spec.editions:
        found = components(spec, edition.key)
        assert found.told is found.raw


@pytest.mark.parametrize("spec, pack", [
    (GAME, {"tiles": [{"id": "banking", "name": LOUD, "description": LOUD}], "areas": [{"id": "india", "name": "x" * 300}]}),
    (ATTACK, {"territories": [{"id": "alaska", "name": LOUD}], "continents": [{"id": "africa", "name": "x" * 300}]})])
def test_names_of_a_pack_are_tame_wherever_they_are_read_and_the_hash_is_of_what_was_handed_in(spec, pack):
    found = components(spec, spec.editions[0].key, json.dumps(pack))
    for said in (str(spec.words.names(found.parts)), json.dumps(found.told), found.parts.model_dump_json()):
        assert [trick for trick in ("**", "[click]", "||", "<@", "@everyone", "\\u202e", "\\n#", "x" * 50) if trick in said] == []
    assert LOUD in json.dumps(found.raw, ensure_ascii=False).replace("\\n", "\n")
    assert bound(spec, json.loads(json.dumps(found.raw))) == found


def test_addresses_link_to_nothing_but_where_sources_are_named():
    assert readable({"url": "https://a.b", "name": "https://a.b"}) == {"url": "https://a.b", "name": "https a.b"}


def test_a_link_in_a_link_is_escaped_to_its_last_mark():
    assert tame("[a](b) **x** [](c)") == r"\[a](b) \*\*x\*\* \[](c)"
    assert tame("[](" * 2000) == r"\[](" * 2000
    assert parsed('{"note": "[]("}') == {"note": "[]("}
