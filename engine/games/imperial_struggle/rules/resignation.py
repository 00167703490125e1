"""What ends the game for the player who is left when the other one has resigned: no rule of the contract, which knows no absence
(IS-R-54)."""
from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import ClassVar

from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.events.turns import GameEnded, OtherSideResigned
from engine.games.imperial_struggle.state import State
from engine.kernel import OVER, Decree, Event, Seat
from engine.refusals import Illegal


class LeftAlone(Decree):
    """The other player has resigned, and the one who is left ends the game as its winner."""

    verb: ClassVar[str] = "left_alone"
    side: Side

    def check(self, s: State, seat: Seat) -> None:
        if s.phase == OVER:
            raise Illegal("The game is over.", rule="IS-R-54")

    def events(self, s: State, seat: Seat) -> Iterable[Event]:
        yield OtherSideResigned(side=self.side)
        yield GameEnded(winner=self.side, by="resignation")


def left_alone(s: State, held: Collection[Seat]) -> tuple[Seat, Decree] | None:
    left = [side for side in s.sides if s.seat(side) in held]
    return (s.seat(left[0]), LeftAlone(side=left[0])) if len(left) == 1 and s.phase != OVER else None
