"""Standing orders in reactions: the last column of table D.3."""
from __future__ import annotations

import pytest

from engine.games.struggle_of_empires.actions import Assign, Attack, Commit, Decline, Fight, Take
from engine.games.struggle_of_empires.events import (
    AllianceUsedAtSea,
    DiceRolled,
    HelpSent,
    ReservesUsed,
    SeaDeclined,
    SupportDoubled,
    UnitLost,
    Withdrawn,
)
from engine.orders import DEFAULT, Reply
from tests.games.struggle_of_empires.ordering import (
    AHEAD,
    BEHIND,
    FIGHT,
    KEEP,
    POWERS,
    REFUSE,
    ROWS,
    SOME,
    TIED,
    USE,
    allied,
    answers,
    fleets,
    give,
    least,
    line,
    most,
    order,
    reserves,
    seen,
    when,
    withdrawal,
)
from tests.scene import scene


@pytest.mark.parametrize("point", ["DP-11", "DP-13"])
@pytest.mark.parametrize("key, filled, called", [
    ("call_all", {}, ["france", "austria"]), ("call_nobody", {}, []), ("call", {"allies": ("austria", "russia")}, ["austria"])])
def test_DP_11_and_13_whom_to_call(point, key, filled, called):
    caller, other = ("spain", "britain") if point == "DP-11" else ("britain", "spain")
    table = scene(powers=POWERS, rows=((caller, "france", "austria"), (other,)), options={"help.auto_call": False},
                  markers={"britain": {"india": 1}}, active="spain", dice=[(1, 1, 1, 1)],
                  units={power: {"army": {"india": 1}} for power in POWERS})
    give(table, order(table, caller, point, answers(point, key, when("area", "india"), **filled)))
    table.say("spain", Attack(area="india", target="britain"))
    assert [power for power, number in table.asked() if number in ("DP-12", "DP-14")] == called


@pytest.mark.parametrize("target, lines, sent", [
    ("britain", [answers("DP-12", "send_some", when("area", "india"), when("principal", "spain"), **SOME)], (1, 0)),
    ("britain", [answers("DP-12", "send_some", when("area", "africa"), when("principal", "spain"), **SOME)], None),
    ("britain", [answers("DP-12", "send_navies", when("principal", "spain"))], (0, 2)),
    ("britain", [answers("DP-12", "send_nothing", when("against", "britain")), answers("DP-12", "send_all")], (0, 0)),
    ("britain", [answers("DP-12", "send_nothing", when("against", "neutral")), answers("DP-12", "send_all")], (3, 2)),
    ("neutral_3", [answers("DP-12", "send_nothing", when("against", "neutral")), answers("DP-12", "send_all")], (0, 0)),
    ("neutral_3", [answers("DP-12", "send_some", armies=9, navies=9)], (3, 0)),
    ("britain", [answers("DP-12", "send_armies", least("own_armies", 3))], (3, 0)),
    ("britain", [line(Reply(verb=DEFAULT))], (0, 0))])
def test_DP_12_help_an_attacker(target, lines, sent):
    table = allied(dice=[(1, 1, 1, 1)])
    give(table, order(table, "france", "DP-12", *lines))
    table.say("spain", Attack(area="india", target=target))
    helped = [(help_.armies, help_.navies) for help_ in table.events(HelpSent) if help_.ally == "france"]
    assert helped == ([sent] if sent else [])


def test_DP_14_help_a_defender():
    table = allied()
    give(table, order(table, "austria", "DP-14", answers("DP-14", "send_armies", when("principal", "britain"), most("lead", 0))))
    table.say("spain", Attack(area="india", target="britain"))
    table.say("france", Commit(armies=0, navies=0))
    assert [(help_.ally, help_.armies, help_.navies) for help_ in table.events(HelpSent)][-1] == ("austria", 3, 0)


