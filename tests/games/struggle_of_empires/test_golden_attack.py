"""Golden examples of attacks, raids and captives: G-18 to G-42, in each edition for which they are written.

Two powers are at war unless an example needs allies: then the attacker stands alone in row A, the defender and its allies
in row B. A throw of a fight is attacker, attacker, defender, defender.
"""
from __future__ import annotations

from typing import Any

import pytest

from engine.games.struggle_of_empires.actions import Assign, Attack, Commit, Covert, Decline, Fight, Lose, Move, Take, Use
from engine.games.struggle_of_empires.events import (
    AreaScored,
    AttackDeclared,
    DiceRolled,
    FightDecided,
    GoldPaid,
    IncomeTaken,
    MarkerTaken,
    SupportGained,
    UnitLost,
)
from engine.kernel import Action
from tests.scene import FAIR, Scene, scene

# parts of a strength, as Thrown tells them
UNITS, TRAINING, ALLIANCE, SUPPORT, DICE = range(5)
ALONE = {"powers": ("spain", "britain", "austria", "france"), "rows": (("spain",), ("britain", "austria", "france"))}


FIRST, DELUXE = "first", "deluxe_without_npp"
both = pytest.mark.parametrize("edition", [FIRST, DELUXE])


def at(edition: str, **position: Any) -> Scene:
    """A position in an edition. Unrest is counted in both: the examples say how many markers there are, not their values."""
    return scene(edition=edition, **{**position, "options": {"unrest.model": "count", **position.get("options", {})}})


def allied(edition: str, power: str, state: str) -> dict[str, Any]:
    """The alliance of a power with a minor state, as a tile or as a marker on the map."""
    return {"tiles": {power: {f"alliance_{state}": 1}}} if edition == FIRST else {"local": {f"local_{state}": power}}


def with_tiles(held: dict[str, Any], **more: str) -> dict[str, Any]:
    """The same, and one copy of a tile for each of these powers."""
    return held | {"tiles": held.get("tiles", {}) | {power: {tile: 1} for power, tile in more.items()}}


def pirates(edition: str, area: str, target: str) -> Action:
    """Pirates against a control marker, as a tile or as a token."""
    return Take(tile="pirates", area=area, target=target) if edition == FIRST else Covert(
        token="pirates", area=area, target=target)


def attack(area: str, target: str, **tiles: bool) -> Attack:
    return Attack(area=area, target=target, **tiles)


def commit(*, armies: int = 0, navies: int = 0) -> Commit:
    return Commit(armies=armies, navies=navies)


def lost(table: Scene) -> list[tuple[str, str]]:
    """(owner, kind) of all units lost so far, in their order."""
    return [(unit.owner, unit.unit) for unit in table.events(UnitLost)]


# --- strength, dice, losses ---------------------------------------------------------------------------------

def test_G_18_spain_attacks_britain_in_north_america():
    here = "north_america"
    table = scene(
        powers=("spain", "britain", "austria"), rows=(("spain",), ("britain", "austria")),
        units={"spain": {"navy": {here: 2}, "army": {here: 2}}, "britain": {"navy": {here: 1}, "army": {here: 1}},
               "austria": {"navy": {here: 1}, "army": {here: 1}}},
        markers={"britain": {here: 1}}, gold={"spain": 2}, dice=[(2, 5, 1, 6)],
        tiles={"spain": {"army_training": 1, "alliance_native_americans": 1}, "austria": {"army_training": 2}})
    table.say("spain", attack(here, "britain"))
    assert table.events(GoldPaid) == [GoldPaid(power="spain", gold=2, taxed=0)]
    assert table.asked() == [("austria", "DP-14")]
    table.say("austria", commit(armies=1))
    assert table.asked() == [("spain", "DP-15")]
    table.say("spain", Fight())
    assert table.asked() == [("britain", "DP-16")]
    table.say("britain", Decline())

    assert table.events(SupportGained) == [SupportGained(side="spain")]
    (thrown,) = table.events(DiceRolled)
    assert thrown.parts == ((2, 1, 1, 1, 3), (2, 0, 0, 0, 5))           # armies, training, alliance, support, dice
    assert table.strengths() == [(8, 7)]
    assert lost(table) == [("britain", "army"), ("spain", "army"), ("austria", "army")]
    assert table.units("spain", "army", here) == 1
    assert table.units("britain", "army", here) == 0
    assert table.units("austria", "army", here) == 0
    assert table.state.unrest == {"spain": 1, "britain": 1, "austria": 1}
    assert table.markers("spain", here) == 1 and table.markers("britain", here) == 0
    assert [table.units(power, "navy", here) for power in ("spain", "britain", "austria")] == [2, 1, 1]
    assert table.state.gold["spain"] == 0


