"""The components of one edition as data: areas, powers, neutral markers, tiles. Validated; a fault names record and field."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Literal

from pydantic import ConfigDict, Field, ValidationError, model_validator

from engine.data_packs import validated
from engine.kernel.model import Record

PIRATES, REVOLT = "pirates", "slave_revolt"
NEUTRAL = "neutral_"        # begins the face of a neutral marker that has a strength
UNITS = ("army", "navy", "fort")
MOST_MARKERS = 1_000        # in the unrest bag: at most so many are drawn one by one
MOST_FACES = 100            # of the Far Lands die
Unit = Literal["army", "navy", "fort"]
EFFECTS = frozenset({           # what the improvement tiles do; the rules know each by its effect (chapter 12)
    "training_land", "training_sea", "reroll_both", "free_attack", "free_build_army", "free_build_navy", "build_army_in_colony",
    "extra_build", "extra_move", "tax_three", "sea_check_plus_two", "free_alliance", "population_plus_one", "lose_two_unrest",
    "gain_three_vp", PIRATES, REVOLT, "no_defender_losses", "no_defender_helpers", "blockade"})


class Part(Record):
    provenance: str


class Area(Part):
    id: str
    name: str
    vp: tuple[int, ...] = Field(min_length=1)
    zone: str
    colony: bool
    america: bool
    naval: bool
    country_counters: int = Field(ge=0)
    adjacent_areas: tuple[str, ...]
    adjacent_homes: tuple[str, ...]
    army_entry_by_ship_in: tuple[str, ...]      # an own navy in one of these lets an army in
    naval_support_from: str | None              # the sea area of its naval stage


class Home(Part):
    id: str
    name: str
    zone: str


class Neutral(Part):
    id: str
    area: str
    kind: Literal["strength", "pop", "slaves"]
    strength: int | None = Field(ge=1)
    gold: int = Field(ge=0)
    vp: int = Field(ge=0)

    @model_validator(mode="after")
    def has_a_number(self) -> Neutral:
        if (self.kind == "strength") != (self.strength is not None):
            raise ValueError("a marker has a strength exactly if its kind is strength")
        return self

    @cached_property
    def face(self) -> str:
        """Return what tells it from others of its area: equal markers have equal faces."""
        if self.kind != "strength":
            return self.kind
        bonus = (f"_gold_{self.gold}" if self.gold else "") + (f"_point_{self.vp}" if self.vp else "")
        return f"{NEUTRAL}{self.strength}{bonus}"

    @cached_property
    def worth(self) -> tuple[str, int, int, int]:
        """Kind, defence number or 0, bonus in gold and in victory points."""
        return self.kind, self.strength or 0, self.gold, self.vp

    @property
    def face_name(self) -> str:
        if self.kind != "strength":
            return "colonist marker" if self.kind == "pop" else "slave marker"
        bonus = [*([f"+{self.gold} gold"] if self.gold else []), *([f"+{self.vp} point"] if self.vp else [])]
        return f"neutral marker {self.strength}" + (f" ({', '.join(bonus)})" if bonus else "")


class Cost(Record):
    model_config = ConfigDict(frozen=True, extra="forbid")
    gold: int = Field(ge=0)
    population: int = Field(ge=0)
    unrest: int = Field(ge=0)


class Params(Record):
    """What an effect must know: a company its gold, an alliance its fights; each leaves out what it does not need."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    areas: tuple[str, ...] = ()
    units: Literal["army", "navy", "army_or_navy"] | None = None    # fights in which an alliance helps
    bonus: int = Field(default=1, ge=0)                                     # strength that an alliance adds
    gold_per_control_marker: int = Field(default=0, ge=0)                   # of a company
    max_gold: int = Field(default=0, ge=0)                                  # of a company, at each use


class Tile(Part):
    id: str
    name: str
    kind: Literal["improvement", "free_action", "military_tactics", "immediate", "company", "alliance"]
    count: int = Field(ge=0)
    cost: Cost
    limit_per_player: int | None = Field(ge=0)
    after_use: Literal["keep", "exhaust", "remove", "stock", "stock_at_war_end"]
    effect: str
    params: Params
    description: str

    @property
    def areas(self) -> tuple[str, ...]:
        return self.params.areas

    @property
    def bonus(self) -> int:
        """Strength that an alliance adds."""
        return self.params.bonus

    @property
    def helps_at_sea(self) -> bool:
        return self.params.units in ("navy", "army_or_navy")

    @property
    def helps_on_land(self) -> bool:
        return self.params.units in ("army", "army_or_navy")


