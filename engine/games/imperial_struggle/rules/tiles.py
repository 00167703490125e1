"""War tiles: layout, bonus tiles, upgrades (chapters 3.6 to 3.8, 5.10, 8.1, 14.10 to 14.12, 19.2)."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games.imperial_struggle.actions.tiles import AssignTiles, SwapTiles, TakeTreatyPoint, Upgrade, as_drawn
from engine.games.imperial_struggle.components import SIDES, Side
from engine.games.imperial_struggle.events import tiles as ev
from engine.games.imperial_struggle.events.points import ActionClosed
from engine.games.imperial_struggle.rules.choices import choose, drawn
from engine.games.imperial_struggle.rules.display import LEAST, basic_left, basic_tile, numbered, theaters, with_room
from engine.games.imperial_struggle.rules.money import gain_trp
from engine.games.imperial_struggle.rules.points import open_action
from engine.games.imperial_struggle.state import State
from engine.kernel import Action, Game, Script, ask_each

POOL, OUT = "pool", "gone"
UPGRADE_ON_T6 = 1       # TRP [IS-5.10.4]


# --- layout -------------------------------------------------------------------------------------------------------

def layout(g: Game[State]) -> Script[None]:
    """The display of the next war with one basic tile of each side in each theater [IS-3.7, 3.8, 14.12]."""
    s = g.state
    war = s.next_war
    assert war is not None, "no war is left"
    g.emit(ev.DisplayLaid(war=war.id))
    lay = ev.BasicTilesDrawn if s.options.assign_tiles else ev.BasicTilesLaid
    for side in SIDES:
        tiles = yield from drawn(s.own[side].basic_pool, len(war.theaters), why="layout", side=side, war=war.id)
        g.emit(lay(side=side, tiles=tuple(tiles)))
    if s.options.assign_tiles:
        yield from assign(g)
    for start in s.parts.players:
        for extra in start.extra_bonus_tiles:
            if extra.war == war.id:
                tiles = yield from drawn(s.own[start.side].bonus_pool, extra.count, why="extra_tile", side=start.side, war=war.id)
                for tile in tiles:
                    g.emit(ev.BonusTileDrawn(side=start.side, tile=tile, theater=extra.theater))


def assign(g: Game[State]) -> Script[None]:
    """Each side assigns the basic tiles that it has drawn, at the same time and in secret [IS-19.2]."""
    s = g.state
    answers = yield from ask_each(map(s.seat, SIDES), AssignTiles, point="IS-19.2", default=as_drawn,
                                  prompt="Which basic tile goes to which theater?")
    for seat, answer in answers.items():
        g.emit(ev.BasicTilesLaid(side=s.power(seat), tiles=answer.tiles))


# --- bonus tiles --------------------------------------------------------------------------------------------------

def can_gain(s: State, side: Side) -> bool:
    """True if a side can draw a bonus tile and has room for it in the next war [IS-8.1.3, 8.1.5, 14.10.2]."""
    return bool(s.own[side].bonus_pool) and bool(with_room(s, side))


def gain_bonus(g: Game[State], side: Side, theater: int | None = None, *, why: str = "bonus_tile",
               point: str = "IS-18.16") -> Script[bool]:
    """Draw a bonus tile, and let its side place it [IS-8.1.2 to 8.1.4]; False if there is no room for it.

    `theater`: an effect names it (event 14).
    """
    s = g.state
    if not can_gain(s, side):
        return False
    (tile,) = yield from drawn(s.own[side].bonus_pool, 1, why=why, side=side, turn=s.turn)
    g.emit(ev.BonusTileDrawn(side=side, tile=tile))
    if theater is None:
        wanted = yield from choose(g, side, [other.id for other in theaters(s)], point=point, what="theater",
                                   default=_usual_theater(s, side, [other.id for other in theaters(s)]),
                                   prompt="Which theater does your bonus tile go to?")
        theater = numbered(s, wanted)
    room = with_room(s, side)
    if theater not in [numbered(s, other) for other in room]:
        yield from _make_room(g, side, theater, room, point)
    g.emit(ev.BonusTilePlaced(side=side, tile=tile, theater=theater))
    return True


def _usual_theater(s: State, side: Side, among: list[str]) -> str:
    """The default of IS-18.4 and 18.16: the fewest own bonus tiles, then the lowest number."""
    return min([theater for theater in theaters(s) if theater.id in among],
               key=lambda theater: len(s.bonus_tiles(side, theater.number))).id


def _make_room(g: Game[State], side: Side, theater: int, room: list[str], point: str) -> Script[None]:
    """One of the older tiles moves from a full theater to one with room [IS-8.1.4]; silence moves the weaker one."""
    s = g.state
    older = s.bonus_tiles(side, theater)
    weaker = min(older, key=lambda tile: s.parts.war_tile[tile].strength)
    moved = yield from choose(g, side, older, point=point, what="tile", secret=True, default=weaker,
                              prompt="This theater is full. Which of the two older tiles do you move?")
    place = s.bonus_tiles(side, theater).index(moved)
    to = yield from choose(g, side, room, point=point, what="theater", default=_usual_theater(s, side, room),
                           prompt="Which theater does it move to?")
    g.emit(ev.BonusTileMoved(side=side, tile=s.bonus_tiles(side, theater)[place], origin=theater, to=numbered(s, to)))


def carried_over(g: Game[State], side: Side) -> Script[None]:
    """The bonus tiles of the war before, when the first action round of a side on T4 begins [IS-14.10.3]."""
    for _ in range(g.state.own[side].carry_over):
        yield from gain_bonus(g, side, why="carried_over", point="IS-18.4")
    g.emit(ev.CarryOverDrawn(side=side))


# --- the upgrade --------------------------------------------------------------------------------------------------

def upgrade(g: Game[State], answer: Upgrade) -> Script[None]:
    """A basic tile is drawn; one of two stays, the other goes back to the pool or out of the game [IS-5.10]."""
    s = g.state
    side, theater = s.current.side, numbered(s, answer.theater)
    open_action(g, "upgrade")
    old = basic_tile(s, side, theater)
    (new,) = yield from drawn(s.own[side].basic_pool, 1, why="upgrade", side=side, theater=theater, turn=s.turn)
    war = s.next_war.id if s.rules_version and s.next_war is not None else ""
    g.emit(ev.UpgradeDrawn(side=side, theater=theater, tile=new, war=war))
    better = max((old, new), key=lambda tile: s.parts.war_tile[tile].strength)
    kept = yield from choose(g, side, [old, new], point="IS-18.17", what="tile", secret=True, default=better,
                             prompt="Which of the two basic tiles do you keep?")
    changed = kept == new
    able = [POOL, OUT] if basic_left(s, side) >= LEAST else [POOL]
    to = yield from choose(g, side, able, point="IS-18.17", what="tile_to", secret=True, prompt="Where does the other tile go?")
    old = basic_tile(s, side, theater)
    kept, sent = (new, old) if changed else (old, new)
    g.emit(ev.UpgradeMade(side=side, theater=theater, kept=kept, sent=sent, out=to == OUT))
    g.emit(ActionClosed())


def swap(g: Game[State], answer: SwapTiles) -> Script[None]:
    """Two basic tiles change places, in place of an upgrade [IS-19.2]."""
    s = g.state
    open_action(g, "upgrade")
    g.emit(ev.TilesSwapped(side=s.current.side, first=numbered(s, answer.first), second=numbered(s, answer.second)))
    g.emit(ActionClosed())
    yield from ()


def take_treaty_point(g: Game[State], answer: TakeTreatyPoint) -> Script[None]:
    """On T6 the symbol is worth a treaty point; it closes no action [IS-5.10.4, 5.10.6]."""
    g.emit(ev.UpgradeCashed())
    gain_trp(g, g.state.current.side, UPGRADE_ON_T6, "IS-5.10.4")
    yield from ()


ANSWERS: Mapping[type[Action], Callable[[Game[State], Any], Script[None]]] = {
    Upgrade: upgrade, SwapTiles: swap, TakeTreatyPoint: take_treaty_point}
"""The answers of an action round that this chapter adds, and what each does."""
