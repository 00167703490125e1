"""A neutral hand for a power that nobody plays: it keeps what the power has, takes nothing, and takes nobody's side.

It never attacks, colonises, buys or bids, sends no help, and does nothing that forces taxation or risks a unit without need.
It guards control markers that stand bare, as long as the next upkeep is covered, and fights at sea only if it is stronger.
What it has no view about gets the default of its question, as for a player who is away (AMB-81).
"""
from __future__ import annotations

from engine.games.struggle_of_empires.actions import Build, Decline, Fight, Use, company_gold
from engine.games.struggle_of_empires.components import Unit
from engine.games.struggle_of_empires.state import State
from engine.kernel import Action, Seat

GUARDS: tuple[Unit, ...] = ("fort", "army")     # a fort can threaten nobody, so it is the first choice


def caretaker(s: State, seat: Seat, options: tuple[Action, ...]) -> Action | None:
    """Return what the neutral hand answers among these options; None: the default of the question."""
    power = s.power(seat)
    if s.battle is not None:
        return _at_sea(s, power) if Fight.of() in options else None
    return _income(s, power, options) or _guard(s, power, options) if s.phase == "turn" else None


def _at_sea(s: State, power: str) -> Action:
    battle = s.battle
    assert battle is not None, "no battle is fought"
    foe = battle.defender if power == battle.attacker else battle.attacker
    return Fight.of() if s.fighters(power, "sea") > s.fighters(foe, "sea") else Decline.of()


def _income(s: State, power: str, options: tuple[Action, ...]) -> Action | None:
    """The gold of an own company: it costs nobody anything [SOE-12.21.1]."""
    return next((option for option in options if isinstance(option, Use) and company_gold(s, power, s.parts.tile[option.tile])),
                None)


def _guard(s: State, power: str, options: tuple[Action, ...]) -> Action | None:
    """A unit for the own area with most bare control markers, if it gets there without a crossing and upkeep is covered."""
    if not s.turn.actions or not _upkeep_covered(s, power):
        return None                                     # an extra unit of Militia is no need
    bare = {area: markers - s.count(power, "army", area) - s.count(power, "fort", area)
            for area, markers in s.markers[power].items() if s.parts.zone[area] == s.parts.zone[power]}
    for area in sorted((area for area in bare if bare[area] > 0), key=lambda area: (-bare[area], list(s.parts.area).index(area))):
        for unit in GUARDS:
            if (build := Build.of(unit, area)) in options:
                return build
    return None


def _upkeep_covered(s: State, power: str) -> bool:
    """True if gold and income would pay the upkeep of one more unit, built for 1 population [SOE-17.1.1, 17.1.2, 17.2.1]."""
    numbers, population = s.parts.numbers, s.population[power] - 1 if s.options.income.population else 0
    income = population * numbers.income_per_population + sum(s.markers[power].values()) * numbers.income_per_control_marker
    units = sum(sum(places.values()) for places in s.units[power].values())
    return s.gold[power] + income >= (units + 1) * numbers.upkeep_per_unit
