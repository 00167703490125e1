"""The strong player of Struggle of Empires: what it knows better than the solid one."""
from __future__ import annotations

from random import Random

import pytest

from engine import players
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Bid, Pass, Take
from engine.games.struggle_of_empires.coach import COACH
from engine.games.struggle_of_empires.judgement import Mind
from engine.games.struggle_of_empires.strong_player import FIRST_OF_ALL, LARGER, Strategist
from engine.kernel import Action, Level
from engine.players.hints import hints
from engine.text import Reader, say
from tests.scene import FAIR, Scene, scene

A, B, C, D, E = "austria", "britain", "france", "prussia", "russia"


def answered(table: Scene, level: Level = "strong") -> Action:
    """What a player of this level answers for Austria."""
    position = players.position(table.table, table.state.seat(A))
    assert position is not None
    return players.answer(GAME, level, position, Random(1))


def worth(table: Scene, option: Action, mind: type[Mind] = Strategist) -> float:
    """What an answer is worth to Austria."""
    return mind(table.state, A).own_turn(option)


def trained(mine: int, *theirs: int, round: int = 1, war: int = 1) -> float:
    """What one more Army Training is worth."""
    powers = (A, B, C)[:1 + len(theirs)]
    table = scene(powers=powers, round=round, war=war, gold={A: 9},
                  tiles={power: {"army_training": number} for power, number in zip(powers, (mine, *theirs)) if number})
    return worth(table, Take(tile="army_training"))


def test_it_catches_up_in_army_training_where_the_solid_player_stays_behind() -> None:
    table = scene(gold={A: 9}, tiles={B: {"army_training": 1}}, dice=FAIR)
    take = Take(tile="army_training")
    assert answered(table) == take and answered(table, "solid") != take


@pytest.mark.parametrize("mine, theirs", [(0, 2), (1, 0), (2, 1), (2, 0)])
def test_a_training_that_changes_nothing_between_rivals_is_worth_little(mine: int, theirs: int) -> None:
    assert trained(mine, theirs) < 2 < trained(1, 1) and trained(0, 1) > 2


def test_training_is_worth_more_against_more_rivals_and_the_longer_the_game_lasts() -> None:
    assert trained(0, 0, 2) < trained(0, 0, 0) and trained(0, 0, round=6, war=3) < trained(0, 0, round=6) < trained(0, 0)


def test_among_three_nobody_races_only_to_draw_level() -> None:
    assert trained(0, 0, 2) == trained(0, 0, 1) and trained(0, 1, 1) < 2 < trained(0, 1)


def test_tiles_that_build_or_throw_again_for_free_are_worth_more_than_to_the_solid_player_and_war_office_less() -> None:
    table = scene(gold={A: 9})
    for tile in ("reserves", "mercenaries", "pressgangs"):
        assert worth(table, Take(tile=tile)) > worth(table, Take(tile=tile), Mind)
    assert worth(table, Take(tile="war_office")) < worth(table, Take(tile="war_office"), Mind)


def test_a_hint_chooses_by_its_judgement_and_says_whom_army_training_puts_one_ahead_of() -> None:
    table = scene(gold={A: 20}, dice=FAIR)
    position = players.position(table.table, table.state.seat(A))
    assert position is not None
    best, *_ = hints(GAME, position)
    worth_of, plain = (mind(table.state, A).tile("army_training") for mind in (Strategist, Mind))
    assert best.action == Take(tile="army_training") and worth_of > 2 * plain
    assert say(best.reasons[0]) == "You get +1 on land against everybody, until they buy it, too."


@pytest.mark.parametrize("mine, theirs, told", [
    (0, (1, 0), "You get +1 on land against France, until they buy it, too."),
    (1, (2, 2), "You draw level on land with Britain and France."),
    (0, (2, 2), "You get +1 on land against neutral markers alone."), (1, (0, 0), "It changes no fight yet.")])
