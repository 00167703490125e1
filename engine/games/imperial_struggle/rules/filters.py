"""Which spaces a card or tile means: the filters of the data (`event_filters`)."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games.imperial_struggle.components import SPAIN, Side, foe
from engine.games.imperial_struggle.components.board import PRINTED
from engine.games.imperial_struggle.rules.control import is_protected
from engine.games.imperial_struggle.state import State


def opposing(s: State, side: Side, space: str) -> bool:
    """Whether a flag of the opponent, or of Spain, which is opposing to both sides, is there [IS-2.4.6, 19.1]."""
    return s.flags.get(space) in (foe(side), SPAIN)


CHECKS: Mapping[str, Callable[[State, Side, str, Any], bool]] = {
    "flag": lambda s, side, space, flag: (
        opposing(s, side, space) if flag == "opponent" else s.flags.get(space, "") == flag),
    "protected": lambda s, side, space, protected: is_protected(s, space) == protected,
    "without_marker": lambda s, side, space, _: space not in s.huguenots,
    "adjacent_to_market_of": lambda s, side, space, owner: any(
        s.works(owner, other) for other in s.parts.joined_markets[space])}
"""What each key of a filter asks of the board of this moment; what is asked of the printed space is in `PRINTED`."""


def fits_now(s: State, side: Side, space: str, wanted: Mapping[str, Any]) -> bool:
    """Whether the board of this moment lets a filter mean a space that it can mean by what is printed on it."""
    return all([CHECKS[key](s, side, space, value) for key, value in wanted.items() if key not in PRINTED])


def fitting(s: State, side: Side, wanted: Mapping[str, Any]) -> list[str]:
    """The available spaces that a filter means, in the order of the data; `side` is the side that acts. Raises KeyError for a
    key that no filter has."""
    found = [s.parts.space[id] for id in s.parts.by_region[wanted["region"]]] if "region" in wanted else list(s.parts.spaces)
    for key, value in wanted.items():
        if (printed := PRINTED.get(key)) is not None:
            found = [here for here in found if printed(here, value)]
    return [here.id for here in found if fits_now(s, side, here.id, wanted) and s.is_open(here.id)]
