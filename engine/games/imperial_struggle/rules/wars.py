"""Chapter 14: a war turn, theater by theater.

STUB: nothing is fought. The bodies are another engineer's: he replaces `war`, and adds what it needs.
"""
from __future__ import annotations

from engine.games.imperial_struggle.rules.track import next_step
from engine.games.imperial_struggle.rules.victory import check_points
from engine.games.imperial_struggle.state import State
from engine.kernel import Game, Script


def war(g: Game[State]) -> Script[None]:
    """A war turn: resolution, victory check, reset, layout, and the next step of the track [IS-14.1].

    One theater at a time is one run of this phase (state.war says which), so that the table keeps a checkpoint before each.
    """
    yield from ()
    if not check_points(g):
        next_step(g)
