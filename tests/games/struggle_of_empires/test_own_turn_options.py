"""The options of setup and own turn in all their values, and in mixtures of the editions."""
from __future__ import annotations

import json
from typing import Any

import pytest

from engine.components import components
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import (
    Ally,
    Attack,
    Build,
    Choose,
    Colonise,
    Covert,
    Decline,
    End,
    Enslave,
    Give,
    Mend,
    Move,
    Pass,
    Rebuild,
    Redraw,
    Send,
    Take,
    Use,
)
from engine.games.struggle_of_empires.events import GoldGiven, GoldPaid, MarkerPutBack, NeutralsPlaced, StartDrawn
from engine.games.struggle_of_empires.odds import crossing
from engine.games.struggle_of_empires.orders import ORDERING
from engine.kernel import Seat
from engine.options import choice_of
from engine.orders import Order, Orders
from engine.text import Reader, say
from tests.scene import FAIR, Scene, scene

A, B, C, D = "austria", "britain", "france", "prussia"
COUNT = {"unrest.model": "count"}
TICK, ARROW, CROSS = (1,), (5,), (6,)           # throws of the Far Lands die


# --- setup and neutral markers ------------------------------------------------------------------------------

def opened(options: dict[str, Any], *, edition: str = "first", seats: int = 2) -> Scene:
    """A new game at the choice of powers."""
    parts = components(GAME, edition).parts
    names = tuple(Seat(f"seat_{number}") for number in range(1, seats + 1))
    return Scene(parts, GAME.rules.setup(names, GAME.rules.options(edition, options), parts), FAIR)


def drawn(table: Scene) -> Scene:
    """Powers are chosen: each seat takes the first that is free."""
    while table.table.waiting()[0].point == "DP-01":
        seat = table.table.waiting()[0].seat
        table.say(seat, next(option for option in table.table.options(seat) if isinstance(option, Choose)))
    return table


@pytest.mark.parametrize("setup, war, first, second", [
    ("ten", "ten", 10, 10), ("by_players", "ten", 6, 10), ("ten", "by_players", 10, 6), ("by_players", "by_players", 6, 6)])
def test_SOE_2_1_2_SOE_2_1_3_SOE_4_2_2_SOE_4_2_3_each_number_of_neutral_markers_has_its_option(setup, war, first, second):
    options = {"neutrals.at_setup": setup, "neutrals.per_war": war}
    table = opened(options, seats=3)
    (placed,) = table.events(NeutralsPlaced)
    assert len(placed.markers) == first
    later = scene(powers=(A, B, C), phase="neutrals", war=2, options=options, dice=FAIR)
    (placed,) = later.events(NeutralsPlaced)
    assert len(placed.markers) == second


@pytest.mark.parametrize("to", ["box", "display"])
def test_SOE_1_2_6_what_leaves_the_game_lies_in_the_box_or_in_the_display(to):
    table = drawn(opened({"neutrals.discard_to": to}))
    first = [marker for event in table.events(StartDrawn) for marker in event.markers]
    assert len(first) == 10 and table.state.display == (first if to == "display" else [])
    assert not set(first) & set(table.state.bag)
    later = scene(options={"neutrals.discard_to": to}, neutrals={"india": ["pop"], "africa": ["slaves"], "baltic": ["neutral_1"]},
                  units={A: {"navy": {"africa": 1}, "army": {"baltic": 3}}}, dice=[(1, 1, 1, 1)])
    gone = [marker for area in ("india", "baltic") for marker in later.state.neutrals[area]]
    later.say(A, Colonise(area="india"), Attack(area="baltic", target="neutral_1"))
    assert later.markers(A, "india") == later.markers(A, "baltic") == 1
    assert later.state.display == (gone if to == "display" else [])
    assert not set(gone) & set(later.state.bag)


def test_SOE_2_1_9_nobody_is_asked_without_the_variant():
    table = drawn(opened({}))
    assert {question.point for question in table.table.waiting()} == {"DP-02"} and table.state.first_draw == {}


