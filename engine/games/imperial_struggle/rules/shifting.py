"""What chapters 6 and 7 share: whether a space can be shifted, what that needs, and what it costs."""
from __future__ import annotations

from collections.abc import Sequence

from engine.games.imperial_struggle.components import Advantage, Points, Side
from engine.games.imperial_struggle.rules import advantages, ministry_effects
from engine.games.imperial_struggle.rules.control import protector
from engine.games.imperial_struggle.rules.points import What, kind_of
from engine.games.imperial_struggle.rules.prices import Price, modified, price_of, with_region
from engine.games.imperial_struggle.state import ActionName, Modifier, State
from engine.refusals import Illegal

DRAWING = price_of("DP", 3, "fixed", "IS-7.3")
JACOBITES_PAY, JACOBITE_COUNTRIES = "M-4.1", ("scotland", "ireland")            # MP in place of DP [M-4, IS-R-18]


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


def serves(s: State, side: Side, space: str, action: ActionName) -> bool:
    """Whether an action may shift this space, as far as the minor limits go [IS-5.7.3, 5.7.4]."""
    taken_off = action == "minor" and space in s.flags and space not in s.conflict
    return not taken_off or ministry_effects.minor_may_unflag(s, side, space)


def require_minor(s: State, side: Side, space: str, action: ActionName) -> None:
    """Raise Illegal if a minor action would remove an opposing flag that it cannot [IS-5.7.3, 5.7.4]."""
    if not serves(s, side, space, action):
        raise Illegal("A minor action cannot remove an opposing flag without a conflict marker.", rule="IS-5.7.3")


# --- markets ------------------------------------------------------------------------------------------------------

def connections(s: State, side: Side, market: str) -> list[str]:
    """The spaces that allow a side to shift a market [IS-6.2]."""
    now = s.current
    return [other for other in s.parts.joined[market] if s.flags.get(other) == side and (
        s.space(other).type != "market"
        or (other not in s.conflict and other not in now.isolated and other in now.held))]


def is_connected(s: State, side: Side, market: str) -> bool:
    """Whether a side has any of the `connections` to a market [IS-6.2]."""
    flags = s.flags
    for other in s.parts.joined[market]:
        if flags.get(other) == side:
            return bool(connections(s, side, market))
    return False


def require_connection(s: State, side: Side, market: str) -> None:
    """Raise Illegal, with the nearest reason, unless a side is connected to a market [IS-6.2]."""
    if is_connected(s, side, market):
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


def market_discounts(s: State, side: Side, space: str, among: Sequence[Advantage] | None = None) -> list[str]:
    """No advantage, or one that makes this shift cheaper [IS-11.8]; after events 6 and 33 that one alone [IS-11.12].

    `among`: the side's `discount_tiles`, if they are known.
    """
    if among is not None and not among:
        return [""]
    able = [advantage for advantage in advantages.discounts(s, side, space, what_of(s, space), among)
            if _lowers(s, side, space, advantage)]
    return [s.current.owed] if s.current.owed in able else ["", *able]


def _lowers(s: State, side: Side, space: str, advantage: str) -> bool:
    """Whether an advantage makes a shift cheaper at all [IS-R-13]."""
    if s.space(space).type == "market":
        return price_of_market(s, side, space, advantage).total < price_of_market(s, side, space).total
    return price_of_political(s, side, space, "DP", advantage).total < price_of_political(s, side, space).total


def huguenots_for(s: State, side: Side, space: str) -> list[str]:
    """No Huguenots marker, or a fresh one in the region of this market [M-9, IS-R-30]."""
    region = s.space(space).region
    if side != "france":
        return [""]
    return ["", *(at for at, face in s.huguenots.items() if face == "fresh" and s.space(at).region == region)]


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


def pays_for_politics(s: State, kind: Points, space: str) -> bool:
    """Whether points of a kind shift this political space [IS-7.1, M-4]."""
    return kind == "DP" or (kind == "MP" and JACOBITES_PAY in s.current.abilities
                            and s.space(space).country in JACOBITE_COUNTRIES)
