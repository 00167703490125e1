"""What all facts of Imperial Struggle share: whether a step can still be taken back after them.

A kind after which no earlier step of the round can be taken back has a `binds` of its own [IS-7.4, 18]: something hidden has come
up ("draw"), a ministry is turned up ("reveal"), or the other side is asked ("question").
"""
from __future__ import annotations

from engine.kernel import Binding, Event as Fact

__all__ = ["Binding", "Fact", "binding"]


def binding(event: Fact) -> Binding:
    """Return what ends taking back after this fact; "" if nothing does."""
    return event.binds
