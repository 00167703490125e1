"""Which spaces a card or tile means: the filters of the data (`event_filters`)."""
from __future__ import annotations

from engine.games.imperial_struggle.components import SPAIN, Side, foe
from engine.games.imperial_struggle.components.effects import Filter
from engine.games.imperial_struggle.rules.control import is_protected
from engine.games.imperial_struggle.state import State


def opposing(s: State, side: Side, space: str) -> bool:
    """True if a flag of the opponent, or of Spain, which is opposing to both sides, is there [IS-2.4.6, 19.1]."""
    return s.flags.get(space) in (foe(side), SPAIN)


def fits_now(s: State, side: Side, space: str, wanted: Filter) -> bool:
    """True if the board of this moment lets a filter mean a space that it can mean by what is printed on it."""
    if wanted.flag and not (opposing(s, side, space) if wanted.flag == "opponent" else s.flags.get(space) == wanted.flag):
        return False
    return (wanted.protected is None or is_protected(s, space) == wanted.protected) and not (
        wanted.without_marker and space in s.huguenots)


def fitting(s: State, side: Side, wanted: Filter) -> list[str]:
    """The available spaces that a filter means, in the order of the data; `side` is the side that acts."""
    return [here.id for here in s.parts.spaces
            if wanted.prints(here) and fits_now(s, side, here.id, wanted) and s.is_open(here.id)]
