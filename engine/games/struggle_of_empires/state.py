"""Everything true at the table, secrets too, and the questions it answers. Only events change it."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from pydantic import Field

from engine.counters import places
from engine.games.struggle_of_empires.battle_state import Battle, Sent
from engine.games.struggle_of_empires.components import PIRATES, REVOLT, Cost, Neutral, Parts, Place, Tile
from engine.games.struggle_of_empires.options import Options
from engine.kernel import Seat
from engine.kernel.model import later
from engine.kernel.state import Stateful

WARS = 3                    # SOE-4.1.1
ACTIONS = 2                 # actions of a turn, SOE-6.2.1
BANKING_TAX = 3             # gold for one unrest with Banking, SOE-3.2.8
NAVIGATION = 2              # added to the second die of a crossing, SOE-12.11.1
RULES_VERSION = 4           # of new games; 3: before an auction told what a row is; 2: before the allies were told;
                            # 1: before 12.3.4, 12.20.8 spared whom no tile helps; 0: before 9.4.3, 12.18.9, 18.3.6
TOKENS = {PIRATES: 1, REVOLT: 3}            # strength where the data give none, SOE-14.2.4, 14.3.2


@lru_cache(maxsize=1024)
def pairs(free: tuple[str, ...], players: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The pairs that may be proposed of those without a place, some of whom somebody plays (SOE-5.3.1 to 5.3.7)."""
    if len(free) == 1:
        return ((free[0], ""), ("", free[0]))
    if len(players) == 1:                   # a non-player power fills the place that no player can
        return tuple((a, b) for a in free for b in free if a != b and players[0] in (a, b))
    able = players or free
    return tuple((a, b) for a in able for b in able if a != b)


class Standing(Stateful):
    """The standing bid of an auction; a is proposed for row A, b for row B; one of them may be ""."""

    bidder: str
    gold: int
    a: str
    b: str

    @property
    def proposal(self) -> str:
        return f"{self.a} {self.b}"


class Captive(Stateful):
    area: str
    power: str


class TurnState(Stateful):
    """What one turn has used up."""

    actions: int = ACTIONS
    tile: bool = False                      # a tile was taken (SOE-6.2.2)
    settled: bool = False                   # colonised or enslaved (SOE-6.2.3)
    given_back: list[str] = Field(default_factory=list)     # tactics tiles used in this turn (SOE-11.2.5)
    moves: int = 0                          # units that the move action under way may still move
    moved: dict[str, int] = Field(default_factory=dict)     # "army india" -> units there that moved in it, and may not again
    extra: int = 0                          # extra units that Militia still allows in the build action under way
    sending: str = ""                       # the unit that stands at home, or in `sending_from`, and may make its move now
    sending_from: str = ""
    natives: bool = False                   # a rebuilt army waits for a colony (SOE-12.7.6)
    special: bool = later(default=False)         # a special action was done (SOE-6.3.2)
    failed: str = later(default="")              # the face of a crossing that gold may mend now (SOE-8.4)
    attacked: bool = later(default=False)        # an attack or a raid was made (SOE-15.1.5)


