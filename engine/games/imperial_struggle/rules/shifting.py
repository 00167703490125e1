"""What chapters 6 and 7 share: whether a space can be shifted, what that needs, and what it costs."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from engine.games.imperial_struggle.components import Points, Side
from engine.games.imperial_struggle.rules import advantages, ministry_effects
from engine.games.imperial_struggle.rules.control import protector
from engine.games.imperial_struggle.rules.points import What, kind_of
from engine.games.imperial_struggle.rules.prices import Price, modified, modifiers, price_of
from engine.games.imperial_struggle.state import ActionName, State
from engine.refusals import Illegal

CONFLICT, ISOLATED = price_of("EP", 1, "conflict", "IS-6.3.2"), price_of("EP", 1, "isolated", "IS-6.3.3")         # markets
DRAWING = price_of("DP", 3, "fixed", "IS-7.3")
NO_AID = ("",)
JACOBITES_PAY, JACOBITE_COUNTRIES = "M-4.1", ("scotland", "ireland")            # MP in place of DP [M-4, IS-R-18]

Offer: TypeAlias = tuple[str, Price]        # an advantage, or "", and what a shift costs with it


def what_of(s: State, space: str) -> What:
    """Return what a shift of this space is: flagging an empty one, unflagging an opposing one [IS-2.4.4]."""
    return "unflag" if space in s.flags else "flag"


def require_target(s: State, side: Side, space: str, type: str) -> None:
    """Raise Illegal unless a side could shift a space of this type at all [IS-2.3.1, 2.4.4]."""
    if space not in s.parts.space or s.space(space).type != type:
        raise Illegal("{space} isn't {type:a} space.", rule="IS-2.1.2", space=space, type=type)
    if not s.is_open(space):
        raise Illegal("{space} isn't in play yet.", rule="IS-2.3.1", space=space)
    if s.flags.get(space) == side:
        raise Illegal("{space} is already yours.", rule="IS-2.4.3", space=space)


def targets(s: State, side: Side, among: Iterable[str]) -> list[tuple[str, What, bool]]:
    """The spaces that a side could shift at all, what that is, and whether a minor action may do it [IS-2.3.1, 2.4.4, 5.7.3]."""
    flags, conflict, open, to_minor = s.flags, s.conflict, s.open_spaces, ministry_effects.open_to_minor(s, side)
    return [(space, "flag", True) if space not in flags else (space, "unflag", space in conflict or space in to_minor)
            for space in among if space in open and flags.get(space) != side]


def require_minor(s: State, side: Side, space: str, action: ActionName) -> None:
    """Raise Illegal if a minor action would remove an opposing flag that it cannot [IS-5.7.3, 5.7.4]."""
    serves = space not in s.flags or space in s.conflict or space in ministry_effects.open_to_minor(s, side)
    if action == "minor" and not serves:
        raise Illegal("A minor action can't remove an opposing flag without a conflict marker.", rule="IS-5.7.3")


class Offers(ABC):
    """With which advantages a side can shift spaces of one type in one position, for which prices.

    What all spaces share is looked up once.
    """

    def __init__(self, s: State, side: Side, kind: Points, modified: Points) -> None:
        now = s.current
        self.s, self.side, self.kind = s, side, kind
        self.printed, self.conflict, self.isolated, self.owed = s.parts.printed, s.conflict, now.isolated, now.owed
        self.changes = modifiers(s, side, modified)
        self.paid = now.regions.get(kind, []) if kind != "MP" else []           # regions [IS-5.8]
        self.region = s.parts.region_of
        self._discounts: Mapping[tuple[str, str], Sequence[str]] | None = None
        self._plain: dict[object, Price] = {}   # without an advantage, by what makes spaces alike

    @abstractmethod
    def price(self, space: str, advantage: str = "") -> Price:
        """Return what a shift costs."""

    def _alike(self, space: str) -> object:
        """Return what the price of a shift without an advantage depends on; None if that is not so easily said."""
        return None if self.changes else (self.printed[space], space in self.conflict, self.region[space] in self.paid)

    def of(self, space: str, what: What) -> list[Offer]:
        """No advantage, and each that makes this shift cheaper [IS-11.8, R-13]; after events 6 and 33 that alone [IS-11.12]."""
        owed, alike = self.owed, self._alike(space)
        if (plain := self._plain.get(alike)) is None:
            plain = self.price(space)
            if alike is not None:
                self._plain[alike] = plain
        found = [] if owed else [("", plain)]
        if self._discounts is None:
            self._discounts = advantages.discounts(self.s, self.side)
        for advantage in self._discounts.get((space, what), ()):
            if owed in ("", advantage) and advantages.makes_cheaper(self.s, self.side, advantage, space):
                price = self.price(space, advantage)
                if price.total < plain.total:
                    found.append((advantage, price))
        return found

    def require(self, space: str, what: What, advantage: str) -> None:
        """Raise Illegal, with the nearest reason, unless a shift can be made with this advantage, or with none [IS-11.8]."""
        if advantage:
            advantages.require_usable(self.s, self.side, advantage)
        if all(advantage != named for named, _ in self.of(space, what)):
            raise Illegal("{advantage} doesn't make this cheaper now.", rule="IS-11.8", advantage=advantage)

    def _mode(self, advantage: str) -> object:
        """How an advantage makes a shift cheaper: "minus_1" or "total_1"."""
        return self.s.parts.discount.get(advantage)

    def _by_region(self, price: Price, space: str) -> Price:
        """The price with the point for another region, if this purchase is the first of its kind there [IS-5.8]."""
        return price.plus(1, "region", "IS-5.8.1") if self.region[space] not in self.paid else price


# --- markets ------------------------------------------------------------------------------------------------------

def connecting(s: State, side: Side) -> list[str]:
    """The spaces that allow a side to shift the markets joined to them [IS-6.2]."""
    now, markets = s.current, s.parts.markets
    held, barred = set(now.held), {*s.conflict, *now.isolated}
    return [space for space, owner in s.flags.items()
            if owner == side and (space not in markets or (space in held and space not in barred))]


def connected(s: State, side: Side) -> set[str]:
    """The markets to which a side is connected, its own too [IS-6.2]."""
    joined, found = s.parts.joined_markets, set[str]()
    for space in connecting(s, side):
        found.update(joined[space])
    return found


def require_connection(s: State, side: Side, market: str) -> None:
    """Raise Illegal, with the nearest reason, unless a side is connected to a market [IS-6.2]."""
    if market in connected(s, side):
        return
    for other in s.parts.joined[market]:
        if s.flags.get(other) == side:
            if other in s.conflict:
                raise Illegal("{other} has a conflict marker, so it doesn't connect {space}.", rule="IS-6.2.2", other=other,
                              space=market)
            if other in s.current.isolated:
                raise Illegal("{other} was isolated when the round began, so it doesn't connect {space}.", rule="IS-6.2.3",
                              other=other, space=market)
            raise Illegal("You gained {other} only this round, so it doesn't connect {space} yet.", rule="IS-6.2.4", other=other,
                          space=market)
    raise Illegal("You control nothing that is connected to {space}: {joined}.", rule="IS-6.2", space=market,
                  joined=tuple(s.parts.joined[market]))


class OffersOfMarkets(Offers):
    """The offers of markets [IS-6.3]."""

    def __init__(self, s: State, side: Side) -> None:
        super().__init__(s, side, "EP", "EP")

    def _alike(self, space: str) -> object:
        return None if space in self.s.flags else super()._alike(space)         # a flagged one may be protected or isolated

    def price(self, space: str, advantage: str = "", huguenots: str = "") -> Price:
        """Return what the shift of a market costs, in the order of IS-6.3."""
        if space in self.conflict:
            price = CONFLICT
        elif space in self.isolated:
            price = ISOLATED
        else:
            price = price_of("EP", self.printed[space], "printed", "IS-6.3.1")
        mode = self._mode(advantage) if advantage else ""
        if mode == "minus_1":
            price = price.plus(-1, "source", "IS-6.3.4", advantage)
        if huguenots:
            price = price.plus(-1, "source", "IS-6.3.4", "M-9")
        if self.changes:
            price = modified(self.s, price, self.changes, what_of(self.s, space), space, "IS-6.3.4")
        if guard := protector(self.s, space):
            price = price.plus(1, "protected", "IS-6.3.5", guard)
        if price.total < 1:
            price = price.at_least(1, "IS-6.3.6")
        if mode == "total_1":
            price = price_of("EP", 1, "total", "IS-6.3.7", advantage)
        return self._by_region(price, space) if self.paid else price


def price_of_market(s: State, side: Side, space: str, advantage: str = "", huguenots: str = "") -> Price:
    """Return what the shift of a market costs [IS-6.3]."""
    return OffersOfMarkets(s, side).price(space, advantage, huguenots)


def huguenots_for(s: State, side: Side, space: str) -> Sequence[str]:
    """No Huguenots marker, or a fresh one in the region of this market [M-9, IS-R-30]."""
    if side != "france" or not s.huguenots:
        return NO_AID
    region = s.space(space).region
    return [*NO_AID, *(at for at, face in s.huguenots.items() if face == "fresh" and s.space(at).region == region)]


def require_huguenots(s: State, side: Side, space: str, named: str) -> None:
    """Raise Illegal unless these Huguenots can make a market cheaper, or none are named [M-9, IS-R-30]."""
    if named in huguenots_for(s, side, space):
        return
    if side == "france" and s.huguenots.get(named) == "fresh":
        raise Illegal("The Huguenots of {named} make only markets of {region} cheaper.", rule="IS-R-30", named=named,
                      region=s.space(named).region)
    raise Illegal("You have no unused Huguenots in {space}.", rule="IS-R-30", space=named)


# --- political spaces ---------------------------------------------------------------------------------------------

def shift_kind(s: State, action: ActionName) -> Points:
    """The kind of points by which an action shifts political spaces: DP, or MP by M-4 [IS-7.1, R-18]."""
    kind = kind_of(s, action)
    return "MP" if kind == "MP" else "DP"


class OffersOfPolitics(Offers):
    """The offers of political spaces for points of a kind [IS-7.2].

    MP pay the same as DP, in Scotland and Ireland, but for the point for another region [IS-R-18].
    """

    def __init__(self, s: State, side: Side, kind: Points) -> None:
        super().__init__(s, side, kind, "DP")

    def price(self, space: str, advantage: str = "") -> Price:
        """Return what the shift of a political space costs, in the order of IS-7.2."""
        if space in self.conflict:
            price = price_of(self.kind, 1, "conflict", "IS-7.2.1")
        else:
            price = price_of(self.kind, self.printed[space], "printed", "IS-7.2.1")
        if self.changes:
            price = modified(self.s, price, self.changes, what_of(self.s, space), space, "IS-7.2.2")
        if price.total < 1:
            price = price.at_least(1, "IS-7.2.3")
        if advantage and self._mode(advantage) == "total_1":
            price = price_of(self.kind, 1, "total", "IS-6.3.7", advantage)
        return self._by_region(price, space) if self.paid else price


def price_of_political(s: State, side: Side, space: str, advantage: str = "", kind: Points = "DP") -> Price:
    """Return what the shift of a political space costs [IS-7.2]."""
    return OffersOfPolitics(s, side, kind).price(space, advantage)


def pays_for_politics(s: State, kind: Points, space: str) -> bool:
    """True if points of a kind shift this political space [IS-7.1, M-4]."""
    return kind == "DP" or (kind == "MP" and mp_shift(s) and s.space(space).country in JACOBITE_COUNTRIES)


def mp_shift(s: State) -> bool:
    """True if MP shift any political space in this round [M-4]."""
    return JACOBITES_PAY in s.current.abilities
