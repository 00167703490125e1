"""Chapter 3: debts, taxation, unrest."""
from __future__ import annotations

from collections.abc import Iterator

from engine.games.struggle_of_empires.events import GoldPaid, UnrestChanged
from engine.games.struggle_of_empires.rules.unrest_bag import UnrestDrawn, drawn_next, in_use, worth
from engine.games.struggle_of_empires.state import State
from engine.kernel import Event, Game


def pay(g: Game[State], power: str, gold: int) -> None:
    """Pay a debt; what gold does not cover is taxed, 2 gold (with Banking 3) for 1 unrest marker [SOE-3.1.3, 3.2.1-9]."""
    if not gold:
        return
    taxations = g.state.taxations(power, gold)
    g.emit(GoldPaid(power=power, gold=gold, taxed=taxations * g.state.tax(power)))
    take_unrest(g, power, taxations, "taxation")


def taxation(s: State, power: str, gold: int) -> Iterator[Event]:
    """The taxations that a gift of so much gold needs, if a gift may be taxed for [SOE-3.1.5, 16.1.4]."""
    if times := s.taxations(power, gold):
        yield GoldPaid(power=power, gold=0, taxed=times * s.tax(power))
        yield unrest_taken(s, power, times, "taxation")


def take_unrest(g: Game[State], power: str, markers: int, cause: str) -> None:
    """So many unrest markers: each counts 1, or as much as is printed on it if it is drawn from the bag [SOE-3.3.1-7]."""
    if markers:
        g.emit(unrest_taken(g.state, power, markers, cause))


def unrest_taken(s: State, power: str, markers: int, cause: str) -> Event:
    before = s.unrest[power]
    if in_use(s):
        drawn = drawn_next(s, markers)
        by = worth(s, drawn)
        return UnrestDrawn(power=power, markers=drawn, by=by, total=before + by, cause=cause)
    return UnrestChanged(power=power, by=markers, total=before + markers, cause=cause)


def give_back_unrest(g: Game[State], power: str, points: int, cause: str) -> None:
    """Unrest falls by points of value, never below 0; no marker goes back into the bag [SOE-3.3.9 to 3.3.13]."""
    before = g.state.unrest[power]
    if less := min(points, before):
        g.emit(UnrestChanged(power=power, by=-less, total=before - less, cause=cause))
