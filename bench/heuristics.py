"""What simulated people would tell the bot beforehand: rules of thumb, as the standing orders that they would give.

`struggle_minds` and `attack_minds` say what the people of each game think.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from bench.policy import Choice
from engine.kernel import Action, GameSpec, Seat
from engine.orders import ALWAYS, LINES, Order, OrderLine, Reply, Test, Wish

Thumbs: TypeAlias = Mapping[str, Sequence[Order]]
"""Rules of thumb by the device with which the bot is told of them; those under another name it is told when a form asks."""


def plainly(state: Any, seat: Seat, action: Action) -> Sequence[OrderLine]:
    """The line of a written turn for an answer that was imagined in this state."""
    return (OrderLine(then=Reply(verb=action.verb, fields=action.model_dump())),)


@dataclass(frozen=True, kw_only=True)
class Minds:
    """How the people of one game think, and what it offers them so that they need not be asked."""

    edition: str
    seats: int
    hours: int                          # of an answer, where there is a clock
    devices: tuple[str, ...]
    choice: Choice                      # of the moment, where no rule of thumb says what to answer
    thumbs: Callable[[Any, Seat, Random], Thumbs]           # none as long as a seat cannot know what to think of the others
    lists: Callable[[Any, Seat, Random], Sequence[Order]]   # for the set-up, once it is known what can be listed
    ahead: Callable[[Any, Seat], int]                       # how many turns come before a seat's own; 0: none can be written
    forward: Callable[[Any, Seat], None]                    # takes an imagined state to the beginning of a seat's turn
    turns: int = 1                                          # how many turns are written at once
    lines: Callable[[Any, Seat, Action], Sequence[OrderLine]] = plainly
    # of a written turn, for an answer that was imagined in a state


def answer(verb: str, *tests: Test, **fields: Wish) -> OrderLine:
    """If all this holds, answer so."""
    return OrderLine(when=tests, then=Reply(verb=verb, fields=fields))


def so(fact: str, value: bool | int | str = True) -> Test:
    return Test(fact=fact, op="is", value=value)


def at_least(fact: str, value: int) -> Test:
    return Test(fact=fact, op="at_least", value=value)


def at_most(fact: str, value: int) -> Test:
    return Test(fact=fact, op="at_most", value=value)


def standing(seat: Seat, point: str, *lines: OrderLine) -> Order:
    return Order(seat=seat, points=(point,), lines=lines, lasts=ALWAYS)


def packet(spec: GameSpec, state: Any, seat: Seat, mind: Iterable[Order]) -> list[Order]:
    """The form for the attack under way: what the mind says to all that may still be asked."""
    assert spec.orders is not None, "the game takes orders"
    span = spec.orders.spans(state, seat).get(spec.orders.packet, "")
    asked = spec.orders.foreseen(state).get(seat, ())
    return [order.model_copy(update={"kind": "packet", "lasts": spec.orders.packet, "span": span})
            for order in mind if order.points[0] in asked]


def written(spec: GameSpec, seat: Seat, lines: Sequence[OrderLine], span: str) -> Order:
    """A turn as it was imagined, line by line, as far as an order can go."""
    assert spec.orders is not None, "the game takes orders"
    return Order(seat=seat, kind="written", points=spec.orders.written, lines=tuple(lines[:LINES]), lasts="turn", span=span)
