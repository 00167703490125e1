"""Chapter 6: the economic action. What a shift of a market costs, what it needs, and the shift itself."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games.imperial_struggle.actions.shifts import ShiftMarket
from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.events.board import HuguenotsFlipped
from engine.games.imperial_struggle.rules import advantages
from engine.games.imperial_struggle.rules.control import shift
from engine.games.imperial_struggle.rules.points import Purchase, pay
from engine.games.imperial_struggle.rules.shifting import price_of_market, what_of
from engine.games.imperial_struggle.state import State
from engine.kernel import Action, Game, Script


def shift_market(g: Game[State], answer: ShiftMarket) -> Script[None]:
    """Pay for the shift of a market and shift it [IS-6.1]."""
    s = g.state
    side: Side = s.current.side
    price = price_of_market(s, side, answer.space, answer.advantage, answer.huguenots)
    pay(g, side, Purchase(what_of(s, answer.space), "EP", answer.space), price, answer.action, answer.debt, answer.trp)
    if answer.advantage:
        advantages.use(g, side, answer.advantage)
    if answer.huguenots:
        g.emit(HuguenotsFlipped(space=answer.huguenots))
    shift(g, side, answer.space)
    yield from ()


ANSWERS: Mapping[type[Action], Callable[[Game[State], Any], Script[None]]] = {ShiftMarket: shift_market}