def redrawing() -> Scene:
    """Both powers have their first markers, and the first player is asked which go back."""
    return drawn(opened({"setup.redraw": True}))


def test_SOE_2_1_9_what_is_put_back_is_drawn_anew_once_in_seat_order():
    table = redrawing()
    first, other = table.state.in_seat_order(table.state.first)
    assert table.asked() == [(first, "DP-32")] and table.default(first) == Decline()
    before = {marker for event in table.events(StartDrawn) if event.power == first for marker in event.markers}
    back = next(option for option in table.options(first) if isinstance(option, Redraw))
    held = table.markers(first, back.area)
    table.say(first, back)
    (gone,) = table.events(MarkerPutBack)
    assert gone.marker in before and table.markers(first, back.area) == held - 1
    assert gone.marker in table.state.bag
    assert table.state.bag == [marker for marker in table.parts.neutral if marker in table.state.bag], "in the order of the data"
    table.say(first, Decline())
    assert sum(table.state.markers[first].values()) == 5
    assert [len(event.markers) for event in table.events(StartDrawn)] == [5, 5, 1]
    assert table.asked() == [(other, "DP-32")]
    table.say(other, Decline())
    assert sum(table.state.markers[other].values()) == 5 and table.state.first_draw == {}
    assert table.asked()[0][1] == "DP-02", "nobody draws anew twice"


def test_SOE_2_1_9_all_five_can_go_back():
    table = redrawing()
    first = table.state.in_seat_order(table.state.first)[0]
    while table.asked() == [(first, "DP-32")]:
        table.say(first, next(option for option in table.options(first) if isinstance(option, Redraw)))
    assert len(table.events(MarkerPutBack)) == 5 and sum(table.state.markers[first].values()) == 5
    assert [len(event.markers) for event in table.events(StartDrawn)] == [5, 5, 5]


@pytest.mark.parametrize("limit, allowed", [(20, False), (23, True)])
def test_SOE_1_1_6_SOE_1_1_7_how_many_control_markers_reach_the_map(limit, allowed):
    table = scene(options={"markers.map_limit": limit}, neutrals={"india": ["pop"]},
                  markers={A: {"german_states": 9, "central_europe": 7, "baltic": 4}})
    assert table.allows(A, Colonise(area="india")) is allowed


# --- special actions ----------------------------------------------------------------------------------------

LOCAL = {"alliance.mode": "local", "covert.mode": "tokens"}
SPECIAL = [Colonise(area="north_america"), Enslave(area="caribbean"), Take(tile="reserves"), Ally(place="local_denmark"),
           Covert(token="pirates", area="india", target=B)]
KINDS = ["settling", "settling", "tile", "tile", "tile"]


@pytest.mark.parametrize("first", range(5))
@pytest.mark.parametrize("second", range(5))
@pytest.mark.parametrize("limit", ["per_kind", "shared"])
def test_SOE_6_2_2_SOE_6_2_3_SOE_6_3_2_one_of_each_kind_or_one_in_all(first, second, limit):
    """Where alliances and Pirates are no tiles, they still count as the tile of a turn that has one of each kind."""
    table = scene(options={**LOCAL, "turn.special_limit": limit}, markers={B: {"india": 1}}, dice=[(1, 1, 2, 2)],
                  neutrals={"north_america": ["pop", "pop"], "caribbean": ["slaves", "slaves"]},
                  units={A: {"navy": {"africa": 1}}})
    table.say(A, SPECIAL[first])
    two = table.allows(A, SPECIAL[second])
    assert two is (limit == "per_kind" and KINDS[first] != KINDS[second])
    if not two and first != second:
        rule = "SOE-6.3.2" if limit == "shared" else "SOE-6.2.3" if KINDS[second] == "settling" else "SOE-6.2.2"
        assert table.refusal(A, SPECIAL[second]).rule in (rule, "SOE-14.1.4")


@pytest.mark.parametrize("cap, owned, players, allowed", [
    ("three", 3, 2, False), ("three", 3, 3, False), ("three", 2, 3, True), ("three", 3, 4, True), ("none", 3, 2, True)])
