"""Special actions: what a turn allows but once (SOE-6.2.2, 6.2.3, 6.3.1, 6.3.2).

An action asks with `special_left` and `require_special`; the event that tells of it spends it with `spend_special`. A local
alliance and a covert token are what a tile was in the first edition, so with a limit for each kind they count as the tile.
"""
from __future__ import annotations

from typing import Literal

from engine.games.struggle_of_empires.state import State
from engine.games.struggle_of_empires.words.names import COMMERCE
from engine.refusals import Illegal
from engine.text import text

Kind = Literal["tile", "settling"]          # a tile, local alliance or covert token; colonising or commerce


def special_left(s: State, kind: Kind) -> bool:
    if s.options.turn.special_limit == "shared":
        return not s.turn.special
    return not (s.turn.tile if kind == "tile" else s.turn.settled)


def require_special(s: State, kind: Kind) -> None:
    """Raise Illegal, with the reason, if no special action of this kind is possible in the turn."""
    if special_left(s, kind):
        return
    if s.options.turn.special_limit == "shared":
        raise Illegal("You've already done a special action this turn. Your other action must be a build, move, attack or pass.",
                      rule="SOE-6.3.2")
    if kind == "settling":
        raise Illegal("You've already colonised or done {commerce} this turn. Once a turn is the limit.", rule="SOE-6.2.3",
                      commerce=COMMERCE)
    others = [*([text("local alliances")] if s.options.alliance.mode == "local" else []),
              *([text("covert tokens")] if s.options.covert.mode == "tokens" else [])]
    if others:
        raise Illegal("You've already had your one special action for {kinds} this turn.", rule="SOE-6.2.2",
                      kinds=(text("tiles"), *others))
    raise Illegal("You've already bought a tile this turn. One a turn is the limit.", rule="SOE-6.2.2")


def spend_special(s: State, kind: Kind) -> None:
    """A special action of this kind is done; only events call this."""
    if s.options.turn.special_limit == "shared":
        s.turn.special = True
    elif kind == "tile":
        s.turn.tile = True
    else:
        s.turn.settled = True
