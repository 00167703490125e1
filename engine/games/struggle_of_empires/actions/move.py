"""Moving: where a new unit goes, the moves of a move action, and crossings that gold can mend (chapters 7.1, 8)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from engine.games.struggle_of_empires import odds
from engine.games.struggle_of_empires.actions.shared import debt_warning, price, require_action
from engine.games.struggle_of_empires.components import Unit
from engine.games.struggle_of_empires.events import a_unit, bare_unit, gold, units
from engine.games.struggle_of_empires.rules import movement
from engine.games.struggle_of_empires.rules.crossings import prices
from engine.games.struggle_of_empires.state import State
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text


class Send(Action):
    """Send the new unit somewhere, or let it stay."""

    verb: ClassVar[str] = "send"
    to: str = Field(description="Where does the unit go? Choose its present place to leave it there.")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Send]:
        power, origin = s.power(seat), s.turn.sending_from
        if s.turn.natives:
            for area in movement.natives_colonies(s, power):
                yield cls.of(area)
            return
        yield cls.of(origin)
        for to in movement.destinations(s, power, s.turn.sending, origin):
            yield cls.of(to)

    def check(self, s: State, seat: Seat) -> None:
        power, origin = s.power(seat), s.turn.sending_from
        if s.turn.natives:
            require_natives(s, power, self.to)
        elif self.to != origin:
            movement.check_way(s, power, s.turn.sending, origin, self.to)

    def label(self) -> Text:
        return text("{to}", to=self.to)

    def hazard(self, s: State, seat: Seat) -> Text | None:
        return None if s.turn.natives else odds.crossing(s, s.power(seat), s.turn.sending_from, self.to)


def require_natives(s: State, power: str, area: str) -> None:
    if area not in movement.natives_colonies(s, power):
        raise Illegal("Trained Natives builds an army in a colony where you have a control marker or a unit. "
                      "{area:The} isn't one.",
                      rule="SOE-12.7.3", area=area)


class Move(Action):
    """Move an army or navy. Then you may move a second one."""

    verb: ClassVar[str] = "move"
    unit: Unit = Field(description="Which unit moves? (forts: only from home)")
    origin: str = Field(description="From where?")
    to: str = Field(description="Where to?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Move]:
        if not s.turn.moves and s.turn.actions < 1:
            return
        power = s.power(seat)
        by_land = [area for area in s.parts.area if movement.land_unit_may_enter(s, power, area)]
        for unit, origin in movement.movable(s, power):
            if origin != power:
                yield cls.of(unit, origin, power)
            for to in s.parts.seas if unit == "navy" else by_land:
                if to != origin:
                    yield cls.of(unit, origin, to)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        if not s.turn.moves:
            require_action(s)
        here = s.count(power, self.unit, self.origin)
        if not here:
            raise Illegal("You have no {unit} in {place:the}.", rule="SOE-8.1.1", unit=bare_unit(self.unit), place=self.origin)
        if self.unit == "fort" and self.origin != power:
            raise Illegal("A fort in an area never moves again.", rule="SOE-7.2.2")
        if self.unit == "fort" and not movement.forts_to_move(s, power):
            raise Illegal("In this game a fort left at home stays there. Only a fort turned back on a crossing may move.",
                          rule="SOE-7.2.4")
        if here <= s.turn.moved.get(f"{self.unit} {self.origin}", 0):
            if not s.options.move.same_unit_next_action:
                raise Illegal("In this game a unit moves once a turn, and {units} in {place:the} already moved.",
                              rule="SOE-8.1.6", units=units(here, self.unit), place=self.origin)
            raise Illegal("A unit moves once in a move action, and {units} in {place:the} already moved.",
                          rule="SOE-8.1.5", units=units(here, self.unit), place=self.origin)
        movement.check_way(s, power, self.unit, self.origin, self.to)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        require_action(s)
        raise Illegal("You have no unit that can move. Forts move only from home.", rule="SOE-8.1.1")

    def label(self) -> Text:
        return text("Move {unit} from {origin:the} to {to:the}", unit=a_unit(self.unit), origin=self.origin, to=self.to)

    def hazard(self, s: State, seat: Seat) -> Text | None:
        return odds.crossing(s, s.power(seat), self.origin, self.to)


class Mend(Action):
    """Pay so that the crossing unit arrives, or at least isn't lost."""

    verb: ClassVar[str] = "mend"
    to: Literal["ok", "back"] = Field(description="Which result do you pay for: ok (it arrives) or back (it turns back)?")
    gold: int = Field(ge=0, description="How much do you pay?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Mend]:
        for to, coins in prices(s, s.power(seat), s.turn.failed).items():
            yield cls.of(to, coins)

    def check(self, s: State, seat: Seat) -> None:
        costs = prices(s, s.power(seat), s.turn.failed)
        if self.to not in costs:
            raise Illegal("The crossing shows {face}. You can't mend it like that.", rule="SOE-8.4.5", face=s.turn.failed)
        if self.gold != costs[self.to]:
            raise Illegal("That costs {cost}.", rule="SOE-8.4.4" if len(costs) > 1 else "SOE-8.4.3", cost=gold(costs[self.to]))

    def label(self) -> Text:
        return text("Pay: it arrives") if self.to == "ok" else text("Pay: it turns back unharmed")

    def cost(self, s: State, seat: Seat) -> Text | None:
        return price(s, s.power(seat), gold_pieces=self.gold)

    def consequence(self, s: State, seat: Seat) -> Text | None:
        return debt_warning(s, s.power(seat), self.gold)
