"""The neutral hand for a seat that nobody plays: it produces and guards, attacks nobody, and is legal in every game."""
from __future__ import annotations

import random
from typing import Any

import pytest

from engine.components import components
from engine.dice import SecretDice
from engine.games.attack import GAME
from engine.games.attack.caretaker import caretaker
from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.production import Buy, PurchaseMade
from engine.games.attack.rules.setup import Deploy
from engine.games.attack.rules.trade import Offer
from engine.games.attack.rules.turns import Begin
from engine.kernel import Action, Seat, Table
from engine.selfplay import beginning, random_answer
from tests.games.attack.scene import Scene, scene

LAND = {"mexico": ("red", "3I"), "iberia": ("red", "3I"), "france": ("blue", "9I"), "southern_us": ("blue", "1I")}


def chosen(made: Scene, power: str) -> Action | None:
    """What the caretaker of a power chooses now; None: it has no view."""
    return caretaker(made.state, made.state.seat(power), made.options(power))


def cared(made: Scene, power: str) -> None:
    """Let the caretaker finish its turn: what it has no view about gets the default."""
    while made.state.active == power:
        made.say(power, chosen(made, power) or made.default(power))


def producing(**more: Any) -> Scene:
    made = scene(**{"land": LAND, "capitals": {"mexico": "red"}, "hands": {"red": ("oil_4", "minerals_4", "oil_3")}, **more})
    made.say("red", Begin(action="production"))
    return made


def test_ATK_4_1_3_it_takes_production_once_and_nothing_else() -> None:
    made = scene(land=LAND, capitals={"mexico": "red"}, fleets={"red": "3B"})
    assert chosen(made, "red") == Begin(action="production")
    cared(made, "red")
    assert made.state.active == "blue" and made.lines()[-1] == "Red ends its turn with 2 actions left."


def test_ATK_18_4_1_it_buys_a_mixed_force_for_all_its_points() -> None:
    made = producing()
    assert chosen(made, "red") == Buy(kind="tank", number=1)
    cared(made, "red")
    (bought,) = made.events(PurchaseMade)
    assert bought.bought == {"tank": 1, "artillery": 1}, "21 points; it has infantry already, and a plane is too dear after them"


def test_ATK_18_3_1_it_places_one_unit_after_the_other_where_enemies_are_most() -> None:
    made = producing()
    for unit in ("tank", "artillery"):
        made.say("red", Buy(kind=unit, number=1))
    made.say("red", made.default("red"))
    assert made.asked() == [("red", "D-23")] and chosen(made, "red") == Deploy(unit="tank", territory="iberia")
    cared(made, "red")
    assert (made.land("iberia"), made.land("mexico")) == (("red", "3I 1T 1A"), ("red", "3I"))


def test_out_of_turn_it_has_no_view() -> None:
    made = scene(land=LAND, active="blue", hands={"blue": ("oil_1",)})
    made.say("blue", Offer(partner="red", give=("oil_1",)))
    assert made.asked() == [("red", "D-20")] and chosen(made, "red") is None


@pytest.mark.parametrize("seed", range(2))
def test_in_random_games_all_that_it_answers_is_legal_and_harms_nobody(seed: int) -> None:
    """One seat is kept by the caretaker all the time."""
    parts, pick, kept = components(GAME, "base").parts, random.Random(seed), Seat("seat_2")
    options = {"end_mode": "round_limit", "rounds": 4}
    table = Table(GAME, parts, beginning(GAME, 3, "base", parts, options), dice=SecretDice("3c" * 32), checkpoints=False)
    answers = list[Action]()
    while not table.over:
        seat = table.waiting()[0].seat
        listed = table.options(seat)
        action = random_answer(listed, pick.randrange)
        if seat == kept and (care := caretaker(table.state, seat, listed)) is not None:
            action = care
            answers.append(care)
        elif seat == kept:
            action = table.default(seat)
        table.answer(seat, action)
    assert answers and {type(answer) for answer in answers} <= {Begin, Buy, Deploy}
    assert not any(isinstance(answer, (Move, Diplomacy, Offer)) for answer in answers)
