"""What the simulated people of Attack! think, and would tell the bot beforehand."""
from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from bench.heuristics import Minds, Thumbs, answer, so, standing
from bench.policy import solid
from engine.games.attack import GAME
from engine.games.attack.options import MESSAGE
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.setup import FIRST_UNITS, claimable
from engine.games.attack.rules.trade import Offer
from engine.games.attack.rules.turns import Begin
from engine.games.attack.state import NAVAL, PRODUCTION, TurnState, size
from engine.kernel import Action, Ask, Seat
from engine.orders import DEFAULT, Order

SOLID = solid(GAME)
FAR = 12                    # no way on land is so long: territories that no land joins come last in a list
BUSY = 0.1                 # of the questions for an action are answered by an offer of cards, and as many by a challenge at sea
SAILING = 0.25              # of the questions for orders are answered by a crossing


def choice(state: Any, question: Ask[Any], options: Sequence[Action], rng: Random) -> Action:
    """A sensible player who also asks others for something: crosses water, offers cards, challenges who controls the sea lanes.

    He buys before he fights: so new units march at once, and what he writes ahead hangs on no battle.
    """
    power, whim = state.power(question.seat), rng.random()
    if question.point == "D-04":
        offers = [option for option in options if isinstance(option, Offer)]
        begun = {option.action: option for option in options if isinstance(option, Begin)}
        if offers and whim < BUSY:
            return rng.choice(offers)
        if NAVAL in begun and state.controller and whim > 1 - BUSY \
                and size(state.fit(power)) >= size(state.fit(state.controller)):
            return begun[NAVAL]
        if PRODUCTION in begun:
            return begun[PRODUCTION]
    elif question.point == "D-05" and not state.turn.crossings and whim < SAILING:
        crossing = [option for option in options if isinstance(option, Move) and option.way == "water"]
        if crossing:
            return rng.choice(crossing)
    return SOLID(state, question, options, rng)


def thumbs(state: Any, seat: Seat, rng: Random) -> Thumbs:
    """Refuse crossings to one's own land, fight at sea if it is even, trade with nobody, and play to the end."""
    return {"orders": [
        standing(seat, "D-06", answer("permit", so("on_me"), allow=False), answer("permit", allow=True)),
        standing(seat, "D-07", answer("fly", on=False)),
        standing(seat, "D-14", answer("fight", so("enough_ships"), on=True), answer("fight", on=False)),
        standing(seat, "D-20", answer("answer", accept=False)),
        standing(seat, "D-21", answer("permit", allow=True)),
        standing(seat, "D-24", answer("answer", accept=False))],
        "kept": [standing(seat, point, answer(DEFAULT)) for point in ("D-02", "D-03")]}


def lists(state: Any, seat: Seat, rng: Random) -> Sequence[Order]:
    """The whole set-up at the first look: territories as near to each other as can be, units and the capital where it begins."""
    if state.phase not in ("claiming", "deploying", "founding"):
        return []
    power = state.power(seat)
    own, free = state.territories(power), list(claimable(state, power))
    home = own[0] if own else rng.choice(free)
    wish = (*own, *sorted(free, key=lambda land: _steps(state, home, land)))
    placed = sum(map(sum, (state.units[land].values() for land in own))) - len(own)
    return [standing(seat, "D-01", answer("claim", territory=wish)),
            standing(seat, "D-02", *(answer("deploy", unit=unit, territory=wish) for unit in FIRST_UNITS[placed:])),
            standing(seat, "D-03", answer("capital", territory=wish))]


def _steps(state: Any, origin: str, goal: str) -> int:
    """How many borders lie between two territories."""
    reached, steps = {origin}, 0
    while goal not in reached and steps < FAR:
        reached |= {other for land in reached for other in state.parts.territory[land].adjacent}
        steps += 1
    return steps


def ahead(state: Any, seat: Seat) -> int:
    """Of the players still in the game, those whose turns come before, the present one included; in a battle nobody knows."""
    power = state.power(seat)
    if state.phase != "turn" or state.battle is not None or power in state.out:
        return 0
    order = [other for other in state.in_turn_order() if other not in state.out]
    return (order.index(power) - order.index(state.active)) % len(order)


def forward(state: Any, seat: Seat) -> None:
    """The turns in between have changed nothing; what was open is closed."""
    power = state.power(seat)
    state.round += state.in_turn_order().index(power) < state.in_turn_order().index(state.active)
    state.place, state.turn, state.naval, state.deal, state.proposal = state.seats.index(seat), TurnState(), None, None, ""


MINDS = Minds(edition=MESSAGE, seats=4, hours=24, devices=("orders", "packets", "written", "clock"), choice=choice, thumbs=thumbs,
              lists=lists, ahead=ahead, forward=forward)
