"""Chapters 12.3 and 13: control of the sea lanes, and naval battles.

`naval_action(g, power)` is the whole action: it is called when a player who has a ship and is not the controller takes Naval
battle, and emits `ActionSpent` and `ActionFinished`.
"""
from __future__ import annotations

from engine.attack.state import NAVAL, State
from engine.attack.turns import ActionFinished, ActionSpent
from engine.kernel import Event, Game, Script
from engine.text import Text, text


class ControlTaken(Event):
    """A player controls the sea lanes from now on [ATK-12.3, 13.1.2, 13.6.1]."""

    power: str
    before: str = ""

    def apply(self, s: State) -> None:
        s.controller = self.power

    def line(self) -> Text:
        return text("{power} controls the sea lanes.", power=self.power)


def naval_action(g: Game[State], power: str) -> Script[None]:
    """Control without a fight if nobody has it; else the challenge [ATK-12.3, 13]."""
    s = g.state
    g.emit(ActionSpent(power=power, action=NAVAL))
    g.emit(ControlTaken(power=power, before=s.controller))
    g.emit(ActionFinished(power=power))
    yield from ()
