"""How a legal answer is changed into one that may not be: another value for one of its fields."""
from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, get_args, get_origin

from engine.kernel import Action

NUMBERS = (-1, 0, 1, 2, 3, 4, 7, 15, 99, 10**9, 10**30)
STRANGE = ("", " ", "atlantis", "none", "None", "0", "austria ", "AUSTRIA", "seat_1", "seat_99", "chance", "random", "a,b", "=9",
           "x" * 200, "\u202eaustria", "aústria", "austria\n", "../austria", "{power}", "@everyone")
NO_VALUE: tuple[Any, ...] = (None, [], {}, 0.5, True, "1", b"", (), ("austria", "austria"))


def words_of(names: Mapping[str, str]) -> tuple[str, ...]:
    """All ids of a game, with words that are none."""
    return (*names, *STRANGE)


def other_value(kind: type[Action], name: str, words: Sequence[str], pick: random.Random) -> Any:
    """A value for a field that its kind could have, or could not."""
    if pick.random() < 0.1:
        return pick.choice(NO_VALUE)
    annotation = kind.model_fields[name].annotation
    if annotation is int:
        return pick.choice(NUMBERS)
    if annotation is bool:
        return pick.choice((True, False))
    if get_origin(annotation) is tuple:
        return tuple(pick.choices(words, k=pick.randrange(4)))
    literals = [value for value in get_args(annotation) if isinstance(value, str | int)]
    return pick.choice(literals if literals and pick.random() < 0.8 else words)


def changed(action: Action, words: Sequence[str], pick: random.Random) -> dict[str, Any]:
    """The fields of an answer with one of them changed, and now and then two."""
    fields = action.model_dump()
    for name in pick.sample([*fields], min(len(fields), 1 if pick.random() < 0.8 else 2)):
        fields[name] = other_value(type(action), name, words, pick)
    return fields
