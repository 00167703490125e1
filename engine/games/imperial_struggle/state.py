"""Everything true at the table, secrets too. Only events change it.

The players are called by their sides, "britain" and "france". A list of cards or tiles that is drawn from has no order that means
anything: each draw is a roll among what is left, so nothing lies hidden that chance has decided (IS-17.7, 17.8).
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pydantic import Field

from engine.games.imperial_struggle.components import ERAS, USA, Era, Points, Side
from engine.games.imperial_struggle.components.board import Space
from engine.games.imperial_struggle.components.cards import Ability, Ministry
from engine.games.imperial_struggle.components.parts import Parts
from engine.games.imperial_struggle.components.turns import TrackStep
from engine.games.imperial_struggle.components.wars import Theater, War
from engine.games.imperial_struggle.options import Options
from engine.kernel import Seat
from engine.kernel.model import later
from engine.kernel.state import Stateful

RULES_VERSION = 2       # 1: an upgrade names its war, a step of the track the counter; 2: grants outlast their action (IS-5.6.8)
TOP = 30                # of the counter: what France lacks to it is Britain's
TURN_6 = "T6"
JACOBITES = "M-4"       # the ministry that can leave the game, or be a third one [IS-14.9.2, 14.9.4]
ActionName: TypeAlias = Literal["", "major", "minor", "upgrade", "event_EP", "event_DP", "event_MP"]


@dataclass(frozen=True, slots=True)
class Minister:
    """A ministry in front of its side; its face is secret while it lies face down (IS-17.2)."""

    card: str                               # "M-1"
    up: bool = False
    third: bool = False                     # in the third place of IS-14.9.4


def by_number(ministers: Iterable[Minister]) -> list[Minister]:
    """As they lie in front of a side, the third place last: their order tells nothing of when each was chosen (IS-17.2)."""
    return sorted(ministers, key=lambda minister: (minister.third, int(minister.card.removeprefix("M-"))))


class SideState(Stateful):
    """What belongs to one side."""

    debt: int = 0
    limit: int = 0
    trp: int = 0
    hand: list[str] = []                    # events; secret (IS-17.1)
    ministries: list[Minister] = []
    exhausted: list[str] = []               # abilities used up in this turn: "M-1.1" (IS-12.5)
    free_debt: int = 0                      # debt of this turn taken as EP, of which the first two may be free (M-17)
    basic_pool: list[str] = []              # basic war tiles that stand nowhere; secret
    bonus_pool: list[str] = []              # bonus tiles of the next war that stand nowhere; secret
    tiles: list[list[str]] = []             # theater by theater of the next war: the tiles that stand there; secret (IS-17.3)
    drawn: list[str] = []                   # war tiles drawn that are still to be placed; secret (IS-17.4, 17.5)
    unbuilt: int = 0                        # squadrons (IS-2.8.5)
    navy_box: int = 0
    away: int = 0                           # on the turn track
    gone: int = 0                           # out of the game
    carry_over: int = 0                     # bonus tiles to be drawn when the first round of T4 begins (IS-14.10.3)
    refusals: int = 0                       # in the war under way (IS-14.8.8)

    @property
    def available(self) -> int:
        """Available debt [IS-9.1, 9.4]."""
        return max(0, self.limit - self.debt)

    @property
    def up(self) -> list[str]:
        """The cards that lie face up."""
        return [minister.card for minister in self.ministries if minister.up]


class Limit(Stateful):
    """For what the points of a grant are good (`only_for` in the data); empty fields say nothing (IS-5.6.3)."""

    action: Literal["", "flag", "unflag", "shift"] = ""
    types: list[str] = []
    region: str = ""
    countries: list[str] = []
    adjacent_to_market_of: str = ""
    uses: list[str] = []                    # of attached points: "buy_bonus_tile", "deploy_squadron", ...


class Pool(Stateful):
    """Action points of one kind and source (IS-5.6)."""

    id: str                                 # "major", "minor", "ev_11.1", "M-15.1", "exchange"
    kind: Points
    points: int                             # left
    start: int = 0                          # as they came; a grant of 0 opens nothing (IS-5.6.9)
    source: Literal["tile", "grant", "attached", "exchange"]
    action: ActionName = ""                 # of the tile's points, and of attached ones: the action with which they go
    limit: Limit | None = None


class Modifier(Stateful):
    """A change of prices that holds until the action round ends, or for so many purchases."""

    source: str                             # "ev_17", "M-16.1": it is named in the price
    action: Literal["flag", "unflag", "shift", "construct_squadron"]
    amount: int
    kind: Points
    countries: list[str] = []
    spaces: list[str] = []
    flag: str = ""                          # the flag that must be there
    uses: int = 0                           # purchases left; 0: no limit
    rule: str = "IS-13.6"


class RoundState(Stateful):
    """One action round (chapter 5)."""

    side: Side
    stage: Literal["before", "tile", "actions", "over"] = "before"      # "tile": it is taken, and nothing of it is used yet
    tile: str = ""
    event: str = ""                         # played
    bonus: bool = False                     # its bonus was received
    event_over: bool = False                # no event can be played any more (IS-5.5.1, 11.4)
    held: list[str] = []                    # controlled without a break since the round began (IS-6.2.4)
    isolated: list[str] = []                # flagged markets, as frozen when the round began (IS-2.7.1)
    trade: dict[Side, int] = {}             # Furs and Fish markets of both sides when it began (M-24)
    pools: list[Pool] = []
    first: str = ""                         # the pool from which is paid first, if the player wants so (IS-R-04)
    open: ActionName = ""
    closed: list[ActionName] = []
    regions: dict[Points, list[str]] = {}   # in which points of a kind were spent (IS-5.8)
    exchanged: Literal["", "EP", "DP"] = ""             # bought with MP on T6 (IS-8.7)
    deployed: list[str] = []                # naval spaces where squadrons stand that have deployed in this round
    tiles_bought: int = 0                   # IS-8.1.1
    used: list[str] = []                    # advantages, those by events too (IS-11.5, 11.11)
    gained: list[str] = []                  # advantages that came in this round (IS-11.4)
    modifiers: list[Modifier] = []
    abilities: list[str] = []               # of ministries, in force or used in this round: "M-4.1", "M-16.1"
    debt_taken: int = 0                     # as action points in this round (M-23)
    owed: str = ""                          # an advantage whose purchase must come first (IS-11.12)
    lent: str = ""                          # an advantage used through an event, which exhausts nothing (IS-11.11)
    raised: list[str] = []                  # actions with their point of M-24 or M-26: "M-24 major" (IS-5.6.11)
    upgrade: bool = False                   # made, or on T6 its treaty point taken
    bound: str = ""                         # the region in which the major action must stay (M-22)

    def pool(self, id: str) -> Pool:
        return next(pool for pool in self.pools if pool.id == id)


class Choice(Stateful):
    """A choice of one id that is open (IS-13.16, 18.10): what `Choose` lists."""

    side: Side
    targets: list[str]
    optional: bool = False                  # none may be chosen
    secret: bool = False                    # the targets tell what only this side may know
    what: str = ""                          # the key of its sentence: "conflict", "unflag", "theater"
    source: str = ""                        # the card, tile or theater for which it is made


class Shown(Stateful):
    """The tiles turned up in a theater (IS-14.3)."""

    britain: list[str] = []
    france: list[str] = []


@dataclass(frozen=True, slots=True)
class StrengthLine:
    """What one kind of thing adds to the strength of a side in a theater (IS-14.3, 14.5)."""

    source: str                             # "tiles", a country, a keyword, "squadrons", "forts", "conflict_markers", "byng" ...
    amount: int
    of: tuple[str, ...]                     # the tiles, spaces or ministries that count


class TheaterResult(Stateful):
    """How a theater of the war under way ended."""

    theater: int
    strength: dict[Side, int]
    lines: dict[Side, list[StrengthLine]] = {}
    winner: Side | Literal[""]
    margin: int
    highest: bool                           # the highest row of its table (IS-16.3)


class WarState(Stateful):
    """A war turn under way (chapter 14)."""

    war: str
    theater: int = 0                        # under way; 0 before the first one
    shown: Shown = Field(default_factory=Shown)
    order: list[Side] = []                  # in which icons are applied, fixed when the theater is turned up (IS-14.4.7)
    icons: dict[Side, list[str]] = {}       # tiles whose icon is still to be applied
    counted: list[str] = []                 # spaces whose conflict marker lent strength in this war (IS-14.11.2)
    lines: dict[Side, list[StrengthLine]] = {}          # of this theater, as they were counted
    winner: Side | Literal[""] = ""         # of this theater
    margin: int = 0
    cp: int = 0                             # conquest points left
    unflag: int = 0                         # flags left to be taken off by the spoils
    losses: int = 0                         # squadrons that the loser has still to give up (IS-14.7.5)
    closed: list[str] = []                  # territories refused in this war
    landed: list[str] = []                  # naval spaces whose squadron conquered in this war (IS-14.8.6)
    spent: dict[Side, int] = {}             # squadrons that did, and are back in the Navy Box
    vacant: list[str] = []                  # uncontrolled territories taken in this theater that Spain has left (IS-19.1)
    asked: str = ""                         # the territory that the loser may refuse
    results: list[TheaterResult] = []


class State(Stateful):
    """The table."""

    phase: str = "setup"                    # "setup", "sides", "peace", "round", "scoring", "war", "war_end", "over"
    parts: Parts = Field(default=None, exclude=True)        # type: ignore[assignment]  # given by `bind` after loading
    options: Options
    seats: list[str]
    sides: list[Side]                       # of each seat
    step: int = 0                           # index in the turn track
    ar: int = 0                             # action rounds begun in this turn
    vp: int = 15
    own: dict[Side, SideState] = {}
    flags: dict[str, str] = {}              # space -> "britain", "france", "spain", "usa"; on naval spaces it is a squadron
    conflict: dict[str, int] = {}           # space -> MP that the marker there costs more to remove, 0 or 1 (IS-2.6)
    damaged: list[str] = []                 # forts
    huguenots: dict[str, Literal["fresh", "flipped"]] = {}      # by territory (M-9)
    huguenots_left: int = 2                 # markers not placed yet
    holders: dict[str, Side] = {}           # advantage -> who holds it
    exhausted: list[str] = []               # advantages
    demand: list[str] = []                  # goods, in table order
    awards: dict[str, str] = {}             # region -> the award tile turned up in this turn
    award_pool: list[str] = []              # tiles that may still be turned up in this era
    deck: list[str] = []                    # events to be drawn; secret
    discards: list[str] = []
    played: list[str] = []                  # out of the game
    stack: list[str] = []                   # investment tiles to be turned up
    used_tiles: list[str] = []
    available: list[str] = []               # investment tiles that can be taken
    taken: dict[str, Side] = {}             # tile -> who took it in this turn, in this order
    initiative: Side = "france"
    first: Side = "france"                  # who takes, or took last, the first action round
    round: RoundState | None = None
    war: WarState | None = None
    choice: Choice | None = None
    jacobite_victories: int = 0
    jacobite_defeat: bool = False
    third_ministry: bool = False            # France may hold M-4 in addition (IS-14.9.4)
    townshend: str = ""                     # the good with the marker of M-21
    byng: int = 0                           # the theater of the next war where Byng lies
    atlantic_dominance: Side | Literal[""] = ""
    won_awards: dict[str, Side] = {}        # region -> who won it in the last scoring phase (IS-16.2)
    won_goods: dict[str, Side] = {}
    bid: int = 0                            # the highest bid for the side of one's wish (IS-19.4)
    bidder: str = ""                        # the seat that made it
    wish: Side | Literal[""] = ""           # for this side
    winner: Side | Literal[""] = ""         # when the game is over
    rules_version: int = later(default=0)          # with which the game began
    ended_by: Literal["", "points", "sweep", "war_sweep", "final_scoring", "tie_break", "first_war", "resignation"] = ""

    # -- seats and sides

    def seat(self, side: Side) -> Seat:
        return Seat(self.seats[self.sides.index(side)])

    def power(self, seat: Seat) -> Side:
        return self.sides[self.seats.index(seat)]

    def toward(self, side: Side, vp: int) -> int:
        """By how much the counter moves if a side scores so many points [IS-1.1]."""
        return vp if side == "france" else -vp

    # -- the turn

    @property
    def here(self) -> TrackStep:
        return self.parts.turn_track[self.step]

    @property
    def turn(self) -> str:
        """"T1" or "WSS"."""
        return self.here.id

    @property
    def era(self) -> Era:
        return self.here.era

    @property
    def first_of_era(self) -> bool:
        """True if this is the first peace turn of an era [IS-4.3]."""
        return self.step in self.parts.opening_eras

    @property
    def next_war(self) -> War | None:
        """The first war that has not been fought yet [IS-1.6]."""
        return self.parts.next_war[self.step]

    @property
    def active(self) -> Side | None:
        return self.round.side if self.round is not None else None

    @property
    def current(self) -> RoundState:
        """The action round under way."""
        assert self.round is not None, "no action round is under way"
        return self.round

    @property
    def fought(self) -> WarState:
        assert self.war is not None, "no war is under way"
        return self.war

    @property
    def theater(self) -> Theater:
        return self.parts.war[self.fought.war].theater(self.fought.theater)

    # -- the board

    def space(self, id: str) -> Space:
        return self.parts.space[id]

    def controls(self, side: str, space: str) -> bool:
        """True if a flag or squadron of this side is there [IS-2.4.1]."""
        return self.flags.get(space) == side

    def works(self, side: str, space: str) -> bool:
        """True if a side controls a space that bears no conflict marker [IS-2.6.2, 13.14]."""
        return self.flags.get(space) == side and space not in self.conflict

    @property
    def open_spaces(self) -> frozenset[str]:
        """The spaces that are available [IS-2.3]."""
        free = self.turn == TURN_6 and USA in self.flags.values()
        return self.parts.open_spaces[self.era, free]

    def is_open(self, space: str) -> bool:
        """True if a space is available [IS-2.3]."""
        return self.parts.space[space].available_from == ERAS[0] or space in self.open_spaces

    def spaces_of(self, side: str, among: Iterable[str] | None = None) -> list[str]:
        """The spaces that a side controls, in the order of the data."""
        flags = self.flags
        if among is None:
            return sorted([id for id, owner in flags.items() if owner == side], key=self.parts.rank.__getitem__)
        return [id for id in among if flags.get(id) == side]

    def working(self, side: str, among: Iterable[str]) -> int:
        """How many of these spaces a side controls without a conflict marker."""
        conflict = self.conflict
        if conflict:
            among = [id for id in among if id not in conflict]
        return [*map(self.flags.get, among)].count(side)

    def each_working(self, among: Iterable[str]) -> dict[Side, int]:
        """How many of these spaces each side controls without a conflict marker."""
        conflict = self.conflict
        if conflict:
            among = [id for id in among if id not in conflict]
        owners = [*map(self.flags.get, among)]
        return {"britain": owners.count("britain"), "france": owners.count("france")}

    def squadrons(self, side: Side, regions: Iterable[str] | None = None) -> list[str]:
        flags = self.flags
        found = [id for id in self.parts.of_type["naval"] if flags.get(id) == side]
        if regions is None:
            return found
        wanted, lies = set(regions), self.parts.region_of
        return [id for id in found if lies[id] in wanted]

    def built(self, side: Side) -> int:
        """Squadrons in the Navy Box or on the map [IS-2.8.6]."""
        return self.own[side].navy_box + len(self.squadrons(side))

    # -- ministries, advantages, war tiles

    def has_up(self, side: Side, card: str) -> bool:
        return card in self.own[side].up

    def shows(self, side: Side, keyword: str) -> int:
        """How many face-up ministries of a side supply a keyword [IS-12.8, R-36]."""
        return sum(keyword in self.parts.ministry[card].keywords for card in self.own[side].up)

    def in_force(self, side: Side, op: str) -> Sequence[tuple[Ministry, Ability]]:
        """The abilities with this effect on the face-up ministries of a side, exhausted ones too."""
        cards = self.parts.abilities_by_op.get(op, {})
        return [pair for minister in self.own[side].ministries if minister.up and minister.card in cards
                for pair in cards[minister.card]]

    def fresh(self, side: Side, ability: str) -> bool:
        return ability.rpartition(".")[0] in self.own[side].up and ability not in self.own[side].exhausted

    def held_advantages(self, side: Side) -> list[str]:
        return sorted([id for id, holder in self.holders.items() if holder == side], key=self.parts.advantage_rank.__getitem__)

    def bonus_tiles(self, side: Side, theater: int) -> list[str]:
        """The bonus tiles of a side in a theater of the next war; Byng and Atlantic Dominance are none [IS-8.1.3]."""
        bonus = self.parts.bonus
        return [tile for tile in self.own[side].tiles[theater - 1] if tile in bonus]

    def markers(self, region: str) -> list[str]:
        return [id for id in self.parts.by_region[region] if id in self.conflict]
