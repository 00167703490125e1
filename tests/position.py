"""A table at a position made by hand, for the tests of any game: say what is answered, and look at what has come of it.

Every answer is also replayed: the rows lead to the same state, and so do the events alone.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from engine.dice import Dice, LoadedDice
from engine.kernel import Action, Checkpoint, Decree, Event, GameSpec, Seat, Table, fold
from engine.kernel.events import told
from engine.kernel.model import Model
from engine.orders import Order, Orders
from engine.refusals import Refusal
from engine.text import Reader, Text, say

E = TypeVar("E", bound=Event)
S = TypeVar("S", bound=Model)
SILENCES = 1_000            # defaults after which nothing can be expected any more


class Position(Generic[S]):
    """A table whose seats are called by what they play."""

    game: ClassVar[GameSpec]

    def __init__(self, parts: Any, start: Any, dice: Dice, orders: Sequence[Order] = ()) -> None:
        self.start = Checkpoint(0, 0, start.model_dump_json())
        self.parts, self.dice = parts, dice
        self.table = Table(self.game, parts, self.start, dice=dice, checkpoints=False,
                           deputy=Orders(self.game, orders) if orders else None)
        self.replay()

    @property
    def state(self) -> S:
        """The position now."""
        state: S = self.table.state
        return state

    @property
    def dice_left(self) -> list[tuple[int, ...]]:
        """The throws of the list that nobody has made yet."""
        assert isinstance(self.dice, LoadedDice), "the dice of this scene are no list"
        return self.dice.rolls

    def asked(self) -> list[tuple[str, str]]:
        """(power, decision point) of every question that waits for an answer."""
        return [(self.table.state.power(question.seat) or question.seat, question.point) for question in self.table.waiting()]

    def options(self, power: str) -> tuple[Action, ...]:
        """The legal answers of a power now."""
        return self.table.options(self._seat(power))

    def default(self, power: str) -> Action:
        """What silence would answer."""
        return self.table.default(self._seat(power))

    def say(self, power: str, *answers: Action) -> None:
        """Answer for a power, once or several times, or raise a Refusal; then replay what has happened."""
        for answer in answers:
            self.table.answer(self._seat(power), answer)
        self.replay()

    def tell(self, decree: Decree) -> None:
        """Say what the world outside says, or raise a Refusal; then replay what has happened."""
        self.table.decree(decree)
        self.replay()

    def keep_silent(self, until: str = "") -> None:
        """Give every answer by its default, up to a question of this decision point, or to the end of the game."""
        for _ in range(SILENCES):
            if self.table.over or (question := self.table.waiting()[0]).point == until:
                break
            self.table.answer(question.seat, self.table.default(question.seat))
        else:
            pytest.fail(f"{SILENCES} defaults lead to no {until or 'end'}")
        self.replay()

    def refusal(self, power: str, answer: Action) -> Refusal:
        """The refusal of an answer, which must change nothing."""
        before, asked = self.state.model_dump_json(), self.asked()
        with pytest.raises(Refusal) as refused:
            self.table.answer(self._seat(power), answer)
        assert (self.state.model_dump_json(), self.asked()) == (before, asked), "a refusal changes nothing"
        return refused.value

    def allows(self, power: str, answer: Action) -> bool:
        """Whether the rules allow an answer; changes nothing, and the list of options must agree."""
        try:
            self.table.examine(self._seat(power), answer)
        except Refusal:
            assert answer not in self.options(power), f"{answer} is offered and refused"
            return False
        return True

    def events(self, kind: type[E]) -> list[E]:
        """What has happened of this kind, oldest first."""
        return [event for event in self._happened() if isinstance(event, kind)]

    def lines(self) -> list[str]:
        """The public sentences so far, in English."""
        rows = [self.table.opening, *(entry.events for entry in self.table.fresh)]
        return [self.said(line) for row in rows for line in told(row)]

    def said(self, sentence: Text) -> str:
        """A sentence in English."""
        return say(sentence, self._reader)

    def private_lines(self, power: str) -> list[str]:
        """What only this power has been told so far, in English."""
        seat = self._seat(power)
        return [say(line, self._reader) for entry in self.table.fresh for to, line in entry.private if to == seat]

    def replay(self) -> None:
        """The log alone leads to the same state, and so do the events alone."""
        now = self.state.model_dump_json()
        if now == self.start.state and not self.table.fresh and not self.table.opening:
            return                                          # nothing has happened yet
        rows = [entry.row() for entry in self.table.fresh]
        again = Table(self.game, self.parts, self.start, rows, dice=LoadedDice(), checkpoints=False, run_on=False)
        assert again.state.model_dump_json() == now, "the rows lead to another state"
        folded = fold(self.game, self.parts, self.start, [self._happened()])
        assert folded.model_dump_json() == now, "the events lead to another state"

    @property
    def _reader(self) -> Reader:
        return Reader(self.game.words.names(self.parts, self.state))

    def _happened(self) -> list[Event]:
        return [*self.table.opening, *(event for entry in self.table.fresh for event in entry.events)]

    def _seat(self, power: str) -> Seat:
        """The seat of a power, or one that is called as its own before it has chosen."""
        state = self.table.state
        called: Seat | None = next((Seat(seat) for seat in state.seats if state.power(seat) == power), None)
        return Seat(power) if called is None else called


def starting_at(spec: GameSpec, start: str) -> GameSpec:
    """The game with this position, a state as JSON, instead of its set-up."""
    def setup(seats: object, options: object, parts: object) -> Any:
        state = spec.rules.state.model_validate_json(start)
        spec.rules.bind(state, parts)
        return state

    return spec.changed(setup=setup)