class State(Stateful):
    """The table. Places are ids of areas, or of a power for its home; counts are kept in dictionaries."""

    phase: str = "setup"
    parts: Parts = Field(default=None, exclude=True)        # type: ignore[assignment]  # given by `bind` after loading
    options: Options
    seats: list[str]                                        # in seat order
    powers: list[str] = []                                  # the power of each seat; "" before it is chosen
    first: int = 0                                          # index of the first player
    war: int = 1
    round: int = 0
    place: int = 0                                          # index in the turn order of the player whose turn it is
    order: list[str] = []
    row_a: list[str] = []
    row_b: list[str] = []
    opener: int = 0                                         # index of the seat that opens the auction
    standing: Standing | None = None
    accepted: dict[str, str] = {}                           # power -> the proposal at its last pass in this auction
    bag: list[str] = []                                     # neutral markers, in the order of the data
    neutrals: dict[str, list[str]] = {}                     # area -> neutral markers
    markers: dict[str, dict[str, int]] = {}                 # power -> area -> control markers
    units: dict[str, dict[str, dict[str, int]]] = {}        # power -> kind -> place -> units
    gold: dict[str, int] = {}
    population: dict[str, int] = {}
    points: dict[str, int] = {}
    unrest: dict[str, int] = {}                             # secret (SOE-3.3.5)
    tiles: dict[str, dict[str, int]] = {}                   # power -> tile -> copies
    used: dict[str, dict[str, int]] = {}                    # power -> tile -> copies used up for this war
    stock: dict[str, int] = {}
    blockades: dict[str, list[str]] = {}                    # area -> powers with a Blockade there
    captives: dict[str, Captive] = {}                       # "pirates" or "slave_revolt" -> its captive
    turn: TurnState = Field(default_factory=TurnState)
    battle: Battle | None = None
    battles: int = 0                                        # attacks and raids so far, the present one included
    ranking: list[str] = []                                 # when the game is over; winners first
    winners: list[str] = []
    penalties: dict[str, int] = {}
    collapsed: list[str] = []
    npps: list[str] = later(default=[])                  # non-player powers, in the order of the data (chapter 19)
    npp_points: dict[str, int] = later(default={})       # for information (SOE-19.3.4)
    local_alliances: dict[str, str] = later(default={})  # place -> the power whose marker it holds (SOE-13.2)
    tried: dict[str, list[str]] = later(default={})      # power -> tokens that failed it this round (SOE-14.2.10)
    display: list[str] = later(default=[])               # neutral markers that are out of the game (SOE-1.2.6)
    forts_back: dict[str, int] = later(default={})       # power -> forts at home, turned back (SOE-7.2.3)
    first_draw: dict[str, list[str]] = later(default={})         # power -> what it may still put back (SOE-2.1.9)
    unrest_bag: dict[str, int] = later(default={})       # secret: markers of each kind still in it (SOE-3.3.7)
    bag_key: str = later(default="")                     # secret: what the markers are drawn by
    drawn: int = later(default=0)                        # secret: how many were drawn by this key
    rules_version: int = later(default=0)                # of the rulings with which the game began

    def discard(self, *markers: str) -> None:
        """Neutral markers leave the game for good: into the box, where nobody counts them, or the display (SOE-1.2.6)."""
        if self.options.neutrals.discard_to == "display":
            self.display += markers

    # -- seats and powers

    def seat(self, power: str) -> Seat:
        return Seat(self.seats[self.powers.index(power)])

    def power(self, seat: Seat) -> str:
        """The power of a seat, or "" before it is chosen."""
        index = self.seats.index(seat)
        return self.powers[index] if index < len(self.powers) else ""

    def in_seat_order(self, start: int) -> list[str]:
        """All powers, beginning with the seat of this index."""
        return self.powers[start:] + self.powers[:start]

    def others_from(self, power: str) -> list[str]:
        """The other powers in seat order, beginning to the left of this one."""
        return self.in_seat_order(self.powers.index(power))[1:]

    @property
    def active(self) -> str:
        """The power whose turn it is, or ""."""
        return self.order[self.place] if self.phase == "turn" and self.order else ""

    @property
    def rounds(self) -> int:
        """Rounds of a war (SOE-6.1.1)."""
        return self.parts.set_up(len(self.seats)).rounds_per_war

    @property
    def ranked_npps(self) -> list[str]:
        """The non-player powers that take part in the ranking of areas: in games where they have markers (SOE-19.3.1)."""
        return self.npps if self.parts.set_up(len(self.seats)).npp_control_markers_each else []

    def places(self) -> dict[str, int]:
        """The places of the final ranking; equals share one, and where nobody wins nobody has the first (SOE-18.3)."""
        return places(self.ranking, lambda power: (power in self.collapsed, self.points[power], self.unrest[power]),
                      first=1 if self.winners else 2)

    # -- alliances

    def unplaced(self) -> list[str]:
        """Powers in no row yet, in seat order; non-player powers come last, in the order of the data (SOE-5.1.9)."""
        placed = self.row_a + self.row_b
        return [power for power in self.powers + self.npps if power not in placed]

    def proposals(self) -> tuple[tuple[str, str], ...]:
        """The pairs that may be proposed now, for row A and for row B; "" is nobody (SOE-5.3.1 to 5.3.7)."""
        return pairs(*self.proposable())

    def proposable(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """All powers without a place, and those of them that somebody plays."""
        free = tuple(self.unplaced())
        return free, tuple([power for power in free if power in self.powers]) if self.npps else free

    def row(self, power: str) -> list[str]:
        return self.row_a if power in self.row_a else self.row_b if power in self.row_b else []

    def allies(self, power: str) -> list[str]:
        """The other powers of the same grand alliance (SOE-5.4.3)."""
        return [other for other in self.row(power) if other != power]

    def enemies(self, power: str) -> list[str]:
        return self.row_b if power in self.row_a else self.row_a if power in self.row_b else []

    # -- counts

    def count(self, power: str, kind: str, place: str) -> int:
        return self.units[power][kind].get(place, 0)

    def supply(self, power: str, kind: str) -> int:
        """Units of this kind off the map."""
        return self.parts.limit[kind] - sum(self.units[power][kind].values())

    def markers_on_map(self, power: str) -> int:
        """Control markers on the map, captives included (SOE-1.1.14)."""
        return sum(self.markers[power].values()) + sum(captive.power == power for captive in self.captives.values())

    def marker_supply(self, power: str) -> int:
        """Control markers that can still enter the map (SOE-1.1.6, 1.1.11)."""
        most = min(self.options.markers.map_limit, self.parts.units_per_player.control_marker)
        return most - self.markers_on_map(power)

    def owned(self, power: str, tile: str) -> int:
        return self.tiles[power].get(tile, 0)

    def ready(self, power: str, tile: str) -> int:
        return self.tiles[power].get(tile, 0) - self.used[power].get(tile, 0)

    def with_effect(self, power: str, effect: str) -> int:
        return self.owned(power, self.parts.by_effect.get(effect, ""))

    def in_play(self, tile: Tile) -> bool:
        """True if a tile of the box belongs to this game: alliances and Pirates can be markers and tokens instead.

        Rule: SOE-13.1.1, 13.2.1, 14.1.1, 14.1.2
        """
        if tile.kind == "alliance":
            return self.options.alliance.mode == "tiles"
        return tile.id not in TOKENS or self.options.covert.mode == "tiles"

    def face(self, area: str, face: str) -> Neutral | None:
        """A neutral marker of the area with this face; equal ones are interchangeable."""
        for marker in self.neutrals[area]:
            if (neutral := self.parts.neutral[marker]).face == face:
                return neutral
        return None

    def token_in(self, area: str) -> Iterator[str]:
        """Pirates or a Slave Revolt with a captive in this area."""
        return (token for token, captive in self.captives.items() if captive.area == area)

    def token_strength(self, token: str) -> int:
        """The strength of Pirates or a revolt (SOE-14.2.4, 14.3.2, 14.4.2)."""
        return next((known.strength for known in self.parts.covert_tokens if known.id == token), TOKENS[token])

    def beaten_at_sea(self, target: str) -> bool:
        """True if this is a captive that is freed by a fight at sea (SOE-14.4.3, 14.4.4)."""
        return target == PIRATES and self.options.covert.pirates_beaten_by == "sea"

    # -- alliances with minor states

    def alliance(self, id: str) -> Tile | Place:
        return self.parts.local_alliance.get(id) or self.parts.tile[id]

    def cost_of(self, id: str) -> Cost:
        """Return what a tile or a local alliance costs (SOE-11.1.2, 13.1.2, 13.2.3).

        A game may ask of alliances the prices of the other edition: those of the same minor state.
        """
        return (self.parts.printed_costs if self.options.alliance.cost == "printed" else self.parts.other_costs)[id]

    def alliances_of(self, power: str) -> list[Tile | Place]:
        """The alliances of a power, one entry for each copy of a tile and for each marker, in the order of the data."""
        tiles = [tile for tile in self.parts.alliances for _ in range(self.tiles[power].get(tile.id, 0))]
        return [*tiles, *(place for place in self.parts.local_alliances if self.local_alliances.get(place.id) == power)]

    # -- money

    def tax(self, power: str) -> int:
        """Gold that one taxation brings (SOE-3.2.2, 3.2.8)."""
        return BANKING_TAX if self.with_effect(power, "tax_three") else self.parts.numbers.tax_gold_per_unrest

    def taxations(self, power: str, debt: int) -> int:
        """How often a power must tax to pay a debt now (SOE-3.2.3)."""
        return -(-max(0, debt - self.gold[power]) // self.tax(power))

    # -- the fight

    def sea_of(self, area: str) -> str:
        """The sea area of an attack on a power in this area, or "" (SOE-9.5.1 to 9.5.4)."""
        sea = self.parts.area[area].naval_support_from or ""
        return sea if sea == area or self.options.naval.ottoman_uses_mediterranean else ""

    def is_power(self, side: str) -> bool:
        """True if a player fights; neutral markers, tokens and markers of non-player powers have no units, tiles or questions."""
        return side in self.powers

    @property
    def marker_defence(self) -> int:
        """The strength of a control marker of a non-player power (SOE-19.2.4, 19.2.8)."""
        return self.parts.set_up(len(self.seats)).npp_control_marker_defence or 0

    def navies(self, side: str, area: str) -> int:
        return self.units[side]["navy"].get(area, 0) if side in self.units else 0

    def helpers(self, side: str) -> list[tuple[str, Sent]]:
        """Who helps this side, with what is still there, in the order of the turn order; non-player powers last."""
        assert self.battle is not None, "no battle is fought"
        sent = self.battle.sent
        return [(power, sent[power]) for power in (*self.order, *self.npps) if power in sent and sent[power].principal == side]

    def committed(self, side: str, kind: str) -> int:
        return sum(sent.army if kind == "army" else sent.navy for _, sent in self.helpers(side))

    def expendable(self, side: str, kind: str) -> dict[str, int]:
        """Return what helpers of a side can still lose of this kind; non-player powers lose nothing (SOE-9.10.3, 19.2.3)."""
        there = {power: sent.army if kind == "army" else sent.navy for power, sent in self.helpers(side)}
        return {power: number for power, number in there.items() if number and power not in self.npps}

    def can_fight_at_sea(self, side: str) -> bool:
        """True if a side has the navies that it needs in the naval stage (SOE-9.5.5, 9.5.6)."""
        assert self.battle is not None, "no battle is fought"
        return self.navies(side, self.battle.sea) + self.committed(side, "navy") > 0       # `may_send` asks for an own navy

    def may_fight_at_sea(self, side: str, called: Iterable[str]) -> bool:
        """True if a side could fight in a naval stage, with what those whom it calls may send (SOE-9.5.5, 9.5.6)."""
        battle = self.battle
        assert battle is not None, "no battle is fought"
        return bool(battle.sea) and self.is_power(battle.defender) and (
            self.can_fight_at_sea(side) or any(self.may_send(ally, side, "navy") for ally in called))

    def fighters(self, side: str, stage: str) -> int:
        """Own and committed units of a side, as strength (SOE-9.6.1 to 9.6.4)."""
        battle = self.battle
        assert battle is not None, "no battle is fought"
        if side in self.npps:
            return self.marker_defence
        if not self.is_power(side):
            return battle.strength
        if stage == "sea":
            return self.count(side, "navy", battle.sea) + self.committed(side, "navy")
        forts = self.count(side, "fort", battle.area) if side == battle.defender else 0
        return self.count(side, "army", battle.area) + self.committed(side, "army") + self.parts.numbers.fort_defence * forts

    def training(self, side: str, stage: str) -> int:
        """1 if this side has the bonus of Army or Naval Training (SOE-12.1, 12.2)."""
        battle = self.battle
        assert battle is not None, "no battle is fought"
        if not self.is_power(side):
            return 0
        effect = "training_sea" if stage == "sea" else "training_land"
        foe = battle.defender if side == battle.attacker else battle.attacker
        theirs = self.with_effect(foe, effect) if self.is_power(foe) else 0
        if self.with_effect(side, effect) <= theirs:
            return 0
        if stage == "sea":
            return int(self.count(side, "navy", battle.sea) > 0)
        walls = side == battle.defender and self.options.training.land_unit == "army_or_fort"      # SOE-12.1.3, 12.1.4
        forts = self.count(side, "fort", battle.area) if walls else 0
        return int(self.count(side, "army", battle.area) + forts > 0)

    def alliances_for(self, side: str, stage: str) -> list[str]:
        """The alliances of a side that can help in this stage, one entry for each copy (SOE-13.1.3, 13.1.4, 13.2.6, 13.3.10)."""
        battle = self.battle
        if battle is None or not self.is_power(side):
            return []
        places = {battle.area, battle.sea} if stage == "sea" else {battle.area}
        return [held.id for held in self.alliances_of(side)
                if not places.isdisjoint(held.areas) and (held.helps_at_sea if stage == "sea" else held.helps_on_land)]

    def two_way_alliances(self, side: str) -> list[str]:
        """Those that can help in either fight of this attack, so that their owner says in which (SOE-13.3.2, 13.3.11)."""
        assert self.battle is not None, "no battle is fought"
        on_land = [] if self.battle.naval_only or self.battle.raid else self.alliances_for(side, "land")
        return [held for held in self.alliances_for(side, "sea") if held in on_land]

    def alliance_bonus(self, side: str, stage: str) -> int:
        """Return what alliances add in this stage: those used at sea there, the others on land (SOE-13.3.1, 13.3.2)."""
        battle = self.battle
        assert battle is not None, "no battle is fought"
        if stage == "sea":
            helping = battle.at_sea.get(side, [])
        else:
            spent = list(battle.at_sea.get(side, ()))
            helping = []
            for held in self.alliances_for(side, "land"):
                if held in spent:
                    spent.remove(held)
                else:
                    helping.append(held)
        return sum(self.alliance(held).bonus for held in helping)

    def support_bonus(self, side: str, stage: str) -> int:
        """Naval support on land: 1, or 2 with Blockade (SOE-9.6.5, 12.20.9)."""
        battle = self.battle
        assert battle is not None, "no battle is fought"
        support = self.parts.numbers.naval_support
        return (2 * support if battle.blockading else support) if stage == "land" and battle.support == side else 0

    def difference(self, side: str) -> int:
        """The difference of a side's two dice (SOE-9.7.1)."""
        assert self.battle is not None, "no battle is fought"
        one, two = self.battle.dice.get(side, (0, 0))
        return abs(one - two)

    def strength(self, side: str, stage: str) -> int:
        """The whole strength of a side in a fight (SOE-9.6)."""
        return (self.fighters(side, stage) + self.training(side, stage) + self.alliance_bonus(side, stage)
                + self.support_bonus(side, stage) + self.difference(side))

    def able_helpers(self, principal: str) -> list[str]:
        """Allies who have something that could fight in this attack and change something there (SOE-9.4.3, 9.4.14)."""
        allies = self.allies(principal)
        return [ally for ally in self.order if ally in allies and self.can_help(ally, principal)]

    def can_help(self, ally: str, principal: str, *, against: Iterable[str] | None = None) -> bool:
        """True if an ally has something to send that can change anything (SOE-9.4.3).

        `against`: whom the other side has called, once it is known.
        """
        if self.may_send(ally, principal, "army"):
            return True
        return self.may_send(ally, principal, "navy") > 0 and (
            not self.rules_version or self.ships_matter(principal, against))

    def ships_matter(self, principal: str, against: Iterable[str] | None) -> bool:
        """True if more ships can change anything: they do for a side that has none, and where both sides may fight at sea."""
        battle = self.battle
        assert battle is not None, "no battle is fought"
        foe = battle.foe(principal)
        if not self.is_power(foe) or not self.can_fight_at_sea(principal) or self.can_fight_at_sea(foe):
            return True
        if against is None:
            alone = foe in battle.closed or (battle.surprise and foe == battle.defender)
            against = [] if alone else [ally for ally in self.order if ally in self.allies(foe)]
        return any(self.may_send(ally, foe, "navy") for ally in against)

    def may_send(self, ally: str, principal: str, kind: str) -> int:
        """How many armies or navies an ally could commit (SOE-9.4.4, 9.4.14)."""
        battle = self.battle
        assert battle is not None, "no battle is fought"
        if kind == "army":
            return 0 if battle.naval_only else self.count(ally, "army", battle.area)
        at_sea = battle.naval_only or (battle.sea and self.is_power(battle.defender))
        if not at_sea or (self.options.naval.own_navy_needed and not self.navies(principal, battle.sea)):
            return 0
        return self.count(ally, "navy", battle.sea)

    def only_forts(self, side: str) -> bool:
        """True if all that this side has of its own in a fight on land are forts (SOE-9.10.10)."""
        battle = self.battle
        assert battle is not None, "no battle is fought"
        return (battle.stage == "land" and side == battle.defender and not self.count(side, "army", battle.area)
                and self.count(side, "fort", battle.area) > 0)

    def nothing_moves(self, side: str) -> bool:
        """True if the units that this side would lose stay where they are (SOE-12.18.1, withdrawal.units_go)."""
        battle = self.battle
        assert battle is not None, "no battle is fought"
        return battle.withdrawn and side == battle.defender and self.options.withdrawal.units_go == "stay"

    def losses_of(self, side: str, *, own_first: bool, fort_too: bool = False) -> list[tuple[str, str]]:
        """(owner, kind) of the units from which a loss of this side is taken (SOE-9.10.3 to 9.10.11).

        In a tie a fort is lost only if `fort_too` says so.
        """
        battle = self.battle
        if battle is None or not self.is_power(side):
            return []
        kind, place = ("navy", battle.sea) if battle.stage == "sea" else ("army", battle.area)
        own = [(side, kind)] if self.count(side, kind, place) > battle.spared.get(f"{side} {kind}", 0) else []
        if (battle.stage == "land" and side == battle.defender and (battle.winner or fort_too)
                and self.count(side, "fort", battle.area) > battle.spared.get(f"{side} fort", 0)):
            own.append((side, "fort"))
            if self.options.loss.army_first:
                own = own[:1]
        helping = [(power, kind) for power in self.expendable(side, kind)]
        return (own or helping) if own_first else (helping or own)
