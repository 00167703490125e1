"""The golden battles of the rules: Ukraine and the naval battle, step by step with their dice (22.1 to 22.3, 22.5)."""
from __future__ import annotations

from engine.games.attack.rules.battle import BattleRolled, Bring, UnitsBrought
from engine.games.attack.rules.combat import TerritoryCaptured
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.naval import Fight, NavalEnded, PairFought, modifier
from engine.games.attack.rules.naval_lines import Line
from engine.games.attack.rules.turns import Begin, Confirm
from engine.games.attack.state import NavalBattle, Vessel
from tests.games.attack.scene import SHIPS, Scene, army, rolled, scene, written

D, S, B, C = (SHIPS[letter] for letter in "DSBC")


def bring(words: str) -> Bring:
    return Bring(**army(words))


def stand(made: Scene) -> tuple[str, str, str, str]:
    """Attacker in battle and in reserve, defender in battle and in reserve."""
    battle = made.state.battle
    assert battle is not None
    return (written(battle.attacker.fighting), written(battle.attacker.reserve), written(battle.defender.fighting),
            written(battle.defender.reserve))


THROWN = "I A A P P", "- T A P P P", "I T A P P -", "A A P P - -", "P P T -", "A P -", "I -", "A I T", "T -", "P P I"


def ukraine(*dice: str | tuple[int, ...], hand: tuple[str, ...] = ()) -> Scene:
    """Gray has entered Ukraine with 5I 3T 2A 2P; a unit of each type stays behind in Poland."""
    gray = scene(powers=("gray", "green"), dice=dice, hands={"green": hand},
                 land={"poland": ("gray", "6I 3T 2A 2P"), "ukraine": ("green", "3I 2T 2A 2P"), "italy": ("green", "1I")})
    gray.say("gray", Begin(action="movement"))
    for unit, number in army("5I 3T 2A 2P").items():
        gray.say("gray", Move(unit=unit, origin="poland", to="ukraine", number=number))
    gray.say("gray", Confirm())
    return gray


def test_GT_01_a_die_is_matched_by_one_unit_and_a_tank_once():
    """1 infantry and 2 tanks roll five dice; of I I P P one I is matched."""
    red = scene(land={"poland": ("red", "1A 1I 2T"), "ukraine": ("blue", "1I"), "france": ("blue", "1I")}, dice=[
        "- -", "- I I P P"])
    red.say("red", Begin(action="movement"), Move(unit="infantry", origin="poland", to="ukraine"),
            Move(unit="tank", origin="poland", to="ukraine", number=2), Confirm())
    assert (len(rolled(red).dice), rolled(red).hits) == (5, 1)


