"""Building and rebuilding, by an action, by Militia or by a tile that builds for free (chapters 7, 12.5 to 12.8)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from engine.games.struggle_of_empires import odds
from engine.games.struggle_of_empires.actions.shared import price, require_action, require_supply
from engine.games.struggle_of_empires.components import Unit
from engine.games.struggle_of_empires.events import a_unit, bare_unit, units
from engine.games.struggle_of_empires.rules import movement
from engine.games.struggle_of_empires.rules.unrest_bag import in_words
from engine.games.struggle_of_empires.state import State
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text

FREE_BUILDS = {"free_build_army": "army", "free_build_navy": "navy", "build_army_in_colony": "army"}


def build_kinds(s: State, power: str) -> tuple[str, ...]:
    """Kinds that a build may bring now: Militia can be limited to armies by an option (AMB-50)."""
    if s.turn.extra and s.options.militia.types == "army":
        return ("army",)
    return ("army", "navy", "fort")


def may_build(s: State) -> bool:
    """True if the question is a build: an action is left, or an extra unit of Militia is due."""
    return s.turn.extra > 0 or s.turn.actions > 0


def require_build(s: State, power: str, unit: str) -> None:
    if not s.turn.extra:
        require_action(s)
    if unit not in build_kinds(s, power):
        raise Illegal("In this game Militia's extra unit is always an army.", rule="SOE-12.8.4")


def require_population(s: State, power: str) -> None:
    if s.population[power] < 1:
        raise Illegal("You have no population left to build with; each unit takes 1.", rule="SOE-7.1.2")


class Build(Action):
    """Build a unit; it may move at once."""

    verb: ClassVar[str] = "build"
    unit: Unit = Field(description="Which unit?")
    to: str = Field(description="Where does it go?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Build]:
        power = s.power(seat)
        if s.population[power] < 1 or not may_build(s):
            return
        for unit in build_kinds(s, power):
            if s.supply(power, unit) > 0:
                yield cls.of(unit, power)
                for to in movement.destinations(s, power, unit, power):
                    yield cls.of(unit, to)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_build(s, power, self.unit)
        require_population(s, power)
        require_supply(s, power, self.unit)
        if self.to != power:
            movement.check_way(s, power, self.unit, power, self.to)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        power = s.power(seat)
        if not s.turn.extra:
            require_action(s)
        require_population(s, power)
        raise Illegal("All your {units} are already on the map.", rule="SOE-1.1.8",
                      units=tuple(units(s.parts.limit[unit], unit) for unit in build_kinds(s, power)))

    def label(self) -> Text:
        return text("Build {unit} in {to:the}", unit=a_unit(self.unit), to=self.to)

    def cost(self, s: State, seat: Seat) -> Text | None:
        return price(s, s.power(seat), population=1)

    def hazard(self, s: State, seat: Seat) -> Text | None:
        return odds.crossing(s, s.power(seat), s.power(seat), self.to)


class Rebuild(Action):
    """Destroy one of your units and rebuild it elsewhere."""

    verb: ClassVar[str] = "rebuild"
    unit: Unit = Field(description="Which unit?")
    at: str = Field(description="Where is the old unit?")
    tile: str = Field(default="", description="Pay with a tile? If not, it takes an action and population.")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Rebuild]:
        power = s.power(seat)
        own = s.units[power]
        if may_build(s) and (s.population[power] > 0 or not s.options.build.rebuild_population):
            for unit in build_kinds(s, power):
                for place in own[unit] if may_rebuild(s, power, unit) else ():
                    yield cls.of(unit, place)
        if s.turn.extra:
            return
        for tile, unit in free_build_tiles(s, power) if may_build_free(s) else ():
            for place in own[unit] if may_rebuild(s, power, unit) else ():
                if s.parts.tile[tile].effect != "build_army_in_colony" or movement.natives_colonies(s, power, but_army_in=place):
                    yield cls.of(unit, place, tile)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        if self.tile:
            if s.turn.extra:
                raise Illegal("Militia adds a unit to a build action; it can't build on its own.", rule="SOE-12.8.3")
            if (self.tile, self.unit) not in free_build_tiles(s, power):
                raise Illegal("You have no {tile} ready to build {unit} with.", rule="SOE-12.5.3", tile=self.tile,
                              unit=a_unit(self.unit))
            require_free_build(s)
        else:
            require_build(s, power, self.unit)
            if s.options.build.rebuild_population and s.population[power] < 1:
                raise Illegal("You have no population left to build with; each unit takes 1.", rule="SOE-7.3.4")
        if not s.count(power, self.unit, self.at):
            raise Illegal("You have no {unit} in {place:the}.", rule="SOE-7.3.1", unit=bare_unit(self.unit), place=self.at)
        require_exhausted(s, power, self.unit)
        if self.tile and s.parts.tile[self.tile].effect == "build_army_in_colony" and not movement.natives_colonies(
                s, power, but_army_in=self.at):
            raise Illegal("You can't destroy that army: without it there is no colony in which Trained "
                          "Natives could build.", rule="SOE-12.7.6")

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        power = s.power(seat)
        own = [unit for unit in build_kinds(s, power) if s.units[power][unit]]
        if not own:
            raise Illegal("You have no unit on the map to rebuild.", rule="SOE-7.3.1")
        if not any(may_rebuild(s, power, unit) for unit in own):
            require_exhausted(s, power, own[0])
        if not s.turn.extra:
            require_action(s)
        if s.options.build.rebuild_population and s.population[power] < 1:
            raise Illegal("You have no population left to build with; each unit takes 1.", rule="SOE-7.3.4")

    def label(self) -> Text:
        if self.tile:
            return text("Rebuild the {unit} from {at:the} with {tile:the}", unit=self.unit, at=self.at, tile=self.tile)
        return text("Rebuild the {unit} from {at:the}", unit=self.unit, at=self.at)

    def cost(self, s: State, seat: Seat) -> Text | None:
        paid = 1 if s.options.build.rebuild_population and not self.tile else 0
        return price(s, s.power(seat), population=paid, unrest=s.parts.numbers.unrest_per_lost_unit)

    def consequence(self, s: State, seat: Seat) -> Text | None:
        unrest = s.parts.numbers.unrest_per_lost_unit
        return text("This destroys your own unit and costs you {unrest}.", unrest=in_words(s, unrest))


def may_rebuild(s: State, power: str, unit: str) -> bool:
    """True if a unit of this kind may be destroyed to build it anew: at any time, or if none is left (SOE-7.3.2, 7.3.3)."""
    return s.options.build.rebuild_when == "any_time" or not s.supply(power, unit)


def require_exhausted(s: State, power: str, unit: str) -> None:
    if not may_rebuild(s, power, unit):
        raise Illegal("You still have {units} in the supply. Build those first: a unit can be rebuilt only when none of its "
                      "kind is left.",
                      rule="SOE-7.3.3", units=units(s.supply(power, unit), unit))


def may_build_free(s: State) -> bool:
    """True if a tile that builds for free can be used now: by an option it takes an action all the same (AMB-47)."""
    return s.turn.actions > 0 or not s.options.tiles.free_builds_use_action


def require_free_build(s: State) -> None:
    if not may_build_free(s):
        raise Illegal("In this game a free build still takes an action, and you have none left this turn.",
                      rule="SOE-12.5.1")


def free_build_tiles(s: State, power: str) -> list[tuple[str, str]]:
    """(tile, unit) of the ready tiles that build for free (SOE-12.5 to 12.7)."""
    by_effect = s.parts.by_effect
    return [(by_effect[effect], unit) for effect, unit in FREE_BUILDS.items()
            if effect in by_effect and s.ready(power, by_effect[effect]) > 0]
