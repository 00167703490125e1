"""The military action."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games.imperial_struggle.state import State
from engine.kernel import Action, Game, Script

ANSWERS: Mapping[type[Action], Callable[[Game[State], Any], Script[None]]] = {}
