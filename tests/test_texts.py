"""What is extracted for translators, and their translations: whole, well-formed, and no longer than there is room."""
from __future__ import annotations

import ast
import json
from collections import Counter
from pathlib import Path

import pytest

from engine.text.languages import PREPARED
from tools import texts
from tools.texts import Message


@pytest.mark.parametrize(("code", "found"), [
    ('text("{seat} passes.", seat=seat)', [Message("{seat} passes.", "", facts="{seat} = seat")]),
    ('count(n, "{n} army", "{n} armies")', [Message("{n} army", "", "{n} armies")]),
    ('text("On" if on else "Off")', [Message("On", ""), Message("Off", "")]),
    ('ask(seat, Pass, prompt="Do you pass?")', [Message("Do you pass?", "")]),
    ('raise Stale("Too late.", rule="P-1")', [Message("Too late.", "")]),
    ('button(text("Undo"), on_undo)', [Message("Undo", "", room=80)]),
    ('select(options, on_choose, hint=text("Which area?"))', [Message("Which area?", "", room=100)]),
    ('WORDS = {"one": template("The first."), "other": 2}', [Message("The first.", "")]),
    ('class Pass(Action):\n    """Pass. Nothing follows."""', [Message("Pass.", "")]),
    ('verbatim(title)', []), ('names.count("France")', [])])
def test_what_is_said_in_code_is_found(code, found):
    assert list(texts.in_code(ast.parse(code), "")) == found


@pytest.mark.slow
def test_the_files_have_what_is_said_and_each_message_once():
    """If this fails: `make texts`."""
    for code in texts.codes():
        found = Counter(message.id if isinstance(message.id, str) else message.id[0]
                        for domain in texts.DOMAINS for message in texts.read(code, domain) if message.id and not message.context)
        assert set(found) == set(texts.extracted()), code
        assert [message for message, number in found.items() if number > 1] == []


@pytest.mark.slow
def test_a_message_is_counted_wherever_it_is_said_or_nowhere():
    """A counted message has a translation for each number: said without one, it would have that of a single thing."""
    counted = {message.id for message in texts.said() if message.plural}
    assert {message.id: message.where for message in texts.said() if not message.plural and message.id in counted} == {}


@pytest.mark.slow
def test_rules_cards_orders_and_commands_are_among_it():
    said = texts.extracted()
    assert len(said) > 6_000
    for words in ("Taxes", "{n} army", "Course of a war", "Fight at sea", "North America", "Board", "Lower your debt by up to 2.",
                  "Take a seat in an open game", "Two to seven players take part; each runs exactly one power."):
        assert words in said, words


@pytest.mark.slow
@pytest.mark.parametrize("code", texts.codes())
def test_no_translation_is_broken(code):
    found = texts.standing(code)
    assert found["broken"] == [] and found["too_long"] == []


@pytest.mark.parametrize(("one", "many", "strings", "fault"), [
    ("{seat} passes.", "", ["passt."], "lacks seat"),
    ("Pass.", "", ["{seat} passt."], "has no fact seat"),
    ("In {area}.", "", ["{area:inside}."], "asks for forms that no list has: inside"),
    ("{n} army", "{n} armies", ["{n} Armee"], "has 1 of 2 plural forms"),
    ("{n} army", "{n} armies", ["{n} Armee", ""], "has 1 of 2 plural forms"),
    ("{n} army", "{n} armies", ["{n} Armee", "Armeen von {power}"], "has no fact power"),
    ("**Pass**", "", ["**Passen"], "has other Markdown marks"),
    ("> Pass", "", ["Passen"], "has other Markdown marks"),
    ("{seat} passes.", "", ["{seat passt."], "has a brace too many or too few"),
    ("Undo", "", ["Zurück" * 20], "is too long: 120 of 80 characters")])
def test_a_broken_translation_is_found(one, many, strings, fault):
    assert fault in list(texts.faults(one, many, strings, plurals=2 if many else 1, room=80, forms={"in"}))


@pytest.mark.parametrize(("one", "many", "strings"), [
    ("{seat} passes.", "", ["{seat} passt."]), ("{seat} attacks in {area}.", "", ["{area:in} greift {seat} an."]),
    ("{n} army", "{n} armies", ["eine Armee", "{n} Armeen"]), ("**{seat}** passes.", "", ["Es passt **{seat}**."])])
def test_a_sound_translation_is_not(one, many, strings):
    assert list(texts.faults(one, many, strings, plurals=2 if many else 1, room=80, forms={"in"})) == []


def test_a_broken_form_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(texts, "FOLDER", tmp_path)
    monkeypatch.setattr(texts, "extracted", lambda: {"At {area}.": Message("At {area}.", "")})
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "platform.po").write_text(
        'msgid "At {area}."\nmsgstr "Bei {area}."\n\nmsgctxt "dat"\nmsgid "At {area}."\nmsgstr "bei"\n', encoding="utf-8")
    assert [fault for _, fault in texts.standing("de")["broken"]] == ["in the form dat lacks area"]


def test_what_was_translated_stays_also_in_another_file_and_in_a_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(texts, "FOLDER", tmp_path)
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "platform.po").write_text('msgid "Pass."\nmsgstr ""\n', encoding="utf-8")      # as another branch has it
    (tmp_path / "de" / "attack.po").write_text(
        'msgid "Pass."\nmsgstr "Passen."\n\nmsgctxt "that"\nmsgid "Pass."\nmsgstr "passen"\n\nmsgid "Gone."\nmsgstr "Weg."\n',
        encoding="utf-8")
    said = {message.id: message for message in (Message("Pass.", "bot/discord/ui.py", room=80),
                                                Message("{n} army", "engine/games/attack/state.py", "{n} armies"))}
    monkeypatch.setattr(texts, "extracted", lambda: said)
    for _ in range(2):
        texts.merge("de")
    platform, attack = (Path(tmp_path / "de" / f"{domain}.po").read_text("utf-8") for domain in ("platform", "attack"))
    assert platform.count('msgid "Pass."') == 2 and 'msgstr "Passen."' in platform and 'msgstr "passen"' in platform
    assert "#. at most 80\n#: bot/discord/ui.py" in platform and "Gone." not in platform + attack
    assert 'msgid_plural "{n} armies"\nmsgstr[0] ""\nmsgstr[1] ""' in attack


def test_a_language_is_compiled_when_a_file_has_changed_and_only_with_what_is_translated(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(texts, "FOLDER", tmp_path)
    (tmp_path / "de").mkdir()
    source, compiled = tmp_path / "de" / "platform.po", tmp_path / "de" / "messages.mo"
    source.write_text('msgid "Pass."\nmsgstr "Passen."\n\nmsgid "Undo"\nmsgstr ""\n', encoding="utf-8")
    texts.compile_changed()
    before = compiled.read_bytes()
    assert b"Passen." in before and b"Undo" not in before
    compiled.write_bytes(b"as it was")
    texts.compile_changed()
    assert compiled.read_bytes() == b"as it was"


def test_a_list_has_each_name_once():
    for path in (texts.ROOT / "data").glob("*/names.*.json"):
        names = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=lambda pairs: [name for name, _ in pairs])
        assert [name for name, number in Counter(names).items() if number > 1] == [], path


def test_a_name_without_words_is_none_in_any_language():
    assert not [code for code, language in PREPARED.items() if language.named("", "map")]
