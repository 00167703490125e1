"""The bids of the auctions (chapter 5)."""
from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from pydantic import Field

from engine.games.struggle_of_empires.actions.shared import debt_warning, tax_for
from engine.games.struggle_of_empires.events import gold, proposal
from engine.games.struggle_of_empires.state import State, pairs
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text

BIDS_OFFERED = 3            # amounts that a menu offers above the least one; any higher bid can be typed
LISTS_KEPT = 16             # of bids: those of the last few standing bids; more would only stay in memory until nobody asks
HIGHEST_BID = 1_000_000_000             # nobody can raise it, so that a number stays a number


class Bid(Action):
    """Bid for the right to place two powers in the alliances."""

    verb: ClassVar[str] = "bid"
    open_ended: ClassVar[bool] = True
    gold: int = Field(ge=0, le=HIGHEST_BID, description="How much do you bid?")
    a: str = Field(default="", description="Which power for row A (Deluxe: red)?")
    b: str = Field(default="", description="Which power for row B (Deluxe: blue)?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> tuple[Bid, ...]:
        return bids(s.standing.gold + 1 if s.standing else 0, *s.proposable())

    def check(self, s: State, seat: Seat) -> None:
        least = s.standing.gold + 1 if s.standing else 0
        if self.gold < least:
            raise Illegal("The bid must be at least {least}.", rule="SOE-5.2.3", least=gold(least))
        free, players = s.proposable()
        for power in (self.a, self.b):
            if power and power not in s.powers and power not in s.npps:
                raise Illegal("{power:The} isn't in this game.", rule="SOE-5.3.1", power=power)
            if power and power not in free:
                able = [other for other in free if any(other in pair for pair in s.proposals())]
                raise Illegal("{power:The} already has a place. You can propose {able:the}.",
                              rule="SOE-5.3.4", power=power, able=tuple(able))
        if len(free) == 1:
            if bool(self.a) == bool(self.b):
                raise Illegal("Only {power:the} is left: propose it for {row_a} or for {row_b}.", rule="SOE-5.3.5", power=free[0],
                              row_a="row_a", row_b="row_b")
        elif not self.a or not self.b or self.a == self.b:
            raise Illegal("Propose two different powers, one for {row_a} and one for {row_b}.", rule="SOE-5.3.1", row_a="row_a",
                          row_b="row_b")
        elif (self.a, self.b) not in pairs(free, players):
            raise Illegal("Non-player powers come last. Propose {players:the} first.", rule="SOE-5.3.7",
                          players=tuple(power for power in free if power in s.powers))

    def label(self) -> Text:
        return text("{gold}: {proposal}", gold=gold(self.gold), proposal=proposal(self.a, self.b))

    def cost(self, s: State, seat: Seat) -> Text | None:
        return tax_for(s, s.power(seat), self.gold)

    def consequence(self, s: State, seat: Seat) -> Text | None:
        return debt_warning(s, s.power(seat), self.gold)


@lru_cache(maxsize=LISTS_KEPT)
def bids(least: int, free: tuple[str, ...], players: tuple[str, ...]) -> tuple[Bid, ...]:
    """The bids that a menu offers; the same standing bid asks several powers in a row."""
    amounts = range(least, min(least + BIDS_OFFERED, HIGHEST_BID + 1))
    return tuple([bid for amount in amounts for bid in _bids_of(amount, free, players)])


@lru_cache(maxsize=LISTS_KEPT)
def _bids_of(amount: int, free: tuple[str, ...], players: tuple[str, ...]) -> tuple[Bid, ...]:
    """The bids of one amount, which is offered again when somebody has raised by less."""
    return tuple([Bid.listed(amount, a, b) for a, b in pairs(free, players)])
