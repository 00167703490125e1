"""Checks of units, markers, tiles, gold, unrest, population, income and victory points."""
from __future__ import annotations

from collections import Counter

from engine.games.struggle_of_empires import GAME, events as fact
from engine.games.struggle_of_empires.components import UNITS
from engine.games.struggle_of_empires.events import MarkerPutBack, NonPlayerPlaced
from engine.games.struggle_of_empires.rules.unrest_bag import UnrestDrawn
from engine.games.struggle_of_empires.state import State
from engine.text import Reader, say
from tests.games.struggle_of_empires.referee.record import markers_of, number, of, owned, some, standing
from tests.games.struggle_of_empires.test_properties import PARTS

READER = Reader(GAME.words.names(PARTS))


def held(s: State, power: str) -> int:
    """Control markers on the map, captives included."""
    return sum(s.markers[power].values()) + sum(captive.power == power for captive in s.captives.values())


# --- units, markers, tiles -----------------------------------------------------------------------------------------

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


@of(fact.CrossingRolled, fact.DiceRolled)
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
    assert (dict(s.gold), dict(s.population)) == before and not number(h.row, fact.CrossingRolled)
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


# --- money, unrest, population -------------------------------------------------------------------------------------

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


# --- income, upkeep, victory points --------------------------------------------------------------------------------

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


@of(fact.DiceRolled)
def SOE_20_1_2_the_dice_lie_in_the_order_of_the_throw(s, e, h):
    yield
    assert h.verb == "roll" and tuple(h.answer["values"]) == e.dice
    b = s.battle
    assert (e.attacker, e.defender) == (b.attacker, b.defender)
    assert e.parts[0][4] == abs(e.dice[0] - e.dice[1]) and e.parts[1][4] == abs(e.dice[2] - e.dice[3])
