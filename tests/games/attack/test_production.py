"""Chapter 18: production points, purchases, and where new units stand."""
from __future__ import annotations

import pytest

from engine.games.attack.odds_on_land import counted, hits, rules_of
from engine.games.attack.rules.cards import production_points
from engine.games.attack.rules.movement import Drop, Move
from engine.games.attack.rules.production import Buy, PurchaseMade, cost
from engine.games.attack.rules.setup import Deploy
from engine.games.attack.rules.turns import Begin, Confirm, End
from tests.games.attack.scene import Scene, scene

LAND = {"bolivia": ("red", "1I"), "peru": ("red", "1I"), "france": ("blue", "1I")}


def producing(hand: tuple[str, ...] = (), **more: object) -> Scene:
    """Red has chosen Production, with a capital in Bolivia, where no sea is near."""
    made = scene(**{"land": LAND, "capitals": {"bolivia": "red"}, "hands": {"red": hand}, **more})      # type: ignore[arg-type]
    made.say("red", Begin(action="production"))
    return made


def test_ATK_18_1_1_points_are_counted_when_production_is_chosen():
    made = producing(("oil_3", "population_4"))
    assert made.state.turn.points == 17 == production_points(made.state, "red")
    assert made.private_lines("red") == ["You have 17 production points."] and made.private_lines("blue") == []


def test_ATK_18_1_2_points_that_are_not_spent_are_lost():
    made = producing()
    made.say("red", Buy(kind="infantry"), Confirm())
    assert made.state.turn.points == 0 and not made.allows("red", Buy(kind="infantry"))
    made.say("red", Deploy(unit="infantry", territory="peru"))
    made.say("red", End())
    made.say("blue", End())
    made.say("red", Begin(action="production"))
    assert made.state.turn.points == 10, "nothing is saved"


@pytest.mark.parametrize(("kind", "price"), [
    ("infantry", 5), ("artillery", 8), ("tank", 10), ("plane", 15),
    ("destroyer", 5), ("submarine", 5), ("battleship", 10), ("aircraft_carrier", 20)])
def test_ATK_18_2_1_and_18_2_2_prices(kind, price):
    """ATK-18.2.1 for land units, ATK-18.2.2 for ships."""
    made = producing(("oil_4", "population_4", "population_3"))
    assert cost(made.parts, kind) == price and made.state.turn.points == 21
    made.say("red", Buy(kind=kind))
    assert made.state.turn.points == 21 - price
    assert made.state.turn.basket == {kind: 1}


def test_ATK_18_2_3_any_mix_up_to_the_points_and_no_more():
    made = producing(("oil_4", "population_4"))                     # 18
    made.say("red", Buy(kind="artillery"), Buy(kind="destroyer"), Buy(kind="submarine"))
    assert made.state.turn.points == 0
    assert made.refusal("red", Buy(kind="infantry")).rule == "ATK-18.2.3" and not made.allows("red", Buy(kind="destroyer"))
    made.say("red", Confirm())
    assert made.events(PurchaseMade)[0].bought == {"artillery": 1, "destroyer": 1, "submarine": 1}
    assert made.state.fleets["red"] == {"destroyer": 1, "submarine": 1} and made.state.turn.to_place == {"artillery": 1}


def test_ATK_18_3_1_new_units_are_divided_freely_over_own_territories_before_the_next_action():
    made = producing(("population_4",), capitals={"bolivia": "red", "peru": "blue"})      # 24
    made.say("red", Buy(kind="infantry", number=4), Confirm())
    assert made.asked() == [("red", "D-23")] and not made.allows("red", Deploy(unit="infantry", territory="france"))
    made.say("red", Deploy(unit="infantry", territory="peru", number=1), Deploy(unit="infantry", territory="bolivia", number=3))
    assert (made.land("peru"), made.land("bolivia")) == (("red", "2I"), ("red", "4I")) and made.asked() == [("red", "D-04")]


