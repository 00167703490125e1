"""Chapter 8: what military purchases need, and what they cost. MP know no regions [IS-5.8.2]."""
from __future__ import annotations

from engine.games.imperial_struggle.components import Side, foe
from engine.games.imperial_struggle.rules import advantages, ministries, tiles
from engine.games.imperial_struggle.rules.control import protector
from engine.games.imperial_struggle.rules.points import What
from engine.games.imperial_struggle.rules.prices import Price, price_of
from engine.games.imperial_struggle.state import TURN_6, ActionName, State
from engine.refusals import Illegal

TILE = price_of("MP", 2, "fixed", "IS-8.1")
EXCHANGE = price_of("MP", 2, "fixed", "IS-8.7")
DEPLOYMENT = price_of("MP", 1, "fixed", "IS-8.6.1")
DRIVING_OUT, FROM_THE_MAP = price_of("MP", 3, "driving_out", "IS-8.6.2"), price_of("MP", 2, "from_the_map", "IS-8.6.2")
TILES_A_ROUND = 2       # IS-8.1.1
SQUADRON = 4            # IS-8.5
NAVY_BOX = "navy_box"


# --- bonus tiles --------------------------------------------------------------------------------------------------

def require_tile(s: State, side: Side) -> None:
    """Raise Illegal unless a side can buy a bonus tile [IS-8.1]."""
    if s.next_war is None:
        raise Illegal("There is no next war to prepare.", rule="IS-8.1")
    if s.current.tiles_bought >= TILES_A_ROUND:
        raise Illegal("You've bought {n} bonus tiles this round. That's the limit.", rule="IS-8.1.1", n=TILES_A_ROUND)
    if not tiles.can_gain(s, side):
        raise Illegal("There is no room for another bonus tile in your theaters, or none is left.", rule="IS-8.1.5")


# --- conflict markers ---------------------------------------------------------------------------------------------

def require_marker(s: State, space: str) -> None:
    """Raise Illegal unless there is a conflict marker to be removed [IS-8.2]."""
    if space not in s.conflict:
        raise Illegal("There is no conflict marker on {space}.", rule="IS-8.2", space=space)


def price_of_clearing(s: State, space: str) -> Price:
    """Return what it costs to remove a conflict marker [IS-8.2]."""
    price = price_of("MP", 2, "fixed", "IS-8.2")
    if protector(s, space):
        price = price.plus(-1, "unprotected", "IS-8.2")
    return price.plus(s.conflict[space], "marker", "IS-2.6.6")


# --- forts --------------------------------------------------------------------------------------------------------

def work_on_fort(s: State, side: Side, space: str) -> What:
    """Return what a side would do to a fort space: build, repair, or seize [IS-8.3, 8.4]."""
    owner = s.flags.get(space)
    return "build_fort" if owner is None else "repair_fort" if owner == side else "seize_fort"


def require_fort(s: State, side: Side, space: str, action: ActionName) -> None:
    """Raise Illegal unless a side can build, repair or seize a fort by this action [IS-8.3, 8.4]."""
    if space not in s.parts.space or s.space(space).type != "fort":
        raise Illegal("{space} isn't a fort space.", rule="IS-8.3.1", space=space)
    match work_on_fort(s, side, space):
        case "build_fort":
            if not _can_build(s, side, space):
                raise Illegal("To build at {space} you need a connected market, squadron or territory, "
                              "yours since the round began. A market with a conflict marker doesn't "
                              "count.", rule="IS-8.3.2", space=space)
        case "repair_fort":
            if space not in s.damaged:
                raise Illegal("The fort of {space} isn't damaged.", rule="IS-8.4.1", space=space)
        case _:
            if space not in s.damaged:
                raise Illegal("You can't take an undamaged fort.", rule="IS-2.8.3")
            if action == "minor":
                raise Illegal("A minor action can't take an opposing fort.", rule="IS-8.4.2")
            if not _can_seize(s, side, space):
                raise Illegal("To take the fort of {space} you need a connected squadron, or a connected market without a "
                              "conflict marker.", rule="IS-8.4.2", space=space)


def can_work_on_fort(s: State, side: Side, space: str, action: ActionName) -> bool:
    """True if a side can build, repair or seize a fort of the data by this action [IS-8.3, 8.4]."""
    match work_on_fort(s, side, space):
        case "build_fort":
            return _can_build(s, side, space)
        case "repair_fort":
            return space in s.damaged
    return space in s.damaged and action != "minor" and _can_seize(s, side, space)


def _can_build(s: State, side: Side, space: str) -> bool:
    return any([s.works(side, other) and other in s.current.held for other in s.parts.builders[space]])