@both
@pytest.mark.parametrize("dice, added", [((4, 6), 2), ((3, 3), 0), ((1, 6), 5)])
def test_G_19_dice_difference(edition, dice, added):
    table = at(edition, powers=("spain", "britain"), units={"spain": {"army": {"india": 1}}}, markers={"britain": {"india": 1}},
               dice=[(*dice, *dice)])
    table.say("spain", attack("india", "britain"))
    assert table.strengths() == [(1 + added, added)]


@both
def test_G_20_a_7_does_not_change_the_winner(edition):
    table = at(edition, powers=("spain", "britain"), units={"spain": {"army": {"india": 1}}}, markers={"britain": {"india": 1}},
               dice=[(3, 4, 2, 2)])
    table.say("spain", attack("india", "britain"))
    assert table.strengths() == [(2, 0)]
    assert table.markers("spain", "india") == 1 and table.markers("britain", "india") == 0
    assert lost(table) == [("spain", "army")]
    assert table.state.unrest == {"spain": 1, "britain": 0}


@both
@pytest.mark.parametrize("theirs, strengths, taken, unrest", [((2, 2), (1, 0), 1, 0), ((1, 2), (1, 1), 0, 1)])
def test_G_21_no_units_at_all(edition, theirs, strengths, taken, unrest):
    table = at(edition, powers=("spain", "britain"), units={"spain": {"army": {"india": 1}}}, markers={"britain": {"india": 1}},
               dice=[(1, 1, *theirs)])
    table.say("spain", attack("india", "britain"))
    assert table.strengths() == [strengths]
    assert table.markers("spain", "india") == taken and table.markers("britain", "india") == 1 - taken
    assert table.units("spain", "army", "india") == taken
    assert table.state.unrest == {"spain": unrest, "britain": 0}


@both
@pytest.mark.parametrize("mine, theirs, answers, at_sea, support, sunk", [
    (0, 0, [], None, None, []),
    (1, 0, [], None, "spain", []),
    (0, 1, [], None, "britain", []),
    (1, 1, [("spain", Decline())], None, "britain", []),
    (1, 1, [("spain", Fight()), ("britain", Decline())], None, "spain", []),
    (1, 1, [("spain", Fight()), ("britain", Fight())], (3, 1, 1, 1), "spain", [("britain", "navy")]),
    (1, 1, [("spain", Fight()), ("britain", Fight())], (3, 1, 1, 3), None, [("spain", "navy"), ("britain", "navy")]),
])
def test_G_22_who_gets_naval_support(edition, mine, theirs, answers, at_sea, support, sunk):
    here = "north_america"
    navies = {"spain": {here: mine} if mine else {}, "britain": {here: theirs} if theirs else {}}
    table = at(edition, powers=("spain", "britain"),
               units={power: {"army": {here: 1}, "navy": navies[power]} for power in navies},
               dice=[*([at_sea] if at_sea else []), (1, 1, 1, 1)])
    table.say("spain", attack(here, "britain"))
    for (power, answer), point in zip(answers, ("DP-15", "DP-16")):
        assert table.asked() == [(power, point)]
        table.say(power, answer)
    assert table.asked() == [("spain", "DP-05")] and table.dice_left == []
    assert table.events(SupportGained) == ([SupportGained(side=support)] if support else [])
    on_land = table.events(DiceRolled)[-1]
    assert on_land.stage == "land"
    assert (on_land.parts[0][SUPPORT], on_land.parts[1][SUPPORT]) == (int(support == "spain"), int(support == "britain"))
    assert [unit for unit in lost(table) if unit[1] == "navy"] == sunk


