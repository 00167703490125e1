"""Packets: answers to all reactions of an attack, given in advance."""
from __future__ import annotations

from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, Call, Commit, Decline, Fight, Take
from engine.games.struggle_of_empires.orders import foreseen
from engine.orders import Order, OrderLine, checked
from tests.games.struggle_of_empires.ordering import FIGHT, KEEP, POWERS, ROWS, allied, answers, by_order, fleets, give, order
from tests.scene import Scene, scene


def packet(table: Scene, power: str, point: str, *lines: OrderLine) -> Order:
    return order(table, power, point, *lines, kind="packet", lasts="attack")


def test_a_packet_answers_all_questions_of_this_attack_and_none_of_the_next():
    table = fleets(2, 2, tiles={"britain": {"reserves": 1, "fighting_withdrawal": 1}},
                   dice=[(1, 6, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1)])
    table.say("spain", Attack(area="india", target="britain"))
    assert foreseen(table.state)[table.state.seat("britain")] == ("DP-16", "DP-21", "DP-22")
    give(table, packet(table, "britain", "DP-16", FIGHT), packet(table, "britain", "DP-21", answers("DP-21", KEEP)),
         packet(table, "britain", "DP-22", answers("DP-22", "withdrawal")))
    table.say("spain", Fight())
    assert table.state.battle is None and {power for power, _ in by_order(table)} == {"britain"}
    table.say("spain", Attack(area="india", target="britain"), Fight())
    assert table.asked() == [("britain", "DP-16")]


def test_in_one_packet_for_several_questions_each_answer_is_for_its_own():
    table = fleets(2, 2, tiles={"britain": {"reserves": 1}}, dice=[(1, 1, 1, 1), (1, 1, 1, 1)])
    table.say("spain", Attack(area="india", target="britain"))
    form = Order(seat=table.state.seat("britain"), kind="packet", points=("DP-16", "DP-21"), lasts="attack",
                 lines=(answers("DP-21", KEEP), FIGHT))                 # both of DP-21 and of DP-16 one can decline
    give(table, checked(GAME, form, table.state))
    table.say("spain", Fight())
    assert by_order(table) == [("britain", "Fight at sea"), ("britain", "No"), ("britain", "No")]


def test_a_packet_does_not_answer_for_another_attack_that_takes_the_place_of_its_own():
    """As after an undo: the packet stays, and the second attack has the number of the first."""
    there = {"navy": {"india": 1, "africa": 1}, "army": {"india": 1, "africa": 1}}
    table, again = (scene(powers=("spain", "britain"), markers={"britain": {"india": 1, "africa": 1}},
                          units={"spain": there, "britain": there}) for _ in range(2))
    table.say("spain", Attack(area="india", target="britain"))
    made = packet(table, "britain", "DP-16", FIGHT)
    again.say("spain", Attack(area="africa", target="britain"))
    give(again, made)
    again.say("spain", Fight())
    assert again.asked() == [("britain", "DP-16")] and again.state.battles == table.state.battles


def test_a_question_left_open_on_purpose_is_asked():
    table = fleets(2, 2, tiles={"britain": {"reserves": 1}}, dice=[(1, 1, 1, 1)])
    table.say("spain", Attack(area="india", target="britain"))
    give(table, packet(table, "britain", "DP-16", FIGHT), packet(table, "britain", "DP-21", OrderLine()),
         order(table, "britain", "DP-21", answers("DP-21", KEEP)))
    table.say("spain", Fight())
    assert table.asked() == [("britain", "DP-21")], "ask me after the dice, whatever is ordered otherwise"


def points(table: Scene, power: str) -> tuple[str, ...]:
    return foreseen(table.state).get(table.state.seat(power), ())


