"""The strong player of Attack!: it attacks what is worth most by the odds, where the solid one sees nothing to do."""
from __future__ import annotations

from random import Random

import pytest

from engine import players
from engine.games.attack import GAME
from engine.games.attack.campaign import Campaign
from engine.games.attack.rules.turns import Begin
from engine.games.attack.state import MOVEMENT, PRODUCTION
from engine.games.attack.strong import MIXES, reached
from engine.kernel import Action
from tests.games.attack.scene import FAIR, Scene, scene

ROUNDS = {"end_mode": "round_limit", "rounds": 8}
LANDS = {"ukraine": ("red", "6I 2T 1A"), "poland": ("blue", "1I"), "scandinavia": ("blue", "8I 2T 2A")}


def answered(table: Scene, power: str) -> Action:
    """What the strong player answers."""
    position = players.position(table.table, table.state.seat(power))
    assert position is not None
    return players.answer(GAME, "strong", position, Random(1))


def played(table: Scene, power: str, questions: int = 40) -> list[Action]:
    """What the strong player does until its turn is over."""
    given = list[Action]()
    while not table.table.over and table.state.active == power and len(given) < questions:
        asked = table.table.waiting()[0].seat
        answer = answered(table, table.state.power(asked))
        table.table.answer(asked, answer)
        given.append(answer)
    return given


def test_it_produces_before_it_moves_and_its_new_units_fight_at_once() -> None:
    table = scene(land=LANDS, capitals={"ukraine": "red"}, options=ROUNDS, dice=FAIR)
    begun = [answer.action for answer in played(table, "red") if isinstance(answer, Begin)]
    assert begun[:2] == [PRODUCTION, MOVEMENT]


def test_a_plan_sends_each_force_where_it_is_worth_most_and_leaves_a_guard_everywhere() -> None:
    table = scene(land=LANDS, options=ROUNDS, dice=FAIR)
    plan = Campaign(table.state, "red", MOVEMENT).plan()
    assert plan[0].goal == "poland" and plan[0].worth > 0
    sent = sum(number for attack in plan for number in attack.force.values())
    assert 2 <= sent < 9 and len({attack.goal for attack in plan}) == len(plan)


def test_what_cannot_be_won_is_not_attacked() -> None:
    table = scene(land={"ukraine": ("red", "2I"), "poland": ("blue", "8I 2T 2A")}, options=ROUNDS, dice=FAIR)
    assert "poland" not in {attack.goal for attack in Campaign(table.state, "red", MOVEMENT).plan()}


def test_a_capital_is_worth_more_than_other_land_and_the_last_turn_needs_no_guards() -> None:
    early = scene(land=LANDS, capitals={"poland": "blue"}, options=ROUNDS, dice=FAIR, round=2)
    late = scene(land=LANDS, capitals={"poland": "blue"}, options=ROUNDS, dice=FAIR, round=8, active="blue", first="red")
    capital, plain = (Campaign(early.state, "red", MOVEMENT).prize(land) for land in ("poland", "scandinavia"))
    assert capital > plain
    last = Campaign(late.state, "blue", MOVEMENT)
    assert last.turns == 0 and not last.later and last.risk("poland", 5.0) == 0 and last.alive == 0


@pytest.mark.parametrize(("lands", "wanted"), [(1, False), (5, True)])
def test_whoever_has_least_is_put_out_only_by_a_leader(lands: int, wanted: bool) -> None:
    """The first elimination ends the game, for the one with most territories [ATK-19.2.1, 19.4.1]."""
    green = dict.fromkeys(("egypt", "libya", "sudan"), ("green", "1I"))
    red = dict.fromkeys(("france", "iberia", "italy", "germany")[:lands - 1], ("red", "1I"))
    land = {"ukraine": ("red", "6I 2T 1A"), "poland": ("blue", "1I"), **green, **red}
    table = scene(powers=("red", "blue", "green"), land=land, dice=FAIR)
    goals = {attack.goal for attack in Campaign(table.state, "red", MOVEMENT).plan()}
    assert ("poland" in goals) == wanted


def test_units_cross_the_sea_unless_somebody_else_could_refuse_it() -> None:
    land = {"cuba": ("red", "5I 2T 1A"), "panama": ("blue", "1I"), "scandinavia": ("blue", "3I")}
    free, held = (scene(land=land, options=ROUNDS, controller=controller, dice=FAIR) for controller in ("", "blue"))
    assert ("cuba", "infantry", "water") in Campaign(free.state, "red", MOVEMENT).reach()["panama"]
    assert "panama" not in Campaign(held.state, "red", MOVEMENT).reach()


def test_the_plan_is_the_same_while_its_orders_are_given_and_what_is_bought_fits_its_points() -> None:
    table = scene(land=LANDS, capitals={"ukraine": "red"}, options=ROUNDS, dice=FAIR)
    table.say("red", Begin(action="movement"))
    before = [(attack.goal, attack.force) for attack in Campaign(table.state, "red", MOVEMENT).plan()]
    table.table.answer(table.state.seat("red"), answered(table, "red"))
    assert table.state.turn.orders
    assert [(attack.goal, attack.force) for attack in Campaign(table.state, "red", MOVEMENT).plan()] == before
    assert reached(8) == 15 / 36 and all(set(mix) <= {"infantry", "tank", "artillery", "plane"} for mix in MIXES)
