"""Chapters 5, 10 and 11: movement, blitz and strategic movement; what moves by water may need leave (crossings)."""
from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import ClassVar, Literal

from pydantic import Field

from engine.counters import FEWEST, MOST, add, spread
from engine.games.attack.components import UNITS, Unit
from engine.games.attack.rules.combat import battles
from engine.games.attack.rules.crossings import cross
from engine.games.attack.rules.setup import require_own, require_territory
from engine.games.attack.rules.turns import ActionChosen, ActionDropped, ActionFinished, ActionSpent, Confirm, End
from engine.games.attack.state import BLITZ, MOVEMENT, PRODUCTION, STRATEGIC, Crossing, MoveOrder, State, size
from engine.games.attack.words.nouns import force, plural, units
from engine.kernel import OVER, Action, Event, Game, Script, Seat, ask
from engine.kernel.model import later
from engine.refusals import Illegal
from engine.text import Fact, Text, text

PLANE = "plane"
Way = Literal["land", "water"]
WhenRefused = Literal["ask", "on", "back"]
WHEN_REFUSED: tuple[WhenRefused, ...] = ("ask", "on", "back")
LISTED = 5_000              # orders that a question lists; where there are more, it leaves out numbers of units
USUAL_NUMBER = 6            # units that are ordered at once; all movements so ordered, over the whole board, take 20 MB


# --- events -----------------------------------------------------------------------------------------------

class MoveOrdered(Event):
    """One move order. By land to an own territory the units arrive; all others wait for what follows [ATK-5.1.9, 5.2.1]."""

    power: str
    unit: str
    number: int
    origin: str
    to: str
    way: Way
    planes: WhenRefused = "ask"

    def apply(self, s: State) -> None:
        turn = s.turn
        turn.orders.append(MoveOrder(unit=self.unit, number=self.number, origin=self.origin, to=self.to, way=self.way,
                                     planes=self.planes))
        turn.pair = turn.pair or [self.origin, self.to]
        add(s.units[self.origin], self.unit, -self.number)
        attacked = s.owner.get(self.to) != self.power
        if attacked:
            turn.entering.setdefault(self.to, {})
        if self.way == "land":
            if attacked:
                add(turn.entering[self.to], self.unit, self.number)
            else:
                add(s.units[self.to], self.unit, self.number)
                add(turn.arrived.setdefault(self.to, {}), self.unit, self.number)
            return
        crossing = next((known for known in turn.crossings if (known.origin, known.to) == (self.origin, self.to)), None)
        if crossing is None:
            crossing = Crossing(origin=self.origin, to=self.to, units={})
            turn.crossings.append(crossing)
        add(crossing.units, self.unit, self.number)
        if self.planes != "ask":
            crossing.planes = self.planes

    def line(self) -> Text:
        facts: Mapping[str, Fact] = {"power": self.power, "units": units(self.number, self.unit), "origin": self.origin,
                                     "to": self.to}
        if self.way == "water":
            return Text("{power} orders {units} by sea from {origin:the} to {to:the}.", facts, listed="units")
        return Text("{power} orders {units} from {origin:the} to {to:the}.", facts, listed="units")


class MoveDropped(Event):
    """One of the orders is dropped; the others stand as if it had never been given [ATK-4.1.12]."""

    power: str
    order: int              # from 1

    def apply(self, s: State) -> None:
        left = [order for number, order in enumerate(s.turn.orders, 1) if number != self.order]
        start_anew(s)
        for order in left:
            ordered(self.power, order).apply(s)

    def line(self) -> Text:
        return text("{power} drops order {n}.", power=self.power, n=self.order)


def ordered(power: str, order: MoveOrder) -> MoveOrdered:
    return MoveOrdered(power=power, **order.model_dump())


def start_anew(s: State) -> None:
    """All units stand as before the orders of the action under way, and none is given."""
    for land, force_before in s.turn.before.items():
        s.units[land] = dict(force_before)
    s.turn.orders, s.turn.pair, s.turn.crossings, s.turn.arrived, s.turn.entering = [], [], [], {}, {}


# --- ways ---------------------------------------------------------------------------------------------------

def ready(s: State, origin: str, unit: str) -> int:
    """How many units of a type may still leave a territory: those that have not moved, and one unit stays [ATK-4.1.7, 5.1.12]."""
    return min(unmoved(s, origin, unit), size(s.units[origin]) - 1)


