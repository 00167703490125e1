"""Facts of the board: flags, squadrons, conflict markers, damage, advantages (chapters 2, 8, 11).

No rule emits them directly: `rules.control` does, so that whatever a change of control brings with it is told, too.
"""
from __future__ import annotations

from collections.abc import Sequence

from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.events.base import Fact
from engine.games.imperial_struggle.state import State
from engine.text import Text, text

BOXES = ("unbuilt", "navy_box", "away", "gone")         # where a squadron can be besides a naval space [IS-2.8.5]


def set_control(s: State, space: str, flag: str) -> None:
    """Change who controls a space ("" for nobody), with what hangs on it in the space itself [IS-2.4.7, 2.7.3, 2.8.4]."""
    if flag:
        s.flags[space] = flag
    else:
        s.flags.pop(space, None)
        if space in s.damaged:
            s.damaged.remove(space)
    s.conflict.pop(space, None)
    if flag not in ("france", "") and space in s.huguenots:
        del s.huguenots[space]
    if s.round is not None:
        for frozen in (s.round.held, s.round.isolated, s.round.deployed):
            if space in frozen:
                frozen.remove(space)


class FlagPlaced(Fact):
    """A flag comes into an empty space, or in place of another one [IS-2.4.2, 2.4.5]."""

    flag: str               # "britain", "france", "spain", "usa"
    space: str
    instead: str = ""       # the flag that was there

    def apply(self, s: State) -> None:
        damaged = self.space in s.damaged           # it stays if a fort is conquered [IS-14.8.4]
        set_control(s, self.space, "")
        set_control(s, self.space, self.flag)
        if damaged:
            s.damaged.append(self.space)

    def line(self) -> Text:
        if self.instead:
            return text("{flag:The} takes {space:the} from {instead:the}.", flag=self.flag, space=self.space,
                        instead=self.instead)
        return text("{flag:The} flags {space:the}.", flag=self.flag, space=self.space)


class FlagRemoved(Fact):
    """A flag comes off [IS-2.4.3, 2.4.8]."""

    flag: str
    space: str

    def apply(self, s: State) -> None:
        set_control(s, self.space, "")

    def line(self) -> Text:
        return text("{flag} loses its flag in {space:the}.", flag=self.flag, space=self.space)


class ConflictPlaced(Fact):
    space: str
    surcharge: int = 0      # MP that it costs more to remove [IS-2.6.6]

    def apply(self, s: State) -> None:
        s.conflict[self.space] = self.surcharge

    def line(self) -> Text:
        if self.surcharge:
            return text("A +{surcharge} conflict marker is put on {space:the}.", surcharge=self.surcharge, space=self.space)
        return text("A conflict marker is put on {space:the}.", space=self.space)


class ConflictRemoved(Fact):
    space: str

    def apply(self, s: State) -> None:
        del s.conflict[self.space]

    def line(self) -> Text:
        return text("The conflict marker leaves {space:the}.", space=self.space)

    def commentary(self, following: Sequence[Fact]) -> tuple[Sequence[Text], int]:
        """"The conflict markers leave Cumberland and Georgia."."""
        others = list[str]()
        for event in following:
            if not isinstance(event, ConflictRemoved):
                break
            others.append(event.space)
        if not others:
            return super().commentary(following)
        return (text("The conflict markers leave {spaces}.", spaces=(self.space, *others)),), len(others)


class FortDamaged(Fact):
    space: str

    def apply(self, s: State) -> None:
        s.damaged.append(self.space)

    def line(self) -> Text:
        return text("The fort of {space:the} is damaged.", space=self.space)


class FortRepaired(Fact):
    space: str

    def apply(self, s: State) -> None:
        s.damaged.remove(self.space)

    def line(self) -> Text:
        return text("The fort of {space} is repaired.", space=self.space)


class SquadronMoved(Fact):
    """A squadron goes from a naval space or a box to another one."""

    side: Side
    origin: str             # a naval space, or "unbuilt", "navy_box", "away", "gone"
    to: str
    deployed: bool = False  # by a military action or a conquest point: not again in this round or war [IS-8.6.4, 14.8.6]

    def apply(self, s: State) -> None:
        own = s.own[self.side]
        if s.war is not None and self.origin in s.war.landed:
            s.war.landed.remove(self.origin)
            s.war.spent[self.side] = s.war.spent.get(self.side, 0) + 1
        if self.origin in BOXES:
            setattr(own, self.origin, getattr(own, self.origin) - 1)
        else:
            set_control(s, self.origin, "")
        if self.to in BOXES:
            setattr(own, self.to, getattr(own, self.to) + 1)
        else:
            set_control(s, self.to, self.side)
            if self.deployed and s.round is not None:
                s.round.deployed.append(self.to)
            elif self.deployed and s.war is not None:
                s.war.landed.append(self.to)

    def line(self) -> Text:
        return text("{moved}.", moved=self.sentence())

    def sentence(self) -> Text:
        facts: dict[str, str] = {"side": self.side, "origin": self.origin, "to": self.to}
        match self.origin, self.to:
            case "unbuilt", _:
                return text("{side} builds a squadron", side=self.side)
            case "navy_box", _:
                return text("{side} sends a squadron from {origin} to {to:the}", **facts)
            case _, "unbuilt":
                return text("{side} gives up its squadron in {origin:the}", **facts)
            case _, "away":
                return text("{side:possessive} squadron leaves {origin:the} until the next peace turn", **facts)
            case _, "gone":
                return text("{side:possessive} squadron leaves {origin:the} and the game", **facts)
        return text("{side:possessive} squadron goes from {origin:the} to {to:the}", **facts)


class AdvantageMoved(Fact):
    """An advantage tile is gained, or goes back to the map [IS-11.1, 11.2]."""

    advantage: str
    side: Side | None

    def apply(self, s: State) -> None:
        if self.side is None:
            s.holders.pop(self.advantage, None)
            return
        s.holders[self.advantage] = self.side
        if s.round is not None and self.advantage not in s.round.gained:
            s.round.gained.append(self.advantage)

    def line(self) -> Text:
        if self.side is None:
            return text("Nobody holds {advantage:the} now.", advantage=self.advantage)
        return text("{side} gains {advantage:the}.", side=self.side, advantage=self.advantage)


class HuguenotsPlaced(Fact):
    """A fresh marker comes into a territory [M-9]."""

    space: str

    def apply(self, s: State) -> None:
        s.huguenots[self.space] = "fresh"
        s.huguenots_left -= 1

    def line(self) -> Text:
        return text("Huguenots settle in {space:the}.", space=self.space)


class HuguenotsFlipped(Fact):
    """A marker has made a market cheaper [M-9], or is turned fresh again [M-24]."""

    space: str
    fresh: bool = False

    def apply(self, s: State) -> None:
        s.huguenots[self.space] = "fresh" if self.fresh else "flipped"

    def line(self) -> Text:
        if self.fresh:
            return text("The Huguenots of {space:the} can help again.", space=self.space)
        return text("The Huguenots in {space:the} are used up.", space=self.space)
