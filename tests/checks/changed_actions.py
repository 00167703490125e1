"""How a legal answer is changed into one that may not be, what is legal, and what came of it."""
from __future__ import annotations

import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args, get_origin

from engine.kernel import Action, Aside, Seat, Table, leaves_out
from tests.checks.stocks import in_stock

NUMBERS = (-1, 0, 1, 2, 3, 4, 7, 15, 99, 10**9, 10**30)
STRANGE = ("", " ", "atlantis", "none", "None", "0", "austria ", "AUSTRIA", "seat_1", "seat_99", "chance", "random", "a,b", "=9",
           "x" * 200, "\u202eaustria", "aústria", "austria\n", "../austria", "{power}", "@everyone")
ENOUGH = 20                 # wrongly accepted answers after which it is clear that something is wrong
NO_VALUE: tuple[Any, ...] = (None, [], {}, 0.5, True, "1", b"", (), ("austria", "austria"))


def words_of(names: Mapping[str, object]) -> tuple[str, ...]:
    """All ids of a game, with words that are none."""
    return (*names, *STRANGE)


def other_value(kind: type[Action], name: str, words: Sequence[str], pick: random.Random, now: object = ()) -> Any:
    """A value for a field that its kind could have, or could not; of a list mostly what is on it `now`, and oftener."""
    if pick.random() < 0.1:
        return pick.choice(NO_VALUE)
    annotation = kind.model_fields[name].annotation
    if annotation is int:
        return pick.choice(NUMBERS)
    if annotation is bool:
        return pick.choice((True, False))
    if get_origin(annotation) is tuple and isinstance(now, tuple) and now and pick.random() < 0.6:
        return tuple(pick.choices(now, k=pick.randrange(1, len(now) + 3)))
    if get_origin(annotation) is tuple:
        return tuple(pick.choices(words, k=pick.randrange(4)))
    literals = [value for value in get_args(annotation) if isinstance(value, str | int)]
    return pick.choice(literals if literals and pick.random() < 0.8 else words)


def changed(action: Action, words: Sequence[str], pick: random.Random) -> dict[str, Any]:
    """The fields of an answer with one of them changed, and now and then two."""
    fields = action.model_dump()
    for name in pick.sample([*fields], min(len(fields), 1 if pick.random() < 0.8 else 2)):
        fields[name] = other_value(type(action), name, words, pick, fields[name])
    return fields


@dataclass
class Tally:
    """What came of the changed answers."""

    tried: int = 0
    legal: int = 0                          # accepted, and enumerated: the change made another legal answer
    accepted: list[str] = field(default_factory=list)       # wrongly
    crashed: list[str] = field(default_factory=list)        # neither taken nor refused

    def wrong(self, what: str) -> None:
        self.accepted.append(what)
        print(f"\naccepted: {what}", file=sys.stderr)

    def broken(self, what: str) -> None:
        self.crashed.append(what)
        print(f"\ncrashed: {what}", file=sys.stderr)


def enumerated(table: Table, seat: Seat, action: Action, asked_at: int | None = None) -> bool:
    """Whether the engine lists this answer for the seat now, to the question that is asked; an aside, after the last row."""
    if isinstance(action, Aside):
        return not table.over and asked_at in (None, table.public_no) and action in [*type(action).options(table.state, seat)]
    question = table.question(seat)
    if question is None or type(action) not in question.accepts or asked_at not in (None, table.asked_at):
        return False
    options = table.options(seat)
    return action in options or (action.open_ended and beyond(action, *options) and in_stock(table.state, seat, action, options))


def beyond(action: Action, *options: Action) -> bool:
    """Whether an open-ended answer differs from a listed one only by amounts, and by lists of what is listed as well.

    Amounts can be higher than those listed. Of a bounded kind they lie between those of answers that are otherwise alike, and
    there are none where the list leaves nothing out.
    """
    alike, fields = [option for option in options if type(option) is type(action)], type(action).model_fields
    lists = {name: {value for option in alike for value in getattr(option, name)}
             for name, part in fields.items() if get_origin(part.annotation) is tuple}
    if any(not listed.issuperset(getattr(action, name)) for name, listed in lists.items()):
        return False
    numbers = [name for name, part in fields.items() if part.annotation is int]
    alike = [option for option in alike if all(getattr(action, name) == getattr(option, name)
                                               for name in fields if name not in (*lists, *numbers))]
    if action.bounded:
        listed = {name: [getattr(option, name) for option in alike] for name in numbers}
        return leaves_out(alike) and all(min(found) <= getattr(action, name) <= max(found) for name, found in listed.items())
    return any(all(getattr(action, name) >= getattr(option, name) for name in numbers) for option in alike)