def test_only_what_can_really_arise_is_foreseen():
    plain = fleets(2, 1)
    plain.say("spain", Attack(area="india", target="britain"))
    assert (points(plain, "spain"), points(plain, "britain")) == (("DP-15",), ("DP-16",))

    by_land = scene(powers=("spain", "britain"), markers={"britain": {"india": 1}}, units={"spain": {"army": {"india": 2}}},
                    tiles={"britain": {"reserves": 1, "fighting_withdrawal": 1, "blockade": 1}, "spain": {"reserves": 1}},
                    dice=[(1, 1, 1, 1)])
    by_land.say("spain", Attack(area="india", target="britain"))
    assert points(by_land, "spain") == ("DP-20",)
    assert points(by_land, "britain") == ("DP-21",), "no navy that could give support, no unit that could be lost"

    used_up = fleets(2, 1, tiles={"britain": {"reserves": 1}}, used={"britain": {"reserves": 1}})
    used_up.say("spain", Attack(area="india", target="britain"))
    assert points(used_up, "britain") == ("DP-16",)


def test_everything_that_can_arise_is_foreseen_for_all_at_the_declaration():
    everything = {"reserves": 1, "blockade": 1}
    table = scene(powers=(*POWERS, "prussia", "russia"), rows=(("spain", "france", "prussia"), ("britain", "austria", "russia")),
                  markers={"britain": {"africa": 1}}, options={"help.auto_call": False},
                  tiles={"spain": {**everything, "alliance_portugal": 1}, "britain": {"reserves": 1, "fighting_withdrawal": 1}},
                  units={power: {"navy": {"africa": 1}, "army": {"africa": 1}} for power in (*POWERS, "prussia", "russia")} | {
                      "britain": {"navy": {"africa": 1}, "army": {"africa": 1}, "fort": {"africa": 1}}})
    table.say("spain", Attack(area="africa", target="britain"))
    assert points(table, "spain") == ("DP-11", "DP-15", "DP-17", "DP-19", "DP-20", "DP-24")
    assert points(table, "britain") == ("DP-13", "DP-16", "DP-21", "DP-24", "DP-22", "DP-23")
    assert [points(table, power) for power in ("france", "prussia", "austria", "russia")] == [
        ("DP-12",), ("DP-12",), ("DP-14",), ("DP-14",)]


def test_who_has_been_heard_is_not_asked_again():
    table = allied()
    table.say("spain", Attack(area="india", target="britain"))
    assert (points(table, "france"), points(table, "austria")) == (("DP-12",), ("DP-14",))
    table.say("france", Commit(armies=0, navies=0))
    assert (points(table, "france"), points(table, "austria")) == ((), ("DP-14",))
    table.say("austria", Commit(armies=0, navies=0))
    assert (points(table, "france"), points(table, "austria")) == ((), ())


def test_a_surprised_defender_is_not_helped():
    table = allied(tiles={"spain": {"surprise_attack": 1}})
    table.say("spain", Attack(area="india", target="britain", surprise=True))
    assert points(table, "france") == ("DP-12",) and points(table, "austria") == ()


def test_what_is_behind_is_not_foreseen_any_more():
    table = fleets(2, 2, tiles={"spain": {"reserves": 2, "blockade": 2}, "britain": {"fighting_withdrawal": 2}},
                   pack={"tiles": [{"id": "blockade", "count": 2}, {"id": "fighting_withdrawal", "count": 2}]},
                   dice=[(1, 3, 1, 1), (1, 1, 1, 1)])
    table.say("spain", Attack(area="india", target="britain"))
    assert points(table, "spain") == ("DP-15", "DP-19", "DP-20") and points(table, "britain") == ("DP-16", "DP-22")
    table.say("spain", Fight())
    table.say("britain", Fight())
    assert table.asked() == [("spain", "DP-20")] and points(table, "spain") == ("DP-19", "DP-20")
    table.say("spain", Decline())
    assert table.asked() == [("britain", "DP-22")]
    table.say("britain", table.options("britain")[0])
    assert table.asked() == [("spain", "DP-19")] and points(table, "britain") == (), "it has withdrawn"
    table.say("spain", Decline())
    assert points(table, "spain") == ("DP-20",), "the Blockade was offered, and the dice on land are thrown"


