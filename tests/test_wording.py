"""Every sentence for people keeps to docs/wording.md: none of the words that it bans."""
from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.kernel import Action
from tests.parsed import parsed

ROOT = Path(__file__).parent.parent
PRINTED = {"text", "base_text", "bonus_text", "rulings", "description"}    # the fields of components that a card shows
FACT = re.compile(r"\{\w+\}")
KERNEL = ROOT / "engine" / "kernel" / "actions.py"         # what its classes say of themselves is no help for people
TOOLS = ROOT / "bot" / "operator" / "cli.py"                # for whoever runs the bot: rows are rows there
FILES = sorted({file for room in ("engine", "bot", "sandbox") for file in (ROOT / room).rglob("*.py")} - {KERNEL, TOOLS})
RULES = [rule for file in sorted((ROOT / "data").glob("*/rules.json")) for rule in json.loads(file.read_text(encoding="utf-8"))]
SPEAKING = {            # what sentences for people are given to
    "text", "count", "template", "Text", "ask", "Ask", "Illegal", "NotAsked", "Stale", "Faulty", "Refusal", "Field", "astray",
    "command", "describe", "about_a_game", "Group", "button", "reply", "SelectOption", "select", "Offer", "Point", "Slot",
    "Condition", "Choice", "Subject", "Pace", "in_attack", "pick"}
FACTS = {"why", "key", "verb", "point", "rule"}         # arguments that are no words: what is rolled for is stored, and stays
BANNED = re.compile(
    r"\b(throws?|thrown|threw|awaited|standing bid|taken back|takes? back|(?<!your )own turn|"
    r"(?<!there )(?<!There )is no (?!more|longer|use)|by water|stands? (?:in(?= (?:the|\{|[A-Z]))|on|there)|Who has)\b|"
    r"as usual:|turn of (?=[A-Z{])|\b[Ss]et-up\b|\bany more\b|"
    r"\bRows? \{|\{\} rows?\b|the present one|default answer|[Tt]he time is up|\bhours to go\b|have a move to make")

NOTES = re.compile(                         # what stands in a rule's note, which players don't see
    r"\b(?:engine|program|implementation|JSON|provenance|playbook|golden|he|him|his|the seed|seed \d+|an own|the own)\b|\.json|"
    r"\((?:[PSI][,)]|R-\d)")


CARD = re.compile(r"\bM-\d+|\bev_\d+|\b[Ee]vents? \d")      # a key where people say a name


def called(node: ast.Call) -> str:
    """The last name of what is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def sentences(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The strings that speak to people, with their lines: of texts, refusals, questions and offers, and the help of actions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in SPEAKING:
            said = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg not in FACTS)]
            yield from ((part.lineno, part.value) for argument in said for part in ast.walk(argument)
                        if isinstance(part, ast.Constant) and isinstance(part.value, str))
        if isinstance(node, ast.ClassDef) and {getattr(base, "id", "") for base in node.bases} & {"Action", "Aside"}:
            yield node.lineno, ast.get_docstring(node) or ""


def banned(said: str) -> list[str]:
    return [found[0] for found in BANNED.finditer(FACT.sub("{}", said))]


def test_no_sentence_has_a_banned_word():
    assert len(FILES) > 200
    assert [(str(path.relative_to(ROOT)), line, said) for path in FILES for line, said in sentences(parsed(path))
            if banned(said)] == []


def test_no_rule_has_a_banned_word_or_speaks_of_programs_and_sources():
    said = [(rule["id"], f"{rule['title']}: {rule['text']}") for rule in RULES]
    assert len(said) > 1300
    assert [(number, found) for number, words in said
            if (found := [*banned(words), *NOTES.findall(words), *CARD.findall(words)])] == []


def printed(data: object, shown: bool = False) -> Iterator[str]:
    """What cards and tiles say, wherever it stands in the components of a game."""
    if isinstance(data, str) and shown:
        yield data
    elif isinstance(data, dict):
        for name, part in data.items():
            yield from printed(part, name in PRINTED)
    elif isinstance(data, list):
        for part in data:
            yield from printed(part, shown)


def test_no_card_has_a_banned_word_a_note_for_developers_or_a_key_for_a_name():
    files = [file for file in (ROOT / "data").glob("*/*.json") if file.stem not in ("rules", "words")]
    said = [words for file in files for words in printed(json.loads(file.read_text(encoding="utf-8")))]
    assert len(said) > 250
    assert [(words, found) for words in said if (found := [*banned(words), *NOTES.findall(words), *CARD.findall(words)])] == []


@pytest.mark.parametrize("said", [
    "Prussia throws 5 and 6", "the dice are thrown again", "War 1: turn of France", "more than the standing bid",
    "{a} is no enemy", "Row {row} is missing", "as usual: refuse", "by water", "Only in the own turn", "Who has an army attacks",
    "It stands there", "Here is the present one.", "the default answer is given", "When the time is up"])
def test_a_banned_word_is_found(said):
    assert banned(said)


def test_the_sentences_are_found():
    source = ('class Go(Action):\n    """Go on."""\n    to: str = Field(description="Where?")\n'
              'text("{n} rows")\nroll(why="thrown")')
    assert sorted(said for _, said in sentences(ast.parse(source))) == ["Go on.", "Where?", "{n} rows"]


def test_each_field_of_an_action_is_asked_for_with_a_question():
    from engine.catalog import GAMES
    kinds: list[type[Action]] = [kind for spec in GAMES for kind in (*spec.rules.actions, *spec.rules.asides)]
    assert [(kind.verb, name) for kind in kinds for name, field in kind.model_fields.items()
            if "?" not in (field.description or "")] == []
