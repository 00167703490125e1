"""The components of Attack! as data: territories, seas, economic cards, units, ships. A fault names record and field."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, ValidationError, model_validator

from engine.data_packs import validated
from engine.kernel.model import Record

Unit = Literal["infantry", "tank", "artillery", "plane"]
Ship = Literal["destroyer", "submarine", "battleship", "aircraft_carrier"]
UNITS: tuple[Unit, ...] = ("infantry", "tank", "artillery", "plane")                    # in the order of casualties
BY_VALUE: tuple[Unit, ...] = ("plane", "tank", "artillery", "infantry")                 # where types tie, ATK-21.6.1
SHIPS: tuple[Ship, ...] = ("destroyer", "submarine", "battleship", "aircraft_carrier")
MOST, FEW = 1_000, 20           # so large may numbers of a data pack be: menus list what can be bought, placed and moved
Number = Annotated[int, Field(ge=0, le=MOST)]
Positive = Annotated[int, Field(ge=1, le=MOST)]
Factor = Annotated[int, Field(ge=1, le=FEW)]            # of points, dice or turns
PLAYERS = 6                     # at most, each with a colour: ATK-1.1.1, 1.1.2
BLANK = "blank"                 # the face of the battle die that hits nobody


class Part(Record):
    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)
    provenance: str


class Continent(Part):
    id: str
    name: str


class Territory(Part):
    id: str
    name: str
    continent: str
    adjacent: tuple[str, ...]
    coastal_zones: tuple[str, ...]
    capital_allowed: bool
    lon: float
    lat: float


class Region(Part):
    """Land that nobody enters, crosses or owns (ATK-2.1.3)."""

    id: str
    name: str
    lon: float
    lat: float


class Zone(Part):
    id: str
    label: str
    anchor: bool
    coastal_territories: tuple[str, ...]
    adjacent_zones: tuple[str, ...]
    lon: float
    lat: float


class Route(Part):
    id: str
    origin: str = Field(alias="from")
    to: str | None                      # None: it ends in open sea
    through: tuple[str, ...] = Field(min_length=1)
    active: bool


class Force(Record):
    """Land units by type."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    infantry: Number
    tank: Number
    artillery: Number
    plane: Number

    @property
    def units(self) -> dict[str, int]:
        """Type to number; a type that is missing has none."""
        return {unit: number for unit in UNITS if (number := getattr(self, unit))}


class Card(Part):
    id: str
    type: Literal["population", "oil", "minerals", "factories", "railroads"]
    weight: Factor
    neutral_defenders: Force

    @cached_property
    def kind(self) -> str:
        """Type and weight: cards of one kind are worth the same in every hand."""
        return f"{self.type}_{self.weight}"


class SetRule(Part):
    types: tuple[str, ...] = Field(min_length=1)
    multiplier: Factor


class UnitKind(Part):
    id: Unit
    name: str
    cost_pp: Positive
    battle_dice: Factor
    casualty_rank: int
    move: int = Field(ge=1, le=2)
    may_blitz: bool
    cross_foreign: bool
    sea_blockable: bool
    starting_pool: Number


class Face(Part):
    id: str
    symbol: Literal["infantry", "tank", "artillery", "plane", "blank"]


class ShipKind(Part):
    id: Ship
    name: str
    cost_pp: Positive
    hits_to_sink: int = Field(ge=1, le=2)
    starting_fleet: Number


class Modifier(Part):
    """What a ship adds to its dice: against certain enemies, or beside certain ships of its own line (13.4)."""

    id: str
    kind: Literal["match_up", "adjacent_in_line"]
    own: str
    enemy: tuple[Ship, ...] = ()
    beside: Ship | None = None
    bonus: int = 0
    bonus_each: int = 0
    max_bonus: int = 0


class Value(Part):
    id: str
    value: Any


class Numbers(Record):
    """The numbers of `parameters` that the rules use. Those that only one value makes sense of are fixed."""

    player_colors: tuple[str, ...]
    min_battle_dice: Positive                                   # ATK-7.4.2
    first_round_cap: Positive                                   # ATK-7.1.3, 7.3.1
    cap_step_per_round: Number                                  # ATK-7.3.1
    casualty_order: tuple[Unit, ...]                            # ATK-7.6.1
    setup_infantry_claims: Positive                             # ATK-3.3.1
    setup_extra_units: Number                                   # ATK-3.4.1
    starting_economic_cards: Number                             # ATK-3.1.3
    capitals_per_player: Literal[1]                             # ATK-3.5.1
    capital_bonus_pp: Number                                    # ATK-16.1.2
    actions_per_turn: Factor                                    # ATK-4.1.1
    repeatable_actions: tuple[str, ...]                         # ATK-4.1.3
    diplomacy_target_adjacent: int                              # ATK-14.1.2
    diplomacy_target_distant: int                               # ATK-14.1.2
    diplomacy_target_rivals: int                                # ATK-14.3.1
    trade_ban_rounds_before_end: Number                         # ATK-17.4.1
    trade_ban_minutes_before_end: Number                        # ATK-17.4.1
    empty_deck_defenders: Force                                 # ATK-15.4.2
    max_ships_in_line: Positive                                 # ATK-13.2.1


