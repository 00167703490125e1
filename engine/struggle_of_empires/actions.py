"""Every answer a player can give: its legal values, its reasons, its words."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import ClassVar, Literal

from pydantic import Field

from engine.kernel import Action, Aside, Event, Seat
from engine.refusals import Illegal
from engine.struggle_of_empires import odds, ways
from engine.struggle_of_empires.events import AttackDeclared, GoldGiven, RaidBegun, a_unit, capital_unit, gold, proposal, units
from engine.struggle_of_empires.money import taxation
from engine.struggle_of_empires.npp import automatic_help
from engine.struggle_of_empires.parts import PIRATES, REVOLT, Tile, Unit
from engine.struggle_of_empires.places import free_places, places_for, require_free_place
from engine.struggle_of_empires.special import require_special, special_left
from engine.struggle_of_empires.state import TOKENS, State, unused
from engine.struggle_of_empires.unrest_bag import in_words
from engine.struggle_of_empires.wording import COMMERCE, COMMERCE_LABEL, the
from engine.text import Text, count, text

AT_SEA, ON_LAND = "sea", "land"
BIDS_OFFERED = 3            # amounts that a menu offers above the least one; any higher bid can be typed
HIGHEST_BID = 1_000_000_000             # nobody can raise it, so that a number stays a number
USUAL_BID = 300             # gold; even random players seldom bid more, and so many bids take less than 10 MB
FREE_BUILDS = {"free_build_army": "army", "free_build_navy": "navy", "build_army_in_colony": "army"}
FREE_EFFECTS = {"company_income", "free_alliance", "blockade", *FREE_BUILDS}         # of tiles used as a free action, SOE-6.4.1
RANDOM = "random"


def debt_warning(s: State, power: str, debt: int) -> Text | None:
    """What a cost would force: taxation, privately and beforehand (SOE-3.2.10)."""
    times = s.taxations(power, debt)
    if not times:
        return None
    return text("This costs {debt} and you have {purse}: {times}, so {unrest} more.", debt=gold(debt), purse=gold(s.gold[power]),
                times=count(times, "{n} taxation", "{n} taxations"), unrest=in_words(s, times))


def price(s: State, power: str, *, gold_pieces: int = 0, population: int = 0, unrest: int = 0) -> Text | None:
    """A price in a few words, with the unrest that it would bring by itself and by taxation (SOE-3.2.3, 3.2.10)."""
    taxed = s.taxations(power, gold_pieces)
    parts = [*([gold(gold_pieces)] if gold_pieces else []),
             *([count(population, "{n} population", "{n} population")] if population else []),
             *([text("+{unrest}", unrest=in_words(s, unrest))] if unrest else []),
             *([text("+{unrest} by taxation", unrest=in_words(s, taxed))] if taxed else [])]
    return text("{parts}", parts=tuple(parts)) if parts else None


def tile_price(s: State, power: str, tile: str) -> Text | None:
    """The price of a tile of the stock, or of an alliance."""
    cost = s.cost_of(tile)
    return price(s, power, gold_pieces=cost.gold, population=cost.population, unrest=cost.unrest)


def require_action(s: State) -> None:
    if s.turn.actions < 1:
        raise Illegal("You have no action left in this turn; use a free tile, or end the turn.",
                      rule="SOE-6.2.1" if s.options.turn.special_limit == "per_kind" else "SOE-6.3.2")


# --- setup ----------------------------------------------------------------------------------------------

class Choose(Action):
    """Choose the power that you will play."""

    verb: ClassVar[str] = "choose"
    power: str = Field(description="A power that nobody has chosen, or random")

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Choose]:
        free = [power for power in s.parts.powers if power not in s.powers]
        return [cls.of(power) for power in (free if len(free) == 1 else [*free, RANDOM])]

    def check(self, s: State, seat: Seat) -> None:
        if self.power not in s.parts.powers and (self.power != RANDOM or sum(map(bool, s.powers)) == len(s.parts.powers) - 1):
            raise Illegal("There is no power {power}.", rule="SOE-1.1.1", power=self.power)
        if self.power in s.powers:
            raise Illegal("{power} is taken; choose another power.", rule="SOE-2.1.5", power=self.power)

    def label(self) -> Text:
        return text("{power}", power=self.power)


class Place(Action):
    """Place one of your five starting units."""

    verb: ClassVar[str] = "place"
    unit: Unit = Field(description="Army, navy or fort")
    area: str = Field(description="Any area; a navy needs a sea area")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Place]:
        power = s.power(seat)
        for unit in ("army", "navy", "fort"):
            if s.supply(power, unit) > 0:
                for area in (s.parts.seas if unit == "navy" else s.parts.area):
                    yield cls.of(unit, area)

    def check(self, s: State, seat: Seat) -> None:
        if self.area not in s.parts.area:
            raise Illegal("Starting units go to one of the eleven areas, and {area} is none.", rule="SOE-2.2.7", area=self.area)
        if self.unit == "navy" and self.area not in s.parts.seas:
            raise Illegal("{area} never holds navies.", rule="SOE-2.2.5", area=self.area)
        require_supply(s, s.power(seat), self.unit)

    def label(self) -> Text:
        return text("{unit} in {area}", unit=a_unit(self.unit), area=self.area)


def require_supply(s: State, power: str, unit: str) -> None:
    if s.supply(power, unit) < 1:
        raise Illegal("All your {units} are on the map.", rule="SOE-1.1.8", units=units(s.parts.limit[unit], unit))


# --- the auction ------------------------------------------------------------------------------------------

class Bid(Action):
    """Bid for the right to place two powers in the alliance rows."""

    verb: ClassVar[str] = "bid"
    open_ended: ClassVar[bool] = True
    gold: int = Field(ge=0, le=HIGHEST_BID, description="Gold; more than the standing bid")
    a: str = Field("", description="Power for row A, the red alliance in Deluxe")
    b: str = Field("", description="Power for row B, the blue alliance in Deluxe")

    @classmethod
    def options(cls, s: State, seat: Seat) -> tuple[Bid, ...]:
        return bids(s.standing.gold + 1 if s.standing else 0, s.proposals())

    def check(self, s: State, seat: Seat) -> None:
        least = s.standing.gold + 1 if s.standing else 0
        if self.gold < least:
            raise Illegal("The bid must be at least {least}.", rule="SOE-5.2.3", least=gold(least))
        free = s.unplaced()
        for power in (self.a, self.b):
            if power and power not in s.powers and power not in s.npps:
                raise Illegal("{power} is no power of this game.", rule="SOE-5.3.1", power=power)
            if power and power not in free:
                able = [other for other in free if any(other in pair for pair in s.proposals())]
                raise Illegal("{power} has its place already; propose {able}.", rule="SOE-5.3.4", power=power, able=tuple(able))
        if len(free) == 1:
            if bool(self.a) == bool(self.b):
                raise Illegal("Only {power} is left: propose it for {row_a} or for {row_b}.", rule="SOE-5.3.5", power=free[0],
                              row_a="row_a", row_b="row_b")
        elif not self.a or not self.b or self.a == self.b:
            raise Illegal("Propose two different powers, one for {row_a} and one for {row_b}.", rule="SOE-5.3.1", row_a="row_a",
                          row_b="row_b")
        elif (self.a, self.b) not in s.proposals():
            raise Illegal("Non-player powers are sorted last: propose {players} first.", rule="SOE-5.3.7",
                          players=tuple(power for power in free if power in s.powers))

    def label(self) -> Text:
        return text("{gold}: {proposal}", gold=gold(self.gold), proposal=proposal(self.a, self.b))

    def cost(self, s: State, seat: Seat) -> Text | None:
        return price(s, s.power(seat), gold_pieces=self.gold)

    def consequence(self, s: State, seat: Seat) -> Text | None:
        return debt_warning(s, s.power(seat), self.gold)


@lru_cache(maxsize=64)
def bids(least: int, pairs: tuple[tuple[str, str], ...]) -> tuple[Bid, ...]:
    """The bids that a menu offers; the same standing bid asks several powers in a row."""
    amounts = range(least, min(least + BIDS_OFFERED, HIGHEST_BID + 1))
    if least > USUAL_BID:                   # only usual bids are kept for good, so that nobody can fill the memory with them
        return tuple([Bid(gold=amount, a=a, b=b) for amount in amounts for a, b in pairs])
    return tuple([Bid.of(amount, a, b) for amount in amounts for a, b in pairs])


class Pass(Action):
    """Pass: accept the standing bid, or leave an action unused."""

    verb: ClassVar[str] = "pass"

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Pass]:
        return [cls.of()] if s.phase == "auction" or s.turn.actions > 0 else []

    def check(self, s: State, seat: Seat) -> None:
        if s.phase == "turn":
            require_action(s)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        require_action(s)

    def label(self) -> Text:
        return text("Pass")

    def cost(self, s: State, seat: Seat) -> Text | None:
        if s.phase != "turn" or not s.options.turn.pass_relief:
            return None
        points = s.parts.numbers.pass_unrest_relief             # SOE-15.1.3
        return text("{relief}, if you attack nobody in this turn", relief=count(points, "−{n} unrest", "−{n} unrest"))


# --- the own turn -------------------------------------------------------------------------------------------

def build_kinds(s: State, power: str) -> tuple[str, ...]:
    """Kinds that a build may bring now: Militia can be limited to armies by an option (AMB-50)."""
    if s.turn.extra and s.options.militia.types == "army":
        return ("army",)
    return ("army", "navy", "fort")


def may_build(s: State) -> bool:
    """Whether the question is a build: an action is left, or an extra unit of Militia is due."""
    return s.turn.extra > 0 or s.turn.actions > 0


def require_build(s: State, power: str, unit: str) -> None:
    if not s.turn.extra:
        require_action(s)
    if unit not in build_kinds(s, power):
        raise Illegal("The extra unit of Militia is an army in this game.", rule="SOE-12.8.4")


def require_population(s: State, power: str) -> None:
    if s.population[power] < 1:
        raise Illegal("You have no population left to build with.", rule="SOE-7.1.2")


class Build(Action):
    """Build a unit for 1 population; it may move at once."""

    verb: ClassVar[str] = "build"
    unit: Unit = Field(description="Army, navy or fort")
    to: str = Field(description="Your home, or where it goes at once")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Build]:
        power = s.power(seat)
        if s.population[power] < 1 or not may_build(s):
            return
        for unit in build_kinds(s, power):
            if s.supply(power, unit) > 0:
                yield cls.of(unit, power)
                for to in ways.destinations(s, power, unit, power):
                    yield cls.of(unit, to)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_build(s, power, self.unit)
        require_population(s, power)
        require_supply(s, power, self.unit)
        if self.to != power:
            ways.check_way(s, power, self.unit, power, self.to)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        power = s.power(seat)
        if not s.turn.extra:
            require_action(s)
        require_population(s, power)
        raise Illegal("All your {units} are on the map.", rule="SOE-1.1.8",
                      units=tuple(units(s.parts.limit[unit], unit) for unit in build_kinds(s, power)))

    def label(self) -> Text:
        return text("Build {unit}: {to}", unit=a_unit(self.unit), to=self.to)

    def cost(self, s: State, seat: Seat) -> Text | None:
        return price(s, s.power(seat), population=1)

    def hazard(self, s: State, seat: Seat) -> Text | None:
        return odds.crossing(s, s.power(seat), s.power(seat), self.to)


class Rebuild(Action):
    """Destroy one of your units (1 unrest) and build one of its kind anew."""

    verb: ClassVar[str] = "rebuild"
    unit: Unit = Field(description="Army, navy or fort")
    at: str = Field(description="Where the old unit stands")
    tile: str = Field("", description="A tile that pays for it, instead of an action and population")

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
                if s.parts.tile[tile].effect != "build_army_in_colony" or ways.natives_colonies(s, power, but_army_in=place):
                    yield cls.of(unit, place, tile)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        if self.tile:
            if s.turn.extra:
                raise Illegal("Militia builds with the build action, not with a tile.", rule="SOE-12.8.3")
            if (self.tile, self.unit) not in free_build_tiles(s, power):
                raise Illegal("You have no {tile} ready that builds {unit}.", rule="SOE-12.5.3", tile=self.tile,
                              unit=a_unit(self.unit))
            require_free_build(s)
        else:
            require_build(s, power, self.unit)
            if s.options.build.rebuild_population and s.population[power] < 1:
                raise Illegal("You have no population left to build with.", rule="SOE-7.3.4")
        if not s.count(power, self.unit, self.at):
            raise Illegal("You have no {unit} in {place}.", rule="SOE-7.3.1", unit=text(self.unit), place=self.at)
        require_exhausted(s, power, self.unit)
        if self.tile and s.parts.tile[self.tile].effect == "build_army_in_colony" and not ways.natives_colonies(
                s, power, but_army_in=self.at):
            raise Illegal("Without that army you have neither a control marker nor a unit in any colony.", rule="SOE-12.7.6")

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        power = s.power(seat)
        own = [unit for unit in build_kinds(s, power) if s.units[power][unit]]
        if not own:
            raise Illegal("You have no unit on the map that could be built anew.", rule="SOE-7.3.1")
        if not any(may_rebuild(s, power, unit) for unit in own):
            require_exhausted(s, power, own[0])
        if not s.turn.extra:
            require_action(s)
        if s.options.build.rebuild_population and s.population[power] < 1:
            raise Illegal("You have no population left to build with.", rule="SOE-7.3.4")

    def label(self) -> Text:
        if self.tile:
            return text("Rebuild {unit} of {at} with {tile}", unit=a_unit(self.unit), at=self.at, tile=self.tile)
        return text("Rebuild {unit} of {at}", unit=a_unit(self.unit), at=self.at)

    def cost(self, s: State, seat: Seat) -> Text | None:
        paid = 1 if s.options.build.rebuild_population and not self.tile else 0
        return price(s, s.power(seat), population=paid, unrest=s.parts.numbers.unrest_per_lost_unit)

    def consequence(self, s: State, seat: Seat) -> Text | None:
        unrest = s.parts.numbers.unrest_per_lost_unit
        return text("Destroying your own unit costs {unrest}.", unrest=in_words(s, unrest))


def may_rebuild(s: State, power: str, unit: str) -> bool:
    """Whether a unit of this kind may be destroyed to build it anew: at any time, or if none is left (SOE-7.3.2, 7.3.3)."""
    return s.options.build.rebuild_when == "any_time" or not s.supply(power, unit)


def require_exhausted(s: State, power: str, unit: str) -> None:
    if not may_rebuild(s, power, unit):
        raise Illegal("You still have {units} in the supply; a unit is rebuilt only when none of its kind is left there.",
                      rule="SOE-7.3.3", units=units(s.supply(power, unit), unit))


def may_build_free(s: State) -> bool:
    """Whether a tile that builds for free can be used now: by an option it takes an action all the same (AMB-47)."""
    return s.turn.actions > 0 or not s.options.tiles.free_builds_use_action


def require_free_build(s: State) -> None:
    if not may_build_free(s):
        raise Illegal("In this game a tile that builds for free takes an action, and you have none left in this turn.",
                      rule="SOE-12.5.1")


def free_build_tiles(s: State, power: str) -> list[tuple[str, str]]:
    """(tile, unit) of the ready tiles that build for free (SOE-12.5 to 12.7)."""
    by_effect = s.parts.by_effect
    return [(by_effect[effect], unit) for effect, unit in FREE_BUILDS.items()
            if effect in by_effect and s.ready(power, by_effect[effect]) > 0]


class Send(Action):
    """Say where the unit just built goes; it may stay."""

    verb: ClassVar[str] = "send"
    to: str = Field(description="Where it stands now, to stay; or where it goes")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Send]:
        power, origin = s.power(seat), s.turn.sending_from
        if s.turn.natives:
            for area in ways.natives_colonies(s, power):
                yield cls.of(area)
            return
        yield cls.of(origin)
        for to in ways.destinations(s, power, s.turn.sending, origin):
            yield cls.of(to)

    def check(self, s: State, seat: Seat) -> None:
        power, origin = s.power(seat), s.turn.sending_from
        if s.turn.natives:
            require_natives(s, power, self.to)
        elif self.to != origin:
            ways.check_way(s, power, s.turn.sending, origin, self.to)

    def label(self) -> Text:
        return text("{to}", to=self.to)

    def hazard(self, s: State, seat: Seat) -> Text | None:
        return None if s.turn.natives else odds.crossing(s, s.power(seat), s.turn.sending_from, self.to)


def require_natives(s: State, power: str, area: str) -> None:
    if area not in ways.natives_colonies(s, power):
        raise Illegal("Trained Natives puts an army into a colony where you have a control marker or a unit; {area} is no such "
                      "colony.", rule="SOE-12.7.3", area=area)


class Move(Action):
    """Move an army or a navy; then you may move a second one."""

    verb: ClassVar[str] = "move"
    unit: Unit = Field(description="Army or navy; a fort only from your home")
    origin: str = Field(description="Where it stands")
    to: str = Field(description="Where it goes")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Move]:
        if not s.turn.moves and s.turn.actions < 1:
            return
        power = s.power(seat)
        by_land = [area for area in s.parts.area if ways.land_unit_may_enter(s, power, area)]
        for unit, origin in ways.movable(s, power):
            if origin != power:
                yield cls.of(unit, origin, power)
            for to in s.parts.seas if unit == "navy" else by_land:
                if to != origin:
                    yield cls.of(unit, origin, to)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        if not s.turn.moves:
            require_action(s)
        here = s.count(power, self.unit, self.origin)
        if not here:
            raise Illegal("You have no {unit} in {place}.", rule="SOE-8.1.1", unit=text(self.unit), place=self.origin)
        if self.unit == "fort" and self.origin != power:
            raise Illegal("A fort that stands in an area never moves again.", rule="SOE-7.2.2")
        if self.unit == "fort" and not ways.forts_to_move(s, power):
            raise Illegal("In this game a fort that was left at home stays there; only one that a crossing turned back may move.",
                          rule="SOE-7.2.4")
        if here <= s.turn.moved.get(f"{self.unit} {self.origin}", 0):
            if not s.options.move.same_unit_next_action:
                raise Illegal("In this game each unit moves at most once in a turn, and {units} in {place} moved already.",
                              rule="SOE-8.1.6", units=units(here, self.unit), place=self.origin)
            raise Illegal("Each unit moves at most once in a move action, and {units} in {place} moved already.",
                          rule="SOE-8.1.5", units=units(here, self.unit), place=self.origin)
        ways.check_way(s, power, self.unit, self.origin, self.to)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        require_action(s)
        raise Illegal("You have no unit that could move; a fort moves only from your home.", rule="SOE-8.1.1")

    def label(self) -> Text:
        return text("Move {unit}: {origin} to {to}", unit=a_unit(self.unit), origin=self.origin, to=self.to)

    def hazard(self, s: State, seat: Seat) -> Text | None:
        return odds.crossing(s, s.power(seat), self.origin, self.to)


class Attack(Action):
    """Attack a power, a neutral marker or a captive in one area for 2 gold."""

    verb: ClassVar[str] = "attack"
    area: str = Field(description="Where")
    target: str = Field(description="An enemy power, a neutral marker, Pirates or a Slave Revolt")
    surprise: bool = Field(False, description="Use Surprise Attack: nobody may help the defender")
    war_office: bool = Field(False, description="Use War Office: no action and no gold")
    naval_only: bool = Field(False, exclude_if=unused, description="Fight at sea alone, although you have an army there")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Attack]:
        power = s.power(seat)
        ways_to_pay = [False] if s.turn.actions > 0 else []
        if ready_effect(s, power, "free_attack"):
            ways_to_pay.append(True)
        if not ways_to_pay:
            return
        surprise = (False, True) if s.with_effect(power, "no_defender_helpers") else (False,)
        for area in s.parts.area:
            for target in targets(s, power, area):
                for use in (surprise if target in s.powers else (False,)):
                    for free in ways_to_pay:
                        yield cls.of(area, target, use, free)
                        if may_leave_out_land(s, power, area, target):
                            yield cls.of(area, target, use, free, True)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        if self.war_office:
            if not ready_effect(s, power, "free_attack"):
                raise Illegal("You have no War Office ready in this war.", rule="SOE-12.4.1")
        else:
            require_action(s)
        if self.area not in s.parts.area:
            raise Illegal("Attacks take place in one of the eleven areas, and {area} is none.", rule="SOE-9.1.1", area=self.area)
        if self.surprise and self.target in s.npps:
            raise Illegal("Surprise Attack has no use here: nobody helps a control marker of a non-player power.",
                          rule="SOE-19.2.6")
        if self.surprise and self.target not in s.powers:
            raise Illegal("Surprise Attack works against a power only, since nobody could help {target}.", rule="SOE-14.4.14",
                          target=the(self.target))
        if self.surprise and not s.with_effect(power, "no_defender_helpers"):
            raise Illegal("You have no Surprise Attack.", rule="SOE-12.19.1")
        if self.target in targets(s, power, self.area):
            if self.naval_only:
                require_sea_alone(s, power, self.area, self.target)
            return
        if self.target in s.parts.powers and self.target not in s.powers and self.target not in s.npps:
            raise Illegal("{target} is not in this game.", rule="SOE-1.1.15", target=self.target)
        if self.target == power or self.target in s.allies(power):
            raise Illegal("{target} is no enemy of yours.", rule="SOE-9.2.2", target=self.target)
        armies, navies = s.count(power, "army", self.area), s.navies(power, self.area)
        if not armies and not navies:
            raise Illegal("You have no army in {area}, and a land attack needs one.", rule="SOE-9.1.2", area=self.area)
        if self.target in s.powers:
            if not armies:
                raise Illegal("You have only navies in {area}, and {target} has no navy there to attack.", rule="SOE-9.2.6",
                              area=self.area, target=self.target)
            raise Illegal("{target} has neither a control marker nor a unit that could fight in {area}.", rule="SOE-9.2.5",
                          target=self.target, area=self.area)
        if self.target in s.npps:
            require_npp_marker(s, self.target, self.area)
        if self.target in TOKENS:
            require_captive(s, self.target, self.area)
        if self.target in ("pop", "slaves"):
            raise Illegal("A neutral marker without a defence number cannot be attacked.", rule="SOE-9.2.4")
        if not armies:
            raise Illegal("You have only navies in {area}, and an attack on {target} takes place on land.", rule="SOE-9.2.6",
                          area=self.area, target=the(self.target))
        raise Illegal("There is no {target} in {area}.", rule="SOE-9.2.1", target=self.target, area=self.area)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        power = s.power(seat)
        if not ready_effect(s, power, "free_attack"):
            require_action(s)
        own = s.units[power]
        here = [area for area in s.parts.area if own["army"].get(area) or own["navy"].get(area)]
        if not here:
            raise Illegal("You have neither an army nor a navy in any area, and an attack needs one there.", rule="SOE-9.1.2")
        raise Illegal("Where you have an army or a navy ({here}), there is nobody that it could attack: no enemy, no neutral "
                      "marker with a defence number, no captive.", rule="SOE-9.2.1", here=tuple(here))

    def label(self) -> Text:
        tiles = [text(name) for used, name in ((self.surprise, "Surprise Attack"), (self.war_office, "War Office")) if used]
        attack = text("Attack {target} in {area} at sea alone" if self.naval_only else "Attack {target} in {area}",
                      target=the(self.target), area=self.area)
        return text("{attack} with {tiles}", attack=attack, tiles=tuple(tiles)) if tiles else attack

    def cost(self, s: State, seat: Seat) -> Text | None:
        return None if self.war_office else price(s, s.power(seat), gold_pieces=s.parts.numbers.attack_cost_gold)

    def consequence(self, s: State, seat: Seat) -> Text | None:
        return None if self.war_office else debt_warning(s, s.power(seat), s.parts.numbers.attack_cost_gold)

    def outlook(self, s: State, seat: Seat) -> Text | None:
        declared = s.model_copy()
        self.declared(s, s.power(seat)).apply(declared)
        for help_ in automatic_help(declared):
            help_.apply(declared)
        return odds.outlook(declared)

    def declared(self, s: State, attacker: str) -> AttackDeclared:
        """The attack as it is told to everybody."""
        marker = s.face(self.area, self.target)
        strength = 0 if marker is None else marker.strength or 0
        if self.target in TOKENS:
            strength = s.token_strength(self.target)
        if self.target in s.npps:
            strength = s.marker_defence
        at_sea_alone = self.naval_only or not s.count(attacker, "army", self.area) or s.beaten_at_sea(self.target)
        return AttackDeclared(attacker=attacker, defender=self.target, area=self.area, sea=s.sea_of(self.area), strength=strength,
                              naval_only=at_sea_alone, surprise=self.surprise, war_office=self.war_office)


def require_captive(s: State, token: str, area: str) -> None:
    """Raise Illegal, with the reason, if Pirates or a revolt hold no captive there, or one that is not freed on land."""
    if token not in s.token_in(area):
        raise Illegal("There is no captive of {token} in {area}.", rule="SOE-9.2.1", token=the(token), area=area)
    if s.beaten_at_sea(token):
        raise Illegal("You have no navy in {area}, and the captive of {token} is freed at sea.", rule="SOE-14.4.13", area=area,
                      token=the(token))


def require_npp_marker(s: State, target: str, area: str) -> None:
    """Of a non-player power only a control marker is attacked (SOE-19.2.3, 19.2.4)."""
    if area not in s.markers[target]:
        raise Illegal("{target} is a non-player power: only its control markers can be attacked, and it has none in {area}.",
                      rule="SOE-19.2.3", target=target, area=area)


def ready_effect(s: State, power: str, effect: str) -> bool:
    tile = s.parts.by_effect.get(effect)
    return tile is not None and s.ready(power, tile) > 0


def targets(s: State, power: str, area: str) -> list[str]:
    """Whom this power may attack in an area now (SOE-9.1, 9.2, 14.4)."""
    navies = s.navies(power, area)
    at_sea = [token for token in s.token_in(area) if s.beaten_at_sea(token)] if navies else []
    if not s.count(power, "army", area):
        return [*(enemy for enemy in s.enemies(power) if navies and s.is_power(enemy) and s.navies(enemy, area)), *at_sea]
    sea = s.sea_of(area)
    out = [enemy for enemy in s.enemies(power)
           if area in s.markers[enemy] or (s.is_power(enemy) and (
               s.count(enemy, "army", area) or s.count(enemy, "fort", area) or (sea == area and s.count(enemy, "navy", area))))]
    faces = [s.parts.neutral[marker].face for marker in s.neutrals[area] if s.parts.neutral[marker].strength]
    return [*out, *dict.fromkeys(faces), *(token for token in s.token_in(area) if token in at_sea or not s.beaten_at_sea(token))]


def may_leave_out_land(s: State, power: str, area: str, target: str) -> bool:
    """Whether somebody with an army there may fight this target at sea alone, by option (SOE-9.1.3, 9.1.4, AMB-28)."""
    return bool(s.options.attack.naval_only_with_army and s.is_power(target) and s.count(power, "army", area)
                and s.navies(power, area) and s.navies(target, area))


def require_sea_alone(s: State, power: str, area: str, target: str) -> None:
    """Raise Illegal, with the reason, unless this attack can be at sea alone by choice."""
    if may_leave_out_land(s, power, area, target):
        return
    if not s.options.attack.naval_only_with_army:
        raise Illegal("Whether an attack is at sea alone is no choice in this game: it is if you have no army there.",
                      rule="SOE-9.1.4")
    if not s.count(power, "army", area):
        raise Illegal("You have no army in {area}, so that this attack is at sea alone anyway.", rule="SOE-9.1.3", area=area)
    raise Illegal("At sea alone you fight in {area} only with a navy of yours against one of {target}.", rule="SOE-9.2.6",
                  area=area, target=the(target))


class Colonise(Action):
    """Colonise: 1 population for a colonist marker's place."""

    verb: ClassVar[str] = "colonise"
    area: str = Field(description="An area with a colonist marker")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Colonise]:
        power = s.power(seat)
        if s.turn.actions > 0 and special_left(s, "settling") and s.population[power] > 0 and s.marker_supply(power) > 0:
            for area in areas_with(s, "pop"):
                yield cls.of(area)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_settling(s, power, self.area, "pop")
        if s.population[power] < 1:
            raise Illegal("You have no population left to colonise with.", rule="SOE-10.1.1")

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        require_settler(s, s.power(seat))
        require_place(s, "pop")
        raise Illegal("You have no population left to colonise with.", rule="SOE-10.1.1")

    def label(self) -> Text:
        return text("Colonise {area}", area=self.area)

    def cost(self, s: State, seat: Seat) -> Text | None:
        return price(s, s.power(seat), population=1)


