"""Choosing one space, tile, theater, advantage or option, where a rule asks for one."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Self

from pydantic import Field

from engine.games.imperial_struggle.state import State
from engine.games.imperial_struggle.words.outcomes import outcome
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text

NONE = "none"


class Choose(Action):
    """Choose one of what is offered."""

    verb: ClassVar[str] = "choose"
    target: str = Field(description="What do you choose?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Self]:
        if s.choice is not None and s.choice.side == s.power(seat):
            for target in s.choice.targets:
                yield cls.of(target)
            if s.choice.optional:
                yield cls.of(NONE)

    def check(self, s: State, seat: Seat) -> None:
        choice = s.choice
        if choice is None or choice.side != s.power(seat):
            raise Illegal("There is nothing for you to choose now.", rule="IS-18.30")
        if self.target == NONE and not choice.optional:
            raise Illegal("Choose one of these: {targets}.", rule="IS-0.5", targets=tuple(choice.targets))
        if self.target != NONE and self.target not in choice.targets:
            raise Illegal("You can't choose {target} here. Choose one of these: {targets}.", rule="IS-18.10", target=self.target,
                          targets=tuple(choice.targets))

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        raise Illegal("There is nothing for you to choose now.", rule="IS-18.30")

    def meets(self, s: State, seat: Seat) -> Text | None:
        return outcome(s, self.target)

    def label(self) -> Text:
        return text("{target}", target=self.target)


class ChooseSecretly(Choose):
    """Choose one of what only you may see."""

    verb: ClassVar[str] = "pick"
    secret: ClassVar[bool] = True
