"""All components together, with quick look-ups. A fault in the data names record and field."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal

from pydantic import Field, model_validator

from engine.data_packs import validated
from engine.games.imperial_struggle.components import ERAS, KINDS, REGIONS, SIDES, Era, Points, Side, turns
from engine.games.imperial_struggle.components.board import Box, Country, Line, Link, Region, Space
from engine.games.imperial_struggle.components.cards import (
    BY_CHOICE,
    Ability,
    Advantage,
    AdvantageLimits,
    DeckOfEra,
    EventCard,
    Ministry,
    MinistryPlaces,
)
from engine.games.imperial_struggle.components.effects import Discount, Filter, PlaceConflict, SquadronPrice, words_of
from engine.games.imperial_struggle.components.wars import War, WarLimits, WarTile
from engine.kernel.model import Record


class Parts(Record):
    """All components, with quick look-ups."""

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
    tiles_per_turn: turns.TilesPerTurn
    investment_tiles: tuple[turns.InvestmentTile, ...]
    award_tiles: tuple[turns.AwardTile, ...]
    global_demand: tuple[turns.Good, ...]         # in the order of scoring [IS-4.12.3]
    start: turns.Start
    players: tuple[turns.StartOfSide, ...]
    turn_track: tuple[turns.TrackStep, ...] = Field(min_length=1)
    deck_by_era: tuple[DeckOfEra, ...]
    debt_limit_raise: tuple[turns.LimitRaise, ...]
    optional_setup: tuple[turns.OptionalSetup, ...]
    final_scoring_territories: tuple[turns.ScoredTerritories, ...]

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
        yield from self._strangers_on_cards()
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

    def _strangers_on_cards(self) -> Iterator[str]:
        goods, countries, regions = ({name for here in self.spaces if (name := getattr(here, field)) is not None}
                                     for field in ("commodity", "country", "region"))
        spaces = {space.id for space in self.spaces}
        known = {"space": spaces, "spaces": spaces, "of": spaces, "country": countries, "countries": countries,
                 "exclude_countries": countries, "region": regions, "regions": regions, "not_region": regions,
                 "subregion": {name for region in self.regions for name in region.subregions}, "commodity": goods,
                 "keyword": set(self.keywords), "advantage": {tile.id for tile in self.advantages},
                 "theater_name": {theater.name for war in self.wars for theater in war.theaters}}
        parts: list[tuple[str, Iterable[object]]] = [
            *((f"advantages, {tile.id}", (tile.effect,)) for tile in self.advantages),
            *((f"events, {card.id}", (card.bonus_condition, *(half.base + (half.bonus or ()) for half in card.played)))
              for card in self.events)]
        for where, effects in parts:
            for field, word in words_of((*effects,)):
                if field in known and word not in known[field]:
                    yield f"{where}, {field}: there is no {word}"

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
    def anchors(self) -> dict[str, tuple[str, ...]]:
        """Market, in the order of the data, to the spaces of other types to which a solid line leads [IS-2.7.1]."""
        return {market: tuple(other for other in self.joined[market] if other not in self.markets)
                for market in self.of_type["market"]}

    @cached_property
    def guards(self) -> dict[str, tuple[str, ...]]:
        """Space to the naval spaces and forts to which a solid line leads [IS-2.5]."""
        return {id: tuple(other for other in others if self.space[other].type in ("naval", "fort"))
                for id, others in self.joined.items()}

    @cached_property
    def region_of(self) -> dict[str, str]:
        return {space.id: space.region for space in self.spaces}

    @cached_property
    def printed(self) -> dict[str, int]:
        """Space to its printed price; naval spaces have none."""
        return {space.id: space.price for space in self.spaces if space.cost is not None}

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
        """Conquest lines, those of options included [IS-19.3]."""
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
        return {id: tuple(space.id for space in self.spaces if wanted.prints(space)) for id, wanted in self.meant.items()}

    @cached_property
    def markable(self) -> dict[str, tuple[str, ...]]:
        """Advantage that puts a conflict marker to the spaces that it can mean by what is printed on them [IS-2.6.1, 11.10]."""
        return {tile.id: tuple(id for id in self.reach[tile.id] if self.space[id].type in ("market", "political"))
                for tile in self.advantages_by_op["place_conflict"]}

    @cached_property
    def meant(self) -> dict[str, Filter]:
        return {tile.id: tile.effect.filter for tile in self.advantages if isinstance(tile.effect, PlaceConflict | Discount)}

    @cached_property
    def discount(self) -> dict[str, Literal["minus_1", "total_1"]]:
        """Advantage to how it makes a shift cheaper: by 1, or to 1."""
        return {tile.id: tile.effect.mode for tile in self.advantages if isinstance(tile.effect, Discount)}

    @cached_property
    def squadron_price(self) -> dict[str, int]:
        """Advantage or ability to the price in MP for which it builds a squadron [IS-8.5]."""
        return {**{tile.id: tile.effect.price for tile in self.advantages if isinstance(tile.effect, SquadronPrice)},
                **{id: ability.effect["price"] for id, ability in self.ability.items() if ability.op == "squadron_price"}}

    @cached_property
    def advantages_by_op(self) -> dict[str, tuple[Advantage, ...]]:
        ops = dict.fromkeys(tile.effect.op for tile in self.advantages)
        return {op: tuple(tile for tile in self.advantages if tile.effect.op == op) for op in ops}

    @cached_property
    def investment(self) -> dict[str, turns.InvestmentTile]:
        return {tile.id: tile for tile in self.investment_tiles}

    @cached_property
    def same_face(self) -> dict[str, tuple[str, ...]]:
        """Investment tile to the others that show the same."""
        faces = {tile.id: (tile.major, tile.minor, tile.event, tile.military_upgrade) for tile in self.investment_tiles}
        return {id: tuple([other for other in faces if other != id and faces[other] == faces[id]]) for id in faces}

    @cached_property
    def spending(self) -> dict[tuple[str, Points], tuple[Literal["major", "minor"], ...]]:
        """Investment tile and kind of points to the actions of the tile that spend them."""
        names: tuple[Literal["major", "minor"], ...] = ("major", "minor")
        return {(tile.id, kind): tuple(name for name in names if getattr(tile, name).ap == kind)
                for tile in self.investment_tiles for kind in KINDS}

    @cached_property
    def award(self) -> dict[str, turns.AwardTile]:
        return {tile.id: tile for tile in self.award_tiles}

    @cached_property
    def good(self) -> dict[str, turns.Good]:
        return {good.commodity: good for good in self.global_demand}

    @cached_property
    def war(self) -> dict[str, War]:
        return {war.id: war for war in self.wars}

    @cached_property
    def opening_eras(self) -> frozenset[int]:
        """The steps of the turn track at which an era's first peace turn is still to come, or begins [IS-4.3]."""
        first = {era: min(number for number, step in enumerate(self.turn_track) if (step.era, step.kind) == (era, "peace"))
                 for era in ERAS}
        return frozenset(number for number, step in enumerate(self.turn_track) if number <= first[step.era])

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
        return [tile.id for tile in self.basic_tiles if tile.side == side]

    def bonus_of(self, side: Side, war: str) -> list[str]:
        return [tile.id for tile in self.bonus_tiles if tile.side == side and tile.war == war]

    def start_of(self, side: Side) -> turns.StartOfSide:
        return next(start for start in self.players if start.side == side)


def parts(raw: Mapping[str, Any]) -> Parts:
    """Component data, validated. Raises Faulty with all lists, records and fields that are wrong."""
    return validated(Parts, raw)
