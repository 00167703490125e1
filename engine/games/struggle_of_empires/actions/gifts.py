"""Gifts of gold, at any time (chapter 16)."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from pydantic import Field

from engine.counters import spread
from engine.games.struggle_of_empires.actions.shared import debt_warning
from engine.games.struggle_of_empires.events import GoldGiven, gold
from engine.games.struggle_of_empires.rules.money import taxation
from engine.games.struggle_of_empires.state import State
from engine.kernel import Aside, Event, Seat
from engine.refusals import Illegal
from engine.text import Text, text

LISTED = 100            # gifts to each power that a menu offers; of a fuller purse it leaves some out


class Give(Aside):
    """Give gold to another power."""

    verb: ClassVar[str] = "give"
    open_ended: ClassVar[bool] = True
    bounded: ClassVar[bool] = True
    to: str = Field(description="Who gets it?")
    gold: int = Field(ge=1, description="How much gold?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Give]:
        power = s.power(seat)
        if not power or not may_give(s, power):
            return
        for other in s.powers:
            if other and other != power:
                for amount in spread(1, largest_gift(s, power), LISTED):
                    yield cls(to=other, gold=amount)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_giver(s, power)
        if self.to in s.npps:
            raise Illegal("{to:The} is a non-player power and has no gold.", rule="SOE-19.1.2", to=self.to)
        if not self.to or self.to not in s.powers or self.to == power:
            raise Illegal("{to:The} isn't another power in this game.", rule="SOE-16.1.3", to=self.to)
        if self.gold > largest_gift(s, power):
            if s.options.tax.for_gifts:
                raise Illegal("You have {purse}. With taxes you can give {most} at most.", rule="SOE-16.1.4",
                              purse=gold(s.gold[power]), most=gold(largest_gift(s, power)))
            raise Illegal("You have {purse}, so you can't give {gold}.", rule="SOE-16.1.4", purse=gold(s.gold[power]),
                          gold=self.gold)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_giver(s, power)
        if not largest_gift(s, power):
            raise Illegal("You have no gold to give.", rule="SOE-16.1.4")
        raise Illegal("Nobody else has chosen a power yet.", rule="SOE-16.1.3")

    def events(self, s: State, seat: Seat) -> Iterable[Event]:
        yield from taxation(s, s.power(seat), self.gold)
        yield GoldGiven(giver=s.power(seat), receiver=self.to, gold=self.gold, secret=not s.options.gifts.public)

    def label(self) -> Text:
        return text("Give {to:the} {gold}", to=self.to, gold=gold(self.gold))

    def consequence(self, s: State, seat: Seat) -> Text | None:
        return debt_warning(s, s.power(seat), self.gold)


def require_giver(s: State, power: str) -> None:
    if not power:
        raise Illegal("You have no gold yet. Choose a power first.", rule="SOE-2.1.11")
    if not may_give(s, power):
        raise Illegal("In this game you can give gold only on your own turn.", rule="SOE-16.1.3")


def largest_gift(s: State, power: str) -> int:
    """Return what a power can give at once: its gold, and by an option what it may tax for it (SOE-3.1.5, 16.1.4).

    So many taxations as make a power collapse are the limit, lest gifts from the bank be limitless (AMB-09).
    """
    taxed = s.tax(power) * s.parts.set_up(len(s.seats)).unrest_collapse if s.options.tax.for_gifts else 0
    return s.gold[power] + taxed


def may_give(s: State, power: str) -> bool:
    return s.options.gifts.when == "any" or s.active == power