def test_allies_called_at_once_are_sealed_also_when_one_of_them_has_ordered():
    table = scene(powers=POWERS, rows=(("spain",), ("britain", "austria", "france")), markers={"britain": {"india": 1}},
                  units={power: {"army": {"india": 1}} for power in POWERS})
    give(table, order(table, "austria", "DP-14", answers("DP-14", "send_all")))
    table.say("spain", Attack(area="india", target="britain"))
    assert table.asked() == [("france", "DP-14")] and table.events(HelpSent) == []


@pytest.mark.parametrize("britain, lines, fights", [
    (3, [REFUSE], False), (2, [answers("DP-16", "fight", least("lead", 0)), REFUSE], True),
    (1, [answers("DP-16", "fight", least("lead", 0)), REFUSE], False),
    (3, [answers("DP-16", "fight", least("lead", 1)), REFUSE], True),
    (2, [answers("DP-16", "fight", least("lead", 1)), REFUSE], False),
    (1, [answers("DP-16", "fight", when("area", "india")), REFUSE], True),
    (1, [answers("DP-16", "fight", when("area", "africa")), REFUSE], False), (1, [line(Reply(verb=DEFAULT))], False)])
def test_DP_16_fight_at_sea_when_attacked(britain, lines, fights):
    table = fleets(2, britain, dice=[(1, 1, 1, 1), (1, 1, 1, 1)])
    give(table, order(table, "britain", "DP-16", *lines))
    table.say("spain", Attack(area="india", target="britain"), Fight())
    assert [declined.side for declined in table.events(SeaDeclined)] == ([] if fights else ["britain"])


@pytest.mark.parametrize("spain, lead, fights", [(3, 2, True), (2, 2, False)])
def test_DP_15_fight_if_at_least_k_ahead(spain, lead, fights):
    table = fleets(spain, 1, dice=[(1, 1, 1, 1), (1, 1, 1, 1)])
    give(table, order(table, "spain", "DP-15", answers("DP-15", "fight", least("lead", lead)), answers("DP-15", "no_fight")))
    table.say("spain", Attack(area="india", target="britain"))
    assert table.asked()[:1] == ([("britain", "DP-16")] if fights else [("spain", "DP-05")])


def test_DP_15_the_lead_at_sea_counts_training_and_alliances_that_help_only_there():
    table = scene(powers=("spain", "britain"), markers={"britain": {"ottoman_empire": 1}},
                  units={"spain": {"navy": {"mediterranean": 2}, "army": {"ottoman_empire": 1}},
                         "britain": {"navy": {"mediterranean": 1}}},
                  tiles={"spain": {"naval_training": 1, "alliance_ottoman_empire": 1}, "britain": {"alliance_savoy": 1}})
    table.say("spain", Attack(area="ottoman_empire", target="britain"))
    known = seen(table, "spain")
    assert (known["strength"], known["their_strength"], known["lead"]) == (3, 1, 2), "the Ottoman alliance could help on land too"
    assert (known["own_navies"], known["their_navies"], known["own_armies"], known["their_armies"]) == (2, 1, 1, 0)


def test_what_the_other_side_has_is_seen_with_its_helpers_and_with_alliances_used_at_sea():
    both = {"alliance_portugal": 1}
    table = scene(powers=POWERS, rows=ROWS, markers={"britain": {"africa": 1}}, tiles={"spain": both, "britain": both},
                  units={power: {"navy": {"africa": 2}, "army": {"africa": 3}} for power in POWERS},
                  pack={"tiles": [{"id": "alliance_portugal", "count": 2}]})
    table.say("spain", Attack(area="africa", target="britain"))
    table.say("france", Commit(armies=2, navies=1))
    known = seen(table, "austria")
    assert (known["their_armies"], known["their_navies"], known["strength"], known["their_strength"]) == (5, 3, 4, 6), \
        "on land, with an alliance each"
    table.say("austria", Commit(armies=0, navies=0))
    table.say("spain", Fight())
    table.say("britain", Fight())
    table.say("spain", Assign(stage="sea"))
    known = seen(table, "britain")
    assert (known["strength"], known["their_strength"], known["lead"], known["lead_with_it"]) == (2, 4, -2, -1)


