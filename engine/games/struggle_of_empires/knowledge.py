"""What a seat knows of a state, and how what it has not seen may be imagined: for automatic players and rehearsals."""
from __future__ import annotations

from engine.games.struggle_of_empires.state import State
from engine.kernel import Rng, Seat

PUBLIC = frozenset({
    "phase", "parts", "options", "seats", "powers", "first", "war", "round", "place", "order", "row_a", "row_b", "opener",
    "standing", "accepted", "bag", "neutrals", "markers", "units", "population", "points", "tiles", "used", "stock", "blockades",
    "captives", "turn", "battle", "battles", "ranking", "winners", "penalties", "collapsed", "npps", "npp_points",
    "local_alliances", "tried", "display", "forts_back", "first_draw", "rules_version"})
"""The fields of a state that everybody knows; any other is a secret, of a seat or of all."""
SECRET = frozenset({"gold", "unrest", "unrest_bag", "bag_key", "drawn"})
PURSE = 6               # gold that somebody has whose gold is hidden
UNREST_OF_A_WAR = 4     # what somebody has gathered in each war that is over


def known(s: State, seat: Seat) -> State:
    """The table as a seat knows it: of unrest, and of gold where it is hidden, only its own [SOE-3.3.5, AMB-76]."""
    own = s.power(seat)
    return State.model_construct(
        gold={power: gold if s.options.gold.public or power == own else PURSE for power, gold in s.gold.items()},
        unrest={power: s.unrest[own] if power == own else UNREST_OF_A_WAR * (s.war - 1) for power in s.unrest},
        unrest_bag={}, bag_key="", drawn=0, **{name: getattr(s, name) for name in PUBLIC})


def imagined(s: State, seat: Seat, rng: Rng) -> None:
    """Draw the unrest of the others, and their gold where it is hidden, about what they could have."""
    own = s.power(seat)
    for power in s.unrest:
        if power != own:
            s.unrest[power] = max(0, s.unrest[power] + int(7 * rng.random()) - 3)
            if not s.options.gold.public:
                s.gold[power] = int(2 * PURSE * rng.random())
