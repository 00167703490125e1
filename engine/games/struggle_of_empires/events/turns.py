"""What happens in the course of turns, and in settling (chapters 6, 10, 15)."""
from __future__ import annotations

from collections.abc import Sequence

from engine.counters import add
from engine.games.struggle_of_empires.rules.special_actions import spend_special
from engine.games.struggle_of_empires.state import State, TurnState
from engine.games.struggle_of_empires.words.names import COMMERCE
from engine.kernel import Event
from engine.kernel.events import silent
from engine.text import Text, count, text


class TurnBegun(Event):
    power: str

    def apply(self, s: State) -> None:
        s.turn = TurnState()


class ActionSpent(Event):
    def apply(self, s: State) -> None:
        s.turn.actions -= 1


class Passed(Event):
    power: str
    actions: int

    def apply(self, s: State) -> None:
        s.turn.actions -= self.actions

    def line(self) -> Text:
        actions = count(self.actions, "an action", "{n} actions")
        return Text("{power:The} passes {actions}.", {"power": self.power, "actions": actions}, listed="actions")

    def commentary(self, following: Sequence[Event]) -> tuple[Sequence[Text], int]:
        quiet = silent(following)
        if quiet == len(following) or not isinstance(following[quiet], TurnEnded):
            return super().commentary(following)
        return (count(self.actions, "{power:The} passes and ends its turn.", "{power:The} passes {n} actions and ends its turn.",
                      power=self.power),), quiet + 1


class TurnEnded(Event):
    power: str
    place: int              # of the next player
    round: int
    phase: str

    def apply(self, s: State) -> None:
        s.place, s.round, s.phase, s.turn = self.place, self.round, self.phase, TurnState()
        if self.place == 0:                 # a new round
            s.tried = {}

    def line(self) -> Text:
        return text("{power:The} ends its turn.", power=self.power)


class Settled(Event):
    """A colonist or slave marker gives way to a control marker [SOE-10.1.1, 10.1.2]."""

    power: str
    area: str
    marker: str
    enslaved: bool

    def apply(self, s: State) -> None:
        s.neutrals[self.area].remove(self.marker)
        s.discard(self.marker)
        add(s.markers[self.power], self.area, 1)
        spend_special(s, "settling")

    def line(self) -> Text:
        if self.enslaved:
            return text("{power:The} gains a control marker in {area:the} by {commerce}.",
                        power=self.power, area=self.area, commerce=COMMERCE)
        return text("{power:The} colonises {area:the}.", power=self.power, area=self.area)
