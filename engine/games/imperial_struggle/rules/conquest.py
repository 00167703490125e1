"""Chapters 14.7 and 14.8 as questions: what the winner of a theater can take, from where, for how many points."""
from __future__ import annotations

from collections.abc import Collection, Iterator

from engine.games.imperial_struggle.components import USA, Side, foe
from engine.games.imperial_struggle.components.wars import Spoils
from engine.games.imperial_struggle.rules.prices import CONQUEST, of_conquest
from engine.games.imperial_struggle.state import State
from engine.refusals import Illegal

HUGUENOTS = 1           # CP more for their territory [IS-14.8.3, M-9]
NAVY_BOX = "navy_box"
AT_LAND = ("",)         # the origin where no squadron comes


def row(s: State) -> Spoils:
    """The row of the spoils in the theater under way, which somebody has won [IS-14.7.1]."""
    assert s.fought.winner, "nobody has won this theater"
    return s.theater.row(s.fought.winner, s.fought.margin)


# --- conquest points ----------------------------------------------------------------------------------------------

def conquests(s: State, side: Side) -> Iterator[tuple[str, str]]:
    """Yield what a side can take with its conquest points, and from where a squadron comes, "" for land [IS-14.8.2]."""
    flags, origins = s.flags, _origins(s, side)
    for space in s.parts.conquerable[s.fought.war, s.fought.theater]:
        if flags.get(space) != side:
            for origin in origins if s.space(space).type == "naval" else AT_LAND:
                if not _hindrance(s, side, space, origin, origins):
                    yield space, origin


def require_conquest(s: State, side: Side, space: str, origin: str) -> None:
    """Raise Illegal unless a side can take a space with its conquest points now [IS-14.8]."""
    match _hindrance(s, side, space, origin, _origins(s, side)):
        case "elsewhere":
            raise Illegal("You can't conquer {space} in this theater.", rule="IS-14.8.2", space=space)
        case "own":
            raise Illegal("{space} is already yours.", rule="IS-14.8.4", space=space)
        case "price":
            raise Illegal("{space} costs {price}, and you have {cp} CP.", rule="IS-14.8.3", space=space,
                          price=of_conquest(price(s, space)), cp=s.fought.cp)
        case "usa":
            raise Illegal("A flag of the United States stays in {space}.", rule="IS-14.8.7", space=space)
        case "closed":
            raise Illegal("{space} can't be demanded again: its owner has refused to cede it in this war.", rule="IS-14.8.8",
                          space=space)
        case "squadron":
            raise Illegal("There is no squadron in {origin} that could conquer.", rule="IS-14.8.6", origin=origin or "none")
        case "line":
            rule = "IS-14.8.5" if s.space(space).type == "territory" else "IS-19.3"
            raise Illegal("No conquest line leads to {space} from a fort, naval space or territory of yours.", rule=rule,
                          space=space)
        case "land":
            raise Illegal("A squadron can't take {space}.", rule="IS-14.8.4", space=space)


def price(s: State, space: str) -> int:
    """Return what a space costs in CP [IS-14.8.3]."""
    return CONQUEST + (HUGUENOTS if space in s.huguenots else 0)


def _hindrance(s: State, side: Side, space: str, origin: str, origins: Collection[str]) -> str:
    """Why a space cannot be taken, as a key of `require_conquest`; "" if it can be. `origins`: from where squadrons can go."""
    now, owner = s.fought, s.flags.get(space)
    if space not in s.parts.conquerable[now.war, now.theater]:
        return "elsewhere"
    if owner == side:
        return "own"
    if price(s, space) > now.cp:
        return "price"
    if owner == USA:
        return "usa"
    if space in now.closed:
        return "closed"
    type = s.space(space).type
    if type == "naval":
        return "" if origin in origins else "squadron"
    if type in ("territory", "fort") and not reached(s, side, space):
        return "line"
    return "land" if origin else ""


def reached(s: State, side: Side, space: str) -> bool:
    """True if a conquest line leads to a space from one that a side controls, or none is needed [IS-14.8.4, 14.8.5, 19.3]."""
    if s.space(space).type == "fort" and not s.options.tougher_forts:
        return True
    lines = s.parts.conquest_with_options if s.options.tougher_forts else s.parts.conquest
    return not lines[space] or any(s.controls(side, end) for end in lines[space])


def _origins(s: State, side: Side) -> list[str]:
    """From where a squadron can go to a naval space: each conquers once in a war [IS-14.8.6]."""
    at_home = [NAVY_BOX] if s.own[side].navy_box > s.fought.spent.get(side, 0) else []
    return [*at_home, *(space for space in s.squadrons(side, s.theater.regions) if space not in s.fought.landed)]


def can_refuse(s: State, space: str) -> bool:
    """True if the loser may refuse to cede a territory [IS-14.8.8, R-34]."""
    assert s.fought.winner, "nobody has won this theater"
    loser = foe(s.fought.winner)
    return (s.space(space).type == "territory" and s.controls(loser, space)
            and s.own[loser].refusals < s.parts.war_limits.refusals_per_player_per_war)


# --- flags as spoils ----------------------------------------------------------------------------------------------

def spoil_flags(s: State, side: Side) -> list[str]:
    """The flags that the winner can take off as spoils [IS-14.7.4]."""
    if not s.fought.unflag or (wanted := row(s).winner.unflag) is None:
        return []
    return [space for space in s.parts.by_region[wanted.region]
            if s.space(space).type in wanted.types and s.flags.get(space, side) != side]
