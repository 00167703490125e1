"""What every purchase of an action round shares (chapters 5.5 to 5.9)."""
from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from engine.games.imperial_struggle.components import Points
from engine.games.imperial_struggle.events.money import treaty_points
from engine.games.imperial_struggle.rules.points import actions_of, given_up
from engine.games.imperial_struggle.rules.prices import Price
from engine.games.imperial_struggle.state import ActionName, State
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, count, text

ACTION = Field(description="Action that pays for it?")
DEBT = Field(ge=0, description="Debt you take for it?")
TRP = Field(ge=0, description="Treaty points you spend on it?")
BY = {"major": text("major"), "minor": text("minor"), "event_EP": text("event EP"), "event_DP": text("event DP"),
      "event_MP": text("event MP")}
"""The actions of a round, in a label."""
FLAG, UNFLAG = text("flag"), text("unflag")


class Buying(Action):
    """A purchase: an answer of an action round that costs action points."""

    if TYPE_CHECKING:           # each kind has these fields behind its own: menus lead through them in their order
        action: ActionName
        debt: int
        trp: int

    rule: ClassVar[str]         # by which it can be bought
    points: ClassVar[Points]    # with which it is paid

    @classmethod
    def concerns(cls, s: State, seat: Seat) -> bool:
        """True if this round has points of the kind, spent or not, or may still have them."""
        return s.round is None or s.round.stage == "before" or any(pool.kind == cls.points for pool in s.round.pools)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        if s.round is None or s.round.stage == "before":
            raise Illegal("Take a tile first.", rule="IS-5.3")
        if not cls.concerns(s, seat):
            raise Illegal("Your tile has no {kind}.", kind=cls.points, rule="IS-5.9.2")
        if not actions_of(s, cls.points):
            raise Illegal("You have no {kind} left to spend this round.", kind=cls.points, rule="IS-5.9.2")
        raise Illegal("There's nothing of this kind to buy now: no target, or none you could pay for, even with debt and "
                      "TRP.",
                      rule=cls.rule)

    def price(self, s: State, seat: Seat) -> Price:
        raise NotImplementedError

    def cost(self, s: State, seat: Seat) -> Text | None:
        return self.price(s, seat).short(self.deed(s))

    def deed(self, s: State) -> Text | None:
        """Return what is done, if neither its name nor its target says that: "unflag"."""
        return None

    def consequence(self, s: State, seat: Seat) -> Text | None:
        return given_up(s, self.action)


def labelled(what: Text, action: ActionName, debt: int, trp: int, *aids: str) -> Text:
    """A button: what is bought, by which action, and what is added."""
    by = BY.get(action) or text("{action}", action=action)
    added = [count(debt, "{n} debt", "{n} debt")] if debt else []
    if trp:
        added.append(treaty_points(trp))
    added += [text("{aid}", aid=aid) for aid in aids if aid]
    if added:
        return text("{what} ({by}; {added})", what=what, by=by, added=tuple(added))
    return text("{what} ({by})", what=what, by=by)
