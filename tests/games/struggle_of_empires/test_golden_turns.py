"""Golden examples of money, turns, building, moving and tiles: G-05, G-07 to G-17, G-51 to G-54."""
from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Any

import pytest

from engine.games.struggle_of_empires.actions import (
    Attack,
    Bid,
    Build,
    Colonise,
    Decline,
    End,
    Enslave,
    Mend,
    Move,
    Pass,
    Rebuild,
    Send,
    Take,
    Use,
)
from engine.games.struggle_of_empires.events import GoldPaid, MarkerTaken, Passed, TurnBegun
from tests.scene import FAIR, Scene, scene

BOTH = pytest.mark.parametrize("edition", ["first", "deluxe_without_npp"])
SEVEN = ("austria", "britain", "france", "prussia", "russia", "spain", "united_provinces")


def at(edition: str, **position: Any) -> Scene:
    """A scene of an edition; unrest is counted, so that an example of both editions has one number."""
    return scene(edition=edition, options={"unrest.model": "count"}, **position)


# --- money ----------------------------------------------------------------------------------------------

@BOTH
@pytest.mark.parametrize("gold, debt, banking, taxations, unrest, afterwards", [
    (5, 2, False, 0, 0, 3),
    (0, 2, False, 1, 1, 0),
    (1, 2, False, 1, 1, 1),
    (0, 5, False, 3, 3, 1),
    (3, 6, False, 2, 2, 1),
    (0, 5, True, 2, 2, 1),
    (0, 4, True, 2, 2, 2),
    (2, 2, True, 0, 0, 0),
])
def test_G_05_taxation(gold, debt, banking, taxations, unrest, afterwards, edition):
    table = at(edition, phase="auction", gold={"austria": gold}, tiles={"austria": {"banking": 1}} if banking else {})
    table.say("austria", Bid(gold=debt, a="austria", b="britain"))
    table.say("britain", Pass())
    assert table.events(GoldPaid) == [GoldPaid(power="austria", gold=debt, taxed=taxations * (3 if banking else 2))]
    assert table.state.unrest["austria"] == unrest
    assert table.state.gold["austria"] == afterwards


# --- turns ----------------------------------------------------------------------------------------------

def slaver(edition: str = "first") -> Scene:
    """A power with a navy in Africa, population 3, a colonist marker and a slave marker on the map."""
    return at(edition, units={"austria": {"navy": {"africa": 1}}}, population=3,
              neutrals={"north_america": ["pop"], "caribbean": ["slaves"]})


@BOTH
def test_G_07_enslave_and_colonise_in_one_turn(edition):
    table = slaver(edition)
    table.say("austria", Enslave(area="caribbean"))
    assert table.markers("austria", "caribbean") == 1 and table.faces("caribbean") == []
    assert table.refusal("austria", Colonise(area="north_america")).rule == ONE_SETTLING[edition]
    assert table.state.population["austria"] == 3
    assert table.faces("north_america") == ["pop"]


ONE_SETTLING = {"first": "SOE-6.2.3", "deluxe_without_npp": "SOE-6.3.2"}


@BOTH
def test_G_07_colonise_and_enslave_in_one_turn(edition):
    table = slaver(edition)
    table.say("austria", Colonise(area="north_america"))
    assert table.refusal("austria", Enslave(area="caribbean")).rule == ONE_SETTLING[edition]
    assert table.faces("caribbean") == ["slaves"]


def test_G_07_enslave_and_take_a_tile_in_one_turn():
    table = slaver()
    table.say("austria", Enslave(area="caribbean"), Take(tile="logistics"))
    assert table.markers("austria", "caribbean") == 1
    assert table.state.owned("austria", "logistics") == 1


@pytest.mark.parametrize("first, second", [*permutations((Enslave(area="caribbean"), Take(tile="logistics")))],
                         ids=["commerce-tile", "tile-commerce"])
def test_G_07_commerce_and_a_tile_in_one_turn_are_refused_in_deluxe(first, second):
    table = slaver("deluxe")
    table.say("austria", first)
    assert table.refusal("austria", second).rule == "SOE-6.3.2"
    table.say("austria", Build(unit="army", to="austria"))              # one regular and one special action