class Enslave(Action):
    """Take the place of a marker of the Africa trade; needs a navy in Africa."""

    verb: ClassVar[str] = "enslave"
    area: str = Field(description="An area with such a marker")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Enslave]:
        power = s.power(seat)
        if (s.turn.actions > 0 and special_left(s, "settling") and s.marker_supply(power) > 0
                and s.navies(power, s.parts.numbers.slaves_need_ship_in)):
            for area in areas_with(s, "slaves"):
                yield cls.of(area)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_settling(s, power, self.area, "slaves")
        require_slaver(s, power)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_settler(s, power)
        require_place(s, "slaves")
        require_slaver(s, power)

    def label(self) -> Text:
        return text("{commerce} in {area}", commerce=COMMERCE_LABEL, area=self.area)


def areas_with(s: State, face: str) -> list[str]:
    return [area for area, markers in s.neutrals.items() if any(s.parts.neutral[marker].kind == face for marker in markers)]


def require_slaver(s: State, power: str) -> None:
    needed = s.parts.numbers.slaves_need_ship_in
    if not s.navies(power, needed):
        raise Illegal("You have no navy in {area}, and {commerce} needs one there.", rule="SOE-10.1.2", area=needed,
                      commerce=COMMERCE)


def require_settler(s: State, power: str) -> None:
    """Whoever colonises or enslaves has an action and a control marker for it."""
    require_action(s)
    require_special(s, "settling")
    if s.marker_supply(power) < 1:
        raise Illegal("You have no control marker left to put there.", rule="SOE-1.1.11")


