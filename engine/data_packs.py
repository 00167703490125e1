"""Data packs: corrections that an owner of a game lays over its component data; checked whole, every fault named at once.

A pack is an object with the same lists as the component data; a record names its `id` (a set-up its `players`) and the fields to
correct: `{"tiles": [{"id": "banking", "cost": {"gold": 3}}], "setup": [{"players": 7, "start_gold": 12}]}`. What is no list is
corrected by its fields: `{"units_per_player": {"army": 15}}`. A `note` is for people. `game` and `edition` say what it is for.
"""
from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar

from pydantic import ValidationError

from engine.kernel import Edition, GameSpec
from engine.kernel.model import Model
from engine.outside import WORDS, Malformed, loaded, plain
from engine.provenance import BESIDES, KEYS, MINE, doubtful, key_of, spelt
from engine.refusals import Faulty
from engine.text import Text, count, printed, say, text, verbatim

M = TypeVar("M", bound=Model)
Fault: TypeAlias = Callable[[], Text]           # what is wrong, once somebody wants to read it: only a few are told

ABOUT = ("game", "edition", "name", "note")     # what a pack says of itself
MANY = 12                   # faults that are named; what would fit is named as long as it is no more
LARGEST = 1_000             # number in a pack: menus list what can be bought, placed and moved
LONGEST_LIST = 100               # entries of a list, or fields of an object, inside a record
LIKE = 60                   # characters of a word for which one is sought that is like it
SENTENCE = "Value error, "                      # what pydantic puts before a sentence of ours
UNKNOWN = ("unexpected_keyword_argument", "extra_forbidden")        # how it names a field that a record does not have


def parsed(pack: str) -> dict[str, Any]:
    """A pack from its text. Raises Faulty."""
    try:
        body = loaded(pack)
    except Malformed as why:
        raise Faulty("I can't use this data pack: {reason}.", reason=why.reason) from None
    except ValueError as why:
        line = getattr(why, "lineno", 0)
        if line > 1:
            raise Faulty("The data pack isn't valid JSON: I can't read line {line}. Often a comma or a quotation mark is "
                         "missing just before it.", line=line) from None
        raise Faulty("The data pack isn't a JSON file.") from None
    if not isinstance(body, dict):
        raise Faulty("A data pack is a JSON object with lists of records, under the names of the component data.")
    return body


def meant_for(spec: GameSpec, edition: Edition, pack: Mapping[str, Any]) -> None:
    """Raise Faulty if a pack says that it is for another game, or for an edition with other components."""
    game, wanted = pack.get("game", spec.key), pack.get("edition", edition.key)
    if game != spec.key:
        raise Faulty("This data pack is for the game {wanted}, not for {game}.", wanted=_quoted(game),
                     game=printed(spec.name))
    fitting = [one.key for one in spec.editions if one.data == edition.data]
    if wanted not in fitting:
        raise Faulty("This data pack is for the edition {wanted}, and this game is {edition}. Choose the pack's edition, or "
                     "remove the line `edition` from the pack.", wanted=_quoted(wanted), edition=printed(edition.name))


def lay_over(raw: dict[str, Any], pack: Mapping[str, Any]) -> None:
    """Correct component data as a pack says, and note which fields that has changed. Raises Faulty with all that is wrong."""
    faults: list[Fault] = []
    changed: dict[str, dict[str, list[str]]] = {}
    for name, corrections in pack.items():
        if name not in ABOUT:
            for key, fields in _list(raw, name, corrections, faults):
                if fields:
                    changed.setdefault(name, {})[key] = fields
    refuse(text("Data pack"), faults)
    if changed:
        raw[MINE] = changed


