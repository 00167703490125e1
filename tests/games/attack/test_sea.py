"""Chapters 12 and 13 and the lines of 21.5: who controls the sea lanes, and how a naval battle goes."""
from __future__ import annotations

import random

import pytest

from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.naval import (
    ControllerWithdrew,
    ControlTaken,
    Fight,
    LinesShown,
    NavalBegun,
    NavalEnded,
    PairFought,
    modifier,
    rivals,
)
from engine.games.attack.rules.naval_lines import Formation, Line, outnumbered
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.turns import Begin, Confirm, End
from engine.games.attack.state import NavalBattle, Vessel
from engine.games.attack.view import view
from tests.games.attack.scene import FAIR, SHIPS, Scene, fleet, scene

D, S, B, C = (SHIPS[letter] for letter in "DSBC")
THREE = ("red", "blue", "green")
LAND = {"poland": ("red", "1I"), "italy": ("blue", "1I"), "cuba": ("green", "1I")}
EVEN, UP, DOWN = (3, 3, 3, 3), (6, 6, 1, 1), (1, 1, 6, 6)          # the attacker's dice first


def at_sea(red: str, blue: str, *dice: tuple[int, ...], fight: bool = True, **more: object) -> Scene:
    """Red challenges Blue, who controls the sea lanes."""
    made = scene(powers=THREE, land=LAND, fleets={"red": red, "blue": blue, "green": "1D 1B"}, controller="blue", dice=dice,
                 **more)                        # type: ignore[arg-type]
    made.say("red", Begin(action="naval_battle"))
    made.say("blue", Fight(on=fight))
    return made


def lined(red: tuple[str, ...], blue: tuple[str, ...], *dice: tuple[int, ...]) -> Scene:
    """A battle with these ships in these lines, the head first; the pairs of the first round have rolled."""
    made = at_sea(words(red), words(blue), *dice)
    for power, line in (("red", red), ("blue", blue)):
        if (power, "D-15") in made.asked():
            made.say(power, Line(ships=line))
    return made


def words(line: tuple[str, ...]) -> str:
    """A line as a fleet is written: "1B 2D"."""
    return " ".join(f"{line.count(ship)}{letter}" for letter, ship in SHIPS.items() if ship in line)


def hits(made: Scene) -> list[tuple[str, int, str, bool]]:
    """What the pairs so far have hit: side, position, ship, whether it sank."""
    return [(pair.hit, pair.position, pair.ship, pair.sunk) for pair in made.events(PairFought)]


# --- control (chapter 12) -------------------------------------------------------------------------------

def test_ATK_12_1_1_and_12_3_1_and_12_3_2_nobody_controls_the_lanes_until_the_first_naval_battle_is_taken():
    made = scene(powers=THREE, land=LAND, fleets={"red": "1D", "blue": "1D"})
    assert made.state.controller == ""
    made.say("red", Begin(action="naval_battle"))
    assert made.state.controller == "red" and made.state.turn.taken == ["naval_battle"] and made.events(NavalBegun) == []
    assert [power.controls_sea for power in view(made.state, None).powers] == [True, False, False]
    made.say("red", End())
    made.say("blue", Begin(action="naval_battle"))
    assert made.asked() == [("red", "D-14")], "the second one meets a controller"


def test_ATK_12_1_2_the_controllers_fleet_is_as_open_as_all_others():
    made = scene(powers=THREE, land=LAND, fleets={"red": "1B 1S", "blue": "2C", "green": ""}, damaged={"red": 1},
                 controller="red")
    shown = {power.power: power for power in view(made.state, None).powers}
    assert (shown["red"].fleet.battleships, shown["red"].fleet.damaged, shown["red"].fleet.submarines) == (1, 1, 1)
    assert shown["blue"].fleet.carriers == 2 and shown["red"].controls_sea and not shown["blue"].controls_sea


