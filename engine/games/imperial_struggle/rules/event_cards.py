"""Chapter 13: playing events.

STUB: the bodies are another engineer's.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games.imperial_struggle.state import State
from engine.kernel import Action, Game, Script

ANSWERS: Mapping[type[Action], Callable[[Game[State], Any], Script[None]]] = {}
"""The answers of an action round that this chapter adds (playing an event), and what each does."""
