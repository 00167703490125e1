"""Military purchases: bonus tiles, conflict markers, forts, squadrons, and the exchange of T6 (chapter 8)."""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar, Literal, Self, TypeAlias

from pydantic import Field

from engine.games.imperial_struggle.actions.buying import ACTION, DEBT, TRP, Buying, labelled
from engine.games.imperial_struggle.components import Points, Side, foe
from engine.games.imperial_struggle.rules import arming
from engine.games.imperial_struggle.rules.points import Payments, Purchase, What, actions_of, require_turn, require_way
from engine.games.imperial_struggle.rules.prices import Price
from engine.games.imperial_struggle.state import TURN_6, ActionName, State
from engine.games.imperial_struggle.words.outcomes import worth
from engine.kernel import Seat
from engine.refusals import Illegal
from engine.text import Text, text

Target: TypeAlias = tuple[tuple[str, ...], What, str, Price]
"""The fields before `action`; what is bought, where, for which price."""


FORTS: dict[What, Text] = {"build_fort": text("build"), "repair_fort": text("repair"), "seize_fort": text("take")}


class Arming(Buying):
    """A purchase with MP. What the kinds share: each says what it buys, what it costs, and what forbids it."""

    points: ClassVar[Points] = "MP"
    buys: ClassVar[What]

    def purchase(self, s: State, seat: Seat) -> Purchase:
        return Purchase(self.buys, "MP", self.place)

    @classmethod
    @abstractmethod
    def targets(cls, s: State, side: Side, action: ActionName) -> Iterable[Target]:
        """Yield what can be bought by this action, if it can be paid."""

    @property
    def needs(self) -> str:
        return ""

    @property
    def place(self) -> str:
        return ""

    @abstractmethod
    def require(self, s: State, seat: Seat) -> None:
        """Raise Illegal unless this can be bought, whatever it costs."""

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Self]:
        if s.round is None or s.round.stage not in ("tile", "actions"):
            return
        actions = actions_of(s, "MP")
        if not actions:
            return
        side, owed, of = s.power(seat), s.round.owed, cls.of
        paid: Payments | None = None
        for action in actions:
            alone = (action,)
            for fields, what, space, price in cls.targets(s, side, action):
                if not owed or of(*fields, action, 0, 0).needs == owed:
                    paid = paid or Payments(s, side)
                    for _, debt, trp in paid.ways(what, "MP", space, price.total, alone):
                        yield of(*fields, action, debt, trp)

    def check(self, s: State, seat: Seat) -> None:
        require_turn(s, self.needs)
        self.require(s, seat)
        require_way(s, s.power(seat), self.purchase(s, seat), self.price(s, seat), self.action, self.debt, self.trp)


def passes(rule: Callable[..., None], *facts: object) -> bool:
    try:
        rule(*facts)
    except Illegal:
        return False
    return True


class BuyTile(Arming):
    """Buy a bonus tile for the next war."""

    verb: ClassVar[str] = "tile"
    rule: ClassVar[str] = "IS-8.1"
    buys: ClassVar[What] = "buy_bonus_tile"
    action: ActionName = ACTION
    debt: int = DEBT
    trp: int = TRP

    @classmethod
    def targets(cls, s: State, side: Side, action: ActionName) -> Iterable[Target]:
        if passes(arming.require_tile, s, side):
            yield (), cls.buys, "", arming.TILE

    def require(self, s: State, seat: Seat) -> None:
        arming.require_tile(s, s.power(seat))

    def price(self, s: State, seat: Seat) -> Price:
        return arming.TILE

    def label(self) -> Text:
        return labelled(text("Buy a bonus tile"), self.action, self.debt, self.trp)


class ClearConflict(Arming):
    """Remove a conflict marker."""

    verb: ClassVar[str] = "clear"
    rule: ClassVar[str] = "IS-8.2"
    buys: ClassVar[What] = "remove_conflict"
    space: str = Field(description="Which space?")
    action: ActionName = ACTION
    debt: int = DEBT
    trp: int = TRP

    @property
    def place(self) -> str:
        return self.space

    @classmethod
    def targets(cls, s: State, side: Side, action: ActionName) -> Iterable[Target]:
        return [((space,), cls.buys, space, arming.price_of_clearing(s, space))
                for space in sorted(s.conflict, key=s.parts.rank.__getitem__)]

    def require(self, s: State, seat: Seat) -> None:
        arming.require_marker(s, self.space)

    def price(self, s: State, seat: Seat) -> Price:
        return arming.price_of_clearing(s, self.space)

    def label(self) -> Text:
        return labelled(text("Remove the marker at {space:the}", space=self.space), self.action, self.debt, self.trp)


