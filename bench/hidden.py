"""What is secret in each game, as the search for leaks has to know it: the secrets of a seat, and what lies hidden from all."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.kernel import Event, Seat
from engine.struggle_of_empires.unrest_bag import UnrestDrawn, in_use, whole_set

Change: TypeAlias = Callable[[Any, Seat, int], bool]
"""Gives a seat other secrets in a state, more so by a larger number; False if it has none yet."""


@dataclass(frozen=True)
class Secrets:
    """What is secret in a game, and in which mixtures of its options that is looked for."""

    of_seat: Change
    of_all: Callable[[Any, int], bool] = lambda state, amount: False        # the same for what nobody knows
    shown: Callable[[Any, Iterable[Event]], Mapping[Seat, object]] = lambda state, events: {}
    """What chance has shown of it to single seats: who was shown something else is no onlooker any more."""
    mixtures: tuple[Mapping[str, Any], ...] = ({},)


def unrest(state: Any, seat: Seat, amount: int) -> bool:
    """The unrest of a seat, and its gold where that is hidden [SOE-3.3.5, AMB-76]."""
    power = state.power(seat)
    if power not in state.unrest:
        return False
    state.unrest[power] += amount
    if not state.options.gold.public:
        state.gold[power] += amount
    return True


def bag(state: Any, amount: int) -> bool:
    """What is in the unrest bag, how many markers were drawn from it, and what those that come are drawn by [SOE-3.3.7]."""
    if not in_use(state):
        return False
    left = state.unrest_bag or whole_set(state)
    gone = next(kind for kind, number in left.items() if number)
    state.unrest_bag = {kind: number + amount * (kind != gone) for kind, number in left.items() if kind != gone or number > 1}
    state.bag_key, state.drawn = f"{amount:032x}", state.drawn + amount
    return True


def drawn(state: Any, events: Iterable[Event]) -> Mapping[Seat, object]:
    """The markers that each seat has drawn, which it alone has seen [SOE-3.3.8]."""
    seen: dict[Seat, list[object]] = {}
    for event in events:
        if isinstance(event, UnrestDrawn):
            seen.setdefault(state.seat(event.power), []).append(event.markers)
    return seen


SECRETS: dict[str, Secrets] = {
    "struggle_of_empires": Secrets(unrest, bag, drawn, (
        {}, {"gold.public": False, "gifts.public": False}, {"gold.public": False})),
}
