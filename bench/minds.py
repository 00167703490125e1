"""What simulated people would tell the bot beforehand: rules of thumb, as the standing orders that they would give."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from engine.kernel import Action, GameSpec, Seat
from engine.orders import ALWAYS, LEAST, MOST, OCCASION, Line, Order, Reply, Test
from engine.struggle_of_empires.setup import usual_place

HOSTILE = 0.4               # of the other powers: those whom one would rather have as allies than as enemies
DEAREST = 4                 # gold: the most that anybody bids to change a proposal
HELPFUL = 0.5               # of the people send help when they are called
BOLD = 0.5                  # of the people fight at sea when it is even


def answer(verb: str, *tests: Test, **fields: Any) -> Line:
    """If all this holds, answer so."""
    return Line(when=tests, then=Reply(verb=verb, fields=fields))


def at_least(fact: str, value: int) -> Test:
    return Test(fact=fact, op="at_least", value=value)


def at_most(fact: str, value: int) -> Test:
    return Test(fact=fact, op="at_most", value=value)


def standing(seat: Seat, point: str, *lines: Line) -> Order:
    return Order(seat=seat, points=(point,), lines=lines, lasts=ALWAYS)


def ladder(seat: Seat, powers: Sequence[str], own: str, rng: Random) -> list[Order]:
    """Raise by the least, up to a few gold, when the proposal makes an enemy of somebody feared; else pass."""
    others = [power for power in powers if power != own]
    lines = [answer("pass", Test(fact="unchanged", value=True))]
    for feared in others:
        if rng.random() < HOSTILE:
            friend = rng.choice([power for power in others if power != feared])
            proposal = {"a": own, "b": friend} if rng.random() < 0.5 else {"a": friend, "b": own}
            most = rng.randint(1, DEAREST)
            lines.append(Line(when=(Test(fact="opposite", value=feared), at_most("bid", most - 1)), most=most,
                              then=Reply(verb="bid", fields={"gold": LEAST, **proposal})))
    return [standing(seat, "DP-04", *lines, answer("pass"))]


def reactions(seat: Seat, rng: Random) -> list[Order]:
    """Help or not, fight at sea when strong enough, use a tile when it matters."""
    help_line = answer("commit", armies=MOST, navies=MOST) if rng.random() < HELPFUL else answer("commit", armies=0, navies=0)
    needed = 0 if rng.random() < BOLD else 1
    behind, lost = at_most("lead", -1), at_most("margin", 0)
    use, decline = "use", answer("decline")
    return [
        standing(seat, "DP-11", answer("call", allies=MOST)), standing(seat, "DP-13", answer("call", allies=MOST)),
        standing(seat, "DP-12", help_line), standing(seat, "DP-14", help_line),
        standing(seat, "DP-15", answer("fight", at_least("lead", needed)), decline),
        standing(seat, "DP-16", answer("fight", at_least("lead", needed)), decline),
        standing(seat, "DP-17", answer("alliance", stage="land")), standing(seat, "DP-18", answer("alliance", stage="land")),
        standing(seat, "DP-19", answer(use, behind), decline),
        standing(seat, "DP-20", answer(use, lost), decline), standing(seat, "DP-21", answer(use, lost), decline),
        standing(seat, "DP-22", answer(use, at_least("losses", 2)), decline),
        standing(seat, "DP-23", answer("lose", unit=("army", "fort"))),
    ]


def opening(seat: Seat, powers: Sequence[str]) -> list[Order]:
    """Open an auction with 0 gold for the first two that are still free, in the order of a list."""
    pairs = [(a, b) for a in powers for b in powers if a != b]
    both = [answer("bid", gold=0, a=a, b=b) for a, b in pairs[:14]]
    return [standing(seat, "DP-03", *both, *(answer("bid", gold=0, a=a, b="") for a in powers[:6]))]


def turn_end(seat: Seat) -> list[Order]:
    """End the turn when both actions are done."""
    return [standing(seat, "DP-06", answer("end"))]


def placements(state: Any, seat: Seat) -> list[Order]:
    """Where the starting units go, once the own markers are drawn."""
    lines: list[Line] = []
    imagined = state.model_copy(deep=True)
    imagined.parts = state.parts
    power = state.power(seat)
    left = state.parts.set_up(len(state.seats)).start_units_per_player - sum(
        sum(there.values()) for there in state.units[power].values())
    for _ in range(left):
        place = usual_place(imagined, seat)
        lines.append(answer("place", unit=place.unit, area=place.area))
        there = imagined.units[power][place.unit]
        there[place.area] = there.get(place.area, 0) + 1
    return [standing(seat, "DP-02", *lines)] if lines else []


def packet(spec: GameSpec, state: Any, seat: Seat, mind: Iterable[Order]) -> list[Order]:
    """The form for the attack under way: what the mind says to all that may still be asked."""
    assert spec.ordering is not None, "the game takes orders"
    span = spec.ordering.spans(state, seat).get(OCCASION, "")
    asked = spec.ordering.foreseen(state).get(seat, ())
    return [order.model_copy(update={"kind": "packet", "lasts": OCCASION, "span": span})
            for order in mind if order.points[0] in asked]


def written(spec: GameSpec, seat: Seat, actions: Iterable[Action], span: str) -> Order:
    """A turn as it was imagined, line by line."""
    assert spec.ordering is not None, "the game takes orders"
    lines = tuple(Line(then=Reply(verb=action.verb, fields=action.model_dump())) for action in actions)
    return Order(seat=seat, kind="written", points=spec.ordering.written, lines=lines, lasts="turn", span=span)
