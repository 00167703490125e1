"""Chapter 3: debts, taxation, unrest."""
from __future__ import annotations

from engine.kernel import Game
from engine.struggle_of_empires.events import GoldPaid, UnrestChanged
from engine.struggle_of_empires.state import State


def pay(g: Game[State], power: str, gold: int) -> None:
    """Pay a debt; what gold does not cover is taxed, 2 gold (with Banking 3) for 1 unrest [SOE-3.1.3, 3.2.1-9]."""
    if not gold:
        return
    taxations = g.state.taxations(power, gold)
    g.emit(GoldPaid(power=power, gold=gold, taxed=taxations * g.state.tax(power)))
    take_unrest(g, power, taxations, "taxation")


def take_unrest(g: Game[State], power: str, number: int, cause: str) -> None:
    """Unrest rises, or falls with a negative number, never below 0 [SOE-3.3.1-4, 3.3.9, 3.3.11]."""
    total = max(0, g.state.unrest[power] + number)
    if total != g.state.unrest[power]:
        g.emit(UnrestChanged(power=power, by=total - g.state.unrest[power], total=total, cause=cause))
