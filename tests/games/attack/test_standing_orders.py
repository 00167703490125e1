"""Every value of the standing-order column of table 21.1 for D-05 to D-13: what it does, and what is asked without it."""
from __future__ import annotations

from typing import Any

import pytest

from engine.games.attack.rules.combat import Attack, BattleBegun, CommandTaken
from engine.games.attack.rules.crossings import CrossingAnswered
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.turns import Begin, Confirm
from engine.orders import Order, Test
from tests.games.attack.scene import Scene, army, scene
from tests.games.attack.test_battle_orders import NOTHING, battle, brought
from tests.games.attack.test_battles import Begun
from tests.games.attack.test_orders import order

THREE = ("red", "blue", "green")
ASK: Any = ("", {}, ())


# --- crossings: D-06, D-07 ------------------------------------------------------------------------------------

def crossed(*lines: tuple[str, dict[str, object], tuple[Test, ...]], planes: Any = "ask") -> Scene:
    """Red crosses from Cuba to land of Green's, who controls the sea lanes, and to its own; Green has these lines for D-06."""
    orders = (order(3, "D-06", *lines, id=1),) if lines else ()
    made = scene(powers=THREE, controller="green", orders=(*orders, NOTHING), dice=Begun(),
                 land={"cuba": ("red", "9I 2P"), "mexico": ("red", "1I"), "panama": ("green", "1I"), "france": ("blue", "1I"),
                       "italy": ("green", "1I")})
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="cuba", to="panama", number=5, way="water"),
             Move(unit="plane", origin="cuba", to="panama", way="water", planes=planes),
             Move(unit="infantry", origin="cuba", to="mexico", way="water"), Confirm())
    return made


@pytest.mark.parametrize(("lines", "panama", "mexico"), [
    ([("allow", {}, ())], True, True),
    ([("refuse", {}, ())], False, False),
    ([("refuse", {}, (Test(fact="mover", value="red"),)), ("allow", {}, ())], False, False),
    ([("refuse", {}, (Test(fact="mover", value="blue"),)), ("allow", {}, ())], True, True),
    ([("refuse", {}, (Test(fact="on_me", value=True),)), ("allow", {}, ())], False, True),
])
def test_D_06_allow_all_refuse_all_a_list_of_players_and_attacks_on_me(lines, panama: bool, mexico: bool):
    made = crossed(*lines)
    assert [(event.to, event.allowed) for event in made.events(CrossingAnswered)] == [("panama", panama), ("mexico", mexico)]


def test_D_06_is_asked_without_an_order_and_with_one_that_says_ask():
    assert crossed().asked() == [("green", "D-06")] == crossed(ASK).asked()
    some = crossed(("", {}, (Test(fact="to", value="mexico"),)), ("refuse", {}, ()), planes="back")
    assert some.asked() == [("green", "D-06")] and [event.to for event in some.events(CrossingAnswered)] == ["panama"]


@pytest.mark.parametrize(("planes", "asked", "fought"), [("on", "D-04", True), ("back", "D-04", False), ("ask", "D-07", False)])
def test_D_07_is_given_with_the_move_or_asked(planes: str, asked: str, fought: bool):
    made = crossed(("refuse", {}, ()), planes=planes)
    assert bool(made.events(BattleBegun)) == fought and made.asked() == [("red", asked)]


# --- the next battle: D-08 ------------------------------------------------------------------------------------

def two_battles(*orders: Order) -> Scene:
    made = scene(powers=THREE, orders=(*orders, NOTHING), dice=Begun("- -", "I -", "- -", "I -"), land={
        "mexico": ("red", "3I"), "panama": ("blue", "1I"), "southern_us": ("blue", "1I"), "france": ("blue", "1I"),
        "italy": ("green", "1I")})
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="southern_us"),
             Move(unit="infantry", origin="mexico", to="panama"), Confirm())
    return made