def test_GT_02_to_GT_12_the_battle_of_Ukraine():
    gray = ukraine(*THROWN)
    assert gray.asked() == [("gray", "D-09")]
    gray.say("gray", bring("4I"))
    assert gray.asked() == [("green", "D-10")]
    gray.say("green", bring("1I 1T 1A 1P"))
    assert [(written(event.units), event.line_up) for event in gray.events(UnitsBrought)] == [("4I", True), ("1I 1T 1A 1P", True)]
    # GT-03: round 1, Green, without reinforcement
    assert len(rolled(gray).dice) == 5 and rolled(gray).hits == 3
    assert stand(gray) == ("1I", "1I 3T 2A 2P", "1I 1T 1A 1P", "2I 1T 1A 1P")
    # GT-04: round 1, Gray
    assert gray.asked() == [("gray", "D-11")]
    gray.say("gray", bring("2T 1P"))
    assert len(rolled(gray).dice) == 6 and rolled(gray).hits == 2 and rolled(gray).losses == army("1I 1T")
    assert stand(gray) == ("1I 2T 1P", "1I 1T 2A 1P", "1A 1P", "2I 1T 1A 1P")
    # GT-05: round 2, Green; the fifth hit is lost
    gray.say("green", bring("1I 1T 1P"))
    assert len(rolled(gray).dice) == 6 and rolled(gray).hits == 5 and rolled(gray).losses == army("1I 2T 1P")
    assert stand(gray) == ("", "1I 1T 2A 1P", "1I 1T 1A 2P", "1I 1A")
    # GT-06: round 2, Gray
    gray.say("gray", bring("1I 1T 2A 1P"))
    assert len(rolled(gray).dice) == 6 and rolled(gray).hits == 3 and rolled(gray).losses == army("1I 1T 1A")
    assert stand(gray) == ("1I 1T 2A 1P", "", "2P", "1I 1A")
    # GT-07 to GT-12: Green brings its last units, and the rest is dice
    gray.say("green", bring("1I 1A"))
    rolls = gray.events(BattleRolled)[4:]
    assert [(roll.power, len(roll.dice), roll.hits, written(roll.losses)) for roll in rolls] == [
        ("green", 4, 2, "1I 1T"), ("gray", 3, 2, "1I 1A"), ("green", 2, 0, ""), ("gray", 3, 1, "1P"), ("green", 2, 0, ""),
        ("gray", 3, 1, "1P")]
    (captured,) = gray.events(TerritoryCaptured)
    assert gray.land("ukraine") == ("gray", "2A 1P") and captured.loser == "green" and not gray.dice_left
    for power in ("gray", "green"):
        assert sum(sum(roll.losses.values()) for roll in gray.events(BattleRolled) if roll.foe == power) == 9


def test_GT_21_a_side_without_a_unit_in_battle_must_bring_one():
    """5I in reserve and no unit in battle after the enemy's roll."""
    gray = scene(powers=("gray", "green"), dice=["P P P P"],
                 land={"poland": ("gray", "10I"), "ukraine": ("green", "4P"), "italy": ("green", "1I")})
    gray.say("gray", Begin(action="movement"), Move(unit="infantry", origin="poland", to="ukraine", number=9), Confirm())
    assert stand(gray)[:2] == ("", "5I") and gray.asked() == [("gray", "D-11")]
    assert gray.refusal("gray", Bring()).rule == "ATK-7.3.3"
    assert all(gray.allows("gray", bring(f"{number}I")) == (number < 5) for number in range(1, 6)), "one at least, four at most"


def test_GT_22_two_tanks_score_two_hits_at_most():
    red = scene(land={"poland": ("red", "1I 2T"), "ukraine": ("blue", "4I"), "france": ("blue", "1I")},
                dice=["- - - -", "T T T T", "- -", "T T - -"])
    red.say("red", Begin(action="movement"), Move(unit="tank", origin="poland", to="ukraine", number=2), Confirm())
    assert [roll.hits for roll in red.events(BattleRolled)] == [0, 2, 0, 2]


def test_GT_23_a_lone_infantry_scores_one_hit():
    red = scene(land={"poland": ("red", "2I"), "ukraine": ("blue", "1I"), "france": ("blue", "1I")}, dice=["- -", "I I"])
    red.say("red", Begin(action="movement"), Move(unit="infantry", origin="poland", to="ukraine"), Confirm())
    assert [roll.hits for roll in red.events(BattleRolled)] == [0, 1]


# --- the naval battle ---------------------------------------------------------------------------------------

LAND = {"poland": ("gray", "1I"), "italy": ("green", "1I")}


def at_sea(green: str, gray: str, *dice: tuple[int, ...], damaged: dict[str, int] | None = None) -> Scene:
    """Green challenges Gray, who controls the sea lanes and fights."""
    made = scene(powers=("green", "gray"), land=LAND, fleets={"green": green, "gray": gray}, controller="gray", dice=dice,
                 damaged=damaged or {})
    made.say("green", Begin(action="naval_battle"))
    assert made.asked() == [("gray", "D-14")]
    made.say("gray", Fight(on=True))
    return made


