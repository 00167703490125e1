"""Chapter 19: non-player powers, and what other chapters say of them."""
from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import permutations
from typing import Any

import pytest

from engine.components import components
from engine.dice import LoadedDice, SecretDice
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, Bid, Call, Commit, Decline, Fight, Give, Pass, Take
from engine.games.struggle_of_empires.events import (
    AreaScored,
    AuctionWon,
    CaptiveFreed,
    DiceRolled,
    GameEnded,
    HelpSent,
    IncomeTaken,
    MarkerTaken,
    NonPlayerPlaced,
    NothingToLose,
    PlacingBegun,
    PopulationGrown,
    StartDrawn,
    SupportGained,
    UnitLost,
    UnrestRevealed,
)
from engine.games.struggle_of_empires.orders import ORDERING, facts
from engine.games.struggle_of_empires.rules.non_player_powers import non_players
from engine.games.struggle_of_empires.rules.war_end import area_points
from engine.kernel import CHANCE, Rolled, Table, fold
from engine.refusals import Faulty
from engine.selfplay import beginning, new_table, random_answer
from engine.text import Reader, say
from tests.checks.soundness import adds_up
from tests.scene import FAIR, Scene, scene

SEVEN = ("austria", "britain", "france", "prussia", "russia", "spain", "united_provinces")
A, B, C, P, R, S, U = SEVEN
NPPS = {"npp.mode": "all_counts"}
EVEN = (1, 1, 1, 1)
HERE = "india"


def begun(players: int, mode: str = "all_counts", *, edition: str = "deluxe", pack: str | None = None, seed: int = 1) -> Table:
    """A game up to its starting units."""
    table = new_table(GAME, players, edition, components(GAME, edition, pack).parts, SecretDice(f"{seed:064x}"),
                      options={"npp.mode": mode})
    while table.state.phase in ("setup", "powers"):
        seat = table.waiting()[0].seat
        table.answer(seat, table.default(seat))
    return table


def front(**more: Any) -> Scene:
    """Austria and Spain, which nobody plays, against Britain and Russia, which nobody plays either."""
    position: dict[str, Any] = {"npps": (R, S), "rows": ((A, S), (B, R)), "options": NPPS, "active": A, "dice": [EVEN], **more}
    return scene(**position)


# --- presence (19.1) ----------------------------------------------------------------------------------------

@pytest.mark.parametrize("mode, players, number", [
    *(("all_counts", players, 7 - players) for players in range(2, 8)), ("two_three", 2, 5), ("two_three", 3, 4),
    *(("two_three", players, 0) for players in range(4, 8)), *(("off", players, 0) for players in range(2, 8))])
def test_SOE_19_1_1_the_powers_that_nobody_chose_in_the_order_of_the_data(mode, players, number):
    for edition in ("first", "deluxe"):
        state = begun(players, mode, edition=edition).state
        assert len(state.npps) == number and set(state.npps).isdisjoint(state.powers)
        assert state.npps == [power for power in SEVEN if power in state.npps] == non_players(state)
        assert ("npps" in state.model_dump()) == bool(number), "what a game does not use is not stored"


def test_SOE_2_1_14_they_draw_after_the_players_and_before_the_starting_units():
    events = [event for entry in begun(3).fresh for event in entry.events]
    kinds = [type(event) for event in events if isinstance(event, StartDrawn | NonPlayerPlaced | PlacingBegun)]
    assert kinds == [StartDrawn] * 3 + [NonPlayerPlaced] * 4 + [PlacingBegun]


def one_at_a_time(bag: list[str], values: list[int], parts: Any) -> tuple[list[str], list[str]]:
    """(markers kept, markers laid aside) of an NPP that takes one marker after the other, until five areas differ."""
    bag, kept, aside = list(bag), list[Any](), list[Any]()
    for value in values:
        assert len(kept) < 5, "it goes on drawing"
        marker = bag.pop(value - 1)
        same = [other for other in kept if parts.neutral[other].area == parts.neutral[marker].area]
        (aside if same else kept).append(marker)
    return kept, aside