@BOTH
@pytest.mark.parametrize("players, rounds, actions", [
    (2, 6, 12), (3, 6, 12), (4, 6, 12), (5, 5, 10), (6, 5, 10), (7, 5, 10),
])
def test_G_08_rounds(players, rounds, actions, edition):
    powers = SEVEN[:players]
    table = at(edition, powers=powers, dice=FAIR)
    table.keep_silent(until="DP-03")                    # silence passes one action after the other
    turns = [begun.power for begun in table.events(TurnBegun)]
    for power in powers:
        assert turns.count(power) == rounds
        assert sum(passed.actions for passed in table.events(Passed) if passed.power == power) == actions
    assert turns == table.state.powers * rounds


def surprised(edition: str) -> Scene:
    """G-09: Austria has attacked with Surprise Attack, the only copy, as its first action."""
    table = at(edition, units={"austria": {"army": {"india": 1}}}, markers={"britain": {"india": 1}}, dice=[(1, 1, 1, 1)],
               tiles={"austria": {"surprise_attack": 1}})
    assert "surprise_attack" not in table.state.stock
    table.say("austria", Attack(area="india", target="britain", surprise=True))
    assert table.state.stock["surprise_attack"] == 1
    return table


@BOTH
def test_G_09_single_use_tile_in_the_same_turn(edition):
    table = surprised(edition)
    rule = {"first": "SOE-11.2.5", "deluxe_without_npp": "SOE-11.3.5"}[edition]
    assert table.refusal("austria", Take(tile="surprise_attack")).rule == rule
    table.say("austria", Pass())
    table.say("britain", Pass(), Pass())
    assert table.asked() == [("austria", "DP-05")] and table.state.round == 2
    table.say("austria", Take(tile="surprise_attack"))
    assert table.state.owned("austria", "surprise_attack") == 1


@BOTH
def test_G_09_another_player_may_take_it_before(edition):
    table = surprised(edition)
    table.say("austria", Pass())
    table.say("britain", Take(tile="surprise_attack"), Pass())
    assert table.state.owned("britain", "surprise_attack") == 1
    assert table.refusal("austria", Take(tile="surprise_attack")).rule == "SOE-1.3.3"


PEACE, BUILD, ATTACK, FREE = Pass(), Build(unit="army", to="austria"), Attack(area="india", target="britain"), Attack(
    area="india", target="britain", war_office=True)


@pytest.mark.parametrize("before, answers, after", [
    (6, [PEACE, PEACE], 5), (6, [PEACE, BUILD], 5), (6, [BUILD, PEACE], 5), (6, [End()], 5), (6, [BUILD, End()], 5),
    (6, [PEACE, ATTACK], 6), (6, [PEACE, BUILD, FREE], 6), (6, [PEACE, PEACE, FREE], 6), (6, [FREE, PEACE, PEACE], 6),
    (6, [BUILD, BUILD], 6), (0, [PEACE, PEACE], 0),
], ids=lambda value: "-".join(answer.verb for answer in value) if isinstance(value, list) else str(value))
def test_G_10_SOE_15_1_2_passing(before, answers, after):
    tiles = {"austria": {"war_office": 1}} if FREE in answers else {}
    table = at("deluxe", units={"austria": {"army": {"india": 1}}}, markers={"britain": {"india": 1}}, dice=[(1, 2, 1, 1)],
               unrest={"austria": before}, tiles=tiles)
    table.say("austria", *answers)
    assert table.asked() == [("britain", "DP-05")]
    assert table.state.unrest["austria"] == after
    again = scene(unrest={"austria": before})                           # no relief in the first edition
    again.say("austria", Pass(), Pass())
    assert again.state.unrest["austria"] == before


# --- build and move ---------------------------------------------------------------------------------------

