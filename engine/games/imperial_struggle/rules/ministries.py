"""Chapter 12: turning ministries up, and the abilities that a side uses by choice.

STUB: the bodies are another engineer's.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.state import State
from engine.kernel import Action, Game, Script

ANSWERS: Mapping[type[Action], Callable[[Game[State], Any], Script[None]]] = {}
"""The answers of an action round that this chapter adds (turning up, using), and what each does."""


def squadron_prices(s: State, side: Side) -> list[str]:
    """The abilities that a side may use now to build a squadron for a fixed price (M-10.1, M-11.2, M-15.2) [IS-8.5]."""
    return []


def use(g: Game[State], side: Side, ability: str) -> None:
    """Mark the use of an ability by a purchase [IS-12.5]."""
