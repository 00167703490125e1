"""The options of a game in plain words: what each is, what each of its values means, and where a game leaves its preset.

An edition is a preset; a game stores the preset's key and what was changed. The words come with the game (`Words.subjects`).
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar, get_args

from pydantic import ValidationError

from engine.dice import SecretDice
from engine.kernel import GameSpec
from engine.kernel.model import Model
from engine.kernel.option_words import Choice, Subject
from engine.refusals import Faulty
from engine.text import Text, text, verbatim

M = TypeVar("M", bound=Model)

PAIRS = 600         # of further changes that are tried where no single one resolves a contradiction


DICE, BY_DECISION, BY_NUMBER = "dice.by", "decision", "number"
SHARED = Choice(DICE, text("What dice depend on"), {
    BY_DECISION: text("After an undo, the same move gets the same dice, and a different move different dice."),
    BY_NUMBER: text("After an undo, the next roll shows the same dice again, whatever it is for."),
})
"""The option of every game, which its rules know nothing of."""
HINTS, ON, OFF = "coach.hints", "on", "off"
COACHING = Choice(HINTS, text("Who gets hints"), {
    OFF: text("Nobody gets hints."),
    ON: text("Everybody can ask for hints in private."),
}, kept=True)
"""The option of every game that can give hints."""
ALONE, PAUSE, WATCHED = "automatic.alone", "pause", "minute"
PACES: dict[str, int] = {PAUSE: 0, WATCHED: 60, "hour": 3600}       # seconds between two turns of automatic players alone
PLAYING_ON = Choice(ALONE, text("When only automatic players are left"), {
    PAUSE: text("When only automatic players are left, the game is paused."),
    WATCHED: text("When only automatic players are left, they play on: a turn a minute."),
    "hour": text("When only automatic players are left, they play on: a turn an hour."),
})
"""The option of every game that has automatic players."""


def subjects(spec: GameSpec) -> tuple[Subject, ...]:
    """The options of a game, grouped; those that it has no words for stand in a group of their own, and so do the shared ones."""
    worded = {choice.key for subject in spec.words.subjects for choice in subject.choices}
    others = tuple(Choice(key, verbatim(key)) for key in spec.rules.choices if key not in worded)
    return (*spec.words.subjects, *((Subject("others", text("Other options"), others),) if others else ()),
            Subject("shared", text("Hints, dice and automatic players"), _shared(spec)))


def offered(spec: GameSpec) -> dict[str, tuple[object, ...]]:
    """Option -> the values that it can take, the default first."""
    return {**spec.rules.choices, **{choice.key: tuple(choice.says) for choice in _shared(spec)}}


def _shared(spec: GameSpec) -> tuple[Choice, ...]:
    automatic = spec.automatic
    return (*((COACHING,) if automatic is not None and automatic.coach is not None else ()), SHARED,
            *((PLAYING_ON,) if automatic is not None else ()))


def pace(options: Mapping[str, Any]) -> int:
    """Seconds between two turns of a game in which only automatic players are left; 0: it is paused."""
    return PACES.get(str(options.get(ALONE, PAUSE)), 0)


def hints(options: Mapping[str, Any]) -> bool:
    return bool(options.get(HINTS, OFF) == ON)


def own(options: Mapping[str, Any]) -> dict[str, Any]:
    """Of changed options those that the rules of the game know."""
    return {key: value for key, value in options.items() if key not in (DICE, HINTS, ALONE)}


def by_decision(options: Mapping[str, Any]) -> bool:
    return bool(options.get(DICE, BY_DECISION) == BY_DECISION)


def dice(secret: str, options: Mapping[str, Any]) -> SecretDice:
    return SecretDice(secret, by_decision=by_decision(options))


def rules_of(spec: GameSpec, edition: str, changed: Mapping[str, Any]) -> Any:
    """The options that the rules of a game go by. Raises Faulty with a sentence."""
    for choice in (SHARED, COACHING, PLAYING_ON):
        value = changed.get(choice.key, next(iter(choice.says)))
        if value not in choice.says:
            raise Faulty("The option {key} can't be {value}. It can be: {values}.", key=verbatim(choice.key),
                         value=verbatim(str(value)), values=tuple(map(verbatim, choice.says)))
    return spec.rules.options(edition, own(changed))


def every(spec: GameSpec) -> Iterator[Choice]:
    for subject in subjects(spec):
        yield from subject.choices


def choice_of(spec: GameSpec, key: str) -> Choice:
    """The option with this key. Raises Faulty."""
    for choice in every(spec):
        if choice.key == key:
            return choice
    raise Faulty("There is no option {key}.", key=verbatim(key))


def value_of(spec: GameSpec, key: str, written: str) -> object:
    """The value of an option that is written so: "true" is True. What is unknown stays as it is, and the game refuses it."""
    values = {str(value).casefold(): value for value in offered(spec).get(key, ())}
    return values.get(written.casefold(), written)


def flat(options: Any) -> dict[str, object]:
    """Every option of a game's model, or of a mapping, by its key, such as `help.auto_call`, also one that isn't stored."""
    found: dict[str, object] = {}
    values = options if isinstance(options, Mapping) else {name: getattr(options, name) for name in type(options).model_fields}
    for name, value in values.items():
        if isinstance(value, Mapping) or hasattr(type(value), "model_fields"):
            found |= {f"{name}.{inner}": deeper for inner, deeper in flat(value).items()}
        else:
            found[name] = value
    return found


def values_offered(usual: Model, key: str) -> tuple[object, ...]:
    *groups, name = key.split(".")
    for group in groups:
        usual = getattr(usual, group)
    annotation, first = type(usual).model_fields[name].annotation, getattr(usual, name)
    values = (True, False) if annotation is bool else get_args(annotation)
    return (first, *(value for value in values if value != first))


def settled(model: type[M], presets: Mapping[str, Mapping[str, object]], edition: str, changed: Mapping[str, Any]) -> M:
    """The options of an edition with some changed, by key: `{"help.auto_call": False}`. Raises Faulty with a sentence.

    The defaults of the model are the rules as printed; a preset says where its edition leaves them.
    """
    if edition not in presets:
        raise Faulty("There is no edition {edition}. Choose among: {editions}.", edition=verbatim(edition),
                     editions=tuple(verbatim(key) for key in presets))
    known = flat(model())
    nested: dict[str, Any] = {}
    for key, value in {**presets[edition], **changed}.items():
        if key not in known:
            raise Faulty("There is no option {key}.", key=verbatim(key))
        *groups, name = key.split(".")
        place = nested
        for group in groups:
            place = place.setdefault(group, {})
        place[name] = value
    try:
        return model.model_validate(nested)
    except ValidationError as why:
        fault = why.errors()[0]
        raise Faulty("The option {key} can't be {value}: {reason}.", key=verbatim(".".join(map(str, fault["loc"]))),
                     value=verbatim(str(fault["input"])), reason=verbatim(fault["msg"])) from None


def chosen(spec: GameSpec, edition: str, changed: Mapping[str, Any]) -> dict[str, object]:
    """The value of every option of a game. Whether the changes can be is for the game to say (`GameSpec.rules.options`)."""
    preset = flat(spec.rules.options(edition, {})) | {
        choice.key: next(iter(choice.says)) for choice in _shared(spec)}
    return {key: changed.get(key, value) for key, value in preset.items()}


def changed(options: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Changed options after further changes; None: as the preset has it."""
    return {key: value for key, value in {**options, **changes}.items() if value is not None}