def test_SOE_12_21_3_SOE_12_21_4_how_many_companies_a_player_owns(cap, owned, players, allowed):
    tiles = {"levant_company": min(2, owned), "south_sea_company": owned - min(2, owned)}
    table = scene(powers=(A, B, C, D)[:players], options={"tiles.company_cap": cap}, tiles={A: tiles})
    assert table.allows(A, Take(tile="baltic_company")) is allowed
    assert table.allows(A, Take(tile="banking"))


@pytest.mark.parametrize("classes, again, used", [("marks", "SOE-11.2.5", "SOE-11.2.1"), ("classes", "SOE-11.3.5", "SOE-11.3.1")])
def test_SOE_11_2_SOE_11_3_a_refusal_names_the_rule_of_marks_or_of_classes(classes, again, used):
    table = scene(options={"tiles.classes": classes}, tiles={A: {"blockade": 1, "pressgangs": 1}}, used={A: {"pressgangs": 1}},
                  units={A: {"navy": {"india": 1}}})
    table.say(A, Use(tile="blockade", on="india"))
    assert table.refusal(A, Use(tile="pressgangs", on=A)).rule == used
    lifted = scene(options={"tiles.classes": classes}, tiles={A: {"surprise_attack": 1}}, units={A: {"army": {"india": 1}}},
                   markers={B: {"india": 1}}, dice=[(1, 1, 2, 2)])
    lifted.say(A, Attack(area="india", target=B, surprise=True))
    assert lifted.refusal(A, Take(tile="surprise_attack")).rule == again


@pytest.mark.parametrize("relief, words", [(0, None), (1, "−1 unrest if you don't attack this turn")])
def test_SOE_15_1_3_what_passing_brings_stands_beside_it(relief, words):
    table = scene(options={"turn.pass_relief": relief})
    told = Pass().cost(table.state, table.state.seat(A))
    assert (told and say(told)) == words
    assert End().cost(table.state, table.state.seat(A)) == told, "what is left is passed"
    spent = scene(options={"turn.pass_relief": relief}, actions=0, tiles={A: {"mercenaries": 1}})
    assert End().cost(spent.state, spent.state.seat(A)) is None
    bidding = scene(phase="auction", opener=A, options={"turn.pass_relief": relief})
    assert Pass().cost(bidding.state, bidding.state.seat(B)) is None, "a pass in an auction is another one"


def test_SOE_15_1_5_after_an_attack_passing_brings_nothing_and_says_so_by_silence():
    table = scene(options={"turn.pass_relief": 1}, units={A: {"army": {"india": 2}}}, markers={B: {"india": 1}},
                  dice=[(5, 1, 2, 2)], unrest={A: 3})
    seat = table.state.seat(A)
    assert Pass().cost(table.state, seat) is not None
    table.say(A, Attack(area="india", target=B))
    assert table.asked() == [(A, "DP-05")] and table.state.turn.actions == 1
    assert Pass().cost(table.state, seat) is None and End().cost(table.state, seat) is None
    unrest = table.state.unrest[A]
    table.say(A, Pass())
    assert table.state.unrest[A] == unrest and not table.state.turn.attacked, "the next turn is a peaceful one again"


# --- moves and crossings ----------------------------------------------------------------------------------------

NAVY = Move(unit="navy", origin="baltic", to="india")


@pytest.mark.parametrize("again", [False, True])
def test_SOE_8_1_5_a_unit_that_failed_its_crossing_may_try_again_in_the_same_action_only_by_an_option(again):
    table = scene(options={"move.failed_unit_again": again}, units={A: {"navy": {"baltic": 1}, "army": {"baltic": 1}}},
                  dice=[(1,), (3,), (2,)])
    table.say(A, NAVY)
    assert table.units(A, "navy", "baltic") == 1 and table.asked() == [(A, "DP-08")]
    assert table.allows(A, NAVY) is again
    if again:
        table.say(A, NAVY)
        assert table.units(A, "navy", "india") == 1 and table.state.turn.actions == 1, "it has used the second move"
    else:
        assert table.refusal(A, NAVY).rule == "SOE-8.1.5"


