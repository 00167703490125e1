"""The options of a game of Imperial Struggle (IS-19); each rule asks them, and the defaults are the rules as published."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from engine.kernel.model import OptionGroup
from engine.options import settled, values_offered
from engine.refusals import Faulty

PUBLISHED, FIRST_GAME, TOURNAMENT = "published", "first_game", "tournament"
PRESETS: dict[str, dict[str, object]] = {
    PUBLISHED: {}, FIRST_GAME: {"length": "first_war"}, TOURNAMENT: {"sides": "bid"}}


class Options(OptionGroup):
    """Every option; the defaults are the published game."""

    sides: Literal["seats", "bid"] = "seats"                # who plays which side [IS-19.4]
    handicap_side: Literal["nobody", "britain", "france"] = "nobody"        # who starts with treaty points [IS-19.5]
    handicap: int = Field(default=1, ge=1, le=5)                    # how many
    spanish_empire: bool = False                            # IS-19.1
    swap_tiles: bool = False                                # IS-19.2: an upgrade may swap two basic tiles instead
    assign_tiles: bool = False                              # IS-19.2: a side assigns its basic tiles at layout
    tougher_forts: bool = False                             # IS-19.3
    strict_action_order: bool = True                        # IS-5.5.3, IS-R-59; False: pools stay open to the end of the round
    length: Literal["whole", "first_war"] = "whole"         # a first game ends with the War of the Spanish Succession


NUMBERS: dict[str, tuple[object, ...]] = {"handicap": (1, 2, 3, 4, 5)}
CHOICES: dict[str, tuple[object, ...]] = {
    key: NUMBERS.get(key) or values_offered(Options(), key) for key in Options.model_fields}


def options(edition: str, changed: Mapping[str, Any]) -> Options:
    """The options with some changed: `{"spanish_empire": True}`. Raises Faulty with a sentence."""
    chosen = settled(Options, PRESETS, edition, changed)
    if chosen.handicap_side == "nobody" and "handicap" in changed:
        raise Faulty("Also choose which side starts with treaty points.", rule="IS-19.5")
    return chosen
