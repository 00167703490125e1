"""What all facts of Imperial Struggle share: whether a step can still be taken back after them."""
from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from engine.kernel import Event

Binding: TypeAlias = Literal["", "draw", "reveal", "question"]


class Fact(Event):
    """One fact. After one that binds, no earlier step of the round can be taken back [IS-7.4, 18]."""

    binds: ClassVar[Binding] = ""           # what was hidden has come up, or the other side is asked
