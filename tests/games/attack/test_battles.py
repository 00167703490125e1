"""Rules of battles on land and at sea by their numbers, where no golden test says them already."""
from __future__ import annotations

import pytest

from engine.dice import LoadedDice
from engine.games.attack.rules.battle import BattleRolled, Bring, UnitsBrought
from engine.games.attack.rules.combat import Attack, BattleBegun, SpoilsTaken
from engine.games.attack.rules.line_up_policies import Keep, Policy, bring_first, bring_mixed, bring_without
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.naval import Fight, modifier
from engine.games.attack.rules.turns import Begin, Confirm
from engine.games.attack.state import NavalBattle, Vessel
from tests.games.attack.scene import FAIR, SHIPS, Scene, army, scene, shown, written
from tests.games.attack.test_golden_battles import LAND, bring, stand

D, S, B, C = (SHIPS[letter] for letter in "DSBC")
THREE = ("red", "blue", "green")


class Begun(LoadedDice):
    """These throws first, in their order; fair ones after them, the same in every run."""

    def __init__(self, *throws: str | tuple[int, ...]) -> None:
        super().__init__(*map(shown, throws))

    def __call__(self, epoch: int, throw: int, sides: tuple[int, ...], purpose: str = "") -> tuple[int, ...]:
        return super().__call__(epoch, throw, sides, purpose) if self.rolls else FAIR(epoch, throw, sides, purpose)


def attack(attackers: str, defenders: str, *dice: str) -> Scene:
    """Red enters Ukraine, which Blue holds, with all that stood in Poland but one infantry more."""
    there = army(attackers)
    red = scene(dice=Begun(*dice), land={"poland": ("red", written(there | {"infantry": there.get("infantry", 0) + 1})),
                                         "ukraine": ("blue", defenders), "france": ("blue", "1I")})
    red.say("red", Begin(action="movement"), *(Move(unit=unit, origin="poland", to="ukraine", number=number)
                                               for unit, number in there.items()), Confirm())
    return red


def challenge(green: str, gray: str, *dice: tuple[int, ...]) -> Scene:
    """Green challenges Gray, who fights; both have the sea to themselves."""
    made = scene(powers=("green", "gray"), land=LAND, fleets={"green": green, "gray": gray}, controller="gray", dice=Begun(*dice))
    made.say("green", Begin(action="naval_battle"))
    made.say("gray", Fight(on=True))
    return made


def rolls(made: Scene) -> list[tuple[str, int, int, str]]:
    """Who rolled how many dice, the hits, and what they destroyed."""
    return [(event.power, len(event.dice), event.hits, written(event.losses)) for event in made.events(BattleRolled)]


# --- the land battle (chapter 7) ---------------------------------------------------------------------------


def test_ATK_7_7_1_no_answer_of_a_land_battle_is_a_retreat():
    red = attack("6I 2T", "6I 2T")
    kinds = {type(option) for option in red.options("red")}
    red.say("red", red.default("red"))
    assert kinds == {Bring, Policy} and {type(option) for option in red.options("blue")} == {Bring, Policy}


def test_ATK_5_1_7_units_of_different_origins_fight_as_one_force():
    red = scene(land={"poland": ("red", "2I"), "italy": ("red", "1I 2T"), "ukraine": ("blue", "1I"), "france": ("blue", "1I")},
                dice=["- -", "I T - - -"])
    red.say("red", Begin(action="movement"), Move(unit="infantry", origin="poland", to="ukraine"),
            Move(unit="tank", origin="italy", to="ukraine", number=2, way="water"), Confirm())
    assert len(red.events(BattleBegun)) == 1 and rolls(red)[-1][:2] == ("red", 5) and red.land("ukraine") == ("red", "1I 2T")


# --- neutrals and spoils (chapters 8, 9) ---------------------------------------------------------------------


def test_ATK_8_2_2_and_8_4_3_RUL_16_every_battle_draws_a_card_when_it_starts_and_a_new_one_the_next_time():
    red = scene(land={"mexico": ("red", "5I"), "france": ("blue", "1I")}, deck=["pop_01", "oil_01"], dice=Begun())
    red.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="panama"),
            Move(unit="infantry", origin="mexico", to="western_us"), Confirm())
    assert red.events(BattleBegun) == [] and sorted(red.state.deck) == ["oil_01", "pop_01"]
    red.table.dice.rolls[:] = [(1,), (1, 6), (2,), (1, 1)]         # type: ignore[attr-defined]
    red.say("red", Attack(territory="western_us"))
    red.keep_silent(until="D-04")
    first, second = red.events(BattleBegun)
    assert (first.territory, second.territory) == ("western_us", "panama") and first.card == "pop_01"
    held = red.state.hands["red"]
    assert sorted([*red.state.deck, *held]) == ["oil_01", "pop_01"] and len(held) == len(red.state.territories("red")) - 1


