"""Regions, and the ways to play events from a hand, for tests of events."""
from __future__ import annotations

from typing import Any

from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.components import Side
from tests.games.imperial_struggle.scene import scene

INDIA, CARIBBEAN, EUROPE = {"region": "india"}, {"region": "caribbean"}, {"region": "europe"}


def hand(tile: str, *cards: str, side: Side = "france", **fields: Any) -> list[tuple[str, str, str]]:
    """The ways to play an event: (event, reveal, waiver)."""
    at = scene(active=side, tile=tile, own={side: {"hand": list(cards)}}, **fields)
    return [(option.event, option.reveal, option.waiver) for option in at.options(side) if isinstance(option, PlayEvent)]
