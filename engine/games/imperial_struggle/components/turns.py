"""What turns are made of: the track, investment tiles, awards, demand, the start and the end (chapters 1, 3, 4, 16)."""
from __future__ import annotations

from functools import cached_property
from typing import Literal, Self

from pydantic import model_validator

from engine.games.imperial_struggle.components import KIND_OF, Era, Points, Side
from engine.games.imperial_struggle.components.records import Part
from engine.kernel.model import Record


class TileAction(Record):
    kind: Literal["economic", "diplomatic", "military"]
    points: int

    @cached_property
    def ap(self) -> Points:
        return KIND_OF[self.kind]


class InvestmentTile(Part):
    id: str
    major: TileAction
    minor: TileAction
    event: bool
    military_upgrade: bool

    @property
    def face(self) -> tuple[str, int, str]:
        """Return what tells it from others; two tiles may show the same."""
        return self.major.kind, self.major.points, self.minor.kind


class TilesPerTurn(Part):
    revealed: int
    taken_per_side: int
    goods_in_demand: int

    @model_validator(mode="after")
    def _enough(self) -> Self:
        if self.revealed < 2 * self.taken_per_side:
            raise ValueError("at least as many tiles must be revealed as both sides take")
        return self


class AwardTile(Part):
    id: str
    vp: int
    margin_needed: int
    trp: int


class Reward(Record):
    vp: int
    trp: int
    debt: int


class Good(Part):
    order: int
    commodity: str
    region: str
    markets: tuple[str, ...]
    rewards: dict[Era, Reward]


class Start(Part):
    vp_start: int
    debt_limit_start: int
    debt_start: int
    trp_start: int
    initiative_start: Side
    squadron_supply_per_side: int


class ExtraTiles(Record):
    war: str
    theater: int
    count: int


class StartOfSide(Part):
    side: Side
    flags: tuple[str, ...]
    squadrons_in_navy_box: int
    squadrons_unbuilt: int
    advantages: tuple[str, ...]
    extra_bonus_tiles: tuple[ExtraTiles, ...]


class TrackStep(Part):
    step: int
    kind: Literal["peace", "war"]
    id: str                                 # "T1", "WSS"
    era: Era
    years: str


class LimitRaise(Part):
    on: str
    amount: int


class OptionalSetup(Part):
    option: str
    spanish_flags: tuple[str, ...] = ()


class ScoredTerritories(Part):
    scorer: Side
    territories: tuple[str, ...]
    vp_each: int
    usa_flag_counts: bool