def unmoved(s: State, origin: str, unit: str) -> int:
    """How many units of a type have not moved yet in this action."""
    return s.count(origin, unit) - s.turn.arrived.get(origin, {}).get(unit, 0)


def may_move(s: State, unit: str) -> bool:
    """True if units of this type take part in the action under way [ATK-10.1.2]."""
    return s.turn.action != BLITZ or s.parts.unit[unit].may_blitz


def goals(s: State, power: str, unit: str, origin: str) -> Iterable[tuple[str, Way]]:
    """Where a unit may go from an own territory in the action under way, and how; in the order of the data."""
    if s.turn.action == STRATEGIC:
        return _chained(s, power, origin, joined(s, power, origin, by_sea=False), joined(s, power, origin, by_sea=True))
    afloat = s.turn.action == MOVEMENT
    if s.parts.unit[unit].move == 1:
        return s.parts.next_to[origin, afloat]
    by_land = set(by_steps(s, power, unit, origin))
    by_water = s.parts.sea_linked[origin] if afloat else ()
    ways: tuple[tuple[Way, Container[str]], ...] = (("land", by_land), ("water", by_water))
    return [(goal, way) for goal in s.parts.territory for way, reached in ways if goal in reached]


def _chained(s: State, power: str, origin: str, by_land: Container[str], by_any: Container[str]) -> Iterator[tuple[str, Way]]:
    """The goals of a strategic movement [ATK-11.1.1, 11.1.5]."""
    for land in s.territories(power):
        if land != origin and land in by_any and _pair_fits(s, origin, land):
            yield land, "land" if land in by_land else "water"


def by_steps(s: State, power: str, unit: str, origin: str) -> Iterator[str]:
    """The goals of one land move [ATK-5.1.2 to 5.1.5]."""
    kind, near = s.parts.unit[unit], s.parts.territory[origin].adjacent
    yield from near
    if kind.move > 1:
        for middle in near:
            if kind.cross_foreign or s.owner.get(middle) == power:
                yield from (goal for goal in s.parts.territory[middle].adjacent if goal != origin)


def joined(s: State, power: str, origin: str, *, by_sea: bool) -> set[str]:
    """The own territories that a chain of own territories joins to this one [ATK-11.1.1, 11.1.3]."""
    reached, found = {origin}, [origin]
    while found:
        here = found.pop()
        links = (*s.parts.territory[here].adjacent, *(s.parts.sea_linked[here] if by_sea else ()))
        new = [land for land in links if land not in reached and s.owner.get(land) == power]
        reached.update(new)
        found += new
    return reached


def _pair_fits(s: State, origin: str, to: str) -> bool:
    """True if another pair of territories is allowed in this strategic movement (RUL-08)."""
    return s.options.strategic_scope == "all" or s.turn.pair in ([], [origin, to])


