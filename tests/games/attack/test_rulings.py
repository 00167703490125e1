"""Rulings of chapter 23 that no other test is named after: each question with the answer that this game gives."""
from __future__ import annotations

import pytest

from engine.games.attack import GAME
from engine.games.attack.options import CHOICES, Options
from engine.games.attack.rules.battle import BattleRolled
from engine.games.attack.rules.combat import BattleBegun, CommandTaken, SpoilsTaken
from engine.games.attack.rules.crossings import EVERY, Permit
from engine.games.attack.rules.ending import Time
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.rolls import RolledTogether
from engine.games.attack.rules.setup import CardsDealt, Claim
from engine.games.attack.rules.trade import Offer
from engine.games.attack.rules.turns import Begin, Confirm, End
from tests.games.attack.scene import FAIR, scene

THREE = ("red", "blue", "green")
LAND = {"mexico": ("red", "9I 2P"), "france": ("blue", "1I"), "mozambique": ("green", "1I")}


def test_RUL_01_what_is_not_placed_in_the_setup_comes_to_nobody_later():
    made = scene(phase="founding", land={"mexico": ("red", "9I"), "france": ("blue", "9I")},
                 pools={"red": "8I 4T", "blue": "15I"})
    made.keep_silent(until="D-04")
    for power in ("red", "blue"):
        made.say(power, End())
    assert made.state.pools == {} and [made.state.land_units(power) for power in ("red", "blue")] == [9, 9]
    assert not Options().full_deployment


def test_RUL_02_units_and_ships_have_no_limit():
    made = scene(land={"mexico": ("red", "500I"), "panama": ("red", "1I"), "france": ("blue", "1I")}, fleets={"red": "99B"})
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="panama", number=499), Confirm())
    assert made.land("panama") == ("red", "500I") and made.fleet("red") == "99B"


def test_RUL_03_those_who_tie_for_the_first_turn_roll_again_among_themselves():
    made = scene(phase="setup", powers=THREE, dice=[(1,) * 12, (6, 6, 1, 1, 6, 6), (1, 1, 1, 2)])
    assert [[*event.dice] for event in made.events(RolledTogether)] == [[*THREE], ["red", "green"]]
    assert made.state.powers[made.state.first] == "green" and len(made.events(CardsDealt)) == 3


def test_RUL_07_one_permission_covers_one_pair_of_origin_and_goal_with_all_its_units():
    made = scene(powers=THREE, land=LAND, controller="green", fleets={"green": "1D"})
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="cuba", number=2, way="water"),
             Move(unit="infantry", origin="mexico", to="venezuela", way="water"),
             Move(unit="plane", origin="mexico", to="cuba", way="water", planes="back"), Confirm())
    asked = {option.crossing for option in made.options("green") if isinstance(option, Permit)} - {EVERY}
    assert asked == {"mexico_to_cuba", "mexico_to_venezuela"}
    made.say("green", *(Permit(allow=False, crossing=crossing) for crossing in sorted(asked)))
    assert made.asked() == [("red", "D-04")] and made.land("mexico") == ("red", "9I 2P")


def test_RUL_08_a_strategic_movement_joins_any_number_of_pairs_unless_the_option_allows_one():
    land = {"mexico": ("red", "3I"), "panama": ("red", "3I"), "colombia": ("red", "1I"), "france": ("blue", "1I")}
    for scope, second in (("all", True), ("one_pair", False)):
        made = scene(land=land, options={"strategic_scope": scope})
        made.say("red", Begin(action="strategic_movement"), Move(unit="infantry", origin="mexico", to="colombia"))
        assert made.allows("red", Move(unit="infantry", origin="panama", to="colombia")) == second
        assert made.allows("red", Move(unit="infantry", origin="mexico", to="colombia")), "the same pair goes on"


def test_RUL_14_cards_may_be_given_for_nothing_unless_the_option_forbids_it():
    for gifts in (True, False):
        made = scene(land=LAND, powers=THREE, hands={"red": ("oil_1",)}, options={"trade_gifts": gifts})
        assert made.allows("red", Offer(partner="blue", give=("oil_1",))) == gifts


def test_RUL_16_and_RUL_18_the_card_is_drawn_when_its_battle_starts_and_all_read_it():
    made = scene(powers=THREE, land=LAND, controller="green", fleets={"green": "1D"}, deck=["min_12"], dice=[(1,)])
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="cuba", way="water"), Confirm())
    assert made.events(BattleBegun) == [] and made.state.deck == ["min_12"], "first the controller answers"
    made.say("green", Permit(allow=True))
    assert made.lines()[-1] == "Red attacks Cuba. The card Minerals 4 sends 4 infantry, 1 tank and 1 artillery to defend it."


def test_RUL_17_if_nobody_wants_them_the_engine_commands_the_neutrals():
    made = scene(powers=THREE, land=LAND, deck=["pop_01"], dice=[(1,), "I I"])
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="panama"), Confirm())
    for power in ("blue", "green"):
        made.say(power, Answer(accept=False))
    assert [event.power for event in made.events(CommandTaken)] == [""] and made.land("panama") == ("", "")


def test_RUL_19_a_card_is_taken_for_each_territory_and_not_for_the_action():
    made = scene(powers=THREE, land={**LAND, "southern_us": ("blue", "1I"), "panama": ("blue", "1I")},
                 hands={"blue": ("oil_1", "oil_2", "oil_3")}, dice=["- -", "I -", (1,), "- -", "I -", (1,)])
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="southern_us"),
             Move(unit="infantry", origin="mexico", to="panama"), Confirm())
    made.keep_silent(until="D-04")
    assert len(made.events(SpoilsTaken)) == 2 and made.hand("red") == ["oil_1", "oil_2"] and made.hand("blue") == ["oil_3"]


def test_RUL_20_the_round_in_which_the_time_runs_out_is_completed():
    made = scene(powers=THREE, land=LAND, first="blue", options={"end_mode": "timed", "end_time": "2027-01-31T18:00"})
    made.table.decree(Time(time="up"))
    for power in ("blue", "green"):
        made.say(power, End())
    assert not made.table.over
    made.say("red", End())
    assert made.table.over and made.state.round == 1


def test_RUL_22_hits_above_the_units_in_battle_are_lost():
    made = scene(land={"mexico": ("red", "1I 4T"), "southern_us": ("blue", "5I"), "france": ("blue", "1I")}, dice=[
        "- - - -", "T T T T - - - -", "- -", "T - - - - - - -"])
    made.say("red", Begin(action="movement"), Move(unit="tank", origin="mexico", to="southern_us", number=4), Confirm())
    made.keep_silent(until="D-04")
    assert [(roll.hits, roll.losses) for roll in made.events(BattleRolled) if roll.power == "red"] == [
        (4, {"infantry": 4}), (1, {"infantry": 1})]


@pytest.mark.parametrize(("most", "seats"), [(6, 6), (4, 4)])
def test_RUL_23_two_to_six_play_or_two_to_four(most, seats):
    assert [*GAME.seats] == [2, 3, 4, 5, 6] and most in CHOICES["max_players"]
    powers = ("red", "blue", "green", "brown", "tan", "gray")[:seats]
    made = scene(phase="setup", powers=powers, options={"max_players": most}, dice=FAIR)
    assert len(made.state.hands) == seats


def test_RUL_27_the_first_territories_may_lie_on_one_continent_unless_the_option_forbids_it():
    for spread in (False, True):
        made = scene(phase="claiming", land={"mexico": ("red", "1I")}, pools={"red": "11I", "blue": "12I"},
                     options={"continent_spread": spread})
        assert made.allows("red", Claim(territory="panama")) != spread
