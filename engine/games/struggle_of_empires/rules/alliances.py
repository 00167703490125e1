"""Chapter 5: the auctions that sort the powers into two grand alliances, and the turn order."""
from __future__ import annotations

from itertools import zip_longest

from engine.games.struggle_of_empires.actions import Bid, Pass
from engine.games.struggle_of_empires.events import AuctionBegun, AuctionPassed, AuctionWon, BidPlaced, OrderFixed, gold, proposal
from engine.games.struggle_of_empires.rules.money import pay
from engine.games.struggle_of_empires.state import State
from engine.kernel import Ask, Game, Script, Seat, ask, put
from engine.text import Fact, template, text

OPEN = template("Open the auction: how much do you bid, and for which powers?")
RAISE = template("{bidder:The} bids {gold}: {proposal}. Raise, or pass?")
OPENLY = template("Raise {bidder:possessive} bid of {gold}, or pass?")        # in the channel a line above says for which powers


def first_auction(g: Game[State], opener: int) -> None:
    """The auctions of a war begin [SOE-5.1.3]."""
    g.emit(AuctionBegun(opener=opener, first=g.state.rules_version > 3))


def auction(g: Game[State]) -> Script[None]:
    """One auction places two powers in the rows, or the last one in either.

    The opener must bid. The word goes round in seat order: pass, or raise and propose anew. A pass is not final. When all
    others have passed since the last bid, its holder pays.

    Rule: SOE-5.1.3 to 5.4.2. Units: bids in whole gold.
    """
    s = g.state
    opener = s.powers[s.opener]
    bid = yield from ask(s.seat(opener), Bid, point="DP-03", prompt=OPEN, default=first_proposal)
    standing, to_hear, usual = placed(g, opener, bid), s.others_from(opener), Pass.of()
    while to_hear:
        power = to_hear.pop(0)
        answer = yield from put(Ask(s.seat(power), (Bid, Pass), RAISE, "DP-04", usual, standing,
                                           openly=text(OPENLY, **standing)))
        if isinstance(answer, Bid):
            standing, to_hear = placed(g, power, answer), s.others_from(power)
        else:
            g.emit(AuctionPassed(power=power))

    won = s.standing
    assert won is not None, "an auction has a bid"
    g.emit(AuctionWon(power=won.bidder, a=won.a, b=won.b))
    pay(g, won.bidder, won.gold)
    if s.unplaced():
        g.emit(AuctionBegun(opener=(s.opener + 1) % len(s.powers)))
    else:
        rows = {"row_a": tuple(s.row_a), "row_b": tuple(s.row_b)} if s.rules_version > 2 else {}
        g.emit(OrderFixed(order=turn_order(s), **rows))


def placed(g: Game[State], power: str, bid: Bid) -> dict[str, Fact]:
    """A bid counts; what those read of it who may raise it."""
    g.emit(BidPlaced(bidder=power, gold=bid.gold, a=bid.a, b=bid.b))
    return {"bidder": power, "gold": gold(bid.gold), "proposal": proposal(bid.a, bid.b)}


def turn_order(s: State) -> tuple[str, ...]:
    """The players in the rows, read column by column, A before B [SOE-5.5.1, 5.5.4]."""
    return tuple(power for column in zip_longest(s.row_a, s.row_b) for power in column if power and power not in s.npps)


def first_proposal(s: State, seat: Seat) -> Bid:
    """The default of the opener: bid 0; the own power, or the next unplaced one, in A and the next in B [DP-03]."""
    own = s.power(seat)
    free = [power for power in (own, *s.others_from(own), *s.npps) if power in s.unplaced()]
    if len(free) == 1:
        return Bid.of(0, free[0], "")
    a = free[0]
    following = [power for power in s.others_from(a) if power in free] if a in s.powers else []
    return Bid.of(0, a, following[0] if following else free[1])
