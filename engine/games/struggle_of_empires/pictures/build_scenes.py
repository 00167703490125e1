"""From a story to what each picture shows. Public scenes are made from public views and public events, whoever looks; only the
board holds what its reader alone may see."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, get_args

from engine.games.struggle_of_empires import actions as act, events as ev, view as vw
from engine.games.struggle_of_empires.components import Parts
from engine.games.struggle_of_empires.pictures import scenes as sc
from engine.games.struggle_of_empires.pictures.build_battle_scenes import battles
from engine.games.struggle_of_empires.pictures.build_recap import recap, wars_and_rounds
from engine.games.struggle_of_empires.pictures.build_reckoning import reckoning, reveal
from engine.games.struggle_of_empires.pictures.story_facts import TITLE, chosen, moment, npps, people, powers
from engine.games.struggle_of_empires.rules.war_end import area_points
from engine.games.struggle_of_empires.state import State
from engine.games.struggle_of_empires.view import places
from engine.games.struggle_of_empires.words.menus import MENUS
from engine.games.struggle_of_empires.words.names import names
from engine.games.struggle_of_empires.words.summaries import summary
from engine.kernel import Action, Event
from engine.kernel.game_spec import Picture, Replay, numbered
from engine.refusals import Refusal
from engine.text import Reader, Text, printed, say, verbatim

DEEDS: tuple[sc.Deed, ...] = get_args(sc.Deed)
MOVE = 2                    # areas: where it begins and where it ends


def areas(components: Parts) -> Mapping[str, Text]:
    return {area.id: printed(area.name) for area in components.areas}


# --- the board --------------------------------------------------------------------------------------------

def board(story: Replay) -> sc.Board:
    """The board for the story's reader: with what is new since the last look, and where a seat may act now."""
    s, known = story.end(), story.known()
    now, before = vw.view(s, story.seat), vw.view(known, story.seat) if known is not None else None
    ways = _ways(story.options, s.parts) if story.seat is not None else ()
    tiles = _own_tiles(now, s) if story.seat is not None else ()
    return sc.Board(now=now, before=before if before != now else None, ways=ways, tiles=tiles, people=people(story, s))


def _own_tiles(seen: vw.View, s: State) -> tuple[sc.OwnTile, ...]:
    reader = Reader(names(s.parts, s))
    return tuple(sc.OwnTile(name=tile.name, number=tile.number, used=tile.used, effect=_effect(s, tile.tile, reader))
                 for power in seen.powers if power.seat == seen.seat for tile in power.tiles)


def _effect(s: State, tile: str, reader: Reader) -> str:
    """Return what a tile does, in a few words; "" if its name says it all."""
    told = summary(s, tile)
    return say(told, reader) if told is not None else ""


def numbers(parts: Parts) -> Mapping[str, int]:
    """The areas with their numbers on one's own board, in the order of the data."""
    return {area: number for number, area in enumerate(parts.area, 1)}


def _ways(options: tuple[Action, ...], parts: Parts) -> tuple[sc.Way, ...]:
    found: dict[str, set[sc.Deed]] = {}
    for option in options:
        for area, deed in _deeds(option, parts):
            found.setdefault(area, set()).add(deed)
    known = numbered(MENUS, numbers(parts), options)
    return tuple(sc.Way(area=area, deeds=tuple(deed for deed in DEEDS if deed in found[area]), number=known.get(area, 0))
                 for area in parts.area if area in found)


def _deeds(option: Action, parts: Parts) -> Iterator[tuple[str, sc.Deed]]:
    """Where an answer acts and what it does there; a place that is no area is left out by the caller."""
    match option:
        case act.Attack():
            yield option.area, "attack"
        case act.Covert():
            yield option.area, "raid"
        case act.Move() | act.Send():
            yield option.to, "move"
        case act.Colonise() | act.Enslave():
            yield option.area, "colonise"
        case act.Build():
            yield option.to, "build"
        case act.Rebuild():
            yield option.at, "build"
        case act.Place():
            yield option.area, "place"
        case act.Ally():
            yield from ((area, "ally") for area in parts.local_alliance[option.place].areas)
        case act.Take():
            yield option.area, "other"
        case act.Use():
            yield option.on, "other"


# --- close-up of an area ------------------------------------------------------------------------------------

def fresh_battles(story: Replay) -> list[str]:
    """Each attack and raid that is new to the reader, as its area and its place among those of the story; without any, the area
    that was touched most, unless more were than a move goes between: then the board says more."""
    fresh = [f"{one.area}/{n}" for n, one in enumerate(battles(story)) if one.last > story.since]
    areas = {area for no, event, _ in story.events() if no > story.since for area in _touched(event, story.parts)}
    return fresh or ([""] if 0 < len(areas) <= MOVE else [])