def require_place(s: State, face: str) -> None:
    if not areas_with(s, face):
        raise Illegal("No area has a {marker} now.", rule="SOE-10.1.1" if face == "pop" else "SOE-10.1.2", marker=face)


def require_settling(s: State, power: str, area: str, face: str) -> None:
    require_settler(s, power)
    if area not in areas_with(s, face):
        raise Illegal("{area} has no {marker}.", rule="SOE-10.1.1" if face == "pop" else "SOE-10.1.2", area=area, marker=face)


class Take(Action):
    """Take a tile from the stock; Pirates and Slave Revolt need a target."""

    verb: ClassVar[str] = "tile"
    tile: str = Field(description="A tile of the stock")
    area: str = Field("", description="Pirates, Slave Revolt: where")
    target: str = Field("", description="Pirates, Slave Revolt: whose control marker")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Take]:
        if s.turn.actions < 1 or not special_left(s, "tile"):
            return
        power = s.power(seat)
        for tile, left in s.stock.items():
            if left and affordable(s, power, part := s.parts.tile[tile]):
                if part.id in TOKENS:
                    for area, target in raid_targets(s, power, tile):
                        yield cls.of(tile, area, target)
                else:
                    yield cls.of(tile)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_action(s)
        require_special(s, "tile")
        require_tile(s, power, self.tile)
        if self.tile in TOKENS:
            require_raid(s, power, self.tile, self.area, self.target)
        elif self.area or self.target:
            raise Illegal("{tile} has no target.", rule="SOE-11.1.1", tile=self.tile)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        require_action(s)
        require_special(s, "tile")
        raise Illegal("The stock has no tile that you may take now: what it has costs more population than you have, needs a "
                      "target, or you own as many as a player may.", rule="SOE-11.1.4")

    def label(self) -> Text:
        if self.target:
            return text("Take {tile} against {target} in {area}", tile=self.tile, target=self.target, area=self.area)
        return text("Take {tile}", tile=self.tile)

    def cost(self, s: State, seat: Seat) -> Text | None:
        return tile_price(s, s.power(seat), self.tile)

    def consequence(self, s: State, seat: Seat) -> Text | None:
        return price_warning(s, s.power(seat), self.tile)

    def outlook(self, s: State, seat: Seat) -> Text | None:
        return raid_outlook(s, s.power(seat), self.tile, self.area, self.target) if self.tile in TOKENS else None


