"""What one seat, or the public, may see (chapter 17); built from nothing, with no field for anybody else's secret."""
from __future__ import annotations

from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict

from engine.games.imperial_struggle.components import REGIONS, SIDES, Side
from engine.games.imperial_struggle.components.board import Space
from engine.games.imperial_struggle.rules.control import Counts, isolated, protected
from engine.games.imperial_struggle.state import SideState, State, TheaterResult, WarState
from engine.kernel import OVER, Seat

BOARDS = 256            # boards that are remembered


class Seen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SpaceView(Seen):
    space: str              # id
    name: str
    region: str
    type: str
    cost: int | None
    prestige: bool
    commodity: str          # or ""
    open: bool              # in play [IS-2.3]
    flag: str               # "britain", "france", "spain", "usa", or ""; on a naval space a squadron
    conflict: bool
    surcharge: int          # MP that the marker costs more to remove
    damaged: bool
    protected: bool
    isolated: bool          # on the board of this moment
    frozen: bool            # isolated when the action round began [IS-2.7.3]
    huguenots: str          # "fresh", "flipped", or ""


class MinistryView(Seen):
    card: str               # "" while it lies face down
    third: bool


class TheaterView(Seen):
    """A side's tiles in one theater of the next war: numbers for all, faces for their owner."""

    basic: int
    bonus: int
    tiles: tuple[str, ...]


class SideView(Seen):
    side: Side
    seat: str
    debt: int
    limit: int
    available: int
    trp: int
    hand: int               # number of events
    ministries: tuple[MinistryView, ...]
    exhausted: tuple[str, ...]              # abilities of face-up ministries
    advantages: tuple[str, ...]
    theaters: tuple[TheaterView, ...]
    navy_box: int
    unbuilt: int
    away: int
    gone: int


class PoolView(Seen):
    kind: str
    points: int
    source: str


class RoundView(Seen):
    """The action round under way."""

    side: Side
    number: int
    tile: str               # or ""
    event: str
    open: str               # the action under way
    closed: tuple[str, ...]
    pools: tuple[PoolView, ...]
    used: tuple[str, ...]   # advantages


class LineView(Seen):
    """What one kind of thing adds to the strength of a side in a theater."""

    source: str             # "tiles", a country, a keyword, "squadrons", "forts", "conflict_markers", "byng" ...
    amount: int
    of: tuple[str, ...]     # the tiles, spaces or ministries that count


class ResultView(Seen):
    theater: int
    britain: int
    france: int
    lines: dict[Side, tuple[LineView, ...]]
    winner: str
    margin: int


class WarView(Seen):
    """A war turn under way."""

    war: str
    theater: int
    shown: dict[Side, tuple[str, ...]]      # the tiles turned up
    cp: int                 # left to the winner
    unflag: int
    losses: int             # squadrons that the loser has still to give up
    asked: str              # the territory that the loser may refuse
    closed: tuple[str, ...]                 # territories refused in this war
    results: tuple[ResultView, ...]


class RegionView(Seen):
    region: str
    britain: int            # flag counts
    france: int
    award: str              # the tile turned up, or ""
    won: str                # by whom in the last scoring, or ""


class GoodView(Seen):
    good: str
    britain: int
    france: int
    in_demand: bool


class View(Seen):
    title: str
    phase: str
    turn: str               # "T1", "WSS"
    era: str
    vp: int
    initiative: Side
    first: Side
    next_war: str           # or ""
    spaces: tuple[SpaceView, ...]           # in the order of the data
    sides: tuple[SideView, ...]
    regions: tuple[RegionView, ...]
    goods: tuple[GoodView, ...]
    prestige: dict[Side, int]
    free_advantages: tuple[str, ...]        # those that nobody holds
    exhausted: tuple[str, ...]              # advantages
    available: tuple[str, ...]              # investment tiles
    taken: tuple[tuple[str, Side], ...]
    used_tiles: tuple[str, ...]
    deck: int               # events in the pile
    discards: tuple[str, ...]
    played: tuple[str, ...]
    round: RoundView | None
    war: WarView | None
    byng: int               # the theater where Byng lies; 0: nowhere
    atlantic_dominance: str
    townshend: str
    jacobite_victories: int
    jacobite_defeat: bool
    third_ministry: bool
    tougher_forts: bool     # the option by which forts need a conquest line, and one line more counts [IS-19.3]
    over: bool
    winner: str
    seat: str | None        # whose view it is
    own_hand: tuple[str, ...]               # events
    own_ministries: tuple[str, ...]         # all of them, in their order
    own_basic_pool: tuple[str, ...]         # the composition of a pool is shown to its owner [IS-17.12]
    own_bonus_pool: tuple[str, ...]
    own_drawn: tuple[str, ...]              # war tiles that are still to be placed


