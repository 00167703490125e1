"""What chapters 6 and 7 share: whether a space can be shifted, what that needs, and what it costs."""
from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from engine.games.imperial_struggle.components import Advantage, Points, Side
from engine.games.imperial_struggle.rules import advantages, ministry_effects
from engine.games.imperial_struggle.rules.control import protector
from engine.games.imperial_struggle.rules.points import What, kind_of
from engine.games.imperial_struggle.rules.prices import Price, modified, price_of, with_region
from engine.games.imperial_struggle.state import ActionName, Modifier, State
from engine.refusals import Illegal

DRAWING = price_of("DP", 3, "fixed", "IS-7.3")
JACOBITES_PAY, JACOBITE_COUNTRIES = "M-4.1", ("scotland", "ireland")            # MP in place of DP [M-4, IS-R-18]

Offer: TypeAlias = tuple[str, Price]        # an advantage, or "", and what a shift costs with it


def what_of(s: State, space: str) -> What:
    """What a shift of this space is: flagging an empty one, unflagging an opposing one [IS-2.4.4]."""
    return "unflag" if space in s.flags else "flag"


def require_target(s: State, side: Side, space: str, type: str) -> None:
    """Raise Illegal unless a side could shift a space of this type at all [IS-2.3.1, 2.4.4]."""
    if space not in s.parts.space or s.space(space).type != type:
        raise Illegal("{space} is no {type} space.", rule="IS-2.1.2", space=space, type=type)
    if not s.is_open(space):
        raise Illegal("{space} is not in play yet.", rule="IS-2.3.1", space=space)
    if s.flags.get(space) == side:
        raise Illegal("{space} is yours already.", rule="IS-2.4.3", space=space)


def serves(s: State, space: str, action: ActionName, to_minor: Collection[str]) -> bool:
    """Whether an action may shift this space, as far as the minor limits go [IS-5.7.3, 5.7.4]; `to_minor`: what is
    `open_to_minor`."""
    return action != "minor" or space not in s.flags or space in s.conflict or space in to_minor


def require_minor(s: State, side: Side, space: str, action: ActionName) -> None:
    """Raise Illegal if a minor action would remove an opposing flag that it cannot [IS-5.7.3, 5.7.4]."""
    if not serves(s, space, action, ministry_effects.open_to_minor(s, side)):
        raise Illegal("A minor action cannot remove an opposing flag without a conflict marker.", rule="IS-5.7.3")


# --- markets ------------------------------------------------------------------------------------------------------

def connecting(s: State, side: Side) -> list[str]:
    """The spaces that allow a side to shift the markets joined to them [IS-6.2]."""
    markets, held, barred = s.parts.markets, set(s.current.held), {*s.conflict, *s.current.isolated}
    return [space for space, owner in s.flags.items()
            if owner == side and (space not in markets or (space in held and space not in barred))]


def connected(s: State, side: Side) -> set[str]:
    """The markets to which a side is connected, its own too [IS-6.2]."""
    joined = s.parts.joined_markets
    return {market for space in connecting(s, side) for market in joined[space]}


def require_connection(s: State, side: Side, market: str) -> None:
    """Raise Illegal, with the nearest reason, unless a side is connected to a market [IS-6.2]."""
    if market in connected(s, side):
        return
    for other in s.parts.joined[market]:
        if s.flags.get(other) == side:
            if other in s.conflict:
                raise Illegal("{other} has a conflict marker, so it does not connect {space}.", rule="IS-6.2.2", other=other,
                              space=market)
            if other in s.current.isolated:
                raise Illegal("{other} was isolated when the round began, so it does not connect {space}.", rule="IS-6.2.3",
                              other=other, space=market)
            raise Illegal("{other} has come in this round only, so it does not connect {space}.", rule="IS-6.2.4", other=other,
                          space=market)
    raise Illegal("You control nothing that is connected to {space}: {joined}.", rule="IS-6.2", space=market,
                  joined=tuple(s.parts.joined[market]))