def price_warning(s: State, power: str, tile: str) -> Text | None:
    """What a tile's price would cost in unrest (SOE-3.2.10, 3.3.3)."""
    cost = s.cost_of(tile)
    warning = debt_warning(s, power, cost.gold)
    if not cost.unrest:
        return warning
    price = text("Its price is {unrest}.", unrest=in_words(s, cost.unrest))
    return text("{first} {second}", first=warning, second=price) if warning else price


def affordable(s: State, power: str, tile: Tile) -> bool:
    """Whether a tile may be taken now, its stock aside (SOE-11.1.4, 11.1.5, 11.2.5)."""
    return (s.population[power] >= s.cost_of(tile.id).population and tile.id not in s.turn.given_back
            and (tile.limit_per_player is None or s.owned(power, tile.id) < tile.limit_per_player)
            and not (tile.kind == "company" and companies_full(s, power)))


def companies_full(s: State, power: str) -> bool:
    """Whether a power owns as many companies as it may: with two or three players, by an option (SOE-12.21.3, 12.21.4)."""
    most = s.parts.set_up(len(s.seats)).company_tiles_per_player_max if s.options.tiles.company_cap == "three" else None
    return most is not None and sum(s.owned(power, tile.id) for tile in s.parts.tiles if tile.kind == "company") >= most


