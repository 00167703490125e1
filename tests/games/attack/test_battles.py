"""Rules of battles on land and at sea by their numbers, where no golden test says them already."""
from __future__ import annotations

import pytest

from engine.dice import LoadedDice
from engine.games.attack import GAME
from engine.games.attack.rules.battle import BattleRolled, Bring, UnitsBrought
from engine.games.attack.rules.combat import Attack, BattleBegun, CommandTaken, SpoilsTaken
from engine.games.attack.rules.line_up_policies import Keep, Policy, bring_first, bring_mixed, bring_without
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.naval import Fight, LinesShown, NavalBegun, NavalEnded, PairFought, modifier
from engine.games.attack.rules.naval_lines import Formation, Line
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.turns import Begin, Confirm
from engine.games.attack.state import NavalBattle, Vessel, size
from tests.games.attack.scene import FAIR, SHIPS, Scene, army, scene, shown, written
from tests.games.attack.test_golden_battles import LAND, bring, stand

D, S, B, C = (SHIPS[letter] for letter in "DSBC")
THREE = ("red", "blue", "green")


class Begun(LoadedDice):
    """These throws first, in their order; fair ones after them, the same in every run."""

    def __init__(self, *throws: str | tuple[int, ...]) -> None:
        super().__init__(*map(shown, throws))

    def __call__(self, epoch: int, throw: int, sides: tuple[int, ...], purpose: str = "") -> tuple[int, ...]:
        return super().__call__(epoch, throw, sides, purpose) if self.throws else FAIR(epoch, throw, sides, purpose)


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

def test_ATK_7_1_3_the_attacker_lines_up_first_and_the_defender_knows_it():
    red = attack("5I", "3I 2T")
    assert red.state.battle is not None and red.asked() == [("blue", "D-10")], "five infantry leave the attacker no choice"
    assert stand(red) == ("4I", "1I", "", "3I 2T")
    assert red.lines()[-1] == "Red lines up 4 infantry."
    assert {sum(option.units.values()) for option in red.options("blue") if isinstance(option, Bring)} == {4}


def test_ATK_7_1_3_four_units_or_fewer_are_all_in_battle_and_nobody_is_asked():
    red = attack("2I 2T", "1I 1T 1A 1P", "- - - - -")
    assert [(event.power, written(event.units)) for event in red.events(UnitsBrought)] == [
        ("red", "2I 2T"), ("blue", "1I 1T 1A 1P")]
    assert rolls(red)[0] == ("blue", 5, 0, "") and red.asked() == [("red", "D-04")]


def test_ATK_7_2_1_and_7_2_2_the_defender_rolls_first_and_what_is_lost_does_not_roll():
    red = attack("2I", "1I", "I -", "I -")
    assert rolls(red) == [("blue", 2, 1, "1I"), ("red", 2, 1, "1I")], "one of two infantry is left for the second roll"


def test_ATK_7_3_1_the_cap_grows_by_one_each_round():
    red = attack("12I", "12I", "- - - -", "- - - -", "- - - - -", "- - - - -", "- - - - - -")
    while red.dice_left:
        (power, point), = red.asked()
        assert point == "D-11"
        red.say(power, red.default(power))
    assert [(roll[0], roll[1]) for roll in rolls(red)] == [("blue", 4), ("red", 4), ("blue", 5), ("red", 5), ("blue", 6)]


def test_ATK_7_3_2_losses_free_places_and_7_3_3_nobody_has_to_fill_them():
    red = attack("6I", "4I", "I I - -", "I I")
    assert red.asked() == [("red", "D-11")], "two places are free in round 1"
    assert red.allows("red", bring("2I")) and not red.allows("red", bring("3I"))
    red.say("red", Bring())
    assert rolls(red)[:2] == [("blue", 4, 2, "2I"), ("red", 2, 2, "2I")]


def test_ATK_7_3_4_the_defender_brings_nothing_in_round_1():
    red = attack("4I", "6I", "- - - -", "- - - -")
    assert not [event for event in red.events(UnitsBrought) if not event.line_up]
    assert red.asked() == [("blue", "D-11")] and red.state.battle is not None and red.state.battle.round == 2


def test_ATK_7_4_1_a_tank_rolls_two_dice_and_the_reserve_none():
    red = attack("1I 3T", "6P", "- - - -", "- - - - - - -")
    assert [roll[:2] for roll in rolls(red)] == [("blue", 4), ("red", 7)]
    assert stand(red) == ("1I 3T", "", "4P", "2P")


