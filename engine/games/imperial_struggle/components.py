"""The components of Imperial Struggle as data: the board, the cards, the tiles, the wars. A fault names record and field."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

from engine.data_packs import validated

Side: TypeAlias = Literal["britain", "france"]
Era: TypeAlias = Literal["succession", "empire", "revolution"]
Points: TypeAlias = Literal["EP", "DP", "MP"]
SpaceType: TypeAlias = Literal["political", "market", "fort", "naval", "territory"]
Step: TypeAlias = Mapping[str, Any]         # one step of an effect: "op" and what it needs; see `event_ops` in the data

SIDES: tuple[Side, Side] = ("britain", "france")
ERAS: tuple[Era, ...] = ("succession", "empire", "revolution")
REGIONS = ("europe", "north_america", "caribbean", "india")             # in the order of scoring [IS-4.12.1]
KINDS: tuple[Points, ...] = ("EP", "DP", "MP")
KIND_OF: Mapping[str, Points] = {"economic": "EP", "diplomatic": "DP", "military": "MP"}
BY_CHOICE = ("tile_bonus_ap", "spend_mp_as_dp", "draw_then_discard_event", "change_debt_limit", "place_huguenots",
             "discard_event_for_trp", "attached_ap", "cost_modifier", "townshend_marker")   # effects of abilities by choice
DISCOUNTS = ("market_discount", "political_discount")       # effects of advantages
SPAIN, USA = "spain", "usa"                 # flags of neither side [IS-19.1, 15.3]


def foe(side: Side) -> Side:
    """The other side."""
    return "france" if side == "britain" else "britain"


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")
    provenance: str


class Named(Part):
    id: str
    name: str


class Region(Named):
    subregions: tuple[str, ...]


class Country(Part):
    id: str
    spaces: tuple[str, ...]
    multi_space: bool


class Box(Part):
    id: str
    xy: tuple[float, float]


class Strength(BaseModel):
    """A theater in which a space lends one strength."""

    model_config = ConfigDict(frozen=True)
    war: str
    theater: int


class Space(Named):
    region: str
    subregion: str | None
    type: SpaceType
    cost: int | None                        # None for naval spaces
    cost_kind: Literal["DP", "EP", "MP", "CP", "deploy"]
    prestige: bool
    country: str | None
    alliance: bool
    local_alliance: bool
    war_dots: tuple[str, ...]
    strength_in: tuple[Strength, ...]
    commodity: str | None
    start_flag: Side | None
    available_from: Literal["succession", "empire", "revolution", "turn_6"]
    available_if: str | None
    advantages: tuple[str, ...]
    xy: tuple[float, float]

    @property
    def price(self) -> int:
        """The printed price; not for naval spaces."""
        assert self.cost is not None, f"{self.id} has no price of its own"
        return self.cost


PRINTED: Mapping[str, Callable[[Space, Any], bool]] = {
    "types": lambda here, types: here.type in types,
    "region": lambda here, region: here.region == region,
    "regions": lambda here, regions: here.region in regions,
    "subregion": lambda here, subregion: here.subregion == subregion,
    "country": lambda here, country: here.country == country,
    "countries": lambda here, countries: here.country in countries,
    "commodity": lambda here, commodity: here.commodity == commodity,
    "spaces": lambda here, spaces: here.id in spaces,
    "exclude_countries": lambda here, countries: here.country not in countries,
    "alliance": lambda here, alliance: here.type == "political" and here.alliance == alliance,
    "local_alliance": lambda here, local: here.local_alliance == local}
"""What the keys of a filter ask of a space that are answered by what is printed on it; `rules.filters` has the others."""


class Line(Part):
    a: str
    b: str
    only_with_option: str | None = None


class Link(Part):
    advantage: str
    space: str


class BonusStrength(BaseModel):
    """Something that a theater counts [IS-14.5]."""

    model_config = ConfigDict(frozen=True)
    kind: Literal["country", "keyword", "squadrons", "forts", "conflict_markers", "space"]
    country: str = ""
    keyword: str = ""
    space: str = ""
    regions: tuple[str, ...] = ()


class Unflagging(BaseModel):
    model_config = ConfigDict(frozen=True)
    count: int
    types: tuple[SpaceType, ...]
    region: str


class WinnerSpoils(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    vp: int = 0
    cp: int = 0
    unflag: Unflagging | None = None
    atlantic_dominance: bool = False
    loser_squadrons_to_unbuilt: int = 0
    usa: bool = False
    canada: bool = False


class LoserSpoils(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    trp: int = 0


class Spoils(BaseModel):
    """One row of a theater's table."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    margin_min: int
    margin_max: int | None                  # None: open upward
    winner: WinnerSpoils
    loser: LoserSpoils
    winner_side: Side | None = None


