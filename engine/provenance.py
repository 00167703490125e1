"""Where the values of a game's components come from: which of them no source gives, and what of the rules hangs on each.

A record of component data states its `provenance`, and in `provenance_fields` that of single aspects. What is `house` was made up
by us so that the game can be played; what is `inferred` follows from sources and was read in none. A game says in its `origins`
what the aspects are (`GameSpec.words.origins`); what it does not speak of is listed all the same, by the names in the data.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from engine.kernel import GameSpec
from engine.kernel.origins import Aspect, Origin
from engine.text import Fact, Reader, Text, count, printed, say, text, verbatim

Doubt: TypeAlias = Literal["house", "inferred"]
DOUBTS: tuple[Doubt, ...] = ("house", "inferred")
DOUBT: Mapping[Doubt, Text] = {"house": text("made up"), "inferred": text("inferred")}
MINE = "corrected"              # in component data: what a data pack has corrected, by list, record and field
KEYS = ("id", "key", "players", "face")                         # by what a record is found, the first that it has
BESIDES = frozenset({"provenance", "provenance_fields", "note", *KEYS})         # what is no value of a record

Doubtful: TypeAlias = "tuple[Value, ...]"


@dataclass(frozen=True)
class Value:
    """Values of one record that no source gives."""

    origin: Origin
    key: Mapping[str, Any]              # by what the record is found: {"id": "banking"}; empty if the list is a single record
    name: str                           # what people call it
    aspect: Aspect
    doubt: Doubt
    values: Mapping[str, Any]           # field -> value
    mine: bool                          # a data pack gives them in this game


def key_of(record: object) -> Mapping[str, Any]:
    """By what a record is found: its id, or the number of players of a set-up; empty if it has nothing of that kind."""
    if not isinstance(record, Mapping):
        return {}
    return next(({key: record[key]} for key in KEYS if isinstance(record.get(key), str | int)), {})


def spelt(key: Mapping[str, Any]) -> str:
    return "".join(map(str, key.values()))


def doubtful(spec: GameSpec, raw: Mapping[str, Any], options: Mapping[str, object] | None = None) -> Doubtful:
    """Every value of component data that is made up or inferred, in the order of the game's `origins`.

    With the `options` of a game, only what matters in it.
    """
    return tuple(value for origin in origins(spec, raw) for value in _of_list(origin, raw)
                 if options is None or matters(value, options))


def matters(value: Value, options: Mapping[str, object]) -> bool:
    return all(options.get(needs[0]) in needs[1] for needs in (value.origin.needs, value.aspect.needs) if needs is not None)


def origins(spec: GameSpec, raw: Mapping[str, Any]) -> tuple[Origin, ...]:
    """The lists of component data that state where their values come from: those that the game speaks of, then the others."""
    spoken = {origin.list for origin in spec.words.origins}
    others = [Origin(name, verbatim(name.replace("_", " ")), ()) for name, body in raw.items()
              if name not in spoken and any("provenance" in record for record in _records(body))]
    return (*(origin for origin in spec.words.origins if origin.list in raw), *others)


def _records(body: object) -> list[dict[str, Any]]:
    listed = body if isinstance(body, list) else [body]
    return [record for record in listed if isinstance(record, dict)]


def _of_list(origin: Origin, raw: Mapping[str, Any]) -> Iterator[Value]:
    corrected = raw.get(MINE, {}).get(origin.list, {})
    for record in filter(origin.holds, _records(raw[origin.list])):
        key = key_of(record)
        name, mine = record.get("name") or record.get("label") or spelt(key).replace("_", " "), corrected.get(spelt(key), ())
        for aspect, doubt in _doubts(origin, record):
            values = {field: value for field in aspect.fields or (aspect.label,) for value in _inside(record, field)}
            if values:
                given = any(field.partition(".")[0] in mine for field in values)
                yield Value(origin, key, str(name), aspect, doubt, values, mine=given)


def _doubts(origin: Origin, record: Mapping[str, Any]) -> Iterator[tuple[Aspect, Doubt]]:
    whole, single = record.get("provenance"), record.get("provenance_fields") or {}
    for doubt in DOUBTS:
        known = {aspect.label for aspect in origin.aspects}
        for aspect in origin.aspects:
            if (single.get(aspect.label) if single else whole) == doubt:
                yield aspect, doubt
        for label in [label for label, stated in single.items() if stated == doubt and label not in known]:
            yield Aspect(label, verbatim(label.replace("_", " ")), text("what the rules take from the data")), doubt
        if not single and not origin.aspects and whole == doubt:
            fields = tuple(field for field in record if field not in BESIDES and field not in ("name", "label"))
            yield Aspect("", text("all values"), text("what the rules take from the data"), (), fields), doubt


def _inside(record: Mapping[str, Any], field: str) -> list[Any]:
    """The value of a field, or of one inside another; none if the record has it not."""
    outer, _, inner = field.partition(".")
    if outer not in record:
        return []
    value = record[outer]
    return [value] if not inner else [value[inner]] if isinstance(value, dict) and inner in value else []


# --- in words ---------------------------------------------------------------------------------------------------

def spoken(value: Value) -> Text:
    """The values of an aspect in a few words: "3 gold", "colonists", "8, 5 and 3"."""
    values = value.values
    if value.aspect.says is not None:
        return value.aspect.says(values)
    if len(values) == 1:
        return _words(next(iter(values.values())))
    told = tuple(text("{field} {value}", field=verbatim(_said(field)), value=_words(one)) for field, one in values.items()
                 if one not in (0, None, "", [], {}, False))
    return text("{values}", values=told) if told else text("nothing")


def _said(field: str) -> str:
    return field.rpartition(".")[2].replace("_", " ")


def _words(value: object) -> Text:
    match value:
        case bool():
            return text("yes") if value else text("no")
        case None:
            return text("none")
        case dict():
            told: tuple[Fact, ...] = tuple(text("{name} {value}", name=verbatim(_said(str(name))), value=_words(inner))
                                           for name, inner in value.items() if inner not in (0, None, "", [], {}, False))
            return text("{values}", values=told) if told else text("nothing")
        case list() | tuple():
            return text("{values}", values=tuple(map(_words, value))) if value else text("none")
        case int():
            return text("{value:the}", value=value)
    return text("{value:the}", value=str(value))


@dataclass(frozen=True)
class Group:
    """Values of one list that have one aspect and one doubt."""

    origin: Origin
    aspect: Aspect
    doubt: Doubt
    mine: bool
    values: tuple[Value, ...]

    def source(self) -> Text:
        return text("from the data pack") if self.mine else DOUBT[self.doubt]


def grouped(values: Sequence[Value]) -> list[Group]:
    """Values of the same records, aspect and source together, in the order of the first of each."""
    groups: dict[tuple[object, ...], list[Value]] = {}
    for value in values:
        key = value.origin.list, value.origin.name.template, value.aspect.label, value.doubt, value.mine
        groups.setdefault(key, []).append(value)
    return [Group(some[0].origin, some[0].aspect, some[0].doubt, some[0].mine, tuple(some)) for some in groups.values()]


def tally(values: Sequence[Value]) -> Text:
    """How many values there are of each source: "204 values are made up and 122 are inferred"."""
    number = Counter("mine" if value.mine else value.doubt for value in values)
    parts = (count(number["house"], "{n} value is made up", "{n} values are made up"),
             count(number["inferred"], "{n} is inferred", "{n} are inferred"),
             count(number["mine"], "{n} is from the data pack", "{n} are from the data pack"))
    return text("{parts}", parts=tuple(part for part in parts if part.facts["n"]) or text("no value is in doubt"))


def listed(values: Sequence[Value], reader: Reader) -> list[Text]:
    """Records with their values, those with equal ones together: "Banking and War Office: 4 gold"; names stand by themselves."""
    alike: dict[str, list[Value]] = {}
    for value in values:
        told = say(spoken(value), reader)
        alike.setdefault("" if told in (value.name, say(printed(value.name), reader)) else told, []).append(value)
    return [_together(some, told) for told, some in alike.items()]


def _together(some: Sequence[Value], told: str) -> Text:
    if not some[0].key:
        return verbatim(told)
    if "players" in some[0].key:
        return text("with {players} players: {value}", players=tuple(verbatim(spelt(value.key)) for value in some),
                    value=verbatim(told))
    times = Counter(value.name for value in some)
    names = tuple(printed(name) if number == 1 else text("{number} of {name}", number=number, name=printed(name))
                  for name, number in times.items())
    return text("{names}: {value}", names=names, value=verbatim(told)) if told else text("{names}", names=names)