class Move(Action):
    """Order units of one type from one territory to another."""

    verb: ClassVar[str] = "move"
    open_ended: ClassVar[bool] = True
    bounded: ClassVar[bool] = True
    unit: Unit = Field(description="Which unit?")
    origin: str = Field(description="From where?")
    to: str = Field(description="Where to?")
    number: int = Field(default=1, ge=1, description="How many?")
    way: Way = Field(default="land", description="By land or by sea?")
    planes: WhenRefused = Field(default="ask", description="If the crossing is refused, do planes fly on or go back?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Move]:
        """All orders; in a position with too many of them, not every number of units, nor where refused planes go."""
        orders = list(_orders(s, s.power(seat)))
        room = max(FEWEST, min(MOST, LISTED // max(1, sum(len(ways) for *_, ways in orders))))
        return [move for unit, origin, most, ways in orders for move in _moves(unit, origin, ways, most, room)]

    def meets(self, s: State, seat: Seat) -> Text | None:
        owner, there = s.owner.get(self.to), force(s.units.get(self.to, {}))
        if owner == s.power(seat):
            return text("yours: {force}", force=there)
        return text("attacks {power}: {force}", power=owner, force=there) if owner else text("attacks neutral land")

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_own(s, power, self.origin, "ATK-5.1.1")
        require_territory(s, self.to)
        if not may_move(s, self.unit):
            raise Illegal("Only tanks and planes can move in a Blitz.", rule="ATK-10.1.2")
        here = s.count(self.origin, self.unit)
        if not here:
            raise Illegal("You have no {unit} in {origin:the}.", rule="ATK-5.1.1", unit=self.unit, origin=self.origin)
        if here < self.number:
            raise Illegal("You have only {units} in {origin:the}.", rule="ATK-5.1.1", units=units(here, self.unit),
                          origin=self.origin)
        left = unmoved(s, self.origin, self.unit)
        if not left:
            raise Illegal("No {unit} in {origin:the} can move again this action.", rule="ATK-5.1.12", unit=self.unit,
                          origin=self.origin)
        if left < self.number:
            raise Illegal("Only {units} in {origin:the} can still move this action.", rule="ATK-5.1.12", origin=self.origin,
                          units=units(left, self.unit))
        if ready(s, self.origin, self.unit) < self.number:
            raise Illegal("The last unit in {origin:the} must stay there.", rule="ATK-4.1.7", origin=self.origin)
        self._check_way(s, power)
        if self.planes != "ask" and (self.unit != PLANE or self.way != "water"):
            raise Illegal("Only planes crossing the sea can be told to fly on or go back.", rule="ATK-6.2.13")

    def _check_way(self, s: State, power: str) -> None:
        ways = [way for to, way in goals(s, power, self.unit, self.origin) if to == self.to]
        if self.way in ways:
            return
        if self.to == self.origin:
            raise Illegal("The units are already in {origin:the}. Choose another goal.", rule="ATK-5.1.1", origin=self.origin)
        if s.turn.action == STRATEGIC:
            if ways:
                raise Illegal("From {origin:the} to {to:the} they can only go {way}.", rule="ATK-11.1.5", origin=self.origin,
                              to=self.to,
                              way=ways[0])
            if self.to in joined(s, power, self.origin, by_sea=True):
                raise Illegal("In this game a strategic movement joins just one pair of territories.", rule="ATK-11.1.2")
            raise Illegal("{origin:The} and {to:the} aren't joined by a chain of your own territories.",
                          rule="ATK-11.1.1", origin=self.origin,
                          to=self.to)
        if self.way == "water":
            if s.turn.action == BLITZ:
                raise Illegal("Nothing can cross the sea in a Blitz.", rule="ATK-10.1.3")
            raise Illegal("{origin:The} and {to:the} aren't joined by a sea route or an anchor zone.",
                          rule="ATK-6.1.3", origin=self.origin,
                          to=self.to)
        if s.parts.unit[self.unit].move > 1 and any(self.to in s.parts.territory[middle].adjacent
                                                    for middle in s.parts.territory[self.origin].adjacent):
            raise Illegal("A tank passes only through your own territories, and you have none between {origin:the} and {to:the}.",
                          rule="ATK-5.1.4", origin=self.origin, to=self.to)
        if ways:
            raise Illegal('{origin:The} and {to:the} are joined only by sea. Choose "by sea".', rule="ATK-5.1.10",
                          origin=self.origin,
                          to=self.to)
        raise Illegal("{to:The} is too far from {origin:the} for {unit}.", rule="ATK-5.1.2", to=self.to, origin=self.origin,
                      unit=plural(self.unit))

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        raise Illegal("No more units can move: one must stay in each territory.", rule="ATK-4.1.7")

    def label(self) -> Text:
        moved = units(self.number, self.unit)
        if self.planes != "ask":
            return text("Move {units} from {origin:the} to {to:the} by sea; if refused, {planes}",
                        units=moved, origin=self.origin, to=self.to,
                        planes=self.planes)
        if self.way == "water":
            return text("Move {units} from {origin:the} to {to:the} by sea", units=moved, origin=self.origin, to=self.to)
        return text("Move {units} from {origin:the} to {to:the}", units=moved, origin=self.origin, to=self.to)


def _orders(s: State, power: str) -> Iterator[tuple[Unit, str, int, tuple[tuple[str, Way], ...]]]:
    """Each type in each territory with the number that can leave it and where they may go."""
    lands: dict[str, set[str]] = {}             # in a strategic movement: territory -> what a chain by land joins to it
    seas: dict[str, set[str]] = {}              # and what any chain does
    strategic = s.turn.action == STRATEGIC
    for origin in s.territories(power):
        if size(s.units[origin]) < 2:           # one must stay [ATK-4.1.7]
            continue
        if strategic:
            for chains, by_sea in ((lands, False), (seas, True)):
                if origin not in chains:
                    joint = joined(s, power, origin, by_sea=by_sea)
                    chains.update(dict.fromkeys(joint, joint))
        known: dict[tuple[int, bool], tuple[tuple[str, Way], ...]] = {}        # of types that move alike
        for unit in (unit for unit in UNITS if unit in s.units[origin]):
            most = ready(s, origin, unit)
            if most < 1 or not may_move(s, unit):
                continue
            kind = s.parts.unit[unit]
            alike = (0, False) if strategic else (kind.move, kind.cross_foreign)
            if alike not in known:
                known[alike] = tuple(_chained(s, power, origin, lands[origin], seas[origin]) if strategic
                                     else goals(s, power, unit, origin))
            yield unit, origin, most, known[alike]


@lru_cache(maxsize=512)
def _moves(unit: Unit, origin: str, ways: tuple[tuple[str, Way], ...], most: int, room: int) -> tuple[Move, ...]:
    """The orders for one type in one territory, with so many numbers of each; the same in most questions of a turn."""
    found: list[Move] = []
    for to, way in ways:
        answers = WHEN_REFUSED if unit == PLANE and way == "water" and room > FEWEST else WHEN_REFUSED[:1]
        for n in spread(1, most, room):
            make = Move.of if room > FEWEST and n <= USUAL_NUMBER else Move.listed         # only usual orders are kept for good
            found += [make(unit, origin, to, n, way, planes) for planes in answers]
    return tuple(found)


class Drop(Action):
    """Drop this action for another, or one of its orders or purchases alone."""

    verb: ClassVar[str] = "drop"
    order: int = later(default=0, ge=0, description="Which order, from 1? Blank: the whole action")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Drop]:
        yield from (cls.of(number) for number in range(put_together(s) + 1) if can_do_without(s, number))

    def check(self, s: State, seat: Seat) -> None:
        if self.order > put_together(s):
            raise Illegal("There is no order {n} in this action.", rule="ATK-4.1.12", n=self.order)
        if not can_do_without(s, self.order):
            raise Illegal("Other orders depend on order {n}. Drop those first.", rule="ATK-4.1.7", n=self.order)

    def label(self) -> Text:
        return text("Drop order {n}", n=self.order) if self.order else text("Drop this action")


def put_together(s: State) -> int:
    """How many orders or purchases the action under way has."""
    return len(s.turn.basket) if s.turn.action == PRODUCTION else len(s.turn.orders)


def can_do_without(s: State, number: int) -> bool:
    """True if the other moves are legal without this one; units that came may let others leave [ATK-4.1.7, 5.1.12]."""
    others = [order for place, order in enumerate(s.turn.orders, 1) if place != number]
    if not number or s.turn.action == PRODUCTION or not others:
        return True
    without = s.model_copy(update={"units": dict(s.units), "turn": s.turn.model_copy()})
    start_anew(without)
    for order in others:
        if ready(without, order.origin, order.unit) < order.number or order.way not in [
                way for to, way in goals(without, s.active, order.unit, order.origin) if to == order.to]:
            return False
        ordered(s.active, order).apply(without)
    return True


# --- the script -----------------------------------------------------------------------------------------------

def movement(g: Game[State], power: str, action: str) -> Script[bool]:
    """Orders, then leave to cross, then all battles; False if the player ends the turn instead [ATK-5.2.1, 10.1.5, 11.1.8]."""
    s = g.state
    g.emit(ActionChosen(power=power, action=action))
    while True:
        answer = yield from ask(s.seat(power), Move, Confirm, Drop, End, point="D-05", default=End.of(), action=action,
                                prompt="{action:Begin}: which units move? Confirm when you're done.")
        match answer:
            case Move():
                g.emit(MoveOrdered(power=power, unit=answer.unit, number=answer.number, origin=answer.origin, to=answer.to,
                                   way=answer.way, planes=answer.planes))
            case Drop(order=number) if number:
                g.emit(MoveDropped(power=power, order=number))
            case Confirm():
                break
            case _:
                g.emit(ActionDropped(power=power, moved=bool(s.turn.pair)))
                return isinstance(answer, Drop)
    g.emit(ActionSpent(power=power, action=action))
    yield from cross(g, power)
    yield from battles(g, power)
    if s.phase != OVER:
        g.emit(ActionFinished(power=power))
    return True
