"""Facts: each changes the state and says so; a game is told them one by one."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from engine.kernel.seats import Seat
from engine.text import Text

S = TypeVar("S", bound=BaseModel)


class Event(BaseModel):
    """One fact. It has one effect on the state and one sentence for everybody."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def apply(self, state: Any) -> None:
        """Change the state; nothing else does."""

    def line(self) -> Text | None:
        """The sentence for everybody, or None if other sentences already say it."""
        return None

    def private_lines(self, state: Any) -> Mapping[Seat, Text]:
        """What only a seat may know of it; `state` is the one after the row."""
        return {}

    def stored(self) -> str:
        """The fact as JSON with its name."""
        body = self.model_dump_json()
        return f'{{"is":"{type(self).__name__}"}}' if body == "{}" else f'{{"is":"{type(self).__name__}",{body[1:]}'


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


def stored_events(events: Iterable[Event]) -> str:
    return f"[{','.join([event.stored() for event in events])}]"
