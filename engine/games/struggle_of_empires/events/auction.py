"""What happens in the auctions (chapter 5)."""
from __future__ import annotations

from collections.abc import Sequence

from engine.games.struggle_of_empires.events.money import GoldPaid
from engine.games.struggle_of_empires.events.words import gold, proposal
from engine.games.struggle_of_empires.state import Standing, State
from engine.kernel import Event
from engine.kernel.model import later
from engine.text import Text, text


class AuctionBegun(Event):
    opener: int
    first: bool = later(default=False)          # of this war; earlier games do not tell

    def apply(self, s: State) -> None:
        s.phase, s.opener, s.standing, s.accepted = "auction", self.opener, None, {}

    def line(self) -> Text | None:
        return text("Auctions put the powers into {row_a} or {row_b}: those in one are allies and can't attack each other.",
                    row_a="row_a", row_b="row_b") if self.first else None


class BidPlaced(Event):
    bidder: str
    gold: int
    a: str
    b: str

    def apply(self, s: State) -> None:
        s.standing = Standing(bidder=self.bidder, gold=self.gold, a=self.a, b=self.b)

    def line(self) -> Text:
        return text("{bidder:The} bids {gold}: {proposal}.", bidder=self.bidder, gold=gold(self.gold),
                    proposal=proposal(self.a, self.b))


class AuctionPassed(Event):
    power: str

    def apply(self, s: State) -> None:
        assert s.standing is not None, "an auction has a bid"
        s.accepted[self.power] = s.standing.proposal

    def line(self) -> Text:
        return text("{power:The} passes.", power=self.power)


class AuctionWon(Event):
    power: str
    a: str
    b: str

    def apply(self, s: State) -> None:
        if self.a:
            s.row_a.append(self.a)
        if self.b:
            s.row_b.append(self.b)
        s.standing = None

    def line(self) -> Text:
        return text("{power:The} wins the auction: {proposal}.", power=self.power, proposal=proposal(self.a, self.b))

    def commentary(self, following: Sequence[Event]) -> tuple[Sequence[Text], int]:
        """"Prussia wins the auction for 6 gold: Prussia in row A, France in row B."."""
        if not following or not isinstance(following[0], GoldPaid) or not following[0].gold:
            return super().commentary(following)
        return (text("{power:The} wins the auction for {gold}: {proposal}.", power=self.power, gold=gold(following[0].gold),
                     proposal=proposal(self.a, self.b)),), 1


class OrderFixed(Event):
    order: tuple[str, ...]
    row_a: tuple[str, ...] = later(default=())          # earlier games do not tell
    row_b: tuple[str, ...] = later(default=())

    def apply(self, s: State) -> None:
        s.order, s.round, s.place, s.phase = list(self.order), 1, 0, "turn"

    def line(self) -> Text:
        order = text("Turn order: {order}.", order=self.order)
        if not self.row_a:
            return text("The alliances are settled. {order}", order=order)
        return text("{a:The} are allies, against {b:the}. Allies can't attack each other. {order}" if len(self.row_a) > 1 else
                    "{a:The} is alone against {b:the}. {order}", a=self.row_a, b=self.row_b, order=order)