def view(s: State, seat: Seat | None) -> View:
    """The table as this seat, or the public, may see it now."""
    side = s.power(seat) if seat and s.phase not in ("setup", "sides") else None
    own = s.own[side] if side is not None else None
    (spaces, counts), war = _board(s), s.next_war
    return View(
        title=s.parts.title, phase=s.phase, turn=s.turn, era=s.era, vp=s.vp, initiative=s.initiative, first=s.first,
        next_war=war.id if war is not None else "",
        spaces=spaces,
        sides=tuple(_side(s, each, each == side) for each in SIDES),
        regions=tuple([_region(region, *counts.flags[region], s.awards.get(region, ""), s.won_awards.get(region, ""))
                       for region in REGIONS]),
        goods=tuple([_good(good, *pair, good in s.demand) for good, pair in counts.goods.items()]),
        prestige=dict(zip(SIDES, counts.prestige)),
        free_advantages=tuple([id for id in s.parts.advantage if id not in s.holders]), exhausted=tuple(s.exhausted),
        available=tuple(s.available), taken=tuple(s.taken.items()), used_tiles=tuple(s.used_tiles), deck=len(s.deck),
        discards=tuple(s.discards), played=tuple(s.played), round=_round(s), war=_war(s.war) if s.war is not None else None,
        byng=s.byng, atlantic_dominance=s.atlantic_dominance, townshend=s.townshend, jacobite_victories=s.jacobite_victories,
        jacobite_defeat=s.jacobite_defeat, third_ministry=s.third_ministry,
        tougher_forts=s.options.tougher_forts, over=s.phase == OVER, winner=s.winner, seat=seat,
        own_hand=tuple(own.hand) if own else (), own_ministries=tuple(card.card for card in own.ministries) if own else (),
        own_basic_pool=tuple(sorted(own.basic_pool)) if own else (), own_bonus_pool=tuple(sorted(own.bonus_pool)) if own else (),
        own_drawn=tuple(own.drawn) if own else ())


def _board(s: State) -> tuple[tuple[SpaceView, ...], Counts]:
    """All spaces, and what is counted of them: worked out once for a board, since every seat sees the same one."""
    frozen, known = tuple(s.round.isolated) if s.round is not None else (), s.parts.boards
    board = (s.open_spaces, tuple(s.flags.items()), tuple(s.conflict.items()), tuple(s.damaged), tuple(s.huguenots.items()),
             frozen)
    found: tuple[tuple[SpaceView, ...], Counts] | None = known.get(board)
    if found is None:
        if len(known) >= BOARDS:
            known.clear()
        found = known[board] = tuple(_spaces(s, frozen)), Counts(s)
    return found


def _spaces(s: State, frozen: tuple[str, ...]) -> list[SpaceView]:
    """All spaces; most look as they did in the view before."""
    flags, conflict, damaged, huguenots, open = s.flags, s.conflict, s.damaged, s.huguenots, s.open_spaces
    alone, safe, special, found = set(isolated(s)), protected(s), {*conflict, *damaged, *huguenots, *frozen}, list[SpaceView]()
    for id, seen in s.parts.seen.items():
        flag = flags.get(id, "")
        now: tuple[Any, ...] = id in open, flag, id in safe, id in alone
        if id in special:
            now += id in conflict, conflict.get(id, 0), id in damaged, id in frozen, huguenots.get(id, "")
        look = seen.get(now)
        if look is None:
            look = seen[now] = _space(s.parts.space[id], *now)
        found.append(look)
    return found