class Special(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")
    effect: str
    if_winner: Literal["britain", "france", "any"] = "any"
    margin_min: int = 1
    territories: tuple[str, ...] = ()
    forts_subregion: str = ""
    per_margin_point: int = 0
    max: int = 0


class Theater(Named):
    number: int
    regions: tuple[str, ...]
    counts_squadrons: bool
    bonus_strength: tuple[BonusStrength, ...]
    spoils: tuple[Spoils, ...]
    eligible_territories: tuple[str, ...]
    special: tuple[Special, ...]

    def row(self, winner: Side, margin: int) -> Spoils:
        """The row of the table for this result [IS-14.7.1]."""
        return next(row for row in self.rows(winner)
                    if row.margin_min <= margin and (row.margin_max is None or margin <= row.margin_max))

    def rows(self, winner: Side) -> list[Spoils]:
        """The rows of the table that this winner can reach, the highest last."""
        return [row for row in self.spoils if row.winner_side in (None, winner)]


class War(Named):
    dots: int
    after_turn: str
    before_turn: str
    theaters: tuple[Theater, ...]
    special: tuple[Special, ...]

    def theater(self, number: int) -> Theater:
        return self.theaters[number - 1]


class WarLimits(Part):
    bonus_tiles_per_theater_per_side: int
    basic_tiles_per_theater_per_side: int
    refusals_per_player_per_war: int
    refusal_vp: tuple[int, ...]


Icon: TypeAlias = Literal["debt", "fort_or_squadron", "unflag"]


class WarTile(Part):
    id: str
    side: Literal["britain", "france", "winner"]
    strength: int
    icon: Icon | None
    name: str = ""                          # of bonus and special tiles
    war: str = ""                           # of bonus tiles

    @property
    def basic(self) -> bool:
        return not self.name


class Half(BaseModel):
    """What one side, or both, do by an event card."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    base: tuple[dict[str, Any], ...]
    base_text: str
    bonus: tuple[dict[str, Any], ...] | None = None
    bonus_text: str | None = None


class EventCard(Named):
    number: int
    era: Era
    required_major: Literal["economic", "diplomatic", "military"] | None
    bonus_condition: dict[str, Any] | None
    halves: Literal["same", "split"]
    both: Half | None = None
    britain: Half | None = None
    france: Half | None = None
    rulings: tuple[str, ...] = ()

    def half(self, side: Side) -> Half:
        """What this side plays [IS-13.3]."""
        half = self.both or (self.britain if side == "britain" else self.france)
        assert half is not None, f"{self.id} has nothing for {side}"
        return half


class Ability(BaseModel):
    """One ability of a ministry."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    id: str                                 # "M-1.1"
    limit: str
    timing: str
    prompt: Literal["optional", "automatic"]
    effect: dict[str, Any]
    text: str

    @cached_property
    def op(self) -> str:
        return str(self.effect["op"])


class Ministry(Named):
    number: int
    side: Side
    eras: tuple[Era, ...]
    keywords: tuple[str, ...]
    abilities: tuple[Ability, ...]
    rulings: tuple[str, ...] = ()


class MinistryPlaces(Part):
    britain: int
    france: int
    france_with_jacobite_third_ministry: int


class AdvantageLimits(Part):
    uses_per_turn_each: int
    max_per_action_round: int
    max_per_region_per_action_round: int


class Advantage(Named):
    region: str
    connected_spaces: tuple[str, ...]
    start_holder: Side | None
    ap_price: str | None
    needs_ap_kind: Points | None
    effect: dict[str, Any]
    text: str
    xy: tuple[float, float]
    economic_set: bool

    @cached_property
    def op(self) -> str:
        return str(self.effect["op"])


class TileAction(BaseModel):
    model_config = ConfigDict(frozen=True)
    kind: Literal["economic", "diplomatic", "military"]
    points: int

    @cached_property
    def ap(self) -> Points:
        return KIND_OF[self.kind]


class InvestmentTile(Part):
    id: str
    major: TileAction
    minor: TileAction
    event: bool
    military_upgrade: bool

    @property
    def face(self) -> tuple[str, int, str]:
        """What tells it from others; two tiles may show the same."""
        return self.major.kind, self.major.points, self.minor.kind


class TilesPerTurn(Part):
    revealed: int
    taken_per_side: int
    goods_in_demand: int


class AwardTile(Part):
    id: str
    vp: int
    margin_needed: int
    trp: int


class Reward(BaseModel):
    model_config = ConfigDict(frozen=True)
    vp: int
    trp: int
    debt: int


class Good(Part):
    order: int
    commodity: str
    region: str
    markets: tuple[str, ...]
    rewards: dict[Era, Reward]


class Start(Part):
    vp_start: int
    debt_limit_start: int
    debt_start: int
    trp_start: int
    initiative_start: Side
    squadron_supply_per_side: int


class ExtraTiles(BaseModel):
    model_config = ConfigDict(frozen=True)
    war: str
    theater: int
    count: int


class StartOfSide(Part):
    side: Side
    flags: tuple[str, ...]
    squadrons_in_navy_box: int
    squadrons_unbuilt: int
    advantages: tuple[str, ...]
    extra_bonus_tiles: tuple[ExtraTiles, ...]


class TrackStep(Part):
    step: int
    kind: Literal["peace", "war"]
    id: str                                 # "T1", "WSS"
    era: Era
    years: str


class DeckOfEra(Part):
    era: Era
    events: tuple[int, ...]
    added_on: str


class LimitRaise(Part):
    on: str
    amount: int


class OptionalSetup(Part):
    option: str
    spanish_flags: tuple[str, ...] = ()


class ScoredTerritories(Part):
    scorer: Side
    territories: tuple[str, ...]
    vp_each: int
    usa_flag_counts: bool


class Parts(BaseModel):
    """All components, with quick look-ups."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    edition: str
    title: str
    regions: tuple[Region, ...]
    countries: tuple[Country, ...]
    boxes: tuple[Box, ...]
    spaces: tuple[Space, ...]
    solid_lines: tuple[Line, ...]
    conquest_lines: tuple[Line, ...]
    advantage_links: tuple[Link, ...]
    war_limits: WarLimits
    wars: tuple[War, ...]
    basic_tiles: tuple[WarTile, ...]
    bonus_tiles: tuple[WarTile, ...]
    special_tiles: tuple[WarTile, ...]
    events: tuple[EventCard, ...]
    keywords: tuple[str, ...]
    ministry_places: MinistryPlaces
    ministries: tuple[Ministry, ...]
    advantage_limits: AdvantageLimits
    advantages: tuple[Advantage, ...]
    tiles_per_turn: TilesPerTurn
    investment_tiles: tuple[InvestmentTile, ...]
    award_tiles: tuple[AwardTile, ...]
    global_demand: tuple[Good, ...]         # in the order of scoring [IS-4.12.3]
    start: Start
    players: tuple[StartOfSide, ...]
    turn_track: tuple[TrackStep, ...] = Field(min_length=1)
    deck_by_era: tuple[DeckOfEra, ...]
    debt_limit_raise: tuple[LimitRaise, ...]
    optional_setup: tuple[OptionalSetup, ...]
    final_scoring_territories: tuple[ScoredTerritories, ...]

    @model_validator(mode="after")
    def fits_together(self) -> Parts:
        faults = [*self._doubles()] or [*self._strangers()]
        if faults:
            raise ValueError("\n".join(faults))
        return self

    def _doubles(self) -> Iterator[str]:
        lists: dict[str, Iterable[Any]] = {
            "spaces": self.spaces, "wars": self.wars, "events": self.events, "ministries": self.ministries,
            "advantages": self.advantages, "investment_tiles": self.investment_tiles, "award_tiles": self.award_tiles,
            "basic_tiles": self.basic_tiles, "bonus_tiles": self.bonus_tiles, "turn_track": self.turn_track,
            "regions": self.regions, "countries": self.countries}
        for name, records in lists.items():
            ids = [record.id for record in records]
            if len(set(ids)) != len(ids):
                yield f"{name}: an id occurs twice"
        if tuple(region.id for region in self.regions) != REGIONS:
            yield f"regions: they are {', '.join(REGIONS)}, in this order"
        if sorted(start.side for start in self.players) != sorted(SIDES):
            yield "players: each side has one record"

    def _strangers(self) -> Iterator[str]:
        """Records that name what there is not."""
        known = {space.id: space for space in self.spaces}
        tiles = {tile.id for tile in self.advantages}
        for name, lines in (("solid_lines", self.solid_lines), ("conquest_lines", self.conquest_lines)):
            for line in lines:
                for end in (line.a, line.b):
                    if end not in known:
                        yield f"{name}: there is no space {end}"
                if line.a in known and line.b in known and known[line.a].region != known[line.b].region:
                    yield f"{name}: {line.a} and {line.b} lie in different regions"
        for link in self.advantage_links:
            if link.space not in known or link.advantage not in tiles:
                yield f"advantage_links: there is no {link.advantage} or no {link.space}"
        for tile in self.advantages:
            yield from (f"advantages, {tile.id}: there is no space {space}" for space in tile.connected_spaces
                        if space not in known)
        for country in self.countries:
            yield from (f"countries, {country.id}: there is no space {space}" for space in country.spaces
                        if space not in known)
        for space in self.spaces:
            if space.cost is None and space.type != "naval":
                yield f"spaces, {space.id}, cost: only a naval space has none"
        for start in self.players:
            yield from (f"players, {start.side}: there is no space {space}" for space in start.flags if space not in known)
        for good in self.global_demand:
            for market in good.markets:
                if market not in known or known[market].commodity != good.commodity:
                    yield f"global_demand, {good.commodity}: {market} does not yield it"
        numbers = {card.number for card in self.events}
        for deck in self.deck_by_era:
            yield from (f"deck_by_era, {deck.era}: there is no event {number}" for number in deck.events if number not in numbers)
        for war in self.wars:
            if [theater.number for theater in war.theaters] != list(range(1, len(war.theaters) + 1)):
                yield f"wars, {war.id}: its theaters are numbered from 1"

    # -- the board

    @cached_property
    def space(self) -> dict[str, Space]:
        return {space.id: space for space in self.spaces}

    @cached_property
    def rank(self) -> dict[str, int]:
        """Space to its place in the order of the data."""
        return {space.id: number for number, space in enumerate(self.spaces)}

    @cached_property
    def country(self) -> dict[str, Country]:
        return {country.id: country for country in self.countries}

    @cached_property
    def by_region(self) -> dict[str, tuple[str, ...]]:
        return {region.id: tuple(space.id for space in self.spaces if space.region == region.id) for region in self.regions}

    @cached_property
    def of_type(self) -> dict[str, tuple[str, ...]]:
        """Type to its spaces, in the order of the data."""
        types = ("political", "market", "fort", "naval", "territory")
        return {type: tuple(space.id for space in self.spaces if space.type == type) for type in types}

    @cached_property
    def markets(self) -> frozenset[str]:
        return frozenset(self.of_type["market"])

    @cached_property
    def joined(self) -> dict[str, tuple[str, ...]]:
        """Space to those to which a solid line leads [IS-2.2.1]."""
        return self._ends(self.solid_lines)

    @cached_property
    def joined_markets(self) -> dict[str, tuple[str, ...]]:
        """Space to the markets to which a solid line leads."""
        return {id: tuple(other for other in others if self.space[other].type == "market") for id, others in self.joined.items()}

    @cached_property
    def guards(self) -> dict[str, tuple[str, ...]]:
        """Space to the naval spaces and forts to which a solid line leads [IS-2.5]."""
        return {id: tuple(other for other in others if self.space[other].type in ("naval", "fort"))
                for id, others in self.joined.items()}

    @cached_property
    def anchors(self) -> dict[str, tuple[str, ...]]:
        """Space to those to which a solid line leads and that are no markets [IS-2.7.2]."""
        return {id: tuple(other for other in others if self.space[other].type != "market") for id, others in self.joined.items()}

    @cached_property
    def builders(self) -> dict[str, tuple[str, ...]]:
        """Space to those from which a fort can be built there, if a side controls them [IS-8.3.2]."""
        return {id: tuple(other for other in others if self.space[other].type in ("market", "naval", "territory"))
                for id, others in self.joined.items()}

    @cached_property
    def all_guards(self) -> tuple[str, ...]:
        """The naval spaces and forts."""
        return (*self.of_type["naval"], *self.of_type["fort"])

    @cached_property
    def conquest(self) -> dict[str, tuple[str, ...]]:
        """Space to those to which a conquest line leads, without the lines of options [IS-2.2.2]."""
        return self._ends([line for line in self.conquest_lines if line.only_with_option is None])

    @cached_property
    def conquerable(self) -> dict[tuple[str, int], dict[str, None]]:
        """War and number of a theater to the targets of conquest there, in the order of the data [IS-14.8.2]."""
        return {(war.id, theater.number): dict.fromkeys(
            space.id for space in self.spaces
            if (space.id in theater.eligible_territories if space.type == "territory"
                else space.type != "political" and space.region in theater.regions))
            for war in self.wars for theater in war.theaters}

    @cached_property
    def conquest_with_options(self) -> dict[str, tuple[str, ...]]:
        """The same with the lines of options [IS-19.3]."""
        return self._ends(self.conquest_lines)

    def _ends(self, lines: Iterable[Line]) -> dict[str, tuple[str, ...]]:
        ends: dict[str, set[str]] = {space.id: set() for space in self.spaces}
        for line in lines:
            ends[line.a].add(line.b)
            ends[line.b].add(line.a)
        return {id: tuple(space.id for space in self.spaces if space.id in others) for id, others in ends.items()}

    @cached_property
    def open_spaces(self) -> dict[tuple[Era, bool], frozenset[str]]:
        """Era, and whether the United States are free, to the spaces that are available [IS-2.3]."""
        return {(era, free): frozenset(
            space.id for space in self.spaces
            if (free if space.available_from == "turn_6" else ERAS.index(space.available_from) <= number))
            for number, era in enumerate(ERAS) for free in (False, True)}

    @cached_property
    def seen(self) -> dict[str, dict[tuple[object, ...], Any]]:
        """Space to how it has looked in views so far, by its state: few looks, and most spaces keep theirs."""
        return {space.id: {} for space in self.spaces}

    @cached_property
    def boards(self) -> dict[tuple[object, ...], Any]:
        """How boards have looked in views lately, by all that lies on them."""
        return {}

    @cached_property
    def prestige(self) -> tuple[str, ...]:
        return tuple(space.id for space in self.spaces if space.prestige)

    # -- cards and tiles

    @cached_property
    def event(self) -> dict[str, EventCard]:
        return {card.id: card for card in self.events}

    @cached_property
    def event_by_number(self) -> dict[int, EventCard]:
        return {card.number: card for card in self.events}

    @cached_property
    def ministry(self) -> dict[str, Ministry]:
        return {card.id: card for card in self.ministries}

    @cached_property
    def ability(self) -> dict[str, Ability]:
        return {ability.id: ability for card in self.ministries for ability in card.abilities}

    @cached_property
    def abilities_by_op(self) -> dict[str, dict[str, tuple[tuple[Ministry, Ability], ...]]]:
        """Effect to the ministries that have it, each with itself and its abilities of that kind."""
        found: dict[str, dict[str, tuple[tuple[Ministry, Ability], ...]]] = {}
        for card in self.ministries:
            for ability in card.abilities:
                cards = found.setdefault(ability.op, {})
                cards[card.id] = (*cards.get(card.id, ()), (card, ability))
        return found

    @cached_property
    def chosen_abilities(self) -> dict[str, tuple[tuple[int, Ability], ...]]:
        """Ministry to its abilities by choice, each with the place of its effect among all of them."""
        return {card.id: tuple((BY_CHOICE.index(ability.op), ability) for ability in card.abilities
                               if ability.op in BY_CHOICE and ability.limit != "passive") for card in self.ministries}

    @cached_property
    def ministries_of(self) -> dict[Side, tuple[Ministry, ...]]:
        return {side: tuple(card for card in self.ministries if card.side == side) for side in SIDES}

    @cached_property
    def advantage(self) -> dict[str, Advantage]:
        return {tile.id: tile for tile in self.advantages}

    @cached_property
    def advantage_rank(self) -> dict[str, int]:
        """Advantage to its place in the order of the data."""
        return {tile.id: number for number, tile in enumerate(self.advantages)}

    @cached_property
    def reach(self) -> dict[str, tuple[str, ...]]:
        """Advantage with a filter to the spaces that it can mean by what is printed on them, in the order of the data."""
        return {tile.id: tuple(space.id for space in self.spaces if all(
            PRINTED[key](space, value) for key, value in tile.effect["filter"].items() if key in PRINTED))
            for tile in self.advantages if "filter" in tile.effect}

    @cached_property
    def markable(self) -> dict[str, tuple[str, ...]]:
        """Advantage that puts a conflict marker to the spaces that it can mean by what is printed on them [IS-2.6.1, 11.10]."""
        return {tile.id: tuple(id for id in self.reach[tile.id] if self.space[id].type in ("market", "political"))
                for tile in self.advantages_by_op["place_conflict"]}

    @cached_property
    def asks_now(self) -> dict[str, dict[str, Any]]:
        """Advantage with a filter to what that asks of the board of the moment."""
        return {tile.id: {key: value for key, value in tile.effect["filter"].items() if key not in PRINTED}
                for tile in self.advantages if "filter" in tile.effect}

    @cached_property
    def discounts(self) -> dict[tuple[str, str], tuple[Advantage, ...]]:
        """Space and kind of shift ("flag", "unflag") to the advantages that make it cheaper, as far as what is printed goes."""
        found: dict[tuple[str, str], tuple[Advantage, ...]] = {}
        for op in DISCOUNTS:
            for tile in self.advantages_by_op[op]:
                for space in self.reach[tile.id]:
                    key = space, tile.effect["action"]
                    found[key] = (*found.get(key, ()), tile)
        return found

    @cached_property
    def advantages_by_op(self) -> dict[str, tuple[Advantage, ...]]:
        """Effect to the advantages that have it."""
        ops = dict.fromkeys(tile.op for tile in self.advantages)
        return {op: tuple(tile for tile in self.advantages if tile.op == op) for op in ops}

    @cached_property
    def investment(self) -> dict[str, InvestmentTile]:
        return {tile.id: tile for tile in self.investment_tiles}

    @cached_property
    def spending(self) -> dict[tuple[str, Points], tuple[Literal["major", "minor"], ...]]:
        """Investment tile and kind of points to the actions of the tile that spend them."""
        names: tuple[Literal["major", "minor"], ...] = ("major", "minor")
        return {(tile.id, kind): tuple(name for name in names if getattr(tile, name).ap == kind)
                for tile in self.investment_tiles for kind in KINDS}

    @cached_property
    def award(self) -> dict[str, AwardTile]:
        return {tile.id: tile for tile in self.award_tiles}

    @cached_property
    def good(self) -> dict[str, Good]:
        return {good.commodity: good for good in self.global_demand}

    @cached_property
    def war(self) -> dict[str, War]:
        return {war.id: war for war in self.wars}

    @cached_property
    def next_war(self) -> tuple[War | None, ...]:
        """Step of the turn track to the first war from there on; None where the last one is over."""
        found: list[War | None] = [None]
        for step in reversed(self.turn_track):
            found.append(self.war[step.id] if step.kind == "war" else found[-1])
        return tuple(reversed(found))

    @cached_property
    def bonus(self) -> frozenset[str]:
        """The war tiles that are bonus tiles, or special ones."""
        return frozenset(id for id, tile in self.war_tile.items() if not tile.basic)

    @cached_property
    def war_tile(self) -> dict[str, WarTile]:
        return {tile.id: tile for tile in (*self.basic_tiles, *self.bonus_tiles, *self.special_tiles)}

    def basic_of(self, side: Side) -> list[str]:
        """The basic war tiles of a side."""
        return [tile.id for tile in self.basic_tiles if tile.side == side]

    def bonus_of(self, side: Side, war: str) -> list[str]:
        """The bonus tiles of a side for a war."""
        return [tile.id for tile in self.bonus_tiles if tile.side == side and tile.war == war]

    def start_of(self, side: Side) -> StartOfSide:
        return next(start for start in self.players if start.side == side)


def parts(raw: Mapping[str, Any]) -> Parts:
    """Component data, validated. Raises Faulty with all lists, records and fields that are wrong."""
    return validated(Parts, raw)