def test_ATK_12_2_1_and_12_2_2_the_controller_has_no_say_in_what_goes_by_land_or_by_air_or_is_bought_or_negotiated():
    made = scene(powers=THREE, land={**LAND, "poland": ("red", "2I 2P"), "germany": ("red", "1I"), "iberia": ("red", "1I 1T")},
                 capitals={"poland": "red"}, fleets={"green": "1D"}, controller="green", dice=[(6, 6), (1,)])
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="poland", to="germany"),
             Move(unit="plane", origin="poland", to="germany"), Confirm())
    assert made.asked() == [("red", "D-04")]
    made.say("red", Diplomacy(territory="morocco"))
    assert made.land("morocco")[0] == "red", "ATK-14.1.3: linked by the sea, whoever controls it"
    made.say("red", Begin(action="production"), Buy(kind="infantry"), Buy(kind="destroyer"), Confirm())
    made.keep_silent(until="D-04")
    assert not [line for line in made.lines() if "Green" in line], "nobody has asked Green for anything"


def test_ATK_12_3_3_a_damaged_battleship_is_a_ship():
    made = scene(powers=THREE, land=LAND, fleets={"red": "1B"}, damaged={"red": 1})
    made.say("red", Begin(action="naval_battle"))
    assert made.state.controller == "red"


def test_RUL_24_a_player_without_a_coast_fights_at_sea():
    made = scene(land={"bolivia": ("red", "1I"), "cuba": ("blue", "1I")}, fleets={"red": "1S"})
    made.say("red", Begin(action="naval_battle"))
    assert made.state.controller == "red"


# --- the challenge (13.1) -------------------------------------------------------------------------------

def test_ATK_13_1_1_the_controller_chooses_first_and_the_challenge_is_spent_whatever_it_says():
    made = scene(powers=THREE, land=LAND, fleets={"red": "2D", "blue": "1B"}, controller="blue")
    made.say("red", Begin(action="naval_battle"))
    assert made.asked() == [("blue", "D-14")] and made.state.turn.taken == ["naval_battle"], "ATK-4.1.12"
    assert made.events(NavalBegun) == [] and made.state.controller == "blue"


def test_ATK_13_1_2_withdrawing_loses_the_lanes_and_nothing_else():
    made = at_sea("1S", "2B 1C", fight=False)
    assert made.state.controller == "red" and made.fleet("blue") == "2B 1C"
    assert [(event.power, event.challenger) for event in made.events(ControllerWithdrew)] == [("blue", "red")]
    assert made.asked() == [("red", "D-04")] and made.lines()[-2:] == [
        "Blue withdraws rather than fight Red.", "Red controls the sea lanes."]


@pytest.mark.parametrize(("dice", "winner"), [(UP, "red"), (DOWN, "blue")])
def test_ATK_13_1_3_and_13_6_1_the_winner_controls_the_lanes_and_both_keep_what_is_left(dice, winner):
    made = at_sea("1D", "1D", dice)
    (ended,) = made.events(NavalEnded)
    assert (ended.winner, ended.retreat) == (winner, False) and made.state.controller == winner
    assert {power: made.fleet(power) for power in ("red", "blue")} == {winner: "1D", ended.loser: ""}
    assert len(made.events(ControlTaken)) == (winner == "red"), "who keeps control does not take it"


def test_ATK_13_1_4_a_controller_without_a_ship_withdraws_without_being_asked():
    made = scene(powers=THREE, land=LAND, fleets={"red": "1D"}, controller="blue")
    made.say("red", Begin(action="naval_battle"))
    assert made.state.controller == "red" and made.asked() == [("red", "D-04")]


@pytest.mark.parametrize(("red", "blue", "fights"), [("2D", "2D", True), ("2D", "1D", False), ("1D", "1B", True)])
def test_D_14_silence_fights_with_at_least_as_many_ships_and_counts_those_that_are_repaired(red, blue, fights):
    made = scene(powers=THREE, land=LAND, fleets={"red": red, "blue": blue}, controller="blue",
                 damaged={"blue": 1} if "B" in blue else {})
    made.say("red", Begin(action="naval_battle"))
    assert made.default("blue") == Fight(on=fights)