def by_class(s: State, marks: str, classes: str) -> str:
    """The rule of a tile by its mark, or by its class (SOE-11.2, 11.3)."""
    return marks if s.options.tiles.classes == "marks" else classes


def require_tile(s: State, power: str, name: str) -> None:
    tile = s.parts.tile.get(name)
    if tile is None:
        raise Illegal("There is no tile {tile}.", rule="SOE-11.1.1", tile=name)
    if not s.stock.get(name):
        raise Illegal("{tile} is not in the stock.", rule="SOE-1.3.3", tile=name)
    if name in s.turn.given_back:
        raise Illegal("You used {tile} in this turn, so you cannot take it again before your next one.",
                      rule=by_class(s, "SOE-11.2.5", "SOE-11.3.5"), tile=name)
    if s.population[power] < (cost := s.cost_of(name).population):
        raise Illegal("{tile} costs {cost} population and you have {have}.", rule="SOE-11.1.4", tile=name,
                      cost=cost, have=s.population[power])
    if tile.limit_per_player is not None and s.owned(power, name) >= tile.limit_per_player:
        raise Illegal("You own as many {tile} as a player may.", rule="SOE-11.1.5", tile=name)
    if tile.kind == "company" and companies_full(s, power):
        raise Illegal("With {players} players a player owns at most {most} companies.", rule="SOE-12.21.4",
                      players=len(s.seats), most=s.parts.set_up(len(s.seats)).company_tiles_per_player_max or 0)