def _space(space: Space, open: bool, flag: str, protected: bool, isolated: bool, conflict: bool = False,
           surcharge: int = 0, damaged: bool = False, frozen: bool = False, huguenots: str = "") -> SpaceView:
    return SpaceView(
        space=space.id, name=space.name, region=space.region, type=space.type, cost=space.cost, prestige=space.prestige,
        commodity=space.commodity or "", open=open, flag=flag, conflict=conflict, surcharge=surcharge, damaged=damaged,
        protected=protected, isolated=isolated, frozen=frozen, huguenots=huguenots)


@lru_cache(maxsize=1024)
def _region(region: str, britain: int, france: int, award: str, won: str) -> RegionView:
    return RegionView(region=region, britain=britain, france=france, award=award, won=won)


@lru_cache(maxsize=1024)
def _good(good: str, britain: int, france: int, in_demand: bool) -> GoodView:
    return GoodView(good=good, britain=britain, france=france, in_demand=in_demand)


def _side(s: State, side: Side, mine: bool) -> SideView:
    own = s.own[side]
    return SideView(
        side=side, seat=s.seat(side), debt=own.debt, limit=own.limit, available=own.available, trp=own.trp, hand=len(own.hand),
        ministries=_ministries(own),
        exhausted=tuple(own.exhausted), advantages=tuple(s.held_advantages(side)),
        theaters=tuple([_theater(s, tiles, mine) for tiles in own.tiles]),
        navy_box=own.navy_box, unbuilt=own.unbuilt, away=own.away, gone=own.gone)


def _ministries(own: SideState) -> tuple[MinistryView, ...]:
    """Those face up, then the others: neither its place among them nor its third place tells a face-down card [IS-17.2]."""
    up = [_ministry(minister.card, minister.third) for minister in own.ministries if minister.up]
    return (*up, *[_ministry("", False)] * (len(own.ministries) - len(up)))


@lru_cache(maxsize=256)
def _ministry(card: str, third: bool) -> MinistryView:
    return MinistryView(card=card, third=third)


def _theater(s: State, tiles: list[str], mine: bool) -> TheaterView:
    known = s.parts.war_tile
    basic = len([tile for tile in tiles if known[tile].basic])
    if mine:
        return TheaterView(basic=basic, bonus=len(tiles) - basic, tiles=tuple(tiles))
    return _covered(basic, len(tiles) - basic)


@lru_cache(maxsize=64)
def _covered(basic: int, bonus: int) -> TheaterView:
    return TheaterView(basic=basic, bonus=bonus, tiles=())


def _round(s: State) -> RoundView | None:
    now = s.round
    if now is None:
        return None
    return RoundView(side=now.side, number=s.ar, tile=now.tile, event=now.event, open=now.open, closed=tuple(now.closed),
                     pools=tuple(PoolView(kind=pool.kind, points=pool.points, source=pool.id)
                                 for pool in now.pools if pool.points),
                     used=tuple(now.used))


def _war(war: WarState) -> WarView:
    return WarView(
        war=war.war, theater=war.theater, cp=war.cp, unflag=war.unflag, losses=war.losses, asked=war.asked,
        closed=tuple(war.closed),
        shown={"britain": tuple(war.shown.britain), "france": tuple(war.shown.france)},
        results=tuple(_result(result) for result in war.results))


def _result(result: TheaterResult) -> ResultView:
    lines = {side: tuple([_line(line.source, line.amount, tuple(line.of)) for line in found])
             for side, found in result.lines.items()}
    return ResultView(theater=result.theater, britain=result.strength["britain"], france=result.strength["france"], lines=lines,
                      winner=result.winner, margin=result.margin)


@lru_cache(maxsize=1024)
def _line(source: str, amount: int, of: tuple[str, ...]) -> LineView:
    return LineView(source=source, amount=amount, of=of)
