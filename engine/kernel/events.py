"""Facts: each changes the state and says so; a game is told them one by one."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

from engine.kernel.interned import Interned, as_written
from engine.kernel.model import Model
from engine.kernel.seats import Seat
from engine.text import Text

S = TypeVar("S", bound=Model)
Binding: TypeAlias = Literal["", "draw", "reveal", "question"]
"""What ends taking back after a fact: a draw has shown something, something hidden has come up, somebody else is asked."""


class Event(Interned):
    """One fact. It has one effect on the state and one sentence for everybody."""

    tag: ClassVar[str] = ""                 # by which rows know it; "": the name of the class
    binds: ClassVar[Binding] = ""           # what ends taking back after this fact; "" if nothing does
    confides: ClassVar[bool] = False        # whether it may tell single seats what others do not know

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.confides = cls.private_lines is not Event.private_lines

    def apply(self, state: Any) -> None:
        """Change the state; nothing else does."""

    def line(self) -> Text | None:
        """The sentence for everybody, or None if other sentences already say it."""
        return None

    def commentary(self, following: Sequence[Event]) -> tuple[Sequence[Text], int]:
        """Return what everybody reads of this event and of the first few that follow it in its row, and how many of those that
        are."""
        line = self.line()
        return (() if line is None else (line,)), 0

    def private_lines(self, state: Any) -> Mapping[Seat, Text]:
        """Return what only a seat may know of it; `state` is the one after the row."""
        return {}

    def binding(self, state: Any, seat: Seat) -> Binding:
        """Return what ends taking back after this fact for a seat that plans its round in private and has told nobody of it.

        What would show this seat something that it does not know binds, whatever the dice or the others' secrets are.
        """
        return self.binds


class Game(Generic[S]):
    """What a rule may touch: it reads `state` and changes it only by `emit`."""

    __slots__ = ("fresh", "state")

    def __init__(self, state: S) -> None:
        self.state = state
        self.fresh: list[Event] = []

    def emit(self, event: Event) -> None:
        """Tell a fact: it takes effect and is recorded with the row under way."""
        event.apply(self.state)
        self.fresh.append(event)


def told(events: Iterable[Event]) -> list[Text]:
    """The sentences for everybody about the events of one row, in as few lines as they need."""
    lines, left = list[Text](), list(events)
    while left:
        event, *left = left
        sentences, more = event.commentary(left)
        lines += sentences
        left = left[more:]
    return lines


def silent(events: Sequence[Event]) -> int:
    return next((number for number, event in enumerate(events) if event.line() is not None), len(events))


def stored_events(events: Sequence[Event]) -> str:
    """The facts of a row as they are stored; what they say has mostly been written before."""
    try:
        return f"[{','.join(map(as_written, events))}]"
    except AttributeError:
        return f"[{','.join([event.stored() for event in events])}]"
