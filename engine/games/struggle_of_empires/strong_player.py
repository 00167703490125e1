"""The strong player of Struggle of Empires: as the solid one, with a better judgement.

How much each thing should count was found in some 10,000 games in which players weighed everything differently: what those who
ended ahead had in common was moved that way, and then tried against solid players (docs/automatic-players.md). Beyond the solid
player it counts Army Training in all that may follow, and knows that markers may be lost again and that a war ends.
"""
from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from engine.games.struggle_of_empires.actions import Colonise, Enslave, Move
from engine.games.struggle_of_empires.components import Tile
from engine.games.struggle_of_empires.judgement import Mind
from engine.games.struggle_of_empires.player import best
from engine.games.struggle_of_empires.state import State
from engine.games.struggle_of_empires.weights import Weights
from engine.kernel import Action, Position, Rng

MANY = Weights(gold=0.23, unit=0.55, step=0.45, tempo=1.45, near=12, nearer=16.5, dear=1.45, helpful=0.25, population=0.25,
               income=0.34, later=0.31, besieged=0.96, kindness=0.36, most_bid=1)
FEW = replace(MANY, gold=0.48, unrest=0.6)      # of three powers and no others
BOLD = replace(MANY, tempo=2.2)     # of five and more powers, or beside non-player powers with markers: there is more to take

THREE = 3               # powers, of which one stands alone in each war
CROWD = 5               # powers and more
LARGER = 8.0            # points: the larger grand alliance rather than one of two that are equal; the smaller costs as much
DRILL = 1.7             # points a turn: no longer behind in Army Training, or ahead, against every rival
FIRST = 0.1             # points a turn: Army Training against neutral markers
CALM = 8                # unrest up to which a point costs less, since only those with the most pay for it at the end
CALMER = {0: 0.3, 1: 0.6}       # wars to come to how much less
RICH = 8                # gold to spare from which a piece is worth half
AGAIN = 0.7             # of what a company brings, for each that is owned already: there is less and less to pay for
FIRST_OF_ALL = 1.6      # times as much for a marker of whoever has most points
EUROPE = 0.72           # of a marker there: it is easily lost again
RISK = 0.3              # of a marker that will surely be attacked until the war ends
SETTLING, ENSLAVING = 1.8, 0.78
ON_THE_MOVE = 0.13      # points: a move rather than none
SAILING = 0.5           # of what Naval Training is worth to the solid player, for each sea area where enemies sail too
SEA = 0.8               # of what navies are worth to the solid player
IN_TIME = 0.85          # of an attack that may follow, with one own turn to come in the war
TOO_LATE = 0.5          # of the same, with nothing to come in this war;
NEVER = 0.25            # and in no other
KEEN = {"reroll_both": 2.6, "free_build_army": 1.8, "free_build_navy": 1.25, "build_army_in_colony": 1.1, "free_attack": 0.7,
        "no_defender_losses": 2.5, "no_defender_helpers": 2.5, "company_income": 1.4, "lose_two_unrest": 1.8,
        "extra_build": 0.5, "free_alliance": 0.8, "population_plus_one": 0.7, "gain_three_vp": 0.44}
"""Effect of a tile to how many times as much it is worth as the solid player thinks."""


