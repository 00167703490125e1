"""A neutral hand for a seat that nobody plays: it holds what the seat has, and takes nothing from anybody.

Its one action in a turn is Production: it buys a mixed force, which hits more often (ATK-18.4.1), and places it where most
enemies stand at its borders. It never moves, attacks, negotiates, trades or challenges. What it has no view about gets the
default of its question: its territories defend, and it refuses crossings to them (D-06, D-10).
"""
from __future__ import annotations

from engine.games.attack.components import UNITS
from engine.games.attack.rules.production import Buy, cost
from engine.games.attack.rules.setup import Deploy
from engine.games.attack.rules.turns import Begin
from engine.games.attack.state import PRODUCTION, State, size
from engine.kernel import Action, Seat


def caretaker(s: State, seat: Seat, options: tuple[Action, ...]) -> Action | None:
    """Return what the neutral hand answers among these options; None: the default of the question."""
    if s.phase != "turn" or s.active != s.power(seat):
        return None
    if (production := Begin.of(PRODUCTION)) in options:
        return production
    if s.turn.action != PRODUCTION:
        return None
    return _bought(s, s.power(seat), options) or _placed(s, s.power(seat), options)


def _bought(s: State, power: str, options: tuple[Action, ...]) -> Action | None:
    """One more land unit, of the type in which the least is invested; None if there is nothing to buy."""
    def invested(unit: str) -> int:
        there = s.turn.basket.get(unit, 0) + sum(s.count(land, unit) for land in s.territories(power))
        return there * cost(s.parts, unit)

    units = [unit for unit in UNITS if Buy.of(unit, 1) in options]
    return Buy.of(min(units, key=invested), 1) if units else None


def _placed(s: State, power: str, options: tuple[Action, ...]) -> Action | None:
    """One unit where enemies across the borders outnumber its own the most; None if there is nothing to place."""
    def outnumbered(land: str) -> int:
        beside = s.parts.territory[land].adjacent
        return sum(size(s.units[other]) for other in beside if s.owner.get(other) not in (None, power)) - size(s.units[land])

    placements = [option for option in options if isinstance(option, Deploy) and option.number == 1]
    return max(placements, key=lambda option: outnumbered(option.territory)) if placements else None
