"""Which spaces a card or tile means: the filters of the data (`event_filters`)."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.games.imperial_struggle.components import SPAIN, Side, foe
from engine.games.imperial_struggle.rules.control import is_protected
from engine.games.imperial_struggle.state import State

KNOWN = frozenset({"flag", "types", "region", "regions", "subregion", "country", "countries", "commodity", "spaces",
                   "exclude_countries", "alliance", "local_alliance", "protected", "adjacent_to_market_of", "without_marker"})


def opposing(s: State, side: Side, space: str) -> bool:
    """Whether a flag of the opponent, or of Spain, which is opposing to both sides, is there [IS-2.4.6, 19.1]."""
    return s.flags.get(space) in (foe(side), SPAIN)


def matches(s: State, side: Side, space: str, wanted: Mapping[str, Any]) -> bool:
    """Whether an available space is one of those that a filter means; `side` is the side that acts."""
    assert KNOWN.issuperset(wanted), f"no filter knows {sorted(set(wanted) - KNOWN)}"
    here, owner = s.space(space), s.flags.get(space, "")
    return s.is_open(space) and all((
        "flag" not in wanted or (opposing(s, side, space) if wanted["flag"] == "opponent" else owner == wanted["flag"]),
        "types" not in wanted or here.type in wanted["types"],
        "region" not in wanted or here.region == wanted["region"],
        "regions" not in wanted or here.region in wanted["regions"],
        "subregion" not in wanted or here.subregion == wanted["subregion"],
        "country" not in wanted or here.country == wanted["country"],
        "countries" not in wanted or here.country in wanted["countries"],
        "commodity" not in wanted or here.commodity == wanted["commodity"],
        "spaces" not in wanted or space in wanted["spaces"],
        "exclude_countries" not in wanted or here.country not in wanted["exclude_countries"],
        "alliance" not in wanted or (here.type == "political" and here.alliance == wanted["alliance"]),
        "local_alliance" not in wanted or here.local_alliance == wanted["local_alliance"],
        "protected" not in wanted or is_protected(s, space) == wanted["protected"],
        "without_marker" not in wanted or space not in s.huguenots,
        "adjacent_to_market_of" not in wanted or any(
            s.space(other).type == "market" and s.works(wanted["adjacent_to_market_of"], other)
            for other in s.parts.joined[space])))


def fitting(s: State, side: Side, wanted: Mapping[str, Any]) -> list[str]:
    """The available spaces that a filter means, in the order of the data."""
    return [space for space in s.parts.space if matches(s, side, space, wanted)]
