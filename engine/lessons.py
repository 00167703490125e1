"""A lesson: a table with known dice, a learner at one of its seats, and step by step a choice that is explained."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine import notation
from engine.kernel import Action, Checkpoint, Entry, GameSpec, Seat, Table
from engine.kernel.game_spec import Replay
from engine.kernel.lesson import Choice, Lesson, Said, Step
from engine.options import rules_of
from engine.text import Fact, Text, text

READ = ""                   # what is noted for a step that is only read


def lead(answer: Action) -> Choice:
    return Choice(answer=answer)


def astray(answer: Action, reason: str, **facts: Fact) -> Choice:
    """A legal answer that is not the one to give here, and the reason: "it costs too much. Take the other one."."""
    return Choice(answer=answer, why=text("That's legal, but {reason}", reason=text(reason, **facts)))


def said_by(seat: Seat, *answers: Action) -> tuple[Said, ...]:
    return tuple((seat, answer) for answer in answers)


def said_by_each(answer: Action, *seats: Seat) -> tuple[Said, ...]:
    return tuple((seat, answer) for seat in seats)


def drawn(pile: list[str], wanted: Sequence[str]) -> tuple[int, ...]:
    """The roll that draws these pieces from a pile, one after the other; the pile holds them no longer."""
    values: list[int] = []
    for piece in wanted:
        values.append(pile.index(piece) + 1)
        pile.remove(piece)
    return tuple(values)


def leading(step: Step) -> list[str]:
    """The answers of a step that lead on, as they are noted; the intended one first."""
    return [notation.write(choice.answer) for choice in step.choices if choice.why is None] or [READ]


def fitting(lesson: Lesson, noted: Sequence[str]) -> tuple[str, ...]:
    """The answers that still lead through a lesson, up to the first that does not: it may have been rewritten since."""
    fits: list[str] = []
    for step, answer in zip(lesson.steps[:-1], noted):
        if answer not in leading(step):
            break
        fits.append(answer)
    return tuple(fits)


@dataclass(frozen=True)
class LessonProgress:
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
        return self.number == len(self.lesson.steps) - 1

    def say(self) -> Text:
        return Text(self.step.say.template, {**self.step.say.facts, **self.step.facts(self.table.state)}, self.step.say.plural)

    def news(self) -> list[Entry]:
        """Return what has happened since the learner's last answer, that included."""
        return [entry for entry in self.entries if entry.no > self.known]

    def story(self) -> Replay:
        """Return what a picture for the learner is made from; marked with what is new, unless that is not told either."""
        learner, known = self.lesson.learner, self.table.last_no if self.step.brief else self.known
        return Replay(spec=self.table.spec, parts=self.table.parts, start=self.start,
                      rows=[entry.row() for entry in self.entries], since=known,
                      seat=learner, options=self.table.options(learner), subject=self.step.subject)


def stand(spec: GameSpec, parts: Any, lesson: Lesson, noted: Sequence[str] = ()) -> LessonProgress:
    """The lesson after these answers, played anew from its beginning. Raises Refusal: a scripted answer is not legal."""
    state = spec.rules.setup(lesson.seats, rules_of(spec, lesson.edition, lesson.options), parts)
    start = Checkpoint(0, 0, state.model_dump_json())
    table = Table(spec, parts, start, dice=lesson.dice(parts), checkpoints=False)
    known = 0
    answers = fitting(lesson, noted)
    for number, step in enumerate(lesson.steps[:len(answers) + 1]):
        for seat, action in step.before:
            table.answer(seat, action)
        if number < len(answers):
            known = table.last_no
            if answers[number] != READ:
                table.answer(lesson.learner, notation.read(spec, answers[number]))
    return LessonProgress(lesson, answers, table, start, table.fresh, known)