class Fortify(Arming):
    """Build a fort, repair your own, or take a damaged opposing one."""

    verb: ClassVar[str] = "fort"
    rule: ClassVar[str] = "IS-8.3"
    space: str = Field(description="Which fort?")
    action: ActionName = ACTION
    debt: int = DEBT
    trp: int = TRP

    @classmethod
    def targets(cls, s: State, side: Side, action: ActionName) -> Iterable[Target]:
        return [((space,), arming.work_on_fort(s, side, space), space, arming.price_of_fort(s, side, space))
                for space in s.parts.of_type["fort"] if arming.can_work_on_fort(s, side, space, action)]

    def require(self, s: State, seat: Seat) -> None:
        arming.require_fort(s, s.power(seat), self.space, self.action)

    def purchase(self, s: State, seat: Seat) -> Purchase:
        return Purchase(arming.work_on_fort(s, s.power(seat), self.space), "MP", self.space)

    def price(self, s: State, seat: Seat) -> Price:
        return arming.price_of_fort(s, s.power(seat), self.space)

    def deed(self, s: State) -> Text:
        return FORTS[arming.work_on_fort(s, s.current.side, self.space)]

    def meets(self, s: State, seat: Seat) -> Text | None:
        return worth(s, s.power(seat), self.space)

    def label(self) -> Text:
        return labelled(text("Fort at {space:the}", space=self.space), self.action, self.debt, self.trp)


class BuildSquadron(Arming):
    """Build a squadron; it comes into the Navy Box."""

    verb: ClassVar[str] = "build"
    rule: ClassVar[str] = "IS-8.5"
    buys: ClassVar[What] = "construct_squadron"
    aid: str = Field(description="Which advantage or ministry sets its price?")
    action: ActionName = ACTION
    debt: int = DEBT
    trp: int = TRP

    @property
    def needs(self) -> str:
        return self.aid

    @classmethod
    def targets(cls, s: State, side: Side, action: ActionName) -> Iterable[Target]:
        if s.own[side].unbuilt:
            for aid in arming.squadron_aids(s, side):
                yield (aid,), cls.buys, "", arming.price_of_squadron(s, aid)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        if s.current.stage != "before" and cls.concerns(s, seat):
            arming.require_unbuilt(s, s.power(seat))
        super().require_any(s, seat)

    def require(self, s: State, seat: Seat) -> None:
        arming.require_unbuilt(s, s.power(seat))
        arming.require_aid(s, s.power(seat), self.aid)

    def price(self, s: State, seat: Seat) -> Price:
        return arming.price_of_squadron(s, self.aid)

    def label(self) -> Text:
        return labelled(text("Build a squadron"), self.action, self.debt, self.trp, self.aid)


class Deploy(Arming):
    """Send a squadron to a naval space, from the Navy Box or from another one."""

    verb: ClassVar[str] = "deploy"
    rule: ClassVar[str] = "IS-8.6"
    buys: ClassVar[What] = "deploy_squadron"
    origin: str = Field(description="From where?")
    to: str = Field(description="Where to?")
    action: ActionName = ACTION
    debt: int = DEBT
    trp: int = TRP

    @property
    def place(self) -> str:
        return self.to

    @classmethod
    def targets(cls, s: State, side: Side, action: ActionName) -> Iterable[Target]:
        flags = s.flags
        taken = (side, foe(side)) if action == "minor" else (side,)
        goals = [to for to in s.parts.of_type["naval"] if flags.get(to) not in taken]
        origins = [arming.NAVY_BOX] if s.own[side].navy_box else []
        origins += [origin for origin in s.squadrons(side) if origin not in s.current.deployed]
        return [((origin, to), cls.buys, to, arming.price_of_deployment(s, side, origin, to))
                for origin in origins for to in goals]

    def require(self, s: State, seat: Seat) -> None:
        arming.require_deployment(s, s.power(seat), self.origin, self.to, self.action)

    def price(self, s: State, seat: Seat) -> Price:
        return arming.price_of_deployment(s, s.power(seat), self.origin, self.to)

    def meets(self, s: State, seat: Seat) -> Text | None:
        return worth(s, s.power(seat), self.to)

    def label(self) -> Text:
        return labelled(text("{to:The} from {origin:the}", to=self.to, origin=self.origin), self.action, self.debt, self.trp)


class Exchange(Arming):
    """On the sixth turn: buy an economic or a diplomatic point with two military ones."""

    verb: ClassVar[str] = "exchange"
    rule: ClassVar[str] = "IS-8.7"
    buys: ClassVar[What] = "exchange"
    kind: Literal["EP", "DP"] = Field(description="What do you buy?")
    action: ActionName = ACTION
    debt: int = DEBT
    trp: int = TRP

    @classmethod
    def targets(cls, s: State, side: Side, action: ActionName) -> Iterable[Target]:
        able = [kind for kind in ("EP", "DP") if passes(arming.require_exchange, s, kind)] if s.turn == TURN_6 else []
        return [((kind,), cls.buys, "", arming.EXCHANGE) for kind in able]

    @classmethod
    def concerns(cls, s: State, seat: Seat) -> bool:
        return s.turn == TURN_6 and super().concerns(s, seat)

    def require(self, s: State, seat: Seat) -> None:
        arming.require_exchange(s, self.kind)

    def price(self, s: State, seat: Seat) -> Price:
        return arming.EXCHANGE

    def label(self) -> Text:
        return labelled(text("Buy 1 {kind} with MP", kind=self.kind), self.action, self.debt, self.trp)
