"""Facts of war tiles: layout, bonus tiles, upgrades (chapters 3, 5.10, 8.1, 14.10 to 14.12)."""
from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.events.base import Binding, Fact
from engine.games.imperial_struggle.state import State
from engine.kernel import Seat
from engine.text import Text, text


class DisplayLaid(Fact):
    """The display of the next war comes: no tile stands in its theaters yet, and its bonus tiles can be drawn [IS-3.6, 14.12]."""

    war: str

    def apply(self, s: State) -> None:
        war = s.parts.war[self.war]
        for side, own in s.own.items():
            own.tiles = [[] for _ in war.theaters]
            own.bonus_pool = s.parts.bonus_of(side, self.war)

    def line(self) -> Text:
        return text("The next war is the {war}.", war=self.war)


class BasicTilesLaid(Fact):
    """One basic tile stands in each theater, seen by its owner alone [IS-3.7, 14.12]."""

    binds: ClassVar[Binding] = "draw"
    side: Side
    tiles: tuple[str, ...]                  # theater by theater

    def apply(self, s: State) -> None:
        own = s.own[self.side]
        for theater, tile in enumerate(self.tiles):
            own.basic_pool.remove(tile)
            own.tiles[theater].append(tile)

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.side): text("Your basic tiles, theater by theater: {tiles}.", tiles=tuple(self.tiles))}


class BonusTileDrawn(Fact):
    """A bonus tile comes from its pool into a theater [IS-3.8, 8.1]."""

    binds: ClassVar[Binding] = "draw"
    side: Side
    tile: str
    theater: int

    def apply(self, s: State) -> None:
        own = s.own[self.side]
        own.bonus_pool.remove(self.tile)
        own.tiles[self.theater - 1].append(self.tile)

    def line(self) -> Text:
        return text("{side} puts a bonus tile into theater {theater}.", side=self.side, theater=self.theater)

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.side): text("Your bonus tile in theater {theater}: {tile}.", theater=self.theater, tile=self.tile)}
