"""What answers cost in unrest."""
from __future__ import annotations

from engine.games.struggle_of_empires.actions import Ally, Attack, Bid, Mend, Rebuild, Take, Use
from engine.games.struggle_of_empires.state import State
from engine.kernel import Action, Seat


def unrest_of(s: State, seat: Seat, action: Action) -> int:
    """The unrest that an answer would bring at once: its own price, and by taxation [SOE-3.2.3, 3.3.1, 22.1.8]."""
    power = s.power(seat)
    match action:
        case Bid():
            return s.taxations(power, action.gold)
        case Attack():
            return 0 if action.war_office else s.taxations(power, s.parts.numbers.attack_cost_gold)
        case Mend():
            return s.taxations(power, action.gold)
        case Rebuild():
            return s.parts.numbers.unrest_per_lost_unit
        case Take() | Ally() | Use() if s.battle is None:
            bought = action.on if isinstance(action, Use) else action.place if isinstance(action, Ally) else action.tile
            if bought in s.parts.tile or bought in s.parts.local_alliance:
                return s.taxations(power, s.cost_of(bought).gold) + s.cost_of(bought).unrest
    return 0