@pytest.mark.parametrize("players", range(2, 7))
def test_SOE_19_1_6_each_draws_one_marker_at_a_time_until_five_areas_differ(players):
    doubles = 0
    for seed in range(8):
        table = begun(players, seed=seed)
        parts = table.state.parts
        state = GAME.rules.state.model_validate_json(beginning(GAME, players, "deluxe", parts, NPPS).state)
        GAME.rules.bind(state, parts)
        values: list[int] = []
        for entry in table.fresh:
            values += entry.answer.values if isinstance(entry.answer, Rolled) else ()
            for event in entry.events:
                if isinstance(event, NonPlayerPlaced):
                    kept, aside = one_at_a_time(state.bag, values, parts)
                    doubles += len(aside)
                    areas = tuple(parts.neutral[marker].area for marker in kept)
                    assert event.armies == areas and len(set(areas)) == 5
                    assert event.markers == (areas if players < 4 else ()) and event.gone == (tuple(kept) if players < 4 else ())
                event.apply(state)
            values = [] if entry.events else values
    assert doubles, "no double was ever drawn"


@pytest.mark.parametrize("players, fewer", [(2, 25), (3, 20), (4, 0), (5, 0), (6, 0)])
def test_SOE_19_1_7_SOE_19_1_8_their_markers_leave_the_game_only_where_they_have_control_markers(players, fewer):
    table = begun(players)
    state = table.state
    placed = sum(map(len, state.neutrals.values()))
    assert len(state.bag) == 65 - placed - 5 * players - fewer
    for power in state.npps:
        armies, markers = state.units[power]["army"], state.markers[power]
        assert len(armies) == 5 and set(armies.values()) == {1}
        assert markers == (armies if players < 4 else {}), "one in each of its areas, or none (SOE-19.1.5)"
        assert state.units[power]["navy"] == state.units[power]["fort"] == {}
    adds_up(state)


def test_SOE_1_2_6_with_an_open_display_their_markers_lie_there():
    state = begun(2).state
    assert sum(state.parts.neutral[marker].area == HERE for marker in state.display) == sum(
        markers.get(HERE, 0) for markers in state.markers.values())


def test_a_bag_with_too_few_areas_ends_the_draw():
    table = begun(6, pack='{"setup": [{"players": 6, "npp_units_each": 12}]}')
    (power,) = table.state.npps
    there = {table.state.parts.neutral[marker].area for marker in table.state.bag}
    assert set(table.state.units[power]["army"]) == there, "one army in every area of the bag"


def test_SOE_19_1_4_their_forces_are_given_by_the_data_and_markers_need_a_strength():
    with pytest.raises(Faulty) as why:
        components(GAME, "deluxe", '{"setup": [{"players": 4, "npp_control_markers_each": 2}]}')
    assert "npp_control_marker_defence" in say(why.value.text)
    pack = '{"setup": [{"players": 4, "npp_control_markers_each": 2, "npp_control_marker_defence": 4}]}'
    state = begun(4, pack=pack).state
    assert all(len(state.markers[power]) == 2 and len(state.units[power]["army"]) == 5 for power in state.npps)
    assert state.marker_defence == 4 and state.ranked_npps == state.npps


def test_SOE_19_1_2_they_have_no_gold_and_nobody_asks_them():
    table = front(gold=3)
    assert (said := table.refusal(A, Give(to=S, gold=1))).rule == "SOE-19.1.2"
    assert say(said.text, Reader(GAME.words.names(table.parts, table.state))) == "Spain is a non-player power and has no gold."
    for counts in (table.state.gold, table.state.population, table.state.points, table.state.unrest, table.state.tiles):
        assert set(counts) == {A, B}


# --- the auction (5.1.9, 5.3.7, 5.3.9, 5.5.4) ---------------------------------------------------------------

def auction(players: tuple[str, ...], npps: tuple[str, ...], row_a: tuple[str, ...] = (), row_b: tuple[str, ...] = ()) -> Scene:
    return scene(powers=players, npps=npps, phase="auction", rows=(row_a, row_b), options=NPPS, dice=FAIR)


def proposals(table: Scene) -> set[tuple[str, str]]:
    """What the next bidder may propose: of all pairs of powers and nobody, those that the rules allow."""
    asked = table.asked()[0][0]
    every = [*permutations((*SEVEN, ""), 2), *((power, power) for power in SEVEN)]
    allowed = {(a, b) for a, b in every if table.allows(asked, Bid(gold=0, a=a, b=b))}
    assert allowed == {(bid.a, bid.b) for bid in table.options(asked) if isinstance(bid, Bid)}
    return allowed


def test_SOE_5_3_7_players_are_sorted_first():
    assert proposals(auction((A, B, C), (P, R))) == set(permutations((A, B, C), 2))
    assert proposals(auction((A, B, C, P), (R,), (A,), (B,))) == {(C, P), (P, C)}


