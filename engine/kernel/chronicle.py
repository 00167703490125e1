"""What a game tells of its whole course once it is over: points over time, fights, dice; all as everybody has seen it."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from engine.kernel.events import Event
from engine.kernel.seats import Seat
from engine.text import Text, count, text

S = TypeVar("S")


class Period(NamedTuple):
    """A stretch of a game, of the kind by which its players remember it."""

    name: Text                  # "War 2"
    short: str                  # where that has no room: "2"


class Fight(NamedTuple):
    """One attack with its end. Sides are ids, among them those of seats; `won`: by the attacker."""

    attacker: str
    defender: str
    won: bool


class Luck(NamedTuple):
    """One roll of a side: what the dice have brought, and what such dice bring on average."""

    side: str
    got: float
    expected: float


Told: TypeAlias = Iterable[tuple[Event, S]]
"""Every event with the story's one state just after it: take from it at once what is wanted."""


def fought(attacker: str, defender: str, fights: int, won: int) -> Text:
    if fights == 1:
        end = text("won") if won else text("not won")
    else:
        end = text("all won") if won == fights else text("{n} won", n=won) if won else text("none won")
    return text("{one:The} against {other:the}: {fights}, {end}", one=attacker, other=defender, end=end,
                fights=count(fights, "{n} fight", "{n} fights"))


@dataclass(frozen=True, kw_only=True)
class Course(Generic[S]):
    """What the chronicle of a game is made from. Nothing of it may rest on what was secret when it happened."""

    score: Callable[[S], Mapping[Seat, int]]                    # the points that all see, by seat; none before they count
    counted: Text                                               # what they are: "Victory points"
    stops: tuple[type[Event], ...]                              # after which events they are noted
    period: Callable[[S], Period]
    moment: Callable[[S], Text]                                 # "War 2, round 3"
    deeds: Callable[[Told[Any]], Iterator[Fight | Luck]]        # in the order in which they happened
    dice: Text | None = None                                    # what dice bring: "hits"; None: there are none to speak of
    fought: Callable[[str, str, int, int], Text] = fought       # attacker, defender, how often, how often the attacker won
