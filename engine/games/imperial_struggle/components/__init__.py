"""The components of Imperial Struggle as data, a file for each subject; `parts` has them all together, with quick look-ups.

Here are the words in which all of them speak: sides, eras, regions, kinds of points.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Side: TypeAlias = Literal["britain", "france"]
Era: TypeAlias = Literal["succession", "empire", "revolution"]
Points: TypeAlias = Literal["EP", "DP", "MP"]
SpaceType: TypeAlias = Literal["political", "market", "fort", "naval", "territory"]

SIDES: tuple[Side, Side] = ("britain", "france")
ERAS: tuple[Era, ...] = ("succession", "empire", "revolution")
REGIONS = ("europe", "north_america", "caribbean", "india")             # in the order of scoring [IS-4.12.1]
KINDS: tuple[Points, ...] = ("EP", "DP", "MP")
KIND_OF: Mapping[str, Points] = {"economic": "EP", "diplomatic": "DP", "military": "MP"}
SPAIN, USA = "spain", "usa"                 # flags of neither side [IS-19.1, 15.3]


@dataclass(frozen=True, slots=True)
class BothSides:
    """A number of each side."""

    britain: int
    france: int

    def by_side(self) -> dict[Side, int]:
        return {"britain": self.britain, "france": self.france}


def foe(side: Side) -> Side:
    return "france" if side == "britain" else "britain"