def test_AMB_17_the_last_player_is_proposed_with_a_non_player():
    left = proposals(auction((A, B, C), (P, R), (A,), (B,)))
    assert left == {(C, P), (C, R), (P, C), (R, C)}


def test_SOE_5_3_9_when_only_non_players_are_left_the_bidding_goes_on():
    assert proposals(auction((A, B), (P, R, S), (A,), (B,))) == set(permutations((P, R, S), 2))
    assert proposals(auction((A, B), (P, R, S), (A, P), (B, R))) == {(S, ""), ("", S)}


def test_SOE_5_3_7_a_refusal_says_who_comes_first():
    table = auction((A, B, C), (P, R), (A,), (B,))
    why = table.refusal(A, Bid(gold=0, a=P, b=R))
    assert (why.rule, say(why.text, Reader(GAME.words.names(table.parts, table.state)))) == (
        "SOE-5.3.7", "Non-player powers come last. Propose France first.")
    assert table.refusal(A, Bid(gold=0, a=U, b=C)).rule == "SOE-5.3.1"


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("mode", ["all_counts", "two_three", "off"])
def test_SOE_5_1_9_half_as_many_auctions_as_powers_and_the_order_is_the_players(players, mode):
    for seed in range(3):
        table, rng = begun(players, mode, seed=seed), random.Random(seed)
        number = players + len(table.state.npps)
        while table.state.phase != "turn":
            seat = table.waiting()[0].seat
            options = table.options(seat)
            table.answer(seat, Pass() if Pass() in options and rng.random() < 0.7 else random_answer(options, rng.randrange))
        won = [event for entry in table.fresh for event in entry.events if isinstance(event, AuctionWon)]
        placed = [power for event in won for power in (event.a, event.b) if power]
        assert len(won) == -(-number // 2) and sorted(placed) == sorted([*table.state.powers, *table.state.npps])
        assert all(power in table.state.powers for power in placed[:players]), "players come first (SOE-5.3.7)"
        assert sorted(table.state.order) == sorted(table.state.powers), "SOE-5.5.4"


def test_SOE_5_5_4_they_are_left_out_of_the_order_column_by_column():
    table = scene(powers=(A, B, C), npps=(P, R), rows=((A, P, R), (B, C)), options=NPPS)
    assert table.state.order == [A, B, C]
    table = scene(powers=(A, B, C), npps=(P, R), rows=((A, R), (P, B, C)), options=NPPS)
    assert table.state.order == [A, B, C]
    assert (table.state.allies(B), table.state.enemies(B)) == ([P, C], [A, R])


@pytest.mark.parametrize("opener, rows, expected", [
    (B, ((), ()), (B, C)), (C, ((), ()), (C, A)), (C, ((A,), (B,)), (C, P)), (B, ((A,), (B,)), (C, P)),
    (A, ((A, C), (B, P)), (R, S)), (A, ((A, C, R), (B, P)), (S, "")), (C, ((A, P), (B, R)), (C, S))])
def test_DP_03_silence_proposes_players_first_and_non_players_in_the_order_of_the_data(opener, rows, expected):
    table = scene(powers=(A, B, C), npps=(P, R, S), phase="auction", opener=opener, rows=rows, options=NPPS)
    default = table.default(opener)
    assert isinstance(default, Bid) and (default.gold, default.a, default.b) == (0, *expected)
    assert table.allows(opener, default)


def test_standing_orders_for_the_auction_can_name_them():
    table = auction((A, B), (P, R, S), (A,), (B,))
    table.say(A, Bid(gold=0, a=P, b=R))
    question, seat = table.table.waiting()[0], table.state.seat(B)
    seen: Any = facts(table.state, seat, question)
    assert (seen["for_a"], seen["opposite"], seen["beside"]) == (P, (P,), (R,))
    assert set(seen["unplaced"]) == {P, R, S}
    conditions = {condition.key: condition for condition in ORDERING.conditions}
    for key in ("for_a", "for_b", "opposite", "beside", "unplaced", "ally", "defender", "against"):
        values = conditions[key].values
        assert values is not None and {P, R, S} <= set(values(table.state, seat)), key
    for key in ("bidder", "principal"):
        values = conditions[key].values
        assert values is not None and {P, R, S}.isdisjoint(values(table.state, seat)), key


# --- help (19.2.1 to 19.2.3, 12.19.4) -----------------------------------------------------------------------

ARMIES = {A: {"army": {HERE: 1}}, B: {"army": {HERE: 1}}, S: {"army": {HERE: 1}}, R: {"army": {HERE: 1}}}


def test_SOE_19_2_1_each_helps_its_own_alliance_with_all_its_units_there_unasked():
    table = front(units=ARMIES | {S: {"army": {HERE: 2, "africa": 1}}}, markers={B: {HERE: 1}})
    table.say(A, Attack(area=HERE, target=B))
    assert table.events(HelpSent) == [HelpSent(ally=S, principal=A, armies=2, navies=0),
                                      HelpSent(ally=R, principal=B, armies=1, navies=0)]
    assert table.strengths() == [(3, 2)] and table.markers(A, HERE) == 1


def test_SOE_19_2_1_they_help_before_any_player_is_asked():
    table = front(powers=(A, B, C), rows=((A, S, C), (B, R)), units=ARMIES | {C: {"army": {HERE: 1}}}, markers={B: {HERE: 1}})
    table.say(A, Attack(area=HERE, target=B))
    assert table.asked() == [(C, "DP-12")] and len(table.events(HelpSent)) == 2
    seen = facts(table.state, table.state.seat(C), table.table.waiting()[0])
    assert (seen["strength"], seen["their_strength"], seen["lead"]) == (2, 2, 0)
    assert set(ORDERING.foreseen(table.state)) == {table.state.seat(C)}, "the question of France is still to come"
    table.say(C, Commit(armies=1, navies=0))
    assert table.strengths() == [(3, 2)]


def test_SOE_9_4_3_nobody_calls_them():
    table = front(powers=(A, B, C), rows=((A, S, C), (B, R)), units=ARMIES | {C: {"army": {HERE: 1}}}, markers={B: {HERE: 1}},
                  options=NPPS | {"help.auto_call": False})
    table.say(A, Attack(area=HERE, target=B))
    assert table.asked() == [(A, "DP-11")]
    assert table.allows(A, Call(allies=(C,))) and not table.allows(A, Call(allies=(S,)))
    table.say(A, Call(allies=()))
    assert table.strengths() == [(2, 2)], "Spain helps, called or not"


@pytest.mark.parametrize("units, target", [
    ({A: {"navy": {HERE: 1}}, B: {"navy": {HERE: 1}}}, B),                  # a naval-only attack has no land stage
    ({A: {"army": {HERE: 1}}}, "neutral_3"), ({A: {"army": {HERE: 1}}}, "slave_revolt")])
def test_SOE_19_2_2_no_help_at_sea_nor_against_a_neutral_marker_or_captive(units, target):
    table = front(units={S: {"army": {HERE: 1, "caribbean": 1}}, R: {"army": {HERE: 1}}} | units | (
        {A: {"army": {"caribbean": 1}}} if target == "slave_revolt" else {}), neutrals={HERE: ["neutral_3"]},
        captives={"slave_revolt": ("caribbean", B)}, dice=FAIR)
    table.say(A, Attack(area="caribbean" if target == "slave_revolt" else HERE, target=target))
    assert table.events(HelpSent) == []


def test_SOE_12_19_4_surprise_attack_stops_the_help_for_the_defender_alone():
    table = front(units=ARMIES, markers={B: {HERE: 1}}, tiles={A: {"surprise_attack": 1}})
    table.say(A, Attack(area=HERE, target=B, surprise=True))
    assert [help_.ally for help_ in table.events(HelpSent)] == [S] and table.strengths() == [(2, 1)]


@pytest.mark.parametrize("dice, lost", [
    ((1, 1, 1, 2), [(A, "army")]),                      # 2 against 3: the loss is never Spain's
    ((1, 6, 1, 1), [(A, "army"), (B, "army")]),         # 7 against 2, and a 7: B for the defeat, A for the 7
    ((3, 4, 1, 6), [(A, "army"), (B, "army")])])        # 3 against 7: both throw 7, and the helpers have nothing to lose
def test_SOE_19_2_3_9_10_passes_over_their_units(dice, lost):
    table = front(units=ARMIES, markers={B: {HERE: 1}}, dice=[dice])
    table.say(A, Attack(area=HERE, target=B))
    assert sorted((loss.owner, loss.unit) for loss in table.events(UnitLost)) == lost
    assert table.units(S, "army", HERE) == table.units(R, "army", HERE) == 1
    assert set(table.state.unrest) == {A, B}


def test_SOE_19_2_3_the_loss_for_a_7_falls_on_the_principal_if_the_only_helper_is_a_non_player():
    table = front(units=ARMIES | {A: {"army": {HERE: 3}}, B: {"army": {HERE: 9}}}, dice=[(3, 4, 1, 1)])
    table.say(A, Attack(area=HERE, target=B))
    assert [(loss.owner, loss.unit) for loss in table.events(UnitLost)] == [(A, "army")] * 2 and not table.events(NothingToLose)


def test_SOE_19_2_3_of_two_helpers_only_the_player_can_lose_and_is_not_chosen():
    table = front(powers=(A, B, C), rows=((A, S, C), (B, R)), units=ARMIES | {C: {"army": {HERE: 1}}, B: {"army": {HERE: 9}}},
                  dice=[(3, 4, 1, 1)])
    table.say(A, Attack(area=HERE, target=B))
    table.say(C, Commit(armies=1, navies=0))
    assert [loss.owner for loss in table.events(UnitLost)] == [A, C]


def test_SOE_9_6_6_a_defender_without_units_is_helped_by_them():
    table = front(units={A: {"army": {HERE: 1}}, R: {"army": {HERE: 1}}}, markers={B: {HERE: 1}}, dice=[(1, 1, 1, 2)])
    table.say(A, Attack(area=HERE, target=B))
    assert table.strengths() == [(1, 2)] and table.units(A, "army", HERE) == 0


def test_SOE_9_2_5_units_of_an_ally_that_nobody_plays_make_no_target():
    table = front(units={A: {"army": {HERE: 1}}, R: {"army": {HERE: 1}}})
    assert table.refusal(A, Attack(area=HERE, target=B)).rule == "SOE-9.2.5"


def test_the_odds_count_their_help_for_it_is_certain():
    table = front(units=ARMIES | {S: {"army": {HERE: 4}}}, markers={B: {HERE: 1}})
    told = Attack(area=HERE, target=B).outlook(table.state, table.state.seat(A))
    words = say(told, Reader(GAME.words.names(table.parts, table.state))) if told else ""
    assert "5 against 2" in words and "Nobody else can help" in words


# --- attacks on their control markers (19.2.4 to 19.2.9) ----------------------------------------------------

MARKED = {R: {HERE: 1}}


@pytest.mark.parametrize("units, markers, rule", [
    ({A: {"army": {HERE: 1}}, R: {"army": {HERE: 1}}}, {}, "SOE-19.2.3"),                   # an army alone is no target
    ({A: {"army": {HERE: 1}}}, {R: {"africa": 1}}, "SOE-19.2.3"), ({}, MARKED, "SOE-9.1.2"),
    ({A: {"navy": {HERE: 1}}}, MARKED, "SOE-9.2.6")])
def test_SOE_19_2_3_SOE_19_2_4_only_a_control_marker_is_attacked_and_with_an_army(units, markers, rule):
    table = front(units=units, markers=markers)
    assert not table.allows(A, Attack(area=HERE, target=R))
    assert table.refusal(A, Attack(area=HERE, target=R)).rule == rule


def test_SOE_9_2_2_nor_that_of_an_ally():
    table = front(units={A: {"army": {HERE: 1}}}, markers={S: {HERE: 1}})
    assert table.refusal(A, Attack(area=HERE, target=S)).rule == "SOE-9.2.2"


@pytest.mark.parametrize("players", [(A, B), (A, B, C)])
def test_SOE_19_2_4_it_defends_with_3_and_two_dice_and_SOE_19_2_7_is_replaced(players):
    table = front(powers=players, rows=((A, S), (R, *players[1:])), units={A: {"army": {HERE: 2}}}, markers=MARKED,
                  dice=[(6, 1, 4, 1)])
    table.say(A, Attack(area=HERE, target=R))
    assert table.events(DiceRolled)[0].parts == ((2, 0, 0, 0, 5), (3, 0, 0, 0, 3))
    assert table.events(MarkerTaken) == [MarkerTaken(winner=A, loser=R, area=HERE)]
    assert (table.markers(A, HERE), table.markers(R, HERE)) == (1, 0)
    assert table.units(A, "army", HERE) == 1, "the 7 of the attacker"
    assert table.state.gold[A] == 8 and table.state.points[A] == 0, "2 gold, no bonus"


@pytest.mark.parametrize("dice", [(1, 3, 1, 1), (1, 1, 1, 2)])
def test_SOE_9_11_7_in_a_tie_or_defeat_the_attacker_loses_and_the_marker_stays(dice):
    table = front(units={A: {"army": {HERE: 1}}}, markers=MARKED, dice=[dice])
    table.say(A, Attack(area=HERE, target=R))
    assert table.units(A, "army", HERE) == 0 and table.markers(R, HERE) == 1
    assert [loss.owner for loss in table.events(UnitLost)] == [A]


def test_SOE_1_1_11_without_a_control_marker_nothing_is_exchanged():
    table = front(units={A: {"army": {HERE: 9}}}, markers=MARKED | {A: {"baltic": 6, "mediterranean": 8, "german_states": 6}})
    table.say(A, Attack(area=HERE, target=R))
    assert table.strengths() == [(9, 3)] and (table.markers(A, HERE), table.markers(R, HERE)) == (0, 1)


def test_SOE_19_2_5_the_3_does_not_count_in_help():
    table = front(units=ARMIES, markers={B: {HERE: 1}, R: {HERE: 1}})
    table.say(A, Attack(area=HERE, target=B))
    assert table.strengths() == [(2, 2)]


def test_SOE_19_2_6_nobody_helps_it_and_a_navy_of_the_attacker_supports():
    table = front(powers=(A, B, C), rows=((A,), (B, R, C)), npps=(R,), markers=MARKED, units={
        A: {"army": {HERE: 1}, "navy": {HERE: 1}}, B: {"army": {HERE: 5}, "navy": {HERE: 5}}, C: {"army": {HERE: 5}}})
    table.say(A, Attack(area=HERE, target=R))
    assert table.asked() == [(A, "DP-05")], "nobody is asked"
    assert table.events(HelpSent) == [] and table.events(SupportGained) == [SupportGained(side=A)]
    assert table.strengths() == [(2, 3)]


def test_SOE_19_2_6_surprise_attack_has_no_use_there():
    table = front(units={A: {"army": {HERE: 1}}}, markers=MARKED, tiles={A: {"surprise_attack": 1}})
    assert table.refusal(A, Attack(area=HERE, target=R, surprise=True)).rule == "SOE-19.2.6"


def test_SOE_19_2_9_its_own_army_adds_nothing_there_is_no_naval_stage_and_the_attackers_allies_help():
    table = front(powers=(A, B, C), rows=((A, S, C), (B, R)), markers=MARKED,
                  units={A: {"army": {HERE: 1}}, C: {"army": {HERE: 1}, "navy": {HERE: 1}}, S: {"army": {HERE: 1}},
                         R: {"army": {HERE: 1}}, B: {"navy": {HERE: 1}}})
    table.say(A, Attack(area=HERE, target=R))
    assert table.asked() == [(C, "DP-12")]
    assert not table.allows(C, Commit(armies=1, navies=1)), "navies have nothing to fight"
    table.say(C, Commit(armies=1, navies=0))
    assert [thrown.stage for thrown in table.events(DiceRolled)] == ["land"] and table.strengths() == [(3, 3)]


def test_a_standing_order_tells_it_from_a_neutral_marker():
    table = front(powers=(A, B, C), rows=((A, C), (B, R)), npps=(R,), units={A: {"army": {HERE: 1}}, C: {"army": {HERE: 1}}},
                  markers=MARKED)
    table.say(A, Attack(area=HERE, target=R))
    seen = facts(table.state, table.state.seat(C), table.table.waiting()[0])
    assert (seen["defender"], seen["against"], seen["their_strength"]) == (R, R, 3) and "their_armies" not in seen


# --- Pirates and the revolt (19.2.8) ------------------------------------------------------------------------

@pytest.mark.parametrize("token, area, strengths", [("pirates", HERE, (1, 3)), ("slave_revolt", "caribbean", (3, 3))])
@pytest.mark.parametrize("dice, taken", [((1, 4, 1, 1), True), (EVEN, False)])
def test_SOE_19_2_8_against_pirates_and_revolts_too_it_defends_with_3(token, area, strengths, dice, taken):
    table = front(markers={R: {area: 1}}, units={R: {"army": {area: 1}}}, dice=[dice])
    table.say(A, Take(tile=token, area=area, target=R))
    attacker, defender = strengths
    assert table.strengths() == [(attacker + (3 if taken else 0), defender)]
    assert (token in table.state.captives) == taken and table.markers(R, area) == (0 if taken else 1)
    assert table.units(R, "army", area) == 1 and table.events(UnitLost) == []


def test_SOE_14_2_2_also_that_of_an_ally_and_the_captive_is_freed_like_any_other():
    table = front(markers={S: {HERE: 1}}, units={A: {"army": {HERE: 3}}, S: {"army": {HERE: 1}}}, dice=[(1, 6, 1, 1), EVEN])
    table.say(A, Take(tile="pirates", area=HERE, target=S))
    assert table.state.captives["pirates"].power == S
    table.say(A, Attack(area=HERE, target="pirates"))
    assert table.events(HelpSent) == [], "SOE-19.2.2"
    assert table.events(CaptiveFreed) == [CaptiveFreed(token="pirates", winner=A, owner=S, area=HERE)]
    assert (table.markers(A, HERE), table.markers(S, HERE)) == (1, 0)


def test_in_deluxe_too_the_forces_of_a_non_player_fight_for_its_alliance():
    table = front(edition="deluxe", options={}, units=ARMIES | {B: {"navy": {HERE: 1}}}, markers={B: {HERE: 1}},
                  dice=[(2, 2, 1, 2)])
    table.say(A, Attack(area=HERE, target=B))
    assert table.events(DiceRolled)[0].parts == ((2, 0, 0, 0, 0), (1, 0, 0, 1, 1)), "Britain's navy supports Russia's army"


def test_a_naval_fight_in_their_company():
    table = front(units=ARMIES | {A: {"army": {HERE: 1}, "navy": {HERE: 1}}, B: {"navy": {HERE: 1}}}, markers={B: {HERE: 1}},
                  dice=[(1, 2, 1, 1), EVEN])
    table.say(A, Attack(area=HERE, target=B))
    table.say(A, Fight())
    table.say(B, Fight())
    assert table.strengths() == [(2, 1), (3, 1)], "1 and 1 ship; then 1 army of Austria, 1 of Spain and support against Russia's"
    table = front(units=ARMIES | {A: {"army": {HERE: 1}, "navy": {HERE: 1}}, B: {"navy": {HERE: 1}}}, markers={B: {HERE: 1}})
    table.say(A, Attack(area=HERE, target=B))
    table.say(A, Decline())
    assert table.strengths() == [(2, 2)]


# --- scoring (19.3) -----------------------------------------------------------------------------------------

@pytest.mark.parametrize("values, markers, points", [
    ((5, 3), {A: 1, S: 1}, {S: 5, A: 3}),                                                   # G-49
    ((8, 5, 3), {A: 2, B: 1, S: 1}, {A: 8, S: 5, B: 3}),                                    # G-49
    ((8, 5, 3), {A: 1, B: 1, S: 1, R: 1}, {S: 8, R: 8, A: 5, B: 5}),                        # SOE-19.3.3
    ((5, 3), {A: 2, B: 2, S: 1, C: 1}, {A: 5, B: 5, S: 3}),
    ((5, 3), {S: 1, R: 1}, {S: 5, R: 5})])
def test_G_49_SOE_19_3_2_a_player_who_ties_with_a_non_player_ranks_below_it(values, markers, points):
    assert area_points(values, markers, npps=(R, S)) == points


def test_SOE_19_3_1_SOE_19_3_4_they_take_part_in_the_ranking_and_their_points_are_kept_apart():
    table = scene(powers=(A, B, C), npps=(R, S), rows=((A, C, S), (B, R)), phase="war_end", options=NPPS, dice=FAIR,
                  markers={A: {"german_states": 2}, B: {"german_states": 1}, S: {"german_states": 1, HERE: 1}, R: {HERE: 1}})
    scored = {event.area: event for event in table.events(AreaScored) if event.line()}
    assert set(scored) == {"german_states", HERE}
    assert (scored["german_states"].points, scored["german_states"].npp_points) == ({A: 8, B: 3}, {S: 5})
    best = table.parts.area[HERE].vp[0]
    assert (scored[HERE].points, scored[HERE].npp_points) == ({}, {S: best, R: best})
    assert table.state.points == {A: 8, B: 3, C: 0} and table.state.npp_points == {S: 5 + best, R: best}
    told = [line for line in table.lines() if "score" in line]
    assert told == ["Austria scores 8 points: 8 in the German States.", "Britain scores 3 points: 3 in the German States.",
                    f"Non-player powers score Russia {best} and Spain {5 + best}."]


def test_SOE_19_3_1_not_with_four_players():
    table = scene(powers=(A, B, C, P), npps=(S,), rows=((A, C, S), (B, P)), phase="war_end", options=NPPS, dice=FAIR,
                  markers={A: {HERE: 1}, S: {HERE: 1}})
    assert table.state.points[A] == table.parts.area[HERE].vp[0] and table.state.npp_points == {}


def test_SOE_17_1_SOE_17_2_they_have_no_income_no_upkeep_and_no_growth():
    table = front(phase="war_end", active="", units=ARMIES, markers={S: {HERE: 1}}, gold=5, population=5, dice=FAIR)
    told: list[Any] = [*table.events(IncomeTaken), *table.events(PopulationGrown)]
    assert {event.power for event in told} == {A, B}
    assert table.state.gold == {A: 9, B: 9}, "5 and 5 for population, less 1 for an army"
    assert table.units(S, "army", HERE) == 1 and table.markers(S, HERE) == 1


def test_SOE_17_5_4_the_rows_are_emptied_of_them_and_a_player_opens_the_next_war():
    table = front(phase="war_end", active="", units=ARMIES, dice=FAIR)
    assert table.state.row_a == table.state.row_b == [] and table.asked() == [(B, "DP-03")]
    assert table.state.unplaced() == [A, B, R, S]


def test_SOE_19_3_5_they_are_left_out_of_collapse_penalties_and_ranking():
    table = front(phase="reckoning", active="", war=3, unrest={A: 12, B: 9}, points=40, dice=FAIR)
    assert set(table.events(UnrestRevealed)[0].unrest) == {A, B}
    assert set(table.events(GameEnded)[0].ranking) == {A, B} and set(table.state.penalties) <= {A, B}


# --- whole games --------------------------------------------------------------------------------------------

def weighted(options: tuple[Any, ...], rng: random.Random) -> Any:
    """A random answer that fights often."""
    liked = {"attack": 20, "end": 0.2, "pass": 0.4, "tile": 2, "bid": 0.1, "build": 3}
    kinds = list(dict.fromkeys(option.verb for option in options))
    (kind,) = rng.choices(kinds, [liked.get(kind, 1) for kind in kinds])
    return rng.choice([option for option in options if option.verb == kind])


@cache
def played(edition: str, mode: str, players: int, seed: int) -> Counter[tuple[str, str]]:
    """Play a game to its end; what befell non-player powers. Every position adds up, and rows and events replay it."""
    parts, rng, dice = components(GAME, edition).parts, random.Random(seed), SecretDice(f"{seed:064x}")
    start = beginning(GAME, players, edition, parts, {"npp.mode": mode})
    table, met, stand = Table(GAME, parts, start, dice=dice, checkpoints=False), Counter[tuple[str, str]](), None
    while not table.over:
        question = rng.choice(table.waiting())
        table.answer(question.seat, weighted(table.options(question.seat), rng))
        adds_up(table.state)
        if table.state.phase == "turn":
            stand = stand or {power: dict(table.state.units[power]["army"]) for power in table.state.npps}
            assert stand == {power: table.state.units[power]["army"] for power in table.state.npps}, "SOE-19.1.9"
            assert set(table.state.row_a + table.state.row_b) == {*table.state.powers, *table.state.npps}, "SOE-19.1.3"
    rows = [entry.row() for entry in table.fresh]
    again = Table(GAME, parts, start, rows, dice=LoadedDice(), checkpoints=False, run_on=False)
    assert again.over and again.state.model_dump_json() == table.state.model_dump_json()
    assert fold(GAME, parts, start, [table.opening, *(entry.events for entry in table.fresh)]).model_dump_json() == (
        table.state.model_dump_json())
    assert not any(entry.seat in table.state.npps for entry in table.fresh if entry.seat != CHANCE)
    for entry in table.fresh:
        for event in entry.events:
            met.update((type(event).__name__, field) for field, value in event.__dict__.items()
                       if isinstance(value, str) and value in table.state.npps)
    return met


@pytest.mark.parametrize("mode, players", [("two_three", 2), ("two_three", 3), *(("all_counts", many) for many in range(2, 7))])
def test_random_games_end_replay_and_conserve(mode, players):
    """Where there is no such power, in the other modes, the game is the usual one: test_properties.py."""
    assert all(played(edition, mode, players, players) for edition in ("first", "deluxe"))


MET = {("AttackDeclared", "defender"), ("HelpSent", "ally"), ("MarkerTaken", "loser"), ("RaidBegun", "target")}


def test_random_games_meet_everything_that_can_befall_a_non_player():
    met = [played(edition, "all_counts", players, players) for players in range(2, 7) for edition in ("first", "deluxe")]
    assert set().union(*met) >= MET
