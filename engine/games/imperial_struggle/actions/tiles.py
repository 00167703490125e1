"""Answers on war tiles: the military upgrade, and assigning basic tiles (chapters 5.10, 19.2)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import ClassVar

from pydantic import Field

from engine.games.imperial_struggle.rules.display import (
    basic_tile,
    has_symbol,
    require_swap,
    require_treaty_point,
    require_upgrade,
    theaters,
)
from engine.games.imperial_struggle.rules.points import given_up
from engine.games.imperial_struggle.state import TURN_6, State
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text


class Symbol(Action):
    """What the upgrade symbol of a tile brings."""

    @classmethod
    def concerns(cls, s: State, seat: Seat) -> bool:
        """True before a tile is taken, and with a tile that has the symbol."""
        return s.current.stage == "before" or s.parts.investment[s.current.tile].military_upgrade


class Upgrade(Symbol):
    """Draw a basic tile, and keep it or the one in a theater of the next war."""

    verb: ClassVar[str] = "upgrade"
    theater: str = Field(description="In which theater?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Upgrade]:
        side = s.power(seat)
        if has_symbol(s) and s.own[side].basic_pool:
            for theater in theaters(s):
                if basic_tile(s, side, theater.number):
                    yield cls.of(theater.id)

    def check(self, s: State, seat: Seat) -> None:
        require_upgrade(s, s.power(seat), self.theater)

    @classmethod
    def concerns(cls, s: State, seat: Seat) -> bool:
        return s.turn != TURN_6 and super().concerns(s, seat)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        require_upgrade(s, s.power(seat), next((theater.id for theater in theaters(s)), ""))

    def consequence(self, s: State, seat: Seat) -> Text | None:
        return given_up(s, "upgrade")

    def meets(self, s: State, seat: Seat) -> Text | None:
        here = next((theater.number for theater in theaters(s) if theater.id == self.theater), None)
        return text("yours there is {tile}", tile=basic_tile(s, s.power(seat), here)) if here is not None else None

    def label(self) -> Text:
        return text("Upgrade in {theater:the}", theater=self.theater)


class SwapTiles(Symbol):
    """Swap your basic tiles of two theaters, in place of an upgrade."""

    verb: ClassVar[str] = "swap"
    secret: ClassVar[bool] = True
    first: str = Field(description="Which theater?")
    second: str = Field(description="Which other theater?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[SwapTiles]:
        if s.options.swap_tiles and has_symbol(s):
            for first, second in combinations([theater.id for theater in theaters(s)], 2):
                yield cls.of(first, second)

    def check(self, s: State, seat: Seat) -> None:
        require_swap(s, self.first, self.second)

    @classmethod
    def concerns(cls, s: State, seat: Seat) -> bool:
        return s.options.swap_tiles and super().concerns(s, seat)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        require_swap(s, "", "")

    def consequence(self, s: State, seat: Seat) -> Text | None:
        return given_up(s, "upgrade")

    def label(self) -> Text:
        return text("Swap the basic tiles of {first} and {second}", first=self.first, second=self.second)


class TakeTreatyPoint(Symbol):
    """On the sixth turn: take a treaty point for the upgrade symbol."""

    verb: ClassVar[str] = "treaty"

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[TakeTreatyPoint]:
        if s.turn == TURN_6 and has_symbol(s):
            yield cls.of()

    def check(self, s: State, seat: Seat) -> None:
        require_treaty_point(s)

    @classmethod
    def concerns(cls, s: State, seat: Seat) -> bool:
        return s.turn == TURN_6 and super().concerns(s, seat)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        require_treaty_point(s)

    def label(self) -> Text:
        return text("1 TRP for the upgrade symbol")


class AssignTiles(Action):
    """Assign the basic tiles that you have drawn to the theaters of the next war."""

    verb: ClassVar[str] = "assign"
    secret: ClassVar[bool] = True
    tiles: tuple[str, ...] = Field(description="Tile for each theater?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[AssignTiles]:
        drawn = s.own[s.power(seat)].drawn
        for tiles in permutations(drawn):
            if _in_order(s, drawn, tiles):
                yield cls.of(tiles)

    def check(self, s: State, seat: Seat) -> None:
        drawn = s.own[s.power(seat)].drawn
        if sorted(self.tiles) != sorted(drawn):
            raise Illegal("Assign each tile you drew to one theater.", rule="IS-19.2")
        if not _in_order(s, drawn, self.tiles):
            raise Illegal("Name tiles that look alike in the order you drew them.", rule="IS-19.2")

    def label(self) -> Text:
        return text("{tiles}", tiles=tuple(self.tiles))


def _in_order(s: State, drawn: Sequence[str], tiles: Sequence[str]) -> bool:
    """True if tiles of the same face come in the order of the draw: another order would be the same assignment."""
    def face(tile: str) -> tuple[int, str | None]:
        return s.parts.war_tile[tile].strength, s.parts.war_tile[tile].icon
    return all(face(one) != face(other) or drawn.index(one) < drawn.index(other) for one, other in combinations(tiles, 2))


def as_drawn(s: State, seat: Seat) -> AssignTiles:
    """The default of IS-18.32: the order of the draw."""
    return AssignTiles.of(tuple(s.own[s.power(seat)].drawn))
