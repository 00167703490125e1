"""Section 21.2: how a game's clock is shared out. Of 24 hours a turn has all, a question out of turn 8, a live battle 2."""
from __future__ import annotations

from fractions import Fraction

from engine.orders import Pace

STRETCH = "turn"                # over which the answers of the own turn are counted together [ATK-21.2.1, 21.2.4]
GONE_AFTER = 2                  # turns in a row [ATK-21.2.3]
THIRD, TWELFTH = Fraction(1, 3), Fraction(1, 12)
OUTSIDE = "{hours} for each move during setup or out of turn"

OWN_TURN = Pace(words="{hours} for each turn", shared=True)
OUT_OF_TURN = Pace(words=OUTSIDE, share=THIRD)                   # and each step of the setup [ATK-21.2.4]
EITHER = Pace(words=OUTSIDE, share=THIRD, own=OWN_TURN)          # asked of the active player and of another one
LIVE = Pace(words="{hours} in a live battle", share=TWELFTH)             # who does not leave it to policies [ATK-21.2.2]
