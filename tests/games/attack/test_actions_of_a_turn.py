"""Chapter 4 by its numbers: the actions of a turn, which of them can be chosen when, and what counts from when on."""
from __future__ import annotations

import pytest

from engine.games.attack.rules.combat import Attack, BattleBegun
from engine.games.attack.rules.crossings import Permit
from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.attack.rules.movement import Drop, Move
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.setup import Deploy
from engine.games.attack.rules.trade import Offer
from engine.games.attack.rules.turns import Begin, Confirm, End
from engine.games.attack.state import ACTIONS
from engine.kernel import Action
from tests.games.attack.scene import Scene, scene

THREE = ("red", "blue", "green")
LAND = {"mexico": ("red", "3I 1T 1P"), "panama": ("red", "1I"), "southern_us": ("blue", "1I"), "france": ("blue", "1I"),
        "italy": ("green", "1I")}


def table(**more: object) -> Scene:
    """Red is to act."""
    return scene(**{"powers": THREE, "land": LAND, "fleets": {"red": "1D"}, "hands": {"red": ("oil_1",)}, **more})  # type: ignore[arg-type]


def choices(made: Scene) -> set[str]:
    """The actions that Red can choose now."""
    found = {option.action for option in made.options("red") if isinstance(option, Begin)}
    return found | {name for name, kind in (("diplomacy", Diplomacy), ("trade", Offer))
                    if any(isinstance(option, kind) for option in made.options("red"))}


def test_ATK_4_1_1_up_to_three_actions_and_fewer_if_the_player_likes():
    made = table()
    for action in ("movement", "strategic_movement", "production"):
        assert made.asked() == [("red", "D-04")]
        made.say("red", Begin(action=action), Confirm())
    assert made.asked() == [("blue", "D-04")], "after the third the turn is over"
    idle = table()
    idle.say("red", Begin(action="movement"), Confirm(), End())
    assert idle.asked() == [("blue", "D-04")]


def test_an_empty_confirmation_is_asked_about_before_it_spends_the_action():
    told = {}
    for action, order in (("movement", Move(unit="infantry", origin="mexico", to="panama")),
                          ("strategic_movement", Move(unit="infantry", origin="mexico", to="panama")),
                          ("production", Buy(kind="infantry"))):
        made = table(hands={"red": ("oil_3", "population_4")})
        made.say("red", Begin.of(action))
        warning = Confirm().consequence(made.state, made.state.seat("red"))
        told[action] = warning.template if warning is not None else ""
        made.say("red", order)
        assert Confirm().consequence(made.state, made.state.seat("red")) is None
    assert told == {"movement": "Nothing moves, and the action is spent.",
                    "strategic_movement": "Nothing moves, and the action is spent.",
                    "production": "You buy nothing. The action is spent, and your points are lost."}


def test_ATK_4_1_2_the_seven_actions():
    assert choices(table()) == {*ACTIONS} - {"blitz"} and len(ACTIONS) == 7
    assert "blitz" in choices(table(taken=("movement",)))


def test_ATK_4_1_3_the_actions_of_a_turn_differ_and_diplomacy_may_come_three_times():
    made = table(taken=("movement", "trade"))
    assert choices(made) == {*ACTIONS} - {"movement"}, "the trade that was taken last stays open"
    assert choices(table(taken=("production", "strategic_movement"))) == {
        "movement", "naval_battle", "diplomacy", "trade"}
    again = table(dice=[(1, 1), (1, 1, 1, 1)] * 3)
    for _ in range(3):
        again.say("red", Diplomacy(territory="bolivia"))
    assert again.asked() == [("blue", "D-04")] and not again.dice_left


@pytest.mark.parametrize("before", [(), ("production",), ("naval_battle", "diplomacy")])
def test_ATK_4_1_4_the_order_is_free_but_blitz_needs_a_movement_before_it(before: tuple[str, ...]):
    made = table(taken=before)
    assert made.refusal("red", Begin(action="blitz")).rule == "ATK-10.1.1"
    assert made.allows("red", Begin(action="movement"))


@pytest.mark.parametrize(("immediate", "between", "allowed"), [
    (False, (), True), (False, ("production",), True), (True, (), True), (True, ("production",), False),
    (True, ("trade",), False)])
def test_ATK_4_1_5_blitz_may_come_later_unless_the_option_says_at_once(immediate: bool, between: tuple[str, ...], allowed: bool):
    made = table(taken=("movement", *between), options={"blitz_immediate": immediate})
    assert made.allows("red", Begin(action="blitz")) == allowed
    if not allowed:
        assert made.refusal("red", Begin(action="blitz")).rule == "ATK-4.1.5"


def waiting_for_leave() -> Scene:
    made = table(controller="green", land={**LAND, "cuba": ("red", "2I")})
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="cuba", to="colombia", way="water"), Confirm())
    assert made.asked() == [("green", "D-06")]
    return made


def choosing_the_battle() -> Scene:
    made = table()
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="southern_us"),
             Move(unit="plane", origin="mexico", to="colombia"), Confirm())
    assert made.asked() == [("red", "D-08")]
    return made


def commanding_neutrals() -> Scene:
    made = table(dice=[(1,)])
    made.say("red", Begin(action="movement"), Move(unit="plane", origin="mexico", to="colombia"), Confirm())
    assert made.asked() == [("blue", "D-12"), ("green", "D-12")]
    return made


def placing_units() -> Scene:
    made = table(capitals={"mexico": "red"})
    made.say("red", Begin(action="production"), Buy(kind="infantry", number=2), Confirm())
    assert made.asked() == [("red", "D-23")]
    return made


