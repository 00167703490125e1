"""Chapter 4: one player's turn and its actions."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from engine.games.attack import state as st
from engine.games.attack.odds import outlook_at_sea, outlook_on_land
from engine.kernel import Action, Event, Seat
from engine.refusals import Illegal
from engine.text import Text, count, template, text

YOUR_TURN = template("What do you do? You have {left}.")
# a Trade that is the last action stays open [ATK-4.1.10]
STILL_OPEN = template("You have no actions left, but you can still trade. Offer another deal, or end your turn?")

# --- events -----------------------------------------------------------------------------------------------

class TurnBegun(Event):
    """A turn begins: what is told of it has its head."""

    power: str


class ActionChosen(Event):
    """An action is chosen; it can still be dropped for another [ATK-4.1.12]."""

    power: str
    action: str

    def apply(self, s: st.State) -> None:
        s.turn.action, s.turn.confirmed = self.action, False        # a deal before it was never open to change
        units = s.units
        s.turn.before = {land: units[land].copy() for land in s.territories(self.power)}


class ActionDropped(Event):
    """An action that was not confirmed is given up; everything stands as before it [ATK-4.1.12]."""

    power: str
    moved: bool = False     # units had orders, which everybody has read

    def apply(self, s: st.State) -> None:
        for land, force in s.turn.before.items():
            s.units[land] = force.copy()
        clear(s.turn)

    def line(self) -> Text | None:
        return text("{power} drops its orders.", power=self.power) if self.moved else None


class ActionSpent(Event):
    """An action counts from now on, and nothing of it can be taken back [ATK-4.1.12]; its orders have been told, one by one."""

    power: str
    action: str

    def apply(self, s: st.State) -> None:
        s.turn.taken.append(self.action)
        s.turn.confirmed = True


class ActionFinished(Event):
    """An action is over, with all its battles and placements [ATK-4.1.6]."""

    power: str

    def apply(self, s: st.State) -> None:
        clear(s.turn)


def clear(turn: st.TurnState) -> None:
    """Forget the action under way; what was spent stays."""
    turn.action, turn.confirmed, turn.points = "", False, 0
    turn.before, turn.arrived, turn.entering, turn.crossings, turn.basket, turn.to_place, turn.pair = {}, {}, {}, [], {}, {}, []
    turn.orders = []


class TurnEnded(Event):
    """The next player's turn, perhaps in the next round [ATK-4.1.10, 19.3.4]."""

    power: str
    place: int              # of the next player
    round: int
    unused: int             # actions left

    def apply(self, s: st.State) -> None:
        if self.round != s.round:
            s.proposals = []
        s.place, s.round, s.turn = self.place, self.round, st.TurnState()

    def line(self) -> Text | None:
        if self.unused:
            return text("{power} ends its turn with {actions} left.", power=self.power,
                        actions=count(self.unused, "{n} action", "{n} actions"))
        return None                         # whose turn it is now is said at once


# --- which actions are possible -------------------------------------------------------------------------------

def actions_left(s: st.State) -> int:
    return s.parts.numbers.actions_per_turn - len(s.turn.taken)


def require_action(s: st.State, power: str, action: str) -> None:
    """Raise Illegal unless this action can be chosen now [ATK-4.1.1 to 4.1.4, 4.1.11]."""
    if actions_left(s) < 1:
        raise Illegal("You've taken all your actions this turn. End your turn.", rule="ATK-4.1.1")
    if action in s.turn.taken and action not in s.parts.numbers.repeatable_actions:
        raise Illegal("You've already taken {action} this turn. Your actions in a turn must differ.", rule="ATK-4.1.3",
                      action=action)
    if action == st.BLITZ:
        if st.MOVEMENT not in s.turn.taken:
            raise Illegal("Blitz needs a Movement earlier this turn.", rule="ATK-10.1.1")
        if s.options.blitz_immediate and s.turn.taken[-1] != st.MOVEMENT:
            raise Illegal("In this game Blitz must be the very next action after Movement.", rule="ATK-4.1.5")
    if action == st.NAVAL:
        if not s.ships(power):
            raise Illegal("You have no ships.", rule="ATK-12.3.3")
        if s.controller == power:
            raise Illegal("You already control the sea lanes.", rule="ATK-12.3.3")
    if action == st.DIPLOMACY and not s.any_neutral:
        raise Illegal("There is no neutral territory left.", rule="ATK-14.1.1")


def can_take(s: st.State, power: str, action: str) -> bool:
    """True if this action can be chosen now: what `require_action` refuses with a reason, without one."""
    taken, numbers = s.turn.taken, s.parts.numbers
    if len(taken) >= numbers.actions_per_turn or (action in taken and action not in numbers.repeatable_actions):
        return False
    if action == st.BLITZ:
        return st.MOVEMENT in taken and (not s.options.blitz_immediate or taken[-1] == st.MOVEMENT)
    if action == st.NAVAL:
        return s.ships(power) > 0 and s.controller != power
    return action != st.DIPLOMACY or s.any_neutral


def trade_open(s: st.State) -> bool:
    """True if the last action taken is a Trade, which allows further deals [ATK-4.1.10, 17.1.2]."""
    return s.turn.taken[-1:] == [st.TRADE]


def what_next(left: int) -> str:
    """The question of the own turn, with so many actions left."""
    return YOUR_TURN if left else STILL_OPEN


def still(left: int) -> Text:
    return count(left, "{n} action left", "{n} actions left")


class Begin(Action):
    """Choose movement, blitz, strategic movement, naval battle or production."""

    verb: ClassVar[str] = "begin"
    action: Literal["movement", "blitz", "strategic_movement", "naval_battle", "production"] = Field(
        description="Which one?")

    @classmethod
    def options(cls, s: st.State, seat: Seat) -> Iterator[Begin]:
        power = s.power(seat)
        for action in st.ACTIONS:
            if action not in (st.DIPLOMACY, st.TRADE) and can_take(s, power, action):
                yield cls.of(action)

    def check(self, s: st.State, seat: Seat) -> None:
        require_action(s, s.power(seat), self.action)

    @classmethod
    def require_any(cls, s: st.State, seat: Seat) -> None:
        require_action(s, s.power(seat), st.MOVEMENT)

    def outlook(self, s: st.State, seat: Seat) -> Text | None:
        return outlook_at_sea(s, s.power(seat)) if self.action == st.NAVAL else None

    def label(self) -> Text:
        return text("{action}", action=self.action)


class End(Action):
    """End your turn. An action you haven't confirmed is dropped."""

    verb: ClassVar[str] = "end"

    def label(self) -> Text:
        return text("End the turn")


class Confirm(Action):
    """Confirm your orders or purchases."""

    verb: ClassVar[str] = "confirm"

    def outlook(self, s: st.State, seat: Seat) -> Text | None:
        return outlook_on_land(s, s.power(seat))

    def consequence(self, s: st.State, seat: Seat) -> Text | None:
        if s.turn.action == st.PRODUCTION and not s.turn.basket:
            return text("You buy nothing. The action is spent, and your points are lost.")
        if s.turn.action in (st.MOVEMENT, st.BLITZ, st.STRATEGIC) and not s.turn.orders:
            return text("Nothing moves, and the action is spent.")
        return None

    def label(self) -> Text:
        return text("Confirm")
