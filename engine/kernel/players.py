"""What a game says of automatic players: what a seat knows, and how each level answers from that."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from engine.kernel.actions import Action
from engine.kernel.model import Model
from engine.kernel.questions import Ask
from engine.kernel.seats import Seat
from engine.text import Text

S = TypeVar("S", bound=Model)
T = TypeVar("T")
Level: TypeAlias = Literal["beginners", "solid", "strong"]


class Rng(Protocol):
    """Where a player's own whims come from; `random.Random` will do."""

    def random(self) -> float: ...

    def choice(self, seq: Sequence[T], /) -> T: ...

    def sample(self, population: Sequence[T], k: int, /) -> list[T]: ...


@dataclass(frozen=True, kw_only=True)
class Position(Generic[S]):
    """A question as an automatic player sees it: nothing in it is hidden from its seat.

    `state` is the table as the seat knows it: what it cannot see is left out, or filled with what anybody could expect there.
    """

    state: S
    question: Ask[Any]                      # the seat, the decision point and the facts of the question; nothing runs it
    options: tuple[Action, ...]
    default: Action                         # given on silence

    worlds: Callable[[str], Any] | None = None      # from a seed to a table that may be the true one; None: there is none
    # to look further
    late: Callable[[], bool] = lambda: False        # whether the time to look further is up

    @property
    def seat(self) -> Seat:
        return self.question.seat


Choice: TypeAlias = Callable[[Position[Any], Rng], Action]
"""From a position and the rolls of a player to one of the options."""


@dataclass(frozen=True, kw_only=True)
class Search(Generic[S]):
    """How the strong player of a game looks further."""

    candidates: Callable[[Position[Any], Rng], Sequence[Action]]
    # the answers worth trying, the one of the solid player first; a single one: there is nothing to try
    worth: Callable[[S, Seat], float]       # of a position for a seat, when the look ahead ends
    far: Callable[[S], object]              # what changes once for each step ahead: a turn, a round
    steps: int                              # how many such steps are played
    rows: int                               # played in all, at most
    least: float = 0.0                      # by how much another answer must be better than that of the solid player
    plays: Choice | None = None             # who plays on; None: the solid player


@dataclass(frozen=True, kw_only=True)
class Coach(Generic[S]):
    """How a game explains its answers to somebody who asks for a hint."""

    considered: Callable[[Position[Any], Rng], Mapping[Action, float]]
    # what each answer is worth at first sight, in a measure of the game's own; empty: the default is as good as any
    reasons: Callable[[Position[Any], Action], Sequence[Text]]      # what an answer gains, then what it risks, as sentences
    close: float                                    # by how much an answer may look worse than the best and still be told


@dataclass(frozen=True, kw_only=True)
class Players(Generic[S]):
    """The automatic players of a game."""

    known: Callable[[S, Seat], S]           # the state as a seat knows it, built from what it may see
    secret: frozenset[str]                  # the fields of a state in which anything is hidden from anybody
    imagined: Callable[[S, Seat, Rng], None]
    # draws what a seat does not know in a state as the seat knows it, in agreement with what it has seen
    solid: Choice                           # plays what is worth most at first sight, within 50 ms
    search: Search[S] | None = None         # how the strong player looks further than the solid one; None: not at all
    strong: Choice | None = None            # a judgement of its own, in place of a search, within 2 s
    coach: Coach[S] | None = None           # how the game explains answers; None: it gives no hints
