"""The wars: theaters, what lends strength in them, their spoils, and the war tiles (chapter 14)."""
from __future__ import annotations

from functools import cached_property
from typing import Literal, TypeAlias

from pydantic import ConfigDict

from engine.games.imperial_struggle.components import SIDES, Side, SpaceType
from engine.games.imperial_struggle.components.records import Named, Part
from engine.kernel.model import Record

EXPELLED = "loser_removes_squadrons_from_game"          # the special reward of IS-14.9.6; else they go to unbuilt


class BonusStrength(Record):
    """Something that a theater counts [IS-14.5]."""

    kind: Literal["country", "keyword", "squadrons", "forts", "conflict_markers", "space"]
    country: str = ""
    keyword: str = ""
    space: str = ""
    regions: tuple[str, ...] = ()


class Unflagging(Record):
    count: int
    types: tuple[SpaceType, ...]
    region: str


class WinnerSpoils(Record):
    model_config = ConfigDict(frozen=True, extra="forbid")
    vp: int = 0
    cp: int = 0
    unflag: Unflagging | None = None
    atlantic_dominance: bool = False
    loser_squadrons_to_unbuilt: int = 0
    usa: bool = False
    canada: bool = False


class LoserSpoils(Record):
    model_config = ConfigDict(frozen=True, extra="forbid")
    trp: int = 0


class Spoils(Record):
    """One row of a theater's table."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    margin_min: int
    margin_max: int | None                  # None: open upward
    winner: WinnerSpoils
    loser: LoserSpoils
    winner_side: Side | None = None


class Special(Record):
    effect: str
    if_winner: Literal["britain", "france", "any"] = "any"
    margin_min: int = 1
    territories: tuple[str, ...] = ()
    forts_subregion: str = ""
    per_margin_point: int = 0
    max: int = 0


class Theater(Named):
    number: int
    regions: tuple[str, ...]
    counts_squadrons: bool
    bonus_strength: tuple[BonusStrength, ...]
    spoils: tuple[Spoils, ...]
    eligible_territories: tuple[str, ...]
    special: tuple[Special, ...]

    def row(self, winner: Side, margin: int) -> Spoils:
        """The row of the table for this result [IS-14.7.1]."""
        return next(row for row in self.rows(winner)
                    if row.margin_min <= margin and (row.margin_max is None or margin <= row.margin_max))

    def rows(self, winner: Side) -> tuple[Spoils, ...]:
        """The rows of the table that this winner can reach, the highest last."""
        return self._rows[winner]

    @cached_property
    def _rows(self) -> dict[Side, tuple[Spoils, ...]]:
        return {side: tuple(row for row in self.spoils if row.winner_side in (None, side)) for side in SIDES}


class War(Named):
    dots: int
    after_turn: str
    before_turn: str
    theaters: tuple[Theater, ...]
    special: tuple[Special, ...]

    def theater(self, number: int) -> Theater:
        return self.theaters[number - 1]

    @property
    def costs_squadrons(self) -> bool:
        """True if the loser of one of its theaters may have to give up squadrons [IS-14.7.5]."""
        return any(row.winner.loser_squadrons_to_unbuilt for theater in self.theaters for row in theater.spoils) or any(
            special.effect == EXPELLED for theater in self.theaters for special in theater.special)


class WarLimits(Part):
    bonus_tiles_per_theater_per_side: int
    basic_tiles_per_theater_per_side: int
    refusals_per_player_per_war: int
    refusal_vp: tuple[int, ...]


Icon: TypeAlias = Literal["debt", "fort_or_squadron", "unflag"]


class WarTile(Part):
    id: str
    side: Literal["britain", "france", "winner"]
    strength: int
    icon: Icon | None
    name: str = ""                          # of bonus and special tiles
    war: str = ""                           # of bonus tiles

    @property
    def basic(self) -> bool:
        return not self.name