def test_ATK_13_1_5_and_13_6_2_every_damaged_battleship_is_repaired_before_the_battle_and_not_without_one():
    fought = at_sea("2B", "1B 1S", damaged={"red": 1, "blue": 1, "green": 1})
    assert fought.state.damaged == {} and size_of(fought, "red") == 2 and size_of(fought, "blue") == 2
    given_up = at_sea("2B", "1B 1S", fight=False, damaged={"red": 1, "blue": 1})
    assert given_up.state.damaged == {"red": 1, "blue": 1}


def size_of(made: Scene, power: str) -> int:
    return sum(made.state.fit(power).values())


# --- lines (13.2, 21.5) ---------------------------------------------------------------------------------

def test_ATK_13_2_1_all_fit_ships_stand_in_the_line_and_no_damaged_one():
    made = at_sea("1B 2D 1S", "2S 1C", UP, DOWN, UP)
    made.say("red", Line(ships=(B, D, D, S)))
    made.say("blue", Line(ships=(S, S, C)))
    assert made.state.damaged == {"red": 1}
    made.say("red", Fight(on=True))
    made.say("blue", Fight(on=True))
    assert made.refusal("red", Line(ships=(B, D, D, S))).rule == "ATK-13.2.1"
    assert made.refusal("red", Line(ships=(D, S))).rule == "ATK-13.2.1"
    assert made.refusal("red", Line(ships=(C, D, S))).rule == "ATK-13.2.1", "there is no carrier"


def test_ATK_13_2_2_of_more_than_eight_the_rest_wait_and_join_later():
    made = at_sea("9D 2S", "2D", *[EVEN] * 2, *[(4, 4, 3, 3)] * 2)
    made.say("red", Line(ships=(D,) * 8))
    assert made.asked() == [("red", "D-16")] and made.state.fit("red") == fleet("9D 2S")
    made.say("red", Fight(on=True))
    made.say("blue", Fight(on=True))
    made.say("red", Line(ships=(S, S, D, D, D, D, D, D)))
    assert made.events(LinesShown)[-1].lines["red"] == (S, S, D, D, D, D, D, D)


def test_ATK_13_2_3_the_first_of_a_line_is_its_head_on_both_sides():
    made = lined((S, D), (D, S), UP, EVEN)
    assert hits(made)[0] == ("blue", 1, D, True)
    (pair, _) = made.events(PairFought)
    assert pair.ships == {"red": S, "blue": D}


def test_ATK_13_2_4_both_lines_are_turned_up_together():
    made = at_sea("1B 1D", "1S 1D", EVEN, EVEN)
    offered, public = made.options("red"), view(made.state, None)
    made.say("blue", Line(ships=(S, D)))
    assert made.options("red") == offered and view(made.state, None) == public and made.events(LinesShown) == []
    assert view(made.state, made.state.seat("red")).naval == public.naval
    made.say("red", Line(ships=(D, B)))
    assert made.events(LinesShown)[0].lines == {"red": (D, B), "blue": (S, D)}


def test_ATK_13_2_5_and_13_2_6_there_are_as_many_pairs_as_the_shorter_line_has_ships():
    made = lined((D, D, D, S), (D, D), EVEN, EVEN)
    assert [pair.pair for pair in made.events(PairFought)] == [1, 2]
    assert made.fleet("red") == "3D 1S" and made.asked() == [("red", "D-16")], "who stands alone wins nothing by it"


def test_ATK_21_5_1_without_other_ships_carriers_lead_and_left_over_they_stand_at_the_end():
    made = at_sea("4C", "1D 3C")
    assert made.default("blue") == Line(ships=(D, C, C, C))
    assert made.asked() == [("blue", "D-15")], "four carriers can be laid in one way"
    mixed = at_sea("2B 1D 2S 1C", "1S")
    assert mixed.default("red") == Line(ships=(B, C, B, D, S, S))


