"""The turn track: from one step to the next (chapter 1)."""
from __future__ import annotations

from engine.games.imperial_struggle.components import SIDES
from engine.games.imperial_struggle.events.turns import StepBegun
from engine.games.imperial_struggle.rules.victory import settle
from engine.games.imperial_struggle.state import State
from engine.kernel import Game

ROUNDS = 8              # action rounds of a peace turn [IS-4.9]


def is_last_round(s: State) -> bool:
    """True if the action round under way is its side's last one in this turn."""
    return s.ar > ROUNDS - len(SIDES)


def next_step(g: Game[State]) -> None:
    """Go on to the next turn, war or peace [IS-1.2]; a first game that ends with the first war ends after it."""
    s = g.state
    if s.options.length == "first_war" and s.here.kind == "war":
        settle(g, "first_war")
        return
    g.emit(StepBegun(step=s.step + 1, vp=s.vp if s.rules_version else None))
