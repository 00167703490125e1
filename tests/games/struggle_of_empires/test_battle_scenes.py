"""What a close-up tells of attacks and raids, worked example by worked example."""
from __future__ import annotations

from typing import Any

import pytest

from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, Commit, Decline, Fight, Take, Use
from engine.games.struggle_of_empires.pictures.scenes import Exchange, Fight as Fought, Helper, Loss
from tests.games.struggle_of_empires.pictured import EVEN, A, B, C, D, shown
from tests.scene import Scene, scene


def battle(table: Scene, area: str) -> Any:
    """The last battle of the close-up of an area."""
    return shown("closeup", table, subject=area).battle


def totals(fight: Fought) -> list[tuple[int, int]]:
    return [(throw.attacker.total, throw.defender.total) for throw in fight.rolls]


# --- battles -------------------------------------------------------------------------------------------------------

def test_an_attack_with_helpers_on_both_sides():
    table = scene(powers=(A, B, C, D), rows=((A, C), (B, D)), markers={B: {"india": 1}}, dice=[(2, 5, 1, 1)],
                  units={A: {"army": {"india": 2}}, B: {"army": {"india": 1}},
                         C: {"army": {"india": 1}}, D: {"army": {"india": 2}}})
    table.say(A, Attack(area="india", target=B))
    under_way = battle(table, "india")
    assert (under_way.attacker.name, under_way.defender.name) == ("Austria", "Britain")
    assert under_way.fights == () and not under_way.over
    assert "The fight is not over yet." in GAME.views.board(shown("closeup", table))

    table.say(C, Commit(armies=1, navies=0))
    table.say(D, Commit(armies=2, navies=0))
    fought = battle(table, "india")
    assert fought.over and not fought.surprise and not fought.war_office and not fought.sender
    assert fought.attacker.helpers == (Helper(power=C, name="France", armies=1, navies=0),)
    assert fought.defender.helpers == (Helper(power=D, name="Spain", armies=2, navies=0),)
    (fight,) = fought.fights
    assert (fight.stage, fight.winner, totals(fight)) == ("land", "attacker", [(6, 3)])     # 2 + 1 units, dice 3; 1 + 2 units
    (throw,) = fight.rolls
    assert (throw.attacker.units, throw.attacker.dice, throw.attacker.difference) == (3, (2, 5), 3)
    assert (throw.defender.units, throw.defender.dice, throw.defender.difference) == (3, (1, 1), 0)
    assert fought.exchanges == (Exchange(kind="taken", winner=A, winner_name="Austria", loser=B, loser_name="Britain"),)
    assert fought.losses == (Loss(power=B, name="Britain", unit="army", fate="lost"),           # the defeat
                             Loss(power=A, name="Austria", unit="army", fate="lost"))           # the 7
    assert GAME.views.describe(shown("closeup", table, subject="india"), 1024).startswith(
        "Struggle of Empires, close-up of India. War 1, round 1 of 6. Austria attacks Britain. Austria takes a control marker "
        "of Britain. France helps Austria with 1 army. Spain helps Britain with 2 armies. On land: Austria: 3 "
        "armies + dice 5−2 = 6; Britain: defence 3 + dice 1−1 = 3. On land: Austria wins. Britain loses an army. Austria "
        "loses an army.")


def test_every_part_of_a_strength_and_a_fight_at_sea_declined():
    here = "north_america"
    table = scene(powers=(D, B), units={D: {"navy": {here: 2}, "army": {here: 2}}, B: {"navy": {here: 1}, "army": {here: 1}}},
                  dice=[(2, 5, 1, 6)], tiles={D: {"army_training": 1, "alliance_native_americans": 1}}, markers={B: {here: 1}})
    table.say(D, Attack(area=here, target=B), Fight())
    table.say(B, Decline())
    fought = battle(table, here)
    assert (fought.declined, fought.support) == ("Britain", "Spain")
    mine = fought.fights[0].rolls[0].attacker
    assert (mine.units, mine.training, mine.alliances, mine.support, mine.difference, mine.total) == (2, 1, 1, 1, 3, 8)


def test_a_fight_at_sea_comes_before_the_one_on_land():
    here = "north_america"
    both = {"army": {here: 1}, "navy": {here: 1}}
    table = scene(powers=(D, B), units={D: both, B: both}, dice=[(3, 1, 1, 1), EVEN])
    table.say(D, Attack(area=here, target=B), Fight())
    table.say(B, Fight())
    fought = battle(table, here)
    assert [(fight.stage, fight.winner, totals(fight)) for fight in fought.fights] == [
        ("sea", "attacker", [(3, 1)]), ("land", "attacker", [(2, 1)])]          # the navies' victory supports on land
    assert [(loss.power, loss.unit) for loss in fought.losses] == [(B, "navy"), (B, "army")]


def test_reserves_have_all_dice_thrown_again_and_a_tie_costs_both():
    table = scene(units={A: {"army": {"india": 1}}, B: {"army": {"india": 1}}}, dice=[(1, 1, 1, 4), (2, 2, 3, 3)],
                  tiles={A: {"reserves": 1}})
    table.say(A, Attack(area="india", target=B))
    assert [totals(fight) for fight in battle(table, "india").fights] == [[(1, 4)]]     # the throw that may be thrown again
    table.say(A, Use(tile="reserves"))
    fought = battle(table, "india")
    (fight,) = fought.fights
    assert (totals(fight), [throw.again for throw in fight.rolls], fight.winner) == ([(1, 4), (1, 1)], [A, ""], "tie")
    assert [(loss.power, loss.fate) for loss in fought.losses] == [(A, "lost"), (B, "lost")] and fought.exchanges == ()
    assert "Austria has all dice rolled again with Reserves." in GAME.views.board(shown("closeup", table))
    assert "On land: a tie." in GAME.views.board(shown("closeup", table))


