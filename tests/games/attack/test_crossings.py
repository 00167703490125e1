"""Moves and crossings: who may go where, what waits at sea, and what the word of the controller changes."""
from __future__ import annotations

from engine.games.attack.rules.combat import BattleBegun
from engine.games.attack.rules.movement import CrossingAnswered, Move, Permit
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.setup import Deploy
from engine.games.attack.rules.turns import Begin, Confirm, Drop, End
from tests.games.attack.scene import Scene, scene

THREE = ("red", "blue", "green")
LAND = {"cuba": ("red", "4I 2T 2P"), "mexico": ("red", "3I"), "panama": ("blue", "1I"), "france": ("blue", "1I"),
        "italy": ("green", "1I")}


def moving(action: str = "movement", **more: object) -> Scene:
    made = scene(**{"powers": THREE, "land": LAND, **more})         # type: ignore[arg-type]
    made.say("red", Begin(action=action))                           # type: ignore[arg-type]
    return made


def crossed(*moves: Move, **more: object) -> Scene:
    """Red has confirmed these orders; Green controls the sea lanes."""
    made = moving(**{"controller": "green", **more})                # type: ignore[arg-type]
    made.say("red", *moves, Confirm())
    return made


def test_a_move_ends_on_own_land_on_neutral_land_or_on_that_of_another():
    """ATK-5.1.6, 6.1.4: by land and by water alike."""
    made = moving(land={**LAND, "southern_us": ("green", "1I")})
    to = {(move.to, move.way) for move in made.options("red") if isinstance(move, Move)}
    assert to >= {("western_us", "land"), ("panama", "land"), ("southern_us", "land"), ("mexico", "water"), ("colombia", "water")}
    assert ("panama", "water") in to


def test_planes_attack_alone_and_hold_what_they_take():
    """ATK-5.1.8"""
    made = moving(dice=["- -", "P -"])
    made.say("red", Move(unit="plane", origin="cuba", to="panama", way="water"), Confirm())
    assert made.land("panama") == ("red", "1P")


def test_a_crossing_is_one_step_from_shore_to_shore_and_no_land_move_goes_with_it():
    """ATK-6.1.1, 6.1.2, 5.1.12: what has crossed is on its way, and what has moved by land does not cross."""
    made = moving(land={**LAND, "southern_us": ("red", "1I")})
    made.say("red", Move(unit="tank", origin="cuba", to="mexico", way="water"))
    assert made.land("mexico") == ("red", "3I") and [c.units for c in made.state.turn.crossings] == [{"tank": 1}]
    assert not made.allows("red", Move(unit="tank", origin="mexico", to="southern_us")), "it waits at sea"
    made.say("red", Move(unit="infantry", origin="mexico", to="southern_us"))
    assert not made.allows("red", Move(unit="infantry", origin="southern_us", to="morocco", way="water", number=2)), \
        "one may leave, the one that has not moved"
    assert made.allows("red", Move(unit="infantry", origin="southern_us", to="morocco", way="water"))


def test_what_crosses_waits_at_sea_until_all_moves_are_made_and_the_controller_sees_them():
    """ATK-6.2.1, 6.2.3, 6.2.12: one question after the other, when everything is ordered; planes alone without one."""
    made = moving(controller="green")
    made.say("red", Move(unit="infantry", origin="cuba", to="panama", way="water"),
             Move(unit="plane", origin="cuba", to="colombia", way="water"))
    assert made.asked() == [("red", "D-05")] and made.land("cuba") == ("red", "3I 2T 1P")
    made.say("red", Move(unit="infantry", origin="mexico", to="western_us"), Confirm())
    assert made.asked() == [("green", "D-06")] and made.land("mexico") == ("red", "2I")
    assert [(c.origin, c.to) for c in made.state.turn.crossings] == [("cuba", "panama"), ("cuba", "colombia")]
    assert made.table.waiting()[0].about["to"] == "panama"
    made.say("green", Permit(allow=False))
    assert [event.to for event in made.events(CrossingAnswered)] == ["panama"], "nobody is asked about the plane"
    assert made.land("cuba") == ("red", "4I 2T 1P") and set(made.state.turn.entering) >= {"colombia", "western_us"}