def differing(spec: GameSpec, edition: str, changed: Mapping[str, Any]) -> list[tuple[Choice, object]]:
    preset, own = chosen(spec, edition, {}), chosen(spec, edition, changed)
    return [(choice, own[choice.key]) for choice in every(spec)
            if choice.key in own and own[choice.key] != preset.get(choice.key)]


def said_once(spec: GameSpec, choices: Iterable[Choice], own: Mapping[str, object]) -> list[tuple[Choice, object]]:
    """These options of a game with the values that they have in it, those that one sentence says once: by the exact one."""
    found: dict[str, tuple[Choice, object]] = {}
    for choice in choices:
        key = choice.exact.get(own[choice.key], choice.key)
        found[key] = choice_of(spec, key), own[key]
    return list(found.values())


def remedies(spec: GameSpec, edition: str, changes: Mapping[str, Any], meant: str, most: int) -> list[dict[str, object]]:
    """For changes that contradict each other: further ones that let them be, one or two at a time. What was `meant` stays."""
    first = _refusal(spec, edition, changes)
    values = offered(spec)
    others = [(choice.key, value) for choice in every(spec) if choice.key != meant for value in values.get(choice.key, ())]
    said = {(key, value): _refusal(spec, edition, {**changes, key: value}) for key, value in others}
    found: list[dict[str, object]] = [{key: value} for (key, value), why in said.items() if why is None]
    if not found:                       # one that leads to another contradiction, and one that resolves that
        pairs = islice((dict((one, other)) for one, why in said.items() if why != first for other in others), PAIRS)
        fitting = (pair for pair in pairs if len(pair) == 2 and _refusal(spec, edition, {**changes, **pair}) is None)
        found = list(islice(fitting, most))
    return found[:most]


def _refusal(spec: GameSpec, edition: str, changes: Mapping[str, Any]) -> Text | None:
    """Why options cannot be so; None if they can."""
    try:
        rules_of(spec, edition, changes)
    except Faulty as why:
        return why.text
    return None


def rulebooks(spec: GameSpec, edition: str, changed: Mapping[str, Any]) -> tuple[str, ...]:
    """Whose rules a game goes by: its edition's, and behind them those of each edition from which it has taken an option."""
    own = {preset.key: preset.rules or preset.key for preset in spec.editions}
    books = [own.get(edition, edition)]
    taken = differing(spec, edition, changed)
    for preset in spec.editions:
        values = chosen(spec, preset.key, {}) if taken and preset.available else {}
        if any(values.get(choice.key) == value for choice, value in taken):
            books.append(own[preset.key])
    return tuple(dict.fromkeys(books))
