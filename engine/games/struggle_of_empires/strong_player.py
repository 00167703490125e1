"""The strong player of Struggle of Empires: as the solid one, with a better judgement.

How much each thing should count was found in some 3,000 games in which every seat weighed everything differently: what those who
ended ahead had in common was moved that way, and then tried against solid players (docs/automatic-players.md).
Of three powers the one that is alone in a war ends far behind; with more of them, or with non-player powers beside them, bidding
for company does not pay.
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
from engine.kernel import Action, Position, Throws

MANY = Weights(step=0.35, tempo=1.45, near=12, nearer=16, helpful=0.21, population=0.25, income=0.34, later=0.31, besieged=0.74,
               kindness=0.6, unrest=0.33, most_bid=3)
FEW = replace(MANY, gold=0.25, unrest=0.5, most_bid=7)      # of three powers and no others
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
FIRST_OF_ALL = 2.0      # times as much for a marker of whoever has most points
EUROPE = 0.85           # of a marker there: it is easily lost again
GUARD = 0.58            # of a marker that may be lost
SETTLING, ENSLAVING = 1.57, 0.78
ON_THE_MOVE = 0.13      # points: a move rather than none
KEEN = {"reroll_both": 2.6, "free_build_army": 1.5, "free_build_navy": 1.25, "build_army_in_colony": 1.1, "free_attack": 0.7,
        "no_defender_losses": 2.5, "no_defender_helpers": 2.5, "company_income": 1.4, "lose_two_unrest": 1.4, "training_sea": 1.4,
        "extra_build": 0.8, "free_alliance": 0.8, "population_plus_one": 0.7, "gain_three_vp": 0.34}
"""Effect of a tile to how many times as much it is worth as the solid player thinks."""


class Strategist(Mind):
    """What a strong player thinks of a position, in victory points."""

    def __init__(self, s: State, power: str) -> None:
        self.three = len(s.powers) == THREE and not s.npps
        super().__init__(s, power, FEW if self.three else BOLD if s.ranked_npps or len(s.powers) >= CROWD else MANY)

    # -- gold and unrest

    def discontent(self, unrest: float) -> float:
        """What so much unrest costs in all: little while there is little of it, and the less the fewer wars are to come."""
        calm = min(unrest, CALM) * self.weights.unrest
        return super().discontent(unrest) - calm * (1 - CALMER.get(self.wars_left, 1.0))

    @property
    def coin(self) -> float:
        """What a spare gold piece is worth now: less if there are many."""
        return super().coin * (0.5 if self.spare > RICH else 1.0)

    # -- control markers

    @cached_property
    def ahead(self) -> str:
        """The rival with the most points; "" in the first war."""
        rivals = [other for other in self.others if other in self.s.powers] if self.s.war > 1 else []
        return max(rivals, key=self.s.points.__getitem__, default="")

    def prize(self, area: str, loser: str = "") -> float:
        """What another control marker there is worth: more in a colony, and if the rival who leads loses it."""
        safe = 1.0 if area in self.s.parts.colonies else EUROPE
        return super().prize(area, loser) * safe * (FIRST_OF_ALL if loser and loser == self.ahead else 1.0)

    def loss(self, area: str) -> float:
        """What one of the own control markers there is worth."""
        return GUARD * super().loss(area)

    # -- the own turn

    def own_turn(self, option: Action) -> float:
        """What an answer to a question of the own turn is worth."""
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
        """What a tile will bring, its price not counted."""
        if tile.effect == "training_land":
            return self.drilled(tile)
        if tile.kind == "company":
            held = sum(number for other, number in self.s.tiles[self.power].items() if self.s.parts.tile[other].kind == "company")
            return super().use_of(tile) * KEEN[tile.effect] * AGAIN ** held
        return super().use_of(tile) * KEEN.get(tile.effect, 1.0)

    def drilled(self, tile: Tile) -> float:
        """What one more Army Training is worth: it counts against whom it overtakes, or with whom it draws level [SOE-12.1.1]."""
        owned = self.s.owned(self.power, tile.id)
        rivals = [self.s.owned(other, tile.id) for other in self.others if other in self.s.powers]
        gained = sum(theirs - 1 <= owned <= theirs for theirs in rivals) / len(rivals)
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


def strong(position: Position[State], rng: Throws) -> Action:
    """What is worth most to the one who is asked, by the better judgement."""
    return best(position, rng, Strategist)
