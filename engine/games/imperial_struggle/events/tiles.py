"""Facts of war tiles: layout, bonus tiles, upgrades (chapters 3, 5.10, 8.1, 14.10 to 14.12, 19.2)."""
from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.events.base import Binding, Fact
from engine.games.imperial_struggle.state import State
from engine.kernel import Seat
from engine.kernel.model import later
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


class BasicTilesDrawn(Fact):
    """A side draws its basic tiles together, and assigns them itself [IS-19.2]."""

    binds: ClassVar[Binding] = "draw"
    side: Side
    tiles: tuple[str, ...]

    def apply(self, s: State) -> None:
        own = s.own[self.side]
        for tile in self.tiles:
            own.basic_pool.remove(tile)
            own.drawn.append(tile)

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.side): text("You have drawn these basic tiles: {tiles}.", tiles=tuple(self.tiles))}


class BasicTilesLaid(Fact):
    """One basic tile stands in each theater, seen by its owner alone [IS-3.7, 14.12]."""

    binds: ClassVar[Binding] = "draw"
    side: Side
    tiles: tuple[str, ...]                  # theater by theater

    def apply(self, s: State) -> None:
        own = s.own[self.side]
        for theater, tile in enumerate(self.tiles):
            (own.drawn if tile in own.drawn else own.basic_pool).remove(tile)
            own.tiles[theater].append(tile)

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.side): text("Your basic tiles, theater by theater: {tiles}.", tiles=tuple(self.tiles))}


class BonusTileDrawn(Fact):
    """A bonus tile comes from its pool; without a theater its owner still places it [IS-3.8, 8.1.2]."""

    binds: ClassVar[Binding] = "draw"
    side: Side
    tile: str
    theater: int = 0

    def apply(self, s: State) -> None:
        own = s.own[self.side]
        own.bonus_pool.remove(self.tile)
        (own.tiles[self.theater - 1] if self.theater else own.drawn).append(self.tile)

    def line(self) -> Text:
        if self.theater:
            return text("{side} puts a bonus tile into {theater:the}.", side=self.side,
                        theater=theater_of(self.tile, self.theater))
        return text("{side} draws a bonus tile.", side=self.side)

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        if self.theater:
            return {s.seat(self.side): _placed(self.theater, self.tile)}
        return {s.seat(self.side): text("Your new bonus tile: {tile}.", tile=self.tile)}


class BonusTileMoved(Fact):
    """An older bonus tile makes room for a new one [IS-8.1.4]."""

    side: Side
    tile: str
    origin: int             # numbers of theaters
    to: int

    def apply(self, s: State) -> None:
        tiles = s.own[self.side].tiles
        tiles[self.origin - 1].remove(self.tile)
        tiles[self.to - 1].append(self.tile)

    def line(self) -> Text:
        return text("{side} moves a bonus tile from {origin:the} to {to:the}.", side=self.side,
                    origin=theater_of(self.tile, self.origin), to=theater_of(self.tile, self.to))

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.side): text("You move {tile} to {to}.", tile=self.tile, to=theater_of(self.tile, self.to))}


class BonusTilePlaced(Fact):
    """The bonus tile just drawn comes into a theater [IS-8.1.2]."""

    side: Side
    tile: str
    theater: int

    def apply(self, s: State) -> None:
        own = s.own[self.side]
        own.drawn.remove(self.tile)
        own.tiles[self.theater - 1].append(self.tile)

    def line(self) -> Text:
        return text("{side} puts a bonus tile into {theater:the}.", side=self.side, theater=theater_of(self.tile, self.theater))

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.side): _placed(self.theater, self.tile)}


def _placed(theater: int, tile: str) -> Text:
    return text("Your bonus tile in {theater:the}: {tile}.", theater=theater_of(tile, theater), tile=tile)


def theater_of(bonus: str, number: int) -> str:
    """The id by which a sentence names a theater of the war of a bonus tile: "wss:3"; the tile's id begins with its war."""
    return f"{bonus.split('_')[1]}:{number}"


def _next(s: State, number: int) -> str:
    assert s.next_war is not None, "no war is left"
    return s.next_war.theater(number).id


class CarryOverDrawn(Fact):
    """The bonus tiles carried over from the war before are all placed [IS-14.10.3]."""

    side: Side

    def apply(self, s: State) -> None:
        s.own[self.side].carry_over = 0


class UpgradeDrawn(Fact):
    """A basic tile is drawn for a military upgrade, seen by its owner alone [IS-5.10.1]."""

    binds: ClassVar[Binding] = "draw"
    side: Side
    theater: int
    tile: str
    war: str = later(default="")           # the next one; earlier games do not tell

    def apply(self, s: State) -> None:
        own = s.own[self.side]
        own.basic_pool.remove(self.tile)
        own.drawn.append(self.tile)
        s.current.upgrade = True

    def line(self) -> Text:
        if self.war:
            return text("{side} makes a military upgrade in {theater:the}.", side=self.side,
                        theater=f"{self.war.lower()}:{self.theater}")
        return text("{side} makes a military upgrade in theater {theater} of the next war.", side=self.side, theater=self.theater)

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.side): text("You drew the basic tile {tile}.", tile=self.tile)}


class UpgradeMade(Fact):
    """One of the two tiles stays; the other one goes to the pool or leaves the game, unseen [IS-5.10.1, 5.10.2, R-37]."""

    side: Side
    theater: int
    kept: str
    sent: str
    out: bool

    def apply(self, s: State) -> None:
        own = s.own[self.side]
        here = own.tiles[self.theater - 1]
        if self.kept in own.drawn:
            here[here.index(self.sent)] = self.kept
        own.drawn = []
        if not self.out:
            own.basic_pool = sorted([*own.basic_pool, self.sent])

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        told = text("In {theater:the} you keep the basic tile {kept}; the tile {sent} leaves the game.",
                    theater=_next(s, self.theater), kept=self.kept, sent=self.sent) if self.out else text(
                    "In {theater:the} you keep the basic tile {kept}; the tile {sent} goes back to your pool.",
                    theater=_next(s, self.theater), kept=self.kept, sent=self.sent)
        return {s.seat(self.side): told}


class TilesSwapped(Fact):
    """Two basic tiles of a side change places, instead of an upgrade [IS-19.2]; which ones, nobody else learns."""

    side: Side
    first: int              # numbers of theaters
    second: int

    def apply(self, s: State) -> None:
        tiles = s.own[self.side].tiles
        first, second = (next(tile for tile in tiles[number - 1] if s.parts.war_tile[tile].basic)
                         for number in (self.first, self.second))
        tiles[self.first - 1] = [second if tile == first else tile for tile in tiles[self.first - 1]]
        tiles[self.second - 1] = [first if tile == second else tile for tile in tiles[self.second - 1]]
        s.current.upgrade = True

    def line(self) -> Text:
        return text("{side} swaps two of its basic tiles.", side=self.side)

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.side): text("You swap your basic tiles of {first} and {second}.", first=_next(s, self.first),
                                        second=_next(s, self.second))}


class UpgradeCashed(Fact):
    """On T6 the upgrade symbol is worth a treaty point; no event can be played after it [IS-5.10.4]."""

    def apply(self, s: State) -> None:
        now = s.current
        now.upgrade, now.event_over, now.stage = True, True, "actions"
