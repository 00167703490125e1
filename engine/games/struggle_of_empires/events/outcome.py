"""What a fight brings: control markers, captives, losses, and the end of the attack (chapters 9.9, 9.10, 14)."""
from __future__ import annotations

from pydantic import Field

from engine.counters import add
from engine.games.struggle_of_empires.battle_state import Due
from engine.games.struggle_of_empires.events.words import a_unit
from engine.games.struggle_of_empires.state import Captive, State
from engine.games.struggle_of_empires.words.names import the
from engine.kernel import Event
from engine.kernel.model import later
from engine.text import Text, text


class MarkerTaken(Event):
    """A control marker of the loser is replaced by one of the winner [SOE-9.9.1]."""

    winner: str
    loser: str
    area: str

    def apply(self, s: State) -> None:
        add(s.markers[self.loser], self.area, -1)
        add(s.markers[self.winner], self.area, 1)

    def line(self) -> Text:
        return text("{winner:The} takes {loser:possessive} control marker in {area:the}.", winner=self.winner, loser=self.loser,
                    area=self.area)


class NeutralBeaten(Event):
    winner: str
    area: str
    marker: str
    face: str

    def apply(self, s: State) -> None:
        s.neutrals[self.area].remove(self.marker)
        s.discard(self.marker)
        add(s.markers[self.winner], self.area, 1)

    def line(self) -> Text:
        return text("{winner:The} beats {face} and gains a control marker in {area:the}.", winner=self.winner, face=self.face,
                    area=self.area)


class Captured(Event):
    """The named control marker becomes a captive [SOE-14.2.11]."""

    token: str
    power: str
    area: str
    sender: str

    def apply(self, s: State) -> None:
        add(s.markers[self.power], self.area, -1)
        s.captives[self.token] = Captive(area=self.area, power=self.power)
        if s.options.covert.mode == "tiles":
            add(s.tiles[self.sender], self.token, -1)

    def line(self) -> Text:
        return text("{power:Possessive} control marker in {area:the} is captured by {token}.", power=self.power, area=self.area,
                    token=the(self.token))


class CaptiveFreed(Event):
    """The winner's control marker takes the captive's place; the token can be used again [SOE-14.4.6 to 14.4.8]."""

    token: str
    winner: str
    owner: str
    area: str

    def apply(self, s: State) -> None:
        del s.captives[self.token]
        add(s.markers[self.winner], self.area, 1)
        if s.options.covert.mode == "tiles":
            add(s.stock, self.token, 1)

    def line(self) -> Text:
        if self.winner == self.owner:
            return text("{winner:The} frees its control marker in {area:the} from {token}.", winner=self.winner, area=self.area,
                        token=the(self.token))
        return text("{winner:The} beats {token} in {area:the} and replaces {owner:possessive} captive marker with its own.",
                    winner=self.winner, token=the(self.token), area=self.area, owner=self.owner)


class LossDue(Event):
    side: str
    own_first: bool
    fort_too: bool = later(default=False)

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        s.battle.due = Due(side=self.side, own_first=self.own_first, fort_too=self.fort_too)


class UnitLost(Event):
    owner: str
    unit: str
    area: str
    rolled_by: str = Field(default="", exclude=True)        # whose dice cost it; told as it happens, and not stored
    dice: int = Field(default=0, exclude=True)              # what they total
    also: bool = Field(default=False, exclude=True)         # that side has lost a unit in this fight already

    def apply(self, s: State) -> None:
        add(s.units[self.owner][self.unit], self.area, -1)
        leave_battle(s, self.owner, self.unit)

    def line(self) -> Text:
        if not self.dice:
            return text("{owner:The} loses {unit} in {area:the}.", owner=self.owner, unit=a_unit(self.unit), area=self.area)
        loss = text("{owner:The} also loses {unit}" if self.also else "{owner:The} loses {unit}", owner=self.owner,
                    unit=a_unit(self.unit))
        if self.owner == self.rolled_by:
            return text("{loss}: its dice total {n}.", loss=loss, n=self.dice)
        return text("{loss}: {side:possessive} dice total {n}.", loss=loss, side=self.rolled_by, n=self.dice)


def leave_battle(s: State, owner: str, unit: str) -> None:
    """A committed unit that is gone no longer counts."""
    battle = s.battle
    assert battle is not None, "no battle is fought"
    battle.due = None
    sent = battle.sent.get(owner)
    if sent is not None and unit != "fort":
        setattr(sent, unit, getattr(sent, unit) - 1)


class UnitWithdrawn(Event):
    """A unit that would have been lost goes home, or stays if it is a fort [SOE-12.18.5]."""

    owner: str
    unit: str
    area: str
    goes_home: bool

    def apply(self, s: State) -> None:
        if self.goes_home:
            add(s.units[self.owner][self.unit], self.area, -1)
            add(s.units[self.owner][self.unit], self.owner, 1)
        elif s.rules_version and s.battle is not None:      # it counts as gone for the next choice (SOE-12.18.9)
            add(s.battle.spared, f"{self.owner} {self.unit}", 1)
        leave_battle(s, self.owner, self.unit)

    def line(self) -> Text:
        if self.goes_home:
            return text("{owner:Possessive} {unit} withdraws from {area:the} to its home.", unit=self.unit, owner=self.owner,
                        area=self.area)
        return text("{owner:Possessive} {unit} in {area:the} isn't lost.", unit=self.unit, owner=self.owner, area=self.area)


class NothingToLose(Event):
    side: str

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        s.battle.due = None


class Withdrawn(Event):
    """Fighting Withdrawal covers the rest of the attack [SOE-12.18.1, 12.18.2]."""

    side: str

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        s.battle.withdrawn = True


class AttackEnded(Event):
    area: str

    def apply(self, s: State) -> None:
        s.battle = None