def require_raid(s: State, power: str, token: str, area: str, target: str) -> None:
    """Raise Illegal, with the reason, unless Pirates or a revolt may be sent there."""
    if (area, target) in raid_targets(s, power, token):
        return
    if target == power:
        raise Illegal("Name a control marker of another power.", rule="SOE-14.2.3")
    raise Illegal("For {token}, name area and target: a control marker of another power in {where}.",
                  rule="SOE-14.2.2" if token == PIRATES else "SOE-14.3.1", token=the(token),
                  where=text("a colony" if token == PIRATES else "an American colony"))


def raid_outlook(s: State, power: str, token: str, area: str, target: str) -> Text:
    """How a raid or rising may end."""
    begun = s.model_copy()
    RaidBegun(sender=power, token=token, target=target, area=area, strength=s.token_strength(token)).apply(begun)
    return odds.raid_outlook(begun)


def raid_targets(s: State, power: str, token: str) -> list[tuple[str, str]]:
    """(area, power) of the control markers that Pirates or a Slave Revolt may be sent against (SOE-14.2.1 to 14.2.3, 14.3.1)."""
    if token in s.captives:
        return []
    return [(area.id, other) for area in s.parts.areas if area.colony and (token != REVOLT or area.america)
            for other in (*s.powers, *s.npps) if other != power and area.id in s.markers[other]]


class Use(Action):
    """Use one of your tiles as a free action, or in a fight."""

    verb: ClassVar[str] = "use"
    tile: str = Field(description="One of your tiles")
    on: str = Field("", description="Where the unit or the Blockade goes, or which alliance")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Use]:
        power = s.power(seat)
        if s.battle is not None:
            if tile := fight_tile(s, power):
                yield cls.of(tile)
            return
        for tile in s.tiles[power]:
            if s.ready(power, tile) > 0:
                part = s.parts.tile[tile]
                if company_gold(s, power, part):
                    yield cls.of(tile)
                for on in uses(s, power, part):
                    yield cls.of(tile, on)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        part = s.parts.tile.get(self.tile)
        if part is None:
            raise Illegal("There is no tile {tile}.", rule="SOE-11.1.1", tile=self.tile)
        if s.battle is not None:
            if self.tile != fight_tile(s, power) or self.on:
                raise Illegal("{tile} cannot be used at this moment of the fight.", rule="SOE-6.4.3", tile=self.tile)
            return
        if not s.owned(power, self.tile):
            raise Illegal("You do not own {tile}.", rule="SOE-6.4.1", tile=self.tile)
        if s.ready(power, self.tile) < 1:
            raise Illegal("{tile} is used up until the war ends.", rule=by_class(s, "SOE-11.2.1", "SOE-11.3.1"), tile=self.tile)
        if part.effect in FREE_BUILDS:
            require_free_build(s)
        if part.effect == "company_income":
            if self.on:
                raise Illegal("{tile} simply brings its gold; name nothing with it.", rule="SOE-12.21.1", tile=self.tile)
            require_gold(s, power, part)
        elif part.effect in ("free_build_army", "free_build_navy"):
            unit = FREE_BUILDS[part.effect]
            require_supply(s, power, unit)
            if self.on != power:
                ways.check_way(s, power, unit, power, self.on)
        elif part.effect == "build_army_in_colony":
            require_supply(s, power, "army")
            require_natives(s, power, self.on)
        elif part.effect == "free_alliance" and s.options.alliance.mode == "local":
            require_free_place(s, power, self.on)
        elif part.effect == "free_alliance":
            require_tile(s, power, self.on)
            if s.parts.tile[self.on].kind != "alliance":
                raise Illegal("{tile} takes an alliance, and {on} is none.", rule="SOE-12.12.1", tile=self.tile, on=self.on)
        elif part.effect == "blockade":
            if self.on not in s.parts.colonies or not s.navies(power, self.on):
                raise Illegal("A Blockade is put into a colony where you have a navy, and {on} is no such colony.",
                              rule="SOE-12.20.1", on=self.on)
        elif part.effect == "free_attack":
            raise Illegal("Use War Office with an attack: set its option war_office.", rule="SOE-12.4.1")
        else:
            raise Illegal("{tile} is no free action.", rule="SOE-6.4.3", tile=self.tile)

    def label(self) -> Text:
        return text("Use {tile}: {on}", tile=self.tile, on=self.on) if self.on else text("Use {tile}", tile=self.tile)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        power = s.power(seat)
        own = [tile for tile in s.tiles[power] if s.parts.tile[tile].effect in FREE_EFFECTS]
        if not own:
            raise Illegal("You own no tile that works as a free action.", rule="SOE-6.4.1")
        ready = [tile for tile in own if s.ready(power, tile) > 0]
        if not ready:
            raise Illegal("Used up until the war ends: {tiles}.", rule=by_class(s, "SOE-11.2.1", "SOE-11.3.1"), tiles=tuple(own))
        require_use(s, power, s.parts.tile[ready[0]])

    def cost(self, s: State, seat: Seat) -> Text | None:
        free = s.battle is not None or s.parts.tile[self.tile].effect != "free_alliance"
        return None if free else tile_price(s, s.power(seat), self.on)

    def hazard(self, s: State, seat: Seat) -> Text | None:
        built = s.battle is None and s.parts.tile[self.tile].effect in ("free_build_army", "free_build_navy")
        return odds.crossing(s, s.power(seat), s.power(seat), self.on) if built else None

    def consequence(self, s: State, seat: Seat) -> Text | None:
        if s.battle is None and s.parts.tile[self.tile].effect == "free_alliance":
            return price_warning(s, s.power(seat), self.on)
        return None


