"""Which spaces a card or tile means: the filters of the data (`event_filters`)."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games.imperial_struggle.components import SPAIN, Side, Space, foe
from engine.games.imperial_struggle.rules.control import is_protected
from engine.games.imperial_struggle.state import State


def opposing(s: State, side: Side, space: str) -> bool:
    """Whether a flag of the opponent, or of Spain, which is opposing to both sides, is there [IS-2.4.6, 19.1]."""
    return s.flags.get(space) in (foe(side), SPAIN)


CHECKS: Mapping[str, Callable[[State, Side, Space, Any], bool]] = {
    "flag": lambda s, side, here, flag: (
        opposing(s, side, here.id) if flag == "opponent" else s.flags.get(here.id, "") == flag),
    "types": lambda s, side, here, types: here.type in types,
    "region": lambda s, side, here, region: here.region == region,
    "regions": lambda s, side, here, regions: here.region in regions,
    "subregion": lambda s, side, here, subregion: here.subregion == subregion,
    "country": lambda s, side, here, country: here.country == country,
    "countries": lambda s, side, here, countries: here.country in countries,
    "commodity": lambda s, side, here, commodity: here.commodity == commodity,
    "spaces": lambda s, side, here, spaces: here.id in spaces,
    "exclude_countries": lambda s, side, here, countries: here.country not in countries,
    "alliance": lambda s, side, here, alliance: here.type == "political" and here.alliance == alliance,
    "local_alliance": lambda s, side, here, local: here.local_alliance == local,
    "protected": lambda s, side, here, protected: is_protected(s, here.id) == protected,
    "without_marker": lambda s, side, here, _: here.id not in s.huguenots,
    "adjacent_to_market_of": lambda s, side, here, owner: any(
        s.space(other).type == "market" and s.works(owner, other) for other in s.parts.joined[here.id])}
"""What each key of a filter asks of a space."""


def matches(s: State, side: Side, space: str, wanted: Mapping[str, Any]) -> bool:
    """Whether an available space is one of those that a filter means; `side` is the side that acts. Raises KeyError for a key
    that no filter has."""
    here = s.space(space)
    return all([CHECKS[key](s, side, here, value) for key, value in wanted.items()]) and s.is_open(space)


def fitting(s: State, side: Side, wanted: Mapping[str, Any]) -> list[str]:
    """The available spaces that a filter means, in the order of the data."""
    found = [s.parts.space[id] for id in s.parts.by_region[wanted["region"]]] if "region" in wanted else list(s.parts.spaces)
    for key, value in wanted.items():
        asked = CHECKS[key]
        found = [here for here in found if asked(s, side, here, value)]
    return [here.id for here in found if s.is_open(here.id)]
