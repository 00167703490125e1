"""Answers of a war turn: spoils, and whether a territory is ceded (chapters 14.7, 14.8)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from engine.games.imperial_struggle.components import Side, foe
from engine.games.imperial_struggle.rules.conquest import can_refuse, conquests, price, require_conquest, spoil_flags
from engine.games.imperial_struggle.rules.prices import of_conquest
from engine.games.imperial_struggle.state import State
from engine.games.imperial_struggle.words.outcomes import loses_flag, worth
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text


def uses_spoils(s: State, side: Side) -> bool:
    return s.war is not None and s.war.winner == side and not s.war.asked


def _require_winner(s: State, side: Side) -> None:
    if not uses_spoils(s, side):
        raise Illegal("You have no spoils to use now.", rule="IS-14.7.3")


class Conquer(Action):
    """Take a space with conquest points."""

    verb: ClassVar[str] = "conquer"
    space: str = Field(description="Which space do you take?")
    origin: str = Field(description="Where does your squadron come from?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Conquer]:
        side = s.power(seat)
        if uses_spoils(s, side) and s.fought.cp:
            for space, origin in conquests(s, side):
                yield cls.of(space, origin)

    def check(self, s: State, seat: Seat) -> None:
        _require_winner(s, s.power(seat))
        require_conquest(s, s.power(seat), self.space, self.origin)

    def cost(self, s: State, seat: Seat) -> Text:
        return of_conquest(price(s, self.space))

    def meets(self, s: State, seat: Seat) -> Text:
        owner, good_for = s.flags.get(self.space), worth(s, s.power(seat), self.space, taken=True)
        if owner:
            now = text("{owner} may refuse", owner=owner) if can_refuse(s, self.space) else text("{owner} holds it", owner=owner)
        else:
            now = text("empty now")
        return text("{now}; {worth}", now=now, worth=good_for) if good_for is not None else now

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        _require_winner(s, s.power(seat))
        raise Illegal("Your conquest points aren't enough to take a space.", rule="IS-14.8.1")

    def label(self) -> Text:
        if self.origin:
            return text("Take {space:the} from {origin:the}", space=self.space, origin=self.origin)
        return text("Take {space:the}", space=self.space)


class TakeOff(Action):
    """Take off an opposing flag as spoils."""

    verb: ClassVar[str] = "unflag"
    space: str = Field(description="Which space loses its flag?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[TakeOff]:
        side = s.power(seat)
        if uses_spoils(s, side):
            for space in spoil_flags(s, side):
                yield cls.of(space)

    def check(self, s: State, seat: Seat) -> None:
        side = s.power(seat)
        _require_winner(s, side)
        able = spoil_flags(s, side)
        if self.space not in able:
            raise Illegal("You can take the flag off {able}.", rule="IS-14.7.4", able=tuple(able))

    def meets(self, s: State, seat: Seat) -> Text:
        return loses_flag(s, s.power(seat), self.space)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        _require_winner(s, s.power(seat))
        raise Illegal("There is no flag you could take off.", rule="IS-14.7.4")

    def label(self) -> Text:
        return text("Take the flag off {space:the}", space=self.space)


class CallLosses(Action):
    """Have the loser give up its squadrons now, before you go on."""

    verb: ClassVar[str] = "losses"

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[CallLosses]:
        side = s.power(seat)
        if uses_spoils(s, side) and s.fought.losses and s.built(foe(side)):
            yield cls.of()

    def check(self, s: State, seat: Seat) -> None:
        side = s.power(seat)
        _require_winner(s, side)
        if not s.fought.losses or not s.built(foe(side)):
            raise Illegal("The loser has no squadron to give up.", rule="IS-14.7.5")

    def label(self) -> Text:
        return text("The loser gives up squadrons first")


class Forgo(Action):
    """Give up the rest of the spoils."""

    verb: ClassVar[str] = "forgo"

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Forgo]:
        if uses_spoils(s, s.power(seat)):
            yield cls.of()

    def check(self, s: State, seat: Seat) -> None:
        _require_winner(s, s.power(seat))

    def consequence(self, s: State, seat: Seat) -> Text | None:
        if s.fought.cp:
            return text("You give up {n} CP.", n=s.fought.cp)
        return None

    def label(self) -> Text:
        return text("Give up the rest")


class Cede(Action):
    """Cede the territory."""

    verb: ClassVar[str] = "cede"

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Cede]:
        if _is_asked(s, seat):
            yield cls.of()

    def check(self, s: State, seat: Seat) -> None:
        _require_asked(s, seat)

    def label(self) -> Text:
        return text("Cede it")


class Refuse(Action):
    """Refuse to cede the territory: you lose victory points, and it stays yours in this war."""

    verb: ClassVar[str] = "refuse"

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Refuse]:
        if _is_asked(s, seat):
            yield cls.of()

    def check(self, s: State, seat: Seat) -> None:
        _require_asked(s, seat)

    def cost(self, s: State, seat: Seat) -> Text:
        side = s.power(seat)
        return text("{n} VP: refusal {number} of this war (IS-14.8.8)", n=refusal_price(s, side), number=s.own[side].refusals + 1)

    def label(self) -> Text:
        return text("Refuse")


def _is_asked(s: State, seat: Seat) -> bool:
    return s.war is not None and bool(s.war.asked) and s.war.winner == foe(s.power(seat))


def _require_asked(s: State, seat: Seat) -> None:
    if not _is_asked(s, seat):
        raise Illegal("Nobody demands a territory of yours now.", rule="IS-14.8.8")


def refusal_price(s: State, side: Side) -> int:
    """The VP that the next refusal of a side costs in this war [IS-14.8.8]."""
    return s.parts.war_limits.refusal_vp[s.own[side].refusals]