def require_use(s: State, power: str, part: Tile) -> None:
    """Raise Illegal with the reason why a ready tile has no use as a free action now (SOE-6.4.6)."""
    if part.effect in FREE_BUILDS:
        require_free_build(s)
        require_supply(s, power, FREE_BUILDS[part.effect])
    match part.effect:
        case "company_income":
            require_gold(s, power, part)
        case "build_army_in_colony":
            raise Illegal("{tile} puts an army into a colony where you have a control marker or a unit; there is none.",
                          rule="SOE-12.7.3", tile=part.id)
        case "free_alliance" if s.options.alliance.mode == "local":
            if free := free_places(s):
                require_free_place(s, power, free[0])
            raise Illegal("{tile} places a local alliance, and no place is free.", rule="SOE-12.12.2", tile=part.id)
        case "free_alliance":
            raise Illegal("{tile} takes an alliance, and the stock has none that you could take now.", rule="SOE-12.12.1",
                          tile=part.id)
        case "blockade":
            raise Illegal("A Blockade is put into a colony where you have a navy, and you have one in none.", rule="SOE-12.20.1")


def require_gold(s: State, power: str, company: Tile) -> None:
    if not company_gold(s, power, company):
        raise Illegal("{tile} would bring no gold: you have no control marker in {areas}.", rule="SOE-6.4.6",
                      tile=company.id, areas=company.areas)


def company_gold(s: State, power: str, tile: Tile) -> int:
    """Gold that a company would bring now (SOE-12.21.1, 12.21.2, 12.21.5)."""
    if tile.effect != "company_income":
        return 0
    markers = sum(s.markers[power].get(area, 0) for area in tile.areas)
    return min(tile.params.max_gold, markers * tile.params.gold_per_control_marker)


def uses(s: State, power: str, tile: Tile) -> list[str]:
    """On what a tile can be used as a free action now (SOE-6.4.6, 12.5 to 12.7, 12.12, 12.20.1)."""
    if tile.effect in FREE_BUILDS and not may_build_free(s):
        return []
    match tile.effect:
        case "free_build_army" | "free_build_navy":
            unit = FREE_BUILDS[tile.effect]
            return [power, *ways.destinations(s, power, unit, power)] if s.supply(power, unit) > 0 else []
        case "build_army_in_colony":
            return ways.natives_colonies(s, power) if s.supply(power, "army") > 0 else []
        case "free_alliance" if s.options.alliance.mode == "local":
            return places_for(s, power)
        case "free_alliance":
            return [other.id for other in s.parts.alliances if s.stock.get(other.id) and affordable(s, power, other)]
        case "blockade":
            return [area for area in s.parts.colonies if s.navies(power, area)]
    return []


def fight_tile(s: State, power: str) -> str:
    """The tile that this power may use at this moment of the fight, or "" (SOE-12.3, 12.18, 12.20.8)."""
    battle = s.battle
    assert battle is not None, "no battle is fought"
    if not battle.dice:
        tile = s.parts.by_effect.get("blockade", "")
        return tile if battle.support == power and not battle.blockading and s.ready(power, tile) > 0 else ""
    tile = s.parts.by_effect.get("no_defender_losses" if battle.decided else "reroll_both", "")
    if battle.decided and power != battle.defender:
        return ""
    return tile if s.ready(power, tile) > 0 else ""


class End(Action):
    """End your turn; actions that are left are passed."""

    verb: ClassVar[str] = "end"

    def label(self) -> Text:
        return text("End the turn")


class Decline(Action):
    """Decline what is offered: a fight, a tile, a further unit or move."""

    verb: ClassVar[str] = "decline"

    def label(self) -> Text:
        return text("No")


# --- reactions ------------------------------------------------------------------------------------------------

class Call(Action):
    """Say which allies you call for help."""

    verb: ClassVar[str] = "call"
    allies: tuple[str, ...] = Field((), description="Allies, separated by commas; leave out to call nobody")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Call]:
        able = s.able_helpers(s.power(seat))
        for number in range(len(able), -1, -1):
            for allies in combinations(able, number):
                yield cls.of(allies)

    def check(self, s: State, seat: Seat) -> None:
        able = s.able_helpers(s.power(seat))
        for ally in self.allies:
            if ally not in able:
                raise Illegal("{ally} cannot help you here; you can call {able}.", rule="SOE-9.4.3", ally=ally, able=tuple(able))
        if list(self.allies) != [ally for ally in able if ally in self.allies]:
            raise Illegal("Name each ally once, in the order {able}.", rule="SOE-9.4.3", able=tuple(able))

    def label(self) -> Text:
        return text("Call {allies}", allies=self.allies) if self.allies else text("Call nobody")


