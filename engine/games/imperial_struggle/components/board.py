"""The board: regions, countries, spaces, the lines between them (chapter 2)."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from engine.games.imperial_struggle.components import Side, SpaceType
from engine.games.imperial_struggle.components.records import Named, Part
from engine.kernel.model import Record


class Region(Named):
    subregions: tuple[str, ...]


class Country(Part):
    id: str
    spaces: tuple[str, ...]
    multi_space: bool


class Box(Part):
    id: str
    xy: tuple[float, float]


class Strength(Record):
    """A theater in which a space lends one strength."""

    war: str
    theater: int


class Space(Named):
    region: str
    subregion: str | None
    type: SpaceType
    cost: int | None                        # None for naval spaces
    cost_kind: Literal["DP", "EP", "MP", "CP", "deploy"]
    prestige: bool
    country: str | None
    alliance: bool
    local_alliance: bool
    war_dots: tuple[str, ...]
    strength_in: tuple[Strength, ...]
    commodity: str | None
    start_flag: Side | None
    available_from: Literal["succession", "empire", "revolution", "turn_6"]
    available_if: str | None
    advantages: tuple[str, ...]
    xy: tuple[float, float]

    @property
    def price(self) -> int:
        """The printed price; not for naval spaces."""
        assert self.cost is not None, f"{self.id} has no price of its own"
        return self.cost


PRINTED: Mapping[str, Callable[[Space, Any], bool]] = {
    "types": lambda here, types: here.type in types,
    "region": lambda here, region: here.region == region,
    "regions": lambda here, regions: here.region in regions,
    "subregion": lambda here, subregion: here.subregion == subregion,
    "country": lambda here, country: here.country == country,
    "countries": lambda here, countries: here.country in countries,
    "commodity": lambda here, commodity: here.commodity == commodity,
    "spaces": lambda here, spaces: here.id in spaces,
    "exclude_countries": lambda here, countries: here.country not in countries,
    "alliance": lambda here, alliance: here.type == "political" and here.alliance == alliance,
    "local_alliance": lambda here, local: here.local_alliance == local}
"""What the keys of a filter ask of a space that are answered by what is printed on it; `rules.filters` has the others."""


class Line(Part):
    a: str
    b: str
    only_with_option: str | None = None


class Link(Part):
    advantage: str
    space: str