class Parts(Record):
    """All components, with quick look-ups."""

    edition: str
    title: str
    continents: tuple[Continent, ...]
    territories: tuple[Territory, ...]
    unplayable_regions: tuple[Region, ...]
    sea_zones: tuple[Zone, ...]
    sea_routes: tuple[Route, ...]
    set_rule: SetRule
    cards: tuple[Card, ...]
    units: tuple[UnitKind, ...]
    battle_die: tuple[Face, ...] = Field(min_length=1)
    ships: tuple[ShipKind, ...]
    modifiers: tuple[Modifier, ...]
    parameters: tuple[Value, ...]

    @model_validator(mode="after")
    def fits_together(self) -> Parts:
        faults = [*self._doubles(), *self._faults_on_land(), *self._faults_at_sea()] or [*self._faults_of_numbers()]
        if faults:
            raise ValueError("\n".join(faults))
        return self

    def _doubles(self) -> Iterator[str]:
        lists: dict[str, Iterable[Any]] = {
            "continents": self.continents, "territories": self.territories, "sea_zones": self.sea_zones,
            "sea_routes": self.sea_routes, "cards": self.cards, "units": self.units, "ships": self.ships,
            "unplayable_regions": self.unplayable_regions, "parameters": self.parameters}
        for name, records in lists.items():
            ids = [record.id for record in records]
            if len(set(ids)) != len(ids):
                yield f"{name}: an id occurs twice"
        if {kind.id for kind in self.units} != set(UNITS) or {kind.id for kind in self.ships} != set(SHIPS):
            yield "units and ships: each type is listed once"

    def _faults_on_land(self) -> Iterator[str]:
        known, continents = {land.id: land for land in self.territories}, {continent.id for continent in self.continents}
        for land in self.territories:
            if land.continent not in continents:
                yield f"territories, {land.id}, continent: there is no continent {land.continent}"
            for other in land.adjacent:
                if other not in known or other == land.id or land.id not in known[other].adjacent:
                    yield f"territories, {land.id}, adjacent: {other} does not name it as a neighbour"
        if len(self.cards) < len(known):
            yield f"cards: {len(self.cards)} cards do not suffice for {len(known)} territories"

    def _faults_at_sea(self) -> Iterator[str]:
        known, zones = {land.id: land for land in self.territories}, {zone.id: zone for zone in self.sea_zones}
        for land in self.territories:
            for zone in land.coastal_zones:
                if zone not in zones or land.id not in zones[zone].coastal_territories:
                    yield f"territories, {land.id}, coastal_zones: {zone} does not name it as a shore"
        for sea in self.sea_zones:
            for shore in sea.coastal_territories:
                if shore not in known or sea.id not in known[shore].coastal_zones:
                    yield f"sea_zones, {sea.id}, coastal_territories: {shore} does not name it as a sea"
        for route in self.sea_routes:
            if strange := [zone for zone in route.through if zone not in zones]:
                yield f"sea_routes, {route.id}, through: there is no zone {strange[0]}"
                continue
            ends = [(route.origin, route.through[0]), *([(route.to, route.through[-1])] if route.to else [])]
            for end, zone in ends:
                if end not in zones[zone].coastal_territories:
                    yield f"sea_routes, {route.id}: {end} is no shore of {zone}"
            if route.active and (route.to is None or route.to == route.origin):
                yield f"sea_routes, {route.id}: an active route joins two territories"

    def _faults_of_numbers(self) -> Iterator[str]:
        """Yield what makes no sense once all records and what they name are there."""
        try:
            numbers = self.numbers
        except ValidationError as why:
            yield from (f"parameters, {fault['loc'][0]}: {fault['msg']}" for fault in why.errors())
            return
        yield from self._faults_of_battles(numbers)
        yield from self._faults_of_the_setup(numbers)
        for continent in self.continents:
            size = sum(land.continent == continent.id for land in self.territories)
            if size < len(numbers.player_colors):
                yield f"continents, {continent.id}: it has {size} territories, fewer than there can be players"
        reached, found = {self.territories[0].id}, [self.territories[0].id]
        while found:
            here = found.pop()
            new = {*self.territory[here].adjacent, *self.sea_linked[here]} - reached
            reached |= new
            found += sorted(new)
        if apart := [land.id for land in self.territories if land.id not in reached]:
            yield f"territories, {apart[0]}: no way leads there"

    def _faults_of_battles(self, numbers: Numbers) -> Iterator[str]:
        """A battle of a type that hits with no face of the die would never end [ATK-7.7.6]."""
        yield from (f"battle_die: no face shows {unit}" for unit in UNITS if unit not in self.faces)
        if sorted(numbers.casualty_order) != sorted(UNITS):
            yield "parameters, casualty_order: it names each type once"

    def _faults_of_the_setup(self, numbers: Numbers) -> Iterator[str]:
        """Everybody has the infantry for their first territories, and there are enough of these for all [ATK-3.3.1]."""
        claims, infantry = numbers.setup_infantry_claims, self.unit["infantry"].starting_pool
        if len({*numbers.player_colors}) < max(PLAYERS, len(numbers.player_colors)):
            yield f"parameters, player_colors: it names {PLAYERS} colours or more, each once"
        if claims > infantry:
            yield f"units, infantry, starting_pool: {infantry} do not suffice for {claims} territories"
        if claims * len(numbers.player_colors) > len(self.territories):
            yield f"parameters, setup_infantry_claims: there are not {claims} territories for each player"

    @cached_property
    def territory(self) -> dict[str, Territory]:
        return {land.id: land for land in self.territories}

    @cached_property
    def printed(self) -> tuple[tuple[str, str, str], ...]:
        """Return what is printed on each territory: id, name, continent."""
        return tuple((land.id, land.name, land.continent) for land in self.territories)

    @cached_property
    def sea_linked(self) -> dict[str, tuple[str, ...]]:
        """Territory to those that a route or an anchor zone joins to it, in the order of the data (ATK-2.3.1 to 2.3.4)."""
        links: dict[str, set[str]] = {land.id: set() for land in self.territories}
        for route in self.sea_routes:
            if route.active and route.to is not None:
                links[route.origin].add(route.to)
                links[route.to].add(route.origin)
        for zone in self.sea_zones:
            if zone.anchor:
                for shore in zone.coastal_territories:
                    links[shore] |= {other for other in zone.coastal_territories if other != shore}
        return {land.id: tuple(other.id for other in self.territories if other.id in links[land.id]) for land in self.territories}

    @cached_property
    def next_to(self) -> dict[tuple[str, bool], tuple[tuple[str, Literal["land", "water"]], ...]]:
        """Where one step leads from a territory, by land or, if so asked, by water, too; in the order of the data."""
        ways: tuple[Literal["land", "water"], ...] = ("land", "water")
        return {(land.id, afloat): tuple([
            (goal, way) for goal in self.territory for way in ways
            if goal in (land.adjacent if way == "land" else self.sea_linked[land.id] if afloat else ())])
            for land in self.territories for afloat in (False, True)}

    @cached_property
    def card(self) -> dict[str, Card]:
        return {card.id: card for card in self.cards}

    @cached_property
    def unit(self) -> dict[str, UnitKind]:
        return {kind.id: kind for kind in self.units}

    @cached_property
    def ship(self) -> dict[str, ShipKind]:
        return {kind.id: kind for kind in self.ships}

    @cached_property
    def faces(self) -> tuple[str, ...]:
        """Return what the battle die shows, by what was rolled less one (ATK-1.1.7)."""
        return tuple(face.symbol for face in self.battle_die)

    @cached_property
    def numbers(self) -> Numbers:
        return Numbers.model_validate({value.id: value.value for value in self.parameters})

    @cached_property
    def kinds_of_cards(self) -> tuple[str, ...]:
        """Type and weight of all cards, in the order of the data, heavier ones last."""
        return tuple(dict.fromkeys(card.kind for card in sorted(self.cards, key=lambda card: card.weight)))

    @cached_property
    def cards_of_kind(self) -> Mapping[str, int]:
        return Counter(card.kind for card in self.cards)


def parts(raw: Mapping[str, Any]) -> Parts:
    """Component data, validated. Raises Faulty with all lists, records and fields that are wrong."""
    return validated(Parts, raw)
