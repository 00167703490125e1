"""The strong player of Struggle of Empires: as the solid one, with a better judgement of tiles and of grand alliances.

What it knows better was found in games of solid players among themselves: whoever had more Army Training than the rival won more,
and the solid player seldom caught up; tiles that throw again, build or guard brought more than it thought, and War Office less.
Of three powers the one that was alone in a war ended far behind; with more of them, bidding for company did not pay.
"""
from __future__ import annotations

from engine.games.struggle_of_empires.components import Tile
from engine.games.struggle_of_empires.judgement import Mind
from engine.games.struggle_of_empires.player import considered
from engine.games.struggle_of_empires.state import State
from engine.kernel import Action, Position, Throws

DRILL = 1.0             # points a turn: no longer behind in Army Training, or ahead, against every rival
FIRST = 0.1             # points a turn: Army Training against neutral markers
THREE = 3               # powers, of which one stands alone in each war
LARGER = 6.0            # points: the larger grand alliance rather than one of two that are equal; the smaller costs as much
KEEN = {"reroll_both": 1.5, "build_army_in_colony": 1.5, "free_build_army": 1.5, "free_build_navy": 1.5, "free_attack": 0.7,
        "no_defender_losses": 2.5, "no_defender_helpers": 2.5}
"""Effect of a tile to how many times as much it is worth as the solid player thinks."""


class Strategist(Mind):
    """What a strong player thinks of a position, in victory points."""

    def __init__(self, s: State, power: str) -> None:
        super().__init__(s, power)
        self.three = len(s.powers) == THREE
        if self.three:
            self.gold, self.discontent, self.most_bid = 0.25, 0.6, 9

    def use_of(self, tile: Tile) -> float:
        """What a tile will bring, its price not counted."""
        if tile.effect == "training_land":
            return self.drilled(tile)
        return super().use_of(tile) * KEEN.get(tile.effect, 1.0)

    def drilled(self, tile: Tile) -> float:
        """What one more Army Training is worth: it counts against whom it overtakes, or with whom it draws level [SOE-12.1.1]."""
        owned = self.s.owned(self.power, tile.id)
        rivals = [self.s.owned(other, tile.id) for other in self.others if other in self.s.powers]
        gained = sum(theirs - 1 <= owned <= theirs for theirs in rivals) / len(rivals)
        return self.turns_left * (DRILL * gained + (0.0 if owned else FIRST))

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
    if len(position.options) == 1:
        return position.options[0]
    worth = considered(position, rng, Strategist)
    return max(worth, key=worth.__getitem__) if worth else position.default
