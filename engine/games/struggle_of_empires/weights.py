"""What things are worth to an automatic player, in victory points: the weights of its judgement."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Weights:
    """Worth in victory points, where nothing else is said; what is given here is the solid player's."""

    gold: float = 0.12          # a piece that is not needed for the next upkeep
    income: float = 0.2         # a piece in each war to come: it spares half a point of unrest
    unit: float = 0.5           # a unit, wherever it stands
    population: float = 0.15    # a point of it, while another war is to come
    unrest: float = 0.4         # a point of it, while collapse is far
    near: float = 14            # unrest from which a further point is dear
    nearer: float = 17          # unrest from which a further point is out of the question
    dear: float = 1.2           # a point of unrest that is dear
    harm: float = 0.2           # of a point that a rival loses
    later: float = 0.5          # of a point in a later war, for who knows who will hold the marker then
    step: float = 0.6           # of a prospect for which one unit more is needed
    tempo: float = 0.7          # of an attack that may follow upon a build or a move
    besieged: float = 0.9       # how probable it is that somebody attacks who can
    most_bid: int = 4           # gold
    helpful: float = 0.15       # by how much help must change the chance to win
    kindness: float = 0.5       # of the calls for such help that are answered


SOLID = Weights()