def closeup(story: Replay) -> sc.Closeup:
    """An area with its last attack: the one of the story's subject, the one that was touched most since the last look, or, if
    none was, the one with the most markers. A place behind the area says which attack among those of the story it shows."""
    subject, _, place = story.subject.partition("/")
    s, known = story.end(), story.known()
    wanted = subject or _most_touched(story) or max(s.parts.area, key=lambda area: _markers_in(s, area))
    if wanted not in s.parts.area:
        raise Refusal("There is no area {area}.", area=verbatim(wanted))
    here = [fought for n, fought in enumerate(battles(story)) if fought.area == wanted and place in ("", str(n))]
    fresh = [fought for fought in here if fought.last > story.since]
    now = _area(vw.view(s, None), wanted)
    before = _area(vw.view(known, None), wanted) if known is not None else None
    return sc.Closeup(title=TITLE, moment=moment(s), area=now, before=before if before != now else None,
                      powers=(*powers(s), *npps(s)),
                      battle=here[-1].battle if here else None, more=max(0, len(fresh) - 1), people=people(story, s))


def _area(seen: vw.View, area: str) -> vw.AreaView:
    return next(one for one in seen.areas if one.area == area)


def _most_touched(story: Replay) -> str:
    """The area where most has happened since the reader's last look, the later one of two; "" if nothing has. An attack
    outweighs everything else, and what an own power was part of outweighs what others did among themselves."""
    touched: list[str] = []
    attacked: list[str] = []
    own: list[str] = []
    for no, event, state in story.events():
        if no > story.since:
            here = list(_touched(event, story.parts))
            touched += here
            fights = isinstance(event, ev.AttackDeclared | ev.RaidBegun)
            attacked += here if fights else []
            power = state.power(story.seat) if story.seat is not None else ""
            own += here if fights and power and power in event.__dict__.values() else []
    attacks, touches, mine = Counter(attacked), Counter(touched), Counter(own)
    latest = {area: index for index, area in enumerate(touched)}
    return max(touches, key=lambda area: (mine[area], attacks[area], touches[area], latest[area]), default="")


def _markers_in(s: State, area: str) -> int:
    return sum(markers.get(area, 0) for markers in s.markers.values())


def _touched(event: Event, parts: Parts) -> Iterator[str]:
    """The areas in which an event changes something, once for each thing."""
    match event:
        case ev.AreaScored():
            return                              # it changes the powers' points and nothing there
        case ev.NeutralsPlaced():
            yield from (parts.neutral[marker].area for marker in event.markers)
        case ev.StartDrawn():
            yield from event.areas
        case ev.AllianceFormed():
            yield from parts.local_alliance[event.place].areas
        case _:
            places = (getattr(event, field, "") for field in ("area", "place", "origin", "to"))
            yield from (place for place in places if place in parts.area)


# --- stock, forecast, victory points --------------------------------------------------------------------------

def stock(story: Replay) -> sc.Stock:
    """All tiles with their prices and owners."""
    s = story.end()
    tiles = [tile for tile in s.parts.tiles if s.in_play(tile)]
    kinds, reader = list(dict.fromkeys(vw.tile_class(s, tile) for tile in tiles)), Reader(names(s.parts, s))
    items = [sc.Item(tile=tile.id, name=tile.name, kind=vw.tile_class(s, tile), left=s.stock.get(tile.id, 0), of=tile.count,
                     **s.cost_of(tile.id).model_dump(), owners=tuple(_owners(s, tile.id)), effect=_effect(s, tile.id, reader))
             for tile in tiles]
    local = [sc.LocalPlace(areas=tuple(s.parts.area[area].name for area in place.areas), here=vw.local_alliance(s, place))
             for place in places(s)]
    return sc.Stock(title=TITLE, moment=moment(s), powers=powers(s), local=tuple(local), tokens=vw.tokens(s),
                    display=vw.display(s),
                    items=tuple(sorted(items, key=lambda item: kinds.index(item.kind))))


def _owners(s: State, tile: str) -> Iterator[sc.Owner]:
    for power in chosen(s):
        if number := s.owned(power, tile):
            yield sc.Owner(power=power, number=number, used=s.used[power].get(tile, 0))


