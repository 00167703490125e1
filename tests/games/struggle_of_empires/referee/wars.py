"""Checks of the course of a war, of building and of moving."""
from __future__ import annotations

import json

from engine.games.struggle_of_empires import events as fact
from engine.games.struggle_of_empires.events import AllianceFormed, FarLandsRolled, TokenBack, TokenSent
from engine.games.struggle_of_empires.rules.unrest_bag import UnrestDrawn
from tests.games.struggle_of_empires.referee.record import markers_of, number, of, owned, some, standing

# --- the course of a war -------------------------------------------------------------------------------------------

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


# --- building and moving -------------------------------------------------------------------------------------------

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
        since += isinstance(event, FarLandsRolled if s.options.cross.model == "far_lands_die" else fact.CrossingRolled)
    assert since == (s.parts.zone[e.origin] != s.parts.zone[e.to])