def _list(raw: dict[str, Any], name: str, corrections: object, faults: list[Fault]) -> Iterable[tuple[str, list[str]]]:
    """Correct one list; the keys of its records with the fields that are changed."""
    listed = raw.get(name)
    if isinstance(listed, dict) and isinstance(corrections, dict) and name != MINE:
        yield "", list(_correct(listed, corrections, [name], faults))
        return
    known = {spelt(key): record for record in listed if (key := key_of(record))} if isinstance(listed, list) else {}
    if not known:
        faults.append(partial(_no_list, raw, name))
        return
    seen = set[str]()
    for correction in corrections if isinstance(corrections, list) else [None]:
        own = spelt(key_of(correction))
        if not isinstance(correction, dict) or not own:
            faults.append(partial(_no_key, name, known))
        elif own not in known:
            faults.append(partial(_no_record, name, own, known))
        elif own in seen:
            faults.append(partial(text, "{name}: the record {key} is there twice", name=_quoted(name), key=_quoted(own)))
        else:
            seen.add(own)
            yield own, list(_correct(known[own], correction, [name, own], faults))


def _correct(target: dict[str, Any], correction: Mapping[str, Any], where: Sequence[str], faults: list[Fault]) -> Iterable[str]:
    """Correct one record; the fields that are changed by it."""
    for field, value in correction.items():
        if field == "note" or (field in KEYS and field in target):
            continue
        if field not in target:
            faults.append(partial(_no_field, where, field, target))
            continue
        if (excess := _excess(value)) is not None:
            faults.append(partial(text, "{where}, {field}: {excess}", where=verbatim(", ".join(where)), field=verbatim(field),
                                  excess=excess))
            continue
        old = target[field]
        target[field] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
        if target[field] != old:
            yield field


def _excess(value: Any) -> Text | None:
    """Return what of a value is larger than any game needs; None if nothing is."""
    if isinstance(value, str) and len(value) > WORDS:
        return text("words may have {most} characters at most", most=WORDS)
    if isinstance(value, int | float) and abs(value) > LARGEST:
        return text("numbers go up to {most}", most=LARGEST)
    if isinstance(value, list | dict):
        if len(value) > LONGEST_LIST:
            return text("it may have {most} entries at most", most=LONGEST_LIST)
        inner = value.values() if isinstance(value, dict) else value
        return next((excess for one in inner if (excess := _excess(one)) is not None), None)
    return None


def _no_list(raw: Mapping[str, Any], name: str) -> Text:
    there = [key for key, body in raw.items() if isinstance(body, list) and any(map(key_of, body))]
    return text("{name}: there is no such list{fitting}", name=_quoted(name), fitting=fitting(name, there))


def _no_key(name: str, known: Mapping[str, Any]) -> Text:
    named = next(iter(key_of(next(iter(known.values())))))
    return text("{name}: each record is an object with its {key}", name=verbatim(name), key=verbatim(named))


def _no_record(name: str, own: str, known: Mapping[str, Any]) -> Text:
    return text("{name}: there is no record {key}{fitting}", name=verbatim(name), key=_quoted(own), fitting=fitting(own, known))


def _no_field(where: Sequence[str], field: str, target: Mapping[str, Any]) -> Text:
    there = [known for known in target if known not in BESIDES]
    return text("{where}: there is no field {field}{fitting}", where=verbatim(", ".join(where)), field=_quoted(field),
                fitting=fitting(field, there))


def _quoted(words: object) -> Text:
    return verbatim(plain(str(words)))


def fitting(wanted: str, there: Iterable[str]) -> Text:
    """Return what would fit in place of something unknown: the words that are like it, or all if they are few; to be put
    behind it."""
    there = list(there)
    like = difflib.get_close_matches(wanted, there, n=3, cutoff=0.6) if len(wanted) <= LIKE else []
    like = like or (there if len(there) <= MANY else [])
    return text("; known: {like}", like=tuple(map(verbatim, like))) if like else text("")


# --- component data ---------------------------------------------------------------------------------------------

def validated(model: type[M], raw: Mapping[str, Any]) -> M:
    """Component data as a game's model of them. Raises Faulty with each list, record and field that is wrong.

    A sentence of the model's own (ValueError) stands by itself; several of them are divided by line breaks.
    """
    try:
        return model.model_validate(raw)
    except ValidationError as why:
        faults: list[Fault] = []
        for fault in why.errors(include_url=False):
            if fault["type"] == "value_error":
                faults += [partial(_sentence, raw, fault["loc"], sentence)
                           for sentence in fault["msg"].removeprefix(SENTENCE).split("\n")]
            elif fault["type"] == "missing":
                faults.append(partial(_missing, raw, fault["loc"]))
            elif fault["type"] in UNKNOWN:
                faults.append(partial(_unknown, raw, fault["loc"]))
            else:
                faults.append(partial(_misfit, raw, fault["loc"], fault["msg"], fault["input"]))
        refuse(text("Component data"), faults)
        raise AssertionError("a model that refuses data says why") from why