def test_a_fort_falls():
    table = scene(units={A: {"army": {"india": 1}}, B: {"fort": {"india": 1}}}, markers={B: {"india": 1}}, dice=[(1, 5, 1, 1)])
    table.say(A, Attack(area="india", target=B))
    fought = battle(table, "india")
    assert fought.fights[0].rolls[0].defender.units == 2 and fought.losses == (     # a fort counts 2
        Loss(power=B, name="Britain", unit="fort", fate="lost"),)


def test_a_neutral_marker_brings_its_bonus():
    table = scene(units={A: {"army": {"mediterranean": 3}}}, neutrals={"mediterranean": ["neutral_3_gold_3_point_1"]},
                  dice=[(6, 2, 5, 1)])
    table.say(A, Attack(area="mediterranean", target="neutral_3_gold_3_point_1"))
    tied = battle(table, "mediterranean")
    assert (tied.fights[0].winner, totals(tied.fights[0]), tied.exchanges) == ("tie", [(7, 7)], ())
    table = scene(units={A: {"army": {"mediterranean": 3}}}, neutrals={"mediterranean": ["neutral_3_gold_3_point_1"]},
                  dice=[(6, 2, 1, 1)])
    table.say(A, Attack(area="mediterranean", target="neutral_3_gold_3_point_1"))
    fought = battle(table, "mediterranean")
    assert (fought.defender.kind, fought.defender.power, fought.defender.name, fought.defender.strength) == (
        "neutral", "", "Neutral marker", 3)
    assert fought.exchanges == (Exchange(kind="neutral", winner=A, winner_name="Austria", loser="",
                                         loser_name="neutral marker 3 (+3 gold, +1 point)", gold=3, points=1),)
    words = GAME.views.board(shown("closeup", table))
    assert "Austria attacks a neutral marker of strength 3." in words
    assert "Austria puts a control marker in its place and gains 3 gold and 1 point." in words


def test_pirates_capture_a_marker():
    table = scene(markers={B: {"india": 1}}, dice=[(1, 2, 1, 1)])
    table.say(A, Take(tile="pirates", area="india", target=B))
    fought = battle(table, "india")
    assert (fought.sender, fought.attacker.kind, fought.attacker.name, fought.attacker.strength) == (
        "Austria", "pirates", "Pirates", 1)
    assert (fought.defender.kind, fought.defender.power) == ("power", B)
    (fight,) = fought.fights
    assert (fight.stage, fight.winner, totals(fight)) == ("sea", "attacker", [(2, 0)])
    assert fought.exchanges == (
        Exchange(kind="captured", winner="pirates", winner_name="Pirates", loser=B, loser_name="Britain"),)
    words = GAME.views.board(shown("closeup", table))
    assert "Austria sends the Pirates against Britain." in words
    assert "At sea: the Pirates: strength 1 + dice 2−1 = 2; Britain: dice 1−1 = 0." in words
    assert "At sea: victory for the Pirates." in words and "A control marker of Britain is a captive of the Pirates." in words


@pytest.mark.parametrize("owner, words", [
    (A, "Austria frees its control marker."), (B, "A control marker of Austria takes the place of the captive of Britain.")])
def test_a_captive_is_freed(owner, words):
    table = scene(units={A: {"army": {"india": 2}}}, captives={"pirates": ("india", owner)}, dice=[(1, 3, 1, 1)])
    table.say(A, Attack(area="india", target="pirates"))
    fought = battle(table, "india")
    assert (fought.defender.kind, fought.defender.strength, totals(fought.fights[0])) == ("pirates", 1, [(4, 1)])
    assert fought.fights[0].winner == "attacker"
    (exchange,) = fought.exchanges
    assert (exchange.kind, exchange.winner, exchange.loser) == ("freed", A, owner)
    assert words in GAME.views.board(shown("closeup", table))


def test_a_beaten_slave_revolt_takes_nothing():
    table = scene(markers={B: {"caribbean": 1}}, units={B: {"army": {"caribbean": 5}}}, dice=[EVEN])
    table.say(A, Take(tile="slave_revolt", area="caribbean", target=B))
    fought = battle(table, "caribbean")
    assert (fought.attacker.kind, fought.fights[0].stage, totals(fought.fights[0])) == ("slave_revolt", "land", [(3, 5)])
    assert fought.fights[0].winner == "defender" and fought.exchanges == () and fought.over


def test_fighting_withdrawal_saves_a_unit():
    table = scene(units={A: {"army": {"india": 2}}, B: {"army": {"india": 1}}}, dice=[EVEN],
                  tiles={B: {"fighting_withdrawal": 1}})
    table.say(A, Attack(area="india", target=B))
    table.say(B, Use(tile="fighting_withdrawal"))
    assert battle(table, "india").losses == (Loss(power=B, name="Britain", unit="army", fate="home"),)
    assert "Britain withdraws an army to its home." in GAME.views.board(shown("closeup", table))


def test_surprise_attack_and_war_office_are_named():
    table = scene(units={A: {"army": {"india": 2}}, B: {"army": {"india": 1}}}, dice=[EVEN],
                  tiles={A: {"surprise_attack": 1, "war_office": 1}})
    table.say(A, Attack(area="india", target=B, surprise=True, war_office=True))
    fought = battle(table, "india")
    assert fought.surprise and fought.war_office
    assert "Austria attacks Britain with Surprise Attack and War Office." in GAME.views.board(shown("closeup", table))
