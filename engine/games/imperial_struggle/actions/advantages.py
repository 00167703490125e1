"""Using advantages that are no part of another purchase (chapter 11)."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from pydantic import Field

from engine.games.imperial_struggle.actions.buying import ACTION, DEBT, TRP, labelled
from engine.games.imperial_struggle.actions.military import Arming, Target
from engine.games.imperial_struggle.components import Side, foe
from engine.games.imperial_struggle.rules.advantages import NAVAL_BASTION, is_usable, marks, require_usable
from engine.games.imperial_struggle.rules.points import Purchase, in_turn, require_turn
from engine.games.imperial_struggle.rules.prices import Price, price_of
from engine.games.imperial_struggle.state import ActionName, State
from engine.games.imperial_struggle.words.outcomes import marked
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text

FREE = ("place_conflict", "change_debt")        # what advantages do that cost nothing
BASTION = price_of("MP", 1, "source_alone", "IS-11.7", NAVAL_BASTION)


def free_targets(s: State, side: Side, advantage: str) -> list[str]:
    """Return what an advantage without a price can be used on now: spaces, or "" if it needs none; empty if on nothing
    [IS-11.9]."""
    match s.parts.advantage[advantage].effect.op:
        case "place_conflict":
            return marks(s, side, advantage)
        case "change_debt":
            return [""] if s.own[side].debt else []
    return []


class UseAdvantage(Action):
    """Use an advantage that costs nothing: put a conflict marker somewhere, or lower your debt."""

    verb: ClassVar[str] = "advantage"
    advantage: str = Field(description="Which advantage?")
    target: str = Field(description="Space that gets the marker?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[UseAdvantage]:
        if in_turn(s):
            side = s.power(seat)
            for advantage in s.held_advantages(side):
                if is_usable(s, side, advantage):
                    for target in free_targets(s, side, advantage):
                        yield cls.of(advantage, target)

    def check(self, s: State, seat: Seat) -> None:
        require_turn(s)
        side = s.power(seat)
        if self.advantage not in s.parts.advantage:
            raise Illegal("There is no advantage called {advantage}.", rule="IS-11.1", advantage=self.advantage)
        require_usable(s, side, self.advantage)
        able = free_targets(s, side, self.advantage)
        if self.target in able:
            return
        match s.parts.advantage[self.advantage].effect.op:
            case "place_conflict" if able:
                raise Illegal("{advantage} doesn't reach {target}. It reaches {able}.", rule="IS-11.10",
                              advantage=self.advantage, target=self.target or "none", able=tuple(able))
            case "place_conflict" | "change_debt" if not able:
                raise Illegal("{advantage} would do nothing now, so you can't use it.", rule="IS-11.9", advantage=self.advantage)
            case "change_debt":
                raise Illegal("{advantage} has no target.", rule="IS-11.9", advantage=self.advantage)
        raise Illegal("{advantage} is used with the purchase that it makes cheaper.", rule="IS-11.8", advantage=self.advantage)

    def meets(self, s: State, seat: Seat) -> Text | None:
        return marked(s, s.power(seat), self.target) if self.target else None

    @classmethod
    def concerns(cls, s: State, seat: Seat) -> bool:
        return any(s.parts.advantage[held].effect.op in FREE for held in s.held_advantages(s.power(seat)))

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        require_turn(s)
        raise Illegal("You hold no advantage that can be used on its own now.", rule="IS-11.4")

    def label(self) -> Text:
        if self.target:
            return text("{advantage}: {target}", advantage=self.advantage, target=self.target)
        return text("{advantage}", advantage=self.advantage)


class SendHome(Arming):
    """Send an opposing squadron to the Navy Box by Naval Bastion."""

    verb: ClassVar[str] = "bastion"
    rule: ClassVar[str] = "IS-11.7"
    space: str = Field(description="Where is the squadron?")
    action: ActionName = ACTION
    debt: int = DEBT
    trp: int = TRP

    @property
    def needs(self) -> str:
        return NAVAL_BASTION

    @classmethod
    def targets(cls, s: State, side: Side, action: ActionName) -> Iterable[Target]:
        if action != "minor" and is_usable(s, side, NAVAL_BASTION):
            for space in s.squadrons(foe(side)):
                yield (space,), "naval_bastion", space, BASTION

    @classmethod
    def concerns(cls, s: State, seat: Seat) -> bool:
        return super().concerns(s, seat) and NAVAL_BASTION in s.held_advantages(s.power(seat))

    def require(self, s: State, seat: Seat) -> None:
        side = s.power(seat)
        require_usable(s, side, NAVAL_BASTION)
        if self.action == "minor":
            raise Illegal("Naval Bastion removes a squadron, so it needs a major action.", rule="IS-R-14")
        if self.space not in s.squadrons(foe(side)):
            raise Illegal("There is no opposing squadron in {space}.", rule="IS-11.9", space=self.space)

    def purchase(self, s: State, seat: Seat) -> Purchase:
        return Purchase("naval_bastion", "MP", self.space)

    def price(self, s: State, seat: Seat) -> Price:
        return BASTION

    def label(self) -> Text:
        return labelled(text("Naval Bastion against {space:the}", space=self.space), self.action, self.debt, self.trp)
