"""Shifting markets and political spaces, and drawing events (chapters 6 and 7)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from engine.games.imperial_struggle.actions.buying import ACTION, DEBT, FLAG, TRP, UNFLAG, Buying, labelled
from engine.games.imperial_struggle.components import Points
from engine.games.imperial_struggle.rules.advantages import discount_tiles
from engine.games.imperial_struggle.rules.cards import can_draw
from engine.games.imperial_struggle.rules.ministry_effects import open_to_minor
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
    Offer,
    connected,
    huguenots_for,
    mp_shift,
    offers_of_market,
    offers_of_political,
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
    where: ClassVar[str] = "space"
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
        side, flags, open = s.power(seat), s.flags, s.open_spaces
        paid, tiles, changes = Payments(s, side), discount_tiles(s, side), modifiers(s, side, "EP")
        near, to_minor, major = connected(s, side), open_to_minor(s, side), [action for action in actions if action != "minor"]
        for space in s.parts.of_type["market"]:
            if space not in near or flags.get(space) == side or space not in open:
                continue
            able = actions if serves(s, space, "minor", to_minor) else major
            if not able:
                continue
            purchase = Purchase(what_of(s, space), "EP", space)
            for advantage, plain in offers_of_market(s, side, space, tiles, changes):
                for huguenots in huguenots_for(s, side, space):
                    price = price_of_market(s, side, space, advantage, huguenots, changes) if huguenots else plain
                    for action in able:
                        for debt, trp in paid.ways(purchase, price, action):
                            yield cls.of(space, action, advantage, huguenots, debt, trp)

    def check(self, s: State, seat: Seat) -> None:
        require_turn(s, self.advantage)
        side = s.power(seat)
        require_target(s, side, self.space, "market")
        require_connection(s, side, self.space)
        require_minor(s, side, self.space, self.action)
        if all(self.advantage != advantage for advantage, _ in offers_of_market(s, side, self.space)):
            raise Illegal("{advantage} does not make this cheaper now.", rule="IS-11.8", advantage=self.advantage)
        if self.huguenots not in huguenots_for(s, side, self.space):
            raise Illegal("There are no fresh Huguenots of yours in {space}.", rule="IS-R-30", space=self.huguenots)
        require_way(s, side, Purchase(what_of(s, self.space), "EP", self.space), self.price(s, seat), self.action, self.debt,
                    self.trp)

    def price(self, s: State, seat: Seat) -> Price:
        return price_of_market(s, s.power(seat), self.space, self.advantage, self.huguenots)

    def deed(self, s: State) -> Text:
        return UNFLAG if what_of(s, self.space) == "unflag" else FLAG

    def label(self) -> Text:
        return labelled(text("{space}", space=self.space), self.action, self.debt, self.trp, self.advantage, self.huguenots)


class ShiftPolitical(Buying):
    """Unflag an opposing political space, or flag an empty one."""

    verb: ClassVar[str] = "politics"
    where: ClassVar[str] = "space"
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
        military = actions_of(s, "MP") if mp_shift(s) else ()
        actions = [(action, shift_kind(s, action)) for action in (*actions_of(s, "DP"), *military)]
        if not actions:
            return
        side, flags, open = s.power(seat), s.flags, s.open_spaces
        paid, tiles, changes = Payments(s, side), discount_tiles(s, side), modifiers(s, side, "DP")
        to_minor, major = open_to_minor(s, side), [way for way in actions if way[0] != "minor"]
        for space in s.parts.of_type["political"]:
            if flags.get(space) == side or space not in open:
                continue
            offers: dict[Points, list[Offer]] = {}          # by what the action spends
            for action, kind in actions if serves(s, space, "minor", to_minor) else major:
                if not pays_for_politics(s, kind, space):
                    continue
                if kind not in offers:
                    offers[kind] = offers_of_political(s, side, space, kind, tiles, changes)
                purchase = Purchase(what_of(s, space), kind, space)
                for advantage, price in offers[kind]:
                    for debt, trp in paid.ways(purchase, price, action):
                        yield cls.of(space, action, advantage, debt, trp)

    def check(self, s: State, seat: Seat) -> None:
        require_turn(s, self.advantage)
        side, kind = s.power(seat), shift_kind(s, self.action)
        require_target(s, side, self.space, "political")
        require_minor(s, side, self.space, self.action)
        if all(self.advantage != advantage for advantage, _ in offers_of_political(s, side, self.space, kind)):
            raise Illegal("{advantage} does not make this cheaper now.", rule="IS-11.8", advantage=self.advantage)
        if not pays_for_politics(s, kind, self.space):
            raise Illegal("MP do not shift {space}.", rule="IS-7.1", space=self.space)
        require_way(s, side, Purchase(what_of(s, self.space), kind, self.space), self.price(s, seat), self.action, self.debt,
                    self.trp)

    def price(self, s: State, seat: Seat) -> Price:
        return price_of_political(s, s.power(seat), self.space, shift_kind(s, self.action), self.advantage)

    def deed(self, s: State) -> Text:
        return UNFLAG if what_of(s, self.space) == "unflag" else FLAG

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
