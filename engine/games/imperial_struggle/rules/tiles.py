"""War tiles: layout, bonus tiles, upgrades (chapters 3.6 to 3.8, 5.10, 8.1, 14.10 to 14.12).

STUB: `layout` works; the other bodies are another engineer's.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games.imperial_struggle.components import SIDES, Side
from engine.games.imperial_struggle.events.tiles import BasicTilesLaid, BonusTileDrawn, DisplayLaid
from engine.games.imperial_struggle.rules.choices import drawn
from engine.games.imperial_struggle.state import State
from engine.kernel import Action, Game, Script

ANSWERS: Mapping[type[Action], Callable[[Game[State], Any], Script[None]]] = {}
"""The answers of an action round that this chapter adds (the upgrade), and what each does."""


def layout(g: Game[State]) -> Script[None]:
    """The display of the next war with one basic tile of each side in each theater [IS-3.7, 3.8, 14.12]."""
    s = g.state
    war = s.next_war
    assert war is not None, "no war is left"
    g.emit(DisplayLaid(war=war.id))
    for side in SIDES:
        tiles = yield from drawn(s.own[side].basic_pool, len(war.theaters), why="layout", side=side, war=war.id)
        g.emit(BasicTilesLaid(side=side, tiles=tuple(tiles)))
    for start in s.parts.players:
        for extra in start.extra_bonus_tiles:
            if extra.war == war.id:
                tiles = yield from drawn(s.own[start.side].bonus_pool, extra.count, why="extra_tile", side=start.side, war=war.id)
                for tile in tiles:
                    g.emit(BonusTileDrawn(side=start.side, tile=tile, theater=extra.theater))


def can_gain(s: State, side: Side) -> bool:
    """Whether a side can draw a bonus tile and has room for it in the next war [IS-8.1.3, 8.1.5, 14.10.2]."""
    return False


def gain_bonus(g: Game[State], side: Side, theater: int | None = None) -> Script[bool]:
    """Draw a bonus tile, and let its side place it [IS-8.1.2 to 8.1.4]; False if there is no room for it.

    `theater`: an effect names it (event 14).
    """
    yield from ()
    return False


def carried_over(g: Game[State], side: Side) -> Script[None]:
    """The bonus tiles of the war before, when the first action round of a side on T4 begins [IS-14.10.3]."""
    yield from ()