@pytest.mark.parametrize(("ships", "line"), [
    ("3B 5D 5S", (B, B, B, D, S, D, S, D)), ("4C 1D 5S", (D, C, S, C, S, C, S, S)), ("8C 1D", (D, C, C, C, C, C, C, C)),
    ("9B 9C", (B,) * 8), ("6B 9C", (B, C, B, C, B, B, B, B)), ("9S", (S,) * 8)])
def test_ATK_21_5_2_battleships_then_three_carriers_then_destroyers_and_submarines_by_turns_then_further_carriers(ships, line):
    made = scene(powers=THREE, land=LAND, fleets={"red": ships})
    usual, *_ = Line.options(made.state, made.state.seat("red"))
    assert usual == Line(ships=line)


@pytest.mark.parametrize(("first", "second", "third", "line"), [
    ("rest", "rest", "rest", (B, C, D, S, D)), ("submarine", "rest", "rest", (S, B, C, D, D)),
    ("destroyer", "aircraft_carrier", "submarine", (D, D, C, S, B)), ("aircraft_carrier", "rest", "rest", (C, B, D, S, D))])
def test_ATK_21_5_3_a_stored_order_takes_its_types_first_and_the_rest_as_usual(first, second, third, line):
    made = at_sea("1B 2D 1S 1C", "1D")
    answer = Formation(first=first, second=second, third=third)
    assert answer.line(made.state, "red") == line
    made.dice_left.append(EVEN)
    made.say("red", answer)
    assert made.events(LinesShown)[0].lines["red"] == line


def test_ATK_21_5_3_of_more_than_eight_the_named_types_come_before_the_choice_of_21_5_2():
    made = at_sea("2B 3D 3S 5C", "1D")
    assert Formation(first="aircraft_carrier").line(made.state, "red") == (C, C, C, C, C, B, B, D)
    assert Formation(first="submarine", second="destroyer").line(made.state, "red") == (S, S, S, D, D, D, B, B)


# --- pairs (13.3) ---------------------------------------------------------------------------------------

def test_ATK_13_3_1_pairs_fight_in_order_and_13_3_2_the_higher_total_scores_one_hit_and_equal_ones_none():
    made = lined((D, D, D), (D, D, D), (3, 4, 3, 3), EVEN, (1, 1, 1, 2))
    assert [pair.pair for pair in made.events(PairFought)] == [1, 2, 3]
    assert hits(made) == [("blue", 1, D, True), ("", 0, "", False), ("red", 1, D, True)]


def test_ATK_13_3_2_it_is_the_total_with_modifiers_that_counts():
    made = lined((D,), (S,), (1, 2, 2, 3))
    assert made.state.controller == "blue", "3 + 2 and 5 are equal"
    assert hits(made) == [("", 0, "", False)]


def test_ATK_13_3_3_a_hit_takes_effect_before_the_next_pair():
    """The carrier sinks in the first pair; the destroyer beside it has no help of it in the second."""
    made = lined((C, D), (C, D), DOWN, (3, 3, 3, 4))
    assert [pair.modifiers for pair in made.events(PairFought)] == [{"red": 0, "blue": 0}, {"red": 0, "blue": 1}]


def test_ATK_13_3_4_and_13_3_8_the_first_ship_still_afloat_is_hit_and_gaps_stay_open():
    made = lined((D, S, D, S), (D, D, D, D), DOWN, DOWN, UP, DOWN)
    assert hits(made) == [("red", 1, D, True), ("red", 2, S, True), ("blue", 1, D, True), ("red", 3, D, True)]
    assert [pair.ships["red"] for pair in made.events(PairFought)] == [D, S, D, S], "everyone stays opposite its own enemy"


