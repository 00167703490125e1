"""Chapters 5.10 and 8.1 as questions: what stands in the theaters of the next war, where there is room, what can be upgraded."""
from __future__ import annotations

from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.components.wars import Theater
from engine.games.imperial_struggle.rules.points import in_turn, require_turn
from engine.games.imperial_struggle.state import TURN_6, State
from engine.refusals import Illegal

LEAST = 4               # basic tiles that a side keeps in pool and theaters [IS-5.10.2]


def theaters(s: State) -> tuple[Theater, ...]:
    """The theaters of the next war; none on T6."""
    return s.next_war.theaters if s.next_war is not None else ()


def numbered(s: State, theater: str) -> int:
    """The number of a theater of the next war; 0 if it is none."""
    return next((other.number for other in theaters(s) if other.id == theater), 0)


def with_room(s: State, side: Side) -> list[str]:
    """The theaters that can take one more bonus tile of a side [IS-8.1.3]."""
    most = s.parts.war_limits.bonus_tiles_per_theater_per_side
    return [theater.id for theater in theaters(s) if len(s.bonus_tiles(side, theater.number)) < most]


def basic_tile(s: State, side: Side, number: int) -> str:
    """The basic tile of a side in a theater; "" if there is none."""
    return next((tile for tile in s.own[side].tiles[number - 1] if s.parts.war_tile[tile].basic), "")


def basic_left(s: State, side: Side) -> int:
    """The basic tiles of a side in pool and theaters together [IS-5.10.2]."""
    return len(s.own[side].basic_pool) + sum(bool(basic_tile(s, side, theater.number)) for theater in theaters(s))


def has_symbol(s: State) -> bool:
    """True if the upgrade symbol of the tile can be used now: what `require_symbol` refuses with a reason."""
    return in_turn(s) and s.parts.investment[s.current.tile].military_upgrade and not s.current.upgrade


def require_symbol(s: State) -> None:
    """Raise Illegal unless the upgrade symbol of the tile can be used now, once [IS-5.10, 5.10.6]."""
    require_turn(s)
    if not s.parts.investment[s.current.tile].military_upgrade:
        raise Illegal("Your tile has no upgrade symbol.", rule="IS-5.10")
    if s.current.upgrade:
        raise Illegal("You've already used the upgrade symbol this round.", rule="IS-5.10.6")


def require_upgrade(s: State, side: Side, theater: str) -> None:
    """Raise Illegal unless a side can upgrade its tile in this theater now [IS-5.10]."""
    _require_war(s)
    if not numbered(s, theater):
        raise Illegal("{theater} isn't a theater of the next war.", rule="IS-5.10.1", theater=theater)
    if not basic_tile(s, side, numbered(s, theater)):
        raise Illegal("You have no basic tile there.", rule="IS-5.10.1")
    if not s.own[side].basic_pool:
        raise Illegal("No basic tile is left to draw.", rule="IS-5.10.3")


def require_swap(s: State, first: str, second: str) -> None:
    """Raise Illegal unless a side can swap its basic tiles of these theaters now [IS-19.2]."""
    _require_war(s)
    if not s.options.swap_tiles:
        raise Illegal("In this game you can't swap tiles.", rule="IS-19.2")
    one, other = numbered(s, first), numbered(s, second)
    if not one or not other or one >= other:
        raise Illegal("Name two theaters of the next war in their order.", rule="IS-19.2")


def _require_war(s: State) -> None:
    require_symbol(s)
    if s.next_war is None:
        raise Illegal("On turn 6 the symbol is worth a treaty point instead.", rule="IS-5.10.4")


def require_treaty_point(s: State) -> None:
    """Raise Illegal unless the symbol is worth a treaty point now [IS-5.10.4]."""
    require_symbol(s)
    if s.turn != TURN_6:
        raise Illegal("The symbol is worth a treaty point only on turn 6.", rule="IS-5.10.4")
