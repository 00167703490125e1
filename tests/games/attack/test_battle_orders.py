"""Standing orders for battles: what is answered without a wait, and what an order changes (section 21)."""
from __future__ import annotations

from itertools import permutations

import pytest

from engine.games.attack import GAME
from engine.games.attack.components import SHIPS as SHIP_TYPES, UNITS
from engine.games.attack.orders.decision_points import ORDERING
from engine.games.attack.rules.battle import BattleRolled, UnitsBrought
from engine.games.attack.rules.line_up_policies import Policy
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.naval_lines import Formation
from engine.games.attack.rules.turns import Begin, Confirm
from engine.kernel import Seat
from engine.orders import Order, Test, Wish, checked, order_text
from engine.refusals import Illegal
from engine.text import Reader, say
from tests.games.attack.scene import SHIPS, Scene, army, scene, written
from tests.games.attack.test_battles import Begun
from tests.games.attack.test_golden_battles import LAND
from tests.games.attack.test_orders import order

D, S, B, C = (SHIPS[letter] for letter in "DSBC")
NOTHING = order(1, "D-12", ("decline", {}, ()), id=9)           # with any order in the game quiet questions are answered


def battle(*orders: Order, attackers: str = "4I 2T 2P", defenders: str = "4I 2A 1P", dice: tuple[str, ...] = ()) -> Scene:
    """Red, in seat 1, enters Ukraine, which Blue, in seat 2, holds."""
    there = army(attackers)
    red = scene(dice=Begun(*dice), orders=(*orders, NOTHING), land={
        "poland": ("red", written(there | {"infantry": there["infantry"] + 1})), "ukraine": ("blue", defenders),
        "france": ("blue", "1I")})
    red.say("red", Begin(action="movement"), *(Move(unit=unit, origin="poland", to="ukraine", number=number)
                                               for unit, number in there.items()), Confirm())
    return red


def brought(made: Scene, power: str, *, line_up: bool) -> list[str]:
    return [written(event.units) for event in made.events(UnitsBrought) if (event.power, event.line_up) == (power, line_up)]


def challenge(green: str, gray: str, *orders: Order, dice: tuple[tuple[int, ...], ...] = ()) -> Scene:
    """Green, in seat 1, challenges Gray, in seat 2."""
    made = scene(powers=("green", "gray"), land=LAND, fleets={"green": green, "gray": gray}, controller="gray",
                 orders=(*orders, NOTHING), dice=Begun(*dice))
    made.say("green", Begin(action="naval_battle"))
    return made


# --- on land ------------------------------------------------------------------------------------------------

def test_a_battle_of_many_rounds_waits_for_nobody():
    made = battle()
    assert made.asked() == [("red", "D-04")] and len(made.events(BattleRolled)) >= 4
    assert (brought(made, "red", line_up=True), brought(made, "blue", line_up=True)) == (["2I 1T 1P"], ["2I 1A 1P"])
    assert {entry.by for entry in made.table.fresh if entry.answer.verb == "bring"} == {"order"}, "nobody was asked"


def test_D_10_an_order_can_depend_on_who_attacks_and_how_strong_he_is():
    strong = order(2, "D-10", ("screen", {}, (Test(fact="foe", value="red"), Test(fact="foe_units", op="at_least", value=8))),
                   id=1)
    assert brought(battle(strong), "blue", line_up=True) == ["4I"]
    assert brought(battle(strong, attackers="4I 2T 1P"), "blue", line_up=True) == ["2I 1A 1P"]
    mine = order(2, "D-10", ("screen", {}, (Test(fact="own_units", op="at_least", value=8),)), id=1)
    assert brought(battle(mine), "blue", line_up=True) == ["2I 1A 1P"], "Blue has seven units there"


def test_D_11_planes_are_kept_back_while_others_fight():
    screen, dice = order(2, "D-10", ("screen", {}, ()), id=2), ("- - - -", "I T - - -")
    made = battle(order(2, "D-11", ("keep", {"kept": ("plane",)}, ()), id=1), screen, dice=dice)
    assert brought(made, "blue", line_up=False)[0] == "2A", "there is room for three, and the plane stays"
    late = order(2, "D-11", ("keep", {"kept": ("plane",)}, (Test(fact="battle_round", op="at_least", value=3),)), id=1)
    assert brought(battle(late, screen, dice=dice), "blue", line_up=False)[0] == "2A 1P"


