"""Which nouns have a sign among words."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.games.imperial_struggle.components.parts import Parts
from engine.text import Fact, count, text


def signs(parts: Parts) -> Mapping[str, Sequence[Fact]]:
    """Goods by their names, squadrons and forts, events and ministries by number or by their names."""
    return {**{good.commodity: (good.commodity,) for good in parts.global_demand},
            "squadron": (text("a squadron"),), "fort": (text("a fort"),),
            "card": (count(1, "{n} event", "{n} events"), count(1, "{n} ministry", "{n} ministries"),
                     *[card.id for card in (*parts.events, *parts.ministries)])}
