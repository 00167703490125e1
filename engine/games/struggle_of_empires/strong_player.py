"""The strong player of Struggle of Empires: as the solid one, with a better judgement of tiles.

What it knows better was found in games of solid players among themselves: whoever had more Army Training than the rival won more,
and the solid player seldom caught up; tiles that throw again, build or guard brought more than it thought, and War Office less.
"""
from __future__ import annotations

from engine.games.struggle_of_empires.components import Tile
from engine.games.struggle_of_empires.judgement import Mind
from engine.games.struggle_of_empires.player import considered
from engine.games.struggle_of_empires.state import State
from engine.kernel import Action, Position, Throws

DRILL = 1.0             # points a turn: no longer behind in Army Training, or ahead, against every rival
FIRST = 0.1             # points a turn: Army Training against neutral markers
KEEN = {"reroll_both": 1.5, "build_army_in_colony": 1.5, "free_build_army": 1.5, "free_build_navy": 1.5, "free_attack": 0.7,
        "no_defender_losses": 2.5, "no_defender_helpers": 2.5}
"""Effect of a tile to how many times as much it is worth as the solid player thinks."""


class Strategist(Mind):
    """What a strong player thinks of a position, in victory points."""

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


def strong(position: Position[State], rng: Throws) -> Action:
    """What is worth most to the one who is asked, by the better judgement."""
    if len(position.options) == 1:
        return position.options[0]
    worth = considered(position, rng, Strategist)
    return max(worth, key=worth.__getitem__) if worth else position.default