# --- in words -----------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("point", "key", "filled", "when", "sentence"), [
    ("D-09", "mixed", {}, (), "Line up mixed."),
    ("D-10", "screen", {}, (Test(fact="foe_units", op="at_least", value=6),),
     "If the enemy has at least 6 units in the battle: infantry first, the rest mixed."),
    ("D-09", "list", {"first": "tank", "second": "plane", "third": "infantry"}, (Test(fact="foe", value="neutral"),),
     "If you fight the neutral force: tank first, then plane, then infantry, then the rest."),
    ("D-11", "keep", {"kept": ("tank", "plane")}, (Test(fact="battle_round", op="at_most", value=2),),
     "If the round of the battle is at most 2: keep tank and plane in reserve."),
    ("D-11", "fill", {}, (), "Bring up all that fit."),
    ("D-14", "fight", {}, (Test(fact="enough_ships", value=True),),
     "If you have at least as many fit ships as the enemy: fight."),
    ("D-15", "types", {"first": "submarine", "second": "battleship", "third": "destroyer"}, (),
     "Submarine, then battleship, then destroyer, then the rest."),
    ("D-16", "withdraw", {}, (Test(fact="ships_more", op="at_least", value=1),),
     "If the enemy has at least 1 fit ship more: withdraw."),
])
def test_orders_for_battles_read_as_sentences(point, key, filled, when, sentence):
    made = scene(land=LAND, powers=("green", "gray"))
    given = checked(GAME, order(1, point, (key, filled, when), id=1), made.state)
    (told,) = order_text(GAME, given)
    assert say(told, Reader(GAME.words.names(made.parts))) == sentence


def test_all_points_of_battles_but_the_challenge_are_quiet():
    quiet = {point.no for point in ORDERING.points if point.quiet}
    assert quiet >= {"D-09", "D-10", "D-11", "D-13", "D-15", "D-16"} and "D-14" not in quiet


# --- each answer once -------------------------------------------------------------------------------------------

@pytest.mark.parametrize("kind, types", [(Policy, UNITS), (Formation, SHIP_TYPES)])
def test_each_order_of_types_is_offered_once_and_has_a_label_of_its_own(kind, types):
    made = battle(order(1, "D-09", ("", {}, ()), id=1))
    offered = list(kind.options(made.state, Seat("seat_1")))
    labels = [say(answer.label(), Reader(GAME.words.names(made.parts))) for answer in offered]
    assert len(set(offered)) == len(offered) == 1 + 4 + 4 * 3 + 4 * 3 * 2
    assert len(set(labels)) == len(labels)
    assert all(len(set(answer.types)) == len(answer.types) for answer in offered)
    assert {answer.types for answer in offered if len(answer.types) == 2} == set(permutations(types, 2))


def test_a_type_that_is_named_twice_counts_once():
    assert Policy(first="tank", second="tank", third="plane") == Policy(first="tank", second="plane")
    assert Policy(first="tank", second="plane", third="tank") == Policy(first="tank", second="plane")
    assert Policy.model_validate_json('{"first":"tank","second":"tank","third":"tank"}') == Policy(first="tank")
    made = battle(order(1, "D-09", ("", {}, ()), id=1))
    made.say("red", Policy(first="infantry", second="infantry", third="plane"))
    assert brought(made, "red", line_up=True) == ["4I"]


def test_what_follows_the_rest_is_refused():
    made = battle(order(1, "D-09", ("", {}, ()), id=1))
    with pytest.raises(Illegal, match=r"Choose which types come first. The rest follow\."):
        made.say("red", Policy(first="rest", second="tank"))


@pytest.mark.parametrize("no, key", [("D-09", "list"), ("D-10", "list"), ("D-13", "list"), ("D-15", "types")])
def test_the_blanks_of_a_list_of_types_take_each_type_once(no, key):
    point = ORDERING.point(no)
    offer = point.offer(key) if point is not None else None
    assert offer is not None
    made, seat = battle(), Seat("seat_1")
    filled: dict[str, Wish] = {}
    for left, slot in zip((4, 3, 2), offer.slots, strict=True):
        choices = slot.choices(made.state, seat, filled)
        assert len(choices) == left and not set(choices) & set(filled.values())
        filled[slot.field] = choices[0]
