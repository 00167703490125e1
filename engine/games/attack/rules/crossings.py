"""Chapter 6: what crosses the sea lanes, and whether whoever controls them lets it."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field

from engine.games.attack.rules.replies import lapsed
from engine.games.attack.state import Crossing, State, join, size
from engine.games.attack.words.nouns import force
from engine.kernel import Action, Ask, Event, Game, Script, Seat, ask
from engine.kernel.model import later
from engine.refusals import Illegal
from engine.text import Text, count, template, text

ALONE = template("{power} wants to cross from {origin:the} to {to:the} with {units}. Do you allow it?{others}")
SEVERAL = template("{power} wants to cross: {crossings}. Which do you allow?{others}")        # all together: ATK-6.2.12
EVERY, ON_MINE = "every_crossing", "on_mine"            # what one answer of the controller can speak of, beside one crossing


class CrossingAnswered(Event):
    """The controller of the sea lanes allows or refuses what crosses [ATK-6.2.2]."""

    controller: str
    origin: str
    to: str
    allowed: bool

    def apply(self, s: State) -> None:
        _crossing(s, self.origin, self.to).allowed = self.allowed

    def line(self) -> Text:
        if self.allowed:
            return text("{power} allows the crossing from {origin:the} to {to:the}.", power=self.controller, origin=self.origin,
                        to=self.to)
        return text("{power} refuses the crossing from {origin:the} to {to:the}.", power=self.controller, origin=self.origin,
                    to=self.to)


class CrossingMade(Event):
    """What has crossed arrives, and what was refused goes back [ATK-6.2.5 to 6.2.7]."""

    power: str
    origin: str
    to: str
    arrived: dict[str, int]
    back: dict[str, int]

    def apply(self, s: State) -> None:
        s.turn.crossings.remove(_crossing(s, self.origin, self.to))
        join(s.units[self.origin], self.back)
        join(s.turn.entering[self.to] if s.owner.get(self.to) != self.power else s.units[self.to], self.arrived)

    def line(self) -> Text | None:
        if not self.back:
            return None
        back = count(size(self.back), "{units} goes back to {origin:the}", "{units} go back to {origin}", units=force(self.back),
                     origin=self.origin)
        if not self.arrived:
            return text("{back}.", back=back)
        on = count(size(self.arrived), "{units} flies on to {to:the}", "{units} fly on to {to}", units=force(self.arrived),
                   to=self.to)
        return text("{on}; {back}.", on=on, back=back)


def _crossing(s: State, origin: str, to: str) -> Crossing:
    return next(crossing for crossing in s.turn.crossings if (crossing.origin, crossing.to) == (origin, to))


class Permit(Action):
    """Allow or refuse a crossing, or a deal between others."""

    verb: ClassVar[str] = "permit"
    allow: bool = Field(description="Do you allow it?")
    crossing: str = later(default="", description="Which crossing? (or every crossing)")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Permit]:
        if lapsed(s):
            return
        if not in_parts(s):
            yield from (cls.of(True), cls.of(False))
            return
        left = open_crossings(s)
        for crossing in left:
            yield from (cls.of(True, crossing.id), cls.of(False, crossing.id))
        if len(left) > 1:
            yield from (cls.of(True, EVERY), cls.of(False, EVERY))
        if len({_ends_on(s, seat, crossing) for crossing in left}) > 1:
            yield cls.of(False, ON_MINE)

    def check(self, s: State, seat: Seat) -> None:
        if why := lapsed(s):
            raise why
        if not in_parts(s):
            if self.crossing:
                raise Illegal("There's only one crossing to decide about, so don't name it.", rule="ATK-6.2.2")
            return
        if self in self.options(s, seat):
            return
        if any(self.crossing == crossing.id for crossing in asked_for(s, s.active)):
            raise Illegal("You've already decided about {crossing}.", rule="ATK-6.2.12", crossing=self.crossing)
        raise Illegal("There are several crossings: {crossings}. Choose one, or every crossing.", rule="ATK-6.2.12",
                      crossings=tuple(crossing.id for crossing in open_crossings(s)))

    def was_legal(self, s: State, seat: Seat) -> bool:
        return not self.crossing and in_parts(s)

    def meant(self, s: State, seat: Seat) -> list[tuple[Crossing, bool]]:
        left = open_crossings(s)
        if not self.crossing:
            return [(left[0], self.allow)]
        return [(crossing, not _ends_on(s, seat, crossing) if self.crossing == ON_MINE else self.allow)
                for crossing in left if self.crossing in (EVERY, ON_MINE, crossing.id)]

    def label(self) -> Text:
        if self.crossing == ON_MINE:
            return text("Refuse what ends on your territories, allow the rest")
        if self.crossing:
            return (text("Allow {crossing}", crossing=self.crossing) if self.allow else
                    text("Refuse {crossing}", crossing=self.crossing))
        return text("Allow") if self.allow else text("Refuse")


class Fly(Action):
    """Choose where your planes go after a refused crossing."""

    verb: ClassVar[str] = "fly"
    on: bool = Field(description="Fly on to the goal, or go back?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Fly]:
        return [cls.of(True), cls.of(False)]

    def label(self) -> Text:
        return text("Fly on") if self.on else text("Go back")


def cross(g: Game[State], power: str) -> Script[None]:
    """The controller answers all crossings; then all are carried out or undone [ATK-6.2, 11.1.4, 11.1.8]."""
    s = g.state
    begun = False
    while left := open_crossings(s):
        seat = s.seat(s.controller)
        planes = _listed(crossing for crossing in s.turn.crossings if not crossing.blockable)
        others = text(" Also at sea: {planes}.", planes=planes) if planes is not None else text("")
        if in_parts(s):
            answer = yield from ask(seat, Permit, point="D-06", default=usual_permit, continues=begun, power=power,
                                    crossings=_listed(left) or "", others=others, prompt=SEVERAL)
        else:
            answer = yield from ask(seat, Permit, point="D-06", default=usual_permit, power=power, units=force(left[0].units),
                                    origin=left[0].origin, to=left[0].to, others=others, prompt=ALONE)
        for crossing, allowed in answer.meant(s, seat):
            g.emit(CrossingAnswered(controller=s.controller, origin=crossing.origin, to=crossing.to, allowed=allowed))
        begun = True
    for crossing in list(s.turn.crossings):
        ground = {unit: number for unit, number in crossing.units.items() if s.parts.unit[unit].sea_blockable}
        planes_in = {unit: number for unit, number in crossing.units.items() if unit not in ground}
        refused = crossing.allowed is False
        back = dict(ground) if refused else {}
        if refused and planes_in and not (yield from fly_on(g, power, crossing)):
            join(back, planes_in)
        arrived = dict(crossing.units)
        join(arrived, back, -1)
        g.emit(CrossingMade(power=power, origin=crossing.origin, to=crossing.to, arrived=arrived, back=back))


def _listed(crossings: Iterable[Crossing]) -> Text | None:
    """Crossings with their units: "1 infantry from Cuba to Panama; 2 tanks from Mexico to Cuba"; None for none."""
    told = {f"c{place}": text("{units} from {origin:the} to {to:the}", units=force(one.units), origin=one.origin, to=one.to)
            for place, one in enumerate(crossings)}
    return Text("; ".join(f"{{{key}}}" for key in told), told) if told else None


def asked_for(s: State, power: str) -> list[Crossing]:
    """The crossings for which another player is asked [ATK-6.2.2, 6.2.4, 6.2.9]."""
    return [crossing for crossing in s.turn.crossings if crossing.blockable] if s.controller not in ("", power) else []


def open_crossings(s: State) -> list[Crossing]:
    return [crossing for crossing in asked_for(s, s.active) if crossing.allowed is None]


def in_parts(s: State) -> bool:
    """True if the controller is asked about several crossings, which it answers one by one or together [ATK-6.2.12]."""
    return s.deal is None and len(asked_for(s, s.active)) > 1


def _ends_on(s: State, seat: Seat, crossing: Crossing) -> bool:
    return s.owner.get(crossing.to) == s.power(seat)


def usual_permit(s: State, seat: Seat) -> Permit:
    """The default of D-06: refuse what ends on the own territories, and allow the rest; one silence answers all."""
    ends = {_ends_on(s, seat, crossing) for crossing in open_crossings(s)}
    if not in_parts(s):
        return Permit.of(True not in ends)
    left = open_crossings(s)
    if len(ends) > 1:
        return Permit.of(False, ON_MINE)
    return Permit.of(True not in ends, EVERY if len(left) > 1 else left[0].id)


def each_crossing(s: State, question: Ask[Any],
                  options: tuple[Action, ...]) -> Iterator[tuple[Ask[Any], tuple[Action, ...]]]:
    """A question of D-06 in its parts, as orders answer it: one for each crossing; any other question as it is."""
    if question.point != "D-06" or not in_parts(s):
        yield question, options
        return
    for crossing in open_crossings(s):
        about = {**question.about, "origin": crossing.origin, "to": crossing.to}
        yield replace(question, about=about), tuple(
            [option for option in options if isinstance(option, Permit) and option.crossing == crossing.id])


def fly_on(g: Game[State], power: str, crossing: Crossing) -> Script[bool]:
    """True if the planes of a refused crossing fly on [ATK-6.2.7, 6.2.13]."""
    if crossing.planes != "ask":
        return crossing.planes == "on"
    answer = yield from ask(g.state.seat(power), Fly, point="D-07", default=Fly.of(False), origin=crossing.origin, to=crossing.to,
                            prompt="Your crossing from {origin} to {to} was refused. Do your planes fly on?")
    return answer.on
