"""Chapter 13.2: places for local alliance markers, which of them are free, and why others are not."""
from __future__ import annotations

from engine.games.struggle_of_empires.components import Place
from engine.games.struggle_of_empires.state import State
from engine.refusals import Illegal


def free_places(s: State) -> list[str]:
    """The places that can take a marker now, in the order of the data (SOE-13.2.1, 13.2.2)."""
    return [place.id for place in s.parts.local_alliances if place.id not in s.local_alliances and not neighbour(s, place)]


def places_for(s: State, power: str) -> list[str]:
    """The free places whose price a power can pay; only population can be wanting (SOE-11.1.4)."""
    return [place for place in free_places(s) if s.cost_of(place).population <= s.population[power]]


def neighbour(s: State, place: Place) -> str:
    """The marker that fills the area of this free place, where an area has room for one; or "" (AMB-58)."""
    if s.options.alliance.one_per == "place":
        return ""
    return next((held for held in s.local_alliances
                 if not set(place.areas).isdisjoint(s.parts.local_alliance[held].areas)), "")


def require_free_place(s: State, power: str, wanted: str) -> None:
    """Raise Illegal, with the reason, if this power can place no marker there."""
    place = s.parts.local_alliance.get(wanted)
    if place is None:
        raise Illegal("{wanted:The} isn't a local alliance. These are free: {free}.", rule="SOE-13.2.1", wanted=wanted,
                      free=tuple(free_places(s)))
    if owner := s.local_alliances.get(wanted):
        raise Illegal("{owner:The} has the {place} until the war ends.", rule="SOE-13.2.2", place=wanted, owner=owner)
    if held := neighbour(s, place):
        raise Illegal("In this game an area holds one local alliance, and {owner:the} has the {held}.", rule="SOE-13.2.2",
                      owner=s.local_alliances[held], held=held)
    if s.population[power] < (cost := s.cost_of(wanted).population):
        raise Illegal("The {place} costs {cost} population, and you have {have}.", rule="SOE-11.1.4", place=wanted, cost=cost,
                      have=s.population[power])