@both
def test_G_23_naval_support_without_ships(edition):
    here = "north_america"
    both = {"army": {here: 1}, "navy": {here: 1}}
    table = at(edition, powers=("spain", "britain"), units={"spain": both, "britain": both}, dice=[(1, 6, 1, 1), (1, 1, 2, 1)])
    table.say("spain", attack(here, "britain"), Fight())
    table.say("britain", Fight())
    assert table.strengths()[0] == (6, 1)
    assert lost(table)[:2] == [("britain", "navy"), ("spain", "navy")]
    assert [table.units(power, "navy", here) for power in ("spain", "britain")] == [0, 0]
    assert table.events(DiceRolled)[1].parts[0] == (1, 0, 0, 1, 0)          # the support is still there
    assert lost(table)[2:] == [("spain", "army"), ("britain", "army")]  # a tie on land: one unrest more for each
    assert table.state.unrest == {"spain": 2, "britain": 2}


@both
@pytest.mark.parametrize("training, strengths", [(0, (7, 7)), (1, (8, 7))])
def test_G_24_neutral_marker(edition, training, strengths):
    sea = "mediterranean"
    table = at(edition, powers=("spain", "britain"), units={"spain": {"army": {sea: 2}, "navy": {sea: 1}}}, gold=2,
               neutrals={sea: ["neutral_3_gold_3"]}, dice=[(6, 2, 5, 1)],
               tiles={"spain": {"army_training": 1}} if training else {})
    table.say("spain", attack(sea, "neutral_3_gold_3"))
    assert table.strengths() == [strengths]
    if training:
        assert table.faces(sea) == [] and table.markers("spain", sea) == 1
        assert table.state.gold["spain"] == 3
        assert table.units("spain", "army", sea) == 2 and table.state.unrest["spain"] == 0
    else:
        assert table.faces(sea) == ["neutral_3_gold_3"] and table.markers("spain", sea) == 0
        assert table.state.gold["spain"] == 0
        assert table.units("spain", "army", sea) == 1 and table.state.unrest["spain"] == 1


@both
def test_G_25_fort_alone_in_a_tie(edition):
    here = "german_states"
    table = at(edition, powers=("spain", "britain"), units={"spain": {"army": {here: 2}}, "britain": {"fort": {here: 1}}},
               markers={"britain": {here: 1}}, dice=[(1, 1, 3, 3)])
    table.say("spain", attack(here, "britain"))
    assert table.strengths() == [(2, 2)]
    assert lost(table) == [("spain", "army")]
    assert table.units("britain", "fort", here) == 1 and table.markers("britain", here) == 1
    assert table.state.unrest == {"spain": 1, "britain": 0}


@both
def test_G_26_fort_tie_and_a_7(edition):
    here = "german_states"
    table = at(edition, **ALONE, markers={"britain": {here: 1}}, dice=[(1, 3, 2, 5)],
               units={"spain": {"army": {here: 4}}, "britain": {"fort": {here: 1}}, "austria": {"army": {here: 1}}})
    table.say("spain", attack(here, "britain"))
    table.say("austria", commit(armies=1))
    assert table.strengths() == [(6, 6)]
    walls = 0 if edition == FIRST else 1                                # lost to the 7
    assert lost(table) == [("spain", "army"), ("austria", "army"), *[("britain", "fort")] * walls]
    assert table.state.unrest == {"spain": 1, "britain": walls, "austria": 1, "france": 0}
    assert table.units("britain", "fort", here) == 1 - walls
    assert table.markers("britain", here) == 1


@both
def test_G_26_fort_tie_and_a_7_without_the_helper(edition):
    here = "german_states"
    table = at(edition, **ALONE, units={"spain": {"army": {here: 3}}, "britain": {"fort": {here: 1}}}, dice=[(1, 3, 2, 5)],
               markers={"britain": {here: 1}})
    table.say("spain", attack(here, "britain"))
    assert table.strengths() == [(5, 5)]
    walls = 0 if edition == FIRST else 1
    assert lost(table) == [("spain", "army"), *[("britain", "fort")] * walls]
    assert table.units("britain", "fort", here) == 1 - walls and table.state.unrest["britain"] == walls
    assert table.markers("britain", here) == 1


@both
@pytest.mark.parametrize("unit", ["army", "fort"])
def test_G_27_fort_in_defeat(edition, unit):
    here = "german_states"
    table = at(edition, powers=("spain", "britain"), markers={"britain": {here: 1}}, dice=[(1, 1, 1, 1)],
               units={"spain": {"army": {here: 4}}, "britain": {"fort": {here: 1}, "army": {here: 1}}})
    table.say("spain", attack(here, "britain"))
    assert table.strengths() == [(4, 3)]
    assert table.asked() == [("britain", "DP-23")]
    assert table.default("britain") == Lose(owner="britain", unit="army")
    table.say("britain", Lose(owner="britain", unit=unit))
    assert lost(table) == [("britain", unit)]
    assert table.state.unrest == {"spain": 0, "britain": 1}


