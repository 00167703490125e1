"""What one seat, or the public, may see (section S); built from nothing, with no field for anybody else's secret."""
from __future__ import annotations

from collections import Counter
from functools import lru_cache

from pydantic import BaseModel, ConfigDict

from engine.games.struggle_of_empires.components import REVOLT, Parts, Place, Tile, Token
from engine.games.struggle_of_empires.rules.local_alliances import neighbour
from engine.games.struggle_of_empires.state import State
from engine.games.struggle_of_empires.words.alliance_names import HEADINGS, LETTERS, SHORT, rows
from engine.games.struggle_of_empires.words.names import COMMERCE, SLAVES, chosen
from engine.kernel import Seat

CLASSES = {"keep": "improvement", "exhaust": "free_action", "stock": "military_tactics", "stock_at_war_end": "military_tactics",
           "remove": "immediate"}
"""What becomes of a tile after its use, and the class that this makes it (SOE-11.3)."""


SLAVE_MARKER, SLAVE_REVOLT = "slave marker", "Slave Revolt"
"""What the first edition calls them; where a game says otherwise, the view has its word."""


class Seen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RowName(Seen):
    """What a grand alliance is called."""

    name: str               # as in a sentence: "row A", "the red alliance"

    @property
    def heading(self) -> str:
        return HEADINGS.get(self.name, self.name)

    @property
    def short(self) -> str:
        return SHORT.get(self.name, self.name)


ROWS = (RowName(name=LETTERS[0]), RowName(name=LETTERS[1]))


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
    called: str = ""        # its name, if the edition or an option calls its face otherwise than the first edition


class Captive(Seen):
    """A control marker held by Pirates or by a Slave Revolt."""

    power: str
    held_by: str            # "pirates" or "slave_revolt"
    captor: str = ""        # what holds it, if the edition or an option calls it otherwise than the first edition


class LocalAlliance(Seen):
    """A place for a local alliance marker in an area (SOE-13.2)."""

    place: str              # id
    name: str
    holder: str             # the power whose marker it holds, or ""
    closed: bool            # takes no marker, as the area has room for one and another place holds it (AMB-58)
    gold: int               # what taking it costs
    population: int
    unrest: int
    land: bool              # helps in fights on land
    sea: bool               # helps in fights at sea


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
    local: tuple[LocalAlliance, ...] = ()   # in the order of the data


class TileView(Seen):
    tile: str               # id
    name: str
    number: int             # copies
    used: int               # of these, used up for this war


class StockView(Seen):
    tile: str
    name: str
    kind: str               # "improvement", "company", "alliance"; by classes also "free_action", "military_tactics", "immediate"
    left: int
    of: int
    gold: int
    population: int
    unrest: int


class AnyPower(Seen):
    """A power of the game, whether somebody plays it or nobody."""

    power: str              # id
    name: str
    alliance: str           # "A", "B" or "" while not placed
    markers: int            # control markers on the map, captives not counted


class PowerView(AnyPower):
    """A power that somebody plays."""

    seat: str
    points: int
    gold: int | None        # None: it is secret, and another's
    population: int
    home_armies: int
    home_navies: int
    home_forts: int
    supply_armies: int
    supply_navies: int
    supply_forts: int
    supply_markers: int
    tiles: tuple[TileView, ...]
    revealed_unrest: int | None = None      # only after the end, when everybody's is revealed (SOE-18.1.1)


class NonPlayer(AnyPower):
    """A power that nobody plays (chapter 19)."""

    points: int | None      # for information; None if it takes no part in the ranking of areas (SOE-19.3.1, 19.3.4)
    armies: int             # on the map


class TokenView(Seen):
    """A covert token (SOE-14.1.2)."""

    token: str              # "pirates" or "slave_revolt"
    name: str
    strength: int
    area: str               # name of the area where it holds a captive; "" while it lies in the display
    failed: tuple[str, ...]     # powers that may not use it again in this round (SOE-14.2.10)


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
    places: tuple[int, ...] = ()            # of the ranking; equals share one (SOE-18.3.6)
    seat: str | None        # whose view it is
    own_unrest: int | None  # of that seat
    rows: tuple[RowName, RowName] = ROWS
    npps: tuple[NonPlayer, ...] = ()        # in the order of the data
    tokens: tuple[TokenView, ...] = ()
    display: tuple[tuple[str, int], ...] = ()       # name of an area, and its neutral markers out of the game (SOE-1.2.6)
    commerce: str = "enslave"               # what is done for a slave marker


    @property
    def all_powers(self) -> tuple[AnyPower, ...]:
        """The powers in seat order, then those that nobody plays."""
        return (*self.powers, *self.npps)


