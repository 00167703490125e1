"""What a check of a fact is given, and where it is registered."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from engine.games.struggle_of_empires import GAME, events as fact
from engine.games.struggle_of_empires.components import UNITS
from engine.games.struggle_of_empires.rules.unrest_bag import UnrestDrawn
from engine.games.struggle_of_empires.state import State
from engine.kernel import Event


@dataclass
class Record:
    """What happened before a fact."""

    all: list[Event] = field(default_factory=list)
    battle: list[Event] = field(default_factory=list)       # of the attack or raid under way
    war: list[Event] = field(default_factory=list)
    turn: list[Event] = field(default_factory=list)
    row: list[Event] = field(default_factory=list)
    answer: dict[str, Any] = field(default_factory=dict)    # of the row
    verb: str = ""

    def last(self, kind: type[Event]) -> Any:
        """The newest fact of a kind, or None."""
        return next((event for event in reversed(self.all) if isinstance(event, kind)), None)

    def note(self, event: Event) -> None:
        if isinstance(event, fact.AttackDeclared | fact.RaidBegun):
            self.battle.clear()
        if isinstance(event, fact.AuctionBegun):
            self.war.clear()
        if isinstance(event, fact.TurnBegun):
            self.turn.clear()
        for events in (self.all, self.battle, self.war, self.turn, self.row):
            events.append(event)


Check: TypeAlias = Callable[[State, Any, Record], Iterator[None]]
CHECKS: dict[str, tuple[tuple[type[Event], ...], Check]] = {}


def of(*kinds: type[Event]) -> Callable[[Check], Check]:
    """A check of these facts."""
    def register(check: Check) -> Check:
        CHECKS[check.__name__] = (kinds or GAME.rules.events, check)
        return check
    return register


def number(events: list[Event], *kinds: type[Event]) -> int:
    return sum(isinstance(event, kinds) for event in events)


def some(events: list[Event], kind: type[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def owned(s: State) -> dict[str, Counter[str]]:
    return {power: Counter(s.tiles[power]) for power in s.tiles}


def standing(s: State) -> dict[tuple[str, str], int]:
    return {(power, kind): sum(s.units[power][kind].values()) for power in s.units for kind in UNITS}


def markers_of(change: Any) -> int:
    """How many unrest markers somebody took."""
    return sum(change.markers.values()) if isinstance(change, UnrestDrawn) else change.by