# --- help ---------------------------------------------------------------------------------------------------

@both
def test_G_28_partial_help(edition):
    here = "north_america"
    one = {"army": {here: 1}, "navy": {here: 1}}
    table = at(edition, powers=("spain", "britain", "france"), rows=(("spain", "france"), ("britain",)),
               units={"spain": one, "britain": one, "france": {"army": {here: 3}, "navy": {here: 2}}},
               dice=[(1, 1, 1, 1), (3, 4, 6, 2)])
    table.say("spain", attack(here, "britain"))
    assert table.asked() == [("france", "DP-12")]
    table.say("france", commit(navies=2))
    table.say("spain", Fight())
    table.say("britain", Fight())
    at_sea, on_land = table.events(DiceRolled)
    assert at_sea.parts[0][UNITS] == 1 + 2
    assert on_land.parts[0][UNITS] == 1
    assert lost(table) == [("britain", "navy"), ("spain", "army")]      # Spain lost and threw 7, and no helper's army took part
    assert table.units("france", "army", here) == 3 and table.units("france", "navy", here) == 2
    assert table.state.unrest["france"] == 0


@both
@pytest.mark.parametrize("chosen", ["austria", "france"])
def test_G_29_two_helpers_and_a_7(edition, chosen):
    here = "german_states"
    table = at(edition, **ALONE,
               units={"spain": {"army": {here: 6}}, "britain": {"army": {here: 1}}, "austria": {"army": {here: 1}},
                                  "france": {"army": {here: 2}}}, dice=[(1, 1, 3, 4)])
    table.say("spain", attack(here, "britain"))
    assert table.asked() == [("austria", "DP-14"), ("france", "DP-14")]
    table.say("austria", commit(armies=1))
    table.say("france", commit(armies=2))
    assert table.strengths() == [(6, 5)]
    assert lost(table) == [("britain", "army")]
    assert table.asked() == [("britain", "DP-24")]
    assert table.default("britain") == Lose(owner="france", unit="army")
    table.say("britain", Lose(owner=chosen, unit="army"))
    assert lost(table) == [("britain", "army"), (chosen, "army")]
    assert table.state.unrest == {"spain": 0, "britain": 1, "austria": 0, "france": 0} | {chosen: 1}


@both
def test_SOE_9_10_5_after_a_defeat_the_7_falls_on_a_helper_although_the_principal_has_units_left(edition):
    here = "german_states"
    table = at(edition, **ALONE,
               units={"spain": {"army": {here: 6}}, "britain": {"army": {here: 2}}, "austria": {"army": {here: 1}}},
               dice=[(1, 1, 3, 4)])
    table.say("spain", attack(here, "britain"))
    table.say("austria", commit(armies=1))
    assert table.strengths() == [(6, 4)]
    assert lost(table) == [("britain", "army"), ("austria", "army")]
    assert table.units("britain", "army", here) == 1


@both
def test_SOE_9_10_6_after_a_victory_the_7_falls_on_the_principal_although_a_helper_is_there(edition):
    here = "german_states"
    table = at(edition, **ALONE,
               units={"spain": {"army": {here: 1}}, "britain": {"army": {here: 2}}, "austria": {"army": {here: 1}}},
               dice=[(1, 1, 3, 4)])
    table.say("spain", attack(here, "britain"))
    table.say("austria", commit(armies=1))
    assert table.strengths() == [(1, 4)]
    assert lost(table) == [("spain", "army"), ("britain", "army")]
    assert table.units("austria", "army", here) == 1


@both
def test_SOE_9_4_14_only_navies_help_in_a_naval_only_attack(edition):
    here = "north_america"
    table = at(edition, **ALONE,
               units={"spain": {"navy": {here: 2}}, "britain": {"navy": {here: 1}}, "austria": {"army": {here: 1}},
                                  "france": {"army": {here: 1}, "navy": {here: 1}}})
    table.say("spain", attack(here, "britain"))
    assert table.asked() == [("france", "DP-14")]
    assert table.refusal("france", commit(armies=1)).rule == "SOE-9.4.4"
    assert table.allows("france", commit(navies=1))


