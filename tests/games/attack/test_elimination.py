"""Chapter 19: who is out, what becomes of the game then, who has won, and the end by agreement of all."""
from __future__ import annotations

import pytest

from bot.domain.announcements import Announced, after
from bot.domain.letters import Ballot
from engine.dice import LoadedDice
from engine.games.attack import GAME
from engine.games.attack.options import Options
from engine.games.attack.rules.combat import Attack, SpoilsTaken, TerritoryCaptured
from engine.games.attack.rules.ending import GameEnded, PlayerOut, ProposalAnswered, Propose
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.turns import Begin, Confirm, End, TurnBegun, TurnEnded
from engine.kernel import Row, Table, stored_events
from engine.text import Reader
from tests.games.attack.scene import Scene, scene

THREE = ("red", "blue", "green")
LAND = {"mexico": ("red", "4I"), "southern_us": ("blue", "1I"), "panama": ("green", "1I"), "mozambique": ("green", "1I")}
WON, LOST = ("- -", "I -"), ("I -",)
MODES = {"first_elimination": {}, "timed": {"end_time": "2027-01-31T18:00"}, "round_limit": {}, "last_standing": {}}


def attacked(*goals: str, dice: tuple[object, ...], mode: str = "first_elimination", **more: object) -> Scene:
    """Red orders an infantry from Mexico to each goal; the first battle is fought first, and then what has to be."""
    made = scene(**{"powers": THREE, "land": LAND, "dice": dice, "options": {"end_mode": mode, **MODES[mode]},
                    **more})                    # type: ignore[arg-type]
    made.say("red", Begin(action="movement"), *(Move(unit="infantry", origin="mexico", to=goal) for goal in goals), Confirm())
    if len(goals) > 1:
        made.say("red", Attack(territory=goals[0]))
    return made


# --- who is out -----------------------------------------------------------------------------------------

def test_ATK_19_1_1_who_loses_the_last_territory_is_out_and_who_has_another_is_not():
    made = attacked("southern_us", dice=WON)
    assert [event.power for event in made.events(PlayerOut)] == ["blue"] and made.state.out == ["blue"]
    other = attacked("panama", dice=WON)
    assert other.events(PlayerOut) == [] and other.asked() == [("red", "D-04")]


def test_ATK_19_1_2_ships_and_cards_keep_nobody_in_the_game():
    made = attacked("southern_us", dice=(*WON, (2,)), hands={"blue": ("oil_4", "oil_3", "oil_2")}, fleets={"blue": "3B"},
                    controller="blue")
    assert made.state.out == ["blue"] and made.table.over


def test_ATK_19_1_3_a_failed_attack_leaves_a_unit_behind_so_the_attacker_stays():
    made = attacked("southern_us", dice=LOST, land={**LAND, "mexico": ("red", "2I")})
    assert made.land("mexico") == ("red", "1I") and made.events(PlayerOut) == [] and not made.table.over


# --- the first elimination ends the game ----------------------------------------------------------------

@pytest.mark.parametrize("mode", ["first_elimination", "timed", "round_limit"])
def test_ATK_19_2_1_and_19_3_3_the_first_who_is_out_ends_the_game_in_the_middle_of_an_action(mode):
    made = attacked("southern_us", "panama", dice=WON, mode=mode)
    assert made.table.over and len(made.events(GameEnded)) == 1
    assert [event.territory for event in made.events(TerritoryCaptured)] == ["southern_us"], "the second battle is not fought"


def test_ATK_19_2_2_attackers_of_a_battle_that_is_dropped_count_as_units_and_give_no_territory():
    made = attacked("southern_us", "panama", dice=WON)
    (ended,) = made.events(GameEnded)
    assert ended.territories == {"red": 2, "blue": 0, "green": 2}
    assert ended.units == {"red": 4, "blue": 0, "green": 2} and ended.winners == ("red",)


def test_ATK_19_4_2_a_dropped_battle_leaves_land_and_defenders_to_their_owner_and_neutral_land_to_nobody():
    made = attacked("southern_us", "panama", dice=WON)
    assert made.land("panama") == ("green", "1I")
    neutral = attacked("southern_us", "western_us", dice=WON)
    (ended,) = neutral.events(GameEnded)
    assert neutral.land("western_us") == ("", "") and sum(ended.territories.values()) == 4
    assert ended.units == {"red": 4, "blue": 0, "green": 2}


# --- other ends -----------------------------------------------------------------------------------------

def test_ATK_19_3_5_and_RUL_28_the_first_elimination_is_the_end_unless_another_is_chosen():
    assert Options().end_mode == "first_elimination"
    unbounded = scene(powers=THREE, land=LAND, round=400)
    for power in THREE:
        unbounded.say(power, End())
    assert not unbounded.table.over and unbounded.state.round == 401, "no number of rounds ends it"
    assert not attacked("southern_us", dice=WON, mode="last_standing").table.over