def forecast(story: Replay) -> sc.Forecast:
    """Victory points if the war ended now [SOE-17.4]."""
    s = story.end()
    if s.phase == "over":
        raise Refusal("The game is over. The final reckoning shows how it ended.")
    if not chosen(s):
        raise Refusal("There is nothing to forecast yet: nobody has chosen a power.")
    gains: Counter[str] = Counter()
    shown: list[sc.AreaForecast] = []
    for area in s.parts.areas:
        markers = {power: s.markers[power][area.id] for power in (*chosen(s), *s.ranked_npps) if area.id in s.markers[power]}
        points = area_points(area.vp, markers, npps=s.npps)
        gains.update(points)
        most_first = sorted(markers, key=lambda power: (-markers[power], power not in s.npps))
        shown.append(sc.AreaForecast(area=area.id, name=area.name, values=area.vp, gains=tuple(
            sc.Gain(power=power, markers=markers[power], points=points.get(power, 0)) for power in most_first)))
    now = s.points | {power: s.npp_points.get(power, 0) for power in s.ranked_npps}
    totals = [sc.Total(power=power, name=vw.name_of(power, s.parts), now=now[power], gain=gains[power],
                       then=now[power] + gains[power],
                       npp=power in s.npps) for power in (*chosen(s), *s.ranked_npps)]
    return sc.Forecast(title=TITLE, moment=moment(s), areas=tuple(shown), people=people(story, s),
                       totals=tuple(sorted(totals, key=lambda total: (total.npp, -total.then))))


def progress(story: Replay) -> sc.Progress:
    """Victory points at the start, and at every end of a round, of a war and of the game."""
    stops: list[tuple[sc.Stop, dict[str, int]]] = []
    for _, event, state in story.events():
        s: State = state
        if (stop := _stop(event, s)) is not None:
            stops.append((stop, dict(s.points)))
    s = story.end()
    if not stops:
        raise Refusal("There are no victory points yet: the powers are still being chosen.")
    lines = [sc.Line(power=power, name=vw.name_of(power, s.parts), points=tuple(points[power] for _, points in stops))
             for power in chosen(s)]
    return sc.Progress(title=TITLE, stops=tuple(stop for stop, _ in stops), people=people(story, s),
                       lines=tuple(sorted(lines, key=lambda line: -s.points[line.power])))


def _stop(event: Event, s: State) -> sc.Stop | None:
    """The place on the time axis that an event marks, if it marks one; `s` is the state after it."""
    match event:
        case ev.PlacingBegun():
            return sc.Stop(war=0, round=0)
        case ev.TurnEnded(place=0):
            return sc.Stop(war=s.war, round=event.round if event.phase == "war_end" else event.round - 1)
        case ev.WarEnded():
            return sc.Stop(war=event.war, round=0)
        case ev.GameEnded():
            return sc.Stop(war=s.war, round=0, last=True)
    return None


# --- the auction -----------------------------------------------------------------------------------------------

def auction(story: Replay) -> sc.Auction:
    """The auction of alliances under way, with its bids."""
    bids: list[sc.Bid] = []
    passed: set[str] = set()
    for _, event, _ in story.events():
        match event:
            case ev.AuctionBegun():
                bids, passed = [], set()
            case ev.BidPlaced():
                name = vw.name_of(event.bidder, story.parts)
                bids.append(sc.Bid(bidder=event.bidder, name=name, gold=event.gold, a=event.a, b=event.b))
                passed = set()
            case ev.AuctionPassed():
                passed.add(event.power)
    s: State = story.end()
    standing = vw.view(s, None).auction
    if standing is None:
        raise Refusal("There is no auction right now. Alliances are auctioned at the start of each war.")
    bidders = [sc.Bidder(power=power, name=vw.name_of(power, s.parts), gold=vw.public_gold(s, power),
                         state=_bidding(power, standing, passed)) for power in s.in_seat_order(s.opener)]
    return sc.Auction(title=TITLE, war=s.war, number=(len(s.row_a) + len(s.row_b)) // 2 + 1, row_a=tuple(s.row_a),
                      row_b=tuple(s.row_b), standing=standing, bids=tuple(bids), bidders=tuple(bidders), people=people(story, s),
                      rows=vw.row_names(s), npps=npps(s))


def _bidding(power: str, standing: vw.AuctionView, passed: set[str]) -> Literal["to bid", "in", "passed"]:
    return "in" if power == standing.bidder else "passed" if power in passed else "to bid"


PICTURES = (
    Picture(key="board", title="Board", scene=board, posted=True, private=True),
    Picture(key="closeup", title="Close-up", scene=closeup, subjects=areas, posted=True, news=fresh_battles),
    Picture(key="forecast", title="Forecast", scene=forecast, after=(ev.PowerChosen,), there=lambda s: s.phase != "over"),
    Picture(key="points", title="Victory points", scene=progress, whole=True, after=(ev.PlacingBegun,)),
    Picture(key="stock", title="Stock of tiles", scene=stock),
    Picture(key="auction", title="Auction", scene=auction, there=lambda s: s.phase == "auction"),
    Picture(key="reveal", title="Final reckoning", scene=reveal, there=lambda s: s.phase == "over"),
    Picture(key="reckoning", title="Final reckoning, step by step", scene=reckoning, posted=True,
            there=lambda s: s.phase == "over"),
    Picture(key="recap", title="Recap", scene=recap, subjects=wars_and_rounds, whole=True,
            after=(ev.TurnEnded, ev.OrderFixed, ev.WarEnded)))