@pytest.mark.parametrize("britain, at_sea", [(1, True), (2, True), (3, False)])
def test_DP_17_sea_if_it_makes_us_at_least_equal(britain, at_sea):
    table = scene(powers=("spain", "britain"), markers={"britain": {"africa": 1}}, tiles={"spain": {"alliance_portugal": 1}},
                  units={"spain": {"navy": {"africa": 1}, "army": {"africa": 1}}, "britain": {"navy": {"africa": britain}}},
                  dice=[(1, 1, 1, 1), (1, 1, 1, 1)])
    give(table, order(table, "spain", "DP-17", answers("DP-17", "at_sea", least("lead_with_it", 0)), answers("DP-17", "on_land")))
    table.say("spain", Attack(area="africa", target="britain"), Fight())
    table.say("britain", Fight())
    assert bool(table.events(AllianceUsedAtSea)) is at_sea


@pytest.mark.parametrize("key, at_sea", [("at_sea", True), ("on_land", False)])
def test_DP_18_sea_or_land(key, at_sea):
    table = scene(powers=("spain", "britain"), markers={"britain": {"africa": 1}}, tiles={"britain": {"alliance_portugal": 1}},
                  units={power: {"navy": {"africa": 1}, "army": {"africa": 1}} for power in ("spain", "britain")},
                  dice=[(1, 1, 1, 1), (1, 1, 1, 1)])
    give(table, order(table, "britain", "DP-18", answers("DP-18", key, when("alliance", "alliance_portugal"))))
    table.say("spain", Attack(area="africa", target="britain"), Fight())
    table.say("britain", Fight())
    assert bool(table.events(AllianceUsedAtSea)) is at_sea


@pytest.mark.parametrize("armies, lines, used", [
    (3, [answers("DP-19", "blockade", most("lead", -1)), answers("DP-19", "no_blockade")], True),
    (1, [answers("DP-19", "blockade", most("lead", -1)), answers("DP-19", "no_blockade")], False),
    (3, [answers("DP-19", "no_blockade")], False)])
def test_DP_19_yes_if_we_are_behind_before_the_dice(armies, lines, used):
    table = scene(powers=("spain", "britain"), markers={"britain": {"india": 1}}, tiles={"spain": {"blockade": 1}}, units={
        "spain": {"navy": {"india": 1}, "army": {"india": 1}}, "britain": {"army": {"india": armies}}}, dice=[(1, 1, 1, 1)])
    give(table, order(table, "spain", "DP-19", *lines))
    table.say("spain", Attack(area="india", target="britain"))
    assert bool(table.events(SupportDoubled)) is used and len(table.events(DiceRolled)) == 1


SEVEN_BEHIND = (3, 4, 1, 6)


@pytest.mark.parametrize("throw, tiles, used", [(AHEAD, 2, 0), (TIED, 1, 0), (TIED, 2, 1), (BEHIND, 3, 2)])
def test_DP_20_if_i_did_not_win_while_i_keep_a_tile(throw, tiles, used):
    lines = answers("DP-20", USE, when("result", "won", "is_not"), least("kept", 1)), answers("DP-20", KEEP)
    table = reserves("spain", throw, *lines, tiles=tiles)
    assert len(table.events(ReservesUsed)) == used and table.state.battle is None


@pytest.mark.parametrize("stage, used", [("land", 1), ("sea", 0)])
def test_DP_20_only_on_land(stage, used):
    table = reserves("spain", BEHIND, answers("DP-20", USE, when("stage", stage)), answers("DP-20", KEEP), tiles=1)
    assert len(table.events(ReservesUsed)) == used


