"""One of several orders or purchases is dropped before they are confirmed, and the others stand (ATK-4.1.12)."""
from __future__ import annotations

import pytest

from engine.games.attack import GAME
from engine.games.attack.rules.movement import Drop, Move
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.turns import Begin, Confirm
from engine.kernel.events import told
from engine.refusals import Refusal
from engine.text import Reader, joined, say
from tests.games.attack.scene import Scene, scene

LAND = {"france": ("red", "3I 2T 1A"), "iberia": ("red", "1I"), "morocco": ("red", "2I"), "italy": ("blue", "1I")}


def moving() -> Scene:
    made = scene(land=LAND)
    made.say("red", Begin(action="movement"))
    return made


def listed(made: Scene) -> list[str]:
    """What the seat has put together, as its panel tells it."""
    who = Reader(GAME.words.names(made.parts, made.state))
    return [say(line, who) for line, _ in GAME.views.ordered(made.state, made.state.seat("red"))]


def test_ATK_4_1_12_one_order_is_dropped_and_the_others_stand_as_if_it_had_never_been_given() -> None:
    made, other = moving(), moving()
    tanks, guns, infantry = (Move(unit="tank", origin="france", to="italy", number=2),
                             Move(unit="artillery", origin="france", to="italy"),
                             Move(unit="infantry", origin="france", to="morocco", number=2, way="water"))
    made.say("red", tanks, guns, infantry)
    assert listed(made) == ["Move 2 tanks from France to Italy", "Move 1 artillery from France to Italy",
                            "Move 2 infantry from France to Morocco by sea"]
    made.say("red", Drop(order=2))
    other.say("red", tanks, infantry)
    assert made.state.model_dump() == {**other.state.model_dump(), "phase": "turn"}
    assert listed(made) == ["Move 2 tanks from France to Italy", "Move 2 infantry from France to Morocco by sea"]


def test_units_on_one_way_are_told_in_one_line() -> None:
    made = moving()
    made.say("red", *(Move(unit=unit, origin="france", to="italy", number=1) for unit in ("infantry", "tank", "artillery")),
             Move(unit="infantry", origin="france", to="morocco", number=1, way="water"))
    lines = joined(line for entry in made.table.fresh for line in told(entry.events))
    who = Reader(GAME.words.names(made.parts, made.state))
    assert [say(line, who) for line, _ in lines][-2:] == [
        "Red orders 1 infantry, 1 tank and 1 artillery from France to Italy.",
        "Red orders 1 infantry by sea from France to Morocco."]


def test_ATK_5_2_1_a_goal_without_any_order_left_is_not_attacked() -> None:
    made = moving()
    made.say("red", Move(unit="tank", origin="france", to="italy", number=2), Drop(order=1))
    assert made.land("france") == ("red", "3I 2T 1A") and made.state.turn.entering == {} and made.state.turn.pair == []


def test_ATK_4_1_7_an_order_on_which_another_rests_cannot_be_dropped() -> None:
    """The last unit of Iberia may leave because a tank has come; without the tank it could not."""
    made = moving()
    made.say("red", Move(unit="tank", origin="france", to="iberia"), Move(unit="infantry", origin="iberia", to="france"))
    assert Drop(order=1) not in made.options("red") and Drop(order=2) in made.options("red")
    with pytest.raises(Refusal) as refused:
        made.say("red", Drop(order=1))
    assert say(refused.value.text) == "Other orders depend on order 1. Drop those first."
    made.say("red", Drop(order=2), Drop(order=1))
    assert listed(made) == []


def test_an_order_that_was_not_given_cannot_be_dropped() -> None:
    made = moving()
    with pytest.raises(Refusal) as refused:
        made.say("red", Drop(order=1))
    assert refused.value.rule == "ATK-4.1.12"


def test_a_purchase_is_put_back_and_its_points_with_it() -> None:
    made = scene(land=LAND, hands={"red": ("oil_4", "oil_3")}, capitals={"france": "red"})
    made.say("red", Begin(action="production"))
    before = made.state.turn.points
    made.say("red", Buy(kind="infantry", number=1), Buy(kind="tank", number=1), Drop(order=1))
    assert listed(made) == ["1 tank (10 production points)"] and made.state.turn.points == before - 10
    made.say("red", Confirm())
    assert GAME.views.ordered(made.state, made.state.seat("red")) == [], "what is confirmed cannot be dropped"


def test_an_action_is_dropped_as_it_always_was() -> None:
    """Rows of earlier versions say no more than that."""
    assert Drop().model_dump_json() == "{}" and Drop.model_validate_json("{}") == Drop.of(0)