def test_ATK_13_3_5_the_losing_carrier_itself_is_hit_only_by_a_carrier():
    itself = lined((D, C), (D, C), EVEN, DOWN)
    assert hits(itself)[-1] == ("red", 2, C, True)
    head = lined((D, C), (D, D), EVEN, DOWN)
    assert hits(head)[-1] == ("red", 1, D, True)
    opposite = lined((S, S, D), (S, S, C), EVEN, DOWN, DOWN)
    assert hits(opposite)[1:] == [("red", 1, S, True), ("red", 2, S, True)], "a carrier's hit on another ship strikes the head"


@pytest.mark.parametrize("ship", [D, S, C])
def test_ATK_13_3_6_destroyer_submarine_and_carrier_sink_at_one_hit_and_leave_the_game(ship):
    made = lined((ship,), (B,), (1, 1, 6, 6))
    assert hits(made) == [("red", 1, ship, True)] and made.fleet("red") == "" and made.state.controller == "blue"


def test_ATK_13_3_7_RUL_10_a_battleship_takes_two_hits_in_one_round_and_stays_the_head_between():
    made = lined((B, B), (D, D), DOWN, DOWN)
    assert hits(made) == [("red", 1, B, False), ("red", 1, B, True)]
    assert made.fleet("red") == "1B" and made.state.damaged == {}, "what sank is damaged no more; the other has no scratch"


@pytest.mark.parametrize("seed", range(3))
def test_ATK_13_3_9_no_ship_is_hit_before_its_own_pair_has_rolled_and_one_side_has_a_fit_ship(seed):
    pick = random.Random(seed)
    for _ in range(10):
        lines = [tuple(pick.choices((B, D, S, C), k=pick.randint(1, 9))) for _ in range(2)]
        made = scene(land={"poland": ("red", "1I"), "italy": ("blue", "1I")}, controller="blue", dice=FAIR,
                     fleets={"red": words(lines[0]), "blue": words(lines[1])})
        made.table.answer(made.state.seat("red"), Begin(action="naval_battle"))
        made.table.answer(made.state.seat("blue"), Fight(on=True))
        while made.state.naval is not None:
            (question, *_) = made.table.waiting()
            options = made.table.options(question.seat)
            made.table.answer(question.seat, Fight(on=True) if question.point == "D-16" else pick.choice(options))
        made.replay()
        for pair in made.events(PairFought):
            assert pair.position <= pair.pair, pair
        assert size_of(made, made.state.controller) > 0, "ATK-12.3.4, 13.3.9"


# --- modifiers (13.4) -----------------------------------------------------------------------------------

@pytest.mark.parametrize(("line", "place", "enemy", "more", "rule"), [
    ((B,), 0, D, 2, "13.4.1"), ((S,), 0, B, 2, "13.4.2"), ((D,), 0, S, 2, "13.4.3"),
    ((C,), 0, D, 1, "13.4.4"), ((C,), 0, S, 1, "13.4.4"), ((C,), 0, B, 1, "13.4.4"), ((C,), 0, C, 0, "13.4.4"),
    ((B,), 0, S, 0, "none"), ((B,), 0, B, 0, "none"), ((B,), 0, C, 0, "none"), ((S,), 0, D, 0, "none"), ((D,), 0, B, 0, "none"),
    ((D, C), 0, D, 1, "13.4.5"), ((C, D, C), 1, D, 2, "13.4.5"), ((C, C, C), 1, C, 2, "13.4.5: carriers beside carriers"),
    ((D, D, C), 0, D, 0, "13.4.6: not next to it"), ((B, C), 0, D, 3, "13.4.7"), ((C, D, C), 1, S, 4, "13.4.7"),
    ((C, C, C), 1, D, 3, "13.4.7")])
def test_ATK_13_4_1_to_13_4_7_modifiers(line, place, enemy, more, rule):
    """ATK-13.4.2, ATK-13.4.3, ATK-13.4.4, ATK-13.4.5: against other ships none but these."""
    made = scene(land={"poland": ("red", "1I"), "italy": ("blue", "1I")})
    made.state.naval = NavalBattle(attacker="red", defender="blue", lines={
        "red": [Vessel(ship=ship) for ship in line], "blue": [Vessel(ship=enemy) for _ in line]})
    assert modifier(made.state, "red", place) == more, rule


