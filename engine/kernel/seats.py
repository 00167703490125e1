"""Who answers, and on whose word."""
from __future__ import annotations

from typing import Literal, NewType, TypeAlias

Seat = NewType("Seat", str)
CHANCE = Seat("chance")          # the dice and the draws from a bag answer questions too
WORLD = Seat("world")            # what is so outside the game, and nobody at the table says

By: TypeAlias = Literal["player", "order", "clock", "moderator", "dice", "rule", "world"]
