"""Chapter 11: which advantages can be used, and the use itself. What each brings is in `rules.advantage_uses`.

Who holds which follows from flags and is moved by `rules.control` [IS-11.1, 11.2].
"""
from __future__ import annotations

from engine.games.imperial_struggle.components import Side, foe
from engine.games.imperial_struggle.components.cards import DISCOUNTS
from engine.games.imperial_struggle.events.cards import AdvantageUsed
from engine.games.imperial_struggle.rules.filters import fits_now
from engine.games.imperial_struggle.rules.money import gain_trp
from engine.games.imperial_struggle.state import State
from engine.kernel import Game
from engine.refusals import Illegal

NAVAL_BASTION = "naval_bastion"


def require_usable(s: State, side: Side, advantage: str) -> None:
    """Raise Illegal unless a side can use an advantage now, whatever it would do [IS-11.4 to 11.6]."""
    limits = s.parts.advantage_limits
    match _hindrance(s, side, advantage):
        case "moment":
            raise Illegal("You can use an advantage only in your own action round, after taking a tile.", rule="IS-11.4")
        case "not_held":
            raise Illegal("You don't hold {advantage}.", rule="IS-11.1", advantage=advantage)
        case "blocked":
            raise Illegal("You can't use {advantage} while a conflict marker is on {space}.", rule="IS-11.6",
                          advantage=advantage, space=blocking(s, advantage))
        case "exhausted":
            raise Illegal("{advantage} is exhausted.", rule="IS-11.3", advantage=advantage)
        case "gained":
            raise Illegal("You gained {advantage} this round, so you can use it from your next one on.", rule="IS-11.4",
                          advantage=advantage)
        case "used":
            raise Illegal("You've used {n} advantages this round. That's the limit.", rule="IS-11.5",
                          n=limits.max_per_action_round)
        case "region":
            raise Illegal("You've already used an advantage of {region} this round.", rule="IS-11.5",
                          region=s.parts.advantage[advantage].region)


def is_usable(s: State, side: Side, advantage: str) -> bool:
    return not _hindrance(s, side, advantage)


def _hindrance(s: State, side: Side, advantage: str) -> str:
    """Why a side cannot use an advantage now, as a key of `require_usable`; "" if it can."""
    now = s.round
    if now is None or now.side != side or now.stage not in ("tile", "actions"):
        return "moment"
    if s.holders.get(advantage) != side:
        return "not_held"
    if s.conflict and blocking(s, advantage):
        return "blocked"
    if now.owed == advantage:
        return ""
    if advantage in s.exhausted:
        return "exhausted"
    if advantage in now.gained:
        return "gained"
    if now.used:
        if len(now.used) >= s.parts.advantage_limits.max_per_action_round:
            return "used"
        region = s.parts.advantage[advantage].region
        if any([s.parts.advantage[other].region == region for other in now.used]):
            return "region"
    return ""


def blocking(s: State, advantage: str) -> str:
    """The first linked space with a conflict marker; "" for none [IS-11.6]."""
    for space in s.parts.advantage[advantage].connected_spaces:
        if space in s.conflict:
            return space
    return ""


def marks(s: State, side: Side, advantage: str) -> list[str]:
    """The spaces on which an advantage can put its conflict marker [IS-11.10]; none if it puts none."""
    if advantage not in s.parts.markable:
        return []
    conflict, open, wanted = s.conflict, s.open_spaces, s.parts.meant[advantage]
    return [space for space in s.parts.markable[advantage] if space not in conflict and space in open
            and fits_now(s, side, space, wanted)]


def discounts(s: State, side: Side) -> dict[tuple[str, str], list[str]]:
    """Space and kind of shift ("flag", "unflag") to the advantages that may make it cheaper for a side now, by what is printed.

    `makes_cheaper` says whether the board of this moment lets them.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for op in DISCOUNTS:
        for tile in s.parts.advantages_by_op[op]:
            if s.holders.get(tile.id) == side and is_usable(s, side, tile.id):
                for space in s.parts.reach[tile.id]:
                    found.setdefault((space, "unflag"), []).append(tile.id)
    return found


def makes_cheaper(s: State, side: Side, advantage: str, space: str) -> bool:
    return fits_now(s, side, space, s.parts.meant[advantage]) and s.is_open(space)


def squadron_prices(s: State, side: Side) -> list[str]:
    """The advantages that a side may use now to build a squadron for a fixed price (Slaving Contracts)."""
    return [tile.id for tile in s.parts.advantages_by_op["squadron_price"] if is_usable(s, side, tile.id)]


def use(g: Game[State], side: Side, advantage: str, *, exhausts: bool = True) -> None:
    """Mark the use of an advantage, with what reacts to it (M-13, M-19) [IS-11.3, 11.5]. Called by purchases, too.

    An advantage that an event has brought into use is not exhausted, and nothing reacts to it [IS-11.11].
    """
    now = g.state.current
    exhausts = exhausts and now.owed != advantage
    earlier = [other for other in now.used if other != now.lent]
    g.emit(AdvantageUsed(side=side, advantage=advantage, exhausts=exhausts))
    if exhausts:
        _react(g, side, "on_use_of_own_advantage", advantage, earlier)
        _react(g, foe(side), "on_use_of_opposing_advantage", advantage, earlier)


def _react(g: Game[State], side: Side, timing: str, advantage: str, earlier: list[str]) -> None:
    """The treaty point of M-13 or M-19 for the first use of a round [IS-12.9]."""
    s = g.state
    for ministry, ability in s.in_force(side, "change_trp"):
        if ability.timing == timing:
            region = ability.effect["condition"].get("region")
            counted = [other for other in (*earlier, advantage) if region in (None, s.parts.advantage[other].region)]
            if counted == [advantage]:
                gain_trp(g, side, ability.effect["amount"], ministry.id)
