"""What each picture of Struggle of Empires shows: plain values for one reader, built from nothing, with no place for a secret
of anybody else. The board's own values are in `view`."""
from __future__ import annotations

from typing import Literal, TypeAlias

from engine.games.struggle_of_empires.view import ROWS, AreaView, AuctionView, LocalAlliance, RowName, Seen, TokenView, View

People: TypeAlias = tuple[tuple[str, str], ...]
"""(power, what its player is called) of powers whose player has a name."""


class Power(Seen):
    """A power by its id and its name."""

    power: str
    name: str
    npp: bool = False               # nobody plays it


class Moment(Seen):
    """Where the game stands, as on the board."""

    war: int
    round: int                      # 0 outside the rounds
    rounds: int
    phase: str


# --- the board ----------------------------------------------------------------------------------------

Deed: TypeAlias = Literal["attack", "raid", "move", "colonise", "build", "place", "ally", "other"]
"""What can be done in an area; "ally" places a local alliance marker, "raid" uses a covert token."""


class Way(Seen):
    """What the reader may do in an area now."""

    area: str
    deeds: tuple[Deed, ...]         # in their order, each once
    number: int = 0                 # by which the menu calls it; 0: it needs none


class OwnTile(Seen):
    """A tile of the reader's, and what it does."""

    name: str
    number: int             # copies
    used: int               # of these, used up for this war
    effect: str             # a few words; "" if the name says it all


class Board(Seen):
    """The board, marked with what is new to the reader and with where the reader may act."""

    now: View
    before: View | None = None      # as the reader knew it: what differs is marked
    ways: tuple[Way, ...] = ()      # in the order of the areas; only in a seat's own picture
    tiles: tuple[OwnTile, ...] = ()     # the reader's; only in a seat's own picture
    people: People = ()


# --- close-up of an area --------------------------------------------------------------------------------

class Helper(Seen):
    """What an ally committed to a side."""

    power: str
    name: str
    armies: int
    navies: int


class Side(Seen):
    """Who fights."""

    kind: Literal["power", "neutral", "pirates", "slave_revolt", "npp"]     # "npp": a control marker of a non-player power
    power: str                      # "" unless it is a power, or a marker of one
    name: str                       # "France", "Neutral marker", "Pirates"
    strength: int                   # defence number or strength of a token or marker; 0 for a power that fights
    helpers: tuple[Helper, ...]


class Strength(Seen):
    """One side of a roll, part by part; `total` is the sum of `units` to `difference`."""

    units: int                      # with the strength of a neutral marker or token
    training: int
    alliances: int
    support: int                    # naval support
    dice: tuple[int, int]
    difference: int                 # of the two dice
    total: int


class Roll(Seen):
    """Both sides' dice at once."""

    attacker: Strength
    defender: Strength
    again: str                      # power that had all dice rolled again with Reserves; "" if the roll stands


class Fight(Seen):
    """A fight at sea or on land."""

    stage: Literal["sea", "land"]
    rolls: tuple[Roll, ...]       # the last one counts; none before the dice
    winner: Literal["attacker", "defender", "tie", ""]      # "" while it is undecided


class Exchange(Seen):
    """What became of a marker."""

    kind: Literal["taken", "neutral", "captured", "freed"]
    winner: str                     # power or token that has it now
    winner_name: str
    loser: str                      # power that lost it, or ""
    loser_name: str                 # "Britain"; for a neutral marker its name
    gold: int = 0                   # bonus
    points: int = 0


class Loss(Seen):
    """A unit that a fight cost, or would have."""

    power: str
    name: str
    unit: Literal["army", "navy", "fort"]
    fate: Literal["lost", "home", "kept"]       # "home" and "kept": Fighting Withdrawal


class Battle(Seen):
    """One attack or raid, as far as it has come."""

    attacker: Side
    defender: Side
    sender: str                     # name of the power that sent Pirates or a Slave Revolt, else ""
    surprise: bool                  # Surprise Attack: the defender calls nobody
    war_office: bool
    declined: str                   # name of the side that declined to fight at sea, else ""
    support: str                    # name of the side with naval support, else ""
    fights: tuple[Fight, ...]
    exchanges: tuple[Exchange, ...]
    losses: tuple[Loss, ...]
    over: bool


class Closeup(Seen):
    """One area, with the last attack there since the reader's last look, if there was one."""

    title: str                      # of the game
    moment: Moment
    area: AreaView
    before: AreaView | None         # as the reader knew it
    powers: tuple[Power, ...]       # in the game
    battle: Battle | None
    more: int                       # further attacks there since the reader's last look
    people: People = ()


# --- victory points -------------------------------------------------------------------------------------

