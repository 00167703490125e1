"""Sentences that become strings only at the edge, in the reader's language."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar, Token
from dataclasses import dataclass, field, replace
from functools import lru_cache
from string import Formatter
from typing import TypeAlias, Union

from engine.text.language import BEGIN, STOP, Language as Language
from engine.text.languages import LANGUAGE as LANGUAGE


@dataclass(frozen=True, slots=True)
class Text:
    """An English template with named facts: the message id of a translation.

    A fact that is a string is an id and is spoken by its name ("india" becomes "India"); a whole number stays a number, any other
    is written as the language writes measures; a fact can be a `Text` or a tuple of facts, which is read out as a list. With
    `plural`, the fact `n` chooses the form. Sentences in a row that differ in the fact `listed` alone can be told as one. `only`
    is the seat for which alone it is meant. Words that are `own` are somebody's own, and never translated.
    """

    template: str
    facts: Mapping[str, Fact] = field(default_factory=dict)
    plural: str | None = None
    listed: str = ""
    only: str = ""
    own: bool = False


Fact: TypeAlias = Union[str, int, float, Text, "tuple[Fact, ...]"]


class OneOf(tuple[Fact, ...]):
    """Facts of which one is meant: read out as a list with "or"."""

    __slots__ = ()


MINUS = "−"
HEARD = ContextVar[set[object] | None]("heard", default=None)           # seats whose own sentences were said, if anybody asks
KNOWN = 8192                            # templates whose parts are remembered


def text(template: str, /, **facts: Fact) -> Text:
    """A sentence: `text("{power} passes.", power="france")`."""
    return Text(template, facts)


def count(n: int, one: str, many: str, /, **facts: Fact) -> Text:
    """A counted noun, as an ngettext form: `count(2, "{n} army", "{n} armies")`."""
    return Text(one, {"n": n, **facts}, many)


def template(words: str) -> str:
    """A template that is used elsewhere: marks it for translators, as gettext's N_ does."""
    return words


def confided(words: Text, seat: str) -> Text:
    return replace(words, only=seat)


def forget(before: Token[set[object] | None]) -> None:
    """Collect in `HEARD` as it was before; a coroutine that is thrown away ends elsewhere, where nothing of it was collected."""
    with suppress(ValueError):
        HEARD.reset(before)


def verbatim(words: str) -> Text:
    """Somebody's own words as a fact of a sentence, or a number of a rule: neither looked up among the names nor translated."""
    return replace(printed(words), own=True)


def printed(words: str) -> Text:
    """What a rule, a card or a name says: words of the data, which have a translation of their own."""
    return Text(words.replace("{", "{{").replace("}", "}}"))


@dataclass(frozen=True)
class Reader:
    """Who reads: knows the names behind ids, in English or as sentences of names, and a language; ids without a name are spoken
    as words."""

    names: Mapping[str, str | Text] = field(default_factory=dict)
    language: Language = field(default_factory=LANGUAGE.get)

    def name(self, id: str, form: str = "") -> str:
        name = self.names.get(id)
        if isinstance(name, Text):
            return _said(name, self, form)
        return self.language.named(id.replace("_", " ") if name is None else name, form)

    def english(self, id: str) -> str:
        name = self.names.get(id)
        return name if isinstance(name, str) else id.replace("_", " ")


def say(fact: Fact, reader: Reader | None = None) -> str:
    """The string that this reader reads; by default somebody who reads the language spoken now, and knows no names."""
    reader = Reader() if reader is None else reader
    return reader.language.written(_said(fact, reader, ""))


def _said(fact: Fact, reader: Reader, form: str) -> str:
    """A fact in the form that its sentence asks for; a capital in the name of a form asks for one in the words."""
    language = reader.language
    if form[:1].isupper():
        said = _said(fact, reader, "" if form == BEGIN else form.lower())
        return f"{said[:1].upper()}{said[1:]}"
    if isinstance(fact, str):
        return reader.name(fact, form)
    if isinstance(fact, int | float):
        said = str(abs(fact)) if isinstance(fact, int) else language.decimal(abs(fact))
        return said if fact >= 0 else f"{MINUS}{said}"
    if isinstance(fact, tuple):
        return language.listing([_said(item, reader, form) for item in fact], either=isinstance(fact, OneOf))
    if fact.only and (heard := HEARD.get()) is not None:
        heard.add(fact.only)
    if fact.plural is None:
        template = fact.template if fact.own else language.gettext(fact.template, form)
    else:
        number = fact.facts["n"]
        assert isinstance(number, int), "the fact n of a counted noun is a whole number"
        template = language.ngettext(fact.template, fact.plural, number, form)
    parts = _parts(template)
    if form and form != STOP and (first := _leading(template)) and not isinstance(fact.facts[first], int | float):
        parts, form = ((parts[0][0], first, form), *parts[1:]), ""
    said = "".join([words if key is None else words + _said(fact.facts[key], reader, wanted) for words, key, wanted in parts])
    return language.formed(said, form) if form else said


@lru_cache(KNOWN)
def _parts(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """Return the words of a template, each with the fact that follows and the form that is asked of it."""
    return tuple((words, key, form or "") for words, key, form, _ in Formatter().parse(template))


@lru_cache(KNOWN)
def _leading(template: str) -> str:
    """The first fact of a template without words of its own, "{area} ({number})": it is asked for the form of the whole."""
    parts = _parts(template)
    return "" if any(map(str.isalpha, "".join([words for words, *_ in parts]))) else next((key for _, key, _ in parts if key), "")


def lines(told: Sequence[Text]) -> Text:
    return Text("\n".join(f"{{line_{number}}}" for number in range(len(told))),
                {f"line_{number}": line for number, line in enumerate(told)})


def joined(lines: Iterable[Text]) -> list[tuple[Text, int]]:
    """Sentences with those in a row told as one that differ in what they list alone, each with how many it has become of."""
    told: list[tuple[Text, int]] = []
    for line in lines:
        last, number = told[-1] if told else (None, 0)
        if last is None or not line.listed or _apart(last, last.listed) != _apart(line, line.listed):
            told.append((line, 1))
            continue
        told[-1] = replace(last, facts={**last.facts, last.listed: _added(*_items(last), *_items(line))}), number + 1
    return told


def _items(words: Text) -> tuple[Fact, ...]:
    found = words.facts[words.listed]
    return found if isinstance(found, tuple) else (found,)


def _added(*items: Fact) -> tuple[Fact, ...]:
    """Return what is listed, with things of one kind counted together: 1 tank and 2 tanks are 3 tanks."""
    found: list[Fact] = []
    for item in items:
        for at, other in enumerate(found):
            if isinstance(item, Text) and isinstance(other, Text) and item.plural and _apart(item, "n") == _apart(other, "n"):
                more, n = item.facts["n"], other.facts["n"]
                assert isinstance(more, int) and isinstance(n, int), "the fact n of a counted noun is a whole number"
                found[at] = replace(other, facts={**other.facts, "n": n + more})
                break
        else:
            found.append(item)
    return tuple(found)


def _apart(words: Text, name: str) -> Text:
    return replace(words, facts={key: fact for key, fact in words.facts.items() if key != name})


def sentences(items: Iterable[Text], reader: Reader | None = None) -> str:
    return " ".join(say(item, reader) for item in items)
