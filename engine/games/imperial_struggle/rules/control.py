"""Chapter 2: control and its changes, protection, conflict markers, isolation, flag counts.

Whoever changes a flag calls `flag`, `unflag`, `take_control`, `remove_own` or `move_squadron` here: they tell the fact and move
the advantages that hang on it.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from engine.games.imperial_struggle.components import SIDES, Side, foe
from engine.games.imperial_struggle.events import board as ev
from engine.games.imperial_struggle.state import State
from engine.kernel import Event, Game

# --- changes of control -------------------------------------------------------------------------------------------

def flag(g: Game[State], who: str, space: str) -> None:
    """A flag of `who` (a side, "spain" or "usa") comes into an empty space [IS-2.4.2]."""
    assert space not in g.state.flags, f"{space} has a flag"
    _change(g, ev.FlagPlaced(flag=who, space=space), space)


def unflag(g: Game[State], space: str) -> None:
    """The flag of a space comes off, whosever it is [IS-2.4.3, 2.4.8]; a squadron goes to the Navy Box [IS-2.8.7]."""
    owner = g.state.flags[space]
    if g.state.space(space).type == "naval":
        assert owner in SIDES, "only the sides have squadrons"
        move_squadron(g, owner, space, "navy_box")
        return
    _change(g, ev.FlagRemoved(flag=owner, space=space), space)


def shift(g: Game[State], side: Side, space: str) -> None:
    """Unflag an opposing space, or flag an empty one [IS-2.4.4]."""
    if space in g.state.flags:
        unflag(g, space)
    else:
        flag(g, side, space)


def take_control(g: Game[State], who: str, space: str) -> None:
    """A flag of `who` comes into a space, in place of any other; damage of a fort stays [IS-2.4.5, 14.8.4]."""
    _change(g, ev.FlagPlaced(flag=who, space=space, instead=g.state.flags.get(space, "")), space)


def move_squadron(g: Game[State], side: Side, origin: str, to: str, *, deployed: bool = False) -> None:
    """A squadron goes from a naval space or box to another; an opposing one there goes to the Navy Box first [IS-2.8.5, 2.8.7].

    Boxes are "unbuilt", "navy_box", "away" (the turn track) and "gone" (out of the game).
    """
    if to not in ev.BOXES and g.state.flags.get(to) == foe(side):
        g.emit(ev.SquadronMoved(side=foe(side), origin=to, to="navy_box"))
    g.emit(ev.SquadronMoved(side=side, origin=origin, to=to, deployed=deployed))


def _change(g: Game[State], event: Event, space: str) -> None:
    """Tell a change of control and what it does to advantages [IS-2.4.7, 11.2]."""
    g.emit(event)
    s = g.state
    for advantage in s.space(space).advantages:
        tile = s.parts.advantage[advantage]
        flags = {s.flags.get(linked, "") for linked in tile.connected_spaces}
        holder = next((side for side in SIDES if flags == {side}), None)
        if holder != s.holders.get(advantage):
            g.emit(ev.AdvantageMoved(advantage=advantage, side=holder))


# --- conflict markers and damage ----------------------------------------------------------------------------------

def can_be_marked(s: State, space: str) -> bool:
    """True if a conflict marker can be put there [IS-2.3.1, 2.6.1, 13.12]."""
    return s.space(space).type in ("market", "political") and space not in s.conflict and s.is_open(space)


def place_conflict(g: Game[State], space: str, surcharge: int = 0) -> None:
    g.emit(ev.ConflictPlaced(space=space, surcharge=surcharge))


def remove_conflict(g: Game[State], space: str) -> None:
    g.emit(ev.ConflictRemoved(space=space))


def damage_fort(g: Game[State], space: str) -> None:
    g.emit(ev.FortDamaged(space=space))


def repair_fort(g: Game[State], space: str) -> None:
    g.emit(ev.FortRepaired(space=space))


def sound_forts(s: State, side: str, regions: Collection[str] | None = None) -> list[str]:
    """The undamaged forts of a side, in these regions [IS-2.8.2, 14.5.4]."""
    return [fort for fort in s.spaces_of(side, s.parts.of_type["fort"]) if fort not in s.damaged
            and (regions is None or s.space(fort).region in regions)]


# --- protection and isolation -------------------------------------------------------------------------------------

def protector(s: State, space: str) -> str:
    """The first squadron or undamaged fort that protects a flagged space, in the order of the data; "" for none [IS-2.5]."""
    flags = s.flags
    owner = flags.get(space)
    if owner is not None and owner in SIDES:
        for other in s.parts.guards[space]:
            if flags.get(other) == owner and other not in s.damaged:
                return other
    return ""


def is_protected(s: State, space: str) -> bool:
    """True if a space is protected for the side whose flag it carries [IS-2.5.1 to 2.5.3]."""
    return bool(protector(s, space))


def protected(s: State) -> set[str]:
    """The spaces that are protected for the side whose flag they carry [IS-2.5.1 to 2.5.3]."""
    flags, joined, found = s.flags, s.parts.joined, set[str]()
    for guard in s.parts.all_guards:
        owner = flags.get(guard)
        if owner in SIDES and guard not in s.damaged:
            found.update([space for space in joined[guard] if flags.get(space) == owner])
    return found


def isolated(s: State, flags: Mapping[str, str] | None = None) -> list[str]:
    """The flagged markets from which no chain leads to an anchor of their side, on the board of this moment [IS-2.7.1, 2.7.2].

    A market with a conflict marker ends its chain. `flags`: the board as it would be. The frozen result of a round is
    `s.round.isolated`.
    """
    flags, joined, conflict = s.flags if flags is None else flags, s.parts.joined_markets, s.conflict
    of = flags.get
    cut_off = [market for market, anchors in s.parts.anchors.items()        # beside nothing of their side, as far as is known
               if (owner := of(market)) is not None and owner not in map(of, anchors) and owner in SIDES]
    while cut_off:
        known = len(cut_off)
        cut_off = [market for market in cut_off if (owner := flags[market]) not in [
            of(other) for other in joined[market] if other not in cut_off and other not in conflict]]
        if len(cut_off) == known:
            break
    return cut_off


def newly_isolated(s: State, lost: Iterable[str]) -> list[str]:
    """The markets, besides these, that would become isolated if these spaces lost their flags [IS-2.7.7]."""
    gone = set(lost)
    if not any([s.flags.get(market) == s.flags.get(space) for space in gone for market in s.parts.joined_markets[space]]):
        return []
    before = {*isolated(s), *gone}
    return [market for market in isolated(s, {space: owner for space, owner in s.flags.items() if space not in gone})
            if market not in before]


# --- counts -------------------------------------------------------------------------------------------------------

class Counts:
    """All counts of both sides at once: each has a pair, Britain's and France's [IS-2.9]."""

    def __init__(self, s: State) -> None:
        self.flags = {region.id: [0, 0] for region in s.parts.regions}
        self.goods = {good.commodity: [0, 0] for good in s.parts.global_demand}
        self.prestige = [0, 0]
        known, conflict = s.parts.space, s.conflict
        for id, owner in s.flags.items():
            if owner not in SIDES or id in conflict:
                continue
            side, space = 0 if owner == SIDES[0] else 1, known[id]
            self.flags[space.region][side] += 1
            if space.commodity:
                self.goods[space.commodity][side] += 1
            if space.prestige:
                self.prestige[side] += 1


def flag_count(s: State, side: Side, region: str) -> int:
    """The flag count of a side in a region [IS-2.9.1, R-44]."""
    return s.working(side, s.parts.by_region[region])


def prestige_count(s: State, side: Side) -> int:
    """The Prestige count of a side [IS-2.9.2]; spaces that are not available carry no flag."""
    return s.working(side, s.parts.prestige)


def goods_count(s: State, side: Side, commodity: str) -> int:
    """The goods count of a side [IS-2.9.3]."""
    return s.working(side, s.parts.good[commodity].markets)
