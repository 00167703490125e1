"""Reads component data, data packs and rules from the data folder: an edge, for bot and command line, not for rules."""
from __future__ import annotations

import copy
import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, ConfigDict

from engine.kernel import Edition, GameSpec
from engine.lookup import Index, Page, stems
from engine.outside import readable
from engine.packs import lay_over, meant_for, parsed
from engine.provenance import key_of, spelt
from engine.refusals import Faulty
from engine.text import verbatim

BOOKS = "+"             # between editions whose rules are searched together


class Rule(BaseModel):
    """One numbered rule, as a sentence for people."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: str                         # "SOE-9.4.4"
    editions: tuple[str, ...]
    title: str
    text: str


@dataclass(frozen=True)
class Components:
    """The component data of one game: raw, validated, and its SHA-256 as it is stored with the game.

    Others read words of `parts` and of `told` alone, in which nothing formats, links or pings; those of `raw` are anybody's.
    """

    raw: dict[str, Any]
    parts: Any
    hash: str
    told: dict[str, Any]


@cache
def rules(game: str) -> tuple[Rule, ...]:
    """All rules of a game in their order; none if the game has no rules file."""
    file = files("data").joinpath(game, "rules.json")
    if not file.is_file():
        return ()
    return tuple(Rule.model_validate(rule) for rule in json.loads(file.read_text(encoding="utf-8")))


def find_rules(game: str, wanted: str, books: str, most: int | None = None) -> list[Rule]:
    """The rules that a person means, best first: by a number, the rule or its section; else by the title of a section,
    then by words in any form. `books` are the editions whose rules are searched: "deluxe", or of a mixture "first+deluxe"."""
    known = _known(game, books)
    number = number_in(wanted)
    if number:
        exact = [rule for rule in known if number_of(rule) == number]
        found = [*exact, *(rule for rule in known if number_of(rule).startswith(f"{number}.")),
                 *(rule for rule in known if f"-{number}." in f"{rule.text}." or f"({number})" in rule.text)]
    else:
        by_id, meant = {rule.id: rule for rule in known}, stems(wanted)
        found = [*(rule for rule in known if stems(rule.title) == meant),
                 *(by_id[id] for id in _index(game, books).find(wanted))]
    return list(dict.fromkeys(found))[:most]


def known_words(game: str, wanted: str, books: str) -> list[str]:
    """Words that stand in the rules and look like those of a question that nothing fits."""
    return _index(game, books).alike(wanted)


def _known(game: str, books: str) -> list[Rule]:
    return [rule for rule in rules(game) if set(books.split(BOOKS)) & set(rule.editions)]


def number_in(wanted: str) -> str:
    """The number of a rule or a section, if that is what was typed: "9.4" of "SOE-9.4."; else nothing."""
    number = wanted.strip().rpartition("-")[2].rstrip(".")
    return number if number[:1].isdigit() and not number.strip("0123456789.") else ""


def number_of(rule: Rule) -> str:
    """The number of a rule without its game: "9.4.4"."""
    return rule.id.rpartition("-")[2]


def chapter_of(game: str, rule: Rule) -> str:
    """What the chapter of a rule is called; "" if it has no name."""
    named: str = _wording(game)["chapters"].get(number_of(rule).partition(".")[0], "")
    return named


@cache
def _index(game: str, books: str) -> Index:
    pages = [Page(rule.id, rule.text, rule.title, chapter_of(game, rule)) for rule in _known(game, books)]
    return Index(pages, _wording(game)["same"])


@cache
def _wording(game: str) -> dict[str, Any]:
    """How people speak of the rules of a game: names of chapters, and groups of words that mean the same."""
    file = files("data").joinpath(game, "words.json")
    wording: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {"chapters": {}, "same": []}
    return wording


def components(spec: GameSpec, edition: str, pack: str | None = None) -> Components:
    """The components of an edition, with the corrections of a data pack (JSON text) laid over them.

    Raises Faulty with everything that is wrong: list, record, field, and what would fit (`engine.packs`).
    """
    preset = edition_of(spec, edition)
    raw = copy.deepcopy(_read(spec, preset))
    if pack is not None:
        corrections = parsed(pack)
        meant_for(spec, preset, corrections)
        lay_over(raw, corrections)
    return bound(spec, raw)


def bound(spec: GameSpec, raw: dict[str, Any]) -> Components:
    """Raw component data, as it is stored with a game, validated. Raises Faulty."""
    body = json.dumps(raw, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    told = readable(raw)
    return Components(raw, spec.parts(told), hashlib.sha256(body.encode()).hexdigest(), told)


def known_hashes(spec: GameSpec) -> set[str]:
    """The hashes of all components that come with the game, or came with an earlier version of it."""
    released = [edition for edition in spec.editions if edition.available]
    return {components(spec, edition.key).hash for edition in released} | {old for edition in released for old in edition.earlier}


def edition_of(spec: GameSpec, key: str) -> Edition:
    """The edition with this key. Raises Faulty."""
    for edition in spec.editions:
        if edition.key == key:
            if not edition.available:
                raise Faulty("{edition} is not available yet.", edition=edition.name)
            return edition
    raise Faulty("{game} has no edition {key}; there are: {keys}.", game=spec.name, key=verbatim(key),
                 keys=tuple(verbatim(edition.key) for edition in spec.editions))


@cache
def _file(game: str, name: str) -> str:
    return files("data").joinpath(game, f"{name}.json").read_text(encoding="utf-8")


def _read(spec: GameSpec, edition: Edition) -> dict[str, Any]:
    try:
        raw: dict[str, Any] = json.loads(_file(spec.key, edition.data)) if edition.data else {}
    except FileNotFoundError:
        return {}
    for other in edition.besides:
        _fill_in(raw, json.loads(_file(spec.key, other)))
    return raw


def _fill_in(raw: dict[str, Any], other: dict[str, Any]) -> None:
    """Take lists, records and fields that are missing from the component file of another edition; change nothing there is."""
    for name, body in other.items():
        mine = raw.setdefault(name, body)
        if mine is body or not isinstance(mine, list):
            continue
        known = {spelt(key): record for record in mine if (key := key_of(record))}
        for record in body:
            own = known.get(spelt(key_of(record)))
            if own is not None:
                for field, value in record.items():
                    if field != "provenance_fields":            # they speak of the file in which they stand
                        own.setdefault(field, value)
            elif key_of(record):
                mine.append(record)