def test_a_hint_says_what_one_more_army_training_changes(mine: int, theirs: tuple[int, int], told: str) -> None:
    powers = A, B, C
    table = scene(powers=powers, gold={A: 20}, tiles={
        power: {"army_training": number} for power, number in zip(powers, (mine, *theirs)) if number})
    position = players.position(table.table, table.state.seat(A))
    assert position is not None
    reader = Reader(GAME.words.names(table.state.parts))
    assert say(COACH.reasons(position, Take(tile="army_training"))[0], reader) == told


# --- the auction ------------------------------------------------------------------------------------------

def three(row_a: tuple[str, ...] = (), row_b: tuple[str, ...] = ()) -> Scene:
    """An auction of three powers that Austria opens."""
    return scene(powers=(A, B, C), phase="auction", rows=(row_a, row_b), opener=A, gold={A: 12, B: 12, C: 12}, dice=FAIR)


def bid(table: Scene, level: Level = "strong") -> tuple[str, str]:
    """Whom Austria proposes for either row; "" and "" if it passes."""
    answer = answered(table, level)
    return (answer.a, answer.b) if isinstance(answer, Bid) else ("", "")


def test_of_three_powers_it_is_placed_last_and_so_never_alone() -> None:
    assert A not in bid(three())


@pytest.mark.parametrize("rows, good, bad", [(((A,), (B,)), (C, ""), ("", C)), (((B,), (A,)), ("", C), (C, ""))])
def test_it_bids_one_gold_rather_than_be_alone(rows: tuple[tuple[str], tuple[str]], good: tuple[str, str], bad: tuple[str, str]
                                               ) -> None:
    def answer(gold: int) -> tuple[str, str]:
        table = scene(powers=(A, B, C), phase="auction", rows=rows, opener=B, gold={A: 12, B: 12, C: 12}, dice=FAIR)
        table.say(B, Bid(gold=gold, a=bad[0], b=bad[1]))
        table.say(C, Pass())
        return bid(table)
    assert answer(0) == good and answer(1) == ("", "")


def test_beside_non_player_powers_it_does_not_pay_for_company_and_thinks_more_of_attacks() -> None:
    among = {npps: Strategist(scene(powers=(A, B, C), edition="deluxe", npps=npps, phase="auction", rows=((A,), (B,))).state, A)
             for npps in ((), (D,))}
    assert among[()].proposal(C, "") >= LARGER > among[D,].proposal(C, "")
    five = Strategist(scene(powers=(A, B, C, D, E)).state, A)
    assert among[D,].weights.tempo == five.weights.tempo > among[()].weights.tempo


@pytest.mark.parametrize("row_a, row_b, proposal, outnumbering", [
    ((A, B), (C, D), (E, ""), 1), ((A, B), (C, D), ("", E), -1), ((C, D), (A, B), ("", E), 1),
    ((B,), (C,), (D, E), 1), ((B,), (C,), (A, D), 0), ((), (), (B, C), 0)])
def test_it_knows_when_its_grand_alliance_will_be_the_larger(row_a: tuple[str, ...], row_b: tuple[str, ...],
                                                             proposal: tuple[str, str], outnumbering: int) -> None:
    table = scene(powers=(A, B, C, D, E), phase="auction", rows=(row_a, row_b))
    assert Strategist(table.state, A).outnumbering(*proposal) == outnumbering


def test_two_equal_grand_alliances_are_neither() -> None:
    table = scene(powers=(A, B, C, D), phase="auction", rows=((A,), (B,)))
    assert Strategist(table.state, A).outnumbering(C, D) == 0


# --- gold, unrest and markers -----------------------------------------------------------------------------

def test_a_little_unrest_costs_less_the_fewer_wars_are_to_come_and_much_costs_more() -> None:
    def toll(unrest: int, war: int) -> float:
        return Strategist(scene(war=war, unrest={A: unrest}, gold={A: 20}).state, A).toll(1)
    assert toll(3, 3) < toll(3, 2) < toll(3, 1) < toll(13, 3)
    assert toll(3, 1) == pytest.approx(toll(9, 3))