@pytest.mark.parametrize("throw, used", [(BEHIND, 0), (SEVEN_BEHIND, 1), ((1, 6, 1, 1), 0)])
def test_DP_20_only_if_a_7_costs_me_a_unit_and_i_did_not_win(throw, used):
    lines = answers("DP-20", USE, when("seven_costs"), most("margin", 0)), answers("DP-20", KEEP)
    assert len(reserves("spain", throw, *lines, tiles=1).events(ReservesUsed)) == used


def test_DP_20_a_7_costs_me_nothing_if_a_helper_stands_in():
    table = allied(tiles={"spain": {"reserves": 1}}, dice=[(3, 4, 1, 6)])
    give(table, order(table, "spain", "DP-20", answers("DP-20", USE, when("seven_costs")), answers("DP-20", KEEP)))
    table.say("spain", Attack(area="india", target="britain"))
    table.say("france", Commit(armies=1, navies=0))
    table.say("austria", Commit(armies=0, navies=0))
    table.say("spain", Decline())
    assert table.events(ReservesUsed) == [] and ("france", "army") in [(lost.owner, lost.unit) for lost in table.events(UnitLost)]


@pytest.mark.parametrize("throw, used", [(AHEAD, 1), (TIED, 0), (BEHIND, 0)])
def test_DP_21_if_i_would_lose_a_control_marker(throw, used):
    lines = answers("DP-21", USE, when("marker_lost")), answers("DP-21", KEEP)
    assert len(reserves("britain", throw, *lines, tiles=1).events(ReservesUsed)) == used


def test_DP_21_no_marker_is_lost_at_sea():
    table = fleets(2, 1, tiles={"britain": {"reserves": 1}}, dice=3 * [(1, 1, 1, 1)])
    give(table, order(table, "britain", "DP-16", FIGHT),
         order(table, "britain", "DP-21", answers("DP-21", USE, when("marker_lost")), answers("DP-21", KEEP)))
    table.say("spain", Attack(area="india", target="britain"), Fight())
    assert [thrown.stage for thrown in table.events(DiceRolled)] == ["sea", "land", "land"]


def test_DP_21_up_to_k_tiles():
    table = reserves("britain", (1, 3, 1, 1), answers("DP-21", USE, when("result", "won", "is_not")), times=2, tiles=3)
    assert len(table.events(ReservesUsed)) == 2 and table.asked() == [("britain", "DP-21")], "a third one is asked for"


@pytest.mark.parametrize("throw, used", [((1, 3, 1, 1), 1), (TIED, 1), (BEHIND, 0)])
def test_DP_21_if_i_lose_or_tie(throw, used):
    lines = answers("DP-21", USE, most("margin", 0)), answers("DP-21", KEEP)
    assert len(reserves("britain", throw, *lines, tiles=1).events(ReservesUsed)) == used


@pytest.mark.parametrize("throw, used", [((1, 6, 1, 1), False), ((1, 6, 3, 4), True)])
def test_DP_22_if_at_least_2_of_our_units_would_be_lost(throw, used):
    table = withdrawal(throw, answers("DP-22", "withdrawal", least("losses", 2)), answers("DP-22", "no_withdrawal"))
    assert bool(table.events(Withdrawn)) is used and table.state.battle is None


@pytest.mark.parametrize("armies, forts, used", [(1, 0, True), (2, 0, False), (1, 1, False)])
def test_DP_22_if_it_is_my_last_land_unit_there(armies, forts, used):
    lines = (answers("DP-22", "withdrawal", when("last_unit"), when("stage", "land")), answers("DP-22", "no_withdrawal"))
    table = withdrawal((1, 6, 1, 1), *lines, armies=armies, forts=forts)
    assert bool(table.events(Withdrawn)) is used


