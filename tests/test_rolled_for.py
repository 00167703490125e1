"""Dice by decision: the same decision gets the same dice, another one others, and a harmless detail changes nothing."""
from __future__ import annotations

from engine.dice import SecretDice
from engine.games.attack.rules.movement import Move as March
from engine.games.attack.rules.turns import Begin, Confirm
from engine.games.struggle_of_empires.actions import Attack, Call, Commit, Give
from engine.games.struggle_of_empires.events import DiceRolled
from tests.games.attack.scene import scene as field
from tests.scene import scene

A, B, F = "austria", "britain", "france"
FAIR = SecretDice("5e" * 32, by_decision=True)


class Noting:
    """Fair dice by decision that note what they are thrown for."""

    def __init__(self) -> None:
        self.purposes: list[str] = []

    def __call__(self, epoch: int, throw: int, sides: tuple[int, ...], purpose: str = "") -> tuple[int, ...]:
        self.purposes.append(purpose)
        return FAIR(epoch, throw, sides, purpose)


def attacked(area: str = "india", *, allies: tuple[str, ...] = (), sent: int = 0, gift: int = 0) -> tuple[str, tuple[int, ...]]:
    """What the fight on land is rolled for when Austria attacks Britain, and its dice."""
    dice = Noting()
    table = scene(powers=(A, B, F), active=A, rows=((A, F), (B,)), markers={B: {"india": 1, "north_america": 1}},
                  units={A: {"army": {"india": 2, "north_america": 2}}, F: {"army": {"india": 2, "north_america": 2}}},
                  options={"help.auto_call": False}, dice=dice)
    if gift:
        table.say(A, Give(to=B, gold=gift))
    table.say(A, Attack(area=area, target=B), Call(allies=allies))
    if allies:
        table.say(F, Commit(armies=sent, navies=0))
    return dice.purposes[0], table.events(DiceRolled)[0].dice


def test_SOE_20_1_4_the_same_attack_gets_the_same_dice_and_another_one_others():
    known = attacked()
    assert known[0] == "fight stage=land area=india attacker=austria defender=britain mine=2 theirs=0" and attacked() == known
    others = [attacked("north_america"), attacked(allies=(F,), sent=1), attacked(allies=(F,), sent=2)]
    assert len({known[1], *(dice for _, dice in others)}) == 4


def test_nobody_gets_other_dice_by_what_changes_nothing():
    """A gift, or a call for help that brings none, would else be a way to try for better dice."""
    assert attacked(gift=1) == attacked(allies=(F,), sent=0) == attacked()


def entered(territory: str = "ukraine", **units: int) -> list[str]:
    """What is rolled for when Red goes from Poland into a land of Blue."""
    dice = Noting()
    red = field(land={"poland": ("red", "3I 3T"), "ukraine": ("blue", "2I"), "germany": ("blue", "2I")}, dice=dice)
    red.say("red", Begin(action="movement"), *(March.of(unit, "poland", territory, number)
                                               for unit, number in units.items()), Confirm())
    while not dice.purposes:
        seat = red.asked()[0][0]
        red.say(seat, red.default(seat))
    return dice.purposes


def test_ATK_7_4_1_a_battle_is_rolled_for_by_place_and_by_the_units_in_it():
    first = entered(infantry=2)[0]
    assert first == "battle territory=ukraine round=1 power=blue units=infantry:2 foe=red against=infantry:2"
    assert entered(infantry=2)[0] == first
    assert len({first, entered("germany", infantry=2)[0], entered(tank=1)[0]}) == 3
