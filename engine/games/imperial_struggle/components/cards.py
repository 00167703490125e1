"""Events, ministries and advantages (chapters 11 to 13)."""
from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

from pydantic import ConfigDict

from engine.games.imperial_struggle.components import Era, Points, Side
from engine.games.imperial_struggle.components.records import Named, Part
from engine.kernel.model import Record

BY_CHOICE = ("tile_bonus_ap", "spend_mp_as_dp", "draw_then_discard_event", "change_debt_limit", "place_huguenots",
             "discard_event_for_trp", "attached_ap", "cost_modifier", "townshend_marker")   # effects of abilities by choice
DISCOUNTS = ("market_discount", "political_discount")       # effects of advantages


def option_name(option: Mapping[str, Any]) -> str:
    """What an option of a card is called in a menu: "EP", "take_debt", "damage_fort"."""
    match option["op"]:
        case "grant_ap":
            return str(option["kind"])
        case "change_debt":
            return "take_debt"
        case "change_trp":
            return "spend_trp"
    return str(option["op"])


class Half(Record):
    """What one side, or both, do by an event card."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    base: tuple[dict[str, Any], ...]
    base_text: str
    bonus: tuple[dict[str, Any], ...] | None = None
    bonus_text: str | None = None


class EventCard(Named):
    number: int
    era: Era
    required_major: Literal["economic", "diplomatic", "military"] | None
    bonus_condition: dict[str, Any] | None
    halves: Literal["same", "split"]
    both: Half | None = None
    britain: Half | None = None
    france: Half | None = None
    rulings: tuple[str, ...] = ()

    def half(self, side: Side) -> Half:
        """What this side plays [IS-13.3]."""
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
    region: str
    connected_spaces: tuple[str, ...]
    start_holder: Side | None
    ap_price: str | None
    needs_ap_kind: Points | None
    effect: dict[str, Any]
    text: str
    xy: tuple[float, float]
    economic_set: bool

    @cached_property
    def op(self) -> str:
        return str(self.effect["op"])


class DeckOfEra(Part):
    era: Era
    events: tuple[int, ...]
    added_on: str