def test_G_11_britain_sails_to_india():
    table = scene(active="britain", units={"britain": {"navy": {"north_america": 1}, "army": {"german_states": 1}}},
                  dice=[(2,), (1,), (3,)])
    army = Move(unit="army", origin="german_states", to="india")
    assert table.refusal("britain", army).rule == "SOE-8.2.4"
    table.say("britain", Move(unit="navy", origin="north_america", to="india"))
    assert table.asked() == [("britain", "DP-08")]                      # the second unit is named after the first result
    table.say("britain", army)
    assert table.dice_left == []
    assert table.units("britain", "navy", "india") == 1 and table.units("britain", "navy", "north_america") == 0
    assert table.units("britain", "army", "german_states") == 1 and table.units("britain", "army", "india") == 0
    assert table.state.unrest["britain"] == 0
    assert table.asked() == [("britain", "DP-05")] and table.state.turn.actions == 1
    assert table.allows("britain", army)                                # a second move action may try again


@pytest.mark.parametrize("first, second, result, with_navigation", [
    (2, None, "arrives", "arrives"),
    (3, None, "arrives", "arrives"),
    (4, None, "arrives", "arrives"),
    (5, None, "arrives", "arrives"),
    (6, None, "arrives", "arrives"),
    (1, 1, "destroyed", "stays"),
    (1, 2, "destroyed", "stays"),
    (1, 3, "stays", "arrives"),
    (1, 4, "stays", "arrives"),
    (1, 5, "arrives", "arrives"),
    (1, 6, "arrives", "arrives"),
])
@pytest.mark.parametrize("navigation", [False, True])
def test_G_12_the_crossing_table(first, second, result, with_navigation, navigation):
    table = scene(active="britain", units={"britain": {"navy": {"baltic": 1}}},
                  dice=[(first,)] if second is None else [(first,), (second,)],
                  tiles={"britain": {"navigation": 1}} if navigation else {})
    table.say("britain", Move(unit="navy", origin="baltic", to="india"))
    assert table.dice_left == []
    there, back, unrest = {"arrives": (1, 0, 0), "stays": (0, 1, 0), "destroyed": (0, 0, 1)}[
        with_navigation if navigation else result]
    assert table.units("britain", "navy", "india") == there
    assert table.units("britain", "navy", "baltic") == back
    assert table.state.unrest["britain"] == unrest


@BOTH
def test_G_13_SOE_8_2_9_a_navy_next_door(edition):
    table = at(edition, active="britain", units={"britain": {"navy": {"north_america": 1}, "army": {"britain": 1}}})
    for area in ("south_america", "caribbean"):
        assert table.refusal("britain", Move(unit="army", origin="britain", to=area)).rule == "SOE-8.2.4"
    assert table.allows("britain", Move(unit="army", origin="britain", to="north_america"))


@BOTH
def test_G_13_within_america_an_army_moves_without_a_die(edition):
    table = at(edition, active="britain", units={"britain": {"navy": {"south_america": 1}, "army": {"north_america": 1}}})
    table.say("britain", Move(unit="army", origin="north_america", to="south_america"))
    assert table.units("britain", "army", "south_america") == 1


def ways(power: str, *, markers: Mapping[str, int] = {}, navy: Mapping[str, int] = {}, edition: str = "first") -> set[str]:
    """The European areas that an army may enter from its home."""
    table = at(edition, powers=(power, "france"), units={power: {"army": {power: 1}, "navy": navy}}, markers={power: markers})
    europe = [area.id for area in table.parts.areas if not area.colony]
    open_to = {area for area in europe if table.allows(power, Move(unit="army", origin=power, to=area))}
    for area in set(europe) - open_to:
        assert table.refusal(power, Move(unit="army", origin=power, to=area)).rule == "SOE-8.2.5"
    return open_to


def test_G_14_ways_into_europe():
    central = {"central_europe": 1}
    assert ways("russia", markers=central, navy={"mediterranean": 1}) == {
        "central_europe", "baltic", "german_states", "ottoman_empire", "mediterranean"}
    assert "mediterranean" not in ways("russia", markers=central)
    assert ways("russia", edition="deluxe") == {
        "central_europe", "baltic", "german_states", "ottoman_empire", "mediterranean"}