class Strategist(Mind):
    """What a strong player thinks of a position, in victory points."""

    def __init__(self, s: State, power: str) -> None:
        self.three = len(s.powers) == THREE and not s.npps
        super().__init__(s, power, FEW if self.three else BOLD if s.ranked_npps or len(s.powers) >= CROWD else MANY)
        self.tempo *= self.in_time
        self._likely: dict[tuple[str, str], float] = {}

    # -- gold and unrest

    def discontent(self, unrest: float) -> float:
        """Return what so much unrest costs in all: little while there is little of it, and the less the fewer wars are to
        come."""
        calm = min(unrest, CALM) * self.weights.unrest
        return super().discontent(unrest) - calm * (1 - CALMER.get(self.wars_left, 1.0))

    @property
    def coin(self) -> float:
        """Return what a spare gold piece is worth now: less if there are many."""
        return super().coin * (0.5 if self.spare > RICH else 1.0)

    # -- control markers

    @cached_property
    def ahead(self) -> str:
        """The rival with the most points; "" in the first war."""
        rivals = [other for other in self.others if other in self.s.powers] if self.s.war > 1 else []
        return max(rivals, key=self.s.points.__getitem__, default="")

    def prize(self, area: str, loser: str = "") -> float:
        """Return what another control marker there is worth: more in a colony, where it is safe, and if the leading rival
        loses it."""
        found = self._likely.get((area, loser))
        if found is None:
            safe = 1.0 if area in self.s.parts.colonies else EUROPE
            leader = FIRST_OF_ALL if loser and loser == self.ahead else 1.0
            found = self._likely[area, loser] = super().prize(area, loser) * safe * leader * (1 - RISK * self.exposed(area))
        return found

    def exposed(self, area: str) -> float:
        """How probable it is that a marker there is lost in the rounds to come of this war."""
        threat, strongest = self.threat(area)
        left = (self.s.rounds - self.s.round) / self.s.rounds
        return left * threat / self.weights.besieged * self.chance(strongest - self.walls(self.power, area))

    # -- fights

    def drill(self, foe: str) -> int:
        """Return what Army Training adds against a power on land; "" stands for neutral markers [SOE-12.1.1, 12.1.2, 12.1.6]."""
        mine = self.s.with_effect(self.power, "training_land")
        theirs = self.s.with_effect(foe, "training_land") if foe in self.s.powers else 0
        return (mine > theirs) - (mine < theirs)

    def threat(self, area: str) -> tuple[float, int]:
        """(how probable it is that somebody attacks there, the strength of the strongest who can)."""
        s = self.s
        there = [s.count(foe, "army", area) + self.edge(foe, area) - self.drill(foe)
                 for foe in self.foes if foe in s.powers and s.count(foe, "army", area)]
        return (self.weights.besieged, max(there)) if there else (self.weights.besieged / 3, 1)

    # -- units

    @property
    def in_time(self) -> float:
        """How much of an attack that may follow upon this action counts: less if the war ends before."""
        s = self.s
        if s.round < s.rounds - 1:
            return 1.0
        if s.round < s.rounds or s.turn.actions > 1:
            return IN_TIME
        return TOO_LATE if self.wars_left else NEVER

    def sea(self, area: str, navies: int) -> float:
        return SEA * super().sea(area, navies)

    # -- the own turn

    def own_turn(self, option: Action) -> float:
        worth = super().own_turn(option)
        match option:
            case Colonise():
                return SETTLING * worth
            case Enslave():
                return ENSLAVING * worth
            case Move():
                return worth + ON_THE_MOVE
        return worth

    def use_of(self, tile: Tile) -> float:
        if tile.effect == "training_land":
            return self.drilled()
        if tile.kind == "company":
            held = sum(number for other, number in self.s.tiles[self.power].items() if self.s.parts.tile[other].kind == "company")
            return super().use_of(tile) * KEEN[tile.effect] * AGAIN ** held
        if tile.effect == "training_sea":
            return super().use_of(tile) * SAILING * self.contested
        return super().use_of(tile) * KEEN.get(tile.effect, 1.0)

    @property
    def contested(self) -> int:
        """Sea areas where both this power and an enemy have navies."""
        return sum(any(self.s.navies(foe, area) for foe in self.foes if foe in self.s.powers)
                   for area in self.s.units[self.power]["navy"] if self.s.navies(self.power, area))

    def drilled(self) -> float:
        """Return what one more Army Training is worth: it counts against whom it overtakes, or with whom it draws level
        [SOE-12.1.1]. Among three, not for drawing level: two who raced each other for it lost to the third who didn't."""
        owned = self.s.with_effect(self.power, "training_land")
        rivals = [self.s.with_effect(other, "training_land") for other in self.others if other in self.s.powers]
        gained = sum(theirs - (not self.three) <= owned <= theirs for theirs in rivals) / len(rivals)
        return self.turns_left * (DRILL * gained + (0.0 if owned else FIRST))

    # -- the auction

    def proposal(self, a: str, b: str) -> float:
        """How good it is that these two come into the rows: whom there is to fight, and in which grand alliance."""
        return super().proposal(a, b) + (LARGER * self.outnumbering(a, b) if self.three else 0.0)

    def outnumbering(self, a: str, b: str) -> int:
        """1 if this power is sure to be in the grand alliance with more players once these two are placed, -1: in the other.

        Whoever is placed last and alone joins one of two equal rows, so it is sure to be in the larger.
        """
        players = {*self.s.powers}
        row_a, row_b = players & {*self.s.row_a, a}, players & {*self.s.row_b, b}
        left = players - row_a - row_b
        if left == {self.power} and len(row_a) == len(row_b):
            return 1
        if left:
            return 0
        more = (len(row_a) > len(row_b)) - (len(row_a) < len(row_b))
        return more if self.power in row_a else -more


def strong(position: Position[State], rng: Rng) -> Action:
    """Return what is worth most to the one who is asked, by the better judgement."""
    return best(position, rng, Strategist)
