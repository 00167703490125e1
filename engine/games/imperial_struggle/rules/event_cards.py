"""Chapter 13: playing an event. What it needs is in `rules.playing`, what the cards do in `rules.effects`."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.events.cards import AbilityUsed, EventPlayed
from engine.games.imperial_struggle.rules.effects import at_debt_limit, play
from engine.games.imperial_struggle.rules.ministries import reveal
from engine.games.imperial_struggle.rules.ministry_effects import raise_actions
from engine.games.imperial_struggle.rules.playing import bonus_comes
from engine.games.imperial_struggle.state import State
from engine.kernel import Action, Game, Script


def play_event(g: Game[State], answer: PlayEvent) -> Script[None]:
    """An event: the bonus is tested first, the base effect carried out before it [IS-13.5]; the card leaves the game."""
    s = g.state
    side, card = s.current.side, s.parts.event[answer.event]
    if answer.reveal:
        reveal(g, side, answer.reveal)
    if answer.waiver:
        g.emit(AbilityUsed(side=side, ability=answer.waiver))
    half, bonus, limits = card.half(side), bonus_comes(s, side, card), at_debt_limit(s)
    g.emit(EventPlayed(side=side, card=card.id, bonus=bonus))
    yield from play(g, side, card.id, half.base, limits)
    if bonus and half.bonus is not None:
        yield from play(g, side, card.id, half.bonus, limits)
    raise_actions(g)


ANSWERS: Mapping[type[Action], Callable[[Game[State], Any], Script[None]]] = {PlayEvent: play_event}
