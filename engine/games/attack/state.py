"""Everything true at the table, secrets too, and the questions it answers. Only events change it.

Players are called by their colours ("powers"). A force is a number for each type of unit; a type that is missing has none.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from pydantic import Field

from engine.counters import add, places
from engine.games.attack.components import Parts
from engine.games.attack.options import Options
from engine.kernel import Seat
from engine.kernel.model import later
from engine.kernel.state import Stateful

Force: TypeAlias = dict[str, int]
Way: TypeAlias = Literal["land", "water"]
RULES_VERSION = 2                           # of new games; 1: equals share a place (ATK-19.4.1); 2: proposals of who is out lapse
NEUTRAL = "neutral"                         # as a side of a battle: the defenders of a territory that nobody owns
MOVEMENT, BLITZ, STRATEGIC, NAVAL, DIPLOMACY, PRODUCTION, TRADE = ACTIONS = (
    "movement", "blitz", "strategic_movement", "naval_battle", "diplomacy", "production", "trade")      # ATK-4.1.2


def size(force: Mapping[str, int]) -> int:
    return sum(force.values())


def join(force: Force, others: Mapping[str, int], sign: int = 1) -> None:
    """Add a force to another, or with -1 take it away."""
    for kind, number in others.items():
        add(force, kind, sign * number)


class Side(Stateful):
    """One side of a land battle (ATK-1.2.4)."""

    power: str                              # whose units they are; "neutral" for a territory without owner
    commander: str                          # who answers for them; "" if the engine does (ATK-8.3.4)
    reserve: Force
    fighting: Force = Field(default_factory=dict)   # in battle
    lost: Force = Field(default_factory=dict)
    first: list[str] = Field(default_factory=list)  # the types that its policy brings first; Mixed brings the rest (ATK-21.3)

    @property
    def left(self) -> Force:
        """All units that still stand."""
        force = dict(self.reserve)
        join(force, self.fighting)
        return force


class Battle(Stateful):
    """A land battle (chapter 7); all units of both sides are off the map."""

    territory: str
    attacker: Side
    defender: Side
    card: str = ""                          # the card drawn for neutral defenders; "" if none was
    round: int = 0                          # 0 until both sides have lined up
    half: Literal["", "defender", "attacker"] = ""                  # whose phases are under way
    dice: list[str] = []                    # what the last roll showed
    hits: int = 0                           # what it scored

    def side(self, power: str) -> Side:
        """The side whose units belong to this power."""
        return self.attacker if power == self.attacker.power else self.defender

    def foe(self, side: Side) -> Side:
        return self.defender if side is self.attacker else self.attacker

    @property
    def acting(self) -> Side:
        """The side whose phases are under way; while both line up, the one that has not yet."""
        if self.half:
            return self.attacker if self.half == "attacker" else self.defender
        return self.defender if self.attacker.fighting else self.attacker


class Vessel(Stateful):
    """A ship in a line."""

    ship: str
    hits: int = 0                           # that it has taken in this round
    sunk: bool = False


class NavalBattle(Stateful):
    """A naval battle (chapter 13): the lines of the round under way, position 1 first."""

    attacker: str
    defender: str                           # the controller
    round: int = 0
    lines: dict[str, list[Vessel]] = Field(default_factory=dict)
    pair: int = 0                           # pairs fought in this round
    dice: dict[str, tuple[int, int]] = Field(default_factory=dict)  # of the last pair

    def foe(self, power: str) -> str:
        return self.defender if power == self.attacker else self.attacker


class Crossing(Stateful):
    """Units of one origin and goal that wait at sea for an answer (6.2, 11.1.4)."""

    origin: str
    to: str
    units: Force
    planes: Literal["ask", "on", "back"] = "ask"        # where the planes go if it is refused (ATK-6.2.7)
    allowed: bool | None = None                         # None: not answered

    @property
    def id(self) -> str:
        return f"{self.origin}_to_{self.to}"

    @property
    def blockable(self) -> bool:
        """True if it holds any unit but planes (ATK-6.2.2)."""
        return any(unit != "plane" for unit in self.units)


class Deal(Stateful):
    """A trade offer that is open (chapter 17): kinds of cards, such as "oil_3"."""

    maker: str                              # who made the offer that is to be answered
    partner: str                            # who answers it
    give: list[str]                         # from the maker to the partner
    take: list[str]
    counter: bool = False                   # it answers an offer
    recalled: bool = False
    agreed: bool = False                    # both have agreed; the controller is asked


class Proposal(Stateful):
    """To end the game by agreement when the round is complete (ATK-19.3.6)."""

    by: str
    round: int


class MoveOrder(Stateful):
    """Units of one type on one way."""

    unit: str
    number: int
    origin: str
    to: str
    way: Literal["land", "water"]
    planes: Literal["ask", "on", "back"] = "ask"


class TurnState(Stateful):
    """What one turn has used up, and the action under way."""

    taken: list[str] = Field(default_factory=list)  # the actions spent, in their order
    action: str = ""                        # one that is chosen and not finished
    confirmed: bool = False                 # nothing of it can be taken back
    before: dict[str, Force] = Field(default_factory=dict)  # own units as they stood before its orders
    pair: list[str] = Field(default_factory=list)   # origin and goal of its first order
    arrived: dict[str, Force] = Field(default_factory=dict)     # territory -> units there that have moved in this action
    entering: dict[str, Force] = Field(default_factory=dict)    # goal -> attackers in it, in the order of declaration
    crossings: list[Crossing] = Field(default_factory=list)
    offers: int = 0                         # failed offers of trade in this turn (ATK-17.2.3)
    points: int = 0                         # production points left; secret (ATK-20.9)
    basket: Force = Field(default_factory=dict)     # units and ships chosen; secret until they are confirmed
    to_place: Force = Field(default_factory=dict)   # units bought that stand nowhere yet
    orders: list[MoveOrder] = later(default=[])          # the moves of the action under way


class State(Stateful):
    """The table."""

    phase: str = "setup"
    parts: Parts = Field(default=None, exclude=True)        # type: ignore[assignment]  # given by `bind` after loading
    options: Options
    seats: list[str]                                        # in seat order
    powers: list[str]                                       # the colour of each seat
    first: int = 0                                          # index of the seat that began (ATK-3.2.1)
    place: int = 0                                          # index of the seat whose turn, or step of the setup, it is
    round: int = 1
    owner: dict[str, str] = {}                              # territory -> power
    units: dict[str, Force] = {}                            # territory -> units of its owner
    capitals: dict[str, str] = {}                           # territory -> the power that put its capital there
    pools: dict[str, Force] = {}                            # power -> units to place in the setup
    hands: dict[str, list[str]] = {}                        # power -> cards; secret (ATK-20.4)
    deck: list[str] = []                                    # cards in no order: each draw is a roll; secret
    fleets: dict[str, Force] = {}                           # power -> ships afloat, damaged ones too
    damaged: dict[str, int] = {}                            # power -> damaged battleships among them
    controller: str = ""                                    # of the sea lanes
    out: list[str] = []                                     # powers that are out, in the order in which they fell
    turn: TurnState = Field(default_factory=TurnState)
    battle: Battle | None = None
    naval: NavalBattle | None = None
    battles: int = 0                                        # land and naval battles so far, the present one included
    deal: Deal | None = None
    proposals: list[Proposal] = []                          # of this round; the last may wait for answers
    proposal: str = ""                                      # the power whose proposal waits for answers
    closing: bool = False                                   # all have agreed to end with this round
    time: Literal["", "late", "up"] = ""                    # of a timed game: the last half hour, or none is left
    ranking: list[str] = []                                 # when the game is over, winners first
    winners: list[str] = []
    rules_version: int = later(default=0)          # of the rulings with which the game began

    # -- seats and powers

    def seat(self, power: str) -> Seat:
        return Seat(self.seats[self.powers.index(power)])

    def power(self, seat: Seat) -> str:
        return self.powers[self.seats.index(seat)]

    @property
    def active(self) -> str:
        """The power whose turn it is, or ""."""
        return self.powers[self.place] if self.phase == "turn" else ""

    @property
    def playing(self) -> list[str]:
        """The powers still in the game, in seat order."""
        return [power for power in self.powers if power not in self.out]

    def others(self, power: str) -> list[str]:
        """The other powers still in the game, in seat order beginning to the left of this one."""
        start = self.powers.index(power)
        return [other for other in self.powers[start + 1:] + self.powers[:start] if other not in self.out]

    def in_turn_order(self) -> list[str]:
        """All powers, beginning with the seat that began (ATK-3.2.2)."""
        return self.powers[self.first:] + self.powers[:self.first]

    def places(self) -> dict[str, int]:
        """The places of the final ranking; equals share one, and of those who are out no two are equal (ATK-19.4.1)."""
        return places(self.ranking, lambda power: power if power in self.out else (
            power in self.winners, len(self.territories(power)), self.land_units(power)))

    # -- land

    def territories(self, power: str) -> list[str]:
        owner = self.owner
        return [land for land in self.parts.territory if owner.get(land) == power]

    def capitals_of(self, power: str) -> int:
        owner = self.owner
        return sum([owner.get(land) == power for land in self.capitals])

    def neutral(self) -> list[str]:
        """The territories that nobody owns, in the order of the data."""
        owner = self.owner
        return [land for land in self.parts.territory if land not in owner]

    @property
    def any_neutral(self) -> bool:
        return len(self.owner) < len(self.parts.territory)

    def count(self, territory: str, unit: str) -> int:
        return self.units.get(territory, {}).get(unit, 0)

    def standing(self, territory: str) -> Force:
        """The units of the owner there, those that fight for it too (ATK-1.2.1)."""
        if self.battle is not None and self.battle.territory == territory and self.battle.defender.power != NEUTRAL:
            return self.battle.defender.left
        return self.units.get(territory, {})

    def land_units(self, power: str, owned: Iterable[str] | None = None) -> int:
        """All land units of a power: on its territories, on their way and in battle (ATK-19.1.1, 19.2.2).

        `owned`: its territories, if they are known already.
        """
        units = self.units
        number = 0
        for land in self.territories(power) if owned is None else owned:
            if land in units:
                for count in units[land].values():
                    number += count
        if self.battle is not None and power in (self.battle.attacker.power, self.battle.defender.power):
            number += size(self.battle.side(power).left)
        if power == self.active:
            number += sum(size(force) for force in self.turn.entering.values())
            number += sum(size(crossing.units) for crossing in self.turn.crossings)
        return number

    def foreign_neighbours(self, territory: str) -> int:
        """Land neighbours that another player owns (D-03, D-23)."""
        own = self.owner.get(territory)
        return sum(self.owner.get(other) not in (None, own) for other in self.parts.territory[territory].adjacent)

    def touches(self, one: str, other: str, *, by_sea: bool) -> bool:
        """True if some territory of one power is a land neighbour of, or sea-linked to, one of another (ATK-17.3.1)."""
        return any(self.owner.get(next_to) == other for land in self.territories(one)
                   for next_to in (*self.parts.territory[land].adjacent, *(self.parts.sea_linked[land] if by_sea else ())))

    # -- ships

    def ships(self, power: str) -> int:
        return size(self.fleets[power])

    def fit(self, power: str) -> Force:
        """Ships afloat that are no damaged battleships (ATK-1.2.3)."""
        force = dict(self.fleets[power])
        add(force, "battleship", -self.damaged.get(power, 0))
        return force
