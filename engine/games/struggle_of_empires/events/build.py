"""What happens in building and moving (chapters 7, 8), and on a crossing that gold may mend (8.4)."""
from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from engine.counters import add
from engine.games.struggle_of_empires.events.words import a_unit
from engine.games.struggle_of_empires.state import State
from engine.kernel import Event
from engine.kernel.events import silent
from engine.text import Fact, Text, template, text


class BuildBegun(Event):
    extra: int

    def apply(self, s: State) -> None:
        s.turn.extra = self.extra


class UnitBuilt(Event):
    power: str
    unit: str
    tile: str = ""
    place: str = ""         # "" is the home

    def apply(self, s: State) -> None:
        place = self.place or self.power
        add(s.units[self.power][self.unit], place, 1)
        s.turn.sending, s.turn.sending_from, s.turn.natives = self.unit, place, False

    def line(self) -> Text:
        with_tile = text(" with {tile:the}", tile=self.tile) if self.tile else text("")
        where = text(" in {place:the}", place=self.place) if self.place else text("")
        return text("{power:The} builds {unit}{where}{tile}.", power=self.power, unit=a_unit(self.unit), where=where,
                    tile=with_tile)

    def commentary(self, following: Sequence[Event]) -> tuple[Sequence[Text], int]:
        """"Prussia builds an army and moves it to the Baltic."."""
        quiet = silent(following)
        moved = following[quiet] if quiet < len(following) else None
        if self.place or not isinstance(moved, UnitMoved):
            return super().commentary(following)
        with_tile = text(" with {tile:the}", tile=self.tile) if self.tile else text("")
        return (text("{power:The} builds {unit}{tile} and moves it to {to:the}.", power=self.power, unit=a_unit(self.unit),
                     tile=with_tile, to=moved.to),), quiet + 1


class UnitRazed(Event):
    """A unit is destroyed by its owner, to be built anew [SOE-7.3.1]."""

    power: str
    unit: str
    place: str

    def apply(self, s: State) -> None:
        add(s.units[self.power][self.unit], self.place, -1)

    def line(self) -> Text:
        return text("{power:The} destroys {unit} in {place:the} to rebuild it elsewhere.", power=self.power,
                    unit=a_unit(self.unit),
                    place=self.place)


class ColonyDue(Event):
    """A rebuilt army waits for the colony into which Trained Natives puts it [SOE-12.7.6]."""

    def apply(self, s: State) -> None:
        s.turn.natives = True


class SendingDone(Event):
    def apply(self, s: State) -> None:
        s.turn.sending = s.turn.sending_from = ""


class MoveBegun(Event):
    moves: int

    def apply(self, s: State) -> None:
        s.turn.moves = self.moves


class UnitMoved(Event):
    power: str
    unit: str
    origin: str
    to: str

    def apply(self, s: State) -> None:
        kind = s.units[self.power][self.unit]
        add(kind, self.origin, -1)
        add(kind, self.to, 1)
        leave_home(s, self.power, self.unit)
        mark_moved(s, self.unit, self.to)

    def line(self) -> Text:
        return text("{power:The} moves {unit} from {origin:the} to {to:the}.", power=self.power, unit=a_unit(self.unit),
                    origin=self.origin, to=self.to)


def leave_home(s: State, power: str, unit: str) -> None:
    """A fort that a crossing once turned back has set out again, by a move action [SOE-7.2.3]."""
    if unit == "fort" and s.turn.moves and s.forts_back.get(power):
        add(s.forts_back, power, -1)


def mark_moved(s: State, unit: str, place: str, *, again: bool = False) -> None:
    """A unit that has used its move in the action under way; perhaps it may be named again [SOE-8.1.5, 8.1.6]."""
    if s.turn.moves:
        s.turn.moves -= 1
        if not again:
            add(s.turn.moved, f"{unit} {place}", 1)


class CrossingRolled(Event):
    tag: ClassVar[str] = "CrossingThrown"
    power: str
    dice: tuple[int, ...]

    def line(self) -> Text:
        return text("{power:The} rolls {dice} for the crossing.", power=self.power, dice=self.dice)

    def commentary(self, following: Sequence[Event]) -> tuple[Sequence[Text], int]:
        """The dice with what becomes of the unit, if nothing comes between."""
        return _crossed(self.power, self.dice, following) or super().commentary(following)


def _crossed(power: str, rolled: Fact, following: Sequence[Event]) -> tuple[Sequence[Text], int] | None:
    """A roll with what becomes of the unit; None if that isn't told next."""
    quiet = silent(following)
    came = following[quiet] if quiet < len(following) else None
    match came:
        case UnitMoved():
            told = template("{power:The} rolls {dice}: its {unit} crosses from {origin:the} to {to:the}.")
        case UnitTurnedBack():
            told = template("{power:The} rolls {dice}: its {unit} is turned back on its way to {to:the} and "
                            "stays in {origin:the}.")
        case UnitSunk():
            told = template("{power:The} rolls {dice}: its {unit} sinks on its way to {to:the}.")
        case _:
            return None
    return (text(told, power=power, dice=rolled, unit=came.unit, origin=came.origin, to=came.to),), quiet + 1


class UnitTurnedBack(Event):
    power: str
    unit: str
    origin: str
    to: str

    def apply(self, s: State) -> None:
        if self.unit == "fort" and not s.turn.moves and not s.options.build.home_fort_may_move:
            add(s.forts_back, self.power, 1)
        mark_moved(s, self.unit, self.origin, again=s.options.move.failed_unit_again)

    def line(self) -> Text:
        return text("{power:Possessive} {unit} is turned back on its way to {to:the} and stays in {origin:the}.", unit=self.unit,
                    power=self.power, to=self.to, origin=self.origin)


class UnitSunk(Event):
    power: str
    unit: str
    origin: str
    to: str

    def apply(self, s: State) -> None:
        add(s.units[self.power][self.unit], self.origin, -1)
        leave_home(s, self.power, self.unit)
        s.turn.moves = max(0, s.turn.moves - 1)

    def line(self) -> Text:
        return text("{power:Possessive} {unit} sinks on its way to {to:the}.", unit=self.unit, power=self.power, to=self.to)


class MovesDone(Event):
    def apply(self, s: State) -> None:
        s.turn.moves, s.turn.extra = 0, 0
        if s.options.move.same_unit_next_action:
            s.turn.moved = {}


class FarLandsRolled(Event):
    """The Far Lands die was rolled [SOE-8.4.1]."""

    tag: ClassVar[str] = "FarLandsThrown"
    power: str
    face: str

    def line(self) -> Text:
        return text("{power:The} rolls {face} on the Far Lands die.", power=self.power, face=self.face)

    def commentary(self, following: Sequence[Event]) -> tuple[Sequence[Text], int]:
        """The die with what becomes of the unit, if nothing comes between."""
        return _crossed(self.power, self.face, following) or super().commentary(following)


class MendingDue(Event):
    """The owner of the unit may pay for a better result [SOE-8.4.3, 8.4.4]."""

    face: str

    def apply(self, s: State) -> None:
        s.turn.failed = self.face


class MendingDone(Event):
    """The result of the crossing stands [SOE-8.4.5]."""

    power: str
    before: str
    result: str

    def apply(self, s: State) -> None:
        s.turn.failed = ""

    def line(self) -> Text | None:
        if self.result == self.before:
            return None
        if self.result == "ok":
            return text("{power:The} pays to mend the crossing: the unit arrives.", power=self.power)
        return text("{power:The} pays to save the unit: it turns back.", power=self.power)