class Place(Part):
    """A place for one local alliance marker (SOE-13.2)."""

    id: str
    name: str
    areas: tuple[str, ...] = Field(min_length=1)
    gold: int = Field(ge=0)
    units: Literal["army", "navy", "army_or_navy"]      # fights in which it helps
    bonus: int = Field(ge=0)

    @property
    def cost(self) -> Cost:
        return Cost(gold=self.gold, population=0, unrest=0)

    @property
    def helps_at_sea(self) -> bool:
        return self.units in ("navy", "army_or_navy")

    @property
    def helps_on_land(self) -> bool:
        return self.units in ("army", "army_or_navy")


class Token(Part):
    """A covert token (SOE-14.1.2)."""

    id: Literal["pirates", "slave_revolt"]
    name: str
    strength: int = Field(ge=0)


class Fix(Record):
    """What gold makes of a bad crossing (SOE-8.4.3, 8.4.4)."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    gold: int = Field(ge=0)
    to: Literal["ok", "back"]


class Face(Part):
    """One symbol of the Far Lands die, and on how many faces it stands (SOE-8.4.1, 8.4.2)."""

    id: str
    count: int = Field(ge=0)
    result: Literal["ok", "back", "lost"]
    fixes: tuple[Fix, ...]


class UnrestMarkers(Part):
    """Equal unrest markers of the bag (SOE-3.3.7)."""

    id: str
    value: int = Field(ge=0)
    count: int = Field(ge=0)


class Setup(Part):
    players: int
    rounds_per_war: int = Field(ge=1)
    counters_placed: tuple[int, int, int]                           # at every number of players the same (SOE-4.2.2)
    counters_by_players: tuple[int, int, int] | None = None         # SOE-4.2.3
    counters_drawn_per_player: int = Field(ge=0)
    start_units_per_player: int = Field(ge=0)
    start_gold: int = Field(ge=0)
    start_population: int = Field(ge=0, le=9)
    start_vp: int
    unrest_penalty: tuple[int, ...]                                 # SOE-18.2.2
    unrest_penalty_by_players: tuple[int, ...] | None = None        # SOE-18.2.3 to 18.2.5
    unrest_collapse: int
    company_tiles_per_player_max: int | None = None                 # SOE-12.21.4
    npp_control_markers_each: int = Field(default=0, ge=0)                  # SOE-19.1.5, 19.1.7
    npp_units_each: int = Field(default=0, ge=0)                            # SOE-19.1.7
    npp_control_marker_defence: int | None = None                   # SOE-19.2.4

    @model_validator(mode="after")
    def defends_its_markers(self) -> Setup:
        if self.npp_control_markers_each and self.npp_control_marker_defence is None:
            raise ValueError("npp_control_markers_each needs npp_control_marker_defence, the strength with which one defends")
        return self


class Value(Part):
    id: str
    value: Any


class Numbers(Record):
    """The numbers of `rules_values`: gold, population, strength, unrest. Those that only one value makes sense of are fixed."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    attack_cost_gold: int = Field(ge=0)                 # SOE-9.3.1
    tax_gold_per_unrest: int = Field(ge=1)              # SOE-3.2.2
    population_min_max: tuple[Literal[0], int]          # SOE-3.4.1
    population_growth: int = Field(ge=0)                # SOE-17.3.1
    income_per_population: int = Field(ge=0)            # SOE-17.1.1
    income_per_control_marker: int = Field(ge=0)        # SOE-17.1.2
    upkeep_per_unit: int = Field(ge=0)                  # SOE-17.2.1
    fort_defence: int = Field(ge=0)                     # SOE-9.6.4
    naval_support: int = Field(ge=0)                    # SOE-9.6.5
    extra_loss_on_dice_sum: int                         # SOE-9.10.2
    unrest_per_lost_unit: int = Field(ge=0)             # SOE-3.3.1
    tile_purchases_per_turn: Literal[1]                 # SOE-6.2.2
    colonize_or_enslave_per_turn: Literal[1]            # SOE-6.2.3
    special_actions_per_turn: Literal[1] = 1            # SOE-6.3.2
    pass_unrest_relief: int = Field(default=1, ge=0)            # SOE-15.1.3
    tax_only_when_out_of_gold: Literal[True] = True     # SOE-3.2.5
    unrest_bag_empty: Literal["fill it again with the whole set"] = "fill it again with the whole set"     # SOE-1.1.13
    slaves_need_ship_in: str                            # SOE-10.1.2
    improvement_tiles_in_box: int                       # for information
    final_tie_break: Literal["fewest unrest, then shared"]      # SOE-18.3.2


