"""What one seat, or the public, may see (section S); built from nothing, with no field for anybody else's secret."""
from __future__ import annotations

from pydantic import BaseModel, ConfigDict


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