@pytest.mark.parametrize(("unit", "dice", "hits"), [("A", "I P", 0), ("A", "A A", 1), ("P", "P P", 1), ("T", "T -", 1),
                                                    ("I", "- -", 0)])
def test_ATK_7_5_a_lone_unit_rolls_two_dice_and_hits_once_at_most(unit, dice, hits):
    red = attack("3I", f"1{unit}", dice)
    assert rolls(red)[0][:3] == ("blue", 2, hits), "ATK-7.4.2, 7.5.3, 7.5.5"


def test_ATK_7_5_4_and_7_6_1_losses_fall_in_their_order_whatever_the_dice_show():
    red = attack("4P", "1I 1T 1A 1P", "- - - - -", "P P P -")
    assert rolls(red)[1] == ("red", 4, 3, "1I 1T 1A")


def test_ATK_7_7_1_no_answer_of_a_land_battle_is_a_retreat():
    red = attack("6I 2T", "6I 2T")
    kinds = {type(option) for option in red.options("red")}
    red.say("red", red.default("red"))
    assert kinds == {Bring, Policy} and {type(option) for option in red.options("blue")} == {Bring, Policy}


def test_ATK_7_7_3_survivors_of_battle_and_reserve_stand_in_the_territory():
    red = attack("4I 1A 2P", "1I", "- -", "I - - -")
    red.say("red", bring("4I"))
    assert red.land("ukraine") == ("red", "4I 1A 2P") and red.land("poland") == ("red", "1I")
    held = attack("1I", "5I 1P", "I - - -")
    held.say("blue", bring("3I 1P"))
    assert held.land("ukraine") == ("blue", "5I 1P") and held.land("poland") == ("red", "1I")


def test_ATK_5_1_7_units_of_different_origins_fight_as_one_force():
    red = scene(land={"poland": ("red", "2I"), "italy": ("red", "1I 2T"), "ukraine": ("blue", "1I"), "france": ("blue", "1I")},
                dice=["- -", "I T - - -"])
    red.say("red", Begin(action="movement"), Move(unit="infantry", origin="poland", to="ukraine"),
            Move(unit="tank", origin="italy", to="ukraine", number=2, way="water"), Confirm())
    assert len(red.events(BattleBegun)) == 1 and rolls(red)[-1][:2] == ("red", 5) and red.land("ukraine") == ("red", "1I 2T")


# --- neutrals and spoils (chapters 8, 9) ---------------------------------------------------------------------

def neutral(*dice: str | tuple[int, ...], deck: tuple[str, ...], units: str = "4I") -> Scene:
    """Red enters neutral Panama with three infantry; Blue and Green may command."""
    red = scene(powers=THREE, land={"mexico": ("red", units), "france": ("blue", "1I"), "italy": ("green", "1I")}, deck=deck,
                dice=Begun(*dice))
    red.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="panama", number=3), Confirm())
    return red


def test_ATK_8_2_and_8_3_6_the_card_is_shown_before_anybody_offers_to_command():
    red = neutral((1,), deck=("pop_12", "oil_01"))
    assert red.asked() == [("blue", "D-12"), ("green", "D-12")]
    (begun,) = red.events(BattleBegun)
    assert begun.card == "pop_12" and begun.defenders == red.parts.card["pop_12"].neutral_defenders.units
    assert red.lines()[-1].startswith("Red attacks Panama. The card Population 4 sends ")
    assert red.state.deck == ["oil_01"] and red.state.battle is not None and not red.state.battle.attacker.fighting


def test_ATK_8_3_5_the_commander_lines_up_the_neutrals_and_risks_nothing():
    red = neutral((1,), deck=("pop_12",))
    red.say("blue", Answer(accept=True))
    red.say("green", Answer(accept=False))
    assert red.asked() == [("blue", "D-13")] and [event.power for event in red.events(CommandTaken)] == ["blue"]
    before, sent = red.state.land_units("blue"), red.state.battle.defender.left
    assert size(sent) > 4
    red.say("blue", Policy(first="infantry"))
    (line_up,) = [event for event in red.events(UnitsBrought) if event.power == "neutral" and event.line_up]
    assert line_up.units == bring_first(("infantry",), sent, {}, 4, line_up=True) and red.state.land_units("blue") == before


