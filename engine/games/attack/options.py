"""The options of a game of Attack! (ATK-21.7); each rule asks them, and the defaults are the rules as printed."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from engine.datetimes import PATTERN
from engine.kernel.model import OptionGroup
from engine.options import settled, values_offered
from engine.refusals import Faulty

BASE, MESSAGE = "base", "message"
PRESETS: dict[str, dict[str, object]] = {               # for play by message a number of rounds is advised (RUL-28)
    MESSAGE: {"end_mode": "round_limit"}, BASE: {}}


class Options(OptionGroup):
    """Every option; the defaults are those of ATK-21.7."""

    max_players: Literal[6, 4] = 6
    continent_spread: bool = False
    full_deployment: bool = False
    blitz_immediate: bool = False
    strategic_scope: Literal["all", "one_pair"] = "all"
    trade_contact: Literal["land", "land_or_sea"] = "land"
    trade_gifts: bool = True
    trade_ban: bool = True
    failed_offers_per_turn: Annotated[int, Field(ge=0, le=1000)] | Literal["no_limit"] = 6
    end_mode: Literal["first_elimination", "timed", "round_limit", "last_standing"] = "first_elimination"
    rounds: int = Field(default=8, ge=1, le=1000)                                   # of `round_limit`
    end_time: str = Field(default="", pattern=f"^({PATTERN})?$")            # of `timed`: "2027-01-31T18:00", in UTC


NUMBERS: dict[str, tuple[object, ...]] = {              # what a menu offers of the options with more values than it can list
    "max_players": (6, 4), "failed_offers_per_turn": (6, 1, 3, 10, "no_limit"), "rounds": (8, 4, 5, 6, 7, 10, 12, 15, 20),
    "end_time": ("",)}
CHOICES: dict[str, tuple[object, ...]] = {
    key: NUMBERS.get(key) or values_offered(Options(), key) for key in Options.model_fields}


def options(edition: str, changed: Mapping[str, Any]) -> Options:
    """The options with some changed: `{"end_mode": "round_limit", "rounds": 6}`. Raises Faulty with a sentence."""
    chosen = settled(Options, PRESETS, edition, changed)
    if chosen.end_mode == "timed" and not chosen.end_time:
        raise Faulty("A timed game needs an end. Choose one, or type it as end_time=2027-01-31T18:00 (in UTC).",
                     rule="ATK-21.7.1")
    if chosen.end_mode != "timed" and chosen.end_time:
        raise Faulty("Only a timed game ends at an agreed time.", rule="ATK-21.7.1")
    if chosen.end_mode != "round_limit" and "rounds" in changed:
        raise Faulty("You can set the number of rounds only if the game ends after a number of rounds.", rule="ATK-21.7.1")
    return chosen
