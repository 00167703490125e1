"""Building blocks of decision points: conditions that a line of an order can ask for, and slots that it fills in."""
from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

from engine.kernel import Seat
from engine.orders import Condition, Slot
from engine.text import Fact


def number(key: str, words: str, *counts: str) -> Condition:
    """A number, told by a clause with its {value} and by the words for one and for many."""
    clause, one, many = counts or ("", "", "")
    return Condition(key=key, words=words, kind="number", counts=(clause, one, many) if clause else None)


def choice(key: str, words: str, values: Callable[[Any, Seat], Sequence[str]], yes: str = "", no: str = "", *,
           about: Mapping[str, Fact] = {}) -> Condition:
    return Condition(key=key, words=words, kind="choice", values=values, says={"is": yes, "is_not": no} if yes else {},
                     about=about)


def flag(key: str, words: str, no: str) -> Condition:
    return Condition(key=key, words=words, kind="flag", says={"is_not": no})


def pick(field: str, words: str, values: Callable[[Any, Seat], Sequence[str]], *, about: Mapping[str, Fact] = {},
         unlike: tuple[str, ...] = ()) -> Slot:
    return Slot(field=field, words=words, kind="choice", values=values, about=about, unlike=unlike)


def wishes(field: str, words: str, values: Callable[[Any, Seat], Sequence[str]],
           reach: Callable[[Any, Seat], Container[str]] | None = None) -> Slot:
    """A field with several values, the most wanted first."""
    return Slot(field=field, words=words, kind="list", values=values, reach=reach)
