"""What a game says of its options in plain words: each with the sentences for its values, grouped by subject."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.datetimes import named
from engine.text import Text, text, verbatim


@dataclass(frozen=True)
class Choice:
    """One option for people."""

    key: str
    name: Text
    says: Mapping[Any, Text] = field(default_factory=dict)      # value -> what is so in a game with it, as a sentence
    rules: tuple[str, ...] = ()
    told: bool = False              # who sees what depends on it: all are told before they join, and then it stays
    kept: bool = False              # stays as it is once somebody has joined
    exact: Mapping[Any, str] = field(default_factory=dict)      # value -> the option whose sentence says the same with its number
    moment: Callable[[Text], Text] | None = None        # its values are moments in UTC, "2027-01-31T18:00", of which it says so

    def sentence(self, value: object) -> Text:
        if self.moment is not None and value not in self.says:
            return self.moment(named(str(value)))
        return self.says.get(value) or text("{key:Begin} is {value}.", key=verbatim(self.key), value=verbatim(str(value)))


@dataclass(frozen=True)
class Subject:
    """Options that belong together."""

    key: str
    name: Text
    choices: tuple[Choice, ...]