def test_GT_14_to_GT_18_the_naval_battle():
    green = at_sea("1B 2D 1S 1C", "1B 1D 1S", (4, 5, 3, 4), (4, 4, 4, 4), (2, 3, 3, 4))
    assert sorted(green.asked()) == [("gray", "D-15"), ("green", "D-15")]
    green.say("green", Line(ships=(B, C, D, D, S)))
    assert green.events(PairFought) == [], "nothing shows before both lines lie"
    green.say("gray", Line(ships=(S, B, D)))
    pairs = green.events(PairFought)
    assert len(pairs) == 3, "GT-14"
    assert [pair.modifiers for pair in pairs] == [{"green": 1, "gray": 2}, {"green": 1, "gray": 0}, {"green": 1, "gray": 0}]
    assert [(pair.hit, pair.position, pair.ship, pair.sunk) for pair in pairs] == [
        ("gray", 1, S, True), ("gray", 2, B, False), ("green", 1, B, False)], "GT-15, GT-16, GT-17"
    # GT-18
    assert (written(green.state.fit("gray"), SHIPS), written(green.state.fit("green"), SHIPS)) == ("1D", "1C 2D 1S")
    assert green.asked() == [("green", "D-16")]
    green.say("green", Fight(on=True))
    assert green.asked() == [("gray", "D-16")] and green.default("gray") == Fight(on=False)
    green.dice_left.append((6, 6, 1, 1))
    green.say("gray", Fight(on=True))
    assert green.asked() == [("green", "D-15")], "Gray has one ship and no choice"
    green.say("green", Line(ships=(D, C, D, S)))
    assert len(green.events(PairFought)) == 4 and green.state.controller == "green"
    (ended,) = green.events(NavalEnded)
    assert (ended.winner, ended.retreat) == ("green", False)
    assert (green.fleet("gray"), green.fleet("green")) == ("1B", "1B 1C 2D 1S")
    assert green.state.damaged == {"gray": 1, "green": 1}, "repaired before the next naval battle"


def test_GT_36_of_two_carriers_the_loser_itself_is_hit():
    green = at_sea("2D 1C", "2D 1C", (1, 1, 1, 1), (1, 1, 1, 1), (1, 1, 6, 6))
    green.say("green", Line(ships=(D, D, C)))
    green.say("gray", Line(ships=(D, D, C)))
    last = green.events(PairFought)[-1]
    assert (last.hit, last.position, last.ship, last.sunk) == ("green", 3, C, True) and green.fleet("green") == "2D"


def test_GT_37_a_battleship_at_the_head_takes_two_hits_and_then_the_next_ship():
    green = at_sea("1B 2D", "3S", (1, 1, 6, 6), (1, 1, 6, 6), (1, 1, 6, 6))
    green.say("green", Line(ships=(B, D, D)))
    assert [(pair.position, pair.ship, pair.sunk) for pair in green.events(PairFought)] == [
        (1, B, False), (1, B, True), (2, D, True)]
    assert green.fleet("green") == "1D" and green.state.damaged.get("green", 0) == 0


def test_GT_38_a_destroyer_between_two_carriers_against_a_submarine_has_four():
    made = scene(powers=("green", "gray"), land=LAND)
    made.state.naval = NavalBattle(attacker="green", defender="gray", lines={
        "green": [Vessel(ship=ship) for ship in (C, D, C)], "gray": [Vessel(ship=ship) for ship in (D, S, D)]})
    assert modifier(made.state, "green", 1) == 4
    made.state.naval.lines["green"][0].sunk = True
    assert modifier(made.state, "green", 1) == 3, "ATK-13.4.6: a sunk carrier gives nothing"


def test_GT_39_the_first_naval_battle_of_the_game_gives_control_without_dice():
    red = scene(land={"poland": ("red", "1I"), "italy": ("blue", "1I")}, fleets={"red": "1D"})
    red.say("red", Begin(action="naval_battle"))
    assert red.state.controller == "red" and red.state.turn.taken == ["naval_battle"]
