"""Events, ministries and advantages (chapters 11 to 13)."""
from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

from pydantic import ConfigDict, TypeAdapter

from engine.games.imperial_struggle.components import Era, Points, Side
from engine.games.imperial_struggle.components.effects import Condition, Effect, Filter, OfAdvantage
from engine.games.imperial_struggle.components.records import Named, Part
from engine.kernel.model import Record

BY_CHOICE = ("tile_bonus_ap", "spend_mp_as_dp", "draw_then_discard_event", "change_debt_limit", "place_huguenots",
             "discard_event_for_trp", "attached_ap", "cost_modifier", "townshend_marker")   # effects of abilities by choice
DISCOUNTS = ("market_discount", "political_discount")       # effects of advantages
CONDITION: TypeAdapter[Condition] = TypeAdapter(Condition, config=ConfigDict(defer_build=True))


class Half(Record):
    """What one side, or both, do by an event card."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    base: tuple[Effect, ...]
    base_text: str
    bonus: tuple[Effect, ...] | None = None
    bonus_text: str | None = None


class EventCard(Named):
    model_config = ConfigDict(defer_build=True)

    number: int
    era: Era
    required_major: Literal["economic", "diplomatic", "military"] | None
    bonus_condition: Condition | None
    halves: Literal["same", "split"]
    both: Half | None = None
    britain: Half | None = None
    france: Half | None = None
    rulings: tuple[str, ...] = ()

    @property
    def played(self) -> tuple[Half, ...]:
        """Its half, or halves, in the order of the sides."""
        return tuple(half for half in (self.both, self.britain, self.france) if half is not None)

    def half(self, side: Side) -> Half:
        """Return what this side plays [IS-13.3]."""
        half = self.both or (self.britain if side == "britain" else self.france)
        assert half is not None, f"{self.id} has nothing for {side}"
        return half


class Ability(Record):
    """One ability of a ministry."""

    id: str                                 # "M-1.1"
    limit: str
    timing: str
    prompt: Literal["optional", "automatic"]
    effect: dict[str, Any]
    text: str

    @cached_property
    def op(self) -> str:
        return str(self.effect["op"])

    @cached_property
    def condition(self) -> Condition | None:
        wanted = self.effect.get("condition")
        return CONDITION.validate_python(wanted) if wanted is not None else None

    @cached_property
    def places(self) -> Filter:
        """The spaces on which it can put something."""
        return Filter.model_validate(self.effect["on"])


class Ministry(Named):
    number: int
    side: Side
    eras: tuple[Era, ...]
    keywords: tuple[str, ...]
    abilities: tuple[Ability, ...]
    rulings: tuple[str, ...] = ()


class MinistryPlaces(Part):
    britain: int
    france: int
    france_with_jacobite_third_ministry: int


class AdvantageLimits(Part):
    uses_per_turn_each: int
    max_per_action_round: int
    max_per_region_per_action_round: int


class Advantage(Named):
    model_config = ConfigDict(defer_build=True)

    region: str
    connected_spaces: tuple[str, ...]
    start_holder: Side | None
    ap_price: str | None
    needs_ap_kind: Points | None
    effect: OfAdvantage
    text: str
    xy: tuple[float, float]
    economic_set: bool


class DeckOfEra(Part):
    era: Era
    events: tuple[int, ...]
    added_on: str
