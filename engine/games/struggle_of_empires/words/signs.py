"""Which nouns have a sign among words."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.games.struggle_of_empires.events.words import a_unit, units
from engine.text import Fact, text

SIGNS: Mapping[str, Sequence[Fact]] = {
    **{kind: (units(1, kind), a_unit(kind)) for kind in ("army", "navy", "fort")},
    "die": (text("dice {a}−{b}"), text("rolls"))}


def signs(parts: Any) -> Mapping[str, Sequence[Fact]]:
    """Units by number or alone, and rolls."""
    return SIGNS