def test_ATK_8_2_2_and_8_4_3_every_battle_draws_a_card_when_it_starts_and_a_new_one_the_next_time():
    red = scene(land={"mexico": ("red", "5I"), "france": ("blue", "1I")}, deck=["pop_01", "oil_01"], dice=Begun())
    red.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="panama"),
            Move(unit="infantry", origin="mexico", to="western_us"), Confirm())
    assert red.events(BattleBegun) == [] and sorted(red.state.deck) == ["oil_01", "pop_01"]
    red.table.dice.throws[:] = [(1,), (1, 6), (2,), (1, 1)]         # type: ignore[attr-defined]
    red.say("red", Attack(territory="western_us"))
    red.keep_silent(until="D-04")
    first, second = red.events(BattleBegun)
    assert (first.territory, second.territory) == ("western_us", "panama") and first.card == "pop_01"
    held = red.state.hands["red"]
    assert sorted([*red.state.deck, *held]) == ["oil_01", "pop_01"] and len(held) == len(red.state.territories("red")) - 1


def test_ATK_9_1_3_and_9_1_4_one_card_for_each_territory_and_none_for_a_failed_attack():
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

def test_ATK_13_1_4_a_controller_without_ships_withdraws():
    made = scene(land={"poland": ("red", "1I"), "italy": ("blue", "1I")}, fleets={"red": "1D"}, controller="blue")
    made.say("red", Begin(action="naval_battle"))
    assert made.state.controller == "red" and made.events(NavalBegun) == []


def test_ATK_13_2_4_no_line_shows_before_both_lie_and_the_number_of_cards_is_open():
    made = challenge("1B 1D", "1S 1D")
    made.say("green", Line(ships=(D, B)))
    assert made.events(LinesShown) == [] and made.state.naval is not None and made.state.naval.lines == {}
    assert not any("line" in line.lower() for line in made.lines())


def test_ATK_20_10_a_line_that_lies_face_down_changes_nothing_that_others_can_look_at():
    seen = []
    for line in ((B, D, D, S), (S, D, B, D)):
        made = challenge("1B 2D 1S", "1S 1D")
        made.say("green", Line(ships=line))
        s, gray = made.state, made.state.seat("gray")
        views = GAME.views
        seen.append((views.view(s, None), views.view(s, gray), views.board(views.view(s, gray)), made.lines(),
                     made.options("gray"), made.private_lines("gray"), views.purse(s, gray), s.model_dump_json(),
                     [entry.events for entry in made.table.fresh]))
    assert seen[0] == seen[1]


def test_ATK_13_2_6_a_ship_without_an_opponent_neither_fights_nor_wins():
    made = challenge("1B 2D", "1S", (3, 3, 3, 3))
    made.say("green", Line(ships=(D, B, D)))
    assert [(pair.ships, pair.hit) for pair in made.events(PairFought)] == [({"green": D, "gray": S}, "gray")]


def test_ATK_13_3_2_equal_totals_score_no_hit():
    made = challenge("1D", "1D", (3, 4, 4, 3), (6, 6, 1, 1))
    assert [pair.hit for pair in made.events(PairFought)] == [""] and made.asked() == [("green", "D-16")]
    assert made.lines()[-1] == "Pair 1: Green's destroyer 7 against Gray's destroyer 7. No hit."
    made.say("green", Fight(on=True))
    made.say("gray", Fight(on=True))
    assert made.fleet("gray") == "" and made.state.controller == "green", "ATK-13.5.4: a new round"


def test_ATK_20_13_a_pair_is_told_with_what_its_ships_add():
    made = challenge("1B", "1D", (1, 2, 1, 3))
    assert made.lines()[-3] == "Pair 1: Green's battleship 3 + 2 = 5 against Gray's destroyer 4. Gray's destroyer sinks."
    made = challenge("1C", "1C", (1, 2, 1, 3))
    assert any(line.endswith("against Gray's aircraft carrier 4. Green's aircraft carrier sinks.") for line in made.lines())


@pytest.mark.parametrize(("own", "enemy", "more"), [
    (B, D, 2), (S, B, 2), (D, S, 2), (C, D, 1), (C, S, 1), (C, B, 1), (C, C, 0), (B, S, 0), (D, B, 0), (S, D, 0), (D, D, 0),
    (B, C, 0)])
def test_ATK_13_4_1_to_13_4_4_what_ships_add_against_each_other(own, enemy, more):
    made = scene(powers=("green", "gray"), land=LAND)
    made.state.naval = NavalBattle(attacker="green", defender="gray", lines={"green": [Vessel(ship=own)],
                                                                              "gray": [Vessel(ship=enemy)]})
    assert modifier(made.state, "green", 0) == more