class UnitCounts(Part):
    army: int = Field(ge=0)
    navy: int = Field(ge=0)
    fort: int = Field(ge=0)
    control_marker: int = Field(ge=0)


class SeaCheck(Part):
    """Results of the first and second die of a crossing (SOE-8.3.4)."""

    first_die: Mapping[int, Literal["ok", "roll_again"]]
    second_die: Mapping[int, Literal["lost", "back", "ok"]]


class Parts(Record):
    """All components, with quick look-ups. Units: gold pieces, victory points."""

    edition: str
    title: str
    areas: tuple[Area, ...]
    home_countries: tuple[Home, ...]
    country_counters: tuple[Neutral, ...]
    tiles: tuple[Tile, ...]
    units_per_player: UnitCounts
    setup: tuple[Setup, ...]
    sea_check: SeaCheck
    rules_values: tuple[Value, ...]
    local_alliances: tuple[Place, ...] = ()         # these four are empty in games that began before there was Deluxe
    covert_tokens: tuple[Token, ...] = ()
    far_lands_die: tuple[Face, ...] = ()
    unrest_bag: tuple[UnrestMarkers, ...] = ()

    @model_validator(mode="after")
    def fits_together(self) -> Parts:
        if faults := list(self._faults()):
            raise ValueError("\n".join(faults))
        return self

    def _faults(self) -> Iterator[str]:
        """Yield what does not fit together, each as a sentence with list, record and field, and what would fit."""
        areas, homes = {area.id for area in self.areas}, {home.id for home in self.home_countries}
        known = f"there are {', '.join(area.id for area in self.areas)}"
        for area in self.areas:
            if strange := {*area.adjacent_areas, *area.army_entry_by_ship_in} - areas | set(area.adjacent_homes) - homes:
                yield f"areas, {area.id}: unknown neighbours {', '.join(sorted(strange))}; {known}"
            if area.naval_support_from not in (None, *self.seas):
                yield (f"areas, {area.id}, naval_support_from: {area.naval_support_from} is no sea area; "
                       f"there are {', '.join(self.seas)}")
            belonging = sum(marker.area == area.id for marker in self.country_counters)
            if belonging != area.country_counters:
                yield (f"areas, {area.id}, country_counters: it says {area.country_counters}, "
                       f"but {belonging} markers belong to it")
        for marker in self.country_counters:
            if marker.area not in areas:
                yield f"country_counters, {marker.id}, area: there is no area {marker.area}; {known}"
        for tile in self.tiles:
            if strange := set(tile.areas) - areas:
                yield f"tiles, {tile.id}, params: unknown areas {', '.join(sorted(strange))}; {known}"
            if tile.effect in (PIRATES, REVOLT) and tile.effect != tile.id:
                yield f"tiles, {tile.id}, effect: {tile.effect} belongs to the tile of that id"
        if self.unrest_bag and not 0 < sum(kind.count for kind in self.unrest_bag) <= MOST_MARKERS:
            yield f"unrest_bag, count: the bag holds 1 to {MOST_MARKERS} markers in all"
        for place in self.local_alliances:
            if strange := set(place.areas) - areas:
                yield f"local_alliances, {place.id}, areas: unknown areas {', '.join(sorted(strange))}; {known}"
        if self.far_lands_die:
            yield from self._faulty_die()
        effects = [tile.effect for tile in self.tiles if tile.kind not in ("company", "alliance")]
        if wrong := sorted(EFFECTS.symmetric_difference(effects) | {effect for effect in effects if effects.count(effect) > 1}):
            yield f"tiles, effect: each effect belongs to one improvement tile; see {', '.join(wrong)}"
        yield from self._faulty_numbers()
        for name, ids in (("areas", [a.id for a in self.areas]), ("tiles", [t.id for t in self.tiles]),
                          ("country_counters", [m.id for m in self.country_counters]),
                          ("local_alliances", [p.id for p in self.local_alliances]),
                          ("unrest_bag", [kind.id for kind in self.unrest_bag]),
                          ("far_lands_die", [face.id for face in self.far_lands_die])):
            if len(set(ids)) != len(ids):
                yield f"{name}: an id occurs twice"

    def _faulty_die(self) -> Iterator[str]:
        """Of the Far Lands die, and of what else a game needs that can be played by the rules of the Deluxe edition."""
        if not 0 < sum(face.count for face in self.far_lands_die) <= MOST_FACES:
            yield f"far_lands_die, count: the die has 1 to {MOST_FACES} faces in all"
        for result in ("ok", "back", "lost"):
            if all(face.result != result for face in self.far_lands_die):
                yield f"far_lands_die, result: one face, if perhaps of count 0, has the result {result}"
        for face in self.far_lands_die:
            if len({fix.to for fix in face.fixes}) != len(face.fixes):
                yield f"far_lands_die, {face.id}, fixes: each better result has one price"
        for setup in self.setup:
            if setup.counters_by_players is None:
                yield f"setup, {setup.players}, counters_by_players: this is missing"
            if setup.unrest_penalty_by_players is None:
                yield f"setup, {setup.players}, unrest_penalty_by_players: this is missing"

    def _faulty_numbers(self) -> Iterator[str]:
        try:
            ship_in = self.numbers.slaves_need_ship_in
        except ValidationError as why:
            yield from [f"rules_values, {fault['loc'][0]}: {fault['msg']}" for fault in why.errors()]
            return
        if ship_in not in self.seas:
            yield f"rules_values, slaves_need_ship_in: {ship_in} is no sea area; there are {', '.join(self.seas)}"

    @cached_property
    def area(self) -> dict[str, Area]:
        return {area.id: area for area in self.areas}

    @cached_property
    def tile(self) -> dict[str, Tile]:
        return {tile.id: tile for tile in self.tiles}

    @cached_property
    def neutral(self) -> dict[str, Neutral]:
        return {marker.id: marker for marker in self.country_counters}

    @cached_property
    def zone(self) -> dict[str, str]:
        """Place (area or home) to zone."""
        return {area.id: area.zone for area in self.areas} | {home.id: home.zone for home in self.home_countries}

    @cached_property
    def seas(self) -> tuple[str, ...]:
        """The sea areas, in the order of the data (SOE-1.4.4)."""
        return tuple(area.id for area in self.areas if area.naval)

    @cached_property
    def colonies(self) -> tuple[str, ...]:
        return tuple(area.id for area in self.areas if area.colony)

    @cached_property
    def powers(self) -> tuple[str, ...]:
        return tuple(home.id for home in self.home_countries)

    @cached_property
    def limit(self) -> dict[str, int]:
        """Units of each kind that a power owns (SOE-1.1.4)."""
        return {"army": self.units_per_player.army, "navy": self.units_per_player.navy, "fort": self.units_per_player.fort}

    @cached_property
    def by_effect(self) -> dict[str, str]:
        return {tile.effect: tile.id for tile in self.tiles if tile.kind not in ("company", "alliance")}

    @cached_property
    def home_name(self) -> dict[str, str]:
        return {home.id: home.name for home in self.home_countries}

    @cached_property
    def stalls(self) -> dict[tuple[str, ...], list[tuple[str, dict[int, Any]]]]:
        """Options to the tiles that are in play by them, each with how it has looked in stocks so far, by the copies left."""
        return {}

    @cached_property
    def alliances(self) -> tuple[Tile, ...]:
        return tuple(tile for tile in self.tiles if tile.kind == "alliance")

    @cached_property
    def printed_costs(self) -> dict[str, Cost]:
        """Id to cost, of tiles and local alliances; a place asks what the tile of the same minor state does (SOE-13.1.2)."""
        tiles = {tile.name: tile.cost for tile in reversed(self.alliances)}
        return {**{tile.id: tile.cost for tile in self.tiles},
                **{place.id: tiles.get(place.name, place.cost) for place in self.local_alliances}}

    @cached_property
    def other_costs(self) -> dict[str, Cost]:
        """Return the costs with the other edition's prices of alliances: a tile asks what the place of the same minor state
        does."""
        places = {place.name: place.cost for place in reversed(self.local_alliances)}
        return {**{tile.id: places.get(tile.name, tile.cost) if tile.kind == "alliance" else tile.cost for tile in self.tiles},
                **{place.id: place.cost for place in self.local_alliances}}

    @cached_property
    def local_alliance(self) -> dict[str, Place]:
        return {place.id: place for place in self.local_alliances}

    @cached_property
    def numbers(self) -> Numbers:
        return Numbers.model_validate({value.id: value.value for value in self.rules_values})

    def set_up(self, players: int) -> Setup:
        return next(setup for setup in self.setup if setup.players == players)


def parts(raw: Mapping[str, Any]) -> Parts:
    """Component data, validated. Raises Faulty with all lists, records and fields that are wrong."""
    return validated(Parts, raw)