class Commit(Action):
    """Send armies and navies you have there to an ally's fight, or none."""

    verb: ClassVar[str] = "commit"
    armies: int = Field(ge=0, description="Armies for the fight on land")
    navies: int = Field(ge=0, description="Navies for the fight at sea")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Commit]:
        most = can_send(s, s.power(seat))
        for armies in range(most["army"] + 1):
            for navies in range(most["navy"] + 1):
                yield cls.of(armies, navies)

    def check(self, s: State, seat: Seat) -> None:
        most = can_send(s, s.power(seat))
        for number, kind in ((self.armies, "army"), (self.navies, "navy")):
            if number > most[kind]:
                raise Illegal("You have {here} there for this fight, so you cannot send {sent}.", rule="SOE-9.4.4",
                              here=units(most[kind], kind), sent=number)

    def label(self) -> Text:
        sent = tuple(units(n, kind) for n, kind in ((self.armies, "army"), (self.navies, "navy")) if n)
        return text("Send {sent}", sent=sent) if sent else text("Send nothing")


def can_send(s: State, ally: str) -> dict[str, int]:
    """What an ally could commit to the principal of its row (SOE-9.4.4, 9.4.14, 9.4.15)."""
    battle = s.battle
    assert battle is not None, "no battle is fought"
    principal = battle.attacker if battle.attacker in s.allies(ally) else battle.defender
    return {kind: s.may_send(ally, principal, kind) for kind in ("army", "navy")}


class Fight(Action):
    """Fight at sea."""

    verb: ClassVar[str] = "fight"
    alliances: tuple[str, ...] = Field((), exclude_if=unused, description="Alliances that help you there instead of on land")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Fight]:
        able = two_way(s, seat)
        for number in range(len(able) + 1):
            for alliances in dict.fromkeys(combinations(able, number)):
                yield cls.of(alliances)

    def check(self, s: State, seat: Seat) -> None:
        if not self.alliances or self in self.options(s, seat):
            return
        if not s.options.reactions.parallel:
            raise Illegal("Only say that you fight; where your alliances help is asked after that.", rule="SOE-13.3.3")
        able = two_way(s, seat)
        if not able:
            raise Illegal("You have no alliance here that can help at sea and on land, so there is none to name.",
                          rule="SOE-13.3.11")
        raise Illegal("Of the alliances that can help at sea and on land, name those that help at sea, each once and in this "
                      "order: {able}.", rule="SOE-13.3.2", able=able)

    def label(self) -> Text:
        return text("Fight at sea, there with {alliances}", alliances=self.alliances) if self.alliances else text("Fight at sea")


def two_way(s: State, seat: Seat) -> tuple[str, ...]:
    """The alliances of which a principal must say where they help, if all are asked at once (SOE-13.3.2, 20.1.8)."""
    return tuple(s.two_way_alliances(s.power(seat))) if s.options.reactions.parallel and s.battle is not None else ()


class Assign(Action):
    """Say in which fight an alliance helps you."""

    verb: ClassVar[str] = "alliance"
    typed: ClassVar[bool] = False
    stage: Literal["sea", "land"] = Field(description="At sea or on land")

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Assign]:
        return [cls.of(ON_LAND), cls.of(AT_SEA)]

    def label(self) -> Text:
        return text("At sea") if self.stage == AT_SEA else text("On land")


class Lose(Action):
    """Say which unit is lost."""

    verb: ClassVar[str] = "lose"
    owner: str = Field(description="Whose unit")
    unit: Unit = Field(description="Army, navy or fort")

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Lose]:
        due = s.battle.due if s.battle else None
        lost = s.losses_of(due.side, own_first=due.own_first, fort_too=due.fort_too) if due else []
        return [cls.of(owner, unit) for owner, unit in lost]

    def check(self, s: State, seat: Seat) -> None:
        if self not in self.options(s, seat):
            raise Illegal("{unit} of {owner} cannot be lost here.", rule="SOE-9.10.3", unit=capital_unit(self.unit),
                          owner=self.owner)

    def label(self) -> Text:
        return text("{unit} of {owner}", unit=a_unit(self.unit), owner=self.owner)


class Give(Aside):
    """Give gold to another power, at any time."""

    verb: ClassVar[str] = "give"
    to: str = Field(description="Who gets it")
    gold: int = Field(ge=1, description="Gold pieces that you have")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Give]:
        power = s.power(seat)
        if not power or not may_give(s, power):
            return
        for other in s.powers:
            if other and other != power:
                for amount in range(1, largest_gift(s, power) + 1):
                    yield cls(to=other, gold=amount)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_giver(s, power)
        if self.to in s.npps:
            raise Illegal("{to} is a non-player power and has no gold.", rule="SOE-19.1.2", to=self.to)
        if not self.to or self.to not in s.powers or self.to == power:
            raise Illegal("{to} is no other power of this game.", rule="SOE-16.1.3", to=self.to)
        if self.gold > largest_gift(s, power):
            if s.options.tax.for_gifts:
                raise Illegal("You have {purse}, and with what you may tax for a gift it is at most {most}.", rule="SOE-16.1.4",
                              purse=gold(s.gold[power]), most=gold(largest_gift(s, power)))
            raise Illegal("You have {purse}, so you cannot give {gold}.", rule="SOE-16.1.4", purse=gold(s.gold[power]),
                          gold=self.gold)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_giver(s, power)
        if not largest_gift(s, power):
            raise Illegal("You have no gold that you could give.", rule="SOE-16.1.4")
        raise Illegal("Nobody else has chosen a power yet.", rule="SOE-16.1.3")

    def events(self, s: State, seat: Seat) -> Iterable[Event]:
        yield from taxation(s, s.power(seat), self.gold)
        yield GoldGiven(giver=s.power(seat), receiver=self.to, gold=self.gold, secret=not s.options.gifts.public)

    def label(self) -> Text:
        return text("Give {to} {gold}", to=self.to, gold=gold(self.gold))

    def consequence(self, s: State, seat: Seat) -> Text | None:
        return debt_warning(s, s.power(seat), self.gold)


def require_giver(s: State, power: str) -> None:
    if not power:
        raise Illegal("You have no gold before you have chosen a power.", rule="SOE-2.1.11")
    if not may_give(s, power):
        raise Illegal("In this game gold is given in the own turn only.", rule="SOE-16.1.3")


def largest_gift(s: State, power: str) -> int:
    """What a power can give at once: its gold, and by an option what it may tax for it (SOE-3.1.5, 16.1.4).

    So many taxations as make a power collapse are the limit, lest gifts from the bank be limitless (AMB-09).
    """
    taxed = s.tax(power) * s.parts.set_up(len(s.seats)).unrest_collapse if s.options.tax.for_gifts else 0
    return s.gold[power] + taxed


def may_give(s: State, power: str) -> bool:
    return s.options.gifts.when == "any" or s.active == power


ALL: tuple[type[Action], ...] = (
    Choose, Place, Bid, Pass, Build, Rebuild, Send, Move, Attack, Colonise, Enslave, Take, Use, End, Decline, Call, Commit, Fight,
    Assign, Lose)