def test_ATK_19_3_4_all_have_had_the_same_number_of_turns_when_a_round_limit_ends_the_game():
    made = scene(powers=THREE, land=LAND, first="green", options={"end_mode": "round_limit", "rounds": 2})
    turns = dict.fromkeys(THREE, 0)
    while not made.table.over:
        ((power, _),) = made.asked()
        turns[power] += 1
        made.say(power, End())
    assert turns == {"red": 2, "blue": 2, "green": 2}


def test_ATK_19_4_1_RUL_21_most_territories_then_most_units_of_any_type_then_a_shared_victory():
    last = {"end_mode": "round_limit", "rounds": 1}
    two = {"panama": ("red", "1I")}
    for more, red, blue, winners in ((two, "1I", "9P", ["red"]), ({}, "2I", "1P", ["red"]), ({}, "1P", "1I", ["red", "blue"])):
        made = scene(land={"mexico": ("red", red), "france": ("blue", blue), **more}, options=last)
        made.say("red", End())
        made.say("blue", End())
        assert made.state.winners == winners


def test_ATK_19_5_1_the_last_one_standing_wins():
    made = attacked("southern_us", dice=WON, mode="last_standing", powers=("red", "blue"),
                    land={"mexico": ("red", "2I"), "southern_us": ("blue", "1I")})
    assert made.table.over and made.state.winners == ["red"] and made.events(GameEnded)[0].ranking == ("red", "blue")


def test_ATK_19_5_2_the_captor_takes_a_card_first_then_hand_fleet_and_control_are_gone():
    made = attacked("southern_us", dice=(*WON, (3,)), mode="last_standing", fleets={"blue": "2B 1C", "green": "1D"},
                    damaged={"blue": 1}, controller="blue", hands={"blue": ("oil_4", "oil_3", "oil_2")})
    kinds = [type(event) for event in made.table.fresh[-1].events]
    assert kinds.index(SpoilsTaken) < kinds.index(PlayerOut), "ATK-9.1.7"
    assert made.hand("red") == ["oil_2"] and made.hand("blue") == []
    assert {"oil_12", "oil_09"} <= {*made.state.deck} and len(made.state.deck) == 59
    assert (made.fleet("blue"), made.state.damaged, made.state.controller) == ("", {}, "")
    assert made.fleet("green") == "1D"


def test_ATK_19_5_2_who_goes_out_without_control_leaves_it_where_it_is():
    made = attacked("southern_us", dice=WON, mode="last_standing", fleets={"blue": "2B", "green": "1D"}, controller="green")
    assert made.state.controller == "green"


def test_ATK_19_5_3_the_turn_goes_on_with_its_battles_and_further_actions_and_the_captured_capital_stays():
    made = attacked("southern_us", "panama", dice=(*WON, *WON), mode="last_standing",
                    capitals={"southern_us": "blue", "panama": "green"})
    assert [event.territory for event in made.events(TerritoryCaptured)] == ["southern_us", "panama"]
    assert made.state.capitals == {"southern_us": "blue", "panama": "green"} and made.asked() == [("red", "D-04")]
    made.say("red", Begin(action="production"))
    assert made.state.turn.points == 20
    made.say("red", Confirm(), End())
    assert made.asked() == [("green", "D-04")], "the turns of who is out are passed over"


def test_ATK_19_5_3_with_one_player_left_nothing_more_is_fought():
    made = attacked("southern_us", "panama", dice=WON, mode="last_standing", powers=("red", "blue"),
                    land={"mexico": ("red", "4I"), "southern_us": ("blue", "1I")})
    assert made.table.over and made.state.battles == 1 and made.land("panama") == ("", "")


# --- by agreement ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("mode", MODES)
def test_ATK_19_3_6_in_every_mode_all_can_agree_to_end_with_the_round(mode):
    made = scene(powers=THREE, land=LAND, options={"end_mode": mode, **MODES[mode]})
    made.say("blue", Propose())
    made.say("red", End())
    assert [asked for asked in made.asked() if asked[1] == "D-24"] == made.asked() and len(made.asked()) == 2
    for power in ("red", "green"):
        assert made.default(power) == Answer(accept=False), "D-24: silence means no"
        made.say(power, Answer(accept=True))
    made.say("blue", End())
    assert not made.table.over and made.state.closing
    made.say("green", End())
    assert made.table.over and made.events(GameEnded)[0].winners == ("green",)


def test_ATK_19_3_6_one_refusal_is_enough_and_each_may_propose_once_in_a_round():
    made = scene(powers=THREE, land=LAND)
    made.say("green", Propose())
    assert made.refusal("blue", Propose()).rule == "ATK-19.3.6"
    made.say("red", End())
    made.say("red", Answer(accept=True))
    made.say("blue", Answer(accept=False))
    assert "The game goes on: Blue voted against ending it." in made.lines()
    assert made.refusal("green", Propose()).rule == "ATK-19.3.6"
    made.say("blue", Propose(), End())
    assert sorted(made.asked()) == [("green", "D-24"), ("red", "D-24")], "another player may in the same round"