@pytest.mark.parametrize("power, position, areas", [
    pytest.param("spain", {"markers": {"baltic": 1}}, {"mediterranean", "baltic", "german_states", "central_europe"}, id="a-b"),
    pytest.param("spain", {"markers": {"ottoman_empire": 1}}, {"mediterranean", "ottoman_empire", "central_europe"}, id="b"),
    pytest.param("russia", {}, {"baltic", "central_europe", "ottoman_empire"}, id="c"),
    pytest.param("spain", {"navy": {"baltic": 1}}, {"mediterranean", "baltic"}, id="d"),
    pytest.param("spain", {"navy": {"mediterranean": 1}}, {"mediterranean", "ottoman_empire"}, id="e"),
])
def test_G_14_each_way_alone(power, position, areas):
    assert ways(power, **position) == areas


def test_G_15_fort_turned_back():
    table = scene(active="britain", units={"britain": {"navy": {"india": 1}}}, population=4, dice=[(1,), (4,), (3,)])
    table.say("britain", Build(unit="fort", to="india"))
    assert table.units("britain", "fort", "britain") == 1 and table.units("britain", "fort", "india") == 0
    assert table.state.population["britain"] == 3
    assert table.state.unrest["britain"] == 0
    table.say("britain", Move(unit="fort", origin="britain", to="india"))
    assert table.units("britain", "fort", "india") == 1
    assert table.refusal("britain", Move(unit="fort", origin="india", to="britain")).rule == "SOE-7.2.2"


@pytest.mark.parametrize("edition, forts", [
    ("first", {"baltic": 1, "central_europe": 1}), ("first", {"baltic": 1}), ("deluxe", {"baltic": 1, "central_europe": 1})])
def test_G_16_rebuild(forts, edition):
    """Legal with both forts placed, and in the first edition also while one is in the supply."""
    table = at(edition, powers=("prussia", "france"), units={"prussia": {"fort": forts}}, population=4)
    table.say("prussia", Rebuild(unit="fort", at="baltic"), Send(to="german_states"))
    assert table.units("prussia", "fort", "german_states") == 1 and table.units("prussia", "fort", "baltic") == 0
    assert table.state.supply("prussia", "fort") == 2 - len(forts)
    assert table.state.population["prussia"] == 3
    assert table.state.unrest["prussia"] == 1


def test_G_16_no_rebuild_in_deluxe_while_a_fort_is_in_the_supply():
    table = at("deluxe", powers=("prussia", "france"), units={"prussia": {"fort": {"baltic": 1}}}, population=4)
    assert table.refusal("prussia", Rebuild(unit="fort", at="baltic")).rule == "SOE-7.3.3"


TICK, ARROW, CROSS = (1,), (5,), (6,)           # throws of the Far Lands die, whose faces are four, one and one


@pytest.mark.parametrize("throw, paid, result", [
    (TICK, None, "arrives"), (ARROW, 0, "stays"), (ARROW, 1, "arrives"),
    (CROSS, 0, "destroyed"), (CROSS, 2, "stays"), (CROSS, 3, "arrives")])
def test_G_17_the_far_lands_die(throw, paid, result):
    table = at("deluxe", units={"austria": {"navy": {"baltic": 1}}}, gold=5, dice=[throw])
    table.say("austria", Move(unit="navy", origin="baltic", to="india"))
    if paid is not None:
        assert table.asked() == [("austria", "DP-09")]
        table.say("austria", Mend(to="ok" if result == "arrives" else "back", gold=paid) if paid else Decline())
    there, back, unrest = {"arrives": (1, 0, 0), "stays": (0, 1, 0), "destroyed": (0, 0, 1)}[result]
    assert table.units("austria", "navy", "india") == there
    assert table.units("austria", "navy", "baltic") == back
    assert (table.state.unrest["austria"], table.state.gold["austria"]) == (unrest, 5 - (paid or 0))


