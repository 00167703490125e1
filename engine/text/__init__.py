"""Sentences that become strings only at the edge, in the reader's language."""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar, Token
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias, Union

from engine.text.articles import Proper as Proper, marked, proper as proper, settled, unmarked, within as within
from engine.text.languages import LANGUAGE as LANGUAGE, Language as Language


@dataclass(frozen=True, slots=True)
class Text:
    """An English template with named facts: the message id of a translation.

    A fact that is a string is an id and is spoken by its name ("india" becomes "India"); a number stays a number; a fact can
    be a `Text` or a tuple of facts, which is read out as a list. With `plural`, the fact `n` chooses the form. Sentences in a row
    that differ in the fact `listed` alone can be told as one. `only` is the seat for which alone it is meant.
    """

    template: str
    facts: Mapping[str, Fact] = field(default_factory=dict)
    plural: str | None = None
    listed: str = ""
    only: str = ""


Fact: TypeAlias = Union[str, int, Text, "tuple[Fact, ...]"]
MARKS = "*_\"”"                          # markup and quotation marks that may close behind a fact
STOPS = (".", "!", "?", "…")
ARTICLE = re.compile(r"\b(?P<a>[Aa]n?) \{(?P<fact>\w+)\}")
VOWELS, CONSONANTS = tuple("aeiou"), ("uni", "use", "eu", "one")        # how words begin that are spoken with a vowel, or are not
SMALL = re.compile(r"[a-z]+(?=[ ,:'’]|[.?]$)")                       # how a sentence begins that is not a name or an id
POSSESSIVE = re.compile(r"\{(\w+)\}'s\b")
SENTENCE = re.compile(r"(?<=[a-z}][.!?] )\{(\w+)\}")             # a fact that begins a later sentence
BEGUN = "begun_"
MINUS = "−"
HEARD = ContextVar[set[object] | None]("heard", default=None)           # seats whose own sentences were said, if anybody asks
KNOWN = 4096                            # templates whose places are remembered
STOPPED = re.compile(rf"{{(\w+)}}[{MARKS}]*\.(?![.\w])")        # a fact and, perhaps behind such marks, the full stop after it


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
    """Somebody's own words as a fact of a sentence: no id, so not looked up among the names."""
    return Text(words.replace("{", "{{").replace("}", "}}"))


@dataclass(frozen=True)
class Reader:
    """Who reads: knows the names behind ids, in English, and a language; ids without a name are spoken as words."""

    names: Mapping[str, str] = field(default_factory=dict)
    language: Language = field(default_factory=LANGUAGE.get)

    def name(self, id: str) -> str:
        return self.names.get(id) or id.replace("_", " ")


def say(fact: Fact, reader: Reader | None = None) -> str:
    """The string that this reader reads; by default somebody who reads the language spoken now, and knows no names.

    A name has its article where it stands in a sentence (`Proper`).
    """
    return settled(_say(fact, Reader() if reader is None else reader))


def _say(fact: Fact, reader: Reader) -> str:
    """The string with the places marked where an article may be wanted, which only the whole decides."""
    if isinstance(fact, str):
        return marked(reader.name(fact))
    if isinstance(fact, int):
        return str(fact) if fact >= 0 else f"{MINUS}{-fact}"
    if isinstance(fact, tuple):
        return reader.language.listing([_say(item, reader) for item in fact])
    if fact.only and (heard := HEARD.get()) is not None:
        heard.add(fact.only)
    if fact.plural is not None:
        number = fact.facts["n"]
        assert isinstance(number, int), "the fact n of a counted noun is a whole number"
        template = reader.language.ngettext(fact.template, fact.plural, number)
    else:
        template = reader.language.gettext(fact.template)
    if not fact.facts:
        return template.format()
    facts = {key: _say(value, reader) for key, value in fact.facts.items()}
    owned, articled, stopped, later = _places(template)
    if owned:
        template = POSSESSIVE.sub(lambda found: _possessive(found, facts), template)
    if articled:
        template = ARTICLE.sub(lambda found: _article(found, facts), template)
    if stopped:
        template = _stopped_once(template, facts)
    begun = {key: _capital(facts[key]) for key in later if isinstance(fact.facts.get(key), str)}
    if begun:
        template = SENTENCE.sub(lambda found: f"{{{BEGUN * (found[1] in begun)}{found[1]}}}", template)
        facts |= {f"{BEGUN}{key}": words for key, words in begun.items()}
    said = template.format(**facts)
    if template.startswith("{") and template.endswith((".", "?")):
        return _capital(said)                           # a sentence that begins with a fact
    return said


@lru_cache(KNOWN)
def _places(template: str) -> tuple[bool, bool, bool, tuple[str, ...]]:
    """Whether a fact owns something, has an article, or stands before a full stop, and those that begin a later sentence.

    Most templates have no such place, and each is said again and again.
    """
    return (POSSESSIVE.search(template) is not None, ARTICLE.search(template) is not None,
            STOPPED.search(template) is not None, tuple(SENTENCE.findall(template)))


def _capital(said: str) -> str:
    """Words that begin a sentence, if they are not a name or an id."""
    return f"{said[0].upper()}{said[1:]}" if SMALL.match(said) else said


def _article(found: re.Match[str], facts: Mapping[str, str]) -> str:
    """The indefinite article before a fact: "an aircraft carrier", as in speech."""
    said = unmarked(facts.get(found["fact"], "")).casefold()
    vowel = said.startswith(VOWELS) and not said.startswith(CONSONANTS)
    return f"{found['a'][0]}{'n' if vowel else ''} {{{found['fact']}}}"


def _possessive(found: re.Match[str], facts: Mapping[str, str]) -> str:
    """A fact that owns something: "France's", "United Provinces'", as in speech."""
    return f"{{{found[1]}}}'{'' if unmarked(facts.get(found[1], '')).endswith('s') else 's'}"


def _stopped_once(template: str, facts: Mapping[str, str]) -> str:
    """The template without the full stop behind a fact that ends a sentence by itself, such as the title "Attack!"."""
    ending = [key for key, said in facts.items() if said.rstrip(MARKS).endswith(STOPS)]
    return STOPPED.sub(lambda found: found[0][:-1] if found[1] in ending else found[0], template)


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
