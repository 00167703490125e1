"""What a picture of a battle is made from: the golden battles, told round by round."""
from __future__ import annotations

import pytest

from engine.attack import GAME
from engine.attack.battle_shown import LandShown, SeaShown, battles, last_battle
from engine.attack.lines import Line
from engine.attack.moves import Move
from engine.attack.naval import Fight
from engine.attack.turns import Begin, Confirm
from engine.attack.view import Units
from engine.refusals import Refusal
from engine.story import Story
from tests.attack.scene import SHIPS, Scene, army, scene
from tests.attack.test_golden_battles import bring, ukraine

D, S, B, C = (SHIPS[letter] for letter in "DSBC")


def story(made: Scene) -> Story:
    return Story(spec=GAME, parts=made.parts, start=made.start, rows=[entry.row() for entry in made.table.fresh])


def units(words: str) -> Units:
    return Units(**army(words))


def test_a_land_battle_is_shown_round_by_round():
    gray = ukraine("I A A P P", "- T A P P P", "I T A P P -")
    gray.say("gray", bring("4I"))
    gray.say("green", bring("1I 1T 1A 1P"))
    gray.say("gray", bring("2T 1P"))
    gray.say("green", bring("1I 1T 1P"))
    battle = last_battle(story(gray))
    assert isinstance(battle, LandShown)
    assert (battle.territory, battle.card, battle.winner) == ("ukraine", "", "")
    assert (battle.attacker.power, battle.attacker.units, battle.attacker.line_up) == ("gray", units("5I 3T 2A 2P"), units("4I"))
    assert (battle.defender.commander, battle.defender.line_up) == ("green", units("1I 1T 1A 1P"))
    first, second = battle.rounds
    assert [(half.side, len(half.dice), half.hits, half.losses, half.too_many) for half in first.halves] == [
        ("defender", 5, 3, units("3I"), 0), ("attacker", 6, 2, units("1I 1T"), 0)]
    assert first.halves[1].brought == units("2T 1P") and first.halves[1].fighting == units("1I 2T 1P")
    assert first.halves[1].reserve == units("1I 1T 2A 1P") and first.halves[0].brought == units("")
    late, waiting = second.halves
    assert (late.hits, late.losses, late.too_many) == (5, units("1I 2T 1P"), 1), "GT-05: the fifth hit is lost"
    assert waiting.dice == () and waiting.fighting == units(""), "Gray is asked what it brings"


def test_the_end_of_a_land_battle_and_the_card_of_neutrals_are_shown():
    red = scene(powers=("red", "blue"), land={"mexico": ("red", "1I 2T"), "france": ("blue", "1I")}, deck=["pop_01"],
                dice=[(1,), "- -", "T T - -"])
    red.say("red", Begin(action="movement"), Move(unit="tank", origin="mexico", to="panama", number=2), Confirm())
    battle = last_battle(story(red))
    assert isinstance(battle, LandShown)
    assert (battle.card, battle.defender.power, battle.defender.commander) == ("population_1", "neutral", "blue")
    assert (battle.winner, battle.left) == ("attacker", units("2T"))
    lost = scene(land={"mexico": ("red", "2I"), "panama": ("blue", "1I"), "france": ("blue", "1I")}, dice=["I -"])
    lost.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="panama"), Confirm())
    battle = last_battle(story(lost))
    assert isinstance(battle, LandShown) and (battle.winner, battle.left) == ("defender", units("1I"))


def test_a_naval_battle_is_shown_pair_by_pair():
    green = scene(powers=("green", "gray"), land={"poland": ("gray", "1I"), "italy": ("green", "1I")}, controller="gray",
                  fleets={"green": "1B 2D 1S 1C", "gray": "1B 1D 1S"}, dice=[(4, 5, 3, 4), (4, 4, 4, 4), (2, 3, 3, 4)])
    green.say("green", Begin(action="naval_battle"))
    green.say("gray", Fight(on=True))
    green.say("green", Line(ships=(B, C, D, D, S)))
    assert last_battle(story(green)) == SeaShown(attacker="green", defender="gray"), "one sealed line shows nothing"
    green.say("gray", Line(ships=(S, B, D)))
    battle = last_battle(story(green))
    assert isinstance(battle, SeaShown)
    (shown,) = battle.rounds
    assert (shown.attackers_line, shown.defenders_line) == ((B, C, D, D, S), (S, B, D))
    assert [(pair.ships, pair.dice, pair.modifiers) for pair in shown.pairs] == [
        ((B, S), ((4, 5), (3, 4)), (1, 2)), ((C, B), ((4, 4), (4, 4)), (1, 0)), ((D, D), ((2, 3), (3, 4)), (1, 0))]
    assert [(pair.hit, pair.position, pair.sunk) for pair in shown.pairs] == [
        ("defender", 1, True), ("defender", 2, False), ("attacker", 1, False)]
    green.say("green", Fight(on=False))
    battle = last_battle(story(green))
    assert isinstance(battle, SeaShown) and (battle.winner, battle.retreat) == ("defender", True)


def test_every_battle_of_a_story_is_told_with_its_last_row_and_none_is_refused():
    red = scene(land={"mexico": ("red", "3I"), "panama": ("blue", "1I"), "southern_us": ("blue", "1I"), "france": ("blue", "1I")},
                dice=["- -", "I -", "- -", "I -"])
    with pytest.raises(Refusal, match=r"No battle has been fought yet\."):
        last_battle(story(red))
    red.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="panama"),
            Move(unit="infantry", origin="mexico", to="southern_us"), Confirm())
    red.keep_silent(until="D-04")
    told = battles(story(red))
    assert [fought.battle.territory for fought in told if isinstance(fought.battle, LandShown)] == ["panama", "southern_us"]
    assert told[0].last < told[1].last <= red.table.fresh[-1].no and all(fought.battle.winner for fought in told)