@pytest.mark.parametrize("same", [True, False])
def test_SOE_8_1_6_the_same_unit_in_the_second_action(same):
    table = scene(options={"move.same_unit_next_action": same}, units={A: {"navy": {"india": 1, "africa": 1}}}, dice=[(2,), (2,)])
    back, other = Move(unit="navy", origin="baltic", to="mediterranean"), Move(unit="navy", origin="africa", to="baltic")
    table.say(A, Move(unit="navy", origin="india", to="baltic"), Decline())
    assert table.allows(A, back) is same
    table.say(A, other)                                                 # two navies are there now, of which one has moved
    assert table.allows(A, Move(unit="navy", origin="baltic", to="mediterranean")) is same


def test_SOE_8_1_6_a_build_move_does_not_count():
    table = scene(options={"move.same_unit_next_action": False}, dice=[])
    table.say(A, Build(unit="navy", to="baltic"))
    assert table.allows(A, Move(unit="navy", origin="baltic", to="mediterranean"))


def test_SOE_8_1_6_in_the_next_turn_every_unit_moves_again():
    table = scene(options={"move.same_unit_next_action": False}, units={A: {"navy": {"baltic": 1}}}, dice=[])
    table.say(A, Move(unit="navy", origin="baltic", to="mediterranean"), End())
    table.say(B, End())
    assert table.allows(A, Move(unit="navy", origin="mediterranean", to="baltic"))


@pytest.mark.parametrize("counts", [False, True])
def test_SOE_8_2_7_navies_of_allies_as_bridges(counts):
    table = scene(powers=(A, B, C, D), rows=((A, C), (B, D)), active=A, options={"move.allied_navy_counts": counts},
                  units={A: {"army": {A: 1}}, C: {"navy": {"india": 1, "mediterranean": 1}}, B: {"navy": {"africa": 1}}})
    for place in ("india", "mediterranean"):                            # a colony, and a European area
        assert table.allows(A, Move(unit="army", origin=A, to=place)) is (counts or place in ways_without_navy(table))
    assert not table.allows(A, Move(unit="army", origin=A, to="africa")), "navies of enemies never count"
    assert not table.allows(A, Enslave(area="africa"))


def ways_without_navy(table: Scene) -> set[str]:
    return {area.id for area in table.parts.areas if A in area.adjacent_homes}


@pytest.mark.parametrize("conditions", [True, False])
def test_SOE_8_2_5_SOE_8_2_6_armies_within_europe(conditions):
    table = scene(powers=("united_provinces", B), options={"move.europe_conditions": conditions},
                  units={"united_provinces": {"army": {"united_provinces": 1}}})
    assert table.allows("united_provinces", Move(unit="army", origin="united_provinces", to="ottoman_empire")) is not conditions
    assert not table.allows("united_provinces", Move(unit="army", origin="united_provinces", to="india")), "SOE-8.2.4 holds"


@pytest.mark.parametrize("may", [True, False])
def test_SOE_7_2_4_a_fort_that_was_left_at_home(may):
    table = scene(options={"build.home_fort_may_move": may})
    table.say(A, Build(unit="fort", to=A))
    order = Move(unit="fort", origin=A, to="central_europe")
    assert table.allows(A, order) is may


def test_SOE_7_2_3_a_fort_that_was_turned_back_moves_later_in_any_case():
    table = scene(active=B, options={"build.home_fort_may_move": False}, units={B: {"navy": {"india": 1}, "fort": {B: 1}}},
                  dice=[(1,), (3,), (1,), (4,), (2,)])
    order = Move(unit="fort", origin=B, to="india")
    assert table.refusal(B, order).rule == "SOE-7.2.4"
    table.say(B, Build(unit="fort", to="india"))
    assert table.state.forts_back == {B: 1} and table.units(B, "fort", B) == 2
    table.say(B, order)                                                 # turned back once more
    assert table.state.forts_back == {B: 1}
    table.say(B, Decline())
    table.say(A, End())
    table.say(B, order)
    assert table.units(B, "fort", "india") == 1 and table.state.forts_back == {}
    assert not table.allows(B, Move(unit="fort", origin=B, to="german_states")), "the other one was left at home"


