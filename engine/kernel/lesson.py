"""A lesson as a game writes it: known dice, a learner at one of the seats, and step by step a choice that is explained."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from engine.dice import Dice
from engine.kernel.actions import Action
from engine.kernel.seats import Seat
from engine.text import Fact, Text

Said: TypeAlias = tuple[Seat, Action]


def no_facts(state: Any) -> Mapping[str, Fact]:
    """A step whose sentence needs nothing of the position."""
    return {}


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A legal answer that a step offers."""

    answer: Action
    why: Text | None = None                 # why it is not the answer here, though it is legal; None: it leads on


@dataclass(frozen=True, kw_only=True)
class Step:
    """What goes on, which rule that is, and what the learner answers."""

    say: Text
    rule: str = ""
    before: tuple[Said, ...] = ()           # what happens first: answers of others, and of the learner's own hand
    choices: tuple[Choice, ...] = ()        # none: the step is only read
    facts: Callable[[Any], Mapping[str, Fact]] = no_facts          # of the state, for `say`
    picture: str = ""                       # key of a picture that helps
    subject: str = ""                       # what that picture is about
    private: bool = False                   # shows what only the learner may see: the secret is a part of the lesson
    brief: bool = False                     # what has happened since the last step is neither told nor marked


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A short game in which one seat is the learner's and the others follow a script."""

    key: str
    title: Text
    edition: str
    seats: tuple[Seat, ...]
    learner: Seat
    dice: Callable[[Any], Dice]             # components to the rolls
    steps: tuple[Step, ...]                 # at least one; the last is only read
    options: Mapping[str, Any] = field(default_factory=dict)        # those that differ from the edition's