def test_D_08_the_order_of_declaration_or_ask_or_places_by_name():
    assert [event.territory for event in two_battles().events(BattleBegun)] == ["southern_us", "panama"]
    asking = two_battles(order(1, "D-08", ASK, id=1))
    assert asking.asked() == [("red", "D-08")] and asking.default("red") == Attack(territory="southern_us")
    named = two_battles(order(1, "D-08", ("next", {"territory": ("cuba", "panama")}, ()), id=1))
    assert [event.territory for event in named.events(BattleBegun)] == ["panama", "southern_us"]


# --- line-ups and reinforcement: D-09 to D-11 -----------------------------------------------------------------

LIST = {"first": "artillery", "second": "plane", "third": "tank"}


@pytest.mark.parametrize(("key", "filled", "line_up"), [
    ("mixed", {}, "2I 1A 1P"), ("screen", {}, "4I"), ("list", LIST, "1I 2A 1P"), (None, {}, "2I 1A 1P")])
def test_D_10_mixed_infantry_screen_priority_list_and_nothing(key: str | None, filled: dict[str, object], line_up: str):
    made = battle(*([order(2, "D-10", (key, filled, ()), id=1)] if key else []))
    assert brought(made, "blue", line_up=True) == [line_up] and made.asked() == [("red", "D-04")]


@pytest.mark.parametrize(("key", "filled", "line_up"), [
    ("mixed", {}, "2I 1T 1P"), ("screen", {}, "4I"), ("list", LIST, "2T 2P"), (None, {}, "2I 1T 1P")])
def test_D_09_mixed_infantry_screen_priority_list_and_nothing(key: str | None, filled: dict[str, object], line_up: str):
    made = battle(*([order(1, "D-09", (key, filled, ()), id=1)] if key else []))
    assert brought(made, "red", line_up=True) == [line_up] and made.asked() == [("red", "D-04")]


@pytest.mark.parametrize(("seat", "point", "dice"), [
    (1, "D-09", ()), (2, "D-10", ()), (1, "D-11", ("I - - -",)), (2, "D-11", ("- - - -", "T - - - -"))])
def test_D_09_to_D_11_ask(seat: int, point: str, dice: tuple[str, ...]):
    assert battle(order(seat, point, ASK, id=1), dice=dice).asked() == [(THREE[seat - 1], point)]


@pytest.mark.parametrize(("policy", "line_up", "reinforcement"), [
    (("mixed", {}), "2I 1T 1P", "2I"), (("screen", {}), "4I", "1I 1P"),
    (("list", {"first": "tank", "second": "plane", "third": "artillery"}), "3T 1P", "1I 1P")])
def test_D_11_fills_to_the_cap_by_the_policy_of_the_line_up(policy, line_up: str, reinforcement: str):
    """Two of Red's 5I 3T 2P fall in the first half round, so there is room for two."""
    made = battle(order(1, "D-09", (*policy, ()), id=1), order(1, "D-11", ("fill", {}, ()), id=2), dice=("I I - - -",),
                  attackers="5I 3T 2P", defenders="2I 1T 1A")
    assert brought(made, "red", line_up=True) == [line_up] and brought(made, "red", line_up=False)[0] == reinforcement


@pytest.mark.parametrize(("kept", "reinforcement"), [
    (("plane",), "1I 1T"), (("plane", "tank"), "1I"), (("tank", "plane", "infantry"), ""), (("artillery",), "1I 1P")])
def test_D_11_keeps_types_back_even_such_as_are_not_there(kept: tuple[str, ...], reinforcement: str):
    """1I 2T 1P are in reserve, 1T 1P are left in battle, and there is room for two."""
    made = battle(order(1, "D-11", ("keep", {"kept": kept}, ()), id=2), dice=("I I - - -",), attackers="3I 3T 2P",
                  defenders="2I 1T 1A")
    assert brought(made, "red", line_up=True) == ["2I 1T 1P"] and brought(made, "red", line_up=False)[0] == reinforcement


def test_D_11_when_only_kept_types_are_left_they_fill_to_the_cap():
    """All four infantry in battle fall; three planes are in reserve, and one of them must fight anyway."""
    made = battle(order(1, "D-09", ("screen", {}, ()), id=1), order(1, "D-11", ("keep", {"kept": ("plane",)}, ()), id=2),
                  dice=("I T A P -",), attackers="4I 3P", defenders="2I 1T 1A 2P")
    assert brought(made, "red", line_up=True) == ["4I"] and brought(made, "red", line_up=False)[0] == "3P"