def test_allies_who_were_not_called_are_not_foreseen_once_the_call_is_over():
    powers = ("spain", "france", "prussia", "britain", "austria", "russia")
    table = scene(powers=powers, rows=(powers[:3], powers[3:]), markers={"britain": {"india": 1}}, dice=[(1, 1, 1, 1)],
                  units={power: {"army": {"india": 1}} for power in powers}, options={"help.auto_call": False},
                  tiles={"spain": {"reserves": 1}})
    table.say("spain", Attack(area="india", target="britain"), Call(allies=("france",)))
    table.say("france", Commit(armies=0, navies=0))
    table.say("britain", Call(allies=("austria", "russia")))
    table.say("austria", Commit(armies=0, navies=0))
    table.say("russia", Commit(armies=0, navies=0))
    assert table.asked() == [("spain", "DP-20")]
    assert foreseen(table.state) == {table.state.seat("spain"): ("DP-20",)}


def test_when_nobody_was_called_nobody_is_foreseen_after_the_dice():
    table = scene(powers=POWERS, rows=ROWS, markers={"britain": {"india": 1}}, dice=[(1, 1, 1, 1)],
                  units={power: {"army": {"india": 1}} for power in POWERS}, options={"help.auto_call": False},
                  tiles={"spain": {"reserves": 1}})
    table.say("spain", Attack(area="india", target="britain"), Call(allies=()))
    table.say("britain", Call(allies=()))
    assert table.asked() == [("spain", "DP-20")] and foreseen(table.state) == {table.state.seat("spain"): ("DP-20",)}


def test_allies_who_were_not_called_are_behind_before_the_fight_at_sea():
    powers = ("spain", "france", "prussia", "britain", "austria", "russia")
    everywhere = {power: {"army": {"india": 1}} for power in powers}
    table = scene(powers=powers, rows=(("spain", "austria", "prussia"), ("britain", "france", "russia")),
                  markers={"britain": {"india": 1}}, options={"help.auto_call": False}, tiles={"france": {"blockade": 1}},
                  units={**everywhere, "spain": {"army": {"india": 1}, "navy": {"india": 1}}, "britain": {"navy": {"india": 1}}})
    table.say("spain", Attack(area="india", target="britain"))
    table.say("spain", Call(allies=("austria",)))
    table.say("austria", Commit(armies=0, navies=0))
    assert points(table, "prussia") == () and points(table, "russia") == ("DP-14",)
    table.say("britain", Call(allies=("france",)))
    table.say("france", Commit(armies=0, navies=0))
    assert foreseen(table.state) == {table.state.seat("spain"): ("DP-15",), table.state.seat("britain"): ("DP-16",)}


def test_blockade_is_foreseen_only_for_who_could_have_support():
    table = scene(powers=POWERS, rows=ROWS, markers={"britain": {"india": 1}}, tiles={"britain": {"blockade": 1}},
                  units={power: {"army": {"india": 1}} for power in POWERS})
    table.say("spain", Attack(area="india", target="britain"))
    assert table.asked() == [("france", "DP-12")] and points(table, "britain") == (), "it has no navy there"


def test_in_a_naval_attack_nothing_comes_after_the_fight_at_sea():
    table = scene(powers=("spain", "britain"), tiles={"spain": {"reserves": 1}, "britain": {"fighting_withdrawal": 1}},
                  units={"spain": {"navy": {"india": 3}}, "britain": {"navy": {"india": 2}, "army": {"india": 1},
                                                                      "fort": {"india": 1}}}, dice=[(1, 1, 1, 1)])
    table.say("spain", Attack(area="india", target="britain"))
    assert points(table, "spain") == ("DP-20",) and points(table, "britain") == ("DP-16", "DP-22")
    table.say("britain", Fight())
    table.say("spain", Decline())
    assert table.asked() == [("britain", "DP-22")] and points(table, "spain") == ()


def test_a_raid_foresees_the_questions_of_the_owner():
    table = scene(powers=("spain", "britain"), markers={"britain": {"caribbean": 1}}, dice=[(1, 1, 1, 1)],
                  tiles={"britain": {"blockade": 1, "reserves": 1, "fighting_withdrawal": 1}},
                  units={"britain": {"navy": {"caribbean": 1}, "army": {"caribbean": 1}, "fort": {"caribbean": 1}}})
    table.say("spain", Take(tile="slave_revolt", area="caribbean", target="britain"))
    assert points(table, "britain") == ("DP-19", "DP-21", "DP-22", "DP-23") and points(table, "spain") == ()