def view(s: State, seat: Seat | None) -> View:
    """The table as this seat, or the public, may see it now (section S)."""
    parts = s.parts
    own, words = s.power(seat) if seat else "", {REVOLT: parts.tile[REVOLT].name, **chosen(parts, s.options)}
    revealed = s.phase == "over"
    return View(
        title="Struggle of Empires", edition=parts.title, war=s.war, round=s.round if s.phase == "turn" else 0, rounds=s.rounds,
        phase=s.phase, active=s.active, order=tuple(s.order), row_a=tuple(s.row_a), row_b=tuple(s.row_b),
        areas=tuple(_areas(s, words)),
        powers=tuple(_power(s, power, revealed=revealed, own=power == own) for power in s.powers if power),
        auction=_auction(s), stock=tuple(_stock(s)), bag=len(s.bag),
        over=revealed, ranking=tuple(s.ranking), places=tuple(s.places().values()), seat=seat,
        own_unrest=s.unrest[own] if own else None, rows=row_names(s),
        npps=tuple(_non_player(s, power) for power in s.npps), tokens=tokens(s), display=display(s),
        commerce="enslave" if words[SLAVES] == SLAVE_MARKER else f"do {words[COMMERCE]}")


def _areas(s: State, words: dict[str, str]) -> list[AreaView]:
    """All areas; most look as they did in the view before."""
    called = "" if words[SLAVES] == SLAVE_MARKER else words[SLAVES]
    captor = "" if words[REVOLT] == SLAVE_REVOLT else f"the {words[REVOLT]}"
    garrisons, captives, known, local = _garrisons(s), dict[str, list[tuple[str, str]]](), s.parts.neutral, places(s)
    for token, captive in s.captives.items():
        captives.setdefault(captive.area, []).append((captive.power, token))
    return [_area(area.id, area.name, area.vp, area.country_counters, area.naval, tuple(garrisons[area.id]),
                  tuple([known[marker].worth for marker in s.neutrals[area.id]]), called,
                  tuple(captives.get(area.id, ())), captor, tuple(s.blockades.get(area.id, ())),
                  tuple([local_alliance(s, place) for place in local if area.id in place.areas]) if local else ())
            for area in s.parts.areas]


def _garrisons(s: State) -> dict[str, list[tuple[str, int, int, int, int]]]:
    """Who has something where: area -> power, markers, armies, navies, forts; in seat order, then the non-player powers."""
    found: dict[str, list[tuple[str, int, int, int, int]]] = {area: [] for area in s.parts.area}
    for power in (*s.powers, *s.npps):
        if power:
            markers, own = s.markers[power], s.units[power]
            armies, navies, forts = own["army"], own["navy"], own["fort"]
            for at in {*markers, *armies, *navies, *forts}:
                if at != power:
                    found[at].append((power, markers.get(at, 0), armies.get(at, 0), navies.get(at, 0), forts.get(at, 0)))
    return found


# Small parts that look alike in most views are made once; each is known by all of its values, and none of them is secret.

@lru_cache(maxsize=4096)
def _area(area: str, name: str, values: tuple[int, ...], counters: int, naval: bool,
          garrisons: tuple[tuple[str, int, int, int, int], ...], markers: tuple[tuple[str, int, int, int], ...], slaves: str,
          captives: tuple[tuple[str, str], ...], revolt: str, blockades: tuple[str, ...],
          local: tuple[LocalAlliance, ...]) -> AreaView:
    """An area; `slaves` and `revolt` are their names, "" for those of the first edition."""
    faces: dict[object, list[tuple[str, int, int, int]]] = {}           # equal markers, in the order of the first of them
    for marker in markers:
        faces.setdefault(marker if marker[0] == "strength" else marker[0], []).append(marker)
    neutrals = [_neutral(*same[0], len(same), slaves if same[0][0] == "slaves" else "") for same in faces.values()]
    there = [_garrison(*garrison) for garrison in garrisons]
    return AreaView(
        area=area, name=name, values=values, places=counters, naval=naval,
        garrisons=tuple(sorted(there, key=lambda garrison: -garrison.markers)),
        neutrals=tuple(sorted(neutrals, key=lambda neutral: (neutral.strength, neutral.gold, neutral.points))),
        captives=tuple([Captive(power=power, held_by=token, captor=revolt if token == REVOLT else "")
                        for power, token in captives]),
        blockades=blockades, local=local)


@lru_cache(maxsize=4096)
def _garrison(power: str, markers: int, armies: int, navies: int, forts: int) -> Garrison:
    return Garrison(power=power, markers=markers, armies=armies, navies=navies, forts=forts)


@lru_cache(maxsize=1024)
def _neutral(kind: str, strength: int, gold: int, points: int, number: int, called: str) -> Neutral:
    return Neutral(kind=kind, strength=strength, gold=gold, points=points, number=number, called=called)


@lru_cache(maxsize=1024)
def _tile(tile: str, name: str, number: int, used: int) -> TileView:
    return TileView(tile=tile, name=name, number=number, used=used)


