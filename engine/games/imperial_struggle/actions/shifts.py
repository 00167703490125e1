"""Shifting markets and political spaces, and drawing events (chapters 6 and 7)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from engine.games.imperial_struggle.actions.buying import ACTION, DEBT, FLAG, TRP, UNFLAG, Buying, labelled
from engine.games.imperial_struggle.components import Points, Side
from engine.games.imperial_struggle.rules import shifting
from engine.games.imperial_struggle.rules.cards import can_draw
from engine.games.imperial_struggle.rules.points import (
    Payments,
    Purchase,
    actions_of,
    in_turn,
    kind_of,
    require_turn,
    require_way,
)
from engine.games.imperial_struggle.rules.prices import Price
from engine.games.imperial_struggle.state import ActionName, State
from engine.games.imperial_struggle.words.outcomes import worth
from engine.kernel import Seat
from engine.refusals import Illegal
from engine.text import Text, text


class ShiftMarket(Buying):
    """Unflag an opposing market, or flag an empty one."""

    verb: ClassVar[str] = "market"
    rule: ClassVar[str] = "IS-6.2"
    points: ClassVar[Points] = "EP"
    space: str = Field(description="Which market?")
    action: ActionName = ACTION
    advantage: str = Field(description="Which advantage makes it cheaper?")
    huguenots: str = Field(description="Which Huguenots make it cheaper?")
    debt: int = DEBT
    trp: int = TRP

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[ShiftMarket]:
        if s.round is None or s.round.stage == "before" or not (actions := actions_of(s, "EP")):
            return
        side = s.power(seat)
        near, major = shifting.connected(s, side), tuple([action for action in actions if action != "minor"])
        offers, ways, of = shifting.OffersOfMarkets(s, side), Payments(s, side).ways, cls.of
        for space, what, by_minor in shifting.targets(s, side,
                                                      [market for market in s.parts.of_type["market"] if market in near]):
            able = actions if by_minor else major
            if not able:
                continue
            for advantage, plain in offers.of(space, what):
                for huguenots in shifting.huguenots_for(s, side, space):
                    price = offers.price(space, advantage, huguenots) if huguenots else plain
                    if huguenots and price.total == plain.total:
                        continue                                            # they would make nothing cheaper
                    for action, debt, trp in ways(what, "EP", space, price.total, able):
                        yield of(space, action, advantage, huguenots, debt, trp)

    def check(self, s: State, seat: Seat) -> None:
        require_turn(s, self.advantage)
        side = s.power(seat)
        shifting.require_target(s, side, self.space, "market")
        shifting.require_connection(s, side, self.space)
        shifting.require_minor(s, side, self.space, self.action)
        shifting.OffersOfMarkets(s, side).require(self.space, shifting.what_of(s, self.space), self.advantage)
        shifting.require_huguenots(s, side, self.space, self.huguenots)
        if self._helps_in_vain(s, side):
            raise Illegal("The Huguenots of {huguenots} don't make {space} any cheaper.", rule="IS-6.3.6",
                          huguenots=self.huguenots, space=self.space)
        require_way(s, side, Purchase(shifting.what_of(s, self.space), "EP", self.space), self.price(s, seat), self.action,
                    self.debt,
                    self.trp)

    def was_legal(self, s: State, seat: Seat) -> bool:
        if s.round is None or not self.huguenots or self.model_copy(update={"huguenots": ""}) not in self.options(s, seat):
            return False
        side = s.power(seat)
        return self.huguenots in shifting.huguenots_for(s, side, self.space) and self._helps_in_vain(s, side)

    def _helps_in_vain(self, s: State, side: Side) -> bool:
        """True if Huguenots are named that leave the price as it is, at its floor or set by an advantage [IS-6.3.6, 6.3.7]."""
        if not self.huguenots:
            return False
        alone = shifting.price_of_market(s, side, self.space, self.advantage)
        return shifting.price_of_market(s, side, self.space, self.advantage, self.huguenots).total == alone.total

    def price(self, s: State, seat: Seat) -> Price:
        return shifting.price_of_market(s, s.power(seat), self.space, self.advantage, self.huguenots)

    def deed(self, s: State) -> Text:
        return UNFLAG if shifting.what_of(s, self.space) == "unflag" else FLAG

    def meets(self, s: State, seat: Seat) -> Text | None:
        return worth(s, s.power(seat), self.space)

    def label(self) -> Text:
        return labelled(text("{space}", space=self.space), self.action, self.debt, self.trp, self.advantage, self.huguenots)


class ShiftPolitical(Buying):
    """Unflag an opposing political space, or flag an empty one."""

    verb: ClassVar[str] = "politics"
    rule: ClassVar[str] = "IS-7.1"
    points: ClassVar[Points] = "DP"
    space: str = Field(description="Which political space?")
    action: ActionName = ACTION
    advantage: str = Field(description="Which advantage makes it cheaper?")
    debt: int = DEBT
    trp: int = TRP

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[ShiftPolitical]:
        if s.round is None or s.round.stage == "before":
            return
        kinds: tuple[Points, ...] = ("DP", "MP") if shifting.mp_shift(s) else ("DP",)
        spending = [(kind, actions) for kind in kinds if (actions := actions_of(s, kind))]
        if not spending:
            return
        side = s.power(seat)
        able = [(kind, shifting.OffersOfPolitics(s, side, kind).of, actions,
                 tuple([action for action in actions if action != "minor"]))
                for kind, actions in spending]
        ways, of = Payments(s, side).ways, cls.of
        for space, what, by_minor in shifting.targets(s, side, s.parts.of_type["political"]):
            for kind, offers, every, major in able:
                serving = every if by_minor else major
                if serving and (kind == "DP" or shifting.pays_for_politics(s, kind, space)):
                    found = offers(space, what)
                    for together in (serving,) if len(found) == 1 else [(action,) for action in serving]:
                        for advantage, price in found:
                            for action, debt, trp in ways(what, kind, space, price.total, together):
                                yield of(space, action, advantage, debt, trp)

    def check(self, s: State, seat: Seat) -> None:
        require_turn(s, self.advantage)
        side, kind = s.power(seat), shifting.shift_kind(s, self.action)
        shifting.require_target(s, side, self.space, "political")
        shifting.require_minor(s, side, self.space, self.action)
        shifting.OffersOfPolitics(s, side, kind).require(self.space, shifting.what_of(s, self.space), self.advantage)
        if not shifting.pays_for_politics(s, kind, self.space):
            raise Illegal("MP can't shift {space}.", rule="IS-7.1", space=self.space)
        require_way(s, side, Purchase(shifting.what_of(s, self.space), kind, self.space), self.price(s, seat), self.action,
                    self.debt,
                    self.trp)

    def price(self, s: State, seat: Seat) -> Price:
        return shifting.price_of_political(s, s.power(seat), self.space, self.advantage, shifting.shift_kind(s, self.action))

    def deed(self, s: State) -> Text:
        return UNFLAG if shifting.what_of(s, self.space) == "unflag" else FLAG

    def meets(self, s: State, seat: Seat) -> Text | None:
        return worth(s, s.power(seat), self.space)

    def label(self) -> Text:
        return labelled(text("{space}", space=self.space), self.action, self.debt, self.trp, self.advantage)


class DrawEvent(Buying):
    """Draw an event card."""

    verb: ClassVar[str] = "draw"
    rule: ClassVar[str] = "IS-7.3"
    points: ClassVar[Points] = "DP"
    action: ActionName = ACTION
    debt: int = DEBT
    trp: int = TRP

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[DrawEvent]:
        if in_turn(s) and (actions := actions_of(s, "DP")) and can_draw(s):
            for action, debt, trp in Payments(s, s.power(seat)).ways("draw_event", "DP", "", shifting.DRAWING.total, actions):
                yield cls.of(action, debt, trp)

    def check(self, s: State, seat: Seat) -> None:
        require_turn(s)
        if not can_draw(s):
            raise Illegal("The pile of events is empty.", rule="IS-7.3")
        if kind_of(s, self.action) != "DP":
            raise Illegal("You draw an event by a diplomatic action.", rule="IS-7.3")
        require_way(s, s.power(seat), Purchase("draw_event", "DP"), shifting.DRAWING, self.action, self.debt, self.trp)

    def price(self, s: State, seat: Seat) -> Price:
        return shifting.DRAWING

    def label(self) -> Text:
        return labelled(text("Draw an event"), self.action, self.debt, self.trp)