# --- special places and tiles ----------------------------------------------------------------------------------

@both
def test_G_30_ottoman_empire(edition):
    here = "ottoman_empire"
    table = at(edition, powers=("spain", "britain"), dice=[(1, 1, 1, 1)],
               units={"spain": {"army": {here: 1}, "navy": {"mediterranean": 1}}, "britain": {"army": {here: 1}}})
    table.say("spain", attack(here, "britain"))
    assert table.events(SupportGained) == ([SupportGained(side="spain")] if edition == FIRST else [])
    assert table.strengths() == [(2 if edition == FIRST else 1, 1)]


@both
def test_G_31_training_behind_walls(edition):
    here = "german_states"
    table = at(edition, powers=("spain", "britain"), units={"spain": {"army": {here: 1}}, "britain": {"fort": {here: 1}}},
               tiles={"spain": {"army_training": 1}, "britain": {"army_training": 2}}, dice=[(1, 1, 1, 1)])
    table.say("spain", attack(here, "britain"))
    (thrown,) = table.events(DiceRolled)
    assert thrown.parts[1][UNITS:ALLIANCE] == (2, 1 if edition == FIRST else 0)
    assert thrown.parts[0][UNITS:ALLIANCE] == (1, 0)


@both
def test_G_32_reserves(edition):
    here = "german_states"
    table = at(edition, powers=("spain", "britain"), units={"spain": {"army": {here: 2}}, "britain": {"army": {here: 2}}},
               markers={"britain": {here: 1}}, tiles={"spain": {"reserves": 1}, "britain": {"reserves": 1}},
               dice=[(1, 1, 2, 6), (1, 5, 3, 4), (2, 3, 4, 4)])
    table.say("spain", attack(here, "britain"))
    assert table.asked() == [("spain", "DP-20")]
    table.say("spain", Use(tile="reserves"))
    assert table.asked() == [("britain", "DP-21")]
    table.say("britain", Use(tile="reserves"))
    assert table.strengths() == [(2, 6), (6, 3), (3, 2)]
    assert table.events(FightDecided) == [FightDecided(stage="land", winner="spain")]
    assert table.markers("spain", here) == 1
    assert lost(table) == [("britain", "army")]                         # one, for the defeat; the 7 was thrown again
    assert [table.state.ready(power, "reserves") for power in ("spain", "britain")] == [0, 0]
    assert [table.state.owned(power, "reserves") for power in ("spain", "britain")] == [1, 1]


@both
def test_G_32_reserves_are_ready_again_when_the_war_ends(edition):
    table = at(edition, powers=("spain", "britain"), phase="war_end", war=2, tiles={"spain": {"reserves": 1}},
               used={"spain": {"reserves": 1}}, dice=FAIR)
    assert table.state.ready("spain", "reserves") == 1


@both
def test_G_33_fighting_withdrawal(edition):
    here = "german_states"
    table = at(edition, **ALONE,
               units={"spain": {"army": {here: 4}}, "britain": {"army": {here: 1}}, "austria": {"army": {here: 1}}},
               markers={"britain": {here: 1}}, tiles={"britain": {"fighting_withdrawal": 1}}, dice=[(1, 1, 3, 4)])
    table.say("spain", attack(here, "britain"))
    table.say("austria", commit(armies=1))
    assert table.strengths() == [(4, 3)]
    assert table.asked() == [("britain", "DP-22")]
    table.say("britain", Use(tile="fighting_withdrawal"))
    assert table.units("britain", "army", "britain") == 1 and table.units("britain", "army", here) == 0
    assert table.units("austria", "army", "austria") == 1 and table.units("austria", "army", here) == 0
    assert table.state.unrest == {"spain": 0, "britain": 0, "austria": 0, "france": 0}
    assert table.markers("spain", here) == 1 and table.markers("britain", here) == 0
    assert table.state.stock["fighting_withdrawal"] == 1 and table.state.owned("britain", "fighting_withdrawal") == 0


@both
def test_G_34_surprise_attack(edition):
    here = "german_states"
    table = at(edition, **ALONE,
               units={"spain": {"army": {here: 1}}, "britain": {"army": {here: 1}}, "austria": {"army": {here: 3}}},
               **with_tiles(allied(edition, "britain", "bavaria"), spain="surprise_attack"), dice=[(1, 1, 2, 4)])
    table.say("spain", attack(here, "britain", surprise=True))
    assert table.asked() == [("spain", "DP-05")]                        # Austria was not asked; the fight is over
    assert table.events(DiceRolled)[0].parts[1] == (1, 0, 1, 0, 2)