def test_ATK_13_4_6_RUL_11_a_carrier_without_an_enemy_opposite_helps_its_neighbour():
    made = lined((D, C), (D,), EVEN)
    assert made.events(PairFought)[0].modifiers == {"red": 1, "blue": 0} and hits(made)[0][0] == "blue"


# --- the end of a round (13.5, 13.6) --------------------------------------------------------------------

def test_ATK_13_5_1_damaged_battleships_leave_the_battle_and_stay_in_the_fleet():
    made = lined((B, D), (D, S), DOWN, (2, 2, 3, 3))
    assert made.state.damaged == {"red": 1} and made.fleet("red") == "1B 1D" and made.state.fit("red") == fleet("1D")
    made.dice_left.append((2, 2, 3, 3))
    made.say("red", Fight(on=True))
    made.say("blue", Fight(on=True))
    made.say("blue", Line(ships=(S, D)))
    assert made.events(LinesShown)[-1].lines == {"red": (D,), "blue": (S, D)}


def test_ATK_13_5_2_a_side_with_damaged_battleships_alone_has_lost():
    made = lined((B,), (D,), (1, 1, 6, 6))
    (ended,) = made.events(NavalEnded)
    assert (ended.loser, ended.retreat) == ("red", False) and made.fleet("red") == "1B"
    assert made.lines()[-1] == "Red has no fit ship left: Blue wins the naval battle."


def test_ATK_13_5_3_RUL_12_the_attacker_is_asked_first_and_a_retreat_loses():
    made = lined((D, D), (D, D), EVEN, EVEN)
    assert made.asked() == [("red", "D-16")]
    made.say("red", Fight(on=False))
    assert made.state.controller == "blue" and made.asked() == [("red", "D-04")], "Blue is not asked any more"
    other = lined((D, D), (D, D), EVEN, EVEN)
    other.say("red", Fight(on=True))
    assert other.asked() == [("blue", "D-16")]
    other.say("blue", Fight(on=False))
    assert other.state.controller == "red" and other.events(NavalEnded)[0].retreat
    assert other.lines()[-2:] == ["Blue retreats: Red wins the naval battle.", "Red controls the sea lanes."]


@pytest.mark.parametrize(("mine", "theirs", "retreats"), [(1, 2, True), (2, 3, False), (2, 4, True), (3, 7, True), (1, 1, False)])
def test_D_16_silence_retreats_when_outnumbered_two_to_one(mine, theirs, retreats):
    assert outnumbered(mine, theirs) == retreats
    made = lined((D,) * mine, (D,) * theirs, *[EVEN] * min(mine, theirs))
    assert made.default("red") == Fight(on=not retreats) and rivals(made.state, "red") == ("blue", mine, theirs)


def test_ATK_13_5_4_if_nobody_retreats_a_new_round_begins_with_new_lines():
    made = lined((D, S), (D, S), EVEN, EVEN)
    made.dice_left.extend([EVEN, EVEN])
    made.say("red", Fight(on=True))
    made.say("blue", Fight(on=True))
    assert sorted(made.asked()) == [("blue", "D-15"), ("red", "D-15")]
    made.say("red", Line(ships=(S, D)))
    made.say("blue", Line(ships=(S, D)))
    assert [shown.round for shown in made.events(LinesShown)] == [1, 2]


def test_ATK_13_5_5_nobody_is_asked_during_a_round_and_rounds_have_no_limit():
    made = at_sea("1D", "1D", *[EVEN] * 20, UP)
    for _ in range(20):
        assert made.asked() == [("red", "D-16")]
        made.say("red", Fight(on=True))
        made.say("blue", Fight(on=True))
    assert made.state.controller == "red" and made.events(LinesShown)[-1].round == 21