RESCUE = {"cross.rescue_gold": True}


@pytest.mark.parametrize("options, tiles, dice, paid, place, gold", [
    ({}, {}, [(1,), (1,)], None, "", 5),                                # nothing is asked without the option
    (RESCUE, {}, [(1,), (1,)], Decline(), "", 5),
    (RESCUE, {}, [(1,), (1,)], Mend(to="back", gold=2), "baltic", 3),
    (RESCUE, {}, [(1,), (1,)], Mend(to="ok", gold=3), "india", 2),
    (RESCUE, {}, [(1,), (3,)], Mend(to="ok", gold=1), "india", 4),
    (RESCUE, {"navigation": 1}, [(1,), (1,)], Mend(to="ok", gold=1), "india", 4),      # 1 + 2 reads 3: it stays
    (RESCUE | {"navigation.effect": "mending"}, {"navigation": 1}, [(1,), (1,)], Mend(to="ok", gold=2), "india", 3),
    (RESCUE | {"navigation.effect": "mending"}, {"navigation": 1}, [(1,), (1,)], Mend(to="back", gold=1), "baltic", 4),
    (RESCUE | {"navigation.effect": "mending"}, {"navigation": 1}, [(1,), (3,)], None, "india", 5),    # free, so not asked
])
def test_SOE_8_4_3_to_8_4_7_one_die_with_mending(options, tiles, dice, paid, place, gold):
    table = scene(options=options, tiles={A: tiles}, units={A: {"navy": {"baltic": 1}}}, gold=5, dice=dice)
    table.say(A, NAVY)
    if paid is not None:
        assert table.asked() == [(A, "DP-09")] and table.default(A) == Decline()
        table.say(A, paid)
    assert table.state.units[A]["navy"] == ({place: 1} if place else {})
    assert (table.state.gold[A], table.state.unrest[A]) == (gold, 0 if place else 1)
    assert table.state.turn.failed == ""


def test_SOE_3_2_10_what_mending_costs_is_told_with_the_taxation_before_it_counts():
    table = scene(edition="deluxe", options=COUNT, units={A: {"navy": {"baltic": 1}}}, gold=1, dice=[CROSS])
    reader = Reader(GAME.words.names(table.parts, table.state))
    table.say(A, NAVY)
    seat = table.state.seat(A)
    said = {option.label().template: say(option.cost(table.state, seat), reader) for option in table.options(A)
            if isinstance(option, Mend)}
    assert {what: cost.split()[0] for what, cost in said.items()} == {"Pay: it turns back unharmed": "2", "Pay: it arrives": "3"}
    assert all(cost.endswith("+1 unrest from taxes") for cost in said.values())
    assert say(table.table.asked(seat).text(), reader) == "Your navy on its way to India is lost unless you pay. Do you pay?"
    assert all(option.consequence(table.state, seat) is not None for option in table.options(A) if isinstance(option, Mend))


@pytest.mark.parametrize("edition, options, tiles, words", [
    ("first", {}, {}, "sinks 6%, turns back 6%"), ("first", {}, {"navigation": 1}, "turns back 6%"),
    ("first", RESCUE | {"navigation.effect": "mending"}, {"navigation": 1}, "sinks 6%"),
    ("deluxe", {}, {}, "sinks 17%, turns back 17%"), ("deluxe", {}, {"navigation": 1}, "sinks 17%")])
def test_the_chances_of_a_crossing(edition, options, tiles, words):
    """A sixth of the faces each; with one die a sixth of a third. What Navigation mends for nothing is counted as mended."""
    table = scene(edition=edition, options=options, tiles={A: tiles})
    told = crossing(table.state, A, A, "india")
    assert told is not None and say(told) == words
    assert crossing(table.state, A, A, "baltic") is None