def test_ATK_19_3_6_the_proposal_of_who_goes_out_lapses_and_another_can_be_made():
    made = scene(powers=THREE, land={**LAND, "mozambique": ("blue", "1I")}, dice=WON, options={"end_mode": "last_standing"})
    made.say("green", Propose())
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="panama"), Confirm())
    assert made.state.out == ["green"] and "Green's proposal to end the game lapses." in made.lines()
    made.say("red", End())
    assert made.asked() == [("blue", "D-04")], "nobody answers for it"
    made.say("blue", Propose(), End())
    assert made.asked() == [("red", "D-24")]


def test_ATK_19_3_6_a_game_of_the_earlier_rulings_goes_on_by_them():
    made = scene(powers=THREE, land={**LAND, "mozambique": ("blue", "1I")}, dice=WON, options={"end_mode": "last_standing"},
                 rules_version=1)
    made.say("green", Propose())
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="panama"), Confirm(), End())
    assert sorted(made.asked()) == [("blue", "D-24"), ("red", "D-24")]


def proposed(*absent: str) -> Scene:
    """Red proposes to end the game and ends the turn; these players are away, or have resigned."""
    made = scene(powers=("red", "blue", "green", "brown"), land={**LAND, "peru": ("brown", "1I")})
    made.table.absent = {made.state.seat(power) for power in absent}
    made.say("red", Propose(), End())
    return made


def test_ATK_21_2_3_who_is_away_or_has_resigned_agrees_to_the_end_once_all_others_have():
    made = proposed("blue", "brown")
    made.say("green", Answer(accept=True))
    assert made.events(ProposalAnswered) == [ProposalAnswered(power="red", against=())] and made.state.closing
    assert "All agree: the game ends after this round." in made.lines()


def test_ATK_21_2_3_whoever_is_there_can_refuse_the_end_and_alone_is_named():
    made = proposed("blue", "brown")
    made.say("green", Answer(accept=False))
    assert "The game goes on: Green voted against ending it." in made.lines() and not made.state.closing


def test_ATK_21_2_3_when_all_others_are_away_who_proposes_the_end_has_agreed_already():
    assert proposed("blue", "green", "brown").state.closing


def test_ATK_21_2_5_whoever_comes_back_before_the_others_have_answered_answers_in_person():
    made = proposed("blue", "brown")
    assert sorted(made.asked()) == [("blue", "D-24"), ("brown", "D-24"), ("green", "D-24")]
    made.table.absent.discard(made.state.seat("blue"))
    made.table.go_on()
    made.say("green", Answer(accept=True))
    made.say("blue", Answer(accept=False))
    assert made.events(ProposalAnswered)[0].against == ("blue",)


def test_ATK_21_2_3_what_the_clock_of_an_earlier_version_answered_for_the_absent_still_counts():
    made = proposed()
    rows = [entry.row() for entry in made.table.fresh]
    ended = [ProposalAnswered(power="red", against=("blue", "brown")),
             TurnEnded(power="red", place=1, round=1, unused=3), TurnBegun(power="blue")]
    for power, by, accept in (("blue", "clock", False), ("green", "player", True), ("brown", "clock", False)):
        rows.append(Row(rows[-1].no + 1, made.state.seat(power), by, "answer", Answer(accept=accept).model_dump_json(),
                        stored_events(ended if power == "brown" else ())))
    again = Table(GAME, made.parts, made.start, rows, dice=LoadedDice(), strict=True, run_on=False)
    assert again.state.active == "blue" and not again.state.closing


def test_ATK_21_2_3_nobody_who_is_away_is_called_to_answer_the_proposal():
    made = proposed("blue", "brown")
    news = after(made.table, made.table.take()[0], (), Announced(), Reader(), listeners={})
    assert [letter.seats for letter in news.letters if isinstance(letter, Ballot)] == [[made.state.seat("green")]]


def test_ATK_19_3_6_a_proposal_is_told_to_everybody_at_once():
    made = scene(powers=THREE, land=LAND)
    told = after(made.table, (), (), Announced(), Reader(), listeners={}).told
    made.say("red", Propose())
    news = after(made.table, made.table.take()[0], (), told, Reader({"red": "Red"}), listeners={}, actor=made.state.seat("red"))
    assert [[line.split(".")[0] for line in letter.payload["lines"]] for letter in news.letters] == [
        ["Red proposes to end the game after this round"]]


def test_ATK_19_3_6_only_players_who_are_still_in_the_game_are_asked():
    made = scene(powers=THREE, land={land: owner for land, owner in LAND.items() if owner[0] != "blue"}, out=("blue",),
                 options={"end_mode": "last_standing"})
    assert made.refusal("blue", Propose()).rule == "ATK-19.3.6"
    made.say("red", Propose(), End())
    assert made.asked() == [("green", "D-24")]


def test_ATK_19_3_6_agreed_after_the_last_turn_of_a_round_the_game_closes_at_once():
    made = scene(powers=THREE, land=LAND, active="green")
    made.say("green", Propose(), End())
    made.say("red", Answer(accept=True))
    made.say("blue", Answer(accept=True))
    assert made.table.over and made.state.round == 1