def price_of_market(s: State, side: Side, space: str, advantage: str = "", huguenots: str = "",
                    among: Sequence[Modifier] | None = None) -> Price:
    """What the shift of a market costs, in the order of IS-6.3; `among`: the side's `modifiers` of EP, if they are known."""
    if space in s.conflict:
        price = price_of("EP", 1, "conflict", "IS-6.3.2")
    elif space in s.current.isolated:
        price = price_of("EP", 1, "isolated", "IS-6.3.3")
    else:
        price = price_of("EP", s.space(space).price, "printed", "IS-6.3.1")
    effect = s.parts.advantage[advantage].effect if advantage else {}
    if effect.get("mode") == "minus_1":
        price = price.plus(-1, "source", "IS-6.3.4", advantage)
    if huguenots:
        price = price.plus(-1, "source", "IS-6.3.4", "M-9")
    price = modified(s, price, side, what_of(s, space), space, "IS-6.3.4", among)
    if guard := protector(s, space):
        price = price.plus(1, "protected", "IS-6.3.5", guard)
    price = price.at_least(1, "IS-6.3.6")
    if effect.get("mode") == "total_1":
        price = price_of("EP", 1, "total", "IS-6.3.7", advantage)
    return with_region(s, price, space)


def huguenots_for(s: State, side: Side, space: str) -> list[str]:
    """No Huguenots marker, or a fresh one in the region of this market [M-9, IS-R-30]."""
    if side != "france" or not s.huguenots:
        return [""]
    region = s.space(space).region
    return ["", *(at for at, face in s.huguenots.items() if face == "fresh" and s.space(at).region == region)]


def offers_of_market(s: State, side: Side, space: str, tiles: Sequence[Advantage] | None = None,
                     changes: Sequence[Modifier] | None = None) -> list[Offer]:
    """With which advantages a side can shift a market now, for which prices: see `_offers`."""
    def price(advantage: str) -> Price:
        return price_of_market(s, side, space, advantage, among=changes)
    return _offers(s, side, space, price, tiles)


def _offers(s: State, side: Side, space: str, price: Callable[[str], Price], tiles: Sequence[Advantage] | None) -> list[Offer]:
    """No advantage, and each that makes this shift cheaper [IS-11.8, R-13]; after events 6 and 33 that one alone [IS-11.12].

    `tiles`: the side's `discount_tiles`, if they are known.
    """
    owed, plain = s.current.owed, price("")
    if tiles is not None and not tiles:
        return [] if owed else [("", plain)]
    found = list[Offer]()
    for advantage in advantages.discounts(s, side, space, what_of(s, space), tiles):
        cheaper = price(advantage)
        if cheaper.total < plain.total:
            found.append((advantage, cheaper))
    return [offer for offer in found if offer[0] == owed] if owed else [("", plain), *found]


# --- political spaces ---------------------------------------------------------------------------------------------

def shift_kind(s: State, action: ActionName) -> Points:
    """The kind of points by which an action shifts political spaces: DP, or MP by M-4 [IS-7.1, R-18]."""
    kind = kind_of(s, action)
    return "MP" if kind == "MP" else "DP"


def price_of_political(s: State, side: Side, space: str, kind: Points = "DP", advantage: str = "",
                       among: Sequence[Modifier] | None = None) -> Price:
    """What the shift of a political space costs, in the order of IS-7.2; MP pay the same, without the point for a region.

    `among`: the side's `modifiers` of DP, if they are known.
    """
    if space in s.conflict:
        price = price_of(kind, 1, "conflict", "IS-7.2.1")
    else:
        price = price_of(kind, s.space(space).price, "printed", "IS-7.2.1")
    price = modified(s, price, side, what_of(s, space), space, "IS-7.2.2", among).at_least(1, "IS-7.2.3")
    if advantage and s.parts.advantage[advantage].effect.get("mode") == "total_1":
        price = price_of(kind, 1, "total", "IS-6.3.7", advantage)
    return with_region(s, price, space)


def offers_of_political(s: State, side: Side, space: str, kind: Points, tiles: Sequence[Advantage] | None = None,
                        changes: Sequence[Modifier] | None = None) -> list[Offer]:
    """With which advantages a side can shift a political space now, for which prices: see `_offers`."""
    def price(advantage: str) -> Price:
        return price_of_political(s, side, space, kind, advantage, changes)
    return _offers(s, side, space, price, tiles)


def pays_for_politics(s: State, kind: Points, space: str) -> bool:
    """Whether points of a kind shift this political space [IS-7.1, M-4]."""
    return kind == "DP" or (kind == "MP" and mp_shift(s) and s.space(space).country in JACOBITE_COUNTRIES)


def mp_shift(s: State) -> bool:
    """Whether MP shift any political space in this round [M-4]."""
    return JACOBITES_PAY in s.current.abilities
