"""What one seat, or the public, may see (section S); built from nothing, with no field for anybody else's secret."""
from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from engine.kernel import Seat
from engine.struggle_of_empires.parts import Area, Neutral as Marker, Tile
from engine.struggle_of_empires.state import State


class Seen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Garrison(Seen):
    """What one power has in one area."""

    power: str
    markers: int            # control markers, captives not counted
    armies: int
    navies: int
    forts: int


class Neutral(Seen):
    """Equal neutral markers of one area."""

    kind: str               # "strength", "pop" (colonist face) or "slaves" (slave face)
    strength: int           # defence number; 0 for the two faces
    gold: int               # bonus in gold for beating it
    points: int             # bonus in victory points for beating it
    number: int             # how many of these


class Captive(Seen):
    """A control marker held by Pirates or by a Slave Revolt."""

    power: str
    held_by: str            # "pirates" or "slave_revolt"


class AreaView(Seen):
    area: str               # id
    name: str
    values: tuple[int, ...]                 # victory points per place, highest first
    places: int                             # the most markers of all kinds that it can hold
    naval: bool                             # holds navies
    garrisons: tuple[Garrison, ...]         # most control markers first
    neutrals: tuple[Neutral, ...]
    captives: tuple[Captive, ...]
    blockades: tuple[str, ...]              # powers with a Blockade lying here


class TileView(Seen):
    tile: str               # id
    name: str
    number: int             # copies
    used: int               # of these, used up for this war


class StockView(Seen):
    tile: str
    name: str
    kind: str               # "improvement", "company", "alliance"
    left: int
    of: int
    gold: int
    population: int
    unrest: int


class PowerView(Seen):
    power: str              # id
    name: str
    seat: str
    alliance: str           # "A", "B" or "" while not placed
    points: int
    gold: int
    population: int
    markers: int            # control markers on the map, captives not counted
    home_armies: int
    home_navies: int
    home_forts: int
    supply_armies: int
    supply_navies: int
    supply_forts: int
    supply_markers: int
    tiles: tuple[TileView, ...]
    revealed_unrest: int | None = None      # only after the end, when everybody's is revealed (SOE-18.1.1)


class AuctionView(Seen):
    """The standing bid and its proposal; a is the power for row A, b for row B, either may be empty."""

    bidder: str             # "" before the opening bid
    gold: int
    a: str
    b: str


class View(Seen):
    """The table as one seat, or the public (`seat` is None), may see it."""

    title: str              # "Struggle of Empires"
    edition: str
    war: int                # 1 to 3
    round: int              # 0 outside the rounds
    rounds: int             # rounds of a war
    phase: str              # "setup", "auction", "turn", "over", ...
    active: str             # power whose turn it is, or ""
    order: tuple[str, ...]  # turn order of this war, powers; empty before it is known
    row_a: tuple[str, ...]
    row_b: tuple[str, ...]
    areas: tuple[AreaView, ...]             # in the order of the data
    powers: tuple[PowerView, ...]           # in seat order; only powers in the game
    auction: AuctionView | None
    stock: tuple[StockView, ...]
    bag: int                # neutral markers left in the bag
    over: bool
    ranking: tuple[str, ...]                # powers, winner first; only when over
    seat: str | None        # whose view it is
    own_unrest: int | None  # of that seat


def view(s: State, seat: Seat | None) -> View:
    """The table as this seat, or the public, may see it now (section S)."""
    parts = s.parts
    own = s.power(seat) if seat else ""
    revealed = s.phase == "over"
    return View(
        title="Struggle of Empires", edition=parts.title, war=s.war, round=s.round if s.phase == "turn" else 0, rounds=s.rounds,
        phase=s.phase, active=s.active, order=tuple(s.order), row_a=tuple(s.row_a), row_b=tuple(s.row_b),
        areas=tuple(_area(s, area) for area in parts.areas),
        powers=tuple(_power(s, power, revealed=revealed) for power in s.powers if power),
        auction=_auction(s), stock=tuple(_stock(s, tile) for tile in parts.tiles), bag=len(s.bag), over=revealed,
        ranking=tuple(s.ranking), seat=seat, own_unrest=s.unrest[own] if own else None)


def _area(s: State, area: Area) -> AreaView:
    garrisons = [Garrison(power=power, markers=s.markers[power].get(area.id, 0), armies=s.count(power, "army", area.id),
                          navies=s.count(power, "navy", area.id), forts=s.count(power, "fort", area.id))
                 for power in s.powers if power]
    there = [garrison for garrison in garrisons if garrison.markers or garrison.armies or garrison.navies or garrison.forts]
    faces: dict[str, list[Marker]] = {}
    for marker in s.neutrals[area.id]:
        faces.setdefault(s.parts.neutral[marker].face, []).append(s.parts.neutral[marker])
    neutrals = [Neutral(kind=same[0].kind, strength=same[0].strength or 0, gold=same[0].gold, points=same[0].vp, number=len(same))
                for same in faces.values()]
    return AreaView(
        area=area.id, name=area.name, values=area.vp, places=area.country_counters, naval=area.naval,
        garrisons=tuple(sorted(there, key=lambda garrison: -garrison.markers)),
        neutrals=tuple(sorted(neutrals, key=lambda neutral: (neutral.strength, neutral.gold, neutral.points))),
        captives=tuple(Captive(power=captive.power, held_by=token) for token, captive in s.captives.items()
                       if captive.area == area.id),
        blockades=tuple(s.blockades.get(area.id, ())))


def _power(s: State, power: str, *, revealed: bool) -> PowerView:
    return PowerView(
        power=power, name=next(home.name for home in s.parts.home_countries if home.id == power), seat=s.seat(power),
        alliance="A" if power in s.row_a else "B" if power in s.row_b else "", points=s.points[power], gold=s.gold[power],
        population=s.population[power], markers=sum(s.markers[power].values()), home_armies=s.count(power, "army", power),
        home_navies=s.count(power, "navy", power), home_forts=s.count(power, "fort", power),
        supply_armies=s.supply(power, "army"), supply_navies=s.supply(power, "navy"), supply_forts=s.supply(power, "fort"),
        supply_markers=s.marker_supply(power),
        tiles=tuple(TileView(tile=tile, name=s.parts.tile[tile].name, number=number, used=s.used[power].get(tile, 0))
                    for tile, number in s.tiles[power].items()),
        revealed_unrest=s.unrest[power] if revealed else None)


def _auction(s: State) -> AuctionView | None:
    if s.phase != "auction":
        return None
    if s.standing is None:
        return AuctionView(bidder="", gold=0, a="", b="")
    return AuctionView(bidder=s.standing.bidder, gold=s.standing.gold, a=s.standing.a, b=s.standing.b)


def _stock(s: State, tile: Tile) -> StockView:
    return StockView(tile=tile.id, name=tile.name, kind=tile.kind, left=s.stock.get(tile.id, 0), of=tile.count,
                     gold=tile.cost.gold, population=tile.cost.population, unrest=tile.cost.unrest)