def test_ATK_13_4_5_a_ship_beside_carriers_adds_one_for_each_even_unpaired_ones():
    made = scene(powers=("green", "gray"), land=LAND)
    made.state.naval = NavalBattle(attacker="green", defender="gray", lines={
        "green": [Vessel(ship=ship) for ship in (D, C, C, D, D)], "gray": [Vessel(ship=ship) for ship in (D, D)]})
    assert [modifier(made.state, "green", place) for place in (0, 1)] == [1, 2], "a carrier beside a carrier, RUL-11"
    assert modifier(made.state, "gray", 0) == 0


def test_ATK_13_4_5_what_carriers_add_has_a_limit_in_the_data():
    made = scene(powers=("green", "gray"), land=LAND, pack={"modifiers": [{"id": "mod_beside_own_carrier", "max_bonus": 1}]})
    made.state.naval = NavalBattle(attacker="green", defender="gray", lines={
        "green": [Vessel(ship=ship) for ship in (C, B, C)], "gray": [Vessel(ship=ship) for ship in (B, B)]})
    assert modifier(made.state, "green", 1) == 1


def test_ATK_13_5_1_a_damaged_battleship_leaves_the_battle_and_stays_in_the_fleet():
    made = challenge("1B 1D", "1S 1D", (1, 1, 3, 3), (3, 3, 3, 3))
    made.say("green", Line(ships=(B, D)))
    made.say("gray", Line(ships=(S, D)))
    assert made.fleet("green") == "1B 1D" and made.state.fit("green") == {D: 1} and made.state.damaged == {"green": 1}
    made.say("green", Fight(on=True))
    made.say("gray", Fight(on=True))
    assert made.asked() == [("gray", "D-15")], "one destroyer is no choice"


def test_ATK_13_2_2_ships_beyond_eight_wait_and_can_join_in_a_later_round():
    made = challenge("9D", "9S", *[(3, 3, 3, 3)] * 8, (1, 1, 6, 6))
    assert [len(line) for line in made.events(LinesShown)[0].lines.values()] == [8, 8]
    assert made.fleet("gray") == "1S" and made.asked() == [("green", "D-16")]
    assert made.default("green") == Fight(on=True), "destroyers beat submarines on equal dice"
    made.say("green", Fight(on=True))
    made.say("gray", Fight(on=True))
    assert {power: len(line) for power, line in made.events(LinesShown)[1].lines.items()} == {"green": 8, "gray": 1}


def test_D_14_silence_fights_with_at_least_as_many_ships_all_repaired():
    for mine, fights in (("1B 1D", True), ("1B", False)):
        made = scene(powers=("green", "gray"), land=LAND, controller="gray",
                     fleets={"green": "2D", "gray": mine}, damaged={"gray": 1})
        made.say("green", Begin(action="naval_battle"))
        assert made.default("gray") == Fight(on=fights)


def test_D_16_silence_withdraws_when_outnumbered_two_to_one_and_the_attacker_is_asked_first():
    made = challenge("2D", "4S", (1, 1, 6, 6), (6, 6, 1, 1))
    assert made.asked() == [("green", "D-16")] and made.default("green") == Fight(on=False), "one ship against three"
    made.say("green", made.default("green"))
    (ended,) = made.events(NavalEnded)
    assert (ended.winner, ended.loser, ended.retreat) == ("gray", "green", True) and made.state.controller == "gray"
    assert made.state.naval is None and made.state.turn.taken == ["naval_battle"]


@pytest.mark.parametrize(("fleet", "formation", "line"), [
    ("1B 2D 2S", Formation(), (B, D, S, D, S)),
    ("1B 2D 2S", Formation(first=S), (S, S, B, D, D)),
    ("1B 2D 1S 1C", Formation(first=S, second=D), (S, D, D, B, C)),
    ("2D 1C", Formation(first=B, second=D, third=C), (D, D, C)),
    ("4D 3S 3B", Formation(first=S, second=S), (S, S, S, B, B, B, D, D)),
])
def test_ATK_21_5_3_a_formation_takes_its_types_as_far_as_they_are_there_and_the_rest_as_usual(fleet, formation, line):
    made = challenge(fleet, "1D 1B")
    assert formation.line(made.state, "green") == line and made.allows("green", formation)
    made.say("green", formation)
    made.say("gray", made.default("gray"))
    assert made.events(LinesShown)[0].lines["green"] == line
