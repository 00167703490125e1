"""Every fact of the game; each is stored by its name. A fact is listed here as soon as its module is."""
from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from engine.games.imperial_struggle.events import board, cards, choices, money, points, tiles, turns, wars
from engine.games.imperial_struggle.events.base import Fact
from engine.kernel import Event

MODULES: tuple[ModuleType, ...] = (turns, cards, tiles, points, money, board, choices, wars)


def _facts(module: ModuleType) -> Iterator[type[Event]]:
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, Fact) and value.__module__ == module.__name__:
            yield value


ALL: tuple[type[Event], ...] = tuple(fact for module in MODULES for fact in _facts(module))
