"""Where units may go: the questions of chapter 8, answered from the state; used by actions and scripts alike."""
from __future__ import annotations

from collections.abc import Iterator

from engine.games.struggle_of_empires.events import units
from engine.games.struggle_of_empires.state import State
from engine.refusals import Illegal


def blocked(s: State, power: str, area: str) -> str:
    """The enemy whose Blockade keeps this power's land units out of a colony, or "" (SOE-12.20.2 to 12.20.4)."""
    for owner in s.blockades.get(area, ()):
        if owner in s.enemies(power) and s.count(power, "navy", area) <= s.count(owner, "navy", area):
            return owner
    return ""


def land_unit_may_enter(s: State, power: str, area: str) -> bool:
    """True if an army, or a fort that is still at home, may go to this area (SOE-8.2.4 to 8.2.6, 12.20)."""
    place = s.parts.area[area]
    if place.colony:
        return navy_in(s, power, area) and not (s.blockades and blocked(s, power, area))
    if not s.options.move.europe_conditions:
        return True
    markers = s.markers[power]
    return (area in markers or power in place.adjacent_homes or any(navy_in(s, power, sea) for sea in place.army_entry_by_ship_in)
            or any(other in markers for other in place.adjacent_areas))


def navy_in(s: State, power: str, area: str) -> bool:
    """True if a navy there lets this power's land units in; navies of allies count if an option says so (SOE-8.2.7)."""
    return area in s.units[power]["navy"] or (
        s.options.move.allied_navy_counts and any(area in s.units[ally]["navy"] for ally in s.allies(power)))


def destinations(s: State, power: str, unit: str, origin: str) -> list[str]:
    """Where a unit may go from here, the own home first; never the place itself (SOE-8.1.8, 8.2)."""
    if unit == "navy":
        there = [area for area in s.parts.seas if area != origin]
    else:
        there = [area for area in s.parts.area if area != origin and land_unit_may_enter(s, power, area)]
    return there if origin == power else [power, *there]


def check_way(s: State, power: str, unit: str, origin: str, to: str) -> None:
    """Raise Illegal with the reason why this unit may not go there (SOE-8.1.8, 8.2, 1.4)."""
    if to == origin:
        raise Illegal("The unit is already in {place:the}. Choose another place.", rule="SOE-8.1.8", place=to)
    if to == power:
        return
    if to in s.parts.powers:
        raise Illegal("Units can't enter another power's home, such as {place:the}.", rule="SOE-8.2.2", place=to)
    if to not in s.parts.area:
        raise Illegal("There is no place {place}.", rule="SOE-1.4.1", place=to)
    if unit == "navy":
        if to not in s.parts.seas:
            raise Illegal("Navies can't enter {place:the}.", rule="SOE-1.4.6", place=to)
    elif not land_unit_may_enter(s, power, to):
        if not s.parts.area[to].colony:
            if seas := s.parts.area[to].army_entry_by_ship_in:
                raise Illegal("You can't enter {place:the}. You'd need a control marker there or next to it, a home that borders "
                              "it, or a navy in {seas:the}.", rule="SOE-8.2.5", place=to, seas=seas)
            raise Illegal("You can't enter {place:the}. You'd need a control marker there or next to it, or a home "
                          "that borders it.", rule="SOE-8.2.5", place=to)
        if not navy_in(s, power, to):
            if s.options.move.allied_navy_counts:
                raise Illegal("An army needs a navy to enter a colony, and neither you nor an ally has one in {place:the}.",
                              rule="SOE-8.2.4", place=to)
            raise Illegal("An army needs one of your navies to enter a colony, and you have none in {place:the}.",
                          rule="SOE-8.2.4", place=to)
        owner = blocked(s, power, to)
        raise Illegal("{owner:The} blockades {place:the} with {theirs}. You need more navies there than that.",
                      rule="SOE-12.20.2",
                      owner=owner, place=to, theirs=units(s.count(owner, "navy", to), "navy"))


def movable(s: State, power: str) -> Iterator[tuple[str, str]]:
    """(kind, place) of units that may be named in a move now (SOE-8.1.2, 8.1.5, 7.2.2 to 7.2.4)."""
    own, moved = s.units[power], s.turn.moved
    for kind in ("army", "navy"):
        for place, number in own[kind].items():
            if not moved or number > moved.get(f"{kind} {place}", 0):
                yield kind, place
    if forts_to_move(s, power) > moved.get(f"fort {power}", 0):
        yield "fort", power


def forts_to_move(s: State, power: str) -> int:
    """Forts at home that a move may name: those that a crossing turned back, and others by an option (SOE-7.2.3, 7.2.4)."""
    at_home = s.count(power, "fort", power)
    return at_home if s.options.build.home_fort_may_move else min(at_home, s.forts_back.get(power, 0))


def natives_colonies(s: State, power: str, *, but_army_in: str = "") -> list[str]:
    """Colonies into which Trained Natives may put an army: a control marker or a unit is there (SOE-12.7.3).

    `but_army_in` is the place of an army that will be destroyed first (SOE-12.7.6).
    """
    own = s.units[power]

    def present(area: str) -> bool:
        armies = own["army"].get(area, 0) - (area == but_army_in)
        return area in s.markers[power] or area in own["navy"] or area in own["fort"] or armies > 0

    return [area for area in s.parts.colonies if present(area)]