class Stop(Seen):
    """One place on the time axis: the end of a round, or of a war with its scoring."""

    war: int
    round: int                      # 0: the end of the war
    last: bool = False              # the end of the game, after the penalties


class Line(Seen):
    """The victory points of a power at every stop."""

    power: str
    name: str
    points: tuple[int, ...]


class Progress(Seen):
    """Victory points over time; the first stop is the start of the game (war 0)."""

    title: str
    stops: tuple[Stop, ...]
    lines: tuple[Line, ...]         # most points now first
    people: People = ()


class Gain(Seen):
    """What an area would bring a power."""

    power: str
    markers: int
    points: int                     # 0 without a place


class AreaForecast(Seen):
    area: str
    name: str
    values: tuple[int, ...]
    gains: tuple[Gain, ...]         # most markers first; only powers with markers there


class Total(Seen):
    """A power's victory points now, what the end of the war would add, and the sum."""

    power: str
    name: str
    now: int
    gain: int
    then: int
    npp: bool = False               # for information (SOE-19.3.4)


class Forecast(Seen):
    """Victory points if the war ended now."""

    title: str
    moment: Moment
    areas: tuple[AreaForecast, ...]
    totals: tuple[Total, ...]       # most points then first
    people: People = ()


Step: TypeAlias = Literal["points", "unrest", "collapse", "penalties", "ranking"]
"""How far the final reckoning has come: what is uncovered at last, one after the other."""


class Reckoned(Seen):
    """The final reckoning of one power, as far as it has come."""

    power: str
    name: str
    before: int                     # victory points when unrest was revealed
    unrest: int | None              # None: not revealed yet
    collapsed: bool
    penalty: int | None             # victory points lost; None: not reckoned yet
    points: int
    place: int                      # 0 before the final ranking
    winner: bool


class Reveal(Seen):
    """The end of the game: unrest is revealed, then collapse, penalties and the final ranking (SOE-18)."""

    title: str
    step: Step = "ranking"
    collapse: int                   # unrest at which a power collapses
    most: int                       # unrest that any power has at the end: so long is the measure
    penalties: tuple[int, ...]      # victory points lost for most unrest, second most, ...
    rows: tuple[Reckoned, ...]      # best first
    npps: tuple[tuple[str, int], ...] = ()      # names of non-player powers and their points, for information (SOE-19.3.4)
    people: People = ()


class Reckoning(Seen):
    """The final reckoning step by step."""

    frames: tuple[Reveal, ...]      # the last one is the whole


# --- auction and stock ----------------------------------------------------------------------------------

class Bid(Seen):
    bidder: str
    name: str
    gold: int
    a: str                          # power proposed for row A, or ""
    b: str


class Bidder(Seen):
    """A power in the auction under way."""

    power: str
    name: str
    gold: int | None                # None: it is secret
    state: Literal["to bid", "in", "passed"]


class Auction(Seen):
    """The auction of alliances: rows as they stand, the standing proposal, and the bids that led to it."""

    title: str
    war: int
    number: int                     # which auction of this war, from 1
    row_a: tuple[str, ...]
    row_b: tuple[str, ...]
    standing: AuctionView
    bids: tuple[Bid, ...]           # of this auction, oldest first
    bidders: tuple[Bidder, ...]     # in bidding order
    rows: tuple[RowName, RowName] = ROWS
    npps: tuple[Power, ...] = ()    # non-player powers
    people: People = ()


class Owner(Seen):
    power: str
    number: int
    used: int                       # of these, used up for this war


class Item(Seen):
    """One kind of tile."""

    tile: str
    name: str
    kind: str                       # as in StockView
    left: int
    of: int
    gold: int
    population: int
    unrest: int
    owners: tuple[Owner, ...]
    effect: str = ""                # what it does, in a few words; "" if the name says it all


class LocalPlace(Seen):
    """A place for a local alliance marker, and where it helps."""

    areas: tuple[str, ...]          # names of areas where it helps
    here: LocalAlliance             # as each of these areas shows it


class Stock(Seen):
    """All tiles, their prices, and who has them; and the open display, if the game has one."""

    title: str
    moment: Moment
    items: tuple[Item, ...]         # by kind, then in the order of the data
    powers: tuple[Power, ...]
    local: tuple[LocalPlace, ...] = ()
    tokens: tuple[TokenView, ...] = ()
    display: tuple[tuple[str, int], ...] = ()   # name of an area to its neutral markers that are out of the game


# --- recap ------------------------------------------------------------------------------------------------

class Film(Seen):
    """Boards one after the other, each marked with what changed since the one before."""

    frames: tuple[Board, ...]       # at least one
