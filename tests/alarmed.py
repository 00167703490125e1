"""Pebbles by daylight: at dusk the heap shrinks, at night hardly anything is left of it; and who is left alone ends the game."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import ClassVar, Literal

from engine.kernel import Alarm, Decree, Event, Seat
from engine.refusals import Illegal
from engine.text import Text, text
from tests.toy import PEBBLES, Ended, State

NIGHT = "2026-04-01T18:00Z"             # six hours after the beginning of `tests.bot.desk.Clock`
LEFT: dict[str, int] = {"dusk": 8, "night": 2}


class Shrunk(Event):
    heap: int

    def apply(self, state: State) -> None:
        state.heap = self.heap

    def line(self) -> Text:
        return text("It grows dark: the heap has {heap}.", heap=self.heap)


class Dark(Decree):
    """It is dusk, or night."""

    verb: ClassVar[str] = "dark"
    when: Literal["dusk", "night"]

    def check(self, state: State, seat: Seat) -> None:
        if state.heap <= LEFT[self.when]:
            raise Illegal("The heap is small enough.")

    def events(self, state: State, seat: Seat) -> Iterable[Event]:
        yield Shrunk(heap=LEFT[self.when])


class Deserted(Decree):
    """Nobody else is left."""

    verb: ClassVar[str] = "deserted"

    def check(self, state: State, seat: Seat) -> None:
        """It is always so that the game can end."""

    def events(self, state: State, seat: Seat) -> Iterable[Event]:
        yield Ended()


def alarms(state: State) -> Sequence[Alarm]:
    """Dusk is half an hour before the night."""
    dusk = Alarm(at=NIGHT, minutes_before=30, decree=Dark.of("dusk"), name=text("Dusk"))
    night = Alarm(at=NIGHT, decree=Dark.of("night"), name=text("Night"))
    return (dusk, night)[(state.heap <= LEFT["dusk"]) + (state.heap <= LEFT["night"]):]


def left_alone(state: State, held: Collection[Seat]) -> tuple[Seat, Decree] | None:
    """Who alone holds a seat."""
    (one, *others) = [Seat(seat) for seat in state.seats if seat in held] or [Seat("")]
    return (one, Deserted.of()) if one and not others else None


DAYLIGHT = PEBBLES.changed(decrees=(Dark, Deserted), events=(*PEBBLES.rules.events, Shrunk), alarms=alarms, left_alone=left_alone)