def blockade(edition: str, power: str, navies: int) -> Scene:
    """Britain has 2 navies in India under a blockade; Spain is its enemy, France its ally; every crossing succeeds."""
    good = (6,) if edition == FIRST else (1,)                           # the Far Lands die has its green ticks first
    return at(edition, powers=("spain", "britain", "austria", "france"), active=power, blockades={"india": ["britain"]},
              units={"britain": {"navy": {"india": 2}}} | ({} if power == "britain" else {
                  power: {"army": {power: 1}, "navy": {"india": navies}}}), dice=[good, good])


@both
@pytest.mark.parametrize("power, navies, allowed", [("spain", 2, False), ("spain", 3, True), ("france", 1, True)])
def test_G_35_blockade(edition, power, navies, allowed):
    table = blockade(edition, power, navies)
    order = Move(unit="army", origin=power, to="india")
    if not allowed:
        assert table.refusal(power, order).rule == "SOE-12.20.2"
    else:
        table.say(power, order)
        assert table.units(power, "army", "india") == 1


@both
def test_G_35_blockade_ends_with_the_last_navy(edition):
    table = blockade(edition, "britain", 2)
    leave = Move(unit="navy", origin="india", to="britain")
    table.say("britain", leave)
    assert table.state.blockades == {"india": ["britain"]} and "blockade" not in table.state.stock
    table.say("britain", leave)
    assert table.state.blockades == {} and table.state.stock["blockade"] == 1


@both
def test_G_35_blockade_for_support(edition):
    here = "north_america"
    table = at(edition, powers=("spain", "britain"), units={"spain": {"army": {here: 2}, "navy": {here: 1}}}, dice=[(3, 5, 1, 1)],
               markers={"britain": {here: 1}}, tiles={"spain": {"blockade": 1}})
    table.say("spain", attack(here, "britain"))
    assert table.asked() == [("spain", "DP-19")]
    table.say("spain", Use(tile="blockade"))
    assert table.events(DiceRolled)[0].parts[0] == (2, 0, 0, 2, 2)
    assert table.state.stock["blockade"] == 1 and table.state.owned("spain", "blockade") == 0


@both
def test_G_36_alliance_at_sea_and_on_land(edition):
    here = "baltic"
    table = at(edition, powers=("spain", "britain"), **allied(edition, "spain", "denmark"), dice=[(1, 1, 1, 1)] * 3,
               units={"spain": {"army": {here: 3}, "navy": {here: 2}}, "britain": {"army": {here: 3}, "navy": {here: 1}}})
    table.say("spain", attack(here, "britain"), Fight())
    table.say("britain", Fight())
    assert table.asked() == [("spain", "DP-17")]
    table.say("spain", Assign(stage="sea"))
    table.say("spain", attack(here, "britain"))                         # Britain's navy is gone: nothing is asked at sea
    at_sea, on_land, second = table.events(DiceRolled)
    assert (at_sea.stage, at_sea.parts[0][ALLIANCE]) == ("sea", 1)
    assert (on_land.stage, on_land.parts[0][ALLIANCE]) == ("land", 0)
    assert (second.stage, second.parts[0][ALLIANCE]) == ("land", 1)


@both
def test_G_37_declined_naval_only_attack(edition):
    here = "north_america"
    table = at(edition, powers=("spain", "britain"), units={"spain": {"navy": {here: 2}}, "britain": {"navy": {here: 1}}},
               markers={"britain": {here: 1}})
    table.say("spain", attack(here, "britain"))
    assert table.asked() == [("britain", "DP-16")]
    table.say("britain", Decline())
    assert table.asked() == [("spain", "DP-05")]
    assert lost(table) == [] and table.events(MarkerTaken) == [] and table.events(DiceRolled) == []
    assert table.units("spain", "navy", here) == 2 and table.units("britain", "navy", here) == 1
    assert table.state.gold["spain"] == 10 - 2


