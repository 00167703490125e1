"""Drawing and discarding event cards (chapters 4.6, 7.3)."""
from __future__ import annotations

from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.events.cards import EventDiscarded, EventsDrawn
from engine.games.imperial_struggle.rules.choices import drawn
from engine.games.imperial_struggle.state import State
from engine.kernel import Game, Script


def can_draw(s: State) -> bool:
    """True if an event can be drawn; the discards are not shuffled for it [IS-7.3, R-39]."""
    return bool(s.deck)


def draw_event(g: Game[State], side: Side) -> Script[str]:
    """One event from the pile into a hand; its id, or "" if the pile is empty [IS-7.3, 7.4]."""
    cards = yield from drawn(g.state.deck, 1, why="event", side=side, turn=g.state.turn, round=g.state.ar)
    if cards:
        g.emit(EventsDrawn(side=side, cards=tuple(cards)))
    return cards[0] if cards else ""


def discard(g: Game[State], side: Side, card: str) -> None:
    """A card of a hand goes to the discards, for everybody to see [IS-13.8]."""
    g.emit(EventDiscarded(side=side, card=card))
