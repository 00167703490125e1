"""A referee who knows the rules by number looks at every fact of random games.

Each check stands for the rules in its name. It sees the position before a fact, yields, and sees the position after it; a check
that returns before it yields has nothing to say about that fact. A check that never had anything to say fails as well.
"""
from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

import pytest

from engine.components import components
from engine.games.struggle_of_empires import GAME, events as fact
from engine.games.struggle_of_empires.components import UNITS
from engine.games.struggle_of_empires.events import (
    AllianceFormed,
    FarLandsThrown,
    MarkerPutBack,
    NonPlayerPlaced,
    TokenBack,
    TokenSent,
)
from engine.games.struggle_of_empires.rules.unrest_bag import UnrestDrawn
from engine.games.struggle_of_empires.state import State
from engine.kernel import Event, Table, parse_events
from engine.selfplay import beginning
from engine.text import English, say
from tests.games.struggle_of_empires.test_properties import HALF, OTHERWISE, PARTS, lively, source

READER = English(GAME.words.names(PARTS))
OTHER = OTHERWISE | {"move.same_unit_next_action": True}        # it contradicts another try of a failed unit
GAMES = [("first", 2, {}), ("first", 3, {}), ("first", 4, OTHER), ("first", 5, HALF), ("first", 6, {}),
         ("deluxe", 2, {}), ("deluxe", 3, {}), ("deluxe", 4, {}), ("deluxe_without_npp", 5, {})]      # edition, players, options


@dataclass
class Record:
    """What happened before a fact."""

    all: list[Event] = field(default_factory=list)
    battle: list[Event] = field(default_factory=list)       # of the attack or raid under way
    war: list[Event] = field(default_factory=list)
    turn: list[Event] = field(default_factory=list)
    row: list[Event] = field(default_factory=list)
    answer: dict[str, Any] = field(default_factory=dict)    # of the row
    verb: str = ""

    def last(self, kind: type[Event]) -> Any:
        """The newest fact of a kind, or None."""
        return next((event for event in reversed(self.all) if isinstance(event, kind)), None)

    def note(self, event: Event) -> None:
        if isinstance(event, fact.AttackDeclared | fact.RaidBegun):
            self.battle.clear()
        if isinstance(event, fact.AuctionBegun):
            self.war.clear()
        if isinstance(event, fact.TurnBegun):
            self.turn.clear()
        for events in (self.all, self.battle, self.war, self.turn, self.row):
            events.append(event)


Check: TypeAlias = Callable[[State, Any, Record], Iterator[None]]
CHECKS: dict[str, tuple[tuple[type[Event], ...], Check]] = {}


def of(*kinds: type[Event]) -> Callable[[Check], Check]:
    """A check of these facts."""
    def register(check: Check) -> Check:
        CHECKS[check.__name__] = (kinds or GAME.rules.events, check)
        return check
    return register


def number(events: list[Event], *kinds: type[Event]) -> int:
    return sum(isinstance(event, kinds) for event in events)


