"""Answers of the set-up and of the phases before the action rounds (chapters 4.6 to 4.8, 19.4)."""
from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar

from pydantic import Field

from engine.games.imperial_struggle.components import SIDES, Side
from engine.games.imperial_struggle.state import JACOBITES, State
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text

HAND = 3                # events kept in the deal phase [IS-4.6.3]
HIGHEST_BID = 5         # IS-19.4


class Bid(Action):
    """Bid treaty points for the side you want; if you get it, the other side starts with them."""

    verb: ClassVar[str] = "bid"
    side: Side = Field(description="Which side do you want?")
    trp: int = Field(ge=0, le=HIGHEST_BID, description="How many treaty points for the other side?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Bid]:
        for side in ([_other(s)] if s.wish else SIDES):
            for trp in range(s.bid + 1 if s.wish else 0, HIGHEST_BID + 1):
                yield cls.of(side, trp)

    def check(self, s: State, seat: Seat) -> None:
        if s.wish and self.side == s.wish:
            raise Illegal("The last bid was for {side}. Bid more for {other}, or yield.", rule="IS-19.4", side=s.wish,
                          other=_other(s))
        if s.wish and self.trp <= s.bid:
            raise Illegal("The bid must be higher than {bid} TRP.", rule="IS-19.4", bid=s.bid)

    def label(self) -> Text:
        return text("{trp} TRP for {side}", trp=self.trp, side=self.side)


class Yield(Action):
    """Let the other player have the side of the last bid."""

    verb: ClassVar[str] = "yield"

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Yield]:
        if s.wish:
            yield cls.of()

    def check(self, s: State, seat: Seat) -> None:
        if not s.wish:
            raise Illegal("Nobody has bid yet.", rule="IS-19.4")

    def meets(self, s: State, seat: Seat) -> Text | None:
        return text("you play {side} and start with {n} TRP", side=_other(s), n=s.bid) if s.wish else None

    def label(self) -> Text:
        return text("Yield")


def _other(s: State) -> Side:
    return "britain" if s.wish == "france" else "france"


class Discard(Action):
    """Discard down to three events."""

    verb: ClassVar[str] = "discard"
    secret: ClassVar[bool] = True
    cards: tuple[str, ...] = Field(description="Which events go?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Discard]:
        hand = s.own[s.power(seat)].hand
        for cards in combinations(hand, max(0, len(hand) - HAND)):
            yield cls.of(cards)

    def check(self, s: State, seat: Seat) -> None:
        hand = s.own[s.power(seat)].hand
        if len(self.cards) != max(0, len(hand) - HAND) or len(set(self.cards)) != len(self.cards):
            raise Illegal("You keep exactly {n} events.", rule="IS-4.6.3", n=HAND)
        if not set(self.cards) <= set(hand):
            raise Illegal("Not all of those are in your hand.", rule="IS-4.6.3")
        if list(self.cards) != [card for card in hand if card in self.cards]:
            raise Illegal("Name the events in the order of your hand.", rule="IS-4.6.3")

    def label(self) -> Text:
        return text("{cards}", cards=tuple(self.cards))


def usual_discard(s: State, seat: Seat) -> Discard:
    """The default of IS-18.1: the oldest era, then the lowest number goes."""
    hand = s.own[s.power(seat)].hand
    going = sorted(hand, key=lambda card: s.parts.event[card].number)[:max(0, len(hand) - HAND)]
    return Discard.of(tuple(card for card in hand if card in going))


class Appoint(Action):
    """Lay your ministries face down."""

    verb: ClassVar[str] = "appoint"
    secret: ClassVar[bool] = True
    cards: tuple[str, ...] = Field(description="Which ministries do you choose?")
    third: bool = Field(description="Put Jacobite Uprisings in the third place?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Appoint]:
        side = s.power(seat)
        least, most = places(s, side)
        for number in range(most, least - 1, -1):
            for cards in combinations(eligible(s, side), number):
                for third in thirds(s, side):
                    yield cls.of(cards, third)

    def check(self, s: State, seat: Seat) -> None:
        side = s.power(seat)
        least, most = places(s, side)
        if not least <= len(self.cards) <= most:
            raise Illegal("You lay {n} ministries face down.", rule="IS-4.7.1", n=most)
        able = eligible(s, side)
        if list(self.cards) != [card for card in able if card in self.cards]:
            raise Illegal("You can choose among these, in this order: {cards}.", rule="IS-4.7.1", cards=tuple(able))
        if self.third not in thirds(s, side):
            raise Illegal("Jacobite Uprisings can't move into or out of the third place now.", rule="IS-14.9.4")

    def label(self) -> Text:
        cards = (*self.cards, JACOBITES) if self.third else self.cards
        return text("{cards}", cards=tuple(cards)) if cards else text("No new ministry")


def staying(s: State, side: Side) -> list[str]:
    """The face-up ministries in the usual places, which stay in the second turn of an era [IS-4.7.2]."""
    if s.first_of_era:
        return []
    return [minister.card for minister in s.own[side].ministries
            if minister.up and not (s.third_ministry and minister.card == JACOBITES)]


def eligible(s: State, side: Side) -> list[str]:
    """The ministries that a side can lay face down in the usual places [IS-4.7.1, 4.7.2, 14.9.4]."""
    barred = {*staying(s, side), *([JACOBITES] if s.jacobite_defeat or s.third_ministry else [])}
    return [card.id for card in s.parts.ministries_of[side] if s.era in card.eras and card.id not in barred]


def places(s: State, side: Side) -> tuple[int, int]:
    """How many cards are laid face down in the usual places: at least, at most [IS-4.7.1, 4.7.2, R-55]."""
    most = getattr(s.parts.ministry_places, side) - len(staying(s, side))
    if s.first_of_era:
        return most, most
    down = sum(not minister.up and not (s.third_ministry and minister.card == JACOBITES)
               for minister in s.own[side].ministries)
    return min(down, most), most


def thirds(s: State, side: Side) -> tuple[bool, ...]:
    """Whether M-4 may lie in the third place, or must [IS-14.9.4]."""
    if side != "france" or not s.third_ministry or s.jacobite_defeat:
        return (False,)
    if not s.first_of_era and JACOBITES in s.own[side].up:
        return (True,)
    return (False, True)


def usual_ministries(s: State, seat: Seat) -> Appoint:
    """The default of IS-18.2: keep; else the lowest eligible numbers; no third card."""
    side = s.power(seat)
    able, (least, most), third = eligible(s, side), places(s, side), thirds(s, side)
    before = [] if s.first_of_era else [minister.card for minister in s.own[side].ministries]
    kept = [card for card in able if card in before]
    lowest = [card for card in able if card not in before]
    chosen = [*kept, *lowest[:max(0, least - len(kept))]][:most]
    stays = JACOBITES in before and True in third
    return Appoint.of(tuple(card for card in able if card in chosen), stays or third[0])


class NameFirst(Action):
    """Name the side that takes the first action round."""

    verb: ClassVar[str] = "first"
    side: Side = Field(description="Who goes first?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[NameFirst]:
        for side in SIDES:
            yield cls.of(side)

    def label(self) -> Text:
        return text("{side:The} goes first", side=self.side)


def usual_first(s: State, seat: Seat) -> NameFirst:
    """The default of IS-18.3: the holder of the initiative."""
    return NameFirst.of(s.power(seat))
