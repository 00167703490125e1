"""The rules of each game, and of the platform, as numbered sentences: read from the data folder, found by number or in people's
own words."""
from __future__ import annotations

import json
import re
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, ConfigDict

from engine.rule_search import Index, Page, keywords, stem, stems, words
from engine.text import LANGUAGE, Language, Reader, printed, say
from engine.text.languages import ENGLISH, LANGUAGES

BOOKS = "+"             # between editions whose rules are searched together
PLATFORM = "platform"   # as the key of a game: the rules that hold in all of them, P-1, P-2 ...

ALIKE = 3               # known words that are offered for a question that nothing fits

OF_PLATFORM = re.compile(r"p-?([0-9]+)\.?", re.IGNORECASE)


class Rule(BaseModel):
    """One numbered rule, as a sentence for people."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: str                         # "XYZ-9.4.4", or "P-7" of the platform
    editions: tuple[str, ...]
    title: str
    text: str                       # "": for developers alone
    note: str = ""                  # for developers: sources, and what other programs do


@cache
def rules(game: str) -> tuple[Rule, ...]:
    """All rules of a game that are for people, in their order; none if the game has no rules file."""
    file = files("data").joinpath(game, "rules.json")
    if not file.is_file():
        return ()
    known = [Rule.model_validate(rule) for rule in json.loads(file.read_text(encoding="utf-8"))]
    return tuple([rule for rule in known if rule.text])


def find_rules(game: str, wanted: str, books: str, most: int | None = None) -> list[Rule]:
    """The rules that a person means, best first: by a number, the rule or its section; else by the title of a section,
    then by words in any form, of the language that is spoken or of another one. Rules of the platform are among them, by numbers
    such as "P-7", by titles and by words. `books` are the editions whose rules are searched: "deluxe", or of a mixture
    "first+deluxe"."""
    known = _known(game, books)
    if OF_PLATFORM.fullmatch(wanted.strip()):
        return of_platform(wanted)[:most]
    number = number_in(wanted)
    if number:
        exact = [rule for rule in known if number_of(rule) == number]
        found = [*exact, *(rule for rule in known if number_of(rule).startswith(f"{number}.")),
                 *(rule for rule in known if f"-{number}." in f"{rule.text}." or f"({number})" in rule.text)]
    else:
        asked = _asked_in(game, wanted, books)
        by_id, meant = {rule.id: rule for rule in (*known, *rules(PLATFORM))}, stems(wanted, asked.code)
        platform = of_platform(wanted, asked)
        found = [*(rule for rule in known if stems(read(rule.title, asked), asked.code) == meant),
                 *(rule for rule in platform if meant <= stems(read(rule.title, asked), asked.code)),
                 *(by_id[id] for id in _index(game, books, asked).find(wanted)), *platform]
        found = found or [by_id[id] for id in _index(PLATFORM, "", asked).find(wanted)]
    return list(dict.fromkeys(found))[:most]


def read(words: str, language: Language | None = None) -> str:
    """Words of a rule, as they are read in a language; without one in the one that is spoken."""
    language = language or LANGUAGE.get()
    return words if language is ENGLISH else say(printed(words), Reader(language=language))


def of_platform(wanted: str, asked: Language | None = None) -> list[Rule]:
    """The rules of the platform with this number, or else with all of these words: those first that have them in their title."""
    if named := OF_PLATFORM.fullmatch(wanted.strip()):
        return [rule for rule in rules(PLATFORM) if rule.id == f"P-{named[1]}"]
    asked = asked or _asked_in(PLATFORM, wanted, "")
    meant = stems(wanted, asked.code)
    found = [rule for rule in rules(PLATFORM) if meant and meant <= _said(rule, asked)]
    return sorted(found, key=lambda rule: not meant <= stems(read(rule.title, asked), asked.code))


@cache
def _said(rule: Rule, language: Language) -> frozenset[str]:
    return frozenset(stem(word, language.code) for word in words(f"{read(rule.title, language)} {read(rule.text, language)}"))


def _asked_in(game: str, wanted: str, books: str) -> Language:
    """The language of a question: the one that is spoken, or English, if that knows more of its words; another if both know
    none."""
    meant = keywords(wanted).split()

    def known(language: Language) -> int:
        indexes = _index(game, books, language), _index(PLATFORM, "", language)
        return sum(any(index.knows(word) for index in indexes) for word in meant)

    own = LANGUAGE.get()
    if own is not ENGLISH and known(own) < len(meant):
        own = max(own, ENGLISH, key=known)
    return own if known(own) else max(own, *LANGUAGES.values(), key=known)


def known_words(game: str, wanted: str, books: str) -> list[str]:
    """Words that stand in the rules and look like those of a question that nothing fits; the most alike first."""
    found = dict.fromkeys(word for language in dict.fromkeys((LANGUAGE.get(), ENGLISH)) for index in (
        _index(game, books, language), _index(PLATFORM, "", language)) for word in index.alike(wanted))
    said = wanted.lower().split()
    return sorted(found, key=lambda word: -max(SequenceMatcher(None, word, one).ratio() for one in said))[:ALIKE]


def _known(game: str, books: str) -> list[Rule]:
    return [rule for rule in rules(game) if game == PLATFORM or set(books.split(BOOKS)) & set(rule.editions)]


def number_in(wanted: str) -> str:
    """The number of a rule or a section, if that is what was typed: "9.4" of "XYZ-9.4."; else nothing."""
    number = wanted.strip().rpartition("-")[2].rstrip(".")
    return number if number[:1].isdigit() and not number.strip("0123456789.") else ""


def number_of(rule: Rule) -> str:
    """The number of a rule without its game: "9.4.4"; of the platform "P-7"."""
    return rule.id if OF_PLATFORM.fullmatch(rule.id) else rule.id.rpartition("-")[2]


def chapter_of(game: str, rule: Rule) -> str:
    """Return what the chapter of a rule is called; "" if it has no name."""
    named: str = _wording(game)["chapters"].get(number_of(rule).partition(".")[0], "")
    return named


@cache
def _index(game: str, books: str, language: Language) -> Index:
    pages = [Page(rule.id, *(read(words, language) for words in (rule.text, rule.title, chapter_of(game, rule))))
             for rule in _known(game, books)]
    return Index(pages, _wording(game)["same"] if language is ENGLISH else (), language.code)


@cache
def _wording(game: str) -> dict[str, Any]:
    """How people speak of the rules of a game: names of chapters, and groups of words that mean the same."""
    file = files("data").joinpath(game, "words.json")
    wording: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {"chapters": {}, "same": []}
    return wording