def ordered(table: Scene, power: str, point: str, offer: str, **filled: Any) -> None:
    """Give a seat one standing order, and let it answer."""
    found = next(known for known in ORDERING.point(point).offers if known.key == offer)
    order = Order.model_validate({"id": 1, "seat": table.state.seat(power), "points": [point],
                                  "lines": [{"then": json.loads(found.reply(filled).model_dump_json())}]})
    table.table.deputy = Orders(GAME, [order])
    table.table.go_on()


@pytest.mark.parametrize("offer, filled, throw, gold, place", [
    ("never_mend", {}, CROSS, 5, ""), ("mend_up_to", {"gold": 2}, CROSS, 5, "baltic"),
    ("mend_up_to", {"gold": 3}, CROSS, 5, "india"), ("mend_up_to", {"gold": 2}, ARROW, 5, "india"),
    ("mend_up_to", {"gold": 3}, CROSS, 2, "baltic"),    # 3 would need a taxation
    ("mend_up_to", {"gold": 3}, CROSS, 0, None), ("mend_to_arrive", {}, CROSS, 5, "india"),
    ("mend_to_save", {}, CROSS, 5, "baltic"), ("mend_to_save", {}, ARROW, 5, None)])
def test_DP_09_orders_for_a_crossing(offer, filled, throw, gold, place):
    table = scene(edition="deluxe", options=COUNT, units={A: {"navy": {"baltic": 1}}}, gold=gold, dice=[throw])
    table.say(A, NAVY)
    ordered(table, A, "DP-09", offer, **filled)
    if place is None:
        assert table.asked() == [(A, "DP-09")], "an order that does not fit asks"
    else:
        assert table.state.units[A]["navy"] == ({place: 1} if place else {})


def test_DP_09_conditions_see_the_unit_where_it_goes_and_whether_it_sinks():
    table = scene(edition="deluxe", options=COUNT, units={A: {"navy": {"baltic": 1}}}, dice=[ARROW])
    table.say(A, NAVY)
    (question,) = table.table.waiting()
    seen = ORDERING.facts(table.state, question.seat, question)
    assert (seen["unit"], seen["to"], seen["sinking"]) == ("navy", "india", False)
    assert {"unit", "to", "sinking"} <= set(ORDERING.point("DP-09").conditions)


def test_DP_32_an_order_puts_back_all_markers_of_some_areas():
    table = redrawing()
    first = table.state.in_seat_order(table.state.first)[0]
    area = next(iter(table.state.markers[first]))
    held = table.markers(first, area)
    ordered(table, first, "DP-32", "put_back", area=(area,))
    back = table.events(MarkerPutBack)
    assert len(back) == held and {event.area for event in back} == {area}


# --- building, tiles, gifts ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("when, supply, allowed", [("any_time", 1, True), ("any_time", 0, True), ("exhausted", 1, False),
                                                   ("exhausted", 0, True)])
def test_SOE_7_3_2_SOE_7_3_3_when_a_unit_is_rebuilt_by_action_or_by_tile(when, supply, allowed):
    table = scene(options={"build.rebuild_when": when}, units={A: {"army": {"baltic": 14 - supply}}},
                  tiles={A: {"mercenaries": 1}})
    for order in (Rebuild(unit="army", at="baltic"), Rebuild(unit="army", at="baltic", tile="mercenaries")):
        assert table.allows(A, order) is allowed


@pytest.mark.parametrize("uses", [False, True])
@pytest.mark.parametrize("order", [Use(tile="mercenaries", on=A), Use(tile="trained_natives", on="india"),
                                   Rebuild(unit="army", at="india", tile="mercenaries")],
                         ids=["mercenaries", "trained natives", "rebuild"])
def test_SOE_12_5_1_a_tile_that_builds_for_free_takes_an_action_by_an_option(uses, order):
    table = scene(options={"tiles.free_builds_use_action": uses}, tiles={A: {"mercenaries": 1, "trained_natives": 1}},
                  units={A: {"army": {"india": 1}, "navy": {"india": 1}}})
    table.say(A, order)
    if table.asked()[0][1] in ("DP-07", "DP-29"):
        table.say(A, Send(to=table.state.turn.sending_from))
    assert table.state.turn.actions == (1 if uses else 2) and table.state.population[A] == 5
    table.say(A, *[Pass()] * table.state.turn.actions)
    other = Use(tile="trained_natives" if order.tile == "mercenaries" else "mercenaries",
                on="india" if order.tile == "mercenaries" else A)
    over = table.asked() == [(B, "DP-05")]
    assert over if uses else table.allows(A, other), "without an action left the turn is over, as no free action is left"


