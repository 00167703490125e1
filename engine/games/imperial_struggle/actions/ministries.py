"""Turning ministries up and using what they can do (chapter 12)."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from pydantic import Field

from engine.games.imperial_struggle.actions.buying import ACTION, DEBT, TRP, labelled
from engine.games.imperial_struggle.actions.military import Arming, Target, passes
from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.rules.ministries import (
    UPRISING_PRICE,
    face_down,
    require_ability,
    require_uprising,
    uprising_vp,
    usable,
)
from engine.games.imperial_struggle.rules.points import Purchase, given_up
from engine.games.imperial_struggle.rules.prices import Price, price_of
from engine.games.imperial_struggle.state import JACOBITES, ActionName, State
from engine.games.imperial_struggle.words.short import ABILITIES
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text

UPRISING_COST = price_of("MP", UPRISING_PRICE, "source_alone", "IS-12.5", JACOBITES)


class Reveal(Action):
    """Turn up one of your face-down ministries; it stays up until the era ends."""

    verb: ClassVar[str] = "reveal"
    secret: ClassVar[bool] = True
    card: str = Field(description="Ministry to turn up?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Reveal]:
        for card in face_down(s, s.power(seat)):
            yield cls.of(card)

    def check(self, s: State, seat: Seat) -> None:
        side = s.power(seat)
        if self.card in s.own[side].up:
            raise Illegal("{card} is already face up.", rule="IS-12.3", card=self.card)
        if self.card not in face_down(s, side):
            raise Illegal("{card} isn't one of your face-down ministries.", rule="IS-12.3", card=self.card)

    @classmethod
    def concerns(cls, s: State, seat: Seat) -> bool:
        return bool(face_down(s, s.power(seat)))

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        raise Illegal("You have no face-down ministry.", rule="IS-12.3")

    def label(self) -> Text:
        return text("Turn up {card}", card=self.card)


class Keep(Action):
    """Turn up no more ministries."""

    verb: ClassVar[str] = "keep"

    def label(self) -> Text:
        return text("Turn up nothing")


class UseAbility(Action):
    """Use an ability of one of your face-up ministries."""

    verb: ClassVar[str] = "ability"
    ability: str = Field(description="Which ability?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[UseAbility]:
        if s.round is not None and s.round.side == (side := s.power(seat)):
            for ability in usable(s, side):
                yield cls.of(ability)

    def check(self, s: State, seat: Seat) -> None:
        require_ability(s, s.power(seat), self.ability)

    def consequence(self, s: State, seat: Seat) -> Text | None:
        ability = s.parts.ability[self.ability]
        return given_up(s, "major") if ability.timing == "start_of_major_diplomatic_action" else None

    @classmethod
    def concerns(cls, s: State, seat: Seat) -> bool:
        return any(ability.prompt == "optional" for card in s.own[s.power(seat)].ministries
                   for ability in s.parts.ministry[card.card].abilities)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        raise Illegal("No ability of your face-up ministries can be used now.", rule="IS-12.5")

    def label(self) -> Text:
        what = ABILITIES.get(self.ability, text("no such ability"))
        return text("{card}: {what}", card=self.ability.rpartition(".")[0], what=what)


class RaiseUprising(Arming):
    """Turn 3 MP into victory points by Jacobite Uprisings."""

    verb: ClassVar[str] = "uprising"
    rule: ClassVar[str] = "IS-12.5"
    action: ActionName = ACTION
    debt: int = DEBT
    trp: int = TRP

    @classmethod
    def targets(cls, s: State, side: Side, action: ActionName) -> Iterable[Target]:
        if s.has_up(side, JACOBITES) and passes(require_uprising, s, side):
            yield (), "buy_vp", "", UPRISING_COST

    @classmethod
    def concerns(cls, s: State, seat: Seat) -> bool:
        return super().concerns(s, seat) and any(card.card == JACOBITES for card in s.own[s.power(seat)].ministries)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        if s.current.stage != "before":
            require_uprising(s, s.power(seat))
        super().require_any(s, seat)

    def require(self, s: State, seat: Seat) -> None:
        require_uprising(s, s.power(seat))

    def purchase(self, s: State, seat: Seat) -> Purchase:
        return Purchase("buy_vp", "MP")

    def price(self, s: State, seat: Seat) -> Price:
        return UPRISING_COST

    def outlook(self, s: State, seat: Seat) -> Text | None:
        return text("{vp} VP now", vp=uprising_vp(s))

    def label(self) -> Text:
        return labelled(text("VP by {card}", card=JACOBITES), self.action, self.debt, self.trp)