# --- neutrals: D-12, D-13 ---------------------------------------------------------------------------------------

def entered(*orders: Order, powers: tuple[str, ...] = THREE, lands: int = 1, units: str = "9I 2T",
            dice: tuple[str | tuple[int, ...], ...] = ()) -> Scene:
    """Red, with so many territories, enters neutral Panama, which 5I 1T defend."""
    own = dict.fromkeys(("chile", "peru", "bolivia")[:lands - 1], ("red", "1I"))
    land = {"mexico": ("red", units), "france": ("blue", "1I"), **own}
    land |= {"italy": ("green", "1I")} if "green" in powers else {}
    made = scene(powers=powers, orders=(*orders, NOTHING), deck=("pop_12",), dice=Begun((1,), *dice), land=land)
    there = army(units)
    there["infantry"] -= 1
    made.say("red", Begin(action="movement"), *(Move(unit=unit, origin="mexico", to="panama", number=number)
                                                for unit, number in there.items()), Confirm())
    return made


def commander(made: Scene) -> list[str]:
    return [event.power for event in made.events(CommandTaken)]


LEADING = (Test(fact="leading", value=True),)


@pytest.mark.parametrize(("line", "lands", "led_by"), [
    (None, 2, ""), (("decline", {}, ()), 2, ""), (("accept", {}, ()), 1, "green"), (("accept", {}, LEADING), 2, "green"),
    (("accept", {}, LEADING), 1, "")])
def test_D_12_never_always_and_if_the_attacker_leads(line, lands: int, led_by: str):
    assert commander(entered(*([order(3, "D-12", line, id=1)] if line else []), lands=lands)) == [led_by]


def test_D_12_ask():
    made = entered(order(3, "D-12", ASK, id=1))
    assert made.asked() == [("green", "D-12")] and commander(made) == []


@pytest.mark.parametrize("powers", [THREE, THREE[:2]])
def test_D_13_the_commander_leads_by_order_by_policy_or_is_asked(powers: tuple[str, ...]):
    """A single opponent commands without an offer, and by its orders all the same: RUL-29."""
    accept = order(2, "D-12", ("accept", {}, ()), id=1)
    plain = entered(accept, powers=powers)
    assert commander(plain) == ["blue"] and plain.asked() == [("red", "D-04")], "nobody is asked"
    assert plain.events(BattleBegun)[0].defenders == army("5I 1T")
    assert brought(plain, "neutral", line_up=True) == ["3I 1T"]
    screened = entered(accept, order(2, "D-13", ("screen", {}, ()), id=2), powers=powers)
    assert brought(screened, "neutral", line_up=True) == ["4I"]
    asking = entered(accept, order(2, "D-13", ASK, id=2), powers=powers)
    assert asking.asked() == [("blue", "D-13")]


def test_D_13_one_order_lines_up_and_reinforces():
    """The line for the line-up answers that question alone, the one for reinforcements the others."""
    accept = order(2, "D-12", ("accept", {}, ()), id=1)
    both = order(2, "D-13", ("screen", {}, ()), ("keep", {"kept": ("infantry", "tank", "artillery", "plane")}, ()), id=2)
    dice = ("- - - -", "- - - - -")
    made, filling = entered(accept, both, dice=dice), entered(accept, order(2, "D-13", ("screen", {}, ()), id=2), dice=dice)
    assert brought(made, "neutral", line_up=True) == brought(filling, "neutral", line_up=True)
    assert brought(made, "neutral", line_up=False)[0] == "" and brought(filling, "neutral", line_up=False)[0] == "1I"


def test_ATK_21_4_1_the_engine_commands_by_mixed_and_always_fills_to_the_cap():
    made = entered(dice=("- - - - -", "- - - - -"))
    assert commander(made) == [""] and brought(made, "neutral", line_up=True) == ["3I 1T"]
    assert brought(made, "neutral", line_up=False)[0] == "1I", "two are in reserve, and the cap of round 2 is five"
