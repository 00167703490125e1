"""Military purchases: bonus tiles, conflict markers, forts, squadrons, and the exchange of T6 (chapter 8)."""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar, Literal, Self

from pydantic import Field

from engine.games.imperial_struggle.actions.buying import ACTION, DEBT, TRP, Buying, labelled
from engine.games.imperial_struggle.components import foe
from engine.games.imperial_struggle.rules.arming import (
    EXCHANGE,
    NAVY_BOX,
    TILE,
    can_work_on_fort,
    price_of_clearing,
    price_of_deployment,
    price_of_fort,
    price_of_squadron,
    require_deployment,
    require_exchange,
    require_fort,
    require_marker,
    require_tile,
    require_unbuilt,
    squadron_aids,
    work_on_fort,
)
from engine.games.imperial_struggle.rules.points import Payments, Purchase, actions_of, require_turn, require_way
from engine.games.imperial_struggle.rules.prices import Price
from engine.games.imperial_struggle.state import TURN_6, ActionName, State
from engine.kernel import Seat
from engine.refusals import Illegal
from engine.text import Text, text


class Arming(Buying):
    """A purchase with MP. What the kinds share: each says what it buys, what it costs, and what forbids it."""

    @abstractmethod
    def purchase(self, s: State, seat: Seat) -> Purchase:
        """What is bought, and where."""

    @classmethod
    def targets(cls, s: State, seat: Seat, action: ActionName) -> Iterable[tuple[str, ...]]:
        """What it can be bought for by this action: the fields before `action`."""
        yield ()

    @property
    def needs(self) -> str:
        """The advantage that it uses, if any."""
        return ""

    @abstractmethod
    def require(self, s: State, seat: Seat) -> None:
        """Raise Illegal unless this can be bought, whatever it costs."""

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Self]:
        if s.round is None or s.round.stage not in ("tile", "actions"):
            return
        actions = list(actions_of(s, "MP"))
        if not actions:
            return
        paid, owed = Payments(s, s.power(seat)), s.round.owed
        for action in actions:
            for target in cls.targets(s, seat, action):
                plain = cls.of(*target, action, 0, 0)
                if not owed or plain.needs == owed:
                    for debt, trp in paid.ways(plain.purchase(s, seat), plain.price(s, seat), action):
                        yield cls.of(*target, action, debt, trp) if debt or trp else plain

    def check(self, s: State, seat: Seat) -> None:
        require_turn(s, self.needs)
        self.require(s, seat)
        require_way(s, s.power(seat), self.purchase(s, seat), self.price(s, seat), self.action, self.debt, self.trp)


def _passes(rule: Callable[..., None], *facts: object) -> bool:
    """Whether a rule raises nothing."""
    try:
        rule(*facts)
    except Illegal:
        return False
    return True


class BuyTile(Arming):
    """Buy a bonus tile for the next war."""

    verb: ClassVar[str] = "tile"
    rule: ClassVar[str] = "IS-8.1"
    action: ActionName = ACTION
    debt: int = DEBT
    trp: int = TRP

    @classmethod
    def targets(cls, s: State, seat: Seat, action: ActionName) -> Iterable[tuple[str, ...]]:
        if _passes(require_tile, s, s.power(seat)):
            yield ()

    def require(self, s: State, seat: Seat) -> None:
        require_tile(s, s.power(seat))

    def purchase(self, s: State, seat: Seat) -> Purchase:
        return Purchase("buy_bonus_tile", "MP")

    def price(self, s: State, seat: Seat) -> Price:
        return TILE

    def label(self) -> Text:
        return labelled(text("Bonus tile"), self.action, self.debt, self.trp)


class ClearConflict(Arming):
    """Remove a conflict marker."""

    verb: ClassVar[str] = "clear"
    where: ClassVar[str] = "space"
    rule: ClassVar[str] = "IS-8.2"
    space: str = Field(description="Which space?")
    action: ActionName = ACTION
    debt: int = DEBT
    trp: int = TRP

    @classmethod
    def targets(cls, s: State, seat: Seat, action: ActionName) -> Iterable[tuple[str, ...]]:
        return [(space,) for space in sorted(s.conflict, key=s.parts.rank.__getitem__)]

    def require(self, s: State, seat: Seat) -> None:
        require_marker(s, self.space)

    def purchase(self, s: State, seat: Seat) -> Purchase:
        return Purchase("remove_conflict", "MP", self.space)

    def price(self, s: State, seat: Seat) -> Price:
        return price_of_clearing(s, self.space)

    def label(self) -> Text:
        return labelled(text("Remove the marker at {space}", space=self.space), self.action, self.debt, self.trp)