def test_ATK_9_1_3_and_9_1_4_RUL_19_one_card_for_each_territory_and_none_for_a_failed_attack():
    red = scene(land={"mexico": ("red", "3I"), "panama": ("blue", "1I"), "southern_us": ("blue", "1I"), "france": ("blue", "1I")},
                hands={"blue": ("oil_1", "oil_2", "oil_3")}, dice=["- -", "I -", (2,), "I -"])
    red.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="panama"),
            Move(unit="infantry", origin="mexico", to="southern_us"), Confirm())
    red.say("red", Attack(territory="panama"))
    assert red.hand("red") == ["oil_2"] and len(red.events(SpoilsTaken)) == 1 and red.hand("blue") == ["oil_1", "oil_3"]
    assert red.land("southern_us") == ("blue", "1I") and red.land("panama") == ("red", "1I")


# --- policies (21.3) -----------------------------------------------------------------------------------------

@pytest.mark.parametrize(("reserve", "brought"), [
    ("5I 3T 2A 2P", "1I 1T 1A 1P"), ("5I 1T", "3I 1T"), ("3I 3P", "2I 2P"), ("2T 2A 1P", "2T 1A 1P"), ("2I", "2I"),
    ("2A 2T", "2T 2A"), ("4T 3A", "3T 1A")])
def test_ATK_21_3_1_mixed_lines_up_one_of_each_type_and_then_what_is_most_in_reserve(reserve, brought):
    assert bring_mixed(army(reserve), {}, 4, line_up=True) == army(brought)


@pytest.mark.parametrize(("reserve", "fighting", "room", "brought"), [
    ("2I 2P", "1I", 3, "2I 1P"), ("2I 1T", "1I 1T", 2, "2I"), ("1T 2A 1P", "1T 1A 1P", 2, "1T 1P"), ("1T 1A", "2I", 1, "1T"),
    ("1I 2P", "1T 1P", 2, "1I 1P"), ("3I", "", 5, "3I")])
def test_ATK_21_3_1_mixed_reinforces_with_new_types_and_then_infantry(reserve, fighting, room, brought):
    assert bring_mixed(army(reserve), army(fighting), room, line_up=False) == army(brought)


def test_ATK_21_3_2_an_infantry_screen_is_infantry_first_and_then_mixed():
    assert bring_first(("infantry",), army("2I 3T 1P"), {}, 4, line_up=True) == army("2I 1T 1P")
    assert bring_first(("infantry",), army("5I 3T"), {}, 4, line_up=True) == army("4I")


def test_ATK_21_3_3_a_priority_list_takes_type_after_type():
    order = ("plane", "artillery", "tank")
    assert bring_first(order, army("4I 3T 2A 1P"), {}, 4, line_up=True) == army("1T 2A 1P")
    assert bring_first(order, army("4I"), army("1P"), 3, line_up=False) == army("3I")


@pytest.mark.parametrize(("reserve", "fighting", "brought"), [
    ("2I 2P", "1T", "2I"), ("2P", "1T", ""), ("2P", "1P", ""), ("2P", "", "2P"), ("6P", "", "4P"), ("1T 3P", "", "1T")])
def test_ATK_21_3_4_types_are_kept_back_while_anything_else_fights(reserve, fighting, brought):
    assert bring_without(("plane",), (), army(reserve), army(fighting), 4) == army(brought)


def test_a_policy_of_the_line_up_brings_the_reinforcements_too():
    red = attack("3I 4T 2P", "4I", "I I - -")
    red.say("red", Policy(first="tank", second="plane"))
    assert red.asked() == [("red", "D-11")] and stand(red) == ("2T", "3I 2P", "4I", ""), "four tanks lined up, two are lost"
    assert red.default("red") == bring("2P"), "planes come next by the same policy"
    plain = attack("3I 4T 2P", "4I", "I I - -")
    plain.say("red", bring("4T"))
    assert plain.default("red") == bring("1I 1P"), "without a policy the reinforcements are mixed"


def test_types_can_be_kept_back_and_the_rest_fills_up():
    red = attack("6I 2P", "4I", "I I - -")
    red.say("red", bring("4I"))
    assert set(red.options("red")) >= {Keep(), Keep(kept=("plane",)), Keep(kept=("infantry", "plane"))}
    red.say("red", Keep(kept=("plane",)))
    assert [written(event.units) for event in red.events(UnitsBrought)][2] == "2I"


# --- the naval battle (chapter 13) ---------------------------------------------------------------------------


def test_ATK_13_4_5_what_carriers_add_has_a_limit_in_the_data():
    made = scene(powers=("green", "gray"), land=LAND, pack={"modifiers": [{"id": "mod_beside_own_carrier", "max_bonus": 1}]})
    made.state.naval = NavalBattle(attacker="green", defender="gray", lines={
        "green": [Vessel(ship=ship) for ship in (C, B, C)], "gray": [Vessel(ship=ship) for ship in (B, B)]})
    assert modifier(made.state, "green", 1) == 1