def _can_seize(s: State, side: Side, space: str) -> bool:
    return any(s.works(side, other) and s.space(other).type in ("market", "naval") for other in s.parts.joined[space])


def price_of_fort(s: State, side: Side, space: str) -> Price:
    """Return what a fort costs [IS-8.3.1, 8.4.1, 8.4.2]."""
    match work_on_fort(s, side, space):
        case "build_fort":
            return price_of("MP", s.space(space).price, "printed", "IS-8.3.1")
        case "repair_fort":
            return price_of("MP", s.space(space).price, "printed", "IS-8.4.1").plus(-1, "damaged", "IS-8.4.1")
    return price_of("MP", s.space(space).price, "printed", "IS-8.4.2").plus(1, "damaged", "IS-8.4.2")


# --- squadrons ----------------------------------------------------------------------------------------------------

def require_unbuilt(s: State, side: Side) -> None:
    """Raise Illegal unless a squadron is left to be built [IS-8.5]."""
    if not s.own[side].unbuilt:
        raise Illegal("All your squadrons are built.", rule="IS-8.5")


def squadron_aids(s: State, side: Side) -> list[str]:
    """Nothing, or what a side may use now to build a squadron for a fixed price [IS-8.5]; after events 6 and 33 that alone."""
    able = [*advantages.squadron_prices(s, side), *ministries.squadron_prices(s, side)]
    return [s.current.owed] if s.current.owed in able else ["", *able]


def require_aid(s: State, side: Side, aid: str) -> None:
    """Raise Illegal, with the nearest reason, unless a side can build a squadron with this aid now, or with none [IS-8.5]."""
    if aid in s.parts.advantage:
        advantages.require_usable(s, side, aid)
    elif aid in s.parts.ability and s.parts.ability[aid].op == "squadron_price":
        ministries.require_squadron_price(s, side, aid)
    if aid not in squadron_aids(s, side):
        raise Illegal("{aid} doesn't set the price of a squadron.", rule="IS-8.5", aid=aid)


def price_of_squadron(s: State, aid: str = "") -> Price:
    """Return what a squadron costs, with at most one fixed price and the reduction of event 4 [IS-8.5, R-26]."""
    if aid:
        price = price_of("MP", s.parts.squadron_price[aid], "source_alone", "IS-8.5", _card(aid))
    else:
        price = price_of("MP", SQUADRON, "fixed", "IS-8.5")
    for modifier in s.current.modifiers:
        if modifier.action == "construct_squadron":
            price = price.plus(max(modifier.amount, -price.total), "source", "IS-8.5", modifier.source)
    return price


def _card(aid: str) -> str:
    """An advantage, or the ministry of an ability: "M-10" of "M-10.1"."""
    return aid.rpartition(".")[0] or aid


def require_deployment(s: State, side: Side, origin: str, to: str, action: ActionName) -> None:
    """Raise Illegal unless a squadron can deploy so by this action [IS-8.6]."""
    if to not in s.parts.space or s.space(to).type != "naval":
        raise Illegal("{to} isn't a naval space.", rule="IS-8.6", to=to)
    if origin == NAVY_BOX:
        if not s.own[side].navy_box:
            raise Illegal("You have no squadron in the Navy Box.", rule="IS-8.6")
    elif origin not in s.squadrons(side):
        raise Illegal("You have no squadron in {origin}.", rule="IS-8.6", origin=origin)
    elif origin in s.current.deployed:
        raise Illegal("The squadron in {origin} has already deployed this round.", rule="IS-8.6.4", origin=origin)
    if s.flags.get(to) == side:
        raise Illegal("You already have a squadron there.", rule="IS-8.6.6")
    if s.flags.get(to) == foe(side) and action == "minor":
        raise Illegal("A minor action can't drive out a squadron.", rule="IS-8.6.7")


def price_of_deployment(s: State, side: Side, origin: str, to: str) -> Price:
    """Return what a deployment costs [IS-8.6.1, 8.6.2]."""
    if s.flags.get(to) != foe(side):
        return DEPLOYMENT
    return DRIVING_OUT if origin == NAVY_BOX else FROM_THE_MAP


# --- the exchange of T6 -------------------------------------------------------------------------------------------

def require_exchange(s: State, kind: str) -> None:
    """Raise Illegal unless MP can be exchanged for points of this kind [IS-8.7]."""
    if s.turn != TURN_6:
        raise Illegal("MP buy EP and DP only on turn 6.", rule="IS-8.7")
    if s.current.exchanged not in ("", kind):
        raise Illegal("You've bought {kind} this round, so you can't buy the other kind.", rule="IS-8.7",
                      kind=s.current.exchanged)
