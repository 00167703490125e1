"""What the simulated people of Struggle of Empires think, and would tell the bot beforehand."""
from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from bench.heuristics import Minds, Thumbs, answer, at_least, at_most, so, standing
from bench.policy import simple
from engine.games.struggle_of_empires.rules.setup import usual_place
from engine.kernel import Seat
from engine.orders import LEAST, MOST, Order, OrderLine, Reply

HOSTILE = 0.4               # of the other powers: those whom one would rather have as allies than as enemies
DEAREST = 4                 # gold: the most that anybody bids to change a proposal
HELPFUL = 0.5               # of the people send help when they are called
BOLD = 0.5                  # of the people fight at sea when it is even


def thumbs(state: Any, seat: Seat, rng: Random) -> Thumbs:
    """Once all powers are chosen: what to bid for, what to answer in battles, when the turn ends."""
    powers, own = state.powers, state.power(seat)
    if not all(powers) or len(powers) < len(state.seats):
        return {}
    return {"ladders": [*ladder(seat, powers, own, rng), *opening(seat, powers)],
            "orders": [*reactions(seat, rng), standing(seat, "DP-06", answer("end"))]}


def ladder(seat: Seat, powers: Sequence[str], own: str, rng: Random) -> list[Order]:
    """Raise by the least, up to a few gold, when the proposal makes an enemy of somebody feared; else pass."""
    others = [power for power in powers if power != own]
    lines = [answer("pass", so("unchanged"))]
    for feared in others:
        if rng.random() < HOSTILE:
            friend = rng.choice([power for power in others if power != feared])
            proposal = {"a": own, "b": friend} if rng.random() < 0.5 else {"a": friend, "b": own}
            most = rng.randint(1, DEAREST)
            lines.append(OrderLine(when=(so("opposite", feared), at_most("bid", most - 1)), most=most,
                              then=Reply(verb="bid", fields={"gold": LEAST, **proposal})))
    return [standing(seat, "DP-04", *lines, answer("pass"))]


def opening(seat: Seat, powers: Sequence[str]) -> list[Order]:
    """Open an auction with 0 gold for the first two that are still free, in the order of a list."""
    pairs = [(a, b) for a in powers for b in powers if a != b]
    both = [answer("bid", gold=0, a=a, b=b) for a, b in pairs[:14]]
    return [standing(seat, "DP-03", *both, *(answer("bid", gold=0, a=a, b="") for a in powers[:6]))]


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


def placements(state: Any, seat: Seat, rng: Random) -> list[Order]:
    """Where the starting units go, once the own markers are drawn."""
    if state.phase != "placing":
        return []
    lines: list[OrderLine] = []
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


def ahead(state: Any, seat: Seat) -> int:
    """Of the players in this round's order, those who still come before."""
    return max(0, state.order.index(state.power(seat)) - state.place) if state.phase == "turn" else 0


def forward(state: Any, seat: Seat) -> None:
    """The turns in between have changed nothing."""
    state.place, state.battle, state.turn = state.order.index(state.power(seat)), None, type(state.turn)()


MINDS = Minds(edition="first", seats=7, hours=48, devices=("orders", "ladders", "packets", "written", "clock"), choice=simple,
              thumbs=thumbs, lists=placements, ahead=ahead, forward=forward)
