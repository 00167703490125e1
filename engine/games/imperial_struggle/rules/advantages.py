"""Chapter 11: using advantages. Who holds which follows from flags and is moved by `rules.control` [IS-11.1, 11.2].

STUB: the bodies are another engineer's. What stands here is what the rest of the game calls.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.state import State
from engine.kernel import Action, Game, Script

ANSWERS: Mapping[type[Action], Callable[[Game[State], Any], Script[None]]] = {}
"""The answers of an action round that this chapter adds, and what each does."""


def discounts(s: State, side: Side, space: str, what: str) -> list[str]:
    """The advantages that a side may use now to make this shift cheaper (`market_discount`, `political_discount`)."""
    return []


def squadron_prices(s: State, side: Side) -> list[str]:
    """The advantages that a side may use now to build a squadron for a fixed price (Slaving Contracts)."""
    return []


def use(g: Game[State], side: Side, advantage: str, *, exhausts: bool = True) -> None:
    """Mark the use of an advantage, with what reacts to it (M-13, M-19) [IS-11.3, 11.5]. Called by purchases, too."""
