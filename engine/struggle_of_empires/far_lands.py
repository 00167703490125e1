"""Crossings that gold can mend: what each result costs, and the answer of the unit's owner (8.4)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.struggle_of_empires.actions import debt_warning, price
from engine.struggle_of_empires.mending import prices
from engine.struggle_of_empires.state import State
from engine.text import Text, text


class Mend(Action):
    """Pay so that the unit on a crossing arrives, or at least is not lost."""

    verb: ClassVar[str] = "mend"
    typed: ClassVar[bool] = False
    to: Literal["ok", "back"] = Field(description="It arrives (ok), or stays where it is (back)")
    gold: int = Field(ge=0, description="What that costs")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Mend]:
        for to, gold in prices(s, s.power(seat), s.turn.failed).items():
            yield cls.of(to, gold)

    def check(self, s: State, seat: Seat) -> None:
        costs = prices(s, s.power(seat), s.turn.failed)
        if self.to not in costs:
            raise Illegal("The crossing shows {face}, which cannot be mended like that.", rule="SOE-8.4.5", face=s.turn.failed)
        if self.gold != costs[self.to]:
            raise Illegal("That costs {cost} gold.", rule="SOE-8.4.4" if len(costs) > 1 else "SOE-8.4.3", cost=costs[self.to])

    def label(self) -> Text:
        return text("Pay, so that it arrives") if self.to == "ok" else text("Pay, so that it stays where it is")

    def cost(self, s: State, seat: Seat) -> Text | None:
        return price(s, s.power(seat), gold_pieces=self.gold)

    def consequence(self, s: State, seat: Seat) -> Text | None:
        return debt_warning(s, s.power(seat), self.gold)


ALL: tuple[type[Action], ...] = (Mend,)