def test_G_17_SOE_8_4_6_a_payment_may_be_taxed():
    table = at("deluxe", units={"austria": {"navy": {"baltic": 1}}}, gold=1, dice=[CROSS])
    table.say("austria", Move(unit="navy", origin="baltic", to="india"), Mend(to="ok", gold=3))
    assert table.events(GoldPaid) == [GoldPaid(power="austria", gold=3, taxed=2)]
    assert (table.state.gold["austria"], table.state.unrest["austria"]) == (0, 1)


# --- tiles --------------------------------------------------------------------------------------------------

@BOTH
def test_G_51_militia(edition):
    table = at(edition, tiles={"austria": {"militia": 1}}, population=2)
    table.say("austria", Build(unit="army", to="austria"))
    assert table.asked() == [("austria", "DP-07")]
    table.say("austria", Build(unit="navy", to="austria"))
    assert table.units("austria", "army", "austria") == 1 and table.units("austria", "navy", "austria") == 1
    assert table.state.population["austria"] == 0
    assert table.state.turn.actions == 1


@BOTH
def test_G_51_militia_with_population_1(edition):
    table = at(edition, tiles={"austria": {"militia": 1}}, population=1)
    table.say("austria", Build(unit="army", to="austria"))
    assert table.asked() == [("austria", "DP-05")]                      # no second unit
    assert table.units("austria", "army", "austria") == 1
    assert table.state.population["austria"] == 0


THREE = Take(tile="logistics"), Use(tile="diplomatic_service", on="alliance_denmark"), Colonise(area="north_america")


@pytest.mark.parametrize("order", [*permutations(THREE)], ids=lambda order: "-".join(answer.verb for answer in order))
def test_G_52_diplomatic_service(order):
    table = scene(tiles={"austria": {"diplomatic_service": 1}}, neutrals={"north_america": ["pop"]}, gold=2)
    table.say("austria", *order)
    assert table.state.owned("austria", "logistics") == 1
    assert table.state.owned("austria", "alliance_denmark") == 1
    assert table.markers("austria", "north_america") == 1
    assert table.state.gold["austria"] == 0                             # Logistics costs 1, Denmark 1


def test_G_52_diplomatic_service_in_deluxe():
    table = at("deluxe", tiles={"austria": {"diplomatic_service": 1}}, neutrals={"north_america": ["pop"]}, gold=3)
    table.say("austria", Colonise(area="north_america"), Use(tile="diplomatic_service", on="local_denmark"))
    assert table.state.local_alliances == {"local_denmark": "austria"} and table.state.gold["austria"] == 2
    assert table.markers("austria", "north_america") == 1 and table.state.turn.actions == 1
    assert table.refusal("austria", Take(tile="logistics")).rule == "SOE-6.3.2"


@BOTH
@pytest.mark.parametrize("before, after", [(5, 3), (1, 0)])
def test_G_53_government_reform(before, after, edition):
    table = at(edition, unrest={"austria": before})
    table.say("austria", Take(tile="government_reform"))
    assert table.state.unrest["austria"] == after


def last_marker() -> Scene:
    """G-54: Austria has 20 control markers on the map."""
    table = scene(markers={"austria": {"german_states": 9, "central_europe": 7, "baltic": 4}, "britain": {"mediterranean": 1}},
                  units={"austria": {"army": {"mediterranean": 2}}, "britain": {"army": {"mediterranean": 1}}},
                  neutrals={"north_america": ["pop"]}, dice=[(1, 1, 1, 1)])
    assert table.state.markers_on_map("austria") == 20
    return table


def test_G_54_last_marker_colonising():
    table = last_marker()
    assert table.refusal("austria", Colonise(area="north_america")).rule == "SOE-1.1.11"
    assert table.faces("north_america") == ["pop"] and table.state.population["austria"] == 5


def test_G_54_last_marker_attacking():
    table = last_marker()
    table.say("austria", Attack(area="mediterranean", target="britain"))
    assert table.strengths() == [(2, 1)]
    assert table.units("britain", "army", "mediterranean") == 0 and table.state.unrest["britain"] == 1
    assert table.events(MarkerTaken) == []
    assert table.markers("britain", "mediterranean") == 1 and table.markers("austria", "mediterranean") == 0
