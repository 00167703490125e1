"""Shifting markets and political spaces, and drawing events (chapters 6 and 7)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from engine.games.imperial_struggle.actions.buying import ACTION, DEBT, TRP, Buying, labelled
from engine.games.imperial_struggle.rules.advantages import discount_tiles
from engine.games.imperial_struggle.rules.cards import can_draw
from engine.games.imperial_struggle.rules.points import (
    Payments,
    Purchase,
    actions_of,
    in_turn,
    kind_of,
    require_turn,
    require_way,
    ways,
)
from engine.games.imperial_struggle.rules.prices import Price, modifiers
from engine.games.imperial_struggle.rules.shifting import (
    DRAWING,
    huguenots_for,
    is_connected,
    market_discounts,
    pays_for_politics,
    price_of_market,
    price_of_political,
    require_connection,
    require_minor,
    require_target,
    serves,
    shift_kind,
    what_of,
)
from engine.games.imperial_struggle.state import ActionName, State
from engine.kernel import Seat
from engine.refusals import Illegal
from engine.text import Text, text


class ShiftMarket(Buying):
    """Unflag an opposing market, or flag an empty one."""

    verb: ClassVar[str] = "market"
    rule: ClassVar[str] = "IS-6.2"
    space: str = Field(description="Which market?")
    action: ActionName = ACTION
    advantage: str = Field(description="Which advantage makes it cheaper?")
    huguenots: str = Field(description="Which Huguenots make it cheaper?")
    debt: int = DEBT
    trp: int = TRP

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[ShiftMarket]:
        if s.round is None or s.round.stage == "before" or not (actions := list(actions_of(s, "EP"))):
            return
        side, paid = s.power(seat), Payments(s, s.power(seat))
        tiles, changes, open = discount_tiles(s, side), modifiers(s, side, "EP"), s.open_spaces
        for space in s.parts.of_type["market"]:
            if s.flags.get(space) == side or space not in open or not is_connected(s, side, space):
                continue
            able = [action for action in actions if serves(s, side, space, action)]
            purchase = Purchase(what_of(s, space), "EP", space)
            for advantage in market_discounts(s, side, space, tiles) if able else ():
                if not in_turn(s, advantage):
                    continue
                for huguenots in huguenots_for(s, side, space):
                    price = price_of_market(s, side, space, advantage, huguenots, changes)
                    for action in able:
                        for debt, trp in paid.ways(purchase, price, action):
                            yield cls.of(space, action, advantage, huguenots, debt, trp)

    def check(self, s: State, seat: Seat) -> None:
        require_turn(s, self.advantage)
        side = s.power(seat)
        require_target(s, side, self.space, "market")
        require_connection(s, side, self.space)
        require_minor(s, side, self.space, self.action)
        if self.advantage not in market_discounts(s, side, self.space):
            raise Illegal("{advantage} does not make this cheaper now.", rule="IS-11.8", advantage=self.advantage)
        if self.huguenots not in huguenots_for(s, side, self.space):
            raise Illegal("There are no fresh Huguenots of yours in {space}.", rule="IS-R-30", space=self.huguenots)
        require_way(s, side, Purchase(what_of(s, self.space), "EP", self.space), self.price(s, seat), self.action, self.debt,
                    self.trp)

    def price(self, s: State, seat: Seat) -> Price:
        return price_of_market(s, s.power(seat), self.space, self.advantage, self.huguenots)

    def label(self) -> Text:
        return labelled(text("{space}", space=self.space), self.action, self.debt, self.trp, self.advantage, self.huguenots)


class ShiftPolitical(Buying):
    """Unflag an opposing political space, or flag an empty one."""

    verb: ClassVar[str] = "politics"
    rule: ClassVar[str] = "IS-7.1"
    space: str = Field(description="Which political space?")
    action: ActionName = ACTION
    advantage: str = Field(description="Which advantage makes it cheaper?")
    debt: int = DEBT
    trp: int = TRP

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[ShiftPolitical]:
        if s.round is None or s.round.stage == "before":
            return
        side, paid = s.power(seat), Payments(s, s.power(seat))
        tiles, changes, open = discount_tiles(s, side), modifiers(s, side, "DP"), s.open_spaces
        actions = [(action, shift_kind(s, action)) for action in (*actions_of(s, "DP"), *actions_of(s, "MP"))]
        for space in s.parts.of_type["political"] if actions else ():
            if s.flags.get(space) == side or space not in open:
                continue
            able = [(action, kind) for action, kind in actions
                    if pays_for_politics(s, kind, space) and serves(s, side, space, action)]
            if not able:
                continue
            advantages = [advantage for advantage in market_discounts(s, side, space, tiles) if in_turn(s, advantage)]
            prices = {kind: [price_of_political(s, side, space, kind, advantage, changes) for advantage in advantages]
                      for kind in {kind for _, kind in able}}
            for action, kind in able:
                purchase = Purchase(what_of(s, space), kind, space)
                for advantage, price in zip(advantages, prices[kind]):
                    for debt, trp in paid.ways(purchase, price, action):
                        yield cls.of(space, action, advantage, debt, trp)

    def check(self, s: State, seat: Seat) -> None:
        require_turn(s, self.advantage)
        side, kind = s.power(seat), shift_kind(s, self.action)
        require_target(s, side, self.space, "political")
        require_minor(s, side, self.space, self.action)
        if self.advantage not in market_discounts(s, side, self.space):
            raise Illegal("{advantage} does not make this cheaper now.", rule="IS-11.8", advantage=self.advantage)
        if not pays_for_politics(s, kind, self.space):
            raise Illegal("MP do not shift {space}.", rule="IS-7.1", space=self.space)
        require_way(s, side, Purchase(what_of(s, self.space), kind, self.space), self.price(s, seat), self.action, self.debt,
                    self.trp)

    def price(self, s: State, seat: Seat) -> Price:
        return price_of_political(s, s.power(seat), self.space, shift_kind(s, self.action), self.advantage)

    def label(self) -> Text:
        return labelled(text("{space}", space=self.space), self.action, self.debt, self.trp, self.advantage)


class DrawEvent(Buying):
    """Draw an event card."""

    verb: ClassVar[str] = "draw"
    rule: ClassVar[str] = "IS-7.3"
    action: ActionName = ACTION
    debt: int = DEBT
    trp: int = TRP

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[DrawEvent]:
        if in_turn(s) and can_draw(s):
            for action in actions_of(s, "DP"):
                for debt, trp in ways(s, s.power(seat), Purchase("draw_event", "DP"), DRAWING, action):
                    yield cls.of(action, debt, trp)

    def check(self, s: State, seat: Seat) -> None:
        require_turn(s)
        if not can_draw(s):
            raise Illegal("The pile of events is empty.", rule="IS-7.3")
        if kind_of(s, self.action) != "DP":
            raise Illegal("An event is drawn by a diplomatic action.", rule="IS-7.3")
        require_way(s, s.power(seat), Purchase("draw_event", "DP"), DRAWING, self.action, self.debt, self.trp)

    def price(self, s: State, seat: Seat) -> Price:
        return DRAWING

    def label(self) -> Text:
        return labelled(text("Draw an event"), self.action, self.debt, self.trp)