def some(events: list[Event], kind: type[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def held(s: State, power: str) -> int:
    """Control markers on the map, captives included."""
    return sum(s.markers[power].values()) + sum(captive.power == power for captive in s.captives.values())


def owned(s: State) -> dict[str, Counter[str]]:
    return {power: Counter(s.tiles[power]) for power in s.tiles}


def standing(s: State) -> dict[tuple[str, str], int]:
    return {(power, kind): sum(s.units[power][kind].values()) for power in s.units for kind in UNITS}


# --- units, markers, tiles ------------------------------------------------------------------------------

@of(fact.UnitLost, fact.UnitSunk, fact.UnitRazed)
def SOE_1_1_9_a_destroyed_unit_is_in_the_supply_at_once(s, e, h):
    owner = e.owner if isinstance(e, fact.UnitLost) else e.power
    before = s.supply(owner, e.unit)
    yield
    assert s.supply(owner, e.unit) == before + 1


@of(fact.MarkerTaken, fact.CaptiveFreed)
def SOE_1_1_10_a_marker_that_leaves_the_map_is_in_the_supply_at_once(s, e, h):
    loser = e.loser if isinstance(e, fact.MarkerTaken) else e.owner
    if loser == e.winner:
        return
    before = s.marker_supply(loser)
    yield
    assert s.marker_supply(loser) == before + 1


@of()
def SOE_1_2_5_a_control_marker_enters_in_the_place_of_another_or_in_the_first_draw(s, e, h):
    before, empty = {power: held(s, power) for power in s.markers}, sum(map(len, s.neutrals.values()))
    yield
    for power in s.markers:
        if held(s, power) > before.get(power, 0):
            drawn = isinstance(e, fact.StartDrawn | NonPlayerPlaced)
            assert drawn or isinstance(e, fact.Settled | fact.MarkerTaken | fact.NeutralBeaten | fact.CaptiveFreed)
            gone = sum(before.values()) - sum(held(s, other) for other in s.markers) + 1
            assert drawn or gone == 1 or sum(map(len, s.neutrals.values())) == empty - 1


@of(fact.CrossingThrown, fact.Thrown)
def SOE_1_3_4_dice_are_six_sided(s, e, h):
    yield
    assert all(1 <= value <= 6 for value in e.dice)


@of()
def SOE_1_4_3_homes_hold_no_control_markers_and_no_neutral_markers(s, e, h):
    yield
    assert set(s.neutrals) <= set(s.parts.area)
    assert all(set(s.markers[power]) <= set(s.parts.area) for power in s.markers)


@of(fact.UnitMoved, fact.UnitPlaced)
def SOE_1_4_15_any_units_stand_together_and_own_nothing(s, e, h):
    place = e.to if isinstance(e, fact.UnitMoved) else e.area
    there = {power for power in s.units for kind in UNITS if s.count(power, kind, place)}
    if place in s.powers or len(there) < 2:
        return
    before = {power: dict(s.markers[power]) for power in s.markers}
    yield
    assert {power: dict(s.markers[power]) for power in s.markers} == before


@of(fact.StartDrawn)
def SOE_2_1_7_SOE_2_1_8_the_first_draw_gives_a_marker_for_each_area_drawn_and_nothing_else(s, e, h):
    before = s.gold.get(e.power), s.points.get(e.power), s.population.get(e.power)
    kept = Counter(s.markers[e.power])
    yield
    assert [s.parts.neutral[marker].area for marker in e.markers] == list(e.areas)
    assert s.markers[e.power] == kept + Counter(e.areas)
    assert before in ((None, None, None), (s.gold[e.power], s.points[e.power], s.population[e.power]))


@of(fact.StartDrawn)
def SOE_2_1_10_the_first_draw_is_in_seat_order(s, e, h):
    before = [drawn.power for drawn in some(h.all, fact.StartDrawn)]
    put_back = [back.power for back in some(h.all, MarkerPutBack)]
    order = s.in_seat_order(s.first)
    yield
    assert h.verb == "roll", "nobody decides anything"
    if len(before) < len(order):
        assert [*before, e.power] == order[:len(before) + 1] and not put_back
    else:                               # again, for those who put some back (SOE-2.1.9)
        assert len(e.markers) == put_back.count(e.power) and before.count(e.power) == 1 and put_back[-1] == e.power


@of(NonPlayerPlaced)
def SOE_19_1_5_SOE_19_1_6_SOE_19_1_7_SOE_19_1_8_a_non_player_stands_in_five_areas(s, e, h):
    bag, few = list(s.bag), len(s.powers) < 4
    yield
    assert e.power not in s.powers and len(set(e.armies)) == 5 and e.markers == (e.armies if few else ())
    assert [s.parts.neutral[marker].area for marker in e.gone] == list(e.markers)
    assert Counter(bag) == Counter(s.bag) + Counter(e.gone)
    assert number(h.all, fact.StartDrawn) >= len(s.powers) and not number(h.all, fact.PlacingBegun), "SOE-2.1.14"

@of(fact.UnitPlaced)
def SOE_2_2_3_SOE_2_2_6_starting_units_cost_nothing_and_need_nothing(s, e, h):
    before = dict(s.gold), dict(s.population)
    yield
    assert (dict(s.gold), dict(s.population)) == before and not number(h.row, fact.CrossingThrown)
    assert s.count(e.power, e.unit, e.area) > 0


@of()
def SOE_9_10_14_SOE_11_1_6_SOE_11_1_8_SOE_13_1_5_a_tile_leaves_its_owner_only_as_the_rules_say(s, e, h):
    before = owned(s)
    yield
    for power, tiles in owned(s).items():
        for tile in (before.get(power, Counter()) - tiles):
            known = s.parts.tile[tile]
            if isinstance(e, fact.WarEnded):
                assert known.kind == "alliance"
            elif isinstance(e, fact.Captured):
                assert tile == e.token and s.options.covert.mode == "tiles"
            else:
                assert isinstance(e, fact.TileReturned | fact.TileRemoved | fact.BlockadeLaid) and e.tile == tile
                assert known.kind != "alliance"


@of(fact.TileUsed)
def SOE_12_3_6_a_tile_is_used_once_a_war(s, e, h):
    before = s.ready(e.power, e.tile)
    yield
    assert before > 0 and s.ready(e.power, e.tile) == before - 1
    used = sum(used.power == e.power and used.tile == e.tile for used in some(h.war, fact.TileUsed))
    assert used + 1 <= s.owned(e.power, e.tile)


# --- money, unrest, population ----------------------------------------------------------------------------

@of(fact.GoldPaid)
def SOE_3_2_4_SOE_3_2_5_taxed_is_what_is_needed_and_the_rest_is_kept(s, e, h):
    if not e.taxed or (s.options.tax.for_gifts and not e.gold):        # taxed to give it away
        return
    before, once = s.gold[e.power], 3 if s.with_effect(e.power, "tax_three") else 2
    yield
    assert before < e.gold and e.taxed % once == 0, "nobody taxes before the need (SOE-3.2.5)"
    assert s.gold[e.power] == before + e.taxed - e.gold and 0 <= s.gold[e.power] < once


@of(fact.UnrestChanged, UnrestDrawn)
def SOE_3_3_2_SOE_12_10_1_each_taxation_costs_one_unrest(s, e, h):
    if e.cause != "taxation":
        return
    paid, once = h.all[-1], 3 if s.with_effect(e.power, "tax_three") else 2
    yield
    assert isinstance(paid, fact.GoldPaid) and paid.power == e.power and markers_of(e) * once == paid.taxed


def markers_of(change: Any) -> int:
    """How many unrest markers somebody took."""
    return sum(change.markers.values()) if isinstance(change, UnrestDrawn) else change.by


@of(UnrestDrawn)
def SOE_1_1_13_SOE_3_3_7_SOE_3_3_13_markers_come_out_of_the_bag_and_count_their_values(s, e, h):
    kinds = {kind.id: kind for kind in s.parts.unrest_bag}
    full = {kind.id: kind.count for kind in s.parts.unrest_bag}
    before, total = s.unrest_bag or full, s.unrest[e.power]
    yield
    assert s.options.unrest.model == "bag" and e.by == sum(kinds[kind].value * number for kind, number in e.markers.items())
    assert s.unrest[e.power] == e.total == total + e.by
    refilled = sum(e.markers.values()) > sum(before.values())
    assert refilled or {kind: before.get(kind, 0) - e.markers.get(kind, 0) for kind in full} == {
        kind: s.unrest_bag.get(kind, 0) for kind in full}


@of(fact.GoldGiven)
def SOE_3_1_5_SOE_16_1_7_a_gift_is_no_debt_and_everybody_hears_of_it(s, e, h):
    before, gold = dict(s.unrest), dict(s.gold)
    yield
    assert dict(s.unrest) == before and s.gold[e.giver] == gold[e.giver] - e.gold >= 0
    assert s.gold[e.receiver] == gold[e.receiver] + e.gold
    told = [e.line()] if not e.secret else list(e.private_lines(s).values())
    assert len(told) == 1 + e.secret and s.options.gifts.public is not e.secret
    words = say(told[-1], READER)
    assert all(word in words for word in (READER.name(e.giver), READER.name(e.receiver), str(e.gold)))


@of(fact.UnrestChanged)
def SOE_3_2_7_SOE_3_3_9_unrest_falls_only_by_government_reform_and_by_passing(s, e, h):
    yield
    assert (e.by < 0) == (e.cause in ("reform", "pass"))


@of(fact.UnrestChanged)
def SOE_15_1_3_SOE_15_1_4_SOE_15_1_7_a_turn_with_a_pass_and_no_attack_gives_back_1(s, e, h):
    if e.cause != "pass":
        return
    yield
    assert e.by == -1 == -s.options.turn.pass_relief and h.turn[0].power == e.power
    assert number(h.turn, fact.Passed) and not number(h.turn, fact.AttackDeclared, fact.RaidBegun)
    assert not [change for change in some(h.turn, fact.UnrestChanged) if change.cause == "pass"]


@of(fact.UnrestChanged)
def SOE_3_3_6_SOE_3_3_11_every_unrest_counts_1_and_never_falls_below_0(s, e, h):
    before = s.unrest[e.power]
    yield
    assert s.unrest[e.power] == e.total == before + e.by >= 0
    assert e.by < 0 or s.options.unrest.model == "count", "from the bag markers are drawn"


@of(fact.UnrestChanged, UnrestDrawn)
def SOE_21_1_3_SOE_21_1_4_SOE_21_1_7_only_the_owner_reads_of_unrest_with_cause_change_and_total(s, e, h):
    yield
    ((seat, line),) = e.private_lines(s).items()
    assert seat == s.seat(e.power) and e.line() is None
    assert {e.total, abs(e.by)} <= {int(word) for word in say(line, READER).replace(".", " ").replace(":", " ").replace("+", " ")
                                    .replace("-", " ").replace("−", " ").replace(",", " ").split() if word.isdigit()}
    assert len(say(line, READER).split()) > 4


@of(fact.UnitRazed)
def SOE_3_3_4_a_rebuild_costs_one_unrest_and_is_not_counted_twice(s, e, h):
    before = s.unrest[e.power]
    yield
    assert s.unrest[e.power] == before
    assert h.verb == "rebuild"


@of(fact.Penalised, fact.Collapsed)
def SOE_3_3_12_unrest_counts_for_nothing_before_the_end(s, e, h):
    yield
    assert s.war == 3 and number(h.all, fact.UnrestRevealed) == 1 and number(h.all, fact.WarEnded) == 3


@of()
def SOE_3_4_3_population_rises_only_in_the_growth_step(s, e, h):
    before = dict(s.population)
    yield
    risen = [power for power in s.population if s.population[power] > before.get(power, 99)]
    assert not risen or isinstance(e, fact.PopulationGrown)


@of(fact.PopulationGrown)
def SOE_12_13_1_growth_is_five_and_one_more_for_each_tile(s, e, h):
    before = s.population[e.power]
    more = sum(number for tile, number in s.tiles[e.power].items() if s.parts.tile[tile].effect == "population_plus_one")
    yield
    assert s.population[e.power] == min(9, before + 5 + more)


# --- the course of a war ------------------------------------------------------------------------------------

ORDER = (fact.NeutralsPlaced, fact.AuctionBegun, fact.OrderFixed, fact.TurnBegun, fact.IncomeTaken, fact.PopulationGrown,
         fact.AreaScored, fact.WarEnded)


@of(fact.WarEnded)
def SOE_4_1_1_SOE_4_1_2_SOE_4_1_3_three_wars_of_six_phases_the_first_without_new_markers(s, e, h):
    past = some(h.all, fact.WarEnded)
    since = h.all[h.all.index(past[-1]) + 1:] if past else h.all
    steps = [ORDER.index(type(event)) for event in [*since, e] if type(event) in ORDER]
    yield
    assert e.war == len(past) + 1 <= 3 and e.over == (e.war == 3)
    assert steps == sorted(steps) if past else True
    after_setup = h.all[next(place for place, event in enumerate(h.all) if isinstance(event, fact.PlacingBegun)):]
    first = after_setup[:next((place for place, event in enumerate(after_setup) if isinstance(event, fact.WarEnded)), None)]
    assert not number(first, fact.NeutralsPlaced)


@of(fact.OrderFixed)
def SOE_5_1_1_SOE_5_1_2_the_auctions_sort_every_power_into_one_of_two_rows(s, e, h):
    yield
    assert sorted([*s.row_a, *s.row_b]) == sorted([*s.powers, *s.npps]) and sorted(e.order) == sorted(s.powers), "SOE-5.5.4"
    assert e.order[0] == s.row_a[0], "the upper row comes first"


@of(fact.AuctionWon)
def SOE_5_1_9_SOE_5_3_5_SOE_5_3_7_SOE_19_1_3_players_are_placed_before_the_powers_that_nobody_plays(s, e, h):
    free = {power for power in (*s.powers, *s.npps) if power not in s.row_a and power not in s.row_b}
    yield
    placed = {e.a, e.b} - {""}
    assert placed <= free and len(placed) == min(2, len(free))
    assert not placed & set(s.npps) or free & set(s.powers) <= placed


@of(fact.TurnBegun)
def SOE_5_5_3_the_order_holds_for_all_rounds(s, e, h):
    fixed = h.last(fact.OrderFixed).order
    turns = [turn.power for turn in some(h.war, fact.TurnBegun)]
    yield
    assert e.power == fixed[len(turns) % len(fixed)] and tuple(s.order) == fixed


@of(fact.Passed)
def SOE_15_1_1_one_or_both_actions_are_passed(s, e, h):
    before = s.turn.actions
    yield
    assert 1 <= e.actions <= before <= 2 and s.turn.actions == before - e.actions


@of(fact.TurnEnded)
def SOE_10_1_6_one_of_colonising_and_enslaving_a_turn(s, e, h):
    yield
    assert number(h.turn, fact.Settled) <= 1


@of(fact.Settled)
def SOE_9_11_8_SOE_10_1_4_colonising_and_enslaving_give_no_bonus_and_need_no_unit(s, e, h):
    gold, points, units = s.gold[e.power], s.points[e.power], standing(s)
    yield
    assert (s.gold[e.power], s.points[e.power], standing(s)) == (gold, points, units)


@of(fact.TileTaken)
def SOE_11_1_3_SOE_13_1_1_SOE_13_1_2_a_tile_costs_its_price_and_an_action_even_if_it_is_free(s, e, h):
    price = s.parts.tile[e.tile].cost
    yield
    paid = [event.gold for event in some(h.row, fact.GoldPaid)]
    assert paid == ([price.gold] if price.gold else [])
    assert sum(event.population for event in some(h.row, fact.PopulationPaid)) == price.population
    assert number(h.row, fact.ActionSpent) == e.as_action == (h.verb == "tile")
    assert e.as_action or (h.verb == "use" and s.parts.tile[e.tile].kind == "alliance"), "by Diplomatic Service (SOE-13.1.1)"


@of(fact.TileTaken)
def SOE_12_15_2_unrest_is_a_price_too(s, e, h):
    price = s.parts.tile[e.tile].cost.unrest
    if not price:
        return
    yield
    (change,) = [change for change in h.row if isinstance(change, fact.UnrestChanged | UnrestDrawn) and change.cause == "price"]
    assert markers_of(change) == price and change.power == e.power


@of(fact.TileTaken)
def SOE_12_12_4_an_alliance_by_diplomatic_service_is_neither_an_action_nor_the_tile_of_the_turn(s, e, h):
    if e.as_action:
        return
    actions, taken = s.turn.actions, s.turn.tile
    yield
    assert (s.turn.actions, s.turn.tile) == (actions, taken)


@of(fact.RaidBegun)
def SOE_12_16_1_SOE_12_17_1_a_raid_is_played_as_its_tile_is_taken_or_its_token_used(s, e, h):
    tried = s.tried.get(e.sender, [])
    yield
    if s.options.covert.mode == "tokens":
        assert h.row[:2] == [fact.ActionSpent(), TokenSent(token=e.token)] and s.active == e.sender
        assert e.token not in tried, "SOE-14.2.10"
        return
    taken = h.last(fact.TileTaken)
    assert taken in h.row and (taken.tile, taken.power) == (e.token, e.sender)


@of(TokenBack)
def SOE_14_2_10_a_token_that_has_not_won_is_back_at_once(s, e, h):
    yield
    assert h.last(fact.FightDecided).winner != e.token and e.token not in s.captives
    assert (e.token in s.tried.get(e.power, [])) == (s.options.covert.retry_after_failure == "next_round")


@of(AllianceFormed)
def SOE_13_2_1_SOE_13_2_2_SOE_13_2_3_a_marker_lies_on_a_free_place_for_its_price(s, e, h):
    before = dict(s.local_alliances)
    yield
    assert e.place not in before and s.local_alliances == before | {e.place: e.power}
    assert sum(paid.gold for paid in some(h.row, fact.GoldPaid)) == s.cost_of(e.place).gold


@of(fact.TurnEnded)
def SOE_6_3_2_SOE_6_2_4_one_special_action_a_turn_or_one_of_each_kind(s, e, h):
    tiles = sum(taken.as_action for taken in (*some(h.turn, fact.TileTaken), *some(h.turn, AllianceFormed)))
    tiles += number(h.turn, TokenSent)
    settled = number(h.turn, fact.Settled)
    yield
    assert tiles + settled <= 1 if s.options.turn.special_limit == "shared" else tiles <= 1 and settled <= 1

@of(fact.BlockadeLaid)
def SOE_12_20_5_a_blockade_does_not_touch_units(s, e, h):
    before = json.dumps(s.units)
    yield
    assert json.dumps(s.units) == before


@of(fact.BlockadeLifted)
def SOE_12_20_12_a_blockade_goes_only_with_the_last_navy_of_its_owner(s, e, h):
    yield
    assert s.navies(e.power, e.area) == 0 and h.verb not in ("use", "tile")


@of(fact.WarEnded)
def SOE_17_5_1_SOE_17_5_2_SOE_17_5_3_SOE_11_2_7_tiles_after_a_war(s, e, h):
    if e.over:
        return
    others = {power: {tile: number for tile, number in tiles.items() if s.parts.tile[tile].kind != "alliance"}
              for power, tiles in owned(s).items()}
    yield
    assert all(not used for used in s.used.values()) and not s.blockades
    assert {power: dict(tiles) for power, tiles in owned(s).items()} == others, "other tiles stay (SOE-17.5.6)"
    assert all(s.stock.get(tile.id, 0) == (tile.count if s.in_play(tile) else 0) for tile in s.parts.alliances)
    assert not s.local_alliances, "SOE-13.2.5"


@of(fact.WarEnded)
def SOE_17_5_4_SOE_17_5_5_SOE_17_5_6_SOE_14_4_10_what_goes_and_what_stays_after_a_war(s, e, h):
    if e.over:
        return

    def kept() -> str:
        return json.dumps([s.units, s.markers, s.neutrals, {token: captive.model_dump() for token, captive in s.captives.items()},
                           s.gold, s.population, s.unrest])

    before, last, war = kept(), s.order[-1], s.war
    yield
    assert kept() == before and s.row_a == s.row_b == [] and s.standing is None
    assert s.powers[s.opener] == last and s.war == war + 1 and s.round in (0, 1)


# --- building and moving --------------------------------------------------------------------------------------

@of()
def SOE_7_3_7_nobody_disbands_a_unit(s, e, h):
    before = standing(s)
    yield
    fewer = [key for key, number in standing(s).items() if number < before.get(key, 0)]
    assert not fewer or isinstance(e, fact.UnitLost | fact.UnitSunk | fact.UnitRazed)
    if isinstance(e, fact.UnitRazed):
        assert h.verb == "rebuild", "but to build it anew"


@of(fact.UnitBuilt)
def SOE_7_1_4_SOE_7_1_6_a_build_costs_its_action_and_population_whatever_becomes_of_the_unit(s, e, h):
    if h.verb != "build" or e.tile:
        return
    extra = s.turn.moves
    yield
    (paid,) = some(h.row, fact.PopulationPaid)
    assert paid.population == 1 and not number(h.row, fact.MoveBegun) and s.turn.moves == extra


@of(fact.UnitBuilt)
def SOE_7_3_5_a_rebuilt_unit_starts_at_home(s, e, h):
    if h.verb != "rebuild" or e.place:
        return
    before = s.count(e.power, e.unit, e.power)
    yield
    assert s.count(e.power, e.unit, e.power) == before + 1 and number(h.row, fact.UnitRazed) == 1


@of(fact.UnitBuilt)
def SOE_12_6_1_SOE_12_7_1_free_builds_cost_no_population_and_no_action(s, e, h):
    if not e.tile or h.verb != "use":
        return
    yield
    assert not some(h.row, fact.PopulationPaid) and number(h.row, fact.ActionSpent) == s.options.tiles.free_builds_use_action
    assert some(h.row, fact.TileUsed)[0].tile == e.tile


@of(fact.UnitMoved)
def SOE_7_2_6_SOE_7_3_6_a_fort_goes_from_home_to_an_area_and_stays(s, e, h):
    if e.unit != "fort":
        return
    yield
    assert e.origin == e.power and e.to in s.parts.area


@of(fact.UnitMoved, fact.UnitTurnedBack, fact.UnitSunk)
def SOE_8_3_3_one_check_for_a_move_between_zones_and_none_within_one(s, e, h):
    yield
    since = 0
    for event in reversed(h.all):
        if isinstance(event, fact.UnitMoved | fact.UnitTurnedBack | fact.UnitSunk):
            break
        since += isinstance(event, FarLandsThrown if s.options.cross.model == "far_lands_die" else fact.CrossingThrown)
    assert since == (s.parts.zone[e.origin] != s.parts.zone[e.to])


# --- attacks ------------------------------------------------------------------------------------------------

def declared(h: Record) -> Any:
    """How the attack under way began, if it is no raid."""
    return h.battle[0] if h.battle and isinstance(h.battle[0], fact.AttackDeclared) else None


@of(fact.AttackDeclared)
def SOE_9_1_3_SOE_9_1_4_without_an_army_an_attack_is_naval_only(s, e, h):
    army = s.count(e.attacker, "army", e.area) > 0
    yield
    assert e.naval_only or army
    if e.naval_only:
        assert s.navies(e.attacker, e.sea)
        assert not army or s.options.attack.naval_only_with_army or s.beaten_at_sea(e.defender), "SOE-14.4.13, AMB-28"


@of(fact.AttackEnded)
def SOE_9_1_3_SOE_9_1_4_stages_of_a_naval_only_and_of_a_full_attack(s, e, h):
    if declared(h) is None:
        return
    yield
    stages = [stage.stage for stage in some(h.battle, fact.StageBegun)]
    assert stages in (["sea"], []) if declared(h).naval_only else stages in (["land"], ["sea", "land"])


@of(fact.UnitLost, fact.UnitWithdrawn)
def SOE_9_2_7_SOE_9_10_16_only_who_takes_part_loses_what_took_part(s, e, h):
    b = s.battle
    assert b is not None
    kind = "navy" if b.stage == "sea" or (isinstance(h.battle[0], fact.RaidBegun) and h.battle[0].token == "pirates") else "army"
    sent = b.sent.get(e.owner)
    committed = 0 if sent is None else sent.army if kind == "army" else sent.navy
    there = s.count(e.owner, e.unit, e.area)
    yield
    assert there > 0 and e.unit in (kind, *(("fort",) if kind == "army" else ()))
    assert e.owner in (b.attacker, b.defender) or committed > 0
    assert e.unit != "fort" or e.owner == b.defender


@of(fact.AttackEnded)
def SOE_9_3_3_SOE_9_3_4_SOE_14_4_5_every_attack_costs_2_gold_whatever_comes_of_it(s, e, h):
    attack = declared(h)
    if attack is None:
        return
    yield
    paid = [(event.power, event.gold) for event in some(h.battle, fact.GoldPaid) if event.gold]       # 0 is taxed for a gift
    assert paid == ([] if attack.war_office else [(attack.attacker, 2)])


@of(fact.HelpSent)
def SOE_9_4_1_SOE_9_4_2_SOE_9_4_8_SOE_9_4_16_allies_help_once_the_attackers_first_before_any_dice(s, e, h):
    b = s.battle
    yield
    before = [sent for sent in some(h.battle, fact.HelpSent) if sent.ally not in s.npps]
    assert e.ally in s.allies(e.principal) and e.principal in (b.attacker, b.defender)
    assert e.ally not in [sent.ally for sent in before]
    assert e.principal == b.defender or e.ally in s.npps or all(sent.principal == b.attacker for sent in before)
    assert not number(h.battle, fact.Thrown, fact.StageBegun, fact.SupportGained)


@of(fact.HelpSent)
def SOE_19_2_1_SOE_19_2_2_SOE_12_19_4_a_non_player_sends_all_that_it_has_there_at_once(s, e, h):
    if e.ally not in s.npps:
        return
    attack = declared(h)
    yield
    assert (e.armies, e.navies) == (s.count(e.ally, "army", attack.area), 0) != (0, 0) and h.verb == "attack"
    assert attack.defender in (*s.powers, *s.npps) and e.principal != (attack.defender if attack.surprise else "")
    assert e.principal in s.powers, "nobody helps a marker of a non-player (SOE-19.2.6)"


@of(fact.AttackEnded)
def SOE_19_2_1_all_that_stood_there_for_a_principal_has_helped(s, e, h):
    attack = declared(h)
    if attack is None or attack.defender not in (*s.powers, *s.npps) or attack.naval_only:
        return
    yield
    sides = [attack.attacker, *([attack.defender] if attack.defender in s.powers and not attack.surprise else [])]
    able = {power for power in s.npps if s.count(power, "army", attack.area) and any(power in s.allies(side) for side in sides)}
    assert able == {sent.ally for sent in some(h.battle, fact.HelpSent)} & set(s.npps)


@of(fact.HelpSent)
def SOE_9_4_5_help_at_sea_and_on_land_are_independent(s, e, h):
    if bool(e.armies) == bool(e.navies):
        return
    yield
    assert s.battle.sent[e.ally].army == e.armies and s.battle.sent[e.ally].navy == e.navies


def own_units(s: State, side: str, stage: str) -> int:
    """The units of a principal that fight in a stage, counted from the map."""
    b = s.battle
    if side not in s.powers:
        return 0
    if stage == "sea":
        return s.units[side]["navy"].get(b.sea, 0)
    forts = s.units[side]["fort"].get(b.area, 0) if side == b.defender else 0
    return s.units[side]["army"].get(b.area, 0) + forts


def helping(s: State, side: str, stage: str) -> int:
    return sum(sent.navy if stage == "sea" else sent.army for sent in s.battle.sent.values() if sent.principal == side)


@of(fact.Thrown)
def SOE_9_4_12_SOE_9_6_3_SOE_9_6_6_all_own_units_fight_and_what_helpers_sent(s, e, h):
    yield
    for side, parts in ((e.attacker, e.parts[0]), (e.defender, e.parts[1])):
        if side in s.powers:
            forts = s.units[side]["fort"].get(s.battle.area, 0) if e.stage == "land" and side == s.battle.defender else 0
            worth = s.parts.numbers.fort_defence - 1
            assert parts[0] == own_units(s, side, e.stage) + forts * worth + helping(s, side, e.stage)


@of(fact.Thrown)
def SOE_9_6_6_a_defender_without_units_throws_too(s, e, h):
    if e.defender not in s.powers or own_units(s, e.defender, e.stage) or helping(s, e.defender, e.stage):
        return
    yield
    assert e.parts[1][0] == 0 and e.parts[1][4] == abs(e.dice[2] - e.dice[3])


@of(fact.Thrown)
def SOE_12_1_1_SOE_12_1_5_SOE_12_1_7_SOE_12_2_2_SOE_12_2_3_SOE_12_19_2_training_is_for_the_principal_with_more_tiles(s, e, h):
    effect = {"sea": "training_sea", "land": "training_land"}[e.stage]
    tile = next(tile.id for tile in s.parts.tiles if tile.effect == effect)
    tiles = {side: s.tiles[side].get(tile, 0) if side in s.powers else 0 for side in (e.attacker, e.defender)}
    yield
    for side, foe, parts in ((e.attacker, e.defender, e.parts[0]), (e.defender, e.attacker, e.parts[1])):
        there = own_units(s, side, e.stage)
        if e.stage == "land" and s.options.training.land_unit == "army":
            there = s.count(side, "army", s.battle.area) if side in s.powers else 0
        has = side in s.powers and tiles[side] > tiles[foe] and there > 0
        assert parts[1] == int(has), "tiles of helpers count for nothing (SOE-9.4.9), a side hands nothing over (SOE-12.1.5)"


@of(fact.Thrown)
def SOE_9_4_9_SOE_13_3_7_SOE_13_3_9_alliances_help_their_owner_alone_against_anybody(s, e, h):
    yield
    places = {s.battle.area, s.battle.sea} if e.stage == "sea" else {s.battle.area}
    for side, parts in ((e.attacker, e.parts[0]), (e.defender, e.parts[1])):
        able: list[Any] = [tile for tile in s.parts.alliances
                           for _ in range(s.tiles[side].get(tile.id, 0) if side in s.powers else 0) if places & set(tile.areas)]
        able += [place for place in s.parts.local_alliances
                 if s.local_alliances.get(place.id) == side and places & set(place.areas)]
        at_sea = [tile for tile in some(h.battle, fact.AllianceUsedAtSea) if tile.side == side]
        if e.stage == "sea":
            assert parts[2] == len(at_sea) <= len(able)
        else:
            land = [tile for tile in able if tile.helps_on_land]
            assert parts[2] == len(land) - sum(any(used.tile == tile.id for used in at_sea) for tile in land)


@of(fact.Thrown)
def SOE_9_8_1_SOE_9_8_2_SOE_9_8_3_naval_support_counts_on_land_for_who_gained_it(s, e, h):
    if e.stage != "land":
        return
    gained = [event.side for event in some(h.battle, fact.SupportGained)]
    twice = bool(number(h.battle, fact.SupportDoubled))
    yield
    assert len(gained) <= 1
    for side, parts in ((e.attacker, e.parts[0]), (e.defender, e.parts[1])):
        assert parts[3] == (1 + twice if side in gained else 0)
    tied = [event for event in some(h.battle, fact.FightDecided) if event.stage == "sea" and not event.winner]
    assert not tied or gained == ([s.battle.defender] if s.options.naval.tie_support == "defender" else [])


@of(fact.StageBegun)
def SOE_9_5_7_to_9_5_13_who_has_naval_support(s, e, h):
    """SOE-9.5.7, SOE-9.5.8, SOE-9.5.9, SOE-9.5.10, SOE-9.5.11 and SOE-9.5.13, at the beginning of the land stage."""
    attack = declared(h)
    if e.stage != "land" or attack.defender not in s.powers or not attack.sea:
        return
    yield
    lost = Counter(event.owner for event in some(h.battle, fact.UnitLost) if event.unit == "navy")
    lost += Counter(event.owner for event in some(h.battle, fact.UnitWithdrawn) if event.unit == "navy" and event.goes_home)
    sides = {attack.attacker: s.allies(attack.attacker), attack.defender: s.allies(attack.defender)}
    sent = {help_.ally: help_.navies for help_ in some(h.battle, fact.HelpSent)}
    shared = not s.options.naval.own_navy_needed
    able = [side for side, allies in sides.items() if s.navies(side, attack.sea) + lost[side] > 0
            or (shared and any(sent.get(ally, 0) for ally in allies))]
    gained = [event.side for event in some(h.battle, fact.SupportGained)]
    declined = [event.side for event in some(h.battle, fact.SeaDeclined)]
    fought = [event for event in some(h.battle, fact.FightDecided) if event.stage == "sea"]
    if len(able) < 2:
        assert gained == able and not declined and not fought
    elif declined:
        (side,) = declined
        assert gained == [attack.defender if side == attack.attacker else attack.attacker] and not fought and not lost
    else:
        in_a_tie = [attack.defender] if s.options.naval.tie_support == "defender" else []
        assert len(fought) == 1 and gained == ([fought[0].winner] if fought[0].winner else in_a_tie)


@of(fact.FightDecided)
def SOE_9_7_2_SOE_9_7_4_SOE_12_3_2_the_higher_total_of_the_last_throw_wins(s, e, h):
    thrown = h.last(fact.Thrown)
    mine, theirs = (sum(parts) for parts in thrown.parts)
    yield
    assert e.winner == (thrown.attacker if mine > theirs else thrown.defender if theirs > mine else "")


@of(fact.StageBegun, fact.AttackEnded)
def SOE_9_7_3_SOE_9_10_1_SOE_9_10_2_who_loses_how_many_units(s, e, h):
    decided = some(h.battle, fact.FightDecided)
    if not decided:
        return
    after, thrown = h.battle[h.battle.index(decided[-1]):], h.last(fact.Thrown)
    yield
    for side, dice in ((thrown.attacker, thrown.dice[:2]), (thrown.defender, thrown.dice[2:])):
        due = [loss for loss in some(after, fact.LossDue) if loss.side == side]
        wanted = (side != decided[-1].winner) + (sum(dice) == 7)
        assert len(due) == (wanted if side in s.powers else 0)
        outcomes = number(after, fact.UnitLost, fact.UnitWithdrawn, fact.NothingToLose)
        assert outcomes == number(after, fact.LossDue), "one unit for each, or nothing that could be lost"


@of(fact.StageBegun)
def SOE_9_8_4_a_naval_fight_exchanges_no_marker(s, e, h):
    if e.stage != "land" or not number(h.battle, fact.StageBegun):
        return
    yield
    assert not number(h.battle, fact.MarkerTaken, fact.NeutralBeaten, fact.CaptiveFreed)


@of(fact.MarkerTaken, fact.NeutralBeaten, fact.CaptiveFreed)
def SOE_9_4_10_SOE_9_9_3_SOE_9_9_4_SOE_9_9_7_the_attacker_alone_takes_a_marker_at_once(s, e, h):
    attack, decided = declared(h), h.last(fact.FightDecided)
    yield
    at_sea = attack.defender == "pirates" and s.options.covert.pirates_beaten_by == "sea"
    assert e.winner == attack.attacker == s.active == decided.winner and decided.stage == ("sea" if at_sea else "land")
    assert decided in h.row, "nobody is asked"
    after = h.all[h.all.index(decided):] if h.all.count(decided) == 1 else h.row[h.row.index(decided):]
    assert not number(after, fact.LossDue), "before any loss is taken"


@of(fact.AttackEnded)
def SOE_9_9_2_SOE_9_9_5_SOE_9_9_6_the_marker_goes_exactly_when_the_attacker_wins_and_there_is_one(s, e, h):
    attack = declared(h)
    if attack is None or attack.defender not in (*s.powers, *s.npps) or attack.naval_only:
        return
    decided, taken = h.last(fact.FightDecided), some(h.battle, fact.MarkerTaken)
    yield
    if decided.winner != attack.attacker:
        assert not taken
    elif not taken:
        assert s.marker_supply(attack.attacker) == 0 or not s.markers[attack.defender].get(attack.area)


@of(fact.Thrown)
def SOE_9_11_1_a_neutral_marker_has_its_number_and_two_dice(s, e, h):
    attack = declared(h)
    if attack is None or e.defender in s.powers or e.defender in ("pirates", "slave_revolt"):
        return
    strength = 3 if e.defender in s.npps else s.face(attack.area, e.defender).strength      # SOE-19.2.4
    yield
    assert e.parts[1] == (strength, 0, 0, 0, abs(e.dice[2] - e.dice[3]))


@of(fact.AttackEnded)
def SOE_9_11_2_SOE_9_11_7_SOE_14_4_3_SOE_14_4_4_attacks_on_neutrals_and_captives_are_on_land_but_for_pirates(s, e, h):
    attack = declared(h)
    if attack is None or attack.defender in s.powers:
        return
    yield
    at_sea = attack.defender == "pirates" and s.options.covert.pirates_beaten_by == "sea"
    assert [stage.stage for stage in some(h.battle, fact.StageBegun)] == ["sea" if at_sea else "land"]
    assert not number(h.battle, fact.SeaDeclined) and s.powers.count(attack.attacker) == 1
    (won,) = [event.winner == attack.attacker for event in some(h.battle, fact.FightDecided)]
    beaten = number(h.battle, fact.NeutralBeaten, fact.CaptiveFreed, fact.MarkerTaken)
    assert won or not beaten
    assert won or any(loss.side == attack.attacker for loss in some(h.battle, fact.LossDue))


@of(fact.NeutralBeaten)
def SOE_9_11_5_a_beaten_neutral_leaves_the_game(s, e, h):
    before = s.markers[e.winner].get(e.area, 0)
    yield
    assert s.markers[e.winner][e.area] == before + 1
    assert e.marker not in s.neutrals[e.area] and e.marker not in s.bag


@of(fact.CaptiveFreed)
def SOE_14_4_6_SOE_14_4_8_a_captive_is_freed_and_the_token_can_be_used_again(s, e, h):
    stock, mine, area = s.stock.get(e.token, 0), s.markers[e.winner].get(e.area, 0), s.captives[e.token].area
    yield
    assert s.stock.get(e.token, 0) == stock + (s.options.covert.mode == "tiles")
    assert e.token not in s.captives and area == e.area
    assert s.markers[e.winner][e.area] == mine + 1


@of(fact.Withdrawn)
def SOE_12_18_6_the_tile_is_back_in_the_stock_before_any_loss(s, e, h):
    yield
    assert isinstance(h.all[-1], fact.TileReturned) and h.all[-1].power == e.side and s.stock[h.all[-1].tile] > 0
    assert e.side == s.battle.defender


@of(fact.UnitLost, fact.UnrestChanged)
def SOE_12_18_1_SOE_12_18_3_who_withdraws_loses_no_unit_and_takes_no_unrest(s, e, h):
    if not number(h.battle, fact.Withdrawn) or number(h.battle, fact.AttackEnded) or s.battle is None:
        return
    b = s.battle
    side = {b.defender, *(power for power, sent in b.sent.items() if sent.principal == b.defender)}
    yield
    whose = e.owner if isinstance(e, fact.UnitLost) else e.power
    assert whose not in side or (isinstance(e, fact.UnrestChanged) and e.cause != "loss")


@of(fact.TileReturned)
def SOE_12_19_5_surprise_attack_is_back_in_the_stock_at_once(s, e, h):
    if s.parts.tile[e.tile].effect != "no_defender_helpers":
        return
    before = s.stock.get(e.tile, 0)
    yield
    assert s.stock[e.tile] == before + 1 and declared(h).surprise and declared(h).defender in s.powers
    assert not number(h.battle, fact.HelpSent)


# --- raids --------------------------------------------------------------------------------------------------

def raid(h: Record) -> Any:
    return h.battle[0] if h.battle and isinstance(h.battle[0], fact.RaidBegun) else None


@of(fact.Thrown)
def SOE_14_2_4_SOE_14_2_6_SOE_14_2_8_SOE_14_3_2_SOE_14_3_5_strengths_of_a_raid(s, e, h):
    begun = raid(h)
    if begun is None:
        return
    yield
    strength = {"pirates": 1, "slave_revolt": 3}[begun.token]
    assert e.parts[0] == (strength, 0, 0, 0, abs(e.dice[0] - e.dice[1])), "nothing of the sender's own (SOE-14.2.8)"
    assert (e.attacker, e.defender) == (begun.token, begun.target)
    assert e.stage == {"pirates": "sea", "slave_revolt": "land"}[begun.token]
    if begun.target in s.npps:
        assert e.parts[1] == (3, 0, 0, 0, abs(e.dice[2] - e.dice[3])), "SOE-19.2.8"
    elif begun.token == "pirates":
        assert e.parts[1][0] == s.navies(begun.target, begun.area)


@of(fact.AttackEnded)
def SOE_14_1_3_SOE_14_1_5_SOE_14_2_5_SOE_14_2_13_a_raid_is_one_fight_in_a_fixed_order_without_a_price(s, e, h):
    begun = raid(h)
    if begun is None:
        return
    yield
    steps = (fact.RaidBegun, fact.AllianceUsedAtSea, fact.SupportGained, fact.SupportDoubled, fact.Thrown, fact.FightDecided,
             fact.Captured, fact.Withdrawn, fact.LossDue)
    order = [steps.index(type(event)) for event in h.battle if type(event) in steps and not isinstance(event, fact.Thrown)]
    assert order == sorted(order)
    assert number(h.battle, fact.FightDecided) == 1 and not number(h.battle, fact.GoldPaid, fact.ActionSpent, fact.SeaDeclined)
    assert not number(h.battle, fact.StageBegun)


# --- income, upkeep, victory points ---------------------------------------------------------------------------

@of(fact.WarEnded)
def SOE_17_2_2_SOE_17_2_4_income_and_upkeep_of_all_in_one_step_a_shortfall_is_taxed(s, e, h):
    begin = next(place for place, event in enumerate(h.row) if isinstance(event, fact.IncomeTaken))
    steps = h.row[begin:]
    yield
    assert sorted(event.power for event in some(steps, fact.IncomeTaken)) == sorted(s.powers)
    upkeep = {event.power: event.gold for event in some(steps, fact.GoldPaid)}
    assert upkeep == {power: total for power in s.powers if (total := sum(number for (of_power, _), number in standing(s).items()
                                                                          if of_power == power))}
    for paid in some(steps, fact.GoldPaid):
        taxed = {change.power for change in steps if isinstance(change, fact.UnrestChanged | UnrestDrawn)}
        assert (paid.power in taxed) == (paid.taxed > 0)


@of(fact.AreaScored)
def SOE_1_4_16_SOE_17_4_2_SOE_17_4_3_SOE_17_4_4_points_of_an_area(s, e, h):
    few = len(s.powers) < 4
    numbers = {power: s.markers[power].get(e.area, 0) for power in (*s.powers, *(s.npps if few else ()))}
    before = s.points | s.npp_points
    yield
    values, after = s.parts.area[e.area].vp, s.points | s.npp_points
    for power, mine in numbers.items():
        better = {(other, rival in s.npps) for rival, other in numbers.items()
                  if other > mine or (other == mine and rival in s.npps and power in s.powers)}       # SOE-19.3.2
        worth = values[len(better)] if mine and len(better) < len(values) else 0
        assert (e.points | e.npp_points).get(power, 0) == worth == after.get(power, 0) - before.get(power, 0)


@of(fact.Thrown)
def SOE_20_1_2_the_dice_lie_in_the_order_of_the_throw(s, e, h):
    yield
    assert h.verb == "roll" and tuple(h.answer["values"]) == e.dice
    b = s.battle
    assert (e.attacker, e.defender) == (b.attacker, b.defender)
    assert e.parts[0][4] == abs(e.dice[0] - e.dice[1]) and e.parts[1][4] == abs(e.dice[2] - e.dice[3])


# --- the referee ------------------------------------------------------------------------------------------------

@cache
def verdicts() -> tuple[dict[str, int], dict[str, str]]:
    """How often each check had something to say, and the first fault that it found."""
    said, faults = Counter[str](), dict[str, str]()
    by_kind: dict[type[Event], list[tuple[str, Check]]] = defaultdict(list)
    for name, (kinds, check) in CHECKS.items():
        for kind in kinds:
            by_kind[kind].append((name, check))
    for edition, seats, options in GAMES:
        watch(edition, seats, dict(options), by_kind, said, faults)
    return said, faults


def watch(edition: str, seats: int, options: dict[str, Any], by_kind: dict[type[Event], list[tuple[str, Check]]],
          said: Counter[str], faults: dict[str, str]) -> None:
    """One game, with every check of every fact."""
    parts = components(GAME, edition).parts
    start = beginning(GAME, seats, edition, parts, options)
    table, pick = Table(GAME, parts, start, dice=source(start), checkpoints=False), random.Random(f"{seats}/0")
    while not table.over:
        table.answer(*lively(table, pick))
    s, h = GAME.rules.state.model_validate_json(start.state), Record()
    GAME.rules.bind(s, parts)
    for entry in (None, *table.fresh):
        events = list(table.opening) if entry is None else parse_events(GAME, entry.row().events)
        h.row.clear()
        h.verb, h.answer = ("", {}) if entry is None else (entry.answer.verb, entry.answer.model_dump())
        for event in events:
            open_checks: list[tuple[str, Iterator[None]]] = []
            for name, check in by_kind[type(event)]:
                try:
                    running = check(s, event, h)
                    next(running)
                    open_checks.append((name, running))
                except StopIteration:
                    pass
                except Exception as why:
                    faults.setdefault(name, f"{edition}, {seats} players, {event!r}: {type(why).__name__} {why}")
            event.apply(s)
            for name, running in open_checks:
                said[name] += 1
                try:
                    next(running, None)
                except Exception as why:
                    faults.setdefault(name, f"{edition}, {seats} players, {event!r}: {type(why).__name__} {why}")
            h.note(event)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKS)
def test_the_referee_has_no_complaint(name):
    said, faults = verdicts()
    assert name not in faults, faults[name]
    assert said[name], "this never happened"


def test_a_referee_complains_of_what_is_wrong(monkeypatch):
    monkeypatch.setattr(fact.UnitLost, "apply", lambda self, state: None)
    by_kind = {kind: [(name, check) for name, (kinds, check) in CHECKS.items() if kind in kinds] for kind in GAME.rules.events}
    said, faults = Counter[str](), dict[str, str]()
    watch("first", 2, {}, by_kind, said, faults)
    assert "SOE_1_1_9_a_destroyed_unit_is_in_the_supply_at_once" in faults
