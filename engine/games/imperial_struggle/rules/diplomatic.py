"""Chapter 7: the diplomatic action: shifts of political spaces, and drawing events."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games.imperial_struggle.actions.shifts import DrawEvent, ShiftPolitical
from engine.games.imperial_struggle.rules import advantages
from engine.games.imperial_struggle.rules.cards import draw_event
from engine.games.imperial_struggle.rules.control import shift
from engine.games.imperial_struggle.rules.points import Purchase, pay
from engine.games.imperial_struggle.rules.shifting import DRAWING, price_of_political, shift_kind, what_of
from engine.games.imperial_struggle.state import State
from engine.kernel import Action, Game, Script


def shift_political(g: Game[State], answer: ShiftPolitical) -> Script[None]:
    """Pay for the shift of a political space and shift it [IS-7.1]."""
    s = g.state
    side, kind = s.current.side, shift_kind(s, answer.action)
    price = price_of_political(s, side, answer.space, answer.advantage, kind)
    pay(g, side, Purchase(what_of(s, answer.space), kind, answer.space), price, answer.action, answer.debt, answer.trp)
    if answer.advantage:
        advantages.use(g, side, answer.advantage)
    shift(g, side, answer.space)
    yield from ()


def draw(g: Game[State], answer: DrawEvent) -> Script[None]:
    """Pay for an event and draw it [IS-7.3]."""
    side = g.state.current.side
    pay(g, side, Purchase("draw_event", "DP"), DRAWING, answer.action, answer.debt, answer.trp)
    yield from draw_event(g, side)


ANSWERS: Mapping[type[Action], Callable[[Game[State], Any], Script[None]]] = {ShiftPolitical: shift_political, DrawEvent: draw}
