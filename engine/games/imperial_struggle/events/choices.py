"""A choice of one id is open, or made."""
from __future__ import annotations

from typing import ClassVar

from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.events.base import Binding, Fact
from engine.games.imperial_struggle.state import Choice, State


class ChoiceOpened(Fact):
    """A side is to choose one of these; told by the question itself."""

    side: Side
    targets: tuple[str, ...]
    optional: bool = False
    secret: bool = False
    what: str = ""
    source: str = ""

    def apply(self, s: State) -> None:
        s.choice = Choice.unchecked(side=self.side, targets=list(self.targets), optional=self.optional, secret=self.secret,
                                    what=self.what, source=self.source)


class OpponentAsked(ChoiceOpened):
    """The side that is not active is to choose: the action round stops until it has [IS-13.10]."""

    binds: ClassVar[Binding] = "question"


class ChoiceMade(Fact):
    """The choice is made; what it leads to is told by the fact that follows."""

    def apply(self, s: State) -> None:
        s.choice = None
