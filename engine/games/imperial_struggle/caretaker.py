"""A neutral hand for a side that nobody plays: it keeps what the side has, and takes nothing from the other one.

It repairs its forts and removes conflict markers from its own flags, with the military points of a tile that it takes for that;
else it passes and lowers its debt. It flags nothing, plays no event, takes no debt, hits nothing with its war tiles and leaves
the spoils of a war. What it has no view about gets the default of its question, as for a player who is away (IS-18.31).
"""
from __future__ import annotations

from engine.games.imperial_struggle.actions.choices import NONE, Choose
from engine.games.imperial_struggle.actions.military import ClearConflict, Fortify
from engine.games.imperial_struggle.actions.rounds import TakeTile
from engine.games.imperial_struggle.actions.wars import Forgo
from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.state import State
from engine.kernel import Action, Seat

MILITARY = "MP"


def caretaker(s: State, seat: Seat, options: tuple[Action, ...]) -> Action | None:
    """Return what the neutral hand answers among these options; None: the default of the question."""
    side = s.power(seat)
    if s.phase == "war":
        return next((option for option in options if option in (Forgo.of(), Choose.of(NONE))), None)
    return _tile(s, side, options) or _mended(s, side, options) if s.phase == "round" else None


def _tile(s: State, side: Side, options: tuple[Action, ...]) -> Action | None:
    """The tile with the most military points, if there is something to mend."""
    tiles = [option for option in options if isinstance(option, TakeTile)]
    return max(tiles, key=lambda option: _military(s, option.tile)) if tiles and _harm(s, side) else None


def _mended(s: State, side: Side, options: tuple[Action, ...]) -> Action | None:
    """A fort repaired, or a marker removed, by points alone."""
    harm = _harm(s, side)
    return next((option for option in options if isinstance(option, Fortify | ClearConflict) and option.space in harm
                 and not option.debt and not option.trp), None)


def _harm(s: State, side: Side) -> set[str]:
    """Its spaces that are damaged, or under a conflict marker."""
    return {space for space in (*s.damaged, *s.conflict) if s.controls(side, space)}


def _military(s: State, tile: str) -> int:
    face = s.parts.investment[tile]
    return max((action.points for action in (face.major, face.minor) if action.ap == MILITARY), default=0)