def test_ATK_10_1_6_RUL_06_a_tank_bought_between_movement_and_blitz_takes_part():
    made = scene(land=LAND, capitals={"bolivia": "red"}, taken=("movement",))
    made.say("red", Begin(action="production"), Buy(kind="tank"), Confirm(), Deploy(unit="tank", territory="peru"),
             Begin(action="blitz"))
    assert made.allows("red", Move(unit="tank", origin="peru", to="chile"))


@pytest.mark.parametrize("controller", ["red", "blue", ""])
def test_ATK_18_3_2_and_18_3_3_new_ships_join_the_fleet_at_once_and_need_no_coast(controller):
    made = producing(fleets={"red": "1D", "blue": "1D"}, controller=controller)
    made.say("red", Buy(kind="destroyer"), Buy(kind="submarine"), Confirm())
    assert made.fleet("red") == "2D 1S" and made.state.fit("red") == {"destroyer": 2, "submarine": 1}
    assert made.state.controller == controller and made.asked() == [("red", "D-04")], "there is nothing to place"


def test_ATK_18_4_1_a_mixed_force_hits_more_often_since_each_type_brings_its_own_faces():
    made = producing()

    def expected(**force: int) -> float:
        """How many hits a force scores in a roll, on average."""
        return sum(number * chance for number, chance in enumerate(hits(rules_of(made.parts), counted(force))))

    assert expected(infantry=2) == pytest.approx(2 / 6)
    assert expected(infantry=1, artillery=1) == pytest.approx(2 * 11 / 36)
    assert expected(infantry=2, artillery=1, plane=1) > expected(infantry=4)


def test_RUL_25_a_production_without_a_purchase_is_spent_once_it_is_confirmed():
    made = producing()
    made.say("red", Confirm())
    assert made.state.turn.taken == ["production"] and made.asked() == [("red", "D-04")]
    assert made.lines()[-1] == "Red buys nothing."


@pytest.mark.parametrize("answer", [Drop(), End()])
def test_ATK_4_1_12_a_production_that_is_not_confirmed_buys_nothing_and_is_not_spent(answer):
    made = producing()
    made.say("red", Buy(kind="battleship"), answer)
    assert made.fleet("red") == "" and made.state.turn.basket == {} and made.state.turn.points == 0
    assert made.asked() == [("red" if isinstance(answer, Drop) else "blue", "D-04")] and "production" not in made.state.turn.taken


def test_D_22_silence_buys_infantry_for_all_that_is_left_and_confirms():
    made = producing(("oil_2",))                                    # 12
    assert made.default("red") == Buy(kind="infantry", number=2)
    made.say("red", made.default("red"))
    assert made.default("red") == Confirm()
    poor = producing(capitals={}, hand=("oil_4",))
    assert poor.default("red") == Confirm(), "four points buy nothing"


def test_D_23_silence_places_all_on_the_own_capital():
    made = producing(("population_4",), capitals={"bolivia": "red", "peru": "blue"})               # 24
    made.say("red", Buy(kind="tank"), Buy(kind="infantry", number=2), Confirm())
    made.keep_silent(until="D-04")
    assert (made.land("bolivia"), made.land("peru")) == (("red", "3I 1T"), ("red", "1I")), "not on one that was captured"


def test_D_23_and_21_6_1_without_it_where_most_neighbours_are_foreign_and_of_equals_the_first_of_the_data():
    made = producing(hand=("population_4", "oil_1"), capitals={"france": "red"}, land={
        **LAND, "midwest": ("red", "1I"), "cuba": ("red", "1I"), "ontario": ("blue", "1I"), "argentina": ("blue", "1I")})
    made.say("red", Buy(kind="infantry"), Confirm())
    assert made.default("red") == Deploy(unit="infantry", territory="midwest"), "Bolivia has one foreign neighbour too"
    made = producing(hand=("population_4", "oil_1"), capitals={"france": "red"}, land={
        **LAND, "midwest": ("red", "1I"), "ontario": ("blue", "1I"), "argentina": ("blue", "1I"), "chile": ("blue", "1I")})
    made.say("red", Buy(kind="infantry"), Confirm())
    assert made.default("red") == Deploy(unit="infantry", territory="bolivia"), "two"
