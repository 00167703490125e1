"""What a game is called."""
from __future__ import annotations

from engine.kernel import GameSpec
from engine.outside import one_line

TITLE = 60                      # characters of a title


def title_of(typed: str, spec: GameSpec) -> str:
    """Return what a game is called: what was typed, on one line and not too long; without a word the name of what is played."""
    return one_line(typed)[:TITLE].rstrip() or spec.name
