"""The board: regions, countries, spaces, the lines between them (chapter 2)."""
from __future__ import annotations

from typing import Literal

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


class Line(Part):
    a: str
    b: str
    only_with_option: str | None = None


class Link(Part):
    advantage: str
    space: str
