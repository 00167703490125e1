"""How a game's clock is shared out: of 24 hours an action round has all, a choice before it, too, and a question of a war 8."""
from __future__ import annotations

from fractions import Fraction

from engine.orders import Pace

STRETCH = "round"               # over which the answers of an action round are counted together
GONE_AFTER = 2                  # own action rounds in a row
OUTSIDE = "{hours} for each move in a war or in the opponent's round"

OWN_ROUND = Pace(words="{hours} for each action round", shared=True)
BEFORE = Pace(words="{hours} for each choice before the action rounds")           # events, ministries, who goes first, bids
OUT_OF_TURN = Pace(words=OUTSIDE, share=Fraction(1, 3), own=OWN_ROUND)