def test_one_choice_sends_all_planes_of_a_crossing_on_or_back():
    """ATK-6.2.8"""
    orders = (Move(unit="infantry", origin="cuba", to="panama", way="water"),
              Move(unit="plane", origin="cuba", to="panama", way="water"),
              Move(unit="plane", origin="cuba", to="panama", way="water", planes="on"))
    made = crossed(*orders, dice=["I -", "P P"])
    made.say("green", Permit(allow=False))
    (begun,) = made.events(BattleBegun)
    assert begun.territory == "panama" and made.land("cuba")[1].startswith("4I 2T") and "P" not in made.land("cuba")[1]


def test_land_moves_stand_whatever_the_controller_says():
    """ATK-6.2.11, 5.2.4: and nothing of what is confirmed can be called off."""
    made = crossed(Move(unit="infantry", origin="mexico", to="panama"),
                   Move(unit="infantry", origin="cuba", to="panama", way="water"), dice=["- -", "I -"])
    assert not made.allows("red", Drop()) and not made.allows("red", End())
    made.say("green", Permit(allow=False))
    assert made.land("panama") == ("red", "1I") and made.land("mexico") == ("red", "2I") and made.land("cuba") == LAND["cuba"]


def test_control_hinders_neither_planes_nor_land_moves_nor_production():
    """ATK-12.2.2"""
    made = crossed(Move(unit="plane", origin="cuba", to="panama", way="water"), dice=["- -", "P -"])
    assert made.land("panama") == ("red", "1P") and made.asked() == [("red", "D-04")]
    made.say("red", Begin(action="production"), Confirm())
    assert made.asked() == [("red", "D-04")]


def test_only_planes_pass_neutral_land():
    """ATK-8.1.1, 5.1.11: the middle territory need not be named."""
    made = moving(land={"mexico": ("red", "2I 1T 1P"), "france": ("blue", "1I"), "italy": ("green", "1I")})
    assert made.allows("red", Move(unit="plane", origin="mexico", to="midwest"))
    assert made.refusal("red", Move(unit="tank", origin="mexico", to="midwest")).rule == "ATK-5.1.4"
    assert made.allows("red", Move(unit="tank", origin="mexico", to="western_us"))


def test_a_blitz_goes_through_what_was_taken_with_tanks_that_were_bought_since():
    """ATK-10.1.4, 10.1.6, 10.1.7"""
    made = moving(land={"mexico": ("red", "3I 1T"), "panama": ("blue", "1I"), "colombia": ("blue", "1I"),
                        "italy": ("green", "1I"), "france": ("blue", "1I")}, capitals={"mexico": "red"}, dice=["- -", "T -"])
    made.say("red", Move(unit="tank", origin="mexico", to="panama"), Confirm(), Begin(action="production"), Buy(kind="tank"),
             Confirm(), Deploy(unit="tank", territory="mexico"))
    assert made.land("panama") == ("red", "1T") and made.land("mexico") == ("red", "3I 1T")
    made.say("red", Begin(action="blitz"))
    assert not made.allows("red", Move(unit="tank", origin="panama", to="colombia")), "it stands there alone"
    assert made.allows("red", Move(unit="tank", origin="mexico", to="colombia")), "through Panama, which is Red's now"


def test_what_moved_moves_strategically_in_the_same_turn_and_nothing_is_fought():
    """ATK-11.1.6, 11.1.7"""
    made = moving(land={"mexico": ("red", "3I 1P"), "southern_us": ("red", "1I"), "france": ("blue", "1I"),
                        "italy": ("green", "1I")})
    made.say("red", Move(unit="infantry", origin="mexico", to="southern_us"), Confirm(), Begin(action="strategic_movement"))
    assert made.allows("red", Move(unit="infantry", origin="southern_us", to="mexico"))
    assert not made.allows("red", Move(unit="plane", origin="mexico", to="western_us")), "planes too need a chain of own land"