@both
def test_G_38_war_office(edition):
    here = "german_states"
    table = at(edition, powers=("spain", "britain"), units={"spain": {"army": {here: 5}}}, markers={"britain": {here: 3}},
               tiles={"spain": {"war_office": 1}}, gold={"spain": 0}, dice=[(1, 1, 1, 1)] * 3)
    table.say("spain", attack(here, "britain", war_office=True), attack(here, "britain"), attack(here, "britain"))
    assert len(table.events(AttackDeclared)) == 3
    assert sum(paid.gold for paid in table.events(GoldPaid)) == 4
    assert sum(paid.taxed for paid in table.events(GoldPaid)) == 2 * 2
    assert table.state.unrest["spain"] == 2 and table.state.gold["spain"] == 0


@both
def test_G_39_attack_on_an_ally(edition):
    here = "caribbean"
    table = at(edition, powers=("spain", "britain", "france"), rows=(("spain", "france"), ("britain",)),
               units={"spain": {"army": {here: 1}}}, markers={"france": {here: 1}}, dice=[(1, 1, 1, 1)])
    assert table.refusal("spain", attack(here, "france")).rule == "SOE-9.2.2"
    table.say("spain", pirates(edition, here, "france"))
    assert table.state.captives["pirates"].power == "france"


# --- Pirates ------------------------------------------------------------------------------------------------------

@both
def test_G_40_undefended_raid(edition):
    """The raid is the last action of the last war, so income and points follow at once."""
    here = "caribbean"
    table = at(edition, powers=("spain", "france"), war=3, round=6, active="france", actions=1, markers={"spain": {here: 1}},
               dice=[(4, 4, 3, 3)])
    table.say("france", pirates(edition, here, "spain"))
    assert table.strengths() == [(1, 0)]
    assert table.markers("spain", here) == 0
    assert table.state.captives["pirates"].model_dump() == {"area": here, "power": "spain"}
    assert "pirates" not in table.state.stock
    assert table.table.over
    assert next(income.markers for income in table.events(IncomeTaken) if income.power == "spain") == 0
    assert next(scored.points for scored in table.events(AreaScored) if scored.area == here) == {}


@both
def test_G_41_raid_with_a_tie(edition):
    here = "caribbean"
    table = at(edition, powers=("spain", "france"), active="france", markers={"spain": {here: 1}},
               units={"spain": {"navy": {here: 1}}}, dice=[(2, 3, 5, 6)])
    table.say("france", pirates(edition, here, "spain"))
    assert table.strengths() == [(2, 2)]
    assert table.state.captives == {} and table.markers("spain", here) == 1
    assert edition == DELUXE or table.state.stock["pirates"] == 1
    assert lost(table) == [("spain", "navy")]
    assert table.state.unrest == {"spain": 1, "france": 0}


def test_G_42_beating_the_pirates_in_the_first_edition():
    here = "caribbean"
    table = scene(powers=("spain", "france"), active="france", captives={"pirates": (here, "spain")},
                  units={"france": {"army": {here: 1}}}, dice=[(1, 2, 4, 4)])
    assert "pirates" not in table.state.stock and table.state.marker_supply("spain") == 19
    table.say("france", attack(here, "pirates"))
    assert table.strengths() == [(1 + 1, 1 + 0)]
    assert table.markers("france", here) == 1 and table.state.captives == {}
    assert table.markers("spain", here) == 0 and table.state.marker_supply("spain") == 20
    assert table.state.stock["pirates"] == 1
    assert table.state.gold["france"] == 10 - 2


def test_G_42_beating_the_pirates_in_the_deluxe_edition():
    here = "caribbean"
    held = {"powers": ("spain", "france"), "active": "france", "captives": {"pirates": (here, "spain")}}
    on_land = at(DELUXE, **held, units={"france": {"army": {here: 1}}})
    why = on_land.refusal("france", attack(here, "pirates"))
    assert (why.rule, str(why)) == (
        "SOE-14.4.13", "You have no navy in caribbean. You need one to free a captive from the pirates.")
    table = at(DELUXE, **held, units={"france": {"navy": {here: 1}}}, dice=[(1, 2, 4, 4)])
    table.say("france", attack(here, "pirates"))
    assert table.strengths() == [(1 + 1, 1 + 0)] and table.events(DiceRolled)[0].stage == "sea"
    assert table.markers("france", here) == 1 and table.state.captives == {}
    assert table.markers("spain", here) == 0 and table.state.marker_supply("spain") == 23
    assert table.state.gold["france"] == 10 - 2
