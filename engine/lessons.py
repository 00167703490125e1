"""A lesson: a table with known dice, a learner at one of its seats, and step by step a choice that is explained."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from engine import notation
from engine.dice import Dice
from engine.kernel import Action, Checkpoint, Entry, GameSpec, Seat, Table
from engine.presets import rules_of
from engine.story import Story
from engine.text import Fact, Text, text

Said: TypeAlias = tuple[Seat, Action]
READ = ""                   # what is noted for a step that is only read


def no_facts(state: Any) -> Mapping[str, Fact]:
    """A step whose sentence needs nothing of the position."""
    return {}


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A legal answer that a step offers."""

    answer: Action
    why: Text | None = None                 # why it is not the answer here, though it is legal; None: it leads on


def lead(answer: Action) -> Choice:
    """The answer that goes on."""
    return Choice(answer=answer)


def astray(answer: Action, reason: str, **facts: Fact) -> Choice:
    """A legal answer that is not the one to give here, and the reason: "it costs too much. Take the other one."."""
    return Choice(answer=answer, why=text("That is legal, but {reason}", reason=text(reason, **facts)))


def drawn(pile: list[str], wanted: Sequence[str]) -> tuple[int, ...]:
    """The throw that draws these pieces from a pile, one after the other; the pile holds them no longer."""
    values: list[int] = []
    for piece in wanted:
        values.append(pile.index(piece) + 1)
        pile.remove(piece)
    return tuple(values)


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

    def leading(self) -> list[str]:
        """The answers that lead on, as they are noted; the intended one first."""
        return [notation.write(choice.answer) for choice in self.choices if choice.why is None] or [READ]


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A short game in which one seat is the learner's and the others follow a script."""

    key: str
    title: Text
    edition: str
    seats: tuple[Seat, ...]
    learner: Seat
    dice: Callable[[Any], Dice]             # components to the throws
    steps: tuple[Step, ...]                 # at least one; the last is only read
    options: Mapping[str, Any] = field(default_factory=dict)        # those that differ from the edition's

    def fitting(self, noted: Sequence[str]) -> tuple[str, ...]:
        """The answers that still lead through this lesson, up to the first that does not: it may have been rewritten since."""
        fits: list[str] = []
        for step, answer in zip(self.steps[:-1], noted):
            if answer not in step.leading():
                break
            fits.append(answer)
        return tuple(fits)


@dataclass(frozen=True)
class Stand:
    """Where a learner stands: the step, the table, and what is new at it since the learner's last answer."""

    lesson: Lesson
    noted: tuple[str, ...]                  # the answers so far
    table: Table
    start: Checkpoint
    entries: Sequence[Entry]
    known: int                              # the row up to which the learner knows the table

    @property
    def number(self) -> int:
        """Of the step, from 0."""
        return len(self.noted)

    @property
    def step(self) -> Step:
        return self.lesson.steps[self.number]

    @property
    def last(self) -> bool:
        """Whether this step ends the lesson."""
        return self.number == len(self.lesson.steps) - 1

    def say(self) -> Text:
        """What the step says, with the facts of the position."""
        return Text(self.step.say.template, {**self.step.say.facts, **self.step.facts(self.table.state)}, self.step.say.plural)

    def news(self) -> list[Entry]:
        """What has happened since the learner's last answer, that included."""
        return [entry for entry in self.entries if entry.no > self.known]

    def story(self) -> Story:
        """What a picture for the learner is made from; marked with what is new, unless that is not told either."""
        learner, known = self.lesson.learner, self.table.last_no if self.step.brief else self.known
        return Story(spec=self.table.spec, parts=self.table.parts, start=self.start, rows=[entry.row() for entry in self.entries],
                     since=known, seat=learner, options=self.table.options(learner), subject=self.step.subject)


def stand(spec: GameSpec, parts: Any, lesson: Lesson, noted: Sequence[str] = ()) -> Stand:
    """The lesson after these answers, played anew from its beginning. Raises Refusal: a scripted answer is not legal."""
    state = spec.setup(lesson.seats, rules_of(spec, lesson.edition, lesson.options), parts)
    start = Checkpoint(0, 0, state.model_dump_json())
    table = Table(spec, parts, start, dice=lesson.dice(parts), checkpoints=False)
    known = 0
    answers = lesson.fitting(noted)
    for number, step in enumerate(lesson.steps[:len(answers) + 1]):
        for seat, action in step.before:
            table.answer(seat, action)
        if number < len(answers):
            known = table.last_no
            if answers[number] != READ:
                table.answer(lesson.learner, notation.read(spec, answers[number]))
    return Stand(lesson, answers, table, start, table.fresh, known)