class Fortify(Arming):
    """Build a fort, repair your own, or take a damaged opposing one."""

    verb: ClassVar[str] = "fort"
    where: ClassVar[str] = "space"
    rule: ClassVar[str] = "IS-8.3"
    space: str = Field(description="Which fort?")
    action: ActionName = ACTION
    debt: int = DEBT
    trp: int = TRP

    @classmethod
    def targets(cls, s: State, seat: Seat, action: ActionName) -> Iterable[tuple[str, ...]]:
        side = s.power(seat)
        return [(space,) for space in s.parts.of_type["fort"] if can_work_on_fort(s, side, space, action)]

    def require(self, s: State, seat: Seat) -> None:
        require_fort(s, s.power(seat), self.space, self.action)

    def purchase(self, s: State, seat: Seat) -> Purchase:
        return Purchase(work_on_fort(s, s.power(seat), self.space), "MP", self.space)

    def price(self, s: State, seat: Seat) -> Price:
        return price_of_fort(s, s.power(seat), self.space)

    def label(self) -> Text:
        return labelled(text("Fort at {space}", space=self.space), self.action, self.debt, self.trp)


class BuildSquadron(Arming):
    """Build a squadron; it comes into the Navy Box."""

    verb: ClassVar[str] = "build"
    rule: ClassVar[str] = "IS-8.5"
    aid: str = Field(description="Which advantage or ministry sets its price?")
    action: ActionName = ACTION
    debt: int = DEBT
    trp: int = TRP

    @property
    def needs(self) -> str:
        return self.aid

    @classmethod
    def targets(cls, s: State, seat: Seat, action: ActionName) -> Iterable[tuple[str, ...]]:
        if _passes(require_unbuilt, s, s.power(seat)):
            for aid in squadron_aids(s, s.power(seat)):
                yield (aid,)

    def require(self, s: State, seat: Seat) -> None:
        require_unbuilt(s, s.power(seat))
        if self.aid not in squadron_aids(s, s.power(seat)):
            raise Illegal("{aid} does not set the price of a squadron now.", rule="IS-8.5", aid=self.aid)

    def purchase(self, s: State, seat: Seat) -> Purchase:
        return Purchase("construct_squadron", "MP")

    def price(self, s: State, seat: Seat) -> Price:
        return price_of_squadron(s, self.aid)

    def label(self) -> Text:
        return labelled(text("Build a squadron"), self.action, self.debt, self.trp, self.aid)


class Deploy(Arming):
    """Send a squadron to a naval space, from the Navy Box or from another one."""

    verb: ClassVar[str] = "deploy"
    where: ClassVar[str] = "to"
    rule: ClassVar[str] = "IS-8.6"
    origin: str = Field(description="From where?")
    to: str = Field(description="Where to?")
    action: ActionName = ACTION
    debt: int = DEBT
    trp: int = TRP

    @classmethod
    def targets(cls, s: State, seat: Seat, action: ActionName) -> Iterable[tuple[str, ...]]:
        side = s.power(seat)
        taken = (side, foe(side)) if action == "minor" else (side,)
        goals = [to for to in s.parts.of_type["naval"] if s.flags.get(to) not in taken]
        origins = [NAVY_BOX] if s.own[side].navy_box else []
        origins += [origin for origin in s.squadrons(side) if origin not in s.current.deployed]
        return [(origin, to) for origin in origins for to in goals]

    def require(self, s: State, seat: Seat) -> None:
        require_deployment(s, s.power(seat), self.origin, self.to, self.action)

    def purchase(self, s: State, seat: Seat) -> Purchase:
        return Purchase("deploy_squadron", "MP", self.to)

    def price(self, s: State, seat: Seat) -> Price:
        return price_of_deployment(s, s.power(seat), self.origin, self.to)

    def label(self) -> Text:
        return labelled(text("{origin} to {to}", origin=self.origin, to=self.to), self.action, self.debt, self.trp)


class Exchange(Arming):
    """On the sixth turn: buy an economic or a diplomatic point with two military ones."""

    verb: ClassVar[str] = "exchange"
    typed: ClassVar[bool] = False
    rule: ClassVar[str] = "IS-8.7"
    kind: Literal["EP", "DP"] = Field(description="What do you buy?")
    action: ActionName = ACTION
    debt: int = DEBT
    trp: int = TRP

    @classmethod
    def targets(cls, s: State, seat: Seat, action: ActionName) -> Iterable[tuple[str, ...]]:
        return [(kind,) for kind in ("EP", "DP") if _passes(require_exchange, s, kind)] if s.turn == TURN_6 else []

    def require(self, s: State, seat: Seat) -> None:
        require_exchange(s, self.kind)

    def purchase(self, s: State, seat: Seat) -> Purchase:
        return Purchase("exchange", "MP")

    def price(self, s: State, seat: Seat) -> Price:
        return EXCHANGE

    def label(self) -> Text:
        return labelled(text("Buy 1 {kind} with MP", kind=self.kind), self.action, self.debt, self.trp)