@pytest.mark.parametrize("mind", [Mind, Strategist])
def test_less_unrest_is_worth_what_as_much_more_would_have_cost(mind: type[Mind]) -> None:
    few, many = (mind(scene(unrest={A: unrest}, gold={A: 20}).state, A) for unrest in (13, 15))
    assert many.toll(-2) == pytest.approx(-few.toll(2)) and few.toll(2) > few.toll(1) > 0


def test_each_further_company_is_worth_less_and_spare_gold_too() -> None:
    def worth_of(gold: int, *owned: str) -> float:
        state = scene(gold={A: gold}, markers={A: {"india": 2}}, tiles={A: dict.fromkeys(owned, 1)}).state
        return Strategist(state, A).use_of(state.parts.tile["east_indies_company"])
    assert 0 < worth_of(2, "levant_company") < worth_of(2)
    assert worth_of(40) < worth_of(2)


def test_a_marker_of_whoever_leads_is_worth_more() -> None:
    def prize(war: int, points: int) -> float:
        table = scene(powers=(A, B, C), war=war, markers={B: {"india": 1}, C: {"india": 1}})
        table.state.points.update({A: 0, B: points, C: 5})
        return Strategist(table.state, A).prize("india", B)
    assert prize(2, 9) == pytest.approx(FIRST_OF_ALL * prize(2, 4)) and prize(1, 9) == prize(1, 4)


def test_a_marker_is_worth_less_where_it_may_be_lost_before_the_war_ends() -> None:
    def prize(armies: int, round: int = 1, own: int = 0) -> float:
        units = {B: {"army": {"india": armies}}, A: {"army": {"india": own}}}
        return Strategist(scene(round=round, units=units).state, A).prize("india")
    assert prize(3) < prize(1) < prize(1, own=2) and prize(3) < prize(3, round=3) < prize(3, round=6)


# --- fights and units -------------------------------------------------------------------------------------

def trained_mind(mine: int, theirs: int) -> Strategist:
    """Austria and Britain with an army and a marker each in India, and so many Army Trainings."""
    units = {power: {"army": {"india": 1}} for power in (A, B)}
    owned = {power: {"army_training": number} for power, number in ((A, mine), (B, theirs)) if number}
    return Strategist(scene(units=units, markers={A: {"india": 1}, B: {"india": 1}}, tiles=owned,
                            neutrals={"india": ["neutral_2"]}).state, A)


def test_training_counts_in_attacks_that_may_follow() -> None:
    def in_the_way(mine: int, theirs: int) -> list[int]:
        return [strength for _, strength in trained_mind(mine, theirs).prey("india")]
    rival, neutral = in_the_way(0, 0)
    assert in_the_way(1, 0) == [rival - 1, neutral - 1] and in_the_way(1, 1) == [rival, neutral - 1]
    assert in_the_way(0, 1) == [rival + 1, neutral]


def test_training_counts_for_those_who_may_attack() -> None:
    assert [trained_mind(*owned).threat("india")[1] for owned in ((1, 0), (1, 1), (0, 1))] == [0, 1, 2]
    ahead, level, behind = (trained_mind(*owned).guarded("india", 1) for owned in ((1, 0), (0, 0), (0, 1)))
    assert ahead > level > behind


def test_an_attack_that_may_follow_counts_less_the_sooner_the_war_ends() -> None:
    def tempo(round: int, actions: int = 2, war: int = 1) -> float:
        return Strategist(scene(war=war, round=round, actions=actions).state, A).tempo
    assert tempo(1) == tempo(4) > tempo(5) == tempo(6) > tempo(6, actions=1) > tempo(6, actions=1, war=3)


def test_naval_training_is_worth_something_where_enemies_sail() -> None:
    def use(*sailing: str) -> float:
        state = scene(units={power: {"navy": {"india": 1}} for power in sailing}).state
        return Strategist(state, A).use_of(state.parts.tile["naval_training"])
    assert use(A, B) > 0 == use(A) == use(B)