def test_DP_22_who_has_no_unit_there_loses_no_last_one():
    table = scene(powers=("spain", "britain", "austria"), rows=(("spain",), ("britain", "austria")), dice=[(1, 5, 1, 1)],
                  units={power: {"army": {"india": 1}} for power in ("spain", "austria")}, markers={"britain": {"india": 1}},
                  tiles={"britain": {"fighting_withdrawal": 1}})
    give(table, order(table, "britain", "DP-22", answers("DP-22", "withdrawal", when("last_unit")),
                      answers("DP-22", "no_withdrawal")))
    table.say("spain", Attack(area="india", target="britain"))
    table.say("austria", Commit(armies=1, navies=0))
    assert table.events(Withdrawn) == [] and [lost.owner for lost in table.events(UnitLost)] == ["austria"]


def test_DP_22_never_at_sea():
    lines = (answers("DP-22", "no_withdrawal", when("stage", "sea")), answers("DP-22", "withdrawal"))
    table = withdrawal((1, 6, 1, 1), *lines, sea=True)
    assert [unit.unit for unit in table.events(UnitLost) if unit.owner == "britain"] == ["navy"]
    assert [withdrawn.side for withdrawn in table.events(Withdrawn)] == ["britain"], "but on land"


@pytest.mark.parametrize("lines, lost", [
    ([answers("DP-23", "fort_first")], "fort"), ([answers("DP-23", "army_first")], "army"),
    ([answers("DP-23", "fort_first", when("area", "africa")), answers("DP-23", "army_first")], "army")])
def test_DP_23_fort_first(lines, lost):
    table = scene(powers=("spain", "britain"), markers={"britain": {"india": 1}}, dice=[(1, 5, 1, 1)],
                  units={"spain": {"army": {"india": 4}}, "britain": {"army": {"india": 1}, "fort": {"india": 1}}})
    give(table, order(table, "britain", "DP-23", *lines))
    table.say("spain", Attack(area="india", target="britain"))
    assert [unit.unit for unit in table.events(UnitLost)] == [lost]


def test_DP_24_ranked_list_of_allies():
    table = scene(powers=(*POWERS, "prussia"), rows=(("spain",), ("britain", "austria", "france", "prussia")),
                  markers={"britain": {"india": 1}}, dice=[(1, 5, 1, 1)],
                  units={power: {"army": {"india": 1}} for power in ("austria", "france", "prussia")} | {
                      "spain": {"army": {"india": 9}}})
    give(table, order(table, "britain", "DP-24", answers("DP-24", "lose", owner=("russia", "france", "austria"))))
    table.say("spain", Attack(area="india", target="britain"))
    for power in ("austria", "france", "prussia"):
        table.say(power, Commit(armies=1, navies=0))
    assert [(unit.owner, unit.unit) for unit in table.events(UnitLost)] == [("france", "army")]


def test_DP_24_a_tie_is_a_tie_also_when_the_other_side_has_lost_its_unit():
    table = scene(powers=POWERS, rows=(("spain",), ("britain", "austria", "france")), markers={"britain": {"india": 1}},
                  units={"spain": {"army": {"india": 2}}, "austria": {"army": {"india": 1}}, "france": {"army": {"india": 1}}},
                  dice=[TIED])
    give(table, order(table, "britain", "DP-24", answers("DP-24", "lose", when("result", "tied"), owner=("austria", "france"))))
    table.say("spain", Attack(area="india", target="britain"))
    for ally in ("austria", "france"):
        table.say(ally, Commit(armies=1, navies=0))
    assert [unit.owner for unit in table.events(UnitLost)] == ["spain", "austria"]


def test_DP_28_in_a_raid_the_owner_answers_as_in_an_attack():
    table = scene(powers=("spain", "britain"), markers={"britain": {"india": 1}}, tiles={"britain": {"reserves": 2}},
                  units={"britain": {"navy": {"india": 1}}}, dice=[(1, 3, 1, 1), (1, 1, 1, 1), TIED])
    lines = answers("DP-21", USE, when("attacker", "pirates"), when("marker_lost")), answers("DP-21", KEEP)
    give(table, order(table, "britain", "DP-21", *lines))
    table.say("spain", Take(tile="pirates", area="india", target="britain"))
    assert len(table.events(ReservesUsed)) == 1 and table.state.captives == {}
