"""Facts: each changes the state and says so; a game is told them one by one."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict

from engine.kernel.model import Model
from engine.kernel.seats import Seat
from engine.text import Text

S = TypeVar("S", bound=BaseModel)
Binding: TypeAlias = Literal["", "draw", "reveal", "question"]
"""What ends taking back after a fact: a draw has shown something, something hidden has come up, somebody else is asked."""
TEXTS = 10_000              # facts whose stored text is known at a time, about 4 MB


class Event(Model):
    """One fact. It has one effect on the state and one sentence for everybody."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    binds: ClassVar[Binding] = ""           # what ends taking back after this fact; "" if nothing does
    confides: ClassVar[bool] = False        # whether it may tell single seats what others do not know
    _head: ClassVar[str]                    # how it is stored, up to its first field
    _flat: ClassVar[bool]                   # no field can change, so that its values are a key to its text

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.confides = cls.private_lines is not Event.private_lines
        cls._head = f'{{"is":"{cls.__name__}"'
        cls._flat = all(_unchanging(field.annotation) for field in cls.model_fields.values())

    def apply(self, state: Any) -> None:
        """Change the state; nothing else does."""

    def line(self) -> Text | None:
        """The sentence for everybody, or None if other sentences already say it."""
        return None

    def commentary(self, following: Sequence[Event]) -> tuple[Sequence[Text], int]:
        """What everybody reads of this event and of the first few that follow it in its row, and how many of those that are."""
        line = self.line()
        return (() if line is None else (line,)), 0

    def private_lines(self, state: Any) -> Mapping[Seat, Text]:
        """What only a seat may know of it; `state` is the one after the row."""
        return {}

    def binding(self, state: Any, seat: Seat) -> Binding:
        """What ends taking back after this fact for a seat that plans its round in private and has told nobody of it.

        What would show this seat something that it does not know binds, whatever the dice or the others' secrets are.
        """
        return self.binds

    def stored(self) -> str:
        """The fact as JSON with its name; of facts that were stored lately the text is known."""
        if not self._flat:
            return self._text()
        key = (type(self), *self.__dict__.values())
        if (known := _texts.get(key)) is None:
            if len(_texts) >= TEXTS:
                _texts.clear()
            known = _texts[key] = self._text()
        return known

    def _text(self) -> str:
        body = self.__pydantic_serializer__.to_json(self).decode()         # as `model_dump_json`, without its many options
        return f"{self._head}}}" if body == "{}" else f"{self._head},{body[1:]}"


_texts: dict[tuple[object, ...], str] = {}      # most facts of a game recur: whose turn it is, which action is spent


def _unchanging(annotation: Any) -> bool:
    """Whether values of a type never change, and are equal only if their JSON is: 1 and True are equal, too."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin in (tuple, Union, UnionType):
        return all(map(_unchanging, parts)) and not {int, bool} <= {*parts}
    return origin is Literal or getattr(annotation, "__supertype__", annotation) in (str, int, bool, NoneType, ...)


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
    """How many of the first of these events say nothing to everybody."""
    return next((number for number, event in enumerate(events) if event.line() is not None), len(events))


def stored_events(events: Iterable[Event]) -> str:
    return "[" + ",".join([event.stored() for event in events]) + "]"