@pytest.mark.parametrize("under_way", [waiting_for_leave, choosing_the_battle, commanding_neutrals, placing_units])
def test_ATK_4_1_6_and_4_1_12_an_action_is_finished_before_another_and_once_confirmed_it_is_not_taken_back(under_way):
    made = under_way()
    answers: tuple[Action, ...] = (Begin(action="strategic_movement"), Diplomacy(territory="bolivia"), Drop(), End())
    for answer in answers:
        made.refusal("red", answer)
    assert made.state.turn.confirmed and len(made.state.turn.taken) == 1, "it is spent"


def test_ATK_4_1_6_the_last_placement_ends_the_action():
    made = placing_units()
    made.say("red", Deploy(unit="infantry", territory="mexico", number=2))
    assert made.asked() == [("red", "D-04")] and made.state.turn.action == ""


def test_ATK_4_1_7_the_last_unit_stays_whatever_it_is_and_however_it_would_go():
    made = table(land={"cuba": ("red", "1I 1P"), "mexico": ("red", "1T"), "france": ("blue", "1I"), "italy": ("green", "1I")})
    made.say("red", Begin(action="movement"))
    assert made.refusal("red", Move(unit="tank", origin="mexico", to="panama")).rule == "ATK-4.1.7"
    made.say("red", Move(unit="plane", origin="cuba", to="mexico", way="water"))
    assert made.refusal("red", Move(unit="infantry", origin="cuba", to="mexico", way="water")).rule == "ATK-4.1.7"
    assert made.refusal("red", Move(unit="tank", origin="mexico", to="panama")).rule == "ATK-4.1.7", "the plane is not there yet"


def test_ATK_4_1_8_who_enters_the_land_of_another_attacks_him_and_nobody_can_let_him_pass():
    made = table(dice=["- -", "I -"], controller="blue")
    made.say("red", Begin(action="movement"))
    assert made.refusal("red", Move(unit="tank", origin="mexico", to="eastern_us")).rule == "ATK-5.1.4", "not through Blue's land"
    made.say("red", Move(unit="infantry", origin="mexico", to="southern_us"), Confirm())
    (begun,) = made.events(BattleBegun)
    assert (begun.attacker, begun.defender) == ("red", "blue") and made.land("southern_us") == ("red", "1I")


def test_ATK_4_1_9_a_promise_binds_nobody():
    """A card was given for peace; the attack comes all the same."""
    made = table(hands={"red": (), "blue": ("oil_2",)}, active="blue", dice=["- -", "I -"])
    made.say("blue", Offer(partner="red", give=("oil_2",)))
    made.say("red", Answer(accept=True))
    made.say("blue", End())
    made.say("green", End())
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="southern_us"), Confirm())
    assert made.land("southern_us") == ("red", "1I") and made.hand("red") == ["oil_2"]


def test_ATK_4_1_11_what_cannot_be_carried_out_cannot_be_chosen():
    everywhere = dict.fromkeys(table().parts.territory, ("red", "1I")) | {"france": ("blue", "1I"), "italy": ("green", "1I")}
    full = table(land=everywhere)
    assert "diplomacy" not in choices(full) and full.refusal("red", Diplomacy(territory="peru")).rule == "ATK-14.1.1"
    assert "naval_battle" not in choices(table(fleets={})) and "naval_battle" not in choices(table(controller="red"))
    late = table(options={"end_mode": "round_limit"}, round=8)
    assert "trade" not in choices(late) and "trade" in choices(table(options={"end_mode": "round_limit"}, round=7))
    stuck = table(land={"cuba": ("red", "1I"), "france": ("blue", "1I"), "italy": ("green", "1I")}, hands={}, fleets={})
    assert choices(stuck) >= {"movement", "strategic_movement", "production"}, "RUL-25"
    stuck.say("red", Begin(action="movement"), Confirm(), Begin(action="production"), Confirm())
    assert stuck.state.turn.taken == ["movement", "production"], "confirmed, they are spent"


def test_ATK_4_1_12_an_action_that_is_dropped_leaves_no_trace():
    made = table(controller="green", land={**LAND, "cuba": ("red", "1I 2P")}, capitals={"mexico": "red"})
    before = made.state.model_dump()
    for action, orders in (
            ("movement", (Move(unit="infantry", origin="mexico", to="panama", number=2),
                          Move(unit="plane", origin="cuba", to="colombia", way="water", planes="on"),
                          Move(unit="tank", origin="mexico", to="southern_us"))),
            ("strategic_movement", (Move(unit="plane", origin="mexico", to="panama"),
                                    Move(unit="plane", origin="cuba", to="panama", way="water"))),
            ("production", (Buy(kind="infantry"), Buy(kind="destroyer")))):
        made.say("red", Begin.of(action), *orders, Drop())
        assert made.state.model_dump() == before
    made.say("red", Begin(action="movement"), Confirm())
    assert made.state.turn.taken == ["movement"]


def test_ATK_4_1_10_the_turn_ends_when_the_third_action_with_its_battles_is_over():
    made = table(taken=("production", "diplomacy"), dice=["- -", "I -"], controller="green", land={**LAND, "cuba": ("red", "2I")})
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="southern_us"),
             Move(unit="infantry", origin="cuba", to="panama", way="water"), Confirm())
    assert made.state.active == "red", "the controller is asked first"
    made.say("green", Permit(allow=True))
    assert made.land("southern_us") == ("red", "1I") and made.land("panama") == ("red", "2I")
    assert made.asked() == [("blue", "D-04")]


def test_D_08_each_time_the_player_names_the_next_battle():
    made = choosing_the_battle()
    made.dice_left.append((1,))
    made.say("red", Attack(territory="colombia"))
    assert [event.territory for event in made.events(BattleBegun)] == ["colombia"]
    assert made.state.turn.entering == {"southern_us": {"infantry": 1}}