def _sentence(raw: Any, path: Sequence[int | str], sentence: str) -> Text:
    where = _where(raw, path)
    return text("{place}{sentence}", place=verbatim(f"{where}: " if where else ""), sentence=verbatim(sentence))


def _missing(raw: Any, path: Sequence[int | str]) -> Text:
    return text("{where}: this is missing", where=verbatim(_where(raw, path)))


def _unknown(raw: Any, path: Sequence[int | str]) -> Text:
    return text("{where}: there is no such field", where=verbatim(_where(raw, path)))


def _misfit(raw: Any, path: Sequence[int | str], reason: str, given: object) -> Text:
    return text("{where}: {reason}, and not {given}", where=verbatim(_where(raw, path)), reason=verbatim(reason),
                given=verbatim(json.dumps(given, default=str)[:40]))


def _where(raw: Any, path: Sequence[int | str]) -> str:
    """The way to a value by the names of lists, records and fields: "tiles, banking, count"."""
    names = []
    for step in path:
        try:
            raw = raw[step]
        except (LookupError, TypeError):
            raw = None
        names.append(spelt(key_of(raw)) if key_of(raw) and isinstance(step, int) else str(step))
    return ", ".join(names)


def refuse(what: Text, faults: Sequence[Fault]) -> None:
    """Raise Faulty if something is wrong, with a sentence for each of the first faults and the number of the others."""
    if not faults:
        return
    if len(faults) == 1:
        raise Faulty("{what}, {fault}.", what=what, fault=faults[0]())
    told = [text("- {fault}.", fault=fault()) for fault in faults[:MANY]]
    if len(faults) > MANY:
        told.append(text("And {more}.", more=count(len(faults) - MANY, "{n} more fault", "{n} more faults")))
    raise Faulty("{what}: {number} faults.\n{faults}", what=what, number=len(faults), faults=Text(
        "\n".join(f"{{line{at}}}" for at in range(len(told))), {f"line{at}": line for at, line in enumerate(told)}))


# --- a template ---------------------------------------------------------------------------------------------------

def template(spec: GameSpec, edition: Edition, raw: Mapping[str, Any]) -> str:
    """A data pack with every value that is made up and can be corrected, as it is now, and a note of what it is: to be filled in.

    Each record has a line of its own.
    """
    pack: dict[str, Any] = {}
    known: dict[tuple[str, str], dict[str, Any]] = {}           # list and key -> record
    for value in doubtful(spec, raw):
        if value.doubt != "house" or value.aspect.fixed or (not value.key and isinstance(raw[value.origin.list], list)):
            continue
        place = value.origin.list, spelt(value.key)
        record = known.get(place)
        if record is None:
            record = known[place] = {**value.key, "note": value.name}
            pack.setdefault(value.origin.list, []).append(record)
        what = " ".join([say(value.aspect.name), *value.aspect.rules])
        record["note"] = f"{record['note']}; {what}"
        for field, content in value.values.items():
            outer, _, inner = field.partition(".")
            if inner:
                record.setdefault(outer, {})[inner] = content
            else:
                record[outer] = content
    about = {"game": spec.key, "edition": edition.key, "name": edition.name, "note": NOTE}
    lists = [f"{_json(name)}: {_body(raw[name], body)}" for name, body in pack.items()]
    return "{\n" + ",\n".join([*(f"{_json(key)}: {_json(words)}" for key, words in about.items()), *lists]) + "\n}\n"


NOTE = ("Correct the values that differ in your copy, then hand this file in: /game open, option data. What you leave as it is, "
        "or take out, stays as it is. Notes are for you alone.")


def _body(listed: object, records: Sequence[Mapping[str, Any]]) -> str:
    if not isinstance(listed, list):
        return _json(records[0])
    return "[\n  " + ",\n  ".join(map(_json, records)) + "\n]"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