def _power(s: State, power: str, *, revealed: bool, own: bool) -> PowerView:
    units, limit, markers = s.units[power], s.parts.limit, sum(s.markers[power].values())
    armies, navies, forts, used = units["army"], units["navy"], units["fort"], s.used[power]
    tiles = tuple([_tile(tile, s.parts.tile[tile].name, number, used.get(tile, 0)) for tile, number in s.tiles[power].items()])
    return PowerView(
        power=power, name=name_of(power, s.parts), seat=s.seat(power), alliance=_alliance(s, power), points=s.points[power],
        gold=s.gold[power] if own or revealed else public_gold(s, power), population=s.population[power], markers=markers,
        home_armies=armies.get(power, 0), home_navies=navies.get(power, 0), home_forts=forts.get(power, 0),
        supply_armies=limit["army"] - sum(armies.values()), supply_navies=limit["navy"] - sum(navies.values()),
        supply_forts=limit["fort"] - sum(forts.values()), supply_markers=s.marker_supply(power), tiles=tiles,
        revealed_unrest=s.unrest[power] if revealed else None)


def name_of(power: str, parts: Parts) -> str:
    return parts.home_name[power]


def _alliance(s: State, power: str) -> str:
    return "A" if power in s.row_a else "B" if power in s.row_b else ""


def public_gold(s: State, power: str) -> int | None:
    """The gold of a power as everybody may see it (AMB-76)."""
    return s.gold[power] if s.options.gold.public else None


def row_names(s: State) -> tuple[RowName, RowName]:
    first, second = rows(s.parts)
    return RowName(name=first), RowName(name=second)


# -- what the Deluxe edition adds

def places(s: State) -> tuple[Place, ...]:
    """The places for local alliance markers, if the game has them."""
    return s.parts.local_alliances if s.options.alliance.mode == "local" else ()


def local_alliance(s: State, place: Place) -> LocalAlliance:
    """A place and whose marker it holds."""
    cost, holder = s.cost_of(place.id), s.local_alliances.get(place.id, "")
    return _local(place.id, place.name, holder, not holder and bool(neighbour(s, place)), cost.gold, cost.population, cost.unrest,
                  place.helps_on_land, place.helps_at_sea)


@lru_cache(maxsize=1024)
def _local(place: str, name: str, holder: str, closed: bool, gold: int, population: int, unrest: int, land: bool,
           sea: bool) -> LocalAlliance:
    return LocalAlliance(place=place, name=name, holder=holder, closed=closed, gold=gold, population=population, unrest=unrest,
                         land=land, sea=sea)


def tokens(s: State) -> tuple[TokenView, ...]:
    return tuple(_token(s, token) for token in s.parts.covert_tokens) if s.options.covert.mode == "tokens" else ()


def _token(s: State, token: Token) -> TokenView:
    captive = s.captives.get(token.id)
    return TokenView(token=token.id, name=token.name, strength=s.token_strength(token.id),
                     area=s.parts.area[captive.area].name if captive else "",
                     failed=tuple(power for power in s.powers if token.id in s.tried.get(power, ())))


def _non_player(s: State, power: str) -> NonPlayer:
    return NonPlayer(power=power, name=name_of(power, s.parts), alliance=_alliance(s, power),
                     points=s.npp_points.get(power, 0) if s.ranked_npps else None,
                     markers=sum(s.markers[power].values()), armies=sum(s.units[power]["army"].values()))


def display(s: State) -> tuple[tuple[str, int], ...]:
    """How many neutral markers of each area are out of the game, in the order of the data."""
    gone = Counter(s.parts.neutral[marker].area for marker in s.display)
    return tuple((area.name, gone[area.id]) for area in s.parts.areas if gone[area.id])


def tile_class(s: State, tile: Tile) -> str:
    """How a tile is grouped: companies and alliances for themselves, the others by their classes or all together."""
    if tile.kind in ("company", "alliance"):
        return tile.kind
    return CLASSES[tile.after_use] if s.options.tiles.classes == "classes" else "improvement"


# -- auction and stock

def _auction(s: State) -> AuctionView | None:
    if s.phase != "auction":
        return None
    if s.standing is None:
        return AuctionView(bidder="", gold=0, a="", b="")
    return AuctionView(bidder=s.standing.bidder, gold=s.standing.gold, a=s.standing.a, b=s.standing.b)


def _stock(s: State) -> list[StockView]:
    """The tiles of the box that belong to this game; most look as they did in the view before."""
    parts, options, found = s.parts, s.options, list[StockView]()
    chosen = options.alliance.mode, options.covert.mode, options.tiles.classes, options.alliance.cost
    stalls = parts.stalls.get(chosen)
    if stalls is None:
        stalls = parts.stalls[chosen] = [(tile.id, {}) for tile in parts.tiles if s.in_play(tile)]
    for id, looks in stalls:
        left = s.stock.get(id, 0)
        look = looks.get(left)
        if look is None:
            tile, cost = parts.tile[id], s.cost_of(id)
            look = looks[left] = StockView(tile=id, name=tile.name, kind=tile_class(s, tile), left=left, of=tile.count,
                                           gold=cost.gold, population=cost.population, unrest=cost.unrest)
        found.append(look)
    return found