@pytest.mark.parametrize("taxed", [False, True])
def test_SOE_3_1_5_SOE_16_1_4_a_gift_may_be_taxed_for_by_an_option(taxed):
    table = scene(options={"tax.for_gifts": taxed}, gold={A: 3, B: 0})
    gift = Give(to=B, gold=6)
    seat = table.state.seat(A)
    if not taxed:
        assert table.refusal(A, gift).rule == "SOE-16.1.4" and table.state.unrest[A] == 0
        assert gift.consequence(table.state, seat) is not None
        return
    table.say(A, gift)
    assert table.events(GoldPaid) == [GoldPaid(power=A, gold=0, taxed=4)]
    assert table.events(GoldGiven) == [GoldGiven(giver=A, receiver=B, gold=6)]
    assert (table.state.gold[A], table.state.gold[B], table.state.unrest[A]) == (1, 6, 2)
    assert max(option.gold for option in Give.options(table.state, seat)) == 1 + 2 * 20, "at most what makes a power collapse"


def test_SOE_16_1_4_a_taxed_gift_draws_unrest_from_the_bag():
    table = scene(edition="deluxe", options={"tax.for_gifts": True}, gold={A: 0, B: 0}, dice=FAIR)
    table.say(A, Give(to=B, gold=10))
    assert table.state.gold == {A: 0, B: 10}
    assert sum(table.state.unrest_bag.values()) == sum(kind.count for kind in table.parts.unrest_bag) - 5


# --- words ------------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("edition, options, pirates, revolt, slaves", [
    ("first", {}, "Pirates", "Slave Revolt", "slave marker"),
    ("first", {"covert.mode": "tokens"}, "Pirate attack", "Colonial revolt", "slave marker"),
    ("first", {"ui.neutral_wording": True}, "Pirates", "Colonial revolt", "Africa trade marker"),
    ("deluxe", {}, "Pirate attack", "Colonial revolt", "Gold Coast marker"),
    ("deluxe", {"covert.mode": "tiles"}, "Pirates", "Slave Revolt", "Gold Coast marker"),
    ("deluxe", {"ui.neutral_wording": True}, "Pirate attack", "Colonial revolt", "Africa trade marker")])
def test_SOE_10_1_8_SOE_14_1_2_words_of_the_edition_and_of_the_options(edition, options, pirates, revolt, slaves):
    table = scene(edition=edition, options=options)
    named = GAME.words.names(table.parts, table.state)
    assert (named["pirates"], named["slave_revolt"], named["slaves"]) == (pirates, revolt, slaves)
    assert set(GAME.words.names(table.parts)) <= set(named) | {"enslave"}
    if options.get("ui.neutral_wording"):
        assert not [words for words in named.values() if "slav" in str(words).lower()]


@pytest.mark.parametrize("listed", [False, True])
def test_SOE_16_1_1_SOE_16_1_5_SOE_16_1_6_SOE_16_1_8_nothing_but_gold_changes_hands_whatever_the_game_says_of_talk(listed):
    """The option tells people what may not be traded; the rules of both editions are the same, and talk is nobody's business."""
    table = scene(options={"talk.untradeable_list": listed})
    assert [kind.verb for kind in GAME.rules.asides] == ["give"] and set(Give.model_fields) == {"to", "gold"}
    said = choice_of(GAME, "talk.untradeable_list").sentence(listed)
    assert said != choice_of(GAME, "talk.untradeable_list").sentence(not listed)
    table.say(B, Give(to=A, gold=1))
    assert table.state.gold == {A: 11, B: 9} and table.asked() == [(A, "DP-05")], "a gift neither answers nor asks anything"
