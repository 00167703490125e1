"""Chapter 18: production points, purchases, and where new units stand."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pydantic import Field

from engine.counters import add, spread
from engine.games.attack.components import SHIPS, UNITS, Parts
from engine.games.attack.rules.cards import production_points
from engine.games.attack.rules.movement import Drop
from engine.games.attack.rules.setup import Deploy
from engine.games.attack.rules.turns import ActionChosen, ActionDropped, ActionFinished, ActionSpent, Confirm, End
from engine.games.attack.state import PRODUCTION, State, join
from engine.games.attack.words.nouns import force, points, units
from engine.kernel import Action, Event, Game, Script, Seat, ask
from engine.refusals import Illegal
from engine.text import Text, text

INFANTRY = "infantry"


# --- events -----------------------------------------------------------------------------------------------

class PointsCounted(Event):
    """What a player can spend; nobody else is told [ATK-18.1.1, 20.9]."""

    power: str
    points: int

    def apply(self, s: State) -> None:
        s.turn.points = self.points

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.power): text("You have {points}.", points=points(self.points))}


class PurchaseChosen(Event):
    """Something goes into the basket; others learn it when the purchases are confirmed."""

    power: str
    kind: str
    number: int
    cost: int

    def apply(self, s: State) -> None:
        add(s.turn.basket, self.kind, self.number)
        s.turn.points -= self.cost

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.power): text("You add {what} for {points}. {left} left.", what=units(self.number, self.kind),
                                         points=points(self.cost), left=s.turn.points)}


class PurchaseDropped(Event):
    """Something leaves the basket again [ATK-4.1.12]."""

    power: str
    kind: str
    number: int
    cost: int

    def apply(self, s: State) -> None:
        add(s.turn.basket, self.kind, -self.number)
        s.turn.points += self.cost

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.power): text("You put back {what}; {left} left.", what=units(self.number, self.kind),
                                         left=points(s.turn.points))}


class PurchaseMade(Event):
    """The purchases count: ships join the fleet, land units wait for their places, the rest is lost [ATK-18.1.2, 18.3]."""

    power: str
    bought: dict[str, int]

    def apply(self, s: State) -> None:
        join(s.fleets[self.power], {kind: number for kind, number in self.bought.items() if kind in SHIPS})
        s.turn.to_place = {kind: number for kind, number in self.bought.items() if kind in UNITS}
        s.turn.basket, s.turn.points = {}, 0

    def line(self) -> Text:
        if not any(self.bought.values()):
            return text("{power} buys nothing.", power=self.power)
        return text("{power} buys {bought}.", power=self.power, bought=force(self.bought))


class UnitsPlaced(Event):
    power: str
    unit: str
    number: int
    territory: str

    def apply(self, s: State) -> None:
        add(s.turn.to_place, self.unit, -self.number)
        add(s.units[self.territory], self.unit, self.number)

    def line(self) -> Text:
        return Text("{power} places {units} in {territory:the}.", {"power": self.power, "units": units(self.number, self.unit),
                                                               "territory": self.territory}, listed="units")


# --- the answer -------------------------------------------------------------------------------------------

def cost(parts: Parts, kind: str) -> int:
    """The price of a unit or a ship [ATK-18.2.1, 18.2.2]."""
    return parts.unit[kind].cost_pp if kind in UNITS else parts.ship[kind].cost_pp


class Buy(Action):
    """Choose units or ships to buy, then confirm."""

    verb: ClassVar[str] = "buy"
    open_ended: ClassVar[bool] = True
    bounded: ClassVar[bool] = True
    secret: ClassVar[bool] = True
    kind: str = Field(description="What do you buy?")
    number: int = Field(default=1, ge=1, description="How many?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Buy]:
        for kind in (*UNITS, *SHIPS):
            for n in spread(1, s.turn.points // cost(s.parts, kind)):
                yield cls.of(kind, n)

    def check(self, s: State, seat: Seat) -> None:
        if self.kind not in (*UNITS, *SHIPS):
            raise Illegal("You can buy {kinds}.", rule="ATK-18.2.3", kinds=(*UNITS, *SHIPS))
        price = self.number * cost(s.parts, self.kind)
        if price > s.turn.points:
            raise Illegal("{what} would cost {price}, and you have {points} left.", rule="ATK-18.2.3",
                          what=units(self.number, self.kind), price=points(price), points=points(s.turn.points))

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        raise Illegal("You can't buy anything for {points}.", rule="ATK-18.2.3", points=points(s.turn.points))

    def label(self) -> Text:
        return text("{what}", what=units(self.number, self.kind))

    def cost(self, s: State, seat: Seat) -> Text | None:
        return points(self.number * cost(s.parts, self.kind))


# --- the script -----------------------------------------------------------------------------------------------

def production(g: Game[State], power: str) -> Script[bool]:
    """Purchases, then where the new land units stand; False if the player ends the turn instead [ATK-18]."""
    s = g.state
    g.emit(ActionChosen(power=power, action=PRODUCTION))
    g.emit(PointsCounted(power=power, points=production_points(s, power)))
    while True:
        answer = yield from ask(s.seat(power), Buy, Confirm, Drop, End, point="D-22", default=usual_purchase,
                                prompt="Production: what do you buy? Confirm when you're done.")
        match answer:
            case Buy():
                g.emit(PurchaseChosen(power=power, kind=answer.kind, number=answer.number,
                                      cost=answer.number * cost(s.parts, answer.kind)))
            case Drop(order=place) if place:
                kind, number = list(s.turn.basket.items())[place - 1]
                g.emit(PurchaseDropped(power=power, kind=kind, number=number, cost=number * cost(s.parts, kind)))
            case Confirm():
                break
            case _:
                g.emit(ActionDropped(power=power))
                return isinstance(answer, Drop)
    g.emit(ActionSpent(power=power, action=PRODUCTION))
    g.emit(PurchaseMade(power=power, bought=s.turn.basket))
    while s.turn.to_place:
        placed = yield from ask(s.seat(power), Deploy, point="D-23", default=usual_placement, units=force(s.turn.to_place),
                                prompt="Where do your new units go? Left to place: {units}.")
        g.emit(UnitsPlaced(power=power, unit=placed.unit, number=placed.number, territory=placed.territory))
    g.emit(ActionFinished(power=power))
    return True


def usual_purchase(s: State, seat: Seat) -> Buy | Confirm:
    """The default of D-22: infantry, as many as the points buy."""
    number = s.turn.points // cost(s.parts, INFANTRY)
    return Buy.of(INFANTRY, number) if number else Confirm.of()


def usual_placement(s: State, seat: Seat) -> Deploy:
    """The default of D-23: on the own capital if it is still owned, else where most neighbours are foreign."""
    power = s.power(seat)
    own = s.territories(power)
    unit, number = next(iter(s.turn.to_place.items()))
    home = [land for land in own if s.capitals.get(land) == power]
    return Deploy.of(unit, home[0] if home else max(own, key=s.foreign_neighbours), number)
